"""Refuse bad input, and say what came, what is allowed and what to do.

Nothing here repairs an input. A score of NaN, say, would sort to the top of the
list; a metric that went on would print a number that nobody should believe.
"""

import math
import operator
import reprlib
from collections.abc import Mapping, Set
from numbers import Real
from pathlib import Path, PurePath

import numpy as np

from wording import nearest

TIES = ("average", "stable", "best", "worst")
# Values of a metric that differ by no more are the same: two sums of the same terms differ
# by a few 1e-16. Were that an improvement, another processor would take another path.
SAME_VALUE = 1e-12
MOST_NAMED = 5  # ids in one message
MOST_QUOTED = 300  # letters of somebody else's message
MOST_NUMBERS = 20_000_000  # in one table that is made here: 160 MB

_REPR = reprlib.Repr()
_REPR.maxlist = _REPR.maxtuple = _REPR.maxset = _REPR.maxdict = 12
_REPR.maxstring = _REPR.maxother = 80


def brief(value):
    """Return `repr(value)`, cut so that no message is longer than a screen."""
    return _REPR.repr(value)


def brief_ids(ids):
    """Return the first of some ids as text; three dots say that there are more."""
    shown = list(map(brief, ids[:MOST_NAMED]))
    if len(ids) > MOST_NAMED:
        shown.append("…")
    return ", ".join(shown)


def as_table(values, name, row_of=None):
    """Return `values` as an array (n_queries, n_docs); one query may be flat.

    Parameters
    ----------
    values : array-like of shape (n_docs,) or (n_queries, n_docs)
        Numbers, all finite.
    name : str
        What the caller calls them; every message begins with it.
    row_of : callable, optional
        Takes the index of a number that is not finite and returns words for the
        message that say whose it is.

    Returns
    -------
    ndarray of shape (n_queries, n_docs)
        In the dtype that came: two scores tie when they are equal in it.

    Raises
    ------
    TypeError
        If the values are not real numbers.
    ValueError
        If they are ragged, masked, empty, not one- or two-dimensional, or not finite.
    """
    if is_masked(values):
        raise ValueError(f"{name} must not be masked; drop the masked documents yourself")
    array = as_array(values, name, "; for queries of unequal length use ndcglib.metrics.ndcg_long")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if array.ndim not in (1, 2):
        raise ValueError(
            f"{name} must have shape (n_docs,) or (n_queries, n_docs), got {array.shape}"
        )
    if array.size == 0:
        raise ValueError(
            f"{name} holds no query or no document, got shape {array.shape}; "
            "give at least one of each"
        )
    if array.dtype.kind == "f" and not all_finite(array):
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(
            f"{name} must be finite, got {array[where]} at index {where}"
            f"{row_of(where) if row_of else ''}; put a number there, or leave out "
            "what it belongs to"
        )
    return array.reshape(-1, array.shape[-1])


def as_array(values, name, advice=""):
    """Return `values` as an array; refuse rows of unequal length, and a list within itself."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise TypeError(
            f"{name} must be a rectangle of numbers, got rows of unequal length{advice}"
        ) from error


def as_flat(values, name, what="one flat list"):
    """Return a flat row of finite numbers, in the dtype that came; refuse anything else."""
    table = as_table(values, name)
    if np.ndim(values) != 1:
        raise ValueError(f"{name} must be {what}, got shape {np.shape(values)}")
    return table[0]


def is_masked(values):
    """Return whether a number is masked, in an array or in a row of a list of arrays."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    return any(isinstance(row, np.ma.MaskedArray) and np.ma.is_masked(row) for row in rows)


def all_finite(values):
    """Return whether no number is NaN or infinite."""
    return np.count_nonzero(np.isfinite(values)) == np.size(values)  # all() takes twice as long


def check_same_shape(y_true, y_score):
    """Raise ValueError unless grades and scores pair up one to one."""
    if y_true.shape != y_score.shape:
        raise ValueError(
            f"y_true and y_score must have the same shape, got {y_true.shape} and {y_score.shape}"
        )


def as_pair(y_true, y_score, ranked=False):
    """Return grades and scores as tables; those of a ranked list fall from rank to rank.

    Raises
    ------
    TypeError
        If scores are missing, or come although the list is ranked.
    """
    y_true = as_table(y_true, "y_true")
    check_flag(ranked, "ranked")
    if ranked and y_score is not None:
        raise TypeError(
            "ranked=True says that y_true stands in rank order, so it takes no y_score, "
            f"got {brief(y_score)}; leave one of the two out"
        )
    if y_score is None and not ranked:
        raise TypeError(
            "y_score is missing; give a score for each document, or say ranked=True "
            "if y_true stands in rank order, rank 1 first"
        )
    if ranked:
        return y_true, np.broadcast_to(-np.arange(y_true.shape[1]), y_true.shape)
    y_score = as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    return y_true, y_score


