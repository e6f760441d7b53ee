"""Missing values are said once, below the list; rules of one condition are told from the smaller side."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from glade import RuleEnsembleClassifier, RuleEnsembleRegressor, load
from glade.explain.readability import Readability
from glade.rules.coverage import cover, unpack
from glade.rules.design import TargetRows
from glade.rules.gaps import Gaps, find_sides, is_about_gaps, settle_gaps
from glade.rules.rule_set import Conditions
from glade.rules.smaller_side import find_exceptions
from glade.rules.wording import GAP_WORDS, list_short_words, word_share
from tests.rules.tables import encode, fit, make_new_rows, make_table

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(400, 3)) * 10, columns=["a", "b", "c"])
X["kind"] = RNG.choice(list("uvw"), 400)
Y = np.where(X["a"] > -6, 2.0, 0.0) + np.where(X["kind"] != "u", 1.0, 0.0) + RNG.normal(0, 0.1, 400)
WITH_GAPS = X.copy()
WITH_GAPS.loc[RNG.random(400) < 0.2, "a"] = np.nan
WITH_GAPS.loc[RNG.random(400) < 0.1, "kind"] = np.nan


@pytest.fixture(scope="module")
def model():
    return RuleEnsembleRegressor(max_rules=6, random_state=0).fit(WITH_GAPS, Y)


def test_rules_say_nothing_of_missing_values_and_one_line_does(model):
    text = model.to_text()
    assert not any(word in text for word in GAP_WORDS)
    assert sum("where a is missing it counts as" in line for line in text.splitlines()) == 1
    assert "where kind is missing it counts as" in text
    about_gaps = [words for words in model.rules_.words if words.endswith(("is missing", "is known"))]
    assert set(about_gaps) <= {"a is missing", "kind is missing"}  # which may be rules of their own
    assert Readability.of(model.model_).gaps_in_words == len(about_gaps) / model.size_.conditions


def test_the_line_is_true(model):
    rules = model.rules_
    gaps = Gaps.of([rules], rules.schema)
    conditions = rules.conditions
    has_gaps = np.array(rules.schema.has_missing)[conditions.input]
    assert has_gaps.any()
    for k in np.flatnonzero(has_gaps & ~is_about_gaps(conditions, rules.schema)):
        way, categories = gaps.counts_as[int(conditions.input[k])], conditions.categories[k]
        expected = {"low": conditions.low[k] == -np.inf, "high": conditions.high[k] == np.inf, "never": False}
        expected["other"] = categories is not None and len(categories) > 1
        assert conditions.missing[k] == expected[way]


def test_what_is_unusual_is_said():
    frame, targets = make_table(200)
    grown = fit(
        RuleEnsembleRegressor(cuts="exact", max_conditions=3, max_rules=30, random_state=0), frame, targets["number"]
    )
    words, whole = list_short_words(grown.terms_.design), grown.terms_.design.words
    gaps = Gaps.of([grown.rules_], grown.schema_)
    for k, (short, full) in enumerate(zip(words, whole, strict=True)):
        if k >= len(grown.rules_):
            assert short == full
            continue
        places = range(int(grown.rules_.start[k]), int(grown.rules_.start[k + 1]))
        asks = is_about_gaps(grown.rules_.conditions, grown.schema_)
        says = any(not gaps.is_usual(grown.rules_.conditions, p) and not asks[p] for p in places)
        assert any(word in short for word in GAP_WORDS) == says


@pytest.mark.parametrize("is_high", [False, True])
def test_settled_rules_differ_only_where_a_value_is_missing(is_high):
    frame, targets = make_table(150)
    known = fit(RuleEnsembleRegressor(max_rules=3, random_state=0), frame, targets["number"])
    matrix = encode(known, make_new_rows(frame))
    rules = known.rules_
    settled = settle_gaps(rules, np.full(len(rules.schema.names), int(is_high)))
    whole = ~np.isnan(matrix).any(axis=1)
    before, after = (unpack(cover(own, matrix), len(matrix)) for own in (rules, settled))
    np.testing.assert_array_equal(before[:, whole], after[:, whole])
    assert settle_gaps(settled, np.full(len(rules.schema.names), int(is_high))).words == settled.words


def test_a_missing_category_counts_as_the_commonest_whatever_side_is_told():
    """Otherwise the opposite of "answer = no" would have to say "yes or missing"."""
    answer = pd.Series(RNG.choice(["no", "yes"], 300, p=[0.7, 0.3])).where(RNG.random(300) > 0.1)
    frame = pd.DataFrame({"answer": answer, "colour": RNG.choice(list("rgb"), 300), "x": RNG.normal(size=300)})
    y = np.where(answer == "no", 0.0, 2.0) + np.where(frame["colour"] == "r", 1.0, 0.0) + RNG.normal(0, 0.1, 300)
    grown = RuleEnsembleRegressor(max_rules=3, linear_terms=False, random_state=0).fit(frame, y)
    text = grown.to_text()
    assert "answer = yes " in text
    assert not any(word in text for word in GAP_WORDS)
    assert "where answer is missing it counts as" in text
    sets = np.full(4, None, object)
    sets[:] = [(0,), (1,), (0, 2), (1, 2)]
    schema = replace(grown.schema_, names=("kind",), kinds=("nominal",), labels=(tuple("uvw"),), has_missing=(True,))
    none = np.zeros(4)
    conditions = Conditions(np.zeros(4, np.int32), none - np.inf, none + np.inf, np.array([0, 1, 0, 1], bool), sets)
    rules = replace(grown.rules_[[0] * 4], schema=schema, conditions=conditions, start=np.arange(5))
    gaps = Gaps.of([rules], schema)
    assert gaps.note == "where kind is missing it counts as v"
    assert all(gaps.is_usual(conditions, k) for k in range(4))
    assert settle_gaps(rules, np.array([1])).conditions.missing.tolist() == [False, True, False, True]
    assert settle_gaps(rules, np.array([2])).conditions.missing.tolist() == [False, False, True, True]


def test_missing_values_count_as_what_their_targets_are_like():
    matrix, y = np.arange(40.0)[:, None].copy(), np.arange(40.0)[:, None].copy()
    matrix[:10] = np.nan
    schema = RuleEnsembleRegressor(max_rules=0).fit(matrix, y[:, 0]).schema_
    assert find_sides(matrix, y, schema).tolist() == [False]
    assert find_sides(matrix, -y, schema).tolist() == [False]
    y[:10] = 50.0
    assert find_sides(matrix, y, schema).tolist() == [True]


def test_a_rule_of_one_condition_covers_at_most_half_of_the_rows(model):
    for table in (X, WITH_GAPS):
        grown = RuleEnsembleRegressor(max_rules=8, linear_terms=False, random_state=0).fit(table, Y)
        assert (grown.rules_.n_conditions == 1).any()
        assert (grown.rules_.share <= 0.5).all()
        assert grown.score(table, Y) > 0.7


def test_most_rows_are_no_exception_unless_one_condition_says_what_they_are_not():
    """An interval, or several conditions, on most rows: what is outside takes several rules to say."""
    given = [{"a": (-15.0, 20.0)}, {"a": (-12.0, None), "b": (-15.0, None)}, {"a": (20.0, None)}, {"a": (-12.0, None)}]
    for weights in (None, RNG.integers(1, 4, len(X)).astype(float)):
        stays = RuleEnsembleRegressor(given_rules=given, keep_given=True, max_rules=4, cuts="exact", random_state=0)
        design = stays.fit(X, Y, sample_weight=weights).terms_.design
        found = find_exceptions(design, TargetRows(stays.encode(X), Y[:, None], weights))
        assert dict(zip(design.rules.words, found.tolist(), strict=True)) == {
            "-15 < a <= 20": False,
            "a > -12 and b > -15": False,
            "a > 20": True,
            "a > -12": True,
        }
    named = RuleEnsembleRegressor(given_rules=given[:2], keep_given=True, max_rules=4, random_state=0).fit(X, Y)
    assert {"-15 < a <= 20", "a > -12 and b > -15"} <= set(named.rules_.words)  # the user's own stay as they are


@pytest.mark.parametrize("name", ["a", "kind"])
def test_that_a_value_is_known_is_told_by_those_that_lack_it(name):
    y = np.where(WITH_GAPS[name].isna(), 3.0, 0.0) + RNG.normal(0, 0.1, len(X))
    grown = RuleEnsembleRegressor(max_rules=1, linear_terms=False, random_state=0).fit(WITH_GAPS, y)
    assert grown.rules_.words == [f"{name} is missing"]
    assert grown.score(WITH_GAPS, y) > 0.9


def test_told_from_the_other_side_every_step_predicts_what_its_folds_have_judged():
    """Opposites change words and offset, not predictions: the path's errors are those of models not turned."""
    grown = RuleEnsembleRegressor(max_rules=8, linear_terms=False, random_state=0).fit(X, Y)
    for k in (1, 3, 8):
        smaller = grown.with_rules(k)
        frame = smaller.to_frame()
        total = frame["target"][0] if "target" in frame else frame.iloc[0, 5]
        covered = smaller.rules_.covers(X)
        effects = frame.iloc[1:, 5].to_numpy(float)
        np.testing.assert_allclose(total + covered @ effects, smaller.predict(X), rtol=1e-9)


