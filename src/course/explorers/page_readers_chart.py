"""The chart of "Which page wins?": three pages as a reader weighs them, and who prefers which."""

from typing import NamedTuple

import numpy as np

from helpers.marks import beside, note, vertical
from helpers.numbers import cells, rounded, with_and
from helpers.style import GRAY, INK, OTHERS, frame, scatter

NAMES = "ABC"
ROOM = 0.55  # height of a page's highest bar, in heights of its row
FIRST, SECOND, THIRD = [0, 0.36], [0.45, 0.75], [0.875, 1]  # panels, in shares of the chart
LETTER = 0.11  # height of a letter beside a curve, in RBP
SOLID = dict(opacity=1, line=dict(width=0))  # plotly draws markers of several sizes or colors pale
LEVEL = dict(symbol="diamond-open", size=15, color=INK, line=dict(width=2.5))


class Curves(NamedTuple):
    """RBP of the pages, shape (n_pages, n_steps), at each step of patience."""

    steps: list
    scores: np.ndarray


class Turn(NamedTuple):
    """A patience at which two pages are level under RBP and ahead of the third."""

    p: float
    score: float
    pages: tuple


class Verdicts(NamedTuple):
    """Three pages, read with one patience.

    `grades` and `gains` are by page and rank, `highest` is the gain of the highest grade;
    `weights` say how likely a reader comes to each rank; `values` and `winners` are by metric,
    RBP first: a value for each page, and the positions of the best pages.
    """

    grades: tuple
    gains: list
    highest: float
    weights: list
    curves: Curves
    turns: list
    values: dict
    winners: dict

    @property
    def names(self):
        """What the pages are called."""
        return NAMES[: len(self.grades)]

    @property
    def patience(self):
        """The chance to go on: the weight of rank 2."""
        return self.weights[1]

    def best(self, metric):
        """Write which pages a metric prefers, as in "A = B"."""
        return " = ".join(self.names[i] for i in self.winners[metric])


def verdict_chart(verdicts):
    """Show three pages, RBP of each by patience, and which of them each metric prefers.

    Left: an open bar is a gain, what is filled of it counts, for readers who come so far.
    Middle: RBP by patience, with a mark for the winner at the present one; a diamond is where the
    winner changes, and says which pages are level.
    Right: a full mark for the page, or the pages, that a metric prefers.
    """
    ranks = list(range(1, len(verdicts.weights) + 1))
    traces = [
        _gains(verdicts, ranks),
        _read(verdicts, ranks),
        *_curves(verdicts),
        _dots(verdicts),
    ]
    look = dict(color=INK, width=1.5, dash="solid", layer="below")  # under the marks
    layout = dict(
        barmode="overlay",
        shapes=[vertical(verdicts.patience, "2", **look)],
        annotations=[*_letters(verdicts), *_level_pages(verdicts), *_headings(verdicts)],
        **_axes(verdicts, ranks),
    )
    return frame(
        (traces, layout),
        title=_finding(verdicts),
        sentence=_sentence(verdicts),
        table=_table(verdicts, ranks),
        legend=False,
        margin=dict(l=62, r=14, t=78, b=72),
    )


# --- left: the pages ------------------------------------------------------------------


def _row(verdicts, page):
    """Return the height on which a page stands: A is on top."""
    return len(verdicts.names) - 1 - page


def _gains(verdicts, ranks):
    """Return an open bar for each gain of each page, with its grade above."""
    pages = range(len(verdicts.names))
    heights = [gain / verdicts.highest for page in pages for gain in verdicts.gains[page]]
    return dict(
        type="bar",
        x=ranks * len(pages),
        y=rounded(ROOM * height for height in heights),
        base=[_row(verdicts, page) for page in pages for _ in ranks],
        width=0.7,
        marker=dict(color="white", line=dict(color=GRAY, width=1.5)),
        text=[str(grade) for page in verdicts.grades for grade in page],
        textposition="outside",
        textfont=dict(size=15, color=INK),
        textangle=0,
        cliponaxis=False,
        hoverinfo="skip",
    )


def _read(verdicts, ranks):
    """Return what counts of the gains of each page."""
    counted = [
        (page, gain / verdicts.highest * weight)
        for page, gains in enumerate(verdicts.gains)
        for gain, weight in zip(gains, verdicts.weights, strict=True)
    ]
    return dict(
        type="bar",
        x=ranks * len(verdicts.names),
        y=rounded(ROOM * part for _, part in counted),
        base=[_row(verdicts, page) for page, _ in counted],
        width=0.7,
        marker=dict(color=[OTHERS[page].color for page, _ in counted]),
        customdata=[[verdicts.names[page], round(part, 4)] for page, part in counted],
        hovertemplate="page %{customdata[0]}, rank %{x}: %{customdata[1]}<extra></extra>",
    )


# --- middle: RBP by patience ------------------------------------------------------------


def _curves(verdicts):
    steps, scores = verdicts.curves
    curves = [
        scatter(
            steps,
            rounded(scores[page]),
            line=dict(color=OTHERS[page].color, dash=OTHERS[page].dash, width=3),
            hover=f"{name}: RBP %{{y:.4f}} at p = %{{x:.2f}}",
            xaxis="x2",
            yaxis="y2",
        )
        for page, name in enumerate(verdicts.names)
    ]
    best = verdicts.winners["RBP"]
    now = scatter(
        [verdicts.patience] * len(best),
        rounded(verdicts.values["RBP"][page] for page in best),
        marker=dict(
            color=[OTHERS[page].color for page in best],
            symbol=[OTHERS[page].symbol for page in best],
            size=13,
            **SOLID,
        ),
        xaxis="x2",
        yaxis="y2",
    )
    turns = verdicts.turns
    level = scatter(
        rounded(turn.p for turn in turns),
        rounded(turn.score for turn in turns),
        marker=LEVEL,
        hover="level at p = %{x:.2f}",
        xaxis="x2",
        yaxis="y2",
    )
    return [*curves, now, level]


