"""The contract of all explorers, and the first two of them, without a browser."""

import dataclasses
import gzip
import html
import importlib.util
import itertools
import json
import math
import re
from pathlib import Path

import pytest
import sklearn
from plotly.offline import get_plotlyjs
from stage import as_plotly_checks, as_sent, table, title, title_of
from traitlets import TraitError

import course.explorers
import helpers.notebook
from course.content import COURSE
from course.explorers import EXPLORERS, slide_k, term_ledger
from course.explorers.formulas import fraction, log2_of, number
from course.explorers.listed import OWN, Listed
from course.explorers.slide_k import EXAMPLES
from course.selftest import missing_packages, self_test
from coursekit.explorers.declaration import Text
from coursekit.figure import PLOTLY_MIME
from coursekit.site.build import WIDGETS
from coursekit.widgets.controls import Choice, Pick, Slider
from coursekit.widgets.part import STATIC
from coursekit.widgets.present import LARGE
from coursekit.widgets.stage import shared_library
from coursekit.widgets.state_line import read_state, write_state
from helpers.breakdown import breakdown
from ndcglib.metrics import dcg, idcg, ndcg
from wording import format_cell

GOLDEN = Path(__file__).parent / "explorer_words.json"
# What they show comes from the docstrings of the scikit-learn that is installed.
OF_THE_MANUAL = ("pool-members", "judges", "waterfall")
LOCK = Path(__file__).parents[2] / "requirements.lock"
MOST_LETTERS = {"tie-shuffler": 260}  # their controls take fewer rows
GRADES = [3, 2, 3, 0, 1]
SCORES = [5, 4, 3, 2, 1]
ORDERS = {"ranked": GRADES, "ideal": sorted(GRADES)[::-1], "worst": sorted(GRADES)}


def numbers(text):
    return [float(found) for found in re.findall(r"\d+\.\d+", text)]


# --- the term ledger ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rank", "gain", "order"),
    list(itertools.product(range(6), ["linear", "exponential"], ORDERS)),
)
def test_ledger_in_every_state(rank, gain, order):
    explorer = term_ledger(GRADES)
    explorer.set(rank=rank, gain=gain, order=order)
    grades = ORDERS[order]
    expected = dcg(grades, SCORES, k=rank, gain=gain) if rank else 0.0
    stage = explorer.stage
    bars = next(trace for trace in stage.figure["data"] if "contribution" in trace["name"])
    shown = [y for y in bars["y"] if y is not None]
    assert len(shown) == rank
    assert sum(shown) == pytest.approx(expected, abs=1e-5)
    assert stage.formula.count("<mfrac>") == 5
    assert stage.formula.count('class="later"') == 5 - rank
    ideal = idcg(grades, gain=gain)
    assert (f"IDCG@5 = {ideal:.4f}" in stage.sentence) == (order == "ranked")
    metric = {"ranked": "DCG", "ideal": "IDCG", "worst": "worst DCG"}[order]
    assert stage.sentence.startswith(f"{metric} so far:")
    assert f'<mi mathvariant="normal">{metric}@{rank}</mi>' in stage.formula
    gains = grades if gain == "linear" else [2**grade - 1 for grade in grades]
    for place, value in enumerate(gains, start=1):
        assert fraction(number(value), log2_of(place)) in stage.formula
    last = breakdown(grades, SCORES, gain=gain).rows[-1].cumulative
    assert f"{last:.4f}" in stage.table


def test_ledger_title_is_a_true_equation():
    explorer = term_ledger(GRADES)
    explorer.set(rank=2, gain="exponential", order="ideal")
    assert title(explorer).startswith("Rank 2 adds 7 / log₂(3) = 4.4165, so IDCG@2 = 11.4165")
    assert round(7 / math.log2(3), 4) == 4.4165


def test_ledger_refuses_lists_that_do_not_fit():
    with pytest.raises(ValueError, match="grades must be 1 to 8, got 9"):
        term_ledger([1] * 9)
    with pytest.raises(ValueError, match="grades holds no query or no document"):
        term_ledger([])
    with pytest.raises(ValueError, match="ids must name each of 2 documents, got 1"):
        term_ledger([1, 0], ["a"])


