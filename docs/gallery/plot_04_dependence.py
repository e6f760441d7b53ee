"""
What an input does on average
=============================

The partial dependence of a model on an input is its mean prediction when that input is set to a value in every row.
For rules and trees it is computed exactly, and quickly.
"""

from sklearn.datasets import load_diabetes

import glade

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = glade.RuleEnsembleRegressor(max_rules=15, random_state=0).fit(X, y)
glade.dependence(model, X, "bmi").plot()

# %%
# Two inputs together:

glade.dependence(model, X, ["bmi", "s5"]).plot()
