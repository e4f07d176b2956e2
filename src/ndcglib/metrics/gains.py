"""What one grade is worth: linear, exponential, a table, or a function.

Taught in notebook *gain_discounted*; notebook *gain* shows that the choice can change who wins.
"""

from collections.abc import Mapping

import numpy as np

from ndcglib.metrics.checks import (
    as_array,
    as_number,
    brief,
    call_on_array,
    check_text,
    is_masked,
)
from wording import nearest

# 2**1024 is the first power of two that a float64 cannot hold.
EXPONENTIAL_LIMIT = 1023

_COUNT_AS_ZERO = {
    name: f"to count negative grades as 0, as trec_eval does, pass gain=lambda grades: {gain}"
    for name, gain in {
        "linear": "np.maximum(grades, 0)",
        "exponential": "2.0 ** np.maximum(grades, 0) - 1",
    }.items()
}


def gain_values(grades, gain="linear", *, name="grades"):
    """Turn relevance grades into gains.

    Parameters
    ----------
    grades : array-like of numbers, any shape
        Relevance grades, finite. The last axis holds the documents of one query.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        "linear": the grade itself, as in scikit-learn and in Järvelin and
        Kekäläinen (2002). "exponential": ``2**grade - 1`` (Burges et al., 2005).
        A mapping is a table ``{grade: gain}``. A callable takes the grades of one
        query, an array of shape (n_docs,), and returns as many gains. So it may
        divide by the query's largest grade, say: no other query plays a part.
    name : str, default="grades"
        What the messages call the grades.

    Returns
    -------
    ndarray of float64, same shape as `grades`

    Raises
    ------
    TypeError
        If `gain` is none of these, or a table that gives anything but numbers.
    ValueError
        If the name is unknown, a grade is negative under the exponential gain or
        so large that it overflows, the table lacks a grade, the gains are not
        finite or not of the shape of the grades, or the grades are masked.
    """
    check_text(name, "name")
    if is_masked(grades):
        raise ValueError(f"{name} must not be masked; drop the masked documents yourself")
    grades = as_array(grades, name)
    if grades.dtype.kind not in "biuf" or grades.size == 0 or not np.isfinite(grades).all():
        raise ValueError(f"{name} must be finite numbers, at least one, got {brief(grades)}")
    return apply_gain(grades, gain, name)


