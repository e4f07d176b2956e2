"""The same NDCG where a table is too large, or stands somewhere else than in memory.

Taught in notebooks *sql* and *scale*.

1. `sql`: one SQL text for DuckDB, SQLite, Polars and Spark
2. `parquet`: a Parquet file of any size, piece by piece
3. `ndcg.R`: the same in base R
4. `negatives`: NDCG among sampled negatives, and among all of them
5. `measured.json`: what each of them takes; `python benchmarks/scale.py --write` writes it
"""

import json
from pathlib import Path

from ndcglib.scale.negatives import sampled_ndcg
from ndcglib.scale.parquet import ndcg_parquet
from ndcglib.scale.sql import ndcg_sql, on_sqlite

R_FILE = Path(__file__).parent / "ndcg.R"
MEASURED = json.loads((Path(__file__).parent / "measured.json").read_text(encoding="utf-8"))

__all__ = ["MEASURED", "R_FILE", "ndcg_parquet", "ndcg_sql", "on_sqlite", "sampled_ndcg"]
