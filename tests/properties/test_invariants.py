"""What must not change a tree. Trees that part do so at a tie, which is shown."""

import warnings

import numpy as np
import pandas as pd
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glade import MixedTree, TreeClassifier, TreeRegressor
from tests.partitions import count_ties, of_glade
from tests.reference.tree import Criterion, Target

few = settings(max_examples=40, deadline=None, derandomize=True)

numbers = st.one_of(st.none(), st.integers(-3, 3), st.floats(-1e6, 1e6, width=32))
categories = st.one_of(st.none(), st.sampled_from(["red", "green", "blue", "grey", ""]))
target_numbers = st.integers(-40, 40).map(lambda k: k / 8)
target_labels = st.sampled_from(["p", "q", "r"])


@st.composite
def inputs(draw, n_rows, numeric_only=False):
    """One to four columns, numeric or nominal, with missing values."""
    frame = {}
    for k in range(draw(st.integers(1, 4))):
        is_number = numeric_only or draw(st.booleans())
        values = draw(st.lists(numbers if is_number else categories, min_size=n_rows, max_size=n_rows))
        frame[f"x{k}"] = pd.Series(values, dtype=float if is_number else "str")
    return pd.DataFrame(frame)


@st.composite
def targets(draw, n_rows, kinds):
    """A frame of targets, "n" numeric and "l" nominal."""
    columns = {}
    for t, kind in enumerate(kinds):
        values = draw(st.lists(target_numbers if kind == "n" else target_labels, min_size=n_rows, max_size=n_rows))
        assume(len(set(values)) > 1)
        columns[f"{kind}{t}"] = values
    return pd.DataFrame(columns)


@st.composite
def problems(draw, kinds=("n", "nnn", "l", "ll", "nl"), numeric_only=False):
    """Inputs, targets, and a tree that fits them."""
    n_rows = draw(st.integers(4, 24))
    kind = draw(st.sampled_from(kinds))
    X, Y = draw(inputs(n_rows, numeric_only)), draw(targets(n_rows, kind))
    assume(any(X[name].notna().any() for name in X))
    estimator = MixedTree if len(set(kind)) == 2 else TreeRegressor if kind[0] == "n" else TreeClassifier
    max_bins = draw(st.sampled_from([None, None, 3]))
    return X, Y, estimator(max_bins=max_bins, max_depth=draw(st.sampled_from([None, 2])))


def criterion_of(Y, weights=None):
    columns = [
        Target(Y[name].to_numpy(float))
        if name.startswith("n")
        else Target(np.unique(Y[name], return_inverse=True)[1].astype(float), nominal=True)
        for name in Y
    ]
    return Criterion(columns, np.ones(len(Y)) if weights is None else weights)


