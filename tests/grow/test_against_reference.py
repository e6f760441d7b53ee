"""The compiled grower against its slow twin, on many small random tables of every kind."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from glade import MixedTree, TreeClassifier, TreeRegressor
from glade.data.coding import code_inputs
from glade.data.table import read_table
from tests.partitions import count_ties, count_ties_best_first, of_glade, of_reference
from tests.reference.tree import Criterion, Input, Settings, Target, grow_reference

pytestmark = pytest.mark.filterwarnings("ignore:target values are missing")

N_TABLES = 12  # for each kind of targets and inputs

# kinds of the targets, "n" numeric, a digit nominal with so many classes; the criterion for nominal ones
TARGETS = {
    "one number": ("n", "gini"),
    "three numbers": ("nnn", "gini"),
    "two classes, gini": ("2", "gini"),
    "two classes, entropy": ("2", "entropy"),
    "four classes, gini": ("4", "gini"),
    "several nominal targets, gini": ("23", "gini"),
    "several nominal targets, entropy": ("32", "entropy"),
    "mixed, gini": ("n3", "gini"),
    "mixed, entropy": ("2nn", "entropy"),
}

LIMITS = (
    Settings(),
    Settings(max_depth=3),
    Settings(min_samples_leaf=3),
    Settings(min_samples_split=6),
    Settings(max_leaf_nodes=5),
    Settings(min_impurity_decrease=0.01),
    Settings(min_weight_fraction_leaf=0.15),
)


def draw_input(rng, n_rows, kind, missing):
    """Numbers with many or few distinct values, or categories; some of them missing."""
    if kind == "continuous":
        values = rng.normal(size=n_rows)
    elif kind == "whole":
        values = rng.integers(-2, 4, n_rows).astype(float)
    else:
        values = rng.integers(0, rng.integers(2, 7), n_rows).astype(float)
    if missing:
        values[rng.random(n_rows) < 0.25] = np.nan
    return Input(values, kind == "nominal")


def draw_targets(rng, kinds, inputs, missing):
    """Targets that depend on the inputs, with noise."""
    n_rows = len(inputs[0].values)
    signal = sum(rng.normal() * np.nan_to_num(column.values, nan=1.5) for column in inputs)
    targets = []
    for kind in kinds:
        y = rng.normal() * signal + rng.normal(size=n_rows)
        if kind == "n":
            target = Target(10.0 ** rng.integers(-3, 4) * (y + rng.normal()))
        else:
            target = Target(pd.qcut(y, int(kind), labels=False).astype(float), nominal=True)
        if missing:
            target.values[rng.random(n_rows) < 0.2] = np.nan
            target.values[:4] = np.arange(4) % int(kind) if target.nominal else np.arange(4)  # every class is known
        targets.append(target)
    return targets


def draw_weights(rng, n_rows):
    """None, whole, or fractions, some of them small."""
    return [np.ones(n_rows), rng.integers(1, 4, n_rows).astype(float), rng.exponential(size=n_rows)][rng.integers(3)]


def to_frame(columns, prefix):
    """What a user would pass: text for nominal columns."""
    frame = {}
    for k, column in enumerate(columns):
        text = [None if np.isnan(v) else f"{prefix}{int(v)}" for v in column.values] if column.nominal else None
        frame[f"{prefix}{k}"] = pd.Series(text, dtype="str") if text else column.values
    return pd.DataFrame(frame)


def fit_glade(inputs, targets, weights, criterion, settings, **parameters):
    limits = {name: value for name, value in asdict(settings).items() if name != "gain_ratio"}
    kinds = {target.nominal for target in targets}
    estimator = MixedTree if len(kinds) == 2 else TreeClassifier if kinds == {True} else TreeRegressor
    name = "gain_ratio" if settings.gain_ratio else criterion if True in kinds else "variance"
    model = estimator(criterion=name, missing_targets="ignore", **limits, **parameters)
    X, Y = to_frame(inputs, "x"), to_frame(targets, "y")
    return model.fit(X, Y, weights), X


def check_equal(inputs, targets, weights, criterion_name, settings, max_bins=None, target_weights=None):
    """Fit both and compare; gives the number of ties at which they part."""
    model, X = fit_glade(
        inputs, targets, weights, criterion_name, settings, max_bins=max_bins, target_weights=target_weights
    )
    criterion = Criterion(targets, weights, criterion_name, target_weights)
    twin = of_reference(grow_reference(code_columns(inputs, X, weights, max_bins), criterion, settings))
    ours = of_glade(model, X)
    count = count_ties if settings.max_leaf_nodes is None else count_ties_best_first
    ties = count(ours, twin, criterion)
    risk = model.tree_.risk[model.tree_.is_leaf].sum()
    assert risk == pytest.approx(criterion.risk(ours.leaves), rel=1e-9, abs=1e-12)
    if ties == 0:
        assert model.get_n_leaves() == len(twin.leaves)
        assert risk == pytest.approx(criterion.risk(twin.leaves), rel=1e-9, abs=1e-12)
        values = model.tree_.value[model.apply(X)]
        for rows in twin.leaves:
            expected = np.tile(criterion.value(rows), (len(rows), 1))
            known = ~np.isnan(expected)  # a target that no row of the leaf knows is the parent's business
            np.testing.assert_allclose(values[rows][known], expected[known], rtol=1e-9, atol=1e-12)
    return ties


def code_columns(inputs, X, weights, max_bins):
    """The inputs as the twin should see them: bins instead of values if there are bins."""
    if max_bins is None:
        return inputs
    coded = code_inputs(read_table(X), weights, max_bins)
    return [
        column
        if column.nominal
        else Input(np.where(np.isnan(column.values), np.nan, np.searchsorted(low, column.values, "right") - 1.0))
        for column, low in zip(inputs, coded.low, strict=True)
    ]


def draw_table(
    rng, kinds, missing="complete", n_rows=(8, 26), n_inputs=3, input_kinds=("continuous", "whole", "nominal")
):
    n_rows = int(rng.integers(*n_rows))
    inputs = [draw_input(rng, n_rows, kind, missing != "complete") for kind in rng.choice(input_kinds, size=n_inputs)]
    return inputs, draw_targets(rng, kinds, inputs, missing == "missing inputs and targets"), draw_weights(rng, n_rows)


@pytest.mark.parametrize("missing", ["complete", "missing inputs", "missing inputs and targets"])
@pytest.mark.parametrize("name", TARGETS)
def test_equals_twin(name, missing):
    """Any targets, any inputs, any weights, any limit: the compiled tree is the twin's, but for ties."""
    kinds, criterion = TARGETS[name]
    tied = 0
    for seed in range(N_TABLES):
        rng = np.random.default_rng([seed, *map(ord, name + missing)])
        tied += check_equal(*draw_table(rng, kinds, missing), criterion, LIMITS[seed % len(LIMITS)]) > 0
    assert tied <= N_TABLES // 3, "too many trees part at a tie: little was shown"


