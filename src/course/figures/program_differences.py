"""Where two programs differ: a bar for each query, sorted by its difference."""

from collections.abc import Mapping
from html import escape

import numpy as np

from helpers.marks import note
from helpers.numbers import cells, rounded, signed
from helpers.style import (
    BLUE,
    GRAY,
    INK,
    MANY_POINTS,
    VERMILLION,
    frame,
    scatter,
    words_checked,
)
from ndcglib.metrics.checks import SAME_VALUE

NEAR = 0.01  # means that are closer hardly differ, by the convention of this figure
LEAST_SCALE = 0.05  # of the axis, so that rounding is no bar
NAMED_QUERIES = 30  # so many have room for their numbers below the bars


@words_checked
def program_differences(values, *, measure="NDCG"):
    """Show by how much the second program is above the first, query by query, sorted.

    A bar below 0 says that the first gives more, a bar above 0 the second; a dot at 0 stands
    for a query on which they give the same, up to rounding.

    Parameters
    ----------
    values : dict of str to array-like of shape (n_queries,)
        Two names, and the NDCG of each query under each; no NaN.
    measure : str, default="NDCG"
        What the values are, such as "NDCG@5".

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If there are not two series, if they differ in length or are empty, if a
        value is not a finite number.

    Notes
    -----
    Taught in notebook *your_own_ndcg*.
    """
    (one, first), (other, second) = series = _two_series(values)
    differences = differences_of(first, second)
    order = by_difference(differences)
    names = [f"{escape(str(name))} gives more" for name in (one, other)]
    queries = [i + 1 for i in order]
    axes = dict(
        xaxis=dict(
            title_text="query, sorted by its difference",
            tickvals=list(range(1, len(order) + 1)) if len(order) <= NAMED_QUERIES else [],
            ticktext=[str(query) for query in queries] if len(order) <= NAMED_QUERIES else [],
            range=[0.3, len(order) + 0.7],
        ),
        yaxis=difference_axis(differences) | dict(title_text=f"difference of {measure}"),
        annotations=_ends(differences[order], queries),
    )
    return frame(
        (difference_traces(differences[order], queries, names), axes),
        title=finding(first, second),
        sentence=_sentence(series, differences),
        table=_table(series, differences),
        height=400,
    )


def differences_of(first, second):
    """Return second − first, and exactly 0 where the two are the same up to rounding."""
    differences = second - first
    return np.where(np.abs(differences) > SAME_VALUE, differences, 0.0)


def by_difference(differences, groups=None):
    """Return the positions, the lowest difference first; by group first.

    Of equal ones the first is the outermost: below 0 at the left, above 0 at the right.
    """
    # Rounded, or the last bit, which differs between processors, would decide.
    rounded_differences = np.round(differences, 9)
    outward = np.arange(len(differences)) * np.where(rounded_differences > 0, -1, 1)
    keys = (outward, rounded_differences)
    return np.lexsort(keys if groups is None else (*keys, groups)).tolist()


def difference_traces(differences, queries, names):
    """Return the bars below 0, those above, and a dot at 0 for each query without one.

    Both are sorted, and stand at 1, 2, 3 and so on; `queries` are what they are called, `names`
    what the bars are.
    """
    places = np.arange(1, len(differences) + 1)
    kinds = [(differences < 0, BLUE), (differences > 0, VERMILLION)]
    hover = "query %{customdata}: %{y:+.4f}<extra></extra>"
    bars = [
        dict(
            type="bar",
            x=places[chosen].tolist(),
            y=rounded(differences[chosen]),
            name=name,
            width=0.8,  # or few bars would be as wide as the gaps between them
            marker=dict(color=color),
            customdata=[queries[place] for place in np.flatnonzero(chosen)],
            hovertemplate=hover,
            showlegend=bool(chosen.any()),
        )
        for name, (chosen, color) in zip(names, kinds, strict=True)
    ]
    same = differences == 0
    dots = scatter(
        places[same].tolist(),
        [0] * int(same.sum()),
        "equal",
        marker=dict(symbol="circle", size=7, color=GRAY),
        cliponaxis=False,
        showlegend=bool(same.any()),
    )
    return [*bars, dots]


def difference_axis(differences):
    """Return an axis with a line at 0, and room for all differences and a number at each end."""
    low, high = min(0, differences.min()), max(0, differences.max())
    margin = 0.16 * max(high - low, LEAST_SCALE)
    return dict(range=rounded([low - margin, high + margin]), zeroline=True, zerolinecolor=INK)


def _ends(differences, queries):
    """Write the lowest and the highest difference at their bars."""
    ends = []
    for place, anchor in ((1, "top"), (len(queries), "bottom")):
        difference = float(differences[place - 1])
        is_outward = difference < 0 if anchor == "top" else difference > 0
        if is_outward:
            at = dict(x=place, y=round(difference, 6), xref="x", yref="y", yanchor=anchor)
            side = dict(xanchor="left" if anchor == "top" else "right")
            text = f"query {queries[place - 1]}: {signed(difference, plus=True)}"
            ends.append(note(text, **at, **side))
    return ends


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


def finding(first, second):
    """Say on how many queries two programs differ, and what that does to the means."""
    count, queries = int((differences_of(first, second) != 0).sum()), _queries(len(first))
    if count == 0:
        return f"They agree on {_all(len(first))}"
    means = f"{first.mean():.4f} and {second.mean():.4f}"
    apart = abs(first.mean() - second.mean())
    found = f"They differ on {count} of {queries}"
    above = sum(int((column > 1 + SAME_VALUE).sum()) for column in (first, second))
    warning = f"; {above} above 1" if above else ""  # no NDCG can be
    if apart <= SAME_VALUE:
        return f"{found}, yet both means are {first.mean():.4f}{warning}"
    if apart < NEAR:
        return f"{found}, yet the means hardly differ: {means}{warning}"
    return f"{found}; means {means}{warning}"


def _queries(count):
    return f"{count} queries" if count > 1 else "1 query"


def _all(count):
    return f"all {count} queries" if count > 1 else "the only query"


def _sentence(series, differences):
    (one, first), (other, second) = series
    means = f"Means: {first.mean():.4f} and {second.mean():.4f}."
    if not differences.any():
        return f"{one} and {other} agree within {SAME_VALUE:g} on {_all(len(first))}. {means}"
    most = _most_different_first(differences)[0]
    return (
        f"{one} and {other} differ on {np.count_nonzero(differences)} of {_queries(len(first))}, "
        f"most on query {most + 1}: {first[most]:.4f} and {second[most]:.4f}. {means}"
    )


def _most_different_first(differences):
    """Return the positions of those that differ, the largest first, equal ones in order."""
    return [i for i in by_difference(-np.abs(differences)) if differences[i]]


def _table(series, differences):
    """Return few queries whole; of many those that differ, and how many were left out."""
    (one, first), (other, second) = series
    whole = len(first) <= MANY_POINTS
    listed = range(len(first)) if whole else _most_different_first(differences)
    rows = [_row(i + 1, first[i], second[i]) for i in listed]
    left_out = len(first) - len(rows)
    if left_out:
        rows.append([f"{left_out} more, which agree", None, None, None])
    rows.append(_row(f"mean of {len(first)}", first.mean(), second.mean()))
    return ("query", str(one), str(other), "difference"), rows


def _row(label, one, other):
    return [label, *cells([one, other, other - one])]
