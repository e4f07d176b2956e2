"""The charts of the course: pure functions from data to `go.Figure`.

Each takes a finished breakdown or finished curves, computes no metric, and comes
with a sentence and a table (see `helpers.figures.describe`).
"""

from html import escape

import plotly.graph_objects as go

from helpers.figures.style import (
    BLUE,
    IDEAL,
    INK,
    MANY_POINTS,
    ON_THE_RIGHT,
    OTHERS,
    PALE_BLUE,
    YOURS,
    cutoff_marks,
    frame,
    line,
    side_by_side,
)

# Longer names are cut below their bar; the table has them whole.
MANY_LETTERS = 16

# Numbers above bars: upright, of one size, and never cut off.
LABELS = dict(
    textposition="outside",
    textfont=dict(size=14, color=INK),
    textangle=0,
    constraintext="none",
    cliponaxis=False,
)


def _short(value, digits):
    """Write a number above a bar: zero and whole gains need no decimals."""
    return f"{value:g}" if value == 0 or digits == 0 else f"{value:.{digits}f}"


def per_rank(broken, *, upto=None, metric="DCG", title=None):
    """Show what each rank adds to the DCG, and how it adds up.

    Left: a pale bar is the gain, the solid bar in it what the discount leaves.
    Right: the running total with that of the ideal order.

    Parameters
    ----------
    broken : helpers.breakdown.Breakdown
    upto : int, optional
        Fill in only the first `upto` rows, as when walking down the list.
    metric : str, default="DCG"
        What the sum is called: "IDCG" for the ideal order.
    title : str, optional
        The finding; by default the document that brings most.

    Returns
    -------
    go.Figure

    Notes
    -----
    Taught in notebooks 02 and 04.
    """
    n = len(broken.rows)
    upto = n if upto is None else _check_place(upto, "upto", 0, n)
    places = list(range(1, n + 1))
    labels = [_rank_label(row) for row in broken.rows]
    running = line(
        places[:upto],
        broken.column("cumulative")[:upto],
        "running total",
        YOURS,
        width=5,
        **ON_THE_RIGHT,
    )
    # Last and thin, so that it can be seen on top of a ranking that is ideal.
    ideal = line(
        places,
        broken.ideal_cumulative,
        "ideal running total",
        IDEAL,
        width=2,
        **ON_THE_RIGHT,
    )
    axes = side_by_side(0.58)
    axes["xaxis"] |= dict(
        tickangle=0, tickvals=places, ticktext=labels, title_text="rank, document, discount"
    )
    axes["xaxis2"] |= dict(tickvals=places, title_text="rank", range=[0.6, n + 0.4])
    axes["yaxis"] |= dict(title_text="gain", rangemode="tozero")
    top = 1.12 * max(broken.dcg, broken.idcg, 1e-9)
    axes["yaxis2"] |= dict(title_text="DCG so far", range=[0, top])
    marks = cutoff_marks(broken.k + 0.5, f"k = {broken.k}", ("", "2")) if broken.k < n else {}
    bars = [_gain_bars(broken, places), _contribution_bars(broken, places, upto)]
    figure = go.Figure([*bars, running, ideal], dict(barmode="overlay", **axes, **marks))
    return frame(
        figure,
        title=title or _largest_term(broken),
        sentence=_sum_in_words(broken, upto, metric),
        table=_breakdown_table(broken),
    )


def _rank_label(row):
    doc = "–" if row.doc is None else row.doc
    doc = doc if len(doc) <= MANY_LETTERS else f"{doc[: MANY_LETTERS - 1]}…"
    return f"{row.rank}<br>{escape(doc)}<br>×{row.discount:.3f}"


def _gain_bars(broken, places):
    return go.Bar(
        x=places,
        y=broken.column("gain"),
        name="gain",
        marker=dict(color=PALE_BLUE, line=dict(color=BLUE, width=1.5)),
    )


def _contribution_bars(broken, places, upto):
    values = [round(value, 6) for value in broken.column("contribution")]
    shown = [value if i < upto else None for i, value in enumerate(values)]
    return go.Bar(
        x=places,
        y=shown,
        name="contribution = gain × discount",
        marker=dict(color=BLUE),
        width=0.5,
        text=["" if value is None else _short(value, 3) for value in shown],
        **LABELS,
    )


def _largest_term(broken):
    if broken.dcg == 0:
        return f"Nothing relevant in the top {broken.k}: DCG@{broken.k} = 0"
    largest = max(broken.rows, key=lambda row: row.contribution)
    share = f"{largest.contribution / broken.dcg:.0%}"
    total = f"DCG@{broken.k} = {broken.dcg:.4f}"
    return f"{escape(largest.doc)}, at rank {largest.rank}, brings {share} of {total}"


