"""Soft rule ensembles: hard against soft rules at each depth, on Friedman 1 and 2 and Boston. Classes: `soft_areas`.

The source grows each tree on "10 % of the input variables". Taken by the letter a tree for ten inputs has one of them
and no rule an interaction, so both readings are run: a tenth of the inputs, and all of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from joblib import hash as hash_object
from numpy.typing import NDArray
from scipy.stats import wilcoxon
from sklearn.datasets import make_friedman1, make_friedman2
from sklearn.model_selection import KFold, StratifiedKFold

from glade.core.notices import silence_warnings
from glade.core.progress import open_progress
from glade.evaluate.fit_results import FitResult
from glade.evaluate.keys import describe, name_fit
from glade.evaluate.store import ResultStore
from glade.models.soft_rules import SoftRulesClassifier, SoftRulesRegressor
from studies.datasets import load_dataset
from studies.figures import Between, Figure, Picture, PValue, Reproduction, Settings

HARD, SOFT = "hard", "soft"
READINGS = {"a tenth of the inputs": 0.1, "all inputs": None}
DEPTHS = (2, 3, 4, 5)
N_ROWS, N_FOLDS = 1_000, 10
REPETITIONS = {"full": 30, "reduced": 1, "quick": 1}  # of Friedman 1 and 2
BOSTON_DRAWS = {"full": 5, "reduced": 2, "quick": 1}  # of its folds
INNER_FOLDS = 3
FEWEST = 6  # repetitions for boxes, and for a test between hard and soft, which finds no difference with fewer
FRIEDMAN = {"Friedman 1": partial(make_friedman1, noise=1.0), "Friedman 2": partial(make_friedman2, noise=125.0)}
BOSTON = {  # depth: correlation and RMSE
    HARD: {2: (0.91, 3.78), 3: (0.93, 3.40), 4: (0.94, 3.18), 5: (0.93, 3.33)},
    SOFT: {2: (0.92, 3.60), 3: (0.93, 3.42), 4: (0.93, 3.29), 5: (0.94, 3.18)},
}
KEPT = 10, 20  # "only 10 %-20 % of the rules are retained"
ALL_SOFTENED = "all inputs, all rules softened, ten inner folds"


class Setting(NamedTuple):
    """A model of the study."""

    reading: str
    depth: int
    form: str

    def make(self, kind: type[Any], seed: int) -> Any:
        """The estimator."""
        settings: dict[str, Any] = {"max_depth": self.depth, "cv": INNER_FOLDS, "random_state": seed}
        if self.reading == ALL_SOFTENED:
            settings |= {"features_per_tree": None, "cv": 10, "max_softened": None, "max_refined": None}
        else:
            settings["features_per_tree"] = READINGS[self.reading]
        return kind(soft=self.form == SOFT, **settings)


@dataclass(frozen=True)
class Task:
    """Rows to fit and rows to predict."""

    X: Any
    y: NDArray[Any]
    X_test: Any
    y_test: NDArray[Any]
    seed: int


class Outcome(NamedTuple):
    """What a model predicts (the probability of the second class), the validation error of its own folds, its size."""

    predicted: NDArray[np.float64]
    error: float
    rules: int = 0
    leaves: int = 0  # of all trees: the rules there were

    @property
    def kept(self) -> float:
        """The share of all leaves that are rules of the model."""
        return self.rules / max(self.leaves, 1)


class Job(NamedTuple):
    """A model to fit on a task, and the name of its outcome in a store."""

    task: Task
    setting: Setting
    is_class: bool

    @property
    def model(self) -> Any:
        return self.setting.make(SoftRulesClassifier if self.is_class else SoftRulesRegressor, self.task.seed)

    @property
    def key(self) -> str:
        task = self.task
        return name_fit(describe(self.model), {"study": "soft", "rows": hash_object((task.X, task.y, task.X_test))})

    def load(self, store: ResultStore | None) -> Outcome | None:
        """The outcome of an earlier run."""
        found = None if store is None else store.load(self.key)
        return None if found is None else Outcome(found.predicted[0], found.reference[0], **found.size)

    def run(self, store: ResultStore | None) -> Outcome:
        """Fit and predict."""
        with silence_warnings():  # constant columns in some folds
            model = self.model.fit(self.task.X, self.task.y)
            X = self.task.X_test
            predicted = model.predict_proba(X)[:, 1] if self.is_class else model.predict(X)
        size = {"rules": int(model.size_.rules), "leaves": int(model.generator_.size_.leaves)}
        outcome = Outcome(np.asarray(predicted, dtype=float), float(model.path_.error.min()), **size)
        if store is not None:
            store.save(self.key, FitResult((outcome.predicted,), (None,), (outcome.error,), size))
        return outcome


def count_repetitions(settings: Settings, numbers: dict[str, int]) -> int:
    """How many repetitions, or folds, a run of this scale has."""
    return int(settings.choose(numbers["full"], reduced=numbers["reduced"], quick=numbers["quick"]))


def draw_friedman(make: Any, n_repetitions: int) -> Iterator[Task]:
    """Training and test rows of each repetition."""
    for seed in range(n_repetitions):
        X, y = make(2 * N_ROWS, random_state=seed)
        yield Task(X[:N_ROWS], y[:N_ROWS], X[N_ROWS:], y[N_ROWS:], seed)


def split_set(name: str, settings: Settings, is_class: bool, n_folds: int, draw: int = 0) -> list[Task]:
    """The first folds of a draw of the folds of a data set."""
    data = load_dataset(name, folder=settings.folder)
    X, truth = data.X, np.ravel(data.y)
    y = np.unique(truth, return_inverse=True)[1] if is_class else truth.astype(float)
    splitter = (StratifiedKFold if is_class else KFold)(N_FOLDS, shuffle=True, random_state=draw)
    tasks = [Task(X.iloc[a], y[a], X.iloc[b], y[b], k) for k, (a, b) in enumerate(splitter.split(X, y))]
    return tasks[:n_folds]


Results = dict[Setting, list[Outcome]]


def run_all(
    tasks: list[Task], depths: Iterable[int], is_class: bool, settings: Settings, readings: Iterable[str] | None = None
) -> Results:
    """Every model on every task, one task after another: what an interrupted run has stored are whole repetitions."""
    models = [Setting(*parts) for parts in product(READINGS if readings is None else readings, depths, (HARD, SOFT))]
    store = None if settings.store is None else ResultStore(settings.store)
    jobs = [Job(task, model, is_class) for task in tasks for model in models]
    found = [job.load(store) for job in jobs]
    missing = [k for k, outcome in enumerate(found) if outcome is None]
    work = Parallel(n_jobs=settings.n_jobs, return_as="generator")(delayed(jobs[k].run)(store) for k in missing)
    done = len(jobs) - len(missing)
    with open_progress("models fitted:", len(jobs), done=done, show=settings.progress) as shown:
        for k, outcome in zip(missing, work, strict=True):
            found[k] = outcome
            shown.advance()
    outcomes = [outcome for outcome in found if outcome is not None]
    return {model: outcomes[k :: len(models)] for k, model in enumerate(models)}


def _rmse(task: Task, outcome: Outcome) -> float:
    return float(np.sqrt(np.mean((task.y_test - outcome.predicted) ** 2)))


def _list_friedman(name: str, tasks: list[Task], results: Results) -> list[Figure]:
    """RMSE of hard and soft rules at each depth, and the test between them; the depth chosen by each model's folds."""
    figures: list[Figure] = []
    for reading in READINGS:
        losses = {key: tuple(map(_rmse, tasks, found)) for key, found in results.items() if key.reading == reading}
        for key, values in losses.items():
            row = f"{name}, {reading}, depth {key.depth}: {key.form}"
            figures.append(Figure(row, "RMSE", None, values, decimals=3))
        for form in (HARD, SOFT):
            row = f"{name}, {reading}, depth by cross-validation: {form}"
            figures.append(Figure(row, "RMSE", None, _choose_depth(results, losses, form), decimals=3))
        for depth in DEPTHS if len(tasks) >= FEWEST else ():
            pair = [np.array(losses[Setting(reading, depth, form)]) for form in (HARD, SOFT)]
            p_value = float(wilcoxon(*pair).pvalue)
            row = f"{name}, {reading}, depth {depth}: soft better than hard"
            figures.append(PValue(row, "p (Wilcoxon)", None, (p_value,), ahead=bool(np.mean(pair[0] - pair[1]) > 0)))
    return figures


