"""A rule's words, read back, cover the rows that the rule covers."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glade import FIRERegressor, ForestRegressor, TreeRegressor
from glade.rules.coverage import cover, unpack
from glade.rules.extract import NODES, extract_rules
from glade.rules.wording import word_rule
from tests.rules.tables import GRADES, encode, fit, make_new_rows, make_table

few = settings(max_examples=20, deadline=None, derandomize=True)


def to_rank(text):
    return GRADES.index(text) if text in GRADES else float(text)


def read_condition(words):
    """(name, what is asked of a known value, whether a missing one will do), from the words of one condition."""
    words = words.removeprefix("(").removesuffix(")") if " or missing" in words else words
    takes_missing = words.endswith(" or missing")
    words = words.removesuffix(" or missing")
    if match := re.fullmatch(r"(\S+) is (missing|known)", words):
        name, state = match.groups()
        return name, lambda x: state == "known", state == "missing"
    if match := re.fullmatch(r"(\S+) < (\S+) <= (\S+)", words):
        low, name, high = match.groups()
        return name, lambda x: to_rank(low) < to_rank(x) <= to_rank(high), takes_missing
    if match := re.fullmatch(r"(\S+) (<=|>) (\S+)", words):
        name, sign, edge = match.groups()
        return name, lambda x: (to_rank(x) <= to_rank(edge)) == (sign == "<="), takes_missing
    if match := re.fullmatch(r"(\S+) (!?)= (\S+)", words):
        name, negated, label = match.groups()
        return name, lambda x: (x == label) != bool(negated), takes_missing
    name, negated, labels = re.fullmatch(r"(\S+) (not )?in \{(.*)\}", words).groups()
    return name, lambda x: (x in labels.split(", ")) != bool(negated), takes_missing


def read_rule(words):
    return [read_condition(part) for part in words.split(" and ")]


def words_cover(conditions, row, known_labels):
    """Whether a row of a dataframe fulfils all conditions; a category that training did not have is missing."""
    for name, asked, takes_missing in conditions:
        x = row[name]
        is_missing = x != x or x is None or (name == "kind" and x not in known_labels)
        if not (takes_missing if is_missing else asked(x)):
            return False
    return True


def assert_words_cover(rules, new, matrix):
    covered = unpack(cover(rules, matrix), len(matrix))
    known_labels, rows = set(rules.schema.labels[3]), new.to_dict("records")
    for i in range(len(rules)):
        conditions = read_rule(word_rule(rules, i, max_listed=None))
        assert [words_cover(conditions, row, known_labels) for row in rows] == covered[i].tolist(), word_rule(rules, i)


def grow(seed, n_categories, missing, max_bins):
    """Inputs, a tree in which missing values mean something, and the rules of all its nodes."""
    X, Y = make_table(100, n_categories, missing, seed)
    Y["number"] += 3 * X["size"].isna() * (Y["other"] > 0)
    model = fit(TreeRegressor(max_bins=max_bins, max_depth=5), X, Y[["number", "other"]])
    return X, model, extract_rules([model.tree_], model.schema_, model.target_schema_, NODES)


@few
@given(
    seed=st.integers(0, 10_000),
    n_categories=st.sampled_from([2, 3, 9, 70]),
    missing=st.sampled_from([0.0, 0.2, 0.7]),
    max_bins=st.sampled_from([None, 4]),
)
def test_the_words_of_a_tree(seed, n_categories, missing, max_bins):
    X, model, rules = grow(seed, n_categories, missing, max_bins)
    gaps = [name for name in ("size", "kind") if X[name].isna().any()]
    assume(bool(gaps) == (missing > 0))
    new = make_new_rows(X, 70, gaps, seed)
    assert_words_cover(rules, new, encode(model, new))


def test_the_words_of_a_rule_ensemble():
    X, Y = make_table(200, n_categories=12)
    model = fit(FIRERegressor(ForestRegressor(20, max_depth=4), random_state=0), X, Y[["number", "other"]])
    assert len(model.rules_) > 20
    new = make_new_rows(X, 100, ["size", "kind"])
    assert_words_cover(model.rules_, new, encode(model, new))


@pytest.mark.parametrize("word", ["<=", ">", "=", "!=", "in", "is known", "is missing", "or missing", " < "])
def test_the_words_read_above_occur(word):
    """So that the agreement is not one of words that were never read."""
    said = [words for seed in range(5) for words in grow(seed, 6, 0.3, None)[2].words]
    assert any(word in words for words in said)


def test_of_inputs_without_missing_values_words_say_nothing_of_them():
    X, Y = make_table(100, missing=0.0)
    model = fit(TreeRegressor(), X, Y["number"])
    assert not any("missing" in words or "known" in words for words in model.rules_.words)
    assert model.rules_.conditions.missing.any()
    assert not np.all(model.rules_.conditions.missing)
