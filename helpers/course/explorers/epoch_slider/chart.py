"""The chart of notebook *surrogates*: a loss and NDCG by epoch, and why they can part."""

import math
import textwrap
from typing import NamedTuple

from helpers.figures.marks import beside, note, vertical
from helpers.figures.numbers import by_row, cells, rounded
from helpers.figures.style import (
    BLACK,
    BLUE,
    ON_THE_RIGHT,
    VERMILLION,
    Look,
    frame,
    scatter,
    side_by_side,
)

TRAINING = Look(BLUE, "solid", "circle")
VALIDATION = Look(VERMILLION, "dash", "square")
HEADROOM = 0.16  # above the loss, for the name of the epoch
MANY_TIMES = 8  # a loss that falls to less than an eighth goes on a log axis
LAST_DIGIT = 0.001  # of the numbers in a title: a smaller change is not one
LEVEL_LETTERS = 12  # a longer name goes on in a second line
LABEL_ROW = 0.12  # the height of one line of a label, in heights of the panel
LOSS_LETTERS = 14
MOST_MARKERS = 9  # on a curve
ROOM = 0.06  # above and below the curves, as a share of their range
SMALLEST = 1e-4  # that a reader sees: numbers have four digits


def loss_and_ndcg(history, *, at, metric, levels, loss_name):
    """Show the loss on the left and the mean NDCG on the right, epoch by epoch, `at` marked.

    The history is that of `helpers.tuning.fit`; the levels to compare NDCG with are those on the
    training and on the validation queries. A loss that falls to less than an eighth is drawn on
    a log axis, which says so. The weights of epoch 0 are all 0, so all documents are tied; their
    averaged NDCG is that of a random ranking. The finding therefore begins with epoch 1.
    """
    now = history[at]
    curves = _curves(history)
    shown = [value for values in (*curves.values(), *levels.values()) for value in values]
    axes = _two_panels(history, loss_name, metric, _with_room(shown))
    traces = _level_lines(levels, axes["xaxis2"]["range"])
    traces += [_loss_curve(history), *_ndcg_curves(history, curves), *_dots(now)]
    notes = [*_level_names(levels, axes["yaxis2"]["range"]), _name_of_epoch(history, now)]
    axes["shapes"] = [vertical(at, panel) for panel in ("", "2")]
    return frame(
        (traces, dict(annotations=notes, **axes)),
        title=_finding(history, now, metric),
        sentence=_sentence(history, now, loss_name, metric, levels),
        table=_table(history, loss_name, metric, levels),
        legend_at=dict(x=axes["xaxis2"]["domain"][0] - 0.08),  # above the gap too
        margin=dict(r=_label_room(levels)),
    )


def _curves(history):
    """Return the NDCG by epoch, on the training queries and on the validation ones."""
    return {
        "training": [epoch.train for epoch in history],
        "validation": [epoch.validation for epoch in history],
    }


def _loss_curve(history):
    losses = [epoch.loss for epoch in history]
    return _curve(range(len(history)), losses, "loss", TRAINING, showlegend=False)


def _ndcg_curves(history, curves):
    looks = zip(curves.items(), (TRAINING, VALIDATION), strict=True)
    return [
        _curve(range(len(history)), values, f"{name} queries", look, **ON_THE_RIGHT)
        for (name, values), look in looks
    ]


def _two_panels(history, loss_name, metric, ndcg_range):
    last = history[-1].number
    by_epoch = dict(title_text="epoch", range=[-0.03 * last, last + 0.03 * last])
    axes = side_by_side(0.42, gap=0.16)
    axes["xaxis"] |= by_epoch
    axes["xaxis2"] |= by_epoch
    axes["yaxis"] |= _loss_axis([epoch.loss for epoch in history], loss_name)
    axes["yaxis2"] |= dict(title_text=f"mean {metric}", range=ndcg_range)
    return axes


def _loss_axis(losses, loss_name):
    """Return an axis with room for all losses: of their logarithms if they fall far."""
    low, high = min(losses), max(losses)
    is_log = high > MANY_TIMES * low
    # The space in "log axis" is one that no line breaks at.
    words = f"{loss_name}, log\u00a0axis" if is_log else loss_name
    axis = dict(title_text="<br>".join(textwrap.wrap(words, LOSS_LETTERS)))
    if is_log:
        axis |= dict(type="log", tickvals=_log_ticks(low, high))
        low, high = math.log10(low), math.log10(high)
    return axis | dict(range=_with_room([low, high], HEADROOM))


