"""Values to codes."""

import numpy as np

from glade.core._compile import inlined, kernel, part
from glade.data._bins import start_bins_by_mass, start_bins_by_rows
from glade.data._order import MAX_DIGIT_BITS, PLACE_BITS, PLACE_MASK, radix_sort

SIGN = np.uint64(1 << 63)
INFINITE = np.uint64(0x7FF << 52)  # the bits of a float without its sign are above that for NaN only
KEY_BITS = 31  # of a float's bits that one sort looks at, at most
KEY_MASK = np.uint64((1 << KEY_BITS) - 1)
SPARE_BITS = 9  # so many more than tell as many values apart as there are rows,
LEAST_SPARE_BITS = 6  # or at least so many, if two digits then do
TWO_DIGITS = 2 * MAX_DIGIT_BITS
MOVES_A_ROW = 4  # to mend what that sort left, before it is better to sort by all bits
MAX_NARROW = 255  # codes that fit a byte, with one left for missing values
HASH_BITS = 10
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@inlined
def is_known(word):
    """Whether the bits are not those of NaN."""
    return word & ~SIGN <= INFINITE


@inlined
def ascend(word):
    """A float's bits, changed so that they ascend with the float."""
    return ~word if word & SIGN else word | SIGN


@part
def code_few(values, bits, most, seen, number, distinct, rank, narrow, low):
    """Code a column of few distinct values without a sort; give their number, -1 if there are more than `most`.

    Parameters
    ----------
    seen, number
        A table of 2 ** HASH_BITS places: the bits of a value, and which distinct value it was, from the first on.
    distinct, rank
        Room for 256 values in that order, and for the code of each.
    """
    for place in range(number.shape[0]):
        number[place] = -1
    n = np.int32(0)
    for i in range(bits.shape[0]):
        word = bits[i]
        if not is_known(word):
            narrow[i] = MAX_NARROW
            continue
        word = np.uint64(0) if word == SIGN else word  # one zero, not two
        place = (word * HASH_FACTOR) >> np.uint64(64 - HASH_BITS)
        while number[place] >= 0 and seen[place] != word:
            place = (place + np.uint64(1)) & np.uint64((1 << HASH_BITS) - 1)
        if number[place] < 0:
            if n == most:
                return -1
            seen[place], number[place], distinct[n] = word, n, values[i]
            n += 1
        narrow[i] = number[place]
    for a in range(n):
        smaller = 0
        for b in range(n):
            smaller += distinct[b] < distinct[a]
        rank[a] = smaller
        low[smaller] = distinct[a]
    rank[MAX_NARROW] = n
    for i in range(bits.shape[0]):
        narrow[i] = rank[narrow[i]]
    return n


@part
def sort_rows(bits, least, greatest, shift, n, words, scratch, counts):
    """Order the rows in the lower halves of `words` by some bits of their values, from `shift` up. Stable."""
    for i in range(n):
        row = words[i] & PLACE_MASK
        key = np.int64(((ascend(bits[row]) - least) >> shift) & KEY_MASK)
        words[i] = (key << PLACE_BITS) | row
    if radix_sort(words, n, np.int64(0), np.int64(min((greatest - least) >> shift, KEY_MASK)), scratch, counts):
        for i in range(n):
            words[i] = scratch[i]


@inlined
def move_by_digit(words, moved, n, first, shift, size, counts):
    """Put words where their digit begins, by the counts from `first` on."""
    for i in range(n):
        place = np.uint64(first + ((words[i] >> shift) & (size - 1)))
        moved[np.uint64(counts[place])] = words[i]
        counts[place] += 1


@part
def sort_rows_by_two_digits(bits, least, shift, digit_bits, n, words, scratch, counts):
    """`sort_rows` where two digits are all there is: both are counted while the keys are made."""
    size = 1 << digit_bits
    for b in range(2 * size):
        counts[b] = 0
    for i in range(n):
        row = np.uint64(words[i])
        key = (ascend(bits[row]) - least) >> shift
        words[i] = np.int64((key << np.uint64(PLACE_BITS)) | row)
        counts[key & np.uint64(size - 1)] += 1
        counts[np.uint64(size) + (key >> np.uint64(digit_bits))] += 1
    for first in (0, size):
        before = 0
        for b in range(first, first + size):
            here = counts[b]
            counts[b] = before
            before += here
    move_by_digit(words, scratch, n, 0, PLACE_BITS, size, counts)
    move_by_digit(scratch, words, n, size, PLACE_BITS + digit_bits, size, counts)


@part
def mend_order(values, n, words, ordered):
    """Fill `ordered` with the values of the rows in `words`, which are nearly in order, and put both in order.

    Gives whether that was done: it is not if too much is out of order.
    """
    moves = 0
    for i in range(n):
        word, k = words[i], i
        value = values[word & PLACE_MASK]
        while k > 0 and ordered[k - 1] > value:
            words[k], ordered[k] = words[k - 1], ordered[k - 1]
            k -= 1
        words[k], ordered[k] = word, value
        moves += i - k
        if moves > MOVES_A_ROW * n:
            return False
    return True


