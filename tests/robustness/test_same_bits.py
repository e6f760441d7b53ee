"""The number of threads decides how long a fit takes and nothing else: the models are the same to the last bit.

`make check-all` runs this on every Python that is found, and `python -m tools.environments suite FILE` this file alone
there.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from glade import ForestClassifier, ForestRegressor, MixedForest, MixedRuleEnsemble
from tests.smoke import KINDS, list_estimators, make_estimator, make_table

IS_LONG = "GLADE_LONG" in os.environ
THREADS = (2, 3, 7) if IS_LONG else (2,)
SHORT = "ForestRegressor", "ForestClassifier", "MixedForest", "RuleEnsembleRegressor", "FIRERegressor"
METHODS = "random_forest", "bagging", "extra_trees", "isle", "boosting"


def save(model, folder):
    """The bytes of a fitted model's file. How many threads it was fitted with is no part of it."""
    path = folder / "model.glade"
    model.set_params(n_jobs=None).save(path)
    return path.read_bytes()


def fit_with_threads(make, X, y, folder):
    """The files of models fitted with one thread and with more, and their predictions by as many threads."""
    files, predictions = [], []
    for n_jobs in (1, *THREADS):
        model = make().set_params(n_jobs=n_jobs).fit(X, y)
        predictions.append(np.ascontiguousarray(np.asarray(model.predict(X))).tobytes())
        files.append(save(model, folder))
    return files, predictions


def targets_for(name, targets):
    of_kind = {"Regressor": targets["amount"], "Classifier": targets["kind"], "Mixed": targets}
    return of_kind[next(kind for kind in KINDS if kind in name)]


def list_threaded():
    """The estimators that have threads; where time is short, those that differ most."""
    threaded = [name for name in list_estimators() if "n_jobs" in make_estimator(name).get_params()]
    return threaded if IS_LONG else [name for name in threaded if name in SHORT]


@pytest.mark.parametrize("name", list_threaded())
def test_every_estimator_is_the_same_model_for_any_number_of_threads(name, tmp_path):
    X, targets = make_table()
    files, _ = fit_with_threads(lambda: make_estimator(name), X, targets_for(name, targets), tmp_path)
    assert all(file == files[0] for file in files)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("max_bins", [None, 16])
def test_every_method_grows_the_same_forest_for_any_number_of_threads(method, max_bins, tmp_path):
    rng = np.random.default_rng(1)
    X = np.round(rng.normal(size=(700, 6)), 1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = np.column_stack([np.nansum(X[:, :2], axis=1) + rng.normal(size=700) for _ in range(3)])

    def make():
        return ForestRegressor(24, method=method, max_bins=max_bins, features_per_tree=0.8, random_state=4)

    files, predictions = fit_with_threads(make, X, y, tmp_path)
    assert all(file == files[0] for file in files)
    assert all(prediction == predictions[0] for prediction in predictions)


def test_large_nodes_are_the_same_for_any_number_of_threads(tmp_path):
    """Trees of so many rows have nodes that Python splits by their histograms."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(6_000, 3)), rng.integers(0, 3, 6_000)

    def make():
        return ForestClassifier(4, max_features=None, max_bins=64, max_leaf_nodes=20, random_state=0)

    files, predictions = fit_with_threads(make, X, y, tmp_path)
    assert all(file == files[0] for file in files)
    assert all(prediction == predictions[0] for prediction in predictions)


def test_out_of_bag_predictions_are_the_same_for_any_number_of_threads():
    X, targets = make_table()
    found = [
        MixedForest(30, oob_score=True, n_jobs=n_jobs, random_state=0).fit(X, targets).oob_prediction_
        for n_jobs in (1, *THREADS)
    ]
    assert all(frame.equals(found[0]) for frame in found)


ELSEWHERE = """
import sys
from tests.robustness.test_same_bits import fit_both
fit_both(7, sys.argv[1])
"""


def fit_both(n_jobs, folder):
    """The files of a boosted forest, and of a rule ensemble for a number and classes."""
    X, targets = make_table()
    boosted = ForestRegressor(20, method="boosting", max_samples=0.5, max_features=2, random_state=3)
    rules = MixedRuleEnsemble(max_rules=6, random_state=3)
    files = []
    for name, model, y in (("boosted", boosted, targets["amount"]), ("rules", rules, targets)):
        (Path(folder) / name).mkdir()
        files.append(save(model.set_params(n_jobs=n_jobs).fit(X, y), Path(folder) / name))
    return files


def test_another_process_with_seven_threads_fits_the_same_models(tmp_path):
    """Hashes of text differ from process to process, and so does the order in which threads come."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    files = fit_both(1, here)
    environment = {**os.environ, "PYTHONHASHSEED": "11"}
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", ELSEWHERE, there], cwd=root, env=environment, check=True)
    assert [(there / name / "model.glade").read_bytes() for name in ("boosted", "rules")] == files
