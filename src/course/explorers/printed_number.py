"""The printed number, the explorer of notebook *conventions*: who prints it, under which switches.

What every tool and every setting prints is computed once for each query.
"""

import functools

import numpy as np

from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import vertical
from helpers.style import (
    BLUE,
    INK,
    ON_THE_RIGHT,
    PALE_BLUE,
    VERMILLION,
    frame,
    scatter,
    side_by_side,
)
from ndcglib.conventions import SWITCHES, fingerprint
from ndcglib.conventions.examples import run_and_qrels
from ndcglib.conventions.reconciler import Reconciler
from ndcglib.metrics.checks import check_count

ONE = 10_000  # a printed 1, in the units of the control
BINS = 50
DOT = 0.03  # its width, in NDCG
MOST_NAMED = 2  # tools in a title
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
        axes = side_by_side()
        for axis, title in (("xaxis", "each tool"), ("xaxis2", "all settings")):
            axes[axis] |= dict(title_text=f"NDCG@{k} of {title}", range=[-0.02, 1.02])
        axes["yaxis"] |= dict(visible=False, range=[0, 10.5])
        axes["yaxis2"] |= dict(title_text="settings", rangemode="tozero")
        lines = [vertical(float(text), panel, color=INK) for panel in ("", "2")]
        figure = frame(
            ([*_tools(found, known), _settings(known)], axes | dict(shapes=lines)),
            title=_title(found),
            sentence=_sentence(found),
            table=_table(found, known),
            legend=False,
        )
        return View(figure, touch={"x": "printed", "x2": "printed"})


# --- what is drawn ----------------------------------------------------------------------


def _tools(found, known):
    """Draw a dot for each tool with a number, on top of those that print about the same."""
    has_number = np.isfinite(known.numbers)
    tools = [tool for tool, has_one in zip(known.tools, has_number, strict=True) if has_one]
    shown = np.round(known.numbers[has_number], 4)
    columns = (shown / DOT).astype(int).tolist()
    heights = [1 + columns[:i].count(column) for i, column in enumerate(columns)]
    traces = []
    for is_found, color, size in ((False, PALE_BLUE, 11), (True, VERMILLION, 16)):
        points = [
            (value, height, tool.name)
            for value, height, tool in zip(shown.tolist(), heights, tools, strict=True)
            if (tool in found.presets) == is_found
        ]
        x, y, names = map(list, zip(*points, strict=True)) if points else ([], [], [])
        marker = dict(color=color, size=size, line=dict(color=INK, width=1))
        look = dict(marker=marker, customdata=names, hover="%{customdata}: %{x:.4f}")
        traces.append(scatter(x, y, cliponaxis=False, **look))
    return traces


def _settings(known):
    """Draw how many settings print about so much."""
    counts, edges = np.histogram(known.values[np.isfinite(known.values)], BINS, (0, 1))
    middles = ((edges[:-1] + edges[1:]) / 2).round(6).tolist()
    return dict(
        type="bar",
        x=middles,
        y=counts.tolist(),
        width=1 / BINS,
        marker=dict(color=BLUE),
        hovertemplate="%{y} settings near %{x:.2f}<extra></extra>",
        **ON_THE_RIGHT,
    )


def _title(found):
    names = [preset.name for preset in found.presets]
    tools = f"{len(names)} tools" if len(names) > MOST_NAMED else " and ".join(names)
    settings = f"{found.n_settings:,} of {found.n_tried:,} settings"
    if names:
        return f"{found.printed} is printed by {tools}, and by {settings}"
    but = "but" if found.n_settings else "and"
    return f"{found.printed} is printed by no tool, {but} by {settings}"


def _sentence(found):
    """Say how the switches are set, what to ask next, or which setting is near."""
    names = [preset.name for preset in found.presets]
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
        may_be = " or ".join(preset.name for preset in found.maybe)
        return f"It may be {may_be}, whose order of ties is not defined."
    if found.nearest:
        tool, setting = found.nearest[0]
        turned = setting.differs_from(tool.convention)
        switches = " and ".join(f"{name} {getattr(setting, name)}" for name in turned)
        return f"No tool prints it. The nearest setting is {tool.name} with {switches}."
    return "Neither a tool nor any setting of the switches prints it."


def _either(name, given):
    """Return the settings of a switch in the order of its answers."""
    found = {getattr(convention, name) for convention in given}
    return " or ".join(str(setting) for setting in SWITCHES[name][1] if setting in found)


def _table(found, known):
    rows = [
        (tool.name, _printed(number, bounds), _verdict(tool, found))
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
