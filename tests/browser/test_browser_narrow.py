"""Every explorer in a narrow place: a phone, a tablet beside a sidebar, half a screen.

The figure goes through static/narrow.js and redraw.js, as a stage would do it, in a bare page:
so no server and no kernel is needed, and every preset and wide state is drawn.
"""

import itertools
import json

import lab
import pytest
from plotly.offline import get_plotlyjs
from test_browser_explorers import CELLS, LISTS, WIDE, lines_of
from tiers import few

from course import figures
from course.explorers import EXPLORERS
from coursekit.widgets.part import STATIC, module
from coursekit.widgets.stage import Stage
from coursekit.widgets.view import View, show_view
from helpers.breakdown import cutoff_curves
from ndcglib.metrics import all_orders

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

# Of the figure: in a window of 375 px and in one of 820 px, half of it JupyterLab's sidebar.
WIDTHS = (300, 345, 560)
# As text, the figure goes to the page in a tenth of the time.
DRAW = f"""async ([text, widths]) => {{
  const figure = JSON.parse(text);
  const place = document.querySelector(".ndcg-figure");
  const found = [];
  for (const width of widths) {{
    place.style.width = `${{width}}px`;
    const one = structuredClone(narrow(figure, width));
    fillPiles(one, width);
    const {{ data, layout }} = redrawn(one);
    await Plotly.react(place, data, {{ ...layout, autosize: true }}, figure.config);
    found.push([width, layout.height, ({lab.TROUBLES})(place)]);
  }}
  return found;
}}"""


@pytest.fixture(name="bare", scope="module", params=few(lab.FONTS, "wide"))
def _bare(request, desk):
    page = desk.page(request.param)
    page.set_viewport_size(dict(width=800, height=1400))
    page.set_content("<body style='margin: 0'><div class='ndcg-figure'></div></body>")
    page.add_script_tag(content=get_plotlyjs())
    for name in ("narrow.js", "piles.js", "redraw.js"):
        source = module(STATIC / name).replace("export ", "")
        page.add_script_tag(content=source)
    yield page
    desk.close(page)


@pytest.mark.parametrize("name", [name for name in CELLS if name not in LISTS])
def test_nothing_is_cut_or_covered_where_it_is_narrow(bare, name):
    explorer = EXPLORERS[name]()
    wrong = []
    for line in lines_of(explorer, WIDE.get(name, [])):
        explorer.restore(line)
        for width, height, found in bare.evaluate(
            DRAW, [json.dumps(explorer.stage.figure), WIDTHS]
        ):
            wrong += [f"{width} px, {line}: {trouble}" for trouble in found]
            assert 250 < height < 1400
    assert not wrong, "\n".join(wrong)


def test_the_names_of_many_rows_do_not_run_into_each_other(bare):
    values = [(-1) ** group * group / 100 for group in range(24)]
    stage = Stage()
    dots = figures.group_dots(values, range(24), measure="a difference")
    show_view(stage, View(dots))
    bare.evaluate(DRAW, [json.dumps(stage.figure), [345]])
    tops = """() => [...document.querySelectorAll(".ytick text")]
      .map((name) => name.getBoundingClientRect()).map(({ top, height }) => [top, height])"""
    names = sorted(bare.evaluate(tops))
    assert len(names) == 24
    apart = [below[0] - above[0] for above, below in itertools.pairwise(names)]
    assert min(apart) > 15, "letters of 14 px"


def test_piled_dots_shrink_with_their_panel(bare):
    """On a phone a dot hides at most the half of the next stack's, and rows stay apart."""
    orders = {"eight of ten": all_orders([1] * 8 + [0] * 2)}
    stage = Stage()
    show_view(stage, View(figures.order_piles(orders, title="Where orders lie", marked=0.84)))
    ((_, height, found),) = bare.evaluate(DRAW, [json.dumps(stage.figure), [345]])
    assert found == []
    assert height < 320
    drawn = """() => [...document.querySelectorAll(".scatterlayer .point")]
      .map((dot) => dot.getBoundingClientRect()).map(({ x, width }) => [x + width / 2, width])"""
    dots = sorted(bare.evaluate(drawn))
    assert len(dots) == 101, "and the triangle"
    gaps = [right[0] - left[0] for left, right in itertools.pairwise(dots)]
    least = min(gap for gap in gaps if gap > 0.5)
    assert least > dots[0][1] / 2
    words = [one for one in stage.figure["layout"]["annotations"] if "random" in one["text"]]
    assert [one["bgcolor"] for one in words] == ["white"], "over the line"


