"""Contributions add up to the prediction, row by row, target by target, class by class."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    MixedForest,
    MixedTree,
    RuleEnsembleRegressor,
    TreeClassifier,
    TreeRegressor,
)
from glade.explain import contributions
from glade.grow.node_table import NodeTable
from tests.reference.rules import list_steps
from tests.rules.tables import fit, make_new_rows, make_table, quietly

X, Y = make_table(seed=5)
NEW = make_new_rows(X, 90)
TWO_LABELS = np.column_stack([Y["label"], np.where(Y["other"] > 0, "up", "down")]).astype(str)
SMALL = ForestRegressor(12, max_depth=3)

NUMBERS = [
    TreeRegressor(),
    TreeRegressor(max_leaf_nodes=5),
    ForestRegressor(7, random_state=0),
    ForestRegressor(7, per_target=True, random_state=0),
    ForestRegressor(7, method="extra_trees", random_state=0, n_jobs=2),
    ForestRegressor(7, method="boosting", random_state=0),
    ForestRegressor(7, method="boosting", per_target=True, random_state=0),
    FIRERegressor(SMALL, random_state=0),
    RuleEnsembleRegressor(SMALL, linear_terms=True, random_state=0),
]
CLASSES = [
    TreeClassifier(),
    TreeClassifier(criterion="entropy", max_depth=3),
    ForestClassifier(7, random_state=0),
    ForestClassifier(7, voting="majority", max_depth=2, random_state=0),
    ForestClassifier(7, per_target=True, random_state=0),
]


def explain(model, rows):
    return quietly(model.explain, rows)


def add_up(model, rows, column="contribution"):
    """Rows x channels: the sums of an explanation; of two classes the other has what is left."""
    frame = explain(model, rows)
    schema = model.target_schema_
    classes = [[None] if c is None else c.tolist() for c in schema.classes]
    keys = [(name, label) for name, labels in zip(schema.names, classes, strict=True) for label in labels]
    channel = [keys.index(key) for key in zip(frame["target"], frame["class"], strict=True)]
    total = np.zeros((len(rows), len(keys)))
    np.add.at(total, (frame["row"], channel), frame[column])
    for event, start in zip(schema.events, schema.start, strict=False):
        if event is not None:
            total[:, start + 1 - event] = 1 - total[:, start + event]
    return total


def predicted(model, rows):
    return quietly(model._channel_values, rows)


def name_model(model):
    return " ".join(repr(model).split())


@pytest.mark.parametrize("model", NUMBERS, ids=name_model)
@pytest.mark.parametrize("targets", [["number"], ["number", "other"]], ids=len)
@pytest.mark.parametrize("scale", [1.0, 1e9])
def test_numbers_add_up_to_the_prediction(model, targets, scale):
    fit(model, X, Y[targets] * scale)
    for rows in (X, NEW):
        np.testing.assert_allclose(add_up(model, rows), predicted(model, rows), rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("model", CLASSES, ids=name_model)
@pytest.mark.parametrize("y", [Y["label"], TWO_LABELS], ids=["one", "two"])
def test_classes_add_up_to_their_probabilities(model, y):
    fit(model, X, y)
    for rows in (X, NEW):
        np.testing.assert_allclose(add_up(model, rows), predicted(model, rows), rtol=0, atol=1e-9)


def test_mixed_targets_add_up():
    for model in (MixedTree(), MixedForest(5, random_state=0), MixedForest(5, per_target=True, random_state=0)):
        fit(model, X, Y)
        np.testing.assert_allclose(add_up(model, NEW), predicted(model, NEW), rtol=0, atol=1e-9)


@pytest.mark.parametrize("per_target", [False, True])
def test_classes_of_a_boosted_forest_add_up_to_scores(per_target):
    model = fit(MixedForest(9, method="boosting", per_target=per_target, random_state=0), X, Y)
    sums, scores, values = add_up(model, NEW), add_up(model, NEW, "log_odds"), predicted(model, NEW)
    np.testing.assert_allclose(sums, values, rtol=0, atol=1e-9)
    np.testing.assert_allclose(special.softmax(scores[:, 2:], axis=1), values[:, 2:], rtol=0, atol=1e-9)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_trees_of_half_known_targets_add_up(share):
    some = Y[["number", "other"]].mask(np.random.default_rng(0).random((len(Y), 2)) < share)
    for model in (TreeRegressor(missing_targets="ignore"), ForestRegressor(5, missing_targets="ignore")):
        fit(model, X, some)
        np.testing.assert_allclose(add_up(model, NEW), predicted(model, NEW), rtol=0, atol=1e-9)


def test_a_split_credits_its_input_with_the_change_of_value():
    """Against the tree's own steps, one row at a time."""
    model = fit(TreeRegressor(max_depth=5), X, Y[["number", "other"]])
    tree: NodeTable = model.tree_
    frame = explain(model, X).set_index(["row", "target", "term"])["contribution"]
    for row, leaf in enumerate(model.apply(X)):
        expected: dict = {"every row": tree.value[0].copy()}
        for split, left in list_steps(tree, int(leaf)):
            below = tree.split_left[split] + (0 if left else 1)
            change = tree.value[below] - tree.value[tree.split_node[split]]
            name = model.schema_.names[tree.split_input[split]]
            expected[name] = expected.get(name, 0.0) + change
        for t, target in enumerate(("number", "other")):
            ours = frame.loc[row, target]
            assert set(ours.index) == {term for term, change in expected.items() if change[t] != 0}
            for term in ours.index:
                assert ours[term] == pytest.approx(expected[term][t], abs=1e-12)


