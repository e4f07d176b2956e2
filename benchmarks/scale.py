"""A long table by each engine: rows against CPU seconds and peak memory (`make bench`).

Each measurement is a process of its own with one thread, from the Parquet file to the mean
NDCG@10, and its second run counts. CPU seconds of the best of some such processes stand beside
those of the in-memory function; memory is the most that the whole process ever held. Spark and
R are measured where they are found. With `--write` the figures of notebook *scale* are replaced.

`python benchmarks/scale.py billion` measures and writes the billion rows of its title alone: four
minutes, and 2 GB in the folder for temporary files.
"""

import datetime
import itertools
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
SIZES = (10**5, 10**6, 10**7)
K = 10
MOST = {"SQLite": 10**6, "R": 10**6}  # more would take minutes
FIRST = "in memory"
LIMITS = {  # at the largest size: times as long as in memory, and MB
    "Parquet in pieces": (1.5, 400),
    "DuckDB": (8, 1000),
}
ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "src" / "ndcglib" / "scale" / "measured.json"

# ------------------------------------------------------------ in a process of its own


def judged(n_queries, shortest, longest):
    """Return the columns of a sorted table, as notebook *scale* makes it: two decimals a score."""
    import numpy as np

    rng = np.random.default_rng(0)
    query = np.repeat(np.arange(n_queries), rng.integers(shortest, longest + 1, n_queries))
    relevance = rng.choice(4, len(query), p=[0.6, 0.25, 0.1, 0.05])
    score = np.round(0.5 * relevance + rng.normal(size=len(query)), 2)
    return {"query": query, "relevance": relevance, "score": score}


def make(path, n_rows):
    """Write a sorted table: about 72 documents a query."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = judged(n_rows // 72, 20, 124)
    columns |= {"query": columns["query"].astype(np.int32)}
    columns |= {"relevance": columns["relevance"].astype(np.int8)}
    pq.write_table(pa.table(columns), path, row_group_size=2**17)
    if n_rows <= MOST["R"]:  # which reads no Parquet
        np.concatenate([column.astype(float) for column in columns.values()]).tofile(f"{path}.bin")


def copies(path, n_copies):
    """Write the million rows of notebook *scale* many times, each with queries of its own."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pa.table(judged(14_000, 2, 142))
    with pq.ParquetWriter(path, table.schema) as file:
        for copy in range(n_copies):
            moved = pc.add(table["query"], 14_000 * copy)
            file.write_table(table.set_column(0, "query", moved))


def in_memory(path):
    import pyarrow.parquet as pq

    from ndcglib.metrics import ndcg_long

    return lambda: ndcg_long(*(c.to_numpy() for c in pq.read_table(path).columns), k=K)


def in_pieces(path):
    from ndcglib.scale import ndcg_parquet

    return lambda: ndcg_parquet(path, k=K)


def in_duckdb(path):
    import duckdb

    from ndcglib.scale import ndcg_sql

    connection = duckdb.connect(config={"threads": 1})
    return lambda: connection.execute(ndcg_sql(path, k=K)).fetchone()[0]


def in_polars(path):
    import polars

    from ndcglib.scale import ndcg_sql

    context = polars.SQLContext({"judged": polars.scan_parquet(path)})
    return lambda: context.execute(ndcg_sql("judged", k=K)).collect().row(0)[0]


def in_sqlite(path):
    import pyarrow.parquet as pq

    from ndcglib.scale import ndcg_sql, on_sqlite

    def run():
        columns = (column.to_pylist() for column in pq.read_table(path).columns)
        return on_sqlite(ndcg_sql("judged", k=K), zip(*columns, strict=True))[0][0]

    return run


ENGINES = {
    FIRST: in_memory,
    "Parquet in pieces": in_pieces,
    "DuckDB": in_duckdb,
    "Polars": in_polars,
    "SQLite": in_sqlite,
}


def measure_here(name, path):
    """Run one engine, and print its value, CPU seconds and peak memory in MB."""
    if name == "Spark":
        print(json.dumps(in_spark(path)))
        return
    run = ENGINES[name](path)
    for _ in range(2):  # the first loads what an engine needs only once
        start = time.process_time()
        value = run()
    print(json.dumps([value, time.process_time() - start, most_memory()]))


def most_memory(process="self"):
    """Return the most memory that a process ever held, in MB."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:  # macOS; there it is bytes, and of this process
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


def in_spark(path):
    """Return the same of Spark, whose work is done by Java."""
    from pyspark.sql import SparkSession

    from ndcglib.scale import ndcg_sql

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
    session = builder.config("spark.driver.memory", "4g").getOrCreate()
    session.read.parquet(path).createOrReplaceTempView("judged")
    java = session.sparkContext._gateway.proc.pid
    for _ in range(2):
        start = cpu_seconds(java)
        value = session.sql(ndcg_sql("judged", k=K)).collect()[0][0]
    return value, cpu_seconds(java) - start, most_memory(java)


def cpu_seconds(process):
    """Return the CPU seconds of another process; on Linux alone."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


