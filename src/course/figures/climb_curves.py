"""Charts of notebook *climb*: a climb of mean NDCG pass by pass, and what climbs are worth."""

from collections.abc import Sequence
from html import escape
from statistics import fmean

from helpers.marks import beside, tick_step
from helpers.numbers import DIGITS, cells, counted, rounded
from helpers.style import (
    BLACK,
    BLUE,
    INK,
    VERMILLION,
    Look,
    frame,
    line,
    metric_name,
    scatter,
    slopes,
    words_checked,
)
from ndcglib.metrics.checks import SAME_VALUE, check_entries
from ndcglib.tuning import Row, best_in_training
from ndcglib.tuning.ascent import best_row
from ndcglib.tuning.contests import as_runs

TRAINING = Look(BLUE, "solid", "circle")
VALIDATION = Look(VERMILLION, "dash", "circle-open")
RUNS = dict(color=BLUE, width=1)
BEST = dict(color=VERMILLION, width=5)
DASHES = ("dash", "dot", "dashdot", "longdash")


@words_checked
def climb_curves(history, *, name="climb", k=None):
    """Show mean NDCG by pass, on the training and on the validation queries.

    Training is a solid line with filled markers, validation a dashed one with open markers, in
    the colors of the explorer of notebook *climb*. Each has its name at its end, and a star
    marks the pass that is best on validation.

    Parameters
    ----------
    history : sequence of Row
        The passes 0, 1, 2 and so on of a single run.
    name : str, default="climb"
        What the words call it.
    k : int, optional
        The cutoff of the NDCG, for the label of the axis.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If the history is not one run.

    Notes
    -----
    Taught in notebook *climb*.

    Examples
    --------
    >>> rows = [Row(0, 0, None, 0.5, 0.6, 2), Row(0, 1, None, 0.7, 0.5, 4)]
    >>> climb_curves(rows).layout["title"]["text"][:37]
    'Validation is best at pass 0 (0.6000)'
    """
    _check_run(history)
    names = _climb_names(history)
    layout = dict(
        xaxis=pass_axis(history[-1].number),
        yaxis=dict(
            title_text=f"mean {metric_name(k)}", range=value_range(history), tickformat=".2f"
        ),
        annotations=names,
    )
    return frame(
        (_climb_traces(history), layout),
        title=_climb_finding(history),
        sentence=_climb_words(name, history),
        table=_climb_table(name, history),
        legend=False,
        margin=dict(r=110) if names else None,
    )


def _climb_names(history):
    """Return the names of the two lines at their ends, none where there is only one line."""
    last = history[-1]
    if last.validation is None:
        return []
    low, high = value_range(history)
    texts = ("training", "validation<br>(star: best)")
    # A line of a label takes a 15th of the height.
    side = dict(x=1, xref="x domain", xshift=2, yref="y", align="left")
    return beside(texts, (last.train, last.validation), (high - low) / 15, low, high, **side)


def _climb_traces(history):
    x = [row.number for row in history]
    training = line(x, [row.train for row in history], "training", TRAINING)
    if history[0].validation is None:
        return [training]
    values = [row.validation for row in history]
    validation = line(x, values, "validation", VALIDATION, width=2.5)
    return [training, validation, _star(history)]


def _star(rows):
    """Return the star on the pass that is best on validation, as plotly takes a trace."""
    best, edge = best_row(rows), dict(color=INK, width=1.5)
    return scatter(
        [best.number],
        rounded([best.validation]),
        "best on validation",
        marker=dict(symbol="star", size=17, color=VALIDATION.color, line=edge),
        hover="best on validation: pass %{x}, %{y:.4f}",
    )


def pass_axis(last):
    """Label every pass where there are few, else every fifth, tenth and so on."""
    step = tick_step(last, 10)
    room = 0.05 * max(last, 1)
    return dict(
        title_text="pass",
        range=[round(-room, 6), round(last + room, 6)],
        tickvals=list(range(0, last + 1, step)),
    )


def value_range(rows):
    """Return the ends of an axis that has room for all values of a run."""
    return _with_room([v for row in rows for v in (row.train, row.validation) if v is not None])


def _with_room(values):
    low, high = min(values), max(values)
    room = 0.1 * max(high - low, 0.01)
    return rounded([low - room, high + room])


# --- the words of a climb -------------------------------------------------------------


def _climb_finding(rows):
    start, last = rows[0], rows[-1]
    if last.validation is None:
        return (
            f"Training climbs from {start.train:.{DIGITS}f} to {last.train:.{DIGITS}f} "
            f"in {counted(last.number, 'pass', 'passes')}"
        )
    best = best_row(rows)
    peak = f"Validation is best at pass {best.number} ({best.validation:.{DIGITS}f})"
    if last.train > best.train + SAME_VALUE:
        return f"{peak}; training climbs on to {last.train:.{DIGITS}f}"
    return f"{peak}, where training also ends, at {last.train:.{DIGITS}f}"


