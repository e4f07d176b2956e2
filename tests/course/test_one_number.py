"""What happens to NDCG when one number moves?, of notebook *climb*, without a browser."""

import dataclasses
import functools
import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_squared_error, ndcg_score
from stage import layout, notes, plain, table, title, trace, traces

from course.explorers.one_number import GRADES, SCORES, one_number
from ndcglib.datasets.synthetic import ranking_data
from ndcglib.metrics import ndcg
from ndcglib.ranking import ranks
from ndcglib.tuning import Staircase

PLACES = range(121)
KEYS = ("C", "F", "one query", "40 queries")


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return one_number()


# --- the same by another way ----------------------------------------------------------


class Line:
    """Scores on a line, with NDCG and MSE computed anew at each place."""

    def __init__(self, y, start, slope, k, ends, top):
        self.y, self.start, self.slope = (np.atleast_2d(x) for x in (y, start, slope))
        self.k, self.ends, self.top = k, ends, top

    def t(self, place):
        low, high = self.ends
        return round(low + (high - low) * place / 120, 9)

    def scores(self, t):
        return self.start + t * self.slope

    def value(self, t):
        return ndcg(self.y, self.scores(t), k=self.k)

    def error(self, t):
        return mean_squared_error((self.y / self.top).ravel(), self.scores(t).ravel())

    @functools.cached_property
    def steps(self):
        """The breakpoints that change NDCG, and NDCG between them."""
        with np.errstate(divide="ignore", invalid="ignore"):
            meets = (self.start[:, :, None] - self.start[:, None]) / (
                self.slope[:, None] - self.slope[:, :, None]
            )
        places = np.unique(np.round(meets[np.isfinite(meets)], 12))
        ends = [places[0] - 1, *places, places[-1] + 1]
        values = [self.value((a + b) / 2) for a, b in itertools.pairwise(ends)]
        does = np.abs(np.diff(values)) > 1e-9
        return places[does].tolist(), np.array(values)[np.append(True, does)].tolist()

    @property
    def best(self):
        return max(self.steps[1])

    @functools.cached_property
    def lowest_at(self):
        """Where MSE is least: the top of a parabola through three of its points."""
        a, b, _ = np.polyfit([-1, 0, 1], [self.error(t) for t in (-1, 0, 1)], 2)
        return -b / (2 * a)


def score_line(letter, y=GRADES, scores=SCORES):
    i = "ABCDEFGH".index(letter)
    start = [0.0 if j == i else s for j, s in enumerate(scores)]
    return Line(y, start, np.eye(len(y))[i], None, (-0.1, 1.1), max(y))


@functools.cache
def line_of(key):
    if key in ("C", "F"):
        return score_line(key)
    data = ranking_data(n_queries=100, n_docs=6, n_features=4, noise=0.5, empty=0, seed=104)
    n = 1 if key == "one query" else 40
    X, y, _ = data.train
    w = data.weights / np.sqrt((data.weights**2).sum())
    rest = sum(w[j] * X[:n, :, j] for j in (0, 2, 3))
    return Line(y[:n], rest, X[:n, :, 1], 5, (-3, 3), 3)


# --- what is on the stage -------------------------------------------------------------


def bars(explorer):
    return next(t for t in traces(explorer) if t["type"] == "bar")


def row(explorer, what):
    return next(r[1:] for r in table(explorer) if r[0] in (what, what.replace("'", "&#x27;")))


def signed(text):
    return float(text.replace("−", "-"))


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_every_state(explorer, key):
    line = line_of(key)
    for place in PLACES:
        for error in (False, True):
            explorer.set(number=key, place=place, error=error)
            t = line.t(place)
            value = line.value(t)
            check_place(explorer, t, value)
            check_list(explorer, key, line, t)
            check_formula(explorer, key, line, t)


def check_place(explorer, t, value):
    dot = trace(explorer, "now")
    assert dot["x"] == [pytest.approx(t, abs=1e-6)]
    assert dot["y"] == [pytest.approx(value, abs=1e-6)]
    through = layout(explorer)["shapes"][0]
    assert through["x0"] == through["x1"] == t
    assert (through["xref"], through["line"]["dash"]) == ("x", "dot")


