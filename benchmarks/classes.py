"""Probabilities of classes: log loss, Brier score, AUC and accuracy of rules beside what else there is.

    python benchmarks/classes.py --store CSV [SETS] [--ways WAYS] [--seeds 3] [--rows 800]

Three folds for each seed, of at most so many rows of a set (drawn by a fixed seed); numbers are cut at their median.
The ways: our rules with at most 10, 20 and any number of terms, RuleFit's lasso with the same limits, our forest,
logistic
regression (scikit-learn's; numbers standardised, gaps filled by the mean, categories as zeros and ones; C = 1), and EBM
without interactions where interpret is installed. What was measured before stands in the CSV file and is not measured
again; without arguments but the file, its table is printed. Sets with a star take part in no choice (`TEST_SETS`).

To measure another commit of glade (rules and RuleFit alone), put its folder src first on PYTHONPATH, give --label, and
give --tables, a folder in which a run of this commit has left what it has read.
"""

import argparse
import pickle
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold

MEDIANS = ("pbc", "strike", "kin8nm", "house_8L*")
SETS = (
    *("hepatitis", "tic_tac_toe", "madelon", "car", "tae", "post_operative", "thyroid", "emotions"),
    *("house_votes*", "ecoli*", "dermatology*", *MEDIANS),
)
LIMITS = (10, 20, None)
WAYS = ("rules", "rulefit", "forest", "logistic", "ebm")
COLUMNS = ["set", "label", "way", "terms", "seed", "fold", "log_loss", "brier", "auc", "accuracy", "certain", "cpu"]
METRICS = ("log_loss", "brier", "auc", "accuracy")
FLOOR = 1e-15  # probabilities of zero are taken for this in the log loss


def read_table(name, n_rows, folder):
    """Inputs and the classes of the first target that has at least five rows of each, at most so many rows."""
    path = folder / f"{name.rstrip('*')}.pickle"
    if not path.exists():
        from tables import load_real

        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(load_real(name.rstrip("*"))))
    X, Y = pickle.loads(path.read_bytes())
    y = Y.iloc[:, 0]
    for column in Y:
        if name not in MEDIANS and Y[column].value_counts().min() >= 5:
            y = Y[column]
            break
    rows = np.sort(np.random.default_rng(0).permutation(np.flatnonzero(y.notna()))[:n_rows])
    X, y = X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)
    return X, np.where(y > y.median(), "high", "low") if name in MEDIANS else y.astype(str).to_numpy()


def fit_way(way, X, y, X_test, seed):
    """For each number of terms the classes and their probabilities for other rows."""
    if way in ("rules", "rulefit"):
        from glade import RuleEnsembleClassifier, RuleFitClassifier

        if way == "rulefit":
            whole = RuleFitClassifier(random_state=seed).fit(X, y)
            models = {k: whole if k is None else whole.with_rules(k) for k in LIMITS}
        else:
            short = RuleEnsembleClassifier(max_rules=20, random_state=seed).fit(X, y)
            models = {10: short.with_rules(10), 20: short}
            models[None] = RuleEnsembleClassifier(max_rules=None, random_state=seed).fit(X, y)
        return {k: (model.classes_, model.predict_proba(X_test)) for k, model in models.items()}
    model = make_peer(way, X, seed).fit(X, y)
    return {None: (model.classes_, model.predict_proba(X_test))}


def make_peer(way, X, seed):
    if way == "forest":
        from glade import ForestClassifier

        return ForestClassifier(100, random_state=seed)
    if way == "ebm":
        from interpret.glassbox import ExplainableBoostingClassifier

        return ExplainableBoostingClassifier(interactions=0, random_state=seed, n_jobs=1, outer_bags=4)
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = [name for name in X if X[name].dtype.kind in "if"]
    others = [name for name in X if name not in numbers]
    ready = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numbers),
            ("others", OneHotEncoder(handle_unknown="ignore"), others),
        ]
    )
    return make_pipeline(ready, LogisticRegression(max_iter=2000))


