"""What the peers need that we do not: one-hot columns, filled gaps, targets of one scale."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder


def standardise(Y):
    """scikit-learn's criterion adds the targets' variances as they are: give both the same task."""
    Y = np.asarray(Y, dtype=float)
    return (Y - Y.mean(axis=0)) / Y.std(axis=0)


def one_hot(model, X):
    """The model behind one-hot columns for nominal inputs, whose missing values become the most frequent one."""
    nominal = X.select_dtypes("category").columns.tolist() if isinstance(X, pd.DataFrame) else []
    if not nominal:
        return model
    encode = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), nominal),
        remainder="passthrough",
        sparse_threshold=0,
    )
    return make_pipeline(encode, model)


def count_one_hot(X):
    """How many columns the inputs have once nominal ones are one-hot."""
    if not isinstance(X, pd.DataFrame):
        return X.shape[1]
    return sum(X[c].nunique() if isinstance(X[c].dtype, pd.CategoricalDtype) else 1 for c in X)
