"""`monotonic_cst`: no two rows of which one input differs are predicted in the wrong order."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import glade
from glade import ForestClassifier, ForestRegressor, MixedForest, MixedTree, TreeClassifier, TreeRegressor
from glade.grow.shares import keep_shares_of_classes

N_PAIRS = 1_000
ROUNDING = 1e-12  # of sums over trees
SIGNS = {"a": 1, "b": -1, "c": 0}
METHODS = "random_forest", "bagging", "extra_trees", "isle", "boosting"
SETTINGS = {"": {}, "leaves": {"max_leaf_nodes": 12}, "bins": {"max_bins": 8, "min_samples_leaf": 3}}


def make_table(seed, n_rows=400):
    """Targets that do not keep the signs: hills, noise, and gaps in an input."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=list("abc"))
    X.loc[rng.random(n_rows) < 0.1, "a"] = np.nan
    X["d"] = rng.choice(["u", "v", "w"], n_rows)
    amount = np.sin(2 * X["a"].fillna(1)) + X["a"].fillna(0) - X["b"] ** 2 + 0.5 * X["c"] * (X["d"] == "u")
    amount = amount + rng.normal(0, 0.7, n_rows)
    other = -X["a"].fillna(0) + rng.normal(0, 1, n_rows)
    return X, pd.DataFrame({"amount": amount, "other": other, "kind": np.where(amount > 0, "yes", "no")})


def make_pairs(name, seed):
    """Rows, and the same rows with a higher value of one input."""
    rng = np.random.default_rng(seed)
    low, _ = make_table(seed + 100, N_PAIRS)
    low[name] = rng.normal(size=N_PAIRS)
    high = low.copy()
    high[name] += rng.exponential(size=N_PAIRS)
    return low, high


