"""
Does a risk of 30 % mean 30 of 100?
===================================

A model of risks should be believed in what it says, not only in whom it puts first. The picture comes from scikit-
learn: glade's classifiers work with all of its displays.
"""

from sklearn.calibration import CalibrationDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_predict

import glade

data = load_breast_cancer(as_frame=True)
X = data.data[["mean radius", "mean texture", "mean concavity", "worst area", "worst smoothness"]]
malignant = (data.target == 0).astype(int)

rules = glade.RuleEnsembleClassifier(max_rules=5, random_state=0)
tree = glade.TreeClassifier(ccp_alpha="cv", random_state=0)
display = None
for name, model in {"5 rules": rules, "pruned tree": tree}.items():
    risk = cross_val_predict(model, X, malignant, cv=3, method="predict_proba")[:, 1]
    display = CalibrationDisplay.from_predictions(
        malignant, risk, n_bins=5, strategy="quantile", name=name, ax=None if display is None else display.ax_
    )
