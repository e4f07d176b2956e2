"""One pass of a climb, for notebook *climb*: the curves, the weights and one list."""

from typing import NamedTuple

from course.figures.climb_curves import (
    TRAINING,
    VALIDATION,
    four_digits,
    pass_axis,
    value_range,
)
from helpers.marks import note, vertical
from helpers.numbers import DIGITS, rounded, signed
from helpers.style import (
    BLUE,
    GRAY,
    INK,
    MANY_POINTS,
    PALE_BLUE,
    PALE_GRAY,
    frame,
    metric_name,
    scatter,
    slopes,
)
from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.tuning import Limits, Row

LEFT_END, RIGHT_START = 0.405, 0.76  # of the panels, in shares of the chart
LIST_RANGE = [-0.08, 1.6]  # 0 is before a pass and 1 now, where the names stand up to the next
NAMES_END = 1.42
MIDDLE = [0.4672, RIGHT_START - 0.055]  # beside it there is room for names of three letters


class Doc(NamedTuple):
    """One document of the list: before the pass at rank `before`, None at the start."""

    letter: str
    grade: int
    score: float
    rank: int
    before: int | None


class Moment(NamedTuple):
    """One pass of a climb, and the list of one query after it."""

    history: list  # all passes of one run, each with a validation value
    best: Row  # the one that is best on validation so far
    number: int  # which pass; 0 is the start
    k: int  # the last rank that counts
    weights: list  # of each pass, of length 1
    generating: list  # the weights that generated the data, of length 1
    moved: list  # which weights the pass has moved
    query: str  # whose list it is
    docs: list  # the list by rank
    ndcg: float  # of the list
    ndcg_before: float | None  # before the pass; None at the start
    limits: dict[str, Limits]  # of the training and of the validation queries

    @property
    def now(self):
        """The row of the present pass."""
        return self.history[self.number]

    @property
    def before(self):
        """The row of the pass before; at the start the start itself."""
        return self.history[max(self.number - 1, 0)]

    @property
    def features(self):
        """The names of the weights."""
        return [f"x{i}" for i in range(1, len(self.generating) + 1)]


# --- one pass -------------------------------------------------------------------------


def ascent_step(moment):
    """Show one pass of a climb: the curves, the weights and the list of one query.

    Left: mean NDCG up to this pass, which has large markers; what is to come is pale. Middle:
    the weights, scaled to length 1; solid are those that the pass moved. Right: the documents of
    one query from rank 1 down, each a line from its rank before the pass to that after it,
    where its letter and its grade stand. The higher the grade, the thicker the line.
    """
    traces = [*_curves(moment), _weight_bars(moment), *_list_lines(moment), _list_ends(moment)]
    layout = dict(
        bargap=0.25,
        shapes=[vertical(moment.number), *_cutoff(moment)],
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
        margin=dict(b=54, r=62),
    )


def _curves(moment):
    """Return the way to come, the curves up to this pass and a ring around the best."""
    parts = (("training", "train", TRAINING), ("validation", "validation", VALIDATION))
    ahead = moment.history[moment.number :]
    to_come = [
        scatter(
            [row.number for row in ahead],
            rounded(getattr(row, part) for row in ahead),
            line=dict(color=PALE_GRAY, dash=look.dash, width=1.5),
            showlegend=False,
        )
        for _, part, look in parts
    ]
    history = moment.history[: moment.number + 1]
    size = [9 if len(moment.history) <= MANY_POINTS else 7] * moment.number + [16]
    x = [row.number for row in history]
    curves = [
        scatter(
            x,
            rounded(getattr(row, part) for row in history),
            name,
            line=dict(color=look.color, dash=look.dash, width=3),
            marker=dict(color=look.color, symbol=look.symbol, size=size, opacity=1),
            hover=f"{name}, pass %{{x}}: %{{y:.4f}}",
        )
        for name, part, look in parts
    ]
    # A ring: a star would cover the point that it marks.
    ring = dict(symbol="circle-open", size=25, color=INK, line=dict(width=3), opacity=1)
    place = [moment.best.number], rounded([moment.best.validation])
    hover = "best on validation so far: pass %{x}, %{y:.4f}"
    best = scatter(*place, "best", marker=ring, hover=hover)
    return [*to_come, *curves, best]


