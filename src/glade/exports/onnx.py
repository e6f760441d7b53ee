"""A model as an ONNX graph: one input for each column, for each target its prediction and the probabilities of classes.

Rules, soft rules and linear terms are written operator by operator from the formulas of the program; trees go down all
at once, in a loop over their levels. Only standard operators are used, and the label encoder of `ai.onnx.ml` for text.
"""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.names import quote_name
from glade.core.version import __version__
from glade.exports import formulas as f
from glade.exports.description import Description, Input, Label, Node, Target, TreeSum
from glade.exports.links import add_links
from glade.exports.naming import Names, check_text
from glade.exports.program import list_votes, write_term

OPSET, OPSET_ML, IR_VERSION = 17, 3, 8  # of 2022: runtimes since then read it
ML = "ai.onnx.ml"
PRECISIONS = {"float32": np.float32, "float64": np.float64}
TREES_AT_ONCE = 25  # of a forest: rows x trees x scores are in memory together
MISSING = -1  # the code of a missing or unseen category
ROWS = "rows"


def write_onnx(model: Description, *, precision: str = "float32") -> bytes:
    """Return a model as ONNX.

    Parameters
    ----------
    model
        The description of a fitted model.
    precision : {"float32", "float64"}
        Of numbers, those that are put in among them. With "float64" the predictions are those of glade; with "float32"
        they are rounded, and a row can take the other side of a cut if it lies nearer to it than float32 can tell.

    Returns
    -------
    bytes
        The content of a file whose name ends in .onnx.
    """
    if precision not in PRECISIONS:
        raise InputError(f"there is no precision {precision!r} here: give one of {', '.join(PRECISIONS)}")
    try:
        import onnx
    except ImportError:
        raise InputError("ONNX is written by the package onnx: pip install 'glade[onnx]'") from None
    content = _Writer(model, PRECISIONS[precision]).write(onnx)
    onnx.checker.check_model(content)
    return bytes(content.SerializeToString())


class _Graph:
    """Nodes and constants in the order in which they were made; whole graphs are written from it."""

    def __init__(self, onnx: Any, prefix: str, numbers: "count[int] | None" = None):
        self.onnx, self.prefix = onnx, prefix
        self.numbers = count(1) if numbers is None else numbers
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, operator: str, *inputs: str, domain: str = "", output: str = "", **attributes: Any) -> str:
        """Add an operation; its output is named."""
        name = output or f"{self.prefix}{next(self.numbers)}"
        node = self.onnx.helper.make_node(
            operator, list(inputs), [name], domain=domain, name=f"{name}_node", **attributes
        )
        self.nodes.append(node)
        return name

    def constant(self, value: Any) -> str:
        """Add a constant array."""
        name = f"{self.prefix}{next(self.numbers)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(value), name))
        return name


