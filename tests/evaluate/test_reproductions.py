"""Figures, verdicts, the document they are written into, and the CART study itself."""

import re

import numpy as np
import pytest

from glade.core.errors import InputError
from glade.evaluate.reproductions import reproduce
from glade.evaluate.reproductions.figures import Figure, Picture, Reproduction, Settings
from glade.evaluate.reproductions.rendering import replace_section, to_text, write_document
from tests.datasets import find_folder, load_dataset


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("a", "RMSE", 10.0, (9.0, 10.0, 11.0)), "agrees: within the spread"),
        (Figure("a", "RMSE", 11.9, (9.0, 10.0, 11.0)), "agrees: within the spread"),
        (Figure("a", "RMSE", 12.5, (9.0, 10.0, 11.0)), "better: 20 % less"),
        (Figure("a", "RMSE", 7.5, (9.0, 10.0, 11.0)), "worse: 33 % more"),
        (Figure("a", "accuracy", 0.5, (0.6, 0.6), lower_is_better=False), "better: 20 % more"),
        (Figure("a", "leaves", 100, (98,), lower_is_better=None), "differs: 2.0 % less"),
        (Figure("a", "leaves", 98, (98,), lower_is_better=None), "agrees: within the spread"),
        (Figure("a", "RMSE", None, (1.0,)), "not published"),
        (Figure("a", "RMSE", 3.0, needs="forests"), "not yet: needs forests"),
    ],
)
def test_verdicts(figure, verdict):
    assert figure.verdict == verdict


@pytest.fixture
def small():
    from matplotlib.figure import Figure as Canvas

    figures = (Figure("tree", "RMSE", 10.0, (9.0, 11.0), same=9.5, decimals=1), Figure("tree", "leaves", 5, (5,)))
    pictures = (Picture("toy-picture", "a caption", Canvas),)
    return Reproduction("toy", "Toy study", "Two folds.", figures, ("A note.",), pictures)


def test_the_text_shows_every_figure_once(small):
    lines = to_text(small).splitlines()
    assert lines[0] == "Toy study"
    assert re.search(r"tree +RMSE +10\.0 +9\.5 +10\.0 ± 1\.4 +agrees", lines[4])
    assert re.search(r"^ +leaves +5 +- +5 +agrees", lines[5])
    assert lines[-1] == "- A note."


def test_a_section_replaces_its_older_form_and_leaves_the_others(small, tmp_path):
    (tmp_path / "reproduction.md").write_text(replace_section("# Title\n", "other", "kept"))
    write_document(small, "glade reproduce old", tmp_path)
    paths = write_document(small, "glade reproduce toy", tmp_path)
    text = (tmp_path / "reproduction.md").read_text()
    assert [path.name for path in paths] == ["reproduction.md", "toy-picture.png"]
    assert text.count("## Toy study") == 1
    assert "kept" in text
    assert "`glade reproduce toy`\n\nPython" in text
    assert "reproduce old" not in text
    assert "![a caption](toy-picture.png)" in text
    assert (tmp_path / "toy-picture.png").read_bytes().startswith(b"\x89PNG")
    assert str(tmp_path) not in text


def test_a_missing_folder_is_said(small, tmp_path):
    with pytest.raises(InputError, match="no folder"):
        write_document(small, "glade reproduce toy", tmp_path / "none")


def test_the_cart_study(tmp_path):
    """One run, as it takes seconds: the table, the picture, and what is not there yet."""
    load_dataset("car_msrp")  # skips where there is none
    cart = reproduce("cart", Settings(folder=find_folder(), quick=True, progress=False))
    table = cart.frame().set_index(["row", "metric"])

    # On the folds of the source the trees with limits come out as printed.
    assert table.loc[("tree, split 100 / leaf 40", "RMSE"), "same"] == pytest.approx(32058.9, abs=0.05)
    assert table.loc[("tree, split 100 / leaf 40", "MAPE %"), "same"] == pytest.approx(17.60, abs=0.011)
    assert table.loc[("tree, split 20 / leaf 5", "RMSE"), "same"] == pytest.approx(24598.45, rel=5e-4)
    assert table.loc[("tree, split 20 / leaf 5", "MAPE %"), "same"] == pytest.approx(9.84, abs=0.02)

    # Chosen on the test part itself, a subtree cannot be worse there than the whole tree.
    ours = {figure.row: np.array(figure.ours) for figure in cart.figures if figure.metric == "RMSE"}
    assert (ours["pruned, alpha by the test part (optimistic)"] <= ours["unpruned tree"]).all()
    assert table.loc[("pruned, alpha by inner folds (honest)", "RMSE"), "verdict"] == "not published"

    assert table.loc[("full tree on all rows", "leaves"), "mean"] == pytest.approx(5575, rel=0.03)
    waiting = [figure.row for figure in cart.figures if figure.verdict == "not yet: needs forests"]
    assert len(set(waiting)) == 5

    write_document(cart, "glade reproduce cart --quick", tmp_path)
    assert (tmp_path / "cart-study.png").stat().st_size > 5000
    assert any("Study of the limits" in note for note in cart.notes)
    assert max(map(len, to_text(cart).splitlines())) <= 125
