"""Gradient-directed descent on a quadratic loss, w' gram w / 2 - slope' w: only weights with a steep gradient move.

`gradient` is the negative one, slope - gram w.
"""

from glade.core._compile import kernel, part


@part
def find_steepest(gradient):
    """The place of the largest |gradient|, the first of equals; -1 where it is zero everywhere."""
    best, steepest = -1, 0.0
    for k in range(gradient.shape[0]):
        if abs(gradient[k]) > steepest:
            best, steepest = k, abs(gradient[k])
    return best


@part
def take_steps(gram, tau, step, n_steps, moved, move, gradient, weights):
    """Move every weight with |gradient| >= tau * max |gradient| by step * gradient, n_steps times."""
    for _ in range(n_steps):
        best = find_steepest(gradient)
        if best < 0:
            return
        least, n_moved = tau * abs(gradient[best]), 0
        for k in range(weights.shape[0]):
            if abs(gradient[k]) >= least and gradient[k] != 0.0:
                moved[n_moved], move[n_moved] = k, step * gradient[k]
                weights[k] += move[n_moved]
                n_moved += 1
        follow(gram, moved, move, n_moved, gradient)


@part
def follow(gram, moved, move, n_moved, gradient):
    """Let the gradient follow the moves of some weights: four at a time, to read and write it a quarter as often."""
    n = 0
    while n + 4 <= n_moved:
        a, b, c, d = gram[moved[n]], gram[moved[n + 1]], gram[moved[n + 2]], gram[moved[n + 3]]
        by_a, by_b, by_c, by_d = move[n], move[n + 1], move[n + 2], move[n + 3]
        for i in range(gradient.shape[0]):
            gradient[i] -= a[i] * by_a + b[i] * by_b + c[i] * by_c + d[i] * by_d
        n += 4
    while n < n_moved:
        a, by_a = gram[moved[n]], move[n]
        for i in range(gradient.shape[0]):
            gradient[i] -= a[i] * by_a
        n += 1


@part
def find_loss(gram, slope, weights):
    """w' gram w / 2 - slope' w, weights of zero left out."""
    loss = 0.0
    for k in range(weights.shape[0]):
        if weights[k] != 0.0:
            product = 0.0
            for i in range(weights.shape[0]):
                product += gram[k, i] * weights[i]
            loss += weights[k] * (0.5 * product - slope[k])
    return loss


@kernel
def descend(gram, tau, step, n_steps, moved, move, gradient, weights):
    """Take n_steps steps."""
    take_steps(gram, tau, step, n_steps, moved, move, gradient, weights)


@kernel
def has_ended(losses, n_losses, checks, progress, stalled, worse, patience):
    """Whether a descent is over by its validation losses at the first checks, and its progress since the last but one.

    It is where nothing changes any more, where the loss is clearly above its lowest value, and long after that.
    """
    best = 0
    for k in range(1, n_losses):
        if losses[k] < losses[best]:
            best = k
    n_steps, n_before = checks[n_losses - 1], checks[n_losses - 2]
    has_stalled = progress < stalled * (n_steps - n_before)
    return has_stalled or losses[n_losses - 1] > worse * losses[best] or n_steps > patience * max(checks[best], 3)


@kernel
def trace_descent(
    gram, slope, tau, step, valid_gram, valid_slope, checks, stalled, worse, patience, moved, move, gradient, weights,
    losses,
):  # fmt: skip
    """Fill in the validation losses at the checks on the way of a descent until it has ended, and give their number.

    losses[0] is given: the loss without weights.
    """
    now = 0.0
    for n in range(1, checks.shape[0]):
        take_steps(gram, tau, step, checks[n] - checks[n - 1], moved, move, gradient, weights)
        losses[n] = losses[0] + find_loss(valid_gram, valid_slope, weights)
        last, now = now, 0.0
        for k in range(weights.shape[0]):
            now -= 0.5 * weights[k] * (slope[k] + gradient[k])
        if has_ended(losses, n + 1, checks, last - now, stalled, worse, patience):
            return n + 1
    return checks.shape[0]


@kernel
def take_up_terms(gram, step, n_steps, max_terms, term, in_use, gradient, weights):
    """Move the one weight with the steepest gradient, until max_terms terms are in use or n_steps steps are taken.

    Returns the number of steps.
    """
    n_used = 0
    for t in range(in_use.shape[0]):
        n_used += in_use[t]
    for n_taken in range(n_steps):
        k = find_steepest(gradient)
        if n_used == max_terms or k < 0:
            return n_taken
        n_used += 1 - in_use[term[k]]
        in_use[term[k]] = 1
        move = step * gradient[k]
        weights[k] += move
        for i in range(weights.shape[0]):
            gradient[i] -= gram[k, i] * move
    return n_steps


@kernel
def quadratic_loss(gram, slope, weights):
    """w' gram w / 2 - slope' w."""
    return find_loss(gram, slope, weights)


@kernel
def multiply_by_centred(products, n_rows, mean, centre, term, share, gram):
    """Multiply gram[i, j] by a share of the mean product of the terms of i and j, both centred.

    `products` are sums over n_rows rows whose means are `mean`; `centre` are the means of others.
    """
    for i in range(term.shape[0]):
        a = term[i]
        for j in range(term.shape[0]):
            b = term[j]
            product = products[a, b] / n_rows - centre[a] * mean[b] - (mean[a] - centre[a]) * centre[b]
            gram[i, j] *= share * product
