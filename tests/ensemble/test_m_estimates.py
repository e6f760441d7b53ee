"""m-estimates of the leaves' class shares, before a multi-tree fuses them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.utils._param_validation import InvalidParameterError

import glade
from tests.reference.multitree import Slow

RNG = np.random.default_rng(2)
X = pd.DataFrame({"a": RNG.integers(0, 6, 90) / 2, "b": RNG.normal(size=90).round(1), "c": RNG.choice(list("uvw"), 90)})
Y = pd.Series(np.where(RNG.random(90) < 0.3, RNG.choice(list("pqr"), 90), np.where(X["a"] > 1, "p", "q")), name="kind")
WEIGHTS = 1.0 + RNG.integers(0, 3, 90)
M = 2.5


def join_product(_, values):
    product = np.prod(values, axis=0)
    return product / product.sum()


def join_votes(_, values):
    """Each split votes for its likeliest class; equal votes are decided by the shares."""
    if len(values) == 1:
        return values[0]
    votes = [np.eye(len(own))[own.argmax()] for own in values]
    return np.mean([(1 - 1e-6) * vote + 1e-6 * own for vote, own in zip(votes, values, strict=True)], axis=0)


def count_shares(model):
    """The m-estimates of all nodes, counted row by row: (n_c + m p_c) / (n + m)."""
    nodes, slow = model.multitree_.nodes, Slow(model.multitree_.nodes, model.target_schema_)
    classes = model.classes_.tolist()
    prior = np.array([WEIGHTS[(own == Y).to_numpy()].sum() for own in classes]) / WEIGHTS.sum()
    counts = np.zeros((nodes.n_nodes, len(classes)))
    for x, own, weight in zip(model.encode(X), Y, WEIGHTS, strict=True):
        waiting = [0]
        while waiting:
            node = waiting.pop()
            counts[node, classes.index(own)] += weight
            waiting += [slow.side(s, x) for s in slow.splits_of(node)]
    return slow, (counts + M * prior) / (counts.sum(axis=1, keepdims=True) + M)


@pytest.mark.parametrize("fusion", ["mean", "gain", "sum", "product", "max", "vote"])
def test_leaves_are_fused_with_the_shares_of_m_more_rows(fusion):
    model = glade.MultiTreeClassifier(6, fusion=fusion, m_estimate=M, smoothing=None, random_state=0)
    model.fit(X, Y, sample_weight=WEIGHTS)
    slow, share = count_shares(model)
    tree = model.multitree_
    gains = tree.gain_shares

    def by_gain(splits, values):
        return np.average(values, axis=0, weights=gains[splits])

    def fuse(x):
        if fusion == "sum":
            total = slow.fuse(x, lambda _, values: np.sum(values, axis=0), share.__getitem__)
            return total / total.sum()
        if fusion == "max":
            highest = np.max([share[slow.leaf_of(own, x)] for own in slow.solutions()], axis=0)
            return highest / highest.sum()
        joins = {"product": join_product, "vote": join_votes, "gain": by_gain}
        return slow.fuse(x, joins.get(fusion, lambda _, values: np.mean(values, axis=0)), share.__getitem__)

    found = model.predict_proba(X)
    expected = np.array([fuse(x) for x in model.encode(X)])
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert np.abs(found - model.set_params(m_estimate=None).predict_proba(X)).max() > 0.01


@pytest.mark.parametrize("how", ["invented", "analytic"])
def test_the_archetype_is_like_what_is_fused(how):
    model = glade.MultiTreeClassifier(25, m_estimate=4.0, random_state=0).fit(X, Y)
    tree = model.archetype(X, similarity="theta") if how == "invented" else model.archetype(how="analytic")
    agrees = np.mean(tree.predict(X) == model.predict(X))
    assert agrees > 0.85
    if how == "invented":
        assert tree.similarity_ == pytest.approx(agrees)
    assert "m_estimate" not in tree.get_params()


def test_numbers_beside_classes_stay_as_they_are(tmp_path):
    both = pd.DataFrame({"kind": Y, "amount": X["a"] + X["b"]})
    plain, drawn = (glade.MixedMultiTree(6, m_estimate=m, random_state=0).fit(X, both) for m in (None, M))
    np.testing.assert_allclose(plain.predict(X)["amount"], drawn.predict(X)["amount"], rtol=1e-12)
    assert np.abs(plain.predict_proba(X)["kind"] - drawn.predict_proba(X)["kind"]).to_numpy().max() > 0.01
    drawn.save(tmp_path / "m.glade")
    loaded = glade.load(tmp_path / "m.glade")
    pd.testing.assert_frame_equal(loaded.predict_proba(X)["kind"], drawn.predict_proba(X)["kind"])


@pytest.mark.parametrize("wrong", [0, -1.0, "m", np.nan])
def test_what_is_no_number_of_rows_is_refused(wrong):
    with pytest.raises(InvalidParameterError, match="The 'm_estimate' parameter of MultiTreeClassifier must be"):
        glade.MultiTreeClassifier(3, m_estimate=wrong).fit(X, Y)


def test_next_to_no_rows_leave_probabilities_that_are_numbers():
    model = glade.MultiTreeClassifier(10, m_estimate=5e-324, fusion="product", random_state=0).fit(X, Y)
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