def _left_axes(moment):
    history = moment.history
    return dict(
        xaxis=dict(domain=[0, LEFT_END], **pass_axis(history[-1].number)),
        yaxis=dict(
            title_text=f"mean {metric_name(moment.k)}",
            range=value_range(history),
            tickformat=".2f",
            nticks=6,
        ),
    )


# --- middle: the weights --------------------------------------------------------------


def _weight_bars(moment):
    colors = [BLUE if each else PALE_BLUE for each in moment.moved]
    return dict(
        type="bar",
        x=rounded(moment.weights[moment.number]),
        y=list(range(1, len(moment.features) + 1)),
        name="weight",
        orientation="h",
        marker=dict(color=colors, line=dict(color=colors, width=1.5)),
        customdata=moment.features,
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        xaxis="x2",
        yaxis="y2",
        showlegend=False,
    )


def _middle_axes(moment):
    n = len(moment.features)
    most = max(abs(w) for weights in moment.weights for w in weights)
    most = round(1.12 * most, 6)
    tick = 0.5 if most > 0.5 else 0.2
    return dict(
        xaxis2=dict(
            anchor="y2",
            domain=MIDDLE,
            title_text="weight",
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
            tickvals=list(range(1, n + 1)),
            ticktext=moment.features,
            tickfont=dict(size=14),
            ticks="",
            showgrid=False,
        ),
    )


# --- right: the list of one query -----------------------------------------------------


def _list_lines(moment):
    """Return the lines of each grade, from the ranks before the pass to those after it."""
    moves = {grade: [] for grade in sorted({doc.grade for doc in moment.docs})}
    for doc in moment.docs:
        if doc.before is not None:
            moves[doc.grade].append((doc.before, doc.rank))
    return [
        slopes(
            ranks,
            f"grade {grade}",
            line=dict(color=_color(grade), width=1.5 + 1.5 * grade),
            showlegend=False,
            xaxis="x3",
            yaxis="y3",
        )
        for grade, ranks in moves.items()
    ]


def _list_ends(moment):
    docs = moment.docs
    return scatter(
        [1] * len(docs),
        [doc.rank for doc in docs],
        "list",
        marker=dict(symbol="circle", size=8, color=[_color(doc.grade) for doc in docs], opacity=1),
        text=[f"{doc.letter} {doc.grade}" for doc in docs],
        textfont=dict(size=14, color=INK),
        textposition="middle right",
        hover="rank %{y}: %{text}",
        showlegend=False,
        xaxis="x3",
        yaxis="y3",
    )


def _color(grade):
    return BLUE if grade else GRAY


def _right_axes(moment):
    n = len(moment.docs)
    return dict(
        xaxis3=dict(
            anchor="y3",
            domain=[RIGHT_START, 1],
            title_text="rank (letter, grade)",
            range=LIST_RANGE,
            tickvals=[0, 1] if moment.number else [1],
            ticktext=["before", "now"] if moment.number else ["start"],
        ),
        yaxis3=dict(
            anchor="x3",
            range=[n + 0.6, 0.4],
            tickvals=list(range(1, n + 1)),
            ticktext=[str(doc.rank) for doc in moment.docs],
            tickfont=dict(size=14),
            ticks="",
            showgrid=False,
        ),
    )


