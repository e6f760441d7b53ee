"""A model as a query: the rows of a table with what is predicted for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from glade.core.errors import InputError
from glade.core.version import __version__
from glade.data.decisions import Decision
from glade.exports import formulas as f
from glade.exports.description import Description, Input, Label, Target
from glade.exports.naming import Names, check_text
from glade.exports.printing import Printer
from glade.exports.program import Output, Program, make_program

LARGEST_WHOLE = 2**62  # powers of two below, and numerators below 2**53, are told exactly by their decimals
EXACT_DIGITS = 15  # of a decimal that every engine reads as the nearest number
LONGEST_NAME = 60  # letters (or bytes, where that is more) of a column that is made


@dataclass(frozen=True)
class Dialect:
    """How an engine differs from the others.

    Parameters
    ----------
    name
        Of the dialect.
    number, text, truth
        The types to which inputs are cast; where `text` is empty, text is taken as it is.
    materialised
        The words that keep a query from being written out again wherever its columns are used.
    exponent
        Whether a number needs an exponent to be one of double precision.
    casts_steps
        Whether a choice between constants has to be told its type.
    has_nan
        Whether a number may be NaN, which counts as missing.
    empty_is_missing
        Whether numbers may be empty text, as in a table read from CSV.
    reads_decimals
        Whether decimals of any length are read as the nearest number.
    """

    name: str
    number: str = "DOUBLE PRECISION"
    text: str = ""
    truth: str = "BOOLEAN"
    materialised: str = ""
    exponent: bool = False
    casts_steps: bool = False
    has_nan: bool = False
    empty_is_missing: bool = False
    reads_decimals: bool = True


DIALECTS = {
    "ansi": Dialect("ansi", exponent=True),
    "sqlite": Dialect(
        "sqlite", "REAL", "TEXT", "INTEGER", "MATERIALIZED ", empty_is_missing=True, reads_decimals=False
    ),
    "duckdb": Dialect("duckdb", "DOUBLE", "VARCHAR", materialised="MATERIALIZED ", exponent=True, has_nan=True),
    "postgres": Dialect("postgres", text="TEXT", materialised="MATERIALIZED ", casts_steps=True, has_nan=True),
}


def write_sql(
    model: Description, *, dialect: str = "ansi", table: str = "rows", keep: Sequence[str] | None = None
) -> str:
    """Return one SELECT, which names the columns it reads and the table once each.

    Parameters
    ----------
    model
        The description of a fitted model.
    dialect : {"ansi", "sqlite", "duckdb", "postgres"}
        The language of the engine.
    table : str
        The name of the table with the rows.
    keep : sequence of str, optional
        The columns of the table that stand before the predictions; by default the inputs of the model.

    Returns
    -------
    str
        The text of the query.
    """
    if dialect not in DIALECTS:
        raise InputError(f"there is no dialect {dialect!r} of SQL here: give one of {', '.join(DIALECTS)}")
    program = make_program(model)
    kept = [own.name for own in program.inputs] if keep is None else list(keep)
    return SqlPrinter(program, DIALECTS[dialect], table, kept).write_query(model.kind)


def quote(name: str) -> str:
    """An identifier that is this very name.

    >>> print(quote('a "b"; --'))
    "a ""b""; --"
    """
    check_text(name, "SQL")
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def quote_text(text: str) -> str:
    """A text as a literal.

    >>> print(quote_text("it's"))
    'it''s'
    """
    check_text(text, "SQL")
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


class SqlPrinter(Printer):
    """Prints a program as a query of several stages.

    Parameters
    ----------
    program
        What is to be found.
    dialect
        Of the engine.
    table
        The name of the table.
    kept
        Columns of the table that are in the result.
    """

    def __init__(self, program: Program, dialect: Dialect, table: str, kept: list[str]):
        self.program, self.dialect, self.table, self.kept = program, dialect, table, kept
        taken = {name.casefold() for name in (*kept, *(own.name for own in program.inputs), table)}
        self.prefix = "glade_"
        while any(name.startswith(self.prefix) for name in taken):
            self.prefix = f"x{self.prefix}"

    def write_query(self, kind: str) -> str:
        """Return the whole text."""
        stages = [stage for stage in self.program.stages if stage]
        # What the rest of the query needs, from the last stage to the first.
        needed = {value for output in self.program.outputs for value in output.values}
        read = set[int]()
        kept = [self._kept(k + 1) for k in range(len(self.kept))]
        parts = []
        for number in range(len(stages), 0, -1):
            stage = stages[number - 1]
            carried = sorted(needed - stage.keys())
            columns = [*kept, *map(self._input, sorted(read)), *map(self._step, carried)]
            columns += [self._write_step(name, own) for name, own in stage.items()]
            parts.append(self._write_stage(number, columns, f"{self.prefix}{number - 1}"))
            needed = {*carried, *(name for formula in stage.values() for name in f.list_steps_of(formula))}
            read |= {j for formula in stage.values() for j in f.list_inputs_of(formula)}
        inputs = [f"t.{quote(name)} AS {own}" for name, own in zip(self.kept, kept, strict=True)]
        inputs += [f"{self._read_input(j)} AS {self._input(j)}" for j in sorted(read)]
        inputs = inputs or [f"1 AS {self.prefix}row"]
        parts.append(self._write_stage(0, inputs, f"{quote(self.table)} AS t"))
        lines = [f"-- The predictions of a model that glade {__version__} fitted ({kind}), in {self.dialect.name} SQL."]
        lines += ["WITH " + ",\n".join(reversed(parts)), self._write_end(len(stages))]
        return "\n".join(lines) + ";\n"

    def _write_stage(self, number: int, columns: list[str], source: str) -> str:
        own = ",\n    ".join(columns)
        return f"{self.prefix}{number} AS {self.dialect.materialised}(\n  SELECT\n    {own}\n  FROM {source}\n)"

    def _tell(self, name: str) -> str:
        """What a step means, in a line before it; no character of the words ends the line."""
        words = self.program.words.get(name)
        return "" if words is None else f"-- {words}\n    "

    def _write_end(self, last: int) -> str:
        names = Names(self.kept, LONGEST_NAME)
        columns = [f"{self._kept(k)} AS {quote(name)}" for k, name in enumerate(self.kept, start=1)]
        for output in self.program.outputs:
            columns += self._write_output(output, names)
        own = ",\n  ".join(columns)
        return f"SELECT\n  {own}\nFROM {self.prefix}{last}"

    def _write_output(self, output: Output, names: Names) -> list[str]:
        target, values = output.target, [self._step(name) for name in output.values]
        predicted = quote(names.take(f"predicted_{target.name}"))
        if target.classes is None:
            return [f"{values[0]} AS {predicted}"]
        best = self._choose(target, values)
        shares = [
            f"{value} AS {quote(names.take(f'probability_{target.name}_{label}'))}"
            for value, label in zip(values, target.classes, strict=True)
        ]
        return [f"{best} AS {predicted}", *shares]

    def _weigh_classes(self, values: list[str], decision: Decision) -> list[str]:
        """What is compared of the classes: their probabilities, these times weights, or what each costs on average."""
        if decision.weights is not None:
            counted = zip(values, decision.weights, strict=True)
            values = [f"{value} * {self.write_number(own)}" if own > 0 else "-1" for value, own in counted]
        if decision.costs is not None:
            values = [self._expect(values, column) for column in zip(*decision.costs, strict=True)]
        return values

    def _choose(self, target: Target, values: list[str]) -> str:
        """The class that the probabilities speak for."""
        labels, decision = [self.write_label(label) for label in target.classes or ()], target.decision
        if decision.threshold is not None and decision.event is not None:
            own, other = labels[decision.event], labels[1 - decision.event]
            least = self.write_number(decision.threshold)
            return f"CASE WHEN {values[decision.event]} >= {least} THEN {own} ELSE {other} END"
        values = self._weigh_classes(values, decision)
        is_better = ">=" if decision.costs is None else "<="
        ways = [
            f"WHEN {' AND '.join(f'{own} {is_better} {other}' for other in values[k + 1 :])} THEN {label}"
            for k, (own, label) in enumerate(zip(values[:-1], labels[:-1], strict=True))
        ]
        return f"CASE {' '.join(ways)} ELSE {labels[-1]} END" if ways else labels[-1]

    def _expect(self, values: list[str], costs: tuple[float, ...]) -> str:
        """What it costs on average to say a class, from what it costs where each class is true."""
        own = zip(values, costs, strict=True)
        return f"({' + '.join(f'{value} * {self.write_number(cost)}' for value, cost in own if cost > 0) or '0'})"

    def _write_step(self, name: str, formula: f.Formula) -> str:
        text = self.write(formula)
        own = f"CAST({text} AS {self.dialect.number})" if self.dialect.casts_steps else text
        return f"{self._tell(name)}{own} AS {self._step(name)}"

    def _kept(self, k: int) -> str:
        return f"{self.prefix}kept_{k}"

    def _input(self, j: int) -> str:
        return f"{self.prefix}input_{j + 1}"

    def _step(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def _read_input(self, j: int) -> str:
        """An input as a number, as text or as a truth value; what is no value is NULL."""
        own, dialect = self.program.inputs[j], self.dialect
        column = f"t.{quote(own.name)}"
        if own.is_number or _are_numbers(own):
            column = f"NULLIF({column}, '')" if dialect.empty_is_missing else column
            number = f"CAST({column} AS {dialect.number})"
            return f"NULLIF({number}, CAST('NaN' AS {dialect.number}))" if dialect.has_nan else number
        if _are_truths(own):
            return f"CAST({column} AS {dialect.truth})"
        return f"CAST({column} AS {dialect.text})" if dialect.text else column

    def write_label(self, label: Label) -> str:
        """A category or a class as a literal."""
        if isinstance(label, str):
            return quote_text(label)
        if isinstance(label, bool):
            return str(int(label)) if self.dialect.truth == "INTEGER" else str(label).upper()
        return str(label) if isinstance(label, int) else self.write_number(label)

    def write_number(self, value: float) -> str:
        """A number as a literal of double precision."""
        if isinstance(value, int):
            return str(value)
        text = repr(value)
        return f"{text}e0" if self.dialect.exponent and "e" not in text else text

    def write_edge(self, formula: f.Formula) -> str:
        """A number of many digits as a quotient of whole ones, where an engine might read its decimal inexactly."""
        if isinstance(formula, f.Constant) and not self.dialect.reads_decimals:
            digits = repr(formula.value).partition("e")[0].replace(".", "").lstrip("-0")
            above, below = float(formula.value).as_integer_ratio()
            if len(digits) > EXACT_DIGITS and max(abs(above), below) < LARGEST_WHOLE:
                return f"({above}.0 / {below}.0)"
        return super().write_edge(formula)

    def write_constant(self, formula: f.Constant) -> str:
        return self.write_number(formula.value)

    def write_input_value(self, formula: f.InputValue) -> str:
        return self._input(formula.input)

    def write_step_value(self, formula: f.StepValue) -> str:
        return self._step(formula.name)

    def write_conditional(self, formula: f.Conditional) -> str:
        then, otherwise = self.write(formula.then), self.write(formula.otherwise)
        return f"CASE WHEN {self.write(formula.test)} THEN {then} ELSE {otherwise} END"

    def write_clipped(self, formula: f.Clipped) -> str:
        low, high, own = self.write_number(formula.low), self.write_number(formula.high), self._nested(formula.of)
        return f"CASE WHEN {own} < {low} THEN {low} WHEN {own} > {high} THEN {high} ELSE {own} END"

    def write_lookup(self, formula: f.Lookup) -> str:
        ways = " ".join(f"WHEN {k} THEN {self.write_number(value)}" for k, value in formula.values)
        return f"CASE {self.write(formula.of)} {ways} END"

    def write_continued(self, formula: f.Continued) -> str:
        own = self.write(formula.of)
        ways = " ".join(f"WHEN {k} THEN {self.write(then)}" for k, then in formula.then)
        return f"CASE {own} {ways} ELSE {own} END"

    def write_is_known(self, formula: f.IsKnown) -> str:
        return f"{self._input(formula.input)} IS NOT NULL"

    def write_is_missing(self, formula: f.IsMissing) -> str:
        return f"{self._input(formula.input)} IS NULL"

    def write_is_among(self, formula: f.IsAmong) -> str:
        labels, own = [self.write_label(label) for label in formula.labels], self._input(formula.input)
        return _compare_with(own, labels, "=", "IN") if labels else "1 = 0"

    def write_is_not_among(self, formula: f.IsNotAmong) -> str:
        labels, own = [self.write_label(label) for label in formula.labels], self._input(formula.input)
        return f"({_compare_with(own, labels, '<>', 'NOT IN')} OR {own} IS NULL)" if labels else "1 = 1"

    def write_all_of(self, formula: f.AllOf) -> str:
        return self._join_tests(formula.tests, "AND", "1 = 1")

    def write_any_of(self, formula: f.AnyOf) -> str:
        return self._join_tests(formula.tests, "OR", "1 = 0")


def _compare_with(own: str, labels: list[str], of_one: str, of_many: str) -> str:
    return f"{own} {of_one} {labels[0]}" if len(labels) == 1 else f"{own} {of_many} ({', '.join(labels)})"


def _are_numbers(own: Input) -> bool:
    return bool(own.labels) and all(type(label) in (int, float) for label in own.labels)


def _are_truths(own: Input) -> bool:
    return bool(own.labels) and all(isinstance(label, bool) for label in own.labels)
