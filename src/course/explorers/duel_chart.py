"""The chart of notebook *gain*: two rankings in a duel, and the map of who wins where."""

import math
from typing import NamedTuple

from helpers.marks import UPRIGHT, box, hatching, note, vertical
from helpers.numbers import DIGITS, rounded
from helpers.style import BLACK, BLUE, GRAY, INK, ON_THE_RIGHT, VERMILLION, frame, scatter

NAMES = ("A", "B")
NEITHER = "="
LEFT, RIGHT = (0, 0.4), (0.5, 1)  # the panels, in widths of both: the map has many columns
STEP = 0.2  # between ticks of the shares
TOP = 98  # pixels above the panels, for the title and two lines over the map
HEADROOM = 1.2  # above the tallest bar, for the grade on it
# Shades of the map, of its full color: a narrow win is told from none, also turned over in the
# dark, where more blue than the last would be too light for letters.
PALEST, DARKEST = 0.2, 0.57
ROOM_FOR_LETTER = 3  # cells: the frame of one may lie beside it


class Side(NamedTuple):
    """One ranking under one gain and one cutoff, its `grades` in rank order.

    `shares` are what the ranks that count add to the NDCG, `ndcg` is their sum.
    """

    grades: list
    shares: list
    ndcg: float


class Run(NamedTuple):
    """Neighboring cells of one row with the same winner, from left to right in steps of b."""

    letter: str
    k: int
    n_cells: int
    left: float
    middle: float  # of a cell: the frame around a cell must not cross the letter


class WinMap(NamedTuple):
    """Who wins in every cell: a row for each cutoff 1, 2, 3 and so on.

    `bases` are the step factors b of the columns; `first` and `second` the NDCG of A and of B;
    `letters` the winner, "A" or "B", or "=" where NDCG is the same; `margins` how far A is
    ahead, by the numbers that are shown.
    """

    bases: list
    first: list
    second: list
    letters: list
    margins: list
    runs: list


class Match(NamedTuple):
    """Two rankings of the same documents, A and B, under one gain and one cutoff.

    `base`, the step factor b of the gain, is a column of the map `wins`, `k` a row; `gains` maps
    each grade of the list to what it gains; `lead` says who wins, and `ahead` how far A is
    ahead: this cell of the map.
    """

    sides: tuple
    base: float
    k: int
    gains: dict
    wins: WinMap
    lead: str
    ahead: float


def gain_text(gain):
    """Write a gain with the decimals it needs, at most six digits."""
    return f"{gain:.6g}"


def who_wins(match):
    """Show a duel: rank by rank on the left, for all gains and cutoffs on the right.

    Left: the bars of a ranking sum to its NDCG, the number above a bar is the grade; ranks
    beyond the cutoff have no bar. Right: who wins in each cell, darker where by more, and the
    present cell in a frame.
    """
    first, second = match.sides
    line, label = _cutoff(match)
    layout = dict(
        barmode="group",
        bargap=0.2,
        shapes=[_present(match), *line],
        annotations=[_heading(), *label],
        **_left_axes(match),
        **_right_axes(match),
    )
    bars = [_bars(first, 0, match.k), _bars(second, 1, match.k)]
    right = [_map(match.wins), _borders(match.wins), _letters(match.wins)]
    figure = ([*bars, *right], layout)
    words = dict(title=_finding(match), sentence=_sentence(match), table=_table(match))
    return frame(figure, margin=dict(t=TOP), **words)


# --- left: the ranks ------------------------------------------------------------------


def _bars(side, place, k):
    """Return the bars of one ranking; B is hatched, so that color is not alone."""
    n = len(side.grades)
    none = [0] * (n - k)  # ranks that do not count have a grade, but no bar
    fill, edge, pattern = ("white", VERMILLION, "/") if place else (BLUE, BLUE, "")
    return dict(
        type="bar",
        x=list(range(1, n + 1)),
        # Nine decimals: from six, the four of the label could round another way.
        y=rounded(side.shares + none, 9),
        name=f"{NAMES[place]}: sum {side.ndcg:.{DIGITS}f}",
        marker=dict(
            color=fill,
            line=dict(color=edge, width=[1.5 if share else 0 for share in side.shares + none]),
            pattern=hatching(pattern, VERMILLION),
        ),
        text=[str(grade) for grade in side.grades],
        textfont=dict(size=16, color=[INK] * k + [GRAY] * (n - k)),
        **UPRIGHT,
        hovertemplate=f"{NAMES[place]}, rank %{{x}}, grade %{{text}}: %{{y:.4f}}<extra></extra>",
    )


def _left_axes(match):
    n = len(match.sides[0].grades)
    tallest = max(max(side.shares) for side in match.sides)
    # Whole steps, so that the scale seldom changes while the sliders move.
    steps = max(1, math.ceil(HEADROOM * tallest / STEP))
    ticks = [round(i * STEP, 1) for i in range(steps + 1)]
    return dict(
        xaxis=dict(
            domain=LEFT,
            title_text="rank; on each bar the grade",
            range=[0.5, n + 0.5],
            tickvals=list(range(1, n + 1)),
        ),
        yaxis=dict(
            title_text="share of the ideal",
            range=[0, ticks[-1]],
            tickvals=[tick for tick in ticks if tick <= 1],
            tickformat=".1f",
            showgrid=False,  # it would go through the grades
        ),
    )


def _cutoff(match):
    """Return the cutoff, and its name on the side of the line where no bar is."""
    if match.k == len(match.sides[0].grades):
        return [], []
    place = dict(x=match.k + 0.5, xref="x", xanchor="left", y=1, yref="y domain", yanchor="top")
    return [vertical(match.k + 0.5)], [note(f"k = {match.k}", xshift=4, **place)]


