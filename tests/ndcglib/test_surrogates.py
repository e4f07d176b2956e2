"""The losses against finite differences, LambdaRank's weights against real swaps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.linear_model import LinearRegression, LogisticRegression

from ndcglib.datasets.synthetic import ranking_data
from ndcglib.metrics import kernel, ndcg
from ndcglib.tuning import (
    fit,
    lambda_weights,
    lambdarank_loss,
    least_squares,
    linear_scores,
    pair_losses,
    pairwise_logistic,
    pairwise_loss,
    pointwise_logistic,
    squared_loss,
)

LOSSES = {"squared": squared_loss, "pairwise": pairwise_loss, "lambdarank": lambdarank_loss}


def lists(seed, n_queries=4, n_docs=6):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, (n_queries, n_docs)), 2 * rng.normal(size=(n_queries, n_docs))


def differences(loss, scores, step=1e-6):
    """The derivative by each score, from both sides."""
    gradient = np.empty(scores.shape)
    for place in np.ndindex(scores.shape):
        up, down = scores.copy(), scores.copy()
        up[place] += step
        down[place] -= step
        gradient[place] = (loss(up) - loss(down)) / (2 * step)
    return gradient


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("loss", [squared_loss, pairwise_loss])
def test_gradient_equals_finite_differences(loss, seed):
    y, scores = lists(seed)
    y[0] = 2  # a query without a pair
    expected = differences(lambda s: loss(y, s)[0], scores)
    assert loss(y, scores)[1] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("k", [None, 1, 3])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_gradient_of_lambdarank_with_its_weights_held_fixed(k, gain):
    y, scores = lists(7)
    y[1] = 0
    weights = lambda_weights(y, scores, k=k, gain=gain)
    loss, gradient = lambdarank_loss(y, scores, k=k, gain=gain)
    fixed = lambdarank_loss(y, scores, pair_weights=weights)
    assert fixed[0] == pytest.approx(loss)
    assert fixed[1] == pytest.approx(gradient)
    expected = differences(lambda s: lambdarank_loss(y, s, pair_weights=weights)[0], scores)
    assert gradient == pytest.approx(expected, abs=1e-8)
    assert np.abs(gradient).max() > 0.01


def test_losses_of_pairs_equal_a_loop_over_pairs():
    y, scores = lists(8)
    y[2] = 1
    weights, pairwise, lambdarank = lambda_weights(y, scores, k=3), 0, 0
    for grades, s, weight in zip(y, scores, weights, strict=True):
        pairs = [(i, j) for i in range(6) for j in range(6) if grades[i] > grades[j]]
        losses = [math.log(1 + math.exp(s[j] - s[i])) for i, j in pairs]
        pairwise += sum(losses) / (len(losses) or 1)
        lambdarank += sum(weight[p] * loss for p, loss in zip(pairs, losses, strict=True))
    assert pairwise_loss(y, scores)[0] == pytest.approx(pairwise / 4)
    assert lambdarank_loss(y, scores, k=3)[0] == pytest.approx(lambdarank / 4)


def test_pair_losses_are_what_the_losses_of_pairs_add_up():
    y, scores = lists(9)
    for grades, s in zip(y, scores, strict=True):
        pairs = pair_losses(grades, s, k=3)
        assert len(pairs) == sum(a > b for a in grades for b in grades)
        assert all(pair.better > pair.worse for pair in pairs)
        mean = sum(pair.loss for pair in pairs) / (len(pairs) or 1)
        assert mean == pytest.approx(pairwise_loss(grades, s)[0])
        total = sum(pair.loss * pair.swap for pair in pairs)
        assert total == pytest.approx(lambdarank_loss(grades, s, k=3)[0])


def test_pair_losses_are_of_one_query():
    with pytest.raises(ValueError, match=r"y_true must be one query, a flat row, got shape"):
        pair_losses(*lists(9))


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(int, (2, 5), elements=st.integers(0, 3)),
    st.permutations(range(5)),
    st.one_of(st.none(), st.integers(1, 6)),
    st.sampled_from(["linear", "exponential"]),
)
def test_weights_of_lambdarank_equal_real_swaps(y, order, k, gain):
    scores = np.array([order, order[::-1]], dtype=float)
    before = ndcg(y, scores, k=k, gain=gain, per_query=True)
    weights = lambda_weights(y, scores, k=k, gain=gain)
    for i in range(5):
        for j in range(5):
            swapped = scores.copy()
            swapped[:, [i, j]] = scores[:, [j, i]]
            after = ndcg(y, swapped, k=k, gain=gain, per_query=True)
            assert weights[:, i, j] == pytest.approx(np.abs(after - before), abs=1e-12)


def test_tied_documents_have_ranks_in_the_order_of_the_input():
    flat = lambda_weights([3, 1, 0], [0.0, 0.0, 0.0])
    assert flat.tolist() == lambda_weights([3, 1, 0], [3.0, 2.0, 1.0]).tolist()


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_huge_scores_do_not_overflow(loss):
    value, gradient = loss([[1, 0], [0, 1]], [[1e4, -1e4], [1e4, -1e4]])
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_blocks_join_without_a_seam(loss, monkeypatch):
    y, scores = lists(10, 40, 7)
    value, gradient = loss(y, scores)
    monkeypatch.setattr(kernel, "BLOCK_DOCS", 100)
    again, by_score = loss(y, scores)
    assert again == pytest.approx(value)
    assert by_score == pytest.approx(gradient)


@pytest.mark.parametrize("loss", [pairwise_loss, lambdarank_loss])
def test_a_shift_of_all_scores_changes_nothing(loss):
    y, scores = lists(11)
    value, gradient = loss(y, scores)
    assert loss(y, scores + 3.0)[0] == pytest.approx(value)
    assert gradient.sum(axis=1) == pytest.approx(np.zeros(4), abs=1e-12)


# --- fits -----------------------------------------------------------------------------


@pytest.fixture(name="train", scope="module")
def _train():
    return ranking_data(60, 8, 4, noise=0.6, seed=4).train[:2]


@pytest.mark.parametrize("intercept", [True, False])
def test_least_squares_equals_scikit_learn(train, intercept):
    X, y = train
    w, b = least_squares(X, y, intercept=intercept)
    theirs = LinearRegression(fit_intercept=intercept).fit(X.reshape(-1, 4), y.ravel())
    assert w == pytest.approx(theirs.coef_)
    assert b == pytest.approx(theirs.intercept_)


def test_pointwise_logistic_equals_scikit_learn(train):
    X, y = train
    theirs = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000)
    theirs.fit(X.reshape(-1, 4), y.ravel() > 0)
    assert pointwise_logistic(X, y) == pytest.approx(theirs.coef_[0], rel=1e-3)


def test_centering_takes_out_what_a_query_has_in_common(train):
    X, y = train
    shift = np.arange(len(X))[:, None]
    w, b = least_squares(X, y, center=True)
    moved, _ = least_squares(X + shift[..., None], y + 5 * shift, center=True)
    assert moved == pytest.approx(w)
    assert b == 0
    assert least_squares(X + shift[..., None], y + 5 * shift)[0] != pytest.approx(w, abs=0.1)


def test_pairwise_logistic_equals_scikit_learn():
    """One query, so that all pairs weigh the same; both directions of each pair."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1, 40, 4)), rng.integers(0, 4, (1, 40))
    better, worse = np.nonzero(y[0][:, None] > y[0][None, :])
    gaps = X[0][better] - X[0][worse]
    rows, sides = np.vstack((gaps, -gaps)), np.repeat([1, 0], len(gaps))
    theirs = LogisticRegression(C=1e9, fit_intercept=False, tol=1e-10, max_iter=5000)
    theirs.fit(rows, sides)
    assert pairwise_logistic(X, y) == pytest.approx(theirs.coef_[0], abs=1e-4)


