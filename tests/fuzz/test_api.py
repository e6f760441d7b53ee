"""Random tables for every estimator: a fit is refused in one sentence, or the model keeps all promises.

`GLADE_FUZZ_SECONDS` says how long it runs (15), `GLADE_FUZZ_SEED` which cases it makes. A failure names its case; the
case alone runs as `python -m tests.fuzz.test_api SEED CASE`.
"""

import pickle
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import glade
from tests.fuzz.measuring import SECONDS, SEED, Costs
from tests.fuzz.settings import Hint, draw_settings
from tests.fuzz.tables import Case, make_case

MOST_MEMORY = 200e6  # bytes that the fit of a table of at most 120 rows may take
PACKAGE = Path(glade.__file__).parent
GROVE, CLASS_GROVE = glade.ForestRegressor(5, max_depth=3), glade.ForestClassifier(5, max_depth=3)
MIXED_GROVE = glade.MixedForest(5, max_depth=3)
MODELS: dict[str, tuple[Any, ...]] = {
    "numbers": (
        glade.TreeRegressor(),
        glade.TreeRegressor(ccp_alpha="cv", cv=3, f_test=0.1),
        glade.TreeRegressor(max_bins=4, max_leaf_nodes=5, missing_targets="ignore"),
        glade.TreeRegressor(cuts="nice", max_depth=4),
        glade.BeamTreeRegressor(3, max_leaf_nodes=5, diversity=0.5),
        glade.RuleListRegressor(4, cv=2),
        glade.ForestRegressor(4, oob_score=True, n_jobs=2),
        glade.ForestRegressor(4, method="boosting", learning_rate=0.3),
        glade.ForestRegressor(4, method="boosting", loss="poisson"),
        glade.ForestRegressor(4, method="extra_trees", per_target=True),
        glade.ForestRegressor(4, method="isle", max_samples=0.5, random_size="leaves"),
        glade.MultiTreeRegressor(5, min_samples_leaf=3),
        glade.RuleEnsembleRegressor(GROVE, cv=2),
        glade.RuleEnsembleRegressor(GROVE, soft="both", max_rules=4, cv=2, missing_targets="ignore"),
        glade.RuleEnsembleRegressor(GROVE, rules_from="trees", cv=2),
        glade.RuleEnsembleRegressor(GROVE, logic=True, max_rules=4, cv=2),
        glade.RuleFitRegressor(GROVE, cv=2),
        glade.SoftRulesRegressor(GROVE, cv=2),
        glade.FIRERegressor(GROVE, weights=glade.Gradient(max_iter=50)),
    ),
    "classes": (
        glade.TreeClassifier(),
        glade.TreeClassifier(criterion="gain_ratio", class_weight="balanced"),
        glade.ForestClassifier(4, oob_score=True, n_jobs=2),
        glade.ForestClassifier(4, method="boosting", max_depth=2),
        glade.ForestClassifier(4, voting="majority"),
        glade.MultiTreeClassifier(5, min_samples_leaf=3),
        glade.RuleEnsembleClassifier(CLASS_GROVE, cv=2),
        glade.RuleEnsembleClassifier(CLASS_GROVE, weights="ridge", max_rules=None, cv=2),
        glade.RuleFitClassifier(CLASS_GROVE, cv=2),
        glade.SoftRulesClassifier(CLASS_GROVE, cv=2),
        glade.BeamTreeClassifier(3, max_leaf_nodes=5),
        glade.RuleListClassifier(4, cv=2),
        glade.ScoreCardClassifier(3, generator=CLASS_GROVE, cv=2),
    ),
    "mixed": (
        glade.MixedTree(),
        glade.MixedForest(4),
        glade.MixedForest(4, method="boosting"),
        glade.MixedRuleEnsemble(MIXED_GROVE, cv=2),
        glade.MixedRuleList(4, cv=2),
        glade.MixedMultiTree(5, min_samples_leaf=3),
    ),
}


def assert_refused_well(fault: Exception, case: Case) -> None:
    """The exception is of the user's kind, is one that glade or scikit-learn words itself, and says something."""
    assert isinstance(fault, (ValueError, TypeError)), case.story
    last = traceback.extract_tb(fault.__traceback__)[-1]
    assert str(PACKAGE) in last.filename or "sklearn" in last.filename, f"raised in {last.filename}: {fault}"
    assert str(last.line).startswith("raise"), f"not worded by us, but come out of {last.line!r}: {fault}"
    assert str(fault).strip(), case.story


