"""One number from every engine: `ndcglib.metrics`, SQL, a Parquet file in pieces, and R.

DuckDB, Polars and SQLite are in every environment; Spark and R are in that of
`make test-engines`.
"""

import importlib.util
import math
import re
import shutil
import sqlite3
import subprocess
import tempfile
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebook_rules import chapter
from scipy import stats

from coursekit.authoring.write import read
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import ndcg, ndcg_long, random_ndcg
from ndcglib.scale import MEASURED, R_FILE, ndcg_parquet, ndcg_sql, on_sqlite, parquet
from ndcglib.scale.sql import BLOCKS
from ndcglib.significance import queries_needed

INF, NAN = math.inf, math.nan

# ------------------------------------------------------------ the engines


def sqlite(sql, q, y, s):
    return on_sqlite(sql, zip(q, y, s, strict=True))


def arrow(q, y, s):
    """Return the columns as Arrow has them: None is NULL, and NaN stays NaN."""
    score = pa.array(s, pa.float64(), from_pandas=False)
    return pa.table({"query": pa.array(q), "relevance": pa.array(y), "score": score})


def in_duckdb(sql, q, y, s):
    with duckdb.connect() as connection:
        connection.register("judged", arrow(q, y, s))
        return connection.execute(sql).fetchall()


def polars(sql, q, y, s):
    from polars import SQLContext, from_arrow

    return SQLContext({"judged": from_arrow(arrow(q, y, s))}).execute(sql, eager=True).rows()


def spark(sql, q, y, s):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    kind = "string" if any(isinstance(one, str) for one in q) else "long"
    columns = f"query {kind}, relevance double, score double"
    y = [None if one is None else float(one) for one in y]
    rows = list(zip(q, y, s, strict=True))
    session.createDataFrame(rows, columns).createOrReplaceTempView("judged")
    return [tuple(row) for row in session.sql(sql).collect()]


