"""Partial dependence and H-statistics: CPU seconds beside scikit-learn's brute force, and growth with rows and rules.

    python benchmarks/explain.py [rows to fit on, ...]

Generated tables. scikit-learn's `partial_dependence` (method "brute") asks the same model for every row at every point,
with the same points; the greatest difference between the two is shown. "plain H" asks the model for every row with the
values of every other row, for one pair; ours is for all 45 pairs of ten inputs and for each input against all others.
Last, a report page for 10,000 rows of 30 inputs and 20 terms: seconds to write, and its size.
"""

import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.inspection import partial_dependence

import glade
from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor

H_ROWS = 200


def seconds(call, *args, **named):
    start = time.process_time()
    result = call(*args, **named)
    return result, time.process_time() - start


def make_rules(weights, max_rules):
    generator = ForestRegressor(100, method="boosting", max_leaf_nodes=6, random_state=0)
    return RuleEnsembleRegressor(
        generator, weights=weights, max_rules=max_rules, validation_fraction=0.2, random_state=0
    )


def brute(model, X, inputs, found):
    points = {j: axis.codes for j, axis in zip(inputs, found.axes, strict=True)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return partial_dependence(model, X, inputs, method="brute", kind="average", custom_values=points)


def compare_dependence(name, model, X):
    for inputs in ([0], [0, 1]):
        found, ours = seconds(glade.dependence, model, X, inputs)
        result, theirs = seconds(brute, model, X, inputs, found)
        difference = np.abs(result["average"][0] - found.values[..., 0]).max()
        print(
            f"{name:22} {len(X):>8,} {len(inputs):>6} {found.values[..., 0].size:>7} {ours:8.3f} {theirs:9.3f}"
            f" {theirs / max(ours, 1e-4):8.0f} {difference:11.1e}",
            flush=True,
        )


def plain_h(model, X):
    """Of the inputs 0 and 1, as the formula says it."""

    def effect(inputs):
        changed = np.repeat(X[None], len(X), axis=0)
        changed[:, :, inputs] = X[:, None, inputs]
        means = model.predict(changed.reshape(-1, X.shape[1])).reshape(len(X), len(X)).mean(axis=1)
        return means - means.mean()

    both, one, other = effect([0, 1]), effect([0]), effect([1])
    return np.sqrt(((both - one - other) ** 2).sum() / (both**2).sum())


def compare_h(name, model, X):
    found, ours = seconds(glade.interactions, model, X, inputs=range(10), max_rows=None)
    expected, theirs = seconds(plain_h, model, X)
    frame = found.frame().set_index(["first", "second"])
    difference = abs(frame.loc[("x0", "x1"), "h"] - expected)
    print(f"{name:22} {len(X):>8,} {ours:12.3f} {theirs:12.3f} {difference:11.1e}", flush=True)


def make_models(n_rows):
    X, y = make_friedman1(n_rows, n_features=10, noise=1.0, random_state=0)
    models = {
        "tree, unpruned": TreeRegressor(),
        "forest, 100 trees": ForestRegressor(100, random_state=0),
        "few rules": make_rules("greedy", 50),
        "all rules": make_rules("ridge", None),
    }
    fitted = {name: model.fit(X, y) for name, model in models.items()}
    return X, {f"{name} ({_size(model):,})": model for name, model in fitted.items()}


def _size(model):
    return model.size_.terms or model.size_.leaves


def write_page():
    """Seconds and size of a report page."""
    X, y = make_friedman1(10_000, n_features=30, noise=1.0, random_state=0)
    model = RuleEnsembleRegressor(max_rules=20, random_state=0).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        _, spent = seconds(glade.write_report, model, X, y, path)
        print(f"\nreport of 10,000 rows x 30 inputs, {model.size_.terms} terms: {spent:.1f} s,", end=" ")
        print(f"{path.stat().st_size / 1e6:.2f} MB", flush=True)


def main():
    warnings.simplefilter("ignore", UserWarning)
    _, models = make_models(300)
    for model in models.values():  # what is compiled is compiled now
        glade.interactions(model, np.random.default_rng(0).random((20, 10)))
    print("model (terms, leaves)      rows inputs  points     ours   sklearn    ratio  difference")
    kept = {}
    sizes = [int(given) for given in sys.argv[1:]] or [1_000, 10_000]
    for n_rows in sizes:
        X, models = make_models(n_rows)
        kept[n_rows] = models
        for name, model in models.items():
            compare_dependence(name, model, X[:2_000])
    X, _ = make_friedman1(100_000, n_features=10, random_state=1)
    for name, model in kept[sizes[0]].items():
        if "rules" in name or "tree," in name:
            _, ours = seconds(glade.dependence, model, X, [0])
            print(f"{name:22} {len(X):>8,} {1:>6} {50:>7} {ours:8.3f}", flush=True)
    print("\nmodel (terms, leaves)      rows   all H, ours  plain, 1 pair  difference")
    for name, model in kept[sizes[0]].items():
        compare_h(name, model, X[:H_ROWS])
    write_page()


if __name__ == "__main__":
    main()
