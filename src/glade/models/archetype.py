"""The archetype of any model: the tree most similar to it, from a multi-tree grown on the model's predictions."""

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils._param_validation import Interval, StrOptions

from glade.core.errors import InputError
from glade.core.parameters import check_parameters
from glade.core.seeds import draw_seed
from glade.data.coding import code_inputs
from glade.data.columns import NOMINAL, NUMERIC
from glade.data.frames import list_targets, names_as_given, to_table
from glade.data.nice_edges import EXACT, NICE, code_nicely
from glade.data.rows import recombine_rows, take_rows
from glade.data.table import Column, Schema, read_table
from glade.data.targets import MIXED, REGRESSION, EncodedTargets, TargetSchema, encode_targets, read_targets
from glade.ensemble.archetype import Archetype, find_archetype
from glade.ensemble.multitree import MultiTreeGrower
from glade.ensemble.synthetic_rows import DRAWN_BY_INPUT, NEAR, pick_cells
from glade.grow.grower import GrowthSettings
from glade.models.multitree_base import ANALYTIC, INVENTED_ROWS, OF_ARCHETYPE
from glade.models.tree import TreeClassifier, TreeRegressor

WAKE = "shallow"  # the alternatives that matter to a small tree are those near the root
MIN_ROWS_LEAF = 5
LEAF_SHARE = 0.05  # the smallest leaf, as a fraction of the weight that it would have if all had the same
REAL_SHARE = 0.5  # the fraction of the weight that the rows given have; the synthetic rows have the rest
HELD_OUT = 5  # a fifth of the rows is held out to measure the agreement with the model
MAX_NODES = 1_000_000
CONSTRAINTS = {
    **OF_ARCHETYPE,
    "n_invented": [Interval(Integral, 0, None, closed="left")],
    "invented": [StrOptions({NEAR, *DRAWN_BY_INPUT})],
    "n_alternatives": [Interval(Integral, 0, None, closed="left")],
    "cuts": [StrOptions({NICE, EXACT})],
}


