"""The ranked list behind every metric: which ranks a document takes, ties included."""

import numpy as np


def ranks(scores):
    """Return first and last rank of each document: the same where it is not tied.

    Parameters
    ----------
    scores : sequence of float

    Returns
    -------
    list of (int, int)

    Notes
    -----
    Taught in notebook 11.

    Examples
    --------
    >>> ranks([0.2, 0.9, 0.2])
    [(2, 3), (1, 1), (2, 3)]
    """
    scores = np.asarray(scores)
    first = 1 + (scores > scores[:, None]).sum(axis=1)
    last = (scores >= scores[:, None]).sum(axis=1)
    return list(zip(first.tolist(), last.tolist(), strict=True))
