"""Logic rules: what they cover, which pairs are found, and models that need them."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.models.saved.parts import FilePart, flatten
from glade.models.saved.rules import read_design, store_design
from glade.rules.design import Design, TargetRows
from glade.rules.hard import HardRules
from glade.rules.likeness import Tenths, identify_terms
from glade.rules.linear import LinearTerms
from glade.rules.logic import LogicRules
from glade.rules.logic_pairs import BETTER, HALF, LEAST_ROWS, LONGEST, explain, find_logic, find_strong
from tests.fitted import GROVE, make_table
from tests.reference.rules import rule_covers


@pytest.fixture(scope="module")
def planted():
    """Two terms of two rules each, and little noise."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((600, 5)).round(2), columns=list("abcde"))
    X["n"] = rng.choice(list("uvw"), 600)
    first = (X["a"] > 0.7) | ((X["b"] <= 0.3) & (X["n"] == "u"))
    second = (X["c"] > 0.5) & ~((X["d"] > 0.4) & (X["e"] > 0.4))
    return X, 2.0 * first + 1.0 * second + rng.normal(0, 0.1, 600)


@pytest.fixture(scope="module")
def candidates(planted):
    """Rules of a forest, some of whose inputs have gaps, and weighted rows to explain."""
    X, y = planted
    X = X.copy()
    X.loc[::9, "d"] = np.nan
    forest = ForestRegressor(40, max_depth=3, random_state=0).fit(X, y)
    rows = TargetRows(forest.encode(X), ((y - y.mean()) / y.std()).to_numpy()[:, None], 1.0 + np.arange(len(X)) % 2)
    return HardRules(forest.rules_), rows


def test_a_term_covers_what_its_words_say(candidates):
    hard, rows = candidates
    rules = hard.rules.take(np.array([0, 3, 1, 5]))
    logic = LogicRules(rules, np.array([True, False]))
    matrix = rows.matrix
    covers = np.array([[rule_covers(rules, i, row) for i in range(4)] for row in matrix])
    expected = np.column_stack((covers[:, 0] | covers[:, 1], covers[:, 2] & ~covers[:, 3]))
    np.testing.assert_array_equal(logic.values(matrix), expected)
    one = logic.take(np.array([1]))
    np.testing.assert_array_equal(one.values(matrix)[:, 0], expected[:, 1])
    assert one.words[0].count(" unless ") == 1
    assert " or " in logic.words[0]
    assert logic.n_conditions.tolist() == rules.n_conditions.reshape(2, 2).sum(axis=1).tolist()
    assert len(logic.list_conditions()[0]) == logic.n_conditions[0]
    assert set(logic.uses.input[logic.uses.term == 1]) == set(rules[2].conditions.input) | set(
        rules[3].conditions.input
    )


def test_pairs_are_those_of_the_definition(candidates):
    """The twin: each pair row by row, each way, judged by squared sums over its own rows."""
    hard, rows = candidates
    found = find_logic(hard, rows)
    strong = hard.take(find_strong(hard, rows, rows.y))
    assert (strong.rules.n_conditions <= LONGEST).all()
    matrix, counts, whole = rows.matrix, rows.counts, rows.counts.sum()
    values = found.values(matrix)
    y = rows.y - np.average(rows.y, axis=0, weights=counts)

    def judge(covered):
        return float(explain((counts * covered) @ y, np.asarray(counts @ covered), whole))

    parts = HardRules(found.rules).values(matrix).T.reshape(len(found), 2, -1)
    for k in range(len(found)):
        a, b = parts[k].astype(bool)
        own = a | b if found.is_union[k] else a & ~b
        np.testing.assert_array_equal(values[:, k], own)
        assert judge(own) >= BETTER * max(judge(a), judge(b)) * (1 - 1e-9)
        assert own.mean() <= HALF
        assert min(own.sum(), (a & b).sum() + LEAST_ROWS) >= LEAST_ROWS
    assert len(np.unique(values, axis=1).T) == len(found) > 10
    assert found.is_union.any()
    short = find_logic(hard, rows, max_conditions=2)
    assert len(short) == 0 or (short.n_conditions == 2).all()


def test_the_best_pair_is_not_missed(planted):
    X, y = planted
    path = RuleEnsembleRegressor(logic=True, max_rules=4, linear_terms=False, random_state=0).fit(X, y)
    assert path.score(X, y) > 0.97
    told = " ".join(path.terms_.design.words)
    assert "a > 0.7 or (" in told
    assert "c > 0.5 unless (" in told


def test_designs_with_logic_are_stored_and_known_again(candidates):
    hard, rows = candidates
    logic = find_logic(hard, rows).take(np.arange(4))
    design = Design.of(hard.take(np.arange(3)), LinearTerms.none(hard.rules.schema), logic)
    again = read_design(FilePart(*flatten(store_design(design))), hard.rules.schema, hard.rules.targets, False)
    assert again.words == design.words
    assert again.kinds == design.kinds == ["rule"] * 3 + ["logic rule"] * 4
    tenths = Tenths.of(rows.matrix, hard.rules.schema)
    keys = identify_terms(design, tenths)
    assert len(keys) == len(design)
    assert identify_terms(again, tenths) == keys
    for one, other in permutations(range(3, 7), 2):
        assert keys[one] != keys[other] or design.words[one] != design.words[other]


def test_stored_logic_that_makes_no_sense_is_refused(candidates):
    from glade.core.errors import ModelFileError

    hard, rows = candidates
    stored = store_design(Design.of(hard.take(np.arange(2)), find_logic(hard, rows).take(np.arange(2))))
    stored["logic"]["is_union"] = np.array([True])
    with pytest.raises(ModelFileError, match="two rules"):
        read_design(FilePart(*flatten(stored)), hard.rules.schema, hard.rules.targets, False)


def test_classes_and_what_does_not_go_together():
    X, y = make_table()
    model = RuleEnsembleClassifier(logic=True, max_rules=5, cv=2, random_state=0).fit(X, y["yes"])
    assert model.score(X, y["yes"]) > 0.7
    with pytest.raises(ValueError, match="soft"):
        RuleEnsembleRegressor(GROVE, logic=True, soft=True).fit(X, y["amount"])
    with pytest.raises(ValueError, match="monotonic_cst"):
        RuleEnsembleRegressor(GROVE, logic=True, monotonic_cst={"size": 1}).fit(X, y["amount"])
