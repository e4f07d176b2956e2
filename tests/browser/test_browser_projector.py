"""Figures for the back row, of every explorer, as projector.js makes them."""

import json

import lab
import pytest

from course.explorers import EXPLORERS
from coursekit.widgets.part import STATIC
from coursekit.widgets.view import plain_figure

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)


def sizes(part, place=""):
    """Yield every size of letters in a figure."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "size" and place.endswith("font"):
                yield value
            else:
                yield from sizes(value, key)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from sizes(one, place)


def lengths(figure):
    return [trace["line"]["width"] for trace in figure["data"] if "line" in trace]


def test_large_figures_say_the_same(blank):
    explorers = [make() for make in EXPLORERS.values()]
    shown = [
        plain_figure(one.declaration.view(**one.declaration.start | preset).figure)
        for one in explorers
        if hasattr(one, "stage")
        for preset in [{}, *one.presets.values()]
    ]
    figures = json.loads(json.dumps(shown))
    expression = (
        "given.map((figure) => [m.forProjector(figure), figure, m.forProjector(figure, 1080)])"
    )
    drawn = lab.in_module(blank, STATIC / "projector.js", expression, figures)
    for figure, (large, after, higher) in zip(figures, drawn, strict=True):
        assert after == figure  # it stays as it is
        layout = large["layout"]
        assert layout["height"] == 416  # the figure ends with the screen of a projector
        # What a higher screen has is the plot's: the title stays as far from the edge.
        assert higher["layout"].pop("height") == 416 + 360
        below = (1 - higher["layout"]["title"].pop("y")) * (416 + 360)
        assert below == pytest.approx((1 - layout["title"].pop("y")) * layout.pop("height"))
        assert higher == large
        assert 22 <= layout["template"]["layout"]["font"]["size"] <= 24
        assert 28 <= layout["template"]["layout"]["title"]["font"]["size"] <= 32
        assert min(sizes(large)) >= 20
        for one, other in zip(figure["data"], large["data"], strict=True):
            for key in ("x", "y", "name", "text", "width"):  # of a bar the width is data
                assert one.get(key) == other.get(key)
        assert lengths(large) == [round(1.4 * width, 2) for width in lengths(figure)]