def test_a_term_of_a_rule_ensemble_adds_its_effect_where_it_covers():
    model = fit(RuleEnsembleRegressor(SMALL, linear_terms=True, random_state=0), X, Y[["number", "other"]])
    frame = explain(model, X)
    first = frame[(frame["row"] == 0) & (frame["target"] == "other")]
    order = np.argsort(-model.terms_.importance.mean(axis=1), kind="stable")
    expected = (model.transform(X)[0] * model.terms_.effect[:, 1])[order]
    names = model.get_feature_names_out()[order]
    assert first["term"].tolist() == ["every row", *names[expected != 0]]
    np.testing.assert_allclose(first["contribution"], [model.terms_.offset[1], *expected[expected != 0]])


def test_the_form_of_an_explanation():
    model = fit(MixedTree(max_depth=2), X, Y)
    frame = explain(model, NEW.set_index(np.arange(len(NEW)) + 1000))
    assert list(frame) == ["row", "target", "class", "term", "contribution"]
    assert frame["row"].is_monotonic_increasing
    assert sorted(set(frame["row"])) == list(range(len(NEW)))  # positions, whatever the index
    is_number = frame["target"].isin(["number", "other"])
    assert all(label is None for label in frame.loc[is_number, "class"])
    assert set(frame.loc[~is_number, "class"]) == {"big", "odd", "small"}
    firsts = frame.drop_duplicates(["row", "target", "class"])
    assert (firsts["term"] == "every row").all()
    assert (frame["term"] == "every row").sum() == len(firsts) == 5 * len(NEW)
    assert set(frame["term"]) <= {"every row", *X.columns}
    assert (frame.loc[frame["term"] != "every row", "contribution"] != 0).all()


@pytest.mark.parametrize("labels", [[0, 1], [True, False], ["a", "b"]])
def test_classes_are_the_users_labels(labels):
    y = np.array(labels)[(Y["number"] > 0).to_numpy().astype(int)]
    frame = explain(fit(TreeClassifier(max_depth=2), X, y), X.head(3))
    assert set(frame["class"]) == {labels[1] if (y == labels[1]).mean() <= 0.5 else labels[0]}


def test_explanations_in_chunks(monkeypatch):
    model = fit(ForestRegressor(4, random_state=0), X, Y[["number", "other"]])
    whole = explain(model, NEW)
    monkeypatch.setattr(contributions, "CHUNK_CELLS", 7 * 12)
    pd.testing.assert_frame_equal(explain(model, NEW), whole)


@pytest.mark.parametrize("model", [TreeRegressor(), ForestRegressor(2), FIRERegressor(SMALL)], ids=name_model)
def test_c58_no_rows_have_an_empty_explanation(model):
    frame = explain(fit(model, X, Y["number"]), X.head(0))
    assert list(frame) == ["row", "target", "class", "term", "contribution"]
    assert len(frame) == 0


@pytest.mark.parametrize("model", [TreeRegressor(), ForestRegressor(2), FIRERegressor(SMALL)], ids=name_model)
def test_a_model_that_uses_no_input_has_an_offset_only(model):
    frame = fit(model, np.ones((20, 2)), np.arange(20.0)).explain(np.ones((2, 2)))
    assert frame["term"].tolist() == ["every row"] * 2
    np.testing.assert_allclose(frame["contribution"], model.predict(np.ones((2, 2))))


def test_explanations_need_the_models_columns():
    model = fit(TreeRegressor(max_depth=2), X, Y["number"])
    with pytest.raises(ValueError, match="feature names"):
        model.explain(X.drop(columns="size"))
