"""A matrix of values as a picture: one row for each name, the number in every cell."""

from collections.abc import Mapping

from helpers.style import FONT, INK, frame, words_checked
from ndcglib.metrics.checks import as_list, as_names, as_number, check_entries

ROW = 26  # pixels
LOW, HIGH = "#E6F1F8", "#8FC1E3"  # ink on them is easy to read; what is missing is white


@words_checked
def matrix(rows, columns, *, title, measure="NDCG"):
    """Show a matrix, the darker the higher, with its numbers; what is missing is a dash.

    Parameters
    ----------
    rows : dict of str to sequence of float or None
        Values from 0 to 1 by name, one for each column; None where there is none.
    columns : sequence of str, or dict by them
    title : str
    measure : str, default="NDCG"
        What the values are.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are no rows, or if one does not have a value from 0 to 1, or None, for each
        column.

    Notes
    -----
    Taught in notebook *conventions*.
    """
    columns = as_names(list(columns) if isinstance(columns, Mapping) else columns, "columns")
    check_entries(rows, "rows")
    for name, values in rows.items():
        what = f"rows[{name!r}]"
        for value in as_list(values, what, "numbers"):
            if value is not None:
                as_number(value, what, " from 0 to 1, or None", lambda v: 0 <= v <= 1)
        if len(values) != len(columns):
            raise ValueError(
                f"rows must have a value for each of {len(columns)} columns, "
                f"but {name!r} has {len(values)}"
            )
    values = [[None if v is None else round(v, 6) for v in row] for row in rows.values()]
    cells = dict(
        type="heatmap",
        x=columns,
        y=list(rows),
        z=values,
        zmin=0,
        zmax=1,
        colorscale=[[0, LOW], [1, HIGH]],
        showscale=False,
        xgap=2,
        ygap=2,
        text=[["–" if v is None else f"{v:.3f}" for v in row] for row in values],
        texttemplate="%{text}",
        textfont=dict(size=13, color=INK, family=FONT),
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
    )
    axes = dict(
        xaxis=dict(side="top", showgrid=False, showline=False, ticks="", tickfont=dict(size=14)),
        yaxis=dict(
            autorange="reversed", showgrid=False, showline=False, ticks="", automargin=True
        ),
    )
    distinct = {
        column: len({row[i] for row in values if row[i] is not None})
        for i, column in enumerate(columns)
    }
    words = "; ".join(f"{n} on {column}" for column, n in distinct.items())
    table = [[name, *row] for name, row in zip(rows, values, strict=True)]
    counted = ["different values", *distinct.values()]
    return frame(
        ([cells], axes),
        title=title,
        sentence=f"Different values of {measure}: {words}.",
        table=(["", *columns], [*table, counted]),
        legend=False,
        height=ROW * len(rows) + 120,
        margin=dict(l=240, r=16, t=96, b=16),
    )
