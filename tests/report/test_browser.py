"""The page in a browser: every panel works, nothing is fetched, no name runs, and it predicts as Python does."""

import warnings

import numpy as np
import pandas as pd
import pytest

from glade.report.facts import MAX_LEAVES
from tests import fitted
from tests.report.conftest import WIDE
from tests.report.pages import hostile_pages, page_of, to_page_rows

PREDICTORS = [name for name in fitted.MAKERS if not name.startswith("multi-tree")]  # whose pages show one of its trees
MULTI_TREES = [name for name in fitted.MAKERS if name.startswith("multi-tree")]
SLIDING = ["rules, mixed", "rules, all", "rules, logic", "rule list", "soft rules, classes", "fire"]
NARROW = {"width": 360, "height": 740}


def make_random_rows(n_rows=1000):
    """Each input drawn by itself: values of training and beyond, missing ones, and categories nobody has seen."""
    X, _ = fitted.make_table()
    rng = np.random.default_rng(5)
    rows = pd.DataFrame(
        {name: X[name].astype(object).sample(n_rows, replace=True, random_state=rng).to_numpy() for name in X}
    )
    rows["size"] = rows["size"].astype(float) + rng.normal(0, 3, n_rows)
    rows.loc[rng.random(n_rows) < 0.1, "size"] = np.nan
    for name in ("city", "grade", "zone"):
        rows.loc[rng.random(n_rows) < 0.15, name] = None
    rows.loc[rng.random(n_rows) < 0.1, "city"] = "nowhere"
    return rows


@pytest.mark.parametrize("name", PREDICTORS)
def test_what_if_equals_predict_on_random_rows(show, name):
    model, rows = fitted.fit(name), make_random_rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of categories not seen
        expected, encoded = model._channel_values(rows), to_page_rows(model, rows)
    page = show(page_of(name))
    got = page.evaluate("rows => rows.map((row) => gladeReport.predict(row))", encoded)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MULTI_TREES)
