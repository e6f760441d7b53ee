"""What each term adds to each prediction, as one long table."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from glade.data.targets import TargetSchema
from glade.explain.averages import Averages
from glade.rules.telling import ADDED_TO, list_told
from glade.rules.wording import EVERY_ROW

IDENTITY, SOFTMAX = "identity", "softmax"  # links
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

    @property
    def links(self) -> Sequence[str]:
        """Of the targets the name of the way from sums to predictions; "identity" where sums are predictions."""
        ...

    @property
    def order(self) -> NDArray[np.int64]:
        """The places of the terms in the order in which a prediction is told: what matters most comes first."""
        ...

    def to_values(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums (rows x channels) as numbers and probabilities of classes."""
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
    DataFrame of row, target, class, term, contribution, and what is added to scores that are no predictions
        By row, then by channel, the offset first and the terms in the explainer's order. Of two classes the event's
        channel alone.
    """
    import pandas as pd

    offset, terms = explainer.offset, [EVERY_ROW, *(explainer.terms[k] for k in explainer.order)]
    size = max(1, CHUNK_CELLS // (len(terms) * len(offset)))
    starts = range(0, max(len(matrix), 1), size)  # no rows are one chunk of none
    told = np.array([c for _, c in list_told(targets)])
    pairs, widths = _find_pairs(explainer, targets), np.diff(targets.start)
    is_sum = np.repeat([link == IDENTITY for link in explainer.links], widths)
    parts = [_list_contributions(explainer, matrix[k : k + size], told, pairs, is_sum, k) for k in starts]
    row, channel, term, contribution, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    target_names, classes = name_channels(targets)
    frame = pd.DataFrame(
        {
            "row": row,
            "target": pd.Series(target_names).array.take(channel),
            "class": pd.Series(classes[channel], dtype=object),  # None stays None, whatever the classes are
            "term": pd.Series(terms).array.take(term),
            "contribution": contribution,
        }
    )
    of_channel = np.array([ADDED_TO.get(link) for link in np.repeat(explainer.links, widths)])
    for name in dict.fromkeys(own for own in of_channel if own is not None):
        frame[name] = np.where((of_channel == name)[channel], score, np.nan)
    return frame


def _list_contributions(
    explainer: Explainer,
    matrix: NDArray[np.float64],
    told: NDArray[np.int64],
    pairs: list[tuple[int, int]],
    is_sum: NDArray[np.bool_],
    first: int,
) -> tuple[NDArray[Any], ...]:
    """Row, channel, term, what the term changes in the prediction and what it adds to the score; the offset is term 0.

    Changes are steps from the prediction without any input to that of the row, term by term: they add up exactly.
    """
    offset = explainer.offset
    of_terms = explainer.contributions(matrix)[:, explainer.order]
    scores = np.concatenate((np.broadcast_to(offset, (len(matrix), 1, len(offset))), of_terms), axis=1)
    amounts = scores
    if not is_sum.all():
        sums = np.cumsum(scores, axis=1)
        values = explainer.to_values(sums.reshape(-1, len(offset))).reshape(sums.shape)
        steps = np.concatenate((values[:, :1], np.diff(values, axis=1)), axis=1)
        amounts = np.where(is_sum, scores, steps)
    for own, other in pairs:
        scores[:, :, own] -= scores[:, :, other]
    shown = (scores != 0.0) | (amounts != 0.0)
    scores, amounts, shown = (own[:, :, told].transpose(0, 2, 1) for own in (scores, amounts, shown))
    shown = shown.copy()
    shown[:, :, 0] = True
    row, channel, term = np.nonzero(shown)
    return row + first, told[channel], term, amounts[shown], scores[shown]


def _find_pairs(explainer: Explainer, targets: TargetSchema) -> list[tuple[int, int]]:
    """The channels of the event and of the other class where two classes have a score each: log-odds are the lead."""
    pairs = []
    for t, (link, event) in enumerate(zip(explainer.links, targets.events, strict=True)):
        if link == SOFTMAX and event is not None:
            first = int(targets.start[t])
            pairs.append((first + event, first + 1 - event))
    return pairs


def name_channels(targets: TargetSchema) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Per channel: the target, and the class (None for a number)."""
    names: list[str] = []
    labels: list[Any] = []
    for name, classes in zip(targets.names, targets.classes, strict=True):
        own = [None] if classes is None else classes.tolist()
        names += [name] * len(own)
        labels += own
    return np.array(names, dtype=object), np.array([*labels, None], dtype=object)[:-1]
