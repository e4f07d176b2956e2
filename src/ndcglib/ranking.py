"""One ranked list: its order, its tied groups and the ranks they take. Computed here, once."""

import numpy as np

from ndcglib.metrics.checks import as_flat, as_table


def by_falling_score(scores, then=None):
    """Return the positions of the documents, the highest score first.

    Parameters
    ----------
    scores : array-like of shape (n_docs,)
        Of any real dtype, unsigned ones included.
    then : array-like of shape (n_docs,) or (n_orders, n_docs), optional
        What orders equal scores, the lowest first; by default they stay as in the input.

    Returns
    -------
    ndarray of int, of the shape of `then`
        With a table, one order for each of its rows.

    Raises
    ------
    TypeError, ValueError
        If they are not finite numbers, or `then` has not one for each document.

    Notes
    -----
    Taught in notebook *ties*.

    Examples
    --------
    >>> by_falling_score([0.2, 0.9, 0.2]).tolist()
    [1, 0, 2]
    >>> by_falling_score([0.2, 0.9, 0.2], then=[2, 1, 0]).tolist()
    [1, 2, 0]
    """
    scores = as_flat(scores, "scores")
    # By the number of the distinct score: an unsigned one has no negative.
    level = np.unique(scores, return_inverse=True)[1]
    if then is None:
        return np.argsort(-level, kind="stable")
    if as_table(then, "then").shape[1] != len(scores):
        raise ValueError(
            f"then must have a number for each of {len(scores)} scores, got shape {np.shape(then)}"
        )
    return np.lexsort((then, np.broadcast_to(-level, np.shape(then))))


def tied_groups(ranked):
    """Return the first and last rank of each run of equal scores, from the top.

    Parameters
    ----------
    ranked : array-like of shape (n_docs,)
        Scores in rank order.

    Returns
    -------
    list of (int, int)
        One for each group; a document that is not tied is a group of one.

    Raises
    ------
    TypeError, ValueError
        If `ranked` is not a flat list of finite numbers.

    Notes
    -----
    Taught in notebook *ties*.

    Examples
    --------
    >>> tied_groups([0.9, 0.2, 0.2])
    [(1, 1), (2, 3)]
    """
    ranked = as_flat(ranked, "ranked")
    starts = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
    ends = np.append(starts[1:], len(ranked))
    return list(zip((starts + 1).tolist(), ends.tolist(), strict=True))


def ranks(scores):
    """Return first and last rank of each document: the same where it is not tied.

    Parameters
    ----------
    scores : array-like of shape (n_docs,)

    Returns
    -------
    list of (int, int)

    Raises
    ------
    TypeError, ValueError
        If `scores` are not a flat list of finite numbers.

    Notes
    -----
    Taught in notebook *climb*.

    Examples
    --------
    >>> ranks([0.2, 0.9, 0.2])
    [(2, 3), (1, 1), (2, 3)]
    """
    _, level, size = np.unique(as_flat(scores, "scores"), return_inverse=True, return_counts=True)
    last = np.cumsum(size[::-1])[::-1]  # as many have this score or a higher one
    return list(zip((last - size + 1)[level].tolist(), last[level].tolist(), strict=True))
