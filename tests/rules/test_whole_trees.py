"""Whole trees as terms: one weight for all leaves of a tree and all targets."""

import numpy as np
import pytest

import glade
from glade import FIRERegressor, ForestClassifier, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.data.targets import TargetSchema
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.extract import TREES, extract_rules
from glade.rules.hard import WholeTrees
from glade.rules.linear import LinearTerms
from glade.rules.scores import Scores
from glade.weights.problem import FoldProblem
from glade.weights.whole_trees import TiedProblem
from tests.rules.tables import encode, fit, hurry, make_new_rows, make_table, quietly

X, Y = make_table(n_rows=160, seed=5)
NUMBERS = Y[["number", "other"]]
NEW = make_new_rows(X)


def make(forest=None, **settings):
    forest = ForestRegressor(12, max_depth=3) if forest is None else forest
    shared = {"rules_from": "trees", "linear_terms": False, "cv": 2, "random_state": 0}
    settings["weights"] = hurry(settings.get("weights", "auto"))
    return RuleEnsembleRegressor(forest, **{**shared, **settings})


def say(tree, matrix):
    """Rows x targets: what a tree predicts."""
    return tree.value[tree.route(matrix)]


def find_tree_weights(model):
    """For each tree in use: its weight, if its leaves' effects are their values times it, and the number of leaves."""
    trees = model.generator_.trees_
    rules = extract_rules(trees, model.schema_, model.target_schema_, TREES)
    value = dict(zip(rules.keys.tolist(), rules.value, strict=True))
    of_tree = {}
    for rule, effect in zip(model.terms_.design.rules, model.terms_.effect, strict=False):
        of_tree.setdefault(int(rule.tree[0]), []).append((value[int(rule.keys[0])], effect))
    found = {}
    for tree, pairs in of_tree.items():
        own, effect = (part - part[0] for part in np.array(pairs).swapaxes(0, 1))
        weight = (own * effect).sum() / (own * own).sum()
        np.testing.assert_allclose(effect, weight * own, atol=1e-9)
        found[tree] = weight, len(pairs)
    return found


@pytest.mark.parametrize("weights", ["auto", "greedy", "ridge", "lasso", "gradient"])
def test_a_model_is_an_offset_and_weighted_trees(weights):
    model = fit(make(weights=weights, max_rules=None), X, NUMBERS)
    weight_of = find_tree_weights(model)
    predicted = np.zeros((len(NEW), 2))
    for tree, (weight, n_leaves) in weight_of.items():
        assert n_leaves == model.generator_.trees_[tree].is_leaf.sum()  # all leaves, or none
        predicted += weight * say(model.generator_.trees_[tree], encode(model, NEW))
    rest = quietly(model.predict, NEW) - predicted
    np.testing.assert_allclose(rest, np.tile(rest[0], (len(rest), 1)), atol=1e-9)
    assert model.size_.terms == len(weight_of)
    assert model.size_.rules == sum(n_leaves for _, n_leaves in weight_of.values())


def test_the_limit_counts_trees():
    model = fit(make(max_rules=3), X, NUMBERS)
    assert 1 <= model.size_.terms <= 3
    assert model.size_.rules > 3
    whole = fit(make(max_rules=None), X, NUMBERS)
    for k in (1, 3, 6):
        assert len(find_tree_weights(whole.with_rules(k))) == whole.with_rules(k).size_.terms <= k
    assert whole.path_.terms.max() <= 12


@pytest.mark.parametrize("is_weighted", [False, True])
def test_what_solvers_are_given_is_what_the_trees_say(is_weighted):
    random = np.random.default_rng(0)
    forest = fit(ForestRegressor(4, max_depth=2, random_state=0), X, NUMBERS)
    matrix, y = encode(forest, X), NUMBERS.to_numpy().copy()
    y[random.random(y.shape) < 0.3] = np.nan
    weights = random.random(len(y)) if is_weighted else None
    rules = extract_rules(forest.trees_, forest.schema_, forest.target_schema_, TREES)
    linear = LinearTerms.of(matrix, forest.schema_)
    rows, held_out = (TargetRows(matrix, y, weights).take(own) for own in (np.arange(100), np.arange(100, len(y))))
    leaves = FoldProblem(Design.of(WholeTrees(rules), linear), rows, held_out=held_out)
    tied = TiedProblem.of(leaves, rules.value)

    columns, goals, counts = [], [], []
    for t in range(2):
        means, start = [], None
        for part in (rows, held_out):
            known = ~np.isnan(part.y[:, t])
            says = np.column_stack([say(tree, part.matrix[known])[:, t] for tree in forest.trees_])
            of_linear = np.zeros((known.sum(), len(linear), 2))
            of_linear[:, :, t] = linear.values(part.matrix[known])
            says = np.column_stack((says, of_linear.reshape(len(says), -1)))
            count = np.ones(len(says)) if weights is None else part.weights[known]
            if part is rows:
                means, start = np.average(says, axis=0, weights=count), np.average(part.y[known, t], weights=count)
                continue
            columns.append(says - means)
            goals.append(part.y[known, t] - start)
            counts.append(count)
    columns, goals, counts = np.concatenate(columns), np.concatenate(goals), np.concatenate(counts)
    stacked = tied.problem.held_out
    moments = tied.problem.design.moments(stacked.matrix, stacked.y, stacked.weights)
    np.testing.assert_allclose(moments.gram, (columns * counts[:, None]).T @ columns, atol=1e-9)
    np.testing.assert_allclose(moments.cross[:, 0], columns.T @ (counts * goals), atol=1e-9)
    np.testing.assert_allclose(moments.weight, counts.sum())


