"""Published tables beside ours.

In: a study's name and the folder of the data sets. Out: a `Reproduction`: published figures, ours, their spread, a
verdict for each, and what explains the differences. To add a study, write a module with a function `reproduce` from
`Settings` to `Reproduction` and name it in STUDIES. Uses the harness. Used by `cli` and the documents."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glade.evaluate.reproductions.figures import Reproduction, Settings

STUDIES = {
    "archetype": "glade.evaluate.reproductions.archetype.study",
    "cart": "glade.evaluate.reproductions.cart.study",
    "fire": "glade.evaluate.reproductions.fire",
    "modt": "glade.evaluate.reproductions.modt.study",
    "soft": "glade.evaluate.reproductions.soft",
}


def reproduce(study: str, settings: "Settings") -> "Reproduction":
    """Run a study anew and set the results beside the published ones."""
    result: Reproduction = import_module(STUDIES[study]).reproduce(settings)
    return result
