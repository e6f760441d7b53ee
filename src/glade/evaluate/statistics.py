"""Whether differences between models are more than chance.

All take a dataframe of errors: a row for each measurement (a target, a data set), a column for each model, lower is
better. Demšar (2006), Statistical comparisons of classifiers over multiple data sets, is the method: Friedman's test
whether there is any difference, Nemenyi's for pairs; Wilcoxon's for two models alone. `corrected_t_test` is for the
folds of a single data set.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glade.core.errors import InputError

MAX_SIGNS = 13  # measurements, up to which all signs are tried


class FriedmanResult(NamedTuple):
    """Friedman's chi-square, corrected for ties, and Iman and Davenport's less conservative F."""

    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    n_measurements: int


def rank_models(errors: Any) -> Any:
    """The average rank of each model over the measurements; 1 is best, ties share the mean of their ranks.

    Examples
    --------
    >>> import pandas as pd
    >>> rank_models(pd.DataFrame({"tree": [0.9, 0.8], "forest": [0.7, 0.8]})).to_dict()
    {'tree': 1.75, 'forest': 1.25}
    """
    _check_errors(errors, n_models=2)
    return errors.rank(axis=1).mean()


def friedman(errors: Any) -> FriedmanResult:
    """Friedman's test of three or more models: is any of them better or worse than the others?

    Examples
    --------
    >>> import pandas as pd
    >>> errors = pd.DataFrame({"a": [1, 2, 1, 1], "b": [2, 1, 2, 2], "c": [3, 3, 3, 3]})
    >>> round(friedman(errors).p_value, 4)
    0.0388
    """
    from scipy import stats

    _check_errors(errors, n_models=3)
    n, k = errors.shape
    if (errors.nunique(axis=1) == 1).all():
        return FriedmanResult(0.0, 1.0, 0.0, 1.0, n)
    found = stats.friedmanchisquare(*(errors[model] for model in errors.columns))
    remainder = n * (k - 1) - found.statistic
    f = np.inf if remainder <= 0 else (n - 1) * found.statistic / remainder
    f_p_value = stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    return FriedmanResult(float(found.statistic), float(found.pvalue), float(f), float(f_p_value), n)


def critical_distance(n_models: int, n_measurements: int, level: float = 0.05) -> float:
    """The least difference of average ranks that Nemenyi's test calls significant.

    Examples
    --------
    >>> round(critical_distance(4, 63), 3)
    0.591
    """
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - level, n_models, np.inf)
    return float(quantile * _rank_error(n_models, n_measurements))


def nemenyi(errors: Any) -> Any:
    """The p-values of Nemenyi's test for all pairs of models, as a square dataframe.

    Examples
    --------
    >>> import pandas as pd
    >>> errors = pd.DataFrame({"a": [1, 2, 1, 1], "b": [2, 1, 2, 2], "c": [3, 3, 3, 3]})
    >>> round(float(nemenyi(errors).loc["a", "c"]), 3)
    0.036
    """
    from scipy.stats import studentized_range

    ranks = rank_models(errors)
    n, k = errors.shape
    distance = np.abs(np.subtract.outer(ranks.to_numpy(), ranks.to_numpy()))
    return _to_square(studentized_range.sf(distance / _rank_error(k, n), k, np.inf), errors)


def _rank_error(n_models: int, n_measurements: int) -> float:
    """What a studentised range of ranks is measured in."""
    return float(np.sqrt(n_models * (n_models + 1) / (12.0 * n_measurements)))


def wilcoxon(errors: Any) -> Any:
    """The p-values of Wilcoxon's signed-rank test (two-sided) for all pairs of models, as a square dataframe.

    They are not corrected for the number of pairs: see `adjust_holm`.

    Examples
    --------
    >>> import pandas as pd
    >>> errors = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4, 0.5], "b": [0.2, 0.4, 0.6, 0.8, 1.0]})
    >>> float(wilcoxon(errors).loc["a", "b"])
    0.0625
    """
    from scipy import stats

    _check_errors(errors, n_models=2)
    k = errors.shape[1]
    p_values = np.ones((k, k))
    for i in range(k):
        for j in range(i):
            gaps = (errors.iloc[:, i] - errors.iloc[:, j]).to_numpy(dtype=float)
            if (gaps != 0).any():
                by_signs = len(gaps) <= MAX_SIGNS
                p_values[i, j] = p_values[j, i] = _try_signs(gaps) if by_signs else stats.wilcoxon(gaps).pvalue
    return _to_square(p_values, errors)


def _try_signs(gaps: NDArray[np.float64]) -> float:
    """Wilcoxon's p-value by all signs that the gaps could have: exact with ties too, and quick for a few gaps."""
    from scipy import stats

    gaps = gaps[gaps != 0]
    ranks = stats.rankdata(np.abs(gaps))
    signs = (np.arange(2 ** len(gaps))[:, None] >> np.arange(len(gaps))) & 1
    sums, found = signs @ ranks, ranks[gaps > 0].sum()
    return float(min(1.0, 2.0 * min(np.mean(sums <= found), np.mean(sums >= found))))


