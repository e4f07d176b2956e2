"""Which ranking wins?, of notebook *gain*, and the gain curves beside it, without a browser."""

import functools
import itertools
import json
import math
import re

import numpy as np
import pytest
from contrast import SEPIA, TURNED, contrast, seen_as, turned, turned_in_jupyterlab
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score
from stage import in_plotly, layout, table, title

from course.explorers.duel import PAIRS, TENTHS, duel, margin
from course.explorers.duel_chart import DARKEST, PALEST, gain_text
from course.figures.gain_curves import gain_curves
from coursekit.figure import describe
from coursekit.site.build import HERE
from coursekit.widgets.card import card
from helpers.style import BLUE, OTHERS, VERMILLION
from ndcglib.metrics import gain_values, idcg, ndcg
from ndcglib.metrics.gains import step_gain

CUTOFFS = [(pair, k) for pair, (first, _) in PAIRS.items() for k in range(1, len(first) + 1)]
SAME = 1e-9


@pytest.fixture(name="explorer", scope="module")
def _explorer():
    return duel()


def bars(explorer):
    return explorer.stage.figure["data"][:2]


def win_map(explorer):
    return explorer.stage.figure["data"][2]


def closed_form(b, grade):
    """The same gain by another way: the sum of a geometric series."""
    return float(grade) if b == 1 else (b**grade - 1) / (b - 1)


def value_of(grades, b, k):
    """NDCG by hand, with nothing of the course in it."""
    gains = [closed_form(b, grade) for grade in grades]
    total, best = (
        sum(gain / math.log2(rank + 1) for rank, gain in enumerate(order[:k], start=1))
        for order in (gains, sorted(gains, reverse=True))
    )
    return total / best


@functools.cache
def letters_of(pair):
    """Who wins in each cell of a pair: a tuple of rows, the first for k = 1."""
    first, second = PAIRS[pair]
    return tuple(
        "".join(_letter(value_of(first, t / 10, k) - value_of(second, t / 10, k)) for t in TENTHS)
        for k in range(1, len(first) + 1)
    )


def _letter(ahead):
    return "=" if abs(ahead) < SAME else "A" if ahead > 0 else "B"


# --- the gain -------------------------------------------------------------------------

GRADES = st.lists(st.integers(0, 10), min_size=1, max_size=12)
FACTORS = st.floats(0.05, 5)


@given(GRADES)
def test_a_factor_of_1_is_the_linear_gain(grades):
    assert step_gain(1)(grades).tolist() == grades
    assert step_gain(1.0)(np.array(grades, dtype=float)).tolist() == grades


@given(GRADES)
def test_a_factor_of_2_is_the_exponential_gain(grades):
    expected = gain_values(grades, "exponential")
    assert step_gain(2)(grades) == pytest.approx(expected, abs=1e-12)


@given(FACTORS)
def test_each_step_is_worth_b_times_the_last(b):
    gains = step_gain(b)(range(11))
    steps = np.diff(gains)
    assert gains[0] == 0
    assert steps[0] == 1
    assert (steps > 0).all()
    assert steps[1:] == pytest.approx(b * steps[:-1], rel=1e-6)


@given(FACTORS, GRADES)
def test_the_sum_of_steps_is_the_closed_form(b, grades):
    expected = [closed_form(b, grade) for grade in grades]
    if abs(b - 1) > 1e-3:  # nearer, the closed form loses its digits
        assert step_gain(b)(grades) == pytest.approx(expected, rel=1e-9)
    one_by_one = [step_gain(b)([grade])[0] for grade in grades]
    assert step_gain(b)(grades).tolist() == one_by_one


@given(FACTORS, st.lists(st.integers(0, 1), min_size=2, max_size=8).filter(any))
def test_the_factor_says_nothing_where_grades_are_0_and_1(b, grades):
    scores = range(len(grades), 0, -1)
    assert ndcg(grades, scores, gain=step_gain(b)) == ndcg(grades, scores)


def test_a_gain_is_one_for_the_metrics():
    value = ndcg([[3, 0, 2], [1, 1, 2]], [[3, 2, 1]] * 2, gain=step_gain(1.5), per_query=True)
    assert value == pytest.approx([value_of(g, 1.5, 3) for g in ([3, 0, 2], [1, 1, 2])])
    assert step_gain(2)([[1, 2], [3, 0]]).tolist() == [[1, 3], [7, 0]]