def suit_peer(way, X):
    """EBM takes text, not categories with gaps."""
    if way != "ebm":
        return X
    return X.assign(**{name: X[name].astype(object).fillna("gap") for name in X if X[name].dtype.kind not in "if"})


def judge(y, classes, shares):
    """The metrics, and the share of rows with a probability of exactly 0 or 1."""
    place = {label: k for k, label in enumerate(classes.tolist())}
    own = np.array([place[label] for label in y])
    is_own = own[:, None] == np.arange(len(classes))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        safe = np.clip(shares, FLOOR, None)
        loss = log_loss(own, safe / safe.sum(axis=1, keepdims=True), labels=np.arange(len(classes)))
        there = np.flatnonzero(is_own.any(axis=0) & ~is_own.all(axis=0))
        auc = np.mean([roc_auc_score(is_own[:, k], shares[:, k]) for k in there])
    brier = ((shares - is_own) ** 2).sum(axis=1).mean()
    right = (shares.argmax(axis=1) == own).mean()
    return loss, brier, auc, right, ((shares == 0) | (shares == 1)).any(axis=1).mean()


def measure(name, way, label, seed, given):
    """Rows of the store."""
    X, y = read_table(name, given.rows, given.tables)
    X, found = suit_peer(way, X), []
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    for fold, (train, test) in enumerate(folds.split(X, y)):
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said = fit_way(way, X.iloc[train], y[train], X.iloc[test], seed)
        cpu = time.process_time() - start
        for terms, (classes, shares) in said.items():
            judged = judge(y[test], np.asarray(classes), shares)
            found.append([name, label, way, "all" if terms is None else terms, seed, fold, *judged, cpu])
    return pd.DataFrame(found, columns=COLUMNS)


def show(store):
    """Means over sets, each the mean over its folds and seeds; then the log losses of each set."""
    store = store.assign(who=store["label"] + " " + store["way"] + " " + store["terms"].astype(str))
    by_set = store.groupby(["who", "set"])[[*METRICS, "certain"]].mean()
    seeds = store.groupby("who")["seed"].nunique()
    common = set.intersection(*(set(by_set.loc[who].index) for who in by_set.index.levels[0]))
    print(f"means over the {len(common)} sets that all were measured on")
    print(f"{'':<24}{'log loss':>10}{'Brier':>9}{'AUC':>9}{'accuracy':>10}{'0 or 1':>9}{'seeds':>7}")
    for who in by_set.index.levels[0]:
        own = by_set.loc[who].loc[sorted(common)].mean()
        print(
            f"{who:<24}{own['log_loss']:>10.3f}{own['brier']:>9.3f}{own['auc']:>9.3f}{own['accuracy']:>10.3f}"
            f"{own['certain']:>9.1%}{seeds[who]:>7}"
        )
    print("\nlog loss of each set")
    print(by_set["log_loss"].unstack("who").round(3).to_string())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--store", required=True, type=Path)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--seeds", default=0, type=int)
    parser.add_argument("--rows", default=800, type=int)
    parser.add_argument("--label", default="ours")
    parser.add_argument("--tables", default=Path("tables-of-classes"), type=Path)
    parser.add_argument("--seconds", default=1e9, type=float, help="begin nothing new after so many CPU seconds")
    given = parser.parse_args()
    store = pd.read_csv(given.store) if given.store.exists() else pd.DataFrame(columns=COLUMNS)
    done = set(store[["set", "label", "way", "seed"]].itertuples(index=False, name=None))
    for seed in range(given.seeds):
        for name in given.sets or SETS:
            for way in given.ways.split(","):
                label = given.label if way in ("rules", "rulefit") else "peer"
                if (name, label, way, seed) in done or time.process_time() > given.seconds:
                    continue
                found = measure(name, way, label, seed, given)
                found.to_csv(given.store, mode="a", header=not given.store.exists(), index=False)
    if given.store.exists():
        show(pd.read_csv(given.store))


if __name__ == "__main__":
    main()
