"""The first chart of notebook 11: whole climbs of mean NDCG, pass by pass."""

from collections.abc import Mapping, Sequence
from html import escape
from numbers import Real

import numpy as np
import plotly.graph_objects as go

from helpers.figures.labels import apart
from helpers.figures.style import GRAY, INK, OTHERS, frame, line, metric_name
from helpers.metrics.checks import SAME_VALUE
from helpers.tuning import Row
from helpers.tuning.ascent import best_row

MOST_CLIMBS = 4
MOST_BASELINES = 6
DIGITS = 4
LABEL_ROOM = 0.075  # height of a line of text beside the panel, in heights of the panel
LETTER_PIXELS = 8.5
# Of the legend, beside labels of baselines: in one line, and what a key takes of it.
LEGEND_LETTERS, KEY_LETTERS = 66, 5
BASELINE_DASHES = ("dot", "dashdot", "longdash", "longdashdot", "dash", "solid")


def best_pass(history):
    """Return the pass that does best on the validation queries; of equals, the first.

    Parameters
    ----------
    history : sequence of Row
        One run, with validation values.

    Returns
    -------
    int
        Which `helpers.tuning.climb` chooses, if there are no restarts.

    Notes
    -----
    Taught in notebook 11.
    """
    return best_row(history).number


def climbs(histories, *, baseline=None, k=None, title=None):
    """Show mean NDCG by pass, on the training and on the validation queries.

    Training is a solid line with filled markers; validation has the same color, dashed,
    with open markers. A star marks the pass that is best on validation.

    Parameters
    ----------
    histories : dict of str to sequence of Row
        One to four runs by short names; in each the passes 0, 1, 2 and so on of a single run.
    baseline : dict of str to float, optional
        Values to compare with, at most six, such as ``level.mean`` of `baselines`.
    k : int, optional
        The cutoff of the NDCG, for the label of the axis.
    title : str, optional
        The finding; by default where validation is best, and how far training goes on.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If a history is not one run, the names are too long for a legend of one line,
        or a baseline is not a finite number.

    Notes
    -----
    Taught in notebook 11.

    Examples
    --------
    >>> rows = [Row(0, 0, np.ones(1), 0.5, 0.6, 2), Row(0, 1, np.ones(1), 0.7, 0.5, 4)]
    >>> climbs({"mine": rows}).layout.title.text[:44]
    'Validation is best at pass 0 (0.6000); train'
    """
    histories = _checked_histories(histories)
    levels = _checked_baselines(baseline or {})
    low, high = value_range(histories.values(), levels.values())
    last = max(rows[-1].number for rows in histories.values())
    layout = dict(
        xaxis=pass_axis(last) | dict(title_text=_pass_title(histories)),
        yaxis=dict(title_text=f"mean {metric_name(k)}", range=[low, high], tickformat=".2f"),
        **_baseline_marks(levels, low, high),
    )
    figure = go.Figure(_climb_traces(histories), layout)
    letters = max((len(_level_text(*level)) for level in levels.items()), default=0)
    return frame(
        figure,
        title=title or _climb_finding(histories),
        sentence=_climb_sentence(histories, levels),
        table=_climb_table(histories, levels),
        margin=dict(r=24 + round(LETTER_PIXELS * letters)),
    )


def _climb_traces(histories):
    """Return the curves, then the stars. Several runs share the words below the axis."""
    traces, stars = [], []
    single = len(histories) == 1
    for (name, rows), look in zip(histories.items(), OTHERS, strict=False):
        solid, dashed = _looks(look)
        x = [row.number for row in rows]
        name = "training" if single else escape(name)
        traces.append(line(x, [row.train for row in rows], name, solid))
        if rows[0].validation is not None:
            y = [row.validation for row in rows]
            traces.append(line(x, y, "validation", dashed, showlegend=single, width=2.5))
            stars.append(star(rows, look.color, showlegend=single))
    return traces + stars


def _looks(look):
    return look._replace(dash="solid"), look._replace(dash="dash", symbol=f"{look.symbol}-open")


