"""Which inputs act together: H-statistics, beside what the same model finds where nothing interacts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from glade.core.errors import InputError
from glade.core.names import list_names, show_name
from glade.core.parameters import check_parameters
from glade.core.seeds import draw_seed
from glade.evaluate.null import fit_null_models
from glade.explain.bars import Bars
from glade.explain.grid import find_inputs
from glade.explain.h_statistic import Measured, Strengths, measure
from glade.explain.sampling import encode_sample

PAIRS, SINGLES = "pairs", "inputs"
H, STRENGTH = "h", "strength"
UNITS = {H: "H-statistic", STRENGTH: "deviation of the interaction / deviation of the prediction"}
MAX_INPUTS = 10
CONSTRAINTS = {
    "n_null": [Interval(Integral, 0, None, closed="left")],
    "max_rows": [Interval(Integral, 2, None, closed="left"), None],
    "random_state": ["random_state"],
}


def interactions(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    inputs: Any = None,
    n_null: int = 19,
    max_rows: int | None = 200,
    random_state: Any = None,
) -> "Interactions":
    """Which inputs interact, and whether that is more than noise.

    The H-statistic of a pair is 0 where the joint effect of the two is the sum of their single ones, and 1 where the
    single ones are nothing. Fitted models always find some interaction. Given `y`, the model is fitted again to targets
    in which no inputs interact (boosted stumps plus permuted residuals; classes are drawn), `n_null` times, and what it
    finds there is shown beside.

    Parameters
    ----------
    model : fitted model
        A tree, a forest or a rule ensemble of glade.
    X : table of shape (rows, inputs)
        The rows it was fitted on.
    y : array or dataframe of shape (rows,) or (rows, targets), optional
        Its targets. Without them there is no reference, only H.
    inputs : list of names or positions, optional
        What to look at: by default the ten most important inputs.
    n_null : int
        How often the model is fitted again. With 19, the least p is 0.05.
    max_rows : int or None
        The partial dependences are computed on so many rows, drawn from `X`.
    random_state : int, RandomState or None
        For drawing rows and targets.

    Returns
    -------
    Interactions
        With `frame()` and `plot()`.

    Examples
    --------
    >>> import numpy as np, glade
    >>> X = np.random.default_rng(0).random((300, 3))
    >>> y = 4 * (X[:, 0] > 0.5) * (X[:, 1] > 0.5) + X[:, 2]
    >>> tree = glade.TreeRegressor(max_leaf_nodes=8).fit(X, y)
    >>> found = glade.interactions(tree, X, y, random_state=0)
    >>> found.frame().round(2)[["first", "second", "h", "p"]]
      first second     h     p
    0    x0     x1  0.56  0.05
    1    x0     x2  0.05  1.00
    2    x1     x2  0.03  1.00
    """
    given = {"n_null": n_null, "max_rows": max_rows, "random_state": random_state}
    check_parameters(CONSTRAINTS, given, "interactions")
    seed = draw_seed(random_state)
    rows = encode_sample(model, X, max_rows, seed)
    chosen = _most_important(model) if inputs is None else find_inputs(model.schema_, inputs)
    if len(set(chosen)) < len(chosen):
        raise InputError(f"inputs are given twice: {list_names([model.schema_.names[j] for j in chosen])}")
    pairs = list(combinations(chosen, 2))

    def look_at(one: Any) -> Measured:
        return measure(one.make_explainer().averages(rows), rows, chosen, pairs, model.target_schema_)

    found = look_at(model)
    twins = [] if y is None else [look_at(twin) for twin in fit_null_models(model, X, y, n_null, seed)]
    names = model.schema_.names
    return Interactions(
        tuple((names[j], names[k]) for j, k in pairs), tuple(names[j] for j in chosen), model.target_schema_.names,
        found, tuple(twins),
    )  # fmt: skip


def _most_important(model: Any) -> list[int]:
    importance = model.feature_importances_
    order = np.argsort(-importance, kind="stable")[:MAX_INPUTS]
    return sorted(int(j) for j in order if importance[j] > 0)


@dataclass(frozen=True)
class Interactions:
    """H-statistics of pairs of inputs, and of inputs against all others; for each target, its classes together.

    Attributes
    ----------
    pairs : tuple of pairs of names
    inputs : tuple of names
    targets : tuple of names
    found : Measured
        Of the model.
    null : tuple of Measured
        Of models fitted to targets without interactions.
    """

    pairs: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    targets: tuple[str, ...]
    found: Measured
    null: tuple[Measured, ...]

    def frame(self, of: str = PAIRS) -> Any:
        """A dataframe of the pairs, or of the inputs each against all others, the strongest first for each target.

        Parameters
        ----------
        of : "pairs" or "inputs"

        Returns
        -------
        DataFrame of first, second (or input), target, h, strength, p, and the reference of h and strength
            `strength` is the standard deviation of the interaction, in standard deviations of the prediction. `p` is
            the share of the models, this one counted, in which some pair's strength exceeds its mean over the models
            as much as this pair's does: one with p <= 0.05 is an interaction at the level of 5 %, however many pairs
            were looked at. `null_h`, `null_h_deviation`, `null_strength` and `null_strength_deviation` are mean and
            standard deviation of what is found where nothing interacts. They and `p` are NaN without a reference.
        """
        import pandas as pd

        things = self._name_things(of)
        columns = self._measure_things(of)
        target = np.tile(np.arange(len(self.targets)), len(things))
        frame = pd.DataFrame([thing for thing in things for _ in self.targets], columns=self._heads(of))
        frame["target"] = pd.Series(self.targets).array.take(target)
        for name, values in columns.items():
            frame[name] = values.reshape(-1)
        order = np.lexsort((-frame["h"], -frame["strength"], frame["p"], target))
        return frame.iloc[order].reset_index(drop=True)

    def plot(
        self, ax: Any = None, *, of: str = PAIRS, by: str = STRENGTH, target: str | None = None, max_bars: int = 15
    ) -> Any:
        """Draw the interactions, with mean and two standard deviations of what is found where nothing interacts.

        Parameters
        ----------
        ax
            Matplotlib axes; new ones by default.
        of : "pairs" or "inputs"
        by : "strength" or "h"
            The length of the bars. H can be large for inputs that do next to nothing.
        target
            The first by default.
        max_bars
            How many are drawn, in the order of `frame`.
        """
        target = self.targets[0] if target is None else target
        if target not in self.targets or by not in UNITS:
            raise InputError(f"by is one of {list_names([*UNITS])}, target one of {list_names(self.targets)}")
        frame = self.frame(of)
        shown = frame[frame["target"] == target].head(max_bars)
        names = [" × ".join(map(show_name, thing)) for thing in shown[self._heads(of)].to_numpy()]
        amount, mark, spread = (shown[name].to_numpy() for name in (by, f"null_{by}", f"null_{by}_deviation"))
        bars = Bars(
            frame, names, np.zeros(len(names)), amount, f"interactions for {show_name(target)}", UNITS[by],
            mark=mark if self.null else None, reach=np.array([np.minimum(2 * spread, mark), 2 * spread]),
        )  # fmt: skip
        return bars.plot(ax)

    def _heads(self, of: str) -> list[str]:
        return ["first", "second"] if of == PAIRS else ["input"]

    def _name_things(self, of: str) -> Sequence[tuple[str, ...]]:
        if of not in (PAIRS, SINGLES):
            raise InputError(f"of must be {PAIRS!r} or {SINGLES!r}, but is {of!r}")
        return self.pairs if of == PAIRS else [(name,) for name in self.inputs]

    def _measure_things(self, of: str) -> dict[str, NDArray[np.float64]]:
        """The numbers of the frame, each things x targets."""

        def pick(measured: Measured) -> Strengths:
            return measured.pairs if of == PAIRS else measured.singles

        own = pick(self.found)
        found = {H: own.h, STRENGTH: self._scale(own)}
        if not self.null or not len(own.h):
            nothing = np.full(own.h.shape, np.nan)
            return {**found, "p": nothing, **{f"null_{n}{part}": nothing for n in found for part in ("", "_deviation")}}
        null = {
            H: np.array([pick(measured).h for measured in self.null]),
            STRENGTH: np.array([self._scale(pick(measured)) for measured in self.null]),
        }
        columns = {**found, "p": find_p(found[STRENGTH], null[STRENGTH])}
        for name, values in null.items():
            columns |= {f"null_{name}": values.mean(axis=0), f"null_{name}_deviation": values.std(axis=0)}
        return columns

    def _scale(self, strengths: Strengths) -> NDArray[np.float64]:
        """Interactions in standard deviations of this model's predictions, for any model: so they can be compared."""
        whole = np.broadcast_to(self.found.whole, strengths.interaction.shape)
        share = np.divide(strengths.interaction, whole, out=np.zeros(whole.shape), where=whole > 0)
        return np.sqrt(share)


def find_p(found: NDArray[np.float64], null: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each thing and target, how rarely such an excess is met where nothing interacts.

    The excess is that over the mean of all models, the one in question among them: so all models are treated alike, and
    if nothing interacts, the smallest p is at most k / (1 + models) with that same probability.

    Parameters
    ----------
    found
        Things x targets.
    null
        Models x things x targets.

    Examples
    --------
    >>> null = np.array([[[0.1], [0.3]], [[0.2], [0.4]], [[0.1], [0.3]]])
    >>> find_p(np.array([[0.5], [0.3]]), null).ravel().tolist()
    [0.25, 1.0]
    """
    every = np.concatenate((found[None], null))
    excess = every - every.mean(axis=0)
    greatest = excess.max(axis=1, keepdims=True)
    return (greatest >= excess[0]).mean(axis=0)
