"""The chart of notebook *surrogates* that compares losses: NDCG on validation, epoch by epoch."""

from helpers.figures.numbers import cells, rounded
from helpers.figures.style import OTHERS, check_entries, frame, metric_name, scatter
from helpers.tuning.fitting import Fit

MOST_FITS = 4
MOST_MARKERS = 9  # on a curve
ROOM = 0.06  # above and below the curves, as a share of their range
SMALLEST = 1e-4  # that a reader sees: numbers have four digits


def losses_compared(fits, *, k=None, title=None):
    """Show the NDCG on the validation queries, epoch by epoch, of several losses.

    Parameters
    ----------
    fits : dict of str to helpers.tuning.Fit
        Two to four, each fitted with validation data.
    k : int, optional
        The cutoff of the NDCG, for its name.
    title : str, optional
        The finding; by default where each fit ends.

    Returns
    -------
    go.Figure

    Raises
    ------
    TypeError, ValueError
        If there are too few or too many, one is no fit or has no validation NDCG.

    Notes
    -----
    Taught in notebook *surrogates*.
    """
    histories = _checked_fits(fits)
    metric = metric_name(k)
    curves = {name: [e.validation for e in history] for name, history in histories.items()}
    traces = [
        epoch_curve([epoch.number for epoch in histories[name]], values, name, look)
        for (name, values), look in zip(curves.items(), OTHERS, strict=False)
    ]
    last = max(history[-1].number for history in histories.values())
    shown = [value for values in curves.values() for value in values]
    axes = dict(
        xaxis=dict(title_text="epoch", range=[-0.02 * max(last, 1), 1.02 * max(last, 1)]),
        yaxis=dict(title_text=f"mean {metric}, validation", range=with_room(shown)),
    )
    ends = ", ".join(f"{name} {values[-1]:.3f}" for name, values in curves.items())
    return frame(
        (traces, axes),
        title=title or f"Validation {metric} at the end: {ends}",
        sentence=_compared(histories, metric),
        table=_compared_table(histories, last),
    )


def _compared(histories, metric):
    ways = "; ".join(
        f"{name} {history[0].validation:.4f} → {history[-1].validation:.4f} "
        f"in {history[-1].number} epochs"
        for name, history in histories.items()
    )
    return f"{metric} on the validation queries: {ways}."


def _compared_table(histories, last):
    known = [{epoch.number: epoch for epoch in history} for history in histories.values()]
    rows = [
        [number, *cells(k[number].validation if number in k else None for k in known)]
        for number in range(last + 1)
    ]
    return ("epoch", *histories), rows


def _checked_fits(fits):
    check_entries(fits, "fits", MOST_FITS, least=2)
    for name, found in fits.items():
        if not isinstance(found, Fit):
            raise TypeError(
                f"fits[{name!r}] must come from helpers.tuning.fit, got {type(found).__name__}"
            )
        if found.history[0].validation is None:
            raise ValueError(
                f"fits[{name!r}] has no NDCG on validation data; pass validation= to fit"
            )
    return {name: found.history for name, found in fits.items()}


def epoch_curve(numbers, values, name, look, **options):
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


def with_room(values, above=ROOM):
    """Return the range of an axis; numbers that are the same on the screen get one of 1."""
    low, high = min(values), max(values)
    span = high - low if high - low >= SMALLEST else 1
    return [round(low - ROOM * span, 6), round(high + above * span, 6)]
