"""
How many trees a forest needs
=============================

Each tree of a random forest leaves out some rows, and these judge it. The curve shows the error on rows left out
while the forest grows. With ``n_estimators="auto"`` the forest stops when more trees do not help.
"""

from sklearn.datasets import load_diabetes

import glade

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
forest = glade.ForestRegressor("auto", oob_score=True, random_state=0).fit(X, y)
print(forest.n_estimators_, "trees, R2 on rows left out", round(forest.oob_score_, 2))
forest.oob_curve_.plot()
