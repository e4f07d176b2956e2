"""Bring your own: the two text files that search evaluation has used since TREC.

Judgments ("qrels") and a system's output (a "run") come apart, and joining them is
where numbers go wrong: documents that nobody judged, judged documents that the
system missed, queries that are in one file only. `judge_run` counts none of these
in silence; `trec_eval_ndcg` counts them as the program trec_eval does, and says so.
"""

import gzip
import math
import operator
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers.metrics import ndcg_long
from helpers.metrics.checks import brief

QRELS_FIELDS = ("query", "iter", "doc", "grade")
RUN_FIELDS = ("query", "Q0", "doc", "rank", "score", "tag")

# 18 digits fit into 64 bits. `int` itself would also take "1_000".
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")

MOST_NAMED = 5  # queries in one message
MOST_SHOWN = 40  # bytes of a line that is not text


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments, in the order of the file.

    Attributes
    ----------
    query, doc : ndarray of str, shape (n_rows,)
    grade : ndarray of int, shape (n_rows,)
        May be negative: some collections mark spam that way. `ndcg_long` refuses
        that until you say what it is worth. To count it as 0, as trec_eval does, pass
        ``gain=lambda grades: np.maximum(grades, 0)``.
    """

    query: np.ndarray
    doc: np.ndarray
    grade: np.ndarray


@dataclass(frozen=True, eq=False)
class Run:
    """What a system retrieved, in the order of the file.

    Attributes
    ----------
    query, doc : ndarray of str, shape (n_rows,)
    rank : ndarray of int, shape (n_rows,)
        As the file says. Nothing here uses it: as in trec_eval, the scores decide.
    score : ndarray of float, shape (n_rows,)
    tag : ndarray of str, shape (n_rows,)
        The name of the run.
    """

    query: np.ndarray
    doc: np.ndarray
    rank: np.ndarray
    score: np.ndarray
    tag: np.ndarray


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """A run with the grades of its documents: one row for each retrieved document.

    Attributes
    ----------
    query, doc : ndarray of str, shape (n_rows,)
    score : ndarray of float, shape (n_rows,)
    grade : ndarray of int, shape (n_rows,)
    judged : ndarray of bool, shape (n_rows,)
        False where the grade is not a judgment but the value of `unjudged`.
    pool : dict of str to tuple of int
        For each query of the run, the grades of everything judged for it, retrieved
        or not: what the ideal ranking is made of. `ndcg_long` takes it as it is.
    missing : tuple of str
        Queries with judgments for which the run retrieved nothing, in the order of
        the qrels. Whether each counts as 0 is your decision, and it must be made.
    """

    query: np.ndarray
    doc: np.ndarray
    score: np.ndarray
    grade: np.ndarray
    judged: np.ndarray
    pool: dict[str, tuple[int, ...]]
    missing: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class TrecEvalNdcg:
    """NDCG as trec_eval counts it. Printed, it says what was decided, and how often.

    Attributes
    ----------
    per_query : dict of str to float
        For each query of the qrels, in their order.
    k : int or None
    missing, unjudged : tuple of str
        Queries of the qrels that the run lacks; queries of the run without judgment.
    negative : int
        Negative grades in the qrels.
    tied : int
        Documents whose score another document of the query has as well.
    """

    per_query: dict[str, float]
    k: int | None
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    negative: int
    tied: int

    @property
    def mean(self):
        """The mean over all queries of the qrels: what trec_eval prints with -c."""
        return float(np.mean(list(self.per_query.values())))

    def __repr__(self):
        measure = "NDCG" if self.k is None else f"NDCG@{self.k}"
        decisions = {
            "judged queries that the run lacks: counted as 0": len(self.missing),
            "queries of the run without a judgment: left out": len(self.unjudged),
            "negative grades: counted as 0": self.negative,
            "documents with tied scores: ordered by id, z before a": self.tied,
        }
        lines = [f"{measure} {self.mean:.4f}, the mean of {len(self.per_query)} judged queries"]
        return "\n".join(lines + [f"{count:6}  {words}" for words, count in decisions.items()])


def read_qrels(path):
    """Read a file of judgments: a line is `query iter doc grade`.

    Parameters
    ----------
    path : str or pathlib.Path
        UTF-8, plain or gzip-compressed; fields separated by white space. Blank lines
        and lines that begin with # are skipped.

    Returns
    -------
    Qrels

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a line does not have four fields or is not text, if a grade is not an
        integer, if a document is judged twice for one query, or if the file has no
        line. The message names the file and the line.

    Notes
    -----
    The format: https://trec.nist.gov/data/qrels_eng/. `iter` is not used, there or
    here. Taught in notebook 04.
    """
    rows = []
    for where, (query, _, doc, grade) in _rows(path, QRELS_FIELDS):
        rows.append((query, doc, _integer(grade, "grade", where)))
    query, doc, grade = zip(*rows, strict=True)
    return Qrels(np.array(query), np.array(doc), np.array(grade))


def read_run(path):
    """Read a system's output: a line is `query Q0 doc rank score tag`.

    Parameters
    ----------
    path : str or pathlib.Path
        UTF-8, plain or gzip-compressed; fields separated by white space. Blank lines
        and lines that begin with # are skipped, and so are words behind the tag.

    Returns
    -------
    Run

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a line has fewer than six fields or is not text, if a rank is not an
        integer or a score not a finite number, if a document is retrieved twice for
        one query, or if the file has no line. The message names the file and the
        line.

    Notes
    -----
    The format is that of trec_eval, https://github.com/usnistgov/trec_eval. Taught in
    notebook 04.
    """
    rows = []
    for where, fields in _rows(path, RUN_FIELDS, more=True):
        query, _, doc, rank, score, tag, *_ = fields
        rank, score = _integer(rank, "rank", where), _finite(score, "score", where)
        rows.append((query, doc, rank, score, tag))
    return Run(*(np.array(column) for column in zip(*rows, strict=True)))


def judge_run(run, qrels, unjudged=0):
    """Look up the grade of every document that a run retrieved.

    Parameters
    ----------
    run : Run
    qrels : Qrels
    unjudged : int, default=0
        The grade of a retrieved document that nobody judged. 0 is the custom, and it
        is an assumption: a new system may have found something good. `judged` says
        which rows it concerns.

    Returns
    -------
    JudgedRun
        In the order of the run.

    Raises
    ------
    TypeError
        If `unjudged` is not an integer.
    ValueError
        If the run has queries without any judgment; the message names them.

    Notes
    -----
    The grades come as they are in the qrels, negative ones too; see `Qrels`. Taught
    in notebook 04.

    Examples
    --------
    >>> qrels = Qrels(np.array(["q", "q"]), np.array(["a", "b"]), np.array([1, 3]))
    >>> run = Run(*(np.array([x]) for x in ("q", "a", 1, 0.5, "mine")))
    >>> judge_run(run, qrels).pool
    {'q': (1, 3)}
    """
    unjudged = operator.index(unjudged)
    grade_of = dict(zip(_pairs(qrels), qrels.grade.tolist(), strict=True))
    pools = _pools(qrels)
    retrieved = dict.fromkeys(run.query.tolist())  # each query once, in the order of the run
    _refuse_queries_without_judgment(retrieved, pools)
    pairs = _pairs(run)
    return JudgedRun(
        query=run.query,
        doc=run.doc,
        score=run.score,
        grade=np.array([grade_of.get(pair, unjudged) for pair in pairs]),
        judged=np.array([pair in grade_of for pair in pairs]),
        pool={query: tuple(pools[query]) for query in retrieved},
        missing=tuple(query for query in pools if query not in retrieved),
    )


def trec_eval_ndcg(run, qrels, k=None):
    """Return the NDCG that trec_eval prints for a run, and what was decided on the way.

    The same as ``trec_eval -c -m ndcg_cut.10`` for k = 10, and ``-m ndcg`` without k:

    - A judged query for which the run retrieved nothing counts as 0 (the option -c;
      without it trec_eval leaves such a query out of the mean).
    - A query of the run without any judgment is left out.
    - A negative grade counts as 0, in the list and in the ideal, and so does a document
      that nobody judged. The ideal is built from everything judged.
    - Documents with equal scores are ordered by id, the last in the alphabet first,
      whatever ranks and lines the file gives them. `ndcg_long` takes the mean over all
      orders instead.

    Parameters
    ----------
    run : Run
    qrels : Qrels
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    TrecEvalNdcg

    Raises
    ------
    TypeError, ValueError
        If k is not a positive integer, or if no query of the run has a judgment.

    Notes
    -----
    trec_eval 9 keeps scores in single precision, so there more of them tie. Taught in
    notebook 04.

    Examples
    --------
    >>> qrels = Qrels(np.array(["q", "q", "r"]), np.array(["a", "b", "a"]), np.array([1, -2, 1]))
    >>> run = Run(*map(np.array, (["q", "q"], ["a", "b"], [1, 2], [0.5, 0.5], ["me", "me"])))
    >>> trec_eval_ndcg(run, qrels)
    NDCG 0.3155, the mean of 2 judged queries
         1  judged queries that the run lacks: counted as 0
         0  queries of the run without a judgment: left out
         1  negative grades: counted as 0
         2  documents with tied scores: ordered by id, z before a
    """
    known = np.isin(run.query, qrels.query)
    unjudged = tuple(dict.fromkeys(run.query[~known].tolist()))
    if not known.any():
        _refuse_queries_without_judgment(unjudged, {})
    by_id = np.argsort(run.doc, kind="stable")[::-1]
    kept = by_id[known[by_id]]
    judged = judge_run(Run(*(column[kept] for column in vars(run).values())), qrels)
    values = ndcg_long(
        judged.query,
        judged.grade,
        judged.score,
        k=k,
        gain=lambda grades: np.maximum(grades, 0),
        ties="stable",  # tied documents stay in the order of the rows
        pool=judged.pool,
        per_query=True,
    )
    same = Counter(zip(judged.query.tolist(), judged.score.tolist(), strict=True))
    return TrecEvalNdcg(
        per_query=dict.fromkeys(qrels.query.tolist(), 0.0) | values,
        k=k,
        missing=judged.missing,
        unjudged=unjudged,
        negative=int((qrels.grade < 0).sum()),
        tied=sum(count for count in same.values() if count > 1),
    )


def _pairs(table):
    return list(zip(table.query.tolist(), table.doc.tolist(), strict=True))


def _pools(qrels):
    """Return all grades of each query, queries and grades in the order of the qrels."""
    pools = {}
    for query, grade in zip(qrels.query.tolist(), qrels.grade.tolist(), strict=True):
        pools.setdefault(query, []).append(grade)
    return pools


def _refuse_queries_without_judgment(retrieved, pools):
    unknown = [query for query in retrieved if query not in pools]
    if unknown:
        named = ", ".join(map(brief, unknown[:MOST_NAMED]))
        more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
        raise ValueError(
            f"{len(unknown)} of {len(retrieved)} queries of the run have no judgment in the "
            f"qrels, so no NDCG: {named}{more}. Check that both files name the queries alike; "
            "if so, remove these from the run, as trec_eval_ndcg does"
        )


def _rows(path, names, more=False):
    """Yield `where` (file and line) and the fields of each line with data.

    A line has one field for each name, or `more`. As in trec_eval, a line that begins
    with # is a comment; a # further on belongs to its field.
    """
    first_seen = {}
    for number, line in enumerate(_lines(path), 1):
        where = f"{path}, line {number}"
        fields = _decoded(line, where).split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) < len(names) or (len(fields) > len(names) and not more):
            raise ValueError(
                f"{where}: got {len(fields)} fields, expected {len(names)}: {' '.join(names)}"
            )
        pair = fields[names.index("query")], fields[names.index("doc")]
        if pair in first_seen:
            raise ValueError(
                f"{where}: query {brief(pair[0])} has document {brief(pair[1])} already in line "
                f"{first_seen[pair]}, expected each document once for each query"
            )
        first_seen[pair] = number
        yield where, fields
    if not first_seen:
        raise ValueError(f"{path}: the file has no data, expected lines of {' '.join(names)}")


def _lines(path):
    """Return the lines as bytes, without the mark that Windows may put before the first."""
    content = Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):  # what every gzip file begins with
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path}: the gzip file is damaged or incomplete: {error}") from error
    return content.removeprefix(b"\xef\xbb\xbf").splitlines()


def _decoded(line, where):
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # no text has it, and NumPy would cut a name there
        raise ValueError(
            f"{where}: got bytes {brief(line[:MOST_SHOWN])}, expected text in UTF-8; "
            "save the file as UTF-8, or unpack it if it is an archive"
        )
    return text


def _integer(text, name, where):
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{where}: got {name} {brief(text)}, expected an integer")
    return int(text)


def _finite(text, name, where):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or "_" in text:
        raise ValueError(f"{where}: got {name} {brief(text)}, expected a finite number")
    return number