@pytest.mark.parametrize("b", [0, -1, math.inf, math.nan, "2", True, None])
def test_factors_that_are_refused(b):
    with pytest.raises((TypeError, ValueError), match="b must be a finite number above 0, got"):
        step_gain(b)


@pytest.mark.parametrize("grades", [[-1], [0.5], [math.nan], [1024], ["a"], [None]])
def test_grades_without_steps(grades):
    with pytest.raises(ValueError, match="grades must be whole numbers from 0 to 1023, got"):
        step_gain(2)(grades)


# --- the pairs ------------------------------------------------------------------------


def test_the_map_has_a_win_too_narrow_to_show(explorer):
    explorer.set(pair="both decide", base=26, k=6)
    assert title(explorer).startswith("B wins by less than 0.0001: ")


def test_who_wins_where():
    """The map of each pair, as the notebook tells it."""
    assert letters_of("gain decides") == (
        "A" * 21,
        "BB" + "A" * 19,
        "B" * 21,
        "B" * 11 + "A" * 10,
        "BB" + "A" * 19,
    )
    assert letters_of("k decides") == tuple(letter * 21 for letter in "AABAAA")
    assert letters_of("both decide") == (
        "B" * 21,
        "A" * 8 + "B" * 13,
        "A" * 21,
        "B" * 21,
        "A" * 21,
        "AAA" + "B" * 14 + "AAAA",
    )
    assert letters_of("binary") == tuple(letter * 21 for letter in "=AABABA")
    assert letters_of("one is better") == ("A" * 21,) * 5


def test_one_is_better_at_every_depth_and_every_grade():
    """Down to any rank, A has at least as many documents of any grade or above."""
    first, second = map(np.array, PAIRS["one is better"])
    for grade in (1, 2, 3):
        ahead = np.cumsum(first >= grade) - np.cumsum(second >= grade)
        assert (ahead >= 0).all()


@pytest.mark.parametrize("pair", PAIRS)
def test_both_rank_the_same_documents(pair):
    first, second = PAIRS[pair]
    assert sorted(first) == sorted(second)
    assert first != second


# --- every state ----------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "k"), CUTOFFS)
def test_every_state(explorer, pair, k):
    for base in TENTHS:
        explorer.set(pair=pair, base=base, k=k)
        b = base / 10
        values = [value_of(grades, b, k) for grades in PAIRS[pair]]
        check_metrics(pair, b, k, values)
        check_bars(explorer, PAIRS[pair], b, k, values)
        check_map(explorer, pair, b, k)
        check_words(explorer, pair, b, k, values)
    assert len(json.dumps(explorer.stage.get_state(["figure", "sentence", "table"]))) < 20_000


def check_metrics(pair, b, k, values):
    for grades, value in zip(PAIRS[pair], values, strict=True):
        scores = range(len(grades), 0, -1)
        assert 0 <= value <= 1 + 1e-12
        assert ndcg(grades, scores, k=k, gain=step_gain(b)) == pytest.approx(value, abs=1e-12)
        if b in (1, 2):
            given_gains = [grades] if b == 1 else [[2**grade - 1 for grade in grades]]
            assert ndcg_score(given_gains, [list(scores)], k=k) == pytest.approx(value, abs=1e-12)


def check_bars(explorer, rankings, b, k, values):
    """The bars of a ranking sum to its NDCG; ranks beyond k have a grade and no bar."""
    n = len(rankings[0])
    tallest = 0
    for trace, grades, value, name in zip(bars(explorer), rankings, values, "AB", strict=True):
        best = idcg(grades, k=k, gain=step_gain(b))
        counted = [
            closed_form(b, grade) / math.log2(rank + 1) / best
            for rank, grade in enumerate(grades[:k], start=1)
        ]
        assert trace["y"] == pytest.approx(counted + [0] * (n - k), abs=1e-6)
        assert sum(trace["y"]) == pytest.approx(value, abs=1e-5)
        assert trace["x"] == list(range(1, n + 1))
        assert trace["text"] == list(map(str, grades))
        assert trace["textfont"]["color"] == ["#222222"] * k + ["#767676"] * (n - k)
        assert [w > 0 for w in trace["marker"]["line"]["width"]] == [y > 0 for y in trace["y"]]
        assert trace["name"] == f"{name}: sum {value:.4f}"
        tallest = max(tallest, *counted)
    axis = layout(explorer)["yaxis"]
    assert 1.2 * tallest <= axis["range"][1] + 1e-9
    assert axis["range"][1] < 1.2 * tallest + 0.2
    assert axis["tickvals"][-1] <= 1
    lines = [s["x0"] for s in layout(explorer)["shapes"] if s["type"] == "line"]
    notes = [note["text"] for note in layout(explorer)["annotations"]]
    assert lines == ([k + 0.5] if k < n else [])
    assert (f"k = {k}" in notes) == (k < n)


