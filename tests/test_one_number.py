"""What happens to NDCG when one number moves?, of notebook 11, without a browser."""

import dataclasses
import functools
import itertools
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mean_squared_error, ndcg_score

from helpers.course.explorers.one_number.model import GRADES, NUMBERS, SCORES, one_number
from helpers.course.widgets.controls import Choice, Slider
from helpers.datasets.synthetic import ranking_data
from helpers.figures.staircases import place_text
from helpers.metrics import ndcg
from helpers.tuning import Staircase

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


def layout(explorer):
    return explorer.stage.figure["layout"]


def title(explorer):
    return layout(explorer)["title"]["text"].replace("<br>", " ")


def traces(explorer):
    return explorer.stage.figure["data"]


def trace(explorer, name):
    return next(t for t in traces(explorer) if t.get("name") == name)


def bars(explorer):
    return next(t for t in traces(explorer) if t["type"] == "bar")


def table(explorer):
    rows = re.findall(r"<tr>(<td>.*?)</tr>", explorer.stage.table)
    return [re.findall(r"<td>(.*?)</td>", row) for row in rows]


def row(explorer, what):
    return next(r[1:] for r in table(explorer) if r[0] in (what, what.replace("'", "&#x27;")))


def plain(formula):
    fractions = re.sub(
        r"<mfrac><mrow>(.*?)</mrow><mrow>(.*?)</mrow></mfrac>", r"[\1]/[\2]", formula
    )
    return re.sub("<.*?>", "", fractions)


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
            check_title(explorer, key, t, value, error)
            check_list(explorer, key, line, t)
            check_words(explorer, key, line, t, value, error)
            check_formula(explorer, key, line, t)
    check_size(explorer)


def check_place(explorer, t, value):
    dot = trace(explorer, "now")
    assert dot["x"] == [pytest.approx(t, abs=1e-6)]
    assert dot["y"] == [pytest.approx(value, abs=1e-6)]
    through = layout(explorer)["shapes"][0]
    assert through["x0"] == through["x1"] == t
    assert (through["xref"], through["line"]["dash"]) == ("x", "dot")


def check_title(explorer, key, t, value, error):
    line, shown = line_of(key), title(explorer)
    assert len(shown) <= 72
    metric = "NDCG" if line.k is None else "NDCG@5"
    what = key if line.k is None else "weight"
    if error:
        least = line.value(line.lowest_at)
        assert shown == (
            f"{metric} {value:.4f} at {what} = {place_text(t)}, {least:.4f} at MSE's minimum, "
            f"best {line.best:.4f}"
        )
        return
    what = what.capitalize()
    edges, values = line.steps
    on = [i for i, edge in enumerate(edges) if abs(edge - t) < 1e-9]
    i = int(np.searchsorted(edges, t))
    if on:
        others = [x for x, s in zip("ABCDEF", SCORES, strict=True) if s == t and x != key]
        assert shown == (
            f"{what} at {place_text(t)}, a tie with {others[0]}: {metric} {value:.4f}; "
            f"below it {values[i]:.4f}, above it {values[i + 1]:.4f}"
        )
    elif i == len(edges):
        assert shown == (
            f"{what} at {place_text(t)}: {metric} {value:.4f}, flat from "
            f"{place_text(edges[-1], t)} on"
        )
    else:
        assert shown == (
            f"{what} at {place_text(t)}: {metric} {value:.4f}, flat until "
            f"{place_text(edges[i], t)}, then {values[i + 1]:.4f}"
        )
        assert place_text(edges[i], t) != place_text(t)


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
    notes = [note["text"] for note in layout(explorer).get("annotations", [])]
    assert notes == ["tie"] * len(ties) + (["k = 5"] if line.k else [])
    cutoffs = [s["x0"] for s in layout(explorer)["shapes"] if s["yref"] == "y2 domain"]
    assert (5.5 in cutoffs) == (line.k == 5)
    assert all(note["xref"] == "x2" for note in layout(explorer).get("annotations", []))


