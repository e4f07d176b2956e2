"""What stands beside an NDCG, computed together with it: `report` fills a report card.

A card is a list of lines with three writers: a table, Markdown for a model card, JSON for a
program. Taught in notebook *report_card*.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from ndcglib.conventions import fingerprint
from ndcglib.datasets import Qrels, Run, judge_run
from ndcglib.datasets.judging import JudgedRun
from ndcglib.datasets.trec import check_table
from ndcglib.metrics import discount_weights, gain_values, ndcg_long, unjudged_at_k
from ndcglib.metrics.checks import (
    SAME_VALUE,
    as_table,
    brief,
    brief_ids,
    check_count,
    check_text,
    check_whole,
)
from ndcglib.metrics.long_table import rows_of_queries
from ndcglib.metrics.pairs import winners
from ndcglib.significance import compare, interval, p_text, warning_of_groups
from ndcglib.tables import text_table
from wording import format_cell, html_table, nearest

LIBRARY = "understanding-ndcg"
GAINS = {"linear": "linear: the grade", "exponential": "exponential: 2^grade − 1"}
# What no program can find out, by the key in `notes`.
NOTES = {
    "judges": "who judged",
    "agreement": "agreement of the judges",
    "depth": "depth of the judgments",
    "split": "split",
    "version": "version of the data",
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
MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$&#])")  # what a cell of a table would not show as it is


class Line(NamedTuple):
    """One line of a card: its key in JSON, what it is called, its value, and that in words."""

    key: str
    label: str
    value: object
    words: str = ""

    @property
    def text(self):
        """The value as people read it, on one line."""
        return " ".join((self.words or format_cell(self.value)).split())


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
        head, *rows = (
            [MARKDOWN.sub(r"\\\1", cell) for cell in (line.label, line.text)]
            for line in self.lines
        )
        return "\n".join(f"| {label} | {text} |" for label, text in (head, ("---",) * 2, *rows))

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


def report(
    run,
    judged,
    k,
    *,
    baseline=None,
    groups=None,
    gain="linear",
    name="",
    baseline_name="",
    tried=None,
    first_stage=None,
    sampled=None,
    notes=None,
):
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
    groups : mapping of query id to label, or array-like of shape (n_queries,), optional
        Which queries belong together, as in `ndcglib.significance.compare`: a dict for
        runs, a label for each row for arrays. Both intervals and p are by group then.
    gain : {"linear", "exponential"}, default="linear"
        What a grade is worth.
    name, baseline_name : str, optional
        What the two are called; by default the tag of a run.
    tried : int, optional
        How many variants were evaluated before this one was chosen, itself included. Only
        you know; by default the card says "not said".
    first_stage : int, optional
        How many documents a first stage brought for a query, at most, so that `run` ranked
        only these; 0 if every document was ranked. By default the card says "not said".
    sampled : int, optional
        How many documents of grade 0 were drawn for each query, and ranked in place of all
        of them; 0 if all were ranked. By default the card says "not said".
    notes : mapping of str to str, optional
        What else only you know, in words: "judges", who gave the grades, such as people, and
        how many for a document, a model, or clicks; "agreement", how far two of them agree,
        and on which documents; "depth", down to which rank of whose lists; "split",
        training, validation or test; "version", that of the data. What is missing stands in
        the line "not said".

    Returns
    -------
    ReportCard

    Raises
    ------
    TypeError, ValueError
        If `run`, `judged` and `baseline` are not of one kind and shape, or are paths of
        files that were not read; if grades are not whole numbers from 0 to 2^63 − 1, if
        k, gain, groups, tried, first_stage, sampled or notes do not fit, if no query of the
        run is judged, or if run and baseline do not answer the same judged queries. A list
        of a run that is longer than `first_stage` does not fit, nor does a row with fewer
        documents of grade 0 than `sampled`.

    Notes
    -----
    Equal scores are averaged over all orders; beside that stand the worst and the best
    order. A query with nothing relevant counts 0, and so does one that the run lacks; the
    ideal is made of everything judged. Queries of the run without any judgment are left
    out, and counted.

    Random level, floor and ceiling are those of the collection as far as it is known: of all
    documents that the judgments name, for whichever query, with grade 0 where a query has
    no judgment for one. So they are the same for each ranker; more documents than that would
    lower the random level. Of arrays these are the documents of the row. For a run, its own
    results stand beside it, in another order: what they score shuffled shows how good the
    documents are that it found, so it is higher for a better ranker.

    Of a run, the ideal has everything judged, also what a first stage missed. An array with no
    more than `first_stage` documents a row has only what it brought, and so has its ideal. Then,
    and where negatives were sampled, the value is no NDCG over the collection: a line under the
    number says so.

    Intervals: `ndcglib.significance`. Where the difference does not vary from query to query
    there is none, and the card says so. With `tried` variants p is multiplied by their number
    (Bonferroni). The fingerprint is what this function prints for
    `ndcglib.conventions.fingerprint`.

    From 200,000 rows on a bar shows how far it is. Taught in notebook *report_card*.

    Examples
    --------
    >>> card = report([[0.9, 0.5, 0.1], [0.2, 0.3, 0.1]], [[1, 2, 0], [0, 1, 0]], k=2)
    >>> round(json.loads(card.json())["ndcg"], 4)
    0.9299
    """
    k = check_count(k, "k")
    if not isinstance(gain, str) or gain not in GAINS:
        raise ValueError(
            f"gain must be one of {', '.join(GAINS)}, got {brief(gain)}; a gain of your own goes "
            f"into judge_run or ndcg{nearest(gain, GAINS)}"
        )
    if tried is not None:
        tried = check_whole(tried, "tried", 1)
    if first_stage is not None:
        first_stage = check_whole(first_stage, "first_stage", 0)
    if sampled is not None:
        sampled = check_whole(sampled, "sampled", 0)
    check_text(name, "name")
    check_text(baseline_name, "baseline_name")
    notes = _as_notes(notes)
    is_run = isinstance(judged, Qrels)
    run, qrels, baseline = _as_tables(run, judged, baseline)
    if baseline is not None:
        _check_same_queries(run, baseline, qrels)
    if first_stage and is_run:
        _check_first_stage(run, first_stage)
    if sampled and not is_run:
        _check_sampled(qrels, sampled)
    lacks = not is_run and len(set(qrels.doc.tolist())) <= (first_stage or 0)
    from tqdm.auto import tqdm  # here: who sees no card need not wait for it to load

    runs = [run] if baseline is None else [run, baseline]
    is_short = len(run.query) < MANY_ROWS
    passes = len(runs) * (6 if is_run else 3)
    with tqdm(total=passes, unit="pass", disable=is_short, leave=False) as bar:
        own, *others = (_measure(one, qrels, k, gain, is_run, bar.update) for one in runs)
    lines = _number(own, str(name or run.tag[0]), groups, _not_over_all(lacks, sampled))
    lines += _collection(qrels, k, gain)
    if others:
        lines += _baseline(others[0], str(baseline_name or baseline.tag[0]))
        lines += _difference(own, others[0], groups, tried)
    lines += _said(tried, first_stage, sampled, notes)
    lines += _conventions(own.judged, qrels, gain, is_run, lacks)
    return ReportCard(tuple(lines))


