"""Gains, summed in the order of the scores: the inside of every DCG.

Everything works on a block: a few rows (queries) of `scores` and `gains`, small
enough to stay in the processor's cache. Notebook 08 derives the tie average.
"""

import numpy as np

BLOCK_DOCS = 2**15


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

    Documents with equal scores share the ranks they occupy. Over all orders of a
    tied group each member stands on each of these ranks equally often, so what
    the group earns on average is its mean gain times the sum of its weights
    (McSherry and Najork, 2008). Members beyond the cutoff count in the mean;
    ranks beyond it weigh nothing. So a group that k cuts needs no special case.

    Parameters
    ----------
    scores, gains : ndarray of shape (n_queries, n_docs)
    weights : ndarray of shape (n_docs,)
        The weight of each rank, 0 beyond the cutoff.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    n_queries, n_docs = scores.shape
    # Ascending, so the last column is rank 1. The sort need not be stable: it may
    # leave tied documents in any order, for they are averaged.
    order = np.argsort(scores, axis=1)
    order += np.arange(0, n_queries * n_docs, n_docs)[:, None]  # positions in the flat block
    ranked = scores.take(order)
    opens = np.empty(scores.shape, dtype=bool)  # does a new group open in this column?
    opens[:, 0] = True
    np.not_equal(ranked[:, 1:], ranked[:, :-1], out=opens[:, 1:])
    ranked = gains.take(order)
    del order  # a long list is one block: do not hold what is no longer needed
    if opens.all():
        return ranked @ weights[::-1]  # no ties: each document has its own rank
    return _sum_groups(ranked.ravel(), opens, weights)


def _sum_groups(gains, opens, weights):
    """Sum mean gain x sum of weights over the tied groups of each query.

    A group is a run of columns; a document without a tie is a group of one. With
    the running total of the weights, what any run of ranks weighs together is a
    difference of two entries.
    """
    n_docs = opens.shape[1]
    start = np.flatnonzero(opens)
    size = np.concatenate((start[1:], [opens.size]))
    size -= start  # in place, here and below: one long list is one block
    mean_gain = np.add.reduceat(gains, start)
    mean_gain /= size
    running = np.zeros(n_docs + 1)  # running[r] = what ranks 1 to r weigh together
    np.cumsum(weights, out=running[1:])
    last_rank = start % n_docs
    np.subtract(n_docs, last_rank, out=last_rank)  # column 0 is the last rank
    first_group = np.searchsorted(start, np.arange(0, opens.size, n_docs))
    del start
    shared = running[last_rank]
    last_rank -= size
    shared -= running[last_rank]
    shared *= mean_gain
    return np.add.reduceat(shared, first_group)


def ordered(scores, gains, weights, ties):
    """DCG of each query with its ties broken: 'stable', 'best' or 'worst'.

    'stable' keeps tied documents in the order of the input. The others sort ties
    by gain, for and against the model. All sort ascending and turn the result
    round; to keep the first of two equals first, 'stable' turns the input, too.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    if ties == "stable":
        order = scores.shape[1] - 1 - np.argsort(scores[:, ::-1], axis=1, kind="stable")
    else:
        second_key = gains if ties == "best" else -gains
        order = np.lexsort((second_key, scores), axis=1)
    return np.take_along_axis(gains, order, axis=1) @ weights[::-1]


def ideal(gains, weights, k):
    """DCG@k of each query's best order: the k largest gains, largest first.

    No other order is better: moving a larger gain above a smaller one never
    lowers the sum, since weights never rise with the rank.

    Returns
    -------
    ndarray of shape (n_queries,)
    """
    beyond = gains.shape[1] - k
    if beyond > 3 * k:  # a short cut: set the k largest apart, sort only those
        gains = np.partition(gains, beyond, axis=1)[:, beyond:]
    return np.sort(gains, axis=1)[:, -k:] @ weights[k - 1 :: -1]
