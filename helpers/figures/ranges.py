"""How far ties reach: from the unluckiest to the luckiest order, with the average between."""

from html import escape

from helpers.figures.numbers import cells, rounded
from helpers.figures.style import BLUE, INK, PALE_BLUE, check_entries, frame
from helpers.metrics.checks import SAME_VALUE

ROW = 44  # pixels for each model, at least
AROUND = 180  # pixels above and below the rows
THICK = 14  # pixels
LEAST_HEIGHT = 400
MOST_MODELS = 40


def tie_ranges(ranges, *, title, measure="NDCG"):
    """Show for each model what its ties allow.

    Parameters
    ----------
    ranges : dict of str to (float, float, float)
        Name of a model to the value of the unluckiest order of its ties, the
        average over all orders, and the value of the luckiest. The first stands
        on top.
    title : str
        The finding.
    measure : str
        What the values are.

    Returns
    -------
    go.Figure

    Raises
    ------
    ValueError
        If there is no model, or three values do not rise.

    Notes
    -----
    Taught in notebook *ties*.
    """
    rows = _checked(ranges)
    names = [escape(str(name)) for name in ranges]
    worst, average, best = ([row[i] for row in rows] for i in range(3))
    height = max(LEAST_HEIGHT, AROUND + ROW * len(rows))
    thick = THICK * len(rows) / (height - AROUND)  # in rows
    layout = dict(
        xaxis=dict(title_text=measure, range=[-0.02, 1.05], showgrid=True),
        yaxis=dict(autorange="reversed", showgrid=False, ticks=""),
    )
    return frame(
        ([_bars(names, worst, best, thick), _averages(names, average)], layout),
        title=title,
        sentence=_sentence(list(ranges), rows),
        table=(
            ("model", "unluckiest", "average", "luckiest"),
            [[name, *cells(row)] for name, row in zip(ranges, rows, strict=True)],
        ),
        height=height,
    )


def _checked(ranges):
    check_entries(ranges, "ranges", MOST_MODELS)
    rows = []
    for name, values in ranges.items():
        values = [float(value) for value in values]
        if len(values) != 3:
            raise ValueError(f"ranges[{name!r}] must hold 3 values, got {len(values)}")
        if not values[0] <= values[1] + SAME_VALUE or not values[1] <= values[2] + SAME_VALUE:
            raise ValueError(f"ranges[{name!r}] must be worst, average, best; got {values}")
        rows.append(values)
    return rows


def _bars(names, worst, best, thick):
    """Return the ranges as bars that begin at the worst value."""
    return dict(
        type="bar",
        x=rounded(b - w for w, b in zip(worst, best, strict=True)),
        y=names,
        base=rounded(worst),
        orientation="h",
        width=round(thick, 3),
        marker=dict(color=PALE_BLUE, line=dict(color=INK, width=1.5)),
        name="from the unluckiest to the luckiest order",
        hoverinfo="skip",
    )


def _averages(names, values):
    return dict(
        type="scatter",
        x=rounded(values),
        y=names,
        mode="markers+text",
        marker=dict(symbol="circle", size=13, color=BLUE),
        text=[f"<b>{v:.3f}</b>" for v in values],
        textposition="top center",
        textfont=dict(size=15),
        name="average of all orders",
        cliponaxis=False,
    )


def _sentence(names, rows):
    parts = [
        f"{name} {average:.3f} ({worst:.3f} to {best:.3f})"
        for name, (worst, average, best) in zip(names, rows, strict=True)
    ]
    return f"Average over all orders of the ties, and the range: {'; '.join(parts)}."
