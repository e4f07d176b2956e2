"""The metric of a run under a tool's setting of the switches: by document, then by list."""

import functools
from collections.abc import Mapping

import numpy as np

from ndcglib.conventions.convention import SWITCHES, Convention, Preset
from ndcglib.conventions.method import GAINS, by_rank, discounted, ranked
from ndcglib.datasets.trec import Qrels, Run
from ndcglib.metrics.checks import SAME_VALUE, brief, brief_ids, check_count, check_no_overflow
from wording import nearest


def evaluate(convention, run, qrels, k=None):
    """Return the mean NDCG of a run under a convention.

    Parameters
    ----------
    convention : Convention or Preset
        One setting of the switches, or a tool out of `PRESETS`.
    run : ndcglib.datasets.Run, or dict of str to dict of str to float
        What was returned, in this order: for each query the documents with their scores.
    qrels : ndcglib.datasets.Qrels, or dict of str to dict of str to int
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
        If a switch has no such setting, if a query of the run was not judged, or if a number is
        not finite; if a grade is negative, or the run lacks a judged query, and the convention
        refuses that; or if scores are tied, the convention has no rule for them, and their order
        changes the number.

    Notes
    -----
    The inside is `ndcglib.conventions.method`. Taught in notebook *conventions*.

    Examples
    --------
    >>> run, qrels = {"q": {"a": 0.9, "b": 0.8, "c": 0.8}}, {"q": {"a": 1, "b": 0, "c": 3}}
    >>> round(evaluate(Convention(), run, qrels), 4)
    0.7426
    >>> round(evaluate(Convention(gain="exponential", ties="stable"), run, qrels), 4)
    0.5897
    """
    preset = as_preset(convention)
    queries = queries_of(run, qrels, k)
    refused = refusal(preset.convention, queries)
    if refused:
        raise ValueError(refused)
    values = by_query(preset, queries)
    _refuse_undefined(values)
    return mean_of(values.values())


def refusal(convention, queries):
    """Return why a convention gives no number for these queries; "" if it gives one."""
    least = min(grade for query in queries.values() for grade in query.grades.values())
    if convention.negative == "refuse" and least < 0:
        return (
            f"this convention refuses negative grades, got {least}; "
            "one with negative='zero' counts them as 0"
        )
    lacking = [name for name, query in queries.items() if not query.scores]
    if convention.missing == "refuse" and lacking:
        return (
            f"the run lacks {len(lacking)} of {len(queries)} judged queries, and this convention "
            f"refuses that: {brief_ids(lacking)}; one with missing='zero' counts them as 0, "
            "one with missing='skip' leaves them out"
        )
    return ""


def _refuse_undefined(values):
    open_ones = [name for name, value in values.items() if value is not None and np.isnan(value)]
    if open_ones:
        raise ValueError(
            f"this convention has no rule for equal scores, and their order changes the NDCG of "
            f"{len(open_ones)} of {len(values)} queries: {brief_ids(open_ones)}; ties='worst' "
            "and ties='best' give the lowest and the highest number that it can print"
        )


def by_query(preset, queries):
    """Return what a tool gives each query: None if it is left out, NaN if it is not defined."""
    return {name: query.value(preset.on(len(query.scores))) for name, query in queries.items()}


def number_of(preset, queries):
    """Return the mean that a tool prints; NaN where an order that is not defined changes it."""
    return mean_of(by_query(preset, queries).values())


def bounds_of(preset, queries):
    """Return the lowest and the highest mean that a tool may print, on any processor."""
    pairs = [query.bounds(preset.on(len(query.scores), surely=True)) for query in queries.values()]
    return tuple(mean_of(side) for side in zip(*pairs, strict=True))


def mean_of(values):
    """Return the mean of those values that count: None does not."""
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept) if kept else float("nan")


def queries_of(run, qrels, k):
    """Return the `Query` of each judged query by name: those of the run first, in its order."""
    runs, judged = _as_dicts(run, "score", "run"), _as_dicts(qrels, "grade", "qrels")
    unknown = [query for query in runs if query not in judged]
    if unknown:
        raise ValueError(
            f"every query of the run must be judged, but {len(unknown)} of {len(runs)} are not "
            f"in the qrels: {brief_ids(unknown)}; leave them out, or see "
            "ndcglib.datasets.judge_run"
        )
    depth = None if k is None else check_count(k, "k", " or None")
    return {
        name: Query(runs.get(name, {}), judged[name], depth)
        for name in dict.fromkeys([*runs, *judged])
    }


