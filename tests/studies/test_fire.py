"""The study of FIRE: its folds, its models, its figures."""

import numpy as np
import pytest
from joblib import Memory

from glade import FIRERegressor, TreeRegressor
from glade.weights import published as published_descent
from studies import reproduce
from studies.figures import Settings
from studies.fire import published, runs, study
from studies.rendering import write_document
from tests.datasets import find_folder, load_dataset


def test_folds_are_those_of_clus():
    """The row at place i of a permutation is in fold i % 10."""
    order = np.random.RandomState(0).permutation(37)
    for k, (train, test) in enumerate(runs.FoldsInTurn(0).split(np.zeros((37, 2)))):
        assert sorted(order[k::10]) == test.tolist()
        assert sorted({*range(37)} - {*test}) == train.tolist()


def test_pooled_errors_over_all_folds_are_the_harness_s_and_over_some_by_hand():
    X, y = load_dataset("edm")
    settings = Settings(folder=find_folder(), progress=False)
    result = runs.compare_all({"tree": TreeRegressor(max_depth=2)}, {"edm": (X, y)}, 1, settings)
    assert study.pool(result, "edm", "tree", 10) == pytest.approx(study.pooled(result, "edm", "tree")[0])
    y = np.asarray(y, dtype=float)
    square, total = np.zeros((2, y.shape[1]))
    for train, test in list(runs.FoldsInTurn(0).split(y))[:3]:
        predicted = TreeRegressor(max_depth=2).fit(X.iloc[train], y[train]).predict(X.iloc[test])
        square += ((predicted - y[test]) ** 2).sum(axis=0)
        total += ((y[train].mean(axis=0) - y[test]) ** 2).sum(axis=0)
    assert study.pool(result, "edm", "tree", 3) == pytest.approx(np.sqrt(square / total).mean())


def test_all_sizes_on_the_same_rows_are_one_fit(tmp_path):
    memory = Memory(tmp_path, verbose=0)
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 3)), random.normal(size=(60, 2))
    small, whole = (runs.FIREOfSize(memory, k, random_state=3).fit(X, y) for k in (5, None))
    assert len(list(tmp_path.rglob("output.pkl"))) == 1
    np.testing.assert_array_equal(whole.predict(X), FIRERegressor(random_state=3).fit(X, y).predict(X))
    assert small.size_.rules <= 5


def test_the_printed_averages_are_those_of_the_printed_rows():
    """The two last rows of Table II, as a check of what was typed in."""
    errors, sizes = published.read_errors(), published.read_sizes()
    is_mean = errors.index.get_level_values("target") == "mean"
    columns = list(published.COLUMNS.values())
    assert errors.loc[~is_mean, columns].mean().to_numpy() == pytest.approx([0.92, 0.79, 0.80, 0.85], abs=0.006)
    assert errors.loc[is_mean, columns].mean().to_numpy() == pytest.approx([0.80, 0.72, 0.72, 0.77], abs=0.006)
    assert sizes[columns].mean().to_numpy() == pytest.approx([30.3, 31_281, 483.2, 20], abs=0.5)
    assert set(published.NAMES.values()) <= set(sizes.index)


def test_the_study_on_small_sets(tmp_path, monkeypatch):
    """One run, as it takes seconds: figures, the eight diagrams, and what the document says of a quick run."""
    pytest.importorskip("matplotlib").use("agg")
    load_dataset("edm")  # skips where there is no folder
    monkeypatch.setattr(published_descent, "MAX_STEPS", 300)
    result = reproduce("fire", Settings(folder=find_folder(), quick=True, progress=False))
    frame = result.frame().set_index(["row", "metric"])
    assert frame.loc[("edm: FIRE", "aRRMSE"), "published"] == 0.69
    assert frame.loc[("edm: FIRE as published, 20 rules", "size"), "mean"] == 20
    of_target = frame.filter(like="edm, ", axis=0)
    assert len(of_target) == 2 * 4
    assert (of_target["repetitions"] == runs.N_FOLDS_QUICK).all()
    mean = of_target.filter(like=": tree (", axis=0)["mean"].mean()
    assert mean == pytest.approx(frame.loc[("edm: tree", "aRRMSE"), "mean"], rel=0.01)  # which is pooled over folds
    assert [row[0][:2] for row in result.tables[0].rows] == ["3a", "3b", "4a", "4b", "4c", "5a", "5b", "5c"]
    write_document(result, "python -m studies fire --quick", tmp_path)
    for name in ("3", "4", "5"):
        assert (tmp_path / f"fire-ranks-{name}.png").stat().st_size > 5000
    assert "verdict |\n|---|---|---:|---:|" not in (tmp_path / "reproduction.md").read_text()
