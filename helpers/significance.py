"""Whether one ranker is better than another, or the queries were kind to it.

Two rankers that answered the same queries are compared query by query: `compare`. How many
queries a difference needs, and what becomes of p-values when there are several, are the
other two questions. Taught in notebook *significance*.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import NamedTuple

import numpy as np

from helpers.metrics.checks import SAME_VALUE, all_finite, brief, brief_ids
from helpers.metrics.pairs import winners
from helpers.tables import html_table, text_table

DRAWS = 2000  # of a bootstrap
FLIPS = 9999  # of a permutation test, where there are too many to try them all
MOST_EXACT, MOST_FLIPPED = 13, 2_000  # queries; beyond, flips take seconds and agree with t
AT_A_TIME = 200_000  # signs
INSIDE = 0.95  # the share of the means, or of the intervals, that is not left to chance
ALPHA = 0.05  # what a p-value is held against
DIFFERENCE = 0.01  # for which `Comparison` says how many queries it needs
HOW = "give one number for each query: a flat list, or a dict by query id"


class Level(NamedTuple):
    """A mean over queries with its interval.

    Attributes
    ----------
    mean, low, high : float
    """

    mean: float
    low: float
    high: float


def interval(values):
    """Return the mean over queries and how far other queries might have moved it.

    Draws as many queries as there are, with replacement, 2,000 times, and looks where
    19 of 20 means lie (the percentile bootstrap). The draws are the same each time.

    Parameters
    ----------
    values : array-like of shape (n_queries,)
        One number for each query: its NDCG, or the difference of two rankers.

    Returns
    -------
    Level

    Raises
    ------
    TypeError, ValueError
        If `values` are not a flat row of finite numbers.

    Notes
    -----
    It is about the queries only: the ranker stays as it is. Below about fifty queries it is
    too narrow; `compare` takes the t interval. Efron, The Annals of Statistics 7(1):1-26,
    1979. Taught in notebook *held_out*.

    Examples
    --------
    >>> interval([0.5, 0.5, 0.5])
    Level(mean=0.5, low=0.5, high=0.5)
    """
    row = _as_row(values, "values")
    rng = np.random.default_rng(0)
    drawn = np.array([rng.choice(row, len(row)).mean() for _ in range(DRAWS)])
    low, high = np.quantile(drawn, [(1 - INSIDE) / 2, (1 + INSIDE) / 2])
    return Level(float(row.mean()), float(low), float(high))


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two rankers on the same queries. Printed, it is a table and the sentence it amounts to.

    Attributes
    ----------
    names : tuple of (str, str)
    means : tuple of (float, float)
    difference : float
        The mean of the first less the mean of the second.
    low, high : float
        The 95% t interval of the difference.
    sd : float
        The standard deviation of the differences, query by query, with n − 1.
    n : int
        How many queries there are.
    t_p : float
        The p-value of the paired t-test, two-sided.
    permutation_p : float or None
        That of the permutation test: each difference may have either sign. With at most
        13 queries all signs are tried, else 9,999 of them, the same each time; beyond 2,000
        queries none, since the t-test gives the same.
    wins, losses, ties : int
        On how many queries the first is ahead, behind, and neither.
    queries_needed : int
        For a difference of 0.01; see the function of that name.
    """

    names: tuple[str, str]
    means: tuple[float, float]
    difference: float
    low: float
    high: float
    sd: float
    n: int
    t_p: float
    permutation_p: float | None
    wins: int
    losses: int
    ties: int
    queries_needed: int

    @property
    def sentence(self):
        """Which mean is higher, and whether other queries might have said otherwise."""
        a, b = self.names
        if abs(self.difference) <= SAME_VALUE:
            who = f"{a} and {b} have the same mean"
        else:
            side = "ahead of" if self.difference > 0 else "behind"
            who = f"{a} is {side} {b} by {abs(self.difference):.4f}"
        verdict = (
            "contains 0: these queries do not say which is better"
            if self.low <= 0 <= self.high
            else "does not contain 0"
        )
        band = f"{_signed(self.low)} to {_signed(self.high)}"
        return f"{who} on {self.n} queries; the 95% interval of the difference, {band}, {verdict}."

    def table(self):
        """Return the rows as lists of two cells."""
        flips = 2**self.n if self.n <= MOST_EXACT else FLIPS
        rows = [
            [f"mean of {self.names[0]}", self.means[0]],
            [f"mean of {self.names[1]}", self.means[1]],
            ["difference", _signed(self.difference)],
            ["95% interval", f"{_signed(self.low)} to {_signed(self.high)}"],
            ["sd of the difference", self.sd],
            ["queries", self.n],
            ["ahead / behind / equal", f"{self.wins} / {self.losses} / {self.ties}"],
            ["p, paired t-test", _p_text(self.t_p)],
            [f"p, {flips:,} sign flips", _p_text(self.permutation_p)],
            [f"queries that {DIFFERENCE} needs", f"{self.queries_needed:,}"],
        ]
        return [row for row in rows if row[1] != ""]

    def _repr_html_(self):
        return f"{html_table(self._header, self.table())}<p>{escape(self.sentence)}</p>"

    def __repr__(self):
        return f"{text_table(self._header, self.table())}\n{self.sentence}"

    @property
    def _header(self):
        return "", " − ".join(self.names)


