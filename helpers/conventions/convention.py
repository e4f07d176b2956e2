"""The switches of NDCG as values, and the metric under any setting of them."""

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from helpers.datasets.trec import Qrels, Run
from helpers.metrics import dcg, idcg
from helpers.metrics.checks import TIES, brief, check_count, check_no_overflow

# What is asked, and the answers that are known, by switch. Negative and unjudged are the two
# halves of the seventh; the precision of the scores belongs to the ties.
SWITCHES = MappingProxyType(
    {
        "gain": (
            "What is a grade of 2 worth?",
            {
                "linear": "2, the grade",
                "exponential": "3, which is 2^2 − 1",
                "binary": "1, as every grade above 0",
                "judged": "1, as everything judged, even with grade 0",
            },
        ),
        "discount": (
            "What does rank 3 keep of it?",
            {
                "log": "1/2, by 1 / log2(rank + 1)",
                "reciprocal": "1/3, by 1 / rank",
                "2002": "0.63, by the 2002 rule with base 2",
            },
        ),
        "ties": (
            "How do equal scores stand?",
            {
                "average": "in all orders, averaged",
                "input": "as they came",
                "reversed": "as they came, the last one first",
                "id descending": "by document id, z before a",
                "id ascending": "by document id, a before z",
                "best": "the best grade first",
                "worst": "the worst grade first",
            },
        ),
        "empty": (
            "What does a query get for which nothing is relevant?",
            {0: "0", 1: "1", "skip": "nothing, it is left out of the mean"},
        ),
        "pool": (
            "What is the ideal made of?",
            {
                "list": "the list that was scored",
                "judged": "everything that was judged",
                "top k": "the k documents on top",
            },
        ),
        "cutoff": (
            "What does k cut?",
            {"both": "DCG and the ideal", "dcg": "DCG alone", "none": "nothing"},
        ),
        "negative": (
            "What is a negative grade?",
            {
                "refuse": "an error",
                "use": "a negative gain",
                "zero": "the same as 0",
                "drop": "a document that is left out",
            },
        ),
        "unjudged": (
            "What is a document that nobody judged?",
            {"zero": "one of grade 0", "drop": "one that is left out"},
        ),
        "precision": (
            "When are two scores equal?",
            {
                "float64": "in double precision",
                "float32": "in single precision, where 0.500000001 is 0.5",
            },
        ),
    }
)
GAINS = {
    "linear": lambda grades: grades,
    "exponential": lambda grades: 2.0**grades - 1,
    "binary": lambda grades: (grades > 0).astype(float),
    "judged": np.ones_like,
}


class Convention(NamedTuple):
    """One setting of the switches, as `SWITCHES` describes them; the default is scikit-learn's."""

    gain: str = "linear"
    discount: str = "log"
    ties: str = "average"
    empty: int | str = 0
    pool: str = "list"
    cutoff: str = "both"
    negative: str = "refuse"
    unjudged: str = "zero"
    precision: str = "float64"

    def differs_from(self, other):
        """Return the names of the switches that stand otherwise in another convention."""
        return [name for name in self._fields if getattr(self, name) != getattr(other, name)]


def evaluate(convention, run, qrels, k=None):
    """Return the mean NDCG of a run under a convention.

    Parameters
    ----------
    convention : Convention
    run : helpers.datasets.Run, or dict of str to dict of str to float
        What was returned, in this order: for each query the documents with their scores.
    qrels : helpers.datasets.Qrels, or dict of str to dict of str to int
        What was judged: for each query the documents with their grades.
    k : int, optional
        Ranks that count, where the convention cuts; all by default.

    Returns
    -------
    float
        NaN if the convention leaves every query out.

    Raises
    ------
    TypeError, ValueError
        If a switch has no such setting, if run and qrels are not of the same queries, if a
        number is not finite, or if a grade is negative and the convention refuses that.

    Notes
    -----
    Built on `helpers.metrics.dcg` and `idcg`. Taught in notebook *conventions*.

    Examples
    --------
    >>> run, qrels = {"q": {"a": 0.9, "b": 0.8, "c": 0.8}}, {"q": {"a": 1, "b": 0, "c": 3}}
    >>> evaluate(Convention(), run, qrels)
    0.7426182309654867
    >>> evaluate(Convention(gain="exponential", ties="input"), run, qrels)
    0.5897053367440438
    """
    _check(convention)
    queries = queries_of(run, qrels, k)
    if convention.negative == "refuse":
        least = min(grade for query in queries for grade in query.grades.values())
        if least < 0:
            raise ValueError(
                f"this convention refuses negative grades, got {least}; "
                "one with negative='zero' counts them as 0"
            )
    return mean_under(convention, queries)


