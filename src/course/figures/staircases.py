"""The charts of notebook *staircase*: NDCG along a line, with no slope to follow."""

import math

from helpers.marks import beside, horizontal, note, vertical
from helpers.numbers import cells, counted, rounded, signed
from helpers.style import (
    BLACK,
    BLUE,
    GRAY,
    GREEN,
    INK,
    MANY_POINTS,
    OTHERS,
    Look,
    frame,
    line,
    metric_name,
    scatter,
    words_checked,
)
from ndcglib.metrics import random_ndcg
from ndcglib.metrics.checks import all_finite, as_flat, as_number
from ndcglib.tuning.steps import DIGITS, MOST_DIGITS, between, crossings

LETTERS = "ABCDEFGH"
MOST_LISTED = 40  # steps in a table; of more the best
BEST_LISTED = 10
DOCUMENTS = (*OTHERS, Look(BLACK, "5px,3px", "cross"))  # of one query
FEWEST_LINES = 3
LABEL_GAP = 0.1  # between the labels of two lines, in heights of the panel
BEST = Look(GREEN, "solid", "diamond")
MARKED = ("circle", "square", "diamond-wide")  # places on a staircase


def place_text(t, other=None, digits=DIGITS):
    """Write a place on the line, with digits enough to tell it from another one."""
    if other is not None:
        while digits < MOST_DIGITS and signed(t, digits) == signed(other, digits):
            digits += 1
    return signed(t, digits)


# --- a staircase alone ----------------------------------------------------------------


@words_checked
def staircase(steps, low, high, *, at=None, x_title="t"):
    """Show mean NDCG along a line, from `low` to `high`: flat steps, and jumps between.

    Up to 12 jumps have an open circle each: the NDCG on the breakpoint itself, where
    documents tie. Of more than 600 steps some are drawn: the range is cut into 300
    columns of equal width, and each column keeps its lowest and its highest step. So
    each point drawn is a step that exists, with its own NDCG and at its own place, and
    the best and the worst step are always among them.

    Parameters
    ----------
    steps : ndcglib.tuning.Staircase
    low, high : float
        The ends of the part to show.
    at : float or sequence of float, optional
        A place to mark, or up to three: a line at the NDCG of the first parts what is above
        it from what is below.
    x_title : str, default="t"
        What moves.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If `steps` is no staircase, the ends are not two finite numbers that rise, or
        `at` holds too many places or one that is not between them.

    Notes
    -----
    Taught in notebook *staircase*.
    """
    shown = between(steps, low, high)
    low, high = shown.edges[0], shown.edges[-1]
    traces = [stairs(shown, "mean NDCG"), *tie_marks(shown), best_step(shown)]
    ends = f" from {low} to {high}, the ends shown"
    places = []
    if at is not None:
        places = list(at) if isinstance(at, (list, tuple)) else [at]
        if not 1 <= len(places) <= len(MARKED):
            raise ValueError(f"at must hold 1 to {len(MARKED)} places, got {len(places)}")
    places = [as_number(one, "at", ends, lambda one: low <= one <= high) for one in places]
    marked = {place: float(steps.value(place)) for place in places}
    for (place, value), symbol in zip(marked.items(), MARKED, strict=False):
        name = f"at {_end_text(place, shown.digits)}"
        traces.append(now_mark(place, value, name, symbol))
    layout = dict(
        xaxis=dict(title_text=x_title, range=[shown.edges[0], shown.edges[-1]]),
        yaxis=dict(title_text="mean NDCG", range=room(shown)),
        shapes=_place_lines(marked),
    )
    return frame(
        (traces, layout),
        title=_count(shown),
        sentence=_in_words(shown, marked),
        table=_table(shown, marked),
    )


def _place_lines(marked):
    """Return a line through each place; of several places the first has one at its NDCG, too."""
    lines = [vertical(place, color=INK) for place in marked]
    if len(marked) > 1:
        y = round(next(iter(marked.values())), 6)
        lines.append(horizontal(y, color=INK, width=1, dash="solid"))
    return lines