def compare(a, b, *, names=("a", "b")):
    """Compare two rankers on the same queries: how far apart, how sure, how many queries.

    Parameters
    ----------
    a, b : array-like of shape (n_queries,), or mapping of query id to float
        NDCG, or another metric, of each query. Lists are paired by position, dicts by
        id: `ndcg` and `ndcg_long` return them with ``per_query=True``, and
        ``judge_run(...).per_query`` is one.
    names : tuple of (str, str), default=("a", "b")
        What the two are called in the table.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        If one is a dict and the other is not, or if they are not numbers.
    ValueError
        If the two are not of the same queries, if there are fewer than two queries, or if
        a number is not finite.

    Notes
    -----
    Two lists of equal length are taken to be of the same queries, in the same order:
    nothing in them could tell otherwise. Differences of at most 1e-12 count as 0: the same
    NDCG, summed another way. Both tests ask about the mean: Smucker, Allan, Carterette, CIKM
    2007. Taught in notebook *significance*.

    Examples
    --------
    >>> found = compare([0.9, 0.8, 0.5, 0.6], [0.7, 0.5, 0.5, 0.2], names=("new", "old"))
    >>> [round(value, 3) for value in (found.difference, found.low, found.high)]
    [0.225, -0.047, 0.497]
    >>> found.permutation_p, (found.wins, found.losses, found.ties)
    (0.25, (3, 0, 1))
    >>> compare({"q1": 0.5, "q2": 0.25}, {"q2": 0.5, "q1": 0.25}).wins
    1
    """
    from scipy import stats  # here: the setup cell of a notebook need not wait for it

    first, second = _as_pair(a, b)
    one, other = names
    difference = first - second
    difference[np.abs(difference) <= SAME_VALUE] = 0
    if np.ptp(difference) <= SAME_VALUE:  # no spread: scipy would divide by 0
        mean = float(difference.mean())
        spread = dict(low=mean, high=mean, sd=0.0, t_p=float(mean == 0))
    else:
        test = stats.ttest_1samp(difference, 0)
        low, high = test.confidence_interval(INSIDE)
        sd = float(difference.std(ddof=1))
        spread = dict(low=float(low), high=float(high), sd=sd, t_p=float(test.pvalue))
    won = winners(difference)
    return Comparison(
        names=(str(one), str(other)),
        means=(float(first.mean()), float(second.mean())),
        difference=float(difference.mean()),
        n=len(difference),
        permutation_p=_permutation_p(difference),
        wins=int((won == 1).sum()),
        losses=int((won == -1).sum()),
        ties=int((won == 0).sum()),
        queries_needed=queries_needed(spread["sd"], DIFFERENCE),
        **spread,
    )


