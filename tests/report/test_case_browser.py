"""One case in a browser: where it starts, what it says and why, what would turn it, its address, its printed page."""

import json
from urllib.parse import quote

import numpy as np
import pytest

from tests import fitted
from tests.report.conftest import WIDE
from tests.report.pages import page_of, to_page_rows

NARROW = {"width": 390, "height": 780}
EXPLAINED = [
    *("rules, mixed", "rules, two classes", "rulefit, classes", "soft rules", "rules, classes"),
    *("rule list", "rules, logic", "score card", "rulefit, counts", "rules, all"),
]


@pytest.mark.parametrize("name", EXPLAINED)
def test_reasons_lead_from_every_row_to_the_prediction(show, name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    rows = to_page_rows(model, X.iloc[:40])
    page = show(page_of(name))
    told = page.evaluate(
        "rows => rows.map((row) => { gladeReport.setRow(row);"
        " return gladeReport.predict(row).map((_, c) => gladeReport.reasonsOf(row, c)); })",
        rows,
    )
    expected = model.predict_values(model.encode(X.iloc[:40]))
    for row, values in zip(told, expected, strict=True):
        for own, value in zip(row, values, strict=True):
            assert own["end"] == pytest.approx(value, abs=1e-9)
            assert own["start"] + sum(step["value"] for step in own["list"]) == pytest.approx(value, abs=1e-9)


def test_the_case_starts_from_a_real_row_and_tells_its_true_outcome(show):
    model, (X, y) = fitted.fit("rules, two classes"), fitted.make_table()
    page = show(page_of("rules, two classes"))
    typical = page.evaluate("gladeReport.facts.typical")
    assert typical["x"] == to_page_rows(model, X.iloc[[typical["place"]]])[0]
    assert f"truly {y['yes'][typical['place']]}" in page.locator("#case .now").inner_text()
    page.locator("#case").get_by_label("size", exact=True).fill("1")
    assert "truly" not in page.locator("#case .now").inner_text()  # it is no row of the table any more


def test_rows_are_searched_and_sorted(show):
    page = show(page_of("rules, two classes"))
    options = page.locator("#row-list option")
    page.get_by_label("Sort rows").select_option(label="most wrong first")
    unseen, truth = page.evaluate("[gladeReport.facts.sample.unseen, gladeReport.facts.sample.y[0]]")
    worst = max(range(len(truth)), key=lambda i: 1 - unseen[i][int(truth[i])])
    assert options.first.get_attribute("value") == str(worst)
    page.get_by_label("Search rows").fill("row 17")
    assert [words.split(" ·")[0] for words in options.all_inner_texts()] == ["row 17"]
    page.get_by_label("Search rows").fill("truly false")
    assert options.count() == int((~fitted.make_table()[1]["yes"]).sum())


def test_sliders_go_by_rows_and_fields_warn_outside_the_range(show):
    page = show(page_of("rules, two classes"))
    size = page.locator("#case").get_by_label("size", exact=True)
    slider = page.get_by_label("size, slider")
    slider.evaluate("s => { s.value = 0.5; s.dispatchEvent(new Event('input')); }")
    sizes = fitted.make_table()[0]["size"]
    assert float(size.input_value()) == pytest.approx(sizes.median(), abs=0.05)
    size.fill("99999")
    assert "above all rows" in page.locator("#case .note").all_inner_texts()[0] + page.locator("#case").inner_text()
    size.fill("3,5")
    assert "3.5" in page.locator("#case").inner_text()
    assert size.get_attribute("aria-invalid") == "true"
    size.fill("")
    assert "missing" in slider.get_attribute("class")


@pytest.mark.parametrize("name", ["rules, two classes", "rules, class", "tree, text", "rules, all"])
def test_the_smallest_change_turns_the_decision(show, name):
    page = show(page_of(name))
    goal = page.evaluate("gladeReport.facts.targets[0].typical")
    found = page.evaluate(f"gladeReport.findFlips(0, {json.dumps(goal)})")
    assert found
    costs = [own["cost"] for own in found]
    assert costs == sorted(costs)
    decide = (
        "row => gladeReport.facts.targets[0].classes"
        f" ? gladeReport.decide(gladeReport.facts.targets[0], 0, gladeReport.predict(row))"
        f" : gladeReport.predict(row)[0] >= {json.dumps(goal)}"
    )
    before = page.evaluate(f"({decide})(gladeReport.state.row)")
    assert all(page.evaluate(decide, own["row"]) != before for own in found)
    page.get_by_role("button", name="Find the smallest change").click()
    page.get_by_role("button", name="Apply").first.click()
    assert page.evaluate(f"({decide})(gladeReport.state.row)") != before


def test_the_address_holds_the_case(show):
    page = show(page_of("rules, mixed"))
    page.locator("#case").get_by_label("size", exact=True).fill("12.5")
    page.locator("#path-slider").press("Home")
    row, fragment = page.evaluate("[gladeReport.state.row, location.hash]")
    again = show(page_of("rules, mixed"), fragment=fragment)
    assert again.evaluate("gladeReport.state.row") == row
    assert again.evaluate("gladeReport.state.place") == 0
    assert "back to the fitted model" in again.locator("nav .resized").inner_text()


@pytest.mark.parametrize(
    "said",
    ["%%%", "null", '{"row":[1]}', '{"row":["<img src=x onerror=window.fired=1>",1,1,1,1,1]}', '{"threshold":[9]}'],
)
def test_an_address_from_anywhere_does_no_harm(show, said):
    page = show(page_of("rules, two classes"), fragment="#case=" + (said if said == "%%%" else quote(said)))
    assert page.evaluate("gladeReport.state.row") == page.evaluate("gladeReport.facts.typical.x")
    assert page.evaluate("[window.fired, gladeReport.state.threshold]") == [None, [0.5]]


def test_the_result_stays_in_sight_on_a_phone(show):
    page = show(page_of("rules, mixed"), NARROW)
    page.locator("#case .input").last.scroll_into_view_if_needed()
    assert page.locator("#case .now").evaluate("e => e.getBoundingClientRect().top") < 780
    assert page.locator("#case .now").evaluate("e => e.getBoundingClientRect().bottom") > 0


def test_one_case_prints_on_one_page(show):
    for name in ("rules, two classes", "rules, mixed", "tree, mixed"):
        page = show(page_of(name))
        page.evaluate("() => { window.print = () => {}; }")
        page.get_by_role("button", name="Print this case").click()
        content = page.pdf(format="A4")
        assert content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") == 1, name


def test_print_shows_all_and_says_of_what(show):
    page = show(page_of("rules, mixed"), WIDE)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#rules .rule").count() == len(fitted.fit("rules, mixed").terms_)
    heights = [cell.bounding_box()["height"] for cell in page.locator("#rules .rule .order").all()]
    texts = page.locator("#rules .rule .order").all_inner_texts()
    assert texts[-1].strip() == str(len(texts))
    assert np.isfinite(heights).all()
    one_line = page.locator("#rules .rule .order").last.evaluate(
        "e => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length; }"
    )
    assert one_line == 1  # a number of two digits is not broken
    assert "kind = a" in page.locator("#effects .of-target").inner_text()
    assert not page.locator("#case .row-picker").is_visible()
    assert not page.locator("#take").is_visible()


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "phone"])
def test_chances_stand_beside_their_bars_and_long_values_fit_their_fields(show, viewport):
    page = show(page_of("rules, classes"), viewport)
    lines = page.locator(".predictions .label-bars li")
    assert lines.count() >= 6
    gaps = lines.evaluate_all(
        "all => all.map(({ children: [, bar, chance] }) =>"
        " [chance.getBoundingClientRect().left - bar.getBoundingClientRect().right,"
        " chance.scrollWidth - chance.clientWidth])"
    )
    assert all(gap >= 0 and beyond <= 0 for gap, beyond in gaps)
    page.evaluate("gladeReport.setRow(gladeReport.state.row.map((x, j) => (j === 0 ? 7.123456789012345 : x)))")
    field = page.locator("#input-0")
    assert field.input_value() == "7.1234568"
    assert field.get_attribute("title") == "7.123456789012345"
    assert page.evaluate("gladeReport.state.row[0]") == 7.123456789012345
    assert field.evaluate("own => own.scrollWidth <= own.clientWidth")


def test_rules_on_a_phone_have_the_numbers_that_others_refer_to(show):
    page = show(page_of("rules, classes"), NARROW)
    numbers = page.locator("#rules .rule > .order")
    assert numbers.first.is_visible()
    assert numbers.first.inner_text() == "1"
