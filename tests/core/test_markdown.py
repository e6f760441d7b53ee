"""Names in Markdown read as they are, whatever they hold (design/robustness.md, S4)."""

import numpy as np
import pandas as pd
import pytest

from glade import MixedTree
from glade.cli.rules import render
from glade.core.layout import align_markdown
from glade.core.names import escape_controls

HOSTILE = [
    "a|b", "`code`", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</td>", "two\nlines", "[x]",
    "[x](javascript:alert(1))", "![x](http://x.y/z.png)", "[x][y]", "[x]: http://x.y", "*a* and **b**", "_a_ and __b__",
    "~~gone~~", "\\", "\\|", "a\\", "\\\\`", "&lt;b&gt; &#60; &amp", "<http://x.y>", "<a@b.cd>", "http://x.y",
    "www.x.yz", "$x$", "# title", "- item", "1. item", "> quote", "---", "|---|", "<!-- x", "<?php", "<![CDATA[", "a<b",
    "x <= 0.5 > y", "body_mass_g", "__init__", "_", "*", "\u202etxt", "\x1b[31m", ":smile:", "a\tb", "`` ` ``",
    "\u2028", "|", "",
]  # fmt: skip


def read_table(markdown):
    """The cells of a table as a viewer shows them; no element but those of a table may come out."""
    parser = (
        pytest.importorskip("markdown_it").MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    )
    tokens = parser.parse(markdown)
    assert {token.tag for token in tokens} <= {"table", "thead", "tbody", "tr", "th", "td", ""}
    assert {token.type for token in tokens if not token.tag} == {"inline"}
    cells = [token for token in tokens if token.type == "inline"]
    assert {child.type for cell in cells for child in cell.children} <= {"text"}
    n_columns = sum(token.type == "th_open" for token in tokens)
    text = ["".join(child.content for child in cell.children) for cell in cells]
    return [text[k : k + n_columns] for k in range(0, len(text), n_columns)]


def test_hostile_names_read_as_they_are_in_a_markdown_table():
    table = [[f"{name} 1", name] for name in HOSTILE]
    shown = [[escape_controls(cell).strip() for cell in row] for row in table]
    assert read_table("\n".join(align_markdown([["name", "again"], *table], [False, False])))[1:] == shown


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.strip("\u2028")])
def test_rules_in_markdown_hold_no_tag_or_link_of_a_name_or_a_label(name):
    x = np.arange(20.0)
    X = pd.DataFrame({name: x, "kind": np.where(x % 2, name, "other")})
    y = pd.DataFrame({f"t {name}": x // 10 + x % 2, "class": np.where(x > 9, name, "other")})
    model = MixedTree().fit(X, y)
    header, *rows = read_table(render(model, "md"))
    table = model.rules_.to_frame()
    assert header[0] == "rule"
    assert set(header[1:]) <= {escape_controls(column) for column in model.to_frame().columns}
    assert sum(escape_controls(name) in column for column in header) >= 2  # of the number, and of the class
    assert [row[0] for row in rows[1:]] == [escape_controls(rule) for rule in table.iloc[:, 0].astype(str)]


def test_tables_of_our_own_stay_as_they_are():
    row = ["agrees: within the spread", "bagging > tree", "5.1e-06", "R2 (17 trees), 90 %", "rf1_small", "x <= 3"]
    assert align_markdown([row], [False] * 6)[0] == f"| {' | '.join(row)} |"