@pytest.mark.parametrize("missing", ["complete", "missing inputs"])
@pytest.mark.parametrize(
    ("kinds", "criterion"), [("n", "gini"), ("nn", "gini"), ("3", "gini"), ("2", "entropy"), ("n2", "gini")]
)
def test_large_nodes(kinds, criterion, missing):
    """Nodes of hundreds of rows take other ways through the kernel (sums by code, radix sort): the same tree."""
    for seed in range(3):
        rng = np.random.default_rng([seed, *map(ord, kinds + criterion + missing)])
        table = draw_table(rng, kinds, missing, n_rows=(150, 400), n_inputs=2)
        assert check_equal(*table, criterion, Settings(max_depth=2, min_samples_leaf=1 + seed)) == 0


@pytest.mark.parametrize("kinds", ["n", "nn", "3"])
def test_many_inputs(kinds):
    """Small nodes with many inputs, many of which make the same division: the lowest input wins."""
    for seed in range(6):
        rng = np.random.default_rng([seed, *map(ord, kinds)])
        inputs, targets, weights = draw_table(rng, kinds, n_rows=(6, 14), n_inputs=9)
        check_equal(inputs, targets, weights, "gini", Settings())
        model, _ = fit_glade(inputs, targets, weights, "gini", Settings(max_depth=1))
        twin = grow_reference(inputs, Criterion(targets, weights), Settings(max_depth=1))
        assert model.tree_.split_input.tolist() == [twin.test.input]


