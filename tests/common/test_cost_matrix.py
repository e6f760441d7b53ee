"""What errors cost, as a matrix: trees and multi-trees say the class of the least expected cost."""

import sqlite3
from importlib.util import find_spec

import numpy as np
import pandas as pd
import polars as pl
import pytest

import glade
from glade.ensemble.smoothing import smooth_leaves
from tests.reference.multitree import Slow

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(300, 3)).round(2), columns=["a", "b", "c"])
SIDE = np.where(X["b"] > 0.8, "rare", np.where(X["a"] > 0, "up", "down"))
SIDE = pd.Series(np.where(RNG.random(300) < 0.4, RNG.permutation(SIDE), SIDE), name="side")
STATE = pd.Series(np.where(RNG.random(300) < 1 / (1 + np.exp(1 - 2 * X["a"])), "sick", "well"), name="state")
BOTH = pd.concat([SIDE, STATE, pd.Series(X["a"] + X["b"], name="amount")], axis=1)
COSTS = {"rare": {"up": 6.0, "down": 5.0}, "up": {"rare": 0.5}}
MATRIX = [[0.0, 1.0, 1.0], [5.0, 0.0, 6.0], [1.0, 0.5, 0.0]]  # down, rare, up
OF_STATE = [[0.0, 7.0], [2.0, 0.0]]
KINDS = {
    "tree": lambda **more: glade.TreeClassifier(min_samples_leaf=12, **more),
    "multi-tree": lambda **more: glade.MultiTreeClassifier(12, min_samples_leaf=12, random_state=0, **more),
}
MIXED = {
    "mixed tree": lambda **more: glade.MixedTree(min_samples_leaf=12, **more),
    "mixed multi-tree": lambda **more: glade.MixedMultiTree(12, min_samples_leaf=12, random_state=0, **more),
}


def say_slowly(shares, matrix, classes):
    """Row by row, the class that costs least on average."""
    said = []
    for row in np.asarray(shares):
        expected = [sum(share * matrix[true][k] for true, share in enumerate(row)) for k in range(len(row))]
        said.append(classes[expected.index(min(expected))])
    return said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [COSTS, MATRIX, np.array(MATRIX), {"side": MATRIX}, {"side": COSTS}])
def test_the_class_costs_least_and_the_probabilities_stay_true(kind, given):
    plain, costly = KINDS[kind]().fit(X, SIDE), KINDS[kind](cost_matrix=given).fit(X, SIDE)
    shares = costly.predict_proba(X)
    np.testing.assert_array_equal(shares, plain.predict_proba(X))
    assert costly.predict(X).tolist() == say_slowly(shares, MATRIX, costly.classes_.tolist())
    assert (costly.predict(X) == "rare").sum() > 1.5 * (plain.predict(X) == "rare").sum()
    assert costly.threshold_ is None


@pytest.mark.parametrize("kind", MIXED)
def test_each_of_mixed_targets_has_its_costs(kind):
    model = MIXED[kind](cost_matrix={"side": COSTS, "state": OF_STATE}).fit(X, BOTH)
    shares, said = model.predict_proba(X), model.predict(X)
    assert said["side"].tolist() == say_slowly(shares["side"], MATRIX, ["down", "rare", "up"])
    assert said["state"].tolist() == say_slowly(shares["state"], OF_STATE, ["sick", "well"])
    plain = MIXED[kind]().fit(X, BOTH).predict(X)
    pd.testing.assert_series_equal(said["amount"], plain["amount"])
    assert (said["side"] != plain["side"]).any()
    assert (said["state"] != plain["state"]).any()
    half = MIXED[kind](cost_matrix={"side": COSTS}).fit(X, BOTH).predict(X)
    pd.testing.assert_series_equal(half["state"], plain["state"])
    pd.testing.assert_series_equal(half["side"], said["side"])


def test_no_other_class_in_a_leaf_would_have_cost_less_in_training():
    model = glade.TreeClassifier(max_leaf_nodes=6, smoothing=None, cost_matrix=MATRIX).fit(X, SIDE)
    classes, leaf, said = model.classes_.tolist(), model.apply(X), model.predict(X)
    place, differs = SIDE.map(classes.index).to_numpy(), 0
    for own in np.unique(leaf):
        of_leaf = [sum(MATRIX[i][k] for i in place[leaf == own]) for k in range(3)]
        chosen = classes.index(said[leaf == own][0])
        assert of_leaf[chosen] == pytest.approx(min(of_leaf))
        differs += chosen != np.bincount(place[leaf == own], minlength=3).argmax()
    assert differs


def test_two_classes_are_parted_by_a_threshold():
    model = KINDS["tree"](cost_matrix=OF_STATE, event="sick").fit(X, STATE)
    same = KINDS["tree"](threshold="cost", costs={"false_alarm": 2, "miss": 7}, event="sick").fit(X, STATE)
    assert model.threshold_ == same.threshold_ == pytest.approx(2 / 9)
    np.testing.assert_array_equal(model.predict(X), same.predict(X))
    other = KINDS["tree"](cost_matrix=OF_STATE, event="well").fit(X, STATE)
    np.testing.assert_array_equal(model.predict(X), other.predict(X))
    back = model.with_threshold(0.5)
    assert back.cost_matrix is None
    np.testing.assert_array_equal(back.predict(X), KINDS["tree"](event="sick").fit(X, STATE).predict(X))


