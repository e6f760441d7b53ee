"""The slow twin of gradient-directed descent: everything from the rows, at every step."""

import numpy as np


def descend_by_rows(columns, y, tau, n_steps, step, allowed=None, until=lambda weights: False):
    """Weights and offset after n_steps steps, or once `until` says so.

    `columns` is rows x weights x targets: what each weight adds to each target of each row. y may hold NaN. Only the
    weights of the `allowed` columns move, all by default.
    """
    known = ~np.isnan(y)
    n_targets = y.shape[1]
    weights = np.zeros(columns.shape[1])
    allowed = np.ones(len(weights), bool) if allowed is None else np.isin(np.arange(len(weights)), allowed)
    for _ in range(n_steps):
        if until(weights):
            break
        predicted = np.einsum("ikt,k->it", columns, weights)
        offset = np.array([(y - predicted)[known[:, t], t].mean() for t in range(n_targets)])
        gradient = np.zeros(len(weights))  # of the loss, with a minus sign
        for t in range(n_targets):
            rows = known[:, t]
            residual = y[rows, t] - offset[t] - predicted[rows, t]
            gradient += columns[rows, :, t].T @ residual / rows.sum() / n_targets
        steep = allowed & (np.abs(gradient) >= tau * np.abs(gradient[allowed]).max())
        weights = weights + step * np.where(steep, gradient, 0.0)
    predicted = np.einsum("ikt,k->it", columns, weights)
    return weights, np.array([(y - predicted)[known[:, t], t].mean() for t in range(n_targets)])


def draft_by_rows(columns, term, y, max_terms, step):
    """The columns of the max_terms most important terms among three times as many, one weight moved at a time."""
    n_terms = 3 * max_terms
    weights, _ = descend_by_rows(columns, y, 1.0, 10_000, step, until=lambda w: len(set(term[w != 0])) >= n_terms)
    importance = np.zeros(term.max() + 1)
    for k in np.flatnonzero(weights):
        varies = sum(columns[~np.isnan(y[:, t]), k, t].var() for t in range(y.shape[1])) / y.shape[1]
        importance[term[k]] += abs(weights[k]) * np.sqrt(varies)
    kept = sorted(np.flatnonzero(importance), key=lambda t: -importance[t])[:max_terms]
    return np.flatnonzero(np.isin(term, kept))
