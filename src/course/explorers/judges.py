"""Two judges, the explorer of notebook *opinions*: seven rankers under other people's grades."""

import functools
from itertools import combinations
from typing import NamedTuple

import numpy as np

from coursekit.explorers.declaration import Declaration, OneOf
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import note
from helpers.numbers import cells
from helpers.style import BLUE, GRAY, VERMILLION, Look, frame, slopes
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import depth_pool, ndcg
from ndcglib.metrics.checks import SAME_VALUE

K = 10
HIGHEST = 2  # grade
KINDS = {
    "careless": "careless",
    "stricter": "stricter",
    "fan of names": "names",
    "fan of BM25": "BM25",
}
SHARES = (10, 20, 40, 70, 100)  # percent
DRAWS = (1, 2, 3, 4, 5)
TOLD = ("name words", "BM25")  # in the sentence
MOVES = {  # how a line is drawn, by where its ranker goes
    "higher place": Look(VERMILLION, "solid", "triangle-up"),
    "lower place": Look(BLUE, "dot", "triangle-down"),
    "same place": Look(GRAY, "solid", "circle"),
}


class Ranker(NamedTuple):
    """One ranker: its NDCG by the grades of either judge, and its place among all."""

    name: str
    values: tuple
    places: tuple

    @property
    def move(self):
        """What the second judge does to its place: a key of `MOVES`."""
        first, second = self.places
        if first == second:
            return "same place"
        return "higher place" if second < first else "lower place"


class Judged(NamedTuple):
    """All rankers under two judges, the first one's best on top, and how far the judges agree."""

    rankers: list
    agreement: float
    kappa: float

    @property
    def pairs(self):
        """All pairs of rankers."""
        return list(combinations(self.rankers, 2))

    @property
    def n_turned(self):
        """How many pairs the second judge puts the other way round, or level."""
        return sum(a.values[1] - b.values[1] <= SAME_VALUE for a, b in self.pairs)

    @property
    def leader(self):
        """The ranker that is first with the second judge."""
        return min(self.rankers, key=lambda ranker: ranker.places[1])


class Judges:
    """The rankers of the manual under the developers' grades and those of a second judge.

    Parameters
    ----------
    grades : ndarray of shape (n_queries, n_docs)
        The developers'.
    scores : dict of str to ndarray of the same shape
        By the name of the ranker.
    """

    def __init__(self, grades, scores):
        self.grades = grades
        self.first = {name: ndcg(grades, table, k=K) for name, table in scores.items()}
        names = sorted(scores, key=self.first.get, reverse=True)
        self.scores = {name: scores[name] for name in names}
        self.judged = functools.cache(self.judged)

    def second_grades(self, kind, share, draw):
        """Return the second judge's grades: on a drawn `share`, in percent, the kind's own.

        The careless judge takes the grade of another entry of the query, a stricter one a grade
        less, and a fan gives a grade more to what the fan likes.
        """
        rng = np.random.default_rng(draw - 1)
        is_drawn = rng.random(self.grades.shape) < share / 100
        if kind == "careless":
            own = rng.permuted(self.grades, axis=1)
        elif kind == "stricter":
            own = np.maximum(self.grades - 1, 0)
        else:
            own = np.where(self._liked(kind), np.minimum(self.grades + 1, HIGHEST), self.grades)
        return np.where(is_drawn, own, self.grades)

    def _liked(self, kind):
        """Return whether a fan likes an entry: a word of its name, or BM25's first ten."""
        if kind == "names":
            return self.scores["name words"] > 0
        return depth_pool([self.scores["BM25"]], depth=K)

    def judged(self, kind, share, draw):
        """Return the rankers under both judges. Each state is computed once."""
        grades = self.second_grades(kind, share, draw)
        second = {name: ndcg(grades, table, k=K) for name, table in self.scores.items()}
        places = [_places(values) for values in (self.first, second)]
        rankers = [
            Ranker(name, (self.first[name], second[name]), tuple(by[name] for by in places))
            for name in self.scores
        ]
        return Judged(rankers, *_agreement(self.grades, grades))

    def view(self, kind, share, draw):
        """Return the places by the grades of both judges; see `second_grades`."""
        return View(_lines(self.judged(kind, share, draw)))


def _places(values):
    """Return the places of rankers by their values, the first is 1; level ones share one."""
    return {
        name: 1 + sum(other > value + SAME_VALUE for other in values.values())
        for name, value in values.items()
    }


