"""Which rows rules cover: merged conditions against the tests of the trees, bits against loops."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glade import ForestClassifier, ForestRegressor, MixedForest, MixedTree, TreeClassifier, TreeRegressor
from glade.rules.coverage import cover, drop_duplicates, unpack
from glade.rules.extract import LEAVES, NODES, extract_rules
from tests.reference.rules import divisions, path_covers, rule_covers
from tests.rules.tables import encode, fit, make_new_rows, make_table, quietly

few = settings(max_examples=25, deadline=None, derandomize=True)

KINDS = {TreeRegressor: ["number", "other"], TreeClassifier: ["label"], MixedTree: ["number", "label"]}


@st.composite
def grown_trees(draw):
    """A tree on a mixed table, and encoded rows: those it was grown on and others, of any number."""
    X, Y = make_table(
        n_rows=draw(st.integers(5, 140)),
        n_categories=draw(st.sampled_from([2, 5, 64, 65, 130])),
        missing=draw(st.sampled_from([0.0, 0.0, 0.2, 0.9])),
        seed=draw(st.integers(0, 10_000)),
    )
    estimator = draw(st.sampled_from(list(KINDS)))
    model = estimator(max_depth=draw(st.sampled_from([1, 4, None])), max_bins=draw(st.sampled_from([None, 3])))
    fit(model, X, Y[KINDS[estimator]])
    new = make_new_rows(X, n_rows=draw(st.sampled_from([0, 1, 63, 64, 65, 100])), seed=draw(st.integers(0, 99)))
    return model, np.concatenate([encode(model, X), encode(model, new)])


@few
@given(grown_trees(), st.sampled_from([LEAVES, NODES]))
def test_a_rule_covers_what_the_tests_on_its_way_let_through(grown, rules_from):
    model, matrix = grown
    rules = extract_rules([model.tree_], model.schema_, model.target_schema_, rules_from)
    covered = unpack(cover(rules, matrix), len(matrix))
    assert covered.shape == (len(rules), len(matrix))
    for i, node in enumerate(rules.node):
        by_path = [path_covers(model.tree_, int(node), row) for row in matrix]
        assert covered[i].tolist() == by_path
        assert [rule_covers(rules, i, row) for row in matrix] == by_path


@few
@given(grown_trees())
def test_an_input_has_one_condition_in_a_rule(grown):
    model, _ = grown
    rules = model.rules_
    for rule in rules:
        assert len(set(rule.conditions.input)) == len(rule.conditions)
        assert len(rule.conditions) <= model.tree_.depth[rule.node[0]]
    assert (rules.conditions.low < rules.conditions.high)[rules.conditions.low < np.inf].all()


@pytest.mark.parametrize("estimator", KINDS)
@pytest.mark.parametrize("n_new", [0, 1, 64, 130])
def test_a_leafs_rule_covers_the_rows_that_come_to_the_leaf(estimator, n_new):
    X, Y = make_table()
    model = fit(estimator(), X, Y[KINDS[estimator]])
    new = make_new_rows(X, n_new)
    rules = model.rules_
    leaves, values, covered = (quietly(call, new) for call in (model.apply, model._channel_values, rules.covers))
    assert (covered == (leaves[:, None] == rules.node)).all()
    assert (covered.sum(axis=1) == 1).all()
    np.testing.assert_array_equal(rules.value[covered.argmax(axis=1)] if n_new else rules.value[:0], values)


def test_a_forests_rules_are_those_of_its_trees():
    X, Y = make_table()
    new = make_new_rows(X)
    model = fit(ForestRegressor(5, random_state=0), X, Y[["number", "other"]])
    rules = model.rules_
    leaves, values, covered = (quietly(call, new) for call in (model.apply, model.predict, rules.covers))
    assert (covered == (leaves[:, rules.tree] == rules.node)).all()
    np.testing.assert_allclose(covered @ rules.value / 5, values, rtol=1e-12, atol=1e-12)


def test_a_boosted_forests_rules_add_up():
    X, Y = make_table()
    model = fit(ForestRegressor(5, method="boosting"), X, Y[["number", "other"]])
    total = model.forests_[0].start + model.rules_.covers(X) @ model.rules_.value
    np.testing.assert_allclose(total, model.predict(X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("estimator", [ForestClassifier, MixedForest])
def test_with_a_forest_for_each_target_a_rule_speaks_of_one(estimator):
    X, Y = make_table()
    y = (
        Y[["number", "label"]]
        if estimator is MixedForest
        else np.column_stack([Y["label"], Y["other"] > 0]).astype(str)
    )
    model = fit(estimator(3, per_target=True, random_state=0), X, y)
    rules, n_first = model.rules_, len(model.forests_[0].trees)
    first = model.target_schema_.channels_of(0)
    assert rules.value.shape == (len(rules), len(model.target_schema_.channel_names))
    known = ~np.isnan(rules.value)
    assert known[rules.tree < n_first, first].all()
    assert known[rules.tree >= n_first, first.stop :].all()
    assert known.sum() == sum(tree.n_leaves * tree.value.shape[1] for tree in model.trees_)
    assert sorted(set(rules.tree)) == list(range(6))
    assert (rules.covers(X) == (model.apply(X)[:, rules.tree] == rules.node)).all()


@few
@given(st.integers(0, 10_000), st.sampled_from([1, 2, 9, 63, 64, 65, 150]))
def test_of_rules_that_divide_the_rows_alike_the_shortest_stays(seed, n_rows):
    """On some of the rows, where rules cover all or none of them too."""
    X, Y = make_table(150, n_categories=3, seed=seed)
    model = fit(ForestRegressor(8, max_depth=3, random_state=seed), X, Y[["number"]])
    rules = extract_rules(model.trees_, model.schema_, model.target_schema_, NODES)
    matrix = encode(model, X)[:n_rows]
    kept, place = drop_duplicates(rules, cover(rules, matrix), n_rows)
    alike = divisions(rules, unpack(cover(rules, matrix), n_rows).T)
    shortest = {min(group, key=lambda i: (rules.n_conditions[i], i)) for group in alike.values()}
    assert kept.tolist() == sorted(shortest)
    stands_for = {i: min(group, key=lambda i: (rules.n_conditions[i], i)) for group in alike.values() for i in group}
    assert [kept[k] if k >= 0 else None for k in place] == [stands_for.get(i) for i in range(len(rules))]


def test_rows_with_as_many_categories_as_there_are_words():
    """A set of 64 k categories fills its words to the last bit."""
    for n_categories in (64, 128, 1000):
        X = pd.DataFrame({"kind": [f"k{i:04d}" for i in range(n_categories)]})
        y = np.arange(n_categories) % 7.0
        model = fit(TreeRegressor(), X, y)
        rules = model.rules_
        assert len(rules) == 7
        assert (rules.covers(X) == (model.apply(X)[:, None] == rules.node)).all()
