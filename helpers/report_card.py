"""What stands beside an NDCG, computed together with it: `report` fills a report card.

A card is a list of lines with three writers: a table, Markdown for a model card, JSON for a
program. Taught in notebook *report_card*.
"""

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import NamedTuple

import numpy as np

from helpers.conventions import fingerprint
from helpers.datasets import Qrels, Run, judge_run
from helpers.metrics import ndcg_long, unjudged_at_k
from helpers.metrics.checks import as_table, brief, brief_ids, check_count, check_whole
from helpers.metrics.long_table import rows_of_queries
from helpers.significance import compare, interval
from helpers.tables import format_cell, html_table, text_table

LIBRARY = "understanding-ndcg"
GAINS = {"linear": "linear: the grade", "exponential": "exponential: 2^grade − 1"}
LEVELS = {  # by the sign of the grade in the scores
    "random_level": ("random level: the same documents, shuffled", 0),
    "floor": ("floor: in the worst order", -1),
    "ceiling": ("ceiling: in the best order", 1),
}
# What `judge_run` counts, in its order.
COUNTED = (
    "queries_missing",
    "queries_without_judgment",
    "negative_grades",
    "tied_documents",
    "unjudged_documents",
)
MANY_ROWS = 200_000  # from here on a pass takes about a second, and a bar shows how far it is


