"""The lasso's path: against its slow twin, scikit-learn and skglm, and along the conditions of an optimum."""

import os
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, MultiTaskElasticNet, MultiTaskLasso

import glade
from glade.losses.registry import make_deviance
from glade.losses.targets import TargetLosses
from glade.rules.design import Design, TargetRows
from glade.rules.soften import soften
from glade.weights.counted_lasso import CountedLasso
from glade.weights.lasso import LassoPath, PathSettings, judge_path
from glade.weights.newton import NewtonLasso
from glade.weights.problem import FoldProblem, Problem
from tests.reference.lasso import find_objective, solve_lasso, spread_weights
from tests.weights.problems import make_design, make_rows

ONE, NUMBERS = TargetLosses.of_numbers(1), TargetLosses.of_numbers(3)


def side_by_side(*sizes, weights=None):
    """The deviances of targets with so many classes; None stands for a number."""
    return TargetLosses.of([make_deviance(n) for n in sizes], weights)


def make_case(kind, n=90):
    """Rows and losses: centred numbers of variance 1, classes as zeros and ones, of two classes the second's alone."""
    rows = make_rows(n, missing=0.3 if kind == "missing" else 0.0)
    y = rows.y * 2
    two = (y[:, :1] > 0).astype(float)
    three = np.eye(3)[np.digitize(np.nan_to_num(y[:, 1]), [-0.5, 0.5])]
    mixed = np.column_stack((two, y[:, 2], three))
    mixed[:10, 2:] = np.nan
    mixed[5:20, :1] = np.nan
    weights = np.random.default_rng(1).uniform(0.5, 2, n) if kind in ("weights", "mixed") else None
    y, targets = {
        "one": (y[:, :1], ONE),
        "two classes": (two, side_by_side(2)),
        "three classes": (three, side_by_side(3)),
        "two targets": (np.column_stack((two, three)), side_by_side(2, 3, weights=[1, 0.5])),
        "mixed": (mixed, side_by_side(2, None, 3, weights=[1, 1, 0.5])),
    }.get(kind, (y, NUMBERS))
    return TargetRows(rows.matrix, y, weights), targets


def fit(rows, targets, share=0.1, tolerance=1e-9, l1_ratio=1.0, factor=None, n_steps=8, design=None):
    """The design's columns, the penalty, and the weights (terms x scores) and offset at the end of a path."""
    design = design or make_design(TargetRows(rows.matrix, np.nan_to_num(rows.y)))
    find_factors = None if factor is None else (lambda design: factor[: len(design)])
    track = LassoPath(Problem(design, rows), targets, l1_ratio, find_factors)
    largest = track.find_largest_penalty()
    for penalty in np.geomspace(largest, largest * share, n_steps):
        found = track.descend(penalty, tolerance)
    weights = np.zeros((len(design), rows.y.shape[1]))
    weights[found.terms] = found.weights.T
    return design.values(rows.matrix), penalty, weights, found.offset, track


