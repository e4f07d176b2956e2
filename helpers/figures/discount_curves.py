"""The charts of notebook 06: how discounts fall, how often they agree, where log2 fails."""

from collections.abc import Mapping
from html import escape
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from helpers.figures.labels import apart
from helpers.figures.style import GRAY, INK, MANY_POINTS, OTHERS, PALE_BLUE, frame, line
from helpers.metrics import discount_weights
from helpers.metrics.checks import check_count

CURVES = {
    "1 / log2(rank + 1)": "log",
    "1 / √rank": lambda ranks: 1 / np.sqrt(ranks),
    "1 / rank": "reciprocal",
}
SIZES = tuple(10**power for power in range(1, 7))
LOWEST_LABEL, HIGHEST_LABEL = 0.02, 1.0
LABEL_GAP = 0.075  # so that names beside the ends of curves do not touch, in weights
MOST_NAMES = 12  # a matrix of more cannot be read on a projector
MANY_NAMES = 6  # from here on the names below the columns are turned
HALF_BLUE = "#80B8D8"  # BLUE over white, by half: INK on it is 7:1
LETTER = 8.5  # pixels, a generous mean at 16 px


def weights_of(discount, n_ranks):
    """Return the weight of each rank, rank 1 being 1: constant factors cancel in NDCG.

    Parameters
    ----------
    discount : {"log", "reciprocal", "2002"}, callable or (str, float)
        As in `helpers.metrics.discount_weights`; a pair is a name and the base of
        its logarithm.
    n_ranks : int

    Returns
    -------
    ndarray of shape (n_ranks,)

    Raises
    ------
    TypeError, ValueError
        As `discount_weights`; also if rank 1 weighs nothing.
    """
    name, base = discount if isinstance(discount, tuple) else (discount, 2)
    weights = discount_weights(n_ranks, discount=name, log_base=base)
    if weights[0] == 0:
        raise ValueError("discount must give rank 1 a weight above 0, got 0 for every rank")
    return weights / weights[0]


# --- the curves -----------------------------------------------------------------------


def discount_curves(discounts, n_ranks=10, *, title=None):
    """Show what each rank weighs under several discounts, rank 1 being 1.

    Parameters
    ----------
    discounts : dict of str to discount
        One to five names, each with "log", "reciprocal", "2002", a function of the
        ranks, or a pair such as ("2002", 10) with the base of the logarithm.
    n_ranks : int, default=10
        At least 2.
    title : str, optional
        The finding; by default which of them is the flattest, and which the steepest.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If there are none or too many, or if one is no discount.

    Notes
    -----
    Taught in notebook 06.
    """
    _check_named(discounts, "discounts", 1, len(OTHERS))
    if check_count(n_ranks, "n_ranks") < 2:
        raise ValueError(f"n_ranks must be at least 2, got {n_ranks}")
    ranks = list(range(1, n_ranks + 1))
    curves = {name: weights_of(d, n_ranks).tolist() for name, d in discounts.items()}
    figure = go.Figure()
    for (name, weights), look in zip(curves.items(), OTHERS, strict=False):
        figure.add_trace(line(ranks, weights, escape(name), look, cliponaxis=False))
    ends = {escape(name): weights[-1] for name, weights in curves.items()}
    room = _name_ends(figure, n_ranks, ends)
    ticks = [r for r in ranks if n_ranks <= MANY_POINTS or r == 1 or r % 5 == 0]
    span = n_ranks - 1
    figure.update_xaxes(
        title_text="rank", tickvals=ticks, range=[1 - 0.03 * span, n_ranks + 0.06 * span]
    )
    figure.update_yaxes(title_text="weight, rank 1 being 1", range=[-0.03, 1.06], dtick=0.2)
    frame(
        figure,
        title=title or _extremes(curves),
        sentence=_weights_in_words(curves),
        table=_weight_table(curves),
        legend=False,
    )
    figure.update_layout(margin_r=room)
    return figure


def _check_named(named, argument, least, most):
    if not isinstance(named, Mapping):
        raise TypeError(f"{argument} must be a dict of names, got a {type(named).__name__}")
    if not least <= len(named) <= most:
        raise ValueError(f"{argument} must hold {least} to {most} entries, got {len(named)}")


