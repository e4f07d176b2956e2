"""The charts of the course: pure functions from data to `Chart`.

Each takes a finished breakdown or finished curves, computes no metric, and comes
with a sentence and a table (see `coursekit.figure`).
"""

import re
from html import escape

from helpers.breakdown import Breakdown, Curves
from helpers.marks import HALF_WHITE, UPRIGHT, cutoff_marks, hatching, note
from helpers.numbers import by_row, cells, joined, rounded
from helpers.style import (
    BLUE,
    GRAY,
    IDEAL,
    INK,
    MANY_POINTS,
    ON_THE_RIGHT,
    OTHERS,
    PALE_BLUE,
    YOURS,
    frame,
    line,
    rank_ticks,
    side_by_side,
    words_checked,
)
from ndcglib.metrics.checks import (
    SAME_VALUE,
    as_flat,
    check_entries,
    check_kind,
    check_whole,
)

# Longer names get a second line below their bar, and are cut there; the table has them whole.
MANY_LETTERS, LONGEST_LINE = 16, 18
BREAKS = re.compile(r"(?<=\S)(?=\s)|(?<=[a-z])(?=[A-Z])")
FEW_LABELS = 6  # below bars, with three decimals
SOURCES = {Breakdown: "breakdown", Curves: "cutoff_curves"}  # which function returns them

NUMBERS = dict(textfont=dict(size=14, color=INK), **UPRIGHT)  # above bars


def _short(value, digits):
    """Write a number above a bar: zero and whole gains need no decimals."""
    return f"{value:g}" if value == 0 or digits == 0 else f"{value:.{digits}f}"


@words_checked
def per_rank(terms, *, upto=None, metric="DCG", title=None):
    """Show what each rank adds to the DCG, and how it adds up.

    Left: a pale bar is the gain, the solid bar in it what the discount leaves.
    Right: the running total with that of the ideal order.

    Parameters
    ----------
    terms : helpers.breakdown.Breakdown
    upto : int, optional
        Fill in only the first `upto` rows, as when walking down the list.
    metric : str, default="DCG"
        What the sum is called: "IDCG" for the ideal order.
    title : str, optional
        The finding; by default the document that brings most.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If `terms` is not a breakdown, or `upto` not a whole number from 0 to its rows.

    Notes
    -----
    Taught in notebooks *gain_discounted* and *cutoff*.
    """
    check_kind(terms, "terms", Breakdown, "helpers.breakdown.breakdown")
    n = len(terms.rows)
    upto = n if upto is None else check_whole(upto, "upto", 0, n)
    places = list(range(1, n + 1))
    so_far = terms.column("cumulative")[:upto]
    right = dict(showlegend=False, **ON_THE_RIGHT)  # their names stand beside them
    running = line(places[:upto], so_far, "running total", YOURS, width=5, **right)
    # Last and thin, so that it can be seen on top of a ranking that is ideal.
    ideal = line(places, terms.ideal_cumulative, "ideal running total", IDEAL, width=2, **right)
    axes = side_by_side(0.58)
    axes["xaxis"] |= dict(
        tickangle=0,
        tickvals=places,
        ticktext=_rank_labels(terms.rows),
        title_text="rank, document, discount",
    )
    axes["xaxis2"] |= dict(tickvals=places, title_text="rank", range=[0.6, n + 0.3 + 0.1 * n])
    axes["yaxis"] |= dict(title_text="gain", rangemode="tozero")
    top = 1.18 * max(terms.dcg, terms.idcg, SAME_VALUE)
    axes["yaxis2"] |= dict(title_text=f"{metric} so far", range=[0, top])
    marks = _cutoff(terms, ("", "2"))
    marks["annotations"] = [*marks.get("annotations", []), *_totals(terms, upto)]
    bars = [_gain_bars(terms, places), _contribution_bars(terms, places, upto)]
    figure = ([*bars, running, ideal], dict(barmode="overlay", **axes, **marks))
    return frame(
        figure,
        title=title or _largest_term(terms),
        sentence=_sum_in_words(terms, upto, metric),
        table=_breakdown_table(terms),
    )


def _totals(terms, upto):
    """Return the number at the end of the running total, and the name of the ideal above it."""
    place = dict(xref="x2", yref="y2")
    above = dict(x=len(terms.rows), xanchor="right", yanchor="bottom", yshift=4)
    total = round(terms.ideal_cumulative[-1], 6)
    found = [note(f"ideal {total:.2f}", y=total, **above, **place)]
    if upto:
        so_far = terms.column("cumulative")[upto - 1]
        is_low = so_far < 0.2 * total  # there the axis has its numbers below
        side = dict(yanchor="bottom", yshift=3) if is_low else dict(yanchor="top", yshift=-3)
        side |= dict(xanchor="left", xshift=5, bgcolor=HALF_WHITE)
        text = f"<b>{so_far:.2f}</b>"
        found.append(note(text, x=upto, y=round(so_far, 6), color=BLUE, **side, **place))
    return found


