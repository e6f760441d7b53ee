"""Four floats at a time, in LLVM's terms: what the functions of `vector` and `cuts` are built of.

Arrays are contiguous; places are counted over the flat array; counts of floats are multiples of four.
"""

from llvmlite import ir
from numba.core import cgutils

FOUR = ir.VectorType(ir.DoubleType(), 4)
INDEX = ir.IntType(64)
FOUR_PLACES = ir.VectorType(INDEX, 4)
LANE = ir.IntType(32)
CHUNK = 4  # fours whose sums stay in registers
# Turns in which rows of so many fours are added up: a sum waits for the one before it.
TURNS = {1: 4, 2: 2, 3: 1, 4: 1}


def repeat(builder, one, kind=FOUR_PLACES):
    """The same index or number in all lanes."""
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), one, ir.Constant(LANE, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(LANE, kind.count), [0] * kind.count))


def sum_lanes(builder, four):
    parts = [builder.extract_element(four, ir.Constant(LANE, k)) for k in range(4)]
    return builder.fadd(builder.fadd(parts[0], parts[1]), builder.fadd(parts[2], parts[3]))


def data_of(context, builder, signature, args, k):
    """Where the k-th argument, an array, begins."""
    return context.make_array(signature.args[k])(context, builder, args[k]).data


def count_of(context, builder, signature, args, k):
    """How many elements it has."""
    return context.make_array(signature.args[k])(context, builder, args[k]).nitems


def four_at(builder, data, place):
    return builder.bitcast(builder.gep(data, [place]), FOUR.as_pointer())


def loop_over_fours(context, builder, signature, args, arrays, starts, count, use):
    """Call use(places) for each four of the `count`: where it is in each of the arguments that are arrays."""
    data = [data_of(context, builder, signature, args, k) for k in arrays]
    with cgutils.for_range(builder, builder.lshr(count, ir.Constant(INDEX, 2))) as loop:
        step = builder.shl(loop.index, ir.Constant(INDEX, 2))
        at = (step if start is None else builder.add(start, step) for start in starts)
        use([four_at(builder, d, a) for d, a in zip(data, at, strict=True)])


def for_each_chunk(builder, count, use):
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


def make_sum(builder):
    """Four sums, all zero from here on."""
    zeros = ir.Constant(FOUR, [0.0] * 4)
    place = cgutils.alloca_once(builder, FOUR)
    builder.store(zeros, place)
    return place


def add_to(builder, place, four):
    total = builder.fadd(builder.load(place), four)
    builder.store(total, place)
    return total


def for_rows_in_turns(builder, n_rows, n_turns, use):
    """Call use(row, turn) for all rows, one after another: turns 0, 1, ... of n_turns, a power of two, and 0 for the
    last few. Sums of one turn do not wait for those of another."""
    turns = ir.Constant(INDEX, n_turns)
    n_groups = builder.udiv(n_rows, turns)
    with cgutils.for_range(builder, n_groups) as loop:
        first = builder.mul(loop.index, turns)
        for turn in range(n_turns):
            use(builder.add(first, ir.Constant(INDEX, turn)), turn)
    done = builder.mul(n_groups, turns)
    with cgutils.for_range(builder, builder.sub(n_rows, done)) as loop:
        use(builder.add(done, loop.index), 0)


def add_up(builder, sums):
    """What several sums, each in its place, come to."""
    total = builder.load(sums[0])
    for place in sums[1:]:
        total = builder.fadd(total, builder.load(place))
    return total