def _pass_title(histories):
    """Say what solid and dashed are, where the legend has room for the names only."""
    held_out = any(rows[0].validation is not None for rows in histories.values())
    if len(histories) == 1 or not held_out:
        return "pass"
    return "pass (solid: training, dashed: validation, ★: its best)"


def star(rows, color, name="best on validation", **options):
    """Return the star on the pass that is best on validation, as plotly takes a trace."""
    best = rows[best_pass(rows)]
    return dict(
        type="scatter",
        x=[best.number],
        y=[round(best.validation, 6)],
        name=name,
        mode="markers",
        marker=dict(symbol="star", size=17, color=color, line=dict(color=INK, width=1.5)),
        hovertemplate="best on validation: pass %{x}, %{y:.4f}<extra></extra>",
        **options,
    )


def pass_axis(last):
    """Label every pass where there are few, else every fifth, tenth and so on."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 10**9) if last <= 10 * s)
    room = 0.05 * max(last, 1)
    return dict(
        title_text="pass",
        range=[round(-room, 6), round(last + room, 6)],
        tickvals=list(range(0, last + 1, step)),
    )


def value_range(histories, levels=()):
    """Return the ends of an axis that has room for all values of some runs."""
    rows = [row for history in histories for row in history]
    values = [v for row in rows for v in (row.train, row.validation) if v is not None]
    low, high = min([*values, *levels]), max([*values, *levels])
    room = 0.1 * max(high - low, 0.01)
    return round(low - room, 6), round(high + room, 6)


# --- baselines ------------------------------------------------------------------------


def _baseline_marks(levels, low, high):
    """Return a thin line for each baseline, and its label where no other is."""
    wanted = [(v - low) / (high - low) for v in levels.values()]
    # A label at an end of the panel may reach over it by half of its height.
    room = dict(low=-LABEL_ROOM / 2, high=1 + LABEL_ROOM / 2)
    places = apart(wanted, [LABEL_ROOM] * len(wanted), **room)
    shapes, notes = [], []
    for (name, value), place, dash in zip(levels.items(), places, BASELINE_DASHES, strict=False):
        at = low + place * (high - low)
        shapes.append(_rule((0, 1), (value, value), dict(color=GRAY, width=1.5, dash=dash)))
        # From the end of the line to its label, which others may have pushed away.
        shapes.append(_rule((1, 1.012), (value, at), dict(color=GRAY, width=1)))
        place = dict(x=1.015, xref="paper", xanchor="left", y=round(at, 6), yanchor="middle")
        notes.append(note(escape(_level_text(name, value)), **place))
    return dict(shapes=shapes, annotations=notes)


def _rule(x, y, look):
    x0, x1 = x
    y0, y1 = (round(value, 6) for value in y)
    place = dict(xref="paper", yref="y", x0=x0, x1=x1, y0=y0, y1=y1)
    return dict(type="line", layer="below", line=look, **place)


def _level_text(name, value):
    return f"{name} {value:.{DIGITS}f}"


def note(text, *, size=15, **place):
    """Return some words of a layout, in ink."""
    return dict(text=text, showarrow=False, font=dict(size=size, color=INK), **place)


# --- the words of whole climbs --------------------------------------------------------


def _climb_finding(histories):
    if len(histories) == 1:
        return _one_finding(next(iter(histories.values())))
    shown = [rows for rows in histories.values() if rows[0].validation is not None]
    if not shown:
        ends = ", ".join(f"{rows[-1].train:.{DIGITS}f}" for rows in histories.values())
        return f"On the training queries the climbs end at {ends}"
    peaks = [(best_pass(rows), rows[-1].number) for rows in shown]
    early = sum(best < last for best, last in peaks)
    passes = ", ".join(f"{best} of {last}" for best, last in peaks)
    return (
        f"Validation is best before the end in {early} of {len(shown)} climbs: after pass {passes}"
    )


def _one_finding(rows):
    start, last = rows[0], rows[-1]
    if last.validation is None:
        return (
            f"Training climbs from {start.train:.{DIGITS}f} to {last.train:.{DIGITS}f} "
            f"in {_count(last.number, 'pass', 'passes')}"
        )
    best = rows[best_pass(rows)]
    peak = f"Validation is best at pass {best.number} ({best.validation:.{DIGITS}f})"
    if last.train > best.train + SAME_VALUE:
        return f"{peak}; training climbs on to {last.train:.{DIGITS}f}"
    return f"{peak}, where training ends too, at {last.train:.{DIGITS}f}"


def _climb_sentence(histories, levels):
    parts = [_climb_words(name, rows) for name, rows in histories.items()]
    if levels:
        values = ", ".join(_level_text(*level) for level in levels.items())
        parts.append(f"To compare: {values}.")
    return " ".join(parts)


def _climb_words(name, rows):
    start, last = rows[0], rows[-1]
    words = (
        f"{name}: {_count(last.number, 'pass', 'passes')}, training from "
        f"{start.train:.{DIGITS}f} to {last.train:.{DIGITS}f}"
    )
    if last.validation is None:
        return f"{words}."
    best = rows[best_pass(rows)]
    return (
        f"{words}; validation from {start.validation:.{DIGITS}f} to "
        f"{last.validation:.{DIGITS}f}, best {best.validation:.{DIGITS}f} at pass {best.number}."
    )


def _climb_table(histories, levels):
    header = ("climb", "pass", "training", "validation", "evaluations")
    rows = [
        [name, row.number, four_digits(row.train), four_digits(row.validation), row.evaluations]
        for name, history in histories.items()
        for row in history
    ]
    rows += [[f"to compare: {n}", None, four_digits(v), None, None] for n, v in levels.items()]
    return header, rows


def four_digits(value):
    """Return a number as the tables show it; None stays None."""
    return None if value is None else f"{value:.{DIGITS}f}"


def _count(n, one, many):
    return f"{n} {one if n == 1 else many}"


# --- checks ---------------------------------------------------------------------------


def _checked_histories(histories):
    if not isinstance(histories, Mapping):
        raise TypeError(f"histories must be a dict of name to rows, got {histories!r}")
    if not 1 <= len(histories) <= MOST_CLIMBS:
        raise ValueError(f"histories must be 1 to {MOST_CLIMBS}, got {len(histories)}")
    checked = {name: _checked_run(name, rows) for name, rows in histories.items()}
    letters = sum(len(name) + KEY_LETTERS for name in histories)
    if letters > LEGEND_LETTERS:
        raise ValueError(
            f"the names of histories must fit into one line, got {list(histories)}; "
            f"{LEGEND_LETTERS - KEY_LETTERS * len(histories)} letters together do"
        )
    return checked


def _checked_run(name, rows):
    if not isinstance(name, str) or not name.strip():
        raise TypeError(f"the name of a history must be text, got {name!r}")
    what = f"histories[{name!r}]"
    if not isinstance(rows, Sequence) or not all(isinstance(row, Row) for row in rows):
        raise TypeError(f"{what} must be rows of helpers.tuning, got {type(rows).__name__}")
    if not rows:
        raise ValueError(f"{what} must hold at least the start, got no row")
    runs = sorted({row.run for row in rows})
    if len(runs) > 1:
        raise ValueError(
            f"{what} must be one run, got runs {runs}; "
            "choose one: [row for row in history if row.run == 0]"
        )
    numbers = [row.number for row in rows]
    if numbers != list(range(len(rows))):
        raise ValueError(f"{what} must be the passes 0, 1, 2 and so on, got {numbers}")
    if len({row.validation is None for row in rows}) > 1:
        raise ValueError(f"{what} must have a validation value in every row, or in none")
    return list(rows)


def _checked_baselines(levels):
    if not isinstance(levels, Mapping):
        raise TypeError(f"baseline must be a dict of name to value, got {levels!r}")
    if len(levels) > MOST_BASELINES:
        raise ValueError(f"baseline must hold at most {MOST_BASELINES}, got {len(levels)}")
    for name, value in levels.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not np.isfinite(value):
            raise TypeError(
                f"baseline[{name!r}] must be a finite number, got {value!r}; "
                "of a Level, give its mean"
            )
    return {str(name): float(value) for name, value in levels.items()}
