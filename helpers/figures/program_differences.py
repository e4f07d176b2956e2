"""Where two programs differ: their values for each query, side by side."""

from collections.abc import Mapping
from html import escape

import numpy as np

from helpers.figures.numbers import cells, rounded
from helpers.figures.style import GRAY, INK, MANY_POINTS, OTHERS, frame, rank_ticks, scatter
from helpers.metrics.checks import SAME_VALUE

NEAR = 0.01  # means that are closer hardly part, by the convention of this figure


def program_differences(values):
    """Show on which queries two programs give different values, more than rounding apart.

    Each query has its place on the x axis. Where the two values differ, a circle
    and an open diamond are joined by a line; where they agree, there is one small
    gray dot.

    Parameters
    ----------
    values : dict of str to array-like of shape (n_queries,)
        Two names, and the NDCG of each query under each; no NaN.

    Returns
    -------
    go.Figure

    Raises
    ------
    ValueError
        If there are not two series, if they differ in length or are empty, if a
        value is not a finite number.

    Notes
    -----
    Taught in notebook *your_own_ndcg*.
    """
    (one, first), (other, second) = _two_series(values)
    parts = np.abs(first - second) > SAME_VALUE
    queries = len(first)
    axes = dict(
        xaxis=dict(title_text="query", range=[0.3, queries + 0.7], tickvals=rank_ticks(queries)),
        yaxis=dict(title_text="NDCG of the query", **_room(first, second)),
    )
    if _above_one(first, second):
        axes["shapes"] = [_line_at_one()]
    return frame(
        (_traces((one, other), first, second, parts), axes),
        title=_finding(first, second, parts),
        sentence=_sentence((one, other), first, second, parts),
        table=_table((one, other), first, second, parts),
        height=400,
    )


def _two_series(values):
    """Return (name, array) of both programs, or raise."""
    if not isinstance(values, Mapping):
        raise ValueError(f"values must be a dict of two names, got a {type(values).__name__}")
    if len(values) != 2:
        raise ValueError(f"values must hold 2 entries, got {len(values)}: {list(values)}")
    series = [(name, _one_series(name, column)) for name, column in values.items()]
    lengths = [len(column) for _, column in series]
    if lengths[0] != lengths[1]:
        raise ValueError(f"values must be of equal length, got {lengths[0]} and {lengths[1]}")
    return series


def _one_series(name, column):
    try:
        column = np.asarray(column, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"values[{name!r}] must be numbers: {error}") from error
    if column.ndim != 1 or len(column) == 0:
        raise ValueError(
            f"values[{name!r}] must hold one value for each query, got shape {column.shape}"
        )
    wrong = np.flatnonzero(~np.isfinite(column))
    if len(wrong):
        raise ValueError(
            f"values[{name!r}] must be finite, got {column[wrong[0]]} for query {wrong[0] + 1}; "
            "give an empty query a number in both, or leave it out of both"
        )
    return column


def _traces(names, first, second, parts):
    """Return the lines, then the circles, the open diamonds and the gray dots."""
    queries = np.arange(1, len(parts) + 1)
    circle = dict(symbol="circle", size=10, color=OTHERS[0].color)
    # Open, so that a circle below it can be seen.
    diamond = dict(symbol="diamond-open", size=13, color=OTHERS[1].color, line=dict(width=2.5))
    dot = dict(symbol="circle", size=6, color=GRAY)
    return [
        _joins(queries[parts], first[parts], second[parts]),
        _markers(names[0], circle, queries[parts], first[parts]),
        _markers(names[1], diamond, queries[parts], second[parts]),
        _markers("both agree", dot, queries[~parts], first[~parts]),
    ]


def _joins(queries, first, second):
    """Return one line for each query, in one trace: None lifts the pen."""
    x, y = [], []
    for query, one, other in zip(queries.tolist(), first, second, strict=True):
        x += [query, query, None]
        y += [*rounded([one, other]), None]
    line = dict(color=INK, width=2)
    return scatter(x, y, "they part", line=line, showlegend=False)


def _markers(name, look, queries, column):
    return dict(
        type="scatter",
        x=queries.tolist(),
        y=rounded(column),
        mode="markers",
        name=escape(str(name)),
        marker=look,
        cliponaxis=False,
        showlegend=len(queries) > 0,
        hovertemplate="query %{x}: %{y:.4f}",
    )


def _room(first, second):
    """Return a range that holds 0 and 1 and every value."""
    low, high = min(0, first.min(), second.min()), max(1, first.max(), second.max())
    margin = 0.06 * (high - low)
    return dict(range=rounded([low - margin, high + margin]))


def _above_one(first, second):
    """Count the values that no NDCG can have."""
    return sum(int((column > 1 + SAME_VALUE).sum()) for column in (first, second))


def _line_at_one():
    """Return a line at 1; its name stands in the legend, where it covers no value."""
    look = dict(color=GRAY, width=2, dash="dot")
    ends = dict(x0=0, x1=1, xref="x domain", y0=1, y1=1, yref="y")
    words = dict(name="1, the highest NDCG", showlegend=True)
    return dict(type="line", line=look, layer="below", **ends, **words)


def _finding(first, second, parts):
    count, queries = int(parts.sum()), _queries(len(parts))
    if count == 0:
        return f"They agree on {_all(len(parts))}"
    means = f"{first.mean():.4f} and {second.mean():.4f}"
    apart = abs(first.mean() - second.mean())
    found = f"They part on {count} of {queries}"
    if apart <= SAME_VALUE:
        return f"{found}, yet the means are equal: {first.mean():.4f}"
    if apart < NEAR:
        return f"{found}, yet the means hardly: {means}"
    return f"{found}; the means are {means}"


def _queries(count):
    return f"{count} queries" if count > 1 else "1 query"


def _all(count):
    return f"all {count} queries" if count > 1 else "the only query"


def _sentence(names, first, second, parts):
    one, other = names
    means = f"Means: {first.mean():.4f} and {second.mean():.4f}."
    if not parts.any():
        return f"{one} and {other} agree within {SAME_VALUE:g} on {_all(len(parts))}. {means}"
    most = _most_different_first(first, second, parts)[0]
    above = _above_one(first, second)
    warning = f" Above 1: {above}." if above else ""
    return (
        f"{one} and {other} part on {parts.sum()} of {_queries(len(parts))}, most on query "
        f"{most + 1}: {first[most]:.4f} and {second[most]:.4f}. {means}{warning}"
    )


def _most_different_first(first, second, shown):
    """Return the positions shown, the largest difference first, equal ones in order."""
    # Rounded, or the last bit, which differs between processors, would decide.
    sizes = np.round(np.abs(first - second), 9)
    return [i for i in np.argsort(-sizes, kind="stable").tolist() if shown[i]]


def _table(names, first, second, parts):
    """Return few queries whole; of many those that part, and how many were left out."""
    whole = len(parts) <= MANY_POINTS
    listed = range(len(parts)) if whole else _most_different_first(first, second, parts)
    rows = [_row(i + 1, first[i], second[i]) for i in listed]
    left_out = len(parts) - len(rows)
    if left_out:
        rows.append([f"{left_out} more, which agree", None, None, None])
    rows.append(_row(f"mean of {len(parts)}", first.mean(), second.mean()))
    return ("query", *map(str, names), "difference"), rows


def _row(label, one, other):
    return [label, *cells([one, other, other - one])]
