"""Bring your own: the two text files that search evaluation has used since TREC.

Judgments ("qrels") and a system's output (a "run"); `judge_run` joins them.
"""

import gzip
import math
import re
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np

from ndcglib.metrics.checks import as_path, brief

QRELS_FIELDS = ("query", "iter", "doc", "grade")
RUN_FIELDS = ("query", "Q0", "doc", "rank", "score", "tag")

# 18 digits fit into 64 bits. `int` itself would also take "1_000".
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")

MOST_SHOWN = 40  # bytes of a line that is not text


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments, in the order of the file.

    Attributes
    ----------
    query, doc : ndarray of str, shape (n_rows,)
    grade : ndarray of int, shape (n_rows,)
        May be negative: some collections mark spam that way. `judge_run` counts it as
        0, as trec_eval does, unless told to refuse it.
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
    here. Taught in notebook *files*.
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
    notebook *files*.
    """
    rows = []
    for where, fields in _rows(path, RUN_FIELDS, more=True):
        query, _, doc, rank, score, tag, *_ = fields
        rank, score = _integer(rank, "rank", where), _finite(score, "score", where)
        rows.append((query, doc, rank, score, tag))
    return Run(*(np.array(column) for column in zip(*rows, strict=True)))


def check_table(table, name, kind):
    """Raise TypeError unless `table` is of a kind, `Run` or `Qrels`; say how to get one."""
    if isinstance(table, kind):
        return
    read = (read_run if kind is Run else read_qrels).__name__
    is_path = isinstance(table, (str, PurePath))
    given = brief(str(table)) if is_path else type(table).__name__
    advice = (
        f"read the file first: {read}({given})"
        if is_path
        else "the run comes first, then the judgments"
    )
    raise TypeError(f"{name} must be {kind.__name__}, as {read} returns it, got {given}; {advice}")


def _rows(path, names, more=False):
    """Yield `where` (file and line) and the fields of each line with data.

    A line has one field for each name, or `more`. As in trec_eval, a line that begins
    with # is a comment; a # further on belongs to its field.
    """
    first_seen, path = {}, as_path(path, "path")
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