def file(q, y, s, **options):
    """Walk a file of the rows, sorted by query, with many small row groups."""
    order = np.argsort(q, kind="stable")
    table = arrow(*([column[i] for i in order] for column in (q, y, s)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judged.parquet"
        pq.write_table(table, path, row_group_size=97)
        return ndcg_parquet(path, **options)


def r(q, y, s, k=None, gain="linear"):
    y = [2.0**one - 1 for one in y] if gain == "exponential" else y
    table = "\n".join(f"{a} {b!r} {c!r}" for a, b, c in zip(q, y, s, strict=True))
    said = in_r(
        'd <- read.table(file("stdin"))\n'
        f"n <- ndcg_long(d$V1, d$V2, d$V3{'' if k is None else f', k = {k}'})\n"
        'cat(sprintf("%s %.17g\\n", names(n), n))',
        table,
    ).split()
    return dict(zip(map(int, said[::2]), map(float, said[1::2]), strict=True))


def in_r(program, given=""):
    """Return what R says after it has read `ndcg.R`."""
    command = ["Rscript", "--vanilla", "-e", f'source("{R_FILE.as_posix()}"); {program}']
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else run.stderr


def where_found(is_there, what):
    return pytest.mark.skipif(not is_there, reason=f"needs {what}; `make test-engines` has it")


has_module = importlib.util.find_spec
needs_polars = where_found(has_module("polars"), "Polars")
needs_spark = where_found(has_module("pyspark") and shutil.which("java"), "PySpark and Java")
needs_r = where_found(shutil.which("Rscript"), "R")
SQL = {
    "sqlite": pytest.param(sqlite, id="sqlite"),
    "duckdb": pytest.param(in_duckdb, id="duckdb"),
    "polars": pytest.param(polars, id="polars", marks=needs_polars),
    "spark": pytest.param(spark, id="spark", marks=needs_spark),
}
OTHERS = (pytest.param(file, id="parquet"), pytest.param(r, id="r", marks=needs_r))
every_sql_engine = pytest.mark.parametrize("engine", SQL.values())

# ------------------------------------------------------------ the same number


def many_queries(seed=0):
    """Return 400 queries of 1 to 72 rows, shuffled, with all on which two programs may differ."""
    rng = np.random.default_rng(seed)
    q, y, s = [], [], []
    for i in range(400):
        n = int(rng.integers(1, 61))
        grades = rng.choice(6, n, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05]) * (i % 16 > 0)
        scores = [
            rng.normal(size=n),
            rng.integers(0, 4, n) / 4,
            np.zeros(n),
            0.5 + 1e-12 * rng.integers(0, 3, n),
            1e9 + rng.integers(0, 3, n) * 2.0**-22,  # it takes 17 digits to tell them apart
            rng.choice([0.0, -0.0, 1e-300, -1e300], n),
        ][i % 6]
        twice = rng.integers(0, n, n // 5)  # documents that are there once more
        q += [i] * (n + len(twice))
        y += [*grades, *grades[twice]]
        s += [*scores, *scores[twice]]
    order = rng.permutation(len(q))
    return [[kind(c[i]) for i in order] for c, kind in ((q, int), (y, int), (s, float))]


OPTIONS = [{}, {"k": 1}, {"k": 5}, {"k": 10, "gain": "exponential"}, {"k": 1000}]


@pytest.mark.parametrize("engine", [*SQL.values(), *OTHERS])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: f"k={o.get('k')}")
def test_every_engine_gives_the_number_of_helpers_metrics(engine, options):
    q, y, s = many_queries()
    wanted = ndcg_long(q, y, s, **options, per_query=True)
    if engine is r:
        found = r(q, y, s, **options)
    elif engine is file:
        found = file(q, y, s, **options, per_query=True)
    else:
        rows = engine(ndcg_sql("judged", **options, per_query=True), q, y, s)
        assert [query for query, *_ in rows] == sorted(wanted)
        assert {refused for *_, refused in rows} == {0}
        found = {query: value for query, value, _ in rows}
    assert found.keys() == wanted.keys()
    difference = max(abs(found[query] - wanted[query]) for query in wanted)
    assert difference < (1e-12 if engine is r else 1e-9)


typed_engines = pytest.mark.parametrize("engine", [SQL["duckdb"], SQL["polars"]])


@typed_engines
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_grades_of_32_bits_are_added_up_as_doubles(engine, gain):
    rng = np.random.default_rng(0)
    q, s = [1] * 60, rng.integers(0, 3, 60).astype(float)
    y = rng.random(60).astype(np.float32)
    [(_, found, _)] = engine(ndcg_sql("judged", gain=gain, per_query=True), q, y, s)
    of_doubles = ndcg_long(q, y.astype(float), s, gain=gain)
    assert found == pytest.approx(of_doubles, abs=1e-14)


@typed_engines
def test_decimals_count_as_in_a_file(engine, tmp_path):
    rng = np.random.default_rng(0)
    q = np.repeat(np.arange(40), 25)
    y, s = (rng.integers(0, 300, 1000) / 100 for _ in range(2))
    wanted = ndcg_long(q, y, s, per_query=True)
    decimals = [[Decimal(f"{one:.2f}") for one in column] for column in (y, s)]
    path = tmp_path / "decimals.parquet"
    columns = dict(zip(("relevance", "score"), map(pa.array, decimals), strict=True))
    table = pa.table({"query": q, **columns})
    assert pa.types.is_decimal(table["score"].type)
    pq.write_table(table, path)
    assert ndcg_parquet(path, per_query=True) == pytest.approx(wanted, abs=1e-12)
    sql = ndcg_sql("judged", per_query=True)
    found = {query: value for query, value, _ in engine(sql, q, decimals[0], s)}
    assert found == pytest.approx(wanted, abs=1e-12)


@every_sql_engine
@pytest.mark.parametrize("empty", [0, 1, NAN, "skip"])
def test_the_mean_says_how_many_queries_are_empty(engine, empty):
    q, y, s = many_queries()
    wanted = ndcg_long(q, y, s, k=5, empty=empty)
    of_each = ndcg_long(q, y, s, k=5, empty=NAN, per_query=True)
    [(value, *counts)] = engine(ndcg_sql("judged", k=5, empty=empty), q, y, s)
    assert counts == [400, sum(map(math.isnan, of_each.values())), 0]
    assert value is None if empty is NAN else value == pytest.approx(wanted, abs=1e-12)
    assert file(q, y, s, k=5, empty=empty) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@every_sql_engine
def test_an_empty_query_is_null_if_it_counts_as_nan(engine):
    sql = ndcg_sql("judged", empty=NAN, per_query=True)
    assert engine(sql, [1, 2], [0, 3], [0.5, 0.5]) == [(1, None, 0), (2, 1.0, 0)]
    skipped = engine(ndcg_sql("judged", empty="skip"), [1, 1], [0, 0], [0.5, 0.4])
    assert skipped == [(None, 1, 1, 0)]


# ------------------------------------------------------------ what Python refuses

GOOD = [1, 0, 2], [0.3, 0.5, 0.1]
REFUSED = {  # grades and scores of one query; how many of its rows are at fault
    "a NULL score": ([1, 0, 2], [None, 0.5, 0.1], 1),
    "b NaN scores": ([1, 0, 2], [NAN, 0.5, NAN], 2),
    "c infinite": ([1, 0, 2], [INF, 0.5, 0.1], 1),
    "d minus infinite": ([1, 0, 2], [0.3, 0.5, -INF], 1),
    "e NULL grade": ([1, None, 2], [0.3, 0.5, 0.1], 1),
    "f negative": ([1, -1, 2], [0.3, 0.5, 0.1], 1),
    "g all of it": ([None, -1], [None, NAN], 2),
    "h a sum that overflows": ([1.5e308] * 3, [0.3, 0.2, 0.1], 3),
    "i an ideal that does": ([0, 0, 0, *[1.5e308] * 3], [9.0, 8.0, 7.0, 3.0, 2.0, 1.0], 3),
}


def table_of(queries):
    """Return the columns of some queries, {name: (grades, scores)}."""
    rows = [
        (name, *pair)
        for name, (grades, scores, *_) in queries.items()
        for pair in zip(grades, scores, strict=True)
    ]
    return [list(column) for column in zip(*rows, strict=True)]


@every_sql_engine
def test_what_python_refuses_is_null_and_counted(engine):
    for grades, scores, _ in REFUSED.values():
        with pytest.raises((TypeError, ValueError)):
            ndcg_long(["q"] * len(grades), grades, scores)
    table = table_of({**REFUSED, "z good": GOOD})
    found = engine(ndcg_sql("judged", per_query=True), *table)
    wanted = [(name, None, n) for name, (*_, n) in REFUSED.items()]
    assert found[:-1] == wanted
    assert found[-1][1:] == (pytest.approx(ndcg_long(["q"] * 3, *GOOD)), 0)
    [(mean, queries, _, refused)] = engine(ndcg_sql("judged"), *table)
    assert (mean, queries, refused) == (None, len(REFUSED) + 1, sum(n for *_, n in wanted))


@every_sql_engine
def test_a_query_without_a_name_is_refused(engine):
    with pytest.raises(TypeError, match="query must hold integers or strings"):
        ndcg_long(["a", None], [1, 1], [0.5, 0.5])
    rows = engine(ndcg_sql("judged", per_query=True), ["a", None], [1, 1], [0.5, 0.5])
    assert sorted(rows, key=str) == [("a", 1.0, 0), (None, None, 1)]


@every_sql_engine
def test_a_grade_that_would_overflow_is_refused_under_the_exponential_gain(engine):
    table = [1, 1, 2, 3], [996, 0, 1024, 997], [0.5, 0.6, 0.7, 0.8]
    with pytest.raises(ValueError, match="at most 1023"):
        ndcg_long(*table, gain="exponential")
    rows = engine(ndcg_sql("judged", gain="exponential", per_query=True), *table)
    assert rows == [(1, pytest.approx(1 / math.log2(3)), 0), (2, None, 1), (3, None, 1)]


@pytest.mark.parametrize("engine", [SQL["sqlite"], SQL["duckdb"], SQL["polars"]])
def test_a_table_without_rows_has_no_mean(engine):
    sql = ndcg_sql("judged").replace('"judged" AS t', '(SELECT * FROM "judged" WHERE 1 = 0) AS t')
    [(mean, queries, *_)] = engine(sql, [1], [1], [1.0])
    assert (mean, queries) == (None, 0)


# Without the guard a text gives a number, and not the same one everywhere: notebook *scale*.
NAIVE = """
WITH ranked AS (
  SELECT relevance,
    ROW_NUMBER() OVER (ORDER BY score DESC) AS pos,
    ROW_NUMBER() OVER (ORDER BY relevance DESC) AS ideal_pos
  FROM judged)
SELECT SUM(relevance / LN(pos + 1e0)) / SUM(relevance / LN(ideal_pos + 1e0)) FROM ranked"""
FIRST, LAST = 0.7602, 0.6697


@pytest.mark.parametrize(
    ("engine", "null", "nan"),
    [
        pytest.param(*SQL[name].values, null, nan, marks=SQL[name].marks, id=name)
        for name, null, nan in [
            ("sqlite", LAST, LAST),
            ("duckdb", LAST, FIRST),
            ("polars", FIRST, FIRST),
            ("spark", LAST, FIRST),
        ]
    ],
)
def test_where_a_score_that_is_no_number_ranks_without_the_guard(engine, null, nan):
    for score, wanted in ((None, null), (NAN, nan)):
        [(found,)] = engine(NAIVE, ["q"] * 3, [1, 0, 2], [score, 0.5, 0.1])
        assert round(found, 4) == wanted


@every_sql_engine
def test_nulls_last_moves_null_and_leaves_nan_first(engine):
    last = NAIVE.replace("score DESC", "score DESC NULLS LAST")
    first = NAIVE.replace("score DESC", "score DESC NULLS FIRST")
    [(at_the_end,)] = engine(last, ["q"] * 3, [1, 0, 2], [None, 0.5, 0.1])
    [(on_top,)] = engine(first, ["q"] * 3, [1, 0, 2], [None, 0.5, 0.1])
    [(of_nan,)] = engine(last, ["q"] * 3, [1, 0, 2], [NAN, 0.5, 0.1])
    assert (round(at_the_end, 4), round(on_top, 4)) == (LAST, FIRST)
    assert round(of_nan, 4) == (LAST if engine is sqlite else FIRST)


@every_sql_engine
@pytest.mark.parametrize("where", ["FIRST", "LAST"])
def test_where_an_engine_ranks_null_plays_no_part(engine, where):
    sql, table = ndcg_sql("judged", per_query=True), table_of({**REFUSED, "z good": GOOD})
    said = re.sub("(score|gain) DESC", rf"\1 DESC NULLS {where}", sql)
    assert said.count(f"NULLS {where}") == 2
    assert engine(said, *table) == engine(sql, *table)


# ------------------------------------------------------------ names and other arguments

ODD = {"query": 'order" by; --', "relevance": "select", "score": "a.b c"}


def test_names_are_quoted_whatever_they_hold():
    name = 'x"; DROP TABLE judged; --'
    table = arrow([1, 1, 1], *GOOD).rename_columns([*ODD.values()])
    wanted = pytest.approx(ndcg_long([1, 1, 1], *GOOD))
    sql = ndcg_sql(name, **ODD, per_query=True)
    with duckdb.connect() as connection:
        connection.register(name, table)
        assert connection.execute(sql).fetchall() == [(1, wanted, 0)]
    quoted = ['"' + one.replace('"', '""') + '"' for one in (name, *ODD.values())]
    renamed = "WITH {} AS (SELECT query AS {}, relevance AS {}, score AS {} FROM judged), "
    sql = renamed.format(*quoted) + sql.removeprefix("WITH ")
    assert sqlite(sql, [1, 1, 1], *GOOD) == [(1, wanted, 0)]


@pytest.mark.parametrize("name", ["queries", "ranked", "summed", "judged_rows", "t"])
def test_a_table_of_any_name_but_the_blocks_own(name):
    sql = ndcg_sql(name)
    assert tuple(re.findall(r"(\w+) AS \(\n", sql)) == BLOCKS
    connection = sqlite3.connect(":memory:")
    connection.create_function("LN", 1, math.log)
    connection.execute(f"CREATE TABLE {name} AS SELECT 1 AS query, 3 AS relevance, 0.5 AS score")
    assert connection.execute(sql).fetchall() == [(1.0, 1, 0, 0)]
    connection.close()


@pytest.mark.parametrize("argument", ["query", "relevance", "score"])
def test_a_column_that_is_not_there_is_an_error_and_no_text(argument):
    """SQLite takes a name between double quotes for a text where it knows no such column."""
    with pytest.raises(Exception, match="no such column"):
        sqlite(ndcg_sql("judged", **{argument: "nope"}), [1], [1], [1.0])


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"table": 3}, TypeError, "table must be a name, as text, got 3"),
        ({"table": ""}, ValueError, "table must be a name of at least one letter"),
        (
            {"table": "NDCG_rows"},
            ValueError,
            "table must not be 'NDCG_rows', a name that the text",
        ),
        ({"score": "a\0b"}, ValueError, "score must be a name"),
        ({"k": 0}, ValueError, "k must be a positive integer or None, got 0"),
        ({"k": "10; DROP"}, TypeError, "k must be a positive integer or None"),
        ({"gain": "binary"}, ValueError, "gain must be 'linear' or 'exponential' in SQL"),
        ({"gain": abs}, ValueError, "gain must be 'linear' or 'exponential' in SQL"),
        ({"empty": 2}, ValueError, "empty must be 0, 1, nan or 'skip', got 2"),
        ({"empty": "skip", "per_query": True}, ValueError, "cannot go with per_query"),
    ],
)
def test_bad_arguments_are_named(options, error, says):
    with pytest.raises(error, match=says):
        ndcg_sql(**{"table": "judged", **options})


