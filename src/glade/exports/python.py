"""A model as a Python module that needs nothing but Python."""

import keyword
from collections.abc import Iterable, Sequence
from typing import ClassVar

from glade.core.names import show_name
from glade.core.version import __version__
from glade.exports import formulas as f
from glade.exports.description import Description, Input
from glade.exports.printing import Printer
from glade.exports.program import Output, Program, make_program

WIDTH = 100  # letters of a line, where that can be had
TAB = "    "
MAX_LABELS = 6  # that a condition lists; longer lists have a name
RESERVED = {"row", "exp", "nan", "isnan", "predict", "predict_proba", "csv", "sys", "main"}

HEAD = '''"""{title}

`predict(row)` returns the prediction for each target, `predict_proba(row)` the probabilities of the classes of each
nominal one. A row is a dictionary with these keys, among others:

{inputs}

None, NaN and empty text are missing values, and a category that training never saw counts as missing. As a program,
the module reads a table as CSV from standard input and writes its predictions as CSV: python MODULE.py < TABLE.csv
"""

import csv
import sys
from math import exp, isnan, nan

TARGETS = {targets}


def _number(row, name):
    value = row[name]
    if value is None or value == "":
        return nan
    return float(value)


def _label(row, name):
    value = row[name]
    return None if value is None or value != value else value


def _truth(row, name):
    value = _label(row, name)
    return {{"true": True, "false": False}}.get(value.lower()) if isinstance(value, str) else value


def _clip(value, low, high):
    return min(max(value, low), high)

'''

CHOOSE = """

def _choose(name, values):
    return values.index(max(values))
"""

# the class by a threshold of the event's probability, by what each class counts, or by what errors cost
CHOOSE_BY = """

THRESHOLDS = {thresholds}
CLASS_WEIGHTS = {class_weights}
COSTS = {costs}  # of each true class, what it costs to say each class


def _choose(name, values):
    if name in THRESHOLDS:
        event, least = THRESHOLDS[name]
        return event if values[event] >= least else 1 - event
    if name in CLASS_WEIGHTS:
        values = [value * own if own > 0 else -1.0 for value, own in zip(values, CLASS_WEIGHTS[name])]
    if name in COSTS:
        expected = [0.0 for _ in values]
        for value, row in zip(values, COSTS[name]):
            expected = [own + value * cost for own, cost in zip(expected, row)]
        values = [-own for own in expected]
    return values.index(max(values))
"""

TAIL = '''

def predict(row):
    """Return the prediction for each target: a number, or a class."""
    return {
        name: values[0] if classes is None else classes[_choose(name, values)]
        for (name, classes), values in zip(TARGETS.items(), _values(row))
    }


def predict_proba(row):
    """Return the probability of each class of each nominal target."""
    return {
        name: dict(zip(classes, values))
        for (name, classes), values in zip(TARGETS.items(), _values(row))
        if classes is not None
    }


if __name__ == "__main__":
    reader = csv.DictReader(sys.stdin)
    writer = csv.writer(sys.stdout)
    writer.writerow(TARGETS)
    for row in reader:
        writer.writerow(predict(row).values())
'''


def write_python(model: Description) -> str:
    """Return a module with `predict` and `predict_proba`, which reads one row at a time.

    Parameters
    ----------
    model
        The description of a fitted model.

    Returns
    -------
    str
        The text of the module.
    """
    program = make_program(model)
    printer = PythonPrinter(program)
    title = f"The predictions of a model that glade {__version__} fitted ({model.kind})."
    inputs = "\n".join(f"- {_describe_input(own)}" for own in program.inputs)
    targets = "{\n" + "".join(f"{TAB}{_entry(output)},\n" for output in program.outputs) + "}"
    head = HEAD.format(title=title, inputs=inputs, targets=targets)
    return head + printer.write_function(program) + _write_choice(program) + TAIL


def _write_choice(program: Program) -> str:
    """The function that says which class the probabilities speak for."""
    decided = [(output.target.name, output.target.decision) for output in program.outputs]
    thresholds = {name: (own.event, own.threshold) for name, own in decided if own.threshold is not None}
    weights = {name: list(own.weights) for name, own in decided if own.weights is not None}
    costs = {name: [list(row) for row in own.costs] for name, own in decided if own.costs is not None}
    if not thresholds and not weights and not costs:
        return CHOOSE
    return CHOOSE_BY.format(thresholds=ascii(thresholds), class_weights=ascii(weights), costs=ascii(costs))


def _describe_input(own: Input) -> str:
    """The key of an input and what it holds, so that no name ends the text in which it stands."""
    words = "a number" if own.is_number else f"one of {len(own.labels)} categories"
    return f"{show_name(own.name)!a}: {words}".replace("\\", "\\\\").replace('"', '\\"')


def _entry(output: Output) -> str:
    classes = output.target.classes
    return f"{output.target.name!a}: {None if classes is None else list_literals(classes)}"


def list_literals(values: Iterable[object]) -> str:
    """A list of texts, numbers and truth values as Python reads it, in ASCII."""
    return f"[{', '.join(ascii(value) for value in values)}]"


def _choose_names(program: Program) -> list[str]:
    """A variable for each input: its own name where Python can have it."""
    taken = RESERVED | {name for stage in program.stages for name in stage}
    names: list[str] = []
    for j, own in enumerate(program.inputs):
        name = own.name
        is_free = name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and name not in taken
        names.append(name if is_free and not name.startswith("_") and name not in names else f"_input_{j + 1}")
    return names


