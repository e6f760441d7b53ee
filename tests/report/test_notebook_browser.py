"""The panel of a notebook, in a browser: it moves into a shadow root, where its own styles hold and nothing runs."""

from glade import MixedForest, MixedRuleEnsemble, MixedTree
from tests.report.pages import make_hostile_table

# A notebook puts an output into its page and runs the scripts in it, one after another.
NOTEBOOK = """<!doctype html><meta charset="utf-8"><title>notebook</title><style>table { color: rgb(1, 2, 3) }</style>
<body>{}</body>"""


def test_panels_move_into_a_shadow_root_and_nothing_in_them_runs(show):
    X, y = make_hostile_table()
    rules = MixedRuleEnsemble(MixedForest(8, max_depth=3), max_rules=6, random_state=0).fit(X, y)
    tree = MixedTree(max_leaf_nodes=8).fit(X, y)
    page = show(NOTEBOOK.replace("{}", rules._panel_as_html() + tree._panel_as_html()))
    panels = page.locator(".glade-panel")
    assert panels.count() == 2
    assert panels.evaluate_all("all => all.every((own) => own.shadowRoot)")
    assert page.evaluate("window.fired === undefined")
    for k, model in enumerate((rules, tree)):
        shown = panels.nth(k).locator("tbody tr")
        assert shown.count() == (1 + len(rules.terms_) if model is rules else tree.tree_.n_nodes)
        assert "<" in panels.nth(k).locator("table").inner_text()
        colour = panels.nth(k).locator("table").evaluate("own => getComputedStyle(own).color")
        assert colour != "rgb(1, 2, 3)"  # the notebook's styles stay outside
        chip = panels.nth(k).locator(".chip").first.evaluate("own => getComputedStyle(own).borderTopWidth")
        assert chip == "1px"  # and its own hold
