"""The chart of notebook *ties*: one list as cards, and what its random orders score."""

import textwrap
from typing import NamedTuple

from helpers.marks import HALF_WHITE, beside, box, hatching, horizontal, note, vertical
from helpers.numbers import DIGITS, cells, rounded
from helpers.style import (
    BLUE,
    GRAY,
    GREEN,
    IDEAL,
    INK,
    ON_THE_RIGHT,
    PURPLE,
    VERMILLION,
    frame,
    rank_ticks,
    scatter,
    side_by_side,
)

FEW_CARDS = 8  # so many have room for their names; more show their grades only
WIDTH, WIDE = 0.78, 0.9  # of a card, in ranks: of few, and of many
ENDS = 0.48, 0.56  # from the middle of a card to the end of its frame, the same
HEIGHT = 0.5  # of a card, in ways from the lowest score to the highest
LEVEL = 0.3, 0.2  # the same where all are level: of few, and of many
FRAME = 0.06  # from a card to the frame of its group, as its height
MOST_BLOCKS = 200  # random orders that are drawn one by one
AIR = 0.27, 0.43  # above and below the cards, for words: as its height; and where all are level
COUNTED = "#EDF5FA"  # the ground of the ranks that count
DARK = 0.85  # a card from this share of the highest grade on has white letters
LABEL_LETTERS = 17  # of a line beside the right panel
LABEL_LINE = 0.11  # its height, in heights of the panel
DRAWS_SHOWN = (5, 10, 20, 50, 100, 200, 500, 1000, 2000)  # where the axis of draws can end
ABOVE = dict(size=16, y=1, yanchor="bottom", yshift=4, x=0, xanchor="left")  # a panel
NUMBER = "130%"  # the NDCG of the list shown, beside its name
SHARED, OWN = "/", ""  # the pattern of a card says it without color


class Card(NamedTuple):
    """A document: what it is, where it stands, and what its rank gains before the discount.

    `gain` is its grade or, where it `shares` its rank with the others of its group, their mean.
    """

    id: str
    grade: float
    score: float
    rank: int
    gain: float
    shares: bool


class Tied(NamedTuple):
    """A group of equal scores: its first and last rank, from 1, its score and its mean grade."""

    first: int
    last: int
    score: float
    mean: float


class RankedList(NamedTuple):
    """A list under one convention for ties, called `name`; `k` ranks count.

    The cards come rank by rank; `tied` are the groups of two and more; `is_draw` says whether
    this is the last of the random orders.
    """

    name: str
    ndcg: float
    k: int
    cards: list
    tied: list
    is_draw: bool


class Outcomes(NamedTuple):
    """NDCG of one list under each convention, and of the random orders so far.

    `steps` are values from the worst to the best order, evenly spread, and `counts` how many
    random orders are nearest to each; `last` is the step of the last of them.
    """

    file: float
    reversed: float
    best: float
    worst: float
    average: float
    draws: int
    mean: float | None  # of the draws; None without any
    standard_error: float | None  # of this mean; None below two draws
    steps: list
    counts: list
    last: int | None

    @property
    def matter(self):
        """Whether one order scores another value than another, to three digits."""
        return f"{self.best:.3f}" != f"{self.worst:.3f}"

    @property
    def hidden(self):
        """Whether only the list shown may tell its value: nothing is drawn yet."""
        return self.matter and not self.draws


def tied_orders(ranked, outcomes, *, remark=""):
    """Show a list with tied scores as cards, and the NDCG of its random orders.

    Left: a card for each document, at its rank and as high as its score, so tied ones are level,
    in a dashed frame; hatched ones share the mean grade. Right: how many random orders scored
    what, and the conventions as lines; before the first draw only the one on the left, for a
    reader who has bet what they give. `remark` is a sentence to say first, for instance how the
    scores were rounded.
    """
    axes = side_by_side(0.62, gap=0.15)
    n = len(ranked.cards)
    axes["xaxis"] |= dict(title_text="rank", tickvals=rank_ticks(n), range=[0.4, n + 0.6])
    axes["yaxis"] |= _score_axis(ranked)
    most = next(top for top in DRAWS_SHOWN if top >= max(outcomes.counts))
    axes["xaxis2"] |= dict(title_text="random orders drawn", range=[0, 1.04 * most], nticks=6)
    axes["yaxis2"] |= dict(
        title_text=f"NDCG@{ranked.k}", showgrid=False, range=rounded(_range(outcomes))
    )
    # What a draw changes comes last, so that what stays need not be drawn anew.
    shapes = [
        *_counted(ranked),
        *_frames(ranked),
        _possible(outcomes),
        *_cutoff(ranked),
        *_orders(ranked, outcomes),
    ]
    words = [*_names(ranked), _heading(ranked), _key(), *_values(ranked, outcomes)]
    return frame(
        (
            [_cards(ranked), _shown(ranked)],
            dict(shapes=shapes, annotations=[*words, *_empty(outcomes)], **axes),
        ),
        title=_finding(ranked, outcomes),
        sentence=_sentence(ranked, outcomes, remark),
        table=_table(ranked, outcomes),
        margin=dict(r=142, t=76),
        legend=False,
    )