# ------------------------------------------------------------ a file in pieces


def written(folder, q, y, s, **options):
    path = Path(folder) / "judged.parquet"
    pq.write_table(arrow(q, y, s), path, **options)
    return path


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_pieces_give_the_same(data):
    n = data.draw(st.integers(1, 40))
    q = sorted(data.draw(st.lists(st.sampled_from("abcde"), min_size=n, max_size=n)))
    y = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    s = data.draw(st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=n, max_size=n))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROWS", data.draw(st.integers(1, 41)))
        path = written(folder, q, y, s, row_group_size=data.draw(st.integers(1, 41)))
        assert ndcg_parquet(path, k=3, per_query=True) == ndcg_long(q, y, s, k=3, per_query=True)
        for empty in (0, 1, NAN):
            wanted = ndcg_long(q, y, s, empty=empty)
            assert ndcg_parquet(path, empty=empty) == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize(
    ("q", "s", "error", "says"),
    [
        ([1, 2, 1], [0.1, 0.2, 0.3], ValueError, "must be sorted by query.*ORDER BY"),
        ([1, None, 2], [0.1, 0.2, 0.3], ValueError, "query must not be NULL, but is in the rows"),
        ([1, 1, 2], [0.1, None, 0.3], ValueError, "score must not be NULL"),
        ([1, 1, 2], [0.1, NAN, 0.3], ValueError, "score must be finite, got nan.*query 1"),
        ([0.5, 0.5, 2], [0.1, 0.2, 0.3], TypeError, "query must hold integers or strings"),
        ([], [], ValueError, "has no rows"),
    ],
)
@pytest.mark.parametrize("rows", [1, 2, 100])
def test_what_a_file_must_not_hold(tmp_path, monkeypatch, rows, q, s, error, says):
    monkeypatch.setattr(parquet, "ROWS", rows)
    path = written(tmp_path, q, [1, 0, 2][: len(q)], s)
    with pytest.raises(error, match=says) as raised:
        ndcg_parquet(path)
    said = " ".join([str(raised.value), *getattr(raised.value, "__notes__", [])])
    assert "in the rows from" in said or str(path) in said


