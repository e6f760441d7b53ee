"""The categories of a nominal input at a node: what their rows come to, and the order in which they are divided.

For one numeric or one two-class target the order of the categories' means contains the best division into two sets; for
more it is a heuristic, the order along the leading direction of the means.
"""

import numpy as np

from glade.core._compile import part
from glade.data._order import PLACE_BITS, PLACE_MASK, sort_places_by
from glade.grow._draws import draw_unit
from glade.grow._histogram import add_row

FEW_CATEGORIES = 4  # so many in a node take part all, where others are drawn
DIRECTION_STEPS = 50


@part
def merge_categories(keys, n, cells, first, length, code):
    """Fill a cell for each category among the keys, which ascend by code, from `first` on; return their number."""
    n_found = 0
    for i in range(n):
        own = keys[i] >> PLACE_BITS
        if n_found == 0 or code[n_found - 1] != own:
            code[n_found] = own
            for c in range(length):
                cells[first + n_found, c] = 0.0
            n_found += 1
        add_row(cells, first + n_found - 1, cells, keys[i] & PLACE_MASK, length)
    return n_found


@part
def leave_out_categories(n, seed, cells, first, missing, length, code):
    """Keep each category with an even chance; the others' sums are added to `missing`. Return how many are kept."""
    kept = 0
    for g in range(n):
        is_kept = draw_unit(seed, code[g]) < 0.5
        for c in range(length):
            if not is_kept:
                cells[missing, c] += cells[first + g, c]
            cells[first + kept, c] = cells[first + g, c]
        code[kept] = code[g]
        kept += is_kept
    return kept


@part
def find_leading_direction(n, n_channels, weights, means, direction):
    """Turn direction[0] into the leading direction v of sum_g W_g m_g m_g', by power iteration."""
    for _ in range(DIRECTION_STEPS):
        norm, aligned, stretched = 0.0, 0.0, 0.0
        for c in range(n_channels):
            norm += direction[0, c] * direction[0, c]
            direction[1, c] = 0.0
        if norm == 0.0:
            break
        length = np.sqrt(norm)
        for g in range(n):
            along = 0.0
            for c in range(n_channels):
                along += means[g, c] * direction[0, c]
            along *= weights[g] / length
            for c in range(n_channels):
                direction[1, c] += along * means[g, c]
        for c in range(n_channels):
            aligned += direction[1, c] * direction[0, c] / length
            stretched += direction[1, c] * direction[1, c]
            direction[0, c] = direction[1, c]
        if aligned >= (1.0 - 1e-12) * np.sqrt(stretched):
            break


@part
def centre_means(n, groups, cells, first, total, means):
    """Fill `means` with the categories' means less the node's."""
    for g in range(n):
        for k in range(groups.shape[0]):
            at = groups[k].weight_at
            for c in range(groups[k].first, groups[k].last):
                weight = cells[first + g, at]
                means[g, c] = cells[first + g, c] / weight - cells[total, c] / cells[total, at] if weight > 0.0 else 0.0


@part
def score_categories(n, groups, settings, cells, means, direction, score):
    """Fill `score` with each category's place along the leading direction of the means.

    The order of rows must not show: the direction's largest component is positive, and scores that differ by rounding
    are equal.
    """
    n_channels, first, farthest, longest = settings.n_channels, settings.categories, 0, -1.0
    centre_means(n, groups, cells, first, settings.total, means)
    for g in range(n):
        score[g] = cells[first + g, settings.total_at]
        norm = 0.0
        for c in range(n_channels):
            norm += means[g, c] * means[g, c]
        if score[g] * norm > longest:
            farthest, longest = g, score[g] * norm
    for c in range(n_channels):
        direction[0, c] = means[farthest, c]
    find_leading_direction(n, n_channels, score, means, direction)
    largest, highest = 0, 0.0
    for c in range(1, n_channels):
        if abs(direction[0, c]) > (1.0 + 1e-6) * abs(direction[0, largest]):
            largest = c
    for g in range(n):
        score[g] = 0.0
        for c in range(n_channels):
            score[g] += means[g, c] * direction[0, c]
        highest = max(highest, abs(score[g]))
    step = (1e-10 if direction[0, largest] > 0.0 else -1e-10) * max(highest, 1e-290)
    for g in range(n):
        score[g] = np.rint(score[g] / step)


@part
def order_by_score(n, first, score, keys, scratch):
    """keys[g] = (g, cell of the g-th category): equal scores by code."""
    for g in range(n):
        keys[g] = (np.int64(g) << PLACE_BITS) | g
    sort_places_by(score, keys, n, scratch)
    for g in range(n):
        keys[g] = (np.int64(g) << PLACE_BITS) | (first + (keys[g] & PLACE_MASK))


@part
def order_by_weight(n, cells, first, weight_at, score, keys, scratch):
    """keys[g] = (g, cell of the g-th category): the lightest first, equal ones by code."""
    for g in range(n):
        score[g] = cells[first + g, weight_at]
    order_by_score(n, first, score, keys, scratch)


@part
def list_side(keys, start, end, n, first, code, is_marked, categories):
    """Fill `categories` with those whose keys are start to end - 1, ascending; return how many there are."""
    for g in range(start, end):
        is_marked[(keys[g] & PLACE_MASK) - first] = 1
    n_found = 0
    for g in range(n):
        if is_marked[g]:
            categories[n_found] = code[g]
            n_found += 1
        is_marked[g] = 0
    return n_found
