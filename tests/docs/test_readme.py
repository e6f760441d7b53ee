"""The README: short, its links resolve here, and those of the package index are absolute."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINKS = re.findall(r"\]\(([^)\s]+)\)", README)


def test_it_has_150_lines_at_most():
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("link", [link for link in LINKS if not link.startswith("http")])
def test_a_link_leads_to_something_in_the_repository(link):
    assert (ROOT / link.split("#")[0]).exists()


def test_on_the_package_index_all_links_are_absolute():
    build = pytest.importorskip("hatch_build", reason="hatchling is not installed here")
    text = build.make_links_absolute(README)
    assert all(link.startswith("https://") for link in re.findall(r"\]\(([^)\s]+)\)", text))
    assert f"({build.PICTURES}/docs/pictures/report.png)" in text
    assert f"({build.REPOSITORY}/blob/main/CHANGELOG.md)" in text


def test_the_picture_is_small():
    assert (ROOT / "docs" / "pictures" / "report.png").stat().st_size < 300_000
