"""The tests against scipy, scikit-posthocs, published critical distances and the printed Table II of FIRE."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose
from scipy import stats

from glade.core.errors import InputError
from glade.evaluate import statistics
from glade.evaluate.rank_diagram import RankDiagram, find_bars

TABLES = Path(__file__).parents[2] / "studies" / "fire"
METHODS = ["tree", "forest", "fire", "fire20"]


@pytest.fixture
def errors():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.normal([0, 0.2, 0.4, 1.0], 0.5, (18, 4)).round(1), columns=list("abcd"))


@pytest.fixture(scope="module")
def printed():
    """Table II: RRMSE of each target, and of the targets' mean in each data set, as printed."""
    table = pd.read_csv(TABLES / "table2.csv")
    is_mean = table["target"] == "mean"
    return table.loc[~is_mean], table.loc[is_mean]


@pytest.fixture(scope="module")
def printed_sizes():
    return pd.read_csv(TABLES / "table2_sizes.csv")


def test_friedman_equals_scipys_with_ties(errors):
    found = statistics.friedman(errors)
    expected = stats.friedmanchisquare(*errors.to_numpy().T)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    n, k = errors.shape
    f = (n - 1) * found.statistic / (n * (k - 1) - found.statistic)  # Iman and Davenport
    assert (found.f_statistic, found.f_p_value) == pytest.approx((f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))))


def test_friedman_of_equal_models_finds_nothing():
    assert statistics.friedman(pd.DataFrame(np.ones((5, 3)))).p_value == 1.0


def test_nemenyi_equals_scikit_posthocs(errors):
    found = statistics.nemenyi(errors)
    assert_allclose(found, scikit_posthocs.posthoc_nemenyi_friedman(errors.to_numpy()), rtol=1e-6)
    assert found.index.tolist() == found.columns.tolist() == list("abcd")


def test_wilcoxon_equals_scipys(errors):
    found = statistics.wilcoxon(errors)
    assert found.loc["a", "d"] == pytest.approx(stats.wilcoxon(errors["a"], errors["d"]).pvalue)
    assert found.loc["d", "a"] == found.loc["a", "d"]
    assert statistics.wilcoxon(errors.assign(d=errors["a"])).loc["a", "d"] == 1.0


def test_holm_equals_scikit_posthocs(errors):
    raw = statistics.wilcoxon(errors)
    expected = scikit_posthocs.posthoc_wilcoxon(
        errors.melt(), val_col="value", group_col="variable", p_adjust="holm", zero_method="wilcox"
    )
    assert_allclose(statistics.adjust_holm(raw), expected.loc[raw.index, raw.columns], rtol=1e-9)


@pytest.mark.parametrize(
    ("n_models", "n_measurements", "expected"),
    [(4, 15, 1.211), (4, 11, 1.414), (4, 63, 0.591), (6, 15, 1.947), (6, 11, 2.273), (6, 63, 0.950)],
)
def test_critical_distances_of_the_fire_study(n_models, n_measurements, expected):
    assert statistics.critical_distance(n_models, n_measurements) == pytest.approx(expected, abs=6e-4)


def test_the_transcribed_table_has_the_printed_averages(printed, printed_sizes):
    targets, sets = printed
    assert (len(targets), len(sets)) == (63, 11)
    assert targets[METHODS].mean().round(2).tolist() == [0.92, 0.79, 0.80, 0.85]
    # printed 0.80: the mean of the rounded values is 0.7945
    assert_allclose(sets[METHODS].mean(), [0.80, 0.72, 0.72, 0.77], atol=0.0056)
    assert_allclose(targets.groupby("set", sort=False)[METHODS].mean(), sets[METHODS], atol=0.0101)
    assert printed_sizes[METHODS].mean().round(1).tolist() == [30.3, 31281.3, 483.2, 20.0]


def test_friedman_of_the_printed_table(printed, printed_sizes):
    p_values = [statistics.friedman(table[METHODS]).p_value for table in (*printed, printed_sizes)]
    assert p_values == pytest.approx([3.5e-21, 2.5e-3, 1.6e-6], rel=0.03)