def _cutoff(terms, panels=("",)):
    """Mark the cutoff behind the last rank that counts, if others follow."""
    if terms.k == len(terms.rows):
        return {}
    return cutoff_marks(terms.k + 0.5, f"k = {terms.k}", panels)


def _rank_labels(rows):
    """Return what stands below each bar: rank, document, discount."""
    digits = 3 if len(rows) <= FEW_LABELS else 2
    docs = [["–"] if row.doc is None else _in_lines(row.doc) for row in rows]
    return [
        "<br>".join([str(row.rank), *map(escape, doc), f"×{row.discount:.{digits}f}"])
        for row, doc in zip(rows, docs, strict=True)
    ]


def _in_lines(name):
    """Return a name, a long one in two lines: broken at a space, or before a capital in a word."""
    if len(name) <= MANY_LETTERS:
        return [name]
    breaks = [found.start() for found in BREAKS.finditer(name)] or [MANY_LETTERS]
    end = min(breaks, key=lambda place: max(place, len(name[place:].strip())))
    lines = name[:end], name[end:].strip()
    return [
        line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…" for line in lines
    ]


def _gain_bars(terms, places):
    return dict(
        type="bar",
        x=places,
        y=terms.column("gain"),
        name="gain",
        marker=dict(color=PALE_BLUE, line=dict(color=BLUE, width=1.5)),
    )


def _contribution_bars(terms, places, upto):
    values = rounded(terms.column("contribution"))
    shown = [value if i < upto else None for i, value in enumerate(values)]
    return dict(
        type="bar",
        x=places,
        y=shown,
        name="contribution = gain × discount",
        marker=dict(color=BLUE),
        width=0.5,
        text=["" if value is None else _short(value, 3) for value in shown],
        **NUMBERS
        | dict(textfont=NUMBERS["textfont"] | dict(shadow=", ".join(["0 0 2px white"] * 4))),
    )


def _largest_term(terms):
    if terms.dcg == 0:
        return f"Nothing in the top {terms.k} is relevant, so DCG@{terms.k} = 0"
    largest = max(terms.rows, key=lambda row: row.contribution)
    share = f"{largest.contribution / terms.dcg:.0%}"
    total = f"DCG@{terms.k} = {terms.dcg:.4f}"
    return f"{escape(largest.doc)}, at rank {largest.rank}, brings {share} of {total}"


def _sum_in_words(terms, upto, metric):
    parts = [f"{value:.4f}" for value in terms.column("contribution")[:upto]]
    total = terms.column("cumulative")[upto - 1] if upto else 0.0
    # ≈, because the terms are rounded before the reader adds them.
    added = f"{' + '.join(parts)} ≈ " if len(parts) > 1 else ""
    whole = f" The whole list: {terms}." if metric == "DCG" else ""
    return f"{metric} so far: {added}{total:.4f}.{whole}"


def _check_comparable(series, name, kind, look):
    """Raise unless there are one to five of a kind that one ideal line fits.

    `look` takes one of them, and returns its cutoffs and its ideal.
    """
    check_entries(series, name, len(OTHERS))
    for key, one in series.items():
        check_kind(one, f"{name}[{key!r}]", kind, f"helpers.breakdown.{SOURCES[kind]}")
    lengths, ideals = zip(*map(look, series.values()), strict=True)
    if len(set(lengths)) > 1:
        raise ValueError(f"{name} must share their cutoffs, got {list(lengths)}")
    if any(abs(ideal - ideals[0]) > SAME_VALUE for ideal in ideals):
        raise ValueError(f"{name} must share one ideal, got {list(ideals)}")


def _breakdown_table(terms):
    numbers = ("gain", "discount", "contribution", "cumulative", "ideal_contribution", "gap")
    rows = _rows_of(terms.rows, *numbers)
    return ("rank", "document", *numbers[:4], "ideal", "gap"), rows


def _rows_of(rows, *numbers):
    return [[r.rank, r.doc, *cells(getattr(r, number) for number in numbers)] for r in rows]