def _choose_depth(results: Results, losses: dict[Setting, tuple[float, ...]], form: str) -> tuple[float, ...]:
    """For each task the loss of the depth whose own folds promise the lowest error."""
    keys = [key for key in losses if key.form == form]
    errors = np.array([[outcome.error for outcome in results[key]] for key in keys])
    return tuple(losses[keys[k]][i] for i, k in enumerate(errors.argmin(axis=0)))


def _list_boston(draws: list[list[Task]], results: list[Results]) -> list[Figure]:
    """Correlation and RMSE over the rows of all folds, for each draw of the folds."""
    figures = []
    for key in results[0]:
        both = [_judge_draw(tasks, own[key]) for tasks, own in zip(draws, results, strict=True)]
        correlations, errors = zip(*both, strict=True)
        published = BOSTON[key.form][key.depth]
        row = f"boston, {key.reading}, depth {key.depth}: {key.form}"
        how: dict[str, Any] = {"decimals": 2, "printed": 2}
        figures.append(Figure(row, "correlation", published[0], correlations, lower_is_better=False, **how))
        figures.append(Figure(row, "RMSE", published[1], errors, **how))
    return figures


def _judge_draw(tasks: list[Task], found: list[Outcome]) -> tuple[float, float]:
    """Correlation and RMSE over all test rows."""
    truth = np.concatenate([task.y_test for task in tasks])
    predicted = np.concatenate([outcome.predicted for outcome in found])
    return float(np.corrcoef(truth, predicted)[0, 1]), float(np.sqrt(np.mean((truth - predicted) ** 2)))


