"""A run and its judgments, joined: where the numbers of search evaluation go wrong.

Documents that nobody judged, judged documents that the system missed, queries that are
in one file only, spam, equal scores: `judge_run` takes a named decision on each and
counts how often it was needed. `trec_eval_ndcg` takes those of the program trec_eval.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ndcglib.datasets.trec import Qrels, Run, check_table
from ndcglib.metrics import discount_weights, gain_values, ndcg_long
from ndcglib.metrics.checks import MOST_NAMED, brief, check_k
from ndcglib.metrics.long_table import rows_of_queries
from ndcglib.ranking import ranks
from wording import nearest

# What is to decide: what it concerns, and the choices, the default first, in words.
DECISIONS = {
    "missing": ("judged queries that the run lacks", {"zero": "counted as 0", "skip": "left out"}),
    "unknown": (
        "queries of the run without a judgment",
        {"refuse": "refused", "skip": "left out"},
    ),
    "negative": ("negative grades", {"zero": "counted as 0", "refuse": "refused"}),
    "ties": (
        "documents with tied scores",
        {"average": "averaged over all orders", "id": "ordered by id, z before a"},
    ),
    "unjudged": (
        "documents that nobody judged",
        {
            "zero": "counted as grade 0",
            "skip": "left out of the list",
            "lowest": "given the grades that make NDCG lowest",
            "highest": "given the grades that make NDCG highest",
        },
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class JudgedRun:
    """The NDCG of a run, and its documents with their grades. Printed, it says what was decided.

    Attributes
    ----------
    per_query : dict of str to float
        The NDCG of each query that counts, in the order of the qrels.
    query, doc : ndarray of str, shape (n_rows,)
        One row for each retrieved document of a judged query, in the order of the run.
    score : ndarray of float, shape (n_rows,)
    grade : ndarray of int, shape (n_rows,)
        As in the qrels, negative ones too; 0 where nobody judged.
    judged : ndarray of bool, shape (n_rows,)
        False where the grade is not a judgment.
    pool : dict of str to tuple of int
        For each query of the run, the grades of everything judged for it, retrieved
        or not: what the ideal ranking is made of. `ndcg_long` takes it as it is.
    missing, unknown : tuple of str
        Judged queries that the run lacks; queries of the run that the qrels lack.
    k : int or None
    decided : dict of str to int
        What was decided, in words, and how often it was needed.
    """

    per_query: dict[str, float]
    query: np.ndarray
    doc: np.ndarray
    score: np.ndarray
    grade: np.ndarray
    judged: np.ndarray
    pool: dict[str, tuple[int, ...]]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    k: int | None
    decided: dict[str, int]

    @property
    def mean(self):
        """The mean NDCG over the queries that count."""
        return float(np.mean(list(self.per_query.values())))

    def __repr__(self):
        measure = "NDCG" if self.k is None else f"NDCG@{self.k}"
        lines = [f"{measure} {self.mean:.4f}, the mean of {len(self.per_query)} judged queries"]
        return "\n".join(lines + [f"{count:6}  {words}" for words, count in self.decided.items()])


def judge_run(
    run,
    qrels,
    *,
    k=None,
    gain="linear",
    ties="average",
    negative="zero",
    missing="zero",
    unknown="refuse",
    unjudged="zero",
):
    """Return the NDCG of a run, with every decision named and counted.

    Parameters
    ----------
    run : Run
    qrels : Qrels
        The ideal is built from everything judged, retrieved or not.
    k : int, optional
        Ranks that count; all by default.
    gain : {"linear", "exponential"}, mapping or callable, default="linear"
        What a grade is worth; see `gain_values`. A callable gets the distinct grades.
    ties : {"average", "id"}, default="average"
        Equal scores: the mean over all orders, or by document id, the last in the
        alphabet first, whatever ranks and lines the file gives them.
    negative : {"zero", "refuse"}, default="zero"
        A negative grade, in the list and in the ideal: as grade 0, or an error.
    missing : {"zero", "skip"}, default="zero"
        A judged query for which the run retrieved nothing: NDCG 0, or left out.
    unknown : {"refuse", "skip"}, default="refuse"
        A query of the run without any judgment: an error, or left out.
    unjudged : {"zero", "skip", "lowest", "highest"}, default="zero"
        A retrieved document that nobody judged: grade 0, or left out, so that the ranks
        close up (the condensed list). "lowest" and "highest" are the bounds: the least
        and the largest NDCG that a query can have, whichever grades of the qrels its
        unjudged documents get; in the ideal, too.

    Returns
    -------
    JudgedRun

    Raises
    ------
    TypeError, ValueError
        If run and qrels are not what `read_run` and `read_qrels` return, if an option is
        not one of these, if k or the gain does not fit, or where a decision is to refuse;
        also if no query of the run has a judgment.

    Notes
    -----
    Condensed lists: Sakai, SIGIR 2007, doi 10.1145/1277741.1277756. Bounds by assigning
    grades: Moffat and Zobel, ACM TOIS 27(1), 2008, doi 10.1145/1416950.1416952. Taught in
    notebook *files*.

    Examples
    --------
    >>> from ndcglib.datasets import Qrels, Run
    >>> qrels = Qrels(np.array(["q", "q"]), np.array(["a", "b"]), np.array([1, 3]))
    >>> run = Run(*map(np.array, (["q", "q"], ["x", "a"], [1, 2], [0.9, 0.5], ["me", "me"])))
    >>> judge_run(run, qrels)
    NDCG 0.1738, the mean of 1 judged queries
         0  judged queries that the run lacks: counted as 0
         0  queries of the run without a judgment: refused
         0  negative grades: counted as 0
         0  documents with tied scores: averaged over all orders
         1  documents that nobody judged: counted as grade 0
    >>> [round(judge_run(run, qrels, unjudged=each).mean, 4) for each in ("lowest", "highest")]
    [0.1738, 0.6733]
    """
    chosen = dict(
        missing=missing, unknown=unknown, negative=negative, ties=ties, unjudged=unjudged
    )
    _check_choices(chosen)
    check_table(run, "run", Run)
    check_table(qrels, "qrels", Qrels)
    if negative == "refuse" and min(qrels.grade) < 0:
        raise ValueError(
            f"the qrels must not hold negative grades, got {min(qrels.grade)}; "
            "with negative='zero' they count as 0, as in trec_eval"
        )
    pools = _pools(qrels)
    table = _join(run, qrels, pools, unknown)
    values = {q: 0.0 for q in pools if missing == "zero" or q in table["pool"]}
    worth = _Worth(qrels.grade, gain)
    if unjudged in ("lowest", "highest"):
        values |= _bounds(table, worth, k, ties, unjudged)
    else:
        values |= _values(table, worth, k, ties, leave_out=unjudged == "skip")
    counts = _counts(table, qrels)
    decided = {
        f"{what}: {choices[chosen[name]]}": counts[name]
        for name, (what, choices) in DECISIONS.items()
    }
    return JudgedRun(per_query=values, **table, k=k, decided=decided)


def trec_eval_ndcg(run, qrels, k=None):
    """Return the NDCG that trec_eval prints for a run, and what was decided on the way.

    The same as ``trec_eval -c -m ndcg_cut.10`` for k = 10, and ``-c -m ndcg`` without k:
    `judge_run` with ``ties="id"`` and ``unknown="skip"``. Without -c version 9 leaves out the
    judged queries that the run lacks, which is ``missing="skip"``; version 10 needs it.

    Parameters
    ----------
    run : Run
    qrels : Qrels
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    JudgedRun

    Raises
    ------
    TypeError, ValueError
        As `judge_run`.

    Notes
    -----
    Scores are compared in double precision, as in version 10. Version 9 and pytrec_eval keep
    them in single precision, so there more of them tie. Taught in notebook *files*.
    """
    return judge_run(run, qrels, k=k, ties="id", unknown="skip")


def _check_choices(chosen):
    for name, choice in chosen.items():
        choices = DECISIONS[name][1]
        if not isinstance(choice, str) or choice not in choices:
            raise ValueError(
                f"{name} must be one of {', '.join(choices)}, got {brief(choice)}"
                f"{nearest(choice, choices)}"
            )


def _join(run, qrels, pools, unknown):
    """Return the rows of judged queries with their grades: what `JudgedRun` calls them."""
    retrieved = dict.fromkeys(run.query.tolist())  # each query once, in the order of the run
    without = tuple(query for query in retrieved if query not in pools)
    if without and (unknown == "refuse" or len(without) == len(retrieved)):
        _refuse_queries_without_judgment(without, len(retrieved))
    rows = np.isin(run.query, qrels.query)
    grade_of = dict(zip(_pairs(qrels.query, qrels.doc), qrels.grade.tolist(), strict=True))
    pairs = _pairs(run.query[rows], run.doc[rows])
    return dict(
        query=run.query[rows],
        doc=run.doc[rows],
        score=run.score[rows],
        grade=np.array([grade_of.get(pair, 0) for pair in pairs]),
        judged=np.array([pair in grade_of for pair in pairs]),
        pool={query: tuple(pools[query]) for query in retrieved if query in pools},
        missing=tuple(query for query in pools if query not in retrieved),
        unknown=without,
    )


def _counts(table, qrels):
    """Return how often each decision was needed."""
    same = Counter(zip(table["query"].tolist(), table["score"].tolist(), strict=True))
    return {
        "missing": len(table["missing"]),
        "unknown": len(table["unknown"]),
        "negative": int((qrels.grade < 0).sum()),
        "ties": sum(count for count in same.values() if count > 1),
        "unjudged": int((~table["judged"]).sum()),
    }


class _Worth:
    """What each grade of the qrels is worth; a negative one counts as 0.

    Attributes
    ----------
    scale : ndarray of float
        The distinct gains, rising; that of grade 0 is always there.
    """

    def __init__(self, grades, gain):
        distinct = np.unique(np.maximum(np.append(grades, 0), 0))
        gains = gain_values(distinct, gain, name="grade")
        self.scale = np.unique(gains)
        self._table = dict(zip(distinct.tolist(), gains.tolist(), strict=True))

    def of(self, grades):
        """Return the gains of some grades."""
        return np.array([self._table[max(grade, 0)] for grade in grades])


def _values(table, worth, k, ties, leave_out):
    """Return the NDCG of each query, unjudged documents as grade 0 or left out."""
    order = np.arange(len(table["doc"]))
    if ties == "id":  # sorted here: below, tied documents stay in the order of the rows
        order = np.argsort(table["doc"], kind="stable")[::-1]
    kept = order[table["judged"][order]] if leave_out else order
    if len(kept) == 0:
        return {}
    query = table["query"][kept]
    pools = {q: list(table["pool"][q]) for q in dict.fromkeys(query.tolist())}
    for q in query[~table["judged"][kept]].tolist():
        pools[q].append(0)  # what is in the list is in the ideal, should 0 be worth anything
    return ndcg_long(
        query,
        worth.of(table["grade"][kept].tolist()),
        table["score"][kept],
        k=k,
        ties="average" if ties == "average" else "stable",
        pool={q: worth.of(grades) for q, grades in pools.items()},
        per_query=True,
    )


def _bounds(table, worth, k, ties, which):
    """Return the lowest or the highest NDCG that each query can have."""
    _values(table, worth, k, ties, leave_out=False)  # refuses what is not allowed
    find, found = (_lowest if which == "lowest" else _highest), {}
    for query, rows in zip(*rows_of_queries(table["query"]), strict=True):
        weights = _weights(table["score"][rows], table["doc"][rows], k, ties)
        judged = table["judged"][rows]
        gains = worth.of(table["grade"][rows].tolist())
        earned = float(weights[judged] @ gains[judged])
        pool = worth.of(table["pool"][query])
        found[query] = find(earned, np.sort(weights[~judged]), pool, worth.scale, k)
    return found


def _weights(scores, docs, k, ties):
    """Return what a gain counts at the place of each document: over its ranks, on average."""
    depth = check_k(k, len(scores))
    running = np.zeros(len(scores) + 1)
    running[1 : depth + 1] = np.cumsum(discount_weights(depth))
    running[depth + 1 :] = running[depth]
    if ties == "id":
        by_id = np.unique(docs, return_inverse=True)[1]
        level = np.unique(scores, return_inverse=True)[1]
        scores = level * len(docs) + by_id
    first, last = np.array(ranks(scores)).T
    return (running[last] - running[first - 1]) / (last - first + 1)


def _ideals(pool, n_free, scale, k):
    """Return what raising some unjudged documents to each level adds to the ideal DCG.

    A gain is a sum of steps of the scale. So an ideal DCG is a sum over the levels: the
    step, times the discounts of as many ranks as there are documents at or above it.

    Returns
    -------
    steps : ndarray of shape (n_levels,)
    ideals : ndarray of shape (n_levels, n_free + 1)
        Row: level. Column: how many of the unjudged documents reach it.
    """
    n_docs = len(pool) + n_free
    running = np.append(0.0, np.cumsum(discount_weights(check_k(k, n_docs))))
    reach = (pool >= scale[:, None]).sum(axis=1)[:, None] + np.arange(n_free + 1)
    return np.diff(scale, prepend=0.0), running[np.minimum(reach, len(running) - 1)]


def _lowest(earned, weights, pool, scale, k):
    """Return the least NDCG: some of the lowest documents get the top grade, the others none.

    NDCG is a linear function of the gains over a convex one, so its minimum lies at a
    corner, where each unjudged document has the least gain or the largest.
    """
    steps, ideals = _ideals(pool, len(weights), scale, k)
    ideals[0] = ideals[0, -1]  # all reach the least gain
    added = np.append(0.0, np.cumsum(weights))
    sums = earned + scale[0] * added[-1] + (scale[-1] - scale[0]) * added
    return float(_ratios(sums, steps @ ideals).min())


def _highest(earned, weights, pool, scale, k):
    """Return the largest NDCG, by Dinkelbach's method (Management Science 13(7), 1967).

    A ratio c can be beaten if sum - c * ideal can be above 0. That difference is a sum
    over the levels, and at each the best documents to reach it are those that weigh
    most, as many as pays. Begin with any c, take the ratio of the best choice as the
    next c, and stop where it no longer rises.
    """
    steps, ideals = _ideals(pool, len(weights), scale, k)
    added = np.append(0.0, np.cumsum(weights[::-1]))
    level, best = np.arange(len(scale)), -1.0
    chosen = np.full(len(scale), len(weights))
    while True:
        chosen[0] = len(weights)  # all reach the least gain
        sums = earned + steps @ added[chosen]
        [ratio] = _ratios(np.array([sums]), np.array([steps @ ideals[level, chosen]]))
        if ratio <= best:
            return float(best)
        best = ratio
        pays = added - best * ideals
        chosen = len(weights) - np.argmax(pays[:, ::-1], axis=1)  # the most of equals


def _ratios(sums, ideals):
    return np.divide(sums, ideals, out=np.zeros(len(sums)), where=ideals > 0)


def _pairs(query, doc):
    return list(zip(query.tolist(), doc.tolist(), strict=True))


def _pools(qrels):
    """Return all grades of each query, queries and grades in the order of the qrels."""
    pools = {}
    for query, grade in zip(qrels.query.tolist(), qrels.grade.tolist(), strict=True):
        pools.setdefault(query, []).append(grade)
    return pools


def _refuse_queries_without_judgment(without, n_retrieved):
    named = ", ".join(map(brief, without[:MOST_NAMED]))
    more = f" and {len(without) - MOST_NAMED} more" if len(without) > MOST_NAMED else ""
    raise ValueError(
        f"{len(without)} of {n_retrieved} queries of the run have no judgment in the "
        f"qrels, so no NDCG: {named}{more}. Check that both files name the queries alike; "
        "if so, leave them out with unknown='skip', as trec_eval does"
    )