class _Writer:
    """Writes one model."""

    def __init__(self, model: Description, number: Any):
        self.model, self.number = model, number
        self.names = [own.name for own in model.inputs]
        for name in (*self.names, *(target.name for target in model.targets)):
            check_text(name, "ONNX")
        if "" in self.names:
            raise InputError("ONNX knows no input without a name: rename the column")
        self.taken = Names(self.names)
        prefix = "glade_"
        while any(name.startswith(prefix) for name in self.names):
            prefix = f"x{prefix}"
        self.prefix = prefix
        self.known: dict[f.Formula, str] = {}  # what was written already
        self.steps = {name: formula for stage in list_votes(model) for name, formula in stage.items()}
        self.values: list[str] = []  # of each input its numbers: rows x 1
        self.codes: list[str] = []  # and its categories

    def write(self, onnx: Any) -> Any:
        """Return the whole content of the file."""
        self.onnx, self.graph = onnx, _Graph(onnx, self.prefix)
        helper = onnx.helper
        self.type = helper.np_dtype_to_tensor_dtype(np.dtype(self.number))
        inputs = [self._declare(own) for own in self.model.inputs]
        scores = self._write_scores()
        outputs = []
        first = 0
        for target in self.model.targets:
            outputs += self._write_target(target, scores, first)
            first += target.n_scores
        graph = helper.make_graph(self.graph.nodes, "glade", inputs, outputs, self.graph.constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, OPSET_ML)]
        return helper.make_model(
            graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="glade", producer_version=__version__
        )

    def _declare(self, own: Input) -> Any:
        """Declare an input, and write what makes numbers and codes of it."""
        is_text = any(isinstance(label, str) for label in own.labels)
        if is_text:
            if not all(isinstance(label, str) for label in own.labels):
                raise InputError(f"ONNX knows no input of text and numbers together: {quote_name(own.name)} is one")
            for label in own.labels:
                check_text(str(label), "ONNX")
            codes = list(range(len(own.labels)))
            code = self.graph.add(
                "LabelEncoder",
                own.name,
                domain=ML,
                keys_strings=list(own.labels),
                values_int64s=codes,
                default_int64=MISSING,
            )
        elif own.labels:
            code = self._find_codes(own)
        else:  # numbers have no codes, and an input of which nothing is known is not looked at
            is_missing = self.graph.add("IsNaN", own.name)
            code = self._times_zero(is_missing, np.int64)
        self.values.append(own.name if own.is_number else self.graph.add("Cast", code, to=self.type))
        self.codes.append(code)
        kind = self.onnx.TensorProto.STRING if is_text else self.type
        return self.onnx.helper.make_tensor_value_info(own.name, kind, [ROWS, 1])

    def _find_codes(self, own: Input) -> str:
        """Codes of labels that are numbers or truth values."""
        labels = np.array([own.labels], self.number)
        if len(np.unique(labels)) < len(own.labels):
            raise InputError(
                f"two categories of {quote_name(own.name)} are the same number in float32: give precision='float64'"
            )
        graph = self.graph
        is_label = graph.add("Cast", graph.add("Equal", own.name, graph.constant(labels)), to=self._type_of(np.int64))
        place = graph.add("ArgMax", is_label, axis=1, keepdims=1)
        is_any = graph.add("Cast", graph.add("ReduceMax", is_label, axes=[1], keepdims=1), to=self._type_of(np.bool_))
        return graph.add("Where", is_any, place, graph.constant(np.array([[MISSING]], np.int64)))

    def _type_of(self, kind: Any) -> int:
        return int(self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)))

    def _times_zero(self, name: str, kind: Any) -> str:
        """A column of zeros with as many rows as another."""
        as_number = self.graph.add("Cast", name, to=self._type_of(kind))
        return self.graph.add("Mul", as_number, self.graph.constant(np.zeros((1, 1), kind)))

    def _number(self, values: Any) -> str:
        return self.graph.constant(np.asarray(values, self.number))

    def _write_scores(self) -> str:
        """Rows x scores."""
        graph, model = self.graph, self.model
        zeros = self._times_zero(self.codes[0], self.number)
        parts = [graph.add("Add", zeros, self._number([model.offset]))]
        if model.terms:
            columns = [
                graph.add("Add", zeros, self.write_formula(write_term(own, model.inputs, k)))
                for k, own in enumerate(model.terms, start=1)
            ]
            values = graph.add("Concat", *columns, axis=1)
            parts.append(graph.add("MatMul", values, self._number([own.effect for own in model.terms])))
        for own in model.sums:
            parts.append(self._write_sum(own))
        return graph.add("Sum", *parts)

    def _write_sum(self, own: TreeSum) -> str:
        """What trees add to all scores, to most of them perhaps nothing."""
        chunks = [own.trees[k : k + TREES_AT_ONCE] for k in range(0, len(own.trees), TREES_AT_ONCE)]
        totals = [self._write_trees(trees, own) for trees in chunks]
        total = self.graph.add("Sum", *totals)
        total = total if own.divisor == 1 else self.graph.add("Div", total, self._number([[own.divisor]]))
        return total if own.factor == 1.0 else self.graph.add("Mul", total, self._number([[own.factor]]))

    def _write_trees(self, trees: Sequence[tuple[Node, ...]], own: TreeSum) -> str:
        """The sum of the values of the leaves that each row comes to, by trees in one table of nodes."""
        graph, table = self.graph, _NodeTable.of(trees, self.model.inputs)
        value = np.zeros((len(table.left), len(self.model.offset)), self.number)
        value[:, own.first : own.first + own.n_scores] = table.values
        roots = graph.constant(table.roots[None])
        start = graph.add("Add", self._times_zero(self.codes[0], np.int64), roots)
        end = self._go_down(table, start) if table.depth else start
        return graph.add("ReduceSum", graph.add("Gather", graph.constant(value), end), graph.constant([1]), keepdims=0)

    def _go_down(self, table: "_NodeTable", start: str) -> str:
        """Rows x trees: the leaves, by a step for each level of the deepest tree."""
        graph, helper = self.graph, self.onnx.helper
        values, codes = (graph.add("Concat", *own, axis=1) for own in (self.values, self.codes))
        body = _Graph(self.onnx, f"{self.prefix}down_", graph.numbers)
        step, going, here = (f"{self.prefix}{name}_{next(graph.numbers)}" for name in ("step", "going", "here"))

        def look_up(column: Any) -> str:
            return body.add("Gather", graph.constant(column), here)

        def of_input(matrix: str) -> str:
            return body.add("GatherElements", matrix, look_up(table.input), axis=1)

        own = of_input(values)
        is_below = body.add("LessOrEqual", own, look_up(table.cut.astype(self.number)))
        is_gap = body.add("And", body.add("IsNaN", own), look_up(table.missing_left))
        is_left = body.add("Or", is_below, is_gap)
        if table.is_set.any():
            place = body.add("Add", look_up(table.set_start), of_input(codes))
            inside = body.add("Gather", graph.constant(table.inside), place)
            is_left = body.add("Or", body.add("And", look_up(table.is_set), inside), is_left)
        following = body.add("Where", is_left, look_up(table.left), look_up(table.right))
        still = body.add("Identity", going)
        places = [ROWS, len(table.roots)]
        whole, truth = self._type_of(np.int64), self._type_of(np.bool_)
        describe = helper.make_tensor_value_info
        loop = helper.make_graph(
            body.nodes,
            f"{self.prefix}levels",
            [describe(step, whole, []), describe(going, truth, []), describe(here, whole, places)],
            [describe(still, truth, []), describe(following, whole, places)],
        )
        return graph.add(
            "Loop", graph.constant(np.int64(table.depth)), graph.constant(np.bool_(True)), start, body=loop
        )

    def _write_target(self, target: Target, scores: str, first: int) -> list[Any]:
        """The outputs of a target: what is predicted, and the probabilities of classes."""
        graph, describe = self.graph, self.onnx.helper.make_tensor_value_info
        columns = [f.StepValue(f"score_{first + k}") for k in range(target.n_scores)]
        for k, column in enumerate(columns, start=first):
            self.known[column] = graph.add("Gather", scores, graph.constant(np.array([k])), axis=1)
        stages, names = add_links(columns, target, f"value_{first}")
        for stage in stages:
            for name, formula in stage.items():
                self.known[f.StepValue(name)] = self.write_formula(formula)
        values = [self.known[f.StepValue(name)] for name in names]
        predicted = self.taken.take(f"predicted_{target.name}")
        if target.classes is None:
            graph.add("Identity", values[0], output=predicted)
            return [describe(predicted, self.type, [ROWS, 1])]
        shares = graph.add("Concat", *values, axis=1, output=self.taken.take(f"probability_{target.name}"))
        labels = self._list_labels(target)
        best = self._choose(target, shares)
        graph.add("Gather", graph.constant(labels), best, output=predicted)
        kind = self.onnx.TensorProto.STRING if labels.dtype == object else self._type_of(labels.dtype)
        return [describe(predicted, kind, [ROWS, 1]), describe(shares, self.type, [ROWS, len(values)])]

    def _choose(self, target: Target, shares: str) -> str:
        """The place of the class that the probabilities speak for."""
        graph, decision = self.graph, target.decision
        if decision.threshold is not None and decision.event is not None:
            own = graph.add("Gather", shares, graph.constant(np.array([decision.event])), axis=1)
            is_event = graph.add("GreaterOrEqual", own, graph.constant(np.array(decision.threshold, self.number)))
            places = (graph.constant(np.array([k], np.int64)) for k in (decision.event, 1 - decision.event))
            return graph.add("Where", is_event, *places)
        if decision.weights is not None:
            counts = np.array(decision.weights, self.number)
            weighed = graph.add("Mul", shares, graph.constant(counts))
            shares = graph.add("Sub", weighed, graph.constant((counts == 0).astype(self.number)))
        if decision.costs is not None:
            expected = graph.add("MatMul", shares, graph.constant(np.array(decision.costs, self.number)))
            return graph.add("ArgMin", expected, axis=1, keepdims=1)
        return graph.add("ArgMax", shares, axis=1, keepdims=1)

    def _list_labels(self, target: Target) -> NDArray[Any]:
        """The classes, of one type."""
        labels: tuple[Label, ...] = target.classes or ()
        for kind, own in ((str, object), (bool, np.bool_), (int, np.int64), (float, self.number)):
            if all(type(label) is kind for label in labels):
                for label in labels:
                    check_text(str(label), "ONNX")
                return np.array(labels, own)
        raise InputError(f"ONNX knows no classes of several types together: {quote_name(target.name)} has such")

    def write_formula(self, formula: f.Formula) -> str:
        """Return the name of a formula's value, which is a column or a single number."""
        if formula not in self.known:
            self.known[formula] = self._write_new(formula)
        return self.known[formula]

    def _write_new(self, formula: f.Formula) -> str:
        graph = self.graph
        match formula:
            case f.Constant(value):
                return self._number([[value]])
            case f.InputValue(j):
                return self.values[j]
            case f.StepValue(name):
                return self.write_formula(self.steps[name])
            case f.Clipped(of, low, high):
                above = graph.add("Max", self.write_formula(of), self._number([[low]]))
                return graph.add("Min", above, self._number([[high]]))
            case f.IsKnown(j):
                return graph.add("Not", self.write_formula(f.IsMissing(j)))
            case f.IsMissing(j):
                return graph.add("IsNaN", self.values[j])
            case f.IsAmong(j, labels) | f.IsNotAmong(j, labels):
                is_in = isinstance(formula, f.IsAmong)
                chosen = {(type(label), label) for label in labels}
                inside = [((type(own), own) in chosen) == is_in for own in self.model.inputs[j].labels]
                return graph.add("Gather", graph.constant(np.array([*inside, not is_in])), self.codes[j])
            case f.AllOf(tests) | f.AnyOf(tests):
                return self._join(tests, isinstance(formula, f.AllOf))
        operator, parts = OPERATORS[type(formula)]
        inputs = [self.write_formula(getattr(formula, part)) for part in parts] if parts else self._list_parts(formula)
        return graph.add(operator, *inputs)

    def _list_parts(self, formula: Any) -> list[str]:
        return [self.write_formula(part) for part in formula.parts]

    def _join(self, tests: tuple[f.Test, ...], is_all: bool) -> str:
        if not tests:
            return self.graph.constant(np.array([[is_all]]))
        own = self.write_formula(tests[0])
        for test in tests[1:]:
            own = self.graph.add("And" if is_all else "Or", own, self.write_formula(test))
        return own


