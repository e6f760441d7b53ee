"""The twin of the search for a rule: every candidate is covered row by row and judged by its rows themselves."""

import numpy as np

from glade.rules.covering import PRICE, TINY, CodeCondition


def judge(y, target, weights, left, covered, generality):
    """How good a rule is that covers some of the rows left, by the definition."""
    total = 0.0
    for t in range(target[-1] + 1):
        own = y[:, target == t]
        known = ~np.isnan(own[:, 0])
        inside, all_left = covered[known[covered]], left[known[left]]
        if len(inside) == 0:
            continue
        share = weights[inside].sum() / weights[all_left].sum()
        total += share**generality * (spread(own[all_left], weights[all_left]) - spread(own[inside], weights[inside]))
    return total


def spread(y, weights):
    """The weighted mean squared distance from the mean."""
    return np.average(((y - np.average(y, axis=0, weights=weights)) ** 2).sum(axis=1), weights=weights)


def list_conditions(rows, limits, left, weights, j, covered):
    """On one input the best condition of each kind (below, above; so many of the best categories, all but one)."""
    codes, n_codes = rows.codes[j], int(rows.inputs.columns.n_codes[j])
    there = sorted({int(c) for c in codes[covered] if c < n_codes})

    def score(condition, must_leave=True):
        own = covered[condition.covers(codes[covered])]
        if len(own) < limits.min_rows or (must_leave and len(own) == len(covered)):
            return -np.inf
        return judge(rows.y, rows.target, weights, left, own, limits.generality)

    if rows.inputs.columns.nominal[j]:
        one = {c: score(CodeCondition(j, -1, n_codes - 1, frozenset([c])), must_leave=False) for c in there}
        order = sorted(there, key=lambda c: (-one[c], c))
        several = [CodeCondition(j, -1, n_codes - 1, frozenset(order[: k + 1])) for k in range(len(order))]
        but_one = [CodeCondition(j, -1, n_codes - 1, frozenset(set(range(n_codes)) - {c})) for c in there]
        kinds = [several, but_one]
    else:
        cuts = [(a + b) // 2 for a, b in zip(there, [*there[1:], None], strict=True) if b is not None]
        kinds = [[CodeCondition(j, -1, c) for c in cuts], [CodeCondition(j, c, n_codes - 1) for c in cuts]]
        if there and covered.size > sum(codes[covered] < n_codes):  # any known value, where some are missing
            kinds[0].append(CodeCondition(j, -1, n_codes - 1))
    found = []
    for kind in kinds:
        scores = [score(condition) for condition in kind]
        if scores and max(scores) > -np.inf:
            k = int(np.argmax(scores))
            found.append((kind[k], scores[k]))
    return found


def find_best(rows, limits, left, weights):
    """The best rule as (conditions by input, rows), or None."""
    beam, best = [({}, left, 0.0)], None
    least = 0.0
    for t in range(rows.target[-1] + 1):
        own = rows.y[:, rows.target == t]
        known = left[~np.isnan(own[left, 0])]
        least += TINY * spread(own[known], weights[known])
    while True:
        drafts = []
        for conditions, covered, _ in beam:
            is_full = limits.max_conditions is not None and len(conditions) >= limits.max_conditions
            for j in conditions if is_full else range(len(rows.codes)):
                for condition, score in list_conditions(rows, limits, left, weights, j, covered):
                    new = {**conditions, j: condition.meet(conditions.get(j))}
                    inside = covered[condition.covers(rows.codes[j, covered])]
                    drafts.append((new, inside, score * PRICE ** len(new)))
        drafts.sort(key=lambda d: (-round(d[2], 12), len(d[0])))
        beam, seen = [], set()
        for draft in drafts:
            if draft[1].tobytes() not in seen and len(beam) < limits.width:
                seen.add(draft[1].tobytes())
                beam.append(draft)
        if not beam or beam[0][2] <= (least if best is None else best[2] + least):
            return best
        best = beam[0]