@pytest.mark.parametrize("ids", [["a", "a\0", "b"], [b"a", b"a\0", b"b"]], ids=repr)
def test_ids_that_numpy_would_make_one_are_refused(tmp_path, ids):
    assert len(np.unique(ids)) == 2
    for ndcg_of in (
        lambda *columns: ndcg_parquet(written(tmp_path, *columns)),
        ndcg_long,
    ):
        with pytest.raises(ValueError, match=r"query must not end in a zero character.*other ids"):
            ndcg_of(ids, [1, 0, 2], [0.1, 0.2, 0.3])
        assert ndcg_of(["a", "b\0b", "c"], [1, 0, 2], [0.1, 0.2, 0.3]) == 2 / 3


def test_decimals_that_a_double_would_tie_are_refused(tmp_path):
    near = [Decimal("1.0000000000000001"), Decimal("1.0000000000000002"), Decimal("3")]
    assert float(near[0]) == 1.0
    columns = {"query": [1, 1, 1], "relevance": [1, 0, 2], "score": near}
    path = tmp_path / "near.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(
        ValueError, match=r"score must have at most 15 digits as a decimal.*DOUBLE"
    ):
        ndcg_parquet(path)


def test_a_column_that_the_file_has_not(tmp_path):
    path = written(tmp_path, [1], [1], [0.5])
    with pytest.raises(ValueError, match=r"no column 'grade'; it has query, relevance, score"):
        ndcg_parquet(path, relevance="grade")
    with pytest.raises(ValueError, match="empty='skip' leaves no query"):
        ndcg_parquet(written(tmp_path, [1], [0], [0.5]), empty="skip")