# --- right: the map -------------------------------------------------------------------


def _map(wins):
    """Return the map: letter and color say who wins, the shade by how much."""
    letters, ahead = wins.letters, wins.margins
    most = max(max(map(abs, row)) for row in ahead) or 1
    return dict(
        type="heatmap",
        x=wins.bases,
        y=list(range(1, len(ahead) + 1)),
        z=[
            [_shade(*cell, most) for cell in zip(*rows, strict=True)]
            for rows in zip(letters, ahead, strict=True)
        ],
        zmin=-1,
        zmax=1,
        colorscale=[[0, VERMILLION], [0.5, "white"], [1, BLUE]],
        showscale=False,
        xgap=1,
        ygap=1,
        text=letters,
        customdata=ahead,
        **ON_THE_RIGHT,
        hovertemplate="b = %{x}, k = %{y}: %{text} (A − B = %{customdata:.4f})<extra></extra>",
    )


def _letters(wins):
    """Write the winner once into each run with room for it: many letters take long to draw."""
    runs = [run for run in wins.runs if run.n_cells >= ROOM_FOR_LETTER]
    return scatter(
        [run.middle for run in runs],
        [run.k for run in runs],
        text=[run.letter for run in runs],
        textfont=dict(size=17, color=BLACK),
        showlegend=False,
        **ON_THE_RIGHT,
    )


def _borders(wins):
    """Draw a line where the winner of a row changes, so that color is not alone."""
    runs = [run for run in wins.runs if run.left > wins.bases[0]]
    return scatter(
        [x for run in runs for x in (run.left, run.left, None)],
        [y for run in runs for y in (run.k - 0.5, run.k + 0.5, None)],
        line=dict(color=INK, width=2),
        showlegend=False,
        **ON_THE_RIGHT,
    )


def _shade(letter, ahead, most):
    """Return the color of a cell: 1 is all blue, −1 all vermillion, 0 white."""
    if letter == NEITHER:
        return 0
    shade = PALEST + (DARKEST - PALEST) * abs(ahead) / most
    return round(shade if letter == NAMES[0] else -shade, 3)


def _present(match):
    """Frame the cell that the controls and the left panel show."""
    around = (round(match.base - 0.05, 6), round(match.base + 0.05, 6))
    rows = (match.k - 0.5, match.k + 0.5)
    return box(around, rows, line=dict(color=BLACK, width=4), xref="x2", yref="y2")


def _heading():
    place = dict(x=0, xref="x2 domain", xanchor="left", y=1, yref="y2 domain", yanchor="bottom")
    text = "A blue, B orange; darker: wins by more<br><b>□</b> you are here"
    return note(text, align="left", yshift=4, **place)


def _right_axes(match):
    """Return the axes of the map, with some room for the frame of a cell at the edge."""
    n, bases = len(match.sides[0].grades), match.wins.bases
    return dict(
        xaxis2=dict(
            anchor="y2",
            domain=RIGHT,
            title_text="b: each step up is worth<br>b times the step before",
            range=[bases[0] - 0.07, bases[-1] + 0.07],
            tickvals=[1, 1.5, 2, 2.5, 3],
            ticktext=["1<br>linear", "1.5", "2<br>2<sup>rel</sup> − 1", "2.5", "3"],
            tickangle=0,
        ),
        yaxis2=dict(
            anchor="x2",
            title_text="cutoff k",
            range=[0.43, n + 0.57],
            tickvals=list(range(1, n + 1)),
            showgrid=False,
        ),
    )


# --- the words ------------------------------------------------------------------------


def _finding(match):
    lead, metric = match.lead, f"NDCG@{match.k}"
    values = sorted((side.ndcg for side in match.sides), reverse=True)
    if lead == NEITHER:
        return f"Neither wins: both have {metric} {values[0]:.{DIGITS}f}"
    high, low = (f"{value:.{DIGITS}f}" for value in values)
    return f"{lead} wins by {_by(match)}: {metric} {high} against {low}"


def _by(match):
    by = abs(match.ahead)
    return f"{by:.{DIGITS}f}" if by else f"less than {10**-DIGITS:.{DIGITS}f}"


def _sentence(match):
    grades = ", ".join(map(str, match.gains))
    gains = ", ".join(map(gain_text, match.gains.values()))
    first, second = (f"{side.ndcg:.{DIGITS}f}" for side in match.sides)
    verdict = "neither wins" if match.lead == NEITHER else f"{match.lead} wins by {_by(match)}"
    return (
        f"With b = {match.base:g}, grades {grades} gain {gains}. NDCG@{match.k} is {first} "
        f"for A and {second} for B, so {verdict}. {_count(match.wins)}"
    )


def _count(wins):
    cells = [letter for row in wins.letters for letter in row]
    first, second, neither = (cells.count(letter) for letter in (*NAMES, NEITHER))
    nobody = f"; {neither} go to neither" if neither else ""
    return f"In the map A wins {first} of {len(cells)} cells and B wins {second}{nobody}."


def _table(match):
    header = ("rank", "grade A", "share A", "grade B", "share B")
    n = len(match.sides[0].grades)
    columns = [range(1, n + 1)]
    for side in match.sides:
        beyond = [None] * (n - match.k)
        columns += [side.grades, [round(share, DIGITS) for share in side.shares] + beyond]
    rows = [list(row) for row in zip(*columns, strict=True)]
    first, second = (round(side.ndcg, DIGITS) for side in match.sides)
    return header, [*rows, [f"NDCG@{match.k}", None, first, None, second]]