def test_a_panel_of_dots_is_no_higher_than_a_phone_has_room_for(bare):
    """With the title above it, and what it is set with below: whichever list it shows."""
    explorer = EXPLORERS["where-is-the-floor"]()
    heights = []
    for line in lines_of(explorer, WIDE.get("where-is-the-floor", [])):
        explorer.restore(line)
        drawn = bare.evaluate(DRAW, [json.dumps(explorer.stage.figure), [345]])
        heights += [height for _, height, _ in drawn]
    assert len(heights) > 3
    assert max(heights) < 500


@pytest.mark.parametrize("state", ['labels="3 3 2 1 0" k=5', 'labels="8 of 10" k=10'])
def test_dots_are_as_large_as_there_is_room(bare, state):
    """None hides half of another, narrow and wide; the ground of nothing fills its part."""
    explorer = EXPLORERS["where-is-the-floor"]()
    explorer.restore(f"where-is-the-floor: {state} yours=84")
    for width in (345, 560, 1000):
        bare.evaluate(DRAW, [json.dumps(explorer.stage.figure), [width]])
        dots, ground, panel = bare.evaluate(
            """() => {
              const of = (name) => [...document.querySelectorAll(name)]
                .map((one) => one.getBoundingClientRect())
                .map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width, height]);
              return [of(".scatterlayer .point"), of(".js-fill"), of(".nsewdrag")[0]];
            }"""
        )
        assert len(dots) in (100, 120)
        by_pile = {}
        for x, y, *_ in dots:
            by_pile.setdefault(round(x), []).append(y)
        falling = [sorted(ys) for ys in by_pile.values()]
        pitch = min(below - above for ys in falling for above, below in itertools.pairwise(ys))
        assert pitch >= dots[0][2] / 2
        assert pitch < 2.2 * dots[0][2], "and no air between"
        assert max(map(len, falling)) * pitch < 0.5 * panel[3]
        assert ground[0][3] == pytest.approx(max(map(len, falling)) * pitch, rel=0.1)


def test_a_wide_place_shows_the_figure_as_it_is(bare):
    """And a narrow one does not write into what it is given."""
    figure = EXPLORERS["duel"]().stage.figure
    same = "([figure, width]) => JSON.stringify(narrow(figure, width)) === JSON.stringify(figure)"
    assert bare.evaluate(same, [figure, 750])
    assert not bare.evaluate(same, [figure, 749])
    kept = """(figure) => {
      const before = JSON.stringify(figure);
      narrow(figure, 345);
      return before === JSON.stringify(figure);
    }"""
    assert bare.evaluate(kept, figure)


def test_panels_stand_one_below_the_other(bare):
    domains = """(figure) => {
      const { layout } = narrow(figure, 345);
      return ["yaxis", "yaxis2", "yaxis3"].map((name) => layout[name].domain);
    }"""
    first, second, third = bare.evaluate(domains, EXPLORERS["climb-stepper"]().stage.figure)
    assert 1 == first[1] > first[0] > second[1] > second[0] > third[1] > third[0] == 0


def test_of_ticks_whose_labels_would_touch_each_second_one_stays(bare):
    figure = EXPLORERS["slide-k"]().stage.figure
    labels = [f"{i / 100:.2f}" for i in range(12)]
    axis = dict(tickvals=list(range(12)), ticktext=labels, range=[-0.5, 11.5])
    figure = figure | {"layout": figure["layout"] | {"xaxis": figure["layout"]["xaxis"] | axis}}
    kept = bare.evaluate("(figure) => narrow(figure, 345).layout.xaxis.ticktext", figure)
    assert kept == labels[::2]


