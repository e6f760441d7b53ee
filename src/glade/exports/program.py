"""A description as a program: named steps in stages, each of which reads inputs and the steps of earlier stages."""

from dataclasses import dataclass, field
from itertools import count

from glade.exports.description import Condition, Curve, Description, Input, Line, Node, Target, Term, TreeSum
from glade.exports.formulas import (
    Above,
    AllOf,
    AnyOf,
    AtMost,
    Clipped,
    Conditional,
    Constant,
    Continued,
    Formula,
    InputValue,
    IsAmong,
    IsKnown,
    IsMissing,
    IsNotAmong,
    Lookup,
    Product,
    Quotient,
    StepValue,
    Test,
    Total,
)
from glade.exports.links import Stage, add_links, logistic
from glade.losses.links import LARGEST_EXPONENT

AT_ONCE = 200  # parts of a sum that one step adds up: engines limit how long a formula may be
VOTES = "votes"  # the step that adds them up
LEVELS = 10  # of a tree that one step goes down: engines limit how deep a formula may be


@dataclass(frozen=True)
class Output:
    """The values of a target, which are steps: one for a number, else one for each class."""

    target: Target
    values: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """Steps by stages, and which of them are the values of the targets.

    Parameters
    ----------
    inputs
        All that the model was fitted on.
    stages
        For each stage its steps by name.
    outputs
        Of the targets.
    words
        What some steps mean, for a person to read.
    """

    inputs: tuple[Input, ...]
    stages: tuple[Stage, ...]
    outputs: tuple[Output, ...]
    words: dict[str, str] = field(default_factory=dict)


def make_program(model: Description) -> Program:
    """Return the program that finds what the model predicts.

    Parameters
    ----------
    model
        The description of a fitted model.
    """
    words: dict[str, str] = {}
    scores: list[Formula] = [Constant(value) for value in model.offset]
    stages = list_votes(model)
    for first in range(0, len(model.terms), AT_ONCE):
        _add_terms(model, first, stages, scores, words)
    trees = count(1)
    for own in model.sums:
        _add_trees(own, model.inputs, stages, scores, trees)
    named = {f"score_{s + 1}": score for s, score in enumerate(scores)}
    stages.append(named)
    places = [StepValue(name) for name in named]
    outputs, links, first = [], list[Stage](), 0
    for t, target in enumerate(model.targets, start=1):
        own_links, values = add_links(places[first : first + target.n_scores], target, f"value_{t}")
        for k, stage in enumerate(own_links):
            links += [{}] if k == len(links) else []
            links[k] |= stage
        outputs.append(Output(target, tuple(values)))
        first += target.n_scores
    return Program(model.inputs, (*stages, *links), tuple(outputs), words)


def list_votes(model: Description) -> list[Stage]:
    """Stages with the votes of rules that have some, and with their sum; none where no rule has.

    Parameters
    ----------
    model
        The description of a fitted model.
    """
    votes: Stage = {
        f"vote_{k}": Conditional(_write_all(term.conditions, model.inputs), Constant(term.vote), Constant(0.0))
        for k, term in enumerate(model.terms, start=1)
        if term.vote is not None
    }
    if not votes:
        return []
    names = list(map(StepValue, votes))
    sums: Stage = {
        f"votes_{first}": Total(tuple(names[first : first + AT_ONCE])) for first in range(0, len(names), AT_ONCE)
    }
    return [votes, sums, {VOTES: Total(tuple(map(StepValue, sums)))}]


