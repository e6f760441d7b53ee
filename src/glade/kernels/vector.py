"""Four floats at a time, and the bits of a word: what Numba has no name for, or no fast way.

Numba vectorises long loops only; the channels of a few targets make short ones.

Arrays are contiguous; places are counted over the flat array; `count` is a multiple of four.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

FOUR = ir.VectorType(ir.DoubleType(), 4)
INDEX = ir.IntType(64)
FOUR_PLACES = ir.VectorType(INDEX, 4)
LANE = ir.IntType(32)
CHUNK = 4  # fours whose sums stay in registers


def _repeat(builder, one, kind=FOUR_PLACES):
    """The same index or number in all lanes."""
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), one, ir.Constant(LANE, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(LANE, kind.count), [0] * kind.count))


def _sum_lanes(builder, four):
    parts = [builder.extract_element(four, ir.Constant(LANE, k)) for k in range(4)]
    return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))


def _data(context, builder, signature, args, k):
    """Where the k-th argument, an array, begins."""
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def _count(context, builder, signature, args, k):
    """How many elements it has."""
    return context.make_array(signature.args[k])(context, builder, args[k]).nitems


def _four_at(builder, data, place):
    return builder.bitcast(builder.gep(data, [place]), FOUR.as_pointer())


def _loop_over_fours(context, builder, signature, args, arrays, starts, count, use):
    """Call use(places) for each four of the `count`: where it is in each of the arguments that are arrays."""
    data = [_data(context, builder, signature, args, k) for k in arrays]
    with cgutils.for_range(builder, builder.lshr(count, ir.Constant(INDEX, 2))) as loop:
        step = builder.shl(loop.index, ir.Constant(INDEX, 2))
        at = (step if start is None else builder.add(start, step) for start in starts)
        use([_four_at(builder, d, a) for d, a in zip(data, at, strict=True)])


def _for_each_chunk(builder, count, use):
    """Call use(start, n_fours) for each chunk of up to `CHUNK` fours of the `count`, n_fours a number known here.

    What a loop over rows adds up in a chunk can then stay in registers.
    """
    n_fours = builder.lshr(count, ir.Constant(INDEX, 2))
    n_chunks = builder.udiv(builder.add(n_fours, ir.Constant(INDEX, CHUNK - 1)), ir.Constant(INDEX, CHUNK))
    with cgutils.for_range(builder, n_chunks) as loop:
        first = builder.mul(loop.index, ir.Constant(INDEX, CHUNK))
        left = builder.sub(n_fours, first)
        start = builder.shl(first, ir.Constant(INDEX, 2))
        for n in range(1, CHUNK + 1):
            has_as_many = builder.icmp_unsigned(">=" if n == CHUNK else "==", left, ir.Constant(INDEX, n))
            with builder.if_then(has_as_many):
                use(start, n)


def _make_sum(builder):
    """Four sums, all zero from here on."""
    zeros = ir.Constant(FOUR, [0.0] * 4)
    place = cgutils.alloca_once(builder, FOUR)
    builder.store(zeros, place)
    return place


def _add_to(builder, place, four):
    total = builder.fadd(builder.load(place), four)
    builder.store(total, place)
    return total


@intrinsic
def square_sums(typing_context, keys, n_keys, mask, first, rows, length, count, n_squared, squares):
    """squares[i] = the square of the sum of `first` and rows[place of key 0] .. rows[place of key i].

    Only the first n_squared of a row count.
    """

    def generate(context, builder, signature, args):
        places = (0, 3, 4, 8)
        key_data, first_data, row_data, square_data = (_data(context, builder, signature, args, k) for k in places)
        n_keys, mask, length, count, n_squared = (args[k] for k in (1, 2, 5, 6, 7))
        lanes, zeros = ir.Constant(FOUR_PLACES, [0, 1, 2, 3]), ir.Constant(FOUR, [0.0] * 4)

        def sum_chunk(start, n_fours):
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            sums = [_make_sum(builder) for _ in steps]
            for total, step in zip(sums, steps, strict=True):
                builder.store(builder.load(_four_at(builder, first_data, step), align=8), total)
            last = builder.add(start, ir.Constant(INDEX, 4 * (n_fours - 1)))
            counts = builder.icmp_signed("<", lanes, _repeat(builder, builder.sub(n_squared, last)))
            counted = builder.sext(counts, FOUR_PLACES)
            is_first = builder.icmp_unsigned("==", start, ir.Constant(INDEX, 0))
            kept = builder.sext(builder.not_(is_first), INDEX)  # of what chunks before this one have found
            with cgutils.for_range(builder, n_keys) as loop:
                place = builder.and_(builder.load(builder.gep(key_data, [loop.index])), mask)
                at = builder.add(builder.mul(place, length), start)
                square = zeros
                for k, total in enumerate(sums):
                    row = _four_at(builder, row_data, builder.add(at, ir.Constant(INDEX, 4 * k)))
                    new = _add_to(builder, total, builder.load(row, align=8))
                    if k == n_fours - 1:  # the last four may hold other things than channels
                        bits = builder.and_(builder.bitcast(new, FOUR_PLACES), counted)
                        new = builder.bitcast(bits, FOUR)
                    square = builder.fadd(square, builder.fmul(new, new))
                to = builder.gep(square_data, [loop.index])
                before = builder.and_(builder.bitcast(builder.load(to), INDEX), kept)
                before = builder.bitcast(before, ir.DoubleType())
                builder.store(builder.fadd(before, _sum_lanes(builder, square)), to)

        _for_each_chunk(builder, count, sum_chunk)
        return context.get_dummy_value()

    counts = (types.intp, types.intp, types.intp)
    return types.void(keys, types.intp, types.int64, first, rows, *counts, squares), generate


@intrinsic
def shift_rows(typing_context, to, length, rows, count, index, weights, shift, sums):
    """to[i] = rows[index[i]] - shift for all of the index; sums = what these add up to, by their weights.

    `to` has rows of the given length, `rows` of `count`. Gives the sum of the weights.
    """

    def generate(context, builder, signature, args):
        places = (0, 2, 4, 5, 6, 7)
        to, rows, index, weights, shift, sums = (_data(context, builder, signature, args, k) for k in places)
        length, count = args[1], args[3]
        n_rows = _count(context, builder, signature, args, 4)
        whole = cgutils.alloca_once(builder, ir.DoubleType())

        def shift_chunk(start, n_fours):
            builder.store(ir.Constant(ir.DoubleType(), 0.0), whole)
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            origins = [builder.load(_four_at(builder, shift, step), align=8) for step in steps]
            totals = [_make_sum(builder) for _ in steps]
            with cgutils.for_range(builder, n_rows) as loop:
                row = builder.zext(builder.load(builder.gep(index, [loop.index])), INDEX)
                one_weight = builder.load(builder.gep(weights, [row]))
                builder.store(builder.fadd(builder.load(whole), one_weight), whole)
                weight = _repeat(builder, one_weight, FOUR)
                of, at = builder.mul(row, count), builder.mul(loop.index, length)
                for step, origin, total in zip(steps, origins, totals, strict=True):
                    y = builder.load(_four_at(builder, rows, builder.add(of, step)), align=8)
                    shifted = builder.fsub(y, origin)
                    builder.store(shifted, _four_at(builder, to, builder.add(at, step)), align=8)
                    _add_to(builder, total, builder.fmul(shifted, weight))
            for step, total in zip(steps, totals, strict=True):
                builder.store(builder.load(total), _four_at(builder, sums, step), align=8)

        _for_each_chunk(builder, count, shift_chunk)
        return builder.load(whole)

    return types.float64(to, types.intp, rows, types.intp, index, weights, shift, sums), generate


@intrinsic
def centre_rows(typing_context, rows, length, count, index, weights, mean, scale, rows_at, weight_at):
    """centred = (rows[i] - mean) * scale, in its first `count`. The row becomes weights[index[i]] * centred, with 1 at
    rows_at and the weight at weight_at.

    Gives the sum of the rows' squares, by their weights.
    """

    def generate(context, builder, signature, args):
        rows, index, weights, mean, scale = (_data(context, builder, signature, args, k) for k in (0, 3, 4, 5, 6))
        length, count, rows_at, weight_at = (args[k] for k in (1, 2, 7, 8))
        n_rows = _count(context, builder, signature, args, 3)
        squares = _make_sum(builder)

        def centre_chunk(start, n_fours):
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            means = [builder.load(_four_at(builder, mean, step), align=8) for step in steps]
            scales = [builder.load(_four_at(builder, scale, step), align=8) for step in steps]
            with cgutils.for_range(builder, n_rows) as loop:
                row = builder.zext(builder.load(builder.gep(index, [loop.index])), INDEX)
                one_weight = builder.load(builder.gep(weights, [row]))
                weight = _repeat(builder, one_weight, FOUR)
                at = builder.mul(loop.index, length)
                for step, middle, unit in zip(steps, means, scales, strict=True):
                    place = _four_at(builder, rows, builder.add(at, step))
                    centred = builder.fmul(builder.fsub(builder.load(place, align=8), middle), unit)
                    weighted = builder.fmul(centred, weight)
                    builder.store(weighted, place, align=8)
                    _add_to(builder, squares, builder.fmul(weighted, centred))
                one = ir.Constant(ir.DoubleType(), 1.0)
                builder.store(one, builder.gep(rows, [builder.add(at, rows_at)]))
                builder.store(one_weight, builder.gep(rows, [builder.add(at, weight_at)]))

        _for_each_chunk(builder, count, centre_chunk)
        return _sum_lanes(builder, builder.load(squares))

    return types.float64(rows, types.intp, types.intp, index, weights, mean, scale, types.intp, types.intp), generate


@intrinsic
def mix_fours(typing_context, mixed, rows, first, second, share, scale, count):
    """mixed = one row plus a share of the way to another; gives the square of that way, in units of 1 / scale."""

    def generate(context, builder, signature, args):
        shares = _repeat(builder, args[4], FOUR)
        squares = _make_sum(builder)

        def use(places):
            target, here, there, unit = places
            start = builder.load(here, align=8)
            way = builder.fsub(builder.load(there, align=8), start)
            builder.store(builder.fadd(start, builder.fmul(way, shares)), target, align=8)
            scaled = builder.fmul(way, builder.load(unit, align=8))
            _add_to(builder, squares, builder.fmul(scaled, scaled))

        starts = (None, args[2], args[3], None)
        _loop_over_fours(context, builder, signature, args, (0, 1, 1, 5), starts, args[6], use)
        return _sum_lanes(builder, builder.load(squares))

    arrays_and_places = (mixed, rows, types.intp, types.intp, types.float64, scale, types.intp)
    return types.float64(*arrays_and_places), generate


@intrinsic
def add_fours(typing_context, total, at, rows, start, count):
    """total[at : at + count] += rows[start : start + count]."""

    def generate(context, builder, signature, args):
        def use(places):
            to, of = places
            builder.store(builder.fadd(builder.load(to, align=8), builder.load(of, align=8)), to, align=8)

        _loop_over_fours(context, builder, signature, args, (0, 2), (args[1], args[3]), args[4], use)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp, types.intp), generate


@intrinsic
def clear(typing_context, array, start, count):
    """array[start : start + count] = 0, over the flat array: Numba would clear a table row by row."""

    def generate(context, builder, signature, args):
        data = _data(context, builder, signature, args, 0)
        size = builder.shl(args[2], ir.Constant(INDEX, 3))
        cgutils.memset(builder, builder.gep(data, [args[1]]), size, 0)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


@intrinsic
def add_rows_by_code(typing_context, table, rows, length, index, codes, turns, n_codes):
    """table[b] += rows[i] for all of the index, b the code of the row index[i].

    With `turns` (one less than a power of two) row after row goes to another copy of the table, n_codes further on.
    """

    def generate(context, builder, signature, args):
        table, rows, index, codes = (_data(context, builder, signature, args, k) for k in (0, 1, 3, 4))
        length, turns, n_codes = (args[k] for k in (2, 5, 6))
        n_rows = _count(context, builder, signature, args, 3)

        def add_chunk(start, n_fours):
            with cgutils.for_range(builder, n_rows) as loop:
                row = builder.zext(builder.load(builder.gep(index, [loop.index])), INDEX)
                code = builder.zext(builder.load(builder.gep(codes, [row])), INDEX)
                b = builder.add(code, builder.mul(builder.and_(loop.index, turns), n_codes))
                to = builder.add(builder.mul(b, length), start)
                of = builder.add(builder.mul(loop.index, length), start)
                for k in range(n_fours):
                    step = ir.Constant(INDEX, 4 * k)
                    place = _four_at(builder, table, builder.add(to, step))
                    four = builder.load(_four_at(builder, rows, builder.add(of, step)), align=8)
                    builder.store(builder.fadd(builder.load(place, align=8), four), place, align=8)

        _for_each_chunk(builder, length, add_chunk)
        return context.get_dummy_value()

    return types.void(table, rows, types.intp, index, codes, types.intp, types.intp), generate


@intrinsic
def take_away_rows(typing_context, sums, start, other_start, n_rows, length, weight_at, apart, other_apart):
    """Take the rows of `sums` from other_start on away from as many from `start` on.

    Both are of centred channels: what is left is centred anew. With w and v the weights of the row taken away and of
    what is left, it is sums - other - w * other_apart - v * apart.
    """

    def generate(context, builder, signature, args):
        sums, apart, other_apart = (_data(context, builder, signature, args, k) for k in (0, 6, 7))
        start, other_start, n_rows, length, weight_at = (args[k] for k in range(1, 6))
        with cgutils.for_range(builder, n_rows) as loop:
            at = builder.mul(builder.add(start, loop.index), length)
            of = builder.mul(builder.add(other_start, loop.index), length)
            taken = builder.load(builder.gep(sums, [builder.add(of, weight_at)]))
            left = builder.fsub(builder.load(builder.gep(sums, [builder.add(at, weight_at)])), taken)
            taken, left = _repeat(builder, taken, FOUR), _repeat(builder, left, FOUR)
            with cgutils.for_range(builder, builder.lshr(length, ir.Constant(INDEX, 2))) as fours:
                step = builder.shl(fours.index, ir.Constant(INDEX, 2))
                place = _four_at(builder, sums, builder.add(at, step))
                other = builder.load(_four_at(builder, sums, builder.add(of, step)), align=8)
                moved = builder.fmul(taken, builder.load(_four_at(builder, other_apart, step), align=8))
                moved = builder.fadd(moved, builder.fmul(left, builder.load(_four_at(builder, apart, step), align=8)))
                rest = builder.fsub(builder.fsub(builder.load(place, align=8), other), moved)
                builder.store(rest, place, align=8)
        return context.get_dummy_value()

    places = (types.intp, types.intp, types.intp, types.intp, types.intp)
    return types.void(sums, *places, apart, other_apart), generate


@intrinsic
def bits_of(typing_context, counts, start):
    """A word with a bit for each of the 64 bytes from `start` on that is not zero."""

    def generate(context, builder, signature, args):
        bytes_of = ir.VectorType(ir.IntType(8), 64)
        place = builder.gep(_data(context, builder, signature, args, 0), [args[1]])
        loaded = builder.load(builder.bitcast(place, bytes_of.as_pointer()), align=1)
        return builder.bitcast(builder.icmp_unsigned("!=", loaded, ir.Constant(bytes_of, [0] * 64)), INDEX)

    return types.uint64(counts, types.intp), generate


@intrinsic
def list_sets(typing_context, a, b, c, d, e, f):
    """Of six codes: a byte for each, with a bit for each that is no higher than it."""

    def generate(context, builder, signature, args):
        eight = ir.VectorType(ir.IntType(32), 8)
        codes = ir.Constant(eight, ir.Undefined)
        for k in range(8):
            codes = builder.insert_element(codes, args[min(k, 5)], ir.Constant(LANE, k))
        word = ir.Constant(INDEX, 0)
        for k, code in enumerate(args):
            lower = builder.icmp_signed("<=", codes, _repeat(builder, code, eight))
            own = builder.zext(builder.bitcast(lower, ir.IntType(8)), INDEX)
            word = builder.or_(word, builder.shl(own, ir.Constant(INDEX, 8 * k)))
        return word

    return types.uint64(*(types.int32,) * 6), generate


@intrinsic
def trailing_zeros(typing_context, word):
    """The place of the lowest bit that is set, of a word that is not zero."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def count_ones(typing_context, word):
    """The number of bits that are set."""

    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate
