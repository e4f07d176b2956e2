"""Which of two rankings wins, and how often two discounts say the same.

Taught in notebook *discount*: discounts of very different shape name the same winner for most
pairs of rankings. Notebook *gain* asks the same of gains.
"""

import numpy as np

from ndcglib.metrics.checks import (
    SAME_VALUE,
    as_flat,
    as_table,
    brief,
    check_count,
    check_size,
    check_whole,
)
from ndcglib.metrics.scores import ndcg


def random_pairs(grades, n_pairs, *, seed):
    """Return pairs of random orders of one list: the same documents, shuffled twice.

    Parameters
    ----------
    grades : array-like of shape (n_docs,)
        The grades of one list, in any order.
    n_pairs : int
        How many pairs to draw, at least 1.
    seed : int
        The luck of these draws, which nothing else shares.

    Returns
    -------
    first, second : ndarray of shape (n_pairs, n_docs)
        Grades in rank order: column 0 is rank 1.

    Raises
    ------
    TypeError, ValueError
        If `grades` is not one list of numbers, n_pairs or seed do not fit, or if a
        table of n_pairs rows would hold more than 20 million grades.

    Notes
    -----
    Taught in notebook *discount*.

    Examples
    --------
    >>> first, second = random_pairs([3, 1, 0], 500, seed=0)
    >>> first.shape, sorted(second[0].tolist())
    ((500, 3), [0, 1, 3])
    """
    grades = as_flat(grades, "grades")
    check_size(check_count(n_pairs, "n_pairs"), "n_pairs", len(grades), "documents")
    lists = np.tile(grades, (n_pairs, 1))
    generator = np.random.default_rng(check_whole(seed, "seed", 0))
    return generator.permuted(lists, axis=1), generator.permuted(lists, axis=1)


def ndcg_differences(first, second, *, k=None, gain="linear", discount="log", log_base=2):
    """Return by how much the first ranking of each pair is better: NDCG minus NDCG.

    Parameters
    ----------
    first, second : array-like of shape (n_docs,) or (n_pairs, n_docs)
        Grades in rank order. Both rankings of a pair hold the same documents, so
        they are measured against one ideal.
    k, gain, discount, log_base
        As in `ndcglib.metrics.ndcg`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        Between -1 and 1.

    Raises
    ------
    TypeError, ValueError
        As `ndcg`; also if the two differ in shape, or if a pair does not hold the
        same grades.

    Notes
    -----
    Taught in notebook *discount*.

    Examples
    --------
    >>> ndcg_differences([3, 2, 0], [3, 0, 2]).round(4).tolist()
    [0.0614]
    """
    first, second = as_table(first, "first"), as_table(second, "second")
    if first.shape != second.shape:
        raise ValueError(
            f"first and second must have the same shape, got {first.shape} and {second.shape}"
        )
    _check_same_documents(first, second)
    rules = dict(k=k, gain=gain, discount=discount, log_base=log_base)
    one, other = (ndcg(grades, ranked=True, per_query=True, **rules) for grades in (first, second))
    return one - other


def _check_same_documents(first, second):
    """Raise unless each ranking of `second` reorders that of `first`."""
    other = (np.sort(first, axis=1) != np.sort(second, axis=1)).any(axis=1)
    if other.any():
        pair = int(np.argmax(other))
        raise ValueError(
            "first and second must hold the same grades in each pair, each in its own order, "
            f"but pair {pair + 1} is {brief(first[pair].tolist())} and "
            f"{brief(second[pair].tolist())}"
        )


def winners(differences):
    """Return who wins by a difference of NDCG: 1 the first, -1 the second, 0 neither.

    Parameters
    ----------
    differences : array-like of float
        From `ndcg_differences`. Up to 1e-12 it is the same NDCG, summed another way.

    Returns
    -------
    ndarray of int of the same shape

    Notes
    -----
    Taught in notebook *discount*.
    """
    differences = np.asarray(differences)
    return np.where(np.abs(differences) <= SAME_VALUE, 0, np.sign(differences)).astype(int)


def verdicts(first, second, **options):
    """Return which ranking of each pair has the higher NDCG.

    Parameters
    ----------
    first, second : array-like of shape (n_docs,) or (n_pairs, n_docs)
        Grades in rank order, the same documents in both; see `ndcg_differences`.
    **options
        k, gain, discount and log_base, as in `ndcglib.metrics.ndcg`.

    Returns
    -------
    ndarray of int of shape (n_pairs,)
        1 where the first wins, -1 where the second does, 0 where they are equal.

    Raises
    ------
    TypeError, ValueError
        As `ndcg_differences`.

    Notes
    -----
    Taught in notebook *discount*.

    Examples
    --------
    >>> one, other = [0, 1, 2, 3, 1, 0], [1, 0, 0, 1, 2, 3]
    >>> verdicts(one, other).tolist(), verdicts(one, other, discount="reciprocal").tolist()
    ([1], [-1])
    """
    return winners(ndcg_differences(first, second, **options))
