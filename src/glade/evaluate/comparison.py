"""What a comparison found: a long table, ranks, tests, pictures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError
from glade.core.layout import align_columns
from glade.core.names import list_names, quote_name, show_name
from glade.core.notices import warn_user
from glade.data.folds import Fold
from glade.evaluate import statistics
from glade.evaluate.fit_results import FitResult
from glade.evaluate.fold_plot import plot_fold_losses
from glade.evaluate.measures import DEFAULTS, LOSS, MEASURES, TargetPredictions, check_names
from glade.evaluate.problems import ComparisonData
from glade.evaluate.rank_diagram import RankDiagram
from glade.evaluate.sizes import COUNTS, SIZE, SIZES, measure_parts

SECONDS = ("fit_seconds", "predict_seconds")
TARGETS, SETS = "targets", "sets"
FOLD, REPETITION = "fold", "repetition"
MAX_SHOWN = 5  # data sets that `print` shows one by one


class Comparison:
    """The predictions of every model in every fold, and all that follows from them. Made by `glade.compare`.

    Attributes
    ----------
    models : tuple of str
    data : tuple of str

    Examples
    --------
    >>> from glade import TreeClassifier, compare, load_penguins
    >>> penguins = load_penguins()
    >>> data = {"penguins": (penguins.drop(columns="species"), penguins["species"])}
    >>> result = compare({"stump": TreeClassifier(max_depth=1), "tree": TreeClassifier()}, data)
    >>> result.frame()[["model", "fold", "metric"]].drop_duplicates().shape
    (20, 3)
    """

    def __init__(
        self,
        models: tuple[str, ...],
        problems: Mapping[str, ComparisonData],
        folds: Mapping[tuple[str, int], list[Fold]],
        results: Mapping[Any, FitResult],
    ):
        self.models = models
        self.data = tuple(problems)
        self._problems = problems
        self._folds = folds
        self._results = results

    def __repr__(self) -> str:
        """The models with their mean loss on each data set, or over all of them where there are many."""
        n_folds = max((len(own) for own in self._folds.values()), default=0)
        counts = [(len(self.models), "model"), (len(self.data), "data set"), (n_folds, "fold")]
        words = [f"{n:,} {what}{'' if n == 1 else 's'}" for n, what in counts]
        table = self.frame(tuple(LOSS.values()), by="repetition")
        table = table[table["metric"].notna()]
        by_data = table.groupby(["model", "data"])["value"].mean().unstack("data")
        by_data = by_data.reindex(index=list(self.models), columns=list(self.data))
        heads, cells = list(self.data), by_data.to_numpy(float)
        if len(heads) > MAX_SHOWN:
            heads, cells = ["mean of all"], np.nanmean(cells, axis=1, keepdims=True)
        shown = [["-" if np.isnan(x) else f"{x:.4f}" for x in row] for row in cells]
        rows = [["mean loss", *map(show_name, heads)]]
        rows += [[show_name(model), *own] for model, own in zip(self.models, shown, strict=True)]
        note = "loss: RRMSE of numbers (1 = always the mean), share of wrong classes; frame() has every fold and metric"
        n_times = len({repetition for _, repetition in self._folds})
        times = f", drawn {n_times} times" if n_times > 1 else ""
        title = f"Comparison of {words[0]} on {words[1]}, {words[2]}{times}"
        return "\n".join([title, *align_columns(rows, [False, *[True] * len(heads)]), note])

    def frame(self, metrics: Iterable[str] | None = None, by: str = FOLD) -> Any:
        """The long table: a row for each data set, model, repetition, fold, target and metric.

        Parameters
        ----------
        metrics : names, optional
            Among rmse, mae, mape, rrmse, correlation (numeric targets), accuracy, error, auc (nominal ones).
        by : "fold" or "repetition"
            With "repetition" the sums of a metric run over the test rows of all folds (pooled); sizes are means over
            folds, seconds medians.

        Returns
        -------
        DataFrame
            data, model, repetition, fold, target, metric, value, rows (whose truth is known), sizes, seconds, error. A
            fit that failed is one row, without target and metric.
        """
        import pandas as pd

        names = check_names(DEFAULTS if metrics is None else metrics)
        rows = [row for unit in self._units(by) for row in self._judge_unit(*unit, names)]
        columns = [
            "data",
            "model",
            "repetition",
            "fold",
            "target",
            "metric",
            "value",
            "rows",
            *SIZES,
            *SECONDS,
            "error",
        ]
        table = pd.DataFrame(rows, columns=columns)
        return table.drop(columns="fold") if by == REPETITION else table

    def predictions(self, model: str, data: str | None = None, repetition: int = 0) -> Any:
        """What a model said of each test row: fold, row, target, truth, predicted (classes as positions).

        Folds in which it failed have no rows.
        """
        import pandas as pd

        name = self._one_set(data)
        if model not in self.models or (name, repetition) not in self._folds:
            raise InputError(f"there is no model {quote_name(model)} or no repetition {repetition} in this comparison")
        parts = [pd.DataFrame({"fold": [], "row": [], "target": [], "truth": [], "predicted": []})]
        for k, (_, test) in enumerate(self._folds[name, repetition]):
            result = self._results[name, model, repetition, k]
            for t, values in enumerate(result.predicted):
                target = self._problems[name].targets[t]
                about = {"fold": k, "row": test, "target": target.name, "truth": target.values[test]}
                parts.append(pd.DataFrame({**about, "predicted": values}))
        return pd.concat(parts[1:] or parts, ignore_index=True)

    def out_of_fold(self, model: str, data: str | None = None, repetition: int = 0) -> NDArray[np.float64]:
        """What a model said of each row when it had not seen it: rows x channels, NaN where no fold held the row out.

        A numeric target is one channel; a nominal one has a channel for each class in the order of its labels: its
        probability, or one for the class that was named where the model offers no probabilities.
        """
        name = self._one_set(data)
        targets = self._problems[name].targets
        width = [1 if target.labels is None else len(target.labels) for target in targets]
        values = np.full((self._problems[name].n_rows, sum(width)), np.nan)
        for k, (_, test) in enumerate(self._folds[name, repetition]):
            result = self._results[name, model, repetition, k]
            if not result.predicted:
                continue
            parts = [
                predicted[:, None] if n == 1 and own.labels is None else _to_probabilities(predicted, shares, n)
                for predicted, shares, own, n in zip(
                    result.predicted, result.probabilities, targets, width, strict=True
                )
            ]
            values[test] = np.hstack(parts)
        return values

    def named_out_of_fold(self, model: str, data: str | None = None, repetition: int = 0) -> NDArray[np.float64]:
        """What `predict` said of each row when the model had not seen it: rows x targets, classes as their places.

        NaN where no fold held the row out.
        """
        name = self._one_set(data)
        problem = self._problems[name]
        named = np.full((problem.n_rows, len(problem.targets)), np.nan)
        for k, (_, test) in enumerate(self._folds[name, repetition]):
            result = self._results[name, model, repetition, k]
            if result.predicted:
                named[test] = np.column_stack(result.predicted)
        return named

    @property
    def problem(self) -> ComparisonData:
        """The one table that models were compared on."""
        return self._problems[self._one_set(None)]

    def folds(self, data: str | None = None, repetition: int = 0) -> list[Fold]:
        """The training and test rows of each fold."""
        return list(self._folds[self._one_set(data), repetition])

    def failures(self) -> Any:
        """The fits that failed: data, model, repetition, fold, error."""
        table = self.frame(metrics=())
        return table.loc[table["error"].notna(), ["data", "model", "repetition", "fold", "error"]]

    def notes(self) -> Counter[str]:
        """What the fits warned of, and in how many of them."""
        return Counter(note for result in self._results.values() for note in result.notes)

    def errors(self, metric: str | None = None, over: str = TARGETS) -> Any:
        """Measurements x models, lower is better: what models are ranked by.

        Parameters
        ----------
        metric : str, optional
            A metric, a count ("leaves", "rules", ...), "size" or seconds ("fit_seconds", ...). "size" compares models
            of all kinds: of rules the number of terms, of trees and forests that of all leaves. By default RRMSE for
            numeric targets and the share of wrong classes for nominal ones. Metrics of which more is better are
            negated.
        over : "targets" or "sets"
            A measurement is a target, or the mean over the targets of a data set. Sizes and seconds have no targets.
        """
        _check_choice("over", over, (TARGETS, SETS))
        of_set = metric in (*SIZES, *SECONDS)
        by_loss = metric is None or of_set
        table = self.frame(LOSS.values() if by_loss else (str(metric),), by=REPETITION).dropna(subset=["metric"])
        sign = 1 if by_loss or MEASURES[str(metric)].lower_is_better else -1
        wide = table.assign(measured=sign * table[metric if of_set else "value"]).pivot_table(
            index=["data"] if over == SETS or of_set else ["data", "target"],
            columns="model",
            values="measured",
            aggfunc="mean",
            sort=False,
            dropna=False,
        )
        return wide.reindex(columns=list(self.models)).dropna(how="all")

    def ranks(self, metric: str | None = None, over: str = TARGETS) -> Any:
        """The average rank of each model, 1 is best; ties share the mean of their ranks. Parameters as in `errors`."""
        return statistics.rank_models(self._complete(metric, over))

    def friedman(self, metric: str | None = None, over: str = TARGETS) -> statistics.FriedmanResult:
        """Friedman's test whether any of three or more models differs. Parameters as in `errors`."""
        return statistics.friedman(self._complete(metric, over))

    def nemenyi(self, metric: str | None = None, over: str = TARGETS) -> Any:
        """p-values of Nemenyi's test for all pairs of models. Parameters as in `errors`."""
        return statistics.nemenyi(self._complete(metric, over))

    def wilcoxon(self, metric: str | None = None, over: str = TARGETS) -> Any:
        """p-values of Wilcoxon's signed-rank test for all pairs, not corrected for their number. As in `errors`."""
        return statistics.wilcoxon(self._complete(metric, over))

    def diagram(self, metric: str | None = None, over: str = TARGETS) -> RankDiagram:
        """The average-rank diagram. Parameters as in `errors`."""
        return RankDiagram.of(self._complete(metric, over))

    def plot(self, metric: str | None = None, over: str = TARGETS, ax: Any = None) -> Any:
        """Draw the average-rank diagram; returns the Matplotlib axes. Parameters as in `errors`."""
        return self.diagram(metric, over).plot(ax)

    def plot_folds(self, data: str | None = None, ax: Any = None) -> Any:
        """Draw the losses of `fold_losses` as points, a row for each model; returns the Matplotlib axes."""
        return plot_fold_losses(self.fold_losses(data), ax)

    def fold_losses(self, data: str | None = None) -> Any:
        """Folds x models: the loss in each fold of one data set, averaged over its targets (RRMSE, share of errors)."""
        name = self._one_set(data)
        table = self.frame(tuple(LOSS.values()))
        table = table[table["data"] == name].dropna(subset=["metric"])
        wide = table.pivot_table(index=["repetition", "fold"], columns="model", values="value", aggfunc="mean")
        return wide.reindex(columns=list(self.models))

    def t_tests(self, data: str | None = None) -> Any:
        """p-values for all pairs of models on one data set: Nadeau and Bengio's corrected t-test over the folds.

        The losses are those of `fold_losses`; the p-values are corrected for the number of pairs (Holm). With few folds
        only large differences are found.
        """
        import pandas as pd

        name = self._one_set(data)
        losses = self.fold_losses(name).dropna(axis=1, how="any")
        train, test = self._folds[name, 0][0]
        p_values = pd.DataFrame(1.0, index=losses.columns, columns=losses.columns)
        for first in losses.columns:
            for second in losses.columns[: list(losses.columns).index(first)]:
                gaps = losses[first] - losses[second]
                p_value = statistics.corrected_t_test(gaps, len(test) / len(train))
                p_values.loc[first, second] = p_values.loc[second, first] = p_value
        return statistics.adjust_holm(p_values)

    def _units(self, by: str) -> list[tuple[str, str, int, Sequence[int]]]:
        """What a row of the table is computed from: data set, model, repetition, folds."""
        _check_choice("by", by, (FOLD, REPETITION))
        units: list[tuple[str, str, int, Sequence[int]]] = []
        for (name, repetition), folds in self._folds.items():
            every = range(len(folds))
            groups = [[k] for k in every] if by == FOLD else [list(every)]
            units += [(name, model, repetition, group) for model in self.models for group in groups]
        return units

    def _judge_unit(
        self, name: str, model: str, repetition: int, folds: Sequence[int], metrics: tuple[str, ...]
    ) -> list[dict[str, Any]]:
        results = [self._results[name, model, repetition, k] for k in folds]
        row: dict[str, Any] = {"data": name, "model": model, "repetition": repetition, "fold": folds[0]}
        failed = next((result.error for result in results if result.error is not None), None)
        if failed is not None:
            return [{**row, "error": failed}]
        for part in COUNTS:
            row[part] = _mean_known(result.size.get(part) for result in results)
        row[SIZE] = _mean_known(measure_parts(result.size) for result in results)
        for part in SECONDS:
            row[part] = float(np.median([getattr(result, part) for result in results]))  # the first may compile
        tests = [self._folds[name, repetition][k][1] for k in folds]
        rows = []
        for t, target in enumerate(self._problems[name].targets):
            judged = _pool(target.values, tests, results, t)
            about = {**row, "target": target.name, "rows": judged.n_known}
            fitting = [metric for metric in metrics if MEASURES[metric].kind == target.kind]
            rows += [{**about, "metric": metric, "value": MEASURES[metric].compute(judged)} for metric in fitting]
        return rows

    def _complete(self, metric: str | None, over: str) -> Any:
        """The errors without the models that failed somewhere."""
        errors = self.errors(metric, over)
        lacking = errors.columns[errors.isna().any()].tolist()
        if lacking:
            warn_user(f"{list_names(lacking)} left out: no result on some data set (see failures())")
        return errors.drop(columns=lacking)

    def _one_set(self, data: str | None) -> str:
        if data is None and len(self.data) == 1:
            return self.data[0]
        if data not in self.data:
            raise InputError(f"data must name one of {list_names(self.data)}, got {quote_name(data)}")
        return str(data)


def _mean_known(counts: Iterable[int | None]) -> float:
    """The mean of the counts that apply; NaN if none does."""
    known = [count for count in counts if count is not None]
    return float(np.mean(known)) if known else float("nan")


def _pool(truth: NDArray[np.float64], tests: list[Any], results: list[FitResult], t: int) -> TargetPredictions:
    """The test rows of several folds together; each row's reference is that of its own fold."""
    tables = [result.probabilities[t] for result in results]
    known = [table for table in tables if table is not None]
    return TargetPredictions(
        truth=np.concatenate([truth[test] for test in tests]),
        predicted=np.concatenate([result.predicted[t] for result in results]),
        reference=np.concatenate(
            [np.full(len(test), result.reference[t]) for test, result in zip(tests, results, strict=True)]
        ),
        probabilities=np.concatenate(known) if len(known) == len(tables) else None,
    )


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"{name} must be {' or '.join(map(repr, choices))}, got {value!r}")


def _to_probabilities(
    predicted: NDArray[np.float64], shares: NDArray[np.float64] | None, n_classes: int
) -> NDArray[np.float64]:
    """Rows x classes."""
    return (predicted[:, None] == np.arange(n_classes)).astype(float) if shares is None else shares