def _cutoff(moment):
    """Draw the cutoff between two ranks, on both sides of the names."""
    y = moment.k + 0.5
    look = dict(color=GRAY, width=2, dash="dot")
    place = dict(type="line", xref="x3", yref="y3", y0=y, y1=y, line=look)
    ends = (LIST_RANGE[0], 1), (NAMES_END, LIST_RANGE[1])
    return [dict(x0=x0, x1=x1, **place) for x0, x1 in ends]


def _headings(moment):
    """Say above the panels what their solid bars and their number are."""
    n, n_moved = len(moment.moved), sum(moment.moved)
    weights = f"solid: {n_moved} of {n} moved" if n_moved else "none moved"
    place = dict(x=1, xref="x3 domain", xanchor="left", yref="y3", yanchor="middle")
    return [
        _heading("x2", weights if moment.number else "at the start"),
        _heading("x3", f"{moment.query}: {metric_name(moment.k)} {moment.ndcg:.{DIGITS}f}"),
        note(f"k = {moment.k}", y=moment.k + 0.5, size=14, xshift=3, **place),
    ]


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
        return f"Pass {now.number} changes nothing, because it finds no move that helps"
    best = ", best so far" if now is moment.best else ""
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
    now, best, (own, others) = moment.now, moment.best, moment.limits.values()
    return (
        f"Pass {now.number} of {moment.history[-1].number}, {metric_name(moment.k)}: training "
        f"{now.train:.{DIGITS}f} "
        f"(random {own.random:.{DIGITS}f}, ceiling {own.ceiling:.{DIGITS}f}), validation "
        f"{now.validation:.{DIGITS}f} ({others.random:.{DIGITS}f} and "
        f"{others.ceiling:.{DIGITS}f}; best {best.validation:.{DIGITS}f}, pass "
        f"{best.number}). {_list_words(moment)}"
    )


def _list_words(moment):
    name, after = moment.query.capitalize(), f"{moment.ndcg:.{DIGITS}f}"
    if moment.number == 0:
        return f"{name}: {after}."
    n = sum(doc.before != doc.rank for doc in moment.docs)
    changed = f"{n} of {len(moment.docs)} moved" if n else "none moved"
    return f"{name}: {moment.ndcg_before:.{DIGITS}f} → {after}, {changed}."


def _step_table(moment):
    now, before = moment.now, moment.before
    first = moment.number == 0
    metric = metric_name(moment.k)
    rows = [
        [f"mean {metric}, training", before.train, now.train],
        [f"mean {metric}, validation", before.validation, now.validation],
        [f"{metric} of {moment.query}", moment.ndcg_before, moment.ndcg],
    ]
    rows = [[what, None if first else four_digits(a), four_digits(b), None] for what, a, b in rows]
    rows.append(
        ["evaluations so far", None if first else before.evaluations, now.evaluations, None]
    )
    return ("what", "before", "now", "note"), [
        *rows,
        *_limit_rows(moment.limits),
        *_weight_rows(moment),
        *_document_rows(moment.docs),
        *_pass_rows(moment.history),
    ]


def _limit_rows(limits):
    return [
        [f"{level}, {part}", None, four_digits(value), f"{found.empty} of {found.queries} empty"]
        for part, found in limits.items()
        for level, value in (("random order", found.random), ("perfect order", found.ceiling))
    ]


def _weight_rows(moment):
    new = [signed(w) for w in moment.weights[moment.number]]
    known = [signed(w) for w in moment.generating]
    old = [None] * len(new)
    if moment.number:
        old = [signed(w) for w in moment.weights[moment.number - 1]]
    columns = zip(moment.features, old, new, moment.moved, known, strict=True)
    return [
        [f"weight of {name}", a, b, f"{'moved, ' if mark else ''}generating {truth}"]
        for name, a, b, mark, truth in columns
    ]


def _document_rows(docs):
    return [
        [
            f"rank of document {doc.letter}",
            None if doc.before is None else str(doc.before),
            str(doc.rank),
            f"grade {doc.grade}, score {signed(doc.score)}",
        ]
        for doc in docs
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
