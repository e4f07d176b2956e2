"""The tie shuffler of notebook *ties*: break the ties of one list, once or often."""

from functools import partial

import numpy as np

from course.explorers.tie_shuffler_chart import (
    Card,
    Outcomes,
    RankedList,
    Tied,
    tied_orders,
)
from coursekit.explorers.declaration import Action, Declaration, OneOf, Whole
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from ndcglib.metrics import ndcg
from ndcglib.metrics.checks import SAME_VALUE, as_ids, as_one_query, check_k, check_whole
from ndcglib.ranking import by_falling_score, tied_groups

CONVENTIONS = {
    "average of all orders": "average",
    "file order": "stable",
    "reversed file order": "reversed",
    "one random order": "random",
}
MOST_DOCUMENTS = 20  # so that there is room for the grade on each card
MOST_DRAWS = 2000
TRIED = (1, 7, 1000)
# Of a page without Python: single draws, then hundreds.
STOPS = (*range(31), *range(100, MOST_DRAWS + 1, 100))
MOST_DECIMALS = 6
STEPS = 21  # of the histogram, the worst order and the best one included


class TieShuffler:
    """One list of documents, in file order, its ties broken by one convention or another."""

    def __init__(self, y_true, y_score, *, k=None, seed=0):
        self.grades, self.scores = _one_list(y_true, y_score)
        n = len(self.grades)
        self.k = check_k(k, n)
        self.ids = as_ids(None, n)
        # One row for each draw: the draws are the same ones, however they are asked for.
        seed = check_whole(seed, "seed", 0)
        self.luck = np.random.default_rng(seed).random((MOST_DRAWS, n))
        self._drawn = {}

    def view(self, convention, draws, decimals=None):
        """Return the list under `convention`, beside the first `draws` (0 to 2000) random orders.

        "random" shows the last of the draws, so it needs one at least; the others are "average",
        "stable" and "reversed". With `decimals` the scores are rounded to so many.
        """
        if convention == "random" and draws < 1:
            raise ValueError(f"draws must be at least 1 for one random order, got {draws}")
        scores = self.scores if decimals is None else np.round(self.scores, decimals)
        ranked = self._ranked(scores, convention, draws)
        drawn = self._all_draws(scores, decimals)[:draws]
        note = "" if decimals is None else f"Scores with {_decimals(decimals)}."
        last = [(ranked.name, round(ranked.ndcg, 4))] if convention == "random" else ()
        return View(tied_orders(ranked, self._outcomes(scores, drawn), remark=note), rows=last)

    def _outcomes(self, scores, drawn):
        def value(ties, step=1):
            return ndcg(self.grades[::step], scores[::step], k=self.k, ties=ties)

        n, worst, best = len(drawn), value("worst"), value("best")
        steps = np.linspace(worst, best, STEPS if best - worst > SAME_VALUE else 1)
        nearest = np.abs(np.subtract.outer(drawn, steps)).argmin(axis=1)
        return Outcomes(
            file=value("stable"),
            reversed=value("stable", step=-1),  # the same file, read from its end
            best=best,
            worst=worst,
            average=value("average"),
            draws=n,
            mean=float(np.mean(drawn)) if n else None,
            standard_error=float(np.std(drawn, ddof=1) / np.sqrt(n)) if n > 1 else None,
            steps=steps.tolist(),
            counts=np.bincount(nearest, minlength=len(steps)).tolist(),
            last=int(nearest[-1]) if n else None,
        )

    def _all_draws(self, scores, decimals):
        """Return the NDCG of all draws; they are made once for each rounding."""
        if decimals not in self._drawn:
            order = by_falling_score(scores, self.luck)
            self._drawn[decimals] = ndcg(self.grades[order], ranked=True, k=self.k, per_query=True)
        return self._drawn[decimals]

    def _ranked(self, scores, convention, draws):
        second_key = {"reversed": -np.arange(len(scores)), "random": self.luck[draws - 1]}
        order = by_falling_score(scores, second_key.get(convention))
        shared = convention == "average"
        tied, cards = [], []
        for first, last in tied_groups(scores[order]):
            group = order[first - 1 : last]
            mean, score = float(self.grades[group].mean()), float(scores[group[0]])
            if first < last:
                tied.append(Tied(first, last, score, mean))
            for rank, i in enumerate(group.tolist(), start=first):
                grade, shares = float(self.grades[i]), shared and first < last
                gain = mean if shares else grade
                cards.append(Card(self.ids[i], grade, score, rank, gain, shares))
        if shared:
            value = ndcg(self.grades, scores, k=self.k, ties="average")
        else:
            value = ndcg(self.grades[order], ranked=True, k=self.k)
        return RankedList(
            name=_name(convention, draws),
            ndcg=value,
            k=self.k,
            cards=cards,
            tied=tied,
            is_draw=convention == "random",
        )


