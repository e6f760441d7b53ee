"""Every claim, table and figure of the five sources: what was published, what ours is, and whether both agree.

The cells of ours come from the files of the studies (`recorded`); a claim that the code keeps by itself, such as a
formula, names the test that holds it. What cannot be run says why. A reason stands beside what differs.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from glade.core.layout import align_markdown
from studies.claim_list import CLAIMS
from studies.claim_types import Claim, Held, NotRun, Shown
from studies.figures import Figure
from studies.recorded import Record

HEADER = ("source", "where", "what", "published", "ours", "verdict", "by")
NOT_PUBLISHED = "not published"
WORDS = ("agrees", "better", "worse", "differs", NOT_PUBLISHED)


class Row(NamedTuple):
    """A row of the table."""

    source: str
    where: str
    what: str
    published: str
    ours: str
    verdict: str
    by: str


def tabulate_claims(records: Mapping[str, Record]) -> list[str]:
    """The table of all claims in Markdown, from what the studies have found."""
    rows = [_make_row(claim, records) for claim in CLAIMS]
    verdicts = ", ".join(f"{n} {word}" for word, n in _count_verdicts(rows).items())
    return [
        "## Every claim, table and figure",
        "",
        f"{len(rows)} rows: {verdicts}. `±` is the spread of ours, over seeds or over folds as each section says."
        " Where",
        'a row stands for many figures, the verdict counts them. "Shown" are pictures and tables below.',
        "",
        *align_markdown([HEADER, *rows], [False] * len(HEADER)),
        "",
        "Why figures differ:",
        "",
        *(f"- **{source}: {'; '.join(places)}.** {reason}" for (source, reason), places in _group_reasons().items()),
    ]


def _group_reasons() -> dict[tuple[str, str], list[str]]:
    """The places of each source that share a reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for claim in CLAIMS:
        places = groups.setdefault((claim.source, claim.reason), []) if claim.reason else []
        if claim.where not in places:
            places.append(claim.where)
    return groups


def _count_verdicts(rows: Iterable[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        word = row.verdict.split(":")[0].split(" (")[0]
        word = word if word in ("agrees", "holds", "shown", "not run", "no run yet") else "differs in some part"
        counts[word] = counts.get(word, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def _make_row(claim: Claim, records: Mapping[str, Record]) -> Row:
    about, told = (claim.source, claim.where, claim.what), claim.told
    if isinstance(told, Held):
        return Row(*about, claim.published, "the same, by a test", "holds", f"pytest {told.test}")
    if isinstance(told, NotRun):
        return Row(*about, claim.published, "-", f"not run: {told.why}", "-")
    if told.study not in records:
        return Row(*about, claim.published, "-", "no run yet", f"python -m studies {told.study}")
    found = records[told.study]
    if isinstance(told, Shown):
        return Row(*about, claim.published, "below", "shown", found.command)
    figures = told.find(found.reproduction.figures)
    if not figures:  # of a quick or reduced run
        return Row(*about, claim.published, "-", "not run: left out of this run", found.command)
    verdict = _judge(figures) if found.reproduction.has_verdicts else "quick run: no verdict"
    published = claim.published or _join(figures, Figure.show_published)
    return Row(*about, published, _show_ours(figures), verdict, found.command)


FEW = 6


def _join(figures: list[Figure], show: Callable[[Figure], str]) -> str:
    return " / ".join(map(show, figures)) if len(figures) <= FEW else f"{len(figures)} figures"


def _show_ours(figures: list[Figure]) -> str:
    if len(figures) <= FEW:
        return _join(figures, Figure.show_ours)
    if all(figure.published is None for figure in figures):
        low, high = (find(figures, key=lambda figure: figure.mean) for find in (min, max))
        return f"{len(figures)} figures, {low.show(low.mean)} to {high.show(high.mean)}"
    gaps = [figure.mean / figure.published - 1 for figure in figures if figure.published]
    middle = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    return f"{len(figures)} figures, in the median {100 * middle:+.1f} % off"


def _judge(figures: list[Figure]) -> str:
    """Agrees where all do; else how many do what. Figures beside which nothing is published are shown."""
    if all(figure.published is None and figure.verdict == NOT_PUBLISHED for figure in figures):
        return "shown"
    counts: dict[str, int] = {}
    for figure in figures:
        word = figure.verdict.split(":")[0]
        counts[word] = counts.get(word, 0) + 1
    if len(counts) == 1 and len(figures) == 1:
        return figures[0].verdict
    if set(counts) == {"agrees"}:
        return "agrees"
    return ", ".join(f"{counts[word]} {word}" for word in WORDS if word in counts)
