"""Rules as logistic functions of x and x^2 of their inputs: rows, terms, and the subset of terms with the least AIC.

AIC = 2 k - 2 log L, with the plain likelihood at Firth's estimate. The term of row 0 of x, all ones, is in every model.
"""

import math

import numpy as np

from glade.core._compile import kernel, part
from glade.rules._firth import (
    LARGEST_EXPONENT,
    LOWEST,
    bound_likelihood,
    decay,
    fill_information,
    fit_firth,
)

SEARCH_TOLERANCE, FINAL_TOLERANCE = 1e-5, 1e-10  # of the decrement: where subsets are compared, and of the best
ROUGH_TOLERANCE = 1e-2  # where a rule is only a candidate
DEPENDENT = 1e-9  # of a term's squares: less is left of it by those before
MAX_EXACT = 8  # terms whose subsets are all judged
BETTER = 1e-6  # AIC that counts as an improvement
MAX_ROUNDS = 20  # of a stepwise search
LEAST_OF_SIDE = 100  # rows covered, and rows not, that a sample has where there are so many


@part
def has_bit(words, i):
    return (words[i >> 6] >> np.uint64(i & 63)) & np.uint64(1) != np.uint64(0)


@part
def is_usable(table, rule, i, first, last, inputs):
    """Whether row i fulfils the conditions that stay hard, and no input is missing."""
    if not has_bit(table.eligible[rule], i):
        return False
    for c in range(first, last):
        value = table.columns[inputs[c], i]
        if value != value:
            return False
    return True


