"""Panels in a browser: the verdict, thresholds, subgroups, signs and colours, leaks, names from right to left."""

import re

import numpy as np
import pandas as pd
import pytest

from glade import ForestClassifier, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor
from glade.report.facts import collect_facts
from glade.report.page import render_page
from tests import fitted
from tests.report.pages import facts_of, leaking_page, page_of, targets_of


def test_the_first_screen_gives_a_verdict_and_a_bar_that_grows_with_quality(show):
    page = show(page_of("rules, mixed"))
    assert "better than guessing" in page.locator(".verdict-line").inner_text()
    told = page.evaluate("gladeReport.facts.quality.targets.map((own) => own.verdict.share)")
    widths = page.locator("#errors .track .own").evaluate_all(
        "bars => bars.map((bar) => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width)"
    )
    assert widths == pytest.approx(told, abs=0.01)
    assert page.locator("#errors .track .reach").count() == len(told)


def test_the_threshold_counts_as_the_predictions_do(show):
    model = fitted.fit("rules, two classes")
    page = show(page_of("rules, two classes"))
    event = page.evaluate("gladeReport.facts.events[0]")
    p = model.held_out_.values[:, event]
    truth = targets_of(model)["yes"].to_numpy() == model.classes_[event]
    slider = page.locator("#threshold-0")
    slider.focus()
    for key, steps in (("ArrowRight", 7), ("ArrowLeft", 30)):
        for _ in range(steps):
            slider.press(key)
        threshold = float(slider.input_value()) / 100
        cells = [int(re.sub(r"\D", "", text)) for text in page.locator(".confusion td strong").all_inner_texts()]
        said = p >= threshold
        expected = [sum(said & truth), sum(~said & truth), sum(said & ~truth), sum(~said & ~truth)]
        assert cells == [int(n) for n in expected]
        keys = dict(
            zip(
                page.locator(".threshold dt").all_inner_texts(),
                page.locator(".threshold dd").all_inner_texts(),
                strict=True,
            )
        )
        assert keys["cost"] == f"{expected[1] + expected[2]}"
    page.get_by_label("a miss costs").fill("10")
    page.get_by_role("button", name="The cheapest threshold").click()
    cheapest = page.evaluate("gladeReport.state.threshold[0]")
    costs = [sum((p >= k / 100) & ~truth) + 10 * sum((p < k / 100) & truth) for k in range(101)]
    assert cheapest == int(np.argmin(costs)) / 100
    decided = page.evaluate(
        "(() => { const p = gladeReport.state.threshold[0];"
        " return gladeReport.decide(gladeReport.facts.targets[0], 0, [1 - p, p]); })()"
    )
    assert decided == 1  # the case obeys the threshold too


def test_any_input_divides_the_rows_into_groups(show):
    page = show(page_of("rules, two classes"))
    page.get_by_label("By input").select_option("grade")
    lines = page.locator(".groups tbody tr")
    assert set(page.locator(".groups tbody th").all_inner_texts()) == {"low", "mid", "high"}
    assert lines.count() == 3


def test_classes_have_counts_and_numbers_have_pictures(show):
    page = show(page_of("rules, mixed"))
    quality = page.locator("#quality")
    assert quality.locator(".confusion").count() == 1
    assert quality.locator("figure svg").count() == 2
    quality.get_by_label("Target").select_option("amount")
    assert "Predicted and actual" in quality.inner_text()
    assert quality.locator("svg .point").count() > 50


def test_signs_and_colours_are_towards_the_event(show):
    page = show(page_of("rules, two classes"))
    event = page.evaluate("gladeReport.facts.targets[0].classes[gladeReport.facts.events[0]]")
    assert f"towards {event}" in page.locator("#rules .legend").first.inner_text()
    signs = set()
    for cell in page.locator("#rules .rule .effect").all()[:30]:
        words = cell.locator(".amount").inner_text()
        kind = cell.locator(".swing span").get_attribute("class")
        signs.add(kind)
        assert kind == ("down" if words.startswith("−") else "up")
    assert signs == {"up", "down"}
    assert "seen" in page.locator("#rules .rule .observed").first.inner_text()


def test_the_map_of_many_classes_shows_which_class_a_rule_speaks_for(show):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))
    y = pd.DataFrame({f"t{k}": np.where(X.iloc[:, k % 4] + rng.normal(0, 0.5, 200) > 0.8, "1", "0") for k in range(5)})
    y["three"] = np.array(["low", "mid", "high"])[np.clip((X["a"] + 1.5).astype(int), 0, 2)]
    model = RuleEnsembleClassifier(ForestClassifier(10, max_depth=3), max_rules=8, random_state=0).fit(X, y)
    page = show(render_page(collect_facts(model, X, y)))
    heat = page.locator("#heat td")
    assert page.locator("#heat td.up").count() > 5
    assert page.locator("#heat td.down").count() > 5
    colours = {cell.evaluate("e => e.style.getPropertyValue('--own')") for cell in heat.all()} - {""}
    assert len(colours) >= 2  # of the classes of the target with three


