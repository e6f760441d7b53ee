"""
A prediction that may only rise
===============================

You may know that the target never falls when an input grows. ``monotonic_cst`` makes a model keep to that: it is
easier to defend, and in a small table it is often more accurate as well.
"""

import matplotlib.pyplot as plt
import numpy as np

import glade

rng = np.random.default_rng(2)
dose = rng.uniform(0, 10, 120)
response = np.log1p(dose) + rng.normal(0, 0.35, 120)
X = dose[:, None]

free = glade.ForestRegressor(50, min_samples_leaf=5, random_state=0).fit(X, response)
rising = glade.ForestRegressor(50, min_samples_leaf=5, monotonic_cst=[1], random_state=0).fit(X, response)

grid = np.linspace(0, 10, 300)[:, None]
figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
axes.plot(dose, response, ".", color="0.8", zorder=0)
axes.plot(grid, free.predict(grid), label="free")
axes.plot(grid, rising.predict(grid), label="may only rise")
axes.set(xlabel="dose", ylabel="response")
axes.legend()
