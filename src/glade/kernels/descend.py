"""Gradient-directed descent on a quadratic loss, w' gram w / 2 - slope' w: only weights with a steep gradient move.

`gradient` is the negative one, slope - gram w.
"""

from glade.kernels.compile import kernel, part


@part
def find_steepest(gradient):
    """The place of the largest |gradient|, the first of equals; -1 where it is zero everywhere."""
    best, steepest = -1, 0.0
    for k in range(gradient.shape[0]):
        if abs(gradient[k]) > steepest:
            best, steepest = k, abs(gradient[k])
    return best


@kernel
def descend(gram, tau, step, n_steps, move, gradient, weights):
    """Move every weight with |gradient| >= tau * max |gradient| by step * gradient, n_steps times."""
    for _ in range(n_steps):
        best = find_steepest(gradient)
        if best < 0:
            return
        least = tau * abs(gradient[best])
        for k in range(weights.shape[0]):
            move[k] = step * gradient[k] if abs(gradient[k]) >= least else 0.0
        for k in range(weights.shape[0]):
            if move[k] != 0.0:
                weights[k] += move[k]
                for i in range(weights.shape[0]):
                    gradient[i] -= gram[k, i] * move[k]


@kernel
def take_up_terms(gram, step, n_steps, max_terms, term, in_use, gradient, weights):
    """Move the one weight with the steepest gradient, until max_terms terms are in use or n_steps steps are taken.

    Gives the number of steps.
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
