"""Figures are pure, say what they show, and keep to the course's style."""

import copy
import itertools
import math

import numpy as np
import plotly.graph_objects as go
import pytest
from contrast import VISIONS, contrast, seen_as
from IPython.core.interactiveshell import InteractiveShell
from stage import as_plotly_checks, as_sent, in_plotly

from course import figures
from coursekit.figure import PLOTLY_MIME
from helpers.breakdown import breakdown, cutoff_curves
from helpers.style import OTHERS, frame, rank_ticks
from ndcglib.metrics import discount_weights
from ndcglib.tuning import Row, score_staircase

GRADES, GOOD, BAD = [3, 2, 3, 0, 1, 2], [6, 4, 5, 1, 2, 3], [1, 2, 3, 6, 5, 4]
BROKEN = breakdown(GRADES, BAD, k=4)
CLIMB = [Row(0, i, None, 0.5 + i / 10, 0.6, 2) for i in range(3)]
X, Y = [[[1.0], [2.0]]], [[1, 0]]
MAKERS = {
    "per_rank": lambda: figures.per_rank(BROKEN),
    "per_rank, walking": lambda: figures.per_rank(BROKEN, upto=2),
    "cumulative": lambda: figures.cumulative(
        {"good": breakdown(GRADES, GOOD, k=4), "bad": BROKEN}
    ),
    "cutoffs": lambda: figures.cutoffs({"bad": cutoff_curves(GRADES, BAD)}, k=4),
    "cutoffs of two": lambda: figures.cutoffs(
        {"good": cutoff_curves(GRADES, GOOD), "bad": cutoff_curves(GRADES, BAD)}
    ),
    "against_ideal": lambda: figures.against_ideal(BROKEN),
    "gains_and_discounts": lambda: figures.gains_and_discounts(
        [0, 1, 2], [0, 1, 2], [0, 1, 3], discount_weights(4)
    ),
    "gain_curves": lambda: figures.gain_curves({"a": "linear", "b": "exponential"}),
    "discount_curves": lambda: figures.discount_curves({"a": "log", "b": "reciprocal"}),
    "without_cutoff": figures.without_cutoff,
    "growth": lambda: figures.growth(
        [10, 100],
        {"s": {"a": [1, 20], "b": [2, None]}, "MB": {"a": [3, 4], "b": [5, None]}},
        x_title="rows",
        title="It grows",
    ),
    "program_differences": lambda: figures.program_differences(
        {"a": [0.5] * 40, "b": [i / 40 for i in range(40)]}
    ),
    "staircase": lambda: figures.staircase(score_staircase(GRADES, GOOD, 2), 0, 7, at=3.3),
    "crossing_lines": lambda: figures.crossing_lines([3, 2, 1], [0, 2, 4], [0, 3, 1], -2, 3),
    "climb_curves": lambda: figures.climb_curves(CLIMB),
    "train_against_test": lambda: figures.train_against_test([(0.5, 0.4), (0.6, 0.3)], {}),
    "price_and_grade": lambda: figures.price_and_grade(
        [[1, 2, 3], [2, 3, 4]], [[1, 0, 0], [2, 1, 0]], [0]
    ),
}


@pytest.fixture(params=MAKERS, name="figure")
def _figure(request):
    return MAKERS[request.param]()


def test_plotly_takes_each_figure_as_it_is(figure):
    assert as_plotly_checks(figure) == as_sent(figure)


def test_each_figure_carries_its_words(figure):
    words = figures.describe(figure)
    assert words.sentence.endswith(".")
    assert words.rows
    assert {len(row) for row in words.rows} == {len(words.header)}
    assert "<table>" in words._repr_html_()
    assert "<summary>" in words._repr_html_()


def test_each_figure_has_a_title_labels_and_a_height(figure):
    assert in_plotly(figure).layout.title.text
    assert all(len(part) <= 72 for part in in_plotly(figure).layout.title.text.split("<br>"))
    assert in_plotly(figure).layout.height >= 400
    axes = [axis for axis in in_plotly(figure).layout if axis.startswith(("xaxis", "yaxis"))]
    assert all(in_plotly(figure).layout[axis].title.text for axis in axes)