def _permutation_p(differences):
    """Return how often other signs bring the sum as far from 0, or None if that takes long."""
    from scipy.stats import permutation_test

    n = len(differences)
    if n > MOST_FLIPPED:
        return None
    flips = dict(n_resamples=FLIPS, batch=AT_A_TIME // n, rng=0)
    return float(
        permutation_test((differences,), np.sum, permutation_type="samples", **flips).pvalue
    )


def queries_needed(sd, difference, power=0.8):
    """Return how many queries show a true difference in most experiments.

    Parameters
    ----------
    sd : float
        Standard deviation of the difference of two rankers, query by query.
    difference : float
        The true difference of their means.
    power : float, default=0.8
        In which share of the experiments a two-sided test at .05 is to find it.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    ValueError
        If `sd` is negative, `difference` is 0, `power` is not between 0 and 1, or one of
        them is not finite.

    Notes
    -----
    ((z(.975) + z(power)) · sd / difference)², rounded up: the normal approximation, one or
    two queries short of what the t-test needs. Taught in notebook *significance*.

    Examples
    --------
    >>> queries_needed(0.25, 0.01), queries_needed(0.25, 0.02)
    (4906, 1227)
    """
    from scipy.special import ndtri

    if not (np.isfinite(sd) and sd >= 0):
        raise ValueError(f"sd must be a finite number, at least 0, got {brief(sd)}")
    if not np.isfinite(difference) or difference == 0:
        raise ValueError(
            f"difference must be a finite number other than 0, got {brief(difference)}; "
            "no number of queries tells equal rankers apart"
        )
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, got {brief(power)}")
    z = ndtri(1 - ALPHA / 2) + ndtri(power)
    return max(2, ceil((z * sd / difference) ** 2))


def holm(p_values):
    """Adjust the p-values of several tests, so that one false alarm is rare among all.

    The smallest is multiplied by how many there are, the next by one less, and so on; none
    may be smaller than the one before it, or larger than 1.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)

    Returns
    -------
    ndarray of shape (n_tests,)
        In the order of the input. Compare each with .05 as if it were the only one.

    Raises
    ------
    TypeError, ValueError
        If they are not a flat row of numbers from 0 to 1.

    Notes
    -----
    Holm, Scandinavian Journal of Statistics 6(2):65-70, 1979. Taught in notebook
    *significance*.

    Examples
    --------
    >>> holm([0.25, 0.03125, 0.0625]).tolist()
    [0.25, 0.09375, 0.125]
    """
    p = _as_row(p_values, "p_values", "give one p-value for each test, as a flat list")
    if p.min() < 0 or p.max() > 1:
        raise ValueError(f"p_values must lie from 0 to 1, got {p.min()} to {p.max()}")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1)


def _as_pair(a, b):
    """Return two rows of the same queries as arrays; refuse what cannot be paired."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        raise TypeError(
            f"a and b must both be lists or both be dicts by query id, got {type(a).__name__} "
            f"and {type(b).__name__}; a list does not say which query a number belongs to"
        )
    ids = None
    if isinstance(a, Mapping):
        for one, other, lacks in ((a, b, "b"), (b, a, "a")):
            if odd := [query for query in one if query not in other]:
                raise ValueError(
                    f"a and b must be of the same queries, but {lacks} lacks {len(odd)} of "
                    f"{len(one)}: {brief_ids(odd)}; "
                    "let both rankers answer them, or leave them out of both"
                )
        ids = list(a)
        a, b = list(a.values()), [b[query] for query in ids]
    first, second = _as_row(a, "a", ids=ids), _as_row(b, "b", ids=ids)
    if len(first) != len(second):
        raise ValueError(
            f"a and b must be of the same queries, got {len(first)} and {len(second)} values; "
            "let both rankers answer the same queries, or give dicts by query id"
        )
    if len(first) < 2:
        raise ValueError(
            "a and b must hold at least two queries, got 1: one difference has no spread"
        )
    return first, second


def _as_row(values, name, how=HOW, ids=None):
    """Return a flat row of finite numbers as floats, at least one; refuse anything else."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must not be masked; leave the masked queries out yourself")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise TypeError(
            f"{name} must be one flat row, got rows of unequal length; {how}"
        ) from error
    if array.size and array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold real numbers, got {brief(values)}; {how}")
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must be one flat row, got shape {array.shape}; {how}")
    if not all_finite(array):
        at = int(np.flatnonzero(~np.isfinite(array))[0])
        whose = f"query {brief(ids[at])}" if ids else f"index {at}"
        raise ValueError(
            f"{name} must be finite, got {array[at]} at {whose}; put a number there, or leave "
            "it out, and out of what it is compared with"
        )
    return array.astype(float)


def _signed(value):
    """Return four decimals with their sign, and none before 0."""
    text = f"{value:+.4f}"
    return text if float(text) else "0.0000"


def _p_text(p):
    """Return a p-value to four decimals, nothing where there is none."""
    if p is None:
        return ""
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}"
