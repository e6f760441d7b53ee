"""
Which rules come back
=====================

Fit a model to half of the rows, many times, and count how often each of its rules comes back. A rule that comes back
in most halves says something about the world; one that does not says something about these rows.
"""

import glade

penguins = glade.load_penguins().dropna()
X, y = penguins[["species", "sex", "bill_depth_mm", "flipper_length_mm"]], penguins["body_mass_g"]
model = glade.RuleEnsembleRegressor(max_rules=5, random_state=0).fit(X, y)

found = glade.stability(model, X, y, n_resamples=10, random_state=0)
found.plot()
print("agreement of the lists:", round(found.dice, 2))
print("agreement of the predictions:", round(found.correlation, 2))
