"""Where documents stand: the users' in guide, methods and reference, the developers' in dev, none twice."""

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
OF_DEVELOPERS = ("benchmarks", "decisions", "evidence", "glossary", "reproduction")


def test_documents_of_developers_stand_in_dev_alone():
    for name in OF_DEVELOPERS:
        assert [page.relative_to(DOCS).as_posix() for page in DOCS.rglob(f"{name}.md")] == [f"dev/{name}.md"]


def test_the_guide_has_ten_pages_at_most_and_each_begins_with_a_job():
    pages = [page for page in sorted((DOCS / "guide").glob("*.md")) if page.stem != "index"]
    assert 0 < len(pages) <= 10
    for page in pages:
        heading, blank, job, *_ = page.read_text("utf-8").splitlines()
        assert heading.startswith("# "), page.name
        assert not blank
        assert job.startswith("**The job:** "), page.name


def test_the_gallery_has_twelve_examples():
    assert len(list((DOCS / "gallery").glob("plot_*.py"))) == 12


def test_every_method_names_its_sources():
    for page in (DOCS / "methods").glob("*.md"):
        assert "## Sources\n" in page.read_text("utf-8") or page.stem == "index", page.name


def test_the_glossary_has_forty_words_at_most():
    rows = [line for line in (DOCS / "dev" / "glossary.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    assert 10 < len(rows) - 1 <= 40
