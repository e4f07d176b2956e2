"""The printed number, the explorer of notebook *conventions*: who prints it, under which switches.

What every tool and every setting prints is computed once for each query.
"""

import functools
from html import escape
from typing import NamedTuple

import numpy as np

from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import note, vertical
from helpers.style import (
    BLUE,
    INK,
    PALE_BLUE,
    VERMILLION,
    frame,
    scatter,
)
from ndcglib.conventions import SWITCHES, fingerprint
from ndcglib.conventions.examples import run_and_qrels
from ndcglib.conventions.reconciler import Reconciler
from ndcglib.metrics.checks import check_count

ONE = 10_000  # a printed 1, in the units of the control
BINS = 50
ROWS = 5  # of tools with a name
MOST_FOUND = 3  # of them those that print the number
LETTER = 0.02  # of a name on a phone, in NDCG
TOOLS, SETTINGS = [0, 0.6], [0.66, 1]  # panels, in shares of the height
ROOM, HEADROOM = 1.1, 1.4  # of the highest bar, below a note too
CUT = 1.5  # times the others: from here on the bar at 1 is cut
MOST_NAMED = 2  # tools in a title
AIR = "\N{NO-BREAK SPACE}"  # beside them
LONGEST = 45  # letters of their names there
QUERIES = {"fingerprint": "fingerprint", "one, no ties": "one", "five": "five"}


class PrintedNumber:
    """Reads numbers off a few sets of queries; a reader's own is one of them."""

    def __init__(self, own=None):
        self._given = {
            "fingerprint": fingerprint(),
            "one": (*run_and_qrels(["no ties"]), 5),
            "five": (*run_and_qrels(), 5),
            "own": own,
        }
        self.known = functools.cache(self.known)

    def known(self, query):
        """Return what everything prints for the mean of these queries; it is computed once."""
        return Reconciler(*self._given[query])

    def numbers(self, query):
        """Return what each tool prints, in the units of the control, as near as it can come."""
        numbers = self.known(query).numbers
        shown = numbers[np.isfinite(numbers)]
        return np.clip(ONE * shown, 0, ONE).round().astype(int).tolist()

    def view(self, query, printed, decimals):
        """Return who prints a number of ten-thousandths, rounded to `decimals`, for a query."""
        (*_, k), known = self._given[query], self.known(query)
        text = f"{printed / ONE:.{decimals}f}"
        found = known.read(text)
        rows, asked = _rows(found, known), float(text)
        heights, counts = _named(rows, asked), _counts(known)
        names = [_name(rows[i], height, asked) for i, height in heights.items()]
        figure = frame(
            ([*_tools(rows, heights), _settings(counts)], _layout(k, asked, names, counts)),
            title=_title(found),
            sentence=_sentence(found),
            table=_table(found, known),
            legend=False,
        )
        return View(figure, touch={"x": "printed"})


# --- what is drawn ----------------------------------------------------------------------


class Row(NamedTuple):
    """Tools that print one number, which share a dot and a name."""

    number: float
    tools: list
    name: str
    is_found: bool


def _rows(found, known):
    """Return a row for each number that tools print, from the lowest up.

    The tools that print the one asked for have rows of their own, as far as there is room.
    """
    at = {}
    for tool, number in zip(known.tools, known.numbers.tolist(), strict=True):
        if np.isfinite(number):
            at.setdefault((round(number, 4), tool in found.presets), []).append(tool)
    rows = []
    for (number, is_found), tools in sorted(at.items(), key=lambda item: item[0]):
        alone = min(len(tools), MOST_FOUND) - 1 if is_found else 0
        for part in [*([tool] for tool in tools[:alone]), tools[alone:]]:
            name = min((tool.label for tool in part), key=len)
            more = f" and {len(part) - 1} more" if len(part) > 1 else ""
            rows.append(Row(number, part, name + more, is_found))
    return rows


def _named(rows, asked):
    """Return which rows have room for a name: those at the number asked for, and its neighbors."""
    distance = [(not row.is_found, abs(row.number - asked)) for row in rows]
    nearest = sorted(range(len(rows)), key=lambda i: distance[i])[:ROWS]
    return {i: height for height, i in enumerate(sorted(nearest), start=1)}


