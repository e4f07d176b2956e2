"""What the made-up data promise: known truth, own luck, no query in two parts."""

import numpy as np
import pytest

from ndcglib.datasets import synthetic
from ndcglib.datasets.synthetic import ranking_data, shop_data, textbook_data
from ndcglib.metrics import idcg, ndcg, random_ndcg
from ndcglib.tuning import least_squares, linear_scores


def parts(data):
    return data.train, data.validation, data.test


def same(one, other):
    return all(
        np.array_equal(a, b)
        for p, q in zip(parts(one), parts(other), strict=True)
        for a, b in zip(p, q, strict=True)
        if a is not None
    )


@pytest.mark.parametrize("make", [ranking_data, textbook_data, shop_data])
def test_the_luck_is_a_seed(make):
    before = np.random.get_state()[1].tolist()
    assert same(make(50, seed=3), make(50, seed=3))
    assert not same(make(50, seed=3), make(50, seed=4))
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize("truth", ["linear", "mixed"])
def test_queries_have_different_sets_of_grades(truth):
    y = ranking_data(truth=truth).train.y
    assert set(np.unique(y)) == {0, 1, 2, 3}
    sets = {tuple(sorted(row)) for row in y.tolist()}
    assert len(sets) > 60
    assert idcg(y, k=5, per_query=True).std() > 1
    shares = np.bincount(y.ravel()) / y.size
    assert shares == pytest.approx([0.5, 0.25, 0.15, 0.1], abs=0.06)


def test_some_queries_have_more_to_offer():
    y = ranking_data(empty=0.0).train.y
    by_chance = y.std() / np.sqrt(y.shape[1])  # were all documents drawn alike
    assert y.mean(axis=1).std() > 1.5 * by_chance


@pytest.mark.parametrize("empty", [0.0, 0.1, 1.0])
def test_share_of_empty_queries(empty):
    data = ranking_data(500, 20, empty=empty)
    without = sum(int((part.y.max(axis=1) == 0).sum()) for part in parts(data))
    assert 500 * empty <= without <= 500 * empty + 60


def test_no_query_is_in_two_parts():
    data = ranking_data(100, 6, ragged=True, seed=5)
    names = [set(part.query.tolist()) for part in parts(data)]
    assert [len(group) for group in names] == [60, 20, 20]
    assert set.union(*names) == set(range(100))
    table = ranking_data(100, 6, seed=5)
    first = [set(part.X[:, 0, 0].tolist()) for part in parts(table)]
    assert [len(group) for group in first] == [60, 20, 20]
    assert len(set.union(*first)) == 100


@pytest.mark.parametrize("n", [-1, 0])
def test_the_first_queries_are_counted_from_the_front(n):
    with pytest.raises(ValueError, match=f"n must be a positive integer, got {n}"):
        ranking_data(10).train.first(n)


def test_lengths_of_ragged_queries():
    data = ranking_data(300, 10, ragged=True)
    X, y, query = data.train
    _, lengths = np.unique(query, return_counts=True)
    assert X.shape == (len(y), 6)
    assert set(lengths.tolist()) == set(range(5, 16))


def test_features_are_of_their_kinds():
    data = ranking_data(200, 10, 9, truth="mixed")
    assert data.kinds == (*synthetic.KINDS, "normal")
    X = data.train.X
    of = {kind: X[..., j] for j, kind in enumerate(data.kinds[:8])}
    assert of["skewed"].mean() > 1.3 * np.median(of["skewed"])
    assert of["skewed"].min() > 0
    assert 0.1 < (of["sparse"] > 0).mean() < 0.3
    assert (np.ptp(of["query"], axis=1) == 0).all()
    assert of["query"].std() > 0.5
    assert (of["copy"] == X[..., 0]).all()
    assert np.unique(of["constant"]).tolist() == [1.0]
    assert set(ranking_data(10).kinds) == {"normal"}


