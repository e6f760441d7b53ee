"""Multi-trees and archetypes against all of their trees written out."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from glade import MultiTreeClassifier, MultiTreeRegressor, TreeClassifier, TreeRegressor
from glade.core.errors import InputError
from glade.ensemble.fusion import smooth_shares
from tests.fitted import make_table
from tests.reference.multitree import SIMILARITIES, Slow, contingency

N = 60
pytestmark = pytest.mark.filterwarnings("ignore:.*unseen in training", "ignore:.*is constant")
WAKES = ("random", "gain", "loss", "shallow")


@cache
def small_table():
    """Numbers, categories, missing cells; two classes, three classes, two numbers."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 5, N).astype(float),
            "b": rng.choice(list("uvwx"), N),
            "c": np.where(rng.random(N) < 0.2, np.nan, rng.random(N).round(1)),
        }
    )
    base = X["a"] + 2 * X["b"].isin(["u", "w"]) + 3 * X["c"].fillna(0.2) + rng.normal(0, 0.7, N)
    y = pd.DataFrame({"two": base > 4.5, "three": np.clip((base / 2).astype(int), 1, 3), "n1": base, "n2": -(base**2)})
    return X, y


def new_rows(n=40):
    rng = np.random.default_rng(8)
    return pd.DataFrame(
        {
            "a": rng.integers(-1, 7, n).astype(float),
            "b": rng.choice(list("uvwxz"), n),
            "c": np.where(rng.random(n) < 0.2, np.nan, rng.random(n)),
        }
    )


def fit_small(targets, n_alternatives=5, **settings):
    X, y = small_table()
    kind = MultiTreeRegressor if targets[0].startswith("n") else MultiTreeClassifier
    settings = {"max_depth": 3, "min_samples_leaf": 4, "random_state": 1, **settings}
    return kind(n_alternatives, **settings).fit(X, y[targets] if len(targets) > 1 else y[targets[0]])


CASES = {
    "two classes": (["two"], {}),
    "two classes, gain ratio": (["two"], {"criterion": "gain_ratio"}),
    "three classes, entropy": (["three"], {"criterion": "entropy", "wake": "gain"}),
    "two targets": (["three", "two"], {"criterion": "gain_ratio", "wake": "shallow"}),
    "one number": (["n1"], {"wake": "loss"}),
    "two numbers": (["n1", "n2"], {}),
}


@cache
def case(name):
    targets, settings = CASES[name]
    model = fit_small(targets, **settings)
    if "smoothing" in model.get_params():
        model.set_params(smoothing=None)  # the references have the shares as they are
    slow = Slow(model.multitree_.nodes, model.target_schema_)
    return model, slow, list(slow.solutions())


def encode(model, X):
    return model.schema_.encode(X)


def unfold(model):
    """Channel values by the model."""
    return lambda X: model._channel_values(X)


@pytest.mark.parametrize("name", CASES)
def test_the_number_of_solutions_is_exact(name):
    model, _, solutions = case(name)
    assert model.n_solutions_ == len(solutions) == len(set(map(repr, solutions)))
    assert len(solutions) > model.n_alternatives_ == 5
    assert isinstance(model.n_solutions_, int)


def test_huge_numbers_of_solutions_are_whole_numbers():
    rng = np.random.default_rng(0)
    model = MultiTreeClassifier(400, wake="loss").fit(rng.random((600, 8)), rng.integers(0, 2, 600))
    counts = {}
    slow = Slow(model.multitree_.nodes, model.target_schema_)
    for node in reversed(range(model.multitree_.nodes.n_nodes)):
        pairs = [slow.branches(s) for s in slow.splits_of(node)]
        counts[node] = sum(counts[a] * counts[b] for a, b in pairs) if pairs else 1
    assert model.n_solutions_ == counts[0] > 2**64


@pytest.mark.parametrize("fusion", ["mean", "gain"])
@pytest.mark.parametrize("name", CASES)
def test_local_means_weigh_a_tree_by_the_product_of_its_shares(name, fusion):
    model, slow, solutions = case(name)
    tree = model.multitree_
    share = tree.even_shares if fusion == "mean" else tree.gain_shares
    weights = np.array([slow.local_weight(solution, share) for solution in solutions])
    assert weights.sum() == pytest.approx(1)
    X = new_rows()
    expected = [
        weights @ np.array([tree.nodes.value[slow.leaf_of(solution, x)] for solution in solutions])
        for x in encode(model, X)
    ]
    before = model.fusion
    np.testing.assert_allclose(unfold(model.set_params(fusion=fusion))(X), expected, atol=1e-9)
    model.set_params(fusion=before)


