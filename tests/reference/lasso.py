"""The slow twin of the lasso's solver: accelerated proximal gradient over the rows, every target and loss alike."""

import numpy as np
from scipy.special import expit, log_softmax, softmax

MEANS = {"squared": lambda own: own, "logistic": expit, "multinomial": lambda own: softmax(own, axis=1)}


def spread_weights(y, targets, weights=None):
    """Rows x targets: what each row counts for each target, adding up to the target's weight."""
    own = np.ones(len(y)) if weights is None else weights
    share = np.empty((len(y), len(targets)))
    for t, (at, weight) in enumerate(zip(targets.places, targets.weights, strict=True)):
        share[:, t] = own * ~np.isnan(y[:, at.start])
        share[:, t] *= weight / share[:, t].sum()
    return share


def find_objective(X, y, targets, W, b, penalty, l1_ratio=1.0, factor=None, weights=None, group=None):
    """Loss and penalty of weights (terms x scores) and an offset."""
    share, predicted, y0 = spread_weights(y, targets, weights), X @ W + b, np.nan_to_num(y)
    loss = 0.0
    for t, (kind, at) in enumerate(zip(targets.losses, targets.places, strict=True)):
        own, score = y0[:, at], predicted[:, at]
        if kind.name == "squared":
            loss += share[:, t] @ ((own - score) ** 2).sum(axis=1) / 2
            continue
        if kind.name == "logistic":
            own, score = np.hstack((1 - own, own)), np.hstack((np.zeros_like(score), score))
        loss -= share[:, t] @ (own * log_softmax(score, axis=1)).sum(axis=1)
    return loss + find_penalty(W, penalty, l1_ratio, factor, group)


def find_penalty(W, penalty, l1_ratio, factor, group):
    """A length for each group of terms."""
    square = (W**2).sum(axis=1)
    factor = np.ones(len(W)) if factor is None else factor
    group = np.arange(len(W)) if group is None else group
    lengths = sum(factor[g] * np.sqrt(square[group == g].sum()) for g in np.unique(group))  # g is the first of its own
    return penalty * float(l1_ratio * lengths + (1 - l1_ratio) / 2 * factor @ square)


def solve_lasso(X, y, targets, penalty, l1_ratio=1.0, factor=None, weights=None, group=None, n_steps=20_000):
    """Weights (terms x scores) and offset of least objective."""
    share, y0 = spread_weights(y, targets, weights), np.nan_to_num(y)
    factor = np.ones(X.shape[1]) if factor is None else factor
    group = np.arange(X.shape[1]) if group is None else group
    X1 = np.column_stack((np.ones(len(X)), X))
    step = 1 / (max(np.linalg.norm(np.sqrt(s)[:, None] * X1, 2) ** 2 for s in share.T) + 1e-300)
    at = last = np.zeros((X1.shape[1], y.shape[1]))
    momentum = 1.0
    for _ in range(n_steps):
        predicted = X1 @ at
        slope = np.empty_like(y0)
        for t, (kind, c) in enumerate(zip(targets.losses, targets.places, strict=True)):
            slope[:, c] = share[:, t : t + 1] * (MEANS[kind.name](predicted[:, c]) - y0[:, c])
        new = at - step * X1.T @ slope
        norm = np.sqrt(np.bincount(group, (new[1:] ** 2).sum(axis=1)))[group]
        shrunk = np.maximum(norm - step * penalty * l1_ratio * factor, 0) / np.where(norm > 0, norm, 1)
        new[1:] *= (shrunk / (1 + step * penalty * (1 - l1_ratio) * factor))[:, None]
        if ((at - new) * (new - last)).sum() > 0:  # going up: begin anew
            momentum = 1.0
        after = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        at, change = new + (momentum - 1) / after * (new - last), np.abs(new - last).max()
        momentum, last = after, new
        if change < 1e-13:
            break
    return last[1:], last[0]
