"""What each term adds to each prediction, as one long table."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages
from glade.rules.wording import EVERY_ROW

CHUNK_CELLS = 4_000_000  # contributions held at once, the zeros among them


class Explainer(Protocol):
    """A model as a sum: an offset, and what each of its terms adds for a row."""

    @property
    def terms(self) -> Sequence[str]:
        """What the terms are called."""
        ...

    @property
    def offset(self) -> NDArray[np.float64]:
        """Per channel: what every row gets."""
        ...

    def contributions(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows x terms x channels, for rows of an encoded table."""
        ...

    def readable(self) -> "Explainer":
        """The same, for classes in probabilities wherever contributions can add up to them."""
        ...

    @property
    def adds_scores(self) -> bool:
        """Whether what is added up for a class is a score, not a probability."""
        ...

    def averages(self, rows: NDArray[np.float64]) -> Averages:
        """The model averaged over rows of an encoded table."""
        ...

    def local_importance(self, matrix: NDArray[np.float64], targets: TargetSchema) -> NDArray[np.float64]:
        """Inputs x targets: how much each input matters in these rows of an encoded table."""
        ...


def explain_readably(model: Any, X: Any) -> Any:
    """What `model.explain` gives, for classes in probabilities wherever contributions can add up to them."""
    return explain_rows(model.make_explainer().readable(), model.encode(X), model.target_schema_)


def explain_rows(explainer: Explainer, matrix: NDArray[np.float64], targets: TargetSchema) -> Any:
    """A pandas dataframe with a row for each contribution that is not zero, and for each offset.

    Parameters
    ----------
    explainer
        The model.
    matrix
        Rows of an encoded table.
    targets
        What the channels stand for.

    Returns
    -------
    DataFrame of row, target, class, term, contribution
        By row, then by channel, the offset first and the terms in the explainer's order.
    """
    import pandas as pd

    offset, terms = explainer.offset, [EVERY_ROW, *explainer.terms]
    size = max(1, CHUNK_CELLS // (len(terms) * len(offset)))
    starts = range(0, max(len(matrix), 1), size)  # no rows are one chunk of none
    parts = [_list_contributions(explainer, offset, matrix[k : k + size], k) for k in starts]
    row, channel, term, contribution = (np.concatenate(column) for column in zip(*parts, strict=True))
    target_names, classes = name_channels(targets)
    return pd.DataFrame(
        {
            "row": row,
            "target": pd.Series(target_names).array.take(channel),
            "class": pd.Series(classes[channel], dtype=object),  # None stays None, whatever the classes are
            "term": pd.Series(terms).array.take(term),
            "contribution": contribution,
        }
    )


def _list_contributions(
    explainer: Explainer, offset: NDArray[np.float64], matrix: NDArray[np.float64], first: int
) -> tuple[NDArray[Any], ...]:
    """Row, channel, term and amount of each contribution; the offset is term 0."""
    of_terms = explainer.contributions(matrix)
    amounts = np.empty((len(matrix), len(offset), of_terms.shape[1] + 1))
    amounts[:, :, 0] = offset
    amounts[:, :, 1:] = of_terms.transpose(0, 2, 1)
    shown = amounts != 0.0
    shown[:, :, 0] = True
    row, channel, term = np.nonzero(shown)
    return row + first, channel, term, amounts[shown]


def name_channels(targets: TargetSchema) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Per channel: the target, and the class (None for a number)."""
    names: list[str] = []
    labels: list[Any] = []
    for name, classes in zip(targets.names, targets.classes, strict=True):
        own = [None] if classes is None else classes.tolist()
        names += [name] * len(own)
        labels += own
    return np.array(names, dtype=object), np.array([*labels, None], dtype=object)[:-1]