def list_kept(parts: dict[str, list[Results]]) -> list[Figure]:
    """The share of the leaves of all trees that a model keeps as rules, over all fits; the source says 10 to 20 %."""
    figures: list[Figure] = []
    for name, results in parts.items():
        for reading, form in sorted({(key.reading, key.form) for own in results for key in own}):
            shares = [
                100 * outcome.kept
                for own in results
                for key, found in own.items()
                if (key.reading, key.form) == (reading, form)
                for outcome in found
            ]
            row = f"{name}, {reading}: {form}, leaves that stay rules"
            figures.append(Between(row, "%", None, tuple(shares), decimals=1, low=KEPT[0], high=KEPT[1]))
    return figures


def _draw_boxes(name: str, tasks: list[Task], results: Results) -> Any:
    """The source's Figure 2: RMSE of hard and soft rules at each depth, a panel for each reading."""
    import matplotlib.pyplot as plt

    canvas, axes = plt.subplots(1, len(READINGS), figsize=(9, 3.5), sharey=True, layout="constrained")
    for ax, reading in zip(axes, READINGS, strict=True):
        keys = [key for key in results if key.reading == reading]
        ax.boxplot([list(map(_rmse, tasks, results[key])) for key in keys])
        ax.set_xticks(range(1, len(keys) + 1), [f"{key.form}\n{key.depth}" for key in keys])
        ax.set_title(f"{name}, {reading}")
    axes[0].set_ylabel("RMSE on the test rows")
    return canvas


def _draw_rule() -> Any:
    """The source's Figure 1: a hard rule and its soft curve, the strongest of Friedman 1 with two inputs."""
    import matplotlib.pyplot as plt

    X, y = FRIEDMAN["Friedman 1"](N_ROWS, random_state=0)
    soft = Setting("all inputs", 2, SOFT).make(SoftRulesRegressor, 0).fit(X, y).soft_rules_
    canvas, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    soft.plot(int(np.flatnonzero(np.diff(soft.rules.start) == 2)[0]), list(axes))
    return canvas