def _log_ticks(low, high):
    """Return 1, 2 and 5 times the powers of ten about these numbers."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]


# --- the present epoch ----------------------------------------------------------------


def _name_of_epoch(history, now):
    """Return the name of the line in the left panel, on the side where there is room."""
    is_late = now.number > history[-1].number / 2
    return note(
        f"epoch {now.number}",
        xref="x",
        yref="y domain",
        x=now.number,
        y=1,
        xanchor="right" if is_late else "left",
        yanchor="top",
        xshift=-4 if is_late else 4,
    )


def _dots(now):
    """Mark the present epoch: a disk for training, in an open square for validation.

    So both are seen where they have the same value.
    """
    right = [(now.validation, VALIDATION), (now.train, TRAINING)]
    return [_dot(now.number, [(now.loss, TRAINING)]), _dot(now.number, right, **ON_THE_RIGHT)]


def _dot(number, shown, **options):
    looks = [look for _, look in shown]
    return dict(
        type="scatter",
        x=[number] * len(shown),
        y=rounded(value for value, _ in shown),
        mode="markers",
        marker=dict(
            symbol=[look.symbol for look in looks],
            opacity=1,  # several sizes would be drawn as bubbles, which are pale
            color=[BLUE if look is TRAINING else "rgba(255,255,255,0)" for look in looks],
            size=[12 if look is TRAINING else 17 for look in looks],
            line=dict(
                color=[BLACK if look is TRAINING else look.color for look in looks], width=3
            ),
        ),
        showlegend=False,
        hoverinfo="skip",
        cliponaxis=False,
        **options,
    )


# --- the levels -----------------------------------------------------------------------


def _level_lines(levels, x_range):
    """Return thin lines for the levels, with the looks of the two curves.

    Where the lines end, that of the training queries turns and meets the other: one
    name is for both.
    """
    (left, right), pairs = x_range, list(levels.values())
    return [
        scatter(
            [left, right, right, None] * len(pairs),
            [y for pair in pairs for y in (*rounded([pair[i], pair[i], pair[1]]), None)],
            line=dict(color=look.color, dash=look.dash, width=1.5),
            showlegend=False,
            **ON_THE_RIGHT,
        )
        for i, look in enumerate((TRAINING, VALIDATION))
    ]


def _level_names(levels, ndcg_range):
    """Return the name of each level, beside the panel, where no curve is."""
    low, high = ndcg_range
    places = [(sum(values) / len(values) - low) / (high - low) for values in levels.values()]
    texts = ["<br>".join(textwrap.wrap(name, LEVEL_LETTERS)) for name in levels]
    place = dict(xref="x2 domain", yref="y2 domain", x=1, xshift=4, align="left")
    return beside(texts, places, LABEL_ROW, **place)


def _label_room(levels):
    """Return the width of the widest label, in pixels, with some air."""
    parts = [part for name in levels for part in textwrap.wrap(name, LEVEL_LETTERS)]
    return 24 + 9 * max(map(len, parts))


# --- the words ------------------------------------------------------------------------


def _finding(history, now, metric):
    start, lead = _start(history, now)
    if start is None:
        tied = "all tied, as good as random"
        return f"Epoch 0, {tied}: loss {now.loss:.3f}, {metric} {now.train:.3f}"
    loss, ndcg = _moved(start.loss, now.loss), _moved(start.train, now.train)
    link = {1: "but ", -1: "and ", 0: ""}[loss.way * ndcg.way]
    return f"{lead}: loss {loss.words}, {link}{metric} {ndcg.words}"


def _start(history, now):
    """Return what the present epoch is compared with, and how to call that."""
    if now.number < 2:
        return (history[0], "First step") if now.number else (None, "")
    return history[1], "Since epoch 1"


class Move(NamedTuple):
    """Which way a number went (1 up, -1 down, 0 neither), and the words for it."""

    way: int
    words: str


def _moved(before, now):
    """Say how a number moved, by the digits that the words show."""
    change = round(now, 3) - round(before, 3)
    if abs(change) < 1.5 * LAST_DIGIT:
        return Move(0, f"stayed near {now:.3f}")
    way, word = (1, "rose") if change > 0 else (-1, "fell")
    return Move(way, f"{word} {before:.3f} → {now:.3f}")


def _sentence(history, now, loss_name, metric, levels):
    start, _ = _start(history, now)
    lead = "Epoch 0: " if start is None else f"Epochs {start.number} → {now.number}: "
    parts = [f"{loss_name} {_path(start, now, 'loss')}; {metric}, training "]
    parts[0] += _path(start, now, "train")
    parts.append(f"validation {_path(start, now, 'validation')}")
    parts += [f"{name} {_both(values)}" for name, values in levels.items()]
    tied = " Epoch 0: all tied, as good as random." if now.number < 2 else ""
    return f"{lead}{', '.join(parts)}.{tied}"


def _path(start, now, what):
    """Write a number of the present epoch, after that of the start if there is one."""
    after = f"{getattr(now, what):.4f}"
    return after if start is None else f"{getattr(start, what):.4f} → {after}"


def _both(values):
    return " and ".join(f"{value:.4f}" for value in values)


def _table(history, loss_name, metric, levels):
    curves = _curves(history)
    header = ("epoch", loss_name, *(f"{metric}, {name}" for name in curves))
    numbers = [epoch.number for epoch in history]
    rows = by_row(numbers, [epoch.loss for epoch in history], *curves.values())
    return header, rows + [[name, None, *cells(values)] for name, values in levels.items()]


def _curve(numbers, values, name, look, **options):
    """Return a curve with a marker here and there: one for each epoch would hide the dashes."""
    return scatter(
        list(numbers),
        rounded(values),
        name,
        line=dict(color=look.color, dash=look.dash, width=3.5),
        marker=dict(symbol=look.symbol, color=look.color, size=8, maxdisplayed=MOST_MARKERS),
        **options,
        hover=f"epoch %{{x}}, {name}: %{{y:.4f}}",
    )


def _with_room(values, above=ROOM):
    """Return the range of an axis; numbers that are the same on the screen get one of 1."""
    low, high = min(values), max(values)
    span = high - low if high - low >= SMALLEST else 1
    return [round(low - ROOM * span, 6), round(high + above * span, 6)]