# --- left: the list -------------------------------------------------------------------


def _scale(ranked):
    """Return the lowest and the highest score, and the way between them, which is a height."""
    scores = [card.score for card in ranked.cards]
    low, high = min(scores), max(scores)
    return low, high, (high - low) or 1.0


def _height(ranked):
    """Return the height of a card, in ways from the lowest score to the highest."""
    low, high, _ = _scale(ranked)
    return HEIGHT if low < high else LEVEL[len(ranked.cards) > FEW_CARDS]


def _half_a_frame(ranked):
    """Return how far a frame reaches above and below the score of its cards."""
    return (_height(ranked) / 2 + FRAME) * _scale(ranked)[2]


def _score_axis(ranked):
    low, high, way = _scale(ranked)
    rim = (_height(ranked) / 2 + AIR[low == high]) * way
    ends = sorted({low, high})
    ticks = dict(tickvals=ends, ticktext=[f"{end:.4g}" for end in ends])
    return dict(title_text="score", showgrid=False, range=[low - rim, high + rim], **ticks)


def _cards(ranked):
    """Return the cards, under their names, so that each can glide to its new rank.

    They stand in one order whatever their ranks, the relevant ones last, above the others.
    """
    cards = sorted(ranked.cards, key=lambda card: (card.grade, card.id))
    height = _height(ranked) * _scale(ranked)[2]
    shares = [card.gain / cards[-1].grade for card in cards]
    few = len(cards) <= FEW_CARDS
    letters = ["white" if share > DARK else INK for share in shares]
    return dict(
        type="bar",
        name="documents",
        ids=[card.id for card in cards],
        x=[card.rank for card in cards],
        y=[height] * len(cards),
        base=[card.score - height / 2 for card in cards],
        width=WIDTH if few else WIDE,
        marker=dict(
            color=[f"rgba(0,114,178,{share:.2f})" if share else "white" for share in shares],
            line=dict(
                color=[BLUE if share else GRAY for share in shares], width=1.5 if few else 0.8
            ),
            pattern=hatching([SHARED if card.shares else OWN for card in cards], BLUE),
        ),
        text=[_face(card, few) for card in cards],
        textfont=dict(size=15 if few else 13, color=letters),
        textposition="inside",
        insidetextanchor="middle",
        constraintext="none",
        textangle=0,
        customdata=[_told(card) for card in cards],
        hovertemplate="rank %{x}: %{customdata}<extra></extra>",
    )


def _face(card, few):
    """Write what stands on a card; over those that share their ranks stands the mean."""
    if card.shares:
        return ""
    return f"{card.id}<br>{card.grade:.3g}" if few else f"{card.grade:.3g}"


def _told(card):
    return f"{card.id}, grade {card.grade:.4g}, score {card.score:.4g}"


def _frames(ranked):
    """Return a frame for each tied group, around its cards."""
    half, end = _half_a_frame(ranked), ENDS[len(ranked.cards) > FEW_CARDS]
    look = dict(line=dict(color=GRAY, width=1.5, dash="dash"))
    return [
        box(
            (group.first - end, group.last + end),
            (group.score - half, group.score + half),
            **look,
            xref="x",
            yref="y",
        )
        for group in ranked.tied
    ]


def _names(ranked):
    """Name the frames, and write the mean over cards that share it."""
    above = _half_a_frame(ranked)
    size = 15 if len(ranked.cards) <= FEW_CARDS else 13
    names, means = [], []
    for group in ranked.tied:
        place = dict(x=(group.first + group.last) / 2, xref="x", yref="y")
        top = dict(y=group.score + above, yanchor="bottom", bgcolor="white")
        names.append(note("tied", size=size, **top, **place))
        if any(card.shares for card in ranked.cards):
            mean = dict(size=16, y=group.score, yanchor="middle", bgcolor=HALF_WHITE, **place)
            words = "mean grade " if group.last - group.first >= FEW_CARDS else ""
            means.append(note(f"{words}<b>{group.mean:.3g}</b>", **mean))
    return [*names, *means, *_cutoff_name(ranked)]


def _counts_all(ranked):
    return ranked.k == len(ranked.cards)


def _counted(ranked):
    """Return the ground of the ranks that count, where not all do."""
    place = dict(xref="x", yref="y domain")
    ground = box((0.4, ranked.k + 0.5), (0, 1), fill=COUNTED, **place)
    return [] if _counts_all(ranked) else [ground]