def check_list(explorer, key, line, t):
    """One bar for each rank of the first query, with ties in brackets."""
    scores, grades = line.scores(t)[0], line.y[0]
    n = len(grades)
    shown = bars(explorer)
    letters = [re.sub("</?b>", "", text) for text in shown["text"]]
    order = ["ABCDEF".index(letter) for letter in letters]
    assert sorted(order) == list(range(n))
    assert (np.diff(scores[order]) <= 0).all()
    assert shown["x"] == list(range(1, n + 1))
    assert shown["y"] == grades[order].tolist()
    assert shown["customdata"] == pytest.approx(scores[order], abs=1e-6)
    bold = [text[3] for text in shown["text"] if text.startswith("<b>")]
    assert bold == ([key] if line.k is None else [])
    fills = [
        letter
        for letter, c in zip(letters, shown["marker"]["color"], strict=True)
        if c == "#0072B2"
    ]
    assert fills == bold
    runs = [list(g) for _, g in itertools.groupby(order, key=lambda i: scores[i])]
    starts = np.cumsum([0] + [len(run) for run in runs])
    ties = [[a + 0.6, b + 0.4] for a, b in itertools.pairwise(starts.tolist()) if b - a > 1]
    flat = [s for s in layout(explorer)["shapes"][1:] if s["y0"] == s["y1"]]
    assert [[round(s["x0"], 6), round(s["x1"], 6)] for s in flat] == ties
    assert notes(explorer) == ["tie"] * len(ties) + (["k = 5"] if line.k else [])
    cutoffs = [s["x0"] for s in layout(explorer)["shapes"] if s["yref"] == "y2 domain"]
    assert (5.5 in cutoffs) == (line.k == 5)
    assert all(note["xref"] == "x2" for note in layout(explorer).get("annotations", []))


def check_formula(explorer, key, line, t):
    metric = "NDCG@5" if line.k else "NDCG"
    above, below = round(t + 0.001, 9), round(t - 0.001, 9)
    values = line.value(above), line.value(below)
    places = "−".join(f"{metric}({p:.3f})".replace("(-", "(−") for p in (above, below))
    numbers = "−".join(f"{v:.6f}" for v in values)
    difference = values[0] - values[1]
    slope = "=0" if abs(difference) < 1e-10 else f"≈{difference / 0.002:.2f}".replace("-", "−")
    assert plain(explorer.stage.formula) == f"slope≈[{places}]/[0.002]=[{numbers}]/[0.002]{slope}"


def test_ndcg_is_scikit_learns():
    for place in PLACES:
        line = line_of("F")
        scores = line.scores(line.t(place))
        assert line.value(line.t(place)) == pytest.approx(ndcg_score([GRADES], scores), abs=1e-12)


# --- what it teaches ------------------------------------------------------------------


def test_the_slope_is_zero_nearly_everywhere(explorer):
    slopes = {}
    for key, place in itertools.product(KEYS, PLACES):
        formula = explorer.declaration.view.__self__.view(key, place, False).formula
        end = re.split("[=≈]", plain(formula))[-1]
        slopes.setdefault(key, []).append(signed(end))
    for key in ("C", "F"):
        steep = {place: s for place, s in enumerate(slopes[key]) if s}
        assert len(steep) == 4  # the ties that change NDCG, and nowhere else
        assert max(map(abs, steep.values())) > 50
    assert slopes["one query"].count(0) >= 119
    assert slopes["40 queries"].count(0) >= 95


def test_mse_leads_f_to_the_worst_step():
    line = line_of("F")
    assert line.lowest_at == pytest.approx(2 / 3)
    assert line.value(line.lowest_at) == pytest.approx(min(line.steps[1]))
    assert line.best > line.value(line.lowest_at) + 0.1


def test_one_query_has_hills_and_many_queries_one_hill_of_hundreds_of_steps():
    edges, values = line_of("one query").steps
    assert 5 <= len([edge for edge in edges if -3 < edge < 3]) <= 10
    padded = [-1, *values, -1]
    hills = [b for a, b, c in zip(padded, padded[1:], padded[2:], strict=False) if a < b > c]
    assert len(hills) >= 2
    edges, values = line_of("40 queries").steps
    assert len([edge for edge in edges if -3 < edge < 3]) > 200
    assert -2 < edges[int(np.argmax(values)) - 1] < 2


@pytest.mark.parametrize("key", ["F", "one query", "40 queries"])
def test_mse_and_ndcg_disagree(key):
    line = line_of(key)
    assert line.ends[0] < line.lowest_at < line.ends[1]
    assert line.value(line.lowest_at) < line.best - 0.03


