"""The chart of notebook *trees*: NDCG after more and more trees, between its levels."""

from typing import NamedTuple

from helpers.marks import beside, horizontal, vertical
from helpers.numbers import cells, counted, joined, rounded
from helpers.style import IDEAL, INK, OTHERS, YOURS, frame, line

LOOKS = {"random": "dot", "least squares": "dashdot", "ceiling": IDEAL.dash}
LABEL_ROW = 0.12  # the height of one line of a label, in heights of the panel
ROOM = 0.06  # above what is drawn, as a share of its range; twice that below
MOST_SPAN = 0.35  # of the y axis: a level farther down is named, and not drawn


class Curves(NamedTuple):
    """What a learner reached after each number of trees, and what to compare it with.

    `train` and `fresh` are mean NDCG; `levels` are pairs of it, in training and on fresh queries.
    """

    data: str
    learner: str
    trees: list
    train: list
    fresh: list
    levels: dict

    @property
    def fresh_levels(self):
        """What to compare the fresh queries with."""
        return {name: fresh for name, (_, fresh) in self.levels.items()}


def growing(curves, *, at, metric, base):
    """Show both curves, with one number of trees marked and the levels of fresh queries as lines.

    The numbers of trees stand at equal distances, each about three times the last one. `base` is
    the level that the title compares with.
    """
    places = list(range(len(curves.trees)))
    heights = curves.fresh_levels
    low, high = _range(curves, heights, at)
    traces = [
        line(places, curves.train, "training", OTHERS[1], width=2),
        line(places, curves.fresh, "fresh queries", YOURS, width=4),
    ]
    layout = dict(
        xaxis=dict(
            title_text="trees",
            tickvals=places,
            ticktext=[str(n) for n in curves.trees],
            range=[-0.3, len(places) - 0.7],
        ),
        yaxis=dict(title_text=metric, range=[low, high]),
        shapes=[*_lines(heights, low), vertical(at)],
        annotations=_names(heights, low, high),
    )
    return frame(
        (traces, layout),
        title=_finding(curves, at, base),
        sentence=_sentence(curves, at, metric),
        table=_table(curves, metric),
        margin=dict(r=124),
    )


def _range(curves, heights, at):
    """Return the ends of the y axis: without a tree all are tied, which may be far below.

    The panel reaches there only for the number of trees that is marked.
    """
    drawn = [*curves.train, *curves.fresh, *heights.values()]
    top = max(drawn)
    now = curves.train[at], curves.fresh[at]
    span = top - min(*now, *(value for value in drawn if value >= top - MOST_SPAN))
    return rounded([top - (1 + 2 * ROOM) * span, top + ROOM * span])


def _lines(heights, low):
    return [
        horizontal(y, color=INK, dash=LOOKS[name], width=1.5)
        for name, y in zip(heights, rounded(heights.values()), strict=True)
        if y >= low
    ]


def _names(heights, low, high):
    """Return the name of each level, beside its line; an arrow where it is below the panel."""
    names = [name if y >= low else f"↓ {name}" for name, y in heights.items()]
    places = [max((y - low) / (high - low), 0) for y in heights.values()]
    place = dict(xref="x domain", yref="y domain", x=1, xshift=4, align="left")
    return beside(names, places, LABEL_ROW, **place)


# --- the words ------------------------------------------------------------------------


def _finding(curves, at, base):
    fresh = round(curves.fresh[at], 4)
    levels = {name: round(curves.fresh_levels[name], 4) for name in ("random", base)}
    where = [
        "above" if fresh > level else "below" if fresh < level else "like"
        for level in levels.values()
    ]
    return f"{_trees(curves, at)}: fresh {fresh:.4f}, {_sides(where, levels)}"


def _sides(where, names):
    """Say on which side of two levels a number is: above one, below the other."""
    first, second = names
    if where[0] == where[1]:
        return f"{where[0]} {first} and {second}"
    return f"{where[0]} {first}, {where[1]} {second}"


def _trees(curves, at):
    return counted(curves.trees[at], "tree", "trees")


def _sentence(curves, at, metric):
    now = f"{metric} {curves.train[at]:.4f} in training, {curves.fresh[at]:.4f} on fresh queries"
    what = f"{curves.data.capitalize()}, {curves.learner}, {_trees(curves, at)}"
    return f"{what}: {now}. Fresh levels: {joined(curves.fresh_levels)}."


def _table(curves, metric):
    header = ("trees", f"{metric} in training", "on fresh queries")
    rows = [
        [str(n), *cells(pair)]
        for n, *pair in zip(curves.trees, curves.train, curves.fresh, strict=True)
    ]
    return header, rows + [[name, *cells(pair)] for name, pair in curves.levels.items()]
