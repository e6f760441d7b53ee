"""What the one-direction search over category subsets loses against the best of all subsets.

    python benchmarks/nominal_loss.py

Random problems: one nominal input, category means (or class shares) drawn independently for every target, which is hard
on a search that looks along one direction only. The loss is 1 - gain / highest gain over all subsets.
"""

import numpy as np
import pandas as pd

from glade import TreeClassifier, TreeRegressor

TARGETS = {"3 classes": 3, "5 classes": 5, "2 numbers": 2, "4 numbers": 4, "14 numbers": 14}
CATEGORIES = (4, 6, 8)
ROWS_PER_CATEGORY = 25


def best_subset_gain(categories: np.ndarray, channels: np.ndarray) -> float:
    """The highest gain of any division of the categories, for the squared criteria, per row.

    gain = S_left^2 / n_left + S_right^2 / n_right summed over centred channels. The last category stays on the right:
    the other half of the subsets are mirror images.
    """
    n_categories = categories.max() + 1
    centred = channels - channels.mean(axis=0)
    sums = np.array([centred[categories == k].sum(axis=0) for k in range(n_categories)])
    counts = np.bincount(categories)
    goes_left = (np.arange(1, 2 ** (n_categories - 1))[:, None] >> np.arange(n_categories)) & 1
    square = np.sum((goes_left @ sums) ** 2, axis=1)
    n_left = goes_left @ counts
    return float(np.max(square / n_left + square / (len(categories) - n_left)) / len(categories))


def draw_problem(rng, kind: str, n_categories: int):
    """Categories and targets: labels, or numbers of equal variance."""
    categories = rng.permutation(
        np.concatenate([np.arange(n_categories), rng.integers(0, n_categories, ROWS_PER_CATEGORY * n_categories)])
    )
    if kind.endswith("classes"):
        shares = rng.dirichlet(np.ones(TARGETS[kind]), n_categories)
        return categories, np.array([rng.choice(TARGETS[kind], p=shares[c]) for c in categories])
    means = rng.normal(size=(n_categories, TARGETS[kind]))
    Y = means[categories] + 2 * rng.normal(size=(len(categories), TARGETS[kind]))
    return categories, (Y - Y.mean(axis=0)) / Y.std(axis=0)


def measure_loss(rng, kind: str, n_categories: int) -> float:
    """The relative loss of gain on one random problem."""
    categories, y = draw_problem(rng, kind, n_categories)
    X = pd.DataFrame({"x": np.array([f"c{k}" for k in range(n_categories)])[categories]})
    if kind.endswith("classes"):
        gain = TreeClassifier(max_depth=1).fit(X, y).tree_.split_gain[0]
        best = best_subset_gain(categories, np.eye(TARGETS[kind])[y])
    else:
        gain = TreeRegressor(max_depth=1).fit(X, y).tree_.split_gain[0] * y.shape[1]
        best = best_subset_gain(categories, y)
    return 1 - gain / best


def main(n_problems: int = 300):
    print(f"relative loss of gain, {n_problems} problems each, in percent")
    print(f"{'targets':<12}{'categories':>10}{'mean':>9}{'95 %':>9}{'worst':>9}{'optimal':>9}")
    for kind in TARGETS:
        for n_categories in CATEGORIES:
            rng = np.random.default_rng([n_categories, TARGETS[kind], len(kind)])
            losses = np.array([measure_loss(rng, kind, n_categories) for _ in range(n_problems)]).clip(0)  # rounding
            shown = (losses.mean(), np.quantile(losses, 0.95), losses.max(), np.mean(losses < 1e-9))
            print(f"{kind:<12}{n_categories:>10}" + "".join(f"{100 * value:>9.2f}" for value in shown))


if __name__ == "__main__":
    main()