R = """
source("src/ndcglib/scale/ndcg.R"); size <- file.size("{path}.bin") / 24
start <- sum(proc.time()[1:2])
d <- matrix(readBin("{path}.bin", "double", 3 * size), ncol = 3)
value <- mean(ndcg_long(d[, 1], d[, 2], d[, 3], k = {k}))
seconds <- sum(proc.time()[1:2]) - start
memory <- gsub("[^0-9]", "", grep("VmHWM", readLines("/proc/self/status"), value = TRUE))
cat(sprintf("[%.17g, %f, %f]", value, seconds, as.numeric(memory) * 1024 / 1e6))
"""

# ------------------------------------------------------------ all of them, in turn


def measured(name, path):
    """Return value, seconds and memory of one engine, or None if it is not here."""
    alone = [sys.executable, __file__, name, str(path)]
    r = ["Rscript", "--vanilla", "-e", R.format(path=path, k=K)]
    environment = os.environ | dict.fromkeys(THREADS, "1")
    try:
        run = subprocess.run(
            r if name == "R" else alone,
            **dict(env=environment, cwd=ROOT, capture_output=True, text=True),
            check=False,
        )
    except FileNotFoundError:
        return None
    if run.returncode and ("No module named" in run.stderr or "JAVA" in run.stderr):
        return None
    if run.returncode:
        raise RuntimeError(f"{name}: {run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def best(name, path, n_rows):
    """Return the least seconds and the least memory of some runs."""
    if n_rows > MOST.get(name, math.inf):
        return None
    runs = [measured(name, path) for _ in range(3 if n_rows < SIZES[-1] else 1)]
    if None in runs:
        return None
    values, seconds, memory = zip(*runs, strict=True)
    return values[0], min(seconds), min(memory)


def exponents(figures):
    """Return the slope of the logarithms, from each size to the next."""
    return [
        None if None in pair else math.log10(pair[1] / pair[0])
        for pair in itertools.pairwise(figures)
    ]


def machine():
    """Return the processor's name and the date."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        name = info.split("model name")[1].split(":")[1].splitlines()[0].strip()
    except (OSError, IndexError):
        name = platform.processor() or platform.machine()
    return f"{name}, one thread, {datetime.date.today():%B %Y}"


def billion():
    """Measure a thousand copies of the million rows, and write what was found."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "billion.parquet"
        subprocess.run([sys.executable, __file__, "copies", path, "1000"], check=True)
        value, seconds, memory = measured("Parquet in pieces", path)
        found = {
            "rows": pq.read_metadata(path).num_rows,
            "ndcg": value,
            "seconds": round(seconds),
            "memory": round(memory),
            "gigabytes": round(path.stat().st_size / 1e9, 1),
        }
    print(found)
    rewrite(billion=found)


def rewrite(**fresh):
    """Replace some of what is written."""
    data = json.loads(WRITTEN.read_text(encoding="utf-8")) | fresh
    WRITTEN.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main(write):
    """Measure all engines at all sizes; exit with 1 where a limit is broken."""
    names = [*ENGINES, "Spark", "R"]
    found = {name: {"seconds": [], "memory": []} for name in names}
    with tempfile.TemporaryDirectory() as folder:
        for n_rows in SIZES:
            path = Path(folder) / f"{n_rows}.parquet"
            subprocess.run([sys.executable, __file__, "make", path, str(n_rows)], check=True)
            print(f"\n{n_rows:,} rows {'CPU s':>26} {'÷ in memory':>12} {'MB':>8}")
            first = None  # of the engines: what all others stand beside
            for name in names:
                got = best(name, path, n_rows)
                _, seconds, memory = got or (None, None, None)
                found[name]["seconds"].append(seconds and round(seconds, 3))
                found[name]["memory"].append(memory and round(memory))
                if not got:
                    print(f"{name:32} not measured")
                    continue
                first = first or got
                if abs(got[0] - first[0]) > 1e-9:
                    raise AssertionError(f"{name}: {got[0]}, in memory {first[0]}")
                print(f"{name:32} {seconds:8.2f} {seconds / first[1]:12.1f} {memory:8.0f}")
    print("\nexponents, from size to size: seconds; memory")
    for name, figures in found.items():
        said = [
            ", ".join("–" if e is None else f"{e:.2f}" for e in exponents(figures[what]))
            for what in ("seconds", "memory")
        ]
        print(f"{name:32} {said[0]:>12}; {said[1]:>12}")
    if write:
        rewrite(machine=machine(), rows=SIZES, engines=found)
    broken = []
    for name, (most_times, most_mb) in LIMITS.items():
        times = found[name]["seconds"][-1] / found[FIRST]["seconds"][-1]
        if times > most_times or found[name]["memory"][-1] > most_mb:
            broken.append(name)
    print(f"limits: {', '.join(broken) + ' BROKEN' if broken else 'ok'}")
    sys.exit(bool(broken))


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1:2] == ["copies"]:
        copies(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1:] == ["billion"]:
        billion()
    elif len(sys.argv) == 3:
        measure_here(*sys.argv[1:])
    else:
        main("--write" in sys.argv)
