"""Training against test: what a search reached, and what it was worth."""

import plotly.graph_objects as go

from helpers.figures.style import BLACK, BLUE, VERMILLION, frame, metric_name

RUNS = dict(symbol="circle", size=11, color=BLUE, opacity=0.75)
BEST = dict(symbol="circle-open", size=22, color=VERMILLION, line=dict(width=3))
OTHER_SYMBOLS = ("diamond", "square", "triangle-up", "x")


def train_against_test(runs, marks, *, k=None, title=None):
    """Show mean NDCG on training queries against fresh ones, a point for each run.

    Parameters
    ----------
    runs : sequence of (float, float)
        Mean NDCG on the training and on the test queries, of two runs or more.
    marks : dict of str to (float, float)
        The same of up to four others to compare with, by name.
    k : int, optional
        The cutoff, for the axes.
    title : str, optional
        The finding; by default which place on the test the best run of the training
        takes.

    Returns
    -------
    go.Figure

    Raises
    ------
    ValueError
        If there are fewer than two runs, or more than four marks.

    Notes
    -----
    Taught in notebook 11.
    """
    if len(runs) < 2:
        raise ValueError(f"runs must hold at least two points, got {len(runs)}")
    if len(marks) > len(OTHER_SYMBOLS):
        raise ValueError(f"marks must hold at most {len(OTHER_SYMBOLS)} points, got {len(marks)}")
    best = max(runs, key=lambda run: run[0])
    place = place_on_test(runs)
    metric = metric_name(k)
    traces = [
        _points(runs, f"{len(runs)} runs", RUNS),
        _points([best], "best on training", BEST),
    ]
    for (name, point), symbol in zip(marks.items(), OTHER_SYMBOLS, strict=False):
        traces.append(_points([point], name, dict(symbol=symbol, size=14, color=BLACK)))
    axes = dict(
        xaxis=dict(title_text=f"mean {metric}, training queries", showgrid=True),
        yaxis=dict(title_text=f"mean {metric}, test"),
    )
    rows = [["run", *_rounded(run)] for run in sorted(runs, reverse=True)]
    rows += [[name, *_rounded(point)] for name, point in marks.items()]
    return frame(
        go.Figure(traces, axes),
        title=title or f"The best of {len(runs)} runs on training is number {place} on the test",
        sentence=(
            f"The run that is best on training has {best[0]:.4f} there and {best[1]:.4f} on the "
            f"test, where it is number {place} of {len(runs)}. "
            + "".join(f"{name}: {a:.4f} and {b:.4f}. " for name, (a, b) in marks.items())
        ).strip(),
        table=(("what", "training", "test"), rows),
    )


def place_on_test(runs):
    """Return the place on the test, from 1, of the run that is best on training.

    Parameters
    ----------
    runs : sequence of (float, float)
        Training and test.

    Returns
    -------
    int
    """
    best = max(runs, key=lambda run: run[0])
    return 1 + sum(run[1] > best[1] for run in runs)


def _points(points, name, marker):
    x, y = zip(*map(_rounded, points), strict=True)
    return go.Scatter(x=list(x), y=list(y), name=name, mode="markers", marker=marker)


def _rounded(point):
    return [round(float(value), 4) for value in point]
