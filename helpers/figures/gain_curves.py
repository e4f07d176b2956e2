"""The chart of notebook 05: what a grade is worth under several gains."""

from html import escape

import numpy as np
import plotly.graph_objects as go

from helpers.figures.style import OTHERS, check_entries, frame, line
from helpers.metrics import gain_values
from helpers.metrics.checks import SAME_VALUE


def gain_curves(gains, grades=range(0, 5), *, title=None):
    """Show what each grade is worth, as a share of what the top grade is worth.

    The scale of a gain cancels in NDCG: twice the gain for every grade changes
    nothing. So each gain is divided by its gain of the top grade, and what is left
    is its shape.

    Parameters
    ----------
    gains : dict of str to gain
        One to five names, each with a gain that `helpers.metrics.gain_values` takes:
        "linear", "exponential", a table or a function.
    grades : sequence of numbers, default=range(0, 5)
        At least two, rising; the last is the top grade.
    title : str, optional
        The finding; by default the grade on which the gains differ most.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If there are no gains or too many, if the grades do not rise, if a gain does
        not fit the grades, or if it gives the top grade nothing.

    Notes
    -----
    Taught in notebook 05.
    """
    grades = _rising(grades)
    check_entries(gains, "gains", len(OTHERS))
    raw = {str(name): gain_values(grades, gain).tolist() for name, gain in gains.items()}
    shares = {name: _shares(name, values, grades[-1]) for name, values in raw.items()}
    traces = [
        line(grades, values, escape(name), look, width=4)
        for (name, values), look in zip(shares.items(), OTHERS, strict=False)
    ]
    layout = dict(
        xaxis=dict(title_text="grade of the document", tickvals=grades),
        yaxis=dict(
            title_text=f"gain, as share of grade {grades[-1]:g}",
            tickformat=".0%",
            rangemode="tozero",
        ),
    )
    return frame(
        go.Figure(traces, layout),
        title=title or _finding(shares, grades),
        sentence=_sentence(shares, grades),
        table=_table(raw, shares, grades),
    )


def _rising(grades):
    grades = list(grades)
    if len(grades) < 2 or not (np.diff(gain_values(grades)) > 0).all():
        raise ValueError(f"grades must be at least two and rise, got {grades}")
    return np.asarray(grades).tolist()


def _shares(name, values, top):
    if values[-1] <= 0:
        raise ValueError(
            f"gains[{name!r}] must give the top grade more than 0, "
            f"got {values[-1]:g} for grade {top:g}"
        )
    return [value / values[-1] for value in values]


# --- the words ------------------------------------------------------------------------


def _finding(shares, grades):
    """Say on which grade the gains differ most, and by how much."""
    spreads = [max(column) - min(column) for column in zip(*shares.values(), strict=True)]
    # The top grade is 100% for all; where nothing differs, a middle grade says most.
    most = max(spreads) > SAME_VALUE
    place = int(np.argmax(spreads)) if most else (len(grades) - 1) // 2
    at = {name: values[place] for name, values in shares.items()}
    low, high = (f"{at[name]:.1%} ({name})" for name in (min(at, key=at.get), max(at, key=at.get)))
    worth = f"from {low} to {high}" if most else f"{next(iter(at.values())):.1%}"
    return escape(f"A grade {grades[place]:g} is worth {worth} of a grade {grades[-1]:g}")


def _sentence(shares, grades):
    listed = ", ".join(f"{grade:g}" for grade in grades)
    worth = [
        f"{name}: {', '.join(f'{value:.1%}' for value in values)}"
        for name, values in shares.items()
    ]
    return f"Gains of grades {listed} as shares of grade {grades[-1]:g}; {'; '.join(worth)}."


def _table(raw, shares, grades):
    header = ["grade"]
    for name in raw:
        header += [f"{name}: gain", f"{name}: share"]
    rows = [[f"{grade:g}"] for grade in grades]
    for name in raw:
        for row, gain, share in zip(rows, raw[name], shares[name], strict=True):
            row += [f"{round(gain, 4):g}", f"{share:.1%}"]
    return header, rows
