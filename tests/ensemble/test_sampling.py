"""What trees are given."""

import numpy as np
import pytest

from glade.ensemble.sampling import Sampling, count_drawn, draw_depth, draw_leaves


def make(n_rows=200, population=None, weights=None, **more):
    settings = {"n_drawn": n_rows, "bootstrap": True, "n_inputs": 9, "inputs_per_tree": 9, **more}
    population = np.arange(n_rows) if population is None else population
    return Sampling(population, np.ones(n_rows) if weights is None else weights, **settings)


def test_a_bootstrap_is_rows_with_counts():
    sampling = make(population=np.arange(50, 150), n_drawn=100)
    sample = sampling.draw(1, 4)
    np.testing.assert_array_equal(sample.rows, np.flatnonzero(sample.weights))
    assert sample.weights.sum() == 100
    assert sample.rows.min() >= 50
    assert sample.rows.max() < 150
    np.testing.assert_array_equal(np.sort(np.r_[sample.rows, sampling.out_of_bag(sample)]), np.arange(200))
    shares = [len(make().draw(0, k).rows) / 200 for k in range(200)]
    assert abs(np.mean(shares) - (1 - np.exp(-1))) < 0.01


def test_a_bootstrap_draws_in_proportion_to_weights():
    weights = np.repeat([1.0, 3.0], 100)
    counts = np.sum([make(weights=weights, n_drawn=400).draw(0, k).weights for k in range(100)], axis=0)
    assert counts.sum() == 400 * 100
    assert abs(counts[100:].sum() / counts.sum() - 0.75) < 0.01


def test_samples_without_replacement():
    sampling = make(bootstrap=False, n_drawn=60)
    draws = [sampling.draw(3, k) for k in range(300)]
    for sample in draws:
        assert sample.weights is None
        assert len(np.unique(sample.rows)) == 60
        assert (np.diff(sample.rows) > 0).all()
    times = np.bincount(np.concatenate([s.rows for s in draws]), minlength=200)
    assert abs(times.mean() - 90) < 1e-9
    assert times.std() < 2 * np.sqrt(300 * 0.3 * 0.7)
    assert not make(bootstrap=False).leaves_rows_out
    np.testing.assert_array_equal(make(bootstrap=False).draw(0, 0).rows, np.arange(200))


def test_a_tree_draws_from_seed_and_number_alone():
    sampling = make(inputs_per_tree=3, random_size="leaves", mean_size=6.0)
    once = [sampling.draw(5, k) for k in range(20)]
    again = [sampling.draw(5, k) for k in reversed(range(20))][::-1]
    for a, b in zip(once, again, strict=True):
        np.testing.assert_array_equal(a.rows, b.rows)
        np.testing.assert_array_equal(a.inputs, b.inputs)
        assert (a.seed, a.max_leaf_nodes) == (b.seed, b.max_leaf_nodes)
    assert len({s.seed for s in once} | {s.seed for s in (sampling.draw(6, k) for k in range(20))}) == 40


def test_inputs_of_a_tree():
    sampling = make(inputs_per_tree=3)
    draws = [sampling.draw(0, k).inputs for k in range(300)]
    assert all(len(np.unique(d)) == 3 for d in draws)
    times = np.bincount(np.concatenate(draws), minlength=9)
    assert times.min() > 60
    assert make().draw(0, 0).inputs is None


@pytest.mark.parametrize("mean", [2.0, 4.0, 10.0])
def test_random_leaves_are_exponential(mean):
    """2 + floor(Exp(mean - 2)), whose mean is 2 + 1 / (e^(1 / (mean - 2)) - 1)."""
    draws = np.random.default_rng(0).exponential(size=20_000)
    leaves = np.array([draw_leaves(mean, e) for e in draws])
    expected = 2 if mean == 2 else 2 + 1 / (np.exp(1 / (mean - 2)) - 1)
    assert leaves.min() == 2
    assert abs(leaves.mean() - expected) < 0.15


def test_random_depths_are_those_of_the_source():
    """With mean 3: depth 2 in 45 %, 3 in 38.5 %, 4 in 15 % of the trees, 2.7 on average."""
    depths = np.array([draw_depth(3.0, e) for e in np.random.default_rng(0).exponential(size=20_000)])
    shares = np.bincount(depths, minlength=6) / len(depths)
    np.testing.assert_allclose(shares[1:5], [0.0, 0.45, 0.385, 0.15], atol=0.01)
    assert abs(depths.mean() - 2.7) < 0.05


def test_numbers_of_rows_drawn():
    ones, whole, broken = np.ones(10), np.arange(1.0, 11.0), np.linspace(0.1, 1, 10) * 0.7
    assert [count_drawn(m, ones, True) for m in (None, 1.0, 0.25, 3, 0.001)] == [10, 10, 2, 3, 1]
    assert [count_drawn(None, w, True) for w in (whole, 4 * whole, broken)] == [55, 55, 10]
    assert count_drawn(None, whole, bootstrap=False) == 10
