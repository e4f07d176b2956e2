"""Whether one ranker is better than another, or the queries were kind to it.

Two rankers that answered the same queries are compared query by query: `compare`. Queries that
belong together, as those of one user or one module do, count as one group. How many queries a
difference needs, and what becomes of p-values when there are several, are the other two
questions. Taught in notebooks *significance* and *selection*.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import (
    SAME_VALUE,
    all_finite,
    as_array,
    as_names,
    as_number,
    as_query_ids,
    brief,
    brief_ids,
    is_masked,
)
from ndcglib.metrics.pairs import winners
from ndcglib.tables import text_table
from wording import html_table

__all__ = ["Comparison", "Level", "compare", "holm", "interval", "queries_needed"]

FLIPS = 9999  # of a permutation test, where there are too many to try them all
# Signs to flip, of queries or of whole groups; beyond, flips take seconds and agree with t.
MOST_EXACT, MOST_FLIPPED = 13, 2_000
AT_A_TIME = 200_000  # signs
INSIDE = 0.95  # of the intervals hold the true mean
FEW_GROUPS, LARGE_GROUP = 10, 0.25  # fewer, or a larger share of the queries, and it is rough
ALPHA = 0.05  # what a p-value is held against
DIFFERENCE = 0.01  # for which `Comparison` says how many queries it needs
LARGEST = 1e100  # whose square is a float
MOST_NEEDED = 1e9  # queries; beyond, no float tells the next number from this one for long
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


def interval(values, groups=None):
    """Return the mean over queries and how far other queries might have moved it.

    Parameters
    ----------
    values : array-like of shape (n_queries,), or mapping of query id to float
        One number for each query: its NDCG, or the difference of two rankers.
    groups : array-like of shape (n_queries,), or mapping of query id to label, optional
        Which queries belong together, as in `compare`.

    Returns
    -------
    Level
        The 95% t interval; with `groups`, by whole groups. Where all values are the same it
        has no width.

    Raises
    ------
    TypeError, ValueError
        If `values` are not a flat row of finite numbers, at least two, or if `groups` do not
        fit.

    Notes
    -----
    It is about the queries only: the ranker stays as it is. Taught in notebook *held_out*.

    Examples
    --------
    >>> [round(number, 3) for number in interval([0.5, 0.25, 0.75, 0.5])]
    [0.5, 0.175, 0.825]
    """
    ids = list(values) if isinstance(values, Mapping) else None
    row = _as_row(values if ids is None else list(values.values()), "values", ids=ids)
    if len(row) < 2:
        raise ValueError("values must hold at least two queries, got 1: one has no spread")
    group, mean = _as_groups(groups, len(row), ids), float(row.mean())
    if np.ptp(row) <= SAME_VALUE:  # a perfect order, say
        return Level(mean, mean, mean)
    spread = _spread(row, group)
    return Level(mean, spread.low, spread.high)


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
        The 95% t interval of the difference; with groups, by whole groups.
    sd : float
        The standard deviation of the differences, query by query, with n − 1.
    n : int
        How many queries there are.
    t_p : float
        The p-value of the paired t-test, two-sided; with groups, by whole groups.
    permutation_p : float or None
        That of the permutation test: each difference, or all those of a group together, may
        have either sign. With at most 13 signs all are tried, else 9,999 draws of them, the
        same each time; beyond 2,000 signs none, since the t-test gives the same.
    wins, losses, ties : int
        On how many queries the first is ahead, behind, and neither.
    queries_needed : int
        For a difference of 0.01, in groups such as these; see the function of that name.
    n_groups, largest_group : int or None
        How many groups there are, and how many queries the largest has.
    design_effect : float or None
        By how much the groups widen the variance of the mean: n queries of these groups say
        as much as n / design_effect queries that have nothing to do with each other.
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
    n_groups: int | None = None
    largest_group: int | None = None
    design_effect: float | None = None

    @property
    def sentence(self):
        """Which mean is higher, and whether other queries might have said otherwise."""
        a, b = self.names
        if abs(self.difference) <= SAME_VALUE:
            who = f"{a} and {b} have the same mean"
        else:
            side = "ahead of" if self.difference > 0 else "behind"
            who = f"{a} is {side} {b} by {_signed(abs(self.difference))[1:]}"
        verdict = (
            "contains 0: these queries do not say which is better"
            if self.low <= 0 <= self.high
            else "does not contain 0"
        )
        grouped = "" if self.n_groups is None else f" in {self.n_groups} groups"
        where = f"on {self.n} queries{grouped}"
        band = f"{_signed(self.low)} to {_signed(self.high)}"
        said = f"{who} {where}; the 95% interval of the difference, {band}, {verdict}."
        return f"{said} {self.warning}".rstrip()

    @property
    def warning(self):
        """Why the interval is rough: few groups, or a very large one; else nothing."""
        if self.n_groups is None:
            return ""
        return warning_of_groups(self.n_groups, self.largest_group, self.n)

    def table(self):
        """Return the rows as lists of two cells."""
        signs, grouped, by_group = self.n, "", ""
        if self.n_groups is not None:
            signs, grouped, by_group = self.n_groups, " of whole groups", ", by group"
        flips = 2**signs if signs <= MOST_EXACT else FLIPS
        rows = [
            [f"mean of {self.names[0]}", self.means[0]],
            [f"mean of {self.names[1]}", self.means[1]],
            ["difference", _signed(self.difference)],
            [f"95% interval{by_group}", f"{_signed(self.low)} to {_signed(self.high)}"],
            ["sd of the difference", self.sd],
            ["queries", self.n],
            ["groups", self.n_groups],
            ["queries of the largest group", self.largest_group],
            ["design effect", None if self.design_effect is None else f"{self.design_effect:.1f}"],
            ["ahead / behind / equal", f"{self.wins} / {self.losses} / {self.ties}"],
            [f"p, paired t-test{by_group}", p_text(self.t_p)],
            [f"p, {flips:,} sign flips{grouped}", p_text(self.permutation_p)],
            [f"queries that {DIFFERENCE} needs", f"{self.queries_needed:,}"],
        ]
        return [row for row in rows if row[1] not in ("", None)]

    def _repr_html_(self):
        return f"{html_table(self._header, self.table())}<p>{escape(self.sentence)}</p>"

    def __repr__(self):
        return f"{text_table(self._header, self.table())}\n{self.sentence}"

    @property
    def _header(self):
        return "", " − ".join(self.names)


def compare(a, b, *, names=("a", "b"), groups=None):
    """Compare two rankers on the same queries: how far apart, how sure, how many queries.

    Parameters
    ----------
    a, b : array-like of shape (n_queries,), or mapping of query id to float
        NDCG, or another metric, of each query. Lists are paired by position, dicts by
        id: `ndcg` and `ndcg_long` return them with ``per_query=True``, and
        ``judge_run(...).per_query`` is one.
    names : tuple of (str, str), default=("a", "b")
        What the two are called in the table.
    groups : array-like of shape (n_queries,), or mapping of query id to label, optional
        Which queries belong together: the user, the module or the topic that each comes
        from. Then whole groups are drawn, not queries: interval and p-values are by group.
        Without, every query stands for itself.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError
        If one is a dict and the other is not, or if they are not numbers.
    ValueError
        If the two are not of the same queries, if there are fewer than two queries, if a
        number is not finite, if the differences do not vary, or if `groups` do not fit.

    Notes
    -----
    Two lists of equal length are taken to be of the same queries, in the same order:
    nothing in them could tell otherwise. Differences of at most 1e-12 count as 0: the same
    NDCG, summed another way. Both tests ask about the mean: Smucker, Allan, Carterette, CIKM
    2007; that of sign flips presumes differences that are symmetric about it, or many queries.
    By groups: the jackknife that leaves out one group at a time, with t for one less than
    there are groups; Cameron and Miller, Journal of Human Resources 50(2), 2015. With a group
    for each query that is the paired t-test. Taught in notebook *significance*.

    Examples
    --------
    >>> found = compare([0.9, 0.8, 0.5, 0.6], [0.7, 0.5, 0.5, 0.2], names=("new", "old"))
    >>> [round(value, 3) for value in (found.difference, found.low, found.high)]
    [0.225, -0.047, 0.497]
    >>> found.permutation_p, (found.wins, found.losses, found.ties)
    (0.25, (3, 0, 1))
    >>> compare({"q1": 0.5, "q2": 0.25}, {"q2": 0.5, "q1": 0.5}).losses
    1
    """
    first, second, ids = _as_pair(a, b)
    group = _as_groups(groups, len(first), ids)
    names = tuple(as_names(names, "names"))
    if len(names) != 2:
        raise ValueError(f"names must be two, of a and of b, got {len(names)}")
    difference = first - second
    difference[np.abs(difference) <= SAME_VALUE] = 0
    if np.ptp(difference) <= SAME_VALUE:
        raise ValueError(
            f"a − b is {difference[0]:g} on all {len(difference)} queries: without spread there "
            "is no interval and no p-value; report the difference as it is"
        )
    spread = _spread(difference, group)
    won = winners(difference)
    sd = float(difference.std(ddof=1))
    grouped = {}
    if group is not None:
        grouped = dict(
            n_groups=len(spread.sizes),
            largest_group=int(spread.sizes.max()),
            design_effect=spread.error**2 * len(difference) / sd**2,
        )
    return Comparison(
        names=names,
        means=(float(first.mean()), float(second.mean())),
        difference=float(difference.mean()),
        low=spread.low,
        high=spread.high,
        sd=sd,
        n=len(difference),
        t_p=spread.p,
        permutation_p=_permutation_p(spread.totals),
        wins=int((won == 1).sum()),
        losses=int((won == -1).sum()),
        ties=int((won == 0).sum()),
        queries_needed=queries_needed(
            sd, DIFFERENCE, design_effect=grouped.get("design_effect", 1)
        ),
        **grouped,
    )


def warning_of_groups(n_groups, largest, n_queries):
    """Return why an interval by these groups is rough, in words; nothing where it is not."""
    found = []
    if n_groups < FEW_GROUPS:
        found.append(f"there are fewer than {FEW_GROUPS} groups")
    if largest > LARGE_GROUP * n_queries:
        found.append(f"one group has {largest} of the {n_queries} queries")
    return f"Do not rely on this interval: {' and '.join(found)}." if found else ""


class _Spread(NamedTuple):
    """The standard error of a mean, its interval, the p-value of a mean of 0, and the groups."""

    error: float
    low: float
    high: float
    p: float
    sizes: np.ndarray
    totals: np.ndarray


def _spread(values, group):
    """Return the `_Spread` by leaving out one group at a time, or one query at a time."""
    # Here: the setup cell of a notebook need not wait for it; scipy.stats has the same, and
    # takes 50 MB more.
    from scipy.special import stdtr, stdtrit

    if group is None:
        group = np.arange(len(values))
    sizes, totals = np.bincount(group), np.bincount(group, values)
    mean, n_groups = float(values.mean()), len(sizes)
    without = (totals.sum() - totals) / (len(values) - sizes)
    error = float(np.sqrt((n_groups - 1) / n_groups * ((without - mean) ** 2).sum()))
    if error <= SAME_VALUE:
        raise ValueError(
            "the mean stays the same whichever of the groups is left out, so that they have no "
            "spread to compare it with; check that `groups` are what the queries come from"
        )
    half = float(stdtrit(n_groups - 1, (1 + INSIDE) / 2)) * error
    p = float(2 * stdtr(n_groups - 1, -abs(mean) / error))
    return _Spread(error, mean - half, mean + half, p, sizes, totals)


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


def queries_needed(sd, difference, power=0.8, *, design_effect=1):
    """Return how many queries show a true difference in most experiments.

    Parameters
    ----------
    sd : float
        Standard deviation of the difference of two rankers, query by query.
    difference : float
        The true difference of their means.
    power : float, default=0.8
        In which share of the experiments a two-sided t-test at .05 is to find it.
    design_effect : float, default=1
        By how much groups widen the variance of the mean, as `compare` prints it: so many
        times more queries, of groups such as those.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    TypeError, ValueError
        If `sd` is negative, `difference` is 0, `power` is not between 0 and 1,
        `design_effect` is not above 0, or one of them is not a finite number.

    Notes
    -----
    The power of the paired t-test, from the noncentral t distribution; the textbook's
    ((z(.975) + z(power)) · sd / difference)² is one to three queries short of it. Taught in
    notebook *selection*.

    Examples
    --------
    >>> queries_needed(0.25, 0.01), queries_needed(0.25, 0.02)
    (4908, 1229)
    """
    from scipy.special import ndtri

    sd = as_number(sd, "sd", " of at least 0", lambda sd: sd >= 0)
    difference = as_number(difference, "difference")
    power = as_number(power, "power", " between 0 and 1", lambda power: 0 < power < 1)
    design_effect = as_number(design_effect, "design_effect", " above 0", lambda d: d > 0)
    if difference == 0:
        raise ValueError(
            "difference must not be 0: no number of queries tells equal rankers apart"
        )
    effect = abs(difference) / sd if sd else np.inf
    about = (float(ndtri(1 - ALPHA / 2) + ndtri(power)) / max(effect, 1 / LARGEST)) ** 2
    if about * max(design_effect, 1) > MOST_NEEDED:
        raise ValueError(
            f"difference must not be so small beside sd={sd:g} and design_effect="
            f"{design_effect:g}: {difference:g} would need more than {MOST_NEEDED:,.0f} queries"
        )
    n = max(2, ceil(about))
    while _power(effect, n) < power:
        n += 1
    return max(2, ceil(n * design_effect))


def _power(effect, n):
    """Return how often a t-test of n queries finds a mean of so many standard deviations."""
    from scipy.special import nctdtr, stdtrit

    if np.isinf(effect):
        return 1.0
    limit, shift = stdtrit(n - 1, 1 - ALPHA / 2), effect * np.sqrt(n)
    return 1 - nctdtr(n - 1, shift, limit) + nctdtr(n - 1, shift, -limit)


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
    *selection*.

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
    return first, second, ids


def _as_groups(groups, n, ids):
    """Return for each query the position of its group, or None if there are no groups."""
    if groups is None:
        return None
    if isinstance(groups, Mapping):
        if ids is None:
            raise TypeError(
                "groups are a dict by query id, but the values are lists; give both as dicts, or "
                "both as lists"
            )
        if lacking := [query for query in ids if query not in groups]:
            raise ValueError(
                f"groups lack {len(lacking)} of {len(ids)} queries: {brief_ids(lacking)}; "
                "give each query a label"
            )
        groups = [groups[query] for query in ids]
    elif ids is not None:
        raise TypeError(
            "the values are dicts by query id, so groups must be a dict, too, of id to label, "
            f"got {type(groups).__name__}"
        )
    labels = as_query_ids(groups, "groups")
    if labels.shape != (n,):
        raise ValueError(
            f"groups must hold a label for each of the {n} queries, got shape {labels.shape}"
        )
    _, group = np.unique(labels, return_inverse=True)
    if group.max() == 0:
        raise ValueError(
            f"groups must be two at least, got {brief(labels[0].item())} for every query: "
            "one group is one observation, and has no spread"
        )
    return group


def _as_row(values, name, how=HOW, ids=None):
    """Return a flat row of finite numbers as floats, at least one; refuse anything else."""
    if is_masked(values):
        raise ValueError(f"{name} must not be masked; leave the masked queries out yourself")
    array = as_array(values, name, f"; {how}")
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
    if np.abs(array).max() > LARGEST:
        raise ValueError(
            f"{name} must be metrics, at most {LARGEST:.0e}, got {np.abs(array).max():.0e}; "
            "divide them by a constant"
        )
    return array.astype(float)


def _signed(value):
    """Return four decimals with their sign, none before 0; a power of ten where those say 0."""
    if abs(value) <= SAME_VALUE:
        return "0.0000"
    text = f"{value:+.4f}"
    return text if float(text) else f"{value:+.0e}"


def p_text(p):
    """Return a p-value to four decimals, nothing where there is none."""
    if p is None:
        return ""
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}"
