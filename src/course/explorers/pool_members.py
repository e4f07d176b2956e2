"""Who was in the pool?, the explorer of notebook *pool*: home advantage, and its repair."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from coursekit.explorers.declaration import Declaration, OneOf
from coursekit.explorers.explorer import explorer
from coursekit.widgets.view import View
from helpers.marks import hatching, note
from helpers.numbers import cells, rounded
from helpers.style import BLUE, GRAY, INK, PALE_BLUE, frame, scatter
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import depth_pool, ndcg, ndcg_long, unjudged_at_k

K = 10
LINKED = 2  # the grade of what the developers linked
NEARLY_EQUAL = 0.005  # true NDCGs so close are no order to restore; a convention of this page
THREE = ("name words", "TF-IDF", "BM25")
MEMBERS = {
    "TF-IDF": ("TF-IDF",),
    "BM25": ("BM25",),
    "name words": ("name words",),
    "BM25, TF-IDF": ("BM25", "TF-IDF"),
    "these three": THREE,
    "all seven": (),
}
DEPTHS = (5, 10, 15, 20, 50)
RULES = {"count 0": "zero", "are left out": "out"}
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


class Ranker(NamedTuple):
    """One ranker: its NDCG with everything judged, as measured, and its unjudged share."""

    name: str
    truth: float
    measured: float
    unjudged: float
    is_member: bool


class Pool(NamedTuple):
    """All rankers, the truly best first, under one pool and one rule.

    `judged` is how many documents per query the judges read, `found` the share of the linked
    entries among them.
    """

    rankers: list
    judged: float
    found: float

    @property
    def leader(self):
        """The ranker of the highest measured NDCG."""
        return max(self.rankers, key=lambda ranker: ranker.measured)

    @property
    def pairs(self):
        """The pairs that truly differ, the better one first."""
        pairs = combinations(self.rankers, 2)
        return [(a, b) for a, b in pairs if a.truth - b.truth > NEARLY_EQUAL]

    @property
    def n_reversed(self):
        """How many of these pairs are measured the wrong way round, or as equal."""
        return sum(better.measured <= worse.measured for better, worse in self.pairs)

    @property
    def place(self):
        """The true place of the leader, as a word; those nearly equal share one."""
        ahead = sum(one.truth - self.leader.truth > NEARLY_EQUAL for one in self.rankers)
        return PLACES[ahead]


class PoolMembers:
    """The rankers of the manual, judged by the top of some of them.

    Parameters
    ----------
    grades : ndarray of shape (n_queries, n_docs)
        The truth: the grades of all documents.
    scores : dict of str to ndarray of the same shape
        By the name of the ranker.
    """

    def __init__(self, grades, scores):
        self.grades = grades
        truth = {name: ndcg(grades, table, k=K) for name, table in scores.items()}
        names = sorted(scores, key=truth.get, reverse=True)
        self.truth = {name: truth[name] for name in names}
        self.scores = {name: scores[name] for name in names}
        self._known = {}

    def pool(self, members, depth, rule):
        """Return what is measured with the first `depth` of the members judged.

        `members` is a key of `MEMBERS`; `rule` is "zero", unjudged documents gain nothing, or
        "out", they are taken out of the lists. Each is made once.
        """
        key = members, depth, rule
        if key not in self._known:
            self._known[key] = self._judged_by(*key)
        return self._known[key]

    def _judged_by(self, members, depth, rule):
        inside = MEMBERS[members] or tuple(self.scores)
        judged = depth_pool([self.scores[name] for name in inside], depth)
        query, _ = np.nonzero(judged)
        grades = np.where(judged, self.grades, 0)
        rankers = []
        for name, scores in self.scores.items():
            if rule == "zero":
                measured = ndcg(grades, scores, k=K)
            else:
                measured = ndcg_long(query, self.grades[judged], scores[judged], k=K)
            unjudged = unjudged_at_k(judged, scores, K)
            rankers.append(Ranker(name, self.truth[name], measured, unjudged, name in inside))
        found = judged[self.grades == LINKED].mean()
        return Pool(rankers, float(judged.sum(axis=1).mean()), float(found))

    def view(self, members, ranks, rule):
        """Return the NDCG of all rankers under a pool, beside the truth; see `pool`."""
        return View(_bars(self.pool(members, ranks, rule)))


# --- what is drawn ----------------------------------------------------------------------


def _bars(pool):
    """Draw a bar for each ranker, those of the pool solid, with a tick at the truth."""
    n = len(pool.rankers)
    names = [f"<b>{one.name}</b>" if one.is_member else one.name for one in pool.rankers]
    ticks = scatter(
        rounded(one.truth for one in pool.rankers),
        list(range(n)),
        "truth: everything judged",
        marker=dict(symbol="line-ns", size=18, line=dict(color=INK, width=4)),
        hover="truth %{x:.3f}",
    )
    beside = dict(x=1, xref="x domain", xanchor="left", xshift=8, align="left")
    numbers = [
        note(f"<b>{one.measured:.3f}</b>, {one.unjudged:.0%}", y=row, yref="y", **beside)
        for row, one in enumerate(pool.rankers)
    ]
    layout = dict(
        barmode="overlay",
        annotations=numbers,
        xaxis=dict(title_text=f"NDCG@{K}; the percentage is unjudged@{K}", range=[0, 1]),
        yaxis=dict(
            range=[n - 0.4, -0.6],
            tickvals=list(range(n)),
            ticktext=names,
            showgrid=False,
            ticks="",
        ),
    )
    solid = dict(color=BLUE, line=dict(color=BLUE, width=1.5))
    pale = dict(color=PALE_BLUE, line=dict(color=BLUE, width=1.5), pattern=hatching("/", GRAY))
    traces = [_pile(pool, True, "in the pool", solid), _pile(pool, False, "not in it", pale)]
    return frame(
        ([*traces, ticks], layout),
        title=_finding(pool),
        sentence=_sentence(pool),
        table=_table(pool),
        margin=dict(l=136, r=110),  # the widest names: were they to push, all is drawn twice
    )


def _pile(pool, is_member, name, look):
    """Return the bars of those in the pool, or of the others."""
    inside = [(i, one) for i, one in enumerate(pool.rankers) if one.is_member == is_member]
    return dict(
        type="bar",
        orientation="h",
        x=rounded(one.measured for _, one in inside) or [None],  # nothing, but in the legend
        y=[i for i, _ in inside] or [None],
        width=0.72,
        name=name,
        showlegend=True,
        marker=look,
        hovertemplate="measured %{x:.3f}<extra></extra>",
    )


def _finding(pool):
    best, n_pairs = pool.leader, len(pool.pairs)
    if pool.n_reversed == 0:
        level = f"{best.name} {best.measured:.3f}, truly {best.truth:.3f}"
        return f"All {n_pairs} pairs in true order; {level}"
    truly = "" if pool.place == "first" else f" but is truly {pool.place}"
    return f"{best.name} leads{truly}; {pool.n_reversed} of {n_pairs} pairs reversed"


def _sentence(pool):
    best, truly = pool.leader, pool.rankers[0]
    told = [best] if best is truly else [best, truly]
    numbers = ", ".join(f"{one.name} {one.measured:.3f} ({one.truth:.3f})" for one in told)
    return (
        f"{pool.judged:.1f} documents per query are judged, and {pool.found:.0%} of the linked "
        f"entries. NDCG@{K}, with the truth in parentheses: {numbers}."
    )


def _table(pool):
    header = ("ranker", "in the pool", f"NDCG@{K}", "truth", f"unjudged@{K}")
    rows = [
        [
            one.name,
            "yes" if one.is_member else "no",
            *cells([one.measured, one.truth]),
            f"{one.unjudged:.0%}",
        ]
        for one in pool.rankers
    ]
    rows += [
        ["documents judged per query", None, f"{pool.judged:.1f}", None, None],
        ["linked entries judged", None, f"{pool.found:.0%}", None, None],
        ["pairs that truly differ", None, len(pool.pairs), None, None],
        ["of them reversed", None, pool.n_reversed, None, None],
    ]
    return header, rows


@explorer
def pool_members():
    """Return the explorer "Who was in the pool?".

    Returns
    -------
    Explorer
        With controls ``members``, ``ranks`` and ``rule``.

    Notes
    -----
    Taught in notebook *pool*. The rankers are those of `ndcglib.datasets.manual_scores`, the
    truly best on top. Pairs whose true NDCG@10 differs by at most 0.005 are not counted.
    """
    controls = {
        "members": OneOf("Judged: the top of", {name: name for name in MEMBERS}, "TF-IDF"),
        "ranks": OneOf("Ranks read of each", {str(depth): depth for depth in DEPTHS}, 10),
        "rule": OneOf("Unjudged documents", RULES, "zero"),
    }
    presets = {
        "Home advantage": dict(members="name words", ranks=10, rule="zero"),
        "Left out": dict(members="BM25, TF-IDF", ranks=5, rule="out"),
        "Repair": dict(members="these three", ranks=15, rule="zero"),
    }
    model = PoolMembers(manual_search().grades, manual_scores())
    return Declaration("Who was in the pool?", model.view, controls, presets)