def test_an_interrupt_closes_the_file_and_leaves_nothing(tmp_path, monkeypatch):
    path, opened = written(tmp_path, *map(sorted, many_queries())), []

    class Watched(pq.ParquetFile):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            opened.append(self)

    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(parquet.pq, "ParquetFile", Watched)
    monkeypatch.setattr(parquet, "ndcg_long", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ndcg_parquet(path, progress=True)
    assert [one.closed for one in opened] == [True]
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


# ------------------------------------------------------------ Spark as the notebook starts it, R


@needs_spark
def test_what_the_notebook_types_for_spark(tmp_path, capfd):
    [cell] = [cell for cell in read(CHAPTER).cells if cell.id == "cluster"]
    q, y, s = map(sorted, many_queries())
    path = written(tmp_path, q, y, s).as_posix()
    typed = cell.source.split("```python\n")[1].split("```")[0]
    exec(typed.replace("judged.parquet", path), {"ndcg_sql": ndcg_sql})
    assert f"|{ndcg_long(q, y, s, k=10):.10f}" in capfd.readouterr().out


def test_what_was_measured_is_within_the_limits():
    """`python benchmarks/scale.py --write` writes it; this reads what notebook *scale* shows."""
    engines = MEASURED["engines"]
    lengths = {len(figures) for took in engines.values() for figures in took.values()}
    assert lengths == {len(MEASURED["rows"])}
    assert engines["Parquet in pieces"]["memory"][-1] < 400
    assert engines["DuckDB"]["memory"][-1] < 1000
    billion = MEASURED["billion"]
    assert billion["rows"] > 10**9
    assert billion["memory"] < 2 * engines["Parquet in pieces"]["memory"][0]
    assert f"{billion['ndcg']:.10f}" in said("sql-duckdb-code", "scale")


def test_the_program_in_r_is_short():
    assert len(R_FILE.read_text(encoding="utf-8").splitlines()) <= 30


@needs_r
@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("ndcg(c(1, 0), c(NA, 1))", "is.finite(score)"),
        ("ndcg(c(1, 0), c(NaN, 1))", "is.finite(score)"),
        ("ndcg(c(1, -1), c(2, 1))", "relevance >= 0"),
        ("ndcg(numeric(0), numeric(0))", "length(score) > 0"),
        ("ndcg(c(1, 0), c(2, 1), k = 0)", "k >= 1"),
        ("ndcg(c(1, 0), c(2, 1), k = 1.5)", "k == round(k)"),
        ("ndcg(c(1, 0), c(2, 1), k = c(1, 2))", "length(k) == 1"),
        ('ndcg(c(1, 0), c(2, 1), k = "1")', "is.numeric(k)"),
        ("ndcg(c(1, 0), factor(c(20, 100)))", "is.numeric(score)"),
        ("ndcg(factor(c(1, 0)), c(2, 1))", "is.numeric(relevance)"),
        ("ndcg(rep(1.5e308, 3), c(3, 2, 1))", "is.finite(total)"),
        ('ndcg_long(c("a", NA), c(1, 1), c(1, 1))', "is.na(query)"),
        ("ndcg_long(c(1, 2), c(1, 0, 2, 1), c(4, 3, 2, 1))", "length(query) == length(relevance)"),
        ("ndcg_long(1:2, 1:2, 1:3)", "length(query) == length(score)"),
        ("ndcg_long(numeric(0), numeric(0), numeric(0))", "length(query) > 0"),
    ],
)
def test_r_refuses_what_python_refuses(program, says):
    assert says in in_r(program).replace("\n", "")