def test_labels_that_give_way_stay_in_their_order(bare):
    explorer = EXPLORERS["tie-shuffler"]()
    explorer.set(convention="random", draws=101, decimals=0)
    bare.evaluate(DRAW, [json.dumps(explorer.stage.figure), [300]])
    from_above = """() => [...document.querySelectorAll(".annotation-text")]
      .map((label) => [label.getBoundingClientRect().y, label.textContent])
      .filter(([, text]) => /^0[.]\\d{3}/.test(text)).sort(([a], [b]) => a - b)
      .map(([, text]) => parseFloat(text))"""
    values = bare.evaluate(from_above)
    assert len(values) >= 5
    assert values == sorted(values, reverse=True)


# A figure over the one before it, in the room that plotly found for that, as a stage draws it.
DRAW_OVER = """async (place, figure, before, size) => {
  const own = redrawn(structuredClone(figure), before, size);
  await Plotly.react(place, own.data, { ...own.layout, autosize: true }, figure.config);
  return own;
}"""
# One figure, then another over it: whether ticks of the first survive, and the marks in order.
MOVE = f"""async ([first, second]) => {{
  const draw = {DRAW_OVER};
  const place = document.querySelector(".ndcg-figure");
  const before = await draw(place, first);
  const tick = place.querySelector(".xtick text, .ytick text");
  await draw(place, second, before);
  const marks = [...place.querySelectorAll(".shapelayer path")].map((mark) => mark.dataset.index);
  return [tick.isConnected, marks.map(Number)];
}}"""


def test_a_move_draws_only_what_changed(bare):
    """Where only title, words and marks change, the ticks and curves stay in the page."""

    def cut(grades, k):
        curves = {"one": cutoff_curves(grades, ranked=True)}
        stage = Stage()
        show_view(stage, View(figures.cutoffs(curves, k=k, title=f"k = {k}")))
        return stage.figure

    survives, _ = bare.evaluate(MOVE, [cut([3, 0, 2], 1), cut([3, 0, 2], 2)])
    assert survives
    assert "k = 2" in bare.locator(".gtitle").text_content()
    survives, _ = bare.evaluate(MOVE, [cut([3, 0, 2], 1), cut([0, 3, 2], 1)])
    assert not survives
    pad = EXPLORERS["own-discount"]()
    before = pad.stage.figure
    pad.set(weights="100 95 82 74 60 50 40 30 20 10")
    survives, _ = bare.evaluate(MOVE, [before, pad.stage.figure])
    assert survives


def test_a_mark_that_moves_stays_below_the_others(bare):
    explorer = EXPLORERS["where-is-the-floor"]()
    explorer.set(k=1)
    first = explorer.stage.figure
    explorer.set(yours=90)
    _, marks = bare.evaluate(MOVE, [first, explorer.stage.figure])
    assert len(marks) > 2
    assert marks == sorted(marks)


# Figures one over the other, and each alone: how far apart the same labels stand at most.
APART = f"""async (figures) => {{
  const alone = document.querySelector(".ndcg-figure");
  const over = alone.cloneNode();
  alone.after(over);
  const draw = {DRAW_OVER};
  const seen = (place) => {{
    const from = place.getBoundingClientRect();
    return [...place.querySelectorAll(".xtick text, .ytick text, .gtitle, .xtitle, .ytitle")]
      .map((label) => label.getBoundingClientRect())
      .flatMap(({{ x, y, right }}) => [x - from.x, y - from.y, right - from.x]);
  }};
  let before, apart = 0;
  for (const figure of figures) {{
    Plotly.purge(alone);
    await draw(alone, figure);
    before = await draw(over, figure, before, over._fullLayout?._size);
    const [one, other] = [seen(alone), seen(over)];
    const gaps = one.map((place, i) => Math.abs(place - other[i]));
    apart = Math.max(apart, one.length === other.length ? Math.max(...gaps) : Infinity);
  }}
  over.remove();
  return apart;
}}"""


@pytest.mark.parametrize("name", [name for name in CELLS if name not in LISTS])
def test_a_figure_over_another_stands_where_it_would_alone(bare, name):
    """Though the room for its labels is not measured again where its axes are what they were."""
    explorer, figures = EXPLORERS[name](), []
    for change in [{}, *explorer.presets.values()]:
        explorer.set(**change)
        figures += [explorer.stage.figure] * 2
    assert bare.evaluate(APART, figures) < 1.5
