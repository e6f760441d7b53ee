"""Ridge and greedy weights: against versions that recompute everything from the rows."""

from dataclasses import replace

import numpy as np
import pytest

from glade.losses.targets import TargetLosses
from glade.weights import auto, lengths
from glade.weights.auto import DENSE, LARGEST_AVERAGED, LEAST_AVERAGED, ValidatedSquares
from glade.weights.greedy import (
    LEAST_SELECTION_PENALTY,
    SELECTION_PENALTY,
    Refits,
    choose_selection_penalty,
    judge_refits,
    refit,
    select_terms,
)
from glade.weights.problem import FoldProblem, Problem
from glade.weights.problem_sums import FoldSums, ProblemSums
from glade.weights.ridge import PENALTIES, DenseRidge, ValidatedRidge, choose_penalties
from glade.weights.support import Selection
from tests.reference.squares import explain_by_rows, ridge_by_rows
from tests.weights.problems import make_design, make_rows

TARGETS = TargetLosses.of_numbers(3)
SETTINGS = [{}, {"missing": 0.3}, {"weights": True}]


def make_trial(seed=0, **settings):
    rows, held_out = make_rows(seed=seed, **settings), make_rows(seed=seed + 1, **settings)
    return FoldSums.of(FoldProblem(make_design(rows), rows, held_out=held_out), TARGETS)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("n", [20, 90])  # fewer rows than terms, and more
def test_ridge_equals_one_from_the_rows(settings, n):
    sums = make_trial(n=n, **settings)
    weights = DenseRidge(sums).weights(3.0)
    expected, _ = ridge_by_rows(sums.problem.design, sums.problem.rows, 3.0)
    np.testing.assert_allclose(weights, expected, atol=1e-9)


def test_a_target_that_no_row_knows_has_no_weights(capfd):
    sums = make_trial(n=20)
    rows = sums.problem.rows
    unknown = replace(rows, y=np.where([True, False, False], np.nan, rows.y))
    found = DenseRidge(ProblemSums.of(replace(sums.problem, rows=unknown), TARGETS)).weights(3.0)
    assert (found[:, 0] == 0.0).all()
    np.testing.assert_allclose(found[:, 1:], DenseRidge(sums).weights(3.0)[:, 1:], atol=1e-9)
    assert capfd.readouterr() == ("", "")  # BLAS complains of matrices without rows


@pytest.mark.parametrize("settings", SETTINGS)
def test_penalties_are_those_of_least_error_on_the_rows_held_out(settings):
    sums = make_trial(**settings)
    places, (errors,) = choose_penalties([ValidatedRidge(sums)])
    held_out = sums.held_out
    row_weights = np.ones(len(held_out.y)) if held_out.weights is None else held_out.weights
    for t, place in enumerate(places):
        weights, offset = ridge_by_rows(sums.problem.design, sums.problem.rows, PENALTIES[place])
        predicted = offset + sums.problem.design.values(held_out.matrix) @ weights
        known = ~np.isnan(held_out.y[:, t])
        square = (predicted[known, t] - held_out.y[known, t]) ** 2
        assert errors[t] == pytest.approx(np.average(square, weights=row_weights[known]), rel=1e-9)
        for other in PENALTIES[max(place - 1, 0) : place + 2]:
            assert ValidatedRidge(sums).errors(other)[t] >= errors[t]


@pytest.mark.parametrize("settings", SETTINGS)
def test_terms_are_added_and_swapped_as_if_each_set_were_tried(settings):
    sums = make_trial(**settings)
    design, rows = sums.problem.design, sums.problem.rows
    selection = Selection(sums.groups, SELECTION_PENALTY, 10)

    def explained(terms):
        return explain_by_rows(design, rows, terms, SELECTION_PENALTY)

    for size in range(1, 6):
        before = list(selection.chosen)
        assert selection.grow()
        gains = [explained([*before, j]) if j not in before else -np.inf for j in range(len(design))]
        assert explained(selection.chosen) == pytest.approx(max(gains), rel=1e-9)
        before = list(selection.chosen)
        others = [j for j in range(len(design)) if j not in before]
        swapped = [explained([*before[:i], *before[i + 1 :], j]) for i in range(size) for j in others]
        if selection.swap(least_gain=1e-6):
            assert explained(selection.chosen) == pytest.approx(max(swapped), rel=1e-9)
        else:
            assert max(swapped) <= explained(before) * (1 + 1e-5)
        assert len(set(selection.chosen)) == size