def test_pairwise_logistic_is_at_a_minimum(train):
    X, y = train
    w = pairwise_logistic(X, y)
    least, gradient = pairwise_loss(y, linear_scores(X, w))
    assert np.einsum("qd,qdf->f", gradient, X) == pytest.approx(np.zeros(4), abs=1e-4)
    for change in 0.01 * np.vstack((np.eye(4), -np.eye(4))):
        assert pairwise_loss(y, linear_scores(X, w + change))[0] > least


def test_pairwise_logistic_ends_where_there_is_no_minimum():
    X = np.arange(6.0).reshape(1, 6, 1)
    w = pairwise_logistic(X, [[0, 1, 2, 3, 4, 5]])
    assert w[0] > 0
    assert np.isfinite(w).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_history_of_a_fit_tells_the_truth(train, loss):
    X, y = train
    found = fit(X, y, loss, epochs=4, rate=0.3, k=3, validation=(X[:9], y[:9]))
    assert [epoch.number for epoch in found.history] == [0, 1, 2, 3, 4]
    assert found.history[0].w.tolist() == [0] * 4
    options = dict(k=3) if loss == "lambdarank" else {}
    for epoch in found.history:
        scores = linear_scores(X, epoch.w)
        assert epoch.loss == pytest.approx(LOSSES[loss](y, scores + epoch.b, **options)[0])
        assert epoch.train == pytest.approx(ndcg(y, scores, k=3))
        assert epoch.validation == pytest.approx(ndcg(y[:9], scores[:9], k=3))
    assert found.w.tolist() == found.history[-1].w.tolist()
    assert found.b == found.history[-1].b
    assert (found.b == 0) == (loss != "squared")


