"""Heavy loads: many fits and predictions; many classes, targets, categories, inputs, columns and rows (L1 to L12).

Each finishes in bounded memory, or is refused in one sentence. With `GLADE_LONG=1` the sizes are those of the page
on robustness.
"""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import glade
from glade.files.read import read_file
from tests.fuzz.measuring import Costs, read_memory

IS_LONG = "GLADE_LONG" in os.environ
MOST_MEMORY = 4e9


def choose(short: int, long: int) -> int:
    """The size for the suite, or that of the campaign."""
    return long if IS_LONG else short


@pytest.fixture
def bounded():
    """Fails if what happens inside takes more memory than it may."""
    costs = Costs()
    with costs.measure("load"):
        yield
    assert costs.memory["load"] < MOST_MEMORY


def fit_and_predict(seed: int) -> bytes:
    random = np.random.default_rng(seed % 5)
    X = random.normal(size=(300, 5))
    model = glade.RuleEnsembleRegressor(glade.ForestRegressor(10, max_depth=3), max_rules=5, random_state=0)
    return model.fit(X, X[:, 0] + (X[:, 1] > 0)).predict(X).tobytes()


@pytest.mark.parametrize("way", ["threads", "spawn", "fork"])
def test_many_fits_at_once_are_those_of_one_after_another(way):
    n = choose(8, 100)
    expected = [fit_and_predict(k) for k in range(5)]
    if way == "threads":
        pool = ThreadPoolExecutor(8)
    elif way in multiprocessing.get_all_start_methods():
        pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(way))
    else:
        pytest.skip(f"there is no {way} here")
    with pool:
        found = list(pool.map(fit_and_predict, range(n)))
    assert found == [expected[k % 5] for k in range(n)]


def test_predictions_of_single_rows_leave_no_memory_behind():
    random = np.random.default_rng(0)
    X = random.normal(size=(500, 6))
    model = glade.RuleEnsembleRegressor(glade.ForestRegressor(10, max_depth=3), max_rules=5, random_state=0)
    model.fit(X, X[:, 0] + X[:, 1])
    expected = model.predict(X)

    def ask(n):
        for k in range(n):
            assert model.predict(X[k % 500 : k % 500 + 1])[0] == expected[k % 500]

    ask(choose(500, 20_000))
    before = read_memory("VmRSS")
    ask(choose(2_000, 10_000_000))
    assert read_memory("VmRSS") - before < 20e6


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("kind", [glade.TreeClassifier, glade.ForestClassifier, glade.RuleEnsembleClassifier])
def test_a_hundred_classes(kind):
    random, n = np.random.default_rng(0), choose(1_000, 5_000)
    X = random.normal(size=(n, 5))
    y = np.array([f"class {k}" for k in range(choose(30, 100))])[
        np.digitize(X[:, 0], np.linspace(-2, 2, choose(29, 99)))
    ]
    settings = {"max_rules": 10} if kind is glade.RuleEnsembleClassifier else {}
    model = kind(**settings, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("kind", [glade.TreeRegressor, glade.ForestRegressor, glade.RuleEnsembleRegressor])
def test_a_thousand_targets(kind):
    random, n_targets = np.random.default_rng(0), choose(100, 1_000)
    X = random.normal(size=(300, 5))
    Y = X @ random.normal(size=(5, n_targets))
    settings = (
        {} if kind is glade.TreeRegressor else {"n_estimators": 10} if "Forest" in kind.__name__ else {"max_rules": 5}
    )
    assert kind(**settings, random_state=0).fit(X, Y).predict(X).shape == Y.shape


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("kind", [glade.TreeRegressor, glade.RuleEnsembleRegressor])
def test_ten_thousand_categories(kind):
    random, n = np.random.default_rng(0), choose(2_000, 30_000)
    codes = random.integers(0, choose(1_000, 10_000), n)
    X = pd.DataFrame({"place": [f"p{k}" for k in codes], "x": random.normal(size=n)})
    settings = {} if kind is glade.TreeRegressor else {"max_rules": 5}
    model = kind(**settings, random_state=0).fit(X, codes % 7 + X["x"])
    assert len(model.to_text()) < 2_000_000


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("kind", [glade.TreeRegressor, glade.ForestRegressor, glade.RuleEnsembleRegressor])
def test_fifty_thousand_inputs(kind):
    random = np.random.default_rng(0)
    X = random.normal(size=(100, choose(3_000, 50_000)))
    settings = (
        {} if kind is glade.TreeRegressor else {"n_estimators": 10} if "Forest" in kind.__name__ else {"max_rules": 5}
    )
    assert kind(**settings, random_state=0).fit(X, X[:, 7]).score(X, X[:, 7]) > 0.1


@pytest.mark.usefixtures("bounded")
def test_a_hundred_thousand_columns_of_csv(tmp_path):
    n = choose(5_000, 100_000)
    lines = [",".join(f"c{k}" for k in range(n)), *(",".join(["1.5"] * n) for _ in range(20))]
    (tmp_path / "wide.csv").write_text("\n".join(lines) + "\n")
    assert len(read_file(tmp_path / "wide.csv").frame.columns) == n


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("kind", [glade.TreeRegressor, glade.RuleEnsembleRegressor])
def test_five_million_rows(kind):
    n = choose(50_000, 5_000_000)
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 4))
    y = X[:, 0] + (X[:, 1] > 0)
    settings = {"max_depth": 6} if kind is glade.TreeRegressor else {"max_rules": 5}
    model = kind(**settings, random_state=0).fit(X, y)
    assert model.score(X[:10_000], y[:10_000]) > 0.8