@needs_r
def test_queries_are_kept_apart_beyond_fifteen_digits_in_r():
    said = in_r("cat(ndcg_long(c(1e15 + 1, 1e15 + 2, 3), c(1, 1, 0), c(1, 1, 1)))")
    assert said.split() == ["0", "1", "1"]
    names = 'cat(names(ndcg_long(factor(c("b", "a", "b"), c("c", "b", "a")), 1:3, 3:1)))'
    assert in_r(names).split() == ["b", "a"]


@needs_r
def test_counting_down_from_one_to_zero_in_r():
    """A slip that the program in R avoids: `1:0` is not empty."""
    assert in_r("cat(1:0)") == "1 0"
    cut = "top <- function(x, k) x[1:min(k, length(x))];"
    assert in_r(f"{cut} cat(top(c(3, 2), 0))") == "3"
    assert in_r(f"{cut} cat(top(numeric(0), 5))") == "NA"
    assert in_r("cat(length(seq_len(0)))") == "0"


# ------------------------------------------------------------ what two chapters say

CHAPTER = chapter("scale")


def said(cell_id, name="samples"):
    """Return what a cell of a chapter prints, in one text."""
    [cell] = [cell for cell in read(chapter(name)).cells if cell.id == cell_id]
    return "".join(output.text for output in cell.outputs)