def as_one_query(y_true, y_score, ranked=False):
    """Return grades and scores of one query, flat; refuse a table of several."""
    y_true, y_score = as_pair(y_true, y_score, ranked)
    if len(y_true) > 1:
        raise ValueError(f"y_true must be one query, got {len(y_true)}; pass one row at a time")
    return y_true[0], y_score[0]


def as_ids(ids, n_docs):
    """Return a name for each document as text: D1, D2, … where `ids` is None."""
    if ids is None:
        return [f"D{i}" for i in range(1, n_docs + 1)]
    ids = as_names(ids, "ids")
    if len(ids) != n_docs:
        raise ValueError(f"ids must name each of {n_docs} documents, got {len(ids)}")
    return ids


def as_names(values, name):
    """Return texts, or whole numbers, as a list of texts; refuse anything else."""
    found = as_list(values, name, "texts")
    for value in found:
        if not isinstance(value, str) and as_integer(value) is None:
            raise TypeError(f"{name} must hold texts or whole numbers, got {brief(value)}")
    return [str(value) for value in found]


def as_list(values, name, what):
    """Return some things in their order as a list; refuse text, dicts, sets and data frames."""
    is_other = isinstance(values, (str, bytes, Mapping, Set)) or hasattr(values, "columns")
    if is_other or not np.iterable(values):
        raise TypeError(f"{name} must be a list of {what}, got {brief(values)}")
    return list(iter(values))  # iter, because a sparse table has no length


def check_entries(named, name, most=math.inf, least=1):
    """Raise unless this is a dict with `least` to `most` entries."""
    if not isinstance(named, Mapping):
        raise TypeError(f"{name} must be a dict of names, got {type(named).__name__}")
    if not least <= len(named) <= most:
        allowed = f"at least {least}" if most == math.inf else f"{least} to {most} entries"
        raise ValueError(f"{name} must hold {allowed}, got {len(named)}")


def check_kind(value, name, kind, source):
    """Raise TypeError unless `value` is of a kind; say who returns one."""
    if not isinstance(value, kind):
        raise TypeError(
            f"{name} must be a {kind.__name__}, as {source} returns it, got {brief(value)}"
        )


def as_path(path, name):
    """Return the path of a file, text or a `Path`, as a `Path`; refuse what can be none."""
    if not isinstance(path, (str, PurePath)) or not str(path).isprintable() or not str(path):
        raise TypeError(f"{name} must be the path of a file, got {brief(path)}")
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{name} must be a file, got the folder {brief(str(path))}")
    return path


def check_text(value, name):
    """Raise TypeError unless `value` is text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {brief(value)}")


def check_choice(value, name, known):
    """Raise unless `value` is one of the known names; say which of them is like it."""
    if not isinstance(value, str) or value not in known:
        kind = ValueError if isinstance(value, str) else TypeError
        names = ", ".join(map(repr, known))
        raise kind(f"{name} must be one of {names}, got {brief(value)}{nearest(value, known)}")


def check_k(k, n_docs, name="k"):
    """Return the number of ranks that count: `k`, or all where it is None.

    A `k` beyond the last document is clipped: there is nothing more to count.

    Raises
    ------
    TypeError
        If `k` is not an integer.
    ValueError
        If `k` is below 1.
    """
    return n_docs if k is None else min(check_count(k, name, " or None"), n_docs)


def check_count(value, name, or_else=""):
    """Return a positive integer as an int; bool, fractions and text are refused."""
    number = as_integer(value)
    if number is None or number < 1:
        error = TypeError if number is None else ValueError
        raise error(f"{name} must be a positive integer{or_else}, got {brief(value)}")
    return number


def check_whole(value, name, least, most=None):
    """Return a whole number from `least` to `most` as an int; refuse anything else."""
    number = as_integer(value)
    if number is None or number < least or (most is not None and number > most):
        allowed = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number {allowed}, got {brief(value)}")
    return number


def check_size(size, name, each=1, what="number"):
    """Raise ValueError if so many things of so many numbers each would fill the memory."""
    most = MOST_NUMBERS // each
    if size > most:
        raise ValueError(
            f"{name} must be at most {most:,} for {each:,} {what}, for all are kept in memory, "
            f"got {size:,}"
        )


def as_number(value, name, allowed="", fits=None):
    """Return a finite number as a float; refuse anything else, and what does not fit.

    Parameters
    ----------
    value : float
    name, allowed : str
        For the message: the argument, and in words what fits, such as " above 0".
    fits : callable, optional
        Takes the number, and says whether it is allowed; by default all are.
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    try:
        number = float(value) if is_number else math.nan
    except OverflowError:  # an integer beyond float64
        number = math.inf
    if not math.isfinite(number) or (fits and not fits(number)):
        error = ValueError if is_number else TypeError
        raise error(f"{name} must be a finite number{allowed}, got {brief(value)}")
    return number


