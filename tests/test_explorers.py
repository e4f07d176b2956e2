"""Every control of every explorer over its whole range, without a browser."""

import gzip
import html
import itertools
import json
import math
import re

import pytest
from plotly.offline import get_plotlyjs
from traitlets import TraitError

from helpers.breakdown import breakdown
from helpers.course.explorers import (
    climb_stepper,
    duel,
    epoch_slider,
    one_number,
    self_test,
    slide_k,
    term_ledger,
    where_is_the_floor,
)
from helpers.course.explorers.explorer import Explorer
from helpers.course.explorers.formulas import equation, fraction, log2_of, name, number
from helpers.course.explorers.slide_k import EXAMPLES, Example, SlideK
from helpers.course.widgets.controls import Choice, Slider
from helpers.course.widgets.part import STATIC
from helpers.course.widgets.selftest import missing_packages
from helpers.course.widgets.stage import shared_library
from helpers.figures.describe import PLOTLY_MIME
from helpers.metrics import dcg, idcg, ndcg

GRADES = [3, 2, 3, 0, 1]
SCORES = [5, 4, 3, 2, 1]
ORDERS = {"ranked": GRADES, "ideal": sorted(GRADES)[::-1], "worst": sorted(GRADES)}


def title(explorer):
    return explorer.stage.figure["layout"]["title"]["text"].replace("<br>", " ")


def numbers(text):
    return [float(found) for found in re.findall(r"\d+\.\d+", text)]


def wire_size(explorer):
    """Bytes of a stage's state, as it goes to the page."""
    state = explorer.stage.get_state(["figure", "sentence", "formula", "table"])
    return len(json.dumps(state))


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
    if rank:
        assert numbers(title(explorer))[-1] == pytest.approx(expected, abs=5e-5)
        assert f"{expected:.4f}" in stage.sentence
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
    assert stage.table.count("<tr>") == 6
    last = breakdown(grades, SCORES, gain=gain).rows[-1].cumulative
    assert f"{last:.4f}" in stage.table


def test_ledger_title_is_a_true_equation():
    explorer = term_ledger(GRADES)
    explorer.set(rank=2, gain="exponential", order="ideal")
    assert title(explorer).startswith("Rank 2 adds 7 / log2(3) = 4.4165: IDCG@2 = 11.4165")
    assert round(7 / math.log2(3), 4) == 4.4165


def test_ledger_refuses_lists_that_do_not_fit():
    with pytest.raises(ValueError, match="grades must be 1 to 8, got 9"):
        term_ledger([1] * 9)
    with pytest.raises(ValueError, match="grades must be 1 to 8, got 0"):
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
    """What prints alike at these digits looks alike, whatever rounding did to the sum."""
    assert number(value, digits) == f"<mn>{text}</mn>"


# --- slide k --------------------------------------------------------------------------

STATES = [
    (key, k, pool)
    for key, example in EXAMPLES.items()
    for k in range(1, len(example.listed) + 1)
    for pool in ("list", "judged")
]


@pytest.mark.parametrize(("example", "k", "pool"), STATES)
def test_slide_k_in_every_state(example, k, pool):
    explorer = slide_k()
    explorer.set(example=example, k=k, pool=pool)
    listed, missed = EXAMPLES[example]
    scores = range(len(listed), 0, -1)
    judged = listed + missed if pool == "judged" else listed
    expected = [
        dcg(listed, scores, k=k),
        idcg(judged, k=k),
        ndcg(listed, scores, k=k, pool=judged),
    ]
    assert 0 <= expected[2] <= 1 + 1e-12
    assert numbers(title(explorer)) == pytest.approx(expected, abs=5e-5)
    for value in expected:
        text = f"{value:.4f}".removesuffix(".0000")
        assert f"<mn>{text}</mn>" in explorer.stage.formula
        assert f"{value:.4f}" in explorer.stage.sentence
        assert f"{value:.4f}" in explorer.stage.table
    curve = explorer.stage.figure["data"][1]
    assert curve["y"][k - 1] == pytest.approx(expected[2], abs=1e-6)
    expected_formula = equation(
        name(f"NDCG@{k}"),
        "=",
        fraction(name(f"DCG@{k}"), name(f"IDCG@{k}")),
        "=",
        fraction(number(expected[0]), number(expected[1])),
        "≈",
        number(expected[2]),
    )
    assert explorer.stage.formula == expected_formula
    marks = {note["text"] for note in explorer.stage.figure["layout"]["annotations"]}
    assert marks == {f"k = {k}"}