def _climb_words(name, rows):
    start, last = rows[0], rows[-1]
    words = (
        f"{name}: {counted(last.number, 'pass', 'passes')}, training from "
        f"{start.train:.{DIGITS}f} to {last.train:.{DIGITS}f}"
    )
    if last.validation is None:
        return f"{words}."
    best = best_row(rows)
    return (
        f"{words}; validation from {start.validation:.{DIGITS}f} to "
        f"{last.validation:.{DIGITS}f}, best {best.validation:.{DIGITS}f} at pass {best.number}."
    )


def _climb_table(name, history):
    rows = [
        [name, row.number, four_digits(row.train), four_digits(row.validation), row.evaluations]
        for row in history
    ]
    return ("climb", "pass", "training", "validation", "evaluations"), rows


def four_digits(value):
    """Return a number as the tables show it; None stays None."""
    return None if value is None else f"{value:.{DIGITS}f}"


def _check_run(history):
    if not isinstance(history, Sequence) or not all(isinstance(row, Row) for row in history):
        raise TypeError(f"history must be rows of ndcglib.tuning, got {type(history).__name__}")
    runs = sorted({row.run for row in history})
    if len(runs) != 1:
        raise ValueError(
            f"history must be one run, got runs {runs}; "
            "choose one: [row for row in history if row.run == 0]"
        )


# --- training against test ------------------------------------------------------------


@words_checked
def train_against_test(runs, marks, *, k=None):
    """Show how mean NDCG falls from the training queries to fresh ones, a line for each run.

    Parameters
    ----------
    runs : sequence of (float, float)
        Mean NDCG on the training and on the test queries, of two runs or more.
    marks : dict of str to (float, float)
        The same of up to four others to compare with, by name.
    k : int, optional
        The cutoff, for the axis.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two runs, or more than four marks, or one is not two numbers.

    Notes
    -----
    Taught in notebook *held_out*.
    """
    runs = as_runs(runs, "runs", least=2)
    check_entries(marks, "marks", len(DASHES), least=0)
    marks = dict(zip(marks, as_runs(marks.values(), "marks", least=0), strict=True))
    *best, place = best_in_training(runs)
    others = sorted(runs, reverse=True)
    others.remove(tuple(best))
    named = {"best in training": best} | marks
    traces = [_fall(others, "other runs", RUNS)]
    for (name, point), dash in zip(marks.items(), DASHES, strict=False):
        traces.append(_fall([point], name, dict(color=BLACK, width=3, dash=dash)))
    traces.append(_fall([best], "best in training", BEST))  # last, so that no mark covers it
    low, high = _with_room([value for run in (*runs, *marks.values()) for value in run])
    texts = [
        f"{escape(name)}<br>{train:.{DIGITS}f} → <b>{test:.{DIGITS}f}</b>"
        for name, (train, test) in named.items()
    ]
    texts.append(counted(len(others), "other run", "other runs"))
    places = [*(test for _, test in named.values()), fmean(test for _, test in others)]
    # A line of a label takes an 18th of the height.
    side = dict(x=1, xshift=14, align="left")
    names = beside(texts, places, (high - low) / 18, low, high, **side)
    axes = dict(
        xaxis=dict(
            title_text="where NDCG is measured",
            range=[-0.06, 1],
            tickvals=[0, 1],
            ticktext=["training", "test"],
        ),
        yaxis=dict(title_text=f"mean {metric_name(k)}", range=[low, high]),
        annotations=names,
    )
    rows = [["run", *cells(run)] for run in sorted(runs, reverse=True)]
    rows += [[name, *cells(point)] for name, point in marks.items()]
    return frame(
        (traces, axes),
        title=f"The best of {len(runs)} runs in training is number {place} on the test",
        sentence=(
            f"The run that is best in training scores {best[0]:.4f} there and {best[1]:.4f} on "
            f"the test, where it is number {place} of {len(runs)}. "
            + "".join(f"{name}: {a:.4f} and {b:.4f}. " for name, (a, b) in marks.items())
        ).strip(),
        table=(("what", "training", "test"), rows),
        height=480,
        legend=False,
        margin=dict(r=180),
    )


def _fall(runs, name, look):
    """Return a line for each run, from training on the left to the test on the right."""
    marker = dict(symbol="circle", color=look["color"], size=8)
    return slopes([*map(rounded, runs)], name, line=look, marker=marker, cliponaxis=False)
