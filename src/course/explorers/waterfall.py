"""The waterfall, the explorer of notebook *leaderboard*: three switches make 0.945 of 0.489."""

import functools
import math
from itertools import combinations_with_replacement, pairwise

import numpy as np

from coursekit.explorers.declaration import Declaration, OneOf
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import UPRIGHT, hatching
from helpers.numbers import cells, rounded, signed
from helpers.style import BLUE, GRAY, INK, ON_THE_RIGHT, PALE_BLUE, frame, side_by_side
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import dcg, discount_weights, idcg, ndcg

K = 5
ADDED = 50  # queries without anything relevant
OURS, CONSTANT, OTHER = "NameMatch-1", "a constant", "BM25"
RANKERS = {OURS: "name words", CONSTANT: "constant", OTHER: "BM25"}
TIES = {"averaged": "average", "in the luckiest order": "best"}
IDEALS = {"everything judged": "judged", f"the {K} shown": "shown"}
EMPTIES = {f"{ADDED} count 1": "ones", f"{ADDED} count 0": "zeros", "not there": "none"}
BELOW = 0.03  # from a bar to the label under it
LABEL = 0.16  # what that label takes
STEPS = ("start", "ties", "ideal", "empty", "end")


class Waterfall:
    """Three systems under every setting of the switches; each mean is computed once.

    Parameters
    ----------
    grades : ndarray of shape (n_queries, n_docs)
    scores : dict of str to ndarray of the same shape
        By the name of the system: NameMatch-1, a constant, BM25.
    """

    def __init__(self, grades, scores):
        self.grades, self.scores = grades, scores
        self.mean = functools.cache(self.mean)

    def mean(self, system, ties, ideal):
        """Return the mean NDCG@5 of a system, by the values of `TIES` and `IDEALS`."""
        scores = self.scores[system]
        if ideal == "judged":
            return ndcg(self.grades, scores, k=K, ties=ties)
        of_page = _luckiest_page if ties == "best" else _average_page
        pairs = zip(self.grades, scores, strict=True)
        return float(np.mean([of_page(*pair, K) for pair in pairs]))

    def levels(self, system, ties, ideal, empty):
        """Return its NDCG at the start and after each switch, one after the other.

        `empty` is a value of `EMPTIES`. A page with nothing relevant counts 0.
        """
        settings = (("average", "judged"), (ties, "judged"), (ties, ideal))
        found = [self.mean(system, *setting) for setting in settings]
        n, more = len(self.grades), 0 if empty == "none" else ADDED
        gained = more if empty == "ones" else 0
        return [*found, (n * found[-1] + gained) / (n + more)]

    def view(self, ties, ideal, empty):
        """Return what the switches do to NameMatch-1, and to a constant beside it."""
        levels = {system: self.levels(system, ties, ideal, empty) for system in self.scores}
        is_on = ties == "best", ideal == "shown", empty != "none"
        added = ADDED if empty != "none" else 0
        n = len(self.grades) + added
        line = _line(levels, n, ties, ideal, empty)
        rest = [None] * (len(STEPS) - 1)
        return View(
            _drawn(levels, is_on, line),
            rows=[("queries", n, *rest), ("of them empty", added, *rest)],
        )


def _luckiest_page(grades, scores, k):
    """Return the NDCG of the first k, tied documents best first; the ideal is made of them."""
    return ndcg(grades[np.lexsort((-grades, -scores))][:k], ranked=True)


def _average_page(grades, scores, k):
    """Return the same for tied documents in all orders, averaged exactly.

    Documents above the last tied group are on every page. Which of the group come with them is
    a draw without replacement; the ideal depends on what is drawn, not on its order.
    """
    last = np.sort(scores)[-k]
    is_above = scores > last
    above, tied = grades[is_above], grades[scores == last]
    sure = dcg(above, scores[is_above]) if len(above) else 0.0
    n_drawn = k - len(above)
    weight = discount_weights(k)[len(above) :].mean()
    kinds, counts = (part.tolist() for part in np.unique(tied, return_counts=True))
    total = 0.0
    for drawn in combinations_with_replacement(kinds, n_drawn):
        ways = math.prod(
            math.comb(n, drawn.count(kind)) for kind, n in zip(kinds, counts, strict=True)
        )
        ideal = _ideal(tuple(sorted([*above.tolist(), *drawn])))
        if ways and ideal:
            total += ways * (sure + weight * sum(drawn)) / ideal
    return total / math.comb(len(tied), n_drawn)


_ideal = functools.cache(idcg)  # of a page, as a tuple


# --- what is drawn ----------------------------------------------------------------------


