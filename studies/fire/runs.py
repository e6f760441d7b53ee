"""The sets, the folds and all fits of the study."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import Memory
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from glade.evaluate.comparison import Comparison
from glade.evaluate.harness import compare
from glade.models.fire import FIRERegressor
from glade.models.tree import TreeRegressor
from studies.datasets import load_dataset, load_tables
from studies.figures import Settings
from studies.fire.published import FIRE, FIRE_20, FOREST, NAMES, TREE
from studies.modt.models import SourceRegressor
from studies.modt.runs import AllRows

N_FOLDS, N_FOLDS_QUICK = 10, 3
LIMITS = (10, 20, 30, 40, 50)
AS_PUBLISHED, AS_PUBLISHED_20 = "FIRE as published", "FIRE as published, 20 rules"
SINGLE = {  # name in the manifest: rows that the source used, a random subsample where that is fewer than there are
    "abalone": 2000,
    "ailerons": 1533,
    "auto_mpg": 398,
    "house_8L": 2000,  # its "census"
    "cloud": 108,
    "cpu_act": 2000,
    "delta_ailerons": 2000,
    "meta": 528,
    "pbc": 418,
    "quake": 2000,
    "kin8nm": 2000,  # its "robot arm"
    "sensory": 576,
    "servo": 167,
    "strike": 625,
    "veteran": 137,
}
FURTHER = ("andro", "enb", "jura", "sf2", "slump")  # public sets with many targets, beside the source's
SINGLE_QUICK, MANY_QUICK, FURTHER_QUICK = ("servo", "veteran"), ("edm",), ("andro",)


class FoldsInTurn:
    """A splitter: rows in a random order go to the folds in turn. Seed 0 gives the folds on which CLUS was run."""

    def __init__(self, seed: int, n_folds: int = N_FOLDS):
        self.seed = seed
        self.n_folds = n_folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds."""
        return self.n_folds

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Training and test rows of each fold."""
        n_rows = len(X)
        fold = np.empty(n_rows, np.int64)
        fold[np.random.RandomState(self.seed).permutation(n_rows)] = np.arange(n_rows) % self.n_folds
        return ((np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(self.n_folds))


class FIREOfSize(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """FIRE with at most so many rules, from one fit for all sizes on the same rows: what `with_rules` is for.

    Parameters
    ----------
    memory : Memory
        Keeps the fits that all sizes share, as in scikit-learn's `Pipeline`.
    max_rules : int or None
        The most rules; None for no limit.
    random_state : int or None
    """

    def __init__(self, memory: Memory, max_rules: int | None = None, random_state: Any = None):
        self.memory = memory
        self.max_rules = max_rules
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit, unless another size has been fitted to these rows with this seed."""
        whole = self.memory.cache(_fit_whole)(X, y, self.random_state)
        self.model_ = whole if self.max_rules is None else whole.with_rules(self.max_rules)
        self.size_ = self.model_.size_
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """As the model of that size."""
        return self.model_.predict(X)


def _fit_whole(X: Any, y: Any, random_state: Any) -> FIRERegressor:
    return FIRERegressor(random_state=random_state).fit(X, y)


@contextmanager
def open_memory(store: str | Path | None) -> Iterator[Memory]:
    """Open the place for shared fits: a folder in the store, else one that vanishes with the run."""
    if store is not None:
        yield Memory(Path(store, "fits"), verbose=0)
        return
    with TemporaryDirectory() as folder:
        yield Memory(folder, verbose=0)


def name_limit(limit: int) -> str:
    """The model of at most so many rules.

    >>> name_limit(20)
    'FIRE, 20 rules'
    """
    return f"{FIRE}, {limit} rules"


SIZES = (*map(name_limit, LIMITS), FIRE)
COMPARED = (TREE, FOREST, FIRE, FIRE_20)


def make_models(memory: Memory) -> dict[str, Any]:
    """A tree, a forest, and FIRE of all sizes.

    The forest is that of the authors' study of forests (`studies.modt`): its printed sizes for EDM and water quality
    are those of Table II.
    """
    return {
        TREE: TreeRegressor(ccp_alpha="cv", min_samples_leaf=2),
        FOREST: SourceRegressor(
            100, max_features="log2+1", on_no_split="leaf", max_bins=None, standardise_targets=False
        ),
        FIRE: FIREOfSize(memory),
        **{name_limit(limit): FIREOfSize(memory, limit) for limit in LIMITS},
    }


class Runs(NamedTuple):
    """The comparisons of the study."""

    single: Comparison  # the source's sets with one target
    many: Comparison  # those of its sets with many targets that we have
    further: Comparison  # others with many targets
    as_published: Comparison  # FIRE as published, on the sets of `many`
    n_seeds: int
    whole: Comparison  # a tree, a forest and FIRE on all rows of all sets: the source prints sizes of such models
    whole_as_published: Comparison


def load_single(settings: Settings) -> dict[str, tuple[Any, Any]]:
    """The sets with one target, of as many rows as the source used."""
    data = {}
    for name in settings.choose(tuple(SINGLE), quick=SINGLE_QUICK):
        stored, n_rows = load_dataset(name, settings.folder), SINGLE[name]
        rows = np.arange(len(stored.X))
        if n_rows < len(rows):
            rows = np.sort(np.random.default_rng(0).choice(rows, n_rows, replace=False))
        data[name] = stored.X.iloc[rows], stored.y.iloc[rows]
    return data


def run_all(settings: Settings) -> Runs:
    """Fit everything; what is in the store is not fitted again."""
    n_seeds = settings.choose(5, reduced=1, quick=1)
    many = load_tables(settings.choose(tuple(NAMES), quick=MANY_QUICK), settings.folder)
    further = load_tables(settings.choose(FURTHER, quick=FURTHER_QUICK), settings.folder)
    published = {
        AS_PUBLISHED: FIRERegressor(as_published=True),
        AS_PUBLISHED_20: FIRERegressor(as_published=True, max_rules=20),
    }
    single = load_single(settings)
    all_rows = [AllRows()]
    with open_memory(settings.store) as memory:
        models = make_models(memory)
        return Runs(
            many=compare_all(models, many, n_seeds, settings),
            single=compare_all(models, single, 1, settings),
            as_published=compare_all(published, many, 1, settings),
            further=compare_all(models, further, 1, settings),
            n_seeds=n_seeds,
            whole=compare_on({m: models[m] for m in COMPARED}, single | many | further, all_rows, settings),
            whole_as_published=compare_on(published, many, all_rows, settings),
        )


def compare_all(models: dict[str, Any], data: dict[str, Any], n_seeds: int, settings: Settings) -> Comparison:
    """Cross-validate all models on all sets, on as many draws of the folds."""
    n_folds = settings.choose(N_FOLDS, quick=N_FOLDS_QUICK)
    return compare_on(models, data, [FoldsInTurn(seed, n_folds) for seed in range(n_seeds)], settings)


def compare_on(models: dict[str, Any], data: dict[str, Any], folds: list[Any], settings: Settings) -> Comparison:
    """All models on all sets, on the folds of each splitter."""
    return compare(models, data, folds=folds, n_jobs=settings.n_jobs, store=settings.store, progress=settings.progress)
