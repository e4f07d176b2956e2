"""Made-up ranking data with a known truth, to see how good a ranker could be.

Real data never says which weights are right. Here they are kept, and there are as
many fresh queries as one wants.
"""

from typing import NamedTuple

import numpy as np

from ndcglib.metrics.checks import (
    as_number,
    check_choice,
    check_count,
    check_flag,
    check_size,
    check_whole,
)

TRUTHS = ("linear", "mixed")
MOST_NOISE = 1e100  # so that no sum leaves float64
GRADE_QUANTILES = (0.50, 0.75, 0.90)  # half of the documents are irrelevant, a tenth is best
SHARES = (0.6, 0.2, 0.2)  # of the queries: training, validation, test
# What the features of "mixed" are, again and again from the front.
KINDS = ("normal", "skewed", "sparse", "query", "skewed", "normal", "copy", "constant")


class Part(NamedTuple):
    """Some of the queries. ``climb(*part)`` takes it as it is.

    Attributes
    ----------
    X : ndarray of float, shape (n_queries, n_docs, n_features)
        Features; with queries of unequal length a long table (n_rows, n_features).
    y : ndarray of int, shape (n_queries, n_docs), or (n_rows,)
        Grades 0 to 3.
    query : ndarray of int, shape (n_rows,), or None
        The number of the query of each row; None for a rectangle.
    """

    X: np.ndarray
    y: np.ndarray
    query: np.ndarray | None

    def first(self, n):
        """Return a copy of the first `n` queries of a rectangle, all if it has fewer."""
        n = check_count(n, "n")
        if self.query is not None:
            raise ValueError("first() needs queries of equal length; this part is a long table")
        return Part(self.X[:n].copy(), self.y[:n].copy(), None)


class RankingData(NamedTuple):
    """Training, validation and test data: no query is in two of them.

    Attributes
    ----------
    train, validation, test : Part
    weights : ndarray of shape (n_features,)
        What the truth was made with. Where it is linear, no weights rank better on
        average; where it is mixed, they belong to the features' transforms.
    kinds : tuple of str
        What each feature is like.
    test_groups : ndarray of shape (n_queries,), or None
        Which queries of the test belong together, as `ndcglib.significance.compare` takes
        it. None where each query is made on its own.
    """

    train: Part
    validation: Part
    test: Part
    weights: np.ndarray
    kinds: tuple[str, ...]
    test_groups: np.ndarray | None = None

    def true_scores(self, X):
        """Return what the truth gives documents, without the noise of the grades.

        What a query adds to all its documents is left out, as it cannot change an order.

        Parameters
        ----------
        X : ndarray of shape (n_queries, n_docs, n_features), or (n_rows, n_features)
            Features of one of the parts.

        Returns
        -------
        ndarray of shape (n_queries, n_docs), or (n_rows,)

        Notes
        -----
        Taught in notebook *trees*.

        Examples
        --------
        >>> data = ranking_data(seed=1)
        >>> bool(np.allclose(data.true_scores(data.test.X), data.test.X @ data.weights))
        True
        """
        return _utility(X, self.weights, self.kinds)