def check_words(explorer, key, line, t, value, error):
    sentence = explorer.stage.sentence
    order = " ".join(re.sub("</?b>", "", text) for text in bars(explorer)["text"])
    assert sentence.startswith("Query 1: order " if key == "40 queries" else "Order ")
    metric = "NDCG@5" if line.k else "NDCG"
    assert f"rder {order}" in sentence
    assert f"; {metric} {value:.4f}. " in sentence
    inside = [edge for edge in line.steps[0] if line.ends[0] < edge < line.ends[1]]
    assert f" {len(inside) + 1} steps; the best, {line.best:.4f}, " in sentence
    squared = f" MSE {line.error(t):.4f}; least, {line.error(line.lowest_at):.4f}, at "
    assert (squared in sentence) == ("MSE" in sentence) == error
    assert len(sentence) <= 165  # two lines beside a sidebar
    now = row(explorer, "now")
    assert now == [f"at {place_text(t)}", f"{value:.4f}", f"{line.error(t):.4f}" if error else ""]
    assert row(explorer, "best step")[1] == f"{line.best:.4f}"
    for rank, text in enumerate(bars(explorer)["text"], start=1):
        letter, grade = re.sub("</?b>", "", text), bars(explorer)["y"][rank - 1]
        assert row(explorer, f"rank {rank}")[0].startswith(f"{letter}, grade {grade:g}, score ")
    assert (
        any(r[0] == "MSE&#x27;s minimum" or r[0] == "MSE's minimum" for r in table(explorer))
        == error
    )


def check_formula(explorer, key, line, t):
    metric = "NDCG@5" if line.k else "NDCG"
    above, below = round(t + 0.001, 9), round(t - 0.001, 9)
    values = line.value(above), line.value(below)
    places = "−".join(f"{metric}({p:.3f})".replace("(-", "(−") for p in (above, below))
    numbers = "−".join(f"{v:.6f}" for v in values)
    difference = values[0] - values[1]
    slope = "=0" if abs(difference) < 1e-10 else f"≈{difference / 0.002:.2f}".replace("-", "−")
    assert plain(explorer.stage.formula) == f"slope≈[{places}]/[0.002]=[{numbers}]/[0.002]{slope}"


def check_size(explorer):
    content = explorer.stage.get_state(["figure", "sentence", "formula", "table"])
    assert len(json.dumps(content)) < 20_000


def test_ndcg_is_scikit_learns():
    for place in PLACES:
        line = line_of("F")
        scores = line.scores(line.t(place))
        assert line.value(line.t(place)) == pytest.approx(ndcg_score([GRADES], scores), abs=1e-12)


# --- what it teaches ------------------------------------------------------------------


def test_it_begins_on_a_flat_step(explorer):
    explorer.reset()
    assert explorer.values == dict(number="C", place=40, error=False)
    assert title(explorer) == "C at 0.300: NDCG 0.6673, flat until 0.700, then 0.6770"
    assert plain(explorer.stage.formula).endswith("=0")
    assert explorer.stage.sentence == (
        "Order D E F C B A; NDCG 0.6673. 5 steps; the best, 0.8687, from 0.950 on."
    )


def test_the_slope_is_zero_nearly_everywhere(explorer):
    slopes = {}
    for key, place in itertools.product(KEYS, PLACES):
        formula = explorer.model.view(key, place, False).formula
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


def test_on_a_tie(explorer):
    explorer.set(number="C", place=80, error=False)
    assert title(explorer) == (
        "C at 0.700, a tie with F: NDCG 0.6722; below it 0.6673, above it 0.6770"
    )
    assert "Order D E C F B A, tied C=F; NDCG 0.6722." in explorer.stage.sentence
    assert plain(explorer.stage.formula).endswith("≈4.85")


def test_a_tie_of_equal_grades_changes_nothing(explorer):
    """C meets A, of grade 3 too, at 0.1: a tie in the list, and no step."""
    explorer.set(number="C", place=20, error=False)
    assert title(explorer) == "C at 0.100: NDCG 0.6612, flat until 0.200, then 0.6673"
    assert "tied A=C" in explorer.stage.sentence
    assert plain(explorer.stage.formula).endswith("=0")


# --- the controls ---------------------------------------------------------------------