def mean_under(convention, queries):
    """Return the mean of `Query.value` over those queries that the convention counts."""
    values = [query.value(convention) for query in queries]
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else float("nan")


def queries_of(run, qrels, k):
    """Return the `Query` of each query of a run, in its order."""
    runs, judged = _as_dicts(run, "score", "run"), _as_dicts(qrels, "grade", "qrels")
    if runs.keys() != judged.keys():
        odd = sorted(runs.keys() ^ judged.keys(), key=str)
        raise ValueError(
            f"run and qrels must be of the same queries, but {brief(odd)} are in one of them "
            "only; leave them out, or see helpers.datasets.judge_run"
        )
    depth = None if k is None else check_count(k, "k", " or None")
    return [Query(found, judged[name], depth) for name, found in runs.items()]


class Query:
    """One query: what each setting of the switches makes of it, each sum computed once."""

    def __init__(self, scores, grades, k):
        self.scores, self.grades, self.k = scores, grades, k
        self._dcg = functools.cache(self._dcg)
        self._idcg = functools.cache(self._idcg)

    def value(self, convention):
        """Return its NDCG under a convention, or None if it is to be left out."""
        gain, discount, ties, empty, pool, cutoff, negative, unjudged, precision = convention
        kept = gain, negative, unjudged
        order = ties, precision
        of_pool = order if pool == "top k" else ("input", "float64")  # else it plays no part
        ideal = self._idcg(*kept, discount, pool, cutoff == "both", *of_pool)
        if ideal == 0:
            return None if empty == "skip" else float(empty)
        return self._dcg(*kept, discount, cutoff != "none", *order) / ideal

    def _dcg(self, gain, negative, unjudged, discount, is_cut, ties, precision):
        docs, scores = self._listed(negative, unjudged, ties, precision)
        if not docs:
            return 0.0
        gains = self._gains(docs, gain, negative)
        rule = ties if ties in TIES else "stable"  # the others: how the documents stand before it
        return dcg(gains, scores, k=self.k if is_cut else None, discount=discount, ties=rule)

    def _idcg(self, gain, negative, unjudged, discount, pool, is_cut, ties, precision):
        if pool == "judged":
            docs = [d for d, grade in self.grades.items() if negative != "drop" or grade >= 0]
        else:
            docs, scores = self._listed(negative, unjudged, ties, precision)
        if pool == "top k":
            docs = [docs[i] for i in np.argsort(-scores, kind="stable")[: self.k]]
        if not docs:
            return 0.0
        gains = self._gains(docs, gain, negative)
        return idcg(gains, k=self.k if is_cut else None, discount=discount)

    def _listed(self, negative, unjudged, ties, precision):
        """Return the documents that stay, as they stand before a stable sort, and their scores."""
        docs = [
            doc
            for doc in self.scores
            if (unjudged != "drop" or doc in self.grades)
            and (negative != "drop" or self.grades.get(doc, 0) >= 0)
        ]
        if ties.startswith("id"):
            docs.sort(reverse=ties == "id descending")
        if ties == "reversed":
            docs.reverse()
        return docs, np.array([self.scores[doc] for doc in docs], dtype=precision)

    def _gains(self, docs, gain, negative):
        """Return what documents are worth; one that nobody judged is worth nothing."""
        grades = np.array([self.grades.get(doc, 0) for doc in docs], dtype=float)
        if negative == "zero":
            grades = np.maximum(grades, 0)
        gains = GAINS[gain](grades)
        check_no_overflow(gains, "qrels")
        return np.where([doc in self.grades for doc in docs], gains, 0.0)


def _check(convention):
    for name, setting in convention._asdict().items():
        known = SWITCHES[name][1]
        if setting not in known:
            raise ValueError(
                f"{name} must be one of {', '.join(map(repr, known))}, got {brief(setting)}"
            )


def _as_dicts(table, column, name):
    """Return a run or judgments by query and document; refuse what is no number, or empty."""
    if isinstance(table, Run | Qrels):
        found = {}
        for query, doc, number in zip(
            table.query.tolist(), table.doc.tolist(), getattr(table, column).tolist(), strict=True
        ):
            found.setdefault(query, {})[doc] = number
        return found
    if not isinstance(table, Mapping) or not table:
        raise TypeError(
            f"{name} must be a dict of queries, each a dict of documents with their {column}s, "
            f"got {brief(table)}"
        )
    for query, docs in table.items():
        if not isinstance(docs, Mapping) or not docs:
            raise TypeError(f"{name}[{query!r}] must be a dict of documents, got {brief(docs)}")
        for doc, number in docs.items():
            if not isinstance(number, (int, float, np.number)) or not np.isfinite(number):
                raise ValueError(
                    f"{name}[{query!r}][{doc!r}] must be a finite number, got {brief(number)}"
                )
    return table
