"""The study of ensembles for many targets: its trees, its tables, its tests, and the whole of it on small tables."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from glade.data.targets import CLASSIFICATION, REGRESSION
from studies import reproduce
from studies.figures import Settings
from studies.modt.claims import CLAIMS, run_test
from studies.modt.models import SourceClassifier, SourceRegressor, count_distinct_leaves
from studies.modt.sets import N_TARGETS, SETS
from studies.rendering import to_text, write_document
from tests.datasets import find_folder, load_dataset


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.random((120, 4))
    return X, np.column_stack([X[:, 0] + X[:, 1], X[:, 2]]) + rng.normal(0, 0.2, (120, 2))


def test_a_leaf_holds_two_draws_not_two_rows(table):
    forest = SourceRegressor(20, method="bagging", random_state=0).fit(*table)
    leaves = [(tree.weight[tree.is_leaf], tree.rows[tree.is_leaf]) for tree in forest.trees_]
    weights, rows = (np.concatenate(part) for part in zip(*leaves, strict=True))
    assert weights.min() == 2
    assert rows.min() == 1
    apart = SourceRegressor(1, method="bagging", bootstrap=False).fit(*table).trees_[0]
    assert apart.rows[apart.is_leaf].min() == 2


def count_by_recursion(tree, modes, node=0):
    """(Leaves below, the classes they all predict or None): two leaves that agree become one."""
    split = tree.split[node]
    if split < 0:
        return 1, modes[node]
    left = tree.split_left[split]
    (n_left, of_left), (n_right, of_right) = (count_by_recursion(tree, modes, child) for child in (left, left + 1))
    if n_left == n_right == 1 and of_left == of_right:
        return 1, modes[node]
    return n_left + n_right, None


@pytest.mark.parametrize("per_target", [False, True])
def test_leaves_that_predict_the_same_are_counted_once(table, per_target):
    X, y = table
    labels = np.column_stack([np.digitize(y[:, 0], (0.7, 1.3)), y[:, 1] > 0.5])
    forest = SourceClassifier(10, criterion="entropy", per_target=per_target, random_state=0).fit(X, labels)
    total = 0
    for part in forest.forests_:
        for tree in part.trees:
            channels = [part.schema.channels_of(t) for t in range(part.schema.n_targets)]
            modes = [tuple(row[at].argmax() for at in channels) for row in tree.value]
            expected, _ = count_by_recursion(tree, modes)
            assert count_distinct_leaves(tree, part.schema) == expected
            total += expected
    assert forest.size_.leaves == total
    assert forest.size_.nodes == 2 * total - forest.size_.trees
    assert total < sum(tree.n_leaves for tree in forest.trees_)


@pytest.mark.parametrize("task", [CLASSIFICATION, REGRESSION])
def test_the_tables_are_those_of_the_source(task):
    load_dataset("edm")  # skips where there is no folder
    settings = Settings(folder=find_folder())
    shapes = {s.number: tuple(part.shape for part in s.load(settings)) for s in SETS[task] if s.number}
    printed = {  # its Table 2
        1: ((85, 7), (85, 5)),
        2: ((154, 16), (154, 2)),
        3: ((432, 6), (432, 3)),
        8: ((323, 10), (323, 3)),
        9: ((1066, 10), (1066, 3)),
        10: ((9172, 29), (9172, 7)),
        11: ((1060, 16), (1060, 7)),
        12: ((1060, 16), (1060, 7)),
        13: ((1060, 16), (1060, 14)),
    }
    assert shapes == {number: printed[number] for number in shapes}
    lacking = {CLASSIFICATION: 2 + 2 + 2, REGRESSION: 2 + 2 + 2 + 3}  # Sigma three times, soil quality
    assert sum(y[1] for _, y in shapes.values()) == N_TARGETS[task] - lacking[task]


def test_sizes_for_single_targets_add_up_as_they_do_in_print():
    """The classifiers for single targets of E13 are those of E11 and E12: a check of what was typed in."""
    plants, animals, both = (next(s.sizes for s in SETS[CLASSIFICATION] if s.number == k) for k in (11, 12, 13))
    for column in (1, 3):
        assert plants[column] + animals[column] == both[column]


def test_numbers_become_classes():
    load_dataset("wq")
    settings = Settings(folder=find_folder())
    water = next(s for s in SETS[CLASSIFICATION] if s.number == 12)
    y = water.load(settings)[1]
    raw = load_dataset("wq")[1][y.columns]
    assert (y.eq("some") == raw.gt(0)).all().all()
    assert set(np.unique(y)) == {"none", "some"}
    edm = next(s for s in SETS[CLASSIFICATION] if s.number == 2).load(settings)[1]
    assert set(np.unique(edm)) == {"-1", "0", "1"}


def test_a_claim_is_tested_as_by_scipy():
    rng = np.random.default_rng(1)
    errors = pd.DataFrame({"a": rng.random(20), "b": rng.random(20), "c": rng.random(20)})
    errors.loc[3, "b"] = errors.loc[3, "a"]
    outcome = run_test(errors, "a", "b")
    assert outcome.p_value == pytest.approx(stats.wilcoxon(errors["a"], errors["b"]).pvalue)
    assert outcome.n_won == (errors["a"] < errors["b"]).sum()
    assert outcome.n_won + outcome.n_lost == 19


def test_the_study_on_small_tables(tmp_path):
    """One run, as it takes seconds: the p-values, the sizes, the text and the document."""
    load_dataset("edm")  # skips where there is no folder
    study = reproduce("modt", Settings(folder=find_folder(), quick=True, progress=False))
    check_claims(study.frame())
    check_sizes([figure for figure in study.figures if figure.metric == "nodes"])
    printed = {figure.row: figure.published == figure.mean for figure in study.figures if figure.metric == "targets"}
    assert len(printed) == 9  # the tables of Table 2 that we have
    assert all(printed.values())
    mixed = next(table for table in study.tables if table.title.startswith("Mixed"))
    assert [row[0].rsplit(": ", 1)[1] for row in mixed.rows] == ["rrmse, 1 targets", "error, 1 targets", "seconds"]

    text = to_text(study)
    assert max(map(len, text.splitlines())) <= 145
    assert text.count("E8 solar flare 1, regression:") == 4  # sizes
    write_document(study, "python -m studies modt --quick", tmp_path)
    section = (tmp_path / "reproduction.md").read_text()
    assert section.count("### ") == len(study.tables) == 6
    assert "| bagging > bagging per target | p classification | 0.3 |" in section


def check_claims(frame):
    """Every claim has a p-value for both tasks."""
    tests = frame[frame["metric"].str.startswith("p ")]
    assert tests["row"].drop_duplicates().tolist() == [claim.row for claim in CLAIMS]
    assert tests.groupby("row")["metric"].nunique().eq(2).all()
    assert tests["mean"].between(0, 1, inclusive="right").all()
    assert (tests["repetitions"] == 2).all()
    assert frame["verdict"].str.match("agrees|differs|not published").all()


def check_sizes(sizes):
    """Ten trees, scaled to a hundred: the readings of how the source grew its trees give its sizes."""
    gaps = np.array([100 * (figure.mean / figure.published - 1) for figure in sizes])
    assert len(gaps) == 16
    assert np.abs(gaps).max() < 12
    assert np.abs(np.mean(gaps)) < 4
