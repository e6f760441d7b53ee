"""Two sizes of a model side by side in a browser: what they say is what the library says of both."""

import re

import numpy as np
import pytest

from tests import fitted
from tests.report.pages import facts_of, page_of

CLASSES, NUMBERS = ("rules, class", "rules, two classes"), ("rules, all", "soft rules")


def open_sizes(show, name):
    page = show(page_of(name))
    page.locator(".sizes summary").click()
    return page, page.locator(".sizes")


@pytest.mark.parametrize("name", CLASSES)
def test_rows_that_change_class_are_counted(show, name):
    page, sizes = open_sizes(show, name)
    model, (X, _) = fitted.fit(name), fitted.make_table()
    steps = page.evaluate("gladeReport.facts.path.steps.map((step) => step.size)")
    for place in (0, len(steps) // 2):
        sizes.get_by_label("One size").select_option(str(place))
        smaller = model.with_rules(steps[place])
        n = int((model.predict(X) != smaller.predict(X)).sum())
        assert f"Of 300 rows, {n} (" in sizes.locator(".apart").inner_text()
        rows = [int(words) for words in sizes.locator(".rows tbody th").all_inner_texts()]
        assert len(rows) == min(n, 8)
        assert all(model.predict(X.iloc[[row]])[0] != smaller.predict(X.iloc[[row]])[0] for row in rows)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_differ_are_told_the_largest_first(show, name):
    page, sizes = open_sizes(show, name)
    model, (X, _) = fitted.fit(name), fitted.make_table()
    sizes.get_by_label("One size").select_option("0")
    smaller = model.with_rules(page.evaluate("gladeReport.facts.path.steps[0].size"))
    apart = np.abs(model.predict_values(model.encode(X))[:, 0] - smaller.predict_values(model.encode(X))[:, 0])
    rows = [int(words) for words in sizes.locator(".rows tbody th").all_inner_texts()]
    np.testing.assert_allclose(apart[rows], np.sort(apart)[::-1][: len(rows)], rtol=1e-9)
    told = [float(x.replace(",", "")) for x in re.findall(r"by ([\d.,]*\d)", sizes.locator(".apart").inner_text())]
    assert told == pytest.approx([apart.mean(), apart.max()], rel=0.1)


def test_errors_and_rules_of_both_stand_beside_each_other(show):
    name = "rules, mixed"
    _, sizes = open_sizes(show, name)
    path = facts_of(name)["path"]
    sizes.get_by_label("One size").select_option("1")
    small, fitted_one = path["steps"][1], path["steps"][path["chosen"]]
    lines = sizes.locator(".side-by-side").first.locator("tbody tr").all_inner_texts()
    cells = lines[-1].split("\t")[1:]
    assert [float(cell.split("%")[0]) for cell in cells] == [
        pytest.approx(100 * step["error"], abs=0.51) for step in (small, fitted_one)
    ]
    shown = sizes.locator(".side-by-side").last.locator("tbody tr")
    assert shown.count() == len({*small["terms"], *fitted_one["terms"]})
    n_only = shown.filter(has_text="not in it").count()
    assert n_only == len({*small["terms"]} ^ {*fitted_one["terms"]})


def test_another_target_may_be_compared_and_a_row_opened(show):
    page, sizes = open_sizes(show, "rules, mixed")
    sizes.get_by_label("One size").select_option("0")
    sizes.get_by_label("Compare for").select_option("amount")
    assert "amount" in sizes.locator(".apart").inner_text()
    link = sizes.locator(".rows .link").first
    place = int(link.inner_text())
    link.click()
    assert page.evaluate("gladeReport.facts.sample.places[gladeReport.state.opened]") == place