def test_weights_can_lean_on_what_all_terms_say():
    """With half of it they are those of targets halfway between a row's own and its prediction."""
    sums = make_trial()
    rows, terms = sums.problem.rows, np.array([1, 4, 9])
    dense = DenseRidge(sums).at(np.full(3, 3.0))
    goal = [group.imitating(dense.weights) for group in sums.groups]
    predicted = sums.problem.design.predict(rows.matrix, dense.weights) + dense.offset
    halfway = ProblemSums.of(Problem(sums.problem.design, replace(rows, y=(rows.y + predicted) / 2)), TARGETS)
    expected, found = Refits.of(halfway, terms), Refits.of(sums.lean(goal, 0.5), terms)
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-9)
    np.testing.assert_allclose(found.offsets, expected.offsets, atol=1e-9)
    assert not np.allclose(found.weights, Refits.of(sums, terms).weights, atol=1e-3)


@pytest.mark.parametrize("settings", SETTINGS[::2])
def test_models_for_people_imitate_the_mean_of_small_models(settings, monkeypatch):
    """They are those that are found where rows have that mean, as predicted for each row, in the place of targets."""
    rows, held_out = make_rows(seed=0, **settings), make_rows(seed=1, **settings)
    design = make_design(rows)
    fold = FoldProblem(design, rows, readable=np.ones(len(design), bool), held_out=held_out)
    monkeypatch.setattr(auto, "TOLERANCE", np.inf)
    judged = ValidatedSquares([fold], TARGETS, largest=12)
    sums = FoldSums.of(fold, TARGETS)

    def sums_of(weights, offset):
        predicted = design.predict(rows.matrix, weights) + offset
        return ProblemSums.of(Problem(design, replace(rows, y=predicted)), TARGETS).groups

    def find_lengths(goal, largest):
        return lengths.ValidatedLengths([sums], [goal], largest, judged._penalty)

    dense = judged.find_fold_model(DENSE, 0)
    first = find_lengths(sums_of(dense.weights, dense.offset), LARGEST_AVERAGED)
    mean, offset, n_large = np.zeros((len(design), 3)), np.zeros(3), 0
    for k in range(len(first)):
        model = first.find_fold_model(k, 0)
        if len(model.terms) >= LEAST_AVERAGED:
            mean[model.terms] += model.weights
            offset, n_large = offset + model.offset, n_large + 1
    assert n_large == LARGEST_AVERAGED - LEAST_AVERAGED + 1
    expected = find_lengths(sums_of(mean / n_large, offset / n_large), 12)
    assert len(expected) == 12
    for k in range(12):
        found, own = judged.find_fold_model(("chosen", k), 0), expected.find_fold_model(k, 0)
        np.testing.assert_array_equal(found.terms, own.terms)
        np.testing.assert_allclose(found.weights, own.weights, atol=1e-8)
    monkeypatch.setattr(auto, "TOLERANCE", -1.0)  # where it costs more than that, they imitate the dense model
    costly = ValidatedSquares([fold], TARGETS, largest=12)
    is_same = []
    for k in range(12):
        found, own = costly.find_fold_model(("chosen", k), 0), first.find_fold_model(k, 0)
        np.testing.assert_array_equal(found.terms, own.terms)
        np.testing.assert_allclose(found.weights, own.weights, atol=1e-8)
        other = judged.find_fold_model(("chosen", k), 0)
        is_same.append(np.array_equal(other.terms, own.terms) and np.allclose(other.weights, own.weights, atol=1e-4))
    assert not all(is_same)


