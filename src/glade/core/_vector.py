"""Four floats at a time, and the bits of a word: what Numba has no name for, or no fast way.

Numba vectorises long loops only; the channels of a few targets make short ones.

Arrays are contiguous; places are counted over the flat array; `count` is a multiple of four.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from glade.core._fours import (
    CHUNK,
    FOUR,
    INDEX,
    LANE,
    TURNS,
    add_to,
    add_up,
    count_of,
    data_of,
    for_each_chunk,
    for_rows_in_turns,
    four_at,
    loop_over_fours,
    make_sum,
    repeat,
    sum_lanes,
)


@intrinsic
def shift_rows(typing_context, to, length, rows, count, index, weights, shift, sums):
    """to[i] = rows[index[i]] - shift for all of the index; sums = what these add up to, by their weights.

    `to` has rows of the given length, `rows` of `count`. Gives the sum of the weights.
    """

    def generate(context, builder, signature, args):
        places = (0, 2, 4, 5, 6, 7)
        to, rows, index, weights, shift, sums = (data_of(context, builder, signature, args, k) for k in places)
        length, count = args[1], args[3]
        n_rows = count_of(context, builder, signature, args, 4)
        wholes = [cgutils.alloca_once(builder, ir.DoubleType()) for _ in range(max(TURNS.values()))]

        def shift_chunk(start, n_fours):
            for whole in wholes:
                builder.store(ir.Constant(ir.DoubleType(), 0.0), whole)
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            origins = [builder.load(four_at(builder, shift, step), align=8) for step in steps]
            totals = [[make_sum(builder) for _ in steps] for _ in range(TURNS[n_fours])]

            def shift_row(i, turn):
                row = builder.zext(builder.load(builder.gep(index, [i])), INDEX)
                one_weight = builder.load(builder.gep(weights, [row]))
                builder.store(builder.fadd(builder.load(wholes[turn]), one_weight), wholes[turn])
                weight = repeat(builder, one_weight, FOUR)
                of, at = builder.mul(row, count), builder.mul(i, length)
                for step, origin, total in zip(steps, origins, totals[turn], strict=True):
                    y = builder.load(four_at(builder, rows, builder.add(of, step)), align=8)
                    shifted = builder.fsub(y, origin)
                    builder.store(shifted, four_at(builder, to, builder.add(at, step)), align=8)
                    add_to(builder, total, builder.fmul(shifted, weight))

            for_rows_in_turns(builder, n_rows, TURNS[n_fours], shift_row)
            for step, *own in zip(steps, *totals, strict=True):
                builder.store(add_up(builder, own), four_at(builder, sums, step), align=8)

        for_each_chunk(builder, count, shift_chunk)
        return add_up(builder, wholes)

    return types.float64(to, types.intp, rows, types.intp, index, weights, shift, sums), generate


@intrinsic
def centre_rows(typing_context, rows, length, count, index, weights, mean, scale, rows_at, weight_at):
    """centred = (rows[i] - mean) * scale, in its first `count`. The row becomes weights[index[i]] * centred, with 1 at
    rows_at and the weight at weight_at.

    Gives the sum of the rows' squares, by their weights.
    """

    def generate(context, builder, signature, args):
        rows, index, weights, mean, scale = (data_of(context, builder, signature, args, k) for k in (0, 3, 4, 5, 6))
        length, count, rows_at, weight_at = (args[k] for k in (1, 2, 7, 8))
        n_rows = count_of(context, builder, signature, args, 3)
        squares = [make_sum(builder) for _ in range(CHUNK)]

        def centre_chunk(start, n_fours):
            steps = [builder.add(start, ir.Constant(INDEX, 4 * k)) for k in range(n_fours)]
            means = [builder.load(four_at(builder, mean, step), align=8) for step in steps]
            scales = [builder.load(four_at(builder, scale, step), align=8) for step in steps]

            def centre_row(i, turn):
                row = builder.zext(builder.load(builder.gep(index, [i])), INDEX)
                one_weight = builder.load(builder.gep(weights, [row]))
                weight = repeat(builder, one_weight, FOUR)
                at = builder.mul(i, length)
                for k, (step, middle, unit) in enumerate(zip(steps, means, scales, strict=True)):
                    place = four_at(builder, rows, builder.add(at, step))
                    centred = builder.fmul(builder.fsub(builder.load(place, align=8), middle), unit)
                    weighted = builder.fmul(centred, weight)
                    builder.store(weighted, place, align=8)
                    add_to(builder, squares[turn * n_fours + k], builder.fmul(weighted, centred))
                one = ir.Constant(ir.DoubleType(), 1.0)
                builder.store(one, builder.gep(rows, [builder.add(at, rows_at)]))
                builder.store(one_weight, builder.gep(rows, [builder.add(at, weight_at)]))

            for_rows_in_turns(builder, n_rows, TURNS[n_fours], centre_row)

        for_each_chunk(builder, count, centre_chunk)
        return sum_lanes(builder, add_up(builder, squares))

    return types.float64(rows, types.intp, types.intp, index, weights, mean, scale, types.intp, types.intp), generate


@intrinsic
def mix_fours(typing_context, mixed, rows, first, second, share, scale, count):
    """mixed = one row plus a share of the way to another; gives the square of that way, in units of 1 / scale."""

    def generate(context, builder, signature, args):
        shares = repeat(builder, args[4], FOUR)
        squares = make_sum(builder)

        def use(places):
            target, here, there, unit = places
            start = builder.load(here, align=8)
            way = builder.fsub(builder.load(there, align=8), start)
            builder.store(builder.fadd(start, builder.fmul(way, shares)), target, align=8)
            scaled = builder.fmul(way, builder.load(unit, align=8))
            add_to(builder, squares, builder.fmul(scaled, scaled))

        starts = (None, args[2], args[3], None)
        loop_over_fours(context, builder, signature, args, (0, 1, 1, 5), starts, args[6], use)
        return sum_lanes(builder, builder.load(squares))

    arrays_and_places = (mixed, rows, types.intp, types.intp, types.float64, scale, types.intp)
    return types.float64(*arrays_and_places), generate


@intrinsic
def add_fours(typing_context, total, at, rows, start, count):
    """total[at : at + count] += rows[start : start + count]."""

    def generate(context, builder, signature, args):
        def use(places):
            to, of = places
            builder.store(builder.fadd(builder.load(to, align=8), builder.load(of, align=8)), to, align=8)

        loop_over_fours(context, builder, signature, args, (0, 2), (args[1], args[3]), args[4], use)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp, types.intp), generate


@intrinsic
def clear(typing_context, array, start, count):
    """array[start : start + count] = 0, over the flat array: Numba would clear a table row by row."""

    def generate(context, builder, signature, args):
        data = data_of(context, builder, signature, args, 0)
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
        table, rows, index, codes = (data_of(context, builder, signature, args, k) for k in (0, 1, 3, 4))
        length, turns, n_codes = (args[k] for k in (2, 5, 6))
        n_rows = count_of(context, builder, signature, args, 3)

        def add_chunk(start, n_fours):
            with cgutils.for_range(builder, n_rows) as loop:
                row = builder.zext(builder.load(builder.gep(index, [loop.index])), INDEX)
                code = builder.zext(builder.load(builder.gep(codes, [row])), INDEX)
                b = builder.add(code, builder.mul(builder.and_(loop.index, turns), n_codes))
                to = builder.add(builder.mul(b, length), start)
                of = builder.add(builder.mul(loop.index, length), start)
                for k in range(n_fours):
                    step = ir.Constant(INDEX, 4 * k)
                    place = four_at(builder, table, builder.add(to, step))
                    four = builder.load(four_at(builder, rows, builder.add(of, step)), align=8)
                    builder.store(builder.fadd(builder.load(place, align=8), four), place, align=8)

        for_each_chunk(builder, length, add_chunk)
        return context.get_dummy_value()

    return types.void(table, rows, types.intp, index, codes, types.intp, types.intp), generate


@intrinsic
def take_away_rows(typing_context, sums, start, other_start, n_rows, length, weight_at, apart, other_apart):
    """Take the rows of `sums` from other_start on away from as many from `start` on.

    Both are of centred channels: what is left is centred anew. With w and v the weights of the row taken away and of
    what is left, it is sums - other - w * other_apart - v * apart.
    """

    def generate(context, builder, signature, args):
        sums, apart, other_apart = (data_of(context, builder, signature, args, k) for k in (0, 6, 7))
        start, other_start, n_rows, length, weight_at = (args[k] for k in range(1, 6))
        with cgutils.for_range(builder, n_rows) as loop:
            at = builder.mul(builder.add(start, loop.index), length)
            of = builder.mul(builder.add(other_start, loop.index), length)
            taken = builder.load(builder.gep(sums, [builder.add(of, weight_at)]))
            left = builder.fsub(builder.load(builder.gep(sums, [builder.add(at, weight_at)])), taken)
            taken, left = repeat(builder, taken, FOUR), repeat(builder, left, FOUR)
            with cgutils.for_range(builder, builder.lshr(length, ir.Constant(INDEX, 2))) as fours:
                step = builder.shl(fours.index, ir.Constant(INDEX, 2))
                place = four_at(builder, sums, builder.add(at, step))
                other = builder.load(four_at(builder, sums, builder.add(of, step)), align=8)
                moved = builder.fmul(taken, builder.load(four_at(builder, other_apart, step), align=8))
                moved = builder.fadd(moved, builder.fmul(left, builder.load(four_at(builder, apart, step), align=8)))
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
        place = builder.gep(data_of(context, builder, signature, args, 0), [args[1]])
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
            lower = builder.icmp_signed("<=", codes, repeat(builder, code, eight))
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
