"""Trees in words: the user's names, units and categories."""

import numpy as np
import pandas as pd
import pytest

from glade import MixedTree, TreeClassifier, TreeRegressor, load_penguins
from glade.rules.wording import round_to, word_label, word_set


def lines_of(model, **options):
    return [" ".join(line.split()) for line in model.to_text(**options).splitlines()]


def test_penguins_read_as_they_are():
    penguins = load_penguins()
    targets = ["species", "body_mass_g"]
    with pytest.warns(UserWarning, match="target values are missing"):
        tree = MixedTree(max_leaf_nodes=3).fit(penguins.drop(columns=targets), penguins[targets])
    lines = lines_of(tree)
    assert lines[0] == "tree of 3 leaves, depth 2"
    assert lines[1] == "rows species body_mass_g"
    assert lines[2] == "all rows 344"
    assert "flipper_length_mm <= 206 or missing 215" in lines[3]
    assert sum("%" in line for line in lines) == 3  # predictions at the leaves only


def test_whole_numbers_get_whole_cuts():
    X = pd.DataFrame({"siblings": [0, 1, 2, 3, 4, 5]})
    assert lines_of(TreeRegressor(max_depth=1).fit(X, [0, 0, 0, 1, 1, 1]))[3].startswith("siblings <= 2")


def test_a_cut_is_printed_as_it_is_stored():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=200)})
    tree = TreeRegressor(max_leaf_nodes=10).fit(X, np.sin(3 * X["x"].to_numpy()))
    printed = {float(line.split("<=")[1].split()[0]) for line in lines_of(tree) if "<=" in line}
    assert printed == set(tree.tree_.split_cut)
    assert all(len(f"{cut:g}") <= 7 for cut in printed)


@pytest.mark.parametrize("n_left", [1, 2, 3])
def test_sets_are_said_the_shorter_way(n_left):
    soils = ["clay", "loam", "peat", "sand"]
    X = pd.DataFrame({"soil": np.repeat(soils, 10)})
    y = np.repeat([0.0] * n_left + [1.0] * (4 - n_left), 10)
    text = TreeRegressor(max_depth=1).fit(X, y).to_text()
    expected = {1: "soil = clay", 2: "soil in {clay, loam}", 3: "soil = sand"}[n_left]
    assert expected in text
    assert ("soil != " in text) == (n_left != 2)


def test_missing_is_said_where_it_goes():
    X = pd.DataFrame({"temp": [1.0, 2, 3, 4, np.nan, np.nan] * 10})
    text = TreeRegressor(max_depth=1).fit(X, [0, 0, 1, 1, 1, 1] * 10).to_text()
    assert "temp > 2 or missing" in text
    assert "temp <= 2 or missing" not in text
    only = TreeRegressor(max_depth=1).fit(X, [0, 0, 0, 0, 1, 1] * 10).to_text()
    assert "temp is known" in only
    assert "temp is missing" in only


def test_ranks_are_said_by_their_labels():
    sizes = pd.Categorical(["small", "medium", "large"] * 10, ["small", "medium", "large"], ordered=True)
    text = TreeClassifier(max_depth=1).fit(pd.DataFrame({"size": sizes}), [0, 0, 1] * 10).to_text()
    assert "size <= medium" in text
    assert "size > medium" in text


def test_long_sets_and_odd_labels():
    assert word_set(list("abcdefghijkl")) == "{a, b, c, d, e, f, g, h, … 4 more}"
    assert word_label("a, b") == '"a, b"'
    assert word_label("missing") == '"missing"'
    assert word_label(True) == "True"


def test_predictions_have_the_digits_their_spread_gives_meaning():
    assert round_to(4201.7543, 800.0) == "4202"
    assert round_to(0.123456, 0.01) == "0.123"
    assert round_to(3.0, 0.0) == "3"