def _add_terms(
    model: Description, first: int, stages: list[Stage], scores: list[Formula], words: dict[str, str]
) -> None:
    """Add a stage with some terms, and what they add to the scores."""
    stage: Stage = {}
    for k, term in enumerate(model.terms[first : first + AT_ONCE], start=first + 1):
        name = f"{term.kind.replace(' ', '_')}_{k}"
        stage[name], words[name] = write_term(term, model.inputs, k), term.words
    if first:  # what was added up so far gets a name of its own
        for s, score in enumerate(scores):
            stage[f"sum_{first}_{s + 1}"] = score
            scores[s] = StepValue(f"sum_{first}_{s + 1}")
    stages.append(stage)
    own = list(stage)[: len(model.terms[first : first + AT_ONCE])]
    for s, score in enumerate(scores):
        effects = [term.effect[s] for term in model.terms[first : first + AT_ONCE]]
        parts = [Product(Constant(e), StepValue(name)) for e, name in zip(effects, own, strict=True) if e != 0.0]
        scores[s] = Total((score, *parts)) if parts else score


def _add_trees(
    own: TreeSum, inputs: tuple[Input, ...], stages: list[Stage], scores: list[Formula], number: "count[int]"
) -> None:
    """Add stages that send a row down trees, some of them side by side, and what their leaves add to the scores."""
    totals: list[Formula] = [Constant(0.0)] * own.n_scores
    for first in range(0, len(own.trees), AT_ONCE):
        start, stage = len(stages), dict[str, Formula]()
        if first:
            name = f"sum_{next(number)}"
            stage = {f"{name}_{s + 1}": total for s, total in enumerate(totals)}
            totals = [StepValue(step) for step in stage]
        parts: list[list[Formula]] = [[] if total == Constant(0.0) else [total] for total in totals]
        stages.append(stage)
        for tree in own.trees[first : first + AT_ONCE]:
            _add_tree(tree, inputs, stages, start, f"tree_{next(number)}", parts)
        totals = [p[0] if len(p) == 1 else Total(tuple(p)) for p in parts]
    for s, total in enumerate(totals):
        added, offset = _scale_total(total, own), scores[own.first + s]
        scores[own.first + s] = added if offset == Constant(0.0) else Total((offset, added))


def _scale_total(total: Formula, own: TreeSum) -> Formula:
    """What a sum over trees adds to a score: a mean, or a sum times a factor."""
    mean = total if own.divisor == 1 else Quotient(total, Constant(float(own.divisor)))
    return mean if own.factor == 1.0 else Product(Constant(own.factor), mean)


def _add_tree(
    tree: tuple[Node, ...],
    inputs: tuple[Input, ...],
    stages: list[Stage],
    start: int,
    name: str,
    parts: list[list[Formula]],
) -> None:
    """Add the steps of a tree from a stage on, and the values of its leaf to the parts of sums."""
    below = _list_starts(tree)
    if len(below) == 1 and len(parts) == 1:  # a step down a small tree gives its value itself
        stages[start][name] = write_subtree(tree, 0, inputs, set(), is_value=True)
        parts[0].append(StepValue(name))
        return
    cuts = {node for level in below[1:] for node in level}
    for k, level in enumerate(below):
        if start + k == len(stages):
            stages.append({})
        ways = tuple((node, write_subtree(tree, node, inputs, cuts)) for node in level)
        before = StepValue(f"{name}_from_{k}" if k > 1 else name)
        own = f"{name}_from_{k + 1}" if k else name
        stages[start + k][own] = Continued(before, ways) if k else ways[0][1]
    last = StepValue(own)
    leaves = [k for k, node in enumerate(tree) if node.test is None]
    for s, part in enumerate(parts):
        part.append(Lookup(last, tuple((k, tree[k].value[s]) for k in leaves)))


def _list_starts(tree: tuple[Node, ...]) -> list[list[int]]:
    """The nodes from which each of several steps goes on: the root, then nodes so many levels below, and so on."""
    levels, here = list[list[int]](), [0]
    while here:
        levels.append(here)
        for _ in range(LEVELS):
            inner = [tree[node] for node in here if tree[node].test is not None]
            here = [child for node in inner for child in (node.left, node.right)]
        here = [node for node in here if tree[node].test is not None]
    return levels