def numbers_of(text):
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def made_up_table():
    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(14_000), rng.integers(2, 143, 14_000))
    relevance = rng.choice(4, len(query), p=[0.6, 0.25, 0.1, 0.05])
    return query, relevance, np.round(0.5 * relevance + rng.normal(size=len(query)), 2)


@pytest.mark.parametrize("cell", ["rows-levels", "rows-sample", "large-table", "large-sample"])
def test_each_table_of_ndcg_has_its_random_level_and_ceiling(cell):
    assert re.search(r"NDCG@10 0\.\d{3}, random level 0\.\d{3}, ceiling [01]\.\d{3}", said(cell))


def test_the_levels_are_those_of_notebook_floors():
    grades = manual_search().grades
    level, ceiling = random_ndcg(grades, k=10), ndcg(grades, grades, k=10)
    assert f"random level {level:.3f}, ceiling {ceiling:.3f}" in said("rows-levels")
    query, relevance, _ = made_up_table()
    rng = np.random.default_rng(1)
    shuffled = [ndcg_long(query, relevance, rng.random(len(query)), k=10) for _ in range(3)]
    assert numbers_of(said("large-table"))[3] == pytest.approx(np.mean(shuffled), abs=0.002)


def test_the_band_of_a_sample_from_a_finite_table():
    """How far means of 1,400 of the 14,000 queries lie from the mean of all of them."""
    values = np.array([*ndcg_long(*made_up_table(), k=10, per_query=True).values()])
    rng = np.random.default_rng(0)
    draws = [rng.choice(values, 1_400, replace=False).mean() for _ in range(4_000)]
    bands = [numbers_of(line)[-1] for line in said("large-finite").splitlines()]
    assert bands[0] == pytest.approx(1.96 * np.std(draws), rel=0.04)
    assert bands[-1] == 0
    of_further_queries = numbers_of(said("queries-sample"))[1]
    assert abs(of_further_queries / (1.96 * np.std(draws)) - 1) > 0.04  # so the draws tell


