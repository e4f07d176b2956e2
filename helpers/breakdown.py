"""Where a DCG comes from: one row for each document, and curves over the cutoff.

Taught in notebook *cutoff*; notebook *ties* explains why a tied group shares its discounts.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ndcglib.metrics import dcg, discount_weights, idcg, ndcg
from ndcglib.metrics.checks import as_ids, as_one_query, as_pair, check_k, check_ties
from ndcglib.metrics.scores import gains_and_pools
from ndcglib.ranking import by_falling_score, ranks
from ndcglib.tables import text_table
from wording import html_table

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
    y_score=None,
    *,
    ranked=False,
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
    what `ndcglib.metrics.dcg` returns, ties or not.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,)
    ids : sequence of str, optional
        Names of the documents; D1, D2, … in the order of the input by default.
    ranked, k, gain, discount, log_base, ties, pool
        As in `ndcglib.metrics.ndcg`.

    Returns
    -------
    Breakdown
        With a row for each document, and below them empty places where the ideal
        from a larger pool has more ranks to fill.

    Raises
    ------
    TypeError, ValueError
        As `ndcglib.metrics.ndcg`; also if more than one query is given or the ids
        do not fit.

    Notes
    -----
    Taught in notebook *cutoff*.

    Examples
    --------
    >>> print(breakdown([3, 0, 2], [0.9, 0.5, 0.1]))
    DCG@3 = 4.0000, IDCG@3 = 4.2619, NDCG@3 = 0.9386
    """
    y_true, y_score = as_one_query(y_true, y_score, ranked)
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
    order = by_falling_score(y_score, {"best": -gains, "worst": gains}.get(ties))
    # Only the average lets tied documents share their ranks.
    places = ranks(y_score[order] if ties == "average" else -np.arange(len(order)))
    ideal = np.zeros(n_places)
    best = np.sort(judged)[::-1][:n_places]
    ideal[: len(best)] = best * weights[: len(best)]
    said = len(y_true) * [None] if ranked else y_score.tolist()
    rows = _rows(order, places, ids, y_true, said, gains, weights, ideal)
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
    y_score=None,
    *,
    ranked=False,
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
    ranked, pool, ties, gain, discount, log_base
        As in `ndcglib.metrics.ndcg`.

    Returns
    -------
    Curves
        IDCG@k is the mean of the ideals, so NDCG@k is the ratio of the two only
        where there is one query.

    Raises
    ------
    TypeError, ValueError
        As `ndcglib.metrics.ndcg`.

    Notes
    -----
    Taught in notebook *cutoff*.
    """
    y_true, y_score = as_pair(y_true, y_score, ranked)
    n_docs = y_true.shape[1]
    gains, pools = gains_and_pools(y_true, pool, gain)
    pools = pools or [gains]  # without any, the lists: a rectangle at once
    deepest = max(n_docs, *(judged.shape[-1] for judged in pools))
    last = n_docs if k_max is None else check_k(k_max, deepest, "k_max")
    cutoffs = list(range(1, last + 1))
    by_rank = dict(discount=discount, log_base=log_base)
    rules = dict(ties=ties, **by_rank)
    return Curves(
        cutoffs,
        [dcg(gains, y_score, k=k, **rules) for k in cutoffs],
        [float(np.mean([idcg(judged, k=k, **by_rank) for judged in pools])) for k in cutoffs],
        [ndcg(y_true, y_score, k=k, pool=pool, gain=gain, **rules) for k in cutoffs],
    )


def _rows(order, places, ids, y_true, y_score, gains, weights, ideal):
    rows, cumulative = [], 0.0
    for place, best in enumerate(ideal.tolist()):
        first = last = place + 1
        doc, grade, score, gain = None, None, None, 0.0
        if place < len(order):
            first, last = places[place]
            i = order[place]
            doc, grade, score = ids[i], y_true[i].item(), y_score[i]
            gain = float(gains[i])
        discount = float(weights[first - 1 : last].mean())
        contribution = gain * discount
        cumulative += contribution
        sums = discount, contribution, cumulative, best, best - contribution
        rows.append(Row(first, last, doc, grade, score, gain, *sums))
    return tuple(rows)
