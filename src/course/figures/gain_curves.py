"""The chart of notebook *gain*: what a grade is worth under several gains."""

from html import escape

import numpy as np

from helpers.style import OTHERS, frame, line, words_checked
from ndcglib.metrics import gain_values
from ndcglib.metrics.checks import SAME_VALUE, check_entries

TOP = 4  # the highest grade
GRADES = list(range(TOP + 1))


@words_checked
def gain_curves(gains, *, title=None):
    """Show what each grade from 0 to 4 is worth, as a share of what grade 4 is worth.

    The scale of a gain cancels in NDCG: twice the gain for every grade changes
    nothing. So each gain is divided by its gain of the top grade, and what is left
    is its shape.

    Parameters
    ----------
    gains : dict of str to gain
        One to five names, each with a gain that `ndcglib.metrics.gain_values` takes:
        "linear", "exponential", a table or a function.
    title : str, optional
        The finding; by default the grade on which the gains differ most.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are no gains or too many, if one does not fit the grades, or if it
        gives the top grade nothing.

    Notes
    -----
    Taught in notebook *gain*.
    """
    check_entries(gains, "gains", len(OTHERS))
    raw = {str(name): gain_values(GRADES, gain).tolist() for name, gain in gains.items()}
    shares = {name: _shares(name, values) for name, values in raw.items()}
    traces = [
        line(GRADES, values, escape(name), look, width=4)
        for (name, values), look in zip(shares.items(), OTHERS, strict=False)
    ]
    layout = dict(
        xaxis=dict(title_text="grade of the document", tickvals=GRADES),
        yaxis=dict(
            title_text=f"gain, as a share of grade {TOP}", tickformat=".0%", rangemode="tozero"
        ),
    )
    return frame(
        (traces, layout),
        title=title or _finding(shares),
        sentence=_sentence(shares),
        table=_table(raw, shares),
    )


def _shares(name, values):
    if values[-1] <= 0:
        raise ValueError(
            f"gains[{name!r}] must give the top grade more than 0, "
            f"got {values[-1]:g} for grade {TOP}"
        )
    return [value / values[-1] for value in values]


# --- the words ------------------------------------------------------------------------


def _finding(shares):
    """Say on which grade the gains differ most, and by how much."""
    spreads = [max(column) - min(column) for column in zip(*shares.values(), strict=True)]
    # The top grade is 100% for all; where nothing differs, a middle grade says most.
    most = max(spreads) > SAME_VALUE
    place = int(np.argmax(spreads)) if most else TOP // 2
    at = {name: values[place] for name, values in shares.items()}
    low, high = (f"{at[name]:.1%} ({name})" for name in (min(at, key=at.get), max(at, key=at.get)))
    worth = f"from {low} to {high}" if most else f"{next(iter(at.values())):.1%}"
    return escape(f"A grade {GRADES[place]} is worth {worth} of a grade {TOP}")


def _sentence(shares):
    listed = ", ".join(map(str, GRADES))
    worth = [
        f"{name}: {', '.join(f'{value:.1%}' for value in values)}"
        for name, values in shares.items()
    ]
    return f"Gains of grades {listed} as shares of grade {TOP}; {'; '.join(worth)}."


def _table(raw, shares):
    header = ["grade"]
    for name in raw:
        header += [f"{name}: gain", f"{name}: share"]
    rows = [[str(grade)] for grade in GRADES]
    for name in raw:
        for row, gain, share in zip(rows, raw[name], shares[name], strict=True):
            row += [f"{round(gain, 4):g}", f"{share:.1%}"]
    return header, rows
