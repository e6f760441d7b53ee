r"""A model for a paper: its rules, or a tree, as a table in LaTeX, with all categories of every set.

The table needs the package booktabs, and an engine that reads UTF-8, as all do since 2018.
"""

import re
from collections.abc import Sequence
from typing import Any

from glade.core.errors import InputError
from glade.core.kinds import RULES, TREE
from glade.core.names import escape_controls
from glade.core.version import __version__
from glade.rules.model import RuleModel

MARKS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",  # two of them would become a dash
    "…": r"\ldots{}",
    **{mark: f"\\{mark}" for mark in "{}$&#%_"},
}
COMPARISONS = {"<": "<", "<=": r"\le", ">": ">", "!=": r"\ne", "=": "="}
COMPARISON = re.compile(r" (<=|>=|!=|<|>|=) ")  # as conditions have them, between blanks
NUMBER = re.compile(r"([+-]?)(\d[\d.,]*(?:e[+-]?\d+)?)(\\?%)?$")
WIDTH = 0.6  # of the text, for the column of words
INDENT = "1em"


def write_latex(model: Any) -> str:
    """Return a tree, or the terms of a rule ensemble, as a table.

    Parameters
    ----------
    model
        A fitted tree or rule ensemble.

    Returns
    -------
    str
        An environment `tabular`, for a document with `\\usepackage{booktabs,textcomp}`.
    """
    from sklearn.utils.validation import check_is_fitted

    kind = getattr(model, "kind", None)
    if not isinstance(model, RuleModel):
        if kind not in (RULES, TREE):
            what = "a forest" if kind == "forest" else f"a {type(model).__name__}"
            raise InputError(f"{what} has no table that a person reads: give a tree or a rule ensemble")
        check_is_fitted(model)
    return _write_tree(model) if kind == TREE else _write_terms(model if isinstance(model, RuleModel) else model.model_)


def _write_terms(model: RuleModel) -> str:
    from glade.rules.wording import list_short_words, list_terms, note_effects, note_terms

    terms = model.terms
    header, *rows = list_terms(terms, model.targets, list_short_words(terms.design, None))
    numeric = [True, False, *[True] * (len(header) - 2)]
    notes = [*note_effects(terms, model.targets), *note_terms(terms.design)]
    return _write_table(header, [list(map(escape, row)) for row in rows], numeric, 1, notes)


def _write_tree(model: Any) -> str:
    from glade.rules.wording import list_nodes

    tree, targets = model.said_tree_, model.target_schema_
    lines = list_nodes(tree, model.schema_, targets, model.spread_, int(tree.depth.max()) + 1, None)
    rows = [
        [f"{_indent(depth)}{escape(words)}", rows, *map(escape, cells or [""] * targets.n_targets)]
        for _, depth, words, rows, cells in lines
    ]
    numeric = [False, True, *(classes is None for classes in targets.classes)]
    return _write_table(["", "rows", *targets.names], rows, numeric, 0, [])


def _indent(depth: int) -> str:
    return f"\\hangindent={depth + 1}{INDENT[1:]}\\hspace*{{{depth}{INDENT[1:]}}}" if depth else ""


def _write_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], to_right: Sequence[bool], widest: int, notes: Sequence[str]
) -> str:
    """A table whose first line is the header; the column `widest` breaks its lines."""
    columns = ["r" if right else "l" for right in to_right]
    columns[widest] = f"p{{{WIDTH}\\linewidth}}"
    lines = [" & ".join(row) + r" \\" for row in rows]
    return "\n".join(
        [
            f"% A model that glade {__version__} fitted; the table needs \\usepackage{{booktabs,textcomp}}.",
            f"\\begin{{tabular}}{{{''.join(columns)}}}",
            r"\toprule",
            " & ".join(map(escape, header)) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *(f"\n{escape(note)}" for note in notes),
            "",
        ]
    )


def escape(text: str) -> str:
    r"""Text that reads as it is, whatever it holds; comparisons and numbers are set as formulas.

    >>> print(escape("a_b <= 5 and 100% {x}"))
    a\_b $\le$ 5 and 100\% \{x\}
    >>> print(escape("+0.5"), escape("-1,204"), escape("\\input{x}"))
    $+0.5$ $-1{,}204$ \textbackslash{}input\{x\}
    """
    text = escape_controls(text)
    number = NUMBER.fullmatch(text)
    if number:
        sign, digits, unit = number.groups(default="")
        return f"${sign}{digits.replace(',', '{,}')}$" + ("\\%" if unit else "")
    parts = COMPARISON.split(text)  # every second one is a comparison
    shown = [
        f" ${COMPARISONS[part]}$ " if k % 2 and part in COMPARISONS else "".join(MARKS.get(c, c) for c in part)
        for k, part in enumerate(parts)
    ]
    return "".join(shown)
