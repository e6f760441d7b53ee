"""What cuts gain, four of them at a time.

A cut lies behind each of some keys; on its left are the moment rows at the places of the keys up to there. Places are
the lower bits of keys, under a mask. Behind the last cut there must be room in keys, squares, gains and weights
(`layout.CUTS_AT_ONCE`), which is read and written too.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from glade.core._fours import (
    FOUR,
    FOUR_PLACES,
    INDEX,
    LANE,
    add_to,
    data_of,
    for_each_chunk,
    four_at,
    make_sum,
    repeat,
)
from glade.data._order import PLACE_BITS, PLACE_MASK

NO_GAIN = -1.0


def _shuffle(builder, a, b, lanes):
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(LANE, len(lanes)), lanes))


def _sum_each(builder, fours):
    """The sums of the lanes of each of four vectors."""
    pairs = []
    for a, b in (fours[:2], fours[2:]):
        even, odd = _shuffle(builder, a, b, [0, 4, 2, 6]), _shuffle(builder, a, b, [1, 5, 3, 7])
        pairs.append(builder.fadd(even, odd))
    return builder.fadd(_shuffle(builder, *pairs, [0, 1, 4, 5]), _shuffle(builder, *pairs, [2, 3, 6, 7]))


def _in_fours(builder, n, use):
    """Call use(first, last) for each four numbers below n; `last` is the last number where the four are not full."""
    n = builder.select(builder.icmp_signed(">", n, ir.Constant(INDEX, 0)), n, ir.Constant(INDEX, 0))
    with cgutils.for_range(builder, builder.lshr(n, ir.Constant(INDEX, 2))) as loop:
        use(builder.shl(loop.index, ir.Constant(INDEX, 2)), None)
    n_left = builder.and_(n, ir.Constant(INDEX, 3))
    with builder.if_then(builder.icmp_unsigned("!=", n_left, ir.Constant(INDEX, 0))):
        use(builder.sub(n, n_left), builder.sub(n, ir.Constant(INDEX, 1)))


def _rows_of(builder, keys, mask, length, first, last):
    """Where the rows of four keys begin; beyond the last key, the row of that."""
    starts = []
    for k in range(4):
        i = builder.add(first, ir.Constant(INDEX, k))
        if last is not None:
            i = builder.select(builder.icmp_unsigned("<", i, last), i, last)
        place = builder.and_(builder.load(builder.gep(keys, [i])), mask)
        starts.append(builder.mul(place, length))
    return starts


@intrinsic
def square_sums(typing_context, keys, n_keys, mask, first, rows, length, count, n_squared, squares):
    """squares[i] = the square of the sum of `first` and rows[place of key 0] .. rows[place of key i].

    Only the first n_squared of a row count.
    """

    def generate(context, builder, signature, args):
        places = (0, 3, 4, 8)
        key_data, first_data, row_data, square_data = (data_of(context, builder, signature, args, k) for k in places)
        n_keys, mask, length, count, n_squared = (args[k] for k in (1, 2, 5, 6, 7))
        lanes, zeros = ir.Constant(FOUR_PLACES, [0, 1, 2, 3]), ir.Constant(FOUR, [0.0] * 4)

        def sum_chunk(start, n_fours):
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            sums = [make_sum(builder) for _ in steps]
            for total, step in zip(sums, steps, strict=True):
                builder.store(builder.load(four_at(builder, first_data, step), align=8), total)
            counts = builder.icmp_signed("<", lanes, repeat(builder, builder.sub(n_squared, steps[-1])))
            is_first = builder.icmp_unsigned("==", start, ir.Constant(INDEX, 0))

            def square(at):
                """The squares of the sums with the row that begins there."""
                found = zeros
                for k, (total, step) in enumerate(zip(sums, steps, strict=True)):
                    row = builder.load(four_at(builder, row_data, builder.add(at, step)), align=8)
                    new = add_to(builder, total, row)
                    if k == n_fours - 1:  # the last four may hold other things than channels
                        new = builder.select(counts, new, zeros)
                    found = builder.fadd(found, builder.fmul(new, new))
                return found

            def square_four(i, last):
                found = _sum_each(builder, [square(at) for at in _rows_of(builder, key_data, mask, length, i, last)])
                to = four_at(builder, square_data, i)
                before = builder.select(is_first, zeros, builder.load(to, align=8))  # of the chunks before this one
                builder.store(builder.fadd(before, found), to, align=8)

            _in_fours(builder, n_keys, square_four)

        for_each_chunk(builder, count, sum_chunk)
        return context.get_dummy_value()

    counts = (types.intp, types.intp, types.intp)
    return types.void(keys, types.intp, types.int64, first, rows, *counts, squares), generate


def _score(builder, keys, first, last, squares, weights, whole, gains_to, weights_to, highest):
    """Score four cuts by the squared sums and weights on their left; `highest` becomes no less than what they gain."""
    spread = builder.fmul(weights, builder.fsub(whole, weights))
    here, after = (
        builder.load(builder.bitcast(builder.gep(keys, [i]), FOUR_PLACES.as_pointer()), align=8)
        for i in (first, builder.add(first, ir.Constant(INDEX, 1)))
    )
    codes_differ = builder.lshr(builder.xor(here, after), ir.Constant(FOUR_PLACES, [PLACE_BITS] * 4))
    is_cut = builder.icmp_unsigned("!=", codes_differ, ir.Constant(FOUR_PLACES, [0] * 4))
    is_cut = builder.and_(is_cut, builder.fcmp_ordered(">", spread, ir.Constant(FOUR, [0.0] * 4)))
    if last is not None:
        numbers = builder.add(repeat(builder, first), ir.Constant(FOUR_PLACES, [0, 1, 2, 3]))
        is_cut = builder.and_(is_cut, builder.icmp_signed("<=", numbers, repeat(builder, last)))
    gains = builder.select(is_cut, builder.fdiv(squares, spread), ir.Constant(FOUR, [NO_GAIN] * 4))
    builder.store(gains, four_at(builder, gains_to, first), align=8)
    builder.store(weights, four_at(builder, weights_to, first), align=8)
    before = builder.load(highest)
    builder.store(builder.select(builder.fcmp_ordered(">", gains, before), gains, before), highest)


def _start_highest(builder):
    highest = make_sum(builder)
    builder.store(ir.Constant(FOUR, [NO_GAIN] * 4), highest)
    return highest


def _highest_lane(builder, four):
    lanes = [builder.extract_element(four, ir.Constant(LANE, k)) for k in range(4)]
    while len(lanes) > 1:
        a, b = lanes[:2]
        lanes = [*lanes[2:], builder.select(builder.fcmp_ordered(">", a, b), a, b)]
    return lanes[0]


def _score_all(builder, keys, n_cuts, start, rows, length, columns, find_squares, whole, gains, weights):
    """Score the cuts behind all keys by the sums of some columns of the rows, the last of which is the weight.

    Floats are loaded one by one: a pair loaded at once would wait for both to be stored, by then each on its own.
    """
    mask, whole = ir.Constant(INDEX, PLACE_MASK), repeat(builder, whole, FOUR)
    highest = _start_highest(builder)
    totals = [cgutils.alloca_once(builder, ir.DoubleType()) for _ in columns]
    for column, total in zip(columns, totals, strict=True):
        builder.store(builder.load(builder.gep(start, [column])), total)

    def score_four(i, last):
        sums = [ir.Constant(FOUR, ir.Undefined) for _ in columns]
        for k, row in enumerate(_rows_of(builder, keys, mask, length, i, last)):
            for c, column in enumerate(columns):
                new = add_to(builder, totals[c], builder.load(builder.gep(rows, [builder.add(row, column)])))
                sums[c] = builder.insert_element(sums[c], new, ir.Constant(LANE, k))
        _score(builder, keys, i, last, find_squares(i, sums[0]), sums[-1], whole, gains, weights, highest)

    _in_fours(builder, n_cuts, score_four)
    return _highest_lane(builder, builder.load(highest))


@intrinsic
def score_squares(typing_context, keys, n_cuts, first, rows, length, weight_at, whole, gains, weights):
    """gains[i], a squared sum, becomes what the cut behind key i gains, in parts of the weight of all rows; NO_GAIN
    where there is none: codes do not change there, or a side has no weight. weights[i] becomes the weight on its left.

    Gives the highest gain. `first` is the moment row of what is on the left of all cuts, `whole` the weight of all.
    """

    def generate(context, builder, signature, args):
        keys, start, rows, gains, weights = (data_of(context, builder, signature, args, k) for k in (0, 2, 3, 7, 8))
        n_cuts, length, weight_at, whole = (args[k] for k in (1, 4, 5, 6))

        def find_squares(i, _):
            return builder.load(four_at(builder, gains, i), align=8)

        columns = (weight_at,)
        return _score_all(builder, keys, n_cuts, start, rows, length, columns, find_squares, whole, gains, weights)

    arrays_and_places = (keys, types.intp, first, rows, types.intp, types.intp, types.float64, gains, weights)
    return types.float64(*arrays_and_places), generate


@intrinsic
def score_singles(typing_context, keys, n_cuts, first, rows, length, whole, gains, weights):
    """`score_squares` for rows of one channel and the weight after it; the squares are found here."""

    def generate(context, builder, signature, args):
        keys, start, rows, gains, weights = (data_of(context, builder, signature, args, k) for k in (0, 2, 3, 6, 7))
        n_cuts, length, whole = (args[k] for k in (1, 4, 5))

        def find_squares(_, sums):
            return builder.fmul(sums, sums)

        columns = (ir.Constant(INDEX, 0), ir.Constant(INDEX, 1))
        return _score_all(builder, keys, n_cuts, start, rows, length, columns, find_squares, whole, gains, weights)

    return types.float64(keys, types.intp, first, rows, types.intp, types.float64, gains, weights), generate
