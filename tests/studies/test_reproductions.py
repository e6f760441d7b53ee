"""Figures, verdicts, and the document they are written into."""

import re

import pytest

from glade.core.errors import InputError
from studies.figures import Between, Figure, Picture, PValue, Reproduction, Settings, Table
from studies.recorded import find_commit, read_record
from studies.rendering import to_text, write_document


@pytest.mark.parametrize(
    ("figure", "verdict"),
    [
        (Figure("a", "RMSE", 10.0, (9.0, 10.0, 11.0)), "agrees: within the spread"),
        (Figure("a", "RMSE", 11.9, (9.0, 10.0, 11.0)), "agrees: within the spread"),
        (Figure("a", "RMSE", 12.5, (9.0, 10.0, 11.0)), "better: 20 % less"),
        (Figure("a", "RMSE", 7.5, (9.0, 10.0, 11.0)), "worse: 33 % more"),
        (Figure("a", "accuracy", 0.5, (0.6, 0.6), lower_is_better=False), "better: 20 % more"),
        (Figure("a", "leaves", 100, (98,), lower_is_better=None), "differs: 2.0 % less"),
        (Figure("a", "leaves", 98, (98,), lower_is_better=None), "agrees"),
        (Figure("a", "RMSE", None, (1.0,)), "not published"),
        (Figure("a", "RRMSE", 0.74, (0.744,), printed=2), "agrees: as printed"),
        (Figure("a", "RRMSE", 0.74, (0.746,), printed=2), "worse: 0.8 % more"),
        # of two means of four parts with a deviation of 1 each the difference has one of 1 / sqrt(2)
        (Figure("a", "RMSE", 11.4, (9.0, 10.0, 10.0, 11.0), of_parts=True), "better: 12 % less"),
        (Figure("a", "RMSE", 11.1, (9.0, 10.0, 10.0, 11.0), of_parts=True), "agrees: within the spread"),
        (Figure("a", "RMSE", 12.0, (9.0, 10.0, 10.0, 11.0), same=12.5, of_parts=True), "agrees: within the spread"),
        (Between("a", "%", None, (9.0, 13.0), low=10, high=20), "agrees"),
        (Between("a", "%", None, (9.0, 9.5), low=10, high=20), "differs: below"),
    ],
)
def test_verdicts(figure, verdict):
    assert figure.verdict == verdict


@pytest.mark.parametrize(
    ("published", "ours", "ahead", "verdict"),
    [
        (0.01, (0.04,), True, "agrees: better"),
        (0.01, (0.04,), False, "differs: worse (published: better)"),
        (0.01, (0.01, 0.06, 0.2), True, "differs: no difference (published: better)"),
        (0.06, (0.9, 0.06, 0.04), False, "agrees: no difference"),
        (0.06, (0.001,), True, "differs: better (published: no difference)"),
        (None, (0.001,), False, "not published: worse"),
    ],
)
def test_verdicts_of_p_values(published, ours, ahead, verdict):
    assert PValue("a > b", "p", published, ours, ahead=ahead).verdict == verdict


def test_p_values_are_shown_by_median_and_range():
    assert PValue("a > b", "p", 1.28e-6, (0.5, 0.00123, 2e-7)).show_ours() == "0.0012 (2e-07 to 0.5)"
    assert PValue("a > b", "p", 1.28e-6, (0.5,)).show_ours() == "0.5"


@pytest.fixture
def small():
    from matplotlib.figure import Figure as Canvas

    figures = (Figure("tree", "RMSE", 10.0, (9.0, 11.0), same=9.5, decimals=1), Figure("tree", "leaves", 5, (5,)))
    pictures = (Picture("toy-picture", "a caption", Canvas),)
    return Reproduction("cart", "Toy study", "Two folds.", figures, ("A note.",), pictures)


def test_the_text_shows_every_figure_once(small):
    lines = to_text(small).splitlines()
    assert lines[0] == "Toy study"
    assert re.search(r"tree +RMSE +10\.0 +9\.5 +10\.0 ± 1\.4 +agrees", lines[4])
    assert re.search(r"^ +leaves +5 +- +5 +agrees", lines[5])
    assert lines[-1] == "- A note."


def test_further_tables_follow_and_a_column_without_values_is_left_out(tmp_path):
    table = Table("Sizes", ("", "nodes"), (("small", "3"), ("large", "1,024")))
    toy = Reproduction("cart", "Toy study", "Two folds.", (Figure("tree", "RMSE", 10.0, (9.0,)),), tables=(table,))
    text = to_text(toy)
    assert "same folds" not in text
    assert text.splitlines()[-4:] == ["Sizes", "       nodes", "small      3", "large  1,024"]
    write_document(toy, "python -m studies cart", tmp_path)
    page = (tmp_path / "reproduction.md").read_text()
    assert "|  |  | published | ours, spread | verdict |" in page
    assert "### Sizes\n\n|  | nodes |\n|---|---:|\n| small | 3 |\n| large | 1,024 |\n" in page


def test_a_quick_run_gives_no_verdict(tmp_path):
    """It has too few sets to say anything of a published figure."""
    toy = Reproduction("cart", "Toy study", "Two folds.", (PValue("a > b", "p", 1e-6, (0.5,)),), has_verdicts=False)
    assert "differs" not in to_text(toy)
    write_document(toy, "python -m studies cart --quick", tmp_path)
    page = (tmp_path / "reproduction.md").read_text()
    assert "| published | ours, spread |\n" in page
    assert "differs: no difference" not in page


def test_a_study_takes_the_place_of_its_older_run_and_leaves_the_others(small, tmp_path):
    other = Reproduction("soft", "Other study", "Once.", (Figure("tree", "RMSE", 10.0, (9.0,)),))
    write_document(other, "python -m studies soft", tmp_path)
    write_document(small, "python -m studies old", tmp_path)
    paths = write_document(small, "python -m studies cart", tmp_path)
    text = (tmp_path / "reproduction.md").read_text()
    assert [path.name for path in paths] == ["reproduction.md", "cart.json", "toy-picture.png"]
    assert text.count("## Toy study") == text.count("## Other study") == 1
    assert text.index("## Toy study") < text.index("## Other study")  # the order of the sources
    assert "`python -m studies cart`, 20" in text
    assert "python -m studies old" not in text
    assert "![a caption](toy-picture.png)" in text
    assert (tmp_path / "toy-picture.png").read_bytes().startswith(b"\x89PNG")
    assert str(tmp_path) not in text


def test_what_is_recorded_is_read_again(small, tmp_path):
    figures = (*small.figures, PValue("a > b", "p", 0.2, (0.1,), ahead=False), Between("c", "%", None, (1,), high=2.0))
    whole = Reproduction("cart", "Toy", "Once.", figures, ("A note.",), (), (Table("T", ("", "n"), (("a", "1"),)),))
    write_document(whole, "python -m studies cart", tmp_path)
    record = read_record(tmp_path / "reproduction" / "cart.json")
    assert record.reproduction == whole
    assert record.command == "python -m studies cart"
    assert record.commit.rstrip("+") == find_commit().rstrip("+")


def test_the_scale_of_a_run():
    scales = [Settings(), Settings(reduced=True), Settings(quick=True)]
    assert [settings.choose(9, reduced=3, quick=1) for settings in scales] == [9, 3, 1]
    assert [settings.choose(9, quick=1) for settings in scales] == [9, 9, 1]
    assert [settings.options for settings in scales] == ["", " --reduced", " --quick"]


def test_a_missing_folder_is_said(small, tmp_path):
    with pytest.raises(InputError, match="no folder"):
        write_document(small, "python -m studies toy", tmp_path / "none")
