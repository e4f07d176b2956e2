"""What one grade is worth: linear, exponential, a table, or a function.

Taught in notebook 02; notebook 05 shows that the choice can change who wins.
"""

from collections.abc import Mapping

import numpy as np

from helpers.metrics.checks import call_on_array

# 2**1024 is the first power of two that a float64 cannot hold.
EXPONENTIAL_LIMIT = 1023


def gain_values(grades, gain="linear", *, name="grades"):
    """Turn relevance grades into gains.

    Parameters
    ----------
    grades : array-like of numbers, any shape
        Relevance grades, finite.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        "linear": the grade itself, as in scikit-learn and in Järvelin and
        Kekäläinen (2002). "exponential": ``2**grade - 1`` (Burges et al., 2005).
        A mapping is a table ``{grade: gain}``. A callable takes the array of
        grades and returns an array of gains of the same shape.
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
        so large that it overflows, the table lacks a grade, or the gains are not
        finite or not of the shape of the grades.
    """
    grades = np.asarray(grades)
    if grades.dtype.kind not in "biuf" or grades.size == 0 or not np.isfinite(grades).all():
        raise ValueError(f"{name} must be finite numbers, at least one, got {grades!r}")
    return apply_gain(grades, gain, name)


def apply_gain(grades, gain, name):
    """Do what `gain_values` does, for an array that was checked before."""
    if isinstance(gain, str):
        if gain == "linear":
            return grades.astype(float, copy=False)
        if gain == "exponential":
            return _exponential(grades, name)
        raise ValueError(
            f"gain must be 'linear', 'exponential', a table or a function, got {gain!r}"
        )
    if isinstance(gain, Mapping):
        return _checked(_from_table(grades, gain), grades.shape)
    if callable(gain):
        return _checked(call_on_array(gain, grades, "gain"), grades.shape)
    raise TypeError(
        f"gain must be 'linear', 'exponential', a table or a function, got {type(gain).__name__}"
    )


def _exponential(grades, name):
    lowest, highest = grades.min(), grades.max()
    if lowest < 0:
        raise ValueError(
            f"{name} must not be negative with gain='exponential', got {lowest}; "
            "shift the grades so that the lowest is 0"
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
            f"gain: the table has no entry for grade {missing[0]}; it has {list(table)}"
        )
    gains = np.array([table[grade] for grade in distinct.tolist()])
    if gains.dtype.kind not in "biuf":
        raise TypeError(f"gain: the table must give a number for each grade, got {table}")
    return gains[position]


def _checked(gains, shape):
    if gains.dtype.kind not in "biuf":
        raise TypeError(f"gain must return real numbers, got dtype {gains.dtype}")
    gains = gains.astype(float)
    if gains.shape != shape:
        raise ValueError(
            f"gain must return one gain for each grade, got shape {gains.shape} "
            f"for grades of shape {shape}"
        )
    if not np.isfinite(gains).all():
        raise ValueError("gain must return finite numbers, got NaN or infinity")
    return gains