def test_every_point_lies_in_its_panel(figure):
    for trace in in_plotly(figure).data:
        if trace.cliponaxis is False:  # it leads out, to a name beside the panel
            continue
        for letter in "xy":
            axis = in_plotly(figure).layout[
                f"{letter}axis{(trace[f'{letter}axis'] or letter)[1:]}"
            ]
            places = [place for place in trace[letter] if isinstance(place, (int, float))]
            if axis.range and axis.type != "log" and places:
                assert min(axis.range) <= min(places), (trace.name, letter)
                assert max(axis.range) >= max(places), (trace.name, letter)


def test_values_reach_the_upper_half_of_their_panel(figure):
    reached = {}
    for trace in in_plotly(figure).data:
        name = f"yaxis{(trace.yaxis or 'y')[1:]}"
        places = [place for place in trace.y if isinstance(place, (int, float))]
        reached[name] = max([*places, reached.get(name, -math.inf)])
    for name, top in reached.items():
        low, high = in_plotly(figure).layout[name].range or (0, 0)
        assert top >= (low + high) / 2 or in_plotly(figure).layout[name].type == "log", name


def test_lines_across_a_panel_end_with_it(figure):
    for mark in in_plotly(figure).layout.shapes:
        for letter in "xy":
            if "domain" in mark[f"{letter}ref"]:
                assert 0 <= mark[f"{letter}0"] <= mark[f"{letter}1"] <= 1


def test_numbers_on_bars_are_those_of_the_bars(figure):
    for bar in in_plotly(figure).data:
        if bar.type != "bar" or not bar.text:
            continue
        values = bar.y if bar.orientation != "h" else bar.x
        for text, value in zip(bar.text, values, strict=True):
            _, _, decimals = text.partition(".")
            assert len(decimals) <= 4
            assert text in ("", "0") or text == f"{value:.{len(decimals)}f}"


def test_each_figure_is_small_and_readable(figure):
    text = in_plotly(figure).to_json()
    assert len(text) < 8_000
    assert "bdata" not in text  # lists, not base64: a diff can be read


def test_nothing_offers_an_upload(figure):
    config = figure._repr_mimebundle_()[PLOTLY_MIME]["config"]
    assert config["showSendToCloud"] is False
    assert config["displayModeBar"] is False


def test_a_figure_as_the_last_line_of_a_cell_is_shown_with_its_sentence(figure):
    bundle, _ = InteractiveShell.instance().display_formatter.format(figure)
    assert bundle[PLOTLY_MIME]["data"] == figure.data
    assert bundle["text/plain"] == figure.sentence
    assert bundle.keys() == {PLOTLY_MIME, "text/plain"}


def test_figures_are_pure():
    for make in MAKERS.values():
        before = copy.deepcopy(BROKEN)
        assert make() == make()
        assert before == BROKEN


def test_series_differ_without_color():
    for one, other in itertools.combinations(OTHERS, 2):
        assert one.dash != other.dash
        assert one.symbol != other.symbol


def test_colors_stand_out_on_white():
    for look in OTHERS:
        assert contrast(bytes.fromhex(look.color[1:]), (255, 255, 255)) >= 3


@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_series_differ_in_color_for_each_kind_of_vision(vision):
    """A tenth of the way from black to white; a step of a hundredth is just seen."""
    seen = {look.color: seen_as(bytes.fromhex(look.color[1:]), vision) for look in OTHERS}
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 0.1, (one, other)


def test_a_title_of_two_lines_has_no_lone_last_word():
    title = "Validation is best at pass 0 (0.7476); training climbs on to 0.7688"
    chart = frame(({}, {}), title=title, sentence="", table=([], []))
    first, last = chart.layout["title"]["text"].split("<br>")
    assert len(last) > len(first) / 2
    assert f"{first} {last}" == title