@pytest.mark.parametrize("name", [name for name in CASES if "number" not in name])
def test_the_maximum_is_that_over_all_trees(name):
    model, slow, solutions = case(name)
    smooth = smooth_shares(model.multitree_)
    X, schema = new_rows(), model.target_schema_
    for x, got in zip(encode(model, X), unfold(model.set_params(fusion="max"))(X), strict=True):
        highest = np.max([smooth[slow.leaf_of(solution, x)] for solution in solutions], axis=0)
        for t in range(schema.n_targets):
            own = highest[schema.channels_of(t)]
            np.testing.assert_allclose(got[schema.channels_of(t)], own / own.sum())
    model.set_params(fusion="mean")


def join_product(_, values):
    product = np.prod(values, axis=0)
    return product / product.sum()


def join_votes(_, values):
    if len(values) == 1:
        return values[0]
    votes = np.zeros_like(values[0])
    for value in values:
        votes[value.argmax()] += (1 - 1e-6) / len(values)
    return votes + 1e-6 * np.mean(values, axis=0)


@pytest.mark.parametrize("fusion", ["product", "vote", "sum"])
@pytest.mark.parametrize("name", ["two classes", "three classes, entropy"])
def test_other_fusions_from_the_leaves_up(name, fusion):
    model, slow, _ = case(name)
    X, value, smooth = new_rows(), model.multitree_.nodes.value, smooth_shares(model.multitree_)
    ways = {
        "product": lambda x: slow.fuse(x, join_product, smooth.__getitem__),
        "vote": lambda x: slow.fuse(x, join_votes, value.__getitem__),
        "sum": lambda x: (
            (total := slow.fuse(x, lambda _, values: np.sum(values, axis=0), value.__getitem__)) / total.sum()
        ),
    }
    expected = [ways[fusion](x) for x in encode(model, X)]
    np.testing.assert_allclose(model.set_params(fusion=fusion).predict_proba(X), expected, atol=1e-9)
    model.set_params(fusion="mean")


def test_the_sum_of_numbers_counts_each_leaf_alike():
    model, slow, _ = case("two numbers")
    value, X = model.multitree_.nodes.value, new_rows()
    reached = [
        slow.fuse(x, lambda _, lists: [leaf for own in lists for leaf in own], lambda node: [node])
        for x in encode(model, X)
    ]
    expected = [value[leaves].mean(axis=0) for leaves in reached]
    np.testing.assert_allclose(model.set_params(fusion="sum").predict(X), expected)
    model.set_params(fusion="mean")


def to_solution(multitree, tree):
    """A plain tree written as the twin writes it; fails where the multi-tree has no such split."""
    nodes, slow = multitree.nodes, Slow(multitree.nodes, multitree.schema)

    def match(at, own):
        if tree.split[own] < 0:
            return at
        s = tree.split[own]
        same = [
            m
            for m in slow.splits_of(at)
            if nodes.split_input[m] == tree.split_input[s]
            and nodes.split_kind[m] == tree.split_kind[s]
            and nodes.split_cut[m] == tree.split_cut[s]
            and nodes.set_of(m).tolist() == tree.set_of(s).tolist()
        ]
        assert len(same) == 1
        left, right = slow.branches(same[0])
        return (int(same[0]), match(left, tree.split_left[s]), match(right, tree.split_left[s] + 1))

    return match(0, 0)


def labels_of(values, schema, t):
    return values[:, schema.channels_of(t)].argmax(axis=1)


def slow_similarity(model, values, kind):
    """(similarity, agreement) of what leaves say against values, means over targets."""
    schema, leaf_value = model.target_schema_, model.multitree_.nodes.value

    def measure(rows, leaves):
        similar, agree = [], []
        for t, classes in enumerate(schema.classes):
            at = schema.channels_of(t)
            if classes is None:
                whole = np.sum((values[:, at] - values[:, at].mean()) ** 2)
                similar.append(1 - np.sum((values[rows, at] - leaf_value[leaves, at]) ** 2) / whole)
                agree.append(similar[-1])
                continue
            predicted, truth = labels_of(leaf_value[leaves], schema, t), labels_of(values[rows], schema, t)
            matrix = contingency(predicted, truth, len(classes))
            with np.errstate(invalid="ignore"):
                agree.append(SIMILARITIES["theta"](matrix) if len(rows) else 1.0)
                similar.append(SIMILARITIES[kind](matrix) if len(rows) or kind == "q" else 1.0)
        return np.mean(similar), np.mean(agree)

    return measure