def count_violations(predict, signs=SIGNS):
    """How many of the pairs are in the wrong order, over all constrained inputs."""
    wrong = 0
    for k, (name, sign) in enumerate(signs.items()):
        if sign:
            low, high = make_pairs(name, k)
            wrong += int((sign * (predict(high) - predict(low)) < -ROUNDING).sum())
    return wrong


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("ccp_alpha", [0.0, "cv"])
def test_no_pair_is_in_the_wrong_order_in_trees_pruned_or_not(settings, ccp_alpha):
    X, y = make_table(0)
    more = {**SETTINGS[settings], "ccp_alpha": ccp_alpha, "random_state": 0}
    tree = TreeRegressor(monotonic_cst=SIGNS, **more).fit(X, y["amount"])
    assert tree.get_n_leaves() > 1
    assert count_violations(tree.predict) == 0
    free = TreeRegressor(**more).fit(X, y["amount"])
    assert count_violations(free.predict) > 0  # the test can fail
    for criterion in ("gini", "entropy", "gain_ratio"):
        classes = TreeClassifier(criterion=criterion, monotonic_cst=SIGNS, **more).fit(X, y["kind"])
        assert classes.get_n_leaves() > 1
        assert count_violations(lambda rows, model=classes: model.predict_proba(rows)[:, 1]) == 0
        np.testing.assert_allclose(classes.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("settings", SETTINGS)
def test_no_pair_is_in_the_wrong_order_in_forests(method, settings):
    X, y = make_table(1)
    more = {**SETTINGS[settings], "method": method, "random_state": 0}
    numbers = ForestRegressor(20, monotonic_cst=SIGNS, **more).fit(X, y["amount"])
    assert count_violations(numbers.predict) == 0
    classes = ForestClassifier(20, monotonic_cst=SIGNS, **more).fit(X, y["kind"])
    assert count_violations(lambda rows: classes.predict_proba(rows)[:, 1]) == 0
    free = ForestRegressor(20, **more).fit(X, y["amount"])
    assert count_violations(free.predict) > 0


@pytest.mark.parametrize("make", [MixedTree, lambda **more: MixedForest(20, random_state=0, **more)])
@pytest.mark.parametrize("per_target", [False, True])
@pytest.mark.filterwarnings("ignore:target values are missing")
def test_targets_have_signs_of_their_own_and_may_be_unknown(make, per_target):
    X, y = make_table(2)
    rng = np.random.default_rng(0)
    for name in y:
        y.loc[rng.random(len(y)) < 0.3, name] = None
    signs = {"amount": SIGNS, "other": [-1, 0, 0, 0], "kind": {"b": -1}}
    model = make(monotonic_cst=signs)
    if per_target and "per_target" in model.get_params():
        model.set_params(per_target=True)
    model.fit(X, y)
    for name, own in (("amount", SIGNS), ("other", {"a": -1})):
        assert count_violations(lambda rows, name=name: model.predict(rows)[name].to_numpy(), own) == 0
    assert count_violations(lambda rows: model.predict_proba(rows)["kind"]["yes"].to_numpy(), {"b": -1}) == 0


def test_votes_keep_the_signs():
    X, y = make_table(3)
    forest = ForestClassifier(20, voting="majority", monotonic_cst=SIGNS, random_state=0).fit(X, y["kind"])
    assert count_violations(lambda rows: forest.predict_proba(rows)[:, 1]) == 0


def test_all_targets_have_the_signs_of_one_list_or_dictionary():
    X, y = make_table(4)
    by_name = TreeRegressor(monotonic_cst={"a": 1}).fit(X, y[["amount", "other"]])
    listed = TreeRegressor(monotonic_cst=[1, 0, 0, 0]).fit(X, y[["amount", "other"]])
    np.testing.assert_array_equal(by_name.predict(X), listed.predict(X))
    for t in range(2):
        assert count_violations(lambda rows, t=t: by_name.predict(rows)[:, t], {"a": 1}) == 0


def test_signs_that_are_all_zero_change_nothing():
    X, y = make_table(5)
    for model in (TreeRegressor(), ForestRegressor(5, random_state=0)):
        free = model.fit(X, y["amount"]).predict(X)
        np.testing.assert_array_equal(model.set_params(monotonic_cst={"a": 0}).fit(X, y["amount"]).predict(X), free)


def test_weights_change_no_order_and_large_tables_are_grown_as_small_ones():
    """Nodes of so many rows are large ones where there are no signs."""
    X, y = make_table(6, 10_000)
    weights = np.random.default_rng(0).exponential(size=len(X))
    tree = TreeRegressor(max_leaf_nodes=60, monotonic_cst=SIGNS).fit(X, y["amount"], sample_weight=weights)
    assert count_violations(tree.predict) == 0


def test_a_rising_function_is_found_as_well_as_without_signs():
    rng = np.random.default_rng(7)
    X = pd.DataFrame({"a": rng.uniform(-2, 2, 2_000), "b": rng.normal(size=2_000)})
    y = np.tanh(X["a"].to_numpy()) + rng.normal(0, 0.3, 2_000)
    train, test = slice(0, 1_000), slice(1_000, None)
    scores = [
        TreeRegressor(min_samples_leaf=20, monotonic_cst=signs).fit(X[train], y[train]).score(X[test], y[test])
        for signs in (None, {"a": 1})
    ]
    assert scores[1] > scores[0] - 0.01


def test_risks_are_those_of_the_clipped_values():
    """Pruning compares them."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(200, 1))
    y = -X[:, 0] + rng.normal(0, 0.5, 200) + 2 * (X[:, 0] > 1)
    tree = TreeRegressor(monotonic_cst=[1]).fit(X, y)
    leaves = tree.apply(X)
    own = tree.tree_
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        expected = ((y[inside] - own.value[leaf, 0]) ** 2).sum() / len(y)
        assert own.risk[leaf] == pytest.approx(expected, abs=1e-9)


def test_saved_models_keep_the_constraints(tmp_path):
    X, y = make_table(9)
    tree = TreeRegressor(max_depth=3, monotonic_cst={"amount": SIGNS, "other": [0, 0, -1, 0]})
    tree.fit(X, y[["amount", "other"]]).save(tmp_path / "tree.glade")
    loaded = glade.load(tmp_path / "tree.glade")
    np.testing.assert_array_equal(loaded.predict(X), tree.predict(X))
    assert loaded.get_params()["monotonic_cst"]["amount"] == SIGNS
    TreeRegressor(max_depth=3, monotonic_cst=np.array([1, 0, 0, 0])).fit(X, y["other"]).save(tmp_path / "array.glade")
    assert list(glade.load(tmp_path / "array.glade").get_params()["monotonic_cst"]) == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("signs", "message"),
    [
        ({"z": 1}, "'z', which is no input"),
        ([1, 0], "there are 4 inputs"),
        ([2, 0, 0, 0], "'a', but must be -1, 0 or 1"),
        ({"a": 0.5}, "'a', but must be -1, 0 or 1"),
        ({"a": "up"}, "must hold the numbers -1, 0 and 1"),
        ({"d": 1}, "'d', which is nominal"),
        ({"kinds": {"a": 1}}, "'kinds', which is no target"),
    ],
)
@pytest.mark.parametrize("model", [TreeRegressor(), ForestRegressor(3)])
def test_constraints_that_make_no_sense_are_refused(signs, message, model):
    X, y = make_table(10, 50)
    with pytest.raises(ValueError, match=message):
        model.set_params(monotonic_cst=signs).fit(X, y["amount"])


CLASSES = {
    "one class": {"high": {"a": 1, "b": -1}},
    "two classes": {"high": {"a": 1}, "low": {"a": -1, "b": 1}},
    "all": {"high": {"a": 1}, "mid": {"b": -1}, "low": {"a": -1}},
}


def make_kinds(seed, n_rows=400):
    """Inputs, and a target of three classes."""
    X, y = make_table(seed, n_rows)
    return X, np.select([y["amount"] < -1.0, y["amount"] < 0.5], ["low", "mid"], "high")


def count_wrong_shares(model, signs):
    """Over all classes and inputs with a sign, how many pairs are in the wrong order."""
    place = {label: k for k, label in enumerate(model.classes_)}
    return sum(
        count_violations(lambda rows, k=place[label]: model.predict_proba(rows)[:, k], own)
        for label, own in signs.items()
    )


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("settings", SETTINGS)
def test_each_of_many_classes_has_signs_of_its_own_in_trees(name, settings):
    X, y = make_kinds(12)
    for criterion in ("gini", "entropy"):
        more = {**SETTINGS[settings], "criterion": criterion}
        tree = TreeClassifier(monotonic_cst=CLASSES[name], **more).fit(X, y)
        assert tree.get_n_leaves() > 1
        assert count_wrong_shares(tree, CLASSES[name]) == 0
        np.testing.assert_allclose(tree.tree_.value.sum(axis=1), 1.0)
        np.testing.assert_allclose(tree.predict_proba(X).sum(axis=1), 1.0)
        free = TreeClassifier(**more).fit(X, y)
        assert count_wrong_shares(free, CLASSES[name]) > 0
    pruned = TreeClassifier(ccp_alpha="cv", monotonic_cst=CLASSES[name], random_state=0).fit(X, y)
    assert count_wrong_shares(pruned, CLASSES[name]) == 0
    assert pruned.score(X, y) > 0.45


@pytest.mark.parametrize("method", METHODS)
def test_each_of_many_classes_has_signs_of_its_own_in_forests(method):
    X, y = make_kinds(13)
    one, several = CLASSES["one class"], CLASSES["two classes"]
    forest = ForestClassifier(15, method=method, monotonic_cst=one, random_state=0).fit(X, y)
    assert count_wrong_shares(forest, one) == 0
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1.0)
    assert count_wrong_shares(ForestClassifier(15, method=method, random_state=0).fit(X, y), one) > 0
    several_asked = ForestClassifier(15, method=method, monotonic_cst=several, random_state=0)
    if method == "boosting":
        with pytest.raises(ValueError, match="boosted trees can be held to one class for each input"):
            several_asked.fit(X, y)
    else:
        assert count_wrong_shares(several_asked.fit(X, y), several) == 0


def test_classes_of_several_targets_have_signs_of_their_own():
    X, y = make_table(14)
    frame = pd.DataFrame({"grade": make_kinds(14)[1], "amount": y["amount"]})
    signs = {"grade": {"high": {"a": 1}}, "amount": {"b": -1}}
    for model in (MixedTree(monotonic_cst=signs), MixedForest(10, monotonic_cst=signs, random_state=0)):
        model.fit(X, frame)
        assert count_violations(lambda rows, m=model: m.predict_proba(rows)["grade"]["high"].to_numpy(), {"a": 1}) == 0
        assert count_violations(lambda rows, m=model: m.predict(rows)["amount"].to_numpy(), {"b": -1}) == 0


def test_of_two_classes_either_may_be_named():
    X, y = make_table(15)
    second = TreeClassifier(max_depth=4, monotonic_cst={"a": 1}).fit(X, y["kind"]).predict_proba(X)
    for named in ({"yes": {"a": 1}}, {"no": {"a": -1}}, {"kind": {"no": [-1, 0, 0, 0]}}):
        model = TreeClassifier(max_depth=4, monotonic_cst=named).fit(X, y["kind"])
        np.testing.assert_array_equal(model.predict_proba(X), second)
    with pytest.raises(ValueError, match="lets both classes of target 'kind' go the same way with input 'a'"):
        TreeClassifier(monotonic_cst={"yes": {"a": 1}, "no": {"a": 1}}).fit(X, y["kind"])


def keep_shares_slowly(tree, signs):
    """From the root on: shares nearest to those of growth within bounds, found by a solver of quadratic programs."""
    value, n_classes = tree.value.copy(), signs.shape[1]

    def project(shares, low, high):
        return minimize(
            lambda s: ((s - shares) ** 2).sum(), (low + high) / 2, bounds=list(zip(low, high, strict=True)),
            constraints={"type": "eq", "fun": lambda s: s.sum() - 1.0}, method="SLSQP", options={"ftol": 1e-14},
        ).x  # fmt: skip

    bounds = {0: (np.zeros(n_classes), np.ones(n_classes))}
    for node, left, j in zip(tree.split_node, tree.split_left, tree.split_input, strict=True):
        low, high = bounds[node]
        ones = [project(value[left + side], low, high) for side in (0, 1)]
        middle = (ones[0] + ones[1]) / 2
        for side in (0, 1):
            own_low, own_high = low.copy(), high.copy()
            stays_below = signs[j] == (1 if side == 0 else -1)
            stays_above = signs[j] == (-1 if side == 0 else 1)
            own_high[stays_below], own_low[stays_above] = middle[stays_below], middle[stays_above]
            bounds[left + side] = own_low, own_high
            value[left + side] = project(ones[side], own_low, own_high)
    return value


def test_shares_are_the_nearest_that_keep_the_signs_and_add_up_to_one():
    X, y = make_kinds(16, 200)
    signs = np.zeros((4, 3), np.int8)
    signs[0], signs[1] = [1, -1, 0], [-1, 0, 1]
    tree = TreeClassifier(max_leaf_nodes=12).fit(X, y).tree_
    targets = TreeClassifier(max_depth=1).fit(X, y).target_schema_
    found = keep_shares_of_classes(tree, targets, signs)
    assert not np.allclose(found.value, tree.value, atol=0.01)
    np.testing.assert_allclose(found.value, keep_shares_slowly(tree, signs), atol=1e-4)
    np.testing.assert_allclose(found.value.sum(axis=1), 1.0)


def test_classes_that_cannot_have_signs_are_told():
    X, y = make_kinds(11, 60)
    with pytest.raises(ValueError, match="has 3 classes: which of them is to rise"):
        TreeClassifier(monotonic_cst={"a": 1}).fit(X, y)
    with pytest.raises(ValueError, match="'huge', which is no class of target 'kind': its classes are"):
        TreeClassifier(monotonic_cst={"kind": {"huge": {"a": 1}}}).fit(X, pd.Series(y, name="kind"))
    with pytest.raises(ValueError, match="does not keep monotonic_cst of more than two classes"):
        ForestClassifier(3, voting="majority", monotonic_cst={"low": {"a": 1}}).fit(X, y)


def test_a_series_says_by_its_index_which_sign_is_whose():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(80, 2)), columns=["a", "b"])
    y = X["a"] - X["b"]
    signs = pd.Series({"b": -1, "a": 1})
    found, expected = (TreeRegressor(monotonic_cst=given).fit(X, y) for given in (signs, dict(signs)))
    assert found.predict(X).tolist() == expected.predict(X).tolist()
    with pytest.raises(ValueError, match="names 'c', which is no input"):
        TreeRegressor(monotonic_cst=pd.Series({"c": -1, "a": 1})).fit(X, y)
    with pytest.raises(ValueError, match="must hold the numbers -1, 0 and 1"):
        TreeRegressor(monotonic_cst=np.ma.masked_array([1, 0], mask=[0, 1])).fit(X, y)


def test_a_class_that_is_not_there_is_told_with_the_classes():
    X = np.arange(12.0)[:, None]
    with pytest.raises(ValueError, match=r"names '1', which is no class .these are '0', '1' and '2'. and no target"):
        TreeClassifier(monotonic_cst={"1": [1]}).fit(X, np.repeat([0, 1, 2], 4))
