"""Every loss against finite differences, at its minimum, with weights, within its ranges, and by its dual bound."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from glade.losses.base import LEAST_CURVATURE
from glade.losses.location import find_quantile, measure_location
from glade.losses.logistic import Logistic
from glade.losses.multinomial import Multinomial
from glade.losses.registry import LOSSES, make_deviance, make_loss
from glade.losses.squared import Squared
from glade.losses.targets import TargetLosses

PARTLY_LINEAR = ("huber", "quantile")
SIZES = (None, 1, 2, 3, 5)  # of classes; None: a number


def suits(name, n_classes):
    try:
        return bool(make_loss(name, n_classes))
    except ValueError:
        return False


CASES = [(name, n_classes) for name in LOSSES for n_classes in SIZES if suits(name, n_classes)]


def make_case(name, n_classes, n=40, seed=0, spread=2.0):
    """A loss, targets and scores (both scores x rows)."""
    loss, random = make_loss(name, n_classes), np.random.default_rng(seed)
    scores = spread * random.normal(size=(loss.n_scores, n))
    if name == "poisson":
        return loss, random.poisson(2.0, size=(1, n)).astype(float), scores
    if n_classes is None:
        return loss, random.normal(size=(1, n)), scores
    return loss, np.eye(n_classes)[random.integers(n_classes, size=n)].T[-loss.n_scores :], scores


def differentiate(find, scores, h):
    """The derivative of each row along each score, from both sides."""
    out = np.empty_like(scores)
    for c in range(len(scores)):
        shift = np.zeros_like(scores)
        shift[c] = h
        out[c] = (find(scores + shift) - find(scores - shift)) / (2 * h)
    return out


def test_every_loss_has_a_target_that_it_suits():
    assert {name for name, _ in CASES} == set(LOSSES)
    assert all(loss.name == name for name, loss in LOSSES.items())


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_gradient_and_curvature_are_finite_differences(name, n_classes):
    loss, y, scores = make_case(name, n_classes)
    slope = differentiate(lambda s: loss.value(y, s), scores, 1e-5)
    np.testing.assert_allclose(loss.gradient(y, scores), slope, atol=1e-7)
    for c in range(loss.n_scores):
        second = differentiate(lambda s, c=c: loss.gradient(y, s)[c], scores, 1e-5)[c]
        bends = np.abs(second) > 1e-3 if name in PARTLY_LINEAR else np.ones(len(second), bool)
        np.testing.assert_allclose(loss.curvature(y, scores)[c][bends], second[bends], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", PARTLY_LINEAR)
def test_the_parabola_of_a_partly_linear_loss_is_nowhere_below_it(name):
    loss, y, scores = make_case(name, None)
    other = np.linspace(-8, 8, 400)[:, None, None]
    step = other - scores
    parabola = loss.value(y, scores) + (loss.gradient(y, scores) * step + loss.curvature(y, scores) * step**2 / 2)
    values = np.array([loss.value(y, np.broadcast_to(o, scores.shape)) for o in other])
    assert (parabola[:, 0] >= values - 1e-9).all()
    assert (loss.value(y, scores) >= 0).all()


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_no_direction_is_more_curved_than_the_bound(name, n_classes):
    loss, y, scores = make_case(name, n_classes, spread=4.0)
    hessian = np.array(
        [differentiate(lambda s, c=c: loss.gradient(y, s)[c], scores, 1e-5) for c in range(loss.n_scores)]
    )
    largest = np.linalg.eigvalsh(hessian.transpose(2, 0, 1))[:, -1]
    bound = loss.bound_curvature(y, scores)
    assert (bound >= largest - 1e-7).all()
    assert (bound >= LEAST_CURVATURE).all()


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_the_start_is_the_constant_of_least_loss(name, n_classes):
    loss, y, _ = make_case(name, n_classes, n=60)
    share = np.random.default_rng(1).uniform(size=60)
    share /= share.sum()

    def total(constant):
        return float(share @ loss.value(y, np.repeat(constant[:, None], 60, axis=1)))

    start = loss.start(y, share, 1e-9)
    best = minimize(total, np.zeros(loss.n_scores), tol=1e-12)
    assert total(start) <= best.fun + 1e-9
    np.testing.assert_allclose(loss.gradient(y, np.repeat(start[:, None], 60, axis=1)) @ share, 0, atol=1e-8)


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_a_row_counted_twice_is_two_rows(name, n_classes):
    loss, y, scores = make_case(name, n_classes)
    counts = np.random.default_rng(2).integers(0, 3, y.shape[1])
    again = np.repeat(np.arange(y.shape[1]), counts)
    np.testing.assert_allclose(loss.value(y, scores) @ counts, loss.value(y[:, again], scores[:, again]).sum())
    share, alike = counts / counts.sum(), np.full(len(again), 1 / len(again))
    np.testing.assert_allclose(loss.start(y, share, 1e-3), loss.start(y[:, again], alike, 1e-3))


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_the_dual_bound_is_below_every_value_and_meets_it_at_the_minimum(name, n_classes):
    """Along a constant score: the bound of the gradient at the minimum is the loss there, that of others is lower."""
    loss, y, scores = make_case(name, n_classes)
    ends = np.repeat(loss.start(y, np.full(y.shape[1], 1 / y.shape[1]), 1e-9)[:, None], y.shape[1], axis=1)
    np.testing.assert_allclose(loss.dual(y, ends, 1.0).sum(), loss.value(y, ends).sum(), atol=1e-6)
    for length in (0.2, 0.7, 1.0):
        # the conjugate's inequality: value(other) >= dual part + gradient * other, for any other scores
        slope = length * loss.gradient(y, scores)
        other = np.random.default_rng(3).normal(size=scores.shape)
        assert (loss.value(y, other) >= loss.dual(y, scores, length) + (slope * other).sum(axis=0) - 1e-9).all()


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_values_lie_in_their_range(name, n_classes):
    """However large the scores are: probabilities of classes are from 0 to 1 and add up to 1; losses are finite."""
    loss, y, scores = make_case(name, n_classes, spread=300.0)
    values = loss.link.inverse(scores)
    assert values.shape == (loss.link.n_values, scores.shape[1])
    assert np.isfinite(values).all()
    assert np.isfinite(loss.value(y, scores)).all()
    assert np.isfinite(loss.gradient(y, scores)).all()
    if n_classes is not None:
        assert ((values >= 0) & (values <= 1)).all()
        np.testing.assert_allclose(values.sum(axis=0), 1)


@pytest.mark.parametrize(("name", "n_classes"), CASES)
def test_additive_links_say_what_terms_change(name, n_classes):
    link = make_loss(name, n_classes).link
    if not link.is_additive:
        with pytest.raises(NotImplementedError, match="not additive"):
            link.find_changes(np.zeros((link.n_scores, 1)))
        return
    random = np.random.default_rng(0)
    start, effect = (0.1 * random.uniform(size=(link.n_scores, 4)) for _ in range(2))
    before, after = link.find_place(start), link.find_place(start + effect)
    np.testing.assert_allclose(after - before, link.find_changes(effect))
    if link.n_scores > 1 or n_classes != 1:
        expected = after if n_classes is None else after / after.sum(axis=0)
        np.testing.assert_allclose(link.inverse(start + effect), expected)


def test_two_classes_as_one_score_or_as_two():
    _, y, score = make_case("logistic", 2)
    logistic, multinomial = Logistic.of(2), Multinomial.of(2)
    both, y_both = np.concatenate((np.zeros_like(score), score)), np.concatenate((1 - y, y))
    np.testing.assert_allclose(logistic.value(y, score), multinomial.value(y_both, both))
    np.testing.assert_allclose(logistic.gradient(y, score)[0], multinomial.gradient(y_both, both)[1])
    np.testing.assert_allclose(logistic.link.inverse(score), multinomial.link.inverse(both))
    np.testing.assert_allclose(logistic.link.expand(score), np.concatenate((-score, score)))


def test_the_multinomial_loss_is_minus_the_logarithm_of_a_share():
    loss, y, scores = make_case("multinomial", 5)
    np.testing.assert_allclose(loss.value(y, scores), -(y * log_softmax(scores, axis=0)).sum(axis=0))


def test_a_newton_step_of_classes_is_less_by_the_class_that_the_others_tell():
    slope, curvature = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]), np.full((3, 2), 0.5)
    curvature[2, 0] = 0.0
    expected = 2 / 3 * np.array([[2.0, 4.0], [6.0, 8.0], [0.0, 2.0]])
    np.testing.assert_allclose(Multinomial.of(3).newton_step(slope, curvature), expected)
    np.testing.assert_allclose(Squared.of(None).newton_step(slope[:1], curvature[:1]), [[2.0, 4.0]])


def test_unknown_names_and_targets_that_a_loss_does_not_suit():
    with pytest.raises(ValueError, match="there is no loss 'cubed'"):
        make_loss("cubed", None)
    with pytest.raises(ValueError, match="a target with two classes"):
        make_loss("logistic", 3)
    with pytest.raises(ValueError, match="a nominal target"):
        make_loss("multinomial", None)
    assert [make_deviance(n).name for n in (None, 2, 3)] == ["squared", "logistic", "multinomial"]


def test_targets_side_by_side_are_each_target():
    cases = [make_case(name, n, seed=k) for k, (name, n) in enumerate(CASES)]
    losses = TargetLosses.of([loss for loss, *_ in cases], np.arange(1.0, len(cases) + 1))
    y, scores = (np.concatenate([case[k] for case in cases]) for k in (1, 2))
    share = losses.share_rows(y.T, np.ones(40))
    np.testing.assert_allclose(share, 1 / 40)
    start, null = losses.start(y, share, 40), None
    null = losses.null(y, share, start)
    for t, ((loss, own_y, own), at) in enumerate(zip(cases, losses.places, strict=True)):
        weight = t + 1.0
        np.testing.assert_allclose(losses.value(y, scores)[t], weight * loss.value(own_y, own))
        np.testing.assert_allclose(losses.gradient(y, scores)[at], weight * loss.gradient(own_y, own))
        np.testing.assert_allclose(losses.bound_curvature(y, scores)[t], weight * loss.bound_curvature(own_y, own))
        np.testing.assert_allclose(losses.dual(y, scores, 0.5)[t], weight * loss.dual(own_y, own, 0.5))
        np.testing.assert_allclose(start[at], loss.start(own_y, share[t], 0.5 / 40))
        assert null[t] == pytest.approx(loss.null(own_y, share[t], start[at]))
    assert losses.n_scores == len(scores)
    assert not losses.is_quadratic


def test_quadratic_targets_that_are_known_in_the_same_rows_share_their_curvature():
    losses = TargetLosses.of([Squared.of(None), Logistic.of(2), Squared.of(None), Squared.of(3), Logistic.of(2)])
    y = np.zeros((6, losses.n_scores))
    y[:2, 2] = np.nan
    groups = losses.group(losses.share_rows(y, np.ones(6)))
    assert [group.tolist() for group in groups] == [[0, 3], [1], [2], [4]]


def test_sums_over_the_scores_of_each_target():
    losses = TargetLosses.of([Squared.of(3), Squared.of(None)])
    np.testing.assert_array_equal(losses.add_up(np.array([[1.0, 2.0, 3.0, 4.0]])), [[6.0, 4.0]])
    np.testing.assert_array_equal(losses.spread(np.array([7, 8])), [7, 7, 7, 8])


def test_quantiles_of_every_level_have_their_share_of_rows_below():
    y, share = np.random.default_rng(0).exponential(size=(1, 5_000)), np.full(5_000, 1 / 5_000)
    for level in (0.05, 0.5, 0.9):
        loss = make_loss("quantile", None, {"level": level})
        assert loss.settings == {"level": level}
        assert (y <= loss.start(y, share, 0.0)).mean() == pytest.approx(level, abs=0.01)
    with pytest.raises(ValueError, match="between 0 and 1"):
        make_loss("quantile", None, {"level": 1.0})
    with pytest.raises(ValueError, match="no settings"):
        make_loss("squared", None, {"level": 0.5})


def test_what_a_faulty_reading_counts_is_bounded():
    loss = make_loss("huber", None)
    y, scores = np.array([[0.5, 1e9]]), np.zeros((1, 2))
    np.testing.assert_allclose(loss.gradient(y, scores), [[-0.5, -1.0]])
    np.testing.assert_allclose(loss.value(y, scores), [0.125, 1e9 - 0.5])
    np.testing.assert_allclose(loss.in_unit(10.0).gradient(y, scores), [[-0.5, -10.0]])


def test_the_poisson_loss_is_half_the_deviance_and_its_step_overshoots_nothing():
    y, scores = np.array([[0.0, 1.0, 7.0]]), np.log([[0.5, 2.0, 7.0]])
    mean = np.exp(scores)
    half = np.array([0.5, 1.0 - 2.0 * np.log(2.0) + np.log(2.0), 0.0])
    np.testing.assert_allclose(make_loss("poisson", None).value(y, scores), half, atol=1e-12)
    up = make_loss("poisson", None).newton_step((y - mean)[:, :2], mean[:, :2])
    np.testing.assert_allclose(up, [[-1.0, -0.5]])
    np.testing.assert_allclose(make_loss("poisson", None).newton_step(np.array([[9.0]]), np.array([[1.0]])), np.log(10))


def test_locations_and_spreads_do_not_heed_a_few_values():
    values = np.append(np.random.default_rng(1).normal(3, 2, 999), 1e12)
    middle, spread = measure_location(np.append(values, np.nan), np.ones(1001))
    assert middle == pytest.approx(3, abs=0.2)
    assert spread == pytest.approx(2, abs=0.2)
    assert measure_location(np.array([1.0, 1.0, 1.0, 5.0]), np.ones(4)) == (1.0, 2.0)
    assert measure_location(np.ones(4), np.ones(4)) == (1.0, 1.0)
    assert find_quantile(np.array([3.0, 1.0, 2.0]), np.array([1.0, 5.0, 1.0]), 0.5) == 1.0