OPERATORS: dict[type[f.Formula], tuple[str, tuple[str, ...]]] = {
    f.Total: ("Sum", ()),
    f.Product: ("Mul", ("left", "right")),
    f.Quotient: ("Div", ("above", "below")),
    f.Exponential: ("Exp", ("of",)),
    f.Conditional: ("Where", ("test", "then", "otherwise")),
    f.Above: ("Greater", ("of", "edge")),
    f.AtMost: ("LessOrEqual", ("of", "edge")),
}


class _NodeTable:
    """The nodes of several trees one after another, as arrays; a leaf leads to itself."""

    def __init__(self, n_nodes: int, n_scores: int):
        self.input, self.left, self.right, self.set_start = (np.zeros(n_nodes, np.int64) for _ in range(4))
        self.cut = np.full(n_nodes, -np.inf)
        self.missing_left, self.is_set = np.zeros(n_nodes, bool), np.zeros(n_nodes, bool)
        self.values = np.zeros((n_nodes, n_scores))
        self.roots = np.zeros(0, np.int64)
        self.inside = np.zeros(1, bool)
        self.depth = 0
        self.n_inside = 1  # entries of all sets, after one that stands for none

    @classmethod
    def of(cls, trees: Sequence[tuple[Node, ...]], inputs: Sequence[Input]) -> "_NodeTable":
        n_scores = next(len(node.value) for node in trees[0] if node.test is None)
        table, sets = cls(sum(map(len, trees)), n_scores), [np.zeros(1, bool)]
        starts = np.cumsum([0, *map(len, trees)])
        for first, tree in zip(starts.tolist(), trees, strict=False):
            depth = [0] * len(tree)
            for k, node in enumerate(tree):
                if node.test is None:
                    table.left[first + k] = table.right[first + k] = first + k
                    table.values[first + k] = node.value
                    continue
                depth[node.left] = depth[node.right] = depth[k] + 1
                table.left[first + k], table.right[first + k] = first + node.left, first + node.right
                table._keep_test(first + k, node, inputs, sets)
            table.depth = max(table.depth, *depth)
        table.roots, table.inside = starts[:-1], np.concatenate(sets)
        return table

    def _keep_test(self, place: int, node: Node, inputs: Sequence[Input], sets: list[NDArray[np.bool_]]) -> None:
        test: Any = node.test
        self.input[place] = test.input
        if inputs[test.input].is_number:
            self.cut[place] = (np.inf if test.high is None else test.high) if test.known else -np.inf
            self.missing_left[place] = test.missing
            return
        inside = np.zeros(len(inputs[test.input].labels) + 1, bool)  # the first is that of a missing value
        inside[0] = test.missing
        inside[[c + 1 for c in (test.among or ()) if test.known]] = True
        self.is_set[place], self.set_start[place] = True, self.n_inside + 1
        self.n_inside += len(inside)
        sets.append(inside)