# --- what is measured ---------------------------------------------------------------------


class _Measured(NamedTuple):
    """A ranker: its NDCG, and what its documents score in another order.

    Attributes
    ----------
    judged : JudgedRun
    values : dict or list
        The NDCG of each query, by its id for a run, in the order of the rows for arrays.
    ties : tuple of (float, float)
        The mean with tied documents in the worst and in the best order.
    shuffled, reordered : float and tuple of (float, float), or None
        The mean of all its documents shuffled, and in the worst and in the best order. Arrays
        have no list of their own: theirs are those of the collection.
    """

    judged: JudgedRun
    values: dict | list
    ties: tuple[float, float]
    shuffled: float | None = None
    reordered: tuple[float, float] | None = None

    @property
    def row(self):
        """The NDCG of each query as a flat array."""
        return np.array(list(self.judged.per_query.values()))


def _measure(run, qrels, k, gain, is_run, done):
    """Return the `_Measured` of a run; `done` is called after each pass over its rows."""
    judged = judge_run(run, qrels, k=k, gain=gain, unknown="skip")
    done()

    def mean(score, ties):
        found = _mean(judged, gain, score, ties)
        done()
        return found

    ties = mean(judged.score, "worst"), mean(judged.score, "best")
    if not is_run:
        return _Measured(judged, list(judged.per_query.values()), ties)
    alike = np.zeros(len(judged.score))
    reordered = mean(alike, "worst"), mean(alike, "best")
    return _Measured(judged, judged.per_query, ties, mean(alike, "average"), reordered)


