"""A model that was read from its export: it predicts, and can be exported again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glade.data.table import Schema
from glade.data.targets import TargetSchema, to_label_array
from glade.exports.arithmetic import compute
from glade.exports.description import Condition, Curve, Description, Line, Node, Target, Term, TreeSum
from glade.exports.formulas import StepValue
from glade.exports.json import read_description
from glade.exports.links import add_links

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def from_json(text: str | bytes) -> "ExportedModel":
    """Read a model that `glade.export` wrote as JSON.

    Parameters
    ----------
    text : str or bytes
        The JSON text.

    Returns
    -------
    ExportedModel
        A model with the predictions of the one that was exported. It holds what it predicts with, and nothing of how
        it was fitted; to keep a model whole, use its `save`.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["bill_length_mm", "island"]], penguins["species"]
    >>> tree = glade.TreeClassifier(max_depth=2).fit(X, y)
    >>> same = glade.from_json(glade.export(tree, "json"))
    >>> bool((same.predict(X) == tree.predict(X)).all())
    True
    """
    return ExportedModel(read_description(text))


class ExportedModel:
    """A fitted model as plain data, which predicts.

    Parameters
    ----------
    description : Description
        The terms, trees, inputs and targets of a model.

    Examples
    --------
    >>> import glade
    >>> tree = glade.TreeRegressor(max_depth=1).fit([[1.0], [2.0], [3.0]], [0.0, 6.0, 9.0])
    >>> model = glade.from_json(glade.export(tree, "json"))
    >>> model.predict([[1.0], [2.5]]).tolist()
    [0.0, 7.5]
    """

    def __init__(self, description: Description):
        self.description = description
        inputs, targets = description.inputs, description.targets
        self.schema_ = Schema(
            tuple(own.name for own in inputs),
            tuple(own.kind for own in inputs),
            tuple(None if own.is_number else own.labels for own in inputs),
            tuple(own.has_missing for own in inputs),
        )
        classes = (None if own.classes is None else to_label_array(own.classes) for own in targets)
        names, decisions = tuple(own.name for own in targets), tuple(own.decision for own in targets)
        self.target_schema_ = TargetSchema(names, tuple(classes), decisions)

    def encode(self, X: Any) -> Floats:
        """Return the inputs as the model sees them: categories as numbers, NaN where a value is missing or unknown.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, inputs)
            The encoded table.
        """
        self.schema_.check_columns(X)
        return self.schema_.encode(X)

    def predict_values(self, matrix: Floats) -> Floats:
        """Return the predictions for an encoded table: numbers, and probabilities of classes.

        Parameters
        ----------
        matrix : ndarray of shape (rows, inputs)
            What `encode` returns.

        Returns
        -------
        ndarray of shape (rows, channels)
            A numeric target is one channel, a nominal one has a channel for each class.
        """
        scores = np.tile(np.array(self.description.offset), (len(matrix), 1))
        votes = sum((_count_vote(term, matrix) for term in self.description.terms), np.zeros(len(matrix)))
        for term in self.description.terms:
            value = _value_term(term, matrix)
            if term.vote is not None:
                value = np.divide(term.vote * value, votes, out=np.zeros(len(matrix)), where=votes > 0)
            for s in np.flatnonzero(term.effect):
                scores[:, s] += term.effect[s] * value
        for own in self.description.sums:
            scores[:, own.first : own.first + own.n_scores] += _add_up(own, matrix)
        values, first = list[Floats](), 0
        for target in self.description.targets:
            values += _find_values(scores[:, first : first + target.n_scores], target)
            first += target.n_scores
        return np.column_stack(values)

    def predict(self, X: Any) -> Any:
        """Predict the targets of each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, targets), or DataFrame
            The predictions; of numeric and nominal targets together a dataframe.
        """
        from glade.models.base import pick_classes

        targets = self.target_schema_
        columns = pick_classes(self.predict_values(self.encode(X)), targets)
        if len(columns) == 1:
            return columns[0]
        if len({classes is None for classes in targets.classes}) == 2:
            return self._to_frame(dict(zip(targets.names, columns, strict=True)), X)
        is_alike = len({column.dtype.kind for column in columns}) == 1
        return np.column_stack(columns if is_alike else [column.astype(object) for column in columns])

    def predict_proba(self, X: Any) -> Any:
        """Predict the probabilities of the classes of the nominal targets.

        Parameters
        ----------
        X : array-like or dataframe of shape (rows, inputs)
            The inputs, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes), list of ndarray, or dict of DataFrame
            The probabilities: with several targets a list; with numeric targets beside them a dataframe for each
            nominal target.
        """
        values, targets = self.predict_values(self.encode(X)), self.target_schema_
        own = [(t, classes) for t, classes in enumerate(targets.classes) if classes is not None]
        if len(own) == targets.n_targets:
            shares = [values[:, targets.channels_of(t)] for t, _ in own]
            return shares[0] if len(shares) == 1 else shares
        frames = {}
        for t, classes in own:
            part = values[:, targets.channels_of(t)]
            frames[targets.names[t]] = self._to_frame({str(label): part[:, k] for k, label in enumerate(classes)}, X)
        return frames

    def _to_frame(self, columns: dict[str, Any], X: Any) -> "pd.DataFrame":
        import pandas as pd

        return pd.DataFrame(columns, index=X.index if isinstance(X, pd.DataFrame) else None)


def _find_values(scores: Floats, target: Target) -> list[Floats]:
    """The values of a target, a column for each."""
    steps = {f"score_{k}": column for k, column in enumerate(scores.T)}
    stages, names = add_links([StepValue(name) for name in steps], target, "value")
    for stage in stages:
        steps |= {name: compute(formula, steps) for name, formula in stage.items()}
    return [steps[name] for name in names]


def covers(condition: Condition, own: Floats) -> NDArray[np.bool_]:
    """Return whether each row fulfils a condition.

    Parameters
    ----------
    condition
        On an input.
    own
        The encoded values of that input.
    """
    missing = np.isnan(own)
    if not condition.known:
        return missing & condition.missing
    if condition.among is not None:
        inside = np.isin(own, condition.among)
    else:
        low, high = condition.low, condition.high
        inside = ~missing
        inside &= True if low is None else own > low
        inside &= True if high is None else own <= high
    return inside | missing if condition.missing else inside


def _fulfils_all(conditions: Sequence[Condition], matrix: Floats) -> NDArray[np.bool_]:
    is_on = np.ones(len(matrix), bool)
    for condition in conditions:
        is_on &= covers(condition, matrix[:, condition.input])
    return is_on


def _count_vote(term: Term, matrix: Floats) -> Floats:
    """The vote of a rule where it has one and covers a row."""
    if term.vote is None:
        return np.zeros(len(matrix))
    return np.where(_fulfils_all(term.conditions, matrix), term.vote, 0.0)


def _value_term(term: Term, matrix: Floats) -> Floats:
    """The value of a term; of a rule with a vote, whether it covers the row."""
    if term.line is not None:
        return np.where(np.isnan(matrix[:, term.line.input]), 0.0, _place(term.line, matrix) * term.line.scale)
    is_on = _fulfils_all(term.conditions, matrix)
    for other in term.others:
        is_on |= _fulfils_all(other, matrix)
    for exception in term.exceptions:
        is_on &= ~_fulfils_all(exception, matrix)
    if not term.curves:
        return is_on.astype(float)
    g = np.full(len(matrix), term.constant)
    for curve in term.curves:
        is_missing = np.isnan(matrix[:, curve.input])
        z = _place(curve, matrix) / curve.width
        if curve.missing is None:
            is_on &= ~is_missing
        g += np.where(is_missing, curve.missing or 0.0, z * (curve.linear + curve.square * z))
    with np.errstate(over="ignore"):
        return np.where(is_on, term.scale / (1.0 + np.exp(-g)), 0.0)


def _place(own: Line | Curve, matrix: Floats) -> Floats:
    return np.clip(matrix[:, own.input], own.low, own.high) - own.centre


def _add_up(own: TreeSum, matrix: Floats) -> Floats:
    total = np.zeros((len(matrix), own.n_scores))
    for tree in own.trees:
        total += _value_tree(tree, matrix)
    return own.factor * total / own.divisor


def _value_tree(tree: tuple[Node, ...], matrix: Floats) -> Floats:
    """The value of the leaf that each row comes to; rows go down the tree together."""
    value = np.empty((len(matrix), len(next(node.value for node in tree if node.test is None))))
    todo = [(0, np.arange(len(matrix)))]
    while todo:
        k, rows = todo.pop()
        node = tree[k]
        if node.test is None:
            value[rows] = node.value
        elif len(rows):
            is_left = covers(node.test, matrix[rows, node.test.input])
            todo += [(node.left, rows[is_left]), (node.right, rows[~is_left])]
    return value
