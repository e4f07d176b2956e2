"""The chart of notebook *your_own_ndcg*: two programs on all queries, and on one."""

import math
from html import escape
from typing import NamedTuple

import numpy as np

from course.explorers.compare_code_programs import EACH, FILES
from course.figures.program_differences import (
    difference_axis,
    difference_traces,
    differences_of,
    finding,
)
from helpers.marks import box, note
from helpers.numbers import cells, rounded, signed
from helpers.style import (
    BLACK,
    BLUE,
    GRAY,
    GRID,
    INK,
    ON_THE_RIGHT,
    VERMILLION,
    frame,
    scatter,
    side_by_side,
)
from ndcglib.metrics.checks import SAME_VALUE


class Side(NamedTuple):
    """One program on one query, and what it is called.

    `added` is what the documents add to the DCG, from rank 1 down; `dcg` their sum, `ideal` what
    it is divided by; `of` the query whose value stands here, from 1. They are None where only the
    `value` is known.
    """

    name: str
    value: float
    added: list | None = None
    dcg: float | None = None
    ideal: float | None = None
    of: int | None = None


class Query(NamedTuple):
    """One query, by its place in the sorted row and its number; its documents by falling score.

    `docs` are their places in the file, `ranks` the first and last rank of each; `k` ranks count.
    """

    place: int
    number: int
    docs: list
    grades: list
    scores: list
    ranks: list
    k: int

    def labels(self):
        """Return what the documents are called, from rank 1 down."""
        told = zip(self.ranks, self.docs, self.grades, strict=True)
        return [f"{_rank(*group)}: D{doc}, grade {grade}" for group, doc, grade in told]


def program_pair(sides, columns, order, query):
    """Show two programs: their difference on every query, and one query under both.

    Left: the queries of each file from the lowest difference to the highest, the one shown in a
    frame. Right: its documents by rank, and what each adds to the DCG under both programs, joined
    where that differs; a bracket holds those that tie. `columns` are the values of both programs
    for all queries, `order` which query stands at which place.
    """
    differences = differences_of(*columns)[order]
    axes = side_by_side(0.54, gap=0.22)
    axes["xaxis"] |= _files()
    axes["yaxis"] |= difference_axis(differences) | dict(
        title_text=f"difference of NDCG@{query.k}"
    )
    axes["xaxis2"] |= _amounts(sides, query)
    axes["yaxis2"] |= _documents(query)
    names = [escape(side.name) for side in sides]
    layout = dict(
        shapes=[*_borders(), _chosen(query), *_ties(query), _cutoff(query)],
        annotations=[_cutoff_name(query)],
        **axes,
    )
    *bars, same = difference_traces(differences, [i + 1 for i in order], names)
    left = [bar | dict(showlegend=False) for bar in bars]  # of the colors of the right panel
    return frame(
        ([*left, *_dots(sides, query), same], layout),
        title=finding(*columns),
        sentence=_sentence(sides, differences, query),
        table=_table(sides, columns, order, query),
    )


# --- left: all queries ----------------------------------------------------------------


def _files():
    """Write below each ten queries what their file is like."""
    n = EACH * len(FILES)
    middles = [(i + 0.5) * EACH + 0.5 for i in range(len(FILES))]
    what = f"{n} queries, {EACH} of each file"
    return dict(title_text=what, range=[0.3, n + 0.7], tickvals=middles, ticktext=list(FILES))


def _borders():
    """Part the files."""
    look = dict(color=GRAY, width=1, dash="dot")
    place = dict(xref="x", yref="y domain", y0=0, y1=1, line=look)
    ends = [i * EACH + 0.5 for i in range(1, len(FILES))]
    return [dict(type="line", x0=end, x1=end, **place) for end in ends]


def _chosen(query):
    sides = (query.place - 0.5, query.place + 0.5)
    look = dict(fill=GRID, line=dict(color=BLACK, width=2))
    return box(sides, (0, 1), xref="x", yref="y domain", **look)


# --- right: one query -----------------------------------------------------------------


def _dots(sides, query):
    """Return the lines between the programs, then a circle and an open diamond per document.

    Their names say for the left panel, too, which way a bar goes where the program gives more.
    """
    ranks = list(range(1, len(query.docs) + 1))
    circle = dict(symbol="circle", size=10, color=BLUE)
    # Open, so that a circle below it can be seen.
    diamond = dict(symbol="diamond-open", size=14, color=VERMILLION, line=dict(width=2.5))
    marks = [
        scatter(
            rounded(side.added) if side.added else [None],  # nothing, but in the legend
            ranks if side.added else [None],
            escape(
                f"{side.name if side.added else f'{side.name} (only its values)'}, more: {way}"
            ),
            marker=look,
            cliponaxis=False,
            hover="%{x:.4f}",
            showlegend=True,
            **ON_THE_RIGHT,
        )
        for side, look, way in zip(sides, (circle, diamond), "↓↑", strict=True)
    ]
    return [_joins(sides, ranks), *marks]


