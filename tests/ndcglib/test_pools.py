"""Pools: which documents judges read, and how much of a page they never saw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcglib.metrics import depth_pool, unjudged_at_k

SCORES = st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=4)


def top(scores, k):
    """The places of the k best; of equal ones those that come first."""
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]


@given(SCORES, st.integers(1, 8))
def test_a_pool_is_the_union_of_the_tops(rankings, depth):
    members = {i for scores in rankings for i in top(scores, depth)}
    assert np.flatnonzero(depth_pool(rankings, depth)).tolist() == sorted(members)


@given(SCORES, st.integers(1, 8), st.integers(0, 63))
def test_the_unjudged_are_counted_query_by_query(table, k, bits):
    judged = [[bool(bits >> i & 1) for i in range(6)] for _ in table]
    shares = [
        sum(not row[i] for i in top(scores, k)) / min(k, 6)
        for row, scores in zip(judged, table, strict=True)
    ]
    assert unjudged_at_k(judged, table, k) == pytest.approx(sum(shares) / len(shares))


def test_every_query_has_its_own_pool():
    first, second = [[3, 2, 1], [1, 2, 3]], [[1, 2, 3], [1, 2, 3]]
    assert depth_pool([first], 1).tolist() == [[True, False, False], [False, False, True]]
    assert depth_pool([first, second], 1).tolist() == [[True, False, True], [False, False, True]]
    assert depth_pool([np.array([0, 2], np.uint8)], 1).tolist() == [[False, True]]


@given(SCORES, st.integers(1, 6))
def test_a_member_has_no_unjudged_document_down_to_the_depth(rankings, depth):
    judged = depth_pool(rankings, depth)
    for scores in rankings:
        assert unjudged_at_k(judged, scores, depth) == 0


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: depth_pool([], 3), ValueError, "rankings must hold the scores of at least one"),
        (lambda: depth_pool([[1, 2], [1, 2, 3]], 1), ValueError, r"shapes \[\(1, 2\), \(1, 3\)\]"),
        (lambda: depth_pool([[1, np.nan]], 1), ValueError, r"rankings\[0\] must be finite"),
        (lambda: depth_pool([[1, 2]], 0), ValueError, "depth must be a positive integer, got 0"),
        (lambda: depth_pool([[1, 2]], 1.5), TypeError, "depth must be a positive integer"),
        (lambda: unjudged_at_k([1, 0], [1, 2], 1), TypeError, "judged must hold True and False"),
        (lambda: unjudged_at_k([True], [1, 2], 1), ValueError, r"got \(1, 1\) and \(1, 2\)"),
        (lambda: unjudged_at_k([True], [1], None), TypeError, "k must be a positive integer"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()
