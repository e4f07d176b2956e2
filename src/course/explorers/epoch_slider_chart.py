"""The plane of notebook *surrogates*: a loss against NDCG, a path of epochs for each loss."""

import textwrap
from typing import NamedTuple

from helpers.marks import beside, box, horizontal, note
from helpers.numbers import cells, rounded
from helpers.style import IDEAL, INK, OTHERS, frame, scatter

WORSE = "#FBE9DC"  # behind the names and lines of the region of worse rankings
LOWER = {1: "lower", 0: "same", -1: "higher"}
BETTER = {1: "better", 0: "same", -1: "worse"}
LEVEL_LETTERS = 12  # a longer name goes on in a second line
LABEL_ROW = 0.12  # the height of one line of a label, in heights of the panel
ABOVE, BELOW = 0.06, 0.2  # room over and under the paths, as shares of their range
MOST_MARKERS = 9  # on a path
RADIUS = {True: 7, False: 6}  # of the mark of an epoch, in pixels: on the chosen path, on others


class Path(NamedTuple):
    """What a fit did, epoch by epoch.

    `loss` is on the training data, `share` the same as a share of where it started; `train` and
    `others` are the mean NDCG on the training queries and on others.
    """

    name: str
    loss: list
    share: list
    train: list
    others: list


def plane(paths, *, chosen, at, metric, levels):
    """Show the NDCG of the training queries against the loss, one path for each loss.

    All paths begin at one point: at the whole loss, with all weights 0 and so with all documents
    tied, whose averaged NDCG is that of a random ranking. `chosen` is the one of the paths to
    speak of, `at` the epoch to mark, `levels` are what to compare NDCG with, as pairs: on the
    training queries and on others.
    """
    heights = {name: train for name, (train, _) in levels.items()}
    low, high = _range([*heights.values(), *(y for path in paths for y in path.train)])
    layout = dict(
        xaxis=dict(title_text="loss, as a share of its start: lower\u00a0→", range=[1.02, 0]),
        yaxis=dict(title_text=f"{metric}<br>in training", range=[low, high]),
        shapes=[
            _worse(low, heights["random"]),
            *_lines(heights),
            *_marks(paths, chosen, at),
        ],
        annotations=[_region(low), *_level_names(heights, low, high)],
    )
    return frame(
        ([_trace(path, look, path is chosen) for path, look in _with_looks(paths)], layout),
        title=_finding(chosen, at, metric),
        sentence=_sentence(chosen, at, metric, levels),
        table=_table(paths, at, metric, levels),
        margin=dict(l=92, r=24 + 9 * max(map(len, _lines_of(" ".join(levels))))),
    )


def _with_looks(paths):
    return zip(paths, OTHERS, strict=False)


def _range(values):
    low, high = min(values), max(values)
    span = high - low
    return rounded([low - BELOW * span, high + ABOVE * span])


# --- the paths ------------------------------------------------------------------------


def _trace(path, look, is_chosen):
    """Return a path with a marker here and there: one for each epoch would hide the dashes."""
    return scatter(
        rounded(path.share),
        rounded(path.train),
        f"<b>{path.name}</b>" if is_chosen else path.name,
        line=dict(color=look.color, dash=look.dash, width=4 if is_chosen else 2),
        marker=dict(symbol=look.symbol, color=look.color, size=8, maxdisplayed=MOST_MARKERS),
        hover=f"epoch %{{pointNumber}}, {path.name}: %{{x:.4f}}, %{{y:.4f}}",
    )


def _marks(paths, chosen, at):
    """Return the rings around the present epoch, on top that of the chosen path.

    As shapes they move without the paths: plotly draws all points anew where a trace changes.
    """
    drawn = sorted(_with_looks(paths), key=lambda pair: pair[0] is chosen)
    return [_ring(path, look, at, path is chosen) for path, look in drawn]


def _ring(path, look, at, is_chosen):
    radius = RADIUS[is_chosen]
    x, y = rounded([path.share[at], path.train[at]])
    return dict(
        type="circle",
        **dict(xsizemode="pixel", xanchor=x, x0=-radius, x1=radius),
        **dict(ysizemode="pixel", yanchor=y, y0=-radius, y1=radius),
        fillcolor="white",
        line=dict(color=look.color, width=4 if is_chosen else 2.5),
    )


# --- the levels -----------------------------------------------------------------------


def _worse(low, random):
    return box((0, 1), (low, round(random, 6)), fill=WORSE, xref="x domain")


def _region(low):
    place = dict(xref="x domain", x=0, xanchor="left", yref="y", y=low, yanchor="bottom")
    return note("lower loss, worse ranking", xshift=6, bgcolor=WORSE, **place)


def _lines(heights):
    return [
        horizontal(round(y, 6), color=INK, dash=dash, width=1.5)
        for y, dash in zip(heights.values(), ("dot", "dot", IDEAL.dash), strict=True)
    ]


def _level_names(heights, low, high):
    """Return the name of each level, beside the panel, where no path is.

    A name may stand half above the panel, so that each is near its line if two lines are close.
    """
    places = [(y - low) / (high - low) for y in heights.values()]
    texts = ["<br>".join(_lines_of(name)) for name in heights]
    place = dict(xref="x domain", yref="y domain", x=1, xshift=4, align="left")
    return beside(texts, places, LABEL_ROW, high=1 + LABEL_ROW / 2, **place)


def _lines_of(name):
    return textwrap.wrap(name, LEVEL_LETTERS)


# --- the words ------------------------------------------------------------------------


def _finding(path, at, metric):
    values = [f"{path.train[epoch]:.3f}" for epoch in sorted({0, at})]
    return f"Epoch {at}: {_changes(path, at)}, {metric} {' → '.join(values)}"


def _changes(path, at):
    """Say what became of the loss and of the ranking since epoch 0, by the digits of a title."""
    if at == 0:
        return "all documents tied, as good as random"
    (start, share), (before, ndcg) = (
        (round(values[0], 3), round(values[at], 3)) for values in (path.share, path.train)
    )
    loss = LOWER[(share < start) - (share > start)]
    ranking = BETTER[(ndcg > before) - (ndcg < before)]
    return f"{loss} loss, {ranking} ranking"


def _sentence(path, at, metric, levels):
    loss, train, others = (
        " → ".join(f"{values[epoch]:.4f}" for epoch in sorted({0, at}))
        for values in (path.loss, path.train, path.others)
    )
    now = f"loss {loss}, {metric} {train} (on other queries {others})"
    ends = f"A random order gets {levels['random'][0]:.4f}, the best {levels['ceiling'][0]:.4f}"
    return f"Epoch {at}, {path.name}: {now}. {ends}."


def _table(paths, at, metric, levels):
    header = ("", "loss at epoch 0", f"at epoch {at}", "share of its start")
    header += (f"{metric} in training", "on other queries")
    rows = [
        [p.name, *cells([p.loss[0], p.loss[at], p.share[at], p.train[at], p.others[at]])]
        for p in paths
    ]
    return header, rows + [[name, *[None] * 3, *cells(pair)] for name, pair in levels.items()]
