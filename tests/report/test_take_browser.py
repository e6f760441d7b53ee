"""What is taken away from the page: the model in other forms, pictures, rows that are scored without a network."""

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import glade
from glade.report.download_facts import write_table
from tests import fitted
from tests.report.pages import hostile_pages, make_hostile_table, page_of, to_page_rows

SCORED = [
    *("rules, mixed", "rules, two classes", "tree, mixed", "forest, classes boosted", "soft rules"),
    *("rule list", "beam tree, classes", "rules, logic", "score card", "rulefit, counts", "rules, all"),
]


def save(page, button):
    with page.expect_download() as waiting:
        button.click()
    return waiting.value.path().read_text("utf-8")


@pytest.mark.parametrize(
    "name", ["rules, mixed", "tree, text", "soft rules", "rule list", "rules, logic", "score card"]
)
def test_downloads_are_what_the_library_writes(show, name):
    model, page = fitted.fit(name), show(page_of(name))
    forms = {
        "Save Rules as a table (CSV)": write_table(model),
        "Save Model as data (JSON)": glade.export(model, "json"),
        "Save Python module, needs nothing else": glade.export(model, "python"),
        "Save SQL query": glade.export(model, "sql"),
    }
    for words, text in forms.items():
        assert save(page, page.get_by_role("button", name=words)) == text


def test_pictures_are_drawings_of_their_own(show):
    page = show(page_of("rules, two classes"))
    drawing = save(page, page.get_by_role("button", name="Save the picture").first)
    root = ElementTree.fromstring(drawing)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("width")
    assert "class" not in drawing
    assert "rgb(" in drawing  # colours are in it, since there is no style sheet beside it


@pytest.mark.parametrize("name", SCORED)
def test_rows_scored_in_the_page_are_those_of_predict(show, name):
    model, (X, _) = fitted.fit(name), fitted.make_table()
    X = X.iloc[:60]
    text = X.assign(unused="x, y").to_csv(index=False)
    page = show(page_of(name))
    scored = page.evaluate(
        "text => { const s = gladeReport.scoreText(text); return { rows: s.rows, values: s.values }; }", text
    )
    assert scored["rows"] == to_page_rows(model, X)
    np.testing.assert_allclose(scored["values"], model.predict_values(model.encode(X)), rtol=1e-9, atol=1e-9)


def test_pasted_rows_are_scored_told_and_saved(show):
    model, (X, y) = fitted.fit("rules, two classes"), fitted.make_table()
    page = show(page_of("rules, two classes"))
    text = X.assign(yes=y["yes"], city=X["city"].astype(object).where(X.index > 2, "nowhere")).to_csv(
        index=False, sep=";"
    )
    page.locator("#score-text").fill(text)
    page.get_by_role("button", name="Score these rows").click()
    words = page.locator(".scored").inner_text()
    rows = page.evaluate("text => gladeReport.scoreText(text).rows", text)
    event = page.evaluate("gladeReport.facts.events[0]")
    p = page.evaluate("rows => rows.map((row) => gladeReport.predict(row))", rows)
    right = sum((own[event] >= 0.5) == (truth == model.classes_[event]) for own, truth in zip(p, y["yes"], strict=True))
    assert f"right for {right} of 300 rows" in words
    assert re.search("values? that the model does not know count", words)  # a city that the model does not know is told
    lines = list(csv.DictReader(io.StringIO(save(page, page.get_by_role("button", name="Save all scored rows")))))
    assert len(lines) == 300
    key = f"P(yes = {model.classes_[event]})"
    assert [float(line[key]) for line in lines] == pytest.approx([own[event] for own in p], abs=1e-12)


def test_what_lacks_columns_is_refused_in_a_sentence(show):
    page = show(page_of("rules, two classes"))
    page.locator("#score-text").fill("a,b\n1,2\n")
    page.get_by_role("button", name="Score these rows").click()
    assert "missing" in page.locator(".scored .notice").inner_text()
    page.locator("#score-file").set_input_files({"name": "t.csv", "mimeType": "text/csv", "buffer": b""})
    page.locator(".scored .notice").filter(has_text="no rows").wait_for()


def test_hostile_rows_stay_text_and_harmless_in_a_spreadsheet(show):
    X, _ = make_hostile_table()
    page = show(hostile_pages()[0])
    X["=cmd|' /C calc'!A0"] = "=1+1"
    page.locator("#score-text").fill(X.to_csv(index=False))
    page.get_by_role("button", name="Score these rows").click()
    assert page.evaluate("window.fired") is None
    saved = save(page, page.get_by_role("button", name="Save all scored rows"))
    cells = [cell for line in csv.reader(io.StringIO(saved)) for cell in line]
    assert "'=1+1" in cells
    assert not any(cell.startswith("=") for cell in cells)


def test_rows_of_a_rule_are_saved(show):
    page = show(page_of("rules, mixed"))
    page.locator("#rules .rule:has(.share .bar) .opener").first.click()
    lines = list(
        csv.DictReader(io.StringIO(save(page, page.get_by_role("button", name="Save these rows (CSV)").first)))
    )
    assert 0 < len(lines) <= 300
    assert {"row", "size", "amount"} <= set(lines[0])
