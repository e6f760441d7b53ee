"""Short rules against peers at the same number of rules and of conditions, and whether their lists come back.

    python benchmarks/short_peers.py measure found.jsonl [--sets cpu_act kin8nm]   fits; goes on where it stopped
    python benchmarks/short_peers.py stability found.jsonl [--ours]                Dice over half-samples; of glade only
    python benchmarks/short_peers.py table found.jsonl
    python benchmarks/short_peers.py picture found.jsonl docs/pictures/error-against-conditions.png

One number to predict, 1,000 rows, three folds, one seed; sets from `CHOICE_SETS` (the peers take one target). Peers get
gaps filled with the median and inputs of up to ten categories as zeros and ones, glade the table as it is. Each peer is
fitted anew with 5, 10 and 20 as its limit: SIRUS (`num_rules`, 1,000 trees), RuleFit and FIGS of imodels
(`max_rules`), scikit-learn's tree (`max_leaf_nodes`). glade is fitted once (`max_rules=20`), and its smaller models are
steps of the same path. EBM has no such limit: its bins are counted for scale (no interactions
and two outer bags, as its defaults take 40 s a fit). skope-rules 1.0.1 is left out: it imports
names that Python no longer has, and it is for two classes.

Conditions: of rules each comparison on an input is one (an interval is one for all); of a tree and of FIGS each split
is one, though a path repeats those above it, which counts in their favour. Dice is that of SIRUS: rules are the same
if inputs and directions agree and cuts lie in the same tenth of the whole table's values.
"""

import argparse
import json
import os
import re
import time
import warnings
from itertools import combinations
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeRegressor

from glade import RuleEnsembleRegressor
from glade.rules.likeness import Tenths, find_dice, identify_terms
from short_rules import draw_folds, load

SETS = ("cpu_act", "kin8nm", "house_8L", "abalone", "auto_mpg", "pbc", "strike")
OF_STABILITY = ("abalone", "auto_mpg", "house_8L", "pbc", "strike")
SIZES = (5, 10, 20)
N_ROWS, MOST_CATEGORIES, N_HALVES = 1_000, 10, 4
GLADE, BY_CONDITIONS = "glade", "glade, by conditions"


def fill(X):
    """Numbers without gaps, as the peers need them."""
    nominal = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    wide = [name for name in nominal if X[name].nunique() > MOST_CATEGORIES]
    own = pd.get_dummies(X.drop(columns=wide), columns=[name for name in nominal if name not in wide], dtype=float)
    own.columns = [re.sub(r"\W", "_", str(name)) for name in own]
    own = own.astype(float)
    return own.fillna(own.median())


def fit_sirus(X, y, size):
    from sirus import SirusRegressor

    model = SirusRegressor(num_rules=size, num_trees=1_000, random_state=0).fit(X, y)
    rules = [rule for rule in model.rules_ if rule.weight != 0.0]
    return model, len(rules), sum(len({c.name for c in rule.conditions}) for rule in rules)


def fit_rulefit(X, y, size):
    from imodels import RuleFitRegressor

    model = RuleFitRegressor(max_rules=size, random_state=0).fit(X, y, feature_names=list(X.columns))
    frame = model.visualize()
    return model, len(frame), sum(len(set(re.findall(r"(\w+) (?:<=|>)", str(rule)))) for rule in frame["rule"])


def fit_figs(X, y, size):
    from imodels import FIGSRegressor

    model = FIGSRegressor(max_rules=size, random_state=0).fit(X.to_numpy(), y)
    n_splits = sum(_count_splits(tree) for tree in model.trees_)
    return model, n_splits + len(model.trees_), n_splits


def _count_splits(node):
    return 0 if node.left is None else 1 + _count_splits(node.left) + _count_splits(node.right)


def fit_tree(X, y, size):
    model = DecisionTreeRegressor(max_leaf_nodes=size, random_state=0).fit(X, y)
    return model, model.get_n_leaves(), model.get_n_leaves() - 1


def fit_ebm(X, y, _):
    from interpret.glassbox import ExplainableBoostingRegressor

    model = ExplainableBoostingRegressor(interactions=0, outer_bags=2, random_state=0, n_jobs=1).fit(X, y)
    return model, len(model.term_names_), sum(int(np.prod(np.shape(scores))) for scores in model.term_scores_)


PEERS = {
    "SIRUS": (fit_sirus, SIZES),
    "RuleFit (imodels)": (fit_rulefit, SIZES),
    "FIGS (imodels)": (fit_figs, SIZES),
    "tree (scikit-learn)": (fit_tree, SIZES),
    "EBM (its bins)": (fit_ebm, (0,)),
}


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()] if Path(path).exists() else []


def write(path, row):
    with Path(path).open("a") as file:
        file.write(json.dumps(row) + "\n")
    print(row, flush=True)


def sum_up(truth, predicted, counts, seconds):
    """What a row of the file says of a fit."""
    error = float(((np.ravel(predicted) - truth) ** 2).sum())
    return {"error": error, "terms": int(counts[0]), "conditions": int(counts[1]), "seconds": round(seconds, 2)}