def ranking_data(
    n_queries=400,
    n_docs=12,
    n_features=6,
    *,
    truth="linear",
    ragged=False,
    noise=0.3,
    empty=0.05,
    seed=0,
):
    """Make queries whose documents have features and grades.

    Parameters
    ----------
    n_queries : int, default=400
        At least 5: three fifths of them for training, a fifth each for validation and
        for the test.
    n_docs : int, default=12
        Documents of each query, at least 2.
    n_features : int, default=6
    truth : {"linear", "mixed"}, default="linear"
        "linear": normal features, and a utility that is a weighted sum of them.
        "mixed": features as in `KINDS`, and a utility that no weighted sum of them
        equals; see the notes.
    ragged : bool, default=False
        Whether queries differ in length: from half of `n_docs` to one and a half of it.
    noise : float, default=0.3
        How much of the grades the features do not know: the standard deviation of
        what is added to the utility, divided by that of the utility.
    empty : float, default=0.05
        The share of queries in which nothing is relevant. A few more may be so by
        chance.
    seed : int, default=0
        The luck of everything, which nothing else shares.

    Returns
    -------
    RankingData

    Raises
    ------
    TypeError, ValueError
        If there are too few queries, documents or features, the truth is unknown, the
        noise is negative, the share is not from 0 to 1, or the seed is not a whole number.

    Notes
    -----
    The thresholds of the grades are the same for all queries, and some queries have
    more to offer than others. So each query has its own set of grades. (Thresholds
    within each query would give all queries the same set; then the ideal DCG is
    constant, and DCG and NDCG are the same goal.)

    "mixed": a skewed feature counts by its logarithm; a sparse one, mostly 0, by
    whether it is there at all; one of the query is equal for all its documents and
    turns up or down what the first feature counts. A copy is the first feature once
    more. Copies and constants count nothing themselves.

    Taught in notebook *climb*.

    Examples
    --------
    >>> data = ranking_data(seed=1)
    >>> data.train.X.shape, data.validation.X.shape, data.test.X.shape
    ((240, 12, 6), (80, 12, 6), (80, 12, 6))
    """
    n_features = check_count(n_features, "n_features")
    check_size(n_features, "n_features")
    n_queries, n_docs = _checked_sizes(n_queries, n_docs, n_features)
    _check_truth(truth)
    check_flag(ragged, "ragged")
    noise = as_number(noise, "noise", f" from 0 to {MOST_NOISE:g}", lambda n: 0 <= n <= MOST_NOISE)
    empty = as_number(empty, "empty", " from 0 to 1", lambda empty: 0 <= empty <= 1)
    rng = np.random.default_rng(check_whole(seed, "seed", 0))
    most = n_docs + n_docs // 2 if ragged else n_docs
    kinds = _kinds(truth, n_features)
    weights = rng.normal(size=n_features)
    X = _features(rng, n_queries, most, kinds)
    utility = _utility(X, weights, kinds)
    spread = utility.std()
    utility += spread * rng.normal(size=(n_queries, 1))  # what a query has to offer
    utility += noise * spread * rng.normal(size=utility.shape)
    y = _grades(utility, np.quantile(utility, GRADE_QUANTILES))
    y[rng.permutation(n_queries)[: round(empty * n_queries)]] = 0
    lengths = rng.integers(n_docs - n_docs // 2, most + 1, n_queries) if ragged else None
    parts = (_part(X, y, lengths, queries) for queries in _split(rng, n_queries))
    return RankingData(*parts, weights, kinds)


def textbook_data(n_fresh=5000, *, truth="linear", seed=0):
    """Make data as many tutorials do: 400 queries of 12 documents, 6 features.

    The thresholds of the grades are quantiles within each query, so that all queries
    have the same grades: six times 0, three times 1, once 2 and twice 3. Of
    the queries 280 are for training and 120 for validation.

    Parameters
    ----------
    n_fresh : int, default=5000
        How many more queries to make for an honest test.
    truth : {"linear", "mixed"}, default="linear"
        As in `ranking_data`.
    seed : int, default=0
        The luck of everything, which nothing else shares.

    Returns
    -------
    RankingData

    Raises
    ------
    TypeError, ValueError
        If `n_fresh` is not a positive integer, the truth is unknown or the seed is no
        whole number.

    Notes
    -----
    No query is empty, and the ideal DCG is the same for all. For everything else use
    `ranking_data`. Taught in notebooks *climb* and *held_out*.
    """
    n_queries = 400 + check_count(n_fresh, "n_fresh")
    check_size(n_fresh, "n_fresh", 12 * 6, "numbers")
    _check_truth(truth)
    rng = np.random.default_rng(check_whole(seed, "seed", 0))
    kinds = _kinds(truth, 6)
    weights = rng.normal(size=6)
    X = _features(rng, n_queries, 12, kinds)
    utility = _utility(X, weights, kinds) + 0.7 * rng.normal(size=(n_queries, 12))
    y = _grades(utility, np.quantile(utility, GRADE_QUANTILES, axis=1)[..., None])
    split = slice(280), slice(280, 400), slice(400, None)
    return RankingData(*(_part(X, y, None, queries) for queries in split), weights, kinds)


def shop_data(n_queries=500, n_docs=10, *, seed=0):
    """Make a shop where the grade rises with the price, and falls within each category.

    A query is a category. Its offers have two features, the logarithms of price and of
    sales, both measured from the average of the shop. Expensive categories have higher
    grades; within a category the cheaper one of two offers is better. So across all
    rows the grade rises with the price, and within every query it falls.

    Parameters
    ----------
    n_queries : int, default=500
        At least 5: three fifths of them for training, a fifth each for validation and
        for the test.
    n_docs : int, default=10
        Offers of each category, at least 2.
    seed : int, default=0
        The luck of everything, which nothing else shares.

    Returns
    -------
    RankingData
        Its weights are what price and sales count within a category: -1 and 0.15.

    Raises
    ------
    TypeError, ValueError
        If there are too few queries or offers, or the seed is not a whole number.

    Notes
    -----
    The reversal of a relation when groups are put together is known as Simpson's
    paradox. Taught in notebook *regression*.

    Examples
    --------
    >>> shop_data(10).train.X.shape
    (6, 10, 2)
    """
    n_queries, n_docs = _checked_sizes(n_queries, n_docs, 2)
    rng = np.random.default_rng(check_whole(seed, "seed", 0))
    shape = (n_queries, n_docs)
    level = rng.normal(size=(n_queries, 1))  # how expensive the category is
    extra = 0.3 * rng.normal(size=shape)  # how expensive the offer is, for its category
    sold = 0.8 * rng.normal(size=shape)
    X = np.stack([level + extra, 0.8 * level + sold], axis=-1)
    weights = np.array([-1.0, 0.15])
    utility = 1.4 * level + weights[0] * extra + weights[1] * sold
    utility += 0.4 * rng.normal(size=shape)
    y = _grades(utility, np.quantile(utility, (0.25, 0.5, 0.75)))
    parts = (_part(X, y, None, queries) for queries in _split(rng, n_queries))
    return RankingData(*parts, weights, ("normal", "normal"))


def _kinds(truth, n_features):
    if truth == "linear":
        return ("normal",) * n_features
    return tuple(KINDS[j % len(KINDS)] for j in range(n_features))


def _features(rng, n_queries, n_docs, kinds):
    """Draw features of shape (n_queries, n_docs, n_features)."""
    X = np.empty((n_queries, n_docs, len(kinds)))
    for j, kind in enumerate(kinds):
        X[..., j] = _feature(rng, (n_queries, n_docs), kind, X)
    return X


def _feature(rng, shape, kind, drawn):
    if kind == "skewed":
        return rng.lognormal(size=shape)
    if kind == "sparse":
        return rng.exponential(size=shape) * (rng.random(shape) < 0.2)
    if kind == "query":
        return rng.normal(size=(shape[0], 1))
    if kind == "copy":
        return drawn[..., 0]
    if kind == "constant":
        return 1.0
    return rng.normal(size=shape)


def _utility(X, weights, kinds):
    """Return what each document is worth, without noise, in the shape of X but the last axis."""
    total = np.zeros(X.shape[:-1])
    turned = np.ones(X.shape[:-1])
    for j, (weight, kind) in enumerate(zip(weights, kinds, strict=True)):
        column = X[..., j]
        if kind == "query":
            turned *= 1 + np.tanh(column)
        elif kind == "skewed":
            total += weight * np.log(column)
        elif kind == "sparse":
            total += 2 * weight * (column > 0)
        elif kind == "normal" and j > 0:
            total += weight * column
    return total + weights[0] * turned * X[..., 0]


def _grades(utility, thresholds):
    """Return how many of the thresholds each document reaches: 0 to 3."""
    return sum((utility >= threshold).astype(int) for threshold in thresholds)


def _split(rng, n_queries):
    """Return the numbers of the queries of each part, at random, each part in order."""
    order = rng.permutation(n_queries)
    ends = np.cumsum([round(share * n_queries) for share in SHARES[:-1]])
    return [np.sort(part) for part in np.split(order, ends)]


def _part(X, y, lengths, queries):
    X, y = X[queries], y[queries]
    if lengths is None:
        return Part(X, y, None)
    kept = np.arange(y.shape[1]) < lengths[queries][:, None]
    return Part(X[kept], y[kept], np.repeat(queries, lengths[queries]))


def _checked_sizes(n_queries, n_docs, n_features):
    """Return how many queries and documents; refuse too few, and what would fill the memory."""
    n_queries = check_whole(n_queries, "n_queries", 5)
    n_docs = check_whole(n_docs, "n_docs", 2)
    check_size(n_docs, "n_docs", n_features, "features")
    check_size(n_queries, "n_queries", n_docs * n_features, "features of its documents")
    return n_queries, n_docs


def _check_truth(truth):
    check_choice(truth, "truth", TRUTHS)
