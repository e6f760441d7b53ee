"""Four floats at a time. Numba vectorises long loops only; the channels of a few targets make short ones."""

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

FOUR = ir.VectorType(ir.DoubleType(), 4)


def _pointer_to_four(context, builder, array_type, array, index):
    """A pointer to array[index : index + 4] of a contiguous array of floats, index counted over all dimensions."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), FOUR.as_pointer())


@intrinsic
def add_four(typing_context, total, at, rows, start):
    """total[at : at + 4] += rows[start : start + 4], both counted in the flat array."""

    def generate(context, builder, signature, args):
        to = _pointer_to_four(context, builder, signature.args[0], args[0], args[1])
        of = _pointer_to_four(context, builder, signature.args[2], args[2], args[3])
        builder.store(builder.fadd(builder.load(to, align=8), builder.load(of, align=8)), to, align=8)
        return context.get_dummy_value()

    return types.void(total, types.intp, rows, types.intp), generate


@intrinsic
def add_four_and_square(typing_context, total, at, rows, start):
    """`add_four`, giving the sum of the squares of the four new totals."""

    def generate(context, builder, signature, args):
        to = _pointer_to_four(context, builder, signature.args[0], args[0], args[1])
        of = _pointer_to_four(context, builder, signature.args[2], args[2], args[3])
        new = builder.fadd(builder.load(to, align=8), builder.load(of, align=8))
        builder.store(new, to, align=8)
        square = builder.fmul(new, new)
        low = builder.shuffle_vector(square, square, ir.Constant(ir.VectorType(ir.IntType(32), 2), [0, 1]))
        high = builder.shuffle_vector(square, square, ir.Constant(ir.VectorType(ir.IntType(32), 2), [2, 3]))
        pair = builder.fadd(low, high)
        return builder.fadd(
            builder.extract_element(pair, ir.Constant(ir.IntType(32), 0)),
            builder.extract_element(pair, ir.Constant(ir.IntType(32), 1)),
        )

    return types.float64(total, types.intp, rows, types.intp), generate
