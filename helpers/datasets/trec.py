"""Bring your own: the two text files that search evaluation has used since TREC.

Judgments ("qrels") and a system's output (a "run") come apart, and joining them is
where numbers go wrong: documents that nobody judged, judged documents that the
system missed, queries that are in one file only. `judge_run` counts none of these
in silence.
"""

import math
import operator
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

QRELS_FIELDS = ("query", "iter", "doc", "grade")
RUN_FIELDS = ("query", "Q0", "doc", "rank", "score", "tag")

# 18 digits fit into 64 bits. `int` itself would also take "1_000".
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments, in the order of the file.

    Attributes
    ----------
    query, doc : ndarray of str, shape (n_rows,)
    grade : ndarray of int, shape (n_rows,)
        May be negative: some collections mark junk that way.
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


def read_qrels(path):
    """Read a file of judgments: a line is `query iter doc grade`.

    Parameters
    ----------
    path : str or pathlib.Path
        UTF-8, fields separated by white space, blank lines allowed.

    Returns
    -------
    Qrels

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a line does not have four fields or is not UTF-8, if a grade is not an
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
        UTF-8, fields separated by white space, blank lines allowed.

    Returns
    -------
    Run

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a line does not have six fields or is not UTF-8, if a rank is not an
        integer or a score not a finite number, if a document is retrieved twice for
        one query, or if the file has no line. The message names the file and the
        line.

    Notes
    -----
    The format is that of trec_eval, https://github.com/usnistgov/trec_eval. Taught in
    notebook 04.
    """
    rows = []
    for where, (query, _, doc, rank, score, tag) in _rows(path, RUN_FIELDS):
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
    Taught in notebook 04.

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
        raise ValueError(
            f"{len(unknown)} of {len(retrieved)} queries of the run have no judgment in the "
            f"qrels, so no NDCG: {', '.join(map(repr, unknown))}. Remove them from the run, or "
            "check that both files name the queries alike"
        )


def _rows(path, names):
    """Yield `where` (file and line) and the fields of each line that is not blank."""
    first_seen = {}
    for number, line in enumerate(_lines(path), 1):
        where = f"{path}, line {number}"
        fields = _decoded(line, where).split()
        if not fields:
            continue
        if len(fields) != len(names):
            raise ValueError(
                f"{where}: got {len(fields)} fields, expected {len(names)}: {' '.join(names)}"
            )
        pair = fields[names.index("query")], fields[names.index("doc")]
        if pair in first_seen:
            raise ValueError(
                f"{where}: query {pair[0]!r} has document {pair[1]!r} already in line "
                f"{first_seen[pair]}, expected each document once for each query"
            )
        first_seen[pair] = number
        yield where, fields
    if not first_seen:
        raise ValueError(f"{path}: the file is empty, expected lines of {' '.join(names)}")


def _lines(path):
    """Return the lines as bytes, without the mark that Windows may put before the first."""
    return Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()


def _decoded(line, where):
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{where}: got bytes {line!r}, expected UTF-8") from error


def _integer(text, name, where):
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{where}: got {name} {text!r}, expected an integer")
    return int(text)


def _finite(text, name, where):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or "_" in text:
        raise ValueError(f"{where}: got {name} {text!r}, expected a finite number")
    return number
