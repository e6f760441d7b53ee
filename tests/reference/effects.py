"""The twins of partial dependence and of the H-statistic: the model asked for every row at every point."""

import numpy as np


def predict_sums(model, matrix):
    """Rows x channels: what the terms of a model add up to, for rows of an encoded table."""
    explainer = model.make_explainer()
    return explainer.offset + explainer.contributions(matrix).sum(axis=1)


def average(model, rows, inputs, points):
    """Points x channels: the mean prediction over all rows, each with its inputs changed to the point's."""
    means = []
    for point in points:
        changed = rows.copy()
        changed[:, list(inputs)] = point
        means.append(predict_sums(model, changed).mean(axis=0))
    return np.array(means)


def centred(model, rows, inputs):
    """Partial dependence at each row, less its mean."""
    values = average(model, rows, inputs, rows[:, list(inputs)])
    return values - values.mean(axis=0)


def h_of_pair(model, rows, j, k, channels):
    """Friedman and Popescu's equation 44, over the channels of one target."""
    both, one, other = (centred(model, rows, inputs)[:, channels] for inputs in ((j, k), (j,), (k,)))
    whole = (both**2).sum()
    return np.sqrt(((both - one - other) ** 2).sum() / whole) if whole > 0 else 0.0


def h_of_input(model, rows, j, channels):
    """Their equation 45: one input against all others."""
    others = tuple(i for i in range(rows.shape[1]) if i != j)
    prediction = predict_sums(model, rows)[:, channels]
    prediction = prediction - prediction.mean(axis=0)
    rest = prediction - centred(model, rows, (j,))[:, channels] - centred(model, rows, others)[:, channels]
    return np.sqrt((rest**2).sum() / (prediction**2).sum())