def archetype(
    model: Any,
    X: Any,
    *,
    n_invented: int = 10_000,
    invented: str = "near",
    n_alternatives: int = 100,
    max_leaf_nodes: int | None = None,
    similarity: str = "kappa",
    cuts: str = EXACT,
    how: str = INVENTED_ROWS,
    random_state: Any = None,
) -> Any:
    """Return one tree whose predictions are as similar to those of a model as a tree of its size allows.

    The model predicts the targets of the rows given and of synthetic rows. A multi-tree is grown on these predictions,
    and of all its trees the one that is most similar to the model is returned. The model may be of any library, as long
    as it has `predict`, and `predict_proba` if it has classes.

    Parameters
    ----------
    model : fitted model
        A model of scikit-learn, XGBoost, glade or another library, or a pipeline. Its targets must be all numeric or
        all nominal.
    X : array-like or dataframe of shape (rows, inputs)
        Rows as the model takes them, such as those that it was fitted to. No targets are needed.
    n_invented : int, default=10_000
        The number of synthetic rows. All of them together count as much as the rows given.
    invented : {"near", "marginal", "uniform"}, default="near"
        How synthetic rows are made: "near" takes a row and replaces one input (on average) by that of another row;
        "marginal" draws each input from its values, "uniform" uniformly from its range or its categories.
    n_alternatives : int, default=100
        The number of alternative splits of the multi-tree whose branches are grown, those nearest to the root first.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves. Branches may then be cut back, and of all trees of that size the one that agrees
        most with the model is returned. None means that the tree is as large as it grows.
    similarity : {"kappa", "theta", "q"}, default="kappa"
        The similarity of two classifiers, as in `MultiTreeClassifier.archetype`. It is not used with `max_leaf_nodes`.
    cuts : {"exact", "nice"}, default="exact"
        Where numeric inputs are cut: at any value, or at most some 40 values of each input, each the shortest decimal
        near a quantile.
    how : {"invented"}, default="invented"
        Tree and model are compared on rows. Over regions of the inputs (how="analytic") only the trees of a multi-tree
        can be compared with it: that is a setting of its own method `archetype`.
    random_state : int, RandomState instance or None, default=None
        The seed for the synthetic rows.

    Returns
    -------
    TreeRegressor or TreeClassifier
        A fitted tree. Its `agreement_` is the fraction of rows on which tree and model agree, measured on rows that
        were held out from another archetype of the remaining rows; for numeric targets it is 1 - the relative squared
        difference, with several targets the mean. Its `similarity_` is its similarity to the model on the rows by which
        it was chosen.

    Examples
    --------
    >>> import glade
    >>> penguins = glade.load_penguins().dropna()
    >>> X, y = penguins[["bill_length_mm", "bill_depth_mm", "island"]], penguins["species"]
    >>> forest = glade.ForestClassifier(20, random_state=0).fit(X, y)
    >>> tree = glade.archetype(forest, X, n_invented=1000, max_leaf_nodes=5, random_state=0)
    >>> print(tree.to_text())
    tree of ... leaves, depth ...
    >>> tree.agreement_ > 0.9
    True
    """
    given = {
        "n_invented": n_invented,
        "invented": invented,
        "n_alternatives": n_alternatives,
        "max_leaf_nodes": max_leaf_nodes,
        "similarity": similarity,
        "cuts": cuts,
        "how": how,
        "random_state": random_state,
    }
    check_parameters(CONSTRAINTS, given, "archetype")
    if how == ANALYTIC:
        raise InputError(
            "how='analytic' compares the trees of a multi-tree over their own regions, and a model of any kind has none"
            " that are known: use the method archetype of a fitted MultiTreeRegressor, MultiTreeClassifier or"
            " MixedMultiTree, or how='invented'"
        )
    predictor = ModelPredictor(model)
    settings = ArchetypeSettings(
        n_invented, invented, n_alternatives, max_leaf_nodes, similarity, cuts, draw_seed(random_state)
    )
    X = to_table(X)
    found, predicted = imitate(predictor, X, settings)
    tree = _to_estimator(found, predicted, X, settings)
    tree.agreement_ = _measure_agreement(predictor, X, settings)
    return tree


@dataclass(frozen=True)
class ArchetypeSettings:
    """The parameters of `archetype`."""

    n_invented: int
    invented: str
    n_alternatives: int
    max_leaves: int | None
    similarity: str
    cuts: str
    seed: int


@dataclass(frozen=True)
class ModelPredictions:
    """The predictions of a model."""

    schema: TargetSchema
    values: NDArray[np.float64]  # rows x channels: numbers, and probabilities of classes

    @property
    def labels(self) -> list[NDArray[np.float64]]:
        """For each target the predicted number, or the position of the class that is said."""
        parts = [self.values[:, self.schema.channels_of(t)] for t in range(self.schema.n_targets)]
        is_class = [classes is not None for classes in self.schema.classes]
        return [
            self.schema.decision_of(t).pick(own).astype(float) if is_class[t] else own[:, 0]
            for t, own in enumerate(parts)
        ]