def test_least_squares_over_trees():
    """Without a penalty to speak of, the weights are those of least squares over the trees' predictions."""
    y = NUMBERS["number"]
    model = fit(make(ForestRegressor(3, max_depth=2), weights="lasso", max_rules=None), X, y)
    own = np.column_stack([say(tree, encode(model, X))[:, 0] for tree in model.generator_.trees_])
    best = np.linalg.lstsq(np.column_stack((np.ones(len(y)), own)), y, rcond=None)
    error = np.square(quietly(model.predict, X) - y).sum()
    assert error == pytest.approx(best[1][0], rel=0.02)
    assert error >= best[1][0]


def test_leaves_add_what_they_differ_from_their_tree():
    model = fit(make(weights="ridge", max_rules=None), X, NUMBERS)
    np.testing.assert_allclose(model.terms_.offset, NUMBERS.mean(), atol=1e-9)
    np.testing.assert_allclose(quietly(model.predict, X).mean(axis=0), NUMBERS.mean(), atol=1e-9)


def test_linear_terms_beside_trees_and_forests_for_each_target():
    per_target = ForestRegressor(5, max_depth=2, per_target=True)
    model = fit(make(per_target, linear_terms=True, max_rules=None, weights="ridge"), X, NUMBERS)
    assert model.size_.terms == 10 + len(model.terms_.design.linear)
    assert len(model.terms_.design.linear) > 0
    assert model.score(X, NUMBERS) > 0.5


def test_a_model_of_trees_explains_and_is_kept_in_a_file(tmp_path):
    model = fit(make(), X, NUMBERS)
    model.save(tmp_path / "trees.glade")
    again = glade.load(tmp_path / "trees.glade")
    assert again.size_ == model.size_
    assert again.with_rules(2).size_ == model.with_rules(2).size_
    np.testing.assert_array_equal(quietly(again.predict, NEW), quietly(model.predict, NEW))
    added = quietly(model.explain, NEW).groupby(["row", "target"], sort=False)["contribution"].sum().unstack()
    np.testing.assert_allclose(added[NUMBERS.columns], quietly(model.predict, NEW), atol=1e-9)


def test_classes_have_trees_too():
    model = RuleEnsembleClassifier(ForestClassifier(10, max_depth=3), rules_from="trees", cv=2, random_state=0)
    fit(model, X, Y["label"])
    assert model.score(X, Y["label"]) > 0.6
    fit(model.set_params(weights="lasso"), X, Y["label"])
    assert model.score(X, Y["label"]) > 0.6
    shares = model.predict_proba(X)
    assert 0 < shares.min() < shares.max() < 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"soft": True}, 'rules_from="trees" keeps trees as they are: leave out soft'),
        ({"max_conditions": 2}, 'rules_from="trees" needs all leaves: set max_depth of the generator'),
    ],
)
def test_what_whole_trees_cannot_do(settings, words):
    with pytest.raises(ValueError, match=words):
        fit(make(**settings), X, NUMBERS)


def test_trees_of_one_leaf_are_no_terms():
    model = fit(make(ForestRegressor(3, min_samples_leaf=200)), X, NUMBERS)
    assert model.size_.terms == 0
    np.testing.assert_allclose(quietly(model.predict, NEW), np.tile(NUMBERS.mean(), (len(NEW), 1)))


def test_fire_with_whole_trees():
    model = fit(FIRERegressor(rules_from="trees", max_rules=5, random_state=0), X, NUMBERS)
    assert 1 <= model.size_.terms <= 5


def test_values_in_the_units_of_columns():
    """Of two classes the column is the second's; values that a forest does not have are zero."""
    targets = TargetSchema(("a", "b"), (("no", "yes"), None))
    losses = TargetLosses.of([Squared.of(2), Squared.of(None)])
    scores = Scores(targets, losses, np.zeros(2), np.array([0.5, 4.0]), np.ones(3))
    values = np.array([[0.25, 0.75, 8.0], [0.5, 0.5, np.nan]])
    np.testing.assert_array_equal(scores.of_values(values), [[1.5, 2.0], [1.0, 0.0]])