def reproduce(settings: Settings) -> Reproduction:
    """Run the examples that we have data for, hard and soft, by both readings."""
    figures: list[Figure] = []
    pictures = [Picture("soft-rule", "A hard rule of Friedman 1 and its soft curve", _draw_rule)]
    parts: dict[str, list[Results]] = {}
    n_draws = count_repetitions(settings, BOSTON_DRAWS)
    draws = [split_set("boston", settings, False, settings.choose(N_FOLDS, quick=2), draw) for draw in range(n_draws)]
    parts["boston"] = [run_all(tasks, settings.choose(DEPTHS, quick=(2, 4)), False, settings) for tasks in draws]
    figures += _list_boston(draws, parts["boston"])
    literal = draws[0][: settings.choose(N_FOLDS, reduced=2, quick=1)]
    parts["boston, to the letter"] = [run_all(literal, (2,), False, settings, [ALL_SOFTENED])]
    n_repetitions = count_repetitions(settings, REPETITIONS)
    for name, make in FRIEDMAN.items():
        tasks = list(draw_friedman(make, n_repetitions))
        results = run_all(tasks, DEPTHS, False, settings)
        parts[name] = [results]
        figures += _list_friedman(name, tasks, results)
        caption = f"RMSE of hard and soft rules by depth, {n_repetitions} repetitions of {name}"
        file = f"soft-{name.lower().replace(' ', '-')}"
        if n_repetitions >= FEWEST:
            pictures.append(Picture(file, caption, partial(_draw_boxes, name, tasks, results)))
    return Reproduction(
        study="soft",
        title="Soft rule ensembles",
        protocol=_describe_protocol(n_draws, n_repetitions, len(literal)),
        figures=(*figures, *list_kept(parts)),
        notes=(*NOTES, *compare_forms(figures, ("boston", *FRIEDMAN))),
        pictures=tuple(pictures),
        has_verdicts=not settings.quick,
    )


def _describe_protocol(n_draws: int, n_repetitions: int, n_literal: int) -> str:
    return (
        f"400 trees, each on 30 % of the rows; lasso weights by {INNER_FOLDS} folds, each with trees of its own."
        f" Hard and soft rules of the same trees. Friedman 1 and 2: {N_ROWS:,} training and {N_ROWS:,} test rows,"
        f" {n_repetitions} of the source's {REPETITIONS['full']} repetitions. Boston: {N_FOLDS}-fold cross-validation"
        f" with {n_draws} draws of the folds, figures over the rows of all folds, spread over the draws;"
        f' "{ALL_SOFTENED}": {n_literal} of the folds, depth 2.'
    )


def compare_forms(figures: list[Figure], names: Iterable[str], more: bool = False) -> Iterator[str]:
    """On how many settings soft rules have the lower error, or the larger area, by set."""
    means = {figure.row: figure.mean for figure in figures if figure.metric in ("RMSE", "AUC")}
    for name in names:
        pairs = [
            (means[row], means[row.replace(": hard", ": soft")])
            for row in means
            if row.startswith(name) and row.endswith(": hard") and row.replace(": hard", ": soft") in means
        ]
        n_soft = sum((soft > hard) == more for hard, soft in pairs if soft != hard)
        gaps = [soft / hard - 1 for hard, soft in pairs]
        yield (
            f"{name}: soft rules are ahead in {n_soft} of {len(pairs)} settings; their"
            f" {'AUC' if more else 'RMSE'} is {100 * float(np.mean(gaps)):+.1f} % of that of hard ones on average."
        )


NOTES = (
    "The source prints no figures for Friedman 1 and 2, only boxplots in which soft rules beat hard ones at every"
    " depth.",
    "With a tenth of the inputs a tree for ten inputs has one, and one for Boston's thirteen two: rules without, or"
    " with few, interactions. That is why both readings are run.",
    "Friedman 2 is sqrt(x1^2 + (x2 x3 - 1/(x2 x4))^2): the source's formula is misprinted.",
    f'Ours differs from the source but for the rows "{ALL_SOFTENED}": three inner folds instead of ten, and of the'
    " trees' rules only the 600 strongest are softened and weighed, while hard models weigh all of them.",
    "The share of leaves that stay rules is of all leaves of the 400 trees. Of rules that cover the same rows one is"
    " taken, and only the 600 strongest are softened.",
    "Sets that are not public: Bay x Sha, CIMMYT.",
)
