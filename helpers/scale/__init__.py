"""The same NDCG where a table is too large, or stands somewhere else than in memory.

Taught in notebook *scale*.

1. `sql`: one SQL text for DuckDB, SQLite, Polars and Spark
2. `parquet`: a Parquet file of any size, some hundred thousand rows at a time
3. `ndcg.R`: the same in base R
"""

from pathlib import Path

from helpers.scale.parquet import ndcg_parquet
from helpers.scale.sql import ndcg_sql, on_sqlite

R_FILE = Path(__file__).parent / "ndcg.R"

__all__ = ["R_FILE", "ndcg_parquet", "ndcg_sql", "on_sqlite"]
