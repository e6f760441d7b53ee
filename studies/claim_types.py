"""What a claim of a source is, and where its verdict comes from."""

import re
from dataclasses import dataclass, replace
from typing import Self

from studies.figures import Figure


@dataclass(frozen=True)
class Figures:
    """Figures of a study: those whose row matches one of the patterns, of one metric (or of several, with a bar"
    " between them)."""

    study: str
    metric: str
    rows: tuple[str, ...]

    def find(self, figures: tuple[Figure, ...]) -> list[Figure]:
        """In the order of the patterns; a pattern must match the whole row. A reduced run may lack some."""
        return [
            f for row in self.rows for f in figures if f.metric in self.metric.split("|") and re.fullmatch(row, f.row)
        ]


@dataclass(frozen=True)
class Shown:
    """A picture or a table in the section of a study."""

    study: str


@dataclass(frozen=True)
class Held:
    """What the code does by itself, as a test shows."""

    test: str


@dataclass(frozen=True)
class NotRun:
    """What cannot be run here."""

    why: str


@dataclass(frozen=True)
class Claim:
    """A claim, a table or a figure of a source.

    `published` is left empty where the figures of the study hold what was printed. `reason` is why ours differs.
    """

    source: str
    where: str
    what: str
    told: Figures | Shown | Held | NotRun
    published: str = ""
    reason: str = ""

    def because(self, reason: str) -> Self:
        """The claim with a reason why ours differs."""
        return replace(self, reason=reason)
