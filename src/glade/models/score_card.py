"""Score cards: a handful of lines with whole points, whose sum has a risk in a table."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from glade.core.layout import align_columns
from glade.core.names import quote_name, show_name
from glade.data.nice_edges import NICE
from glade.models.base import TrainingSet
from glade.models.class_output import DECIDING
from glade.models.ensemble import ForestEstimator
from glade.models.forest import ForestClassifier
from glade.models.rule_ensemble import RuleEnsembleEstimator
from glade.models.rules import RuleEnsembleClassifier
from glade.rules.extract import NODES
from glade.rules.wording import word_label
from glade.weights.score_card import ScoreCard
from glade.weights.solver import Solver

ONE_COLUMN = "A column-vector y was passed when a 1d array was expected: give y.ravel()"
WHOLE = 1e-6  # by how much a ratio of weights may miss a whole number


@dataclass(frozen=True)
class SumsOfRows:
    """What the training rows say of each sum of points.

    Parameters
    ----------
    event
        The place of the class that points speak for.
    sums
        That some row has, ascending.
    rows, events
        What these rows count, and those of the event among them.
    """

    event: int
    sums: NDArray[np.int64]
    rows: NDArray[np.float64]
    events: NDArray[np.float64]


class ScoreCardClassifier(RuleEnsembleClassifier):
    """A card of few lines with whole points for one of two classes: add them up, and look the risk up in a table.

    Lines are conditions on single inputs with thresholds that are round numbers. They are chosen by the logistic loss,
    and how many there are is chosen on folds whose lines and points were found without their rows; so is by how much
    risks are drawn towards the mean.

    Parameters
    ----------
    max_lines : int, default=8
        The most lines.
    max_points : int, default=5
        The most points of a line; they may be negative.
    event : label, default=None
        The class that points speak for, whose risk the table holds, and to whose probability `threshold` is compared.
        None is the rarer one.
    threshold : float, "cost" or None, default=None
        Predict the event from this probability of it on. "cost" finds it from `costs`; None is the most probable class.
    costs : dict or None, default=None
        With threshold="cost", {"false_alarm": 1, "miss": 5}: what an error of either kind costs.
    generator : estimator or list of estimators, default=None
        The forests whose rules may become lines. By default boosted and independent small trees.
    max_conditions : int, default=1
        The most inputs that a line has conditions on.
    cv : int, splitter, list of splits or None, default=None
        The folds that choose the number of lines. None is 3, for fewer than 200 rows 5, from 2,000 rows on 2.
    class_weight : dict, list of dict, "balanced" or None, default=None
        What an error in each class costs. It moves the class that is predicted; the risks stay true.
    missing_targets : {"error", "ignore"} or None, default=None
        Whether the class of a row may be missing; the row then does not count. None is "error".
    n_jobs : int or None, default=None
        Threads that grow trees; None is 1, -1 all cores.
    verbose : bool or int, default=False
        Show progress on standard error.
    random_state : int, RandomState instance or None, default=None
        The seed of all that is drawn.

    Attributes
    ----------
    card_ : DataFrame
        The lines: the rule in words, its points, the rows that it covers and their share of all.
    risk_table_ : DataFrame
        For each sum of points its risk, how many training rows have it, and which share of them had the event.
    event_ : label
        The class that points speak for.
    threshold_ : float
        The probability of the event from which on it is predicted.
    classes_ : ndarray
        The two classes.
    rules_ : RuleSet
        The lines as rules, the most important first.
    path_ : ErrorPath
        The cards of each number of lines, with their validation errors.
    model_ : RuleModel
        The card as a model of rules whose scores are log-odds.
    oof_prediction_ : ndarray
        Probabilities of the classes for the training rows, by cards of folds that had no part of them.
    errors_ : DataFrame
        How good these predictions are: for each target RMSE, MAE and R2, or the share of wrong classes, AUC, log loss,
        Brier score and calibration slope, with standard errors, beside a guess that looks at no input.

    Examples
    --------
    >>> from glade import ScoreCardClassifier, load_penguins
    >>> penguins = load_penguins().dropna()
    >>> X, y = penguins[["species", "bill_length_mm", "bill_depth_mm", "body_mass_g"]], penguins["sex"]
    >>> card = ScoreCardClassifier(max_lines=4, random_state=0).fit(X, y)
    >>> bool(card.score(X, y) > 0.8)
    True
    >>> card.risk_table_["risk"].is_monotonic_increasing
    True
    """

    rules_from, soft, linear_terms, logic, cuts = NODES, False, False, False, NICE
    validation_fraction = target_weights = monotonic_cst = given_rules = interaction_cst = None
    keep_given = False
    _size_parameter = "max_lines"
    _parameter_constraints = {
        **{
            name: RuleEnsembleEstimator._parameter_constraints[name]
            for name in ("cv", "missing_targets", "n_jobs", "verbose", "random_state")
        },
        "max_lines": [Interval(Integral, 1, None, closed="left")],
        "max_points": [Interval(Integral, 1, 100, closed="both")],
        "generator": [HasMethods("fit"), list, None],
        "max_conditions": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [dict, list, StrOptions({"balanced"}), None],
        **DECIDING,
    }

    def __init__(
        self,
        max_lines: int = 8,
        max_points: int = 5,
        *,
        event: Any = None,
        threshold: float | str | None = None,
        costs: Mapping[str, float] | None = None,
        generator: Any = None,
        max_conditions: int = 1,
        cv: Any = None,
        class_weight: Any = None,
        missing_targets: str | None = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ):
        self.max_lines = max_lines
        self.max_points = max_points
        self.event = event
        self.threshold = threshold
        self.costs = costs
        self.generator = generator
        self.max_conditions = max_conditions
        self.cv = cv
        self.class_weight = class_weight
        self.missing_targets = missing_targets
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = tags.classifier_tags.multi_class = False
        return tags

    @property
    def weights(self) -> Solver:  # type: ignore[override]
        """How points are found."""
        return ScoreCard(self.max_lines, self.max_points)

    @property
    def max_rules(self) -> int:  # type: ignore[override]
        """The most lines, by the name that other rules have for it."""
        return self.max_lines

    def _default_generators(self, n_rows: int, room: int) -> list[ForestEstimator]:
        few: dict[str, Any] = {"max_bins": 255, "min_samples_leaf": max(2, min(n_rows // 100, 10))}
        boosted = ForestClassifier(150, method="boosting", max_depth=2, max_samples=0.5, max_features=0.5, **few)
        return [ForestClassifier(100, max_depth=3, max_features="third", **few), boosted]

    def _read_training(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> TrainingSet:
        if isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] == 1:
            warnings.warn(ONE_COLUMN, DataConversionWarning, stacklevel=3)
        training = super()._read_training(X, y, sample_weight, groups)
        if len(training.targets) > 1:
            raise ValueError(f"a score card is for one target, but y has {len(training.targets)}: fit a card for each")
        name, classes = quote_name(self.target_schema_.names[0]), self._labels
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. A score card adds up points for one of two classes, but"
                f" target {name} has {len(classes)}: fit a card of one class against all others"
            )
        if len(classes) < 2:
            raise ValueError(f"a score card needs two classes, but target {name} has one class, {classes[0]!r}")
        return training

    def _look_at_rows(self, training: TrainingSet) -> None:
        """Keep what the training rows say of each sum of points."""
        self.sums_ = self._add_up(training)

    def with_rules(self, k: int) -> Self:
        """Return the card of at most k lines from the same fit, without fitting again.

        Parameters
        ----------
        k : int
            The most lines; the best card of `path_` within that limit is taken.

        Returns
        -------
        object
            A fitted copy of the estimator, whose `max_lines` is k. If it is another card, its risk table does not know
            the training rows.
        """
        model = super().with_rules(k)
        if model.model_.place != self.model_.place:
            nothing = np.zeros(0)
            model.sums_ = SumsOfRows(self.sums_.event, nothing.astype(np.int64), nothing, nothing)
        return model

    def _add_up(self, training: TrainingSet) -> SumsOfRows:
        """What the training rows say of each sum of points."""
        known = ~np.isnan(training.targets[0].values)
        is_second, weights = training.targets[0].values[known] == 1.0, training.weights[known]
        (event,) = self.target_schema_.events
        assert event is not None
        design = self.model_.terms.design
        total = design.values(training.matrix[known]) @ self._find_points(event)
        sums, place = np.unique(np.rint(total).astype(np.int64), return_inverse=True)
        rows, events = (np.bincount(place, w).astype(float) for w in (weights, weights * (is_second == event)))
        return SumsOfRows(event, sums, rows, events)

    def _find_points(self, event: int) -> NDArray[np.int64]:
        """Of each line, in the order of the rules: the least whole numbers in proportion to the weights."""
        effect = self.model_.terms.effect[:, -1] * (1 if event else -1)
        if not len(effect):
            return np.zeros(0, np.int64)
        largest = np.abs(effect).max()
        for most in range(1, self.max_points + 1):
            points = effect * (most / largest)
            if np.abs(points - np.rint(points)).max() < WHOLE * self.max_points:
                break
        return np.rint(points).astype(np.int64)

    @property
    def _labels(self) -> list[Any]:
        """The classes."""
        (classes,) = self.target_schema_.classes
        return [] if classes is None else list(classes)

    @property
    def holds_sums(self) -> bool:
        """Whether weights are whole points, and the sums of the training rows are some that a row can have."""
        effect, points = self.model_.terms.effect[:, -1], self._find_points(self.sums_.event)
        if len(points) and not points.all():
            return False
        unit = effect[0] / points[0] if len(points) else 0.0
        are_whole = np.allclose(effect, unit * points, rtol=1e-4, atol=0.0)
        low, high = points[points < 0].sum(), points[points > 0].sum()
        return bool(are_whole and ((self.sums_.sums >= low) & (self.sums_.sums <= high)).all())

    @property
    def card_(self) -> Any:
        """The lines: the rule in words, its points, the rows that it covers and their share of all."""
        import pandas as pd

        check_is_fitted(self)
        terms = self.model_.terms
        frame = pd.DataFrame({"rule": terms.design.words, "points": self._find_points(self.sums_.event)})
        frame["rows"], frame["share"] = terms.measured.rows, terms.share
        order = np.argsort(-frame["points"].to_numpy(), kind="stable")
        return frame.iloc[order].reset_index(drop=True)

    @property
    def risk_table_(self) -> Any:
        """For each sum of points its risk, how many training rows have it, and the share of the event among these."""
        import pandas as pd

        check_is_fitted(self)
        points = self._find_points(self.sums_.event)
        sums = np.arange(points[points < 0].sum(), points[points > 0].sum() + 1)
        terms, event = self.model_.terms, self.sums_.event
        unit = float(terms.effect[0, -1] / points[0]) if len(points) else 0.0
        scores = np.zeros((len(sums), 2))
        scores[:, 1] = terms.offset[-1] + unit * sums
        frame = pd.DataFrame({"points": sums, "risk": self.model_.scores.values(scores)[:, event]})
        place = np.searchsorted(sums, self.sums_.sums)
        rows, events = np.full((2, len(sums)), 0.0 if len(place) else np.nan)
        rows[place], events[place] = self.sums_.rows, self.sums_.events
        frame["rows"] = rows
        frame["observed"] = np.divide(events, rows, out=np.full(len(sums), np.nan), where=rows > 0)
        return frame

    def to_frame(self) -> Any:
        """Return the lines as a dataframe, the offset first.

        Returns
        -------
        DataFrame
            A row for each line; `RuleModel.to_frame` says what the columns are, and `points` are those of the card.
        """
        frame = super().to_frame()
        frame.insert(5, "points", [0, *self._find_points(self.sums_.event)])
        return frame

    def to_text(self) -> str:
        """Return the card for a person to read: its lines with their points, and the risk of each sum.

        Returns
        -------
        str
            Two tables of text.
        """
        card, table = self.card_, self.risk_table_
        event = word_label(self.event_)
        what = f"{show_name(self.target_schema_.names[0])}: {event}"
        lines = [[str(k + 1), rule, f"{points:+d}", f"{share:.0%}"] for k, (rule, points, share) in enumerate(
            zip(card["rule"], card["points"], card["share"], strict=True)
        )]  # fmt: skip
        head = ["#", "add for each line that is true", "points", "rows"]
        title = f"score card of {len(lines)} line{'' if len(lines) == 1 else 's'} for {what}"
        there = table[(table["rows"] != 0).to_numpy()]
        risks = [["sum of points", "risk", "rows", "observed"]]
        for points, risk, rows, observed in there.itertuples(index=False):
            risks.append(
                [str(points), _word_share(risk), "" if np.isnan(rows) else f"{rows:.0f}", _word_share(observed)]
            )
        return "\n".join(
            [
                title,
                *align_columns([head, *lines], [True, False, True, True]),
                "",
                *align_columns(risks, [True, True, True, True]),
            ]
        )


def _word_share(share: float) -> str:
    """A percentage, with a digit more where it is near 0 or 100; nothing where it is not known."""
    if np.isnan(share):
        return ""
    return f"{share:.1%}" if min(share, 1 - share) < 0.1 and 0 < share < 1 else f"{share:.0%}"
