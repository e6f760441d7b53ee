"""The model as files that a reader takes away from the page."""

from typing import Any

from glade.core.kinds import FOREST, MULTITREE, RULES
from glade.core.spreadsheets import to_csv
from glade.exports.forms import export

MAX_LETTERS = 200_000  # of one file; longer ones are left to the command line
LETTERS_EACH = 40  # of a condition or a node, about
PROGRAMS = ("json", "python", "sql")


def describe_downloads(model: Any) -> dict[str, str | None]:
    """Each form of the model as text; None where it is too long for a page. Of a multi-tree there are none."""
    if model.kind == MULTITREE:
        return {}
    texts: dict[str, str | None] = {} if model.kind == FOREST else {"csv": write_table(model)}
    size = model.size_
    is_small = (size.conditions or 0) + (size.nodes or 0) <= MAX_LETTERS // LETTERS_EACH
    texts |= {form: str(export(model, form)) if is_small else None for form in PROGRAMS}
    return {form: text if text is not None and len(text) <= MAX_LETTERS else None for form, text in texts.items()}


def write_table(model: Any) -> str:
    """The rules, or the leaves of a tree, as CSV; conditions are in the words."""
    frame = model.to_frame() if model.kind == RULES else model.rules_.to_frame()
    return to_csv(frame.drop(columns="conditions"))
