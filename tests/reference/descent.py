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


def optimise_as_published(columns, y, is_valid, tau, limit, n_steps=10_000, first_step=10.0):
    """Figure 2 of Aho, Zenko and Dzeroski (2009), from the rows: the weights of the smallest validation error.

    `columns` is rows x weights x targets. Targets have a mean of zero, and none is missing. `limit` is on the weights
    that are not zero, 0 for any number.
    """
    learn = ~is_valid

    def error(weights):
        return np.mean((np.einsum("ikt,k->it", columns[is_valid], weights) - y[is_valid]) ** 2) / 2

    weights = np.zeros(columns.shape[1])
    best, best_error, step = weights, error(weights), first_step
    for i in range(n_steps + 1):
        if i > 0 and i % 100 == 0:
            now = error(weights)
            if now > 1.1 * best_error or not np.isfinite(now):
                weights, step = best, 0.1 * step
            elif now < best_error:
                best, best_error = weights, now
        residual = y[learn] - np.einsum("ikt,k->it", columns[learn], weights)
        gradient = np.einsum("ikt,it->k", columns[learn], residual) / residual.size
        n_used = np.count_nonzero(weights)
        if limit and n_used >= limit:
            gradient = np.where(weights != 0, gradient, 0.0)
        moves = np.abs(gradient) >= tau * np.abs(gradient).max()
        new = np.flatnonzero(moves & (weights == 0))
        if limit and n_used + len(new) > limit:
            moves[new[np.argsort(-np.abs(gradient[new]), kind="stable")[limit - n_used :]]] = False
        weights = weights + step * np.where(moves, gradient, 0.0)
    return best, best_error
