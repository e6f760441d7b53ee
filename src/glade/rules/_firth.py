"""Firth's bias-reduced logistic regression: the likelihood times the root of the information's determinant.

It has a finite maximum whatever the rows are, separated or not. A step that would lower it is halved, so that the
iteration ends there, at the last point reached, or after MAX_STEPS.

`x` holds a term in each row, all ones in the first, and rows of the table along its columns; `terms` are the rows of x
in the model, `k` their number. Everything is filled in place; the memory of a fit is a `Workspace`.
"""

import math

from glade.core._compile import kernel, part

MAX_STEPS = 300
MAX_HALVINGS = 12
SETTLED = 1e-3  # the decrement of a plain likelihood next to its maximum
LOWEST = -1e300  # the penalised likelihood where the information is singular
LARGEST_EXPONENT = 40.0  # beyond, 1 + exp(-x) is 1
BLOCK = 512  # factors of at most 2, whose product is finite


@part
def decay(x):
    """exp(-x) for 0 <= x <= LARGEST_EXPONENT, to 1e-12: arithmetic only, so that a loop over it is vectorised."""
    y = x * (-1.0 / 1024.0)
    e = 1.0 + y * (1.0 + y * (0.5 + y * (1 / 6 + y * (1 / 24 + y * (1 / 120 + y * (1 / 720))))))
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    e *= e
    return e * e


@part
def predict_rows(x, r, n, terms, k, beta, work):
    """The log-likelihood of the zeros and ones r; fills the probabilities and their variances."""
    eta, p, w = work.eta, work.p, work.w
    for i in range(n):
        eta[i] = beta[0]
    for a in range(1, k):
        b, row = beta[a], terms[a]
        for i in range(n):
            eta[i] += b * x[row, i]
    total = 0.0
    for first in range(0, n, BLOCK):
        product, lost = 1.0, 0.0
        for i in range(first, min(first + BLOCK, n)):
            size = abs(eta[i])
            e = decay(min(size, LARGEST_EXPONENT))
            q = 1.0 / (1.0 + e)
            p[i] = q if eta[i] >= 0.0 else e * q
            w[i] = e * q * q
            product *= 1.0 + e
            lost += size if (eta[i] >= 0.0) != (r[i] > 0.5) else 0.0
        total -= lost + math.log(product)
    return total


@part
def fill_information(x, n, terms, k, w, scaled, information):
    """information[a, b] = sum over rows of w x_a x_b, the lower triangle."""
    for a in range(k):
        row = terms[a]
        for i in range(n):
            scaled[i] = w[i] * x[row, i]
        for b in range(a + 1):
            other, total = terms[b], 0.0
            for i in range(n):
                total += scaled[i] * x[other, i]
            information[a, b] = total


@part
def factorise(information, k, lower):
    """The Cholesky factor; the log-determinant, or LOWEST where the matrix is singular to working precision."""
    determinant = 0.0
    for a in range(k):
        for b in range(a + 1):
            rest = information[a, b]
            for c in range(b):
                rest -= lower[a, c] * lower[b, c]
            if a > b:
                lower[a, b] = rest / lower[b, b]
            elif rest > 1e-13 * information[a, a] and rest > 1e-200:
                lower[a, a] = math.sqrt(rest)
                determinant += math.log(rest)
            else:
                return LOWEST
    return determinant


@part
def invert(lower, k, inverse):
    """The inverse of lower lower', whole."""
    for c in range(k):
        for a in range(k):
            total = 1.0 if a == c else 0.0
            for b in range(a):
                total -= lower[a, b] * inverse[b, c]
            inverse[a, c] = total / lower[a, a]
        for a in range(k - 1, -1, -1):
            total = inverse[a, c]
            for b in range(a + 1, k):
                total -= lower[b, a] * inverse[b, c]
            inverse[a, c] = total / lower[a, a]


@part
def evaluate(x, r, n, terms, k, beta, work):
    """The penalised log-likelihood at beta, and the plain one; fills what the next step needs."""
    plain = predict_rows(x, r, n, terms, k, beta, work)
    fill_information(x, n, terms, k, work.w, work.scaled, work.information)
    determinant = factorise(work.information, k, work.lower)
    return (LOWEST if determinant == LOWEST else plain + 0.5 * determinant), plain