def test_the_slider_ends_where_the_list_ends():
    explorer = slide_k()
    explorer.controls["k"].value = 8
    explorer.controls["example"].value = "missed"
    assert explorer.values == {"example": "missed", "k": 3, "pool": "list"}
    assert explorer.controls["k"].max == 3
    assert title(explorer).startswith("k = 3:")
    explorer.set(example="zigzag", k=8)
    assert explorer.values["k"] == 8


def test_the_false_one_and_the_honest_value():
    explorer = slide_k()
    explorer.set(**explorer.presets["Missed 3s"])
    assert title(explorer).endswith("NDCG 1.0000")
    explorer.controls["pool"].value = "judged"
    assert title(explorer).endswith("NDCG 0.1564")


# --- what all explorers share ---------------------------------------------------------

EXPLORERS = {
    "term_ledger": term_ledger,
    "slide_k": slide_k,
    "duel": duel,
    "floor": where_is_the_floor,
    "one_number": one_number,
    "ascent": climb_stepper,
    "epochs": epoch_slider,
}
# Another state than at the start and those of the presets, and one to come from.
STATES = {
    "term_ledger": (dict(rank=2, gain="exponential", order="worst"), dict(rank=4)),
    "slide_k": (dict(example="missed", k=2, pool="judged"), dict(k=5)),
    "duel": (
        dict(pair="both decide", base=26, k=4),
        dict(pair="binary", base=10, k=2),
    ),
    "floor": (dict(labels="12 mixed", k=7, yours=66), dict(labels="8 of 10", k=2, yours=40)),
    "one_number": (
        dict(number="40 queries", place=26, error=True),
        dict(number="F", place=80, error=False),
    ),
    "ascent": (dict(run="exact", number=3, query=2), dict(run="step", number=9, query=3)),
    "epochs": (dict(data="linear", loss="lambdarank", epoch=9), dict(epoch=3)),
}


@pytest.fixture(params=EXPLORERS, name="kind")
def _kind(request):
    return request.param


@pytest.fixture(name="explorer")
def _explorer(kind):
    return EXPLORERS[kind]()


def test_at_most_three_controls_each_with_a_name(explorer):
    assert 1 <= len(explorer.controls) <= 3
    for control in explorer.controls.values():
        assert isinstance(control, (Slider, Choice))  # both show their label as their name
        assert control.label


def test_each_preset_and_reset(explorer):
    start, shown = explorer.values, explorer.stage.figure
    row = explorer.children[1].children
    assert [b.description for b in row] == [*explorer.presets, "Reset"]
    assert len(explorer.presets) <= 4
    for button, values in zip(row, explorer.presets.values(), strict=False):
        button.click()
        assert explorer.values == values
        row[-1].click()
        assert explorer.values == start
        assert explorer.stage.figure == shown


def test_one_change_is_one_redraw(explorer):
    drawn = []
    explorer.stage.observe(lambda change: drawn.append(change), "figure")
    sent = []
    explorer.stage._send = lambda message, buffers=None: sent.append(message)
    preset = next(v for v in explorer.presets.values() if v != explorer.values)
    explorer.set(**preset)
    assert len(drawn) == 1
    assert len(sent) == 1  # figure, sentence and table in one message
    assert {"figure", "sentence"} <= set(sent[0]["state"])


