"""The figure of how far ties reach."""

import pytest
from stage import as_plotly_checks, as_sent, in_plotly

from course.figures import describe, order_ranges

RANGES = {"constant": (0, 0.048, 1), "words": (0.3508, 0.458, 0.821), "BM25": (0.5, 0.5, 0.5)}


def figure(ranges=RANGES):
    return order_ranges(ranges, title="Luck decides", measure="NDCG@10")


def test_bars_reach_from_the_worst_to_the_best():
    bars, averages = in_plotly(figure()).data
    assert list(bars.base) == [0, 0.3508, 0.5]
    assert [b + x for b, x in zip(bars.base, bars.x, strict=True)] == [1, 0.821, 0.5]
    assert list(averages.x) == [0.048, 0.458, 0.5]
    assert list(averages.text) == ["<b>0.048</b>", "<b>0.458</b>", "<b>0.500</b>"]
    assert list(bars.y) == list(averages.y) == list(RANGES)


def test_plotly_takes_it_as_it_is():
    assert as_plotly_checks(figure()) == as_sent(figure())


def test_the_first_model_stands_on_top():
    assert in_plotly(figure()).layout.yaxis.autorange == "reversed"


def test_words_and_table_agree_with_the_figure():
    words = describe(figure())
    assert words.rows[1] == ["words", 0.3508, 0.458, 0.821]
    assert words.header == ["name", "worst order", "average", "best order"]
    assert "words 0.458 (0.351 to 0.821)" in words.sentence
    assert in_plotly(figure()).layout.title.text == "Luck decides"
    assert in_plotly(figure()).layout.xaxis.title.text == "NDCG@10"


def test_many_models_get_room():
    many = {f"model {i}": (0.1, 0.2, 0.3) for i in range(12)}
    assert in_plotly(figure(many)).layout.height > in_plotly(figure()).layout.height == 400
    thick = (
        in_plotly(figure(many)).data[0].width * (in_plotly(figure(many)).layout.height - 180) / 12
    )
    assert thick == pytest.approx(14, abs=0.1)


@pytest.mark.parametrize(
    ("ranges", "says"),
    [
        ({}, "1 to 40 entries, got 0"),
        ({"a": (0.1, 0.2)}, r"ranges\['a'\] must hold 3 values, got 2"),
        ({"a": (0.3, 0.2, 0.4)}, "worst, average, best"),
        ({"a": (0.1, 0.5, 0.4)}, "worst, average, best"),
        ({"a": (float("nan"), 0.5, 0.6)}, "must be finite, got nan"),
    ],
)
def test_bad_input_is_refused(ranges, says):
    with pytest.raises(ValueError, match=says):
        figure(ranges)


def test_names_are_no_html():
    assert in_plotly(figure({"<b>": (0, 0.5, 1)})).data[0].y[0] == "&lt;b&gt;"
