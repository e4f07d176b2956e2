"""How the grade rises with one feature: over all documents, and within a query.

Taught in notebook *surrogates*: the two can have different signs.
"""

from typing import NamedTuple


class Slopes(NamedTuple):
    """Slope and intercept of the grade by one feature.

    Attributes
    ----------
    overall : tuple of float
        Least squares over all documents.
    within : float
        The slope that fits all queries best, each with a level of its own.
    chosen : dict of int to tuple of float
        Least squares over the documents of one query, for each that was asked for.
    """

    overall: tuple
    within: float
    chosen: dict


def grade_slopes(x, y, chosen):
    """Return how the grade rises with one feature.

    Parameters
    ----------
    x, y : ndarray of shape (n_queries, n_docs)
        The feature and the grade of each document.
    chosen : sequence of int
        Queries to fit alone, from 0; each with two different values of the feature.

    Returns
    -------
    Slopes
    """
    feature, grade = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    return Slopes(
        _least_squares_line(x, y),
        float((feature * grade).sum() / (feature**2).sum()),
        {query: _least_squares_line(x[query], y[query]) for query in chosen},
    )


def _least_squares_line(x, y):
    feature = x - x.mean()
    slope = float((feature * y).sum() / (feature**2).sum())
    return slope, float(y.mean() - slope * x.mean())