def test_another_state_is_sent_whole(kind, explorer):
    sent = []
    explorer.stage._send = lambda message, buffers=None: sent.append(message)
    explorer.set(**STATES[kind][0])
    assert len(sent) == 1
    assert {"figure", "sentence", "formula", "table"} <= set(sent[0]["state"])


def test_bad_values_are_refused(explorer):
    with pytest.raises(ValueError, match="no control 'depth'; there are"):
        explorer.set(depth=3)
    slider = next(name for name, c in explorer.controls.items() if isinstance(c, Slider))
    with pytest.raises(ValueError, match=f"{slider} cannot be 999"):
        explorer.set(**{slider: 999})
    choice = next(name for name, c in explorer.controls.items() if isinstance(c, Choice))
    with pytest.raises(ValueError, match=f"{choice} cannot be 'nope': .* must be one of"):
        explorer.set(**{choice: "nope"})


def test_a_refused_state_changes_nothing():
    explorer = slide_k()
    before = explorer.values
    with pytest.raises(ValueError, match="k cannot be 8, the nearest is 3"):
        explorer.set(example="missed", k=8)
    assert explorer.values == before
    assert title(explorer).startswith("k = 1:")


def test_presets_must_name_controls():
    model = SlideK({"a": Example((1, 0), ())})
    controls = {"k": Slider(label="k", min=1, max=2, value=1)}
    with pytest.raises(ValueError, match="no control 'q'; there are k"):
        Explorer("?", model, controls, {"bad": {"q": 1}})


def test_a_preset_that_is_the_start_gets_no_button():
    explorer = term_ledger([3])  # one document: its whole sum is its first term
    assert list(explorer.presets) == ["Whole ideal sum"]
    assert [b.description for b in explorer.children[1].children] == ["Whole ideal sum", "Reset"]


def test_the_stage_is_a_function_of_the_controls(explorer):
    """Whatever way leads to a state, the state shows the same."""
    preset = list(explorer.presets.values())[-1]
    explorer.set(**preset)
    once = explorer.stage.figure, explorer.stage.sentence
    explorer.reset()
    for control, value in preset.items():
        explorer.controls[control].value = value
    assert (explorer.stage.figure, explorer.stage.sentence) == once


def test_any_way_leads_to_the_same_stage(kind, explorer):
    """At once, or control by control and from elsewhere."""
    state, elsewhere = STATES[kind]
    explorer.set(**state)
    other = EXPLORERS[kind]()
    other.set(**elsewhere)
    for control, value in explorer.values.items():
        other.controls[control].value = value
    assert other.stage.figure == explorer.stage.figure
    assert other.stage.sentence == explorer.stage.sentence


def test_without_a_kernel_there_are_a_figure_a_sentence_and_a_table(explorer):
    bundle = explorer._repr_mimebundle_()
    assert bundle[PLOTLY_MIME] == explorer.stage.figure
    assert bundle["text/plain"] == explorer.stage.sentence
    assert html.escape(explorer.stage.sentence) in bundle["text/html"]
    assert explorer.stage.table in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_nothing_offers_an_upload(explorer):
    assert explorer.stage.figure["config"]["showSendToCloud"] is False


def test_a_step_is_light(explorer):
    assert wire_size(explorer) < 20_000


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
    shared = {"elements.js", "listen.js", "narrow.js", "state_field.js"}
    modules = [path for path in STATIC.glob("*.js") if path.name not in shared]
    assert len(modules) >= 6
    for path in modules:
        assert "keepListening(model);" in path.read_text(encoding="utf-8"), path.name


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


def test_a_choice_is_a_value_or_none():
    choice = Choice("Gain", {"a": 1, "b": 2})
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
    assert missing_packages() == ["scikit-learn", "voila"]


def test_self_test_without_widgets_says_what_to_install(capsys):
    text = self_test()._repr_mimebundle_()["text/plain"]
    assert "install ipywidgets and anywidget" in text
