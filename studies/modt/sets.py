"""The tables of the source that we have, in its numbering, and further ones; with Table 2 and the sizes of Table 4.

The source does not say how it made classes of numbers. The three values of edm are classes as they are; counts of solar
flares and abundances of water taxa become "none" and "some", as is usual for both; `readings` has what speaks for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glade.data.targets import CLASSIFICATION, REGRESSION
from studies.datasets import load_dataset
from studies.figures import Settings


def _keep(y: Any) -> Any:
    return y


def to_classes(y: Any) -> Any:
    """A class for each number."""
    return y.astype(int).astype(str).astype("category")


def _to_presence(y: Any) -> Any:
    return y.gt(0).replace({False: "none", True: "some"}).astype("category")


@dataclass(frozen=True)
class StudySet:
    """A table of the study, or of ours."""

    name: str
    stored: str  # its name in the manifest
    number: int | None = None  # in the source; None: not one of its tables
    sizes: tuple[int, ...] | None = None  # published nodes: bagging, per target; random forest, per target
    prepare: Callable[[Any], Any] = _keep  # the targets
    targets: tuple[int | None, int | None] = (None, None)  # first, end

    @property
    def label(self) -> str:
        return self.name if self.number is None else f"E{self.number} {self.name}"

    def load(self, settings: Settings) -> tuple[Any, Any]:
        data = load_dataset(self.stored, settings.folder)
        return data.X, self.prepare(data.y.iloc[:, slice(*self.targets)])


PLANTS, ANIMALS = (0, 7), (7, 14)
PROPERTIES = {  # Table 2: rows, inputs, targets; for classes, for numbers
    1: ("Bridges", 85, 7, 5, True, False),
    2: ("EDM - 1", 154, 16, 2, True, True),
    3: ("Monks", 432, 6, 3, True, False),
    4: ("Sigma real, with coordinates", 817, 6, 2, True, True),
    5: ("Sigma real, without coordinates", 817, 4, 2, True, True),
    6: ("Sigma simulated", 10_368, 11, 2, True, True),
    7: ("Soil quality 1", 1944, 142, 3, False, True),
    8: ("Solar-flare 1", 323, 10, 3, True, True),
    9: ("Solar-flare 2", 1066, 10, 3, False, True),
    10: ("Thyroid", 9172, 29, 7, True, False),
    11: ("Water quality, plants", 1060, 16, 7, True, True),
    12: ("Water quality, animals", 1060, 16, 7, True, True),
    13: ("Water quality, both", 1060, 16, 14, True, True),
}

SETS = {
    CLASSIFICATION: (
        StudySet("bridges", "bridges", 1, (4344, 6996, 4614, 8910)),
        StudySet("edm", "edm", 2, (4102, 4916, 5014, 5930), to_classes),
        StudySet("monks", "monks", 3, (18580, 20360, 17222, 22362)),
        StudySet("solar flare 1", "sf1", 8, (5158, 7742, 4364, 6588), _to_presence),
        StudySet("thyroid", "thyroid", 10, (55454, 77244, 83506, 126916)),
        StudySet("water, plants", "wq", 11, (68560, 137860, 71258, 163948), _to_presence, PLANTS),
        StudySet("water, animals", "wq", 12, (69484, 137514, 72590, 164484), _to_presence, ANIMALS),
        StudySet("water, both", "wq", 13, (80804, 275374, 81568, 328432), _to_presence),
        StudySet("emotions", "emotions"),
    ),
    REGRESSION: (
        StudySet("edm", "edm", 2, (4780, 5900, 5746, 7390)),
        StudySet("solar flare 1", "sf1", 8, (9330, 15562, 7840, 13842)),
        StudySet("solar flare 2", "sf2", 9, (23196, 33264, 15248, 24018)),
        StudySet("water, plants", "wq", 11, (78310, 221832, 79606, 257122), targets=PLANTS),
        StudySet("water, animals", "wq", 12, (80034, 229990, 81122, 267364), targets=ANIMALS),
        StudySet("water, both", "wq", 13, (82842, 451822, 83036, 524486)),
        StudySet("andro", "andro"),
        StudySet("enb", "enb"),
        StudySet("jura", "jura"),
        StudySet("slump", "slump"),
    ),
}
N_TARGETS = {CLASSIFICATION: 54, REGRESSION: 45}  # of all tables of the source
REPEATED = (11, 12)  # their targets are those of 13, too
QUICK = (2, 8)


REDUCED = (10, 11, 12)  # are left out of a reduced run: thyroid is large, the others have targets of 13
MIXED_SETS = {  # sets with numeric targets, of which the first few become classes
    "edm": ("edm", 1, to_classes),
    "solar flare 1": ("sf1", 2, _to_presence),
    "water, plants as classes": ("wq", 7, _to_presence),
}
MIXED_QUICK = ("edm",)


def choose_sets(task: str, settings: Settings) -> tuple[StudySet, ...]:
    """All tables for a task, those of a reduced run, or a few small ones."""
    every = SETS[task]
    reduced = tuple(s for s in every if s.number not in REDUCED and s.name != "emotions")
    return tuple(settings.choose(every, reduced=reduced, quick=tuple(s for s in every if s.number in QUICK)))


def load_mixed(name: str, settings: Settings) -> tuple[Any, Any]:
    """A set whose first targets are classes and whose others are numbers."""
    stored, n_classes, prepare = MIXED_SETS[name]
    data = load_dataset(stored, settings.folder)
    return data.X, data.y.iloc[:, n_classes:].join(prepare(data.y.iloc[:, :n_classes]))
