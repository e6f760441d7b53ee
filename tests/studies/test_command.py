"""`python -m studies`: its options, what it prints and writes, and what it says of a slip."""

import pytest
from click.testing import CliRunner

import studies
from studies.__main__ import main
from studies.figures import Figure, Reproduction


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command in an empty folder; returns the exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run_there(*arguments):
        done = CliRunner().invoke(main, arguments, prog_name="python -m studies")
        return done.exit_code, done.stdout, done.stderr

    return run_there


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "'nothing' is not one of 'archetype', 'areas', 'cart'"),
        (("cart", "--data", "none"), "there are no data sets in 'none' (given)"),
        (("cart", "-o", "none"), "there is no folder 'none'"),
        (("page",), "the page is written into a folder: give it by -o"),
    ],
)
def test_a_slip_is_one_sentence_and_exit_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def make_toy(study):
    return Reproduction(study, f"Toy {study}", "Two folds.", (Figure("tree", "RMSE", 10.0, (9.0,)),))


def test_a_study_is_printed_and_written_with_its_command(run, monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr("studies.__main__.reproduce", lambda study, how: given.append((study, how)) or make_toy(study))
    code, out, _ = run("cart", "--reduced", "-o", ".")
    assert code == 0
    assert given[0][0] == "cart"
    assert (given[0][1].quick, given[0][1].reduced, given[0][1].n_jobs) == (False, True, 1)
    assert out.startswith("Toy cart\nTwo folds.\n")
    assert out.endswith("wrote reproduction.md\nwrote reproduction/cart.json\n")
    assert "`python -m studies cart --reduced -o .`, 20" in (tmp_path / "reproduction.md").read_text()


def test_all_studies_make_one_page_which_can_be_written_anew(run, monkeypatch, tmp_path):
    monkeypatch.setattr("studies.__main__.reproduce", lambda study, how: make_toy(study))
    code, _, _ = run("all", "-o", ".")
    assert code == 0
    page = (tmp_path / "reproduction.md").read_text()
    places = [
        page.index(f"## Toy {study}") for study in ("fire", "covering", "cart", "soft", "areas", "modt", "archetype")
    ]
    assert places == sorted(places)
    (tmp_path / "reproduction.md").unlink()
    code, out, _ = run("page", "-o", ".")
    assert (code, out) == (0, "wrote reproduction.md\n")
    assert (tmp_path / "reproduction.md").read_text() == page


def test_every_study_that_is_named_can_be_imported():
    assert set(studies.STUDIES) == {"archetype", "areas", "cart", "covering", "fire", "modt", "soft"}
    for module in studies.STUDIES.values():
        assert callable(studies.import_module(module).reproduce)
