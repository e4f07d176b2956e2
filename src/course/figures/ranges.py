"""A row for each of several rankers or groups: what orders reach, means, their intervals."""

from html import escape
from typing import NamedTuple

import numpy as np

from helpers.marks import HALF_WHITE, note, vertical
from helpers.numbers import cells, counted, rounded, signed, written
from helpers.style import BLUE, GRAY, INK, MANY_POINTS, PALE_BLUE, frame, scatter, words_checked
from ndcglib.metrics.checks import (
    SAME_VALUE,
    all_finite,
    as_array,
    as_flat,
    as_names,
    as_query_ids,
    brief,
    check_entries,
    check_text,
)
from wording import nearest

ROW = 44  # pixels for each model, at least
AROUND = 180  # pixels above and below the rows
THICK = 14  # pixels
LEAST_HEIGHT = 400
MOST_ROWS = 40
DOT_ROW = 34  # pixels for each row of dots
DOTS_AROUND = 172  # pixels above and below them
DOT = 12  # pixels across
IN_COLUMN = dict(xref="x domain", xanchor="left", xshift=10)
GROUP_ROW = 22  # pixels for each row of a group
NEAR_ZERO = 0.25  # of what the means span: nearer to 0 a number would lie across its line
OF_ONE = 5  # pixels across, the dot of a group of one; areas are in proportion to the sizes


@words_checked
def order_ranges(ranges, *, title, measure="NDCG"):
    """Show for each model what its orders reach: the worst, all on average, the best.

    Parameters
    ----------
    ranges : dict of str to (float, float, float)
        Name of a model to the value of the worst order that its ties allow, the average
        over all of them, and the value of the best. The first stands on top.
    title : str
        The finding.
    measure : str
        What the values are.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there is no model, or three values do not rise.

    Notes
    -----
    Taught in notebook *ties*.
    """
    rows = _checked(ranges)
    names = [escape(str(name)) for name in ranges]
    worst, average, best = ([row[i] for row in rows] for i in range(3))
    height = max(LEAST_HEIGHT, AROUND + ROW * len(rows))
    thick = THICK * len(rows) / (height - AROUND)  # in rows
    layout = dict(
        xaxis=dict(title_text=measure, range=[-0.02, 1.05], showgrid=True),
        yaxis=dict(autorange="reversed", showgrid=False, ticks=""),
    )
    return frame(
        ([_bars(names, worst, best, thick), _averages(names, average)], layout),
        title=title,
        sentence=_sentence(list(ranges), rows),
        table=(
            ("name", "worst order", "average", "best order"),
            [[name, *cells(row)] for name, row in zip(ranges, rows, strict=True)],
        ),
        height=height,
    )


def _checked(ranges):
    check_entries(ranges, "ranges", MOST_ROWS)
    rows = []
    for name, values in ranges.items():
        values = as_flat(values, f"ranges[{name!r}]").astype(float).tolist()
        if len(values) != 3:
            raise ValueError(f"ranges[{name!r}] must hold 3 values, got {len(values)}")
        if not values[0] <= values[1] + SAME_VALUE or not values[1] <= values[2] + SAME_VALUE:
            raise ValueError(f"ranges[{name!r}] must be worst, average, best; got {values}")
        rows.append(values)
    return rows


def _bars(names, worst, best, thick):
    """Return the ranges as bars that begin at the worst value."""
    return dict(
        type="bar",
        x=rounded(b - w for w, b in zip(worst, best, strict=True)),
        y=names,
        base=rounded(worst),
        orientation="h",
        width=round(thick, 3),
        marker=dict(color=PALE_BLUE, line=dict(color=INK, width=1.5)),
        name="from the worst to the best order",
        hoverinfo="skip",
    )


def _averages(names, values):
    return dict(
        type="scatter",
        x=rounded(values),
        y=names,
        mode="markers+text",
        marker=dict(symbol="circle", size=13, color=BLUE),
        text=[f"<b>{v:.3f}</b>" for v in values],
        textposition="top center",
        textfont=dict(size=15),
        name="average of all orders",
        cliponaxis=False,
    )


def _sentence(names, rows):
    parts = [
        f"{name} {average:.3f} ({worst:.3f} to {best:.3f})"
        for name, (worst, average, best) in zip(names, rows, strict=True)
    ]
    return f"Average over all orders, and the range: {'; '.join(parts)}."


# --- dots -----------------------------------------------------------------------------