def test_the_diagrams_of_the_printed_table_say_what_the_paper_says(printed, printed_sizes):
    by_target, by_set, by_size = (RankDiagram.of(table[METHODS]) for table in (*printed, printed_sizes))
    assert by_target.ranks.index.tolist() == ["forest", "fire", "fire20", "tree"]
    # The paper calls all differences significant. Two decimals make ties: of the printed values, the last two ranks
    # differ by 0.53, less than the critical distance of 0.59.
    assert by_target.groups == [["fire20", "tree"]]
    # "only random forests are significantly better than regression trees and the limited version of FIRE"
    assert by_set.groups == [["forest", "fire"], ["fire", "tree", "fire20"]]
    # "the limited FIRE and regression trees are significantly smaller than the unlimited FIRE and ... random forests"
    assert by_size.groups == [["tree", "fire20"], ["fire", "forest"]]


def test_the_diagram_is_drawn(printed):
    pytest.importorskip("matplotlib").use("agg")
    ax = RankDiagram.of(printed[1][METHODS]).plot()
    texts = [text.get_text().strip() for text in ax.texts]
    assert "CD 1.41" in texts
    assert [text.rpartition(" ")[0] for text in texts if text.endswith(")")] == ["forest", "fire", "tree", "fire20"]
    assert ax.get_xlim()[0] > ax.get_xlim()[1]  # rank 1 on the right
    ax.figure.canvas.draw()


def test_corrected_t_test_follows_its_formula_and_is_more_careful_than_the_plain_one():
    gaps = np.array([0.1, 0.3, 0.2, 0.25, 0.05])
    t = gaps.mean() / np.sqrt((1 / 5 + 1 / 4) * gaps.var(ddof=1))
    assert statistics.corrected_t_test(gaps, 1 / 4) == pytest.approx(2 * stats.t.sf(t, 4))
    assert statistics.corrected_t_test(gaps, 0.0) == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue)
    assert statistics.corrected_t_test(-gaps, 1 / 4) == statistics.corrected_t_test(gaps, 1 / 4)
    assert statistics.corrected_t_test(np.zeros(5), 1 / 4) == 1.0
    assert np.isnan(statistics.corrected_t_test([0.1], 1 / 4))


def test_corrected_t_test_keeps_its_level_where_the_plain_one_does_not():
    """Two models that guess: over many data sets, at most about one in twenty may seem to differ."""
    rng = np.random.default_rng(0)
    found = {0.0: 0, 0.25: 0}
    for _ in range(400):
        shared = rng.normal(0, 0.5)  # what the folds of one data set have in common
        gaps = shared + rng.normal(0, 1, 5)
        for share in found:
            found[share] += statistics.corrected_t_test(gaps, share) < 0.05
    assert found[0.25] / 400 < 0.06 < found[0.0] / 400


def test_too_little_to_test_is_said():
    with pytest.raises(InputError, match="1 measurement"):
        statistics.rank_models(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    with pytest.raises(InputError, match=r"2 models.*at least 3"):
        statistics.friedman(pd.DataFrame({"a": [1.0, 2], "b": [2.0, 1]}))
    with pytest.raises(InputError, match=r"missing for \['b'\]"):
        statistics.rank_models(pd.DataFrame({"a": [1.0, 2], "b": [2.0, np.nan]}))


def test_bars_join_the_longest_runs():
    assert find_bars(np.array([1.0, 2.0, 3.0]), 0.5) == []
    assert find_bars(np.array([1.0, 1.2, 1.4, 2.0]), 0.6) == [(0, 2), (2, 3)]


@pytest.mark.parametrize("n", [3, 6, 8])
def test_few_measurements_with_ties_and_zeros_are_tried_by_all_signs(n):
    gaps = np.random.default_rng(n).integers(-3, 5, n).astype(float)
    gaps[0] = 1.0
    errors = pd.DataFrame({"a": gaps, "b": 0.0})
    assert_allclose(statistics.wilcoxon(errors).loc["a", "b"], stats.wilcoxon(gaps).pvalue)
