"""The car table of the CART source, run anew."""

import numpy as np
import pytest

from glade.grow.pruning import Prunable
from glade.models.forest import ForestRegressor
from glade.models.tree import TreeRegressor
from studies import reproduce
from studies.cart.counts import count_alphas
from studies.cart.forests import (
    CURVE,
    LEAF,
    REDRAW,
    find_curve,
    judge_out_of_bag,
    name_forest,
)
from studies.figures import Settings
from studies.rendering import to_text, write_document
from tests.datasets import find_folder, load_dataset


@pytest.mark.filterwarnings("ignore:.*no out-of-bag prediction")
def test_the_best_of_a_curve_is_in_the_unit_of_the_target():
    """At its end the curve is the out-of-bag error of the whole ensemble."""
    rng = np.random.default_rng(0)
    X = rng.random((80, 2))
    cars = X, 1000 * X[:, 0] + rng.normal(0, 50, 80)
    forest = ForestRegressor(CURVE.start + 1, method="bagging", oob_score=True, random_state=0)
    assert find_curve(forest, cars)[-1] == pytest.approx(judge_out_of_bag(forest, cars)[0])


def test_the_cart_study(tmp_path):
    """One run, as it takes seconds: the table and the picture."""
    load_dataset("car_msrp")  # skips where there is none
    cart = reproduce("cart", Settings(folder=find_folder(), quick=True, progress=False))
    table = cart.frame().set_index(["row", "metric"])

    # On the folds of the source the trees with limits come out as printed.
    assert table.loc[("tree, split 100 / leaf 40", "RMSE"), "same"] == pytest.approx(32058.9, abs=0.05)
    assert table.loc[("tree, split 100 / leaf 40", "MAPE %"), "same"] == pytest.approx(17.60, abs=0.011)
    assert table.loc[("tree, split 20 / leaf 5", "RMSE"), "same"] == pytest.approx(24598.45, rel=5e-4)
    assert table.loc[("tree, split 20 / leaf 5", "MAPE %"), "same"] == pytest.approx(9.84, abs=0.02)

    # Chosen on the test part itself, a subtree cannot be worse there than the whole tree.
    ours = {figure.row: np.array(figure.ours) for figure in cart.figures if figure.metric == "RMSE"}
    assert (ours["pruned, alpha by the test part (optimistic)"] <= ours["unpruned tree"]).all()
    assert table.loc[("pruned, alpha by inner folds (honest)", "RMSE"), "verdict"] == "not published"

    assert table.loc[("full tree on all rows", "leaves"), "mean"] == pytest.approx(5575, rel=0.03)
    assert all(figure.ours for figure in cart.figures)

    # Where nodes that the drawn inputs cannot split are leaves, few inputs do harm as published; else they do not.
    for inputs in ("1 input", "sqrt(p) inputs", "log2(p) inputs"):
        leaf, redraw = (table.loc[(name_forest(inputs, rule), "RMSE")] for rule in (LEAF, REDRAW))
        assert leaf["mean"] == pytest.approx(leaf["published"], rel=0.2)
        assert redraw["mean"] < leaf["mean"]

    write_document(cart, "python -m studies cart --quick", tmp_path)
    for name in ("cart-study", "cart-bagging", "cart-inputs"):
        assert (tmp_path / f"{name}.png").stat().st_size > 5000
    assert any("Study of the limits" in note for note in cart.notes)
    assert max(map(len, to_text(cart).splitlines())) <= 125


def test_alphas_are_those_of_the_weakest_links():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (150, 3)).astype(float), rng.normal(size=150)
    tree = TreeRegressor(max_bins=None).fit(X, y)
    alphas = Prunable.of(tree.tree_).path().alpha
    assert count_alphas(tree.tree_, X, y, -1)[1] == len(alphas) - 1  # the first alpha, 0, cuts nothing
    assert count_alphas(tree.tree_, X, y, 1)[1] != len(alphas) - 1