def _agreement(one, other):
    """Return the share of equal grades, and Cohen's kappa."""
    agreement = float(np.mean(one == other))
    by_chance = sum(
        np.mean(one == grade) * np.mean(other == grade) for grade in range(HIGHEST + 1)
    )
    return agreement, float((agreement - by_chance) / (1 - by_chance))


# --- what is drawn ----------------------------------------------------------------------


def _lines(judged):
    """Draw a line for each ranker, from its place by the first judge to that by the second."""
    traces = [_pile(judged, move, look) for move, look in MOVES.items()]
    left = dict(x=0, xanchor="right", xshift=-14, size=14)
    right = dict(x=1, xanchor="left", xshift=14, size=14)
    labels = []
    for one in judged.rankers:
        (first, second), (at_first, at_second) = one.values, one.places
        labels.append(note(f"{first:.3f}", y=at_first, **left))
        labels.append(note(f"<b>{second:.3f}</b> {one.name}", y=at_second, **right))
    layout = dict(
        annotations=labels,
        xaxis=dict(
            title_text=f"place and NDCG@{K}, by which judge",
            range=[0, 1],
            tickvals=[0, 1],
            ticktext=["developers", "second"],
        ),
        yaxis=dict(
            range=[len(judged.rankers) + 0.6, 0.6],
            showticklabels=False,
            showgrid=False,
            ticks="",
            showline=False,
        ),
    )
    return frame(
        (traces, layout),
        title=_finding(judged),
        sentence=_sentence(judged),
        table=_table(judged),
        margin=dict(l=60, r=186),  # the widest labels
    )


def _pile(judged, move, look):
    """Return the lines of the rankers that move so, parted by gaps."""
    places = [one.places for one in judged.rankers if one.move == move]
    return slopes(
        places or [(None, None)],  # nothing, but in the legend
        move,
        line=dict(color=look.color, dash=look.dash, width=3),
        marker=dict(color=look.color, symbol=look.symbol, size=11),
        cliponaxis=False,
        showlegend=True,
    )


def _finding(judged):
    n_pairs, kappa = len(judged.pairs), f"κ {judged.kappa:.2f}"
    if judged.n_turned == 0:
        return f"{kappa}: all {n_pairs} pairs keep their order"
    turn = "turns" if judged.n_turned == 1 else "turn"
    return f"{kappa}: {judged.n_turned} of {n_pairs} pairs {turn}; {judged.leader.name} leads"


def _sentence(judged):
    told = [one for name in TOLD for one in judged.rankers if one.name == name]
    values = ", ".join(f"{one.name} {one.values[0]:.3f} and {one.values[1]:.3f}" for one in told)
    return (
        f"The judges agree on {judged.agreement:.1%} of the grades, κ {judged.kappa:.2f}. "
        f"NDCG@{K} by the developers and by the second judge: {values}."
    )


def _table(judged):
    header = ("ranker", "by the developers", "by the second judge", "place", "second place")
    rows = [[one.name, *cells(one.values), *one.places] for one in judged.rankers]
    more = {
        "agreement": f"{judged.agreement:.1%}",
        "kappa": f"{judged.kappa:.4f}",
        "pairs of rankers": len(judged.pairs),
        "of them turned": judged.n_turned,
    }
    rows += [[what, None, value, None, None] for what, value in more.items()]
    return header, rows


@explorer
def judges():
    """Return the explorer "What does a second judge do to the order?".

    Returns
    -------
    Explorer
        With controls ``kind``, ``share`` and ``draw``.

    Notes
    -----
    Taught in notebook *opinions*. The first judge are the developers of scikit-learn. On the
    drawn share of all grades the second judge gives grades of their own, elsewhere the same.
    """
    controls = {
        "kind": OneOf("The second judge is", KINDS, "careless"),
        "share": OneOf("Grades given anew", {f"{share}%": share for share in SHARES}, 20),
        "draw": OneOf("Draw", {str(draw): draw for draw in DRAWS}, 1),
    }
    presets = {
        "Fan of names": dict(kind="names", share=100, draw=1),
        "Fan of BM25": dict(kind="BM25", share=100, draw=1),
        "Stricter": dict(kind="stricter", share=100, draw=1),
        "All careless": dict(kind="careless", share=100, draw=1),
    }
    model = Judges(manual_search().grades, manual_scores())
    return Declaration("What does a second judge do to the order?", model.view, controls, presets)