def test_the_queries_of_a_band_and_of_a_plan():
    """A band as wide as the difference finds it every other time, the plan four times in five."""
    of_each = {
        name: ndcg(manual_search().grades, s, k=10, per_query=True)
        for name, s in manual_scores().items()
    }
    difference = of_each["BM25"] - of_each["TF-IDF"]
    sd, effect = difference.std(ddof=1), 0.01
    _, _, band = numbers_of(said("need-code").splitlines()[0])
    plan = queries_needed(sd, effect)
    assert plan / band == pytest.approx(2, abs=0.1)  # "takes twice as many"
    rng = np.random.default_rng(0)
    for n, wanted in ((int(band), 0.5), (int(plan), 0.8)):
        draws = rng.normal(effect, sd, (4_000, n))
        t = draws.mean(axis=1) / draws.std(axis=1, ddof=1) * np.sqrt(n)
        assert (abs(t) > stats.t.ppf(0.975, n - 1)).mean() == pytest.approx(wanted, abs=0.03)
    modules = np.array(manual_search().modules)
    assert len(set(modules)) == 24
    names, rng = np.unique(modules), np.random.default_rng(1)
    drawn = rng.integers(0, len(names), (4_000, len(names)))
    sizes, sums = np.transpose(
        [((modules == m).sum(), difference[modules == m].sum()) for m in names]
    )
    spread = np.std(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    assert (spread / sd) ** 2 * len(difference) == pytest.approx(2, rel=0.2), "about twice as many"


def test_the_statement_that_the_notebook_reads_gives_ndcg():
    [cell] = [cell for cell in read(chapter("sql")).cells if cell.id == "sql"]
    typed = cell.source.split("```sql\n")[1].split("```")[0].replace("FROM tied", "FROM judged")
    query, relevance, score = ["lamp", "sofa"] * 2 + ["lamp"], [0, 2, 3, 1, 1], [6, 3, 9, 8, 6]
    [(mean,)] = on_sqlite(typed, zip(query, relevance, score, strict=True))
    assert mean == pytest.approx(ndcg_long(query, relevance, score))


def test_a_file_is_forgotten_piece_by_piece(tmp_path, monkeypatch):
    """By default PyArrow keeps what it has read: a billion rows took as much as their file."""
    rng, path = np.random.default_rng(0), tmp_path / "judged.parquet"
    columns = np.repeat(np.arange(40_000), 10), rng.integers(0, 4, 400_000), rng.random(400_000)
    pq.write_table(arrow(*columns), path, row_group_size=20_000)
    monkeypatch.setattr(parquet, "ROWS", 20_000)
    before, held = pa.total_allocated_bytes(), []
    for _ in parquet._pieces(path, ["query", "relevance", "score"], progress=False):
        held.append(pa.total_allocated_bytes() - before)
    assert len(held) > 15
    assert max(held) < path.stat().st_size / 2


def test_the_memory_in_the_text_is_that_of_the_figure():
    took = MEASURED["engines"]
    at_a_million = MEASURED["rows"].index(10**6)
    [notice] = [cell.source for cell in read(CHAPTER).cells if cell.id == "growth-notice"]
    assert f"{took['DuckDB']['memory'][at_a_million]} MB" in notice
    assert "some 100 MB" in notice
    at_the_least = [took[name]["memory"][0] for name in ("in memory", "Parquet in pieces")]
    assert at_the_least == pytest.approx([100, 100], rel=0.15)
