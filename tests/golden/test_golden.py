"""Models that older versions saved load, and predict what they predicted then."""

import json

import numpy as np
import pytest

import glade
from tests.golden.make import FOLDER, list_predictions

FILES = sorted(FOLDER.glob("*.glade"))


def assert_close(found, expected):
    """Numbers agree to the last few bits, everything else is equal."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name, value in expected.items():
            assert_close(found[name], value)
    elif isinstance(expected, list) and expected and isinstance(expected[0], list):
        assert len(found) == len(expected)
        for own, value in zip(found, expected, strict=True):
            assert_close(own, value)
    elif isinstance(expected, list) and expected and isinstance(expected[0], float):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    else:
        assert found == expected


@pytest.mark.filterwarnings("ignore:.*unseen in training")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_model_of_an_older_version_predicts_what_it_predicted(file):
    expected = json.loads(file.with_suffix(".json").read_text())
    del expected["model"]
    assert_close(list_predictions(glade.load(file)), expected)


def test_every_estimator_has_a_golden_file():
    models = {type(glade.load(file)).__name__ for file in FILES}
    classes = {name: getattr(glade, name) for name in glade.__all__}
    estimators = {name for name, kind in classes.items() if isinstance(kind, type) and hasattr(kind, "fit")}
    assert estimators <= models
