"""The checks that run in environments of their own."""

import sys
from pathlib import Path

import pytest

from tools import environments
from tools.environments import Environment


@pytest.fixture
def checks(monkeypatch):
    """Three environments whose checks are commands of this Python; returns what was run."""
    ran = []
    monkeypatch.setattr(sys, "argv", ["environments", "smoke"])
    monkeypatch.setattr(environments, "list_environments", lambda **_: [Environment(n, Path(n)) for n in "abc"])
    monkeypatch.setattr(Environment, "install", lambda own, extra: ran.append((own.name, extra)))
    return ran


def test_every_environment_is_checked(checks, monkeypatch):
    monkeypatch.setattr(environments, "run", lambda command: checks.append(command[0].parent.parent.name))
    monkeypatch.setattr(sys, "argv", ["environments", "smoke", "--also", "own/bin/python"])
    environments.main()
    assert sorted(map(str, checks)) == ["('a', '')", "('b', '')", "('c', '')", "a", "b", "c", "own"]


def test_a_check_that_fails_in_one_environment_ends_the_run_with_its_code(checks, monkeypatch):
    def run(command):
        if command[0].parent.parent.name == "b":
            sys.exit(3)

    monkeypatch.setattr(environments, "run", run)
    with pytest.raises(SystemExit) as ended:
        environments.main()
    assert ended.value.code == 3