def to_array(prediction: Any) -> np.ndarray:
    """A prediction of any form as an array of rows."""
    return prediction.to_numpy() if isinstance(prediction, pd.DataFrame) else np.asarray(prediction)


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Some rows of any table."""
    if isinstance(X, pd.DataFrame):
        return X.iloc[rows]
    return X.take(rows) if hasattr(X, "schema") and not hasattr(X, "height") else X[rows]


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    """Labels are equal, numbers to the last few bits."""
    is_number = [np.asarray(a).dtype.kind == "f" for a in (found, expected)]
    if all(is_number):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-300)
    else:
        assert found.astype(str).tolist() == expected.astype(str).tolist()


def assert_finite(model: Any, X: Any, prediction: np.ndarray) -> None:
    """Predicted numbers are finite, and probabilities are probabilities."""
    if prediction.dtype.kind == "f":
        assert np.isfinite(prediction).all()
    if hasattr(model, "predict_proba"):
        found = model.predict_proba(X)
        parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else [found]
        for part in map(to_array, parts):
            assert ((part >= 0) & (part <= 1)).all()
            np.testing.assert_allclose(part.sum(axis=1), 1.0, rtol=1e-9)


def can_be_read_back(model: Any) -> bool:
    """Whether JSON gives a model for the same table: multi-trees have none, and intervals become text."""
    labels = [label for own in model.schema_.labels for label in own or ()]
    return not hasattr(model, "multitree_") and all(isinstance(label, (str, int, float)) for label in labels)


def check_model(model: Any, case: Case, random: np.random.Generator, folder: Path) -> None:
    """All that holds for every fitted model."""
    X, prediction = case.X, to_array(model.predict(case.X))
    n_rows = len(prediction)
    assert_finite(model, X, prediction)
    order = random.permutation(n_rows)
    assert_same(to_array(model.predict(take_rows(X, order))), prediction[order])
    one = np.array([int(random.integers(n_rows))])
    assert_same(to_array(model.predict(take_rows(X, one))), prediction[one])
    assert_same(to_array(pickle.loads(pickle.dumps(model)).predict(X)), prediction)
    model.save(folder / "model.glade")
    loaded = glade.load(folder / "model.glade")
    assert to_array(loaded.predict(X)).tobytes() == prediction.tobytes() or prediction.dtype == object
    assert_same(to_array(loaded.predict(X)), prediction)
    if can_be_read_back(model):
        read = glade.from_json(glade.export(model, "json"))  # classes that are just as probable may change places
        assert read.target_schema_.decisions_of_all == model.target_schema_.decisions_of_all
        assert_same(read.predict_values(read.encode(X)), model.predict_values(model.encode(X)))
    again = clone(model).fit(X, case.y, sample_weight=case.weights)
    assert_same(to_array(again.predict(X)), prediction)
    simple = model.archetype(n_invented=50) if hasattr(model, "archetype") else model  # a multi-tree has no words
    assert np.isfinite(simple.explain(X)["contribution"]).all()
    assert simple.to_text() if hasattr(simple, "to_text") else True


def seeded(model: Any) -> Any:
    """A copy that draws the same each time; beams draw nothing."""
    copy = clone(model)
    return copy.set_params(random_state=0) if "random_state" in copy.get_params(deep=False) else copy


def make_hint(case: Case) -> Hint:
    """What the inputs, targets and labels of a case are called, as far as they have names."""
    inputs = list(range(case.X.shape[1])) if isinstance(case.X, np.ndarray) else list(case.X.columns)
    if hasattr(case.X, "schema") and not hasattr(case.X, "height"):
        inputs = case.X.column_names
    columns = case.y if isinstance(case.y, pd.DataFrame) else pd.DataFrame({"target": case.y})
    labels = {name: sort_labels(columns[name]) for name in columns}
    return Hint(inputs, list(columns), labels)


def sort_labels(column: pd.Series) -> list[Any]:
    """The first few labels of a column, in the order of classes."""
    known = list(dict.fromkeys(label if getattr(label, "__hash__", None) else str(label) for label in column.dropna()))
    return sorted(known, key=str)[:9]


def run_case(seed: int, number: int, folder: Path) -> bool:
    """Make a case, fit it, check the model. Returns whether there was a model."""
    random = np.random.default_rng((seed, number))
    task = ("numbers", "classes", "mixed")[int(random.choice(3, p=[0.45, 0.35, 0.2]))]
    model = seeded(MODELS[task][int(random.integers(len(MODELS[task])))])
    case = make_case(random, task)
    settings = draw_settings(random, set(model.get_params(deep=False)), make_hint(case))
    model.set_params(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)
        try:
            model.fit(case.X, case.y, sample_weight=case.weights)
        except Exception as fault:
            try:
                assert_refused_well(fault, case)
            except AssertionError:
                raise AssertionError(f"case {number} of seed {seed}: {model}, {case.story}: {fault!r}") from fault
            return False
        try:
            check_model(model, case, random, folder)
        except Exception as fault:
            raise AssertionError(f"case {number} of seed {seed}: {model}, {case.story}: {fault!r}") from fault
    return True


def warm_up(folder: Path) -> None:
    """Fit each model once, so that no case pays for loading the kernels."""
    random = np.random.default_rng(0)
    number, word = random.normal(size=(40, 2)), np.array(["a", "b"])[random.integers(0, 2, 40)]
    X = pd.DataFrame({"a": number[:, 0], "b": word})
    amount = np.exp(number[:, 1])  # some of the models are for counts, and some for two classes
    y = {"numbers": amount, "classes": word, "mixed": pd.DataFrame({"y": amount, "z": word})}
    for task, models in MODELS.items():
        for model in models:
            fitted = seeded(model).fit(X, y[task])
            check_model(fitted, Case(X, y[task], None, ""), random, folder)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_random_tables_are_refused_in_one_sentence_or_give_models_that_keep_all_promises(tmp_path, capsys):
    warm_up(tmp_path)
    costs, n_models, number, end = Costs(), 0, -1, time.monotonic() + SECONDS
    while time.monotonic() < end:
        number += 1
        with costs.measure(f"case {number}"):
            n_models += run_case(SEED, number, tmp_path)
    with capsys.disabled():
        print(f"\napi fuzzer, seed {SEED}: {n_models} models in {costs}")
    assert n_models > 0
    too_large = {case: size for case, size in costs.memory.items() if size > MOST_MEMORY}
    assert not too_large


if __name__ == "__main__":
    print("a model" if run_case(int(sys.argv[1]), int(sys.argv[2]), Path(".")) else "refused")
