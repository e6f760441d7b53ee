"""The form of rules: a sequence of rules, a table, and nothing where there is nothing."""

import numpy as np
import pandas as pd
import pytest

from glade import TreeClassifier, TreeRegressor, load_penguins
from glade.rules.rule_set import RuleSet
from tests.rules.tables import fit, make_table

X, Y = make_table()


@pytest.fixture(scope="module")
def rules():
    return fit(TreeRegressor(max_leaf_nodes=12), X, Y[["number", "other"]]).rules_


def test_a_rule_set_is_a_sequence(rules):
    assert len(rules) == 12
    assert [rule.words[0] for rule in rules] == rules.words
    assert rules[3].words == [rules.words[3]]
    assert rules[-1].words == [rules.words[-1]]
    assert rules[np.int64(2)].words == [rules.words[2]]
    assert rules[2:7:2].words == rules.words[2:7:2]
    assert rules[::-1].words == rules.words[::-1]
    assert rules[[5, 0, 5]].words == [rules.words[k] for k in (5, 0, 5)]
    assert rules[rules.share > 0.1].words == [
        w for w, share in zip(rules.words, rules.share, strict=True) if share > 0.1
    ]
    for outside in (12, -13):
        with pytest.raises(IndexError, match=r"rule -?1[23] of 12"):
            rules[outside]
    assert repr(rules) == "<RuleSet of 12 rules>"
    assert str(rules[:2]) == "\n".join(rules.words[:2])


def test_parts_say_what_the_whole_says(rules):
    backwards = rules[::-1]
    np.testing.assert_array_equal(backwards.covers(X), rules.covers(X)[:, ::-1])
    np.testing.assert_array_equal(backwards.value, rules.value[::-1])
    joined = RuleSet.join([rules[:5], rules[5:]])
    assert joined.words == rules.words
    np.testing.assert_array_equal(joined.start, rules.start)
    np.testing.assert_array_equal(joined.node, rules.node)


def test_rules_count_the_weight_they_cover(rules):
    np.testing.assert_array_equal(rules.rows, rules.covers(X).sum(axis=0))
    np.testing.assert_allclose(rules.share, rules.rows / len(X))
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = fit(TreeRegressor(max_leaf_nodes=12), X, Y[["number", "other"]], sample_weight=weights).rules_
    np.testing.assert_allclose(weighted.rows, weights @ weighted.covers(X))


def test_rules_as_a_table(rules):
    frame = rules.to_frame()
    assert list(frame) == ["rule", "conditions", "rows", "share", "number", "other"]
    assert frame["rule"].tolist() == rules.words
    assert frame["conditions"].tolist() == rules.n_conditions.tolist()
    np.testing.assert_array_equal(frame[["number", "other"]], rules.value)


def test_classes_have_columns():
    penguins = load_penguins()
    model = TreeClassifier(max_depth=2).fit(penguins[["bill_length_mm", "island"]], penguins["species"])
    frame = model.rules_.to_frame()
    assert list(frame)[4:] == ["species = Adelie", "species = Chinstrap", "species = Gentoo"]
    np.testing.assert_allclose(frame.iloc[:, 4:].sum(axis=1), 1.0)


def test_c26_targets_named_like_our_columns_get_names_of_their_own():
    targets = Y[["number", "other"]].set_axis(["rule", "target rule"], axis=1)
    frame = fit(TreeRegressor(max_depth=2), X, targets).rules_.to_frame()
    assert list(frame) == ["rule", "conditions", "rows", "share", "target rule", "target target rule"]
    assert all(isinstance(words, str) for words in frame["rule"])


def test_a_tree_of_one_leaf_has_no_rules():
    model = fit(TreeRegressor(), np.ones((70, 2)), np.arange(70.0))
    none = model.rules_
    assert len(none) == 0
    assert list(none) == []
    assert none.words == []
    assert str(none) == ""
    assert repr(none) == "<RuleSet of 0 rules>"
    assert none.covers(np.ones((70, 2))).shape == (70, 0)
    assert list(none.to_frame()) == ["rule", "conditions", "rows", "share", "y"]
    assert len(none.to_frame()) == len(none[:3]) == len(none[[]]) == len(RuleSet.join([none, none])) == 0
    with pytest.raises(IndexError, match="rule 0 of 0"):
        none[0]


def test_rules_are_asked_about_tables_like_the_training_table(rules):
    with pytest.raises(ValueError, match=r"X has 'count', 'size', .* but the training table had 'size', 'count', "):
        rules.covers(X[["count", "size", "always", "kind", "grade"]])
    with pytest.raises(ValueError, match="X has 'size' and 'count', but the training table had"):
        rules.covers(X[["size", "count"]])
    numbers = TreeRegressor(max_depth=2).fit(np.arange(20.0).reshape(10, 2), np.arange(10.0)).rules_
    with pytest.raises(ValueError, match="X has 3 columns, but the training table had 'x0' and 'x1'"):
        numbers.covers(np.ones((2, 3)))
    same = numbers.covers(pd.DataFrame(np.arange(20.0).reshape(10, 2), columns=["p", "q"]))
    np.testing.assert_array_equal(same, numbers.covers(np.arange(20.0).reshape(10, 2)))