@words_checked
def cumulative(rankings, *, title=None):
    """Show how several rankings of one query collect DCG, rank by rank.

    Parameters
    ----------
    rankings : dict of str to helpers.breakdown.Breakdown
        One to five rankings of the same documents.
    title : str, optional

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are none or too many, if one is another thing, or if their cutoffs or
        ideals differ.

    Notes
    -----
    Taught in notebook *cutoff*.
    """
    _check_comparable(
        rankings,
        "rankings",
        Breakdown,
        lambda terms: ((terms.k, len(terms.rows)), terms.idcg),
    )
    first = next(iter(rankings.values()))
    places = list(range(1, len(first.rows) + 1))
    traces = [
        line(places, terms.column("cumulative"), name, look, width=5)
        for (name, terms), look in zip(rankings.items(), OTHERS, strict=False)
    ]
    # Last and thin, so that it can be seen on top of a ranking that is ideal.
    traces.append(line(places, first.ideal_cumulative, "ideal (IDCG)", IDEAL, width=2))
    axes = dict(
        xaxis=dict(title_text="rank", tickvals=places),
        yaxis=dict(title_text="DCG so far", rangemode="tozero"),
    )
    ends = joined({name: terms.dcg for name, terms in rankings.items()})
    columns = [terms.column("cumulative") for terms in rankings.values()]
    rows = by_row(places, *columns, first.ideal_cumulative)
    return frame(
        (traces, axes | _cutoff(first)),
        title=title or f"After rank {first.k}: {ends}, ideal {first.idcg:.4f}",
        sentence=f"DCG@{first.k}: {ends}; the ideal reaches {first.idcg:.4f}.",
        table=(("rank", *rankings, "ideal"), rows),
    )


@words_checked
def cutoffs(curves, *, k=None, title=None):
    """Show DCG@k and NDCG@k against the cutoff k.

    Parameters
    ----------
    curves : dict of str to helpers.breakdown.Curves
        One to five rankers.
    k : int, optional
        A cutoff to mark.
    title : str, optional
        The finding; by default where the first NDCG@k falls.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If there are none or too many, if one is another thing, if their cutoffs or ideals
        differ, or if `k` is not among the cutoffs.

    Notes
    -----
    Taught in notebook *cutoff*.
    """
    _check_comparable(
        curves,
        "curves",
        Curves,
        lambda curve: (len(curve.k), curve.idcg[-1]),
    )
    first = next(iter(curves.values()))
    k = None if k is None else check_whole(k, "k", 1, first.k[-1])
    traces = []
    for (name, curve), look in zip(curves.items(), OTHERS, strict=False):
        group = dict(legendgroup=name, width=4 if len(curve.k) <= MANY_POINTS else 2.5)
        right = dict(showlegend=False, **group, **ON_THE_RIGHT)
        traces.append(line(curve.k, curve.dcg, name, look, **group))
        traces.append(line(curve.k, curve.ndcg, name, look, **right))
    traces.append(line(first.k, first.idcg, "ideal: IDCG@k", IDEAL, width=2))
    axes = side_by_side()
    for name in ("xaxis", "xaxis2"):
        axes[name] |= dict(
            title_text="cutoff k",
            tickvals=rank_ticks(len(first.k)),
            range=[0.5, first.k[-1] + 0.5],
        )
    axes["yaxis"] |= dict(title_text="DCG@k", rangemode="tozero")
    top = max(max(curve.ndcg) for curve in curves.values())
    axes["yaxis2"] |= dict(title_text="NDCG@k", range=[0, 1.06 * max(top, 0.1)])
    marks = {} if k is None else cutoff_marks(k, f"k = {k}", ("", "2"))
    figure = (traces, axes | marks)
    return frame(
        figure,
        title=title or _finding(curves),
        sentence=_cutoff_sentence(curves, first.k[-1] if k is None else k),
        table=_cutoff_table(curves),
    )


def _finding(curves):
    if len(curves) == 1:
        return _fall_in_words(next(iter(curves.values())))
    last = next(iter(curves.values())).k[-1]
    return f"NDCG@{last}: " + joined({name: c.ndcg[-1] for name, c in curves.items()}, 3)


def _fall_in_words(curve):
    falls = [i for i in range(1, len(curve.k)) if curve.ndcg[i] < curve.ndcg[i - 1] - 1e-12]
    if not falls:
        return f"Here NDCG@k never falls: from {curve.ndcg[0]:.3f} to {curve.ndcg[-1]:.3f}"
    i = falls[0]
    return (
        f"NDCG@k falls from {curve.ndcg[i - 1]:.3f} to {curve.ndcg[i]:.3f} at k = {curve.k[i]}, "
        "while DCG@k never falls"
    )


def _cutoff_sentence(curves, k):
    at = [
        f"{name}: DCG@{k} {c.dcg[k - 1]:.4f}, NDCG@{k} {c.ndcg[k - 1]:.4f}"
        for name, c in curves.items()
    ]
    first = next(iter(curves.values()))
    return "; ".join(at) + f"; IDCG@{k} {first.idcg[k - 1]:.4f}."


