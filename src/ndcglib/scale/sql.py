"""NDCG as one SQL text, for whichever engine holds the table.

The text keeps to what DuckDB, SQLite, Polars and Spark all know: standard quotes, window
functions, no frame, no join. `1e0` is a double there; `1.0` would be a decimal in Spark.
"""

import contextlib
import math
import sqlite3

import numpy as np

from ndcglib.metrics.checks import as_list, brief, check_count, check_empty, check_text, is_masked
from ndcglib.metrics.gains import EXPONENTIAL_LIMIT
from wording import nearest

# Polars keeps a column of 32 bits at 32 bits, whatever double it is multiplied by: hence CAST.
DOUBLE = "CAST({grade} AS DOUBLE)"
GAINS = {"linear": DOUBLE, "exponential": f"POWER(2e0, {DOUBLE}) - 1e0"}
# The highest grade: its gain is below 1e300, and the sum of 10⁸ of them is still a double.
HIGHEST = {"linear": "1e300", "exponential": "996"}

# The table may have none of these names: in SQLite a WITH must not read its own name.
BLOCKS = ("ndcg_rows", "ndcg_ranks", "ndcg_sums", "ndcg_queries")
# x - x is 0 for every number, but NULL for NULL, and NaN for NaN and the infinities.
QUERIES = """\
WITH ndcg_rows AS (
  SELECT {query} AS query_id, {score} AS score, {gain} AS gain,
    CASE WHEN {query} IS NOT NULL AND {score} - {score} = 0
      AND {grade} - {grade} = 0 AND {grade} >= 0 AND {grade} <= {highest}
      THEN 0 ELSE 1 END AS refused
  FROM {table} AS t
), ndcg_ranks AS (
  SELECT query_id, gain, refused,
    AVG(gain) OVER (PARTITION BY query_id, score) AS mean_gain,
    ROW_NUMBER() OVER (PARTITION BY query_id ORDER BY score DESC) AS pos,
    ROW_NUMBER() OVER (PARTITION BY query_id ORDER BY gain DESC) AS ideal_pos
  FROM ndcg_rows
), ndcg_sums AS (
  SELECT query_id, SUM(refused) AS refused_rows,
    SUM({dcg}) AS dcg,
    SUM({idcg}) AS idcg
  FROM ndcg_ranks
  GROUP BY query_id
), ndcg_queries AS (
  SELECT query_id, refused_rows,
    CASE WHEN idcg > 0 THEN 0 ELSE 1 END AS is_empty,
    CASE WHEN refused_rows > 0 THEN NULL WHEN idcg > 0 THEN dcg / idcg ELSE {empty} END AS ndcg
  FROM ndcg_sums
)
"""
EACH = """\
SELECT query_id, ndcg, refused_rows
FROM ndcg_queries
ORDER BY query_id"""
MEAN = """\
SELECT CASE WHEN {no_mean} THEN NULL ELSE AVG(ndcg) END AS ndcg,
  COUNT(*) AS queries, SUM(is_empty) AS empty_queries, SUM(refused_rows) AS refused_rows
FROM ndcg_queries"""


