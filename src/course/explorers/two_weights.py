"""Which way should two weights point?, the explorer of notebook *staircase*."""

from typing import NamedTuple

import numpy as np

from course.explorers.formulas import equation, name
from course.explorers.ranked_docs import ranked
from course.explorers.two_weights_chart import TURN, Wheel, wheel_chart
from coursekit.explorers.declaration import Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.numbers import signed
from ndcglib.datasets.synthetic import ranking_data
from ndcglib.metrics import ndcg, random_ndcg
from ndcglib.tuning import staircase

# The query of the notebook's table: words and links of each document, and its grade.
FEATURES = ((3, 0), (2, 2), (1, 1), (0, 4))
GRADES = (0, 3, 1, 0)
NAMES = ("words", "links")
QUERIES = 40
SEED = 102  # the best weights of the mean point elsewhere than those of the table's query
QUESTION = "Which way should two weights point?"
PRESETS = {
    "Tie": dict(queries=1, direction=45),
    "Best": dict(queries=1, direction=36),
    "Opposite": dict(queries=1, direction=216),
}


class Data(NamedTuple):
    """Queries with two features, shape (n_queries, n_docs, 2), and the grades of their docs."""

    X: np.ndarray
    y: np.ndarray

    def scores(self, direction):
        """Return the scores of weights of length 1 that point into a direction, in degrees."""
        return np.round(self.X @ weights(direction), 9)  # at 45° a tie is a tie to the last bit

    def ndcg(self, direction):
        """Return the mean NDCG of weights that point into a direction."""
        return float(ndcg(self.y, self.scores(direction)))


def weights(direction):
    """Return two weights of length 1 that point into a direction: 0° is the first feature."""
    angle = np.radians(direction)
    return np.array([np.cos(angle), np.sin(angle)])


class TwoWeights:
    """The mean NDCG of every direction that two weights can have, and the first query's order.

    Parameters
    ----------
    data : Data
    """

    def __init__(self, data):
        self.data = data
        parts = {n: Data(data.X[:n], data.y[:n]) for n in (1, len(data.y))}
        self.parts = {n: (part, _wheel(part)) for n, part in parts.items()}

    def view(self, queries, direction):
        """Return the wheel of the first query or of all, with weights of this direction."""
        data, wheel = self.parts[queries]
        documents = ranked(data.scores(direction)[0], data.y[0], data.y.shape[1])
        arrow = weights(direction)
        figure = wheel_chart(wheel, documents, direction, arrow, data.ndcg(direction))
        pairs = zip(NAMES, arrow, strict=True)
        rows = [(f"weight of {feature}", signed(weight, 2)) for feature, weight in pairs]
        return View(figure, _formula(arrow), rows, touch={"around x": "direction"})


def _wheel(data):
    """Return the steps of mean NDCG all the way round, from two lines that are half of it each."""
    right, left = (staircase(data.X, data.y, [way, 0], 1).visible() for way in (1, -1))
    turned = TURN / 2 - np.degrees(np.arctan(left.breakpoints[::-1]))
    return Wheel(
        edges=[*np.degrees(np.arctan(right.breakpoints)).tolist(), *turned.tolist()],
        # Straight up and straight down the two halves meet: each end is said once.
        values=[*right.values.tolist(), *left.values[::-1][1:-1].tolist()],
        random=float(random_ndcg(data.y)),
        points=data.X[0].tolist(),
        grades=data.y[0].tolist(),
        n_queries=len(data.y),
    )


def _formula(arrow):
    first, second = arrow
    operator = "−" if signed(second, 2).startswith("−") else "+"
    parts = [
        f"<mn>{signed(weight, 2)}</mn><mo>·</mo>{name(feature)}"
        for weight, feature in zip((first, abs(second)), NAMES, strict=True)
    ]
    return equation(name("score"), "=", parts[0], operator, parts[1])


@explorer
def two_weights():
    """Return the explorer "Which way should two weights point?".

    Returns
    -------
    Explorer
        With controls ``queries``, 1 or 40, and ``direction``, in degrees: at 0 all weight is on
        the words, at 90 all is on the links.

    Notes
    -----
    The first query is that of the table in notebook *staircase*, the others are made up.
    Taught in notebook *staircase*.
    """
    controls = {
        "queries": OneOf("Queries", {f"{n}": n for n in (1, QUERIES)}, 1),
        "direction": Whole("Direction in degrees", 0, TURN - 1, 0),
    }
    model = TwoWeights(_data())
    return Declaration(QUESTION, model.view, controls, PRESETS)


def _data():
    made = ranking_data(
        n_queries=100, n_docs=len(GRADES), n_features=2, noise=0.5, empty=0, seed=SEED
    ).train
    is_kept = made.y.max(axis=1) > 0  # by chance a few have nothing relevant
    X, y = (part[is_kept][: QUERIES - 1] for part in (made.X, made.y))
    return Data(np.concatenate([[FEATURES], X]), np.concatenate([[GRADES], y]))