@part
def fill_leverages(x, n, terms, k, w, inverse, scaled, h):
    """h[i] = w_i x_i' inverse x_i."""
    for i in range(n):
        h[i] = 0.0
    for a in range(k):
        own = 0.5 * inverse[a, a]
        row = terms[a]
        for i in range(n):
            scaled[i] = own * x[row, i]
        for b in range(a):
            share, other = inverse[a, b], terms[b]
            for i in range(n):
                scaled[i] += share * x[other, i]
        for i in range(n):
            h[i] += 2.0 * scaled[i] * x[row, i]
    for i in range(n):
        h[i] *= w[i]


@part
def find_step(x, r, n, terms, k, work):
    """Firth's score times the inverse of the information; the decrement: twice the gain that the step promises."""
    invert(work.lower, k, work.inverse)
    fill_leverages(x, n, terms, k, work.w, work.inverse, work.scaled, work.h)
    for i in range(n):
        work.scaled[i] = r[i] - work.p[i] + work.h[i] * (0.5 - work.p[i])
    return solve_step(x, n, terms, k, work)


@part
def solve_step(x, n, terms, k, work):
    """The inverse of the information times the score of the residuals in `scaled`; the decrement."""
    for a in range(k):
        row, total = terms[a], 0.0
        for i in range(n):
            total += work.scaled[i] * x[row, i]
        work.score[a] = total
    decrement = 0.0
    for a in range(k):
        total = 0.0
        for b in range(k):
            total += work.inverse[a, b] * work.score[b]
        work.step[a] = total
        decrement += total * work.score[a]
    return decrement


@kernel
def fit_firth(x, r, n, terms, k, beta, tolerance, work):
    """Fill beta with the estimate, and what `work` has of it. Returns the plain log-likelihood there, LOWEST for none.

    From zero: a warm start from a larger model saves little, and leads some to another maximum than a cold one.
    """
    for a in range(k):
        beta[a] = 0.0
    best, plain = evaluate(x, r, n, terms, k, beta, work)
    if best == LOWEST:
        return LOWEST
    for _step in range(MAX_STEPS):
        decrement = find_step(x, r, n, terms, k, work)
        if not decrement > tolerance:
            return plain
        length = 1.0
        for _ in range(MAX_HALVINGS):
            for a in range(k):
                work.trial[a] = beta[a] + length * work.step[a]
            now, plain_now = evaluate(x, r, n, terms, k, work.trial, work)
            if now > best:
                break
            length *= 0.5
        if not now > best:  # no way up that floats can see
            evaluate(x, r, n, terms, k, beta, work)
            find_step(x, r, n, terms, k, work)
            return plain
        best, plain = now, plain_now
        for a in range(k):
            beta[a] = work.trial[a]
    find_step(x, r, n, terms, k, work)
    return plain


@part
def bound_likelihood(x, r, n, terms, k, beta, enough, work):
    """The most that the plain likelihood of these terms can be, or 0 once it is found to exceed `enough`.

    Newton steps from beta; 0 too where these do not settle: the rows are separated.
    """
    for a in range(k):
        work.kept[a] = beta[a]
    _, best = evaluate(x, r, n, terms, k, work.kept, work)
    for _step in range(MAX_STEPS):
        if best > enough:
            return 0.0
        invert(work.lower, k, work.inverse)
        for i in range(n):
            work.scaled[i] = r[i] - work.p[i]
        decrement = solve_step(x, n, terms, k, work)
        if decrement < SETTLED:
            return min(0.0, best + decrement)
        length, now, penalty = 1.0, best, 0.0
        for _ in range(MAX_HALVINGS):
            for a in range(k):
                work.trial[a] = work.kept[a] + length * work.step[a]
            penalty, now = evaluate(x, r, n, terms, k, work.trial, work)
            if now > best and penalty != LOWEST:
                break
            length *= 0.5
        if not now > best or penalty == LOWEST:
            return 0.0
        best = now
        for a in range(k):
            work.kept[a] = work.trial[a]
    return 0.0
