"""What languages have in common when they print a formula: sums and products; each adds the rest in its own words."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from glade.exports import formulas as f

UPPER = re.compile(r"(?<!^)(?=[A-Z])")


class Printer(ABC):
    """Prints formulas in a language; a subclass has a method for each part that differs from language to language.

    Attributes
    ----------
    simple : tuple of types
        Formulas that need no brackets wherever they stand.
    """

    simple: ClassVar[tuple[type[f.Formula], ...]] = (f.Constant, f.InputValue, f.StepValue, f.Exponential)

    def write(self, formula: f.Formula) -> str:
        """Return a formula as text."""
        name = UPPER.sub("_", type(formula).__name__).lower()
        method: Callable[[Any], str] = getattr(self, f"write_{name}")
        return method(formula)

    def _nested(self, formula: f.Formula) -> str:
        """A formula as part of a product or a comparison."""
        text = self.write(formula)
        return text if isinstance(formula, self.simple) and text[:1] != "-" else f"({text})"

    @abstractmethod
    def write_constant(self, formula: f.Constant) -> str:
        """A number."""

    @abstractmethod
    def write_input_value(self, formula: f.InputValue) -> str:
        """The number in an input."""

    @abstractmethod
    def write_step_value(self, formula: f.StepValue) -> str:
        """What a step found."""

    @abstractmethod
    def write_conditional(self, formula: f.Conditional) -> str:
        """One number or another."""

    def write_total(self, formula: f.Total) -> str:
        """A sum."""
        return " ".join(self.list_parts(formula))

    def list_parts(self, formula: f.Total) -> list[str]:
        """The parts of a sum, each but the first with its sign."""
        parts: list[str] = []
        for part in formula.parts:
            is_plain = isinstance(part, (f.Product, f.Constant))
            text = self.write(part) if is_plain else self._nested(part)
            sign = "- " if text.startswith("-") and is_plain else "+ "
            parts.append(text if not parts else sign + (text[1:] if sign == "- " else text))
        return parts

    def write_product(self, formula: f.Product) -> str:
        """A product; minus a number is one."""
        if formula.left == f.Constant(-1.0):
            return f"-{self._nested(formula.right)}"
        left = formula.left
        own = self.write(left) if isinstance(left, f.Constant) else self._nested(left)
        return f"{own} * {self._nested(formula.right)}"

    def write_quotient(self, formula: f.Quotient) -> str:
        """A quotient."""
        return f"{self._nested(formula.above)} / {self._nested(formula.below)}"

    def write_exponential(self, formula: f.Exponential) -> str:
        """A power of e."""
        return f"exp({self.write(formula.of)})"

    def _compare(self, formula: f.Above | f.AtMost, sign: str) -> str:
        return f"{self._nested(formula.of)} {sign} {self.write_edge(formula.edge)}"

    def write_edge(self, formula: f.Formula) -> str:
        """What a number is compared with."""
        return self.write(formula) if isinstance(formula, f.Constant) else self._nested(formula)

    def write_above(self, formula: f.Above) -> str:
        """One number beyond another."""
        return self._compare(formula, ">")

    def write_at_most(self, formula: f.AtMost) -> str:
        """One number not beyond another."""
        return self._compare(formula, "<=")

    def _join_tests(self, tests: tuple[f.Test, ...], word: str, of_none: str) -> str:
        if len(tests) < 2:
            return self.write(tests[0]) if tests else of_none
        return f" {word} ".join(
            f"({self.write(test)})" if isinstance(test, (f.AllOf, f.AnyOf)) else self.write(test) for test in tests
        )