@words_checked
def dot_plot(rows, *, title, measure, digits=".4f", through=()):
    """Show a number for each row as a dot, and how sure it is as a line through it.

    Parameters
    ----------
    rows : dict of str to float or (float, float, float)
        Name of a row to its number, or to mean, low and high, as `ndcglib.significance.interval`
        returns them. The first stands on top.
    title : str
        The finding.
    measure : str
        What the numbers are.
    digits : str, default=".4f"
        How they are written, as `format` takes it; ".1%" for shares.
    through : sequence of str, optional
        Rows to compare the others with, such as a random and a perfect order: they are
        gray, and a line goes through the dot of each. Without them there is one at 0,
        unless intervals of levels lie far above it.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there is no row, a number is not within its interval, or `through` names no row.

    Notes
    -----
    Taught in notebooks *discount*, *baselines* and *surrogates*.
    """
    found = _checked_rows(rows)
    check_text(digits, "digits")
    try:
        format(0.0, digits)
    except ValueError as error:
        raise ValueError(f"digits must be a format such as '.4f', got {brief(digits)}") from error
    for name in as_names(through, "through"):
        if name not in found:
            raise ValueError(
                f"through must name rows, {', '.join(map(repr, found))}, got {name!r}"
                f"{nearest(name, found)}"
            )
    texts = {name: [written(value, digits) for value in row] for name, row in found.items()}
    has_ends = any(len(row) > 1 for row in texts.values())
    columns = ("mean", "low", "high") if has_ends else (measure,)
    said = "; ".join(f"{name} {_in_words(*row)}" for name, row in texts.items())
    levels = {str(name) for name in through}
    lines = [vertical(round(found[name][0], 6)) for name in found if name in levels]
    ends = () if levels or (has_ends and _is_far_from_0(found, digits)) else (0,)
    lines += [vertical(end, color=INK, dash="solid") for end in ends]
    numbers = [
        _number(i, row, texts[name][0], has_ends) for i, (name, row) in enumerate(found.items())
    ]
    if has_ends:
        numbers.append(note("mean", x=1, y=1, yref="y domain", yanchor="bottom", **IN_COLUMN))
    marks = dict(shapes=[line | {"layer": "below"} for line in lines], annotations=numbers)
    color = [GRAY if name in levels else BLUE for name in found]
    return frame(
        (
            [_dots(list(found.values()), color=color), *_intervals(list(found.values()), color)],
            marks | _dot_axes(found, measure, digits, 1, 1 if has_ends else 4, ends),
        ),
        title=title,
        sentence=f"{measure}: {said}.",
        table=(
            ("name", *columns),
            # A number without an interval may stand among others with one.
            [[name, *row, *[None] * (len(columns) - len(row))] for name, row in texts.items()],
        ),
        height=DOTS_AROUND + (DOT_ROW if len(found) <= MANY_POINTS else GROUP_ROW) * len(found),
        legend=False,
        margin=dict(r=84) if has_ends else None,
    )


def _is_far_from_0(rows, digits):
    """Tell whether all lies farther above 0 than it spreads; of a difference 0 is the point."""
    values = [value for row in rows.values() for value in row]
    return "+" not in digits and min(values) > max(values) - min(values)


def _checked_rows(rows):
    """Return mean, low and high of each row, by its name; or the number alone."""
    check_entries(rows, "rows", MOST_ROWS)
    found = {}
    for name, values in rows.items():
        values = np.atleast_1d(as_array(values, f"rows[{name!r}]"))
        values = as_flat(values, f"rows[{name!r}]").astype(float).tolist()
        mean, low, high = values if len(values) == 3 else values[:1] * 3
        is_inside = low <= mean + SAME_VALUE and mean <= high + SAME_VALUE
        if len(values) not in (1, 3) or not is_inside:
            raise ValueError(
                f"rows[{name!r}] must be one number, or mean, low and high; got {values}"
            )
        found[str(name)] = values
    return found


def _dot_axes(rows, measure, digits, room_below, room_above, ends=(0,)):
    """Return the axes; the one of numbers reaches to all of them, and to `ends`."""
    ends = [*ends, *(value for row in rows.values() for value in row)]
    low, high = min(ends), max(ends)
    pad = 0.04 * (high - low or 1)
    return dict(
        xaxis=dict(
            title_text=measure,
            range=rounded([low - room_below * pad, high + room_above * pad]),
            showgrid=True,
            tickformat=".0%" if digits.endswith("%") else "",
        ),
        yaxis=dict(
            range=[len(rows) - 0.4, -0.6],
            tickvals=list(range(len(rows))),
            ticktext=[escape(name) for name in rows],
            showgrid=False,
            ticks="",
        ),
    )


def _dots(rows, sizes=DOT, color=BLUE):
    return scatter(
        rounded(row[0] for row in rows),
        list(range(len(rows))),
        marker=dict(symbol="circle", size=sizes, color=color, opacity=1),
        cliponaxis=False,
    )


def _intervals(rows, colors):
    """Return a line for each row that has an interval, in the color of its dot."""
    return [
        scatter(rounded(row[1:]), [place] * 2, line=dict(color=color, width=4))
        for place, (row, color) in enumerate(zip(rows, colors, strict=True))
        if row[1:]
    ]


