"""A description as JSON, and back: for programs that are not Python's, and for glade itself.

docs/reference/json.md says what each name means, docs/reference/model.schema.json the same for programs that check.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from glade.core.errors import ModelFileError
from glade.core.version import __version__
from glade.data.decisions import PLAIN, Decision
from glade.exports.description import (
    LINEAR_TERM,
    LOGIC_RULE,
    RULE,
    SOFT_RULE,
    VOTING_RULE,
    Condition,
    Curve,
    Description,
    Input,
    Label,
    Line,
    Node,
    Target,
    Term,
    TreeSum,
)
from glade.exports.fields import Fields

FORMAT, VERSION = "glade model", 1
BY_LINES = 2  # so many lists within one another have a line for each entry


def write_json(model: Description) -> str:
    """Return a model as JSON.

    Parameters
    ----------
    model
        The description of a fitted model.

    Returns
    -------
    str
        The text, which `from_json` reads.
    """
    content = {
        "format": FORMAT,
        "version": VERSION,
        "glade": __version__,
        "kind": model.kind,
        "inputs": [_store_input(own) for own in model.inputs],
        "targets": [_store_target(own) for own in model.targets],
        "offset": list(model.offset),
        "terms": [_store_term(own, model.inputs) for own in model.terms],
        "sums": [_store_sum(own, model.inputs) for own in model.sums],
    }
    return _write(content, BY_LINES) + "\n"


def _write(value: Any, by_lines: int) -> str:
    """Objects and lists with an entry to a line at the top, the rest in one line."""
    if by_lines < 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=True, allow_nan=False)
    if isinstance(value, list):
        if not isinstance(value[0], (dict, list)):
            return json.dumps(value, ensure_ascii=True, allow_nan=False)
        return "[\n" + ",\n".join(_write(own, by_lines - 2) for own in value) + "\n]"
    entries = [f"{json.dumps(name)}: {_write(own, by_lines - 1)}" for name, own in value.items()]
    return "{\n" + ",\n".join(entries) + "\n}"


def _store_input(own: Input) -> dict[str, Any]:
    stored: dict[str, Any] = {"name": own.name, "kind": own.kind}
    if not own.is_number:
        stored["labels"] = list(own.labels)
    return {**stored, "has_missing": own.has_missing}


def _store_target(own: Target) -> dict[str, Any]:
    classes = None if own.classes is None else list(own.classes)
    stored: dict[str, Any] = {"name": own.name, "classes": classes, "link": own.link, "n_scores": own.n_scores}
    if classes is None:
        return stored
    decision = own.decision
    counts = None if decision.weights is None else list(decision.weights)
    stored = {**stored, "event": decision.event, "threshold": decision.threshold, "class_weights": counts}
    return stored if decision.costs is None else {**stored, "costs": [list(row) for row in decision.costs]}


def store_condition(own: Condition, inputs: Sequence[Input]) -> dict[str, Any]:
    """Return a condition as JSON values.

    Parameters
    ----------
    own
        The condition.
    inputs
        Of the model.
    """
    labels = inputs[own.input].labels
    categories = None if own.among is None else [labels[c] for c in own.among]
    return {
        "input": inputs[own.input].name,
        "low": own.low,
        "high": own.high,
        "categories": categories if own.known else [],  # none of them: the input is missing
        "missing": own.missing,
    }


def _store_term(own: Term, inputs: Sequence[Input]) -> dict[str, Any]:
    stored: dict[str, Any] = {"kind": own.kind, "words": own.words, "effect": list(own.effect)}
    if own.line is not None:
        return {**stored, "line": _store_range(own.line, inputs)}
    stored |= {"share": own.share, "conditions": [store_condition(c, inputs) for c in own.conditions]}
    if own.kind == LOGIC_RULE:
        for name, cases in (("or", own.others), ("unless", own.exceptions)):
            stored[name] = [[store_condition(c, inputs) for c in case] for case in cases]
    if own.vote is not None:
        stored["vote"] = own.vote
    if own.curves:
        curves = [_store_range(curve, inputs) for curve in own.curves]
        stored |= {"curves": curves, "constant": own.constant, "scale": own.scale}
    return stored


def _store_range(own: Line | Curve, inputs: Sequence[Input]) -> dict[str, Any]:
    """A line or a curve by its fields; an end that is infinite is none."""
    fields = own._asdict() | {"input": inputs[own.input].name}
    return {name: None if isinstance(x, float) and math.isinf(x) else x for name, x in fields.items()}


def _store_sum(own: TreeSum, inputs: Sequence[Input]) -> dict[str, Any]:
    return {
        "first": own.first,
        "n_scores": own.n_scores,
        "factor": own.factor,
        "divisor": own.divisor,
        "trees": [[_store_node(node, inputs) for node in tree] for tree in own.trees],
    }


def _store_node(own: Node, inputs: Sequence[Input]) -> dict[str, Any]:
    if own.test is None:
        return {"value": list(own.value)}
    return {"test": store_condition(own.test, inputs), "left": own.left, "right": own.right}


def read_description(text: str | bytes) -> Description:
    """Return the description in a JSON text; one that holds none is refused with what is wrong.

    Parameters
    ----------
    text
        What `write_json` returned.
    """
    try:
        content = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as fault:
        raise ModelFileError(f"this is no JSON of glade's: {fault}") from None
    fields = Fields(content, "the model")
    if fields.get("format", str) != FORMAT:
        raise ModelFileError(f"this JSON is of another kind: its format is not {FORMAT!r}")
    if fields.get("version", int) != VERSION:
        raise ModelFileError(f"this JSON is of version {fields.get('version', int)}, and glade reads {VERSION}")
    inputs = tuple(_read_input(own) for own in fields.list_of("inputs"))
    targets = tuple(_read_target(own) for own in fields.list_of("targets"))
    fields.require(targets, "it has no targets")
    for what, names in (("inputs", inputs), ("targets", targets)):
        fields.require(len({own.name for own in names}) == len(names), f"two of its {what} have the same name")
    n_scores = sum(own.n_scores for own in targets)
    reader = _Reader(inputs, n_scores)
    return Description(
        fields.get("kind", str),
        inputs,
        targets,
        fields.numbers("offset", n_scores),
        tuple(reader.read_term(own) for own in fields.list_of("terms")),
        tuple(reader.read_sum(own) for own in fields.list_of("sums")),
    )


def _refuse(word: str) -> None:
    raise ValueError(f"it holds {word}, which is no number")


def _read_input(fields: Fields) -> Input:
    kind = fields.choice("kind", ("numeric", "nominal", "ordinal"))
    labels = () if kind == "numeric" else fields.labels("labels")
    return Input(fields.get("name", str), kind, labels, fields.get("has_missing", bool))


def _read_target(fields: Fields) -> Target:
    from glade.exports.links import LINKS

    classes = None if fields.is_none("classes") else fields.labels("classes")
    fields.require(classes is None or classes, "it has no classes")
    link, n_scores = fields.choice("link", tuple(LINKS)), fields.get("n_scores", int)
    n_values = 1 if classes is None else len(classes)
    fields.require(
        n_scores == (1 if link in ("logit", "pair_shares") else n_values), "its scores do not fit its classes"
    )
    decision = PLAIN if classes is None else _read_decision(fields, classes)
    return Target(fields.get("name", str), classes, link, n_scores, decision)


def _read_decision(fields: Fields, classes: tuple[Label, ...]) -> Decision:
    """How probabilities become a class; a text of an older glade says nothing of it."""
    event = None if fields.is_none("event") else fields.get("event", int)
    fields.require(event is None if len(classes) != 2 else event in (0, 1), "its event is none of two classes")
    threshold = None if fields.is_none("threshold") else fields.number("threshold")
    fields.require(threshold is None or event is not None, "it has a threshold and no event")
    counts = None if fields.is_none("class_weights") else fields.numbers("class_weights", len(classes))
    fields.require(counts is None or min(counts) >= 0, "a class counts less than nothing")
    return Decision(event, threshold, counts, _read_costs(fields, len(classes)))


def _read_costs(fields: Fields, n_classes: int) -> tuple[tuple[float, ...], ...] | None:
    """What it costs to say each class where each is true."""
    if not fields.has("costs") or fields.is_none("costs"):
        return None
    costs = fields.rows("costs", n_classes)
    fields.require(len(costs) == n_classes > 2 and min(map(min, costs)) >= 0, "its costs are not those of its classes")
    return costs


class _Reader:
    """Reads what refers to the inputs and the scores."""

    def __init__(self, inputs: Sequence[Input], n_scores: int):
        self.inputs, self.n_scores = inputs, n_scores
        self.place = {own.name: j for j, own in enumerate(inputs)}
        self.codes = [{(type(label), label): c for c, label in enumerate(own.labels)} for own in inputs]

    def read_term(self, fields: Fields) -> Term:
        words, effect = fields.get("words", str), fields.numbers("effect", self.n_scores)
        kind = fields.choice("kind", (RULE, SOFT_RULE, LINEAR_TERM, LOGIC_RULE, VOTING_RULE))
        if kind == LINEAR_TERM:
            return Term(words, effect, None, line=self._read_range(fields.part("line"), Line))
        share = None if fields.is_none("share") else fields.number("share")
        conditions = tuple(self.read_condition(own) for own in fields.list_of("conditions"))
        if kind in (RULE, LOGIC_RULE):
            more = [self._read_cases(fields, name) for name in ("or", "unless")] if kind == LOGIC_RULE else [(), ()]
            return Term(words, effect, share, conditions, others=more[0], exceptions=more[1])
        if kind == VOTING_RULE:
            vote = fields.number("vote")
            fields.require(0.0 < vote <= 1.0, "its vote is not above 0 and at most 1")
            return Term(words, effect, share, conditions, vote=vote)
        curves = tuple(self._read_range(own, Curve) for own in fields.list_of("curves"))
        fields.require(curves, "it is soft and has no curves")
        return Term(words, effect, share, conditions, curves, fields.number("constant"), fields.number("scale"))

    def _read_cases(self, fields: Fields, name: str) -> tuple[tuple[Condition, ...], ...]:
        given = fields.get(name, list)
        cases = [fields.name_list(k, own, f"'{name}'", "condition") for k, own in enumerate(given)]
        return tuple(tuple(self.read_condition(own) for own in case) for case in cases)

    def read_condition(self, fields: Fields) -> Condition:
        j = self._find(fields)
        missing, is_number = fields.get("missing", bool), self.inputs[j].is_number
        if not fields.is_none("categories"):
            labels = fields.get("categories", list)
            if not labels:
                return Condition(j, None, None, None if is_number else (), missing, False)
            return Condition(j, None, None, tuple(self._find_code(j, label, fields) for label in labels), missing)
        fields.require(is_number, "it has no categories, and its input is not numeric")
        low, high = (None if fields.is_none(name) else fields.number(name) for name in ("low", "high"))
        return Condition(j, low, high, None, missing)

    def _find(self, fields: Fields) -> int:
        name = fields.get("input", str)
        fields.require(name in self.place, f"it names an input {name!r} that the model does not have")
        return self.place[name]

    def _find_code(self, j: int, label: Label, fields: Fields) -> int:
        is_plain = isinstance(label, (str, int, float))
        fields.require(
            is_plain and (type(label), label) in self.codes[j], f"it names a category {label!r} that is none"
        )
        return self.codes[j][type(label), label]

    def _read_range(self, fields: Fields, kind: Callable[..., Any]) -> Any:
        j = self._find(fields)
        fields.require(self.inputs[j].is_number, "its input is not numeric")
        ends = {"low": -math.inf, "high": math.inf}
        own: dict[str, Any] = {
            name: ends.get(name) if fields.is_none(name) else fields.number(name)
            for name in kind._fields[1:]  # type: ignore[attr-defined]  # Line and Curve are named tuples
        }
        needed = [name for name, x in own.items() if x is None and name != "missing"]
        fields.require(not needed, f"{needed[0] if needed else ''!r} is null")
        fields.require(own["low"] <= own["high"] and own.get("width") != 0.0, "its range is empty")
        return kind(j, **own)

    def read_sum(self, fields: Fields) -> TreeSum:
        first, n_scores = fields.get("first", int), fields.get("n_scores", int)
        fields.require(first >= 0 and 0 < n_scores <= self.n_scores - first, "it adds to scores that there are not")
        divisor = fields.get("divisor", int)
        fields.require(divisor > 0, "its divisor is not positive")
        trees = tuple(
            self._read_tree(fields.name_list(k, own), n_scores) for k, own in enumerate(fields.get("trees", list))
        )
        return TreeSum(trees, first, n_scores, fields.number("factor"), divisor)

    def _read_tree(self, nodes: list[Fields], n_scores: int) -> tuple[Node, ...]:
        tree = []
        for k, fields in enumerate(nodes):
            if fields.has("value"):
                tree.append(Node(None, -1, -1, fields.numbers("value", n_scores)))
                continue
            left, right = fields.get("left", int), fields.get("right", int)
            fields.require(k < left < len(nodes) and k < right < len(nodes), "it leads to no later node")
            tree.append(Node(self.read_condition(fields.part("test")), left, right, ()))
        return tuple(tree)