def as_integer(value):
    """Return an integer of any kind as an int, None for all else; a bool is not one."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_flag(value, name):
    """Raise TypeError unless `value` is True or False; "no" would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {brief(value)}")


def check_ties(ties):
    """Raise ValueError unless `ties` names one of the four rules."""
    if not isinstance(ties, str) or ties not in TIES:
        raise ValueError(
            f"ties must be one of {', '.join(TIES)}, got {brief(ties)}{nearest(ties, TIES)}"
        )


def check_empty(empty, per_query):
    """Refuse `empty` unless it says what a query without gain scores, and goes with the rest."""
    check_flag(per_query, "per_query")
    if isinstance(empty, str):
        allowed = empty == "skip"
    else:
        is_number = isinstance(empty, Real) and not isinstance(empty, bool)
        is_nan = is_number and empty != empty  # no other number differs from itself
        allowed = is_nan or (is_number and empty in (0, 1))
    if not allowed:
        raise ValueError(
            f"empty must be 0, 1, nan or 'skip', got {brief(empty)}{nearest(empty, ['skip'])}"
        )
    if per_query and isinstance(empty, str):
        raise ValueError(
            "empty='skip' leaves queries out of the mean and cannot go with per_query=True; "
            "ask for empty=float('nan') and drop them yourself"
        )


def as_weights(sample_weight, n_queries, per_query):
    """Return one weight for each query, or None where none were given.

    Raises
    ------
    TypeError
        If `per_query` is not True or False.
    ValueError
        If there is not one finite, non-negative weight for each query, if all are
        zero, or if weights come with `per_query`, where no mean is taken.
    """
    check_flag(per_query, "per_query")
    if sample_weight is None:
        return None
    if per_query:
        raise ValueError("sample_weight weighs the mean; with per_query=True there is none")
    one_each = f"sample_weight must have shape ({n_queries},), one weight for each query"
    if not np.iterable(sample_weight):
        raise ValueError(f"{one_each}, got {brief(sample_weight)}")
    weights = as_table(sample_weight, "sample_weight")
    if np.shape(sample_weight) != (n_queries,):
        raise ValueError(f"{one_each}, got {np.shape(sample_weight)}")
    if weights.min() < 0:
        raise ValueError(f"sample_weight must not be negative, got {weights.min()}")
    if not weights.any():
        raise ValueError("sample_weight must not be all zero: there is no mean to take")
    # Only their ratios count; with a largest weight of 1 no sum can overflow.
    return weights[0].astype(float) / weights.max()


def call_on_array(function, values, name):
    """Return what a reader's function makes of an array, as an array.

    The usual slip is a function of one number: `math.log2`, or an `if`.

    Raises
    ------
    TypeError
        If the function does not take arrays.
    """
    try:
        return np.asarray(function(values.copy()))  # a copy: it may change what it is given
    except (ArithmeticError, TypeError, ValueError) as error:
        raise TypeError(
            f"{name} must take an array and return an array of the same shape, but it raised "
            f"{type(error).__name__}: {str(error)[:MOST_QUOTED]}"
        ) from error


def check_no_overflow(sums, name="y_true"):
    """Raise ValueError where gains were so large that their sum left float64."""
    if not all_finite(sums):
        raise ValueError(
            f"{name}: the gains are so large that their discounted sum overflows float64; "
            "use smaller grades, another gain, or divide the gains by a constant"
        )


def as_query_ids(query, name="query"):
    """Return the query ids as integers or as strings; refuse what would merge."""
    if np.ma.is_masked(query):
        raise ValueError(f"{name} must not be masked; drop the masked rows yourself")
    if isinstance(query, np.ndarray) and query.dtype.kind in "iuUS":
        return query  # an array of one kind: no need to look at each row of a long table
    found = {}  # one example of each kind
    for q in query if np.iterable(query) else [query]:
        found.setdefault(_kind(q), q)
    if len(found) == 1 and found.keys() <= {"string", "integer", bytes}:
        texts = () if "integer" in found else query
        if cut := [q for q in texts if q[-1:] in ("\0", b"\0")]:
            raise ValueError(
                f"{name} must not end in a zero character, which NumPy drops, got "
                f"{brief_ids(cut)}; give these queries other ids"
            )
        array = np.asarray(query, dtype=str if "string" in found else None)
        if array.dtype.kind in "iuUS":
            return array
    raise TypeError(
        f"{name} must hold integers or strings, all of one kind, "
        f"got {' and '.join(map(brief, found.values())) or brief(query)}"
    )


def _kind(q):
    if isinstance(q, str):
        return "string"
    return "integer" if as_integer(q) is not None else type(q)
