"""How large a model is."""

from typing import NamedTuple


class Size(NamedTuple):
    """How large a model is; None where a count does not apply."""

    trees: int | None = None
    nodes: int | None = None
    leaves: int | None = None
    rules: int | None = None
    conditions: int | None = None
    terms: int | None = None