def test_leaks_shout_and_are_marked_where_they_are_used(show):
    page = show(leaking_page())
    assert "certificate" in page.locator(".hero .alarm").inner_text()
    assert page.locator("#data .alerts .grave").count() == 1
    marked = page.locator("#rules .chip:has(.mark.grave)")
    assert marked.count() >= 1
    assert all("certificate" in words for words in marked.all_inner_texts())
    assert "Nothing" not in page.locator("#data").inner_text()


def test_terms_stand_by_importance_whatever_their_kind(show):
    page = show(page_of("rules, mixed"))
    shown = page.locator("#rules .rule .importance .unseen").all_inner_texts()
    sizes = [float(words.rstrip("%")) for words in shown]
    assert sizes == sorted(sizes, reverse=True)
    is_line = page.locator("#rules .rule").evaluate_all("all => all.map((own) => !!own.querySelector('.chip.line'))")
    assert any(is_line)
    assert not all(is_line[is_line.index(True) :])  # lines do not stand after all rules


def test_soft_rules_have_a_curve(show):
    page = show(page_of("soft rules"))
    assert page.locator("#rules .soft-curve").count() == len(fitted.fit("soft rules").terms_)


def test_a_card_is_ticked_and_its_sum_read(show):
    model, (X, _) = fitted.fit("score card"), fitted.make_table()
    page = show(page_of("score card"))
    card, risks = model.card_, model.risk_table_
    for k in range(len(card)):
        page.locator(f"#card-{k}").check()
        assert f"Sum {sum(card['points'][: k + 1])}".replace("-", "−") in page.locator(".card-sum").inner_text()
    assert page.evaluate("gladeReport.facts.card.risks") == risks["risk"].tolist()
    assert page.locator("h1").inner_text() == f"A card of {len(card)} lines for yes"
    page.get_by_role("button", name="Tick what is true of the case below").click()
    place = page.evaluate("gladeReport.facts.typical.place")
    ticked = [page.locator(f"#card-{k}").is_checked() for k in range(len(card))]
    total = int(card["points"][ticked].sum())
    risk = risks.loc[risks["points"] == total, "risk"].item()
    own = model.predict_proba(X.iloc[[place]])[0, list(model.classes_).index(model.event_)]
    assert risk == pytest.approx(own, abs=1e-9)  # the card says what the model says
    assert (
        not page.locator("#card .differs").count()
        or str(total).replace("-", "−") in page.locator("#card .differs th").inner_text()
    )


def test_conditions_have_the_signs_of_books_and_are_found_by_both(show):
    page = show(page_of("rules, mixed"))
    plain = [own["words"] for own in facts_of("rules, mixed")["path"]["terms"]]
    assert any(" <= " in words for words in plain)
    assert not any(sign in words for words in page.locator("#rules .chip").all_inner_texts() for sign in ("<=", "!="))
    counts = []
    for sign in ("<=", "≤"):
        page.locator("#rule-search").fill(f"size {sign}")
        counts.append(page.locator("#rules .rule").count())
    assert counts[0] == counts[1] > 0


def test_every_scale_has_two_ticks_at_least(show):
    page = show(page_of("rules, mixed"))
    counts = page.locator("#effects svg").evaluate_all(
        "all => all.map((own) => ['.tick.end', '.tick.middle'].map((kind) => own.querySelectorAll(kind).length))"
    )
    assert len(counts) >= 2
    assert min(max(own) for own in counts) >= 2