class ModelPredictor:
    """A fitted model of any library, whose predictions are read in one form."""

    def __init__(self, model: Any):
        if not hasattr(model, "predict"):
            raise InputError(f"a {type(model).__name__} cannot be asked: give a fitted model that has `predict`")
        if getattr(model, "task", None) == MIXED:
            raise InputError("an archetype is for numbers or for classes: give a model of one kind of targets")
        self._model = model
        self._names = getattr(getattr(model, "target_schema_", None), "names", None)
        self._classes: list[Any] | None = None  # those of each target, once they are known

    def predict(self, X: Any) -> ModelPredictions:
        """Return its predictions for these rows."""
        if hasattr(self._model, "predict_proba") and hasattr(self._model, "classes_"):
            probabilities = self._model.predict_proba(X)
            many = isinstance(probabilities, list)
            return self._of_probabilities(
                probabilities if many else [probabilities], self._model.classes_ if many else [self._model.classes_]
            )
        predicted = self._model.predict(X)
        if is_classifier(self._model) or self._classes is not None:
            return self._of_labels(predicted)
        try:
            columns = read_targets(predicted, REGRESSION)
        except ValueError:  # not numbers, then classes
            return self._of_labels(predicted)
        return ModelPredictions(TargetSchema.of(self._name(columns)), np.column_stack([c.values for c in columns]))

    def _of_probabilities(self, probabilities: list[Any], classes: list[Any]) -> ModelPredictions:
        names = self._names or (
            ("y",) if len(probabilities) == 1 else tuple(f"y{t}" for t in range(len(probabilities)))
        )
        values = np.column_stack([np.asarray(part, dtype=float) for part in probabilities])
        own = getattr(self._model, "target_schema_", None)
        decisions = own.decisions if isinstance(own, TargetSchema) else ()  # an archetype says what its model says
        return ModelPredictions(
            TargetSchema(tuple(names), tuple(np.asarray(own) for own in classes), decisions), values
        )

    def _of_labels(self, predicted: Any) -> ModelPredictions:
        columns = [np.asarray(raw.values) for raw in list_targets(predicted)]
        if self._classes is None:
            known = getattr(self._model, "classes_", None)
            one = known is not None and len(columns) == 1
            self._classes = [np.asarray(known)] if one else [np.unique(column) for column in columns]
        probabilities = [column[:, None] == own for column, own in zip(columns, self._classes, strict=True)]
        return self._of_probabilities([part.astype(float) for part in probabilities], self._classes)

    def _name(self, columns: list[Column]) -> list[Column]:
        if self._names is None:
            return columns
        return [replace(column, name=name) for column, name in zip(columns, self._names, strict=True)]


def imitate(predictor: ModelPredictor, X: Any, settings: ArchetypeSettings) -> tuple[Archetype, ModelPredictions]:
    """Return the most similar tree of a multi-tree grown on the model's predictions, and these predictions."""
    table, rng = read_table(X), np.random.default_rng(settings.seed)
    if table.n_rows == 0:
        raise InputError("there are 0 rows: give some that the model was fitted on")
    cells = pick_cells(table, settings.n_invented, settings.invented, rng)
    predicted = predictor.predict(X)
    if settings.n_invented:
        of_synthetic = predictor.predict(recombine_rows(X, cells))
        predicted = replace(predicted, values=np.concatenate((predicted.values, of_synthetic.values)))
    weights = _weigh(table.n_rows, settings.n_invented)
    rows = np.concatenate((np.tile(np.arange(table.n_rows)[:, None], cells.shape[1]), cells))
    table = table.with_values(np.take_along_axis(table.values, rows.T, axis=1))
    inputs = code_nicely(table, weights) if settings.cuts == NICE else code_inputs(table, weights, "auto")
    grower = MultiTreeGrower(inputs, _encode(predicted, weights), _limit(settings), WAKE, settings.seed, MAX_NODES)
    grower.grow(settings.n_alternatives)
    multitree = replace(grower.to_multitree(), schema=predicted.schema)  # which knows how the model decides
    found = find_archetype(
        multitree, table.to_matrix(), predicted.values, settings.similarity, settings.max_leaves, weights
    )
    return found, predicted


def _weigh(n_real: int, n_invented: int) -> NDArray[np.float64]:
    """Return row weights of mean 1, by which all synthetic rows together weigh as much as all real ones."""
    if n_invented == 0:
        return np.ones(n_real)
    n_rows = n_real + n_invented
    real, other = REAL_SHARE * n_rows / n_real, (1.0 - REAL_SHARE) * n_rows / n_invented
    return np.concatenate((np.full(n_real, real), np.full(n_invented, other)))


