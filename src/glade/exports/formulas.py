"""The small language in which a program is written; each form of code prints these parts in its own way.

Numbers come from inputs, from constants and from earlier steps. A comparison with a missing number is not fulfilled.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from glade.exports.description import Label


class Formula:
    """A number, or (`Test`) whether something is so."""


class Test(Formula):
    """Whether something is so."""

    __test__ = False  # pytest need not look for tests in it


@dataclass(frozen=True)
class Constant(Formula):
    """A number."""

    value: float


@dataclass(frozen=True)
class InputValue(Formula):
    """The number in a numeric input."""

    input: int


@dataclass(frozen=True)
class StepValue(Formula):
    """The result of an earlier step."""

    name: str


@dataclass(frozen=True)
class Total(Formula):
    """A sum, added up from left to right."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Product(Formula):
    """One number times another."""

    left: Formula
    right: Formula


@dataclass(frozen=True)
class Quotient(Formula):
    """One number divided by another."""

    above: Formula
    below: Formula


@dataclass(frozen=True)
class Exponential(Formula):
    """e to the power of a number; the number is never beyond 700."""

    of: Formula


@dataclass(frozen=True)
class Clipped(Formula):
    """A number, or the nearest end of a range."""

    of: Formula
    low: float
    high: float


@dataclass(frozen=True)
class Conditional(Formula):
    """One number if something is so, else the other."""

    test: Test
    then: Formula
    otherwise: Formula


@dataclass(frozen=True)
class Lookup(Formula):
    """The number that belongs to a whole number, which an earlier step has found."""

    of: StepValue
    values: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Continued(Formula):
    """What an earlier step has found, or for some of its whole numbers what follows from there."""

    of: StepValue
    then: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True)
class Above(Test):
    """Whether a number is larger than another."""

    of: Formula
    edge: Formula


@dataclass(frozen=True)
class AtMost(Test):
    """Whether a number is not larger than another."""

    of: Formula
    edge: Formula


@dataclass(frozen=True)
class IsKnown(Test):
    """Whether a numeric input has a value."""

    input: int


@dataclass(frozen=True)
class IsMissing(Test):
    """Whether a numeric input has no value."""

    input: int


@dataclass(frozen=True)
class IsAmong(Test):
    """Whether an input has one of these labels; a missing or an unseen one is none of them."""

    input: int
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class IsNotAmong(Test):
    """Whether an input has none of these labels: it has another one, or is missing or unseen."""

    input: int
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class AllOf(Test):
    """Whether all of some things are so; of no things, they are."""

    tests: tuple[Test, ...]


@dataclass(frozen=True)
class AnyOf(Test):
    """Whether one of some things is so."""

    tests: tuple[Test, ...]


def walk(formula: object) -> Iterator[Formula]:
    """A formula and all that it is made of."""
    if isinstance(formula, Formula):
        yield formula
        for field in fields(formula):  # type: ignore[arg-type]  # every formula is a dataclass
            yield from walk(getattr(formula, field.name))
    elif isinstance(formula, tuple):
        for part in formula:
            yield from walk(part)


OF_INPUTS = (InputValue, IsKnown, IsMissing, IsAmong, IsNotAmong)


def list_inputs_of(formula: Formula) -> set[int]:
    """The numbers of the inputs that a formula reads."""
    return {part.input for part in walk(formula) if isinstance(part, OF_INPUTS)}


def list_steps_of(formula: Formula) -> set[str]:
    """The names of the earlier steps that a formula reads."""
    return {part.name for part in walk(formula) if isinstance(part, StepValue)}
