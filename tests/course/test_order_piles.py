"""The figure of where the orders of lists lie, a dot for each."""

from itertools import pairwise, permutations

import pytest
from stage import as_plotly_checks, as_sent, in_plotly

from course.figures import describe, order_piles
from ndcglib.metrics import all_orders, ndcg, random_ndcg, worst_ndcg

FIVE = (3, 2, 3, 0, 1)
TENS = {"one of ten": [1] + 9 * [0], "eight of ten": 8 * [1] + 2 * [0]}
BLUE, GREEN = "#0072B2", "#0C5C3C"


def figure(lists, marked=0.84):
    orders = {name: all_orders(grades) for name, grades in lists.items()}
    return order_piles(orders, title="Where orders lie", marked=marked)


def dots(chart):
    """Return the dots of all piles as (NDCG, is blue)."""
    traces = [trace for trace in in_plotly(chart).data if trace.meta == "pile"]
    return [(x, trace.marker.color == BLUE) for trace in traces for x in trace.x]


def test_each_order_of_a_short_list_is_a_dot_at_its_value():
    values = sorted(ndcg(order, ranked=True) for order in permutations(FIVE))
    drawn = sorted(x for x, _ in dots(figure({"five": FIVE})))
    assert len(drawn) == 120
    assert drawn == pytest.approx(values, abs=0.006)  # within half a dot


def test_what_reaches_the_line_is_blue_and_equal_values_reach_it():
    marked = ndcg(FIVE, ranked=True)
    reached = sum(ndcg(order, ranked=True) >= marked - 1e-9 for order in permutations(FIVE))
    assert reached == 12
    assert sum(is_blue for _, is_blue in dots(figure({"five": FIVE}, marked))) == 12
    assert describe(figure({"five": FIVE}, marked)).rows[0][-1] == "12 of 120"


@pytest.mark.parametrize(("name", "blue"), [("one of ten", 10), ("eight of ten", 80)])
def test_a_longer_list_has_a_dot_for_each_hundredth_part(name, blue):
    drawn = dots(figure({name: TENS[name]}))
    assert len(drawn) == 100
    assert sum(is_blue for _, is_blue in drawn) == blue
    assert all(is_blue == (x >= 0.84) for x, is_blue in drawn)


def test_no_dot_covers_another():
    chart = figure(TENS)
    for trace in in_plotly(chart).data:
        places = sorted(zip(trace.y, trace.x, strict=True))
        gaps = [b[1] - a[1] for a, b in pairwise(places) if a[0] == b[0]]
        assert all(gap > 0.008 for gap in gaps)  # a dot is 0.0115 wide, with its rim


def test_triangles_line_and_first_list_on_top():
    chart = in_plotly(figure(TENS))
    marks = [trace for trace in chart.data if trace.marker.color == GREEN]
    assert [mark.x[0] for mark in marks] == pytest.approx(
        [random_ndcg(grades) for grades in TENS.values()], abs=1e-6
    )
    assert marks[0].y[0] > marks[1].y[0]
    lines = [shape for shape in chart.layout.shapes if shape.type == "line"]
    assert [line.x0 for line in lines] == [0.84]
    grounds = [max(trace.x) for trace in chart.data if trace.fill == "toself"]
    assert grounds == pytest.approx([worst_ndcg(grades) for grades in TENS.values()], abs=0.006)


def test_words_and_table_agree_with_the_figure():
    words = describe(figure(TENS))
    assert words.rows[1] == ["eight of ten", "0.7367", "0.9194", "80%"]
    assert words.header[-1] == "orders that reach 0.84"
    assert "one of ten 10% (floor 0.289, random level 0.454)" in words.sentence
    assert "one order in a hundred" in in_plotly(figure(TENS)).layout.xaxis.title.text
    assert in_plotly(figure({"five": FIVE})).layout.xaxis.title.text.endswith("is one order")


def test_plotly_takes_it_as_it_is():
    assert as_plotly_checks(figure(TENS)) == as_sent(figure(TENS))


def test_names_are_no_html():
    notes = in_plotly(figure({"<b>": FIVE})).layout.annotations
    assert any("&lt;b&gt;" in note.text for note in notes)


@pytest.mark.parametrize(
    ("orders", "marked", "error", "says"),
    [
        ({}, 0.5, ValueError, "1 to 4 entries, got 0"),
        ({"a": [3, 2]}, 0.5, TypeError, r"orders\['a'\] must be .* all_orders\(grades\), got"),
        (None, 0.5, TypeError, "orders"),
        ("five", "0.84", TypeError, r"marked must be a finite number from 0 to 1, got '0\.84'"),
        ("five", 1.5, ValueError, r"a finite number from 0 to 1, got 1\.5"),
    ],
)
def test_bad_input_is_refused(orders, marked, error, says):
    if orders == "five":
        orders = {"five": all_orders(FIVE)}
    with pytest.raises(error, match=says):
        order_piles(orders, title="Where orders lie", marked=marked)