def _sum_in_words(broken, upto, metric):
    terms = [f"{value:.4f}" for value in broken.column("contribution")[:upto]]
    total = broken.column("cumulative")[upto - 1] if upto else 0.0
    # ≈, because the terms are rounded before the reader adds them.
    added = f"{' + '.join(terms)} ≈ " if len(terms) > 1 else ""
    whole = f" The whole list: {broken}." if metric == "DCG" else ""
    return f"{metric} so far: {added}{total:.4f}.{whole}"


def _check_place(value, name, first, last):
    if not first <= value <= last:
        raise ValueError(f"{name} must be from {first} to {last}, got {value}")
    return value


def _check_comparable(series, name, lengths, ideals):
    """Raise unless there are one to five series that one ideal line fits."""
    if not 1 <= len(series) <= len(OTHERS):
        raise ValueError(f"{name} must hold 1 to {len(OTHERS)} entries, got {len(series)}")
    if len(set(lengths)) > 1:
        raise ValueError(f"{name} must share their cutoffs, got {lengths}")
    if any(abs(ideal - ideals[0]) > 1e-9 for ideal in ideals):
        raise ValueError(f"{name} must share one ideal, got {ideals}")


def _breakdown_table(broken):
    header = ("rank", "document", "gain", "discount", "contribution", "cumulative", "ideal", "gap")
    rows = [
        [r.rank, r.doc, *(round(v, 4) for v in (r.gain, r.discount, r.contribution))]
        + [round(v, 4) for v in (r.cumulative, r.ideal_contribution, r.gap)]
        for r in broken.rows
    ]
    return header, rows


