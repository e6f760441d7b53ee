"""A table, and the command line, for the tests of commands."""

import pytest

from glade import load_penguins
from glade.cli import estimators
from glade.cli.main import run
from glade.core import _compile as compile
from glade.core import progress
from glade.models.rule_ensemble import RuleEnsembleEstimator


@pytest.fixture(autouse=True)
def _small_forests(monkeypatch):
    """The commands' own models, quickly: hundreds of trees say no more to these tests than 10."""
    monkeypatch.setattr(estimators, "N_TREES", 10)
    monkeypatch.setattr(
        RuleEnsembleEstimator, "_default_generators", lambda own, *_: [own._forest_class(10, max_depth=4)]
    )


@pytest.fixture
def penguins(tmp_path):
    path = tmp_path / "penguins.csv"
    load_penguins().to_csv(path, index=False)
    return str(path)


@pytest.fixture
def glade(capsys, monkeypatch):
    """Run a command: its exit code, standard output and standard error, the same however slow the machine is."""
    monkeypatch.setenv("COLUMNS", "120")  # what a pipe has; without it the terminal of the tests decides
    monkeypatch.setattr(progress, "QUIET_SECONDS", float("inf"))
    monkeypatch.setattr(compile, "COMPILE_NOTICE_AFTER", 1e6)

    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return call
