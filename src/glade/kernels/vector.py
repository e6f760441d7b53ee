"""Four floats at a time. Numba vectorises long loops only; the channels of a few targets make short ones.

Arrays are contiguous; places are counted over the flat array; `count` is a multiple of four.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

FOUR = ir.VectorType(ir.DoubleType(), 4)
INDEX = ir.IntType(64)


def _each_four(context, builder, signature, args, use):
    """Loop over the fours: store total + rows, and hand each new total to `use`."""
    total, rows = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (0, 2))
    with cgutils.for_range(builder, builder.lshr(args[4], ir.Constant(INDEX, 2))) as loop:
        step = builder.shl(loop.index, ir.Constant(INDEX, 2))
        to = builder.bitcast(builder.gep(total, [builder.add(args[1], step)]), FOUR.as_pointer())
        of = builder.bitcast(builder.gep(rows, [builder.add(args[3], step)]), FOUR.as_pointer())
        new = builder.fadd(builder.load(to, align=8), builder.load(of, align=8))
        builder.store(new, to, align=8)
        use(new)


@intrinsic
def add_fours(typing_context, total, at, rows, start, count):
    """total[at : at + count] += rows[start : start + count]."""

    def generate(context, builder, signature, args):
        _each_four(context, builder, signature, args, lambda new: None)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp, types.intp), generate


@intrinsic
def add_fours_and_square(typing_context, total, at, rows, start, count):
    """`add_fours`, giving the sum of the squares of the new totals."""

    def generate(context, builder, signature, args):
        squares = cgutils.alloca_once_value(builder, ir.Constant(FOUR, [0.0] * 4))

        def use(new):
            builder.store(builder.fadd(builder.load(squares), builder.fmul(new, new)), squares)

        _each_four(context, builder, signature, args, use)
        four = builder.load(squares)
        parts = [builder.extract_element(four, ir.Constant(ir.IntType(32), k)) for k in range(4)]
        return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))

    return types.float64(total, types.intp, rows, types.intp, types.intp), generate