def test_per_rank_shows_the_breakdown():
    figure = MAKERS["per_rank"]()
    assert [round(y, 6) for y in in_plotly(figure).data[1].y] == pytest.approx(
        BROKEN.column("contribution"), abs=1e-6
    )
    assert list(in_plotly(figure).data[0].y) == BROKEN.column("gain")
    running = next(trace for trace in in_plotly(figure).data if trace.name == "running total")
    assert list(running.y) == pytest.approx(BROKEN.column("cumulative"), abs=1e-6)


def test_every_trace_is_a_column():
    """Which line shows what, for each chart."""
    good = breakdown(GRADES, GOOD, k=4)
    curves = cutoff_curves(GRADES, BAD)
    contributions = BROKEN.column("contribution")
    expected = {
        "per_rank": {
            "gain": BROKEN.column("gain"),
            "contribution = gain × discount": contributions,
            "running total": BROKEN.column("cumulative"),
            "ideal running total": BROKEN.ideal_cumulative,
        },
        "cumulative": {
            "good": good.column("cumulative"),
            "bad": BROKEN.column("cumulative"),
            "ideal (IDCG)": BROKEN.ideal_cumulative,
        },
        "against_ideal": {
            "this ranking": contributions[:4],
            "ideal order": BROKEN.column("ideal_contribution")[:4],
        },
        "gains_and_discounts": {
            "linear: grade": [0, 1, 2],
            "exponential: 2<sup>grade</sup> − 1": [0, 1, 3],
            "discount": discount_weights(4).tolist(),
        },
    }
    for maker, columns in expected.items():
        shown = {trace.name: list(trace.y) for trace in in_plotly(MAKERS[maker]()).data}
        assert shown.keys() == columns.keys()
        for name, column in columns.items():
            assert shown[name] == pytest.approx(column, abs=1e-6), (maker, name)
    left, right, ideal = in_plotly(MAKERS["cutoffs"]()).data
    for trace, column in ((left, curves.dcg), (right, curves.ndcg), (ideal, curves.idcg)):
        assert list(trace.y) == pytest.approx(column, abs=1e-6)


def test_every_table_is_the_data():
    rows = figures.describe(MAKERS["per_rank"]()).rows
    assert [row[4] for row in rows] == pytest.approx(BROKEN.column("contribution"), abs=1e-4)
    assert [row[7] for row in rows] == pytest.approx(BROKEN.column("gap"), abs=1e-4)
    rows = figures.describe(MAKERS["against_ideal"]()).rows
    assert [row[2] for row in rows] == pytest.approx(BROKEN.column("contribution")[:4], abs=1e-4)
    assert [row[4] for row in rows] == pytest.approx(BROKEN.column("gap")[:4], abs=1e-4)
    curves = cutoff_curves(GRADES, BAD)
    columns = list(zip(*figures.describe(MAKERS["cutoffs"]()).rows, strict=True))
    for column, values in zip(
        columns, (curves.k, curves.dcg, curves.ndcg, curves.idcg), strict=True
    ):
        assert column == pytest.approx(values, abs=1e-4)


def test_the_cutoff_stands_behind_the_last_rank_that_counts():
    for name, x in (("per_rank", 4.5), ("cumulative", 4.5), ("cutoffs", 4)):
        assert {shape.x0 for shape in in_plotly(MAKERS[name]()).layout.shapes} == {x}


def test_the_gap_of_the_sentence():
    gap = BROKEN.idcg - BROKEN.dcg
    assert f"The gaps sum to {gap:.4f}." in figures.describe(MAKERS["against_ideal"]()).sentence


MISFITS = [
    (lambda: figures.cumulative({}), r"rankings must hold 1 to 5 entries, got 0"),
    (
        lambda: figures.cumulative({"a": BROKEN, "b": breakdown(GRADES, BAD, k=3)}),
        r"rankings must share their cutoffs",
    ),
    (
        lambda: figures.cumulative({"a": BROKEN, "b": breakdown([1] * 6, BAD, k=4)}),
        r"rankings must share one ideal",
    ),
    (
        lambda: figures.cutoffs({str(i): cutoff_curves(GRADES, BAD) for i in range(6)}),
        r"curves must hold 1 to 5 entries, got 6",
    ),
    (
        lambda: figures.cutoffs({"a": cutoff_curves(GRADES, BAD)}, k=0),
        r"k must be a whole number from 1 to 6",
    ),
    (lambda: figures.cutoffs({"a": cutoff_curves(GRADES, BAD)}, k=7), r"k must be .* got 7"),
]


