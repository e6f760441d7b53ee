"""Probabilities, the event, thresholds and costs on the command line."""

import io

import pandas as pd
import pytest

from glade import load


@pytest.fixture
def fitted(glade, penguins, tmp_path):
    path = tmp_path / "m.glade"
    given = ("-t", "sex", "--max-rules", "3", "--folds", "2", "-o", path)
    code, _, said = glade("fit", penguins, *given, "--event", "male", "--cost", "1:4")
    assert code == 0, said
    return path


def read(glade, *given):
    code, text, said = glade("predict", *given)
    assert code == 0, said
    return pd.read_csv(io.StringIO(text))


def test_a_model_keeps_its_threshold_and_a_call_may_have_another(glade, penguins, fitted):
    own = read(glade, fitted, penguins, "--proba")
    risk = own["sex = male"]
    assert own.columns.tolist() == ["sex", "sex = female", "sex = male"]
    assert ((own["sex"] == "male") == (risk >= 0.2)).all()
    assert ((read(glade, fitted, penguins, "--threshold", "0.9")["sex"] == "male") == (risk >= 0.9)).all()
    assert ((read(glade, fitted, penguins, "--cost", "4:1")["sex"] == "male") == (risk >= 0.8)).all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--event", "dead"), "--event 'dead' is no class: there are 'female' and 'male'"),
        (("--event", "male", "--event", "female"), "--event names two classes of one target: give one of them"),
        (
            ("--cost", "5"),
            "--cost takes two amounts above 0, what a false alarm costs and what a miss costs: --cost 1:5",
        ),
        (("--cost", "0:1"), "--cost takes two amounts above 0"),
        (("--cost", "1:2", "--threshold", "0.1"), "--threshold and --cost both say when the event is predicted"),
    ],
)
def test_what_cannot_be_is_said(glade, penguins, given, said):
    code, _, told = glade("fit", penguins, "-t", "sex", *given)
    assert code == 2
    assert " ".join(said.split()) in " ".join(told.split())


def test_numbers_have_no_event(glade, penguins, tmp_path):
    for option in (("--event", "3750"), ("--threshold", "0.5")):
        code, _, said = glade("fit", penguins, "-t", "body_mass_g", *option)
        assert (code, "nominal targets" in said) == (2, True)
    path = tmp_path / "m.glade"
    assert glade("fit", penguins, "-t", "body_mass_g", "--model", "tree", "--folds", "0", "-o", path)[0] == 0
    for option in ("--proba", ("--cost", "1:2")):
        code, _, said = glade("predict", path, penguins, *([option] if isinstance(option, str) else option))
        assert (code, "nominal targets" in said) == (2, True)


def test_of_several_targets_the_event_names_its_own(glade, penguins, tmp_path):
    path = tmp_path / "m.glade"
    given = ("-t", "sex", "-t", "species", "--model", "tree", "--folds", "0", "-o", path)
    assert glade("fit", penguins, *given, "--event", "sex=female")[0] == 0
    assert "targets of two classes" in glade("predict", path, penguins, "--threshold", "0.3")[2]
    assert read(glade, path, penguins, "--proba").shape[1] == 2 + 2 + 3


def test_of_mixed_targets_the_event_names_its_own(glade, penguins, tmp_path):
    out = tmp_path / "m.glade"
    given = ("-t", "sex", "-t", "body_mass_g", "--model", "tree", "--folds", "0", "-o", out)
    assert glade("fit", penguins, *given, "--event", "sex=female", "--threshold", "0.2")[0] == 0
    model = load(out)
    assert (model.event_, model.threshold_) == ({"sex": "female"}, {"sex": 0.2})
    code, _, said = glade("fit", penguins, *given, "--cost", "1:2", "--force")
    assert code == 2
    assert "--cost is for models of nominal targets only: give --threshold" in said
