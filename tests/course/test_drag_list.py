"""The ranking list you drag, driven from Python: its traits, moves and refusals."""

import json
import random

import numpy as np
import pytest
from traitlets import TraitError

from course.explorers import drag_list
from course.explorers.listed import OWN
from coursekit.figure import PLOTLY_MIME
from coursekit.widgets.part import module
from ndcglib.metrics import dcg, ndcg

GRADES = [2, 3, 1, 3, 0]
WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(name="ranking")
def _ranking():
    return drag_list(GRADES)


def messages(widget):
    """Return the list that collects the states a widget sends to its page from now on."""
    sent = []
    widget._send = lambda message, buffers=None: sent.append(message["state"])
    return sent


# --- how it starts ----------------------------------------------------------------------


def test_the_start(ranking):
    assert ranking.titles == ["D1", "D2", "D3", "D4", "D5"]
    assert ranking.grades == ranking.ranked_grades == GRADES
    assert ranking.order == [0, 1, 2, 3, 4]
    assert (ranking.k, ranking.gain, ranking.shown) == (5, "linear", True)
    assert (ranking.history, ranking.presets) == ([], {})
    assert ranking.question == "How high can you bring it?"
    assert ranking.ndcg == pytest.approx(0.8990, abs=5e-5)
    assert ranking.dcg == pytest.approx(5.6848, abs=5e-5)


def test_everything_on_the_page_is_a_trait(ranking):
    fixed = {"question", "titles", "grades", "orders", "start"}
    assert fixed | {"order", "k", "gain", "shown", "history"} <= set(ranking.get_state())


def test_numpy_grades_become_plain_numbers():
    ranking = drag_list(np.array(GRADES), k=np.int64(3), presets={"best": np.argsort(GRADES)})
    json.dumps([ranking.grades, ranking.k, ranking.presets])
    assert ranking.grades == GRADES


def test_a_large_k_is_clipped():
    assert drag_list(GRADES, k=99).k == 5


def test_the_documents_are_fixed(ranking):
    for name in ("grades", "titles", "question", "orders", "start"):
        with pytest.raises(TraitError, match="read-only"):
            setattr(ranking, name, getattr(ranking, name))


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_scores_are_those_of_the_metrics(gain, k):
    ranking = drag_list(GRADES, k=k, gain=gain)
    ranking.order = [3, 4, 0, 2, 1]
    listed = [3, 0, 2, 1, 3]
    assert ranking.ranked_grades == listed
    assert ranking.ndcg == ndcg(listed, [5, 4, 3, 2, 1], k=k, gain=gain)
    assert ranking.dcg == dcg(listed, [5, 4, 3, 2, 1], k=k, gain=gain)


# --- moves ------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["D4", 3])
def test_a_move_and_its_entry(ranking, document):
    ranking.move(document, 2)
    assert ranking.order == [0, 3, 1, 2, 4]
    assert ranking.ndcg == pytest.approx(0.9209, abs=5e-5)
    assert ranking.history == [
        {
            "title": "D4",
            "from": 4,
            "to": 2,
            "order": [0, 3, 1, 2, 4],
            "k": 5,
            "gain": "linear",
            "ndcg": ranking.ndcg,
        }
    ]


def test_a_position_is_one_in_the_starting_order(ranking):
    ranking.move("D1", 5)
    ranking.move(0, 1)
    assert ranking.order == [0, 1, 2, 3, 4]
    assert [(entry["from"], entry["to"]) for entry in ranking.history] == [(1, 5), (5, 1)]


def test_a_move_to_where_it_stands_changes_nothing(ranking):
    sent = messages(ranking)
    ranking.move("D4", 4)
    assert (ranking.history, sent) == ([], [])


def test_one_move_is_one_message(ranking):
    sent = messages(ranking)
    ranking.move("D4", 2)
    assert [set(state) for state in sent] == [{"order", "history"}]
    ranking.reset()
    ranking.reset()
    assert len(sent) == 2  # the second time there is nothing left to reset


def test_observers_see_the_order_with_its_moves(ranking):
    ranking.move("D4", 1)
    seen = []
    ranking.observe(lambda change: seen.append((change["new"], ranking.history[-1])), "order")
    ranking.move("D5", 1)
    [(order, last)] = seen
    assert last["order"] == order


def test_a_step_is_light(ranking):
    for i in range(50):
        ranking.move(i % 5, 1 + (i % 3))
    assert len(json.dumps(ranking.get_state(["order", "history"]))) < 10_000


