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


def _each_four(context, builder, signature, args, use=None, kept=lambda builder, old: old):
    """Loop over the fours: store kept(total) + rows, and hand each new total and where it starts to `use`."""
    total, rows = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 2))
    with cgutils.for_range(builder, builder.lshr(args[4], ir.Constant(INDEX, 2))) as loop:
        step = builder.shl(loop.index, ir.Constant(INDEX, 2))
        to = builder.bitcast(builder.gep(total, [builder.add(args[1], step)]), FOUR.as_pointer())
        of = builder.bitcast(builder.gep(rows, [builder.add(args[3], step)]), FOUR.as_pointer())
        new = builder.fadd(kept(builder, builder.load(to, align=8)), builder.load(of, align=8))
        builder.store(new, to, align=8)
        if use is not None:
            use(new, step)


def _repeat(builder, one, kind=FOUR_PLACES):
    """Four times the same index, or the same number."""
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), one, ir.Constant(LANE, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(LANE, 4), [0] * 4))


def _loop_over_fours(context, builder, signature, args, arrays, starts, count, use):
    """Call use(places) for each four of the `count`: where it is in each of the arguments that are arrays."""
    data = [context.make_array(signature.args[k])(context, builder, args[k]).data for k in arrays]
    with cgutils.for_range(builder, builder.lshr(count, ir.Constant(INDEX, 2))) as loop:
        step = builder.shl(loop.index, ir.Constant(INDEX, 2))
        at = (step if start is None else builder.add(start, step) for start in starts)
        use([builder.bitcast(builder.gep(d, [a]), FOUR.as_pointer()) for d, a in zip(data, at, strict=True)])


@intrinsic
def shift_fours(typing_context, to, at, rows, start, shift, weight, sums, count):
    """to[at : at + count] = rows[start : start + count] - shift; sums += weight times that."""

    def generate(context, builder, signature, args):
        weights = _repeat(builder, args[5], FOUR)

        def use(places):
            target, row, origin, total = places
            shifted = builder.fsub(builder.load(row, align=8), builder.load(origin, align=8))
            builder.store(shifted, target, align=8)
            product = builder.fmul(shifted, weights)
            builder.store(builder.fadd(builder.load(total, align=8), product), total, align=8)

        starts = (args[1], args[3], None, None)
        _loop_over_fours(context, builder, signature, args, (0, 2, 4, 6), starts, args[7], use)
        return context.get_dummy_value()

    return types.void(to, types.intp, rows, types.intp, shift, types.float64, sums, types.intp), generate


@intrinsic
def centre_fours(typing_context, rows, at, mean, scale, weight, squares, count):
    """centred = (rows[at : at + count] - mean) * scale. The row becomes weight * centred, squares gain its square."""

    def generate(context, builder, signature, args):
        weights = _repeat(builder, args[4], FOUR)

        def use(places):
            row, middle, unit, total = places
            centred = builder.fsub(builder.load(row, align=8), builder.load(middle, align=8))
            centred = builder.fmul(centred, builder.load(unit, align=8))
            weighted = builder.fmul(centred, weights)
            builder.store(weighted, row, align=8)
            builder.store(builder.fadd(builder.load(total, align=8), builder.fmul(weighted, centred)), total, align=8)

        starts = (args[1], None, None, None)
        _loop_over_fours(context, builder, signature, args, (0, 2, 3, 5), starts, args[6], use)
        return context.get_dummy_value()

    return types.void(rows, types.intp, mean, scale, types.float64, squares, types.intp), generate


@intrinsic
def add_fours(typing_context, total, at, rows, start, count):
    """total[at : at + count] += rows[start : start + count]."""

    def generate(context, builder, signature, args):
        _each_four(context, builder, signature, args)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp, types.intp), generate


@intrinsic
def put_or_add_fours(typing_context, total, at, rows, start, count, add):
    """`add_fours`, or total[at : at + count] = rows[start : start + count] where `add` is False. No branch."""

    def generate(context, builder, signature, args):
        mask = _repeat(builder, builder.sext(builder.trunc(args[5], ir.IntType(1)), INDEX))

        def kept(builder, old):  # by bits: a `select` on one condition becomes a branch
            return builder.bitcast(builder.and_(builder.bitcast(old, FOUR_PLACES), mask), FOUR)

        _each_four(context, builder, signature, args, kept=kept)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp, types.intp, types.boolean), generate


@intrinsic
def add_fours_and_square(typing_context, total, at, rows, start, count, n_squared):
    """`add_fours`, giving the sum of the squares of the first `n_squared` new totals."""

    def generate(context, builder, signature, args):
        squares = cgutils.alloca_once_value(builder, ir.Constant(FOUR, [0.0] * 4))
        lanes, zeros = ir.Constant(FOUR_PLACES, [0, 1, 2, 3]), ir.Constant(FOUR, [0.0] * 4)

        def use(new, step):
            left_over = _repeat(builder, builder.sub(args[5], step))
            squared = builder.select(builder.icmp_signed("<", lanes, left_over), builder.fmul(new, new), zeros)
            builder.store(builder.fadd(builder.load(squares), squared), squares)

        _each_four(context, builder, signature, args, use)
        four = builder.load(squares)
        parts = [builder.extract_element(four, ir.Constant(LANE, k)) for k in range(4)]
        return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))

    return types.float64(total, types.intp, rows, types.intp, types.intp, types.intp), generate


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