def _mean(judged, gain, score, ties):
    """Return the mean NDCG of the same documents with these scores, by a rule for ties.

    Negative grades count as 0, and a query that the run lacks as 0, as in `judge_run`.
    """
    values = ndcg_long(
        judged.query,
        np.maximum(judged.grade, 0),
        score,
        k=judged.k,
        gain=gain,
        ties=ties,
        pool={query: np.maximum(grades, 0) for query, grades in judged.pool.items()},
        per_query=True,
    )
    return sum(values.values()) / len(judged.per_query)


def _orders_of_query(gains, n_docs, weights):
    """Return NDCG in random, worst and best order, the other documents without gain."""
    gains = np.sort(gains)
    best = weights[: len(gains)] @ gains[::-1][: len(weights)]
    if best == 0:
        return 0.0, 0.0, 0.0
    late = weights[n_docs - len(gains) :]  # of the ranks below all the others
    shuffled = gains.sum() / n_docs * weights.sum()
    return shuffled / best, late @ gains[: len(late)] / best, 1.0


# --- the lines ----------------------------------------------------------------------------


def _not_over_all(lacks, sampled):
    """Return why the value is no NDCG over the collection, in words, or nothing."""
    why = ["the ideal lacks what the first stage missed"] if lacks else []
    why += [f"only {sampled:,} sampled negatives"] if sampled else []
    return f"no NDCG over the collection: {', and '.join(why)}" if why else ""


def _number(own, name, groups, warning):
    """Return the lines of the number itself, with a warning if it is not over all documents."""
    is_alone = len(own.values) == 1 and groups is None
    band = None if is_alone else tuple(interval(own.values, groups)[1:])
    unit = "over queries" if groups is None else "by group"
    return [
        Line("ndcg", f"NDCG@{own.judged.k}", own.judged.mean),
        Line("name", "ranker", name),
        *([Line("collection_warning", "warning", warning)] if warning else []),
        _range(
            "ndcg_interval", f"95% interval (t, {unit})", band, "none: one query has no spread"
        ),
        *([] if groups is None else _groups(own.judged.per_query, groups)),
        *_reordered(own),
    ]


def _groups(queries, groups):
    """Return the lines of the groups, which fit, and a warning where an interval is rough."""
    labels = [groups[query] for query in queries] if isinstance(groups, Mapping) else list(groups)
    counts = Counter(labels)
    largest = max(counts.values())
    warning = warning_of_groups(len(counts), largest, len(labels))
    return [
        Line("groups", "groups of queries", len(counts)),
        Line("largest_group", "queries of the largest group", largest),
        *([Line("groups_warning", "warning", warning)] if warning else []),
    ]


def _reordered(found, prefix="", whose="its"):
    """Return the lines of what a ranker's documents score in another order."""
    ties = f"{whose} ties, worst to best order"
    lines = [_range(f"{prefix}tie_range", ties, found.ties)]
    if found.reordered is not None:
        results = f"{whose} own results"
        lines += [
            Line(f"{prefix}own_shuffled", f"{results}, reshuffled", found.shuffled),
            _range(f"{prefix}own_reordered", f"{results}, worst to best order", found.reordered),
        ]
    return lines


def _collection(qrels, k, gain):
    """Return the lines of the levels that depend on the judgments and on k alone."""
    n_docs = len(set(qrels.doc.tolist()))
    weights = discount_weights(min(k, n_docs))
    grades = np.maximum(qrels.grade, 0)
    shuffled, worst, best = np.mean(
        [
            _orders_of_query(gain_values(grades[rows], gain), n_docs, weights)
            for rows in rows_of_queries(qrels.query)[1]
        ],
        axis=0,
    ).tolist()
    return [
        Line("random_level", f"random level: all {n_docs:,} judged documents, shuffled", shuffled),
        Line("floor", "floor: all of them in the worst order", worst),
        Line("ceiling", "ceiling: all of them in the best order", best),
    ]


