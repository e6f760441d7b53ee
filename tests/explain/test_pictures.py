"""Pictures: drawn for every kind of result, with names as they are."""

import numpy as np
import pandas as pd
import pytest

import glade
from glade import ForestClassifier, ForestRegressor, RuleEnsembleClassifier, RuleEnsembleRegressor, TreeRegressor
from glade.core.errors import InputError
from glade.explain.waterfall import draw_waterfall
from tests.rules.tables import fit, make_table, quietly

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

X, Y = make_table(n_rows=80, seed=3)
HOSTILE = {"size": "<b>$x^{$", "kind": "a\nb\x1b[31m", "grade": "$" * 90}
ODD = X.rename(columns=HOSTILE).assign(**{HOSTILE["kind"]: X["kind"].map("<script>{}$".format, na_action="ignore")})


@pytest.fixture(scope="module")
def rules():
    return fit(
        RuleEnsembleRegressor(ForestRegressor(10, max_depth=3), random_state=0, max_rules=8),
        ODD, Y[["number", "other"]].rename(columns={"number": "<i>$"}),
    )  # fmt: skip


def draw(axes):
    figure = (axes[0] if isinstance(axes, list) else axes).figure
    figure.canvas.draw()
    plt.close(figure)
    return axes


def test_every_picture_is_drawn_with_hostile_names(rules):
    for inputs in (HOSTILE["size"], HOSTILE["kind"], "count", [HOSTILE["size"], HOSTILE["kind"]]):
        panels = draw(quietly(glade.dependence, rules, ODD, inputs).plot())
        assert len(panels) == 2
    draw(quietly(glade.interactions, rules, ODD, n_null=0).plot())
    draw(quietly(glade.interactions, rules, ODD, Y[["number", "other"]].to_numpy(), n_null=2).plot(of="inputs", by="h"))
    draw(quietly(glade.waterfall, rules, ODD, 3).plot())
    draw(glade.importances(rules).plot())
    draw(glade.importances(rules, "rules", target="other").plot())


def test_one_panel_is_drawn_where_it_is_asked_for(rules):
    _, ax = plt.subplots()
    assert quietly(glade.dependence, rules, ODD, 0).plot(ax, target="other") is ax
    with pytest.raises(ValueError, match="2 panels for one axes"):
        quietly(glade.dependence, rules, ODD, 0).plot(ax)
    with pytest.raises(InputError, match="no such target"):
        quietly(glade.dependence, rules, ODD, 0).plot(target="none")
    plt.close(ax.figure)


def test_a_thousand_categories_and_many_classes():
    many = pd.DataFrame({"city": [f"c{k}" for k in range(1000)], "x": np.arange(1000.0)})
    model = fit(ForestClassifier(3, max_depth=3, random_state=0), many, np.arange(1000) % 12)
    found = quietly(glade.dependence, model, many, "city")
    assert found.values.shape == (1000, 12)
    draw(found.plot())
    draw(quietly(glade.dependence, model, many, ["city", "x"]).plot(label=3))


def test_two_classes_of_rules_are_one_line():
    model = fit(RuleEnsembleClassifier(ForestClassifier(5, max_depth=3), random_state=0), X, Y["number"] > 0)
    found = quietly(glade.dependence, model, X, "count")
    assert found.adds_scores
    (line,) = [line for line in draw(found.plot()).lines if line.get_linestyle() == "-"]
    np.testing.assert_array_equal(line.get_ydata(), found.values[: found.axes[0].n_known, 1])


@pytest.mark.parametrize("max_bars", [2, 3, 100])
def test_a_waterfall_ends_at_the_prediction(rules, max_bars):
    prediction = quietly(rules.predict, ODD)
    for row in (0, 7):
        bars = quietly(glade.waterfall, rules, ODD, row, target="other", max_bars=max_bars)
        assert bars.end[-1] == pytest.approx(prediction[row, 1])
        assert bars.frame()["contribution"].sum() == pytest.approx(prediction[row, 1])
        assert len(bars.names) <= max_bars + 1
        assert bars.names[-1] == "the prediction"
        np.testing.assert_array_equal(bars.start[1:-1], bars.end[:-2])
        assert (bars.start[-1], bars.end[-1]) == (bars.start[0], bars.end[-2])  # all steps in one


def test_a_waterfall_of_the_likeliest_class():
    model = fit(ForestClassifier(5, random_state=0), X, Y["label"])
    shares = quietly(model.predict_proba, X)
    bars = quietly(glade.waterfall, model, X, 4)
    assert bars.end[-1] == pytest.approx(shares[4].max())
    assert str(model.classes_[shares[4].argmax()]) in bars.title
    frame = quietly(model.explain, X)
    assert draw_waterfall(frame, 4).end[-1] == bars.end[-1]
    assert draw_waterfall(frame, 4, label="odd").end[-1] == pytest.approx(shares[4, list(model.classes_).index("odd")])
    for wrong in ({"row": 99}, {"target": "no"}, {"label": "no"}, {"max_bars": 1}):
        with pytest.raises(InputError):
            draw_waterfall(frame, **{"row": 4, **wrong})
    with pytest.raises(InputError, match="there is no row 80"):
        quietly(glade.waterfall, model, X, 80)


