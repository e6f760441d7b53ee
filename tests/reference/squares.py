"""Ridge weights straight from the rows, one target at a time."""

import numpy as np


def ridge_by_rows(design, rows, penalty):
    """Terms x targets weights, and the offset."""
    n_targets = rows.y.shape[1]
    weights, offset = np.zeros((len(design), n_targets)), np.zeros(n_targets)
    for t in range(n_targets):
        X, y, w = _centre(design, rows, t)
        weights[:, t] = np.linalg.solve(X.T @ (w[:, None] * X) + penalty * np.eye(X.shape[1]), X.T @ (w * y))
        known = ~np.isnan(rows.y[:, t])
        values = design.values(rows.matrix[known])
        offset[t] = np.average(rows.y[known, t] - values @ weights[:, t], weights=w)
    return weights, offset


def explain_by_rows(design, rows, terms, penalty):
    """By how much these terms lower the penalised squared error, all targets together."""
    terms = np.sort(np.asarray(terms))
    chosen = design.take(terms)
    total = 0.0
    for t in range(rows.y.shape[1]):
        X, y, w = _centre(chosen, rows, t)
        slope = X.T @ (w * y)
        total += slope @ np.linalg.solve(X.T @ (w[:, None] * X) + penalty * np.eye(len(terms)), slope)
    return total


def _centre(design, rows, target):
    known = ~np.isnan(rows.y[:, target])
    w = np.ones(known.sum()) if rows.weights is None else rows.weights[known]
    X, y = design.values(rows.matrix[known]), rows.y[known, target]
    return X - np.average(X, axis=0, weights=w), y - np.average(y, weights=w), w