def test_a_fold_without_a_rule_for_people_leaves_the_other_models():
    rows, held_out = make_rows(seed=0), make_rows(seed=1)
    design = make_design(rows)
    shown = [np.ones(len(design), bool), np.zeros(len(design), bool)]
    folds = [FoldProblem(design, rows, readable=own, held_out=held_out) for own in shown]
    path = ValidatedSquares(folds, TARGETS, largest=12).find_path(Problem(design, rows, readable=shown[0]))
    assert [len(step.terms) for step in path.steps] == [0, len(design)]


def test_a_term_that_is_worth_less_must_gain_more():
    sums = make_trial()
    design, rows = sums.problem.design, sums.problem.rows
    worth = np.random.default_rng(0).uniform(0.3, 1.0, len(design))
    selection = Selection(sums.groups, SELECTION_PENALTY, 10, worth=worth)

    def explained(terms):
        return explain_by_rows(design, rows, terms, SELECTION_PENALTY) if terms else 0.0

    for size in range(1, 5):
        before = list(selection.chosen)
        assert selection.grow()
        gains = [worth[j] * (explained([*before, j]) - explained(before)) for j in range(len(design))]
        gains = [-np.inf if j in before else gain for j, gain in enumerate(gains)]
        assert selection.chosen[-1] == np.argmax(gains)
        before = list(selection.chosen)
        best, swap = 0.0, None
        for i in range(size):
            rest = [*before[:i], *before[i + 1 :]]
            lost = worth[before[i]] * (explained(before) - explained(rest))
            for j in sorted(set(range(len(design))) - set(before)):
                net = worth[j] * (explained([*rest, j]) - explained(rest)) - lost
                best, swap = (net, [*rest, j]) if net > best + 1e-9 else (best, swap)
        if selection.swap(least_gain=1e-6):
            assert selection.chosen == swap


@pytest.mark.parametrize("settings", SETTINGS)
def test_refits_are_ridge_weights_of_the_chosen_terms(settings):
    sums = make_trial(**settings)
    design, rows, held_out = sums.problem.design, sums.problem.rows, sums.held_out
    supports = select_terms(sums.groups)
    errors, _ = judge_refits(sums, supports)
    for size in (1, 7):
        terms = supports[size - 1]
        for k in (0, 5):
            weights = refit(sums.groups, terms, PENALTIES, 3)[k]
            expected, offset = ridge_by_rows(design.take(terms), rows, PENALTIES[k])
            np.testing.assert_allclose(weights, expected, atol=1e-8)
            predicted = offset + design.take(terms).values(held_out.matrix) @ expected
            np.testing.assert_allclose(errors[size - 1, k], sums.errors(predicted), rtol=1e-8)


@pytest.mark.parametrize(("dense", "small"), [(True, True), (True, False), (False, True)])
def test_path_grows_and_improves(dense, small):
    sums = make_trial(n=120)
    path = ValidatedSquares([sums.problem], TARGETS, dense, small).find_path(sums.problem)
    sizes, errors = ([getattr(step, name) for step in path.steps] for name in ("terms", "error"))
    assert len(sizes[0]) == 0
    assert all(np.diff([len(s) for s in sizes]) > 0)
    assert all(np.diff(errors) < 0)
    assert (len(sizes[-1]) == len(sums.problem.design)) == (dense and not small) or small


def test_noise_is_left_alone():
    rows = make_rows(n=60)
    rng = np.random.default_rng(3)
    noise = [type(rows)(rows.matrix, rng.normal(size=rows.y.shape)) for _ in range(2)]
    problem = FoldProblem(make_design(noise[0]), noise[0], held_out=noise[1])
    path = ValidatedSquares([problem], TARGETS).find_path(problem)
    assert path.choose("auto").error > 0.9
    assert len(path.choose("auto").terms) <= 5


