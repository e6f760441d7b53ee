"""Fitted models as descriptions, read through what their rooms offer: terms, stored trees, links."""

from collections.abc import Callable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.kinds import FOREST, MULTITREE, RULES, TREE
from glade.data.table import Schema
from glade.data.targets import TargetSchema
from glade.ensemble.forest import Forest, to_votes
from glade.ensemble.smoothing import mix_shares
from glade.exports.description import Condition, Curve, Description, Input, Label, Line, Node, Target, Term, TreeSum
from glade.grow.node_table import NodeTable, SplitKind
from glade.rules.model import RuleModel

AS_THEY_ARE = "identity"


def describe_model(model: Any) -> Description:
    """Return any fitted model of glade as plain data.

    Parameters
    ----------
    model
        A fitted estimator, a `RuleModel`, or a description, which is returned as it is.
    """
    if isinstance(model, Description):
        return model
    own = getattr(model, "description", None)
    if isinstance(own, Description):
        return own
    if isinstance(model, RuleModel):
        return _describe_rules(model)
    kind = getattr(model, "kind", None)
    if kind == MULTITREE:
        raise InputError(
            "a multi-tree is many trees at once: export one of them, such as model.archetype(), which glade archetype"
            " writes to a file"
        )
    if kind not in READERS:
        raise InputError(f"a {type(model).__name__} cannot be exported: give a fitted model of glade")
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    return _decide_as(READERS[kind](model), model.target_schema_)


def _decide_as(description: Description, schema: TargetSchema) -> Description:
    """Parts of a model may know nothing of its thresholds and costs, which may also have changed since the fit."""
    own = zip(description.targets, schema.decisions_of_all, strict=True)
    return replace(description, targets=tuple(replace(target, decision=decision) for target, decision in own))


def _describe_rules(model: RuleModel) -> Description:
    terms, scores = model.terms, model.scores
    own = _list_scored_channels(scores)
    effect, design = terms.effect[:, own], terms.design
    described = [block.describe(k) for block in design.blocks for k in range(len(block))]
    inputs = list_inputs(model.schema)
    shares = np.where(design.is_rule, terms.share / design.unit, np.nan)
    return Description(
        RULES,
        inputs,
        _list_targets(model.targets, [(loss.link.name, loss.n_scores) for loss in scores.losses.losses]),
        tuple(terms.offset[own].tolist()),
        terms=tuple(
            _read_term(about, words, tuple(effect[k].tolist()), float(shares[k]), inputs)
            for k, (about, words) in enumerate(zip(described, design.words, strict=True))
        ),
    )


def _list_scored_channels(scores: Any) -> list[int]:
    """The channels that have a score: of two classes only the second has one."""
    ends = scores.targets.start[1:].tolist()
    counts = [loss.n_scores for loss in scores.losses.losses]
    return [c for end, n in zip(ends, counts, strict=True) for c in range(end - n, end)]


def _read_term(
    about: dict[str, Any], words: str, effect: tuple[float, ...], share: float, inputs: tuple[Input, ...]
) -> Term:
    """A term by what its block says of it."""
    if "linear" in about:
        return Term(words, effect, None, line=Line(*about["linear"]))
    if "if" not in about:
        raise InputError(f"the term {words!r} is of a kind that exports do not know yet")
    conditions, *others = (_read_conditions(own, inputs) for own in (about["if"], *about.get("or", ())))
    if "curves" not in about:
        exceptions = tuple(_read_conditions(own, inputs) for own in about.get("unless", ()))
        more: dict[str, Any] = {"others": tuple(others), "exceptions": exceptions, "vote": about.get("vote")}
        return Term(words, effect, share, conditions, **more)
    curves = tuple(Curve(*own) for own in about["curves"])
    return Term(words, effect, share, conditions, curves, about["constant"], about["scale"])


def _read_conditions(about: list[list[Any]], inputs: tuple[Input, ...]) -> tuple[Condition, ...]:
    return tuple(_read_condition(own, inputs) for own in about)


def _read_condition(about: list[Any], inputs: tuple[Input, ...]) -> Condition:
    """Input, low, high, whether missing fulfils it, and the categories: none of them for the test "is missing"."""
    j, low, high, missing, among = about
    is_missing = among is not None and not among
    return make_condition(inputs, j, low, high, None if is_missing else among, bool(missing), not is_missing)


def make_condition(
    inputs: tuple[Input, ...],
    j: int,
    low: float | None,
    high: float | None,
    among: Any,
    missing: bool,
    known: bool = True,
) -> Condition:
    """A condition in which labels are told by their places, those of an ordinal input too."""
    if inputs[j].is_number:
        return Condition(j, low if known else None, high if known else None, None, missing, known)
    if among is None:
        below, above = (-1.0 if low is None else low), (float(len(inputs[j].labels)) if high is None else high)
        among = [c for c in range(len(inputs[j].labels)) if below < c <= above] if known else []
    return Condition(j, None, None, tuple(map(int, among)), missing, known)