class PythonPrinter(Printer):
    """Prints formulas as Python.

    Parameters
    ----------
    program
        Whose formulas they are.
    """

    simple: ClassVar[tuple[type[f.Formula], ...]] = (*Printer.simple, f.Clipped, f.Lookup)

    def __init__(self, program: Program):
        self.names = _choose_names(program)
        self.tables: dict[str, str] = {}  # by their text, the names of constants: long sets, and the values of leaves

    def write_function(self, program: Program) -> str:
        """Return the function that finds the values of all targets, and what it needs."""
        steps = [(name, formula) for stage in program.stages for name, formula in stage.items()]
        read = {j for _, formula in steps for j in f.list_inputs_of(formula)}
        lines = [f"{TAB}{self.names[j]} = {_read_input(program.inputs[j])}" for j in sorted(read)]
        for name, formula in steps:
            if name in program.words:
                lines.append(f"{TAB}# {program.words[name][:WIDTH]}")
            lines += self._assign(name, formula, TAB)
        values = ", ".join(f"[{', '.join(output.values)}]" for output in program.outputs)
        lines.append(f"{TAB}return [{values}]")
        tables = "".join(f"\n{name} = {table}" for table, name in self.tables.items())
        return "\n".join([*([tables, "", ""] if tables else [""]), "def _values(row):", *lines, ""])

    def _keep(self, parts: Sequence[str], what: str) -> str:
        """The name of a constant of the module: these parts in braces, some to a line."""
        lines = [""]
        for part in parts:
            if len(lines[-1]) + len(part) > WIDTH and lines[-1]:
                lines.append("")
            lines[-1] += f"{part}, "
        text = "\n".join(["{", *(f"{TAB}{line.rstrip()}" for line in lines), "}"])
        return self.tables.setdefault(text, f"_{what}_{len(self.tables) + 1}")

    def _assign(self, name: str, formula: f.Formula, indent: str) -> list[str]:
        """The lines that give a step its value; choices within choices are blocks."""
        if isinstance(formula, f.Conditional):
            text = f"{indent}{name} = {self.write(formula)}"
            has_ways = isinstance(formula.then, f.Conditional) or isinstance(formula.otherwise, f.Conditional)
            if has_ways or (len(text) > WIDTH and not isinstance(formula.then, f.Constant)):
                then, otherwise = (self._assign(name, part, indent + TAB) for part in (formula.then, formula.otherwise))
                return [*self._ask("if", formula.test, indent), *then, f"{indent}else:", *otherwise]
            return [text]
        if isinstance(formula, f.Continued):
            return self._continue(name, formula, indent)
        if isinstance(formula, f.Total):
            return _break(f"{indent}{name} = ", self.list_parts(formula), indent)
        return [f"{indent}{name} = {self.write(formula)}"]

    def _ask(self, word: str, test: f.Test, indent: str) -> list[str]:
        return [f"{indent}{word} {self.write(test)}:"]

    def _continue(self, name: str, formula: f.Continued, indent: str) -> list[str]:
        before = self.write(formula.of)
        lines = [f"{indent}{name} = {before}"]
        for k, (node, then) in enumerate(formula.then):
            word = "elif" if k else "if"
            lines += [f"{indent}{word} {before} == {node}:", *self._assign(name, then, indent + TAB)]
        return lines

    def write_constant(self, formula: f.Constant) -> str:
        return repr(formula.value)

    def write_input_value(self, formula: f.InputValue) -> str:
        return self.names[formula.input]

    def write_step_value(self, formula: f.StepValue) -> str:
        return formula.name

    def write_conditional(self, formula: f.Conditional) -> str:
        return f"{self._nested(formula.then)} if {self.write(formula.test)} else {self._nested(formula.otherwise)}"

    def write_clipped(self, formula: f.Clipped) -> str:
        return f"_clip({self.write(formula.of)}, {formula.low!r}, {formula.high!r})"

    def write_lookup(self, formula: f.Lookup) -> str:
        name = self._keep([f"{k}: {value!r}" for k, value in formula.values], "VALUES")
        return f"{name}[{self.write(formula.of)}]"

    def write_is_known(self, formula: f.IsKnown) -> str:
        return f"not isnan({self.names[formula.input]})"

    def write_is_missing(self, formula: f.IsMissing) -> str:
        return f"isnan({self.names[formula.input]})"

    def write_is_among(self, formula: f.IsAmong) -> str:
        return self._tell(formula, "==", "in", "False")

    def write_is_not_among(self, formula: f.IsNotAmong) -> str:
        return self._tell(formula, "!=", "not in", "True")

    def _tell(self, formula: f.IsAmong | f.IsNotAmong, of_one: str, of_many: str, of_none: str) -> str:
        labels, name = [ascii(label) for label in formula.labels], self.names[formula.input]
        if len(labels) < 2:
            return f"{name} {of_one} {labels[0]}" if labels else of_none
        own = f"{{{', '.join(labels)}}}" if len(labels) <= MAX_LABELS else self._keep(labels, "SET")
        return f"{name} {of_many} {own}"

    def write_all_of(self, formula: f.AllOf) -> str:
        return self._join_tests(formula.tests, "and", "True")

    def write_any_of(self, formula: f.AnyOf) -> str:
        return self._join_tests(formula.tests, "or", "False")


def _read_input(own: Input) -> str:
    labels = own.labels
    reader = "_label"
    if own.is_number or (labels and all(type(label) in (int, float) for label in labels)):
        reader = "_number"
    elif labels and all(isinstance(label, bool) for label in labels):
        reader = "_truth"
    return f"{reader}(row, {own.name!a})"


def _break(head: str, parts: Sequence[str], indent: str) -> list[str]:
    """A sum in one line, or a part to a line."""
    text = head + " ".join(parts)
    if len(text) <= WIDTH:
        return [text]
    return [f"{head}(", *(f"{indent}{TAB}{part}" for part in parts), f"{indent})"]
