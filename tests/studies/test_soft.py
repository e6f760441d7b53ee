"""The study of soft rules: its tasks, what it stores, its figures."""

import numpy as np
import pytest

from studies import soft
from studies.figures import Settings


@pytest.fixture
def tasks():
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 3))
    y = X[:, 0] + (X[:, 1] > 0)
    return [soft.Task(X[:80], y[:80], X[80:], y[80:], seed) for seed in range(2)]


@pytest.fixture
def few_readings(monkeypatch):
    monkeypatch.setattr(soft, "READINGS", {"all inputs": None})


@pytest.mark.usefixtures("few_readings")
def test_what_is_stored_is_not_fitted_again(tasks, tmp_path, monkeypatch):
    settings = Settings(store=tmp_path, progress=False)
    one = soft.run_all(tasks[:1], [2], False, settings)
    both = soft.run_all(tasks, [2], False, settings)
    monkeypatch.setattr(soft.Job, "run", None)
    again = soft.run_all(tasks, [2], False, settings)
    assert [(key.depth, key.form) for key in both] == [(2, soft.HARD), (2, soft.SOFT)]
    for key, outcomes in both.items():
        assert len(outcomes) == 2
        assert outcomes[0].error == one[key][0].error
        for own, stored in zip(outcomes, again[key], strict=True):
            np.testing.assert_array_equal(own.predicted, stored.predicted)
            assert own == stored._replace(predicted=own.predicted)
            assert 0 < own.kept < 1


def test_repetitions_follow_the_scale_of_the_run():
    scales = Settings(), Settings(reduced=True), Settings(quick=True)
    assert [soft.count_repetitions(settings, {"full": 30, "reduced": 3, "quick": 2}) for settings in scales] == [
        30,
        3,
        2,
    ]


def test_the_depth_is_the_one_that_its_own_folds_promise_most_for():
    keys = [soft.Setting("all inputs", depth, soft.SOFT) for depth in (2, 3)]
    nothing = np.zeros(1)
    results = {
        keys[0]: [soft.Outcome(nothing, 0.3), soft.Outcome(nothing, 0.1)],
        keys[1]: [soft.Outcome(nothing, 0.2), soft.Outcome(nothing, 0.4)],
    }
    losses = {keys[0]: (5.0, 6.0), keys[1]: (7.0, 8.0)}
    assert soft._choose_depth(results, losses, soft.SOFT) == (7.0, 6.0)