def stairs(steps, name):
    """Return the staircase: right from each point, then up or down to the next."""
    kept = steps.thinned()
    few = len(steps.ties) <= MANY_POINTS
    values = [steps.values[i] for i in kept]
    return scatter(
        steps.drawn([*(steps.edges[i] for i in kept), steps.edges[-1]]),
        rounded([*values, values[-1]]),
        name,
        line=dict(color=BLUE, width=4 if few else 2, shape="hv"),
        hover="from %{x}: NDCG %{y:.4f}",
    )


def tie_marks(steps):
    """Return an open circle on each breakpoint, where they are few."""
    if not 0 < len(steps.ties) <= MANY_POINTS:
        return []
    circle = dict(symbol="circle", size=9, color="white", line=dict(color=BLUE, width=2.5))
    return [
        scatter(
            steps.drawn(steps.edges[1:-1]),
            rounded(steps.ties),
            "on a tie",
            marker=circle,
            hover="tie at %{x}: NDCG %{y:.4f}",
        )
    ]


def best_step(steps):
    """Return the best step, thick; a diamond shows it where it is too narrow to see."""
    i = steps.best
    left, right = steps.edges[i], steps.edges[i + 1]
    value = steps.values[i]
    return scatter(
        steps.drawn([left, (left + right) / 2, right]),
        rounded([value] * 3),
        "best step",
        line=dict(color=BEST.color, width=9),
        marker=dict(symbol=BEST.symbol, size=[0, 15, 0], color=BEST.color, opacity=1),
        hover=f"best step: NDCG {value:.4f}",
    )


def now_mark(t, value, name, symbol="circle"):
    """Return the dot at the place that is marked."""
    ring = dict(color="white", width=2)
    return scatter(
        rounded([t]),
        rounded([value]),
        name,
        marker=dict(symbol=symbol, size=15, color=INK, line=ring),
        cliponaxis=False,
        hover=f"{name}: NDCG {value:.4f}",
    )


def room(steps):
    """Return the range of NDCG, with some air above and below."""
    low, high = min(steps.values + steps.ties), max(steps.values + steps.ties)
    air = 0.08 * (high - low) or 0.05
    return rounded([low - air, high + air])


def _count(steps):
    n, value = len(steps.ties), max(steps.values)
    if n == 0:
        return f"No jump {_range_text(steps)}: NDCG is {value:.4f}"
    n_steps = counted(n + 1, "step", "steps")
    return f"NDCG has {n_steps} {_range_text(steps)}; best {value:.4f}"


def _range_text(steps):
    low, high = (_end_text(end, steps.digits) for end in (steps.edges[0], steps.edges[-1]))
    return f"between {low} and {high}"


def _end_text(end, digits):
    """Write an end of the range: −4, not −4.000."""
    text = place_text(end, digits=digits)
    return text.rstrip("0").rstrip(".")


def _in_words(steps, marked):
    values = steps.values
    told = [f"{place_text(at, digits=steps.digits)} it is {v:.4f}" for at, v in marked.items()]
    where = f" At {', at '.join(told)}." if told else ""
    return (
        f"Mean NDCG has {counted(len(values), 'step', 'steps')} {_range_text(steps)}, "
        f"each of them flat. The lowest is {min(values):.4f}, the best {max(values):.4f}, "
        f"{step_text(steps)}.{where}"
    )


def step_text(steps, i=None):
    """Write where a step is; by default the best one. A step at an end goes on there."""
    i = steps.best if i is None else i
    ends = steps.edges[i : i + 2]
    left, right = (place_text(*pair, steps.digits) for pair in (ends, ends[::-1]))
    if len(steps.values) == 1:
        return "everywhere"
    if i == 0:
        return f"up to {right}"
    return f"from {left} on" if i == len(steps.values) - 1 else f"from {left} to {right}"


def _table(steps, marked):
    rows = [
        ["marked", f"at {place_text(at, digits=steps.digits)}", round(value, 4)]
        for at, value in marked.items()
    ]
    return ("what", "t", "NDCG"), rows + step_rows(steps)