def check_map(explorer, pair, b, k):
    """Letters and colors say who wins; the frame is around the present cell."""
    shown = win_map(explorer)
    assert tuple("".join(row) for row in shown["text"]) == letters_of(pair)
    assert shown["x"] == [t / 10 for t in TENTHS]
    assert shown["y"] == list(range(1, len(letters_of(pair)) + 1))
    flat = [list(itertools.chain(*shown[part])) for part in ("text", "z", "customdata")]
    for letter, shade, ahead in zip(*flat, strict=True):
        assert np.sign(shade) == {"A": 1, "B": -1, "=": 0}[letter]
        assert ahead * shade >= 0
        assert abs(shade) == 0 or 0.2 <= abs(shade) <= 0.57
    check_runs(explorer, letters_of(pair))
    order = np.argsort(np.abs(flat[2]), kind="stable")
    shades = np.abs(flat[1])[order]
    assert (np.diff(shades) >= 0).all()
    assert shades[-1] == 0.57
    (box,) = (s for s in layout(explorer)["shapes"] if s["type"] == "rect")
    assert (box["xref"], box["yref"]) == ("x2", "y2")
    assert [box["x0"], box["x1"]] == pytest.approx([b - 0.05, b + 0.05])
    assert (box["y0"], box["y1"]) == (k - 0.5, k + 0.5)
    assert "label" not in box, "its run has a letter already"
    left, right = layout(explorer)["xaxis2"]["range"]
    low, high = layout(explorer)["yaxis2"]["range"]
    assert left < box["x0"] < box["x1"] < right
    assert low < box["y0"] < box["y1"] < high


def check_runs(explorer, rows):
    """A letter for each run of three and more equal winners, and a border between two runs."""
    *_, borders, letters = explorer.stage.figure["data"]
    runs = [[list(run) for _, run in itertools.groupby(row)] for row in rows]
    wide = [(k, run) for k, row in enumerate(runs, start=1) for run in row if len(run) > 2]
    written = zip(letters["y"], letters["text"], strict=True)
    assert list(written) == [(k, run[0]) for k, run in wide]
    middles, between = [], []
    for row in runs:
        ends = [0.95, *(0.95 + np.cumsum([len(run) for run in row]) / 10)]
        for run, (left, right) in zip(row, itertools.pairwise(ends), strict=True):
            middles += [(left + right) / 2] if len(run) > 2 else []
        between += ends[1:-1]
    assert np.abs(np.array(letters["x"]) - middles).max() < 0.051
    assert letters["x"] == pytest.approx(np.round(letters["x"], 1))  # inside a cell
    assert borders["x"][::3] == pytest.approx(between)


def check_words(explorer, pair, b, k, values):
    """The title names the winner; the table holds shares, NDCG, gains, margin and cells."""
    letter = letters_of(pair)[k - 1][TENTHS.index(round(10 * b))]
    assert title(explorer).startswith("Neither wins" if letter == "=" else f"{letter} wins by ")
    rows = {what: cells for what, *cells in table(explorer)}
    for rank in range(1, len(PAIRS[pair][0]) + 1):
        expected = []
        for trace in bars(explorer):
            share = f"{trace['y'][rank - 1]:.4f}" if rank <= k else ""
            expected += [trace["text"][rank - 1], share]
        assert rows[str(rank)] == expected
    shown = [f"{value:.4f}" for value in values]
    assert rows[f"NDCG@{k}"] == ["", shown[0], "", shown[1]]
    narrow = "less than 0.0001"
    by = f"{abs(float(shown[0]) - float(shown[1])):.4f}"  # as a reader subtracts them
    assert rows["ahead by"][0] == (narrow if by == "0.0000" and letter != "=" else by)
    for grade in set(PAIRS[pair][0]):
        assert rows[f"gain of grade {grade}"][0] == f"{closed_form(b, grade):.6g}"
    cells = "".join(letters_of(pair))
    for who, letter in {"A": "A", "B": "B", "neither": "="}.items():
        assert rows[f"cells that {who} wins"][0] == str(cells.count(letter))