def _letters(verdicts):
    """Return the names of the pages, at the left ends of their curves."""
    names = [f"<b>{name}</b>" for name in verdicts.names]
    starts = [float(scores[0]) for scores in verdicts.curves.scores]
    place = dict(x=verdicts.curves.steps[0], xref="x2", yref="y2", xanchor="right", xshift=-5)
    return beside(names, starts, LETTER, **place)


def _level_pages(verdicts):
    """Return which pages are level where the winner changes."""
    place = dict(xref="x2", yref="y2", xanchor="left", xshift=11, yanchor="bottom")
    return [
        note(
            " = ".join(f"<b>{verdicts.names[page]}</b>" for page in turn.pages),
            x=round(turn.p, 6),
            y=round(turn.score, 6),
            **place,
        )
        for turn in verdicts.turns
    ]


# --- right: who prefers which -----------------------------------------------------------


def _dots(verdicts):
    """Return a full mark for each page that a metric prefers, a small ring for the others."""
    dots = [
        (page, row, page in winners)
        for page in range(len(verdicts.names))
        for row, winners in enumerate(verdicts.winners.values())
    ]
    return scatter(
        [page for page, _, _ in dots],
        [row for _, row, _ in dots],
        marker=dict(
            symbol=[OTHERS[page].symbol if won else "circle-open" for page, _, won in dots],
            size=[16 if won else 7 for _, _, won in dots],
            color=[OTHERS[page].color if won else GRAY for page, _, won in dots],
            **SOLID,
        ),
        xaxis="x3",
        yaxis="y3",
    )


def _headings(verdicts):
    above = dict(x=0, y=1, xanchor="left", yanchor="bottom", size=16)
    return [
        note("grade; filled: what counts", xref="x domain", yref="y domain", **above),
        note("RBP", xref="x2 domain", yref="y2 domain", **above),
        note("winner", xref="x3 domain", yref="y3 domain", **above),
    ]


def _axes(verdicts, ranks):
    pages = list(range(len(verdicts.names)))
    come = zip(ranks, verdicts.weights, strict=True)
    return dict(
        xaxis=dict(
            anchor="y",
            domain=FIRST,
            title_text="rank, and how many reach it",
            range=[0.5, ranks[-1] + 0.5],
            tickvals=ranks,
            ticktext=[f"{rank}<br>{weight:.0%}" for rank, weight in come],
        ),
        yaxis=dict(
            anchor="x",
            range=[0, len(pages)],
            tickvals=[_row(verdicts, page) + ROOM / 2 for page in pages],
            ticktext=[f"<b>{name}</b>" for name in verdicts.names],
            ticks="",
            showgrid=False,
        ),
        xaxis2=dict(
            anchor="y2", domain=SECOND, title_text="patience p", range=[-0.06, 1], dtick=0.25
        ),
        yaxis2=dict(anchor="x2", range=[0, 1], dtick=0.25, tickformat=".2f"),
        xaxis3=dict(
            anchor="y3",
            domain=THIRD,
            title_text="page",
            range=[-0.5, len(pages) - 0.5],
            tickvals=pages,
            ticktext=[f"<b>{name}</b>" for name in verdicts.names],
        ),
        yaxis3=dict(
            anchor="x3",
            range=[len(verdicts.winners) - 0.5, -0.5],
            tickvals=list(range(len(verdicts.winners))),
            ticktext=list(verdicts.winners),
            ticks="",
        ),
    )


# --- the words ------------------------------------------------------------------------


def _finding(verdicts):
    best = verdicts.winners["RBP"]
    names = with_and(verdicts.names[i] for i in best)
    who = f"pages {names} are level" if len(best) > 1 else f"page {names} wins"
    return f"With patience {verdicts.patience:.2f}, {who} under RBP"


def _sentence(verdicts):
    """Say which page wins under which metric, and where RBP has another winner."""
    by_winner = {}
    for metric in verdicts.winners:
        by_winner.setdefault(verdicts.best(metric), []).append(metric)
    wins = "; ".join(f"{pages} under {with_and(named)}" for pages, named in by_winner.items())
    win = "wins" if len(verdicts.winners["RBP"]) == 1 else "win"
    wins = wins.replace("under", f"{win} under", 1)
    if not verdicts.turns:
        return f"{wins}. Under RBP the same page wins at every patience."
    turns = with_and(f"{turn.p:.2f}" for turn in verdicts.turns)
    return f"{wins}. Under RBP the winner changes at p = {turns}."


def _table(verdicts, ranks):
    rows = [
        [f"grade at rank {rank}", round(weight, 4), *of_pages]
        for rank, weight, *of_pages in zip(ranks, verdicts.weights, *verdicts.grades, strict=True)
    ]
    rows += [[metric, None, *cells(values)] for metric, values in verdicts.values.items()]
    for turn in verdicts.turns:
        level = [turn.score if page in turn.pages else None for page in range(len(verdicts.names))]
        rows.append([f"RBP, level at p = {turn.p:.4f}", None, *cells(level)])
    return ("what", "weight", *(f"page {name}" for name in verdicts.names)), rows