@pytest.mark.parametrize("more", [{"cost_matrix": COSTS}, {"class_weight": {"rare": 9.0}}])
@pytest.mark.parametrize("smoothing", [None, "m", 30.0])
def test_the_archetype_says_what_all_trees_say_by_these_costs(more, smoothing):
    model = glade.MultiTreeClassifier(
        4, max_depth=3, min_samples_leaf=20, random_state=1, smoothing=smoothing, **more
    ).fit(X, SIDE)
    tree = model.archetype(X, similarity="theta", max_leaf_nodes=1000)  # exactly the best of all
    agrees = float(np.mean(tree.predict(X) == model.predict(X)))
    assert tree.similarity_ == pytest.approx(agrees)
    slow, matrix, said = Slow(model.multitree_.nodes, model.target_schema_), model.encode(X), model.predict(X)
    of_node = label_nodes(model, tree)
    others = [
        np.mean([of_node[slow.leaf_of(solution, x)] == own for x, own in zip(matrix, said, strict=True)])
        for solution in slow.solutions()
    ]
    assert agrees >= max(others) - 1e-12
    assert tree.predict(X).tolist() != tree.classes_[tree.predict_proba(X).argmax(axis=1)].tolist()


def label_nodes(model, tree):
    """What each node of the multi-tree says as a leaf of one of its trees, whose own leaves say the same."""
    shares = smooth_leaves(model.multitree_.nodes, model.target_schema_, model.smoothing)
    assert set(map(tuple, tree.said_tree_.value.tolist())) <= set(map(tuple, shares.tolist()))
    return tree.classes_[model.target_schema_.decision_of(0).pick(shares)]


def test_the_archetype_of_any_model_of_ours_obeys_its_costs():
    model = KINDS["tree"](cost_matrix=COSTS).fit(X, SIDE)
    tree = glade.archetype(model, X, n_invented=300, max_leaf_nodes=12, random_state=0)
    shares = tree.predict_proba(X)
    assert tree.predict(X).tolist() == say_slowly(shares, MATRIX, tree.classes_.tolist())
    assert tree.predict(X).tolist() != tree.classes_[shares.argmax(axis=1)].tolist()
    assert np.mean(tree.predict(X) == model.predict(X)) > 0.9
    many = KINDS["multi-tree"](cost_matrix=COSTS).fit(X, SIDE)
    analytic = many.archetype(how="analytic", max_leaf_nodes=12)
    assert np.mean(analytic.predict(X) == many.predict(X)) > 0.8


def test_the_tree_shows_the_class_that_it_says():
    model = glade.TreeClassifier(max_leaf_nodes=4, cost_matrix=COSTS).fit(X, SIDE)
    leaves = [line.split()[-2] for line in model.to_text().splitlines() if line.endswith("%")]
    assert sorted(leaves) == sorted(model.predict(X.iloc[first_rows(model.apply(X))]))


def first_rows(leaf):
    """A row of each leaf."""
    return np.unique(leaf, return_index=True)[1]


@pytest.mark.parametrize("name", ["tree", "multi-tree", "archetype"])
def test_files_keep_the_costs(name, tmp_path):
    model = KINDS["tree" if name == "tree" else "multi-tree"](cost_matrix=COSTS).fit(X, SIDE)
    model = model.archetype() if name == "archetype" else model
    model.save(tmp_path / "m.glade")
    loaded = glade.load(tmp_path / "m.glade")
    assert loaded.cost_matrix == COSTS
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert (loaded.predict(X) != loaded.classes_[loaded.predict_proba(X).argmax(axis=1)]).any()


