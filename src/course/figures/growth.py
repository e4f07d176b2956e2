"""Curves over sizes, both axes logarithmic: a power of the size is a straight line."""

import math

from helpers.numbers import cells
from helpers.style import (
    ON_THE_RIGHT,
    OTHERS,
    frame,
    line,
    side_by_side,
    words_checked,
)
from ndcglib.metrics.checks import as_list, as_number, brief, check_count, check_entries

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
TOP = 0.2  # decades above the highest tick, so that its label keeps off the legend
MANY = 100  # from here on a value is written without decimals


@words_checked
def growth(x, panels, *, x_title, title):
    """Show how one or two things grow with a size, on logarithmic axes.

    Parameters
    ----------
    x : sequence of int
        The sizes, rising, at least two.
    panels : dict of str to (dict of str to sequence of float or None)
        For each panel, by the title of its axis, up to five curves by name: a value above 0
        for each size, None where there is none. Both panels have the same names.
    x_title, title : str

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are too many panels or curves, or a curve has not one value for each size.

    Notes
    -----
    Taught in notebook *scale*.
    """
    check_entries(panels, "panels", 2)
    x = [check_count(size, f"x[{i}]") for i, size in enumerate(as_list(x, "x", "sizes"))]
    if len(x) < 2 or sorted(set(x)) != x:
        raise ValueError(f"x must hold at least two sizes that rise, got {brief(x)}")
    traces, layout = [], side_by_side(gap=0.18) if len(panels) == 2 else dict(xaxis={}, yaxis={})
    ticks = [_power(size) for size in x]
    for i, (y_title, curves) in enumerate(panels.items()):
        check_entries(curves, f"panels[{y_title!r}]", len(OTHERS))
        for (name, values), look in zip(curves.items(), OTHERS, strict=False):
            if len(as_list(values, f"panels: {name!r}", "values")) != len(x):
                raise ValueError(
                    f"{name!r} must have a value for each of {len(x)} sizes, got {len(values)}"
                )
            for value in values:
                if value is not None:
                    as_number(value, f"panels: {name!r}", " above 0, or None", lambda v: v > 0)
            there = [(size, v) for size, v in zip(x, values, strict=True) if v is not None]
            place = ON_THE_RIGHT | dict(showlegend=False) if i else {}
            traces.append(line(*zip(*there, strict=True), name, look, **place))
        number = "" if not i else "2"
        layout[f"xaxis{number}"] |= dict(
            type="log", title_text=x_title, tickvals=list(x), ticktext=ticks
        )
        layout[f"yaxis{number}"] |= dict(type="log", title_text=y_title, **_decades(curves))
    columns = [cells(v) for curves in panels.values() for v in curves.values()]
    return frame(
        (traces, layout),
        title=title,
        sentence=" ".join(_in_words(x, *panel) for panel in panels.items()),
        table=(
            [x_title, *(f"{name}, {y}" for y, curves in panels.items() for name in curves)],
            [
                [f"{size:,}", *map(_cell, values)]
                for size, *values in zip(x, *columns, strict=True)
            ],
        ),
    )


def _decades(curves):
    """Return the range and the ticks of an axis: 1, 10, 100 and so on, one to each side."""
    values = [v for curve in curves.values() for v in curve if v is not None]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    powers = [10.0**power for power in range(low, high + 1)]
    return dict(range=[low, high + TOP], tickvals=powers, ticktext=[f"{p:,g}" for p in powers])


def _power(size):
    """Write 100,000 as 10⁵, and what is no power of ten as it is."""
    power = len(str(size)) - 1
    return f"10{str(power).translate(RAISED)}" if size == 10**power else f"{size:,}"


def _written(value):
    return f"{value:,.0f}" if value >= MANY else f"{value:.3g}"


def _cell(value):
    """Return a value as the table shows it: large ones whole, so that columns stay narrow."""
    return round(value) if value is not None and value >= MANY else value


def _in_words(x, y_title, curves):
    said = []
    for name, values in curves.items():
        there = [(size, v) for size, v in zip(x, values, strict=True) if v is not None]
        upto = "" if there[-1][0] == x[-1] else f" at {there[-1][0]:,}"
        said.append(f"{name} {_written(there[0][1])} to {_written(there[-1][1])}{upto}")
    return f"From {x[0]:,} to {x[-1]:,}, {y_title}: {'; '.join(said)}."