def _baseline(other, name):
    """Return the lines of the baseline alone."""
    k = other.judged.k
    return [
        Line("baseline", "baseline, by the same code", name),
        Line("baseline_ndcg", f"NDCG@{k} of the baseline", other.judged.mean),
        *_reordered(other, "baseline_", "the baseline's"),
        _unjudged(other.judged, "baseline_unjudged_at_k", f"unjudged@{k} of the baseline"),
    ]


def _difference(own, other, groups, tried):
    """Return the lines of the paired difference, in the words of `compare`."""
    apart = own.row - other.row
    if np.ptp(apart) <= 2 * SAME_VALUE:  # `compare` refuses what does not vary
        return _same_difference(apart)
    found = compare(own.values, other.values, groups=groups)

    words, by_group = found.table(), "" if groups is None else ", by group"

    def line(key, label, value, begin):
        return Line(
            key, label, value, next(said for what, said in words if what.startswith(begin))
        )

    band = (found.low, found.high)
    lines = [
        line("difference", "difference, query by query", found.difference, "difference"),
        line("difference_interval", f"its 95% interval (paired t{by_group})", band, "95%"),
        line("p_value", f"p, paired t-test{by_group}", found.t_p, "p, paired"),
    ]
    if tried is not None and tried > 1:
        p = min(1.0, tried * found.t_p)
        lines.append(Line("p_value_of_tried", f"p times the {tried:,} tried", p, p_text(p)))
    if groups is not None:
        effect = found.design_effect
        lines.append(Line("design_effect", "design effect of the groups", effect, f"{effect:.1f}"))
    return [*lines, _wins(found.wins, found.losses, found.ties)]


def _same_difference(apart):
    """Return the lines of a difference that is the same on every query."""
    none = "none: the difference is the same on every query"
    won = winners(apart)
    return [
        Line("difference", "difference, query by query", float(apart.mean())),
        Line("difference_interval", "its 95% interval", None, none),
        Line("p_value", "p, paired t-test", None, none),
        _wins(*(int((won == side).sum()) for side in (1, -1, 0))),
    ]


def _wins(wins, losses, ties):
    label = "queries ahead / behind / equal"
    return Line("wins_losses_ties", label, (wins, losses, ties), f"{wins} / {losses} / {ties}")


def _said(tried, first_stage, sampled, notes):
    """Return the lines of what only people know, and one of what they did not say."""
    words = "not said" if tried is None else f"{tried:,}, this one included"
    if tried is not None and tried > 1:
        words += ": measure the chosen one on fresh queries"
    lines = [
        Line("variants_tried", "variants tried", tried, words),
        _count("first_stage", "documents of a first stage", first_stage),
        _count("sampled", "sampled negatives", sampled),
    ]
    lines += [Line(key, label, notes[key]) for key, label in NOTES.items() if key in notes]
    if missing := [key for key in NOTES if key not in notes]:
        lines.append(Line("not_said", "not said", missing, ", ".join(NOTES[k] for k in missing)))
    return lines


def _count(key, label, count):
    """Return the line of a count that only people know: not said, none, or so many a query."""
    words = "not said" if count is None else f"{count:,} a query" if count else "none"
    return Line(key, label, count, words)


def _conventions(judged, qrels, gain, is_run, lacks):
    """Return the lines that let somebody else print the number."""
    n, relevant = len(judged.per_query), set(qrels.query[qrels.grade > 0].tolist())
    counts = zip(COUNTED, judged.decided.items(), strict=True)
    return [
        Line("queries", "queries", n),
        Line(
            "queries_empty",
            "queries with nothing relevant",
            n - len(relevant),
            f"{n - len(relevant):,}, counted as 0",
        ),
        _judged_per_query(qrels),
        Line("k", "k", judged.k, f"{judged.k}, cuts the list and the ideal"),
        Line("gain", "gain", gain, GAINS[gain]),
        Line("discount", "discount", "1 / log2(rank + 1)"),
        Line("ideal", "ideal", "what the first stage brought" if lacks else "everything judged"),
        _unjudged(judged, "unjudged_at_k", f"unjudged@{judged.k}"),
        *(
            Line(key, *_counted(words, count))
            for key, (words, count) in counts
            if is_run or key == "tied_documents"
        ),
        Line("library", "computed with", f"{LIBRARY} {version(LIBRARY)}"),
        Line("fingerprint", "its fingerprint", _own_fingerprint(gain, is_run)),
    ]