@pytest.mark.parametrize("kind", ["kappa", "theta", "q"])
@pytest.mark.parametrize("name", CASES)
def test_the_archetype_is_that_of_the_sources_procedure(name, kind):
    model, slow, solutions = case(name)
    X = new_rows(80)
    matrix, values = encode(model, X), unfold(model)(X)
    measure = slow_similarity(model, values, kind)
    expected, predicted = slow.archetype(0, list(enumerate(matrix)), measure)
    archetype = model.archetype(X, similarity=kind)
    assert to_solution(model.multitree_, archetype.tree_) == expected
    assert expected in solutions
    assert archetype.similarity_ == pytest.approx(measure(np.arange(80), predicted)[0])


@pytest.mark.parametrize("name", ["two classes", "two targets", "two numbers"])
def test_with_a_limit_on_leaves_no_tree_agrees_more(name):
    model, slow, solutions = case(name)
    X = new_rows(60)
    matrix, values = encode(model, X), unfold(model)(X)
    measure = slow_similarity(model, values, "theta")
    everyone = {tree for solution in solutions for tree in slow.cut_back(solution)}
    similar = {tree: measure(np.arange(60), [slow.leaf_of(tree, x) for x in matrix])[0] for tree in everyone}
    for n_leaves in (1, 2, 3, 5, 100):
        found = model.archetype(X, max_leaf_nodes=n_leaves)
        best = max(value for tree, value in similar.items() if slow.leaves(tree) <= n_leaves)
        assert found.similarity_ == pytest.approx(best)
        assert similar[to_solution(model.multitree_, found.tree_)] == pytest.approx(best)
        assert found.get_n_leaves() <= n_leaves


@pytest.mark.parametrize("name", CASES)
def test_occam_has_the_fewest_leaves_and_the_first_tree_is_a_tree(name):
    model, slow, solutions = case(name)
    assert model.occam().get_n_leaves() == min(map(slow.leaves, solutions))
    assert to_solution(model.multitree_, model.occam().tree_) in solutions
    X, y = small_table()
    first = model.first()
    targets = CASES[name][0]
    again = type(first)(**first.get_params()).fit(X, y[targets] if len(targets) > 1 else y[targets[0]])
    assert again.to_text() == first.to_text()


@pytest.mark.parametrize("wake", WAKES)
def test_growing_on_is_growing_at_once(wake):
    half, whole = fit_small(["three"], 4, wake=wake), fit_small(["three"], 9, wake=wake)
    X = new_rows()
    before = half.predict_proba(X)
    half.grow_more(5)
    assert half.n_alternatives_ == whole.n_alternatives_ == 9
    assert half.n_solutions_ == whole.n_solutions_
    assert not np.array_equal(before, half.predict_proba(X))
    np.testing.assert_array_equal(half.predict_proba(X), whole.predict_proba(X))


@pytest.mark.parametrize("wake", WAKES[1:])
def test_the_criterion_says_which_split_is_woken_first(wake):
    """Judged by the candidates of the first tree: all inputs at each of its nodes but the one it took."""
    model = fit_small(["n1"], 0, wake=wake)
    kept, grower = model._growth._grower.alternatives, model._growth._grower
    node, gain = kept["node"].copy(), kept["gain"].copy()
    judged = {
        "gain": gain,
        "loss": gain - grower.latest_gain[node],
        "shallow": -grower.depth[node] + 1e-9 * gain,
    }[wake]
    first = int(np.argmax(judged))
    model.grow_more(1)
    nodes = model.multitree_.nodes
    counts = np.bincount(nodes.split_node, minlength=nodes.n_nodes)
    (twice,) = np.flatnonzero(counts == 2)
    assert twice == node[first]
    assert nodes.split_input[np.flatnonzero(nodes.split_node == twice)[1]] == kept["input"][first]