def measure(path, sets):
    """Fit what is not in the file yet."""
    done = {(row["set"], row["model"], row["size"], row["fold"]) for row in read(path) if row["kind"] == "error"}
    for name in sets:
        X, _, y, _ = load(name, N_ROWS)
        filled = fill(X)
        for k, (train, test) in enumerate(draw_folds(len(X))):
            null = float(((y[test] - y[train].mean()) ** 2).sum())
            shared = {"kind": "error", "set": name, "fold": k, "null": null}
            if (name, GLADE, SIZES[-1], k) not in done:
                start = time.process_time()
                model = RuleEnsembleRegressor(max_rules=SIZES[-1], random_state=0).fit(X.iloc[train], y[train])
                seconds = time.process_time() - start
                for size in SIZES:
                    for way, own in ((BY_CONDITIONS, model.with_conditions(size)), (GLADE, model.with_rules(size))):
                        counts = own.size_.terms, own.size_.conditions
                        found = sum_up(y[test], own.predict(X.iloc[test]), counts, seconds)
                        write(path, shared | {"model": way, "size": size} | found)
            for peer, (fit, sizes) in PEERS.items():
                for size in sizes:
                    if (name, peer, size, k) in done:
                        continue
                    start = time.process_time()
                    model, *counts = fit(filled.iloc[train], y[train], size)
                    seconds = time.process_time() - start
                    own = filled.iloc[test].to_numpy() if fit is fit_figs else filled.iloc[test]
                    found = sum_up(y[test], model.predict(own), counts, seconds)
                    write(path, shared | {"model": peer, "size": size} | found)


def identify_sirus(model, tenths):
    """The key of each rule, of whose two sides the list tells one."""
    keys = []
    for rule in model.rules_:
        if rule.weight == 0.0:
            continue
        ends = {}
        for c in rule.conditions:
            value = c.value if np.isscalar(c.value) else max(c.value)
            ends.setdefault(c.name, []).append((c.op in ("<", "<="), tenths.place(c.name, float(value))))
        keys.append(frozenset((name, *sorted(own)) for name, own in ends.items()))
    return keys


def compare_lists(path, sets, only_ours):
    """Dice of the lists of ten rules over half-samples, glade's beside those of SIRUS, unless these are known."""
    done = {row["set"] for row in read(path) if row["kind"] == "dice"}
    for name in OF_STABILITY:
        if name in done or name not in sets:
            continue
        X, _, y, _ = load(name, N_ROWS)
        filled = fill(X)
        ours, theirs, tenths = [], [], {}
        of_filled = RuleEnsembleRegressor(max_rules=0).fit(filled, y)
        tenths["theirs"] = Tenths.of(of_filled.encode(filled), of_filled.schema_)
        for k in range(N_HALVES):
            rows = np.random.default_rng((7, k)).permutation(len(X))[: len(X) // 2]
            model = RuleEnsembleRegressor(max_rules=20, random_state=100 + k).fit(X.iloc[rows], y[rows])
            tenths.setdefault("ours", Tenths.of(model.encode(X), model.schema_))
            ours.append(identify_terms(model.with_rules(10).terms_.design, tenths["ours"]))
            if not only_ours:
                theirs.append(identify_sirus(fit_sirus(filled.iloc[rows], y[rows], 10)[0], tenths["theirs"]))
        pairs = list(combinations(range(N_HALVES), 2))
        lists = {GLADE: ours, "SIRUS": theirs}
        dice = {who: np.mean([find_dice(own[a], own[b]) for a, b in pairs]) for who, own in lists.items() if own}
        write(path, {"kind": "dice", "set": name} | {who: round(float(value), 3) for who, value in dice.items()})


def summarise(path):
    """For each model and limit the mean over sets: relative error, rules, conditions, seconds."""
    frame = pd.DataFrame([row for row in read(path) if row["kind"] == "error"])
    sums = frame.groupby(["model", "size", "set"], sort=False)
    by_set = sums[["terms", "conditions", "seconds"]].mean()
    by_set["error"] = np.sqrt(sums["error"].sum() / sums["null"].sum())
    return by_set.groupby(level=["model", "size"], sort=False).mean()[["error", "terms", "conditions", "seconds"]]


def draw(path, picture):
    """Mean error against mean conditions: a line for each way to a model."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    table = summarise(path)
    figure, axes = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
    for model in [name for name in table.index.unique("model") if name != BY_CONDITIONS]:
        own = table.loc[model].sort_values("conditions")
        if model.startswith("EBM"):
            axes.axhline(own["error"].iloc[0], color="grey", linestyle=":", linewidth=1)
            label = f"EBM: {own['conditions'].iloc[0]:,.0f} bins"
            axes.annotate(label, (0.01, own["error"].iloc[0]), xycoords=("axes fraction", "data"), va="bottom")
            continue
        line = {"linewidth": 2.5, "color": "black"} if model == GLADE else {"linewidth": 1.2}
        axes.plot(own["conditions"], own["error"], marker="o", label=model, **line)
    axes.set_xscale("log")
    axes.set_xticks([2, 5, 10, 20, 40], ["2", "5", "10", "20", "40"])
    axes.minorticks_off()
    axes.set_xlabel("conditions that a person reads, mean over the sets")
    axes.set_ylabel("relative error on rows held out")
    axes.legend(frameon=False)
    figure.savefig(picture, dpi=150, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("measure", "stability", "table", "picture"))
    parser.add_argument("found")
    parser.add_argument("picture", nargs="?")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--ours", action="store_true", help="of stability: leave SIRUS out")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.what == "measure":
        measure(given.found, given.sets)
    elif given.what == "stability":
        compare_lists(given.found, given.sets, given.ours)
    elif given.what == "picture":
        draw(given.found, given.picture)
    else:
        print(summarise(given.found).round(3).to_string())
        dice = pd.DataFrame([row for row in read(given.found) if row["kind"] == "dice"])
        print(dice.drop(columns="kind", errors="ignore").to_string(index=False))


if __name__ == "__main__":
    main()