def test_what_if_of_a_multi_tree_is_that_of_the_tree_that_is_drawn(show, name):
    rows = make_random_rows(200)
    tree = fitted.fit(name).archetype(max_leaf_nodes=MAX_LEAVES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of categories not seen
        expected, encoded = tree._channel_values(rows), to_page_rows(tree, rows)
    got = show(page_of(name)).evaluate("rows => rows.map((row) => gladeReport.predict(row))", encoded)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", SLIDING)
def test_the_slider_equals_with_rules(show, name):
    model, rows = fitted.fit(name), make_random_rows(60)
    page = show(page_of(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoded = to_page_rows(model, rows)
        slider = page.locator("#path-slider")
        slider.focus()
        slider.press("Home")
        steps = page.evaluate("gladeReport.facts.path.steps.map((step) => step.size)")
        for k, size in enumerate(steps):
            if k:
                slider.press("ArrowRight")
            smaller = model.with_rules(size)
            if (more := page.get_by_role("button", name="Show all", exact=False).first).is_visible():
                more.click()
                slider.focus()
            shown = page.evaluate("gladeReport.facts.path.steps[gladeReport.state.place].terms.length")
            assert page.locator("#rules .rule .opener").count() == shown == len(smaller.terms_)
            got = page.evaluate("rows => rows.map((row) => gladeReport.predict(row))", encoded)
            np.testing.assert_allclose(got, smaller._channel_values(rows), rtol=1e-9, atol=1e-9)


def test_panels_of_rules(show):
    page = show(page_of("rules, mixed"))
    rules = page.locator("#rules .rule")
    n_rules = rules.count()
    assert n_rules == len(fitted.fit("rules, mixed").terms_)
    page.locator("#rule-search").fill("grade")
    assert 0 < rules.count() < n_rules
    assert all("grade" in words for words in rules.locator(".opener").all_inner_texts())
    page.locator("#rule-search").fill("no such words")
    assert rules.count() == 0
    page.locator("#rule-search").fill("")
    page.get_by_label("Input", exact=True).select_option("size")
    assert 0 < rules.count() < n_rules
    page.get_by_label("Input", exact=True).select_option("any")
    page.get_by_role("button", name="Rows", exact=True).click()
    shares = [
        float(words.rstrip("%"))
        for words in page.locator("#rules .rule .share .amount").all_inner_texts()
        if "%" in words
    ]
    assert shares == sorted(shares, reverse=True)
    assert page.locator("#rules th[aria-sort=descending]").count() == 1


def test_a_rule_opens_to_its_rows_and_a_row_to_what_if(show):
    page = show(page_of("rules, mixed"))
    opener = page.locator("#rules .rule:has(.share .bar) .opener").first  # a linear term covers every row
    opener.focus()
    page.keyboard.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true"
    link = page.locator("#rules .detail .rows tbody .link").first
    place = int(link.inner_text())
    link.click()
    row = page.evaluate("gladeReport.state.row")
    assert row == to_page_rows(fitted.fit("rules, mixed"), fitted.make_table()[0].iloc[[place]])[0]
    page.locator("#rules").get_by_label("only those that cover the case below").check()
    assert opener.count() == 1


def test_fields_move_the_prediction(show):
    model = fitted.fit("rules, mixed")
    page = show(page_of("rules, mixed"))
    cards = page.locator("#case .card")
    before = cards.all_inner_texts()
    size = page.locator("#case").get_by_label("size", exact=True)
    size.fill("17.25")
    page.locator("#case").get_by_label("grade", exact=True).select_option("high")
    names = list(model.schema_.names)
    grades = model.schema_.labels[names.index("grade")]
    assert page.evaluate("gladeReport.state.row")[names.index("grade")] == grades.index("high")
    page.locator("#case").get_by_label("grade", exact=True).select_option("missing, or another value")
    row = page.evaluate("gladeReport.state.row")
    assert row[names.index("size")] == 17.25
    assert row[names.index("grade")] is None
    assert cards.all_inner_texts() != before
    size.fill("")
    assert page.evaluate("gladeReport.state.row")[names.index("size")] is None
    size.fill("1e")
    assert size.get_attribute("aria-invalid") == "true"
    page.locator("#row-list").select_option("0")
    assert page.evaluate("gladeReport.state.row") == page.evaluate("gladeReport.facts.sample.x[0]")


def test_the_tree_opens_and_closes(show):
    page = show(page_of("tree, mixed"))
    nodes = page.locator("#tree .node")
    page.get_by_role("button", name="Open all").click()
    assert nodes.count() == fitted.fit("tree, mixed").tree_.n_nodes
    page.get_by_role("button", name="Close all").click()
    assert nodes.filter(visible=True).count() == 3
    page.locator("#tree .opener").first.press("Enter")
    assert nodes.filter(visible=True).count() == 1
    assert page.locator("#tree .on-way").count() > 1


@pytest.mark.parametrize("name", ["forest, numbers", "multi-tree, classes", "tree of one leaf"])
def test_other_models_have_a_page_too(show, name):
    page = show(page_of(name))
    titles = page.locator("main h2:visible").all_inner_texts()
    assert {"One case", "What it looks at", "The data", "Take it with you"} <= set(titles)
    assert page.locator("nav a").all_inner_texts() == titles


def test_s1_hostile_names_never_run(show):
    for text in hostile_pages():
        page = show(text)
        for button in page.locator("#rules .opener").all() + page.get_by_role("button", name="Open all").all():
            button.click()
        for k in range(page.locator("select").count()):
            select = page.locator("select").nth(k)
            if select.is_visible():
                select.select_option(index=min(2, select.locator("option").count() - 1))
        assert page.evaluate("window.fired") is None
        assert page.locator("img, iframe, object, embed, link, base, body script:not([type])").count() == 1
        assert "{{ 7 * 7 }}" in page.locator("#data").inner_text()


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_is_wider_than_the_screen(show, viewport):
    for text in (page_of("rules, mixed"), page_of("tree, text"), *hostile_pages()):
        page = show(text, viewport)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.mark.parametrize(
    ("name", "scheme", "viewport"),
    [
        ("rules, mixed", "light", WIDE),
        ("rules, two classes", "dark", WIDE),
        ("tree, mixed", "dark", NARROW),
        ("multi-tree, classes", "light", WIDE),
        ("soft rules", "light", NARROW),
        ("score card", "dark", WIDE),
        ("rule list", "light", NARROW),
        ("rules, logic", "dark", NARROW),
        ("beam tree, numbers", "light", WIDE),
        ("forest, classes", "dark", WIDE),
    ],
)
def test_axe_finds_nothing(show, name, scheme, viewport):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    page = show(page_of(name), viewport, scheme)
    if page.locator("#rules .opener").count():
        page.locator("#rules .opener").first.click()
    for summary in page.locator("summary").all():
        summary.click()
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in found] == []
