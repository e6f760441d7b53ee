"""`glade archetype`: a tree of any saved model, which is a model like any other."""

import json

import numpy as np
import pandas as pd
import pytest

import glade as library

SMALL = ("--set", "n_alternatives=5", "--set", "n_invented=300")


@pytest.fixture(params=["rules", "forest", "multitree"])
def stored(glade, penguins, tmp_path, request):
    path = tmp_path / f"{request.param}.glade"
    options = ["--set", "n_alternatives=10", "--set", "min_samples_leaf=20"] if request.param == "multitree" else []
    assert glade("fit", penguins, "-t", "species", "--model", request.param, "--folds", 0, "-o", path, *options)[0] == 0
    return path


def test_an_archetype_is_saved_limited_explained_and_exported(glade, stored, penguins, tmp_path):
    tree = tmp_path / "tree.glade"
    options = () if stored.stem == "multitree" else SMALL
    code, out, _ = glade("archetype", stored, penguins, "--max-leaves", 4, "-o", tree, *options)
    assert code == 0
    fitted = library.load(tree)
    assert isinstance(fitted, library.TreeClassifier)
    assert 1 < fitted.size_.leaves <= 4
    assert fitted.to_text() in out
    assert f"wrote {tree}" in out
    table = pd.read_csv(penguins)
    model = library.load(stored)
    X = table[list(model.feature_names_in_)]
    assert np.mean(fitted.predict(X) == model.predict(X)) > 0.9
    assert len(json.loads(glade("rules", tree, "--format", "json")[1])) == 1 + fitted.size_.leaves  # every row first
    assert glade("explain", tree, penguins, "--row", 3)[0] == 0
    assert "CASE" in glade("export", tree, "--to", "sql")[1]
    assert glade("archetype", stored, penguins, "-o", tree)[0] == 2


def test_archetypes_of_numbers(glade, penguins, tmp_path):
    model, tree = tmp_path / "m.glade", tmp_path / "t.glade"
    assert glade("fit", penguins, "-t", "body_mass_g", "--folds", 0, "-o", model)[0] == 0
    code, out, _ = glade("archetype", model, penguins, "--max-leaves", "none", "-o", tree, *SMALL)
    assert code == 0
    assert "of the variation in the model's predictions" in out
    assert library.load(tree).size_.leaves > 4


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--max-leaves", 0), "'0' is no number from 1 on, nor none"),
        (("--set", "max_leaves=3"), "an archetype has no such setting; it has n_invented, invented"),
        (("--set", "invented=lies"), "invented"),
        (("-o", "no/such.glade"), "there is no folder"),
    ],
)
def test_faults(glade, penguins, tmp_path, options, fault):
    model = tmp_path / "m.glade"
    assert glade("fit", penguins, "-t", "year", "--model", "tree", "--folds", 0, "-o", model)[0] == 0
    code, _, err = glade("archetype", model, penguins, "-o", tmp_path / "t.glade", *options)
    assert code == 2
    assert fault in err


def test_a_multitree_says_how_it_is_read(glade, penguins, tmp_path):
    path = tmp_path / "m.glade"
    options = ("--model", "multitree", "--set", "n_alternatives=3", "--set", "min_samples_leaf=40")
    code, out, _ = glade("fit", penguins, "-t", "year", "--folds", 0, "-o", path, *options)
    assert code == 0
    assert f"next: glade archetype {path} {penguins} -o m-tree.glade" in out
    for command in (("rules", path), ("explain", path, penguins, "--row", 0), ("export", path, "--to", "sql")):
        code, _, err = glade(*command)
        assert (code, "glade archetype" in err) == (2, True)
