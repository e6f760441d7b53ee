"""Explaining predictions and taking rules from forests: CPU seconds, beside those of predicting.

    python benchmarks/contributions.py

Generated tables; trees are unpruned. The greatest difference is that between the sum of a row's contributions and its
prediction.
"""

import time

import numpy as np

from glade import FIRERegressor, ForestRegressor

CASES = {  # rows, inputs, targets
    "narrow": (10_000, 10, 1),
    "wide": (10_000, 50, 1),
    "many targets": (10_000, 10, 14),
}


def make_problem(n_rows, n_inputs, n_targets):
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, n_inputs))
    signal = X[:, :5] @ random.normal(size=(5, n_targets)) + (X[:, [0]] * X[:, [1]])
    return X, signal + random.normal(size=signal.shape)


def seconds(call, *args):
    start = time.process_time()
    result = call(*args)
    return result, time.process_time() - start


def greatest_difference(frame, prediction):
    names = frame["target"].unique()
    sums = frame.groupby(["row", "target"])["contribution"].sum().unstack()[list(names)].to_numpy()
    return np.abs(sums - prediction.reshape(sums.shape)).max()


def main():
    print("table          model              nodes  predict  explain   rules_    contributions  difference")
    for name, shape in CASES.items():
        X, Y = make_problem(*shape)
        forest = ForestRegressor(100, n_jobs=2, random_state=0).fit(X, Y)
        fire = FIRERegressor(random_state=0, n_jobs=2).fit(X, Y)
        for model, size in ((forest, forest.size_.nodes), (fire, fire.generator_.size_.nodes)):
            prediction, predicting = seconds(model.predict, X)
            frame, explaining = seconds(model.explain, X)
            _, extracting = seconds(getattr, model, "rules_")
            print(
                f"{name:14} {type(model).__name__:16} {size:>7,} {predicting:8.2f} {explaining:8.2f} {extracting:8.2f}"
                f" {len(frame):16,} {greatest_difference(frame, prediction):11.1e}",
                flush=True,
            )


if __name__ == "__main__":
    main()
