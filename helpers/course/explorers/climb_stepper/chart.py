"""One pass of a climb, for notebook 11: the curves, the weights and one list."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from helpers.figures.climb_curves import four_digits, pass_axis, star, value_range
from helpers.figures.marks import OUTSIDE, box, note, tick_step, vertical
from helpers.figures.numbers import DIGITS, rounded, signed
from helpers.figures.style import (
    BLUE,
    GRAY,
    INK,
    MANY_POINTS,
    VERMILLION,
    Look,
    frame,
    metric_name,
)
from helpers.metrics.checks import SAME_VALUE
from helpers.ranking import ranks
from helpers.tuning import Row
from helpers.tuning.ascent import best_row
from helpers.tuning.moves import moved_weights, unit

MOST_RANKS = 12  # so many have room for their letters; the table has all
MOST_TICKS = 12  # features that have room for their names
TRAINING = Look(BLUE, "solid", "circle")
VALIDATION = Look(VERMILLION, "dash", "circle-open")
# Widths in shares of the chart. A letter of a name takes the same share on a projector,
# where both are larger.
LEFT_END, RIGHT_START, GAP, LETTER = 0.405, 0.76, 0.055, 0.0124
SHORT_NAME = 3  # letters


class Listed(NamedTuple):
    """The list of one query, after a pass and before it.

    Attributes
    ----------
    name : str
    grades : list of float
        Of each document.
    scores : list of float
        After the pass.
    before : list of float or None
        Their scores before it; None at the start.
    ndcg : float
    ndcg_before : float or None
    """

    name: str
    grades: list
    scores: list
    before: list | None
    ndcg: float
    ndcg_before: float | None


@dataclass(frozen=True)
class Moment:
    """One pass of a climb.

    Attributes
    ----------
    history : sequence of Row
        All passes of one run, each with a validation value.
    number : int
        Which pass; 0 is the start.
    k : int or None
        The last rank that counts.
    features : list of str
    weights : ndarray of shape (n_features,) or None
        The weights that generated the data, if they are known.
    listed : Listed
    starts : int, default=1
        How many runs the climb had; this is the first.
    """

    history: Sequence[Row]
    number: int
    k: int | None
    features: list
    weights: np.ndarray | None
    listed: Listed
    starts: int = 1

    @property
    def now(self):
        """The row of the present pass."""
        return self.history[self.number]

    @property
    def before(self):
        """The row of the pass before; at the start the start itself."""
        return self.history[max(self.number - 1, 0)]

    @functools.cached_property
    def best(self):
        """The row that is best on validation."""
        return best_row(self.history)

    @functools.cached_property
    def moved(self):
        """Which weights the pass has moved."""
        return moved_weights(self.before.w, self.now.w)

    @functools.cached_property
    def places(self):
        """The documents of the list by rank."""
        return in_order(self.listed)


# --- one pass -------------------------------------------------------------------------


def ascent_step(moment):
    """Show one pass of a climb: the curves, the weights and the list of one query.

    Left: mean NDCG by pass, the present one with large markers, later ones pale.
    Middle: the weights, scaled to length 1; hatched are those that the pass moved.
    Right: the documents of one query from rank 1 down. A bar is as long as the grade;
    beside it stand the document's letter and how its rank changed. Hatched bars are
    tied, bars beyond the cutoff are white.

    Parameters
    ----------
    moment : Moment

    Returns
    -------
    go.Figure

    Notes
    -----
    Taught in notebook 11.
    """
    traces = [*_curves(moment), *_weight_traces(moment), _list_bars(moment)]
    # All of the layout at once: plotly checks the whole again for each later change.
    layout = dict(
        bargap=0.25,
        shapes=[*_present(moment), *_cutoff(moment)],
        annotations=_headings(moment),
        **_left_axes(moment),
        **_middle_axes(moment),
        **_right_axes(moment),
    )
    return frame(
        (traces, layout),
        title=_step_finding(moment),
        sentence=_step_sentence(moment),
        table=_step_table(moment),
        margin=dict(b=54, r=62 if _cutoff(moment) else 12),
    )


def _curves(moment):
    """Return the curves and the star as dicts: plotly would copy finished traces."""
    history, number = moment.history, moment.number
    size = [9 if len(history) <= MANY_POINTS else 7] * len(history)
    size[number] = 16
    x = [row.number for row in history]
    curves = [
        dict(
            type="scatter",
            x=x,
            y=rounded(getattr(row, part) for row in history),
            name=name,
            mode="lines+markers",
            line=dict(color=look.color, dash=look.dash, width=3),
            marker=dict(color=look.color, symbol=look.symbol, size=size, opacity=1),
            hovertemplate=f"{name}, pass %{{x}}: %{{y:.4f}}<extra></extra>",
        )
        for name, part, look in (
            ("training", "train", TRAINING),
            ("validation", "validation", VALIDATION),
        )
    ]
    return [*curves, star(history, VERMILLION, "best")]


def _left_axes(moment):
    history = moment.history
    return dict(
        xaxis=dict(domain=[0, _left_end(moment)], **pass_axis(history[-1].number)),
        yaxis=dict(
            title_text=f"mean {metric_name(moment.k)}",
            range=value_range(history),
            tickformat=".2f",
            nticks=6,
        ),
    )


def _left_end(moment):
    """Leave some room to the names of the features, where they are long."""
    return round(LEFT_END - 0.5 * LETTER * max(_letters(moment) - SHORT_NAME, 0), 6)


def _letters(moment):
    return max(map(len, moment.features))


def _present(moment):
    """Mark the present pass; make what comes later pale."""
    number, last = moment.number, moment.history[-1].number
    mark = vertical(number)
    if number == last:
        return [mark]
    # It begins beside the large markers, which are not pale.
    ends = (round(number + 0.035 * last, 6), pass_axis(last)["range"][1])
    veil = box(ends, (0, 1), xref="x", yref="y domain")
    return [veil | dict(fillcolor="rgba(255,255,255,0.55)"), mark]


# --- middle: the weights --------------------------------------------------------------


def _weight_traces(moment):
    places = list(range(1, len(moment.features) + 1))
    pattern = ["/" if each else "" for each in moment.moved]
    axes = dict(xaxis="x2", yaxis="y2", showlegend=False)
    bars = dict(
        type="bar",
        x=rounded(unit(moment.now.w)),
        y=places,
        name="weight",
        orientation="h",
        marker=_bar_look(pattern, [BLUE] * len(places)),
        customdata=[escape(name) for name in moment.features],
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        **axes,
    )
    return [bars] if moment.weights is None else [bars, _generating(moment, places, axes)]


def _generating(moment, places, axes):
    return dict(
        type="scatter",
        x=rounded(unit(moment.weights)),
        y=places,
        name="generating",
        mode="markers",
        marker=dict(
            symbol="diamond", size=9, color="rgba(255,255,255,0.9)", line=dict(color=INK, width=2)
        ),
        hovertemplate="generating: %{x:.4f}<extra></extra>",
        **axes,
    )


def _bar_look(pattern, fill):
    """Return bars with a blue edge; the strokes of hatched ones are blue.

    Where bars have a color each, plotly takes it for the strokes, and not `fgcolor`.
    """
    return dict(
        color=[BLUE if each else color for each, color in zip(pattern, fill, strict=True)],
        line=dict(color=BLUE, width=1.5),
        pattern=dict(shape=pattern, size=8, solidity=0.25),
    )


def _middle_axes(moment):
    n = len(moment.features)
    rows = [unit(row.w) for row in moment.history]
    rows += [] if moment.weights is None else [unit(moment.weights)]
    most = round(1.12 * max(float(np.abs(row).max()) for row in rows), 6) or 1
    tick = 0.5 if most > 0.5 else 0.2
    step = -(-n // MOST_TICKS)
    names = [escape(name) for name in moment.features]
    room = 0.025 + LETTER * _letters(moment)
    heading = "weight" if moment.weights is None else "weight (◇ generating)"
    return dict(
        xaxis2=dict(
            anchor="y2",
            domain=[round(_left_end(moment) + room, 6), RIGHT_START - GAP],
            title_text=heading,
            range=[-most, most],
            tickvals=[-tick, 0, tick],
            ticktext=[f"−{tick:g}", "0", f"{tick:g}"],
            showgrid=True,
            zeroline=True,
            zerolinecolor=INK,
        ),
        yaxis2=dict(
            anchor="x2",
            range=[n + 0.6, 0.4],
            tickvals=list(range(1, n + 1, step)),
            ticktext=names[::step],
            tickfont=dict(size=14),
            ticks="",
            showgrid=False,
        ),
    )


# --- right: the list of one query -----------------------------------------------------


class Place(NamedTuple):
    """One document in the present order."""

    letter: str
    grade: float
    score: float
    rank: tuple
    before: tuple | None

    @property
    def rank_text(self):
        """The rank, or the ranks that tied documents share."""
        return _rank_text(self.rank)

    @property
    def change(self):
        """How far the document rose; tied ones count with their middle rank."""
        return 0.0 if self.before is None else (sum(self.before) - sum(self.rank)) / 2

    @property
    def text(self):
        """The letter and the change, as it stands beside the bar."""
        if self.before is None:
            return self.letter
        return f"{self.letter} {_change_text(self.change)}"


def in_order(listed):
    """Return the documents of a list by rank; tied ones as they came.

    Parameters
    ----------
    listed : Listed

    Returns
    -------
    list of Place

    Notes
    -----
    Taught in notebook 11.
    """
    before = [None] * len(listed.grades) if listed.before is None else ranks(listed.before)
    places = [
        Place(chr(ord("A") + i), *parts)
        for i, parts in enumerate(
            zip(listed.grades, listed.scores, ranks(listed.scores), before, strict=True)
        )
    ]
    return sorted(places, key=lambda place: place.rank)


def _rank_text(rank):
    first, last = rank
    return str(first) if first == last else f"{first}–{last}"


def _change_text(change):
    if change == 0:
        return "–"
    return f"{'▲' if change > 0 else '▼'}{abs(change):g}"


def _list_bars(moment):
    places = moment.places[:MOST_RANKS]
    depth = len(places) if moment.k is None else moment.k
    fill = [BLUE if row < depth else "white" for row in range(len(places))]
    pattern = ["/" if p.rank[0] < p.rank[1] else "" for p in places]
    return dict(
        type="bar",
        x=rounded(place.grade for place in places),
        y=list(range(1, len(places) + 1)),
        name="grade",
        orientation="h",
        marker=_bar_look(pattern, fill),
        text=[place.text for place in places],
        textfont=dict(size=14, color=INK),
        **OUTSIDE,
        customdata=[place.rank_text for place in places],
        hovertemplate="rank %{customdata}: %{text}, grade %{x}<extra></extra>",
        showlegend=False,
        xaxis="x3",
        yaxis="y3",
    )


def _right_axes(moment):
    places = moment.places
    shown = places[:MOST_RANKS]
    top = max(moment.listed.grades)
    step = tick_step(top, 5)
    more = f", top {len(shown)} of {len(places)}" if len(shown) < len(places) else ""
    return dict(
        xaxis3=dict(
            anchor="y3",
            domain=[RIGHT_START, 1],
            title_text=f"grade{more or ', by rank'}",
            range=[0, round(1.5 * top, 6)],
            tickvals=list(range(0, int(top) + 1, step)),
        ),
        yaxis3=dict(
            anchor="x3",
            range=[len(shown) + 0.6, 0.4],
            tickvals=list(range(1, len(shown) + 1)),
            ticktext=[place.rank_text for place in shown],
            tickfont=dict(size=14),
            ticks="",
            showgrid=False,
        ),
    )


def _cutoff(moment):
    """Draw the cutoff between two ranks, if there are ranks beyond it."""
    if moment.k is None or moment.k >= min(len(moment.listed.grades), MOST_RANKS):
        return []
    y = moment.k + 0.5
    look = dict(color=GRAY, width=2, dash="dot")
    return [dict(type="line", xref="x3 domain", yref="y3", x0=0, x1=1, y0=y, y1=y, line=look)]


def _headings(moment):
    """Say above the panels what their hatching and their number are."""
    weights = "hatched: moved" if any(moment.moved) else "none moved"
    notes = [
        _heading("x2", weights if moment.number else "at the start"),
        _heading("x3", f"{escape(moment.listed.name)}: NDCG {moment.listed.ndcg:.{DIGITS}f}"),
    ]
    if _cutoff(moment):
        place = dict(x=1, xref="x3 domain", xanchor="left", yref="y3", yanchor="middle")
        notes.append(note(f"k = {moment.k}", y=moment.k + 0.5, size=14, xshift=3, **place))
    return notes


def _heading(axis, text):
    place = dict(x=0.5, xref=f"{axis} domain", xanchor="center", y=1, yref="paper")
    return note(text, yanchor="bottom", yshift=4, **place)


# --- the words of one pass ------------------------------------------------------------


def _step_finding(moment):
    now, before = moment.now, moment.before
    if moment.number == 0:
        return (
            f"Start: mean {metric_name(moment.k)} {now.train:.{DIGITS}f} on training, "
            f"{now.validation:.{DIGITS}f} on validation"
        )
    if not any(moment.moved):
        return f"Pass {now.number} changes nothing: it finds no step that helps"
    best = ", best on validation" if now is moment.best else ""
    return (
        f"Pass {now.number}{best}: training {_went(before.train, now.train)}, "
        f"validation {_went(before.validation, now.validation)}"
    )


def _went(before, after):
    """Say how a value changed, by the difference of the numbers that are shown."""
    if abs(after - before) <= SAME_VALUE:
        return "unchanged"
    by = abs(round(round(after, DIGITS) - round(before, DIGITS), DIGITS))
    way = "up" if after > before else "down"
    return f"{way} {by:.{DIGITS}f}" if by else f"{way} under {10**-DIGITS:.{DIGITS}f}"


def _step_sentence(moment):
    now, best = moment.now, moment.best
    which = f", start 1 of {moment.starts}" if moment.starts > 1 else ""
    return (
        f"Pass {now.number} of {moment.history[-1].number}{which}: mean {metric_name(moment.k)} "
        f"{now.train:.{DIGITS}f} on training, {now.validation:.{DIGITS}f} on validation "
        f"(best {best.validation:.{DIGITS}f}, pass {best.number}). {_list_words(moment)}"
    )


def _list_words(moment):
    listed = moment.listed
    name = listed.name.capitalize()
    if listed.before is None:
        return f"{name}: {listed.ndcg:.{DIGITS}f}."
    n = sum(place.change != 0 for place in moment.places)
    changed = f"{n} of {len(listed.grades)} documents" if n else "no document"
    return (
        f"{name}: from {listed.ndcg_before:.{DIGITS}f} to {listed.ndcg:.{DIGITS}f}, "
        f"{changed} moved."
    )


def _step_table(moment):
    now, before, listed = moment.now, moment.before, moment.listed
    first = moment.number == 0
    metric = metric_name(moment.k)
    rows = [
        [f"mean {metric}, training", before.train, now.train, None],
        [f"mean {metric}, validation", before.validation, now.validation, None],
        [f"{metric} of {listed.name}", listed.ndcg_before, listed.ndcg, None],
    ]
    rows = [
        [what, None if first else four_digits(a), four_digits(b), note]
        for what, a, b, note in rows
    ]
    rows.append(
        ["evaluations so far", None if first else before.evaluations, now.evaluations, None]
    )
    return ("what", "before", "now", "note"), [
        *rows,
        *_weight_rows(moment),
        *_document_rows(moment.places),
        *_pass_rows(moment.history),
    ]


def _weight_rows(moment):
    known = [None] * len(moment.features)
    if moment.weights is not None:
        known = [f"generating {signed(value)}" for value in unit(moment.weights)]
    old = [None] * len(known)
    if moment.number:
        old = [signed(value) for value in unit(moment.before.w)]
    new = [signed(value) for value in unit(moment.now.w)]
    return [
        [f"weight of {name}", a, b, ", ".join(filter(None, ["moved" * mark, note])) or None]
        for name, a, b, mark, note in zip(
            moment.features, old, new, moment.moved, known, strict=True
        )
    ]


def _document_rows(places):
    return [
        [
            f"rank of document {place.letter}",
            place.before and _rank_text(place.before),
            place.rank_text,
            f"grade {place.grade:g}, score {signed(place.score)}",
        ]
        for place in places
    ]


def _pass_rows(history):
    return [
        [
            f"pass {row.number}",
            None,
            None,
            f"training {row.train:.{DIGITS}f}, validation {row.validation:.{DIGITS}f}",
        ]
        for row in history
    ]