def test_terms_that_say_the_same_end_the_selection_in_time():
    """Columns that repeat leave nothing to choose, and no weight runs away."""
    rows = make_rows(n=40)
    design = make_design(rows)
    doubled = design.take(np.concatenate((np.zeros(5, np.int64), np.arange(4))))
    sums = ProblemSums.of(Problem(doubled, rows), TARGETS)
    supports = select_terms(sums.groups)
    assert len(supports[-1]) <= len(doubled)
    assert np.abs(refit(sums.groups, supports[-1], PENALTIES, 3)).max() < 1e3


def test_what_folds_say_serves_any_whole():
    """The second path of the same folds is that of a new judgement."""
    rows = [make_rows(seed=seed) for seed in range(3)]
    folds = [FoldProblem(make_design(rows[0]), rows[0], held_out=rows[1])]
    judged = ValidatedSquares(folds, TARGETS)
    judged.find_path(Problem(make_design(rows[1]), rows[1]))
    again = Problem(make_design(rows[2], seed=5), rows[2])
    anew = ValidatedSquares(folds, TARGETS).find_path(again)
    for own, expected in zip(judged.find_path(again).steps, anew.steps, strict=True):
        np.testing.assert_array_equal(own.terms, expected.terms)
        np.testing.assert_array_equal(own.weights, expected.weights)
        assert own.error == expected.error


def test_ready_made_terms_count_where_they_are_clearly_better(monkeypatch):
    sums = make_trial(n=120)
    good = tuple(select_terms(sums.groups, (1, 2, 3, 4)))
    worst = np.argsort(np.abs(sums.groups[0].cross).sum(axis=1))[:4]
    monkeypatch.setattr(
        lengths, "select_terms", lambda goal, sizes, *others: [np.sort(worst[:k]) for k in sizes if k <= 4]
    )
    plain = ValidatedSquares([sums.problem], TARGETS, dense=False).find_path(sums.problem)
    assert all(np.isin(step.terms, worst).all() for step in plain.steps)
    problem = replace(sums.problem, supports=good)
    path = ValidatedSquares([problem], TARGETS, dense=False).find_path(problem)
    for step, terms in zip(path.steps[1:], good, strict=True):
        np.testing.assert_array_equal(step.terms, terms)
        errors = judge_refits(sums, [terms])[0][0]
        assert step.error == pytest.approx(errors.min(axis=0).mean())
        for t, place in enumerate(errors.argmin(axis=0)):
            weights, _ = ridge_by_rows(sums.problem.design.take(terms), sums.problem.rows, PENALTIES[place])
            np.testing.assert_allclose(step.weights[:, t], weights[:, t], atol=1e-9)
    no_better = replace(sums.problem, supports=tuple(np.sort(worst[:k]) for k in (1, 2, 3, 4)))
    same = ValidatedSquares([no_better], TARGETS, dense=False).find_path(no_better)
    assert [step.error for step in same.steps] == [step.error for step in plain.steps]


def test_terms_are_believed_more_where_there_is_little_noise(monkeypatch):
    """The selection's penalty follows the dense model's error, between a floor and the penalty of noisy targets."""
    penalties = [choose_selection_penalty(error) for error in (0.0, 0.01, 0.2, 0.9)]
    assert penalties == [LEAST_SELECTION_PENALTY, pytest.approx(0.07), pytest.approx(1.4), SELECTION_PENALTY]
    used = []

    def select_and_note(goal, sizes, penalty, *others):
        used.append(penalty)
        return select_terms(goal, sizes, penalty, *others)

    monkeypatch.setattr(lengths, "select_terms", select_and_note)
    rows = make_rows(n=120)
    design = make_design(rows)
    clear = replace(rows, y=design.values(rows.matrix)[:, :3])  # what a rule says is all there is
    problem = FoldProblem(design, clear, held_out=clear)
    ValidatedSquares([problem], TARGETS).find_path(problem)
    assert len(set(used)) == 1
    assert used[0] < 0.3
    used.clear()
    ValidatedSquares([problem], TARGETS, dense=False).find_path(problem)
    assert set(used) == {SELECTION_PENALTY}