@pytest.mark.parametrize("look", [np.array, turned, turned_in_jupyterlab])
@pytest.mark.parametrize("color", [BLUE, VERMILLION])
def test_a_cell_says_by_how_much_and_its_letter_shows(color, look):
    """In the dark the map is turned over."""
    assert TURNED in card("any")
    assert f"{TURNED} {SEPIA}" in (HERE / "static" / "site.css").read_text(encoding="utf-8")
    full = np.array([*bytes.fromhex(color[1:])])
    cells = [look(255 - part * (255 - full)) for part in (0, PALEST, DARKEST)]
    assert min(contrast(cell, look([0, 0, 0])) for cell in cells) >= 4.5
    lightness = [seen_as(cell, "all cones")[0] for cell in cells]
    none_to_narrow, narrow_to_wide = np.abs(np.diff(lightness))
    assert none_to_narrow > 0.08
    assert narrow_to_wide > 0.14


# --- the words where they are rare ----------------------------------------------------


def test_the_margin_is_the_difference_of_the_numbers_shown():
    assert margin(0.90004, 0.80006) == 0.0999  # not 0.1000, which is nearer the truth
    assert margin(0.5, 0.50001) == 0


def test_gain_text():
    assert [gain_text(g) for g in (0, 7, 2.89, 1 + 1.7 + 2.89, 12110.6548)] == [
        "0", "7", "2.89", "5.59", "12110.7",
    ]  # fmt: skip


# --- pairs of your own ----------------------------------------------------------------


def test_pairs_of_your_own():
    explorer = duel({"mine": ([2, 0, 1], np.array([1, 2, 0])), "two": ((0, 10), (10, 0))})
    assert explorer.values == dict(pair="mine", base=10, k=3)
    assert list(explorer.presets) == ["Exponential"]
    explorer.set(base=20)
    assert title(explorer).startswith("A wins by ")
    explorer.set(pair="two", base=27)
    assert explorer.values["k"] == 2
    assert title(explorer) == "B wins by 0.3691: NDCG@2 1.0000 against 0.6309"
    formula = re.sub("<.*?>", "", explorer.stage.formula)
    assert formula.endswith("gain(10)=1+b+…+b9=1+2.7+…+7625.6≈12110.7")
    explorer.set(base=20)
    assert re.sub("<.*?>", "", explorer.stage.formula).endswith("=1+2+…+512=1023=210−1")


def test_a_ranking_against_itself():
    explorer = duel({"twin": ((1, 0), (1, 0))})
    assert title(explorer) == "Neither wins: both have NDCG@2 1.0000"
    assert {*itertools.chain(*win_map(explorer)["z"])} == {0}
    assert explorer.stage.sentence.endswith("A wins 0 of 42 cells and B wins 0; 42 go to neither.")


@pytest.mark.parametrize(
    ("pairs", "error", "message"),
    [
        ([((1, 0), (0, 1))], TypeError, "pairs must be a dict of name to pair, got list"),
        ({}, ValueError, "pairs must hold at least one pair, got none"),
        ({3: ((1, 0), (0, 1))}, TypeError, "the name of a pair must be text, got 3"),
        ({"p": ((1, 0),)}, ValueError, r"pairs\['p'\] must be two rankings, got \(\(1, 0\),\)"),
        ({"p": ("10", "01")}, ValueError, r"A of pairs\['p'\] must be a list of grades, got '10'"),
        (
            {"p": ((1, 0), (0, 2))},
            ValueError,
            r"pairs\['p'\] must be two orders of the same documents, "
            r"got grades \[0, 1\] and \[0, 2\]",
        ),
        ({"p": ((0, 0), (0, 0))}, ValueError, r"pairs\['p'\] must hold a grade above 0"),
        ({"p": ((1,), (1,))}, ValueError, r"A of pairs\['p'\] must be 2 to 10 grades, got 1"),
        ({"p": ((1,) * 11,) * 2}, ValueError, "must be 2 to 10 grades, got 11"),
        (
            {"p": ((1, 0), (0, 11))},
            ValueError,
            r"a grade of B of pairs\['p'\] must be a whole number from 0 to 10, got 11",
        ),
    ],
)
def test_pairs_that_are_refused(pairs, error, message):
    with pytest.raises(error, match=message):
        duel(pairs)