class Query:
    """One query: what each setting of the switches makes of it, each sum computed once."""

    def __init__(self, scores, grades, k):
        self.scores, self.grades, self.k = scores, grades, k
        self._by_rank = functools.cache(self._by_rank)
        self._best = functools.cache(self._best)
        self._dcg = functools.cache(self._dcg)
        self._idcg = functools.cache(self._idcg)

    def value(self, convention):
        """Return its NDCG under a convention; None if it is left out, NaN if it is not defined."""
        if convention.ties == "no rule":
            low, high = self.bounds(convention)
            return low if low is None or abs(high - low) <= SAME_VALUE else float("nan")
        gain, discount, ties, empty, missing, pool, cutoff, negative, unjudged, precision = (
            convention
        )
        if not self.scores:
            return 0.0 if missing == "zero" else None
        kept = gain, negative, unjudged
        order = ties, precision
        # Only the top k depend on the order of the run.
        of_pool = order if pool == "top k" else ("stable", "float64")
        ideal = self._idcg(*kept, discount, pool, cutoff == "both", *of_pool)
        if ideal == 0 or (ideal < 0 and negative == "use or empty"):
            return None if empty == "skip" else float(empty)
        return self._dcg(*kept, discount, cutoff != "none", *order) / ideal

    def bounds(self, convention):
        """Return the lowest and the highest value: the same one twice if ties have a rule."""
        rules = ("worst", "best") if convention.ties == "no rule" else (convention.ties,) * 2
        return tuple(self.value(convention._replace(ties=rule)) for rule in rules)

    def _dcg(self, gain, negative, unjudged, discount, is_cut, *order):
        return self._sum(self._by_rank(gain, negative, unjudged, *order), discount, is_cut)

    def _idcg(self, gain, negative, unjudged, discount, pool, is_cut, *order):
        return self._sum(self._best(gain, negative, unjudged, pool, *order), discount, is_cut)

    def _sum(self, gains, discount, is_cut):
        total = discounted(gains[: self.k] if is_cut else gains, discount)
        check_no_overflow(total, "qrels")
        return total

    def _by_rank(self, gain, negative, unjudged, ties, precision):
        """Return the gain that stands at each rank."""
        docs, scores = self._listed(negative, unjudged, ties, precision)
        # By all other rules ties stay as `docs` stand already.
        rule = ties if ties in ("average", "best", "worst") else "stable"
        return by_rank(ranked(scores, self._gains(docs, gain, negative)), rule)

    def _best(self, gain, negative, unjudged, pool, ties, precision):
        """Return the gains of the ideal, the highest first."""
        if pool == "judged":
            docs = [doc for doc, grade in self.grades.items() if not _is_dropped(grade, negative)]
        else:
            docs, scores = self._listed(negative, unjudged, ties, precision)
        if pool == "top k":
            places = sorted(range(len(docs)), key=scores.__getitem__, reverse=True)
            docs = [docs[i] for i in places[: self.k]]
        return sorted(self._gains(docs, gain, negative), reverse=True)

    def _listed(self, negative, unjudged, ties, precision):
        """Return the documents that stay, as they stand before a stable sort, and their scores."""
        docs = [
            doc
            for doc in self.scores
            if (unjudged != "drop" or doc in self.grades)
            and not _is_dropped(self.grades.get(doc, 0), negative)
        ]
        if ties.startswith("id"):
            docs.sort(reverse=ties == "id descending")
        if ties == "reversed":
            docs.reverse()
        return docs, np.array([self.scores[doc] for doc in docs], dtype=precision).tolist()

    def _gains(self, docs, gain, negative):
        """Return what documents are worth; one that nobody judged is worth nothing."""
        grades = np.array([self.grades.get(doc, 0) for doc in docs], dtype=float)
        if negative == "zero":
            grades = np.maximum(grades, 0)
        gains = GAINS[gain](grades)
        return np.where([doc in self.grades for doc in docs], gains, 0.0).tolist()


def _is_dropped(grade, negative):
    return (negative == "drop" and grade < 0) or (negative == "padding" and grade == -1)


def as_preset(convention):
    """Return a preset, or a convention as one; refuse everything else."""
    if isinstance(convention, Preset):
        return convention
    if not isinstance(convention, Convention):
        raise TypeError(
            "convention must be a Convention or one of PRESETS, as in "
            "{tool.name: tool for tool in PRESETS}['LightGBM'], "
            f"got {brief(convention)}"
        )
    for name, setting in convention._asdict().items():
        known = SWITCHES[name][1]
        if setting not in known:
            raise ValueError(
                f"{name} must be one of {', '.join(map(repr, known))}, got {brief(setting)}"
                f"{nearest(setting, known)}"
            )
    return Preset("", "", convention)


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
