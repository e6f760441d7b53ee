"""
Hard rules and soft rules
=========================

A rule switches at a threshold. Where the truth is smooth, many hard rules are needed to imitate a slope. A soft rule
switches by degrees instead, and fewer of them do.
"""

import matplotlib.pyplot as plt
import numpy as np

import glade

rng = np.random.default_rng(0)
x = rng.uniform(0, 10, 400)
y = 3 / (1 + np.exp(-1.5 * (x - 5))) + rng.normal(0, 0.3, 400)
X = x[:, None]

hard = glade.RuleEnsembleRegressor(max_rules=3, linear_terms=False, random_state=0).fit(X, y)
soft = glade.RuleEnsembleRegressor(max_rules=3, linear_terms=False, soft=True, random_state=0).fit(X, y)

grid = np.linspace(0, 10, 300)[:, None]
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot(x, y, ".", color="0.8", zorder=0)
axes.plot(grid, hard.predict(grid), label="3 hard rules")
axes.plot(grid, soft.predict(grid), label="3 soft rules")
axes.set(xlabel="x", ylabel="y")
axes.legend()