def _name_ends(figure, x, ends):
    """Write each name beside the end of its curve; return the room that they need.

    Names of curves that end close together are moved apart, and a thin line leads
    from the end to its name.
    """
    span = figure.data[0].x[-1] - figure.data[0].x[0]
    room = dict(low=LOWEST_LABEL - LABEL_GAP / 2, high=HIGHEST_LABEL + LABEL_GAP / 2)
    places = apart(list(ends.values()), [LABEL_GAP] * len(ends), **room)
    leads_x, leads_y, notes = [], [], []
    for (name, end), place in zip(ends.items(), places, strict=True):
        leads_x += [x, round(x + 0.055 * span, 4), None]
        leads_y += [round(end, 6), round(place, 6), None]
        notes.append(_note(name, x + 0.06 * span, place))
    figure.add_trace(
        go.Scatter(
            x=leads_x,
            y=leads_y,
            mode="lines",
            line=dict(color=GRAY, width=1),
            cliponaxis=False,
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_layout(annotations=notes)
    return round(20 + LETTER * max(map(len, ends)))


def _note(text, x, y):
    place = dict(x=round(x, 4), y=round(y, 6), xanchor="left", yanchor="middle")
    return dict(text=text, showarrow=False, font=dict(size=16, color=INK), **place)


def _extremes(curves):
    n = len(next(iter(curves.values())))
    last = {name: weights[-1] for name, weights in curves.items()}
    flat, steep = max(last, key=last.get), min(last, key=last.get)
    if flat == steep:
        return f"{escape(flat)}: rank {n} weighs {last[flat]:.3f} of rank 1"
    return (
        f"Rank {n} weighs {last[flat]:.3f} of rank 1 by {escape(flat)}, "
        f"{last[steep]:.3f} by {escape(steep)}"
    )


def _weights_in_words(curves):
    n = len(next(iter(curves.values())))
    ends = ", ".join(f"{name} {weights[-1]:.4f}" for name, weights in curves.items())
    seconds = ", ".join(f"{name} {weights[1]:.4f}" for name, weights in curves.items())
    return f"Where rank 1 weighs 1, rank 2 weighs: {seconds}; and rank {n}: {ends}."


def _weight_table(curves):
    n = len(next(iter(curves.values())))
    rows = [
        [rank, *(round(weights[rank - 1], 4) for weights in curves.values())]
        for rank in range(1, n + 1)
    ]
    return ("rank", *curves), rows


# --- how often they agree -------------------------------------------------------------


def agreement_matrix(names, shares, *, title=None):
    """Show on how many percent of the pairs each two discounts agree.

    Parameters
    ----------
    names : sequence of str
        Two to twelve.
    shares : array-like of shape (n_names, n_names)
        From 0 to 1, as `helpers.metrics.pairs.agreement` returns them.
    title : str, optional
        The finding; by default which two agree the most, and which the least.

    Returns
    -------
    go.Figure

    Raises
    ------
    ValueError
        If there are too few or too many names, or no share for each two of them.

    Notes
    -----
    Taught in notebook 06.
    """
    names, shares = _names_and_shares(names, shares)
    most, least = _ends_of(names, shares)
    cells = [[round(value, 6) for value in row] for row in shares.tolist()]
    figure = go.Figure(
        go.Heatmap(
            z=cells,
            x=list(range(len(names))),
            y=list(range(len(names))),
            text=[[f"{value:.1%}" for value in row] for row in cells],
            texttemplate="%{text}",
            textfont=dict(size=16, color=INK),
            colorscale=[[0, "#FFFFFF"], [0.6, PALE_BLUE], [1, HALF_BLUE]],
            zmin=min(0.5, float(shares.min())),
            zmax=1,
            showscale=False,
            xgap=2,
            ygap=2,
            customdata=[[f"{escape(a)} and {escape(b)}" for b in names] for a in names],
            hovertemplate="%{customdata}: %{text}<extra></extra>",
        )
    )
    places = dict(tickvals=list(range(len(names))), ticktext=[escape(name) for name in names])
    turned = dict(tickangle=-30) if len(names) >= MANY_NAMES else {}
    # Everything but the squares is in the names: no lines, no ticks.
    bare = dict(showline=False, ticks="", showgrid=False)
    figure.update_xaxes(title_text="agrees with", **places, **turned, **bare)
    figure.update_yaxes(title_text="discount", autorange="reversed", **places, **bare)
    frame(
        figure,
        title=title or f"{escape(_pair(least))} agree least: {least[2]:.1%}",
        sentence=f"The same verdict most often: {_said(most)}; least often: {_said(least)}.",
        table=_share_table(names, shares),
        height=max(440, 180 + 36 * len(names)),
        legend=False,
    )
    return figure


def _names_and_shares(names, shares):
    names = [str(name) for name in names]
    if not 2 <= len(names) <= MOST_NAMES:
        raise ValueError(f"names must be 2 to {MOST_NAMES}, got {len(names)}")
    shares = np.asarray(shares, dtype=float)
    if shares.shape != (len(names), len(names)):
        raise ValueError(
            f"shares must have shape ({len(names)}, {len(names)}), a row and a column for each "
            f"name, got {shares.shape}"
        )
    wrong = ~((shares >= 0) & (shares <= 1))  # this way round NaN is wrong, too
    if wrong.any():
        raise ValueError(f"shares must be from 0 to 1, got {shares[wrong][0]}")
    return names, shares


def _ends_of(names, shares):
    """Return the two that agree most, and the two that agree least, with their share."""
    pairs = [
        (names[i], names[j], float(shares[i, j]))
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    return max(pairs, key=lambda pair: pair[2]), min(pairs, key=lambda pair: pair[2])


def _pair(pair):
    return f"{pair[0]} and {pair[1]}"


def _said(pair):
    return f"{_pair(pair)}, {pair[2]:.1%}"


def _share_table(names, shares):
    rows = [
        [name, *(f"{value:.1%}" for value in row)]
        for name, row in zip(names, shares.tolist(), strict=True)
    ]
    return ("discount", *names), rows


# --- without a cutoff -----------------------------------------------------------------


def without_cutoff(sizes=SIZES, *, discounts=None, k=10, title=None):
    """Show the NDCG of a random order, half of it relevant, as the list grows.

    Each rank of a random order earns the mean gain, here a half; the ideal has its
    relevant documents on the first n / 2 ranks. So the expected NDCG is half the sum
    of the first n weights over the sum of the first n / 2: nothing is drawn.

    Parameters
    ----------
    sizes : sequence of int, default=(10, 100, …, 10**6)
        Numbers of documents, even, rising.
    discounts : dict of str to discount, optional
        One to four names, as in `discount_curves`; by default 1 / log2(rank + 1),
        1 / √rank and 1 / rank.
    k : int, default=10
        NDCG@k under the first discount is drawn beside them.
    title : str, optional
        The finding; by default where the first discount begins and ends.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If the sizes are not even and rising, or if discounts or k do not fit.

    Notes
    -----
    Taught in notebook 06. With the log discount and no cutoff, the NDCG of every
    ranking function goes to 1 (Wang et al., COLT 2013, arXiv 1304.6480).
    """
    sizes = _checked_sizes(sizes)
    discounts = CURVES if discounts is None else discounts
    _check_named(discounts, "discounts", 1, len(OTHERS) - 1)
    k = check_count(k, "k")
    first = next(iter(discounts))
    curves = {name: _of_a_shuffle(d, sizes) for name, d in discounts.items()}
    curves[f"{first}, cut at k = {k}"] = _of_a_shuffle(discounts[first], sizes, k)
    figure = go.Figure()
    for (name, values), look in zip(curves.items(), OTHERS, strict=False):
        figure.add_trace(line(sizes, values, escape(name), look, cliponaxis=False))
    figure.update_xaxes(
        title_text="documents in the list, half of them relevant",
        type="log",
        tickvals=sizes,
        ticktext=[f"{n:,}" for n in sizes],
    )
    figure.update_yaxes(title_text="NDCG of a random order", range=[0, 1.03], dtick=0.2)
    frame(
        figure,
        title=title or _growth(first, sizes, curves),
        sentence=_growth_in_words(sizes, curves),
        table=_growth_table(sizes, curves),
    )
    return figure


def _checked_sizes(sizes):
    sizes = [check_count(n, f"sizes[{i}]") for i, n in enumerate(sizes)]
    rises = all(one < other for one, other in pairwise(sizes))
    if not sizes or not rises or any(n % 2 for n in sizes):
        raise ValueError(f"sizes must be even numbers, each above the one before, got {sizes}")
    return sizes


def _of_a_shuffle(discount, sizes, k=None):
    """Return the expected NDCG of a random order for each size, half of it relevant."""
    running = np.cumsum(weights_of(discount, sizes[-1]))
    values = []
    for n in sizes:
        depth = n if k is None else min(k, n)
        values.append(float(0.5 * running[depth - 1] / running[min(depth, n // 2) - 1]))
    return values


def _growth(first, sizes, curves):
    start, end = curves[first][0], curves[first][-1]
    return (
        f"By {escape(first)}, uncut, a random order gets {start:.3f} with "
        f"{sizes[0]:,} documents and {end:.3f} with {sizes[-1]:,}"
    )


def _growth_in_words(sizes, curves):
    said = [f"{name} {values[0]:.3f} to {values[-1]:.3f}" for name, values in curves.items()]
    return (
        f"Expected NDCG of a random order from {sizes[0]:,} to {sizes[-1]:,} documents, "
        f"half of them relevant: {'; '.join(said)}."
    )


def _growth_table(sizes, curves):
    rows = [
        [f"{n:,}", *(round(values[i], 4) for values in curves.values())]
        for i, n in enumerate(sizes)
    ]
    return ("documents", *curves), rows
