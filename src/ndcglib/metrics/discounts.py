"""What one rank is worth: the log discount, 1/rank, the 2002 rule, a function.

Taught in notebook *gain_discounted*. Notebook *discount* shows when another choice names
another winner: seldom where the weights fall alike at the top, often where one of them
hardly falls.
"""

import numpy as np

from ndcglib.metrics.checks import as_number, brief, call_on_array, check_count, check_size
from wording import nearest


def discount_weights(n_ranks, *, discount="log", log_base=2):
    """Return the weight of each rank from 1 to `n_ranks`.

    Parameters
    ----------
    n_ranks : int
        How many ranks, at least 1.
    discount : {"log", "reciprocal", "2002"} or callable, default="log"
        "log": ``1 / log_b(rank + 1)``, as in scikit-learn. "reciprocal":
        ``1 / rank``. "2002": the rule of Järvelin and Kekäläinen (2002), no
        discount above rank b and ``1 / log_b(rank)`` from there on. A callable
        takes the array of ranks 1, 2, …, n_ranks and returns their weights.
    log_base : float, default=2
        The base b of the logarithm, above 1. It cancels in NDCG with "log"; with
        "2002" it does not.

    Returns
    -------
    ndarray of float64 of shape (n_ranks,)

    Raises
    ------
    TypeError
        If `discount` is neither a name nor callable, or `n_ranks` is not an integer.
    ValueError
        If there is no rank, the name is unknown, the base is not above 1 or is given where no
        logarithm is taken, or the weights are not finite, negative, or rise
        with the rank: then no sort gives the ideal order.
    """
    n_ranks = check_count(n_ranks, "n_ranks")
    check_size(n_ranks, "n_ranks")
    ranks = np.arange(1, n_ranks + 1, dtype=float)
    if callable(discount):
        _refuse_base(discount, log_base)
        return _checked(call_on_array(discount, ranks, "discount"), n_ranks)
    if not isinstance(discount, str):
        raise TypeError(
            "discount must be 'log', 'reciprocal', '2002' or a function, "
            f"got {type(discount).__name__}"
        )
    if discount == "reciprocal":
        _refuse_base(discount, log_base)
        return 1.0 / ranks
    if discount == "log":
        return _check_base(log_base) / np.log(ranks + 1)
    if discount == "2002":
        # log_b(rank) is below 1 exactly where rank < b: there nothing is discounted.
        return 1.0 / np.maximum(1.0, np.log(ranks) / _check_base(log_base))
    raise ValueError(
        f"discount must be 'log', 'reciprocal', '2002' or a function, got {brief(discount)}"
        f"{nearest(discount, ['log', 'reciprocal', '2002'])}"
    )


def _check_base(log_base):
    """Return the natural logarithm of a base above 1."""
    return np.log(as_number(log_base, "log_base", " above 1", lambda base: base > 1))


def _refuse_base(discount, log_base):
    if log_base != 2:
        raise ValueError(
            f"log_base={brief(log_base)} has no effect with discount={brief(discount)}; "
            "leave it out"
        )


def _checked(weights, n_ranks):
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"discount must return real numbers, got dtype {weights.dtype}")
    weights = weights.astype(float)
    if weights.shape != (n_ranks,):
        raise ValueError(
            f"discount must return one weight for each rank, shape ({n_ranks},), "
            f"got {weights.shape}"
        )
    if not np.isfinite(weights).all() or weights.min() < 0:
        raise ValueError("discount must return finite weights of at least 0")
    if (np.diff(weights) > 0).any():
        rank = int(np.argmax(np.diff(weights) > 0)) + 1
        raise ValueError(
            f"discount must not rise with the rank, but rank {rank + 1} weighs more than "
            f"rank {rank}: sorting by gain would no longer give the ideal order"
        )
    return weights


def relative_weights(discount, n_ranks):
    """Return the weight of each rank, rank 1 being 1: constant factors cancel in NDCG.

    Parameters
    ----------
    discount : {"log", "reciprocal", "2002"}, callable or (str, float)
        As in `discount_weights`; a pair is a name and the base of its logarithm.
    n_ranks : int

    Returns
    -------
    ndarray of shape (n_ranks,)

    Raises
    ------
    TypeError, ValueError
        As `discount_weights`; also if rank 1 weighs nothing.

    Notes
    -----
    Taught in notebook *discount*.
    """
    name, base = discount if isinstance(discount, tuple) else (discount, 2)
    weights = discount_weights(n_ranks, discount=name, log_base=base)
    if weights[0] == 0:
        raise ValueError("discount must give rank 1 a weight above 0, got 0 for every rank")
    return weights / weights[0]


def ndcg_of_a_shuffle(discount, sizes, k=None):
    """Return the expected NDCG of a random order, half of it relevant, for each size.

    Each rank of a random order earns the mean gain, here a half; the ideal has its
    relevant documents on the first n / 2 ranks. So the expected NDCG is half the sum
    of the first n weights over the sum of the first n / 2: nothing is drawn.

    Parameters
    ----------
    discount
        As in `relative_weights`.
    sizes : sequence of int
        Even numbers of documents, rising.
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    list of float

    Notes
    -----
    Taught in notebook *discount*.
    """
    running = np.cumsum(relative_weights(discount, sizes[-1]))
    depths = [n if k is None else min(k, n) for n in sizes]
    ideal = [running[min(depth, n // 2) - 1] for n, depth in zip(sizes, depths, strict=True)]
    return [float(0.5 * running[d - 1] / best) for d, best in zip(depths, ideal, strict=True)]
