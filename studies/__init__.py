"""Published tables beside ours.

In: a study's name and the folder of the data sets. Out: a `Reproduction`: published figures, ours, their spread, a
verdict for each, and what explains the differences. To add a study, write a module with a function `reproduce` from
`Settings` to `Reproduction` and name it in STUDIES. Uses `glade.compare`. Used by `python -m studies` and the
documents; the package `glade` knows nothing of it."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studies.figures import Reproduction, Settings

STUDIES = {
    "archetype": "studies.archetype.study",
    "areas": "studies.soft_areas",
    "cart": "studies.cart.study",
    "covering": "studies.fire.covering",
    "fire": "studies.fire.study",
    "modt": "studies.modt.study",
    "soft": "studies.soft",
}


def reproduce(study: str, settings: "Settings") -> "Reproduction":
    """Run a study anew and set the results beside the published ones."""
    result: Reproduction = import_module(STUDIES[study]).reproduce(settings)
    return result
