"""`--group` reaches all that is chosen, and a model that is worse than a guess is called so."""

import re

import numpy as np
import pandas as pd
import pytest

from glade import TreeRegressor, load
from glade.cli import estimators
from glade.evaluate.fit_parameters import find_fit_parameters
from tests.groups.tables import make_rows


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def table():
    """Groups, a mark that tells them apart, targets that the mark of a known group gives away."""
    X, numbers, classes, groups = make_rows()
    made = pd.DataFrame({"who": [f"p{k}" for k in groups], "mark": X[:, 0], "x": X[:, 1]})
    made = made.assign(number=numbers, kind=classes, w=np.where(groups == 0, 0.0, 1.0))
    made.to_csv("t.csv", index=False)
    return made


def errors_of(out, target):
    """Of the guess, the forest and the model at hand."""
    return [float(word) for word in re.search(rf"{target} (?:RMSE|error) +(\S+) +(\S+) +(\S+)", out).groups()]


@pytest.mark.parametrize("model", ["tree", "rules", "rulefit", "soft-rules", "fire"])
def test_groups_reach_what_a_model_chooses(glade, table, model):
    """The group is no input, and a model that was chosen by whole groups is nearer to the guess."""
    terms = {}
    for options in (("--drop", "who"), ("--group", "who")):
        code, out, err = glade(
            "fit",
            "t.csv",
            "-t",
            "number",
            "--drop",
            "kind",
            "--drop",
            "w",
            "--model",
            model,
            "--folds",
            3 if "--group" in options else 0,
            "--force",
            *options,
        )
        assert (code, err) == (0, "")
        assert "1 target, 2 inputs" in out
        fitted = load("t.glade")
        assert fitted.schema_.names == ("mark", "x")
        terms[options[0]] = fitted._channel_values(table[["mark", "x"]])
    assert np.var(terms["--group"]) < 0.6 * np.var(terms["--drop"])
    guess, _, own = errors_of(out, "number")
    assert own < 1.35 * guess


def test_the_final_fit_is_that_of_the_library_with_groups(glade, table):
    glade(
        "fit",
        "t.csv",
        "-t",
        "number",
        "--drop",
        "kind",
        "--drop",
        "w",
        "--group",
        "who",
        "--model",
        "tree",
        "--folds",
        0,
    )
    model = TreeRegressor(ccp_alpha="cv", ccp_rule="1se", random_state=0)
    alone = model.fit(table[["mark", "x"]], table["number"], groups=table["who"])
    assert np.array_equal(load("t.glade").cv_path_.mean, alone.cv_path_.mean)


def test_groups_weights_and_a_held_out_table_go_together(glade, table):
    table[::2].to_csv("other.csv", index=False)
    options = (
        "--drop",
        "kind",
        "--group",
        "who",
        "--weight",
        "w",
        "--model",
        "tree",
        "--folds",
        3,
        "--test",
        "other.csv",
    )
    code, out, _ = glade("fit", "t.csv", "-t", "number", *options)
    assert code == 0
    assert "error on 72 other rows" in out


def test_a_comparison_hands_groups_to_pruning(glade, table):
    leaves = {}
    for options in (("--drop", "who"), ("--group", "who")):
        code, out, _ = glade(
            "compare", "t.csv", "-t", "number", "--drop", "kind", "--drop", "w", "--folds", 3, *options
        )
        assert code == 0
        leaves[options[0]] = int(re.search(r"^pruned tree .* (\d+) leaves", out, re.MULTILINE).group(1))
    assert leaves["--group"] < leaves["--drop"] / 2


@pytest.mark.parametrize("model", ["forest", "multitree"])
def test_models_that_choose_nothing_take_a_table_with_groups(glade, table, model):
    code, out, _ = glade(
        "fit",
        "t.csv",
        "-t",
        "number",
        "--drop",
        "kind",
        "--drop",
        "w",
        "--group",
        "who",
        "--model",
        model,
        "--folds",
        2,
    )
    assert code == 0
    assert "number RMSE" in out


def test_few_groups_make_as_many_folds_as_they_can(glade, table):
    few = table.assign(who=table["who"].str[-1].map(lambda digit: f"g{int(digit) % 4}"))
    few.to_csv("few.csv", index=False)
    for model in ("tree", "soft-rules"):
        options = ("--drop", "kind", "--drop", "w", "--group", "who", "--model", model, "--folds", 2, "--force")
        code, _, err = glade("fit", "few.csv", "-t", "number", *options)
        assert (code, err) == (0, "")


def test_groups_with_gaps_and_a_single_group_are_one_sentence(glade, table):
    table.assign(who=table["who"].where(table.index != 3)).to_csv("gap.csv", index=False)
    code, _, err = glade("fit", "gap.csv", "-t", "number", "--drop", "kind", "--group", "who")
    assert (code, "groups has no value in row 3: give every row a group" in err) == (2, True)
    table.assign(who="one").to_csv("one.csv", index=False)
    code, _, err = glade("fit", "one.csv", "-t", "number", "--drop", "kind", "--group", "who", "--folds", 0)
    assert (code, "of the one group 'one'" in err, "Traceback" in err) == (2, True, False)


@pytest.mark.parametrize(
    ("target", "other", "guess"),
    [("number", "kind", "the mean of number"), ("kind", "number", "the commonest class of kind")],
)
def test_a_model_worse_than_a_guess_is_called_so(glade, table, target, other, guess):
    options = ("-t", target, "--drop", other, "--drop", "w", "--group", "who", "--folds", 3, "--model", "forest")
    code, out, _ = glade("fit", "t.csv", *options)
    cells = re.search(rf"{target} (?:RMSE|wrong) +(\S+) +\S+ +(\S+) ±", out).groups()
    guessed, own = (float(word.rstrip("%")) for word in cells)
    assert code == 0
    assert own > guessed
    assert f"warning  this forest is worse than always guessing {guess}" in out
    assert "do not predict with it" in " ".join(out.split())


def test_a_model_better_than_a_guess_is_not_blamed(glade, table):
    code, out, _ = glade(
        "fit", "t.csv", "-t", "number", "--drop", "kind", "--drop", "w", "--drop", "who", "--model", "tree"
    )
    assert (code, "warning" in out) == (0, False)


def test_a_weighted_model_without_groups_is_fitted_without_them():
    assert find_fit_parameters(TreeRegressor(), None) == {}
    assert estimators.suit_folds(TreeRegressor(cv=5), 9).cv is None
    assert estimators.suit_folds(TreeRegressor(cv=5), 10).cv == 5