@part
def order_rows(values, bits, words, scratch, counts, ordered):
    """Fill `ordered` with the known values, ascending, and the lower halves of `words` with their rows. Gives how many.

    Rows are sorted by the highest bits in which their values differ, which leaves next to nothing to mend; only values
    that are alike in these (times in seconds beside a -1) need all bits.
    """
    n, least, greatest = np.int64(0), ~np.uint64(0), np.uint64(0)  # typed from the start: callees are compiled once
    for i in range(bits.shape[0]):
        key, known = ascend(bits[i]), is_known(bits[i])
        least, greatest = min(least, key if known else ~np.uint64(0)), max(greatest, key if known else np.uint64(0))
        n += known
    if n == bits.shape[0]:
        for i in range(n):
            words[i] = i
    else:
        k = 0
        for i in range(bits.shape[0]):
            words[k] = i
            k += is_known(bits[i])
    shift, n_bits = np.uint64(0), SPARE_BITS
    while n_bits < KEY_BITS and n >> (n_bits - SPARE_BITS) > 0:
        n_bits += 1
    if n_bits - SPARE_BITS + LEAST_SPARE_BITS <= TWO_DIGITS:
        n_bits = min(n_bits, TWO_DIGITS)
    while n > 0 and (greatest - least) >> shift >> np.uint64(n_bits) > 0:
        shift += np.uint64(1)
    if n_bits <= TWO_DIGITS:
        sort_rows_by_two_digits(bits, least, shift, (n_bits + 1) // 2, n, words, scratch, counts)
    else:
        sort_rows(bits, least, greatest, shift, n, words, scratch, counts)
    if not mend_order(values, n, words, ordered):
        for some in range(0, 64, KEY_BITS):
            sort_rows(bits, least, greatest, np.uint64(some), n, words, scratch, counts)
        mend_order(values, n, words, ordered)
    return n


@inlined
def start_codes(ordered, n, words, weights, max_bins, room):
    """Where in the ordered values each code starts, into room.starts: each distinct value, or each bin of them."""
    if max_bins > 0 and weights.shape[0] == 0 and start_bins_by_rows(ordered, n, max_bins, room.edges, room.starts):
        return max_bins
    n_distinct = np.int64(0)
    for i in range(n):
        if i == 0 or ordered[i] != ordered[i - 1]:
            room.starts[n_distinct] = i
            room.mass[n_distinct] = 0.0
            n_distinct += 1
        room.mass[n_distinct - 1] += 1.0 if weights.shape[0] == 0 else weights[words[i] & PLACE_MASK]
    if max_bins == 0:
        return n_distinct
    return start_bins_by_mass(room.mass, n_distinct, max_bins, room.edges, room.starts)


@inlined
def code_input(values, bits, weights, max_bins, room, narrow, wide, low, high):
    """Code one numeric input (see `code_values`); give how many codes it has."""
    most = min(max_bins, MAX_NARROW) if max_bins > 0 else MAX_NARROW
    n_codes = code_few(values, bits, most, room.seen, room.number, room.distinct, room.rank, narrow, low)
    if n_codes >= 0:
        for k in range(n_codes if max_bins > 0 else 0):
            high[k] = low[k]
        return n_codes
    n = order_rows(values, bits, room.words, room.scratch, room.counts, room.ordered)
    n_codes = start_codes(room.ordered, n, room.words, weights, max_bins, room)
    for i in range(values.shape[0] if n < values.shape[0] else 0):
        if n_codes <= MAX_NARROW:
            narrow[i] = n_codes
        else:
            wide[i] = n_codes
    for k in range(n_codes):
        start, end = room.starts[k], room.starts[k + 1] if k + 1 < n_codes else n
        low[k] = room.ordered[start]
        if max_bins > 0:
            high[k] = room.ordered[end - 1]
        for i in range(start, end):
            if n_codes <= MAX_NARROW:
                narrow[room.words[i] & PLACE_MASK] = k
            else:
                wide[room.words[i] & PLACE_MASK] = k
    return n_codes


@kernel
def code_values(values, bits, weights, max_bins, room, narrow, wide, low, high, n_codes):
    """Code numeric inputs, one after another.

    Parameters
    ----------
    values, bits
        Inputs x rows, NaN where one is missing; and the same as bits.
    weights
        Of the rows, for bins; empty where they count alike.
    max_bins
        At most so many codes an input; 0: every distinct value has its own.
    room
        Memory (see `layout`).
    narrow, wide
        The codes, missing ones after all others: inputs of up to 255 fill the next row of `narrow`, others of `wide`.
    low, high
        Filled with the lowest and highest value of each code, the inputs' one after another; `high` only with bins.
    n_codes
        Filled: of each input.
    """
    n_narrow, n_wide, start = 0, 0, 0
    for j in range(values.shape[0]):
        n_codes[j] = code_input(
            values[j], bits[j], weights, max_bins, room, narrow[n_narrow], wide[n_wide], low[start:], high[start:]
        )
        start += n_codes[j]
        n_narrow += n_codes[j] <= MAX_NARROW
        n_wide += n_codes[j] > MAX_NARROW