# --- the curves -----------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_the_staircase_that_is_drawn(explorer, key):
    explorer.set(number=key, place=60, error=False)
    line = line_of(key)
    shown = trace(explorer, "NDCG" if line.k is None else "NDCG@5")
    edges, values = line.steps
    low, high = line.ends
    inside = [edge for edge in edges if low < edge < high]
    assert shown["x"] == pytest.approx([low, *inside, high], abs=1e-6)
    first = edges.index(inside[0])
    drawn = values[first : first + len(inside) + 1]
    assert shown["y"] == pytest.approx([*drawn, drawn[-1]], abs=1e-6)
    assert shown["line"]["shape"] == "hv"
    best = trace(explorer, "best step")
    assert best["y"][0] == pytest.approx(line.best, abs=1e-6)
    assert best["y"][0] == max(shown["y"])
    names = [t.get("name") for t in traces(explorer)]
    assert ("on a tie" in names) == (len(inside) <= 12)
    assert not any("MSE" in str(name) for name in names)
    assert "yaxis3" not in layout(explorer)
    ticks = layout(explorer)["yaxis"]["range"]
    assert ticks[0] < min(drawn) <= max(drawn) < ticks[1]
    assert layout(explorer)["yaxis"]["title"]["text"] == {
        "one query": "NDCG@5", "40 queries": "mean NDCG@5",
    }.get(key, "NDCG")  # fmt: skip
    of = {"40 queries": "rank, query 1 of 40"}.get(key, "rank")
    assert layout(explorer)["xaxis2"]["title"]["text"] == of


@pytest.mark.parametrize("key", KEYS)
def test_the_squared_error_that_is_drawn(explorer, key):
    explorer.set(number=key, place=60, error=True)
    line = line_of(key)
    curve, least = trace(explorer, "MSE, right axis"), trace(explorer, "MSE's minimum")
    assert curve["y"] == pytest.approx([line.error(t) for t in curve["x"]], abs=1e-6)
    assert (curve["x"][0], curve["x"][-1]) == line.ends
    assert least["x"] == [pytest.approx(line.lowest_at, abs=1e-6)]
    assert least["y"] == [pytest.approx(line.error(line.lowest_at), abs=1e-6)]
    assert least["y"][0] <= min(curve["y"])
    assert curve["yaxis"] == least["yaxis"] == "y3"
    axis = layout(explorer)["yaxis3"]
    assert (axis["side"], axis["overlaying"]) == ("right", "y")
    assert axis["tickmode"] == "auto"  # by default they are put across from those of NDCG
    assert axis["title"]["text"] == "MSE to grade / 3"
    assert axis["range"][0] < least["y"][0]
    assert axis["range"][1] > max(curve["y"])
    stairs = trace(explorer, "NDCG" if line.k is None else "NDCG@5")
    assert curve["line"]["color"] != stairs["line"]["color"]
    assert curve["line"]["dash"] != stairs["line"].get("dash", "solid")
    # Its axis stands between the panels, not in the right one.
    left, right = (layout(explorer)[name]["domain"] for name in ("xaxis", "xaxis2"))
    assert left[1] + 0.1 < right[0]


def test_a_tie_of_equal_grades_changes_nothing(explorer):
    """C meets A, of grade 3 too, at 0.1: a tie in the list, and no step."""
    explorer.set(number="C", place=20, error=False)
    assert title(explorer) == "C at 0.100: NDCG 0.6612, flat until 0.200, then 0.6673"
    assert layout(explorer)["title"]["text"].count("<br>") == 1
    assert "(tied: A=C)" in explorer.stage.sentence
    assert plain(explorer.stage.formula).endswith("=0")


# --- ranks and slopes -----------------------------------------------------------------


@given(st.lists(st.integers(0, 5), min_size=1, max_size=15))
def test_ranks_against_the_sorted_list(scores):
    falling = sorted(scores, reverse=True)
    n = len(scores)
    expected = [(1 + falling.index(s), n - falling[::-1].index(s)) for s in scores]
    assert ranks(scores) == expected


def test_jumps_that_cancel_are_no_slope():
    """Up and down again by as much: the sums differ in their last bit, and mean the same."""
    model = one_number().declaration.view.__self__
    values = np.array([0.1 + 0.2, 0.4, 0.3])
    notch = Staircase(np.array([0.4995, 0.5005]), values, values[1:])
    model._known["C"] = dataclasses.replace(model.sweep("C"), staircase=notch)
    assert values[0] != values[2]
    assert plain(model.view("C", 60, False).formula).endswith("/[0.002]=0")
