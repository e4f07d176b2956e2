"""The shop of notebook *regression*: grades rise with the price, and fall within a category."""

import math

import numpy as np

from helpers.marks import HALF_WHITE, note
from helpers.numbers import cells, rounded, signed
from helpers.style import BLACK, OTHERS, Look, frame, scatter, words_checked
from ndcglib.metrics.checks import as_list, as_table, check_whole
from ndcglib.tuning.slopes import grade_slopes

PALE = "#D4D4D4"  # the offers of all other categories
SPREAD = 0.62  # of the offers of one grade: grades stay apart
GOLDEN = (math.sqrt(5) - 1) / 2  # its multiples fill a range evenly, in any number
MOST_PALE = 320  # offers of other categories that are drawn; more would only hide the lines


@words_checked
def price_and_grade(x, y, chosen):
    """Show grades by price: rising over all offers, falling within a category.

    Parameters
    ----------
    x : array-like of shape (n_queries, n_docs)
        The logarithm of the price of each offer. A query is a category.
    y : array-like of shape (n_queries, n_docs)
        Its grade.
    chosen : sequence of int
        The categories to mark, one to five numbers of queries, from 0.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If x and y do not fit, a number is not one of a query or comes twice, or all
        offers of a marked category have the same price.

    Notes
    -----
    Points of one grade are spread up and down a little, always in the same way, so
    that they do not cover each other; of very many other offers some are drawn. The
    lines are of all of them, unspread. Taught in notebook *regression*.
    """
    x, y = as_table(x, "x").astype(float), as_table(y, "y").astype(float)
    if x.shape != y.shape:
        raise ValueError(f"x and y must have the same shape, got {x.shape} and {y.shape}")
    chosen = _checked_chosen(chosen, x)
    slopes = grade_slopes(x, y, chosen)
    heights = y + _spread(x, y)
    others = np.setdiff1d(np.arange(len(x)), chosen)
    step = max(1, math.ceil(others.size * x.shape[1] / MOST_PALE))
    pale = x[others].ravel()[::step], heights[others].ravel()[::step]
    traces = [_offers(*pale, "other categories", Look(PALE, "solid", "circle"), 5)]
    names = []
    for query, look in zip(chosen, OTHERS, strict=False):
        slope = _slope(slopes.chosen[query][0])
        name = f"category {query}: {slope}"
        traces.append(_offers(x[query], heights[query], name, look, 10))
        traces.append(_straight(x[query], slopes.chosen[query], name, look.color))
        names.append(_name(slope, x[query].max(), slopes.chosen[query]))
    name = f"all offers: {_slope(slopes.overall[0])}"
    traces.append(_straight(x, slopes.overall, name, BLACK))
    words = f"<b>all {_slope(slopes.overall[0])}</b>"
    axes = _price_axes(x, y)
    names.append(_name(words, _end(x, axes["yaxis"]["range"], slopes.overall), slopes.overall))
    return frame(
        (traces, axes | dict(annotations=names)),
        title=_slopes_in_words(slopes),
        sentence=_price_sentence(x, slopes, pale[0].size, others.size * x.shape[1]),
        table=_price_table(x, y, slopes),
        height=480,
        legend=False,
    )


def _spread(x, y):
    """Return how far each point is moved up or down, so that few cover each other.

    Along the prices of one grade the steps are multiples of the golden ratio, of which
    only the fraction counts: neighbors are far apart, and the range is filled evenly.
    """
    moves = np.empty(x.size)
    flat = y.ravel()
    for grade in np.unique(flat):
        of_grade = np.flatnonzero(flat == grade)
        order = of_grade[np.argsort(x.ravel()[of_grade], kind="stable")]
        moves[order] = SPREAD * ((GOLDEN * np.arange(1, len(order) + 1)) % 1 - 0.5)
    return moves.reshape(x.shape)


def _offers(x, heights, name, look, size):
    is_pale = look.color == PALE
    return scatter(
        rounded(x),
        rounded(heights),
        name,
        marker=dict(
            symbol=look.symbol,
            color=look.color,
            size=size,
            line=dict(color=look.color if is_pale else "white", width=0 if is_pale else 1),
        ),
        hover="" if is_pale else f"{name}: log price %{{x:.2f}}",
    )


def _end(x, heights, fitted):
    """Return the price at which a line over all prices leaves the panel, on its right."""
    slope, intercept = fitted
    rim = heights[slope > 0]
    return min(x.max(), (rim - intercept) / slope) if slope else x.max()


def _name(text, x, fitted):
    """Return the name of a line, beside it at a price."""
    slope, intercept = fitted
    place = dict(x=round(float(x), 6), y=round(float(slope * x + intercept), 6))
    return note(text, bgcolor=HALF_WHITE, xanchor="left", xshift=12, **place)


def _straight(x, fitted, name, color):
    """Return a fitted line from the lowest price to the highest."""
    slope, intercept = fitted
    ends = [float(x.min()), float(x.max())]
    return scatter(
        rounded(ends),
        rounded(slope * end + intercept for end in ends),
        name,
        line=dict(color=color, width=4),
    )


def _price_axes(x, y):
    pad = 0.03 * float(np.ptp(x))
    grades = [int(grade) if grade.is_integer() else grade for grade in np.unique(y).tolist()]
    return dict(
        xaxis=dict(
            title_text="log price (0 is the average of the shop)",
            range=rounded([x.min() - pad, x.max() + pad]),
        ),
        yaxis=dict(
            title_text="grade (points spread)",
            range=[grades[0] - 0.5, grades[-1] + 0.5],
            tickvals=grades,
        ),
    )


def _slopes_in_words(slopes):
    overall, within = slopes.overall[0], slopes.within
    return (
        f"Over all offers the grade {_way(overall)} with the price ({_slope(overall)}),",
        f"within a category it {_way(within)} ({_slope(within)})",
    )


def _way(slope):
    if slope > 0:
        return "rises"
    return "falls" if slope < 0 else "stays"


def _slope(value):
    return signed(value, 2, plus=True)


def _price_sentence(x, slopes, drawn, others):
    each = ", ".join(f"{query}: {_slope(line[0])}" for query, line in slopes.chosen.items())
    part = "" if drawn == others else f" Of the {others:,} other offers {drawn:,} are drawn."
    return (
        f"{x.size:,} offers in {len(x):,} categories. Grade per unit of log price: all offers "
        f"{_slope(slopes.overall[0])}, within a category {_slope(slopes.within)}; "
        f"category {each}.{part}"
    )


def _price_table(x, y, slopes):
    header = ("what", "offers", "mean log price", "mean grade", "slope")
    rows = [
        ["all offers", x.size, *cells([x.mean(), y.mean(), slopes.overall[0]])],
        ["within a category", x.size, *cells([None, None, slopes.within])],
    ]
    for query, (slope, _) in slopes.chosen.items():
        means = cells([x[query].mean(), y[query].mean(), slope])
        rows.append([f"category {query}", x.shape[1], *means])
    return header, rows


def _checked_chosen(chosen, x):
    chosen = as_list(chosen, "chosen", "queries")
    chosen = [check_whole(query, "a number in chosen", 0, len(x) - 1) for query in chosen]
    if not 1 <= len(chosen) <= len(OTHERS):
        raise ValueError(f"chosen must be 1 to {len(OTHERS)} queries, got {len(chosen)}")
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"chosen must be different queries, got {chosen}")
    for query in chosen:
        if np.ptp(x[query]) == 0:
            raise ValueError(f"query {query} has one price only: there is no slope within it")
    return chosen
