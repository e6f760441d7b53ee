"""Rules of fitted forests of other libraries, and these forests as sources of candidate rules."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from glade.core.errors import InputError
from glade.core.names import list_names
from glade.data.columns import NUMERIC, Column
from glade.data.frames import list_targets, names_as_given
from glade.data.table import Schema, read_table
from glade.data.targets import CLASSIFICATION, REGRESSION, TargetSchema, read_targets
from glade.ensemble.forest import Forest
from glade.grow.node_table import NodeTable, SplitKind
from glade.models.base import TrainingSet
from glade.models.foreign_trees import LEAF, ForeignTree, count_inputs, order_nodes, read_trees
from glade.rules.extract import LEAVES, NODES, extract_rules
from glade.rules.rule_set import RuleSet

Floats = NDArray[np.float64]


def rules_of(forest: Any, X: Any, y: Any, *, rules_from: str = NODES) -> RuleSet:
    """Return the rules of a fitted tree or forest of another library.

    A rule is the way from the root of a tree to one of its nodes. It covers the rows that the library sends there,
    rows with missing values included.

    Parameters
    ----------
    forest : fitted model
        A tree, a forest or boosted trees of scikit-learn, XGBoost or LightGBM, fitted to numbers.
    X : array-like or dataframe of shape (rows, inputs)
        Rows with the inputs that the forest was fitted to, in their order.
    y : array-like or dataframe of shape (rows,) or (rows, targets)
        The targets of these rows, whose means are what the rules say.
    rules_from : {"nodes", "leaves"}, default="nodes"
        Which nodes of the trees become rules.

    Returns
    -------
    RuleSet
        The rules: `len`, indexing and iteration, `covers(X)`, `to_frame()`. `tree` and `node` say where each comes
        from: the number of a tree, and of a node of it in the order of the levels of the tree.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["bill_length_mm", "flipper_length_mm"]], penguins["body_mass_g"]
    >>> forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, y)
    >>> rules = glade.rules_of(forest, X, y, rules_from="leaves")
    >>> len(rules), bool((rules.covers(X).sum(axis=1) == 3).all())
    (12, True)
    """
    if rules_from not in (NODES, LEAVES):
        raise InputError(f'rules_from must be "{NODES}" or "{LEAVES}", but is {rules_from!r}')
    trees = read_trees(forest)
    matrix, schema = _read_inputs(X)
    _check_width(trees, forest, len(schema.names))
    columns = read_targets(y, CLASSIFICATION if _has_classes(forest, y) else REGRESSION)
    targets = TargetSchema.of(columns)
    tables = to_tables(trees, matrix, spread_targets(columns, targets), np.ones(len(matrix)))
    return extract_rules(tables, schema, targets, rules_from)


def _has_classes(forest: Any, y: Any) -> bool:
    """Whether the targets are classes: the forest says so, or they are no numbers."""
    is_text = any(np.asarray(raw.values).dtype.kind not in "iufb" for raw in list_targets(y))
    return is_text or (hasattr(forest, "get_params") and bool(is_classifier(forest)))


def _read_inputs(X: Any) -> tuple[Floats, Schema]:
    """The inputs as the other library sees them: numbers, truth values as 0 and 1."""
    names = names_as_given(X)
    try:
        matrix = np.array(X, dtype=float)
    except (ValueError, TypeError):
        odd = [column.name for column in read_table(X).columns if column.kind != NUMERIC]
        raise InputError(f"X must hold numbers only, as the forest does, but {list_names(odd)} does not") from None
    schema = Schema.of(read_table(matrix))
    width = len(schema.names)
    own = tuple(map(str, names)) if names else schema.names
    gaps = tuple(np.isnan(matrix).any(axis=0).tolist())
    return matrix, Schema(own, (NUMERIC,) * width, (None,) * width, gaps)


def _check_width(trees: Sequence[ForeignTree], forest: Any, n_inputs: int) -> None:
    expected = getattr(forest, "n_features_in_", None)
    if (expected is not None and expected != n_inputs) or count_inputs(trees) > n_inputs:
        raise InputError(f"X has {n_inputs} inputs, but the forest was fitted to {expected or count_inputs(trees)}")


def spread_targets(columns: Sequence[Column], targets: TargetSchema) -> Floats:
    """Return rows x channels: numbers as they are, zeros and ones for classes; NaN where a target is not known.

    Parameters
    ----------
    columns
        The targets.
    targets
        Their schema.
    """
    parts = []
    for column, classes in zip(columns, targets.classes, strict=True):
        own = column.values[:, None]
        shares = None if classes is None else np.where(np.isnan(own), np.nan, own == np.arange(len(classes)))
        parts.append(own if shares is None else shares)
    return np.hstack(parts)


def to_tables(trees: Sequence[ForeignTree], matrix: Floats, y: Floats, weights: Floats) -> list[NodeTable]:
    """Return the trees as glade stores them, with what these rows say of their nodes.

    Parameters
    ----------
    trees
        Of one model.
    matrix
        Rows x inputs.
    y
        Rows x channels.
    weights
        Of the rows.
    """
    return [_to_table(tree, matrix, y, weights) for tree in trees]


def _to_table(tree: ForeignTree, matrix: Floats, y: Floats, weights: Floats) -> NodeTable:
    order = order_nodes(tree)
    place = {node: k for k, node in enumerate(order)}
    n, depth, parent = len(order), np.zeros(len(order), np.int32), np.zeros(len(order), np.int64)
    weight, rows, value = np.zeros(n), np.zeros(n, np.int64), np.zeros((n, y.shape[1]))
    members: dict[int, NDArray[np.int64]] = {0: np.arange(len(matrix))}
    splits: list[int] = []
    for k, node in enumerate(order):
        own = members.pop(k)
        weight[k], rows[k] = weights[own].sum(), len(own)
        known = ~np.isnan(y[own])
        total = (known * weights[own][:, None]).sum(axis=0)
        mean = np.where(known, y[own], 0.0).T @ weights[own] / np.where(total > 0, total, 1.0)
        value[k] = np.where(total > 0, mean, value[parent[k]])  # the parent's, where no row tells
        if tree.left[node] == LEAF:
            continue
        splits.append(k)
        x = matrix[own, tree.input[node]]
        is_left = np.where(np.isnan(x), tree.missing_left[node], x <= tree.cut[node])
        first = place[int(tree.left[node])]
        members[first], members[first + 1] = own[is_left], own[~is_left]
        depth[first : first + 2], parent[first : first + 2] = depth[k] + 1, k
    return _store(tree, order, np.array(splits, np.int64), depth, (weight, rows, value))


def _store(
    tree: ForeignTree, order: list[int], splits: NDArray[np.int64], depth: NDArray[np.int32], of_rows: tuple[Any, ...]
) -> NodeTable:
    nodes = np.array(order)[splits] if len(splits) else np.zeros(0, np.int64)
    place = {node: k for k, node in enumerate(order)}
    is_cut, none = np.isfinite(tree.cut[nodes]), np.zeros(len(splits))
    split = np.full(len(order), -1, np.int32)
    split[splits] = np.arange(len(splits))
    weight, rows, value = of_rows
    return NodeTable(
        split=split,
        depth=depth,
        weight=weight,
        rows=rows,
        risk=np.zeros(len(order)),
        value=value,
        split_node=splits.astype(np.int32),
        split_kind=np.where(is_cut, int(SplitKind.NUMERIC), int(SplitKind.IS_MISSING)).astype(np.uint8),
        split_input=tree.input[nodes].astype(np.int32),
        split_cut=np.where(is_cut, tree.cut[nodes], 0.0),
        split_missing_left=np.where(is_cut, tree.missing_left[nodes], False).astype(bool),
        split_missing_seen=np.ones(len(splits), bool),
        split_gain=none,
        split_left=np.array([place[int(tree.left[node])] for node in nodes], np.int32),
        set_start=np.zeros(len(splits), np.int64),
        set_end=np.zeros(len(splits), np.int64),
        categories=np.zeros(0, np.int32),
    )


class ForeignForest:
    """A fitted forest of another library as a source of candidate rules.

    On the whole table its trees are those that it has; for a fold it is fitted again without the fold's rows, so that
    what judges the rules was seen by none of them.

    Parameters
    ----------
    model
        The fitted forest.
    n_rows
        Of the whole table.
    """

    monotonic_cst = ()  # rules that are not monotone are left out elsewhere
    max_leaf_nodes = None

    def __init__(self, model: Any, n_rows: int):
        self.model, self.n_rows = model, n_rows

    def __sklearn_clone__(self) -> "ForeignForest":
        return self

    def grow_on(self, training: TrainingSet, reader: Any) -> "ForeignForest":
        """Return the forest's trees with what these rows say of their nodes.

        Parameters
        ----------
        training
            The rows of the whole table, or those without a fold.
        reader
            The estimator that has read them.
        """
        schema, targets = reader.schema_, reader.target_schema_
        odd = [name for name, kind in zip(schema.names, schema.kinds, strict=True) if kind != NUMERIC]
        if odd:
            raise InputError(f"a forest of another library takes numbers only: {list_names(odd)} is nominal")
        y = spread_targets(training.targets, targets)
        model = self.model if len(y) == self.n_rows else self._fit_again(training, targets)
        trees = read_trees(model)
        _check_width(trees, model, len(schema.names))
        grown = ForeignForest(model, self.n_rows)
        grown.forests_ = [Forest.of(to_tables(trees, training.matrix, y, training.weights), targets)]
        return grown

    def _fit_again(self, training: TrainingSet, targets: TargetSchema) -> Any:
        """The same model fitted to the rows of a fold."""
        if not hasattr(self.model, "get_params"):
            raise InputError(
                f"a {type(self.model).__name__} cannot be fitted again for the folds: give the estimator that has it,"
                " such as an XGBRegressor or an LGBMRegressor"
            )
        columns = [column.values for column in training.targets]
        y = np.column_stack(columns) if targets.n_targets > 1 else columns[0]
        if any(classes is not None for classes in targets.classes):
            y = y.astype(int)
        return clone(self.model).fit(training.matrix, y, sample_weight=training.weights)

    @property
    def size_(self) -> Any:
        """Trees, nodes and leaves."""
        from glade.core.size import Size

        nodes = self.forests_[0].nodes
        return Size(trees=nodes.n_trees, nodes=nodes.n_nodes, leaves=nodes.n_leaves)

    forests_: list[Forest]

    def fit(self, X: Any, y: Any) -> Self:
        """Do nothing: the forest is fitted."""
        return self