@pytest.mark.parametrize("loss", ["squared", "pairwise"])
def test_walking_ends_where_the_closed_form_is(train, loss):
    X, y = train
    found = fit(X, y, loss, epochs=400, rate=0.4 if loss == "squared" else 2.0)
    losses = [epoch.loss for epoch in found.history]
    assert (np.diff(losses) <= 1e-12).all()
    if loss == "squared":
        w, b = least_squares(X, y)
        assert found.b == pytest.approx(b, abs=1e-6)
        assert fit(X, y, loss, epochs=9, rate=0.4, intercept=False).b == 0
    else:
        w = pairwise_logistic(X, y)
    assert found.w == pytest.approx(w, abs=2e-3)


def test_the_unit_of_a_feature_does_not_matter(train):
    X, y = train
    units = np.array([1000.0, 1.0, 0.01, 8.0])
    for loss in LOSSES:
        one, other = (
            fit(X, y, loss, epochs=5, rate=0.3),
            fit(X * units, y, loss, epochs=5, rate=0.3),
        )
        assert other.w * units == pytest.approx(one.w)
    assert pairwise_logistic(X * units, y) * units == pytest.approx(
        pairwise_logistic(X, y), rel=1e-3
    )


def test_lambdarank_climbs():
    data = ranking_data(150, 10, truth="mixed", seed=2)
    found = fit(*data.train[:2], "lambdarank", epochs=60, rate=2.0, k=5)
    assert found.history[-1].train > found.history[0].train + 0.2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: fit(X, y, "hinge"), "loss must be one of 'squared', 'pairwise', 'lambdar"),
        (
            lambda X, y: fit(X, y, "pairwise", rate=0),
            "rate must be a finite number above 0, got 0",
        ),
        (lambda X, y: fit(X, y, "pairwise", epochs=-1), "epochs must be a whole number from 0"),
        (lambda X, y: fit(X, y, "pairwise", epochs=10**30), "from 0 to 100000, got 1000"),
        (
            lambda X, y: fit(X, y, "squared", validation=(X[..., :1], y)),
            "validation X must have the . features of X, got 1",
        ),
        (lambda X, y: fit(X, y, "squared", rate=1e300), "rate must be lower than 1e"),
        (lambda X, y: least_squares(X[0], y), r"X must have shape \(n_queries, n_docs, n_feat"),
        (lambda X, y: squared_loss([1, 2], [1]), "must have the same shape"),
        (
            lambda X, y: lambdarank_loss([1, 0], [1, 0], pair_weights=np.ones((2, 2))),
            r"pair_weights must have shape \(1, 2, 2\), got \(2, 2\)",
        ),
    ],
)
def test_errors_say_what_came_and_what_is_allowed(train, call, message):
    with pytest.raises(ValueError, match=message):
        call(*train)


def test_validation_is_features_and_grades(train):
    X, y = train
    message = r"validation must be a tuple \(X, y\) or \(X, y, query\), got ndarray; give feat"
    with pytest.raises(TypeError, match=message):
        fit(X, y, "squared", epochs=1, validation=X)
