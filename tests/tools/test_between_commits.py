"""The comparison of two checkouts: what its fits are, and how it tells a difference."""

import numpy as np
import pytest

from tools import between_commits, fit_worker

STUMP = ["Tree", {"max_depth": 1}]


@pytest.mark.parametrize("table", between_commits.TABLES)
def test_each_table_can_be_fitted_and_gives_numbers_that_can_be_compared(table):
    answer = fit_worker.answer(STUMP, table, with_predictions=True)
    predictions = np.array(answer["predictions"])
    assert answer["seconds"] > 0
    assert len(predictions) >= fit_worker.N_SHOWN
    assert np.isfinite(predictions).all()
    assert len(np.unique(predictions)) > 1


def test_predictions_tell_one_model_from_another():
    answers = [
        fit_worker.answer(["Tree", {"max_depth": depth}], "nominal inputs", with_predictions=True) for depth in (1, 2)
    ]
    assert between_commits.describe_difference(*(a["predictions"] for a in answers)).startswith("differ by")


def test_a_family_without_such_targets_is_left_out():
    assert fit_worker.answer(["FIRE", {}], "classes", with_predictions=False) is None


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ([1.0, -2.0], "the same bits"),
        ([1.0, -2.0 - 1e-12], "equal to 1e-09"),
        ([1.0, -2.1], "differ by 0.05"),
        ([1.0], "2 numbers, then 1"),
    ],
)
def test_a_difference_is_relative_to_the_largest_prediction(after, words):
    assert between_commits.describe_difference([1.0, -2.0], after) == words


def test_a_folder_without_the_package_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(SystemExit, match="is no checkout of glade"):
        between_commits.Worker(str(tmp_path), tmp_path)
