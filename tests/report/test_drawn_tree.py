"""Whose error is whose: of a multi-tree all its trees are judged, and the one that is drawn by itself."""

import numpy as np
import pytest

from glade import MixedMultiTree, MultiTreeClassifier, MultiTreeRegressor
from glade.cli.cross_validation import ONE_TREE, add_drawn, collect_unseen, cross_validate
from glade.cli.tables import UserTable
from glade.evaluate.drawn_tree import DrawnTree
from glade.models.errors import Rows, find_explained
from glade.report.facts import MAX_LEAVES, collect_facts
from glade.report.page import render_page
from tests import fitted
from tests.report.pages import targets_of

TARGETS = {"numbers": ["amount"], "classes": ["kind"], "mixed": ["amount", "kind"]}
KINDS = {"numbers": MultiTreeRegressor, "classes": MultiTreeClassifier, "mixed": MixedMultiTree}


@pytest.fixture(scope="module", params=list(TARGETS))
def judged(request):
    """A model, its page's facts, and what the trees of the folds said."""
    X, y = fitted.make_table()
    y = y[TARGETS[request.param]]
    known = y.notna().all(axis=1)
    X, y = X[known].reset_index(drop=True), y[known].reset_index(drop=True)
    model = KINDS[request.param](5, min_samples_leaf=10, random_state=0)
    model.fit(X, y if y.shape[1] > 1 else y.iloc[:, 0])
    data = UserTable(X, y, None, None, X.shape[1] + y.shape[1], (), {}, [])
    result = cross_validate(add_drawn({"all its trees": model}, model), data, 2, 0, 1)
    unseen = collect_unseen(result)
    return model, X, y, result, unseen, collect_facts(model, X, y, unseen=unseen)


def test_the_drawn_trees_errors_are_those_of_trees_chosen_alike_in_the_folds(judged):
    model, X, y, result, unseen, facts = judged
    expected = np.full(unseen.drawn.shape, np.nan)
    for train, test in result.folds():
        tree = DrawnTree(model, MAX_LEAVES).fit(X.iloc[train], y.iloc[train].squeeze()).tree_
        expected[test] = tree.predict_values(tree.encode(X.iloc[test]))
    np.testing.assert_allclose(unseen.drawn, expected, rtol=1e-9)
    assert not np.array_equal(unseen.drawn, unseen.values)
    for t, classes in enumerate(model.target_schema_.classes):
        own = unseen.drawn[:, model.target_schema_.channels_of(t)]
        truth = y.iloc[:, t].to_numpy() if classes is None else np.searchsorted(classes, y.iloc[:, t])
        share, _ = find_explained(Rows.of(truth.astype(float), own), classes is not None)
        assert facts["drawn"][t]["verdict"]["share"] == pytest.approx(share, abs=1e-12)
        error = (
            (own.argmax(axis=1) != truth).mean() if classes is not None else np.sqrt(((own[:, 0] - truth) ** 2).mean())
        )
        assert facts["drawn"][t]["error"] == pytest.approx(error, rel=1e-12)


def test_the_page_shows_them_beside_those_of_all_trees(show, judged):
    *_, facts = judged
    page = show(render_page(facts))
    lines = page.locator("#tree .whose tbody tr")
    assert lines.count() == len(facts["targets"])
    assert "chosen in the same way" in page.locator("#tree .whose caption").inner_text()
    for line, target in zip(lines.all(), facts["targets"], strict=True):
        assert line.locator("th").inner_text() == target["name"]
        assert line.locator("td").count() == 4


def test_without_folds_the_page_says_that_it_is_not_measured(show):
    model, (X, _) = fitted.fit("multi-tree, classes"), fitted.make_table()
    facts = collect_facts(model, X, targets_of(model))
    assert facts["drawn"] is None
    page = show(render_page(facts))
    assert "not measured here" in page.locator("#tree").inner_text()
    assert ONE_TREE not in page.locator("#errors").inner_text()