def test_three_controls_each_with_a_name(explorer):
    assert list(explorer.controls) == ["number", "place", "error"]
    number, place, error = explorer.controls.values()
    assert isinstance(number, Choice)
    assert isinstance(place, Slider)
    assert isinstance(error, Choice)
    assert [c.label for c in (number, place, error)] == [
        "Moves", "Score of C", "Squared error",
    ]  # fmt: skip
    assert number.texts == list(NUMBERS)
    assert tuple(number.options.values()) == KEYS
    assert number.texts == [
        "score of C",
        "score of F",
        "a weight, one query",
        "a weight, 40 queries",
    ]
    assert (place.min, place.max) == (0, 120)
    assert error.options == {"off": False, "on": True}
    assert explorer.name == "one-number"


@pytest.mark.parametrize(
    ("preset", "text"),
    [
        ("Tie", "C at 0.700, a tie with F: NDCG 0.6722; below it 0.6673, above it 0.6770"),
        ("MSE", "NDCG 0.6673 at F = 0.670, 0.6673 at MSE's minimum, best 0.7890"),
        ("Best", "NDCG 0.7890 at F = 1.000, 0.6673 at MSE's minimum, best 0.7890"),
    ],
)
def test_what_the_presets_show(explorer, preset, text):
    explorer.set(**explorer.presets[preset])
    assert title(explorer) == text


@pytest.mark.parametrize("key", KEYS)
def test_a_state_line_leads_back(explorer, key):
    other = one_number()
    for place, error in itertools.product((0, 47, 120), (False, True)):
        explorer.set(number=key, place=place, error=error)
        assert explorer.state.startswith("one-number: number=")
        other.restore(explorer.state)
        assert other.values == explorer.values == dict(number=key, place=place, error=error)
        assert other.stage.figure == explorer.stage.figure
        assert other.stage.sentence == explorer.stage.sentence
        assert other.stage.table == explorer.stage.table


def test_a_staircase_is_made_once():
    model = one_number().model
    assert model.sweep("40 queries") is model.sweep("40 queries")


def test_bad_values_are_refused(explorer):
    before = explorer.values
    with pytest.raises(ValueError, match="number cannot be 'D': Moves must be one of"):
        explorer.set(number="D")
    with pytest.raises(ValueError, match="place cannot be 121, the nearest is 120"):
        explorer.set(place=121)
    with pytest.raises(ValueError, match=r"place cannot be 1.5: .* must be a whole number"):
        explorer.set(place=1.5)
    with pytest.raises(ValueError, match="no control 't'; there are number, place, error"):
        explorer.set(t=0.4)
    assert explorer.values == before


def test_the_figure_keeps_to_the_style(explorer):
    explorer.reset()
    figure = explorer.model.view("F", 77, True).figure
    assert figure == explorer.model.view("F", 77, True).figure
    axes = [axis for axis in figure.layout if axis.startswith(("xaxis", "yaxis"))]
    assert len(axes) == 5
    assert all(figure.layout[axis].title.text for axis in axes)
    assert "bdata" not in figure.to_json()


# --- a query of your own --------------------------------------------------------------


def test_a_query_of_your_own():
    explorer = one_number([1, 0, 2], [0.5, 1, 0])
    assert explorer.controls["number"].label == "Score of"
    assert list(explorer.controls["number"].options) == ["A", "B", "C"]
    assert explorer.presets == {}
    explorer.set(number="C", place=120, error=True)
    assert explorer.stage.figure["layout"]["yaxis3"]["title"]["text"] == "MSE to grade / 2"
    tied, best = ndcg([1, 0, 2], [0.5, 1, 1]), ndcg([1, 0, 2], [0.5, 1, 1.1])
    assert title(explorer) == (
        f"NDCG {best:.4f} at C = 1.100, {tied:.4f} at MSE's minimum, best {best:.4f}"
    )
    binary = one_number([1, 0], [0.2, 0.4])
    binary.set(error=True)
    assert binary.stage.figure["layout"]["yaxis3"]["title"]["text"] == "MSE to grade"


def test_a_tie_with_two():
    explorer = one_number([2, 1, 0], [0.1, 0.5, 0.5])
    explorer.set(number="A", place=60)
    assert title(explorer).startswith("A at 0.500, a tie with B and C: NDCG ")
    assert "tied A=B=C" in explorer.stage.sentence


def test_where_no_place_matters():
    explorer = one_number([1, 1, 1], [0.1, 0.5, 0.9])
    assert title(explorer) == "A at 0.300: NDCG 1.0000, flat everywhere"
    assert "1 step; the best, 1.0000, everywhere." in explorer.stage.sentence