def _limit(settings: ArchetypeSettings) -> GrowthSettings:
    """Return settings that allow no leaf too small to matter in a tree of the size that was asked for."""
    share = 0.0 if settings.max_leaves is None else LEAF_SHARE / settings.max_leaves
    return GrowthSettings(min_samples_leaf=MIN_ROWS_LEAF, min_weight_fraction_leaf=share)


def _encode(predicted: ModelPredictions, weights: NDArray[np.float64]) -> EncodedTargets:
    """Return the channels to grow on: for classes the model's probabilities, so that its doubt counts."""
    columns = [
        Column(name, NUMERIC, values) if classes is None else Column(name, NOMINAL, values, tuple(classes.tolist()))
        for name, classes, values in zip(
            predicted.schema.names, predicted.schema.classes, predicted.labels, strict=True
        )
    ]
    targets = encode_targets(columns, weights, "gini", np.ones(len(columns)))
    if predicted.schema.classes[0] is None:
        return targets
    probabilities = targets.channels.y.copy()
    probabilities[:, : predicted.values.shape[1]] = predicted.values
    return replace(targets, channels=targets.channels._replace(y=probabilities))


def _to_estimator(found: Archetype, predicted: ModelPredictions, X: Any, settings: ArchetypeSettings) -> Any:
    """Return the tree as a fitted estimator."""
    numeric = predicted.schema.classes[0] is None
    tree: Any = (TreeRegressor if numeric else TreeClassifier)(
        max_leaf_nodes=None if settings.max_leaves == 1 else settings.max_leaves, cuts=settings.cuts
    )
    if not numeric:
        tree.set_params(smoothing=None)  # its shares are a model's probabilities
    tree.schema_, tree.target_schema_ = Schema.of(read_table(X)), predicted.schema
    tree.n_outputs_, tree.n_features_in_ = predicted.schema.n_targets, len(tree.schema_.names)
    names = names_as_given(X)
    if names and all(isinstance(name, str) for name in names):
        tree.feature_names_in_ = np.array(names, dtype=object)
    if not numeric:
        tree._keep_classes()
    ones = np.ones(len(predicted.values))
    leaves = found.tree.route(tree.schema_.encode(X))
    n_rows = found.tree.list_ways(leaves[:, None]).sum(axis=0)  # of those given: nobody has seen the synthetic ones
    tree.tree_, tree.ccp_alpha_, tree.similarity_ = replace(found.tree, rows=n_rows), 0.0, found.similarity
    tree.spread_ = _encode(predicted, ones).spread
    return tree


def _measure_agreement(predictor: ModelPredictor, X: Any, settings: ArchetypeSettings) -> float:
    """Return how well an archetype of the other rows agrees with the model on held-out rows; NaN if rows are few."""
    n_rows = X.shape[0]
    if n_rows < 2 * HELD_OUT:
        return float("nan")
    back = np.random.default_rng(settings.seed).permutation(n_rows)[: n_rows // HELD_OUT]
    rest = np.setdiff1d(np.arange(n_rows), back)
    found, _ = imitate(predictor, take_rows(X, rest), settings)
    schema = Schema.of(read_table(take_rows(X, rest)))
    truth = predictor.predict(take_rows(X, back))
    values = found.tree.value[found.tree.route(schema.encode(take_rows(X, back)))]
    return agree(truth, replace(truth, values=values))


def agree(one: ModelPredictions, other: ModelPredictions) -> float:
    """Return the fraction of rows with equal classes, or 1 - the relative squared difference, as a mean."""
    agreements = []
    for t, (a, b) in enumerate(zip(one.labels, other.labels, strict=True)):
        if one.schema.classes[t] is None:
            middle = a[0] + np.mean(a - a[0])
            unit = np.abs(a - middle).max() or np.abs(a - b).max() or 1.0  # squares of huge numbers overflow
            whole = float(np.sum(((a - middle) / unit) ** 2))
            apart = float(np.sum(((a - b) / unit) ** 2))
            agreements.append(1.0 - apart / whole if whole else float(apart == 0.0))
        else:
            agreements.append(float(np.mean(a == b)))
    return float(np.mean(agreements))
