"""What pyproject.toml says of the oldest dependencies is what is tested with them."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def read_floors(requirements):
    """Name and oldest version, in three parts, of requirements such as "numpy>=2.0"."""
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement) for requirement in requirements]
    return {match[1]: _in_three_parts(match[2]) for match in found}


def _in_three_parts(version):
    return ".".join([*version.split("."), "0", "0"][:3])


def read_constraints():
    lines = (ROOT / "constraints" / "oldest.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_the_oldest_versions_that_are_tested_are_those_that_are_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert read_constraints() == read_floors([*project["dependencies"], *extras["plot"], *extras["parquet"]])