@pytest.fixture(scope="module")
def skewed():
    """A page about an input of which most values are close together and a few far away, and about another."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"rent": np.exp(rng.normal(0, 2.0, 800)), "rooms": rng.random(800)})
    model = RuleEnsembleRegressor(ForestRegressor(10, max_depth=3), max_rules=8, random_state=0)
    model.fit(X, (X["rent"] > 0.5) * 1.0 + (X["rent"] > 4) + X["rooms"])
    return collect_facts(model, X)


def test_an_axis_goes_by_rows_where_most_values_are_close_together(show, skewed):
    """The line there is the one of the facts: as many upright steps, at the same heights."""
    page = show(render_page(skewed))
    figures = page.locator("#effects figure")
    for k, effect in enumerate(skewed["effects"]):
        name = skewed["inputs"][effect["input"]]["name"]
        assert ("goes by rows" in figures.nth(k).inner_text()) == (name == "rent")
        places = [part.split(",") for part in re.split("[ML]", figures.nth(k).locator(".line").get_attribute("d"))[1:]]
        x, y = np.array(places, float).T
        assert (np.diff(x) >= 0).all()
        own = np.array(effect["y"], float)[:, 0]
        jumps = np.abs(np.diff(own)[np.diff(effect["x"]) == 0])
        upright = np.abs(np.diff(y)[np.diff(x) == 0])
        scale = np.ptp(own) / np.ptp(y)
        np.testing.assert_allclose(upright[upright > 0.02] * scale, jumps[jumps > 0.02 * scale], atol=0.02 * scale)
    rent = next(own for own in skewed["effects"] if own["input"] == 0)
    d = figures.nth(skewed["effects"].index(rent)).locator(".line").get_attribute("d")
    x = np.array([part.split(",")[0] for part in re.split("[ML]", d)[1:]], float)
    assert np.median(x) > x.min() + 0.2 * np.ptp(x)


def test_rules_of_a_list_tell_what_they_predict(show):
    """In their order, as the command line does, and what is said of all other rows last."""
    name = next(own for own in fitted.MAKERS if own.startswith("rule list") and "classes" not in own)
    model = fitted.fit(name)
    page = show(page_of(name))
    assert "says what is predicted" in page.locator("#rules").inner_text()
    shown = page.locator("#rules .rule-table > tbody > tr")
    assert shown.count() == 1 + len(model.terms_)
    assert "all other rows" in shown.last.inner_text()
    said = page.evaluate("gladeReport.facts.says.map((own) => own.words)")
    assert said[0].startswith("Where ")
    assert all(own.startswith("Else where ") for own in said[1:])
    assert not any("likely by" in own or "higher by" in own or "lower by" in own for own in said)


def test_missing_values_are_said_once_below_the_list(show):
    page = show(page_of("rules, class"))
    note = page.evaluate("gladeReport.facts.path.gaps")
    assert note
    assert f"{note[0].upper()}{note[1:]}." in page.locator("#rules > .help").all_inner_texts()
    chips = page.locator("#rules .chip").all_inner_texts()
    assert sum(words.endswith(" or missing") for words in chips) < len(chips) / 2


def test_a_smaller_size_is_told_beside_the_fitted_one(show):
    page = show(page_of("rules, class"))
    page.locator("#path-slider").press("Home")
    words = page.locator("#rules .beside").inner_text()
    model, (X, _) = fitted.fit("rules, class"), fitted.make_table()
    smaller = model.with_rules(page.evaluate("gladeReport.facts.path.steps[0].size"))
    n = int((model.predict(X) != smaller.predict(X)).sum())
    assert f"{n} of 300 rows get another class of kind" in words
    page.get_by_role("button", name="Back to the fitted model", exact=True).click()
    assert not page.locator("nav .resized").is_visible()


def test_a_multi_tree_says_whose_errors_are_told(show):
    page = show(page_of("multi-tree, classes"))
    alike = page.evaluate("gladeReport.facts.alike")
    assert f"for {round(100 * alike['share'])}% of the rows" in " ".join(page.locator("#tree .help").all_inner_texts())
    assert "All the trees together may say something else" in page.locator("#case").inner_text()


def test_a_forest_too_large_for_a_page_offers_rules_instead(show):
    X, y = fitted.make_table()
    model = ForestRegressor(150, random_state=0).fit(X, y["amount"])
    page = show(render_page(collect_facts(model, X, y["amount"])))
    assert "--model rules" in page.locator("#case").inner_text()


def test_names_from_right_to_left_keep_signs_in_their_place(show):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"ضغط": rng.normal(size=150), "b": rng.normal(size=150)})
    y = np.where(X["ضغط"] + rng.normal(0, 0.3, 150) > -0.2, "לא", "כן")
    model = RuleEnsembleClassifier(
        ForestClassifier(10, max_depth=2), max_rules=4, linear_terms=False, random_state=0
    ).fit(X, y)
    page = show(render_page(collect_facts(model, X, y)))
    chip = page.locator("#rules .chip:has(bdi)").filter(has_text=re.compile("ضغط [<>≤]")).first
    left = (
        "e => { const r = document.createRange(); r.selectNodeContents(e.lastChild);"
        " return r.getBoundingClientRect().left; }"
    )
    assert chip.evaluate(left) >= chip.locator("bdi").evaluate("e => e.getBoundingClientRect().right") - 1
    assert re.fullmatch(r"ضغط [<>≤] -?[\d.]+", chip.inner_text().strip())


def test_ten_thousand_rows_and_thirty_inputs_are_less_than_two_megabytes(show):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(np.round(rng.normal(size=(10_000, 30)), 6), columns=[f"input {j}" for j in range(30)])
    y = X["input 0"] + (X["input 1"] > 0) * X["input 2"] + rng.normal(0, 0.3, 10_000)
    model = RuleEnsembleRegressor(ForestRegressor(10, max_depth=4), max_rules=20, random_state=0).fit(X, y)
    text = render_page(collect_facts(model, X, y))
    assert len(text.encode()) < 2e6
    page = show(text)
    n_rows = page.evaluate("gladeReport.facts.sample.x.length")
    assert 500 < n_rows <= 2000
    assert page.evaluate("gladeReport.facts.quality.targets[0].rows") == 10_000  # figures are made of all rows
    assert f"A sample of {n_rows:,} rows" in page.locator("#case").inner_text()