def test_every_branch_is_grown_as_a_tree_grows():
    """Below a woken split each branch is the tree that its own rows would grow."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 6, (120, 4)).astype(float), rng.random(120)
    model = MultiTreeRegressor(6, wake="shallow", min_samples_leaf=5, random_state=0).fit(X, y)
    nodes = model.multitree_.nodes
    assert (nodes.split_node == 0).sum() == 4  # one split for each input
    for s in np.flatnonzero(nodes.split_node == 0):
        goes_left = X[:, nodes.split_input[s]] <= nodes.split_cut[s]
        for rows, branch in ((goes_left, nodes.split_left[s]), (~goes_left, nodes.split_left[s] + 1)):
            tree = TreeRegressor(min_samples_leaf=5).fit(X[rows], y[rows]).tree_
            assert nodes.rows[branch] == rows.sum()
            assert nodes.value[branch, 0] == pytest.approx(y[rows].mean())
            own = nodes.split[branch]
            assert nodes.split_input[own] == tree.split_input[0]
            assert nodes.split_gain[own] * len(X) == pytest.approx(tree.split_gain[0] * rows.sum())


def test_a_budget_of_nodes_is_kept():
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 5)), rng.random(200)
    first = MultiTreeRegressor(0, random_state=0).fit(X, y)
    assert first.n_solutions_ == 1
    model = MultiTreeRegressor(1000, wake="shallow", max_nodes=1500, random_state=0).fit(X, y)
    assert first.size_.nodes < model.size_.nodes <= 1500
    assert 0 < model.n_alternatives_ < 1000
    assert MultiTreeRegressor(10, max_nodes=5).fit(X, y).size_.nodes == first.size_.nodes
    size = model.size_
    assert model.grow_more(100).size_ == size


def test_all_alternatives_can_be_used_up():
    model = MultiTreeClassifier(10**6, random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1])
    assert model.n_alternatives_ < 20
    assert (model.predict([[0, 0], [0, 1], [1, 0], [1, 1]]) == [0, 1, 1, 1]).all()
    only = MultiTreeClassifier(5).fit([[0.0], [1.0]], ["a", "b"])
    assert (only.n_alternatives_, only.n_solutions_) == (0, 1)


def test_an_archetype_is_a_tree_like_any_other():
    X, y = make_table()
    model = MultiTreeClassifier(50, min_samples_leaf=3, random_state=0).fit(X, y["kind"])
    tree = model.archetype()
    assert isinstance(tree, TreeClassifier)
    assert tree.get_n_leaves() == len(tree.rules_)
    assert tree.pruned(0.02).get_n_leaves() < tree.get_n_leaves()
    assert tree.to_text().startswith("tree of")
    assert tree.explain(X.head(2)).shape[1] == 5
    assert tree.feature_names_in_.tolist() == X.columns.tolist()
    assert tree.similarity_ > 0.5
    assert model.archetype(random_state=5).to_text() == model.archetype(random_state=5).to_text()
    assert model.archetype(invented="uniform", n_invented=1).get_n_leaves() > 1
    with pytest.raises(InputError, match="archetype"):
        model.explain(X)


def test_missing_targets_and_weights():
    X, y = make_table()
    targets = y[["kind", "level"]].copy()
    targets.loc[::5, "kind"] = None
    weights = 1.0 + np.arange(len(X)) % 3
    model = MultiTreeClassifier(30, missing_targets="ignore", random_state=0).fit(X, targets, weights)
    assert [p.shape[1] for p in model.predict_proba(X)] == [3, 4]
    twice = pd.concat([X, X]).reset_index(drop=True), pd.concat([y, y]).reset_index(drop=True)
    whole = MultiTreeRegressor(20, random_state=0).fit(twice[0], twice[1]["amount"])
    heavy = MultiTreeRegressor(20, random_state=0).fit(X, y["amount"], np.full(len(X), 2.0))
    np.testing.assert_allclose(whole.predict(X), heavy.predict(X))


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.random((1500, 4)), rng.integers(0, 3, 1500)
    model = MultiTreeClassifier(40, random_state=0).fit(X, y)
    for fusion in ("mean", "vote", "max"):
        one = model.set_params(fusion=fusion, n_jobs=1).predict_proba(X)
        assert one.tobytes() == model.set_params(n_jobs=3).predict_proba(X).tobytes()


def test_an_interrupt_keeps_what_is_whole(monkeypatch):
    model = fit_small(["n1"], 2)
    grower, expand, n_left = model._growth._grower, model._growth._grower.expand, iter(range(3))

    def expand_thrice(alternative):
        found = expand(alternative)
        if next(n_left, None) is None:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(grower, "expand", expand_thrice)
    with pytest.raises(KeyboardInterrupt):
        model.grow_more(10)
    assert model.n_alternatives_ == 5
    assert model.n_solutions_ == len(list(Slow(model.multitree_.nodes, model.target_schema_).solutions()))
    monkeypatch.undo()
    assert model.grow_more(1).n_alternatives_ == 6


BAD = [
    ({"n_alternatives": -1}, "n_alternatives"),
    ({"wake": "best"}, "wake"),
    ({"fusion": "median"}, "fusion"),
    ({"max_nodes": 0}, "max_nodes"),
    ({"criterion": "variance"}, "criterion"),
]


@pytest.mark.parametrize(("settings", "name"), BAD)
def test_bad_parameters_are_named(settings, name):
    with pytest.raises(ValueError, match=name):
        fit_small(["two"], **settings)


def test_numbers_have_no_votes():
    with pytest.raises(ValueError, match="fusion"):
        fit_small(["n1"], fusion="vote")
    model = fit_small(["two"])
    with pytest.raises(ValueError, match="similarity"):
        model.archetype(similarity="alike")
    with pytest.raises(ValueError, match="n_invented"):
        model.archetype(n_invented=0)
    with pytest.raises(ValueError, match="'n'"):
        model.grow_more(0)