def write_subtree(
    tree: tuple[Node, ...], node: int, inputs: tuple[Input, ...], cuts: set[int], is_value: bool = False
) -> Formula:
    """Return the number of the leaf to which a row comes from a node, or of the node at which another step goes on.

    Parameters
    ----------
    tree
        Its nodes.
    node
        Where the row is.
    inputs
        Of the model.
    cuts
        Nodes at which other steps go on.
    is_value
        Whether the leaf's only value is wanted instead of its number.
    """

    def write(k: int, is_first: bool) -> Formula:
        test, left, right, value, _ = tree[k]
        if test is None or (k in cuts and not is_first):
            return Constant(value[0] if is_value else k)
        return Conditional(write_condition(test, inputs), write(left, False), write(right, False))

    return write(node, True)


def write_term(term: Term, inputs: tuple[Input, ...], number: int = 0) -> Formula:
    """Return the value of a term.

    Parameters
    ----------
    term
        Of any kind.
    inputs
        Of the model.
    number
        Of the term in the model, from 1 on: that of its vote.
    """
    if term.line is not None:
        return _write_line(term.line)
    on, off = Constant(1.0), Constant(0.0)
    if term.vote is not None:
        total = StepValue(VOTES)
        return Conditional(Above(total, off), Quotient(StepValue(f"vote_{number}"), total), off)
    if not term.curves:
        cases = [_write_all(own, inputs) for own in (term.conditions, *term.others)]
        own = Conditional(cases[0] if len(cases) == 1 else AnyOf(tuple(cases)), on, off)
        exceptions = tuple(_write_all(own, inputs) for own in term.exceptions)
        return Conditional(AnyOf(exceptions), off, own) if exceptions else own
    tests = [write_condition(condition, inputs) for condition in term.conditions]
    tests += [IsKnown(curve.input) for curve in term.curves if curve.missing is None]
    g = Total((Constant(term.constant), *map(_write_curve, term.curves)))
    tests.append(Above(g, Constant(-LARGEST_EXPONENT)))
    return Conditional(AllOf(tuple(tests)), Product(Constant(term.scale), logistic(g)), Constant(0.0))


def _write_all(conditions: tuple[Condition, ...], inputs: tuple[Input, ...]) -> Test:
    return AllOf(tuple(write_condition(condition, inputs) for condition in conditions))


def _write_line(line: Line) -> Formula:
    clipped = Clipped(InputValue(line.input), line.low, line.high)
    value = Product(Total((clipped, Constant(-line.centre))), Constant(line.scale))
    return Conditional(IsKnown(line.input), value, Constant(0.0))


def _write_curve(curve: Curve) -> Formula:
    clipped = Clipped(InputValue(curve.input), curve.low, curve.high)
    z = Quotient(Total((clipped, Constant(-curve.centre))), Constant(curve.width))
    height = Product(z, Total((Constant(curve.linear), Product(Constant(curve.square), z))))
    if curve.missing is None:
        return height  # a missing value is asked for elsewhere
    return Conditional(IsKnown(curve.input), height, Constant(curve.missing))


def write_condition(condition: Condition, inputs: tuple[Input, ...]) -> Test:
    """Return the test of one condition.

    Parameters
    ----------
    condition
        On an input.
    inputs
        Of the model.
    """
    j, low, high, among, missing, known = condition
    if among is None:
        return _write_interval(j, low, high, missing, known)
    labels = inputs[j].labels
    if missing:
        chosen = set(among)
        return IsNotAmong(j, tuple(label for c, label in enumerate(labels) if c not in chosen))
    return IsAmong(j, tuple(labels[c] for c in among))


def _write_interval(j: int, low: float | None, high: float | None, missing: bool, known: bool) -> Test:
    x = InputValue(j)
    tests: list[Test] = [Above(x, Constant(low))] if low is not None else []
    tests += [AtMost(x, Constant(high))] if high is not None else []
    if not known:
        return IsMissing(j) if missing else AnyOf(())
    if not tests:
        return AllOf(()) if missing else IsKnown(j)
    own = tests[0] if len(tests) == 1 else AllOf(tuple(tests))
    return AnyOf((own, IsMissing(j))) if missing else own