def test_classes_are_turned_and_stored(tmp_path):
    grown = RuleEnsembleClassifier(max_rules=5, random_state=0).fit(WITH_GAPS, np.where(Y > 2, "high", "low"))
    assert Readability.of(grown.model_).wrong_side == 0
    grown.save(tmp_path / "model.glade")
    again = load(tmp_path / "model.glade")
    assert again.to_text() == grown.to_text()
    np.testing.assert_array_equal(again.predict_proba(WITH_GAPS), grown.predict_proba(WITH_GAPS))


def test_sets_name_few_categories():
    codes = RNG.integers(0, 60, 600)
    frame = pd.DataFrame({"kind": [f"k{c:02d}" for c in codes], "x": RNG.normal(size=600)})
    y = np.sin(codes) + frame["x"].to_numpy() / 3
    grown = RuleEnsembleRegressor(max_rules=10, random_state=0).fit(frame, y)
    assert Readability.of(grown.model_).most_categories <= 6
    wide = RuleEnsembleRegressor(max_rules=10, max_conditions=None, random_state=0).fit(frame, y)
    assert Readability.of(wide.model_).most_categories > 6


def test_effects_of_linear_terms_are_told_over_their_range():
    table = pd.DataFrame({"age": RNG.integers(19, 94, 500).astype(float)})
    grown = RuleEnsembleRegressor(max_rules=1, random_state=0).fit(table, table["age"].to_numpy() / 100)
    line = grown.to_text().splitlines()[3]
    assert "age (linear from" in line
    assert 0.6 < float(line.split("+")[-1]) < 0.75
    assert (word_share(0.005), word_share(0.0), word_share(0.31)) == ("< 1%", "0%", "31%")