def cumulative(rankings, *, title=None):
    """Show how several rankings of one query collect DCG, rank by rank.

    Parameters
    ----------
    rankings : dict of str to helpers.breakdown.Breakdown
        One to five rankings of the same documents.
    title : str, optional

    Returns
    -------
    go.Figure

    Raises
    ------
    ValueError
        If there are none or too many, or if their cutoffs or ideals differ.

    Notes
    -----
    Taught in notebook 04.
    """
    _check_comparable(
        rankings,
        "rankings",
        [(broken.k, len(broken.rows)) for broken in rankings.values()],
        [broken.idcg for broken in rankings.values()],
    )
    first = next(iter(rankings.values()))
    places = list(range(1, len(first.rows) + 1))
    traces = [
        line(places, broken.column("cumulative"), name, look, width=5)
        for (name, broken), look in zip(rankings.items(), OTHERS, strict=False)
    ]
    # Last and thin, so that it can be seen on top of a ranking that is ideal.
    traces.append(line(places, first.ideal_cumulative, "ideal (IDCG)", IDEAL, width=2))
    axes = dict(
        xaxis=dict(title_text="rank", tickvals=places),
        yaxis=dict(title_text="DCG so far", rangemode="tozero"),
    )
    is_cut = first.k < len(places)
    marks = cutoff_marks(first.k + 0.5, f"k = {first.k}") if is_cut else {}
    figure = go.Figure(traces, axes | marks)
    ends = ", ".join(f"{name} {broken.dcg:.4f}" for name, broken in rankings.items())
    header = ("rank", *rankings, "ideal")
    columns = [broken.column("cumulative") for broken in rankings.values()]
    rows = [
        [place, *(round(value, 4) for value in values)]
        for place, *values in zip(places, *columns, first.ideal_cumulative, strict=True)
    ]
    return frame(
        figure,
        title=title or f"After rank {first.k}: {ends}, ideal {first.idcg:.4f}",
        sentence=f"DCG@{first.k}: {ends}; the ideal reaches {first.idcg:.4f}.",
        table=(header, rows),
    )


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
    go.Figure

    Raises
    ------
    ValueError
        If there are none or too many, if their cutoffs or ideals differ, or if `k`
        is not among the cutoffs.

    Notes
    -----
    Taught in notebook 04.
    """
    _check_comparable(
        curves,
        "curves",
        [len(curve.k) for curve in curves.values()],
        [curve.idcg[-1] for curve in curves.values()],
    )
    first = next(iter(curves.values()))
    if k is not None:
        _check_place(k, "k", 1, first.k[-1])
    traces = []
    for (name, curve), look in zip(curves.items(), OTHERS, strict=False):
        group = dict(legendgroup=name, width=4 if len(curve.k) <= MANY_POINTS else 2.5)
        right = dict(showlegend=False, **group, **ON_THE_RIGHT)
        traces.append(line(curve.k, curve.dcg, name, look, **group))
        traces.append(line(curve.k, curve.ndcg, name, look, **right))
    traces.append(line(first.k, first.idcg, "ideal: IDCG@k", IDEAL, width=2))
    axes = side_by_side()
    for name in ("xaxis", "xaxis2"):
        axes[name] |= dict(title_text="cutoff k", **_ticks(first.k))
    axes["yaxis"] |= dict(title_text="DCG@k", rangemode="tozero")
    top = max(max(curve.ndcg) for curve in curves.values())
    axes["yaxis2"] |= dict(title_text="NDCG@k", range=[0, 1.06 * max(top, 0.1)])
    marks = {} if k is None else cutoff_marks(k, f"k = {k}", ("", "2"))
    figure = go.Figure(traces, axes | marks)
    return frame(
        figure,
        title=title or _finding(curves),
        sentence=_cutoff_sentence(curves, first.k[-1] if k is None else k),
        table=_cutoff_table(curves),
    )


def _ticks(shown):
    """Label every cutoff, or 1, 5, 10, … where there are many."""
    few = [k for k in shown if k == 1 or k % 5 == 0]
    return dict(tickvals=shown if len(shown) <= MANY_POINTS else few, range=[0.5, shown[-1] + 0.5])


def _finding(curves):
    if len(curves) == 1:
        return _fall_in_words(next(iter(curves.values())))
    last = next(iter(curves.values())).k[-1]
    return f"NDCG@{last}: " + ", ".join(f"{name} {c.ndcg[-1]:.3f}" for name, c in curves.items())


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
    header = ["k"]
    for name in curves:
        header += [f"DCG@k, {name}", f"NDCG@k, {name}"]
    rows = []
    for i, k in enumerate(first.k):
        row = [k]
        for curve in curves.values():
            row += [round(curve.dcg[i], 4), round(curve.ndcg[i], 4)]
        rows.append([*row, round(first.idcg[i], 4)])
    return [*header, "IDCG@k"], rows


def against_ideal(broken, *, title=None):
    """Show the contribution of each rank beside what the ideal order puts there.

    Parameters
    ----------
    broken : helpers.breakdown.Breakdown
    title : str, optional
        The finding; by default the rank with the largest gap.

    Returns
    -------
    go.Figure

    Notes
    -----
    Taught in notebook 04.
    """
    shown = [row for row in broken.rows if row.first_rank <= broken.k]
    places = list(range(1, len(shown) + 1))
    figure = go.Figure()
    figure.add_trace(_grouped(places, [r.contribution for r in shown], "this ranking", BLUE, ""))
    figure.add_trace(
        _grouped(places, [r.ideal_contribution for r in shown], "ideal order", "white", "/")
    )
    figure.update_layout(barmode="group", bargap=0.25, bargroupgap=0.06)
    figure.update_xaxes(
        title_text="rank, document, discount",
        tickangle=0,
        tickvals=places,
        ticktext=[_rank_label(row) for row in shown],
    )
    figure.update_yaxes(title_text="contribution to DCG", rangemode="tozero")
    largest = max(shown, key=lambda row: row.gap)
    rows = [
        [r.rank, r.doc, round(r.contribution, 4), round(r.ideal_contribution, 4), round(r.gap, 4)]
        for r in shown
    ]
    return frame(
        figure,
        title=title or f"The largest gap, {largest.gap:.3f}, opens at rank {largest.rank}",
        sentence=f"{broken}. The gaps sum to {broken.idcg - broken.dcg:.4f}.",
        table=(("rank", "document", "contribution", "ideal", "gap"), rows),
    )


def _grouped(places, values, name, color, pattern, digits=2):
    return go.Bar(
        x=places,
        y=[round(value, 6) for value in values],
        name=name,
        marker=dict(
            color=color,
            line=dict(color=INK, width=1.5),
            pattern=dict(shape=pattern, fgcolor=INK, size=7),
        ),
        text=[_short(value, digits) for value in values],
        **LABELS,
    )


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
    go.Figure

    Notes
    -----
    Taught in notebook 02.
    """
    ranks = list(range(1, len(weights) + 1))
    grades, linear, exponential = (
        [float(value) for value in values] for values in (grades, linear, exponential)
    )
    traces = [
        _grouped(grades, linear, "linear: grade", BLUE, "", 0),
        _grouped(grades, exponential, "exponential: 2^grade − 1", "white", "/", 0),
        line(ranks, weights, "discount: 1 / log2(rank + 1)", OTHERS[1], **ON_THE_RIGHT),
    ]
    axes = side_by_side(gap=0.14)
    axes["xaxis"] |= dict(title_text="grade of the document", tickvals=list(grades))
    axes["xaxis2"] |= dict(title_text="rank", tickvals=ranks)
    axes["yaxis"] |= dict(title_text="gain", rangemode="tozero")
    axes["yaxis2"] |= dict(title_text="discount", range=[0, 1.06])
    figure = go.Figure(traces, dict(barmode="group", **axes))
    rows = [
        ["grade", f"{g:g}", f"{a:g}", f"{b:g}"]
        for g, a, b in zip(grades, linear, exponential, strict=True)
    ]
    rows += [["rank", r, round(float(w), 4), None] for r, w in zip(ranks, weights, strict=True)]
    return frame(
        figure,
        title=title or "Gain looks at the grade, discount looks at the rank",
        sentence=(
            f"Grade {grades[-1]:g} gains {linear[-1]:g} linearly and {exponential[-1]:g} "
            f"exponentially; rank {ranks[-1]} weighs {weights[-1]:.3f}."
        ),
        table=(("what", "value", "linear gain or discount", "exponential gain"), rows),
    )