def test_names_walk_with_their_grades():
    explorer = term_ledger([2, 3, 1], ["x", "y", "z"])
    explorer.set(order="ideal")
    labels = explorer.stage.figure["layout"]["xaxis"]["ticktext"]
    assert [label.split("<br>")[1] for label in labels] == ["y", "x", "z"]


def test_ledger_formula_ends_in_the_number_of_the_title():
    explorer = term_ledger(GRADES)
    explorer.set(rank=3)
    assert "<mn>5.7619</mn></math>" in explorer.stage.formula
    assert title(explorer).endswith("DCG@3 = 5.7619")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.0, 4, "1"),
        (1 - 1e-8, 4, "1"),
        (1 + 4e-16, 4, "1"),
        (2.99996, 4, "3"),
        (2.99994, 4, "2.9999"),
        (-1e-9, 4, "0"),
        (7, 4, "7"),
        (0.84, 4, "0.8400"),
        (1.96, 1, "2"),
        (1.94, 1, "1.9"),
    ],
)
def test_whole_numbers_of_formulas_are_no_luck(value, digits, text):
    """Two sums that differ by rounding alone are written alike: as 3, not as 3.0000."""
    assert number(value, digits) == f"<mn>{text}</mn>"


# --- slide k --------------------------------------------------------------------------

STATES = [
    (key, k, pool)
    for key, example in EXAMPLES.items()
    for k in range(1, len(example.listed) + 1)
    for pool in ("list", "judged")
]


def at_cutoff(example, k, pool):
    """DCG, IDCG and NDCG from the metrics themselves."""
    listed, missed = EXAMPLES[example]
    scores = range(len(listed), 0, -1)
    judged = listed + missed if pool == "judged" else listed
    return [
        dcg(listed, scores, k=k),
        idcg(judged, k=k),
        ndcg(listed, scores, k=k, pool=judged),
    ]


@pytest.mark.parametrize(("example", "k", "pool"), STATES)
def test_slide_k_says_each_number_once(example, k, pool):
    explorer = slide_k()
    explorer.set(example=example, k=k, pool=pool)
    row = table(explorer)[k - 1]
    for value in at_cutoff(example, k, pool):
        text = f"{value:.4f}"
        assert f"<mn>{text.removesuffix('.0000')}</mn>" in explorer.stage.formula
        assert text in row
    assert numbers(title(explorer) + explorer.stage.sentence) == []


@pytest.mark.parametrize(("example", "k", "pool"), STATES)
def test_slide_k_asks_before_it_shows(example, k, pool):
    """The curves end at k, the last step is an arrow, and the next one a question."""
    explorer = slide_k()
    explorer.set(example=example, k=k, pool=pool)
    grades, figure = EXAMPLES[example].listed, explorer.stage.figure
    values = [at_cutoff(example, i, pool) for i in range(1, k + 1)]
    for curve, metric in zip(figure["data"], (0, 2), strict=False):
        assert curve["x"] == list(range(1, k + 1))
        assert curve["y"] == pytest.approx([each[metric] for each in values], abs=1e-6)
    for i, row in enumerate(table(explorer), start=1):
        assert (row[4] == row[6] == "") == (i > k)
    bars, pale = figure["data"][3], [i > k for i in range(1, len(grades) + 1)]
    assert sum(bars["y"][:k]) == pytest.approx(values[-1][0], abs=1e-5)
    assert [fill == "white" for fill in bars["marker"]["color"]] == pale
    marks = figure["layout"].get("annotations", [])
    asked = [(k + 1, 0.5, "y2 domain")] if k < len(grades) else []  # in the middle: at no value
    assert [(mark["x"], mark["y"], mark["yref"]) for mark in marks] == asked
    ways = "stay or fall?" if (k, values[0][2]) == (1, 1) else "rise or fall?"
    assert (ways in title(explorer).lower()) == bool(asked)
    labels = [f"{rank}<br><b>{grade}</b>" for rank, grade in enumerate(grades, start=1)]
    assert figure["layout"]["xaxis"]["ticktext"] == labels
    assert figure["layout"]["xaxis2"]["ticktext"] == labels
    if k > 1:
        step = values[-1][2] - values[-2][2]
        went = "stays" if abs(step) < 1e-9 else "rises" if step > 0 else "falls"
        said = "stays the same" if went == "stays" else went
        assert f"so NDCG {said}." in explorer.stage.sentence
        arrow = dict(stays="right", rises="up", falls="down")[went]
        assert figure["data"][1]["marker"]["symbol"][-1] == f"triangle-{arrow}"