# --- the gain curves ------------------------------------------------------------------


def test_what_a_grade_is_worth():
    table = {0: 0, 1: 2, 2: 5, 3: 9, 4: 10}
    gains = {"linear": "linear", "2^rel": "exponential", "table": table, "b = 3": step_gain(3)}
    figure = gain_curves(gains)
    shown = {trace.name: list(trace.y) for trace in in_plotly(figure).data}
    assert shown["linear"] == [0, 0.25, 0.5, 0.75, 1]
    assert shown["2^rel"] == pytest.approx([0, 1 / 15, 3 / 15, 7 / 15, 1], abs=1e-6)
    assert shown["table"] == [0, 0.2, 0.5, 0.9, 1]
    assert shown["b = 3"] == pytest.approx([0, 1 / 40, 4 / 40, 13 / 40, 1], abs=1e-6)
    assert in_plotly(figure).layout.title.text.replace("<br>", " ") == (
        "A grade 3 is worth from 32.5% (b = 3) to 90.0% (table) of a grade 4"
    )
    words = describe(figure)
    assert words.sentence == (
        "Gains of grades 0, 1, 2, 3, 4 as shares of grade 4; "
        "linear: 0.0%, 25.0%, 50.0%, 75.0%, 100.0%; "
        "2^rel: 0.0%, 6.7%, 20.0%, 46.7%, 100.0%; "
        "table: 0.0%, 20.0%, 50.0%, 90.0%, 100.0%; "
        "b = 3: 0.0%, 2.5%, 10.0%, 32.5%, 100.0%."
    )
    assert words.header[:5] == ["grade", "linear: gain", "linear: share", *words.header[3:5]]
    assert words.rows[3] == ["3", "3", "75.0%", "7", "46.7%", "9", "90.0%", "13", "32.5%"]
    looks = [(trace.line.dash, trace.marker.symbol) for trace in in_plotly(figure).data]
    assert looks == [(look.dash, look.symbol) for look in OTHERS[:4]]


@given(st.floats(0.01, 1000))
def test_the_scale_cancels(scale):
    one = gain_curves({"b": step_gain(1.5)})
    other = gain_curves({"b": lambda grades: scale * step_gain(1.5)(grades)})
    assert list(in_plotly(one).data[0].y) == pytest.approx(
        list(in_plotly(other).data[0].y), abs=1e-6
    )


def test_gains_of_one_shape():
    alike = gain_curves({"one": "linear", "ten": {grade: 10 * grade for grade in range(5)}})
    assert in_plotly(alike).layout.title.text == "A grade 2 is worth 50.0% of a grade 4"


def test_names_are_not_markup():
    figure = gain_curves({"a<b": "linear", "c": "exponential"})
    assert "a&lt;b" in in_plotly(figure).layout.title.text
    assert in_plotly(figure).data[0].name == "a&lt;b"
    assert "a<b: gain" in describe(figure).header


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["linear"],), TypeError, "gains must be a dict of names, got list"),
        (({},), ValueError, "gains must hold 1 to 5 entries, got 0"),
        (({"x": "cubic"},), ValueError, "gain must be 'linear', 'exponential', a table"),
        (({"x": {0: 0, 1: 1}},), ValueError, "the table has no entry for grade 2"),
        (
            ({"x": dict.fromkeys(range(5), 0)},),
            ValueError,
            r"gains\['x'\] must give the top grade more than 0, got 0 for grade 4",
        ),
    ],
)
def test_gains_that_do_not_fit(arguments, error, message):
    with pytest.raises(error, match=message):
        gain_curves(*arguments)