def _cutoff_table(curves):
    first = next(iter(curves.values()))
    header = [f"{metric}@k, {name}" for name in curves for metric in ("DCG", "NDCG")]
    columns = [values for curve in curves.values() for values in (curve.dcg, curve.ndcg)]
    return ["k", *header, "IDCG@k"], by_row(first.k, *columns, first.idcg)


@words_checked
def against_ideal(terms, *, title=None):
    """Show the contribution of each rank beside what the ideal order puts there.

    Parameters
    ----------
    terms : helpers.breakdown.Breakdown
    title : str, optional
        The finding; by default the rank with the largest gap.

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If `terms` is not a breakdown.

    Notes
    -----
    Taught in notebook *cutoff*.
    """
    check_kind(terms, "terms", Breakdown, "helpers.breakdown.breakdown")
    shown = [row for row in terms.rows if row.first_rank <= terms.k]
    places = list(range(1, len(shown) + 1))
    bars = [
        _grouped(places, [r.contribution for r in shown], "this ranking", BLUE, ""),
        _grouped(places, [r.ideal_contribution for r in shown], "ideal order", "white", "/"),
    ]
    layout = dict(
        **dict(barmode="group", bargap=0.25, bargroupgap=0.06),
        xaxis=dict(
            title_text="rank, document, discount",
            tickangle=0,
            tickvals=places,
            ticktext=_rank_labels(shown),
        ),
        yaxis=dict(title_text="contribution to DCG", rangemode="tozero"),
    )
    largest = max(shown, key=lambda row: row.gap)
    rows = _rows_of(shown, "contribution", "ideal_contribution", "gap")
    return frame(
        (bars, layout),
        title=title or f"The largest gap, {largest.gap:.2f}, opens at rank {largest.rank}",
        sentence=f"{terms}. The gaps sum to {terms.idcg - terms.dcg:.4f}.",
        table=(("rank", "document", "contribution", "ideal", "gap"), rows),
    )


def _grouped(places, values, name, color, pattern, digits=2):
    return dict(
        type="bar",
        x=places,
        y=rounded(values),
        name=name,
        marker=dict(color=color, line=dict(color=INK, width=1.5), pattern=hatching(pattern, GRAY)),
        text=[_short(value, digits) for value in values],
        **NUMBERS,
    )


@words_checked
def gains_and_discounts(grades, linear, exponential, weights, *, title=None):
    """Show what a grade is worth under two gains, and what a rank is worth.

    Parameters
    ----------
    grades, linear, exponential : array-like of shape (n_grades,)
        Grades and their gains.
    weights : array-like of shape (n_ranks,)
        Weights of ranks 1, 2, … under the log discount with base 2.
    title : str, optional

    Returns
    -------
    Chart

    Raises
    ------
    TypeError, ValueError
        If they are not flat lists of numbers, the first three of one length.

    Notes
    -----
    Taught in notebook *gain_discounted*.
    """
    columns = dict(grades=grades, linear=linear, exponential=exponential, weights=weights)
    grades, linear, exponential, weights = (
        as_flat(values, name).astype(float).tolist() for name, values in columns.items()
    )
    if not len(grades) == len(linear) == len(exponential):
        raise ValueError(
            "grades, linear and exponential must be of one length, got "
            f"{len(grades)}, {len(linear)} and {len(exponential)}"
        )
    ranks = list(range(1, len(weights) + 1))
    traces = [
        _grouped(grades, linear, "linear: grade", BLUE, "", 0),
        _grouped(grades, exponential, "exponential: 2<sup>grade</sup> − 1", "white", "/", 0),
        line(ranks, weights, "discount", OTHERS[1], showlegend=False, **ON_THE_RIGHT),
    ]
    axes = side_by_side(gap=0.14)
    axes["xaxis"] |= dict(title_text="grade of the document", tickvals=list(grades))
    axes["xaxis2"] |= dict(title_text="rank", tickvals=ranks)
    axes["yaxis"] |= dict(title_text="gain", rangemode="tozero")
    axes["yaxis2"] |= dict(title_text="discount: 1 / log₂(rank + 1)", range=[0, 1.06])
    figure = (traces, dict(barmode="group", **axes))
    rows = [
        ["grade", f"{g:g}", f"{a:g}", f"{b:g}"]
        for g, a, b in zip(grades, linear, exponential, strict=True)
    ]
    rows += [["rank", r, round(float(w), 4), None] for r, w in zip(ranks, weights, strict=True)]
    return frame(
        figure,
        title=title or "The gain depends on the grade, the discount on the rank",
        sentence=(
            f"Grade {grades[-1]:g} gains {linear[-1]:g} linearly and {exponential[-1]:g} "
            f"exponentially; rank {ranks[-1]} weighs {weights[-1]:.3f}."
        ),
        table=(("what", "value", "linear gain or discount", "exponential gain"), rows),
    )