def _drawn(levels, is_on, line):
    axes = side_by_side()
    for axis, system in (("xaxis", OURS), ("xaxis2", CONSTANT)):
        axes[axis] |= dict(
            title_text=f"<b>{system}</b>",
            tickvals=list(range(len(STEPS))),
            ticktext=list(STEPS),
            range=[-0.6, len(STEPS) - 0.4],
        )
    for axis in ("yaxis", "yaxis2"):
        axes[axis] |= dict(
            title_text=f"NDCG@{K}",
            range=[0, 1.3],
            tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1],
            showgrid=False,  # each bar has its number, which a line would cross
        )
    ours, constant = levels[OURS], levels[CONSTANT]
    printed, level, other = (levels[system][-1] for system in RANKERS)
    return frame(
        ([*_bars(ours, is_on), *(bars | ON_THE_RIGHT for bars in _bars(constant, is_on))], axes),
        title=(
            f"{printed:.3f} is printed; the same way: {OTHER} {other:.3f}, {CONSTANT} {level:.3f}"
        ),
        sentence=line,
        table=(
            (f"NDCG@{K}", *STEPS[:1], *(f"+ {step}" for step in STEPS[1:-1]), STEPS[-1]),
            [[name, *cells([one[0], *_rises(one), one[-1]])] for name, one in levels.items()],
        ),
        legend=False,
    )


def _rises(levels):
    """Return what each switch adds, after those before it."""
    return [after - before for before, after in pairwise(levels)]


def _bars(levels, is_on):
    """Return the bars at both ends, and what each switch adds between them."""
    ends, rises = (levels[0], levels[-1]), _rises(levels)
    texts = [
        signed(rise, 3, plus=True) if on else "off" for rise, on in zip(rises, is_on, strict=True)
    ]
    lower, upper = ([pick(pair) for pair in pairwise(levels)] for pick in (min, max))
    has_room = lower[-1] > BELOW + LABEL  # above the axis
    looks = dict(color=PALE_BLUE, line=dict(color=INK, width=1.5), pattern=hatching("/", GRAY))
    shared = dict(type="bar", width=0.8, hoverinfo="skip", **UPRIGHT)
    return [
        shared
        | dict(
            x=[0, len(STEPS) - 1],
            y=rounded(ends),
            text=[f"<b>{value:.3f}</b>" for value in ends],
            marker=dict(color=BLUE),
        ),
        shared
        | dict(
            x=list(range(1, len(STEPS) - 1)),
            # None is below 0: beside such a bar plotly writes under those of no height.
            y=rounded(map(abs, rises)),
            base=rounded(lower),
            text=[*texts[:-1], ""],
            marker=looks,
        ),
        dict(  # below its bar, if there is room: above stands the number of its neighbor
            type="scatter",
            mode="text",
            x=[len(STEPS) - 2],
            y=rounded([lower[-1] - BELOW if has_room else upper[-1]]),
            text=texts[-1:],
            textposition="bottom center" if has_room else "top center",
            hoverinfo="skip",
            cliponaxis=False,
        ),
    ]


def _line(levels, n_queries, ties, ideal, empty):
    """Return the line of the card for these switches."""
    ours, constant, other = (levels[system][-1] for system in RANKERS)
    empties = "" if empty == "none" else f" (empty: {_said(EMPTIES, empty)})"
    return (
        f"{OURS}: NDCG@{K} {ours:.3f}; {n_queries} queries{empties}; ties {_said(TIES, ties)}; "
        f"ideal from {_said(IDEALS, ideal)}. The same way: constant {constant:.3f}, "
        f"{OTHER} {other:.3f}."
    )


def _said(options, value):
    return next(words for words, option in options.items() if option == value)


@explorer
def waterfall():
    """Return the explorer "Where does the printed number come from?".

    Returns
    -------
    Explorer
        With controls ``ties``, ``ideal`` and ``empty``.

    Notes
    -----
    Taught in notebook *leaderboard*. NameMatch-1 is the ranker *name words* of
    `ndcglib.datasets.manual_scores`. What a switch adds depends on those before it, so they are
    added in one order: ties, ideal, empties.
    """
    controls = {
        "ties": OneOf("Equal scores", TIES, "best"),
        "ideal": OneOf("Ideal from", IDEALS, "shown"),
        "empty": OneOf("Empty queries", EMPTIES, "ones"),
    }
    presets = {
        "As the course counts": dict(ties="average", ideal="judged", empty="none"),
        "Ties alone": dict(ties="best", ideal="judged", empty="none"),
        "Ideal alone": dict(ties="average", ideal="shown", empty="none"),
    }
    scores = manual_scores()
    model = Waterfall(manual_search().grades, {n: scores[key] for n, key in RANKERS.items()})
    return Declaration("Where does the printed number come from?", model.view, controls, presets)
