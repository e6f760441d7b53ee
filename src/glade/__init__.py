"""Accurate models you can read.

A table of any kind becomes coded columns and channels (`data`), these grow into trees (`grow`) and forests
(`ensemble`), and estimators that obey scikit-learn wrap the stages (`models`). Words are made at the edge (`rules`).
"""

from glade.data.penguins import load_penguins
from glade.data.preparation import IndicatorEncoder, complete_rows
from glade.models.forest import ForestClassifier, ForestRegressor, MixedForest
from glade.models.tree import MixedTree, TreeClassifier, TreeRegressor

__version__ = "0.1.0"

__all__ = [
    "ForestClassifier",
    "ForestRegressor",
    "IndicatorEncoder",
    "MixedForest",
    "MixedTree",
    "TreeClassifier",
    "TreeRegressor",
    "complete_rows",
    "load_penguins",
]
