"""NDCG among sampled negatives, against every sample in every order of its ties."""

import itertools
from math import comb

import numpy as np
import pytest
from scipy.stats import hypergeom, rankdata

from ndcglib.metrics import ndcg
from ndcglib.scale import sampled_ndcg


def by_brute_force(y_true, y_score, n, k):
    """Return the mean over the relevant documents, all samples and all orders of equal scores."""
    y_true, y_score = map(np.asarray, (y_true, y_score))
    negatives, means = y_score[y_true == 0], []
    for score in y_score[y_true > 0]:
        worth = []
        for sample in itertools.combinations(negatives, n):
            above = sum(other > score for other in sample)
            for place in range(sum(other == score for other in sample) + 1):
                rank = above + place + 1
                ways = sum(other == score for other in sample) + 1
                worth.append((rank <= k) / np.log2(rank + 1) / ways)
        means.append(sum(worth) / comb(len(negatives), n))
    return np.mean(means)


def test_the_example_by_hand():
    """Rank 3 of 6, two of five drawn: 3 ways to come first, 6 to come second, 1 to stay third."""
    ranks = [
        1 + (1 in sample) + (2 in sample) for sample in itertools.combinations([1, 2, 4, 5, 6], 2)
    ]
    assert [ranks.count(rank) for rank in (1, 2, 3)] == [3, 6, 1]
    found = sampled_ndcg([0, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1], 2)
    assert found == pytest.approx((3 + 6 / np.log2(3) + 0.5) / 10, abs=1e-14)


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_mean_over_all_samples(seed):
    rng = np.random.default_rng(seed)
    y_true, y_score = (
        rng.permutation([2, 1, *rng.integers(0, 2, 3), 0, 0, 0]),
        rng.integers(0, 5, 8),
    )
    n, k = int(rng.integers(1, (y_true == 0).sum() + 1)), int(rng.integers(1, 9))
    wanted = by_brute_force(y_true, y_score, n, k)
    assert sampled_ndcg(y_true, y_score, n, k=k) == pytest.approx(wanted, abs=1e-12)


def test_among_all_negatives_it_is_ndcg_of_each_relevant_document():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 30), rng.integers(0, 9, 30)
    links = np.flatnonzero(y_true)
    alone = [
        ndcg(np.arange(30)[keep] == link, y_score[keep], k=5)
        for link in links
        for keep in [(y_true == 0) | (np.arange(30) == link)]
    ]
    everyone = 30 - len(links)
    for n in (None, everyone):
        assert sampled_ndcg(y_true, y_score, n, k=5) == pytest.approx(np.mean(alone), abs=1e-12)


def test_with_a_single_negative_it_is_the_auc():
    rng = np.random.default_rng(1)
    y_true, y_score = rng.integers(0, 2, 50), rng.integers(0, 20, 50)
    one = y_true > 0
    over = rankdata(y_score)[one].sum() - one.sum() * (one.sum() + 1) / 2
    auc = over / (one.sum() * (~one).sum())
    assert sampled_ndcg(y_true, y_score, 1, k=1) == pytest.approx(auc, abs=1e-12)
    lost = 1 - 1 / np.log2(3)
    assert sampled_ndcg(y_true, y_score, 1) == pytest.approx(1 - lost * (1 - auc), abs=1e-12)


@pytest.mark.parametrize("n", [1, 99, 2_000])
def test_the_chances_are_those_of_scipy(n):
    """A list of 5,001, so that the logarithms of large factorials have to cancel."""
    y_true = np.arange(5_001) == 700
    drawn = np.arange(min(n + 1, 701))
    wanted = hypergeom.pmf(drawn, 5_000, 700, n) @ (1 / np.log2(drawn + 2))
    found = sampled_ndcg(y_true, -np.arange(5_001), n)
    assert found == pytest.approx(wanted, rel=1e-9)


def test_queries_count_alike_however_many_are_relevant():
    y_true, y_score = [[1, 1, 1, 0, 0], [1, 0, 0, 0, 0]], [[5, 4, 3, 2, 1], [1, 2, 3, 4, 5]]
    each = sampled_ndcg(y_true, y_score, None, per_query=True)
    assert each == pytest.approx([1, 1 / np.log2(6)])
    assert sampled_ndcg(y_true, y_score, None) == pytest.approx(each.mean())
    assert sampled_ndcg(y_true, y_score, None, k=4) == pytest.approx(0.5)


def test_equal_scores_give_the_random_level():
    for n in (1, 10, None):
        found = sampled_ndcg([1] + [0] * 20, [0] * 21, n, k=1)
        assert found == pytest.approx(1 / ((n or 20) + 1))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[1, 0, 0], [0, 0, 0]], np.ones((2, 3)), 1), "relevant document.*query 1 has none"),
        (([[1, 0, 0], [1, 1, 1]], np.ones((2, 3)), 1), "a negative.*query 1 has none"),
        (([[1, 0, 0], [1, 1, 0]], np.ones((2, 3)), 2), "at most 1, the negatives of query 1"),
        (([1, -1, 0], [1, 2, 3], 1), "negative gains"),
        (([1, 0], [1, 2], 0), "n_sampled must be a positive integer or None"),
        (([1, 0], [1, 2, 3], 1), "same shape"),
    ],
)
def test_what_it_refuses(arguments, words):
    with pytest.raises(ValueError, match=words):
        sampled_ndcg(*arguments)


def test_what_would_fill_the_memory_is_refused():
    y_true = np.arange(200_000) == 0
    with pytest.raises(ValueError, match="the negatives of a query must be at most"):
        sampled_ndcg(y_true, y_true, 100_000)