class Line(NamedTuple):
    """One line of a card: its key in JSON, what it is called, its value, and that in words."""

    key: str
    label: str
    value: object
    words: str = ""

    @property
    def text(self):
        """The value as people read it."""
        return self.words or format_cell(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class ReportCard:
    """An NDCG and what stands beside it. Shown in a notebook, or printed, it is a table.

    Attributes
    ----------
    lines : tuple of Line
        The first is the number itself.
    """

    lines: tuple

    def markdown(self):
        """Return the card as a table in Markdown, for a model card; numbers are rounded."""
        head, *rows = self._rows
        cells = [[cell.replace("|", r"\|") for cell in row] for row in (head, ("---",) * 2, *rows)]
        return "\n".join(f"| {label} | {text} |" for label, text in cells)

    def json(self):
        """Return the card as JSON: a key and a value for each line, nothing rounded."""
        return json.dumps({line.key: line.value for line in self.lines}, indent=2)

    @property
    def _rows(self):
        return [(line.label, line.text) for line in self.lines]

    def _repr_html_(self):
        return html_table(self._rows[0], self._rows[1:])

    def __repr__(self):
        return text_table(self._rows[0], self._rows[1:])


def report(run, judged, k, *, baseline=None, gain="linear", name="", baseline_name="", tried=None):
    """Return the report card of a ranking: its NDCG@k, and what must stand beside it.

    Parameters
    ----------
    run : Run, or array-like of shape (n_queries, n_docs)
        What a system retrieved; or its scores, the highest is rank 1.
    judged : Qrels, or array-like of the same shape
        The judgments; or a grade for each document, whole numbers.
    k : int
        Ranks that count, of the list and of the ideal.
    baseline : as `run`, optional
        What to compare with, on the same queries.
    gain : {"linear", "exponential"}, default="linear"
        What a grade is worth.
    name, baseline_name : str, optional
        What the two are called; by default the tag of a run.
    tried : int, optional
        How many variants were evaluated before this one was chosen, itself included. Only
        you know; by default the card says "not said".

    Returns
    -------
    ReportCard

    Raises
    ------
    TypeError, ValueError
        If `run`, `judged` and `baseline` are not of one kind and shape, if grades are not
        whole numbers from 0, if k, gain or tried do not fit, if no query of the run is
        judged, or if run and baseline do not answer the same judged queries.

    Notes
    -----
    Equal scores are averaged over all orders. A query with nothing relevant counts 0, and so
    does one that the run lacks; the ideal is made of everything judged. Queries of the run
    without any judgment are left out, and counted. Level, floor and ceiling are those of the
    documents that were returned. Intervals: `helpers.significance`. The fingerprint is what
    this function prints for `helpers.conventions.fingerprint`.

    From 200,000 rows on a bar shows how far it is. Taught in notebook *report_card*.

    Examples
    --------
    >>> card = report([[0.9, 0.5, 0.1], [0.2, 0.3, 0.1]], [[1, 2, 0], [0, 1, 0]], k=2)
    >>> round(json.loads(card.json())["ndcg"], 4)
    0.9299
    """
    k = check_count(k, "k")
    if gain not in GAINS:
        raise ValueError(f"gain must be one of {', '.join(GAINS)}, got {brief(gain)}")
    if tried is not None:
        check_whole(tried, "tried", 1)
    is_run = isinstance(judged, Qrels)
    run, qrels, baseline = _as_tables(run, judged, baseline)
    if baseline is not None:
        _check_same_queries(run, baseline, qrels)
    from tqdm.auto import tqdm  # here: who sees no card need not wait for it to load

    passes = 1 + len(LEVELS) + (baseline is not None)
    is_short = len(run.query) < MANY_ROWS
    with tqdm(total=passes, unit="pass", disable=is_short, leave=False) as bar:

        def done(found):
            bar.update()
            return found

        how = dict(k=k, gain=gain, unknown="skip")
        own = done(judge_run(run, qrels, **how))
        levels = {key: done(_level(own, gain, sign)) for key, (_, sign) in LEVELS.items()}
        other = None if baseline is None else done(judge_run(baseline, qrels, **how))
    name = str(name or run.tag[0])
    lines = _number(own, name) + [Line(key, LEVELS[key][0], levels[key]) for key in levels]
    if other is not None:
        lines += _difference(own, other, name, str(baseline_name or baseline.tag[0]))
    words = "not said" if tried is None else f"{tried:,}, this one included"
    lines.append(Line("variants_tried", "variants tried", tried, words))
    lines += _conventions(own, qrels, gain, is_run)
    return ReportCard(tuple(lines))


# --- the lines ----------------------------------------------------------------------------


def _number(own, name):
    """Return the lines of the number itself."""
    values = list(own.per_query.values())
    band = tuple(interval(values)[1:]) if len(values) > 1 else None
    return [
        Line("ndcg", f"NDCG@{own.k}", own.mean),
        Line("name", "ranker", name),
        Line(
            "ndcg_interval",
            "95% interval (t, over queries)",
            band,
            " to ".join(map(format_cell, band)) if band else "none: one query has no spread",
        ),
    ]


def _difference(own, other, name, baseline):
    """Return the lines of the paired difference, in the words of `compare`."""
    found = compare(own.per_query, other.per_query, names=(name, baseline))
    words = dict(found.table())
    return [
        Line("baseline", "baseline, by the same code", baseline),
        Line("baseline_ndcg", f"NDCG@{own.k} of the baseline", found.means[1]),
        Line("difference", "difference, query by query", found.difference, words["difference"]),
        Line(
            "difference_interval",
            "its 95% interval (paired t)",
            (found.low, found.high),
            words["95% interval"],
        ),
        Line("p_value", "p, paired t-test", found.t_p, words["p, paired t-test"]),
        Line(
            "wins_losses_ties",
            "queries ahead / behind / equal",
            (found.wins, found.losses, found.ties),
            words["ahead / behind / equal"],
        ),
        _unjudged(other, "baseline_unjudged_at_k", f"unjudged@{own.k} of the baseline"),
    ]


def _conventions(own, qrels, gain, is_run):
    """Return the lines that let somebody else print the number."""
    n, relevant = len(own.per_query), set(qrels.query[qrels.grade > 0].tolist())
    counts = zip(COUNTED, own.decided.items(), strict=True)
    return [
        Line("queries", "queries", n),
        Line(
            "queries_empty",
            "queries with nothing relevant",
            n - len(relevant),
            f"{n - len(relevant):,}, counted as 0",
        ),
        Line("k", "k", own.k, f"{own.k}, cuts the list and the ideal"),
        Line("gain", "gain", gain, GAINS[gain]),
        Line("discount", "discount", "1 / log2(rank + 1)"),
        Line("ideal", "ideal", "everything judged"),
        _unjudged(own, "unjudged_at_k", f"unjudged@{own.k}"),
        *(
            Line(key, *_counted(words, count))
            for key, (words, count) in counts
            if is_run or key == "tied_documents"
        ),
        Line("library", "computed with", f"{LIBRARY} {version(LIBRARY)}"),
        Line("fingerprint", "its fingerprint", _own_fingerprint(gain, is_run)),
    ]


def _counted(words, count):
    """Return label, value and words of one thing that `judge_run` decided."""
    what, how = words.split(": ")
    return what, count, f"{count:,}, {how}"


def _unjudged(found, key, label):
    """Return the line of unjudged@k, the mean over the queries that were answered."""
    _, rows_of = rows_of_queries(found.query)
    shares = [unjudged_at_k(found.judged[rows], found.score[rows], found.k) for rows in rows_of]
    share = float(np.mean(shares))
    everything = ": every document has a grade" if found.judged.all() else ""
    return Line(key, label, share, f"{share:.0%}{everything}")


def _own_fingerprint(gain, is_run):
    """Return what the same code prints for the fingerprint."""
    two = fingerprint()
    if is_run:
        scores, grades = (
            zip(*((q, doc, x) for q, docs in part.items() for doc, x in docs.items()), strict=True)
            for part in (two.run, two.qrels)
        )
        tables = _as_run(*scores, ""), Qrels(*map(np.array, grades))
    else:
        grades, scores = zip(*two.arrays, strict=True)
        query, doc = _ids([len(row) for row in grades])
        tables = (
            _as_run(query, doc, np.concatenate(scores), ""),
            Qrels(query, doc, np.concatenate(grades)),
        )
    return judge_run(*tables, k=two.k, gain=gain).mean


def _level(own, gain, sign):
    """Return the mean for the same documents, shuffled (0) or in the order of their grades.

    Negative grades count as 0, and a query that the run lacks as 0, as in `judge_run`.
    """
    values = ndcg_long(
        own.query,
        np.maximum(own.grade, 0),
        sign * own.grade,
        k=own.k,
        gain=gain,
        pool={query: np.maximum(grades, 0) for query, grades in own.pool.items()},
        per_query=True,
    )
    return sum(values.values()) / len(own.per_query)


# --- runs and arrays ----------------------------------------------------------------------


def _as_tables(run, judged, baseline):
    """Return run, judgments and baseline (or None) as a Run, Qrels and a Run."""
    runs = [run] if baseline is None else [run, baseline]
    if isinstance(judged, Qrels) and all(isinstance(one, Run) for one in runs):
        return run, judged, baseline
    if isinstance(judged, Qrels) or any(isinstance(one, Run) for one in runs):
        kinds = ", ".join(type(one).__name__ for one in (run, judged, *runs[1:]))
        raise TypeError(
            "run, judged and baseline must be a Run, Qrels and a Run, as read_run and read_qrels "
            f"return them, or all of them arrays; got {kinds}"
        )
    grades = as_table(judged, "judged")
    if (grades != np.round(grades)).any() or grades.min() < 0:
        raise ValueError(
            f"judged must hold grades, whole numbers from 0, got {brief(judged)}; the scores "
            "come first: report(scores, grades, k)"
        )
    query, doc = _ids([grades.shape[1]] * len(grades))
    found = []
    for scores, name, tag in zip(
        runs, ("run", "baseline"), ("this ranker", "the baseline"), strict=False
    ):
        table = as_table(scores, name)
        if table.shape != grades.shape:
            raise ValueError(
                f"{name} must hold a score for each grade of judged, got the shapes "
                f"{table.shape} and {grades.shape}"
            )
        found.append(_as_run(query, doc, table.ravel(), tag))
    return found[0], Qrels(query, doc, grades.ravel().astype(int)), (*found, None)[1]


def _check_same_queries(run, baseline, qrels):
    """Raise ValueError unless both answer the same judged queries."""
    judged = set(qrels.query.tolist())
    odd = sorted(judged & (set(run.query.tolist()) ^ set(baseline.query.tolist())))
    if odd:
        raise ValueError(
            f"run and baseline must answer the same judged queries, but {len(odd)} are in one of "
            f"them only: {brief_ids(odd)}; "
            "let both answer them, or leave them out of both and of the qrels"
        )


def _ids(lengths):
    """Return query and document of each row, numbered from 1, as text."""
    numbers = np.array([str(n) for n in range(1, max(len(lengths), *lengths) + 1)])  # short texts
    docs = np.concatenate([numbers[:n] for n in lengths])
    return np.repeat(numbers[: len(lengths)], lengths), docs


def _as_run(query, doc, score, tag):
    n = len(query)
    return Run(*map(np.array, (query, doc, np.zeros(n, int), score)), np.full(n, tag))