def corrected_t_test(differences: Any, test_share: float) -> float:
    """The p-value (two-sided) of Nadeau and Bengio's corrected resampled t-test.

    The folds of one data set share most of their training rows, so an ordinary t-test finds differences where there are
    none. Here the variance of the mean is (1/J + test rows / training rows) times that of the J differences.

    Parameters
    ----------
    differences : array of shape (folds,)
        Of the errors of two models, over all folds of all repetitions.
    test_share : float
        Test rows over training rows: 1 / (folds - 1).

    Examples
    --------
    >>> round(corrected_t_test([0.1, 0.2, 0.15, 0.05, 0.12], test_share=0.25), 4)
    0.0298
    """
    from scipy import stats

    gaps = np.asarray(differences, dtype=float)
    if len(gaps) < 2 or np.isnan(gaps).any():
        return float("nan")
    mean, variance = gaps.mean(), gaps.var(ddof=1)
    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    t = mean / np.sqrt((1 / len(gaps) + test_share) * variance)
    return float(2 * stats.t.sf(abs(t), len(gaps) - 1))


def adjust_holm(p_values: Any) -> Any:
    """p-values of all pairs (a square dataframe), each as large as Holm's correction for their number makes it.

    Examples
    --------
    >>> import pandas as pd
    >>> p_values = pd.DataFrame([[1, 0.01, 0.03], [0.01, 1, 0.5], [0.03, 0.5, 1]])
    >>> adjust_holm(p_values).loc[0].tolist()
    [1.0, 0.03, 0.06]
    """
    square = p_values.to_numpy(dtype=float).copy()
    i, j = np.triu_indices(len(square), 1)
    given = square[i, j]
    order = np.argsort(given)
    factors = np.arange(len(given), 0, -1)
    adjusted = np.minimum(np.maximum.accumulate(given[order] * factors), 1.0)
    square[i[order], j[order]] = square[j[order], i[order]] = adjusted
    return _to_square(square, p_values)


def _to_square(values: NDArray[np.float64], errors: Any) -> Any:
    import pandas as pd

    square = pd.DataFrame(values, index=list(errors.columns), columns=list(errors.columns))
    for k in range(len(square)):
        square.iloc[k, k] = 1.0
    return square


def _check_errors(errors: Any, n_models: int) -> None:
    if errors.shape[1] < n_models:
        raise InputError(f"there are {errors.shape[1]} models to compare: this test needs at least {n_models}")
    if len(errors) < 2:
        raise InputError(
            f"there is {len(errors)} measurement to rank the models by: this test needs at least 2 targets or data sets"
        )
    if errors.isna().to_numpy().any():
        lacking = errors.columns[errors.isna().any()].tolist()
        raise InputError(f"errors are missing for {lacking}: leave these models out, or the rows where they lack")