def _range(key, label, pair, none=""):
    """Return the line of a pair of numbers, or of what to say where there is none."""
    return Line(key, label, pair, " to ".join(map(format_cell, pair)) if pair else none)


def _counted(words, count):
    """Return label, value and words of one thing that `judge_run` decided."""
    what, how = words.split(": ")
    return what, count, f"{count:,}, {how}"


def _judged_per_query(qrels):
    """Return the line of how many documents were judged for a query."""
    _, counts = np.unique(qrels.query, return_counts=True)
    least, most = int(counts.min()), int(counts.max())
    words = f"{most:,}" if least == most else f"{counts.mean():,.1f}, from {least:,} to {most:,}"
    return Line("judged_per_query", "judged documents a query", float(counts.mean()), words)


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


# --- runs and arrays ----------------------------------------------------------------------


def _as_tables(run, judged, baseline):
    """Return run, judgments and baseline (or None) as a Run, Qrels and a Run."""
    runs = [run] if baseline is None else [run, baseline]
    given = zip((judged, *runs), ("judged", "run", "baseline"), (Qrels, Run, Run), strict=False)
    for path, name, kind in given:
        if isinstance(path, (str, PurePath)):
            check_table(path, name, kind)
    if isinstance(judged, Qrels) and all(isinstance(one, Run) for one in runs):
        return run, judged, baseline
    if any(isinstance(one, (Run, Qrels)) for one in (judged, *runs)):
        kinds = ", ".join(type(one).__name__ for one in (run, judged, *runs[1:]))
        raise TypeError(
            "run, judged and baseline must be a Run, Qrels and a Run, as read_run and read_qrels "
            f"return them, in this order, or all of them arrays; got {kinds}"
        )
    grades = as_table(judged, "judged")
    if (grades != np.round(grades)).any() or grades.min() < 0:
        raise ValueError(
            f"judged must hold grades, whole numbers from 0, got {brief(judged)}; the scores "
            "come first: report(scores, grades, k)"
        )
    if int(grades.max()) > np.iinfo(int).max:
        raise ValueError(f"judged must hold grades below 2^63, got {grades.max()}")
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
    baseline = found[1] if len(found) > 1 else None
    return found[0], Qrels(query, doc, grades.ravel().astype(int)), baseline


def _as_notes(notes):
    """Return the notes as a dict; refuse keys that are not asked for, and what is not text."""
    if notes is None:
        return {}
    if not isinstance(notes, Mapping):
        raise TypeError(f"notes must be a dict of texts, got {type(notes).__name__}")
    for key, text in notes.items():
        if key not in NOTES:
            raise ValueError(
                f"notes may hold {', '.join(NOTES)}, got {brief(key)}{nearest(key, NOTES)}"
            )
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"notes[{key!r}] must be words, got {brief(text)}; or leave it out")
    return dict(notes)


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


def _check_first_stage(run, first_stage):
    """Raise ValueError if a list is longer than what the first stage brought."""
    query, counts = np.unique(run.query, return_counts=True)
    if counts.max() > first_stage:
        raise ValueError(
            f"first_stage must be at least the length of each list of run, got {first_stage:,}, "
            f"but {brief(str(query[counts.argmax()]))} has {counts.max():,} documents; give how "
            "many a first stage brings for a query, or 0 if every document was ranked"
        )


def _check_sampled(qrels, sampled):
    """Raise ValueError if a row has fewer documents of grade 0 than were sampled for it."""
    row, zeros = np.unique(qrels.query, return_inverse=True)
    zeros = np.bincount(zeros, qrels.grade == 0).astype(int)
    if zeros.min() < sampled:
        raise ValueError(
            f"sampled must be at most the documents of grade 0 in each row, got {sampled:,}, but "
            f"row {row[zeros.argmin()]} of judged, counted from 1, has {zeros.min():,}; give how "
            "many were drawn for one query, or 0 if all documents were ranked"
        )


def _ids(lengths):
    """Return query and document of each row, numbered from 1, as text."""
    numbers = np.array([str(n) for n in range(1, max(len(lengths), *lengths) + 1)])  # short texts
    docs = np.concatenate([numbers[:n] for n in lengths])
    return np.repeat(numbers[: len(lengths)], lengths), docs


def _as_run(query, doc, score, tag):
    n = len(query)
    return Run(*map(np.array, (query, doc, np.zeros(n, int), score)), np.full(n, tag))
