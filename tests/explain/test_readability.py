"""What a person has to read, counted by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from glade import ForestRegressor, RuleEnsembleRegressor
from glade.explain.readability import Readability, find_idle_terms


@pytest.fixture(scope="module")
def model():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": random.random(300).round(3), "b": random.random(300), "kind": random.choice(list("uvwxyz"), 300)}
    )
    y = 3 * (X["a"] > 0.7) * X["kind"].isin(["u", "v"]) + 2 * (X["b"] <= 0.2) + random.normal(0, 0.1, 300)
    X.loc[:9, "a"] = np.nan
    forest = ForestRegressor(10, max_depth=3)
    return RuleEnsembleRegressor(forest, max_rules=8, linear_terms=False, random_state=0).fit(X, y).model_


def test_counts_agree_with_the_frame(model):
    told, frame = Readability.of(model), model.to_frame().iloc[1:]
    conditions = [condition for own in frame["conditions"] for condition in own]
    assert told.terms == len(frame)
    assert told.conditions == len(conditions) == model.size.conditions
    assert told.longest == frame["conditions"].map(len).max()
    cuts = [c[side] for c in conditions for side in ("low", "high") if c[side] is not None]
    lengths = [len(repr(cut).replace(".", "").lstrip("-0").rstrip("0")) for cut in cuts]
    assert told.digits == pytest.approx(np.mean(lengths))
    assert told.most_digits == max(lengths)
    named = [min(len(c["categories"]), 6 - len(c["categories"])) for c in conditions if c["categories"] is not None]
    assert (told.categories_named, told.most_categories) == (sum(named), max(named, default=0))
    single = frame[frame["conditions"].map(len) == 1]
    assert told.wrong_side == (single["share"] > 0.5).sum()


def test_a_term_of_next_to_no_effect_is_idle(model):
    terms = model.terms
    assert find_idle_terms(terms).tolist() == [False] * len(terms)
    change = terms.change.copy()
    change[1] = 0.009 * terms.spread
    assert find_idle_terms(replace(terms, change=change)).tolist() == [k == 1 for k in range(len(terms))]


def test_an_offset_that_no_row_has_is_far(model):
    assert not Readability.of(model).far_offset
    step = model.step
    steps = tuple(replace(s, offset=s.offset + 3.0) if s is step else s for s in model.path.steps)
    assert Readability.of(replace(model, path=replace(model.path, steps=steps))).far_offset