def ndcg_sql(
    table,
    *,
    query="query",
    relevance="relevance",
    score="score",
    k=None,
    gain="linear",
    empty=0.0,
    per_query=False,
):
    """Return the SQL text that computes what `ndcglib.metrics.ndcg_long` does.

    Parameters
    ----------
    table : str
        The name of a table or view, one row for each document of each query. DuckDB also
        takes the path of a Parquet file. The four names that the text gives to its own
        blocks, `ndcg_rows` and so on, are taken.
    query, relevance, score : str
        The names of its columns. Grades and scores are numbers; queries are whatever the
        engine can group by.
    k : int, optional
        Ranks that count; all by default.
    gain : {"linear", "exponential"}, default="linear"
        As in `gain_values`.
    empty : {0, 1, nan, "skip"}, default=0
        The value of a query without gain; nan is NULL in SQL.
    per_query : bool, default=False
        One row for each query instead of their mean.

    Returns
    -------
    str
        A query that gives one row ``(ndcg, queries, empty_queries, refused_rows)``, or with
        `per_query` the rows ``(query_id, ndcg, refused_rows)``, sorted by query.

    Raises
    ------
    TypeError, ValueError
        If a name is not text, empty or taken, or if k, gain or empty are not as above.

    Notes
    -----
    Ties are averaged: each document gets the mean gain of its tied group, and then any order
    within the group gives the same sum. Documents have no ids here: one that is there twice
    counts as two, as in `ndcg_long`.

    The engines share no way to raise an error. Where `ndcg_long` refuses a table, `ndcg` is
    NULL and `refused_rows` says how many rows are at fault: a query, grade or score that is
    NULL, a grade or score that is NaN or infinite, or a negative grade. Grades above 1e300,
    or above 996 under the exponential gain, are refused as well, since their sum may
    overflow; there `ndcg_long` looks at the sum itself. With `per_query` only the queries
    that hold such rows are NULL. A table without rows gives NULL of 0 queries; so does
    ``empty="skip"`` where all are empty.

    The text was run on DuckDB, SQLite, Polars and Spark. Another engine may need a word
    changed: PostgreSQL calls the type DOUBLE PRECISION. Where an engine ranks NULL plays no
    part, because a query with a NULL gets no number.

    Names are put between double quotes, the standard's. Spark reads them so with
    ``spark.sql.ansi.doubleQuotedIdentifiers`` set to true. SQLite lets a column of numbers
    hold text; this cannot be seen from here.

    Taught in notebook *sql*.

    Examples
    --------
    >>> print(ndcg_sql("judged", k=10, per_query=True).splitlines()[-2])
    FROM ndcg_queries
    """
    check_empty(empty, per_query)
    if not isinstance(gain, str) or gain not in GAINS:
        raise ValueError(
            f"gain must be 'linear' or 'exponential' in SQL, got {brief(gain)}"
            f"{nearest(gain, GAINS)}"
        )
    grade = f"t.{_quoted(relevance, 'relevance')}"
    nothing = "NULL" if isinstance(empty, str) or math.isnan(empty) else f"{abs(empty):.0f}e0"
    no_mean = "SUM(refused_rows) > 0"
    if not isinstance(empty, str) and math.isnan(empty):
        no_mean += " OR SUM(is_empty) > 0"
    text = QUERIES + (EACH if per_query else MEAN)
    return text.format(
        table=_quoted(table, "table", taken=BLOCKS),
        query=f"t.{_quoted(query, 'query')}",  # after t. no engine takes it for a text
        score=f"t.{_quoted(score, 'score')}",
        grade=grade,
        gain=GAINS[gain].format(grade=grade),
        highest=HIGHEST[gain],
        dcg=_discounted("mean_gain", "pos", k),
        idcg=_discounted("gain", "ideal_pos", k),
        empty=nothing,
        no_mean=no_mean,
    )


def _quoted(name, argument, taken=()):
    """Return a name between double quotes, whatever it holds, unless it is taken."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be a name, as text, got {brief(name)}")
    if not name or "\0" in name or name.encode("utf-8", "ignore").decode() != name:
        raise ValueError(
            f"{argument} must be a name of at least one letter, all text, got {brief(name)}"
        )
    if name.lower() in taken:
        raise ValueError(
            f"{argument} must not be {brief(name)}, a name that the text gives to a block of its "
            "own; give it a view of the table by another name"
        )
    return '"' + name.replace('"', '""') + '"'


def _discounted(gain, pos, k):
    term = f"{gain} * LN(2e0) / LN({pos} + 1e0)"
    if k is None:
        return term
    return f"CASE WHEN {pos} <= {check_count(k, 'k', ' or None')} THEN {term} ELSE 0e0 END"


def on_sqlite(sql, rows):
    """Run an SQL text on a table `judged`, in the SQLite that comes with Python.

    Parameters
    ----------
    sql : str
    rows : iterable of (query, relevance, score)
        What `judged` holds; None is NULL, and SQLite makes NULL of NaN.

    Returns
    -------
    list of tuple
        The rows of the result.

    Raises
    ------
    TypeError, ValueError
        If `sql` is not text, or if `rows` are no such rows.
    sqlite3.Error
        What SQLite says of the SQL.

    Notes
    -----
    Taught in notebook *sql*.

    Examples
    --------
    >>> on_sqlite("SELECT COUNT(*) FROM judged WHERE score IS NULL", [("q", 3, None)])
    [(1,)]
    """
    check_text(sql, "sql")
    if is_masked(rows):
        raise ValueError("rows must not be masked; give None for NULL")
    rows = [_as_python(row) for row in as_list(rows, "rows", "(query, relevance, score)")]
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        # While SQLite computes, Python could neither be interrupted nor stop it.
        connection.set_progress_handler(lambda: 0, 100_000)
        # Some builds of SQLite, conda's for one, come without these two.
        connection.create_function("LN", 1, math.log, deterministic=True)
        connection.create_function("POWER", 2, _power, deterministic=True)
        connection.execute("CREATE TABLE judged (query, relevance NUMERIC, score NUMERIC)")
        try:
            connection.executemany("INSERT INTO judged VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, TypeError, OverflowError) as error:
            raise ValueError(
                "rows must be tuples (query, relevance, score) of numbers, texts and None, but "
                f"SQLite says: {error}"
            ) from error
        try:
            return connection.execute(sql).fetchall()
        except UnicodeEncodeError as error:
            raise ValueError(f"sql must be text in UTF-8, got {brief(sql)}") from error


def _as_python(row):
    """Return a row without NumPy's numbers: SQLite would keep their bytes."""
    return [v.item() if isinstance(v, np.generic) else v for v in as_list(row, "rows", "rows")]


def _power(base, exponent):
    beyond = exponent is None or exponent > EXPONENTIAL_LIMIT
    return None if beyond else float(base) ** exponent