@part
def share_sample(n_covered, n_other, max_rows):
    """How many covered rows a sample of max_rows has: their share, but enough of either side."""
    wanted = round(max_rows * (n_covered / (n_covered + n_other)))
    least = min(n_covered, min(LEAST_OF_SIDE, max_rows // 2))
    most = max_rows - min(n_other, min(LEAST_OF_SIDE, max_rows // 2))
    return min(max(wanted, least), most)


@part
def gather_rows(table, rule, first, last, inputs, max_rows, x, r):
    """Fill x and r with the usable rows, or an even sample of them. Returns their number, how many are covered, and
    what the sample adds to the log-odds of being covered."""
    n_rows = table.columns.shape[1]
    n_covered, n_all = 0, 0
    for i in range(n_rows):
        if is_usable(table, rule, i, first, last, inputs):
            n_all += 1
            n_covered += has_bit(table.covered[rule], i)
    n_other = n_all - n_covered
    if n_covered == 0 or n_other == 0:
        return 0, 0, 0.0
    want, want_other = n_covered, n_other
    if n_all > max_rows:
        want = share_sample(n_covered, n_other, max_rows)
        want_other = max_rows - want
    shift = math.log(want / n_covered) - math.log(want_other / n_other)
    n, seen, seen_other = 0, 0, 0
    for i in range(n_rows):
        if not is_usable(table, rule, i, first, last, inputs):
            continue
        is_covered = has_bit(table.covered[rule], i)
        if is_covered:
            taken = (seen + 1) * want // n_covered > seen * want // n_covered
            seen += 1
        else:
            taken = (seen_other + 1) * want_other // n_other > seen_other * want_other // n_other
            seen_other += 1
        if taken:
            r[n] = 1.0 if is_covered else 0.0
            fill_terms(table, i, first, last, inputs, x, n)
            n += 1
    return n, want, shift


@part
def fill_terms(table, i, first, last, inputs, x, n):
    x[0, n] = 1.0
    for c in range(first, last):
        j = inputs[c]
        z = (table.columns[j, i] - table.centre[j]) / table.spread[j]
        x[1 + 2 * (c - first), n] = z
        x[2 + 2 * (c - first), n] = z * z


@part
def find_independent(x, n, n_terms, terms, work):
    """The terms that are no linear combination of those before. Returns their number."""
    for i in range(n):
        work.w[i] = 1.0
    for a in range(n_terms):
        work.all_terms[a] = a
    fill_information(x, n, work.all_terms, n_terms, work.w, work.scaled, work.information)
    k = 0
    for a in range(n_terms):
        for b in range(k):
            rest = work.information[a, terms[b]]
            for c in range(b):
                rest -= work.lower[k, c] * work.lower[b, c]
            work.lower[k, b] = rest / work.lower[b, b]
        rest = work.information[a, a]
        for c in range(k):
            rest -= work.lower[k, c] * work.lower[k, c]
        if rest > DEPENDENT * work.information[a, a]:
            work.lower[k, k] = math.sqrt(rest)
            terms[k] = a
            k += 1
    return k


@part
def leave_out(place, terms, k, others):
    """The terms without one of them."""
    b = 0
    for a in range(k):
        if a != place:
            others[b] = terms[a]
            b += 1


@part
def copy_model(terms, beta, k, to_terms, to_beta):
    for a in range(k):
        to_terms[a], to_beta[a] = terms[a], beta[a]


@part
def search_backward(x, r, n, best, k, tolerance, work):
    """Leave out the term of the smallest coefficient, measured by its error, as long as that lowers the AIC.

    `best` holds the terms to start from, and the model that is found. Returns its number of terms and its AIC.
    """
    plain = fit_firth(x, r, n, best.terms, k, best.beta, tolerance, work)
    if plain == LOWEST:
        return k, np.inf
    aic = 2.0 * k - 2.0 * plain
    while k > 1:
        weakest, least = 1, np.inf
        for a in range(1, k):
            ratio = best.beta[a] * best.beta[a] / work.inverse[a, a]
            if ratio < least:
                weakest, least = a, ratio
        leave_out(weakest, best.terms, k, work.terms)
        plain = fit_firth(x, r, n, work.terms, k - 1, work.beta, tolerance, work)
        lower = 2.0 * (k - 1) - 2.0 * plain
        if not lower < aic:
            break
        k, aic = k - 1, lower
        copy_model(work.terms, work.beta, k, best.terms, best.beta)
    return k, aic


@part
def fit_root(x, r, n, terms, k, stack, work):
    """All terms, those whose coefficients are largest for their errors first: the root of the search."""
    for a in range(k):
        work.terms[a] = terms[a]
    if fit_firth(x, r, n, work.terms, k, work.beta, SEARCH_TOLERANCE, work) == LOWEST:
        return LOWEST
    for a in range(1, k):
        work.kept[a] = work.beta[a] * work.beta[a] / work.inverse[a, a]
    stack.terms[0, 0] = terms[0]
    for a in range(1, k):
        place = a
        while place > 1 and work.kept[place] > work.kept[place - 1]:
            work.kept[place], work.kept[place - 1] = work.kept[place - 1], work.kept[place]
            work.terms[place], work.terms[place - 1] = work.terms[place - 1], work.terms[place]
            place -= 1
    for a in range(k):
        stack.terms[0, a] = work.terms[a]
    return fit_firth(x, r, n, stack.terms[0], k, stack.beta[0], SEARCH_TOLERANCE, work)


@part
def bound_node(x, r, n, depth, k, aic_best, stack, work):
    """The most that the likelihood of a model, and of those below it, can be."""
    enough = k - 1 - 0.5 * aic_best  # beyond, no branch below can be left aside
    stack.most[depth] = 0.0
    if enough < 0.0:
        stack.most[depth] = bound_likelihood(x, r, n, stack.terms[depth], k, stack.beta[depth], enough, work)


@part
def search_exactly(x, r, n, terms, n_terms, best, k_best, aic_best, stack, work):
    """All subsets, but for those that cannot be better than the best so far.

    From a model its terms are left out one by one, in an order; a child leaves out only later terms than its parent
    did. A subset's likelihood is at most its parent's maximum, so that whole branches fall away.
    """
    plain = fit_root(x, r, n, terms, n_terms, stack, work)
    if plain == LOWEST:
        return k_best, aic_best
    bound_node(x, r, n, 0, n_terms, aic_best, stack, work)
    depth = 0
    stack.next[0] = 1
    while depth >= 0:
        k, place = n_terms - depth, stack.next[depth]
        if place >= k or 2.0 * place - 2.0 * stack.most[depth] >= aic_best - BETTER:
            depth -= 1
            continue
        stack.next[depth] += 1
        child = depth + 1
        leave_out(place, stack.terms[depth], k, stack.terms[child])
        plain = fit_firth(x, r, n, stack.terms[child], k - 1, stack.beta[child], SEARCH_TOLERANCE, work)
        if plain == LOWEST:
            continue
        aic = 2.0 * (k - 1) - 2.0 * plain
        if aic < aic_best - BETTER:
            aic_best, k_best = aic, k - 1
            copy_model(stack.terms[child], stack.beta[child], k - 1, best.terms, best.beta)
        bound_node(x, r, n, child, k - 1, aic_best, stack, work)
        stack.next[child] = place
        depth = child
    return k_best, aic_best


@part
def search_stepwise(x, r, n, terms, n_terms, best, k, aic, work):
    """Leave out or take in the one term that lowers the AIC most, as long as there is one."""
    for _ in range(MAX_ROUNDS):
        chosen, chosen_aic = -1, aic - BETTER
        for a in range(1, n_terms):
            size = toggle(terms[a], best, k, work)
            plain = fit_firth(x, r, n, work.terms, size, work.beta, SEARCH_TOLERANCE, work)
            if plain != LOWEST and 2.0 * size - 2.0 * plain < chosen_aic:
                chosen, chosen_aic = terms[a], 2.0 * size - 2.0 * plain
        if chosen < 0:
            break
        k, aic = toggle(chosen, best, k, work), chosen_aic
        for a in range(k):
            best.terms[a] = work.terms[a]
    return k, aic


@part
def toggle(term, best, k, work):
    """The terms of a model without this one, or with it if it was not there; their number."""
    size = 0
    for a in range(k):
        if best.terms[a] != term:
            work.terms[size] = best.terms[a]
            size += 1
    if size == k:
        work.terms[size] = term
        size += 1
    return size


@part
def soften_rule(table, rule, first, last, inputs, max_rows, is_exact, x, r, best, stack, work):
    """Fit the best subset for one rule: the number of its terms, its AIC, and the sample's shift of the constant."""
    n, _, shift = gather_rows(table, rule, first, last, inputs, max_rows, x, r)
    if n == 0:
        return 0, np.inf, 0.0
    n_terms = find_independent(x, n, 1 + 2 * (last - first), work.independent, work)
    for a in range(n_terms):
        best.terms[a] = work.independent[a]
    k, aic = search_backward(x, r, n, best, n_terms, SEARCH_TOLERANCE if is_exact else ROUGH_TOLERANCE, work)
    if not is_exact:
        return k, aic, shift
    if n_terms - 1 <= MAX_EXACT:
        k, aic = search_exactly(x, r, n, work.independent, n_terms, best, k, aic, stack, work)
    else:
        k, aic = search_stepwise(x, r, n, work.independent, n_terms, best, k, aic, work)
    if aic == np.inf or k == 1:
        return k, aic, shift
    plain = fit_firth(x, r, n, best.terms, k, best.beta, FINAL_TOLERANCE, work)
    return k, (np.inf if plain == LOWEST else 2.0 * k - 2.0 * plain), shift


@kernel
def soften_rules(table, start, inputs, max_rows, is_exact, x, r, best, stack, work, constant, linear, square, aic):
    """For each rule the constant, and for each of its inputs the coefficients of z and z^2; AIC infinite for none."""
    for rule in range(start.shape[0] - 1):
        first, last = start[rule], start[rule + 1]
        constant[rule], aic[rule] = 0.0, np.inf
        for c in range(first, last):
            linear[c] = square[c] = 0.0
        if last == first:
            continue
        k, aic[rule], shift = soften_rule(table, rule, first, last, inputs, max_rows, is_exact, x, r, best, stack, work)
        if aic[rule] == np.inf:
            continue
        constant[rule] = best.beta[0] - shift
        for a in range(1, k):
            term = best.terms[a]
            c = first + (term - 1) // 2
            if (term - 1) % 2 == 0:
                linear[c] = best.beta[a]
            else:
                square[c] = best.beta[a]


@kernel
def fill_soft_values(columns, curves, start, constant, scale, part_of, eta, values):
    """values[r, i] = the hard part of rule r for row i, times its logistic function and its scale.

    The hard part comes in with `part_of`. An input outside its training range counts as at the range's end; where it is
    missing it counts as `missing`: minus infinity switches the rule off.
    """
    n_rows = columns.shape[1]
    for rule in range(start.shape[0] - 1):
        for i in range(n_rows):
            eta[i] = constant[rule]
        for c in range(start[rule], start[rule + 1]):
            j, low, high, centre, spread = (
                curves.input[c],
                curves.low[c],
                curves.high[c],
                curves.centre[c],
                curves.spread[c],
            )
            linear, square, missing = curves.linear[c], curves.square[c], curves.missing[c]
            for i in range(n_rows):
                value = columns[j, i]
                z = (min(max(value, low), high) - centre) / spread
                eta[i] += z * (linear + square * z) if value == value else missing
        for i in range(n_rows):
            e = decay(min(abs(eta[i]), LARGEST_EXPONENT))
            s = (1.0 if eta[i] >= 0.0 else e) / (1.0 + e)
            on = part_of[rule, i] and eta[i] > -LARGEST_EXPONENT
            values[rule, i] = scale[rule] * s if on else 0.0