@pytest.mark.parametrize("max_bins", [2, 5, 16])
@pytest.mark.parametrize("kinds", ["n", "3", "nn"])
def test_binned(kinds, max_bins):
    """A binned tree is the exact tree of the bins."""
    for seed in range(4):
        rng = np.random.default_rng([seed, max_bins, *map(ord, kinds)])
        table = draw_table(rng, kinds, "missing inputs", n_rows=(20, 60), n_inputs=2)
        check_equal(*table, "gini", Settings(max_depth=4), max_bins=max_bins)


@pytest.mark.parametrize("kinds", ["2", "4", "23"])
def test_gain_ratio(kinds):
    """C4.5's choice: the best ratio among the candidates of at least the mean gain."""
    differ = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, *map(ord, kinds)])
        inputs, targets, weights = draw_table(rng, kinds, "missing inputs" if seed % 2 else "complete")
        check_equal(inputs, targets, weights, "entropy", Settings(gain_ratio=True))
        ratio, _ = fit_glade(inputs, targets, weights, "entropy", Settings(gain_ratio=True))
        plain, _ = fit_glade(inputs, targets, weights, "entropy", Settings())
        differ += ratio.get_n_leaves() != plain.get_n_leaves()
    assert differ > 0, "the ratio never chose otherwise than the gain: nothing was shown"


@pytest.mark.parametrize("level", [0.3, 0.05, 0.001])
@pytest.mark.parametrize("kinds", ["n", "nn", "3", "n2"])
def test_f_test(kinds, level):
    """A split whose F-test has a p-value above the level is not made."""
    leaves = []
    for seed in range(5):
        rng = np.random.default_rng([seed, *map(ord, kinds)])
        inputs, targets, weights = draw_table(rng, kinds, "missing inputs" if seed % 2 else "complete")
        check_equal(inputs, targets, weights, "gini", Settings(f_test=level))
        limited, _ = fit_glade(inputs, targets, weights, "gini", Settings(f_test=level))
        free, _ = fit_glade(inputs, targets, weights, "gini", Settings())
        leaves.append((limited.get_n_leaves(), free.get_n_leaves()))
    assert sum(a for a, _ in leaves) < sum(b for _, b in leaves)


@pytest.mark.parametrize(("kinds", "criterion"), [("nnn", "gini"), ("n23", "gini"), ("22n", "entropy")])
def test_target_weights(kinds, criterion):
    """Targets count as the user says; one of weight zero does not count."""
    for seed in range(5):
        rng = np.random.default_rng([seed, *map(ord, kinds)])
        check_equal(
            *draw_table(rng, kinds),
            criterion,
            Settings(max_depth=3),
            target_weights=[3.0, 1.0, 0.0 if seed % 2 else 0.2],
        )


def test_unseen_missing_goes_to_the_larger_child():
    """Where training rows lacked no value, a missing one takes the heavier child, the left of equal ones."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        inputs, targets, weights = draw_table(rng, ["n", "3"][seed % 2])
        tree = fit_glade(inputs, targets, weights, "gini", Settings())[0].tree_
        left, right = tree.weight[tree.split_left], tree.weight[tree.split_left + 1]
        assert not tree.split_missing_seen.any()
        clear = np.abs(left - right) > 1e-9 * (left + right)
        np.testing.assert_array_equal(tree.split_missing_left[clear], (left > right)[clear])
        assert tree.split_missing_left[~clear].all()


def test_fractional_weights():
    """A row is a row however little it weighs: weights below one do not keep a tree from growing."""
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(30, 2)), rng.normal(size=30), rng.uniform(0.001, 0.9, 30)
    assert TreeRegressor(max_bins=None).fit(X, y, w).get_n_leaves() == 30
