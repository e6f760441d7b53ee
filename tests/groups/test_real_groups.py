"""Voices of 42 people, some 140 rows of each: age and sex tell the people apart, and say little of other people."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold

from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor
from tests.datasets import find_folder


@pytest.fixture(scope="module")
def voices():
    """Every fifth row: inputs, the motor score, and whose voice it is."""
    folder = find_folder()
    if folder is None or not (folder / "parkinsons.csv.gz").exists():
        pytest.skip("no data sets: set GLADE_DATA to the folder that holds manifest.json")
    table = pd.read_csv(folder / "parkinsons.csv.gz")[::5].reset_index(drop=True)
    return table.drop(columns=["motor_UPDRS", "total_UPDRS", "subject#"]), table["motor_UPDRS"], table["subject#"]


def error_for_new_people(model, voices, grouped):
    """The error in three folds of people, over that of the mean."""
    X, y, people = voices
    own, of_mean = 0.0, 0.0
    for train, test in GroupKFold(3, shuffle=True, random_state=0).split(X, y, people):
        model.fit(X.iloc[train], y.iloc[train], groups=people.iloc[train] if grouped else None)
        own += ((model.predict(X.iloc[test]) - y.iloc[test]) ** 2).sum()
        of_mean += ((y.iloc[train].mean() - y.iloc[test]) ** 2).sum()
    return np.sqrt(own / of_mean)


@pytest.mark.parametrize(
    "model",
    [
        TreeRegressor(ccp_alpha="cv", random_state=0),
        RuleEnsembleRegressor(
            [ForestRegressor(20, max_depth=4), ForestRegressor(20, method="boosting", max_depth=3)],
            max_rules=8,
            random_state=0,
        ),
    ],
    ids=["tree", "rules"],
)
def test_with_groups_a_model_of_new_people_is_hardly_worse_than_the_mean(model, voices):
    assert error_for_new_people(model, voices, grouped=True) < 1.08
    assert error_for_new_people(model, voices, grouped=False) > 1.15