@pytest.mark.parametrize(("make", "message"), MISFITS)
def test_series_that_do_not_fit_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_names_are_not_markup():
    figure = figures.per_rank(breakdown([1, 0], [2, 1], ids=["a<b>c", "d"]))
    assert "a&lt;b&gt;c" in in_plotly(figure).layout.xaxis.ticktext[0]


def test_per_rank_walks():
    figure = MAKERS["per_rank, walking"]()
    assert [y is None for y in in_plotly(figure).data[1].y] == [False, False] + [True] * 4


def test_the_cutoff_is_marked():
    for name in ("per_rank", "cumulative", "cutoffs"):
        assert "k = 4" in [note.text for note in in_plotly(MAKERS[name]()).layout.annotations]


@pytest.mark.parametrize(
    ("name", "axis"),
    [("per_rank", "x2"), ("cumulative", None), ("cutoffs", None), ("cutoffs of two", None)],
)
def test_the_ideal_is_drawn_last_so_that_nothing_hides_it(name, axis):
    panel = [trace for trace in in_plotly(MAKERS[name]()).data if trace.xaxis == axis]
    assert len(panel) >= 2
    assert panel[-1].name.startswith("ideal")
    assert panel[-1].line.width < panel[0].line.width


def test_long_names_have_two_lines_below_the_bar_and_are_whole_in_the_table():
    lines = {
        "LinearDiscriminantAnalysis": "LinearDiscriminant<br>Analysis",
        "Fix a flat in five steps": "Fix a flat<br>in five steps",
        "16 letters of it": "16 letters of it",
        "k" * 40: "k" * 16 + "<br>" + "k" * 17 + "…",
    }
    figure = figures.against_ideal(breakdown([1, 0, 0, 0], [4, 3, 2, 1], ids=list(lines)))
    shown = in_plotly(figure).layout.xaxis.ticktext
    assert [text.split("<br>", 1)[1].rsplit("<br>", 1)[0] for text in shown] == [*lines.values()]
    assert [row[1] for row in figures.describe(figure).rows] == [*lines]


def test_no_title_breaks_within_an_equation():
    first = "Up to k = 10 NDCG@k is highest at k"
    title = f"{first} = 1, except for the constant ranker"
    chart = figures.dot_plot({"a": 1}, title=title, measure="NDCG")
    lines = chart.layout["title"]["text"].split("<br>")
    assert " ".join(lines) == title
    assert not any(line.endswith((" k", " =")) for line in lines)


def test_ticks_of_ranks_are_few():
    for n in range(1, 1001):
        ticks = rank_ticks(n)
        assert ticks[0] == 1
        assert n / 2 < ticks[-1] <= n
        assert len(ticks) <= 20


def test_titles_say_the_finding():
    zigzag = cutoff_curves([3, 0, 3, 2, 0, 2, 3, 0], range(8, 0, -1))
    assert "falls from 1.000 to 0.613 at k = 2" in in_plotly(
        figures.cutoffs({"x": zigzag})
    ).layout.title.text.replace("<br>", " ")
    risen = "Here NDCG@k never falls: from 0.000 to 0.667"
    assert in_plotly(MAKERS["cutoffs"]()).layout.title.text == risen
    assert "good 1.000, bad 0.667" in in_plotly(MAKERS["cutoffs of two"]()).layout.title.text
    assert (
        "Nothing in the top 2 is relevant"
        in in_plotly(figures.per_rank(breakdown([0, 0], [2, 1]))).layout.title.text
    )
    assert (
        "The largest gap, 3.00, opens at rank 1"
        in in_plotly(MAKERS["against_ideal"]()).layout.title.text
    )


@pytest.mark.parametrize("foreign", [go.Figure(), go.Figure().to_dict(), None])
def test_a_foreign_figure_has_no_description(foreign):
    with pytest.raises(TypeError, match="figure must be a Chart, as a function of figures"):
        figures.show(foreign)
