"""Where a DCG comes from: one row for each document, and curves over the cutoff.

Taught in notebook 04; notebook 08 explains why a tied group shares its discounts.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from helpers.metrics import dcg, discount_weights, idcg, ndcg
from helpers.metrics.checks import (
    as_ids,
    as_one_query,
    as_table,
    check_k,
    check_same_shape,
    check_ties,
)
from helpers.metrics.scores import gains_and_pools
from helpers.tables import html_table, text_table

HEADER = (
    "rank",
    "document",
    "grade",
    "score",
    "gain",
    "discount",
    "contribution",
    "cumulative",
    "ideal contribution",
    "gap",
)


class Row(NamedTuple):
    """One document of a ranking, or one empty place below it."""

    first_rank: int
    last_rank: int
    doc: str | None
    grade: float | None
    score: float | None
    gain: float
    discount: float
    contribution: float
    cumulative: float
    ideal_contribution: float
    gap: float

    @property
    def rank(self):
        """The rank as text: '2', or '2–4' where the document is tied."""
        if self.first_rank == self.last_rank:
            return str(self.first_rank)
        return f"{self.first_rank}–{self.last_rank}"


@dataclass(frozen=True)
class Breakdown:
    """All rows of one query, best score first, and what they sum to.

    Attributes
    ----------
    rows : tuple of Row
    k : int
        The last rank that counts; rows below it contribute 0.
    dcg, idcg, ndcg : float
        The sum of the contributions, of the ideal contributions, and their ratio
        (0 where nothing is relevant).
    """

    rows: tuple[Row, ...]
    k: int
    dcg: float
    idcg: float
    ndcg: float

    def column(self, name):
        """Return one column as a list, for instance ``column("contribution")``."""
        return [getattr(row, name) for row in self.rows]

    @property
    def ideal_cumulative(self):
        """Running total of the ideal contributions, one for each row."""
        return np.cumsum(self.column("ideal_contribution")).tolist()

    def table(self):
        """Return the rows as lists of cells, in the order of `HEADER`."""
        return [[row.rank, *row[2:]] for row in self.rows]

    def _repr_html_(self):
        beyond = {i for i, row in enumerate(self.rows) if row.first_rank > self.k}
        return html_table(HEADER, self.table(), caption=str(self), dim=beyond)

    def __str__(self):
        k = self.k
        return f"DCG@{k} = {self.dcg:.4f}, IDCG@{k} = {self.idcg:.4f}, NDCG@{k} = {self.ndcg:.4f}"

    def __repr__(self):
        return f"{text_table(HEADER, self.table())}\n{self}"


def breakdown(
    y_true,
    y_score,
    *,
    k=None,
    ids=None,
    gain="linear",
    discount="log",
    log_base=2,
    ties="average",
    pool=None,
):
    """Break the DCG of one query down to its documents.

    A document that is tied shares the discounts of the ranks its group occupies:
    each member gets their mean. Then the column of contributions always sums to
    what `helpers.metrics.dcg` returns, ties or not.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,)
    ids : sequence of str, optional
        Names of the documents; D1, D2, … in the order of the input by default.
    k, gain, discount, log_base, ties, pool
        As in `helpers.metrics.ndcg`.

    Returns
    -------
    Breakdown
        With a row for each document, and below them empty places where the ideal
        from a larger pool has more ranks to fill.

    Raises
    ------
    TypeError, ValueError
        As `helpers.metrics.ndcg`; also if more than one query is given or the ids
        do not fit.

    Notes
    -----
    Taught in notebook 04.

    Examples
    --------
    >>> print(breakdown([3, 0, 2], [0.9, 0.5, 0.1]))
    DCG@3 = 4.0000, IDCG@3 = 4.2619, NDCG@3 = 0.9386
    """
    y_true, y_score = as_one_query(y_true, y_score)
    ids = as_ids(ids, len(y_true))
    check_ties(ties)
    rules = dict(k=k, discount=discount, log_base=log_base)
    # This refuses what is not allowed.
    value = ndcg(y_true, y_score, ties=ties, pool=pool, gain=gain, **rules)
    (gains,), pools = gains_and_pools(y_true[None, :], pool, gain)
    judged = gains if pools is None else pools[0]
    n_places = max(len(y_true), check_k(k, len(judged)))
    weights = np.zeros(n_places)
    depth = check_k(k, n_places)
    weights[:depth] = discount_weights(depth, discount=discount, log_base=log_base)
    order = _order(y_score, gains, ties)
    groups = _groups(y_score[order], ties)
    ideal = np.zeros(n_places)
    best = np.sort(judged)[::-1][:n_places]
    ideal[: len(best)] = best * weights[: len(best)]
    rows = _rows(order, groups, ids, y_true, y_score, gains, weights, ideal)
    total = dcg(gains, y_score, ties=ties, **rules)
    best_total = idcg(judged, **rules)
    return Breakdown(rows, depth, total, best_total, value)


class Curves(NamedTuple):
    """DCG@k, IDCG@k and NDCG@k for the cutoffs 1, 2, 3 and so on."""

    k: list
    dcg: list
    idcg: list
    ndcg: list


def cutoff_curves(
    y_true,
    y_score,
    *,
    k_max=None,
    pool=None,
    ties="average",
    gain="linear",
    discount="log",
    log_base=2,
):
    """Return DCG@k, IDCG@k and NDCG@k for every cutoff, as means over the queries.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,) or (n_queries, n_docs)
    k_max : int, optional
        The last cutoff; by default the number of documents, beyond which only the
        ideal from a larger pool can change.
    pool, ties, gain, discount, log_base
        As in `helpers.metrics.ndcg`.

    Returns
    -------
    Curves
        IDCG@k is the mean of the ideals, so NDCG@k is the ratio of the two only
        where there is one query.

    Raises
    ------
    TypeError, ValueError
        As `helpers.metrics.ndcg`.

    Notes
    -----
    Taught in notebook 04.
    """
    y_true, y_score = as_table(y_true, "y_true"), as_table(y_score, "y_score")
    check_same_shape(y_true, y_score)
    n_docs = y_true.shape[1]
    gains, pools = gains_and_pools(y_true, pool, gain)
    pools = pools or [gains]  # without any, the lists: a rectangle at once
    deepest = max(n_docs, *(judged.shape[-1] for judged in pools))
    last = n_docs if k_max is None else check_k(k_max, deepest, "k_max")
    cutoffs = list(range(1, last + 1))
    ranks = dict(discount=discount, log_base=log_base)
    rules = dict(ties=ties, **ranks)
    return Curves(
        cutoffs,
        [dcg(gains, y_score, k=k, **rules) for k in cutoffs],
        [float(np.mean([idcg(judged, k=k, **ranks) for judged in pools])) for k in cutoffs],
        [ndcg(y_true, y_score, k=k, pool=pool, gain=gain, **rules) for k in cutoffs],
    )


def _order(y_score, gains, ties):
    """Return the documents best score first; ties as asked, else as in the input."""
    position = np.arange(len(y_score))
    second_key = {"best": -gains, "worst": gains}.get(ties, position)
    # Sorting by the rank among the distinct scores instead of by the negated scores
    # is right for every dtype: an unsigned score has no negative.
    level = np.unique(y_score, return_inverse=True)[1]
    return np.lexsort((position, second_key, -level))


def _groups(ranked_scores, ties):
    """Return for each place the first and last place of the group that shares it."""
    places = np.arange(len(ranked_scores))
    if ties != "average":
        return list(zip(places.tolist(), places.tolist(), strict=True))
    opens = np.append(True, ranked_scores[1:] != ranked_scores[:-1])
    starts = np.flatnonzero(opens)
    ends = np.append(starts[1:], len(places)) - 1
    group = np.cumsum(opens) - 1
    return list(zip(starts[group].tolist(), ends[group].tolist(), strict=True))


def _rows(order, groups, ids, y_true, y_score, gains, weights, ideal):
    rows, cumulative = [], 0.0
    for place, best in enumerate(ideal.tolist()):
        first, last, doc, grade, score, gain = place, place, None, None, None, 0.0
        if place < len(order):
            first, last = groups[place]
            i = order[place]
            doc, grade, score = ids[i], y_true[i].item(), y_score[i].item()
            gain = float(gains[i])
        discount = float(weights[first : last + 1].mean())
        contribution = gain * discount
        cumulative += contribution
        ranks = first + 1, last + 1
        sums = discount, contribution, cumulative, best, best - contribution
        rows.append(Row(*ranks, doc, grade, score, gain, *sums))
    return tuple(rows)