def _number(place, row, written, is_in_column):
    """Return the number of a row: beside its dot, or at the right, where intervals end there."""
    text = f"<b>{written}</b>"
    if is_in_column:
        return note(text, x=1, y=place, yref="y", yanchor="middle", **IN_COLUMN)
    beside = dict(x=round(row[0], 6), y=place, xref="x", yref="y", xanchor="left", xshift=8)
    return note(text, bgcolor=HALF_WHITE, **beside)


def _in_words(mean, *ends):
    return f"{mean} ({' to '.join(ends)})" if ends else mean


# --- groups ---------------------------------------------------------------------------


@words_checked
def group_dots(values, groups, *, measure):
    """Show the mean of each group as a dot, its area in proportion to the group's queries.

    Parameters
    ----------
    values : array-like of shape (n_queries,)
        One number for each query, such as the difference of two rankers.
    groups : array-like of shape (n_queries,)
        The label of each query: the module, the user or the topic that it comes from.
    measure : str
        What the numbers are.

    Returns
    -------
    Chart
        The highest mean stands on top. It, the lowest, that of the largest group and that of the
        group with the largest sum have their numbers.

    Raises
    ------
    TypeError, ValueError
        If the two are not flat rows of equal length, a number is not finite, or there are more
        than 40 groups.

    Notes
    -----
    Taught in notebook *significance*.
    """
    found = _by_group(values, groups)
    sizes = [OF_ONE * group.size**0.5 for group in found]
    rows = {f"{group.name}, {group.size}": [group.mean] for group in found}
    dots = enumerate(zip(found, sizes, strict=True))
    told = _told(found).values()
    near = NEAR_ZERO * (found[0].mean - found[-1].mean)
    numbers = [
        _number_of(place, group.mean, size, near) for place, (group, size) in dots if group in told
    ]
    zero = vertical(0, color=INK, dash="solid") | {"layer": "below"}
    axes = _dot_axes(rows, f"mean of {measure}", ".3f", 4, 9)  # numbers stand beside the dots
    above = sum(group.mean > SAME_VALUE for group in found)
    return frame(
        (
            [_dots(list(rows.values()), rounded(sizes, 2))],
            dict(shapes=[zero], annotations=numbers) | axes,
        ),
        title=f"{measure}: above 0 in {above} of {counted(len(found), 'group', 'groups')}",
        sentence=_group_sentence(found, measure, above),
        table=(
            ("group", "queries", f"mean of {measure}"),
            [[group.name, group.size, *cells([group.mean])] for group in found],
        ),
        height=DOTS_AROUND + GROUP_ROW * len(found),
        legend=False,
    )


class _Group(NamedTuple):
    """One group: what it is called, how many queries it has, the mean of their values."""

    name: str
    size: int
    mean: float


def _told(found):
    """Return the groups that the sentence names, by what they are."""
    named = {"highest": found[0], "lowest": found[-1], "largest": max(found, key=lambda g: g.size)}
    weightiest = max(found, key=lambda g: round(abs(g.mean * g.size), 9))
    return named if weightiest in named.values() else named | {"largest sum": weightiest}


def _number_of(place, mean, size, near):
    """Return the number of a group beside its dot: toward 0, as on a phone the rim is near.

    Of a dot that is `near` to 0 the number is on its other side, or 0's line would strike it.
    """
    shift, is_right = round(size / 2 + 2), (mean < 0) == (abs(mean) > near)
    side = dict(xanchor="left", xshift=shift) if is_right else dict(xanchor="right", xshift=-shift)
    text = f"<b>{signed(mean, 3, plus=True)}</b>"
    return note(text, x=round(mean, 6), y=place, xref="x", yref="y", **side)


def _by_group(values, groups):
    """Return the groups, the highest mean first, equal ones by name."""
    values, labels = as_flat(values, "values"), as_query_ids(groups, "groups")
    if labels.shape != values.shape:
        raise ValueError(
            "values and groups must be flat rows with one entry for each query, got shapes "
            f"{values.shape} and {labels.shape}"
        )
    names, group = np.unique(labels, return_inverse=True)
    sizes = np.bincount(group)
    means = np.bincount(group, values) / sizes
    if not all_finite(means):
        raise ValueError("values must be smaller: their sum leaves float64; divide them")
    found = [_Group(str(n), int(s), float(m)) for n, s, m in zip(names, sizes, means, strict=True)]
    check_entries({one.name: one.mean for one in found}, "groups", MOST_ROWS)
    return sorted(found, key=lambda one: -round(one.mean, 9))


def _group_sentence(found, measure, above):
    """Say the extremes and the largest group."""
    said = [
        f"{which} {one.name} {signed(one.mean, 3, plus=True)} "
        f"({counted(one.size, 'query', 'queries')})"
        for which, one in _told(found).items()
    ]
    return (
        f"{measure}, by group: above 0 in {above} of {counted(len(found), 'group', 'groups')}; "
        f"{', '.join(said)}."
    )
