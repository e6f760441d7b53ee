"""A fitted model as plain data: what every form of export says of it, and nothing else.

A model has scores. Each is an offset, plus the effects of terms (rules, soft rules, linear terms) times their values,
plus what sums of trees add. The link of a target turns its scores into values: a number, or the probabilities of
classes.
"""

from dataclasses import dataclass
from typing import NamedTuple

from glade.data.decisions import PLAIN, Decision

Label = str | float | int | bool

RULE, SOFT_RULE, LINEAR_TERM = "rule", "soft rule", "linear term"  # kinds of terms
LOGIC_RULE, VOTING_RULE = "logic rule", "voting rule"


@dataclass(frozen=True)
class Input:
    """One column that the model reads.

    Parameters
    ----------
    name
        As in the training table.
    kind
        "numeric", "nominal" or "ordinal".
    labels
        The categories that training saw, those of an ordinal input in their order; empty for a numeric input. Any other
        category counts as missing.
    has_missing
        Whether a training row had no value.
    """

    name: str
    kind: str
    labels: tuple[Label, ...]
    has_missing: bool

    @property
    def is_number(self) -> bool:
        """Whether its values are amounts."""
        return self.kind == "numeric"


class Condition(NamedTuple):
    """One test of an input; a missing value fulfils it or not.

    Parameters
    ----------
    input
        The number of the input.
    low, high
        low < x <= high for a numeric input; None where there is no such limit.
    among
        The places of the labels that fulfil the test, for other inputs; None for a numeric one.
    missing
        Whether a missing value fulfils the test.
    known
        Whether any known value can: an empty interval stands for the test "is missing".
    """

    input: int
    low: float | None
    high: float | None
    among: tuple[int, ...] | None
    missing: bool
    known: bool = True


class Curve(NamedTuple):
    """What a soft condition adds to g: z * (linear + square * z), z = (clip(x, low, high) - centre) / width.

    `missing` is what a missing value adds, None where it switches the rule off.
    """

    input: int
    low: float
    high: float
    centre: float
    width: float
    linear: float
    square: float
    missing: float | None


class Line(NamedTuple):
    """(clip(x, low, high) - centre) * scale; zero where x is missing."""

    input: int
    low: float
    high: float
    centre: float
    scale: float


@dataclass(frozen=True)
class Term:
    """One term of a sum.

    A hard rule is 1 where all conditions are fulfilled, else 0. A soft rule is scale / (1 + exp(-g)) there, g being the
    constant plus what the curves add. A linear term has no conditions, and a line. A logic rule is 1 where all its
    conditions are fulfilled or all of one of the others, but all of none of those that it has for exceptions. A voting
    rule is its vote, where its conditions are fulfilled, over the votes of all rules of which that can be said.

    Parameters
    ----------
    words
        The term for a person to read.
    effect
        What is added to each score, for each unit of the term's value.
    share
        Of the training rows that a rule covers; None for a linear term.
    conditions, curves, constant, scale, line, others, exceptions, vote
        See above.
    """

    words: str
    effect: tuple[float, ...]
    share: float | None
    conditions: tuple[Condition, ...] = ()
    curves: tuple[Curve, ...] = ()
    constant: float = 0.0
    scale: float = 1.0
    line: Line | None = None
    others: tuple[tuple[Condition, ...], ...] = ()
    exceptions: tuple[tuple[Condition, ...], ...] = ()
    vote: float | None = None

    @property
    def kind(self) -> str:
        """What the term is called."""
        if self.line is not None:
            return LINEAR_TERM
        if self.vote is not None:
            return VOTING_RULE
        if self.others or self.exceptions:
            return LOGIC_RULE
        return SOFT_RULE if self.curves else RULE


class Node(NamedTuple):
    """A node of a tree: a test with the places of two other nodes, or a leaf with its values.

    Parameters
    ----------
    test
        What leads to the left node; None for a leaf.
    left, right
        Places in the tree's list of nodes; -1 for a leaf.
    value
        Of a leaf, one number for each score of the sum; of other nodes empty.
    words
        The test for a person to read.
    """

    test: Condition | None
    left: int
    right: int
    value: tuple[float, ...]
    words: str = ""


@dataclass(frozen=True)
class TreeSum:
    """factor * (the sum of the trees' leaf values) / divisor, which is added to the scores `first` and following.

    Parameters
    ----------
    trees
        Lists of nodes, the root first.
    first, n_scores
        The scores that the trees add to.
    factor, divisor
        See above; one of them is 1.
    """

    trees: tuple[tuple[Node, ...], ...]
    first: int
    n_scores: int
    factor: float = 1.0
    divisor: int = 1


@dataclass(frozen=True)
class Target:
    """What is predicted.

    Parameters
    ----------
    name
        As in the training table.
    classes
        None for a number.
    link
        The name of the way from scores to values.
    n_scores
        The number of its scores, which follow those of the targets before it.
    decision
        How the probabilities of its classes become a class.
    """

    name: str
    classes: tuple[Label, ...] | None
    link: str
    n_scores: int
    decision: Decision = PLAIN

    @property
    def n_values(self) -> int:
        """One for a number, else one for each class."""
        return 1 if self.classes is None else len(self.classes)


@dataclass(frozen=True)
class Description:
    """A fitted model as plain data.

    Parameters
    ----------
    kind
        "rules", "tree" or "forest".
    inputs, targets
        What is read, and what is predicted.
    offset
        Of each score.
    terms, sums
        What is added to the scores.
    """

    kind: str
    inputs: tuple[Input, ...]
    targets: tuple[Target, ...]
    offset: tuple[float, ...]
    terms: tuple[Term, ...] = ()
    sums: tuple[TreeSum, ...] = ()
