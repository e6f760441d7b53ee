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
        (("nothing",), "'nothing' is not one of 'archetype', 'cart', 'fire'"),
        (("cart", "--data", "none"), "there are no data sets in 'none' (given)"),
        (("cart", "-o", "none"), "there is no folder 'none'"),
    ],
)
def test_a_slip_is_one_sentence_and_exit_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_study_is_printed_and_written_with_its_command(run, monkeypatch, tmp_path):
    toy = Reproduction("cart", "Toy study", "Two folds.", (Figure("tree", "RMSE", 10.0, (9.0,)),))
    given = []
    monkeypatch.setattr("studies.__main__.reproduce", lambda study, settings: given.append((study, settings)) or toy)
    code, out, _ = run("cart", "--quick", "--repetitions", "3", "-o", ".")
    assert code == 0
    assert given[0][0] == "cart"
    assert (given[0][1].quick, given[0][1].repetitions, given[0][1].n_jobs) == (True, 3, 1)
    assert out.startswith("Toy study\nTwo folds.\n")
    assert out.endswith("wrote reproduction.md\n")
    assert "`python -m studies cart --quick --repetitions 3 -o `" in (tmp_path / "reproduction.md").read_text()


def test_every_study_that_is_named_can_be_imported():
    assert set(studies.STUDIES) == {"archetype", "cart", "fire", "modt", "soft"}
    for module in studies.STUDIES.values():
        assert callable(studies.import_module(module).reproduce)
