"""The inside of every DCG: gains, summed in the order of the scores, for many queries.

`tie_averaged` is the recipe of `plain` and of notebook *your_own_ndcg*, made fast: tied documents
share their mean gain, then sort and add up. A test holds the two equal.

Everything works on a block: a few rows (queries) of `scores` and `gains`, small enough
to stay in the processor's cache. `weights` are those of the ranks 1 to k; k is their
number. All sorts are ascending, so that the last column is rank 1.
"""

import numpy as np

BLOCK_DOCS = 2**15
SHORT = 16  # a k below this part of a list is worth looking for the contenders first
GROUPS = 4  # for each of k ranks, to find them
FEW_DOCS = 16  # so few are sorted fastest by insertion, which NumPy's stable sort does


def blocks(n_queries, n_docs):
    """Yield slices of queries with about 2**15 documents each.

    Why blocks: the steps below make a handful of arrays as large as their input.
    For all queries at once these would be fetched from main memory again and
    again; for one block they stay in the cache.
    """
    step = max(1, BLOCK_DOCS // n_docs)
    for start in range(0, n_queries, step):
        yield slice(start, start + step)


def tie_averaged(scores, gains, weights):
    """DCG of each query, averaged over every order of its tied documents.

    Over all orders of a tied group each member stands on each of its ranks equally
    often, so on average each of these ranks earns the group's mean gain (McSherry and
    Najork, 2008; notebook *ties*). Members beyond k count in the mean; ranks beyond k weigh
    nothing. So a group that k cuts needs no special case.

    Parameters
    ----------
    scores, gains : ndarray of shape (n_queries, n_docs)
    weights : ndarray of shape (k,)
        The weight of each rank that counts; k is at most n_docs.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    if SHORT * len(weights) <= scores.shape[1]:
        chosen = contenders(scores, len(weights))
        scores, gains = scores.take(chosen), gains.take(chosen)
    # The sort need not be stable: tied documents will carry equal gains.
    order = np.argsort(scores, axis=1, kind=_fastest(scores))
    order += _row_starts(scores)  # positions in the flat block, the fastest way to pick
    ranked = scores.take(order, mode="wrap").ravel()  # quickest; all are inside
    opens = np.empty(ranked.shape, dtype=bool)  # does a new group open here?
    np.not_equal(ranked[1:], ranked[:-1], out=opens[1:])
    opens[:: scores.shape[1]] = True  # with each query in any case
    ranked = gains.take(order, mode="wrap")
    del order  # a long list is one block: do not hold what is no longer needed
    if np.count_nonzero(opens) < opens.size:
        ranked = _shared(ranked.ravel(), opens).reshape(ranked.shape)
    return _add_up(ranked, weights)


def _shared(gains, opens):
    """Return the mean gain of each document's tied group; a group is a run of `gains`."""
    start = np.flatnonzero(opens)
    size = np.empty_like(start)
    np.subtract(start[1:], start[:-1], out=size[:-1])
    size[-1] = opens.size - start[-1]
    mean = np.add.reduceat(gains, start)
    mean /= size
    return np.repeat(mean, size)


def contenders(values, k):
    """Return the positions in the flat block of those that can stand on the first k ranks.

    Where k is far below n_docs, sorting all documents is a waste. Deal the columns into
    some groups: k groups have a maximum of at least the k-th largest maximum, so there
    are k documents of at least that value, and no document below it comes within k.
    All others are kept, and so is the whole of a group that k cuts.

    Parameters
    ----------
    values : ndarray of shape (n_queries, n_docs)
    k : int
        At most n_docs / `GROUPS`.

    Returns
    -------
    ndarray of int, shape (n_queries, width)
        Each row is filled up with the position of one document that was not kept: it
        stands beyond rank k, however often it is there.
    """
    n_queries, n_docs = values.shape
    groups = GROUPS * k
    dealt = values[:, : n_docs // groups * groups].reshape(n_queries, -1, groups)
    bound = np.partition(dealt.max(axis=1), groups - k, axis=1)[:, groups - k]
    kept = values >= bound[:, None]
    counts = np.count_nonzero(kept, axis=1)
    chosen = np.empty((n_queries, counts.max()), dtype=np.intp)
    chosen[:] = _row_starts(values) + kept.argmin(axis=1)[:, None]  # the first not kept
    chosen[np.arange(chosen.shape[1]) < counts[:, None]] = np.flatnonzero(kept)
    return chosen


def ordered(scores, gains, weights, ties):
    """DCG of each query with its ties broken: 'stable', 'best' or 'worst'.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    order = rank_order(scores, gains, ties)
    return _add_up(np.take_along_axis(gains, order, axis=1), weights)


def rank_order(scores, gains, ties):
    """Return the order of each query's documents, rank 1 last, with its ties broken.

    'stable' keeps tied documents in the order of the input. The others sort ties
    by gain, for and against the model. To keep the first of two equals first in an
    ascending sort, 'stable' turns the input round, too.

    Returns
    -------
    ndarray of int, of the shape of `scores`
    """
    if ties == "stable":
        return scores.shape[1] - 1 - np.argsort(scores[:, ::-1], axis=1, kind="stable")
    second_key = gains if ties == "best" else -gains
    return np.lexsort((second_key, scores), axis=1)


def ideal(gains, weights):
    """DCG@k of each query's best order: the k largest gains, largest first.

    No other order is better: moving a larger gain above a smaller one never
    lowers the sum, since weights never rise with the rank.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    if SHORT * len(weights) <= gains.shape[1]:
        gains = gains.take(contenders(gains, len(weights)))
    return _add_up(np.sort(gains, axis=1, kind=_fastest(gains)), weights)


def _fastest(block):
    return "stable" if block.shape[1] <= FEW_DOCS else "quicksort"


def _row_starts(block):
    """Return where each row begins in the flat block, as a column."""
    return np.arange(0, block.size, block.shape[1])[:, None]


def _add_up(ranked, weights):
    """Return the sum of gains times weights of each row; its last column is rank 1."""
    # Weights read backwards are not handed to BLAS: NumPy adds up in order, on any processor.
    return ranked[:, -len(weights) :] @ weights[::-1]
