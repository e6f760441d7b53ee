"""Four numbers at a time, and the bits of a word: what Numba has no name for, or no fast way.

Numba makes vectors of long loops only, and the channels of a few targets are short ones; `docs/dev/speed.md` says what
each function gains. To take one out, write its first line as a loop.

Arrays are contiguous; places are counted over the flat array; `count` is a multiple of four.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

DOUBLE, INDEX, LANE = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
FOUR = ir.VectorType(DOUBLE, 4)


def repeat(builder, number):
    """The same number in all lanes."""
    first = builder.insert_element(ir.Constant(FOUR, ir.Undefined), number, ir.Constant(LANE, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(LANE, 4), [0] * 4))


def add_lanes(builder, four):
    parts = [builder.extract_element(four, ir.Constant(LANE, k)) for k in range(4)]
    return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))


def data_of(context, builder, signature, args, k):
    """Where the k-th argument, an array, begins."""
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def count_of(context, builder, signature, args, k):
    """How many elements it has."""
    return context.make_array(signature.args[k])(context, builder, args[k]).nitems


def place_of(builder, data, place):
    """Where four numbers of an array are."""
    return builder.bitcast(builder.gep(data, [place]), FOUR.as_pointer())


def load(builder, data, place):
    return builder.load(place_of(builder, data, place), align=8)


def add_at(builder, data, place, four):
    """Add to four numbers of an array."""
    to = place_of(builder, data, place)
    builder.store(builder.fadd(builder.load(to, align=8), four), to, align=8)


def for_fours(builder, count):
    """Loop over every fourth place below `count`."""
    return cgutils.for_range_slice(builder, ir.Constant(INDEX, 0), count, ir.Constant(INDEX, 4), INDEX)


def row_of(builder, index, i):
    return builder.zext(builder.load(builder.gep(index, [i])), INDEX)


@intrinsic
def shift_rows(typing_context, to, length, rows, count, index, weights, shift, sums):
    """to[i] = rows[index[i]] - shift for all of the index; sums += what these add up to, by their weights.

    `to` has rows of the given length, `rows` of `count`.
    """

    def generate(context, builder, signature, args):
        to, rows, index, weights, shift, sums = (
            data_of(context, builder, signature, args, k) for k in (0, 2, 4, 5, 6, 7)
        )
        length, count = args[1], args[3]
        with cgutils.for_range(builder, count_of(context, builder, signature, args, 4)) as loop:
            row = row_of(builder, index, loop.index)
            weight = repeat(builder, builder.load(builder.gep(weights, [row])))
            of, at = builder.mul(row, count), builder.mul(loop.index, length)
            with for_fours(builder, count) as (c, _):
                shifted = builder.fsub(load(builder, rows, builder.add(of, c)), load(builder, shift, c))
                builder.store(shifted, place_of(builder, to, builder.add(at, c)), align=8)
                add_at(builder, sums, c, builder.fmul(shifted, weight))
        return context.get_dummy_value()

    return types.void(to, types.intp, rows, types.intp, index, weights, shift, sums), generate


@intrinsic
def centre_rows(typing_context, rows, length, count, index, weights, mean, scale):
    """centred = (rows[i] - mean) * scale, in its first `count`, and the row becomes weights[index[i]] * centred.

    Returns the sum of the squares of what is centred, by the weights.
    """

    def generate(context, builder, signature, args):
        rows, index, weights, mean, scale = (data_of(context, builder, signature, args, k) for k in (0, 3, 4, 5, 6))
        length, count = args[1], args[2]
        squares = cgutils.alloca_once_value(builder, ir.Constant(FOUR, [0.0] * 4))
        with cgutils.for_range(builder, count_of(context, builder, signature, args, 3)) as loop:
            weight = repeat(builder, builder.load(builder.gep(weights, [row_of(builder, index, loop.index)])))
            at = builder.mul(loop.index, length)
            with for_fours(builder, count) as (c, _):
                here = builder.add(at, c)
                apart = builder.fsub(load(builder, rows, here), load(builder, mean, c))
                centred = builder.fmul(apart, load(builder, scale, c))
                weighted = builder.fmul(centred, weight)
                builder.store(weighted, place_of(builder, rows, here), align=8)
                builder.store(builder.fadd(builder.load(squares), builder.fmul(weighted, centred)), squares)
        return add_lanes(builder, builder.load(squares))

    return types.float64(rows, types.intp, types.intp, index, weights, mean, scale), generate


@intrinsic
def add_rows_by_code(typing_context, table, first, rows, length, index, codes):
    """table[first + b] += rows[i] for all of the index, b the code of the row index[i]."""

    def generate(context, builder, signature, args):
        table, rows, index, codes = (data_of(context, builder, signature, args, k) for k in (0, 2, 4, 5))
        first, length = args[1], args[3]
        with cgutils.for_range(builder, count_of(context, builder, signature, args, 4)) as loop:
            code = builder.zext(builder.load(builder.gep(codes, [row_of(builder, index, loop.index)])), INDEX)
            to = builder.mul(builder.add(first, code), length)
            of = builder.mul(loop.index, length)
            with for_fours(builder, length) as (c, _):
                add_at(builder, table, builder.add(to, c), load(builder, rows, builder.add(of, c)))
        return context.get_dummy_value()

    return types.void(table, types.intp, rows, types.intp, index, codes), generate


@intrinsic
def add_and_square(typing_context, cells, at, of, count):
    """cells[at : at + count] += cells[of : of + count]; returns the sum of the squares of what is there then."""

    def generate(context, builder, signature, args):
        cells, (at, of, count) = data_of(context, builder, signature, args, 0), args[1:]
        squares = cgutils.alloca_once(builder, FOUR)
        builder.store(ir.Constant(FOUR, [0.0] * 4), squares)
        with for_fours(builder, count) as (c, _):
            to = place_of(builder, cells, builder.add(at, c))
            total = builder.fadd(builder.load(to, align=8), load(builder, cells, builder.add(of, c)))
            builder.store(total, to, align=8)
            builder.store(builder.fadd(builder.load(squares), builder.fmul(total, total)), squares)
        return add_lanes(builder, builder.load(squares))

    return types.float64(cells, types.intp, types.intp, types.intp), generate


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