def test_importances_are_those_of_the_model(rules):
    frame = glade.importances(rules).frame()
    assert frame["importance"].is_monotonic_decreasing
    np.testing.assert_allclose(np.sort(frame["importance"]), np.sort(rules.feature_importances_))
    assert len(glade.importances(rules, max_bars=2).names) == 2
    with pytest.raises(InputError, match="no weighted rules"):
        glade.importances(fit(TreeRegressor(), X, Y["number"]), "rules")


def test_importances_local_to_rows():
    """Of a rule ensemble: Friedman and Popescu's |change| * |value - mean| of each term, shared by its inputs."""
    model = fit(RuleEnsembleRegressor(ForestRegressor(10, max_depth=3), random_state=0), X, Y["number"])
    row, terms, rules = X.iloc[[4]], model.terms_, model.rules_
    looks_at = [rules.conditions.input[rules.start[k] : rules.start[k + 1]] for k in range(len(rules))]
    looks_at += [[j] for j in terms.design.linear.input]
    expected = np.zeros(X.shape[1])
    values = quietly(model.transform, row)[0]
    for k, own in enumerate(looks_at):
        expected[own] += abs(terms.change[k, 0] * (values[k] - terms.share[k])) / len(own)
    frame = quietly(glade.importances, model, X=row).frame().set_index("input")
    np.testing.assert_allclose(frame.loc[list(X.columns), "importance"], expected / expected.sum())
    tree = fit(TreeRegressor(max_depth=3), X, Y["number"])
    credits = quietly(tree.explain, row).iloc[1:].set_index("term")["contribution"].abs()
    local = quietly(glade.importances, tree, X=row).frame().set_index("input")["importance"]
    np.testing.assert_allclose(local[credits.index], credits / credits.sum())
    with pytest.raises(InputError, match="waterfall"):
        glade.importances(model, "rules", X=row)


def test_a_notebook_shows_diagram_and_rules(rules):
    bundle = rules._repr_mimebundle_()
    html = bundle["text/html"]
    assert rules._repr_html_().endswith(html[html.rindex("<table") :])
    table = html[html.rindex("<table") : html.rindex("</table>")]
    assert table.count("<tr>") == 2 + len(rules.terms_)
    assert "&lt;b&gt;" in table
    for tag in ("<b>", "<script>", "onerror"):
        assert tag not in table
    assert bundle["text/plain"] == repr(rules)


def test_a_notebook_shows_trees_and_forests_once_they_are_fitted():
    for model in (TreeRegressor(max_leaf_nodes=5), ForestRegressor(3, random_state=0)):
        assert "glade-panel" not in model._repr_html_()
        html = quietly(model.fit, ODD, Y["number"])._repr_html_()
        table = html[html.rindex("<table") : html.rindex("</table>")]
        assert table.count("<tr>") == 1 + (model.tree_.n_nodes if hasattr(model, "tree_") else ODD.shape[1])
        assert "&lt;b&gt;" in table
        for tag in ("<b>", "<script>"):
            assert tag not in table


def texts_of(ax):
    return [text.get_text() for text in ax.texts]


def test_a_drawn_tree_holds_the_rows_and_predictions_of_each_node():
    model = glade.MixedTree(max_leaf_nodes=6).fit(X, Y[["number", "label"]])
    ax = draw(model.plot(max_depth=9))
    tree, texts = model.tree_, texts_of(ax)
    assert sorted(own for own in texts if own.endswith(" rows")) == sorted(
        ["all rows", *(f"{int(n)} rows" for n in tree.rows)]
    )
    assert len(ax.patches) >= tree.n_nodes
    assert sum(own.startswith("label: ") for own in texts) == tree.n_nodes
    first_words = [line.split()[0] for line in model.to_text().splitlines()[3:]]
    drawn = [own.split()[0] for own in texts if " rows" not in own and ": " not in own]
    assert [word for word in drawn if word in set(X)] == first_words


def test_a_deep_tree_with_hostile_names_is_drawn_to_a_depth():
    model = quietly(TreeRegressor().fit, ODD, Y["number"])
    assert int(model.tree_.depth.max()) > 2
    ax = draw(model.plot(max_depth=2))
    assert sum(" rows" in own for own in texts_of(ax)) <= 8  # two levels of splits, and "all rows"
    assert any("more nodes" in own for own in texts_of(ax))
    one = draw(glade.TreeClassifier(min_samples_leaf=80).fit(X, Y["label"]).plot())
    assert texts_of(one)[0] == "all rows"
    archetype = glade.MultiTreeClassifier(3, random_state=0).fit(X, Y["label"]).archetype(max_leaf_nodes=4)
    draw(archetype.plot())
