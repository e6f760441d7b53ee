"""Whether forests beat bagging for classes: the p-value for one seed of the folds after another.

`python -m studies.modt.luck` prints it for the tables of classes but thyroid, which is large, with each target counted
once and with the targets of all tables, as the source has them.
"""

import sys
from pathlib import Path

import click
from sklearn.model_selection import KFold

from glade.core.notices import silence_warnings
from glade.data.targets import CLASSIFICATION
from glade.evaluate.harness import compare
from glade.evaluate.statistics import wilcoxon
from studies.figures import Settings
from studies.modt.models import BAGGING, FOREST, make_models
from studies.modt.runs import FULL
from studies.modt.sets import REPEATED, SETS

LARGE = 10  # thyroid


def find_p_values(seed: int, store: Path | None = None) -> tuple[float, float, int]:
    """Each target once, and all tables; and on how many targets, each counted once, forests have fewer errors."""
    sets = [own for own in SETS[CLASSIFICATION] if own.number is not None and own.number != LARGE]
    models = make_models(CLASSIFICATION, FULL.n_trees)
    found = compare(
        {name: models[name] for name in (FOREST, BAGGING)},
        {own.label: own.load(Settings()) for own in sets},
        folds=[KFold(FULL.n_folds, shuffle=True, random_state=seed)],
        random_state=seed,
        store=store,
        progress=False,
    )
    every = found.errors()
    once = every.drop(index=[own.label for own in sets if own.number in REPEATED], level=0)
    ahead = int((once[FOREST] < once[BAGGING]).sum())
    p_once, p_all = (float(wilcoxon(table[[FOREST, BAGGING]]).loc[FOREST, BAGGING]) for table in (once, every))
    return p_once, p_all, ahead


@click.command()
@click.option("--seeds", default=5, show_default=True)
@click.option("--store", type=Path, help="Keep finished fits here, and go on from them.")
def main(seeds: int, store: Path | None) -> None:
    """Print the p-values of so many seeds."""
    with silence_warnings():
        for seed in range(seeds):
            once, every, ahead = find_p_values(seed, store)
            click.echo(f"seed {seed}: p {once:.3f} with each target once ({ahead} better), {every:.3f} with all tables")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
