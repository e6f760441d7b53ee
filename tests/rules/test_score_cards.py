"""Score cards: whole points, risks, honest sizes, files, exports, the command line."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import glade
from glade import ForestClassifier, ScoreCardClassifier
from glade.weights.score_card import CardRows, find_points, fit_unit, fit_weights

RANDOM = np.random.default_rng(0)
N = 500
X = pd.DataFrame({"a": RANDOM.normal(size=N), "b": RANDOM.normal(size=N), "c": RANDOM.choice(["u", "v", "w"], N)})
X.loc[::11, "a"] = np.nan
SCORE = 2.0 * (X["a"] > 0.3) + 1.0 * (X["b"] > 0) - 1.5 * (X["c"] == "u") - 1.0
Y = np.where(RANDOM.random(N) < 1 / (1 + np.exp(-SCORE)), "yes", "no")


@pytest.fixture(scope="module")
def card():
    return ScoreCardClassifier(max_lines=5, random_state=0).fit(X, Y)


def test_a_card_says_what_the_model_says(card):
    """By hand: add up the points of the lines that are true, and look the risk up."""
    points, table = card.card_["points"].to_numpy(), card.risk_table_.set_index("points")
    assert 1 <= len(points) <= 5
    assert points.dtype.kind == "i"
    assert set(np.abs(points)) <= {1, 2, 3, 4, 5}
    words = card.rules_.words
    lines = {word: card.transform(X)[:, k] for k, word in enumerate(words)}
    total = sum(lines[rule] * value for rule, value in zip(card.card_["rule"], points, strict=True)).astype(int)
    event = card.classes_.tolist().index(card.event_)
    np.testing.assert_allclose(table.loc[total, "risk"], card.predict_proba(X)[:, event])
    counts = pd.Series(total).value_counts()
    assert (table.loc[counts.index, "rows"] == counts).all()
    observed = pd.Series(card.event_ == Y).groupby(total).mean()
    np.testing.assert_allclose(table.loc[observed.index, "observed"], observed)
    assert table["risk"].is_monotonic_increasing
    assert table["risk"].between(0.001, 0.999).all()


def test_a_card_finds_what_was_planted_and_is_printed(card):
    text = card.to_text()
    assert text.splitlines()[0] == f"score card of {len(card.card_)} lines for y: {card.event_}"
    assert (card.feature_importances_ > 0).all()
    assert card.score(X, Y) > 0.65
    assert card.path_.error[-1] < 0.9
    assert card.predict_proba(X).min() > 0


def test_the_event_is_the_rarer_class_unless_one_is_asked_for(card):
    rarer = "yes" if (Y == "yes").mean() <= 0.5 else "no"
    other = {"yes": "no", "no": "yes"}[rarer]
    assert card.event_ == rarer
    asked = ScoreCardClassifier(max_lines=5, event=other, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(asked.predict_proba(X), card.predict_proba(X))
    mine, theirs = (model.card_.set_index("rule")["points"] for model in (card, asked))
    assert (mine == -theirs[mine.index]).all()


def test_points_are_the_best_of_all_whole_ones():
    rows = CardRows(np.zeros((200, 1)), (RANDOM.random(200) < 0.5).astype(float), RANDOM.integers(1, 3, 200) * 1.0)
    values = (RANDOM.random((200, 3)) < 0.4).astype(float)
    rows = CardRows(rows.matrix, (RANDOM.random(200) < 0.2 + 0.5 * values[:, 0]).astype(float), rows.weights)
    weights = fit_weights(values, rows.y, rows.weights)[0][1:]
    found = find_points(rows, values, weights, 3)
    whole = [np.array(p) for p in product((-3, -2, -1, 1, 2, 3), repeat=3)]
    assert rows.measure(values, found) == pytest.approx(min(rows.measure(values, p) for p in whole))


def test_the_unit_is_that_of_least_penalised_loss():
    sums, counts = np.array([-1.0, 0.0, 2.0]), np.array([10.0, 20.0, 30.0])
    events = np.array([1.0, 6.0, 22.0])

    def loss(at):
        scores = at[0] + at[1] * sums
        return counts @ np.logaddexp(0, scores) - events @ scores + 5.0 * at[1] ** 2 / 2

    unit, offset, least = fit_unit(sums, counts, events, 5.0)
    expected = minimize(loss, np.zeros(2), tol=1e-12)
    np.testing.assert_allclose([offset, unit], expected.x, atol=1e-4)
    assert least == pytest.approx(expected.fun)


def test_weights_groups_and_unknown_classes_of_rows():
    weights = 1.0 + np.arange(N) % 2
    model = ScoreCardClassifier(3, cv=2, random_state=0, missing_targets="ignore")
    y = pd.Series(Y, dtype=object).where(np.arange(N) % 9 > 0)
    model.fit(X, y, sample_weight=weights, groups=np.arange(N) // 5)
    assert model.risk_table_["rows"].sum() == weights[y.notna()].sum()


def test_a_card_is_saved_made_smaller_and_exported(card, tmp_path):
    card.save(tmp_path / "card.glade")
    again = glade.load(tmp_path / "card.glade")
    pd.testing.assert_frame_equal(again.card_, card.card_)
    pd.testing.assert_frame_equal(again.risk_table_, card.risk_table_)
    assert again.to_text() == card.to_text()
    small = card.with_rules(2)
    assert len(small.card_) <= 2
    assert small.risk_table_["rows"].isna().all()
    assert "score card" in small.to_text()
    names = {"__name__": "module"}
    exec(compile(glade.export(card, "python"), "module", "exec"), names)  # noqa: S102
    told = names["predict_proba"](X.iloc[1].to_dict())
    np.testing.assert_allclose(list(told["y"].values()), card.predict_proba(X.iloc[1:2])[0])
    told = card.explain(X.head(3))
    assert {"row", "target", "class", "term", "contribution"} <= set(told.columns)


def test_what_a_card_cannot_do_is_said():
    with pytest.raises(ValueError, match=r"Only binary classification is supported.*'y' has 3"):
        ScoreCardClassifier().fit(X[["a"]], X["c"].rename("y"))
    with pytest.raises(ValueError, match="a card for each"):
        ScoreCardClassifier().fit(X[["a"]], pd.DataFrame({"u": Y, "v": Y}))
    with pytest.raises(ValueError, match="event='maybe' is no class"):
        ScoreCardClassifier(event="maybe").fit(X, Y)
    with pytest.raises(ValueError, match="has one class"):
        ScoreCardClassifier().fit(X, np.full(N, "yes"))


def test_noise_gives_a_card_without_lines_and_any_forest_may_give_rules():
    y = np.where(RANDOM.random(N) < 0.2, "yes", "no")
    model = ScoreCardClassifier(generator=ForestClassifier(5, max_depth=2), max_conditions=2, random_state=0).fit(X, y)
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx(0.2, abs=0.08)
    empty = model.with_rules(0)
    assert len(empty.card_) == 0
    assert empty.risk_table_["points"].tolist() == [0]
    assert "score card of 0 lines" in empty.to_text()
