"""The slow twin of gradient-directed descent: everything from the rows, at every step."""

import numpy as np


def descend_by_rows(columns, term, y, tau, max_terms, n_steps, step):
    """Weights and offset after n_steps steps.

    `columns` is rows x weights x targets: what each weight adds to each target of each row. y may hold NaN.
    """
    known = ~np.isnan(y)
    n_targets = y.shape[1]
    weights = np.zeros(columns.shape[1])
    for _ in range(n_steps):
        predicted = np.einsum("ikt,k->it", columns, weights)
        offset = np.array([(y - predicted)[known[:, t], t].mean() for t in range(n_targets)])
        gradient = np.zeros(len(weights))  # of the loss, with a minus sign
        for t in range(n_targets):
            rows = known[:, t]
            residual = y[rows, t] - offset[t] - predicted[rows, t]
            gradient += columns[rows, :, t].T @ residual / rows.sum() / n_targets
        in_use = set(term[weights != 0])
        allowed = np.ones(len(weights), bool)
        if max_terms and len(in_use) >= max_terms:
            allowed = np.isin(term, list(in_use))
        steep = allowed & (np.abs(gradient) >= tau * np.abs(gradient[allowed]).max())
        for k in np.argsort(-np.abs(gradient), kind="stable"):
            is_new = steep[k] and term[k] not in in_use
            if is_new and max_terms and len(in_use) >= max_terms:
                steep[k] = False
            elif is_new:
                in_use.add(term[k])
        weights = weights + step * np.where(steep, gradient, 0.0)
    predicted = np.einsum("ikt,k->it", columns, weights)
    return weights, np.array([(y - predicted)[known[:, t], t].mean() for t in range(n_targets)])
