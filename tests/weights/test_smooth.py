"""Ridge weights by losses that are not quadratic: against scikit-learn's, and against general minimisers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression, PoissonRegressor

from glade.losses.registry import make_deviance, make_loss
from glade.losses.targets import TargetLosses
from glade.weights import smooth
from glade.weights.auto import ValidatedSquares
from glade.weights.curved import CurvedRefits
from glade.weights.greedy import judge_supports
from glade.weights.linked import SquaredColumns, fit_link
from glade.weights.problem import FoldProblem, Problem
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.ridge import DenseRidge, ValidatedRidge
from tests.weights.problems import make_design, make_rows

PENALTY = 3.0
TOLERANCE = smooth.TOLERANCE  # that of fits


@pytest.fixture(autouse=True)
def exactly(monkeypatch):
    monkeypatch.setattr(smooth, "TOLERANCE", 1e-12)
    monkeypatch.setattr(smooth, "MAX_STEPS", 2000)


def make_classes(n_classes, n=90, seed=0, **settings):
    """Rows whose columns are zeros and ones of classes; their losses."""
    rows = make_rows(n=n, seed=seed, **settings)
    value = np.nan_to_num(rows.y[:, 0]) + 0.3 * np.random.default_rng(seed).normal(size=n)
    label = np.digitize(value, np.quantile(value, np.arange(1, n_classes) / n_classes))
    y = (label[:, None] == np.arange(n_classes)).astype(float)
    y = y[:, 1:] if n_classes == 2 else y
    return replace(rows, y=y), label, TargetLosses.of([make_deviance(n_classes)])


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("n", [40, 140])  # fewer rows than terms, and more
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_of_all_terms_are_those_of_scikit_learn(n_classes, n, weights):
    rows, label, losses = make_classes(n_classes, n, weights=weights)
    design = make_design(make_rows(n=140))
    sums = ProblemSums.of(Problem(design, rows), losses)
    found = DenseRidge(sums).at(np.full(losses.n_scores, PENALTY))
    curvature = sums.make_smooth_target(0).curvature
    peer = LogisticRegression(C=1 / (PENALTY * curvature), tol=1e-10, max_iter=5000)
    values = design.values(rows.matrix)
    peer.fit(values, label, sample_weight=rows.counts)
    scores, expected = values @ found.weights + found.offset, peer.decision_function(values)
    if n_classes > 2:
        scores = scores - scores.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(scores.reshape(expected.shape), expected, atol=1e-3)


def test_counts_have_the_weights_of_scikit_learn():
    rows = make_rows(n=140)
    counts = np.random.default_rng(0).poisson(np.exp(rows.matrix[:, 0] / 2))
    design, losses = make_design(rows), TargetLosses.of([make_loss("poisson", None)])
    sums = ProblemSums.of(Problem(design, replace(rows, y=counts[:, None].astype(float))), losses)
    found = DenseRidge(sums).at(np.full(1, PENALTY))
    penalty = PENALTY * sums.make_smooth_target(0).curvature / len(counts)
    values = design.values(rows.matrix)
    peer = PoissonRegressor(alpha=penalty, tol=1e-10, max_iter=10_000).fit(values, counts)
    np.testing.assert_allclose(values @ found.weights[:, 0] + found.offset, np.log(peer.predict(values)), atol=1e-3)


@pytest.mark.parametrize("tolerance", [1e-12, TOLERANCE])
@pytest.mark.parametrize("n", [40, 140])  # fewer rows than terms, and more
@pytest.mark.parametrize("n_classes", [2, 5])
def test_the_descent_ends_where_a_slow_minimiser_does(n_classes, n, tolerance, monkeypatch):
    """With next to no tolerance at the same loss; with that of fits near it. Shares of the loss without terms."""
    monkeypatch.setattr(smooth, "TOLERANCE", tolerance)
    rows, _, losses = make_classes(n_classes, n)
    design = make_design(make_rows(n=140))
    sums, values = ProblemSums.of(Problem(design, rows), losses), design.values(rows.matrix)
    target, ridge, loss = sums.make_smooth_target(0), DenseRidge(sums), losses.losses[0]
    shape = (values.shape[1], losses.n_scores)

    for penalty in (1000.0, 30.0, 1.0, 0.03):  # each descent begins where the last one has ended

        def cost(x, penalty=penalty * target.curvature):
            w, b = x[: -shape[1]].reshape(shape), x[-shape[1] :]
            scores = (values @ w + b).T
            slope = loss.gradient(rows.y.T, scores) * rows.counts
            value = loss.value(rows.y.T, scores) @ rows.counts + penalty / 2 * (w**2).sum()
            return value, np.append((values.T @ slope.T + penalty * w).ravel(), slope.sum(axis=1))

        found = ridge.at(np.full(losses.n_scores, penalty))
        own, _ = cost(np.append(found.weights.ravel(), found.offset))
        options = {"maxiter": 100_000, "maxfun": 1_000_000, "maxcor": 50, "ftol": 1e-16, "gtol": 1e-9}
        least = minimize(cost, np.zeros(np.prod(shape) + shape[1]), jac=True, method="L-BFGS-B", options=options).fun
        assert own - least <= (1e-8 if tolerance < TOLERANCE else 30 * TOLERANCE) * target.null


def test_a_count_that_is_far_from_all_others_is_reached():
    """The first steps are many times too short, or lead beyond all numbers."""
    rows = make_rows(n=140)
    counts = np.zeros(140)
    counts[rows.matrix[:, 0] > np.quantile(rows.matrix[:, 0], 0.9)] = 1e6
    counts[0] = 1.0
    design, loss = make_design(rows), make_loss("poisson", None)
    sums = ProblemSums.of(Problem(design, replace(rows, y=counts[:, None])), TargetLosses.of([loss]))
    found = DenseRidge(sums).at(np.full(1, 0.01))
    values, penalty = design.values(rows.matrix), 0.01 * sums.make_smooth_target(0).curvature

    def cost(x):
        return loss.value(counts[None], (values @ x[:-1] + x[-1])[None]).sum() + penalty / 2 * (x[:-1] ** 2).sum()

    own = np.append(found.weights, found.offset)
    least = minimize(cost, own, tol=1e-12).fun
    assert np.isfinite(own).all()
    assert cost(own) <= least + 1e-6 * cost(np.append(np.zeros(len(values.T)), sums.start))


def test_weights_of_given_terms_are_the_lowest():
    """Wherever the descent before them has ended."""
    rows, _, losses = make_classes(3)
    design = make_design(rows)
    sums = ProblemSums.of(Problem(design, rows), losses)
    supports = [np.array([1]), np.array([1, 5, 8]), np.array([0, 5, 8, len(design) - 1])]
    refits, loss = CurvedRefits(sums, 0, supports), losses.losses[0]
    penalty = PENALTY * sums.make_smooth_target(0).curvature
    for terms in supports:
        weights, offset = refits.fit(terms, PENALTY)
        values = design.take(terms).values(rows.matrix)

        def cost(x, values=values, n=weights.size, shape=weights.shape):
            w, b = x[:n].reshape(shape), x[n:]
            return loss.value(rows.y.T, (values @ w + b).T).sum() + penalty / 2 * (w**2).sum()

        least = minimize(cost, np.zeros(weights.size + 3), tol=1e-10).fun
        assert cost(np.append(weights.ravel(), offset)) == pytest.approx(least, rel=1e-5)


def test_errors_are_those_on_rows_held_out():
    """Of all terms and of few, relative to the best constant."""
    rows, _, losses = make_classes(2, n=120)
    held_out, label, _ = make_classes(2, n=120, seed=5)
    sums = FoldSums.of(FoldProblem(make_design(rows), rows, held_out=held_out), losses)
    dense = ValidatedRidge(sums)
    supports = [[np.array([2]), np.array([2, 3])]]
    judged = judge_supports([sums], supports)
    everything = np.concatenate((rows.y[:, 0], held_out.y[:, 0]))
    rate = everything.mean()
    null = -np.mean(everything * np.log(rate) + (1 - everything) * np.log(1 - rate))
    models = [(dense.at(np.full(1, 10.0)), dense.errors(10.0)[0])]
    for k in range(2):
        assert np.isfinite(judged.errors[0, k]).any()  # of the penalties that were looked at
        models.append((judged.find_fold_model(k, 0), judged.errors[0, k].min()))
        np.testing.assert_allclose(judged.find_errors(k).mean(), judged.errors[0, k].min())
    for model, error in models:
        scores = sums.problem.predict_held_out(model)[:, 0]
        share = 1 / (1 + np.exp(-scores))
        assert error == pytest.approx(-np.mean(np.log(np.where(label == 1, share, 1 - share))) / null)


def test_classes_and_numbers_together_have_the_models_that_they_have_alone():
    """Of all terms; what they share is the choice of few."""
    classes, _, losses = make_classes(2, n=120)
    numbers = make_rows(n=120)
    both = replace(numbers, y=np.hstack((numbers.y, classes.y)))
    design = make_design(numbers)
    own = TargetLosses.of([*TargetLosses.of_numbers(3).losses, *losses.losses])
    together = DenseRidge(ProblemSums.of(Problem(design, both), own)).at(np.full(4, PENALTY))
    alone = DenseRidge(ProblemSums.of(Problem(design, classes), losses)).at(np.full(1, PENALTY))
    np.testing.assert_allclose(together.weights[:, 3:], alone.weights, atol=1e-8)
    squared = DenseRidge(ProblemSums.of(Problem(design, numbers), TargetLosses.of_numbers(3))).at(np.full(3, PENALTY))
    np.testing.assert_allclose(together.weights[:, :3], squared.weights, atol=1e-9)


def test_noise_leaves_the_rates_alone():
    rows, _, losses = make_classes(2, n=90)
    rng = np.random.default_rng(1)
    noise = [replace(rows, y=rng.permutation(rows.y)) for _ in range(2)]
    problem = FoldProblem(make_design(rows), noise[0], held_out=noise[1])
    path = ValidatedSquares([problem], losses).find_path(problem)
    assert path.choose("auto").error > 0.9
    assert len(path.choose("auto").terms) <= 5


def test_a_link_makes_probabilities_of_columns_of_squared_errors():
    """Where the scores are known but for a factor and a start, these are found; never is the factor below 0."""
    rng = np.random.default_rng(0)
    rows, _, losses = make_classes(2, n=4000)
    scores = 2 * rng.normal(size=4000)
    y = (rng.random(4000) < 1 / (1 + np.exp(0.5 - scores))).astype(float)[:, None]
    rows = replace(rows, y=y)
    columns = SquaredColumns.of(rows, losses)
    scaled = columns.scale(Problem(make_design(make_rows()), rows)).rows.y
    assert scaled.mean() == pytest.approx(0.0, abs=1e-12)
    assert scaled.std() == pytest.approx(1.0)
    link = fit_link([rows], [scores[:, None] / 10], columns)
    assert link.slope[0] == pytest.approx(10.0, rel=0.1)
    assert link.start[0] == pytest.approx(-0.5, abs=0.15)
    against = fit_link([rows], [-scores[:, None]], columns)
    assert against.slope[0] == 0.0
    assert against.errors.mean() == pytest.approx(1.0)