def fit(model, X, Y, weights=None):
    """A fitted copy, without the notes about odd tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.__class__(**model.get_params()).fit(X, Y, weights)


def values_of(model, X):
    """What the model says of each row, in channels."""
    return model.tree_.value[model.apply(X)]


def check_same(ours, theirs, X, criterion, atol=1e-9):
    """The same partition and the same values, but for ties."""
    if count_ties(of_glade(ours, X), of_glade(theirs, X), criterion) == 0:
        np.testing.assert_allclose(values_of(ours, X), values_of(theirs, X), rtol=1e-9, atol=atol)


@few
@given(problems(), st.randoms(use_true_random=False))
def test_order_of_rows(problem, random):
    """Permuting rows changes no tree, nor where it sends rows that lack everything."""
    X, Y, model = problem
    order = list(range(len(X)))
    random.shuffle(order)
    shuffled = fit(model, X.iloc[order].reset_index(drop=True), Y.iloc[order].reset_index(drop=True))
    model = fit(model, X, Y)
    check_same(model, shuffled, X, criterion_of(Y))
    if count_ties(of_glade(model, X), of_glade(shuffled, X), criterion_of(Y)) == 0:
        blank = X.iloc[:1].map(lambda _: None).astype(X.dtypes)
        np.testing.assert_allclose(values_of(model, blank), values_of(shuffled, blank), rtol=1e-9, atol=1e-12)


@few
@given(problems(), st.data())
def test_weights_are_repeats(problem, data):
    """A whole weight equals so many copies of the row, zero included."""
    X, Y, model = problem
    model.set_params(max_bins=None)
    weights = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(X), max_size=len(X))), dtype=float)
    used = weights > 0
    assume(used.sum() > 1)
    assume(all(Y.loc[used, name].nunique() > 1 for name in Y))
    copies = np.repeat(np.arange(len(X)), weights.astype(int))
    weighted = fit(model, X, Y, weights)
    repeated = fit(model, X.iloc[copies].reset_index(drop=True), Y.iloc[copies].reset_index(drop=True))
    kept = X[used].reset_index(drop=True)
    criterion = criterion_of(Y[used].reset_index(drop=True), weights[used])
    check_same(weighted, repeated, kept, criterion)


@few
@given(problems(numeric_only=True), st.sampled_from(["cube", "arctan", "ranks"]))
def test_monotone_change_of_inputs(problem, change):
    """A monotone change of the inputs keeps the partition: the very same tree but for its cuts."""
    X, Y, model = problem
    if change == "cube":
        changed = X**3
    elif change == "arctan":
        changed = X.rank(method="dense").map(np.arctan)
    else:
        changed = X.rank(method="dense") * 1e12 - 5e12
    before, after = fit(model, X, Y), fit(model, changed, Y)
    np.testing.assert_array_equal(before.apply(X), after.apply(changed))
    np.testing.assert_array_equal(before.tree_.value, after.tree_.value)


@few
@given(problems(kinds=("nnn", "ll", "nl", "nln")), st.randoms(use_true_random=False))
def test_order_of_targets(problem, random):
    """Permuting targets permutes predictions."""
    X, Y, model = problem
    names = list(Y)
    random.shuffle(names)
    before, after = fit(model, X, Y), fit(model, X, Y[names])
    if count_ties(of_glade(before, X), of_glade(after, X), criterion_of(Y)) == 0:
        for name in Y:
            one = values_of(before, X)[:, before.target_schema_.channels_of(list(Y).index(name))]
            two = values_of(after, X)[:, after.target_schema_.channels_of(names.index(name))]
            np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-12)


@few
@given(problems())
def test_apply_gives_the_prediction(problem):
    """The value of the leaf that `apply` names is the prediction."""
    X, Y, model = problem
    model = fit(model, X, Y)
    values = model.tree_.value[model.apply(X)]
    predicted = pd.DataFrame(model.predict(X)).to_numpy().reshape(len(X), -1)
    for t, classes in enumerate(model.target_schema_.classes):
        value = values[:, model.target_schema_.channels_of(t)]
        expected = value[:, 0] if classes is None else classes[value.argmax(axis=1)]
        assert (predicted[:, t] == expected).all()


@few
@given(problems(), st.data())
def test_training_rows_come_to_their_leaves(problem, data):
    """Routing the training rows gives each node the rows and the weight it was grown with."""
    X, Y, model = problem
    weights = np.array(data.draw(st.lists(st.sampled_from([0.25, 1.0, 2.5]), min_size=len(X), max_size=len(X))))
    model = fit(model, X, Y, weights)
    tree, reached = model.tree_, of_glade(model, X)
    np.testing.assert_array_equal(tree.rows, [len(rows) for rows in reached.rows])
    shares = [weights[rows].sum() / weights.sum() for rows in reached.rows]
    np.testing.assert_allclose(tree.weight / tree.weight[0], shares, rtol=1e-12)
    leaves = tree.route(model.schema_.encode(X))
    np.testing.assert_array_equal(np.bincount(leaves, minlength=tree.n_nodes)[tree.is_leaf], tree.rows[tree.is_leaf])
    assert tree.is_leaf[leaves].all()


@few
@given(problems(), st.sampled_from([1e-9, 0.37, 3.0, 1e8]), st.data())
def test_scale_of_weights(problem, scale, data):
    """Only the ratios of weights matter."""
    X, Y, model = problem
    weights = np.array(data.draw(st.lists(st.floats(0.125, 8), min_size=len(X), max_size=len(X))))
    before, after = fit(model, X, Y, weights), fit(model, X, Y, scale * weights)
    check_same(before, after, X, criterion_of(Y, weights))


@few
@given(problems(kinds=("n", "nnn")), st.sampled_from([1e-6, 1e6, -1.0]), st.sampled_from([0.0, 1e9]))
def test_unit_of_targets(problem, scale, shift):
    """Another unit or origin of a target changes no partition."""
    X, Y, model = problem
    changed = Y * scale if shift == 0 else Y + shift
    before, after = fit(model, X, Y), fit(model, X, changed)
    if count_ties(of_glade(before, X), of_glade(after, X), criterion_of(Y)) == 0:
        back = values_of(after, X) / scale if shift == 0 else values_of(after, X) - shift
        np.testing.assert_allclose(values_of(before, X), back, rtol=1e-9, atol=1e-6 if shift else 1e-9)


@few
@given(problems())
def test_children_add_up(problem):
    """Each split's gain is its node's risk less its children's; rows and weights add up too."""
    X, Y, model = problem
    tree = fit(model, X, Y).tree_
    node, left, right = tree.split_node, tree.split_left, tree.split_left + 1
    np.testing.assert_allclose(
        tree.split_gain, tree.risk[node] - tree.risk[left] - tree.risk[right], atol=1e-12 * tree.risk[0]
    )
    np.testing.assert_array_equal(tree.rows[node], tree.rows[left] + tree.rows[right])
    np.testing.assert_allclose(tree.weight[node], tree.weight[left] + tree.weight[right])
    assert (tree.depth[left] == tree.depth[node] + 1).all()


def test_order_of_rows_and_the_left_child():
    """Two categories of equal weight: which is left, and hence takes missing values, is not up to the first row."""
    X, y = pd.DataFrame({"x": ["a", "b", "c", "a", "b", "c"]}), np.array([1.0, 0.0, 2.0] * 2)
    for rows in ([0, 1], [1, 0], [1, 2, 4, 5], [5, 4, 2, 1]):
        model = TreeRegressor().fit(X.iloc[rows], y[rows])
        assert model.predict(pd.DataFrame({"x": [None]})) == y[rows].min()
