"""Measures of error and of agreement, for one target or many."""

from glade.evaluate.metrics import (
    accuracy,
    arrmse,
    auc,
    correlation,
    exact_match,
    mae,
    mape,
    mean_accuracy,
    rmse,
    rrmse,
)

__all__ = [
    "accuracy",
    "arrmse",
    "auc",
    "correlation",
    "exact_match",
    "mae",
    "mape",
    "mean_accuracy",
    "rmse",
    "rrmse",
]
