"""Tables as text, for notebooks and terminals."""

from collections.abc import Mapping

from ndcglib.metrics.checks import as_list, as_names, check_whole
from wording import aligned, format_cell

__all__ = ["text_table"]
MOST_DIGITS = 20  # of a cell


def text_table(header, rows, *, digits=4):
    """Return the same table in plain text, columns aligned to the right.

    Rows may also be a dict: of the name that begins a row to the rest of it.

    Raises
    ------
    TypeError, ValueError
        If `header` is not a list, a row has not a cell for each name of it, or `digits` is not
        a whole number from 0 to 20.

    Examples
    --------
    >>> print(text_table(["", "low", "high"], {"a": [0.25, 1.0], "b": [0.5, 0.75]}))
          low    high
    a  0.2500  1.0000
    b  0.5000  0.7500
    """
    if isinstance(rows, Mapping):
        rows = [[name, *as_list(rest, f"rows[{name!r}]", "cells")] for name, rest in rows.items()]
    digits = check_whole(digits, "digits", 0, MOST_DIGITS)
    lines = [as_names(header, "header")]
    for i, row in enumerate(as_list(rows, "rows", "rows, or a dict of them")):
        lines.append([format_cell(value, digits) for value in as_list(row, f"rows[{i}]", "cells")])
        if len(lines[-1]) != len(lines[0]):
            raise ValueError(
                f"header and rows must be of one length, got {len(lines[0])} names and "
                f"{len(lines[-1])} cells in rows[{i}]"
            )
    return aligned(lines)
