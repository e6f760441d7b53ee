"""Rows that belong together: does a model of parkinsons, fitted with groups, tell the truth about new persons?

    python benchmarks/groups.py [--repeats 6] [--rows 1000] [--store FILE] [--seconds 500]

42 persons with some 140 rows each; the target is the first one, motor_UPDRS. For each repeat a third of the persons is
held out, and so many rows of the others (all persons alike) are fitted with `groups=`. For each way: the RMSE that the
model tells of itself (`errors_`) with its standard error between persons, that on the persons held out, and the RMSE
of always saying the mean of the rows that were fitted. `subject` and the other target are no inputs.
"""

import argparse
import warnings
from functools import partial

import numpy as np

from glade import ForestRegressor, RuleEnsembleRegressor, TreeRegressor
from stored import Stored, add_options
from studies.datasets import find_folder

MAKERS = {
    "rules 8": lambda seed: RuleEnsembleRegressor(max_rules=8, random_state=seed),
    "rules auto": lambda seed: RuleEnsembleRegressor(random_state=seed),
    "rules all": lambda seed: RuleEnsembleRegressor(max_rules=None, random_state=seed),
    "tree, pruned": lambda seed: TreeRegressor(ccp_alpha="cv", random_state=seed),
    "forest": lambda seed: ForestRegressor(oob_score=True, random_state=seed),
}


def load_persons():
    """Inputs, the target, and the person of each row."""
    import pandas as pd

    table = pd.read_csv(find_folder() / "parkinsons.csv.gz")
    return table.drop(columns=["subject#", "motor_UPDRS", "total_UPDRS"]), table["motor_UPDRS"], table["subject#"]


def measure(way, repeat, n_rows):
    """What is told, its standard error, the truth, that of the mean; and how much worse than the mean, with its error.

    The last two are over persons: the mean difference of their squared errors, in units of the mean's RMSE.
    """
    X, y, person = load_persons()
    random = np.random.default_rng(repeat)
    persons = random.permutation(person.unique())
    is_new = person.isin(persons[: len(persons) // 3]).to_numpy()
    train = np.sort(random.permutation(np.flatnonzero(~is_new))[:n_rows])
    model = MAKERS[way](repeat).fit(X.iloc[train], y.iloc[train], groups=person.iloc[train])
    told = model.errors_.set_index("metric").loc["rmse"]
    own = (model.predict(X[is_new]) - y[is_new]) ** 2
    mean = (y[is_new] - y.iloc[train].mean()) ** 2
    worse = (own - mean).groupby(person[is_new]).mean()
    unit = 2 * mean.mean() ** 0.5
    error = worse.std(ddof=1) / len(worse) ** 0.5
    truth, guess = own.mean() ** 0.5, mean.mean() ** 0.5
    return told["value"], told["standard_error"], truth, guess, worse.mean() / unit, error / unit


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--rows", type=int, default=1_000)
    add_options(parser)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    stored = Stored(asked.store, asked.seconds)
    print("way, repeats: told, its standard error, truth, always-mean; truth within two errors;", end=" ")
    print("worse than the mean by more than its error")
    found = {way: [] for way in MAKERS}
    for repeat in range(asked.repeats):
        for way, parts in found.items():
            one = stored.find((way, repeat, asked.rows), partial(measure, way, repeat, asked.rows))
            if one is not None:
                parts.append(one)
    for way, parts in found.items():
        if not parts:
            continue
        own = np.array(parts)
        told, error, truth, _, worse, chance = own.T
        is_true, is_worse = np.abs(told - truth) <= 2 * error, worse > chance
        figures = " ".join(f"{x:6.2f}" for x in own[:, :4].mean(axis=0))
        print(f"{way:14} {len(own)}  {figures}   {is_true.sum()} of {len(own)}   {is_worse.sum()} of {len(own)}")


if __name__ == "__main__":
    main()