def test_exports_say_the_class_of_least_cost():
    model = KINDS["tree"](cost_matrix=COSTS).fit(X, SIDE)
    expected = model.predict(X).tolist()
    module = {}
    exec(compile(glade.export(model, "python"), "model", "exec"), module)  # noqa: S102
    assert [module["predict"](record)["side"] for record in X.to_dict("records")] == expected
    assert glade.from_json(glade.export(model, "json")).predict(X).tolist() == expected
    with sqlite3.connect(":memory:") as base:
        X.to_sql("t", base, index=False)
        query = glade.export(model, "sql", dialect="sqlite", table="t")
        assert pd.read_sql(query, base)["predicted_side"].tolist() == expected
    if find_spec("onnxruntime"):
        import onnxruntime

        session = onnxruntime.InferenceSession(glade.export(model, "onnx"))
        feeds = {own.name: X[[own.name]].to_numpy(np.float32) for own in session.get_inputs()}
        assert session.run(["predicted_side"], feeds)[0][:, 0].tolist() == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            [[0, 1], [1, 0]],
            r"cost_matrix of target 'side' has shape \(2, 2\), but must have a row and a column for each",
        ),
        (np.zeros((3, 3)), "says that no error costs anything"),
        ([[0, 1, 1], [1, 0, -2], [1, 1, 0]], "true class 'rare', predicted 'up': -2 is negative"),
        ([[0, 1, 1], [1, 0, np.nan], [1, 1, 0]], "true class 'rare', predicted 'up': nan is not finite"),
        (np.ones((3, 3)), "true class 'down', predicted 'down': 1 is a right prediction, which costs 0"),
        ([[0, "much", 1], [1, 0, 1], [1, 1, 0]], "must hold numbers only, in rows of the same length"),
        ({"rear": {"up": 3}}, "names 'rear', which is no class of it, and leaves out 'down' and 'rare'"),
        ({"rare": 3}, "must be {true class: {predicted class: cost}}, but 'rare' has 3"),
        ({"rare": {"up": "much"}}, "must hold numbers only, got 'much'"),
        ({}, "holds no costs"),
        ("much", "The 'cost_matrix' parameter of TreeClassifier must be"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(given, said):
    with pytest.raises(ValueError, match=said):
        KINDS["tree"](cost_matrix=given).fit(X, SIDE)


def test_costs_of_several_targets_are_named_and_said_once():
    with pytest.raises(
        ValueError, match=r"cost_matrix must be a dictionary \{target: matrix\} for the nominal targets"
    ):
        KINDS["tree"](cost_matrix=MATRIX).fit(X, BOTH[["side", "state"]])
    for other in ({"threshold": 0.3}, {"class_weight": "balanced"}):
        with pytest.raises(ValueError, match="both say what errors cost: give one of them"):
            KINDS["tree"](cost_matrix=OF_STATE, **other).fit(X, STATE)
    rest = X[SIDE != "rare"].index  # a sample that lacks a class takes the costs of the others
    fewer = KINDS["tree"](cost_matrix=COSTS).fit(X.loc[rest], SIDE[rest])
    assert fewer.classes_.tolist() == ["down", "up"]
    np.testing.assert_array_equal(
        fewer.predict(X), KINDS["tree"](cost_matrix=[[0, 1], [1, 0]]).fit(X.loc[rest], SIDE[rest]).predict(X)
    )


def test_a_single_class_has_no_costs_and_the_file_can_be_read(tmp_path):
    model = glade.TreeClassifier(cost_matrix=[[0.0]]).fit(X, ["one"] * len(X))
    model.save(tmp_path / "m.glade")
    assert set(glade.load(tmp_path / "m.glade").predict(X)) == {"one"}


def test_costs_whose_sum_is_no_double_are_balanced():
    largest = np.finfo(float).max
    model = glade.TreeClassifier(cost_matrix=[[0.0, largest], [largest, 0.0]]).fit(X, STATE)
    assert model.threshold_ == 0.5


def test_costs_by_class_are_for_a_target_that_is_called_as_its_class():
    named = glade.MixedTree(min_samples_leaf=12, cost_matrix={"sick": {"well": 9.0}})
    y = pd.DataFrame({"sick": STATE, "amount": X["a"]})
    plain = glade.MixedTree(min_samples_leaf=12, cost_matrix={"sick": {"sick": {"well": 9.0}}}).fit(X, y)
    assert named.fit(X, y).predict(X)["sick"].tolist() == plain.predict(X)["sick"].tolist()


def test_costs_without_a_nominal_target_are_refused():
    with pytest.raises(ValueError, match="nominal targets, and there are none: leave it out"):
        glade.MixedTree(cost_matrix=[[0, 1], [1, 0]]).fit(X, pd.DataFrame({"amount": X["a"], "other": X["b"]}))


ROWS = ["down", "rare", "up"]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_a_dataframe_is_read_by_the_names_of_its_rows_and_columns(order):
    frame = pd.DataFrame(MATRIX, index=ROWS, columns=ROWS).iloc[order, order[::-1]]
    said = [KINDS["tree"](cost_matrix=given).fit(X, SIDE).predict(X).tolist() for given in (MATRIX, frame)]
    assert said[0] == said[1]
    assert KINDS["tree"](cost_matrix=pd.DataFrame(MATRIX)).fit(X, SIDE).predict(X).tolist() == said[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (pd.DataFrame(MATRIX, columns=ROWS), "rows '0', '1' and '2' and the columns 'down', 'rare' and 'up', but both"),
        (pd.DataFrame(MATRIX, index=list("abc"), columns=list("abc")), "must be the classes 'down', 'rare' and 'up'"),
        (pl.DataFrame(MATRIX, ["up", "rare", "down"], orient="row"), "has the columns 'up', 'rare' and 'down': sort"),
        (np.array(MATRIX) * 1j, "neither complex nor masked"),
        (np.ma.masked_array(MATRIX, mask=np.eye(3) > 0), "neither complex nor masked"),
    ],
)
def test_a_matrix_whose_meaning_is_not_clear_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        KINDS["tree"](cost_matrix=given).fit(X, SIDE)


def test_classes_named_as_text_that_are_numbers_are_told_so():
    with pytest.raises(ValueError, match="give them as values of the type int"):
        KINDS["tree"](cost_matrix={"0": {"1": 4.0}}).fit(X, (X["a"] > 0).astype(int))
