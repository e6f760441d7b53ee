"""A rule ensemble in a notebook: its rules as a table below scikit-learn's diagram."""

from collections.abc import Sequence
from html import escape

from glade.rules.model import RuleModel
from glade.rules.wording import list_terms, note_terms

MAX_ROWS = 30
MAX_TARGETS = 8
STYLE = "border-collapse:collapse;margin-top:0.6em;font-size:90%"


def table_of_rules(model: RuleModel) -> str:
    """The most important terms as HTML, in the words of `to_text`; every name escaped."""
    header, *rows = list_terms(model.terms, model.targets)
    shown = rows[: MAX_ROWS + 1]  # the first is what every row gets
    n_columns = 3 + MAX_TARGETS
    body = [_row("td", cells[:n_columns]) for cells in shown]
    notes = []
    if len(rows) > len(shown):
        notes.append(f"{len(rows) - len(shown):,} more terms")
    if len(header) > n_columns:
        notes.append(f"{len(header) - n_columns:,} more targets")
    notes += note_terms(model.terms.design)
    note = f"<p><small>{escape('; '.join(notes))}</small></p>" if notes else ""
    head = _row("th", header[:n_columns])
    return f'<table style="{STYLE}"><thead>{head}</thead><tbody>{"".join(body)}</tbody></table>{note}'


def _row(tag: str, cells: Sequence[str]) -> str:
    aligned = ("right", "left", *("right",) * (len(cells) - 2))
    inner = (
        f'<{tag} style="text-align:{side};padding:2px 8px">{escape(cell)}</{tag}>'
        for cell, side in zip(cells, aligned, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>"