def step_rows(steps):
    """Return every step and every tie from left to right; of many steps the best."""
    n = len(steps.values)
    if n > MOST_LISTED:
        ranked = sorted(range(n), key=lambda i: (-steps.values[i], i))[:BEST_LISTED]
        best = [_step_row(steps, i, f"step {i + 1} of {n}") for i in ranked]
        worst = min(range(n), key=lambda i: steps.values[i])
        left_out = [f"{n - BEST_LISTED - 1:,} more steps, all between", None, None]
        return [*best, left_out, _step_row(steps, worst, f"step {worst + 1} of {n}")]
    rows = []
    for i in range(n):
        rows.append(_step_row(steps, i, "step"))
        if i < n - 1:
            place = place_text(steps.edges[i + 1], digits=steps.digits)
            rows.append(["tie", f"at {place}", round(steps.ties[i], 4)])
    return rows


def _step_row(steps, i, what):
    return [what, step_text(steps, i), round(steps.values[i], 4)]


# --- the scores of one query, and its NDCG --------------------------------------------


@words_checked
def crossing_lines(intercepts, slopes, grades, low, high, *, k=None):
    """Show the scores of one query as lines, and below them its NDCG as a staircase.

    The score of a document is ``intercept + slope * t``. Where two lines cross, two
    documents change ranks, and only there can NDCG change: a filled diamond if it
    does, an open circle if not.

    Parameters
    ----------
    intercepts, slopes, grades : array-like of shape (n_docs,)
        Of 3 to 6 documents, which are named A, B, C and so on.
    low, high : float
        The ends of t.
    k : int, optional
        Ranks that count; all by default.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are too few or too many documents, the three do not fit, no grade is
        above 0, or the ends are not two finite numbers that rise.

    Notes
    -----
    Taught in notebook *staircase*.
    """
    lines = _check_lines(intercepts, slopes, grades)
    metric = metric_name(k)
    found, shown = crossings(*lines, low, high, k)
    low, high = shown.edges[0], shown.edges[-1]
    level = random_ndcg(lines[2], k=k)
    below = [stairs(shown, metric), *tie_marks(shown)]
    for trace in below:
        trace.update(yaxis="y2", showlegend=trace["name"] == "on a tie")
    if not all_finite([a + b * t for a, b, _ in zip(*lines, strict=True) for t in (low, high)]):
        raise ValueError(
            "intercepts, slopes, low and high must be smaller: a score leaves float64 between "
            f"t = {low:g} and {high:g}"
        )
    traces = [*_score_lines(lines, low, high), *_crossing_marks(lines, found), *below]
    layout = _stacked(shown, metric, level) | dict(
        shapes=[
            *(_through_both(crossing.t) for crossing in found if crossing.changes),
            _level_line(level),
        ],
        annotations=[*_line_labels(lines, low, high), _level_name(level)],
    )
    return frame(
        (traces, layout),
        title=_crossings_text(found, metric),
        sentence=f"{_crossings_in_words(found, shown, metric)} A random order gets {level:.4f}.",
        table=_crossings_table(found, metric),
        height=560,
        margin=dict(r=120),
    )


def _score_lines(lines, low, high):
    unclipped = dict(showlegend=False, cliponaxis=False)  # the markers stand at the ends
    return [
        line([low, high], [a + b * low, a + b * high], LETTERS[i], look, **unclipped)
        for i, (a, b, look) in enumerate(zip(*lines[:2], DOCUMENTS, strict=False))
    ]


def _crossing_marks(lines, found):
    """Return the crossings on the lines: filled where NDCG changes, open where not."""
    filled = dict(symbol="diamond", size=13, color=INK)
    ring = dict(symbol="circle", size=11, color="white", line=dict(color=GRAY, width=2.5))
    kinds = [(True, "NDCG changes", filled), (False, "NDCG stays", ring)]
    return [_marks(lines, [c for c in found if c.changes == does], *rest) for does, *rest in kinds]


def _marks(lines, found, name, marker):
    intercepts, slopes, _ = lines
    points = [(c.t, intercepts[i] + slopes[i] * c.t) for c in found for i, _ in c.pairs]
    return scatter(
        rounded([t for t, _ in points]),
        rounded([score for _, score in points]),
        name,
        marker=marker,
        hover=f"crossing at t = %{{x}}: {name}",
    )


