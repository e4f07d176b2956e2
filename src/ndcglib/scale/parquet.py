"""NDCG of a Parquet file that need not fit into memory."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ndcglib.metrics import ndcg_long
from ndcglib.metrics.checks import as_path, check_empty, check_flag, check_text
from ndcglib.metrics.scores import settle_empty
from wording import nearest

ROWS = 2**17  # that are read at a time: some 5 MB, and some thousand queries
QUIET_SECONDS = 1.0  # before a bar is shown


def ndcg_parquet(
    path,
    *,
    query="query",
    relevance="relevance",
    score="score",
    k=None,
    gain="linear",
    empty=0.0,
    per_query=False,
    progress=False,
):
    """Mean NDCG over the queries of a Parquet file, read piece by piece.

    The file must be sorted by query, so that the rows of each stand together. Memory holds
    one piece, whatever the size of the file; a query that goes on in the next piece waits
    for the rest of its rows.

    Parameters
    ----------
    path : str or Path
    query, relevance, score : str
        The names of the columns; others are not read.
    k, gain, empty, per_query
        As in `ndcglib.metrics.ndcg_long`; a dict of all queries does need memory for them.
    progress : bool, default=False
        Show a bar of rows after a second.

    Returns
    -------
    float, or dict of query to NDCG with `per_query`

    Raises
    ------
    TypeError, ValueError
        As `ndcg_long`; a note says in which rows. Also if a column is missing, if a query is
        NULL, if the file is not sorted by query, if it has no rows, or if it holds decimals of
        more than 15 digits.

    Notes
    -----
    Decimals become doubles, which keep 15 digits apart, so they tie where they did before.
    Nothing is written, so an interrupt leaves nothing behind. Taught in notebook *scale*.
    """
    check_empty(empty, per_query)
    check_flag(progress, "progress")
    columns = [query, relevance, score]
    for column, name in zip(columns, ("query", "relevance", "score"), strict=True):
        check_text(column, name)
    path = as_path(path, "path")
    of_each, n_full, n_empty, total = {}, 0, 0, 0.0
    for q, y, s, where in _pieces(path, columns, progress):
        try:
            values = ndcg_long(q, y, s, k=k, gain=gain, empty=float("nan"), per_query=True)
        except (TypeError, ValueError) as error:
            error.add_note(where)
            raise
        if per_query:
            of_each |= values
        found = np.fromiter(values.values(), float)
        is_empty = np.isnan(found)
        n_empty += int(is_empty.sum())
        n_full += int((~is_empty).sum())
        total += float(found[~is_empty].sum())
    if per_query:
        return {q: empty if np.isnan(value) else value for q, value in of_each.items()}
    parts = [(total / max(n_full, 1), n_full), (np.nan, n_empty)]
    values, weights = zip(*[part for part in parts if part[1]], strict=True)
    return settle_empty(np.array(values), np.array(weights, float), empty, per_query)


def _pieces(path, columns, progress):
    """Yield the columns of some whole queries, one after the other, and words for where."""
    from tqdm.auto import tqdm  # here: who never walks a file need not wait for it to load

    with pq.ParquetFile(path, pre_buffer=False) as file:  # else it keeps all
        _check_file(file, path, columns)
        total = file.metadata.num_rows
        look = dict(unit="row", unit_scale=True, delay=QUIET_SECONDS, leave=False)
        with tqdm(total=total, disable=not progress, **look) as bar:
            held, done = None, 0
            for batch in file.iter_batches(ROWS, columns=columns):
                where = f"in the rows from {done:,} on"
                piece = [_as_array(batch.column(name), name, where) for name in columns]
                if held:
                    piece = [np.concatenate(pair) for pair in zip(held, piece, strict=True)]
                ids = piece[0]
                if (ids[1:] < ids[:-1]).any():
                    raise ValueError(
                        f"the file must be sorted by {columns[0]}, and is not {where}; write it "
                        "anew, with ORDER BY, so that all rows of a query stand together"
                    )
                last = int(np.searchsorted(ids, ids[-1]))
                if last:
                    yield *(column[:last] for column in piece), where
                held = [column[last:] for column in piece]
                done += len(batch)
                bar.update(len(batch))
            yield *held, where
    pa.default_memory_pool().release_unused()  # some 30 MB, which Arrow would keep


def _check_file(file, path, columns):
    there = file.schema_arrow.names
    missing = [name for name in columns if name not in there]
    if missing:
        raise ValueError(
            f"{path} has no column {missing[0]!r}; it has {', '.join(there)}"
            f"{nearest(missing[0], there)}"
        )
    if not file.metadata.num_rows:
        raise ValueError(f"{path} has no rows; give at least one query with one document")


def _as_array(column, name, where):
    if column.null_count:
        raise ValueError(f"{name} must not be NULL, but is {where}; drop what it belongs to")
    if pa.types.is_decimal(column.type):
        return _as_doubles(column, name, where)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return column.to_numpy(zero_copy_only=False)
    values = column.to_pylist()  # texts; what else there may be, ndcg_long refuses
    is_text = isinstance(values[0], (str, bytes))  # NumPy would cut a zero at the end of one
    return np.array(values, dtype=object if is_text else None)


def _as_doubles(decimals, name, where):
    """Return decimals as doubles, unless two of them may become one."""
    values = decimals.cast(pa.float64()).to_numpy(zero_copy_only=False)
    if np.abs(values).max() * 10.0**decimals.type.scale >= 10**15:
        raise ValueError(
            f"{name} must have at most 15 digits as a decimal, but is {decimals.type} and has "
            f"more {where}; round it, or write it as DOUBLE"
        )
    return values