def test_random_walks_stay_permutations(ranking):
    luck = random.Random(0)
    for _ in range(200):
        rank = luck.randint(1, 5)
        document = luck.choice(ranking.titles)
        ranking.move(document, rank)
        assert sorted(ranking.order) == [0, 1, 2, 3, 4]
        assert ranking.titles[ranking.order[rank - 1]] == document
        assert ranking.ndcg == ndcg(ranking.ranked_grades, [5, 4, 3, 2, 1])
    assert ranking.history[-1]["order"] == ranking.order


def test_reset_returns_to_the_start():
    ranking = drag_list(GRADES, k=3, shown=False)
    ranking.move("D4", 1)
    ranking.k, ranking.shown, ranking.gain = 5, True, "exponential"
    ranking.reset()
    assert (ranking.order, ranking.history) == ([0, 1, 2, 3, 4], [])
    assert (ranking.k, ranking.shown) == (3, False)
    assert ranking.gain == "exponential"  # no control of the page


def test_an_order_of_ones_own_forgets_the_moves(ranking):
    ranking.move("D4", 1)
    ranking.order = [4, 3, 2, 1, 0]
    assert ranking.history == []


def test_what_the_browser_writes_is_kept_once(ranking):
    """Order and moves come in one message; Python must neither double nor drop them."""
    first = {"title": "D4", "from": 4, "to": 1, "order": [3, 0, 1, 2, 4], "k": 5}
    ranking.set_state({"order": [3, 0, 1, 2, 4], "history": [first]})
    second = {"title": "D5", "from": 5, "to": 1, "order": [4, 3, 0, 1, 2], "k": 5}
    ranking.set_state({"history": [first, second], "order": [4, 3, 0, 1, 2]})
    assert ranking.history == [first, second]
    ranking.move("D5", 5)
    assert [entry["title"] for entry in ranking.history] == ["D4", "D5", "D5"]


# --- what is refused --------------------------------------------------------------------


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 0, 1, 2, 3], [1, 2, 3, 4, 5]])
def test_an_order_must_be_a_permutation(ranking, order):
    ranking.move("D4", 1)
    before = ranking.order, ranking.history
    with pytest.raises(TraitError, match=r"order must hold each of 0 to 4 once, got \["):
        ranking.order = order
    assert (ranking.order, ranking.history) == before


def test_other_traits_refuse_what_they_cannot_be(ranking):
    with pytest.raises(TraitError, match="k must be 1 or more, got 0"):
        ranking.k = 0
    with pytest.raises(TraitError, match="linear"):
        ranking.gain = "quadratic"
    ranking.k = 99
    assert ranking.k == 5


@pytest.mark.parametrize(
    ("document", "rank", "message"),
    [
        ("D9", 1, "no document 'D9'; there are D1, D2, D3, D4, D5"),
        (5, 1, "document must be a whole number from 0 to 4, got 5"),
        ("D1", 0, "to_rank must be a whole number from 1 to 5, got 0"),
    ],
)
def test_moves_that_cannot_be(ranking, document, rank, message):
    with pytest.raises(ValueError, match=message):
        ranking.move(document, rank)
    assert ranking.history == []


@pytest.mark.parametrize(
    ("grades", "options", "message"),
    [
        ([1], {}, "grades must be of 2 to 10 documents, got 1"),
        ([1, -1], {}, r"grades\[1\] must be a whole number from 0 to 9, got -1"),
        ([0, 0], {}, r"grades must be above 0 somewhere, got \[0, 0\]"),
        ([1, 0], dict(titles=["a"]), "titles must name each of 2 documents, got 1"),
        ([1, 0], dict(titles=["a", "a"]), r"titles must tell the documents apart, got"),
        ([1, 0], dict(k=0), "k must be a positive integer or None, got 0"),
        ([1, 0], dict(gain="x"), "gain must be one of 'linear', 'exponential', got 'x'"),
        ([1, 0], dict(presets={"b": [0]}), r"presets\['b'\] must hold each of 0 to 1 once"),
    ],
)
def test_lists_that_cannot_be(grades, options, message):
    with pytest.raises(ValueError, match=message):
        drag_list(grades, **options)


def test_types_that_cannot_be():
    with pytest.raises(TypeError, match="titles must be a list of texts, got 'ab'"):
        drag_list([1, 0], titles="ab")
    with pytest.raises(TypeError, match="k must be a positive integer or None, got 'a'"):
        drag_list([1, 0], k="a")
    with pytest.raises(TypeError, match="shown must be True or False, got 'no'"):
        drag_list([1, 0], shown="no")