def test_linear_truth_is_reached_and_mixed_is_not():
    data = ranking_data(1500, seed=1)
    X, y, _ = data.test
    truth = ndcg(y, linear_scores(X, data.weights), k=5, empty="skip")
    fitted = ndcg(y, linear_scores(X, least_squares(*data.train[:2])[0]), k=5, empty="skip")
    assert truth > 0.85
    assert fitted == pytest.approx(truth, abs=0.01)
    exact = ranking_data(1500, noise=0, seed=1)
    assert ndcg(exact.test.y, linear_scores(exact.test.X, exact.weights), empty="skip") == 1.0
    mixed = ranking_data(1500, truth="mixed", noise=0, seed=1)
    assert ndcg(mixed.test.y, linear_scores(mixed.test.X, mixed.weights), empty="skip") < 0.97


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("truth", synthetic.TRUTHS)
def test_true_scores_give_the_order_of_grades_without_noise(truth, ragged):
    data = ranking_data(200, 8, 6, truth=truth, ragged=ragged, noise=0, empty=0, seed=2)
    X, y, query = data.test
    scores = data.true_scores(X)
    assert scores.shape == y.shape
    if query is None:
        query = np.repeat(np.arange(len(y)), y.shape[1])
    mine = [query == one for one in np.unique(query)]
    assert all((np.diff(y.ravel()[m][scores.ravel()[m].argsort()]) >= 0).all() for m in mine)


def test_textbook_data():
    data = textbook_data(30, seed=2)
    shapes = [part.X.shape for part in parts(data)]
    assert shapes == [(280, 12, 6), (120, 12, 6), (30, 12, 6)]
    expected = [0] * 6 + [1] * 3 + [2] + [3] * 2
    for part in parts(data):
        assert (np.sort(part.y, axis=1) == expected).all()
    # The weights lead to the noise that the document adds.
    X, y, _ = data.train
    assert ndcg(y, linear_scores(X, data.weights), k=5) > 0.85
    assert textbook_data(5, truth="mixed").kinds[:4] == synthetic.KINDS[:4]


SHOPS = range(4)


@pytest.mark.parametrize("seed", SHOPS)
def test_in_the_shop_the_relation_turns_round_within_a_query(seed):
    data = shop_data(seed=seed)
    X, y, _ = data.train
    (price, _), _ = least_squares(X, y)
    (within, _), _ = least_squares(X, y, center=True)
    assert price > 0.5
    assert within < -0.5


@pytest.mark.parametrize("seed", SHOPS)
def test_in_the_shop_least_squares_ranks_below_random(seed):
    data = shop_data(seed=seed)
    (X, y, _), test = data.train, data.test
    w, b = least_squares(X, y)
    error = ((linear_scores(X, w) + b - y) ** 2).mean()
    assert 0.55 < 1 - error / y.var() < 0.7
    plain, centered = (
        ndcg(test.y, linear_scores(test.X, weights), k=5)
        for weights in (w, least_squares(X, y, center=True)[0])
    )
    truth = ndcg(test.y, linear_scores(test.X, data.weights), k=5)
    level = random_ndcg(test.y, k=5)
    assert plain < level - 0.03
    assert centered > level + 0.1
    assert centered == pytest.approx(truth, abs=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(n_queries=4), "n_queries must be a whole number at least 5, got 4"),
        (dict(n_docs=1), "n_docs must be a whole number at least 2, got 1"),
        (dict(n_features=0), "n_features must be a positive integer, got 0"),
        (dict(truth="tree"), "truth must be one of 'linear', 'mixed', got 'tree'"),
        (dict(noise=-1), "noise must be a finite number from 0 to 1e.100, got -1"),
        (dict(noise=np.inf), "noise must be a finite number from 0 to 1e.100, got inf"),
        (dict(empty=1.5), "empty must be a finite number from 0 to 1, got 1.5"),
        (dict(empty="few"), "empty must be a finite number from 0 to 1, got 'few'"),
        (dict(seed=None), "seed must be a whole number at least 0, got None"),
    ],
)
def test_errors_say_what_came_and_what_is_allowed(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ranking_data(**options)