def _name(convention, draws):
    if convention == "random":
        return f"random order {draws}"
    return {value: name for name, value in CONVENTIONS.items()}[convention]


def _decimals(count):
    return "1 decimal" if count == 1 else f"{count} decimals"


def _draw(times):
    """Return what breaks the ties at random some more times and shows the last order."""

    def change(values):
        return dict(convention="random", draws=min(values["draws"] + times, MOST_DRAWS))

    return change


def _at_least_one(values):
    """One random order is the last that was drawn, so there has to be one."""
    return {"draws": {"min": 1 if values["convention"] == "random" else 0}}


@explorer
def tie_shuffler(y_true, y_score, *, k=None, decimals=0, seed=0):
    """Return the explorer "What is NDCG when scores are equal?".

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_docs,)
        Grades and scores of at most 20 documents, in file order.
    k : int, optional
        Ranks that count; all by default. A k above n_docs is clipped to it.
    decimals : int, default=0
        With more than 0, at most 6, a slider rounds the scores to 0 … `decimals`
        decimals; by default the scores are taken as they are.
    seed : int, default=0
        The luck of the draws: draw 7 is the same order whenever it is drawn.

    Returns
    -------
    Explorer
        With controls ``convention`` ("average", "stable", "reversed" or "random"),
        ``draws`` and, where asked for, ``decimals``.

    Raises
    ------
    TypeError, ValueError
        As `ndcglib.metrics.ndcg`; also if there are too many documents, if none of
        them is relevant, or if decimals or seed do not fit.

    Notes
    -----
    Taught in notebook *ties*. It begins with the file order, with `decimals` with the
    average. "random" shows the last draw, and so begins with one.
    """
    decimals = check_whole(decimals, "decimals", 0, MOST_DECIMALS)
    model = TieShuffler(y_true, y_score, k=k, seed=seed)
    controls = {
        # Rounding changes the average; without it the file is what there is to see.
        "convention": OneOf("Ties", CONVENTIONS, "average" if decimals else "stable"),
        "draws": Whole("Random draws", 0, MOST_DRAWS, 0, typed=True),
    }
    presets = {"1,000 draws": dict(convention="average", draws=1000)}
    if decimals:
        controls["decimals"] = Whole("Decimals kept", 0, decimals, decimals)
        presets["1,000 draws"]["decimals"] = decimals
        presets["Whole numbers"] = dict(convention="average", draws=0, decimals=0)
    actions = {
        "Break the ties once": Action(_draw(1)),
        "× 100": Action(_draw(100), "Break the ties 100 times"),
    }
    question = "What is NDCG when scores are equal?"
    return Declaration(
        question,
        model.view,
        controls,
        presets,
        _at_least_one,
        actions,
        tried={"draws": TRIED},
        stops={"draws": STOPS},
    )


tie_shuffler.example = partial(
    tie_shuffler,
    [3, 2, 3, 0, 1, 2],
    [0.10, 0.20, 0.30, 0.95, 0.80, 0.70],
    decimals=2,
    seed=3,
)


def _one_list(y_true, y_score):
    """Return grades and scores of one list that the explorer can show."""
    grades, scores = as_one_query(y_true, y_score)
    if len(grades) > MOST_DOCUMENTS:
        raise ValueError(f"y_true must hold 1 to {MOST_DOCUMENTS} documents, got {len(grades)}")
    if grades.min() < 0 or grades.max() <= 0:
        raise ValueError(
            f"y_true must be 0 or more, and above 0 somewhere, got {grades.tolist()}: "
            "without a relevant document NDCG is 0/0"
        )
    return grades.astype(float), scores