# --- without a kernel -------------------------------------------------------------------


def test_without_a_kernel_there_is_the_start(ranking):
    ranking.move("D4", 1)
    bundle = ranking._repr_mimebundle_()
    assert bundle[WIDGET_MIME]["model_id"] == ranking.model_id
    assert bundle["text/plain"] == (
        "A list to reorder: D1 (grade 2), D2 (grade 3), D3 (grade 1), D4 (grade 3), "
        "D5 (grade 0). As it starts, DCG@5 = 5.6848, IDCG@5 = 6.3235, NDCG@5 = 0.8990."
    )
    assert bundle["text/plain"] in bundle["text/html"]
    assert "<td>D4</td><td>1.2920</td>" in bundle["text/html"]
    figure = bundle[PLOTLY_MIME]
    assert "NDCG@5 = 0.8990" in figure["layout"]["title"]["text"]
    assert figure["data"][0]["y"] == pytest.approx([2, 1.89279, 0.5, 1.29203, 0], abs=1e-5)
    assert figure["config"]["showSendToCloud"] is False
    assert bundle == ranking._repr_mimebundle_()
    json.dumps(bundle)


def test_the_start_keeps_its_cutoff():
    ranking = drag_list(GRADES, k=3)
    ranking.k = 5
    assert "NDCG@3 = " in ranking._repr_mimebundle_()["text/plain"]


def test_hidden_grades_stay_hidden_without_a_kernel():
    ranking = drag_list([1, 3], titles=["one", "two"], shown=False)
    ranking.shown = True
    bundle = ranking._repr_mimebundle_()
    assert bundle["text/plain"] == "A list to reorder, its grades hidden: one, two."
    assert PLOTLY_MIME not in bundle


# --- state line and projector ------------------------------------------------------------

LINES = {
    'drag-list: order="3 0 1 2 4" k=3 shown=False': "",
    '  drag-list:  order="4 3 2 1 0"  k=5 shown=True ': "",
    'drag-list: order="0 1 2 3" k=3 shown=True': "order must hold each of 0 to 4 once",
    'drag-list: order="0 1 2 3 3" k=3 shown=True': "order must hold each of 0 to 4 once",
    'drag-list: order="1 2 3 4 5" k=3 shown=True': "order must hold each of 0 to 4 once",
    'drag-list: order="" k=3 shown=True': "order must hold each of 0 to 4 once",
    'drag-list: order="0 1 2 3 4" k=0 shown=True': "k must be",
    'drag-list: order="0 1 2 3 4" k=6 shown=True': "k must be",
    'drag-list: order="0 1 2 x 4" k=3 shown=True': "",
    'drag-list: order="0 1 2 3 4" k=two shown=True': "",
    'drag-list: order="0 1 2 3 4" k=3 shown=yes': "",
    'drag-list: order="0 1 2 3 4" k=3': "",
    'drag-list: order="0 1 2 3 4" k=3 shown=True gain=linear': "",
    "slide-k: example=zigzag k=2 pool=list": "",
    "order": "",
    "": "",
}  # to words that both Python and the page must use, where they speak alike
GOOD = list(LINES)[:2]
ANY_REFUSAL = "must|missing|no control|begins|this is drag-list"


@pytest.mark.parametrize("line", GOOD)
def test_a_line_restores_all_of_it(ranking, line):
    ranking.move("D5", 1)
    sent = messages(ranking)
    ranking.restore(line)
    assert ranking.state == " ".join(line.split())
    assert ranking.history == []
    assert len(sent) == 1


@pytest.mark.parametrize("line", [line for line in LINES if line not in GOOD])
def test_a_bad_line_changes_nothing(ranking, line):
    ranking.move("D5", 1)
    before = ranking.get_state()
    with pytest.raises(ValueError, match=LINES[line] or ANY_REFUSAL):
        ranking.restore(line)
    assert ranking.get_state() == before


# --- the module of the page -------------------------------------------------------------


def test_the_module_needs_nothing_else():
    source = module(OWN / "drag_list.js")
    assert "import " not in source
    assert "http" not in source
    assert "innerHTML" not in source  # a title is text, whatever it holds


def test_the_styles_are_small_and_local(ranking):
    assert ".ndcg-explorer" in ranking._css  # the frame of every explorer
    assert "@import" not in ranking._css
    assert "url(" not in ranking._css
    assert len(ranking._css) + len(str(ranking._esm)) < 50_000