def test_two_jumps_within_the_width_of_the_slope():
    explorer = one_number([1, 0, 2, 0, 3], [0.2, 0.4995, 0.5005, 0.3, 0.9])
    explorer.set(number="A", place=60)
    line = score_line("A", [1, 0, 2, 0, 3], [0.2, 0.4995, 0.5005, 0.3, 0.9])
    check_formula(explorer, "A", line, 0.5)


@pytest.mark.parametrize("place", range(10, 110))
def test_a_tie_at_the_end_of_the_slope(place):
    """B's score is exactly where the slope looks: its average counts, whatever the rounding."""
    end = round(-0.1 + place / 100 + 0.001, 3)
    model = one_number([2, 1], [0.5, end]).model
    tie = ndcg([2, 1], [end, end])
    assert f"[{tie:.6f}−" in plain(model.view("A", place, False).formula)


def test_jumps_that_cancel_are_no_slope():
    """Up and down again by as much: the sums differ in their last bit, and mean the same."""
    model = one_number().model
    values = np.array([0.1 + 0.2, 0.4, 0.3])
    notch = Staircase(np.array([0.4995, 0.5005]), values, values[1:])
    model._known["C"] = dataclasses.replace(model.sweep("C"), staircase=notch)
    assert values[0] != values[2]
    assert plain(model.view("C", 60, False).formula).endswith("/[0.002]=0")


HUNDREDTHS = st.integers(0, 100).map(lambda n: n / 100)


@given(
    st.lists(st.tuples(st.integers(0, 4), HUNDREDTHS), min_size=2, max_size=8),
    st.integers(0, 120),
    st.data(),
)
@settings(deadline=None, max_examples=40)
def test_any_query_at_any_place(documents, place, data):
    y_true, y_score = ([d[i] for d in documents] for i in (0, 1))
    if max(y_true) == 0:
        return
    explorer = one_number(y_true, y_score)
    letter = data.draw(st.sampled_from("ABCDEFGH"[: len(y_true)]))
    explorer.set(number=letter, place=place, error=True)
    i = "ABCDEFGH".index(letter)
    t = round(-0.1 + place / 100, 9)
    scores = [t if j == i else s for j, s in enumerate(y_score)]
    value = ndcg(y_true, scores)
    assert title(explorer).startswith(f"NDCG {value:.4f} at {letter} = ")
    tied = [x for j, x in enumerate("ABCDEFGH"[: len(scores)]) if scores[j] == t and j != i]
    groups = re.search("tied (.*?);", explorer.stage.sentence)
    shown = next((g for g in groups[1].split(", ") if letter in g), "") if groups else ""
    assert shown.split("=") == (sorted([letter, *tied]) if tied else [""])
    squared = np.mean((np.array(y_true) / max(y_true) - scores) ** 2)
    assert f"MSE {squared:.4f};" in explorer.stage.sentence


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 0],), ValueError, "give both y_true and y_score, or neither"),
        ((None, [1, 0]), ValueError, "give both y_true and y_score, or neither"),
        (([1], [0]), ValueError, "y_true must hold 2 to 8 documents, got 1"),
        (([1] * 9, [0] * 9), ValueError, "y_true must hold 2 to 8 documents, got 9"),
        (([0, 0], [0, 1]), ValueError, r"above 0 somewhere, got \[0, 0\]: without a relevant"),
        (([-1, 1], [0, 1]), ValueError, r"y_true must be 0 or more.* got \[-1, 1\]"),
        (([1, 0], [0, 1.5]), ValueError, r"y_score must be from 0 to 1, got \[0.0, 1.5\]"),
        (([1, 0], [-0.1, 1]), ValueError, r"y_score must be from 0 to 1, got \[-0.1, 1.0\]"),
        (([1, 0], [0, 1, 1]), ValueError, "same"),
        (([1, 0], ["a", "b"]), TypeError, "y_score must hold real numbers"),
        (([1, float("nan")], [0, 1]), ValueError, "y_true must be finite"),
    ],
)
def test_queries_that_are_none(arguments, error, message):
    with pytest.raises(error, match=message):
        one_number(*arguments)