def test_slide_k_at_its_end_shows_the_whole_curve():
    explorer = slide_k()
    explorer.set(**explorer.presets["Whole curve"])
    ndcgs = [at_cutoff("zigzag", k, "list")[2] for k in range(1, 9)]
    falls = [k for k in range(2, 9) if ndcgs[k - 1] < ndcgs[k - 2] - 1e-9]
    assert re.findall(r" at (\d)", title(explorer)) == [str(k) for k in falls] == ["2", "5"]
    explorer.set(**explorer.presets["Missed 3s"])  # of one relevant document, found at rank 1
    assert title(explorer).endswith("NDCG never changes")


# --- the contract of all explorers -----------------------------------------------------


@pytest.fixture(scope="module", params=EXPLORERS, name="explorer")
def _explorer(request):
    return EXPLORERS[request.param]()


@pytest.fixture(autouse=True)
def _from_the_start(request):
    yield
    if "explorer" in request.fixturenames:
        request.getfixturevalue("explorer").reset()


def sampled(explorer, most):
    """Some states, evenly spread over all of them, and the last."""
    states = list(explorer.states())
    return [*states[:: 1 + len(states) // most], states[-1]]


def shown(explorer):
    """What a page has been told: all of it, so a reloaded page shows the same."""
    if isinstance(explorer, Listed):  # the page computes what it shows
        return explorer.get_state(["values", "history"])
    return explorer.stage.get_state(["figure", "sentence", "formula", "table"])


def messages(explorer, monkeypatch):
    """Return the list that collects what is sent to the page from now on."""
    sent = []
    page = getattr(explorer, "stage", explorer)
    monkeypatch.setattr(page, "_send", lambda message, buffers=None: sent.append(message["state"]))
    return sent


def elsewhere(explorer):
    return next(v for v in explorer.states() if v != explorer.values)


LONG_AND_SHORT = {  # a long list, the choice of a short one, and the number that ends with it
    "slide-k": (dict(example="zigzag", k=8), dict(example="missed"), "k", 3),
    "duel": (dict(pair="binary", k=7), dict(pair="gain decides"), "k", 5),
    "where-is-the-floor": (dict(labels="12 mixed", k=12), dict(labels="3 3 2 1 0"), "k", 5),
    "climb-stepper": (dict(run="step", number=20), dict(run="exact"), "number", 6),
}


@pytest.mark.parametrize("name", LONG_AND_SHORT)
def test_a_slider_ends_where_the_list_ends(name):
    explorer, (long, short, number, end) = EXPLORERS[name](), LONG_AND_SHORT[name]
    explorer.set(**long)
    for choice, value in short.items():
        explorer.controls[choice].value = value
    assert explorer.values[number] == explorer.controls[number].max == end
    with pytest.raises(ValueError, match=f"{number} cannot be {end + 1}, the nearest is {end}"):
        explorer.set(**{number: end + 1})
    explorer.set(**long)
    assert explorer.values[number] == long[number]


def test_one_name_everywhere(explorer):
    name = explorer.name
    assert EXPLORERS[name]().name == name
    function = name.replace("-", "_")
    assert callable(getattr(course.explorers, function))
    assert function in helpers.notebook.__all__
    assert importlib.util.find_spec(f"course.explorers.{function}")
    assert explorer.state.startswith(f"{name}: ")


def test_at_most_three_controls_each_with_a_name(explorer):
    """A list to drag, or to compare with, comes on top."""
    controls = explorer.declaration.controls.values()
    assert 1 <= len([c for c in controls if not isinstance(c, Text)] or controls) <= 3
    assert all(control.label for control in explorer.controls.values())
    assert explorer.declaration.question.endswith("?")


def test_the_values_at_the_start_are_a_state(explorer):
    assert explorer.values == explorer.declaration.start
    states = list(explorer.states())
    assert explorer.values in states
    assert len({tuple(state.values()) for state in states}) == len(states) > 10


def test_presets_and_reset(explorer):
    start, before = explorer.values, shown(explorer)
    assert 1 <= len(explorer.presets) <= 4
    for preset in explorer.presets.values():
        explorer.set(**preset)
        assert explorer.values == start | preset != start
        explorer.reset()
        assert (explorer.values, shown(explorer)) == (start, before)


def test_each_button_does_what_it_says(explorer):
    if not hasattr(explorer, "children"):
        pytest.skip("its buttons are the page's")
    buttons = {button.description: button for button in explorer.children[1].children}
    assert [*buttons] == [*explorer.declaration.actions, *explorer.presets, "Reset"]
    for label, preset in explorer.presets.items():
        buttons[label].click()
        assert explorer.values == explorer.declaration.start | preset
        buttons["Reset"].click()
        assert explorer.values == explorer.declaration.start


def test_one_change_is_one_message(explorer, monkeypatch):
    sent, before = messages(explorer, monkeypatch), shown(explorer)
    explorer.set(**sampled(explorer, 5)[-1])
    explorer.restore(explorer.state)  # nothing changes, nothing is sent
    assert len(sent) == 1
    assert len(json.dumps(sent)) < 25_000
    assert {key for key, part in shown(explorer).items() if part != before[key]} <= set(sent[0])


def test_whatever_way_leads_to_a_state_it_shows_the_same(explorer):
    """At once, or control by control and from elsewhere, or from a line."""
    others = EXPLORERS[explorer.name](), EXPLORERS[explorer.name]()
    for state, detour in itertools.pairwise(sampled(explorer, 6)):
        explorer.set(**state)
        others[0].set(**detour)
        for control, value in state.items():
            others[0].set(**{control: value})
        others[1].restore(explorer.state)
        for other in others:
            assert other.values == explorer.values == state
            assert shown(other) == shown(explorer)


def test_every_state_has_a_line_of_its_own(explorer):
    lines = {write_state(explorer.name, state): state for state in explorer.states()}
    assert len(lines) == len(list(explorer.states()))
    for line, state in lines.items():
        assert "\n" not in line
        name, values = read_state(line)
        assert (name, values) == (explorer.name, state)
        assert [type(v) for v in values.values()] == [type(v) for v in state.values()]


def test_states_come_back_from_their_lines(explorer):
    for state in sampled(explorer, 25):
        line = write_state(explorer.name, state)
        explorer.restore(f"  {line} ")
        assert (explorer.values, explorer.state) == (state, line)


def test_lines_of_earlier_versions_are_read(explorer):
    state = elsewhere(explorer)
    for name in explorer.declaration.was:
        explorer.restore(write_state(name, state))
        assert explorer.values == state
        assert explorer.state.startswith(f"{explorer.name}: ")


def test_names_of_earlier_versions():
    old = {name: EXPLORERS[name]().declaration.was for name in EXPLORERS}
    assert {name: was for name, was in old.items() if was} == {
        "where-is-the-floor": ("floor",),
        "climb-stepper": ("ascent",),
        "epoch-slider": ("epochs",),
    }


@pytest.mark.parametrize("wrong", ["nope", None, 2.5, 99_999, []])
def test_bad_values_are_refused_and_change_nothing(explorer, wrong):
    explorer.set(**elsewhere(explorer))
    before = explorer.values, shown(explorer)
    for control in explorer.controls:
        with pytest.raises(ValueError, match=rf"^{control} (cannot be|must) "):
            explorer.set(**{control: wrong})
    with pytest.raises(ValueError, match="no control 'depth'; there are "):
        explorer.set(depth=3)
    with pytest.raises(ValueError, match=f"this is {explorer.name}, the line is of other"):
        explorer.restore("other: depth=3")
    assert (explorer.values, shown(explorer)) == before


def test_presets_must_name_controls():
    with pytest.raises(ValueError, match="bad: no control 'q'; there are example, k, pool"):
        dataclasses.replace(slide_k.declare(), presets={"bad": {"q": 1}})


def test_a_preset_that_is_the_start_gets_no_button():
    explorer = term_ledger([3])  # one document: its whole sum is its first term
    assert list(explorer.presets) == ["Whole ideal sum"]
    assert [b.description for b in explorer.children[1].children] == ["Whole ideal sum", "Reset"]


def test_a_declaration_needs_no_widget(explorer):
    declaration = explorer.declaration
    state = elsewhere(explorer)
    view = declaration.view(**state)
    explorer.set(**state)
    if hasattr(explorer, "stage"):
        assert explorer.stage.sentence == view.sentence
        assert explorer.stage.figure["data"] == view.figure.data


def test_without_a_kernel_there_are_a_figure_a_sentence_and_a_table(explorer):
    bundle = explorer._repr_mimebundle_()
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    view = explorer.declaration.view(**explorer.values)
    assert bundle[PLOTLY_MIME]["data"] == view.figure.data
    assert bundle[PLOTLY_MIME]["config"]["showSendToCloud"] is False  # nothing offers an upload
    assert bundle["text/plain"] == view.sentence
    assert html.escape(view.sentence) in bundle["text/html"]
    assert view.table in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def touched(explorer):
    """What a press in the figure can set, by the x axis of the panel, or around its 0."""
    return explorer.stage.touch if hasattr(explorer, "stage") else {}


def test_what_is_touched_stands_on_an_axis(explorer):
    for state in sampled(explorer, 10):
        explorer.set(**state)
        for key, panel in touched(explorer).items():
            layout = explorer.stage.figure["layout"]
            *around, axis = key.split()
            low, high = layout[axis.replace("x", "xaxis")]["range"]
            first, last = (panel["origin"] + panel["unit"] * panel[end] for end in ("min", "max"))
            if around:  # a whole turn, each direction once, and degrees look like degrees
                assert (around, last - first) == (["around"], 360 - panel["unit"])
                upright = layout[axis.replace("x", "yaxis")]
                below, above = upright["range"]
                assert (below, upright["scaleanchor"]) == (-above, axis)
                assert low <= below < above <= high  # as much room on each side of 0
            else:
                assert low <= first <= last <= high
            assert panel["value"] == explorer.values[panel["control"]]


def test_a_touch_moves_a_control_as_its_slider_does(explorer, monkeypatch):
    sent = messages(explorer, monkeypatch)
    for panel in touched(explorer).values():
        name, control = panel["control"], explorer.controls[panel["control"]]
        ends = [(10**6, control.max), (panel["min"], control.min)]
        for value, reached in sorted(ends, key=lambda end: end[1] == explorer.values[name]):
            sent.clear()
            explorer.stage._handle_custom_msg({"set": {name: value}}, [])
            assert (explorer.values[name], len(sent)) == (reached, 1)
            assert sent[0]["touch"] == explorer.stage.touch
        explorer.reset()
        before = explorer.values, shown(explorer)
        sent.clear()
        others = {n: c.values()[-1] for n, c in explorer.declaration.controls.items() if n != name}
        for wrong in ({name: 2.5}, {"depth": 1}, others):
            explorer.stage._handle_custom_msg({"set": wrong}, [])
            assert (explorer.values, shown(explorer), sent) == (*before, [])


def test_projector_size_and_back(explorer):
    before = explorer.values, explorer.state, shown(explorer)
    explorer.present()
    assert LARGE in explorer.get_state()["_dom_classes"]  # so a reloaded page shows it
    for preset in [{}, *explorer.presets.values()]:
        explorer.set(**preset)
        assert not hasattr(explorer, "stage") or explorer.stage.large
    explorer.reset()
    explorer.present(False)
    assert (explorer.values, explorer.state, shown(explorer)) == before


# --- the words of all explorers ---------------------------------------------------------

NUMBER = re.compile(r"(?<![A-Za-z_.\d\-])\d+(?:,\d{3})*(?:\.\d+)?")


def plain(text):
    """Text without markup: of a title, of MathML."""
    return html.unescape(re.sub("<.*?>", " ", text or ""))


def told(texts):
    """Return the numbers of texts, each with its digits; a sign stands in words as well."""
    found = NUMBER.findall(" | ".join(texts))
    return [(float(n.replace(",", "")), len(n.partition(".")[2])) for n in found]


def unknown(view, values):
    """Return the numbers of title, sentence and formula that the table does not hold.

    A number is known if one of the table, with as many digits or more, rounds to it. So
    are those of the controls, and whole numbers up to one more than the table's rows:
    they are ranks, cutoffs and counts.
    """
    words = view.words
    cells = [format_cell(cell) for row in [words.header, *words.rows] for cell in row]
    known = told(cells + [str(value) for value in values.values()])
    said = told([plain(title_of(view)), words.sentence, plain(view.formula)])
    return [
        (number, digits)
        for number, digits in said
        if not (digits == 0 and number <= len(words.rows) + 1)
        and not any(_rounds_to(n, d, number, digits) for n, d in known)
    ]


def _rounds_to(exact, its_digits, number, digits):
    """Say whether one is the other rounded; the exact one may be rounded itself."""
    if exact == number:
        return True
    slack = 0.5 * 10**-digits + (0.5 * 10**-its_digits if its_digits > digits else 0)
    return its_digits >= digits and abs(exact - number) <= slack + 1e-12


def test_every_number_that_words_say_stands_in_the_table(explorer):
    for state in sampled(explorer, 150):
        view = explorer.declaration.view(**state)
        assert not unknown(view, state), state


def test_the_rule_of_words_can_fail():
    state = dict(example="zigzag", k=3, pool="list")
    view = slide_k().declaration.view(**state)
    for wrong in ("0.1234", "0.83", "99"):
        assert unknown(view._replace(says=f"NDCG is {wrong}."), state)
        assert unknown(view._replace(formula=f"<mn>{wrong}</mn>"), state)


def test_words_fit_their_places(explorer):
    for state in sampled(explorer, 40):
        view = explorer.declaration.view(**state)
        assert view.sentence.endswith(".")
        if hasattr(explorer, "stage"):
            assert len(view.sentence) <= MOST_LETTERS.get(explorer.name, 175)  # two lines


def test_plotly_takes_every_figure_as_it_is(explorer):
    """An explorer leaves out plotly's checks, which cost most of a redraw: here they are."""
    for state in sampled(explorer, 40):
        figure = explorer.declaration.view(**state).figure
        assert as_plotly_checks(figure) == as_sent(figure)


def test_no_view_is_changed_by_later_ones(explorer):
    """Figures are not copied: one must not hold a list that the model changes later."""
    figures = (explorer.declaration.view(**state).figure for state in sampled(explorer, 40))
    sent = [(figure, json.dumps(figure)) for figure in figures]
    assert all(json.dumps(figure) == text for figure, text in sent)


def texts(view):
    """Return title, sentence and formula as a reader reads them."""
    title = plain(title_of(view))
    return [" ".join(text.split()) for text in (title, view.sentence, plain(view.formula))]


@pytest.mark.parametrize("name", EXPLORERS)
def test_words_of_start_and_presets(name):
    """Golden texts; ``python tests/course/test_explorers.py`` writes them: read the diff."""
    if name in OF_THE_MANUAL and f"scikit-learn=={sklearn.__version__} " not in LOCK.read_text():
        pytest.skip("the golden numbers are those of the locked scikit-learn's manual")
    assert golden(name) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]


def golden(name):
    explorer = EXPLORERS[name]()
    start, view = explorer.values, explorer.declaration.view
    states = {"": {}, **explorer.presets}
    return {label: texts(view(**start | preset)) for label, preset in states.items()}


# --- the parts they are made of ---------------------------------------------------------


def test_a_page_that_missed_messages_is_sent_all(monkeypatch):
    sent = []
    monkeypatch.setattr(Slider, "send_state", lambda self, key=None: sent.append(key))
    slider = Slider(label="k", min=1, max=8)
    sent.clear()
    for content in ({"missed": True}, {"something": "else"}):
        slider._handle_custom_msg(content, [])
    assert sent == [None]


def test_every_module_listens():
    """See static/listen.js: a widget that comes late must still hear the kernel."""
    texts = [
        path.read_text(encoding="utf-8") for path in (*STATIC.glob("*.js"), *OWN.glob("*.js"))
    ]
    modules = [text for text in texts if "\nexport default" in text]
    assert len(modules) == len({*WIDGETS, *COURSE.widgets})
    assert all("keepListening(model);" in text for text in modules)


@pytest.mark.parametrize("widget", [*WIDGETS, *COURSE.widgets])
def test_what_shares_a_module_has_names_of_its_own(widget):
    """What a module imports stands in the same text: see `part.module`."""
    source = str(widget._esm)
    names = re.findall(
        r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", source, re.MULTILINE
    )
    assert len(names) == len(set(names)) >= 3
    assert len(re.findall("^export default", source, re.MULTILINE)) == 1
    assert not re.search("^import ", source, re.MULTILINE)


def test_one_plotly_for_all_explorers():
    one, other = term_ledger(), slide_k()
    assert one.stage.library is other.stage.library is shared_library()
    packed = shared_library().packed
    assert len(packed) < 2_000_000
    assert gzip.decompress(packed).decode() == get_plotlyjs()


def test_a_closed_library_is_made_anew():
    old = shared_library()
    old.close()
    assert shared_library() is not old
    assert shared_library().comm is not None


def test_the_slider_stays_in_its_range():
    slider = Slider(label="k", min=1, max=5, value=3)
    slider.value = 9
    assert slider.value == 5
    slider.value = 0
    assert slider.value == 1
    slider.value = 5
    slider.max = 3
    assert slider.value == 3


@pytest.mark.parametrize("make", [Choice, Pick])
def test_a_choice_is_a_value_or_none(make):
    choice = make("Gain", {"a": 1, "b": 2})
    assert (choice.value, choice.index) == (None, -1)
    choice.index = 1  # as the page sends it
    assert choice.value == 2
    choice.value = 1
    assert choice.index == 0
    with pytest.raises(TraitError, match="Gain must be one of"):
        choice.value = 3


# --- the self-test --------------------------------------------------------------------


def test_self_test_hears_each_part(capsys):
    test = self_test()
    assert "Every package that the course needs is installed." in capsys.readouterr().out
    assert test.works == {"slider": False, "figure": False, "button": False}
    assert test.status.value.count("has not spoken yet") == 3
    test.slider.value = 6
    assert "drew 6" in test.stage.figure["layout"]["title"]["text"]
    test.button.click()
    test.stage._handle_custom_msg({"hello": 1}, [])
    assert not test.works["figure"]
    test.stage._handle_custom_msg({"drawn": "4.1.1"}, [])
    assert test.works == {"slider": True, "figure": True, "button": True}
    assert "You are ready." in test.status.value


def test_self_test_names_what_is_missing(monkeypatch):
    assert missing_packages() == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert missing_packages() == ["scikit-learn"]


def test_self_test_without_widgets_says_what_to_install(capsys):
    text = self_test()._repr_mimebundle_()["text/plain"]
    assert "install ipywidgets and anywidget" in text


if __name__ == "__main__":
    words = {name: golden(name) for name in EXPLORERS}
    GOLDEN.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
