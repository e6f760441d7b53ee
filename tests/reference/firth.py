"""Firth's logistic regression from its definition, and the best subset of terms by trying all of them."""

from itertools import combinations

import numpy as np


def penalised(x, r, beta):
    """The likelihood and its penalised form, probabilities and information; rows of x are terms, the first all ones."""
    eta = beta @ x
    p = 0.5 * (1 + np.tanh(eta / 2))
    plain = -(np.logaddexp(0, -eta) * r + np.logaddexp(0, eta) * (1 - r)).sum()
    information = (x * (p * (1 - p))) @ x.T
    sign, determinant = np.linalg.slogdet(information)
    return plain, plain + determinant / 2 if sign > 0 else -np.inf, p, information


def fit_firth_slowly(x, r, n_steps=2000, tolerance=1e-13):
    """The estimate and the plain log-likelihood there: scoring steps, halved until they lead upwards."""
    beta = np.zeros(len(x))
    plain, best, p, information = penalised(x, r, beta)
    for _ in range(n_steps):
        inverse = np.linalg.inv(information)
        h = p * (1 - p) * np.einsum("ai,ab,bi->i", x, inverse, x)
        score = x @ (r - p + h * (0.5 - p))
        step = inverse @ score
        if score @ step < tolerance:
            break
        length = 1.0
        while length > 1e-6:
            found = penalised(x, r, beta + length * step)
            if found[1] > best:
                break
            length /= 2
        if not found[1] > best:
            break
        beta, (plain, best, p, information) = beta + length * step, found
    return beta, plain


def find_best_subset(x, r):
    """The AIC of every subset of the terms after the first, by its tuple of terms."""
    terms = range(1, len(x))
    subsets = [(0, *chosen) for size in range(len(x)) for chosen in combinations(terms, size)]
    return {chosen: 2 * len(chosen) - 2 * fit_firth_slowly(x[list(chosen)], r)[1] for chosen in subsets}
