"""Gradient-directed descent on a quadratic loss, w' gram w / 2 - slope' w: only weights with a steep gradient move."""

from glade.kernels.compile import kernel, part


@part
def admit_terms(gradient, least, room, term, in_use):
    """Mark the terms of columns with |gradient| >= least as in use: all, or as many as there is room for."""
    if room < 0:
        for k in range(gradient.shape[0]):
            if abs(gradient[k]) >= least:
                in_use[term[k]] = 1
        return
    for _ in range(room):
        best = -1
        for k in range(gradient.shape[0]):
            is_new = not in_use[term[k]] and abs(gradient[k]) >= least
            if is_new and (best < 0 or abs(gradient[k]) > abs(gradient[best])):
                best = k
        if best < 0:
            return
        in_use[term[best]] = 1


@kernel
def descend(gram, slope, tau, step, n_steps, max_terms, term, in_use, move, gradient, weights):
    """Move every weight with |g| >= tau * max |g| by step * g, n_steps times; g is the negative gradient.

    Weights belong to terms; once max_terms terms (0: no limit) are in use, only their weights move.
    """
    n = weights.shape[0]
    for k in range(n):
        gradient[k] = slope[k]
    for k in range(n):
        if weights[k] != 0.0:
            for i in range(n):
                gradient[i] -= gram[k, i] * weights[k]
    for _ in range(n_steps):
        room = max_terms if max_terms > 0 else -1
        if max_terms > 0:
            for t in range(in_use.shape[0]):
                room -= in_use[t]
        steepest = 0.0
        for k in range(n):
            if room != 0 or in_use[term[k]]:
                steepest = max(steepest, abs(gradient[k]))
        if steepest == 0.0:
            break
        if room != 0:
            admit_terms(gradient, tau * steepest, room, term, in_use)
        for k in range(n):
            chosen = abs(gradient[k]) >= tau * steepest and in_use[term[k]]
            move[k] = step * gradient[k] if chosen else 0.0
        for k in range(n):
            if move[k] != 0.0:
                weights[k] += move[k]
                for i in range(n):
                    gradient[i] -= gram[k, i] * move[k]


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
def add_centred(products, n_rows, mean, centre, term, alike, gram):
    """Add alike[i, j] times the mean product of the terms of i and j, both centred, to gram[i, j].

    `products` are sums over n_rows rows whose means are `mean`; `centre` are the means of others.
    """
    for i in range(term.shape[0]):
        a = term[i]
        for j in range(term.shape[0]):
            b = term[j]
            product = products[a, b] / n_rows - centre[a] * mean[b] - (mean[a] - centre[a]) * centre[b]
            gram[i, j] += alike[i, j] * product
