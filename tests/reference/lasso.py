"""The slow twin of the lasso's solver: accelerated proximal gradient over the rows, every target and loss alike."""

import numpy as np
from scipy.special import log_softmax, softmax


def spread_weights(y, targets, weights=None):
    """Rows x targets: what each row counts for each target, adding up to 1 (or the weight of a nominal target)."""
    own = np.ones(len(y)) if weights is None else weights
    share = np.empty((len(y), len(targets)))
    for t, target in enumerate(targets):
        share[:, t] = own * ~np.isnan(y[:, target.channels.start])
        share[:, t] *= (target.weight if target.is_nominal else 1.0) / share[:, t].sum()
    return share


def find_objective(X, y, targets, W, b, penalty, l1_ratio=1.0, factor=None, weights=None, group=None):
    """Loss and penalty of weights (terms x channels) and an offset."""
    share, predicted, y0 = spread_weights(y, targets, weights), X @ W + b, np.nan_to_num(y)
    loss = 0.0
    for t, target in enumerate(targets):
        at = target.channels
        if target.is_nominal:
            loss -= share[:, t] @ (y0[:, at] * log_softmax(predicted[:, at], axis=1)).sum(axis=1)
        else:
            loss += share[:, t] @ ((y0 - predicted)[:, at] ** 2).sum(axis=1) / 2
    return loss + find_penalty(W, targets, penalty, l1_ratio, factor, group)


def find_penalty(W, targets, penalty, l1_ratio, factor, group):
    """A length for each group of terms; the two channels of a two-class target are one, their difference."""
    square = (join_channels(W, targets) ** 2).sum(axis=1)
    factor = np.ones(len(W)) if factor is None else factor
    group = np.arange(len(W)) if group is None else group
    lengths = sum(factor[g] * np.sqrt(square[group == g].sum()) for g in np.unique(group))  # g is the first of its own
    return penalty * float(l1_ratio * lengths + (1 - l1_ratio) / 2 * factor @ square)


def join_channels(W, targets):
    """Terms x free channels."""
    parts = []
    for target in targets:
        own = W[:, target.channels]
        parts.append(own[:, 1:] - own[:, :1] if target.is_nominal and own.shape[1] == 2 else own)
    return np.concatenate(parts, axis=1)


def split_channels(internal, targets):
    """The way back."""
    W = np.zeros((len(internal), max(t.channels.stop for t in targets)))
    c = 0
    for target in targets:
        width = target.channels.stop - target.channels.start
        if target.is_nominal and width == 2:
            W[:, target.channels] = internal[:, c : c + 1] * np.array([-0.5, 0.5])
            c += 1
        else:
            W[:, target.channels] = internal[:, c : c + width]
            c += width
    return W


def solve_lasso(X, y, targets, penalty, l1_ratio=1.0, factor=None, weights=None, group=None, n_steps=20_000):
    """Weights (terms x channels) and offset of least objective."""
    share, y0 = spread_weights(y, targets, weights), np.nan_to_num(y)
    factor = np.ones(X.shape[1]) if factor is None else factor
    group = np.arange(X.shape[1]) if group is None else group
    X1 = np.column_stack((np.ones(len(X)), X))
    step = 1 / (max(np.linalg.norm(np.sqrt(s)[:, None] * X1, 2) ** 2 for s in share.T) + 1e-300)
    n_free = join_channels(np.zeros((1, y.shape[1])), targets).shape[1]
    at = last = np.zeros((X1.shape[1], n_free))
    momentum = 1.0
    for _ in range(n_steps):
        predicted = split_channels(X1 @ at, targets)
        slope = np.empty_like(y0)
        for t, target in enumerate(targets):
            c = target.channels
            fitted = softmax(predicted[:, c], axis=1) if target.is_nominal else predicted[:, c]
            slope[:, c] = share[:, t : t + 1] * (fitted - y0[:, c])
        free = []
        for target in targets:
            own = slope[:, target.channels]
            free.append(own[:, 1:] if target.is_nominal and own.shape[1] == 2 else own)
        new = at - step * X1.T @ np.concatenate(free, axis=1)
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
    whole = split_channels(last, targets)
    return whole[1:], whole[0]
