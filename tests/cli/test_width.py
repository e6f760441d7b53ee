"""What is printed fits the terminal, and of many targets each can be looked at by itself."""

import json

import numpy as np
import pandas as pd
import pytest

import glade as library

WIDTHS = (60, 80, 120)
N_TARGETS = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables with one target and with many, with long names, and models of them."""
    folder = tmp_path_factory.mktemp("wide")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"an input with a rather long name {k}": rng.random(150).round(3) for k in range(4)})
    X["kind of soil"] = rng.choice(["clay and some more", "sand", "loam with stones in it"], 150)
    y = {f"sp{k}": np.where(X.iloc[:, k % 4] + rng.normal(0, 0.2, 150) > 0.5, "yes", "no") for k in range(N_TARGETS)}
    X.assign(**y).to_csv(folder / "many.csv", index=False)
    X.assign(y=X.iloc[:, 0] * X.iloc[:, 1] * 1000).to_csv(folder / "one.csv", index=False)
    forest = library.ForestClassifier(5, max_depth=3)
    library.RuleEnsembleClassifier(forest, max_rules=6, random_state=0).fit(X, pd.DataFrame(y)).save(
        folder / "many.glade"
    )
    library.TreeClassifier(max_leaf_nodes=5).fit(X, pd.DataFrame(y)).save(folder / "tree.glade")
    return folder


@pytest.fixture
def lines(glade, folder, monkeypatch):
    """The lines of a command's output; none but a command to copy may be longer than the terminal is wide."""
    monkeypatch.chdir(folder)

    def call(width, *arguments):
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, err = glade(*arguments)
        assert code == 0, err
        own = out.splitlines()
        assert [line for line in own if len(line) > width and not line.startswith("next: ")] == []
        return own

    return call


@pytest.mark.parametrize("width", WIDTHS)
def test_models_on_a_screen(lines, width):
    many = lines(width, "rules", "many.glade")
    assert any("changes most" in line for line in many)
    one = lines(width, "rules", "many.glade", "--target", "sp7")
    assert "sp7" in one[1]
    assert not any("changes most" in line for line in one)
    assert "sp7" in "".join(lines(width, "rules", "tree.glade", "--target", "sp7")[1])
    assert any("changes most" in line for line in lines(width, "rules", "tree.glade"))
    assert any(
        "more targets: --target NAME" in line for line in lines(width, "explain", "many.glade", "many.csv", "--row", 2)
    )
    assert "sp11 = " in lines(width, "explain", "many.glade", "many.csv", "--row", 2, "--target", "sp11")[1]


@pytest.mark.parametrize("width", WIDTHS)
def test_commands_on_a_screen(lines, width):
    fitting = ("--folds", 2, "--force", "--model", "tree", "-o", "t.glade")
    many = lines(width, "fit", "many.csv", "-t", "sp*", *fitting)
    assert sum(" wrong" in line and line.startswith("  sp") for line in many) == N_TARGETS
    lines(width, "fit", "one.csv", "-t", "y", *fitting)
    lines(width, "check", "many.csv", "-t", "sp1:sp4")


def test_a_comparison_on_a_narrow_screen(lines):
    lines(60, "compare", "one.csv", "-t", "y", "--folds", 2)


def test_the_targets_that_change_most_are_told(lines, folder):
    """Those of the largest changes in probability, each with what the whole table says of it."""
    model = library.load(folder / "many.glade")
    frame = model.to_frame()
    events = model.event_
    largest = max((abs(float(frame[f"sp{k} = {events[f'sp{k}']} (points)"][1])), k) for k in range(N_TARGETS))[1]
    own = lines(120, "rules", "many.glade")
    first = next(k for k, line in enumerate(own) if line.startswith("1 "))
    assert f"sp{largest} " in " ".join(own[first : first + 4])


def test_explanations_for_programs_and_pages(glade, folder, monkeypatch):
    monkeypatch.chdir(folder)
    model, X = library.load("tree.glade"), pd.read_csv("many.csv")
    code, out, _ = glade("explain", "tree.glade", "many.csv", "--row", 3, "--target", "sp7", "--format", "json")
    told = json.loads(out)
    assert (code, list(told)) == (0, ["predicted", "contributions"])
    row = X[list(model.schema_.names)].iloc[[3]]
    assert told["predicted"] == {"sp7": model.predict(row)[0][7]}
    frame = model.explain(row)
    own = frame[frame["target"] == "sp7"]
    assert [record["contribution"] for record in told["contributions"]] == own["contribution"].tolist()
    code, out, _ = glade("explain", "tree.glade", "many.csv", "--row", 3, "--format", "html")
    assert (code, out.count("<tr")) == (0, 1 + len(frame))


def test_targets_that_there_are_not(glade, folder, monkeypatch):
    monkeypatch.chdir(folder)
    code, _, err = glade("rules", "many.glade", "--target", "bird")
    assert (code, "the model has no target 'bird': it has sp0" in err) == (2, True)
    code, _, err = glade("rules", "many.glade", "--target", "sp1", "--format", "json")
    assert (code, "--target is for --format text" in err) == (2, True)
