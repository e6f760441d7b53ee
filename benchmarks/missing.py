"""Missing inputs: our trees, which send missing values their own way, against the same trees after imputation.

    python benchmarks/missing.py

On california, jura and car, 30 % of the input cells are masked at random; thyroid and house_votes have missing values
of their own. Imputation is by the training mean or mode of each column. Trees are pruned by inner cross-validation, or
hold at least 10 rows in a leaf; the figure is the mean over targets of R2 or accuracy by 5-fold cross-validation,
repeated over seeds (of the mask and of the folds; more seeds for the smaller sets).
"""

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from glade import TreeClassifier, TreeRegressor
from tables import load_real

SEEDS = {"california": 5, "jura": 40, "car": 20, "thyroid": 3, "house_votes": 20}


def mask_cells(X, share, rng):
    masked = X.copy()
    for column in masked.columns:
        masked[column] = masked[column].mask(rng.random(len(masked)) < share)
    return masked


def impute(train, test):
    train, test = train.copy(), test.copy()
    for column in train.columns:
        known = train[column].dropna()
        if len(known) == 0:
            continue
        fill = known.mean() if pd.api.types.is_numeric_dtype(known) else known.mode()[0]
        train[column], test[column] = train[column].fillna(fill), test[column].fillna(fill)
    return train, test


SETTINGS = {
    "pruned": {"ccp_alpha": "cv", "min_samples_leaf": 2},
    "10 rows a leaf": {"min_samples_leaf": 10},
}


def cross_validate(X, Y, task, seed, settings):
    scores = {"native": [], "imputed": []}
    model = TreeRegressor if task == "regression" else TreeClassifier
    for train, test in KFold(5, shuffle=True, random_state=seed).split(X):
        X_train, X_test = X.iloc[train], X.iloc[test]
        for how in scores:
            pair = impute(X_train, X_test) if how == "imputed" else (X_train, X_test)
            tree = model(**settings, random_state=0).fit(pair[0], Y.iloc[train].to_numpy())
            scores[how].append(tree.score(pair[1], Y.iloc[test].to_numpy()))
    return {how: np.mean(values) for how, values in scores.items()}


def main():
    print("data          missing  tree              native   imputed   difference (mean ± standard error over seeds)")
    cases = {"california": 0.3, "jura": 0.3, "car": 0.3, "thyroid": 0.0, "house_votes": 0.0}
    for name, share in cases.items():
        real = load_real(name)
        if real is None:
            print(f"{name}: no data folder; set GLADE_DATA")
            continue
        X, Y = real
        task = "classification" if isinstance(Y.iloc[:, 0].dtype, pd.CategoricalDtype) else "regression"
        if task == "classification":
            Y = Y.astype(object)
        for how, settings in SETTINGS.items():
            results = []
            for seed in range(SEEDS[name]):
                masked = mask_cells(X, share, np.random.default_rng(seed))
                results.append(cross_validate(masked, Y, task, seed, settings))
            report(name, share, how, pd.DataFrame(results))


def report(name, share, how, frame):
    difference = frame["native"] - frame["imputed"]
    cells = f"{share:.0%}" if share else "its own"
    print(
        f"{name:<13} {cells:<8} {how:<15} {frame['native'].mean():8.4f}  {frame['imputed'].mean():8.4f}  "
        f"{difference.mean():+.4f} ± {difference.std(ddof=1) / len(difference) ** 0.5:.4f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
