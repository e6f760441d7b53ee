"""Forests and trees of tables in partitions grow on a sample, and are judged on rows beside it."""

import numpy as np
import pytest

import glade
from tests.scale.test_rules import INPUTS

pytestmark = pytest.mark.filterwarnings("ignore:trees are grown on")


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (glade.ForestRegressor(10, random_state=0), "number"),
        (glade.ForestClassifier(10, random_state=0), "three"),
        (glade.MixedForest(10, random_state=0), ["number", "two"]),
        (glade.ForestRegressor(20, method="boosting", random_state=0), "number"),
        (glade.TreeClassifier(max_depth=4, random_state=0), "two"),
    ],
    ids=["numbers", "classes", "mixed", "boosted", "tree"],
)
def test_trees_are_those_of_the_sample_whatever_the_partitions(model, target, folders, table, small_samples):
    grown = []
    for folder in folders[:2]:
        data = glade.open_partitions(folder)
        model.fit(data[INPUTS], data[target])
        grown.append(model.predict_values(model.encode(table[INPUTS])))
    assert np.array_equal(*grown)


def test_a_forest_is_judged_on_rows_it_was_not_fitted_to(folders, table, small_samples):
    data = glade.open_partitions(folders[1])
    forest = glade.ForestRegressor(20, min_samples_leaf=3, random_state=0).fit(data[INPUTS], data["number"])
    errors = forest.errors_.set_index("metric")
    others = ~np.isin(np.arange(len(table)), data.sample(1200, forest_seed()).index)
    own = np.sqrt(np.mean((forest.predict(table[INPUTS])[others] - table["number"][others]) ** 2))
    assert errors.loc["rmse", "value"] == pytest.approx(own)
    assert errors.loc["rmse", "standard_error"] > 0


def forest_seed():
    """The seed that random_state=0 leads to."""
    from glade.core.seeds import draw_seed

    return draw_seed(0)
