"""
The error of models of all sizes
================================

One fit of a rule ensemble finds models from one term to many. The curve shows the error on held-out rows for each
size, with its standard error: take the size where the curve becomes flat.
"""

from sklearn.datasets import load_diabetes

import glade

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = glade.RuleEnsembleRegressor(max_rules=20, random_state=0).fit(X, y)
axes = model.path_.plot()
axes.set_xlim(0, 25)

# %%
# A shorter model comes from the same fit.

print(model.with_rules(4).to_text())
