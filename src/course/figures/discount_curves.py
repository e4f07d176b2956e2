"""The charts of notebook *discount*: how discounts fall, and where log2 fails."""

import math
from html import escape

from helpers.marks import beside
from helpers.numbers import by_row
from helpers.style import (
    GRAY,
    OTHERS,
    frame,
    line,
    scatter,
    words_checked,
)
from ndcglib.metrics.checks import check_entries
from ndcglib.metrics.discounts import ndcg_of_a_shuffle, relative_weights

CURVES = {
    "1 / log2(rank + 1)": "log",
    "1 / rank": "reciprocal",
}
TICKS = tuple(10**power for power in range(1, 7))
CUTOFF = 10
SIZES = (
    TICKS[0],
    2 * CUTOFF,
    *TICKS[1:],
)  # at twice the cutoff the cut curve bends
N_RANKS = 10
LOWEST_LABEL, HIGHEST_LABEL = 0.02, 1.0
LABEL_GAP = 0.075  # so that names beside the ends of curves do not touch, in weights
LETTER = 8.5  # pixels, a generous mean at 16 px


# --- the curves -----------------------------------------------------------------------


@words_checked
def discount_curves(discounts, *, title=None):
    """Show what each of ten ranks weighs under several discounts, rank 1 being 1.

    Parameters
    ----------
    discounts : dict of str to discount
        One to five names, each with "log", "reciprocal", "2002", a function of the
        ranks, or a pair such as ("2002", 10) with the base of the logarithm.
    title : str, optional
        The finding; by default which of them is the flattest, and which the steepest.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are none or too many, or if one is not a discount.

    Notes
    -----
    Taught in notebook *discount*.
    """
    check_entries(discounts, "discounts", len(OTHERS))
    ranks = list(range(1, N_RANKS + 1))
    curves = {name: relative_weights(d, N_RANKS).tolist() for name, d in discounts.items()}
    ends = {escape(name): weights[-1] for name, weights in curves.items()}
    span = N_RANKS - 1
    names = _names_of_ends(ends, N_RANKS + 0.06 * span)
    traces = [*_lines(ranks, curves), _leads(ends, N_RANKS, N_RANKS + 0.055 * span, names)]
    layout = dict(
        annotations=names,
        xaxis=dict(
            title_text="rank",
            tickvals=ranks,
            range=[1 - 0.03 * span, N_RANKS + 0.06 * span],
        ),
        yaxis=dict(title_text="weight (rank 1 weighs 1)", range=[-0.03, 1.06], dtick=0.2),
    )
    return frame(
        (traces, layout),
        title=title or _extremes(curves),
        sentence=_weights_in_words(curves),
        table=(("rank", *curves), by_row(ranks, *curves.values())),
        legend=False,
        margin=dict(r=_room(ends)),
    )


def _room(ends):
    """Return what the longest line of the names takes, in pixels."""
    return round(20 + LETTER * max(len(line) for name in ends for line in name.split("<br>")))


def _lines(x, curves):
    return [
        line(x, values, escape(name), look, cliponaxis=False)
        for (name, values), look in zip(curves.items(), OTHERS, strict=False)
    ]


def _names_of_ends(ends, x):
    """Return the name of each curve, beside its end and apart from the others."""
    room = dict(low=LOWEST_LABEL - LABEL_GAP / 2, high=HIGHEST_LABEL + LABEL_GAP / 2)
    return beside(
        list(ends), list(ends.values()), LABEL_GAP, size=16, align="left", x=round(x, 4), **room
    )


def _leads(ends, x, to, names):
    """Return a thin line from the end of each curve to its name."""
    y = [v for end, name in zip(ends.values(), names, strict=True) for v in (end, name["y"], None)]
    return scatter(
        [x, round(to, 4), None] * len(names),
        [None if value is None else round(value, 6) for value in y],
        line=dict(color=GRAY, width=1),
        cliponaxis=False,
        showlegend=False,
    )


def _extremes(curves):
    n = len(next(iter(curves.values())))
    last = {name: weights[-1] for name, weights in curves.items()}
    flat, steep = max(last, key=last.get), min(last, key=last.get)
    if flat == steep:
        return f"{escape(flat)}: rank {n} weighs {last[flat]:.3f} of rank 1"
    return (
        f"Rank {n} weighs {last[flat]:.3f} of rank 1 under {escape(flat)}, "
        f"{last[steep]:.3f} under {escape(steep)}"
    )


def _weights_in_words(curves):
    n = len(next(iter(curves.values())))
    seconds, ends = (
        ", ".join(f"{weights[i]:.4f} under {name}" for name, weights in curves.items())
        for i in (1, -1)
    )
    return f"If rank 1 weighs 1, rank 2 weighs {seconds}; and rank {n} weighs {ends}."


# --- without a cutoff -----------------------------------------------------------------


@words_checked
def without_cutoff():
    """Show the expected NDCG of a random order, half of it relevant, as the list grows.

    Under two discounts without a cutoff, and under the first with k = 10.

    Returns
    -------
    Chart

    Notes
    -----
    Taught in notebook *discount*. With the log discount and no cutoff, the NDCG of every
    ranking function goes to 1 (Wang et al., COLT 2013, arXiv 1304.6480).
    """
    first, cut = next(iter(CURVES)), f"cut at k = {CUTOFF}"
    curves = {name: ndcg_of_a_shuffle(d, SIZES) for name, d in CURVES.items()}
    curves[f"{first}, {cut}"] = ndcg_of_a_shuffle(CURVES[first], SIZES, CUTOFF)
    ends = {name.replace(f", {cut}", f",<br>{cut}"): v[-1] for name, v in curves.items()}
    sizes = [f"{n:,}" for n in SIZES]
    low, high = (math.log10(size) for size in (SIZES[0], SIZES[-1]))
    names = _names_of_ends(ends, high + 0.2)
    layout = dict(
        annotations=names,
        xaxis=dict(
            title_text="documents in the list, half of them relevant",
            type="log",
            tickvals=list(TICKS),
            ticktext=[f"{n:,}" for n in TICKS],
            range=[low - 0.1, high + 0.2],
        ),
        yaxis=dict(title_text="NDCG of a random order", range=[0, 1.03], dtick=0.2),
    )
    start, end = curves[first][0], curves[first][-1]
    said = [f"{name} {values[0]:.3f} to {values[-1]:.3f}" for name, values in curves.items()]
    return frame(
        ([*_lines(SIZES, curves), _leads(ends, SIZES[-1], 10 ** (high + 0.18), names)], layout),
        title=(
            f"Under {escape(first)}, uncut, a random order gets {start:.3f} with "
            f"{sizes[0]} documents and {end:.3f} with {sizes[-1]}"
        ),
        sentence=(
            f"Expected NDCG of a random order from {sizes[0]} to {sizes[-1]} documents, "
            f"half of them relevant: {'; '.join(said)}."
        ),
        table=(("documents", *curves), by_row(sizes, *curves.values())),
        legend=False,
        margin=dict(r=_room(ends)),
    )
