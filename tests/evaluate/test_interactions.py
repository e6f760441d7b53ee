"""H-statistics against their formulas; what is noise, and what is not."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import (
    ForestClassifier,
    ForestRegressor,
    MixedTree,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    TreeClassifier,
    TreeRegressor,
)
from glade.core.errors import InputError
from glade.evaluate.interactions import find_p
from tests.reference.effects import h_of_input, h_of_pair
from tests.rules.tables import encode, fit, make_table, quietly

X, Y = make_table(n_rows=60, seed=5)
SMALL = {"n_estimators": 10, "max_depth": 3}


def look_at(*args, **named):
    return quietly(glade.interactions, *args, **named)


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (TreeRegressor(max_leaf_nodes=9), Y[["number", "other"]]),
        (TreeClassifier(max_depth=4), Y["label"]),
        (ForestRegressor(3, random_state=0), Y["number"]),
        (ForestClassifier(4, method="boosting", random_state=0), Y["label"]),
        (MixedTree(max_leaf_nodes=6), Y),
        (RuleEnsembleRegressor(ForestRegressor(**SMALL), random_state=0), Y[["number", "other"]]),
        (RuleEnsembleClassifier(ForestClassifier(**SMALL), random_state=0), Y["label"]),
    ],
    ids=lambda given: type(given).__name__,
)
def test_h_equals_its_formula(model, y):
    fit(model, X, y)
    rows, names, schema = encode(model, X), list(model.schema_.names), model.target_schema_
    found = look_at(model, X, inputs=names)
    pairs = found.frame().set_index(["first", "second", "target"])["h"]
    singles = found.frame("inputs").set_index(["input", "target"])["h"]
    for t, target in enumerate(schema.names):
        channels = schema.channels_of(t)
        for j, k in ((0, 1), (0, 3), (3, 4), (1, 2)):
            expected = h_of_pair(model, rows, j, k, channels)
            assert pairs[names[j], names[k], target] == pytest.approx(expected, abs=1e-9)
        for j in (0, 3):
            assert singles[names[j], target] == pytest.approx(h_of_input(model, rows, j, channels), abs=1e-9)


def make_friedman(n_rows, seed, interacts=True):
    random = np.random.default_rng(seed)
    table = random.random((n_rows, 6))
    first = np.sin(np.pi * table[:, 0] * table[:, 1]) if interacts else table[:, 0] + np.sin(np.pi * table[:, 1])
    y = 10 * first + 20 * (table[:, 2] - 0.5) ** 2 + 10 * table[:, 3] + 5 * table[:, 4]
    return table, y + random.normal(size=n_rows)


@pytest.mark.parametrize(
    "model",
    [
        ForestRegressor(20, method="boosting", max_depth=3, learning_rate=0.3, random_state=0),
        RuleEnsembleRegressor(
            ForestRegressor(20, method="boosting", max_depth=3), weights="greedy", max_rules=15, random_state=0
        ),
    ],
    ids=lambda model: type(model).__name__,
)
def test_friedman_1_has_one_interaction(model):
    table, y = make_friedman(300, seed=0)
    found = glade.interactions(model.fit(table, y), table, y, random_state=0)
    frame = found.frame()
    assert frame.loc[0, ["first", "second"]].tolist() == ["x0", "x1"]
    assert frame["p"].iloc[0] == 0.05
    assert (frame["p"].iloc[1:] > 0.05).all()  # x3, which is linear, among them
    assert found.frame("inputs").set_index("input")["p"]["x3"] > 0.05
    h = frame.iloc[0]
    assert h["h"] > h["null_h"] + 2 * h["null_h_deviation"]


def test_additive_targets_show_none():
    """At the level of 5 % one of twenty tables would show some, on average; of these four at most one does."""
    flagged = 0
    for seed in range(4):
        table, y = make_friedman(150, seed, interacts=False)
        model = TreeRegressor(max_leaf_nodes=10).fit(table, y)
        flagged += (glade.interactions(model, table, y, random_state=seed).frame()["p"] <= 0.05).any()
    assert flagged <= 1


def test_p_treats_all_models_alike():
    """If nothing tells the model from its twins, the smallest p is uniform over the steps it can take."""
    random = np.random.default_rng(0)
    smallest = [find_p(draw[0], draw[1:]).min() for draw in random.gamma(2.0, size=(2000, 20, 7, 1))]
    share = np.array([(np.array(smallest) <= p + 1e-9).mean() for p in (0.05, 0.1, 0.5)])
    np.testing.assert_allclose(share, (0.05, 0.1, 0.5), atol=0.03)


def test_classes_and_mixed_targets_have_a_reference():
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.random((200, 3)), columns=["a", "b", "c"])
    table.index += 7
    odd = (table["a"] > 0.5) ^ (table["b"] > 0.5)
    y = pd.DataFrame({"label": np.where(odd, "x", "y"), "number": odd * 1.0 + 0.1 * random.normal(size=200)})
    y.index = table.index
    y.loc[y.index[:15], "number"] = np.nan
    model = fit(MixedTree(max_leaf_nodes=6), table, y)
    frame = look_at(model, table, y, random_state=0).frame()
    for target in y:
        own = frame[frame["target"] == target].iloc[0]
        assert (own["first"], own["second"], own["p"]) == ("a", "b", 0.05)


def test_without_targets_there_is_no_reference():
    model = fit(TreeRegressor(max_depth=3), X, Y["number"])
    for found in (look_at(model, X), look_at(model, X, Y["number"], n_null=0)):
        assert found.frame()["p"].isna().all()
        assert found.frame("inputs")["null_h"].isna().all()


def test_twins_have_the_size_of_the_model():
    from glade.evaluate import null

    model = fit(RuleEnsembleRegressor(ForestRegressor(**SMALL), random_state=0), X, Y["number"]).with_rules(2)
    (twin,) = quietly(lambda: list(null.fit_null_models(model, X, Y["number"], 1, 0)))
    assert len(twin.terms_) <= 2
    whole = fit(RuleEnsembleRegressor(ForestRegressor(**SMALL), max_rules=None, random_state=0), X, Y["number"])
    (twin,) = quietly(lambda: list(null.fit_null_models(whole, X, Y["number"], 1, 0)))
    assert twin.max_rules == len(whole.terms_)  # found without a limit, as the model was, and cut to its size then
    assert len(twin.terms_) <= len(whole.terms_)
    dense = fit(RuleEnsembleRegressor(ForestRegressor(**SMALL), weights="ridge", random_state=0), X, Y["number"])
    (twin,) = quietly(lambda: list(null.fit_null_models(dense, X, Y["number"], 1, 0)))
    assert len(twin.terms_) > 2  # all have weights
    pruned = fit(TreeRegressor(ccp_alpha="cv"), X, Y["number"])
    (twin,) = quietly(lambda: list(null.fit_null_models(pruned, X, Y["number"], 1, 0)))
    assert twin.ccp_alpha == pruned.ccp_alpha_


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_few_rows_and_nothing_to_find(rows):
    few = X.iloc[:rows]
    for model in (TreeRegressor(), RuleEnsembleRegressor(ForestRegressor(3), random_state=0)):
        fit(model, few, Y["number"].iloc[:rows])
        found = look_at(model, few, Y["number"].iloc[:rows], n_null=2)
        found.frame()
        assert look_at(model, few, inputs=["size", "kind"]).frame()["h"].between(0, np.inf).all()


def test_what_is_refused():
    model = fit(TreeClassifier(max_depth=3), X, Y["label"])
    with pytest.raises(InputError, match="given twice"):
        look_at(model, X, inputs=[0, 0])
    with pytest.raises(InputError, match="classes here that the model does not know"):
        look_at(model, X, Y["label"].replace("big", "huge"))
    with pytest.raises(InputError, match="of must be"):
        look_at(model, X).frame("rules")
    with pytest.raises(ValueError, match="n_null"):
        look_at(model, X, n_null=-1)