def _cutoff(ranked):
    return [] if _counts_all(ranked) else [vertical(ranked.k + 0.5, color=INK, width=2.5)]


def _cutoff_name(ranked):
    """Name the cutoff, down where no high score stands."""
    place = dict(x=ranked.k + 0.5, xref="x", y=0, yref="y domain", yanchor="bottom")
    look = dict(bgcolor="white")  # over the frame of a group, where a panel is low
    name = note(f"k = {ranked.k}", xanchor="left", xshift=5, **look, **place)
    return [] if _counts_all(ranked) else [name]


def _heading(ranked):
    number = f'<span style="font-size:{NUMBER}"><b>{ranked.ndcg:.3f}</b></span>'
    text = f"{ranked.name}: NDCG@{ranked.k} {number}"
    return note(text, xref="x domain", yref="y domain", **ABOVE)


# --- right: the orders ----------------------------------------------------------------


def _histogram(outcomes):
    """Return all bars as one shape, which plotly draws in a third of the time of a trace."""
    half = _half_a_bar(outcomes)
    bars = [
        f"M0,{step - half:.6f}H{count}V{step + half:.6f}H0Z"
        for step, count in zip(outcomes.steps, outcomes.counts, strict=True)
        if count
    ]
    look = dict(fillcolor=BLUE, line=dict(width=0), layer="below")
    place = dict(xref="x2", yref="y2")
    return dict(type="path", name="random orders", path="".join(bars), **look, **place)


def _blocks(outcomes):
    """Part the bars into a block for each order, as long as these can be counted."""
    if outcomes.draws > MOST_BLOCKS:
        return []
    half = _half_a_bar(outcomes)
    cuts = [
        f"M{i},{step - half:.6f}V{step + half:.6f}"
        for step, count in zip(outcomes.steps, outcomes.counts, strict=True)
        for i in range(1, count)
    ]
    look = dict(line=dict(color="white", width=2), layer="below")
    place = dict(xref="x2", yref="y2")
    return [dict(type="path", name="blocks", path="".join(cuts), **look, **place)] if cuts else []


def _half_a_bar(outcomes):
    steps = outcomes.steps
    return 0.43 * (steps[1] - steps[0]) if len(steps) > 1 else 0.01


def _shown(ranked):
    """Return the mark of the list on the left."""
    return scatter(
        [0],
        rounded([ranked.ndcg]),
        "the list shown",
        ids=["shown"],
        **ON_THE_RIGHT,
        marker=dict(color=INK, symbol="diamond", size=14, line=dict(color="white", width=1.5)),
        cliponaxis=False,
        hover="the list shown: %{y:.4f}",
    )


def _possible(outcomes):
    """Shade what is possible, from the worst to the best."""
    values = rounded([outcomes.worst, outcomes.best])
    return box((0, 1), values, fill="#F2F2F2", xref="x2 domain", yref="y2")


def _orders(ranked, outcomes):
    """Return the conventions as lines, then what a draw changes: mean, blocks, the last one."""
    looks = {
        "reversed file order": (outcomes.reversed, PURPLE, "longdash", 1.5),
        "file order": (outcomes.file, GREEN, "dashdot", 1.5),
        "average of all orders": (outcomes.average, IDEAL.color, IDEAL.dash, 2.5),
    }
    shown = {ranked.name} if outcomes.hidden else set(looks)
    lines = [_level(name, *look) for name, look in looks.items() if name in shown]
    if outcomes.draws:
        mean = _level("their mean so far", outcomes.mean, VERMILLION, "solid", 2.5)
        lines += [mean, _histogram(outcomes), *_blocks(outcomes)]
    return [*lines, _newest(outcomes)] if ranked.is_draw else lines


def _level(name, value, color, dash, width):
    return horizontal(round(value, 6), "2", color=color, dash=dash, width=width, name=name)


def _newest(outcomes):
    """Mark the block that the last order has added."""
    count, middle = outcomes.counts[outcomes.last], outcomes.steps[outcomes.last]
    half = _half_a_bar(outcomes)
    place = dict(xref="x2", yref="y2", name="last order")
    return box((count - 1, count), (middle - half, middle + half), fill=INK, **place)


def _key():
    """Say above the right panel what the mark in it means."""
    return note("◆ the list shown", xref="x2 domain", yref="y2 domain", **ABOVE)


def _empty(outcomes):
    middle = dict(x=0.5, xref="x2 domain", y=0.74, yref="y2 domain", bgcolor=HALF_WHITE)
    words = note("Random orders<br>pile up here.", color="#555555", **middle)
    return [] if outcomes.draws else [words]