def _tools(rows, heights):
    """Draw a dot for each tool with a number: near the one asked for by name, else in a row."""
    traces = []
    for is_found, color, size in ((False, PALE_BLUE, 11), (True, VERMILLION, 15)):
        points = [
            (row.number, heights.get(i, 0), tool.label)
            for i, row in enumerate(rows)
            for tool in row.tools
            if row.is_found == is_found
        ]
        x, y, names = map(list, zip(*points, strict=True)) if points else ([], [], [])
        marker = dict(color=color, size=size, line=dict(color=INK, width=1))
        look = dict(marker=marker, customdata=names, hover="%{customdata}: %{x:.4f}")
        traces.append(scatter(x, y, cliponaxis=False, **look))
    return traces


def _name(row, height, asked):
    """Write the name on the side away from the line, unless it is too long for that side."""
    room = {"right": row.number, "left": 1 - row.number}  # by where the text is anchored
    away, across = ("right", "left") if row.number < asked else ("left", "right")
    fits = room[away] >= LETTER * len(row.name) or room[away] >= room[across]
    side = away if fits else across
    name = escape(row.name, quote=False)
    text = f"<b>{name}</b>" if row.is_found else name
    text = f"{AIR}{text}{AIR}"  # more of the line is covered, and no more of the next row
    shift = 8 if side == "left" else -8
    place = dict(x=row.number, y=height, xref="x", yref="y", xanchor=side, xshift=shift)
    return note(text, yanchor="middle", bgcolor="white", borderpad=0, **place)


def _counts(known):
    """Return how many settings print about so much."""
    return np.histogram(known.values[np.isfinite(known.values)], BINS, (0, 1))[0].tolist()


def _settings(counts):
    return dict(
        type="bar",
        x=[round((i + 0.5) / BINS, 6) for i in range(BINS)],
        y=counts,
        width=1 / BINS,
        marker=dict(color=BLUE),
        hovertemplate="%{y} settings near %{x:.2f}<extra></extra>",
        yaxis="y2",
    )


def _top(counts):
    """Return where the axis of the settings ends: so many print 1 that the rest would be flat."""
    *others, last = counts
    return HEADROOM * max(others) if last > CUT * max(others) > 0 else ROOM * max(counts)


def _cut(counts, top):
    """Return the break in a bar that is higher than the axis, and what it would reach."""
    if counts[-1] <= top:
        return [], []
    ends = dict(x0=1 - 1.4 / BINS, x1=1 + 0.4 / BINS, y0=0.62 * top, y1=0.78 * top)
    stroke = dict(type="line", xref="x", yref="y2", line=dict(color="white", width=5), **ends)
    place = dict(x=1 - 1.6 / BINS, xref="x", xanchor="right", y=top, yref="y2", yanchor="top")
    return [stroke], [note(f"this bar is cut: {counts[-1]:,}", bgcolor="white", **place)]


def _layout(k, asked, names, counts):
    """Return the axes, one above the other: the line at the number asked for crosses both."""
    top = _top(counts)
    strokes, said = _cut(counts, top)
    line = vertical(asked, color=INK, layer="below") | dict(yref="paper")
    rows = dict(range=[-0.6, ROWS + 0.6], tickvals=[0], ticktext=["others"], ticks="")
    return dict(
        xaxis=dict(title_text=f"NDCG@{k}", range=[-0.02, 1.02]),
        yaxis=dict(title_text="tools", domain=TOOLS, showgrid=False, **rows),
        yaxis2=dict(title_text="settings", domain=SETTINGS, range=[0, top], nticks=3),
        shapes=[line, *strokes],
        annotations=[*names, *said],
    )


def _title(found):
    """Return two lines, so that the figure stays where it is."""
    names = [preset.label for preset in found.presets]
    tools = " and ".join(names)
    if len(names) > MOST_NAMED or len(tools) > LONGEST:
        tools = f"{len(names)} tools"
    but = "and" if bool(names) == bool(found.n_settings) else "but"
    settings = f"{but} by {found.n_settings:,} of {found.n_tried:,} settings"
    return [f"{found.printed} is printed by {escape(tools or 'no tool')},", settings]