def _joins(sides, ranks):
    """Return one line for each document that differs, in one trace: None lifts the pen."""
    x, y = [], []
    for i in other_documents(*sides):
        x += [*rounded([side.added[i] for side in sides]), None]
        y += [ranks[i], ranks[i], None]
    return scatter(x, y, line=dict(color=INK, width=3), showlegend=False, **ON_THE_RIGHT)


def other_documents(one, other):
    """Return which documents, from 0 at rank 1, add another amount."""
    if one.added is None or other.added is None:
        return []
    pairs = zip(one.added, other.added, strict=True)
    return [i for i, (a, b) in enumerate(pairs) if abs(a - b) > SAME_VALUE]


def _amounts(sides, query):
    """Return an axis that ends at a whole number, so that the scale seldom changes."""
    most = math.ceil(max([1.0, *(a for side in sides for a in side.added or [])]))
    title = f"query {query.number}: added to DCG@{query.k}"
    return dict(title_text=title, range=[-0.06 * most, 1.06 * most], nticks=5)


def _documents(query):
    n = len(query.docs)
    places = list(range(1, n + 1))
    return dict(
        range=[n + 0.5, 0.5],
        tickvals=places,
        ticktext=query.labels(),
        showgrid=False,
        ticks="",
        showline=False,
    )


def _ties(query):
    """Return a bracket at the left of each group of documents that tie."""
    groups = sorted({group for group in query.ranks if group[0] < group[1]})
    place = dict(xref="x2 domain", x0=0.01, x1=0.01, yref="y2", line=dict(color=INK, width=4))
    return [dict(type="line", y0=first - 0.4, y1=last + 0.4, **place) for first, last in groups]


def _cutoff(query):
    at = dict(x0=0, x1=1, xref="x2 domain", y0=query.k + 0.5, y1=query.k + 0.5, yref="y2")
    return dict(type="line", line=dict(color=GRAY, width=2, dash="dot"), **at)


def _cutoff_name(query):
    place = dict(x=1, xref="x2 domain", xanchor="right", y=query.k + 0.5, yref="y2")
    return note(f"k = {query.k}", color="#555555", yanchor="top", **place)


def _rank(first, last):
    return str(first) if first == last else f"{first}–{last}"


# --- the words ------------------------------------------------------------------------


def _sentence(sides, differences, query):
    one, other = sides
    count = int((differences != 0).sum())
    shared = f"differ on {count} of" if count else "agree on all"
    values = f"{one.value:.4f} and {other.value:.4f}"
    return (
        f"{one.name} and {other.name} {shared} {len(differences)} queries. Query "
        f"{query.number}, at place {query.place}, gets {values}: {_why(one, other, query)}."
    )


def _why(one, other, query):
    """Say what differs: the documents, the ideal, what 0/0 counts, or whose value it is."""
    for side in (one, other):
        if side.added is None:
            return f"of {side.name} only the value is known"
        if side.of != query.number:
            return f"{side.name} returns the value of query {side.of}"
    if one.ideal == other.ideal == 0:
        return "nothing is relevant, 0/0"
    count = len(other_documents(one, other))
    amounts = f"different amounts for {count} of {len(query.docs)} documents"
    is_same = abs(one.ideal - other.ideal) <= SAME_VALUE
    return (
        f"{amounts if count else 'the same amount for each document'}, "
        f"{'the same ideal' if is_same else 'different ideals'}"
    )


def _table(sides, columns, order, query):
    """Return the documents, what their sums are divided by, and all queries that differ."""
    one, other = sides
    blank = [None] * len(query.docs)
    rows = [
        _row(f"rank {label}, score {signed(score, 2)}", a, b)
        for label, score, a, b in zip(
            query.labels(), query.scores, one.added or blank, other.added or blank, strict=True
        )
    ]
    rows.append(_row(f"sum: DCG@{query.k}", one.dcg, other.dcg))
    rows.append(_row("ideal", one.ideal, other.ideal))
    rows.append(["value of query", one.of, other.of, None])
    first, second = columns
    differ = differences_of(first, second) != 0
    rows += [
        _row(f"place {place}, query {i + 1}", first[i], second[i])
        for place, i in enumerate(order, start=1)
        if differ[i] or place == query.place
    ]
    rows.append([f"queries that differ, of {len(order)}", None, None, int(differ.sum())])
    above = [int((column > 1 + SAME_VALUE).sum()) for column in columns]
    if any(above):
        rows.append(["above 1", *above, sum(above)])
    rows.append(_row(f"mean of {len(order)}", np.mean(first), np.mean(second)))
    return ("what", one.name, other.name, "difference"), rows


def _row(label, one, other):
    is_known = one is not None and other is not None
    return [label, *cells([one, other, differences_of(one, other) if is_known else None])]