def _values(ranked, outcomes):
    """Write the value of each line beside it."""
    low, high = _range(outcomes)
    values, texts = zip(*_labels(ranked, outcomes), strict=True)
    edge = dict(x=1, xref="x2 domain", xshift=4, yref="y2", align="left", size=14)
    line = LABEL_LINE * (high - low)
    return beside(texts, values, line, low - line, high, **edge)  # below it is room as well


def _range(outcomes):
    """Return the values the right panel spans: all that are possible, and some room."""
    middle = (outcomes.best + outcomes.worst) / 2
    half = max(0.6 * (outcomes.best - outcomes.worst), 0.1)
    return max(middle - half, -0.04), min(middle + half, 1.04)


def _labels(ranked, outcomes):
    """Return (value, text), that of the mean last; equal ones, to three digits, are one."""
    if outcomes.hidden:
        return [(ranked.ndcg, _label(f"{ranked.ndcg:.3f}", [ranked.name]))]
    if not outcomes.matter:
        return [(outcomes.average, f"<b>{outcomes.average:.3f}</b> every order")]
    named = {
        "best": outcomes.best,
        "file\N{NO-BREAK SPACE}order": outcomes.file,
        "average": outcomes.average,
        "reversed": outcomes.reversed,
        "worst": outcomes.worst,
        "mean\N{NO-BREAK SPACE}so\N{NO-BREAK SPACE}far": outcomes.mean,
    }
    merged = {}
    for name, value in named.items():
        merged.setdefault(f"{value:.3f}", []).append(name)
    return [(named[names[0]], _label(text, names)) for text, names in merged.items()]


def _label(text, names):
    lines = textwrap.wrap(f"{text} {', '.join(names)}", LABEL_LETTERS)
    return "<br>".join(lines).replace(text, f"<b>{text}</b>", 1)


# --- the words ------------------------------------------------------------------------


def _finding(ranked, outcomes):
    average, n = f"{outcomes.average:.3f}", outcomes.draws
    if not ranked.tied:
        return f"No two scores are equal, so NDCG@{ranked.k} is {average} in any file order"
    if not outcomes.matter:
        return f"The ties change nothing here, because every order gives {average}"
    if n == 0:
        return f"{_how_many(ranked)}: the {ranked.name} gives {ranked.ndcg:.3f}"
    if n == 1:
        return f"1 random order gives {outcomes.mean:.3f}; all orders average {average}"
    return f"{n:,} random orders average {outcomes.mean:.3f}; all orders average {average}"


def _how_many(ranked):
    """Say how many scores are not alone."""
    n = len(ranked.cards)
    if ranked.tied[0][:2] == (1, n):
        return f"All {n} scores are equal"
    return f"{sum(last - first + 1 for first, last, *_ in ranked.tied)} of {n} scores tie"


def _sentence(ranked, outcomes, remark):
    the = "" if ranked.is_draw else "the "
    parts = [f"The list shows {the}{ranked.name}: NDCG@{ranked.k} = {ranked.ndcg:.4f}."]
    if outcomes.hidden:
        parts.append("No random order is drawn yet.")
    else:
        parts.append(
            f"The file order gives {outcomes.file:.4f}, reversed {outcomes.reversed:.4f}; the "
            f"best order {outcomes.best:.4f}, the worst {outcomes.worst:.4f}; "
            f"all orders average {outcomes.average:.4f}."
        )
    if outcomes.draws == 1:
        parts.append(f"1 random order gives {outcomes.mean:.4f}.")
    elif outcomes.draws:
        parts.append(
            f"{outcomes.draws:,} random orders average {outcomes.mean:.4f} "
            f"(standard error {outcomes.standard_error:.4f})."
        )
    return " ".join([remark, *parts] if remark else parts)


def _table(ranked, outcomes):
    rows = [
        ["file order", outcomes.file, None, None],
        ["reversed file order", outcomes.reversed, None, None],
        ["best order", outcomes.best, None, None],
        ["worst order", outcomes.worst, None, None],
        ["average of all orders", outcomes.average, None, None],
    ]
    if outcomes.hidden:
        rows = [row for row in rows if row[0] == ranked.name]
    n = outcomes.draws
    if n:
        name = "1 random order" if n == 1 else f"mean of {n:,} random orders"
        rows.append([name, outcomes.mean, outcomes.standard_error, n])
    bars = zip(outcomes.steps, outcomes.counts, strict=True)
    rows += [["random orders near", step, None, count] for step, count in bars if count]
    what = "mean grades" if any(card.shares for card in ranked.cards) else "grades"
    grades = ", ".join(f"{round(card.gain, DIGITS):g}" for card in ranked.cards)
    rows.append([f"{what} of the {len(ranked.cards)} cards: {grades}", ranked.ndcg, None, None])
    return ("orders", f"NDCG@{ranked.k}", "standard error", "random orders"), [
        [name, *cells(values), count] for name, *values, count in rows
    ]