def _sentence(found):
    """Say how the switches are set, what to ask next, or which setting is near."""
    names = [preset.label for preset in found.presets]
    if len(names) > MOST_NAMED:
        shown, more = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
        ask = f"To tell them apart, ask about the switch {found.switch} first."
        return f"It is printed by {shown} and {more} more. {ask}"
    if names:
        given = [preset.convention for preset in found.presets]
        told = [name for name in SWITCHES if name not in found.idle]
        switches = ", ".join(f"{name} {_either(name, given)}" for name in told)
        return f"That means {switches}."
    if found.maybe:
        may_be = " or ".join(preset.label for preset in found.maybe)
        return f"It may be {may_be}, whose order of ties is not defined."
    if found.nearest:
        tool, setting = found.nearest[0]
        turned = setting.differs_from(tool.convention)
        switches = " and ".join(f"{name} {getattr(setting, name)}" for name in turned)
        return f"No tool prints it. The nearest setting is {tool.label} with {switches}."
    return "Neither a tool nor any setting of the switches prints it."


def _either(name, given):
    """Return the settings of a switch in the order of its answers."""
    found = {getattr(convention, name) for convention in given}
    return " or ".join(str(setting) for setting in SWITCHES[name][1] if setting in found)


def _table(found, known):
    rows = [
        (tool.label, _printed(number, bounds), _verdict(tool, found))
        for number, bounds, tool in sorted(
            zip(known.numbers.tolist(), known.bounds.tolist(), known.tools, strict=True),
            key=lambda row: (np.isnan(row[0]), row[:2]),
        )
    ]
    counted = [
        ("the printed number", found.printed, ""),
        ("tools that print it", len(found.presets), ""),
        ("settings that print it", f"{found.n_settings:,}", ""),
        ("settings tried", f"{found.n_tried:,}", ""),
        ("settings that print more than 1", f"{int((known.values > 1).sum()):,}", ""),
    ]
    if len(found.presets) > MOST_NAMED:
        counted.append(("tools that are not named", len(found.presets) - MOST_NAMED, ""))
    for convention in found.candidates[:1]:
        answers = convention._asdict().items()
        counted += [
            (f"switch {name}", str(at), "") for name, at in answers if name not in found.idle
        ]
    return ("tool", "prints", "this number"), [*rows, *counted]


def _printed(number, bounds):
    if np.isnan(number):
        return "{:.4f} to {:.4f}".format(*bounds)
    return round(number, 4)


def _verdict(tool, found):
    """Return whether a tool prints the number."""
    if tool in found.presets:
        return "yes"
    return "may be" if tool in found.maybe else ""


@explorer
def printed_number(run=None, qrels=None, k=5):
    """Return the explorer "Which tool printed this number?".

    Parameters
    ----------
    run, qrels : dict of str to dict, optional
        A run and its judgments, as in `ndcglib.conventions.evaluate`: your own queries.
    k : int, default=5
        Their cutoff.

    Returns
    -------
    Explorer
        With controls ``query``, ``printed`` and ``decimals``.

    Raises
    ------
    TypeError, ValueError
        As `ndcglib.conventions.evaluate`; also if only one of run and qrels is given.

    Notes
    -----
    Taught in notebook *conventions*.
    """
    check_count(k, "k")
    if (run is None) != (qrels is None):
        raise TypeError("run and qrels go together, got one of them; give both, or none")
    own = None if run is None else (run, qrels, k)
    model = PrintedNumber(own)
    queries = ({} if own is None else {"your own": "own"}) | QUERIES
    start = next(iter(queries.values()))
    numbers = sorted({number for query in queries.values() for number in model.numbers(query)})
    first = model.numbers(start)[0]  # of scikit-learn, unless it refuses these queries
    controls = {
        "query": OneOf("Queries", queries, start),
        "printed": Whole(
            "Printed NDCG",
            0,
            ONE,
            first,
            unit=1 / ONE,
            digits=4,
            typed=True,
        ),
        "decimals": OneOf("Decimals", {str(n): n for n in (2, 3, 4)}, 4),
    }
    presets = {
        "One query": dict(query="one", printed=9141, decimals=4),
        "Five queries": dict(query="five", printed=8566, decimals=4),
        "A fingerprint": dict(query="fingerprint", printed=8149, decimals=4),
    }
    question = "Which tool printed this number?"
    return Declaration(
        question,
        model.view,
        controls,
        presets,
        tried={"printed": (first, *numbers[::6])},
        stops={"printed": (0, *numbers)},
    )