KINDS = ["one", "three", "weights", "missing", "two classes", "three classes", "two targets", "mixed"]


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_slow_twin(kind, l1_ratio):
    rows, targets = make_case(kind)
    factor = np.random.default_rng(2).uniform(0.4, 2.0, 200)
    X, penalty, weights, offset, track = fit(rows, targets, l1_ratio=l1_ratio, factor=factor)
    given = penalty, l1_ratio, factor[: X.shape[1]], rows.weights
    twin = solve_lasso(X, rows.y, targets, *given)
    ours, theirs = (find_objective(X, rows.y, targets, *model, *given) for model in ((weights, offset), twin))
    assert ours == pytest.approx(theirs, rel=1e-8)
    np.testing.assert_allclose(weights, twin[0], atol=1e-5)
    assert isinstance(track.fit, CountedLasso if kind in ("one", "three") else NewtonLasso)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_and_its_soft_form_are_one_group(kind, l1_ratio):
    rows, targets = make_case(kind)
    hard = make_design(TargetRows(rows.matrix, np.nan_to_num(rows.y)))
    soft = soften(hard.rules.take(np.flatnonzero(np.arange(len(hard.rules)) % 5)), rows.matrix)  # others stay alone
    design = Design.of(hard.rules, soft, hard.linear)
    X, penalty, weights, offset, _ = fit(rows, targets, share=0.05, l1_ratio=l1_ratio, design=design)
    members = np.bincount(design.group)[design.group]
    given = penalty, l1_ratio, np.sqrt(members), rows.weights, design.group
    twin = solve_lasso(X, rows.y, targets, *given)
    ours, theirs = (find_objective(X, rows.y, targets, *model, *given) for model in ((weights, offset), twin))
    assert ours == pytest.approx(theirs, rel=1e-8)
    is_in = np.isin(design.group, design.group[weights.any(axis=1)])
    assert (weights[is_in & (members == 2)].any(axis=1)).all()
    assert 1 <= len(np.unique(design.group[is_in & (members == 2)])) < len(soft)


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_of_an_optimum(kind):
    """The gradient along a term in use is the penalty, in the direction of its weights; along others it is less."""
    rows, targets = make_case(kind)
    X, penalty, weights, offset, _ = fit(rows, targets, tolerance=1e-12)
    slope = -targets.gradient(np.nan_to_num(rows.y).T, (X @ weights + offset).T)
    share = spread_weights(rows.y, targets, rows.weights).T
    for own, counts, weight in zip(targets.places, share, targets.weights, strict=True):
        slope[own] *= counts / weight
    gradient = (slope @ X).T
    norm = np.linalg.norm(weights, axis=1)
    is_in = norm > 0
    assert 0 < is_in.sum() < len(norm)
    np.testing.assert_allclose(gradient[is_in], penalty * weights[is_in] / norm[is_in, None], atol=2e-5 * penalty)
    assert np.linalg.norm(gradient[~is_in], axis=1).max() <= penalty * (1 + 2e-5)
    np.testing.assert_allclose(slope.sum(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
@pytest.mark.parametrize("kind", ["one", "three"])
def test_equals_scikit_learn(kind, l1_ratio):
    rows, targets = make_case(kind)
    X, penalty, weights, offset, _ = fit(rows, targets, share=0.05, l1_ratio=l1_ratio)
    options = {"tol": 1e-10, "max_iter": 100_000}
    if l1_ratio < 1:
        model = (ElasticNet if kind == "one" else MultiTaskElasticNet)(penalty, l1_ratio=l1_ratio, **options)
    else:
        model = (Lasso if kind == "one" else MultiTaskLasso)(penalty, **options)
    model.fit(X, rows.y[:, 0] if kind == "one" else rows.y)
    np.testing.assert_allclose(weights, np.atleast_2d(model.coef_).T, atol=1e-6)
    np.testing.assert_allclose(offset, np.atleast_1d(model.intercept_), atol=1e-6)


def test_equals_scikit_learn_with_weights():
    rows, _ = make_case("weights")
    one = TargetRows(rows.matrix, rows.y[:, :1], rows.weights)
    X, penalty, weights, offset, _ = fit(one, ONE)
    model = Lasso(penalty, tol=1e-10, max_iter=100_000).fit(X, one.y[:, 0], sample_weight=rows.weights)
    np.testing.assert_allclose(weights[:, 0], model.coef_, atol=1e-6)
    np.testing.assert_allclose(offset[0], model.intercept_, atol=1e-6)


def test_equals_scikit_learn_for_two_classes():
    rows, targets = make_case("two classes")
    X, penalty, weights, offset, _ = fit(rows, targets)
    model = LogisticRegression(C=1 / (penalty * len(X)), l1_ratio=1.0, solver="saga", tol=1e-9, max_iter=100_000)
    model.fit(X, rows.y[:, 0])
    own = weights[:, 0]  # not unique where rules add up to one another; these are:
    np.testing.assert_allclose(np.abs(own).sum(), np.abs(model.coef_).sum(), atol=1e-4)
    np.testing.assert_allclose(X @ own + offset[0], model.decision_function(X), atol=1e-4)


@pytest.mark.skipif("GLADE_PEERS" not in os.environ, reason="set GLADE_PEERS: skglm compiles for two minutes")
@pytest.mark.parametrize("kind", ["one", "three", "two classes"])
def test_equals_skglm(kind):
    skglm = pytest.importorskip("skglm", reason="skglm is not installed")
    rows, targets = make_case(kind)
    X, penalty, weights, *_ = fit(rows, targets)
    if kind == "two classes":
        model = skglm.SparseLogisticRegression(penalty, tol=1e-9, max_iter=1000).fit(X, rows.y[:, 0])
        ours, theirs = weights[:, 0], model.coef_[0]
    elif kind == "one":
        ours, theirs = weights[:, 0], skglm.Lasso(penalty, tol=1e-10, max_iter=1000).fit(X, rows.y[:, 0]).coef_
    else:  # its multi-task problem has no offset of its own
        centred = X - X.mean(axis=0)
        model = skglm.estimators.MultiTaskLasso(penalty, tol=1e-10, max_iter=1000).fit(centred, rows.y)
        ours, theirs = weights, model.coef_.T
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("kind", ["one", "three", "three classes", "mixed"])
def test_the_objective_is_within_the_tolerance(kind):
    """Every step of a path with a loose tolerance, against a tight one."""
    rows, targets = make_case(kind)
    tolerance = 1e-3
    X, penalty, *tight, _ = fit(rows, targets, tolerance=1e-11)
    *_, loose_weights, loose_offset, _ = fit(rows, targets, tolerance=tolerance)
    null = find_objective(X, rows.y, targets, *fit(rows, targets, share=1.0, n_steps=1)[2:4], 0.0, weights=rows.weights)
    best = find_objective(X, rows.y, targets, *tight, penalty, weights=rows.weights)
    found = find_objective(X, rows.y, targets, loose_weights, loose_offset, penalty, weights=rows.weights)
    assert best <= found * (1 + 1e-9)
    assert found <= best + tolerance * null


@pytest.mark.parametrize("kind", ["three", "two classes", "three classes"])
def test_refitted_weights_are_those_of_a_ridge(kind):
    rows, targets = make_case(kind)
    X, _, weights, _, track = fit(rows, targets)
    terms = np.flatnonzero(weights.any(axis=1))
    before = track.fit.weights.copy()
    ((again, offset),) = track.fit.refit(terms, [5.0])
    ridge, model = 5.0 / len(X), (again.T, offset)
    twin = solve_lasso(X[:, terms], rows.y, targets, ridge, l1_ratio=0.0)
    ours, theirs = (find_objective(X[:, terms], rows.y, targets, *m, ridge, 0.0) for m in (model, twin))
    assert ours == pytest.approx(theirs, rel=1e-9 if targets.is_quadratic else 1e-3)
    np.testing.assert_array_equal(track.fit.weights, before)


def split(rows, design, n_folds=3):
    fold = np.arange(len(rows.y)) % n_folds
    return [FoldProblem(design, rows.take(fold != k), held_out=rows.take(fold == k)) for k in range(n_folds)]


def find_lasso_path(whole, folds, targets, **settings):
    settings = replace(PathSettings.of(targets), **settings)
    return judge_path(whole, folds, targets, settings).find_path(whole)


def judge_by_twin(problem, targets, penalty, l1_ratio, null):
    X, Z = (problem.design.values(rows.matrix) for rows in (problem.rows, problem.held_out))
    model = solve_lasso(X, problem.rows.y, targets, penalty, l1_ratio)
    losses = targets.value(problem.held_out.y.T, (Z @ model[0] + model[1]).T)
    return float((losses.mean(axis=1) / null).mean())


@pytest.mark.parametrize("kind", ["three", "two classes"])
def test_a_step_has_the_error_of_its_penalty_in_the_folds(kind):
    """Without refitted weights, recomputed by the twin; an elastic net, as a fold's columns may be equal."""
    rows, targets = make_case(kind)
    design = make_design(rows)
    folds = split(rows, design)
    options = {"n_penalties": 4, "least_penalty": 0.1, "tolerance": 1e-9, "l1_ratio": 0.7, "ridges": ()}
    path = find_lasso_path(Problem(design, rows), folds, targets, **options, imitate=False)
    largest = LassoPath(Problem(design, rows), targets, 0.7, None).find_largest_penalty()
    share = rows.y.mean(axis=0)
    null = 0.5 if targets.is_quadratic else -(share * np.log(share) + (1 - share) * np.log(1 - share)).sum()
    expected = []
    for penalty in np.geomspace(largest, largest * 0.1, 4)[1:]:
        expected.append(np.mean([judge_by_twin(fold, targets, penalty, 0.7, null) for fold in folds]))
    assert path.steps[-1].error == pytest.approx(min(expected), rel=1e-5)
    assert {len(path.steps[0].terms)} == {0}
    assert path.steps[0].error == pytest.approx(1.0, abs=0.05)


def test_small_steps_are_refitted_and_the_path_gets_better():
    rows, targets = make_case("three")
    design = make_design(rows)
    path = find_lasso_path(Problem(design, rows), split(rows, design), targets, imitate=False)
    errors = [step.error for step in path.steps]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.5
    small = path.choose(5)
    assert 0 < len(small.terms) <= 5
    own = make_design(rows).values(rows.matrix)[:, small.terms] @ small.weights + small.offset
    plain = np.linalg.lstsq(np.column_stack((np.ones(len(own)), design.values(rows.matrix)[:, small.terms])), rows.y)[0]
    assert np.abs(small.weights).sum() > 0.5 * np.abs(plain[1:]).sum()  # the lasso itself would halve them
    assert np.isfinite(own).all()


def test_folds_may_have_terms_of_their_own():
    rows, targets = make_case("three")
    design = make_design(rows)
    folds = [replace(f, design=make_design(f.rows, seed=k)) for k, f in enumerate(split(rows, design))]
    path = find_lasso_path(Problem(design, rows), folds, targets, imitate=False)
    assert path.steps[-1].error < 0.5
    assert path.steps[-1].terms.max() < len(design)


def test_the_path_of_stronger_terms_than_the_folds_have_judged_starts_from_nothing():
    """Terms on another scale enter at a larger penalty than all those that were chosen for the first whole."""
    rows, targets = make_case("three")
    design = make_design(rows)
    judged = glade.Lasso().judge(Problem(design, rows), split(rows, design), targets)
    stronger = design.with_block(replace(design.linear, scale=100 * design.linear.scale))
    first, *others = judged.find_path(Problem(stronger, rows)).steps
    assert len(first.terms) == 0
    assert first.offset == pytest.approx(rows.y.mean(axis=0))
    assert first.error == pytest.approx(1.0, abs=0.05)
    assert others[0].error < first.error


def test_one_fold_has_a_standard_error_from_its_rows():
    rows, targets = make_case("three")
    design = make_design(rows)
    path = find_lasso_path(Problem(design, rows), split(rows, design)[:1], targets, imitate=False)
    assert all(step.standard_error > 0 for step in path.steps)


AWKWARD = {
    "no terms": lambda rows: (rows, NUMBERS, 0),
    "constant": lambda rows: (TargetRows(rows.matrix, rows.y * 0), NUMBERS, None),
    "unknown in a fold": lambda rows: (
        TargetRows(rows.matrix, np.where((np.arange(90) % 3 == 0)[:, None], np.nan, rows.y[:, :1])), ONE, None
    ),
    "unknown elsewhere": lambda rows: (
        TargetRows(rows.matrix, np.where((np.arange(90) % 3 > 0)[:, None], np.nan, rows.y[:, :1])), ONE, None
    ),
    "a class that is not there": lambda rows: (
        TargetRows(rows.matrix, np.eye(4)[np.digitize(rows.y[:, 0], [-0.5, 0.5])]), side_by_side(4), None
    ),
    "one class": lambda rows: (TargetRows(rows.matrix, np.ones((90, 1))), side_by_side(1), None),
    "one class of two": lambda rows: (TargetRows(rows.matrix, np.zeros((90, 1))), side_by_side(2), None),
    "separable": lambda rows: (
        TargetRows(rows.matrix, (rows.matrix[:, :1] > 0).astype(float)), side_by_side(2), None
    ),
    "weights of 1e-200 to 1e200": lambda rows: (
        TargetRows(rows.matrix, rows.y, np.geomspace(1e-200, 1e200, 90)), NUMBERS, None
    ),
    "one row": lambda rows: (rows.take(np.zeros(1, int)), NUMBERS, None),
}  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_rows(name):
    everything, _ = make_case("three")
    rows, targets, n_terms = AWKWARD[name](everything)
    design = make_design(everything).take(np.arange(n_terms if n_terms is not None else 30))
    folds = split(rows, design) if len(rows.y) > 1 else [FoldProblem(design, rows, held_out=rows)]
    for step in find_lasso_path(Problem(design, rows), folds, targets, imitate=False).steps:
        assert np.isfinite(step.weights).all()
        assert np.isfinite([step.error, step.standard_error, *step.offset]).all()


def test_folds_are_needed():
    rows, targets = make_case("one")
    with pytest.raises(ValueError, match="folds must hold"):
        glade.Lasso().judge(Problem(make_design(rows), rows), [], targets)


def test_small_models_imitate_the_lasso_and_are_better_than_its_first_terms():
    rows = make_rows(n=300, seed=4)
    design = make_design(rows)
    folds = split(rows, design)
    plain, both = (find_lasso_path(Problem(design, rows), folds, NUMBERS, imitate=imitate) for imitate in (False, True))
    for k in (2, 4, 8):
        assert both.choose(k).error <= plain.choose(k).error
        assert len(both.choose(k).terms) <= k
    assert both.choose(4).error < plain.choose(4).error
    assert set(both.choose(8).terms) <= {term for step in plain.steps for term in step.terms}


def test_what_folds_say_serves_any_whole():
    rows, targets = make_case("three")
    design = make_design(rows)
    whole, folds = Problem(design, rows), split(rows, design)
    judged = glade.Lasso().judge(whole, folds, targets)
    first, again = judged.find_path(whole), judged.find_path(whole)
    for own, expected in zip(again.steps, first.steps, strict=True):
        np.testing.assert_array_equal(own.terms, expected.terms)
        np.testing.assert_array_equal(own.weights, expected.weights)
        assert own.error == expected.error
