"""Where documents stand: the users' in guide, methods and reference, the developers' in dev, none twice."""

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
OF_DEVELOPERS = ("benchmarks", "decisions", "evidence", "glossary", "reproduction")


def test_documents_of_developers_stand_in_dev_alone():
    for name in OF_DEVELOPERS:
        assert [page.relative_to(DOCS).as_posix() for page in DOCS.rglob(f"{name}.md")] == [f"dev/{name}.md"]
