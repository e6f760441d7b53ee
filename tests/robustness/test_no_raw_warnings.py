"""No warning of NumPy's, SciPy's or scikit-learn's own reaches a user, whatever the numbers are."""

import warnings

import numpy as np
import pandas as pd
import pytest

import glade

N_ROWS = 40
KINDS = ("Regressor", "Classifier", "Mixed")
ESTIMATORS = [name for name in glade.__all__ if any(kind in name for kind in KINDS)]
RNG = np.random.default_rng(0)
BASE = RNG.normal(size=(N_ROWS, 3))
TABLES = {
    "huge": BASE * 1e300,
    "tiny": BASE * 1e-300,
    "subnormal": BASE * 1e-310,
    "constant": np.ones((N_ROWS, 3)),
    "of both signs and almost infinite": np.sign(BASE) * 1e308 * (0.7 + RNG.random(BASE.shape)),
    "of all sizes": BASE * 10.0 ** RNG.integers(-300, 300, BASE.shape),
    "with a column without values": np.where([False, True, False], np.nan, BASE),
    "of one row": BASE[:1],
    "of two rows": BASE[:2],
}


def make_targets(name, n_rows, unit=1.0):
    number = (BASE[:, 0] + BASE[:, 1] ** 2)[:n_rows]
    label = np.where(number > 0.5, "a", "b")
    if "Mixed" in name:
        return pd.DataFrame({"n": number * unit, "c": label})
    return number * unit if "Regressor" in name else label


def make_model(name):
    """Small ones: they compute what large ones do."""
    model = getattr(glade, name)()
    known = model.get_params(deep=False)
    if "generator" in known:
        forest = next(kind for kind in KINDS if kind in name).replace("Mixed", "")
        forests = {"Regressor": glade.ForestRegressor, "Classifier": glade.ForestClassifier, "": glade.MixedForest}
        model.set_params(generator=forests[forest](6, max_depth=3))
    small = {"random_state": 0, "n_estimators": 6}
    return model.set_params(**{key: value for key, value in small.items() if key in known})


def ask_all(model, X):
    """Everything that a model says of rows, and of itself."""
    answers = [model.predict(X)]
    answers += [model.predict_proba(X)] if hasattr(model, "predict_proba") else []
    explained = model.archetype(n_invented=100) if hasattr(model, "archetype") else model
    answers += [explained.explain(X), explained.to_text() if hasattr(explained, "to_text") else repr(explained)]
    return answers


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_number_makes_numpy_complain(name, table):
    X = pd.DataFrame(TABLES[table], columns=["a", "b", "c"])
    if name == "ScoreCardClassifier" and len(np.unique(make_targets(name, len(X)))) == 1:
        pytest.skip("a score card needs two classes, and says so")
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        model = make_model(name).fit(X, make_targets(name, len(X)))
        predicted = ask_all(model, X)[0]
    numbers = pd.DataFrame(predicted).select_dtypes("number").to_numpy()
    assert np.isfinite(numbers).all()


@pytest.mark.parametrize("unit", [1e300, 1e-300])
@pytest.mark.parametrize("name", [name for name in ESTIMATORS if "Classifier" not in name])
def test_no_target_makes_numpy_complain(name, unit):
    """With inputs of the opposite size, where the effect of a unit is beyond the largest double."""
    X = pd.DataFrame(BASE / unit, columns=["a", "b", "c"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        model = make_model(name).fit(X, make_targets(name, len(X), unit))
        assert np.isfinite(pd.DataFrame(ask_all(model, X)[0]).select_dtypes("number").to_numpy()).all()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_infinite_numbers_are_refused_in_one_sentence(name):
    X = pd.DataFrame(BASE, columns=["a", "b", "c"])
    X.loc[3, "b"] = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"^column 'b' holds inf in row 3: replace infinite values, or leave"):
            make_model(name).fit(X, make_targets(name, N_ROWS))


@pytest.mark.filterwarnings("ignore:column 'x' equals target")
def test_linear_terms_of_huge_inputs_count():
    """The square of 1e300 is no double: such an input had a linear term that was nothing."""
    x = np.linspace(-1, 1, 60)
    for unit in (1e-100, 1.0, 1e200, 1e300):
        model = glade.RuleFitRegressor(glade.ForestRegressor(3, max_depth=1), random_state=0)
        model.fit(pd.DataFrame({"x": x * unit}), x)
        linear = model.terms_.design.linear
        assert len(linear) == 1
        assert linear.scale[0] * unit == pytest.approx(0.7, abs=0.1)
        assert np.abs(model.predict(pd.DataFrame({"x": x * unit})) - x).max() < 0.15