def _describe_tree(model: Any) -> Description:
    inputs, schema = list_inputs(model.schema_), model.target_schema_
    n = int(schema.start[-1])
    tree = read_tree(model.tree_, model.said_tree_.value, inputs)
    return Description(TREE, inputs, _list_plain_targets(schema), (0.0,) * n, sums=(TreeSum((tree,), 0, n),))


def _describe_forest(model: Any) -> Description:
    inputs = list_inputs(model.schema_)
    sums: list[TreeSum] = []
    offset: list[float] = []
    targets: list[Target] = []
    for forest in model.forests_:
        sums.append(_read_forest(forest, model.voting, inputs, len(offset)))
        grows_on = forest.learning_rate > 0
        offset += forest.start.tolist() if grows_on else [0.0] * len(forest.start)
        targets += _list_targets(forest.schema, [(link.name, link.n_scores) for link in forest.links])
    return Description(FOREST, inputs, tuple(targets), tuple(offset), sums=tuple(sums))


def _read_forest(forest: Forest, voting: str, inputs: tuple[Input, ...], first: int) -> TreeSum:
    value = to_votes(forest.nodes.value, forest.schema) if voting == "majority" else forest.nodes.value
    value = mix_shares(value, forest.schema, forest.mixed)
    ends = [*forest.nodes.roots[1:].tolist(), forest.n_nodes]
    trees = [
        read_tree(tree, value[end - tree.n_nodes : end], inputs) for tree, end in zip(forest.trees, ends, strict=True)
    ]
    factor, divisor = (forest.learning_rate, 1) if forest.learning_rate > 0 else (1.0, max(len(trees), 1))
    return TreeSum(tuple(trees), first, len(forest.start), factor, divisor)


def read_tree(tree: NodeTable, value: NDArray[np.float64], inputs: tuple[Input, ...]) -> tuple[Node, ...]:
    """Return the nodes of one tree.

    Parameters
    ----------
    tree
        A table of one tree.
    value
        Nodes x scores.
    inputs
        Of the model.
    """
    nodes = []
    for k in range(tree.n_nodes):
        split = int(tree.split[k])
        if split < 0:
            nodes.append(Node(None, -1, -1, tuple(value[k].tolist())))
            continue
        left = int(tree.split_left[split])
        nodes.append(Node(_read_split(tree, split, inputs), left, left + 1, ()))
    return tuple(nodes)


def _read_split(tree: NodeTable, split: int, inputs: tuple[Input, ...]) -> Condition:
    """What leads to the left: a value that is not above the cut, or a category of the set, or not of it."""
    j, missing = int(tree.split_input[split]), bool(tree.split_missing_left[split])
    kind, labels = SplitKind(int(tree.split_kind[split])), inputs[j].labels
    if kind == SplitKind.NOMINAL:
        chosen = set(tree.set_of(split).tolist())
        among = [c for c in range(len(labels)) if (c in chosen) != missing]
        return make_condition(inputs, j, None, None, among, missing)
    high = None if kind == SplitKind.IS_MISSING else float(tree.split_cut[split])
    return make_condition(inputs, j, None, high, None, missing)


def list_inputs(schema: Schema) -> tuple[Input, ...]:
    """The inputs of a schema, with labels as plain values."""
    own = zip(schema.names, schema.kinds, schema.labels, schema.has_missing, strict=True)
    return tuple(Input(name, kind, tuple(map(to_plain, labels or ())), bool(gaps)) for name, kind, labels, gaps in own)


def _list_plain_targets(schema: TargetSchema) -> tuple[Target, ...]:
    """Targets that have a score for each channel, which is its value."""
    return _list_targets(schema, [(AS_THEY_ARE, n) for n in np.diff(schema.start).tolist()])


def _list_targets(schema: TargetSchema, links: list[tuple[str, int]]) -> tuple[Target, ...]:
    own = zip(schema.names, schema.classes, links, schema.decisions_of_all, strict=True)
    return tuple(
        Target(name, None if classes is None else tuple(map(to_plain, classes.tolist())), *link, decision)
        for name, classes, link, decision in own
    )


def to_plain(label: Any) -> Label:
    """A label as text, a number or a truth value; what is none of these, such as an interval, by its text.

    >>> [to_plain(x) for x in (np.int64(3), np.bool_(True), 0.5, "a", (1, 2))]
    [3, True, 0.5, 'a', '(1, 2)']
    """
    if isinstance(label, (bool, np.bool_)):
        return bool(label)
    if isinstance(label, Integral):
        return int(label)
    return float(label) if isinstance(label, Real) else str(label)


READERS: dict[str, Callable[[Any], Description]] = {
    RULES: lambda model: _describe_rules(model.model_),
    TREE: _describe_tree,
    FOREST: _describe_forest,
}