def step_gain(b):
    """Return a gain in which each step up in grade is worth `b` times the step before.

    The step from grade 0 to 1 is worth 1, the next b, the next b², and a grade is
    worth all steps up to it: ``gain(rel) = 1 + b + b² + … + b^(rel−1)``. With b = 1
    that is the grade itself, the linear gain; with b = 2 it is 2^rel − 1, the
    exponential gain.

    Parameters
    ----------
    b : float
        The step factor, above 0.

    Returns
    -------
    callable
        From an array of whole grades, at least 0, to their gains: a ``gain`` for
        `ndcglib.metrics.ndcg`.

    Raises
    ------
    TypeError, ValueError
        If `b` is not a finite number above 0, and by the gain if a grade is not a whole
        number from 0 to 1023.

    Notes
    -----
    Taught in notebook *gain*.

    Examples
    --------
    >>> step_gain(2)([0, 1, 2, 3]).tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    b = as_number(b, "b", " above 0", lambda b: b > 0)

    def gain(grades):
        grades = _whole_grades(grades)
        steps = b ** np.arange(grades.max(initial=0))  # 1, b, b², …
        worth = np.concatenate([[0.0], np.cumsum(steps)])  # of grade 0, 1, 2, …
        return worth[grades]

    return gain


def _whole_grades(grades):
    grades = np.asarray(grades)
    allowed = np.arange(EXPONENTIAL_LIMIT + 1)
    if grades.dtype.kind not in "biuf" or not np.isin(grades, allowed).all():
        raise ValueError(
            f"grades must be whole numbers from 0 to {EXPONENTIAL_LIMIT}, got {brief(grades)}"
        )
    return grades.astype(int)


def apply_gain(grades, gain, name):
    """Do what `gain_values` does, for an array that was checked before."""
    if isinstance(gain, str):
        if gain == "linear":
            return grades.astype(float, copy=False)
        if gain == "exponential":
            return _exponential(grades, name)
        raise ValueError(
            f"gain must be 'linear', 'exponential', a table or a function, got {brief(gain)}"
            f"{nearest(gain, _COUNT_AS_ZERO)}"
        )
    if isinstance(gain, Mapping):
        return _finite(_from_table(grades, gain), name)
    if callable(gain):
        return _finite(_by_function(grades, gain), name)
    raise TypeError(
        f"gain must be 'linear', 'exponential', a table or a function, got {type(gain).__name__}"
    )


def _exponential(grades, name):
    lowest, highest = grades.min(), grades.max()
    if lowest < 0:
        raise ValueError(
            f"{name} must not be negative with gain='exponential', got {lowest}; "
            f"{_COUNT_AS_ZERO['exponential']}"
        )
    if highest > EXPONENTIAL_LIMIT:
        raise ValueError(
            f"{name} must be at most {EXPONENTIAL_LIMIT} with gain='exponential', got {highest}: "
            "2**grade overflows; use grades, not counts or prices, or gain='linear'"
        )
    # exp2 works on floats, so no integer type can overflow on the way.
    return np.exp2(grades.astype(float, copy=False)) - 1.0


def _from_table(grades, table):
    distinct, position = np.unique(grades, return_inverse=True)
    missing = [grade for grade in distinct.tolist() if grade not in table]
    if missing:
        raise ValueError(
            f"gain: the table has no entry for grade {missing[0]}; it has {brief(list(table))}"
        )
    gains = np.array([table[grade] for grade in distinct.tolist()])
    if gains.dtype.kind not in "biuf":
        raise TypeError(f"gain: the table must give a number for each grade, got {brief(table)}")
    return gains[position].astype(float)


def _by_function(grades, function):
    """Give each query to the function by itself: it may look at all grades that it gets."""
    rows = grades.reshape(-1, grades.shape[-1] if grades.ndim else 1)
    gains = np.empty(rows.shape)
    for row, into in zip(rows, gains, strict=True):
        found = call_on_array(function, row, "gain")
        if found.dtype.kind not in "biuf":
            raise TypeError(f"gain must return real numbers, got dtype {found.dtype}")
        if found.shape != row.shape:
            raise ValueError(
                f"gain must return one gain for each grade, got shape {found.shape} "
                f"for grades of shape {row.shape}"
            )
        into[:] = found
    return gains.reshape(grades.shape)


def _finite(gains, name):
    if not np.isfinite(gains).all():
        raise ValueError(f"gain must return finite numbers for {name}, got NaN or infinity")
    return gains


def gains_of_query(listed, judged, gain, name, pool_name):
    """Return the gains of one query's list and of its pool, which are grades.

    A function gets the grades of both at once, the list first, so that a grade is
    worth the same in both even if the function looks at all grades.

    Parameters
    ----------
    listed, judged : ndarray of shape (n_docs,) and (n_judged,)
    gain
        As in `gain_values`.
    name, pool_name : str
        What the messages call the two.

    Returns
    -------
    listed, judged : ndarray of float, of the same shapes

    Raises
    ------
    TypeError, ValueError
        As `gain_values`; also if a gain is negative, or if the list holds documents
        that the pool lacks.
    """
    if callable(gain):
        both = apply_gain(np.concatenate((listed, judged)), gain, name)
        listed, judged = both[: len(listed)], both[len(listed) :]
    else:
        listed, judged = apply_gain(listed, gain, name), apply_gain(judged, gain, pool_name)
    refuse_negative(listed, gain, name)
    refuse_negative(judged, gain, pool_name)
    _check_pool_holds(judged, listed, pool_name)
    return listed, judged


def _check_pool_holds(judged, listed, pool_name):
    """Raise unless the best of the pool is at least the best of the list, rank by rank."""
    listed = np.sort(listed)[::-1]
    best = np.zeros(max(len(judged), len(listed)))
    best[: len(judged)] = np.sort(judged)[::-1]
    if (best[: len(listed)] < listed).any():
        raise ValueError(
            f"{pool_name} must hold the grades of everything judged, those in the list included, "
            "but the list holds documents that the pool lacks; NDCG could exceed 1"
        )


def refuse_negative(gains, gain, name):
    """Raise ValueError where a gain is negative, and say how to count it as 0.

    Shifting all grades up would change the measure: every document that is of no use
    would then gain something.
    """
    if gains.min() < 0:
        advice = _COUNT_AS_ZERO[gain] if isinstance(gain, str) else "give 0 for such a grade"
        raise ValueError(
            f"{name} must not give negative gains, got {gains.min()}: NDCG would have no lower "
            f"bound; {advice}"
        )