def _stacked(steps, metric, level):
    """Return the axes of two panels, one above the other, that share t; below is a level, too."""
    low, high = room(steps)
    ends = [min(low, round(level, 6)), max(high, round(level, 6))]
    return dict(
        xaxis=dict(anchor="y2", title_text="t", range=[steps.edges[0], steps.edges[-1]]),
        yaxis=dict(anchor="x", domain=[0.46, 1], title_text="score"),
        yaxis2=dict(anchor="x", domain=[0, 0.36], title_text=metric, range=ends),
    )


def _level_line(level):
    line = horizontal(round(level, 6), "2", dash="dash", layer="below")
    return line | dict(xref="x domain")  # the axis that both panels share


def _level_name(level):
    place = dict(xref="paper", x=1, xshift=10, yref="y2", y=round(level, 6), align="left")
    return note("random<br>order", xanchor="left", yanchor="middle", **place)


def _through_both(t):
    look = dict(color=GRAY, width=2, dash="dot")
    return dict(
        type="line", layer="below", xref="x", yref="paper", x0=t, x1=t, y0=0, y1=1, line=look
    )


def _line_labels(lines, low, high):
    """Return letter and grade of each line at its right end, apart from each other."""
    intercepts, slopes, grades = lines
    ends = [[a + b * t for a, b in zip(intercepts, slopes, strict=True)] for t in (low, high)]
    bottom, top = min(map(min, ends)), max(map(max, ends))
    texts = [f"<b>{letter}</b> grade {g:g}" for letter, g in zip(LETTERS, grades, strict=False)]
    room = dict(low=-math.inf, high=math.inf)
    place = dict(xref="paper", x=1, xshift=10, yref="y", **room)
    labels = beside(texts, ends[1], LABEL_GAP * (top - bottom), size=16, **place)
    for label, look in zip(labels, DOCUMENTS, strict=False):
        label["font"]["color"] = look.color
    return labels


def _crossings_text(found, metric):
    changing = sum(crossing.changes for crossing in found)
    if not found:
        return f"No lines cross here: {metric} stays the same"
    places = "1 place" if len(found) == 1 else f"{len(found)} places"
    return f"Lines cross at {places}; {metric} changes at {changing} of {len(found)}"


def _crossings_in_words(found, steps, metric):
    quiet = [place_text(c.t) for c in found if not c.changes]
    loud = [place_text(c.t) for c in found if c.changes]
    parts = [
        f"{metric} changes where lines cross at t = {', '.join(loud)}." if loud else "",
        f"It stays where they cross at t = {', '.join(quiet)}." if quiet else "",
        _best_in_words(steps, metric),
    ]
    return " ".join(part for part in parts if part)


def _best_in_words(steps, metric):
    n, best = len(steps.values), max(steps.values)
    if n == 1:
        return f"{metric} is {best:.4f} all along."
    return f"The best of its {counted(n, 'step', 'steps')}, {best:.4f}, is {step_text(steps)}."


def _crossings_table(found, metric):
    header = ("t", "who cross", f"{metric} before", "on the tie", "after", "changes")
    rows = [
        [
            place_text(c.t),
            ", ".join(f"{LETTERS[i]} and {LETTERS[j]}" for i, j in c.pairs),
            *cells([c.left, c.at, c.right]),
            "yes" if c.changes else "no",
        ]
        for c in found
    ]
    return header, rows


# --- checks ---------------------------------------------------------------------------


def _check_lines(intercepts, slopes, grades):
    """Return three lists of numbers, one number for each document, or raise."""
    named = dict(intercepts=intercepts, slopes=slopes, grades=grades)
    lines = [_check_column(values, name) for name, values in named.items()]
    lengths = {name: len(column) for name, column in zip(named, lines, strict=True)}
    n = len(lines[0])
    if len(set(lengths.values())) > 1 or not FEWEST_LINES <= n <= len(DOCUMENTS):
        raise ValueError(
            f"{FEWEST_LINES} to {len(DOCUMENTS)} documents need an intercept, a slope and a "
            f"grade each, got {lengths}"
        )
    if min(lines[2]) < 0 or max(lines[2]) <= 0:
        raise ValueError(
            f"grades must be 0 or more, and above 0 somewhere, got {lines[2]}: "
            "without a relevant document NDCG is 0/0"
        )
    return lines


def _check_column(values, name):
    return as_flat(values, name, "of one query, shape (n_docs,)").astype(float).tolist()
