"""The list to drag, driven from Python: how it starts, its moves, and what it refuses."""

import json
import random

import numpy as np
import pytest
from traitlets import TraitError

from course.explorers import drag_list, every_order
from course.explorers.listed import Listed
from coursekit.figure import PLOTLY_MIME
from ndcglib.metrics import ndcg

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
    declared = ranking.declared
    assert declared["titles"] == ["D1", "D2", "D3", "D4", "D5"]
    assert declared["grades"] == ranking.ranked_grades == GRADES
    assert declared["question"] == "How high can you bring NDCG?"
    assert ranking.values == {"order": "0 1 2 3 4", "k": 5, "shown": True}
    assert (ranking.history, ranking.presets) == ([], {})


def test_everything_on_the_page_is_a_trait(ranking):
    assert {"declared", "values", "history"} <= set(ranking.get_state())
    json.dumps(ranking.get_state(["declared", "values", "history"]))
    with pytest.raises(TraitError, match="read-only"):
        ranking.declared = {}


def test_numpy_numbers_become_plain_ones():
    ranking = drag_list(np.array(GRADES), k=np.int64(3), presets={"best": np.argsort(GRADES)})
    ranking.set(k=np.int64(2))
    json.dumps([ranking.declared, ranking.values])
    assert ranking.ranked_grades == GRADES
    assert ranking.values["k"] == 2


def test_a_large_k_is_clipped():
    assert drag_list(GRADES, k=99).values["k"] == 5


# --- moves ------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["D4", 3])
def test_a_move_and_its_entry(ranking, document):
    ranking.move(document, 2)
    assert ranking.values["order"] == "0 3 1 2 4"
    assert ranking.ranked_grades == [2, 3, 3, 1, 0]
    assert ranking.history == [{"title": "D4", "from": 4, "to": 2}]


def test_a_position_is_one_in_the_starting_order(ranking):
    ranking.move("D1", 5)
    ranking.move(0, 1)
    assert ranking.values["order"] == "0 1 2 3 4"
    assert [(entry["from"], entry["to"]) for entry in ranking.history] == [(1, 5), (5, 1)]


def test_a_move_leaves_ties_at_their_ranks():
    explorer = every_order(GRADES, start={"order": "0 1=2 3 4"})
    explorer.move("D5", 1)
    assert explorer.values["order"] == "4 0=1 2 3"


def test_a_move_to_where_it_stands_changes_nothing(ranking):
    sent = messages(ranking)
    ranking.move("D4", 4)
    assert (ranking.history, sent) == ([], [])


def test_one_move_is_one_message(ranking):
    sent = messages(ranking)
    ranking.move("D4", 2)
    assert [set(state) for state in sent] == [{"values", "history"}]
    ranking.reset()
    ranking.reset()
    assert len(sent) == 2  # the second time there is nothing left to reset


def test_a_step_is_light(ranking):
    for i in range(50):
        ranking.move(i % 5, 1 + (i % 3))
    assert len(json.dumps(ranking.get_state(["values", "history"]))) < 10_000


def test_random_walks_stay_permutations(ranking):
    luck = random.Random(0)
    for _ in range(200):
        rank, document = luck.randint(1, 5), luck.randrange(5)
        ranking.move(document, rank)
        order = [int(place) for place in ranking.values["order"].split()]
        assert sorted(order) == [0, 1, 2, 3, 4]
        assert order[rank - 1] == document
        assert ranking.ranked_grades == [GRADES[place] for place in order]


def test_reset_returns_to_the_start():
    ranking = drag_list(GRADES, k=3, shown=False)
    ranking.move("D4", 1)
    ranking.set(k=5, shown=True)
    ranking.reset()
    assert (ranking.values, ranking.history) == (ranking.declaration.start, [])
    assert ranking.values == {"order": "0 1 2 3 4", "k": 3, "shown": False}


def test_an_order_of_ones_own_forgets_the_moves(ranking):
    ranking.move("D4", 1)
    ranking.set(order="4 3 2 1 0")
    assert ranking.history == []


def test_what_the_browser_writes_is_kept_once(ranking):
    """Order and moves come in one message; Python must neither double nor drop them."""
    first = {"title": "D4", "from": 4, "to": 1}
    ranking.set_state({"values": ranking.values | {"order": "3 0 1 2 4"}, "history": [first]})
    second = {"title": "D5", "from": 5, "to": 1}
    order = {"order": "4 3 0 1 2"}
    ranking.set_state({"history": [first, second], "values": ranking.values | order})
    assert ranking.history == [first, second]
    ranking.move("D5", 5)
    assert [entry["title"] for entry in ranking.history] == ["D4", "D5", "D5"]


@pytest.mark.parametrize("wrong", [{"order": "0 1"}, {"k": 0}, {"shown": "yes"}, {"depth": 3}])
def test_what_no_page_can_mean_is_refused(ranking, wrong):
    before = ranking.values
    with pytest.raises(TraitError, match="must"):
        ranking.set_state({"values": before | wrong})
    assert ranking.values == before


# --- what is refused --------------------------------------------------------------------


@pytest.mark.parametrize("order", ["0 1 2 3", "0 0 1 2 3", "1 2 3 4 5", "0=1 2 3 4", "0 1 2 3 ٤"])
def test_an_order_must_be_a_permutation(ranking, order):
    ranking.move("D4", 1)
    before = ranking.values, ranking.history
    with pytest.raises(ValueError, match="order must hold each of 0 to 4 once, with a space"):
        ranking.set(order=order)
    assert (ranking.values, ranking.history) == before


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
    with pytest.raises(ValueError, match=message):  # a declaration needs no widget to refuse it
        drag_list.declare(grades, **options)


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
        "D5 (grade 0). In its starting order, DCG@5 = 5.6848, IDCG@5 = 6.3235, NDCG@5 = 0.8990."
    )
    assert bundle["text/plain"] in bundle["text/html"]
    assert "<td>D4</td><td>1.2920</td>" in bundle["text/html"]
    figure = bundle[PLOTLY_MIME]
    assert "NDCG@5 = 0.8990" in figure["layout"]["title"]["text"]
    assert figure["data"][0]["y"] == pytest.approx([2, 1.89279, 0.5, 1.29203, 0], abs=1e-5)
    assert figure["config"]["showSendToCloud"] is False
    assert bundle == ranking._repr_mimebundle_()
    json.dumps(bundle)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_what_is_stored_of_a_state_is_that_of_the_metrics(gain, k):
    ranking = drag_list(GRADES, k=k, gain=gain)
    ranking.set(order="3 4 0 2 1")
    value = ndcg([3, 0, 2, 1, 3], [5, 4, 3, 2, 1], k=k, gain=gain)
    sentence = ranking.declaration.view(**ranking.values).sentence
    assert f"In this order, DCG@{k} = " in sentence
    assert sentence.endswith(f"NDCG@{k} = {value:.4f}.")


def test_the_start_keeps_its_cutoff():
    ranking = drag_list(GRADES, k=3)
    ranking.set(k=5)
    assert "NDCG@3 = " in ranking._repr_mimebundle_()["text/plain"]


def test_hidden_grades_stay_hidden_without_a_kernel():
    ranking = drag_list([1, 3], titles=["one", "two"], shown=False)
    ranking.set(shown=True)
    bundle = ranking._repr_mimebundle_()
    assert bundle["text/plain"] == "A list to reorder, with its grades hidden: one, two."
    assert PLOTLY_MIME not in bundle


# --- the module of the page -------------------------------------------------------------


def test_the_module_needs_nothing_else():
    source = str(Listed._esm)
    assert "http" not in source.replace("http://www.w3.org/2000/svg", "")
    assert "innerHTML" not in source  # a title is text, whatever it holds


def test_the_styles_are_small_and_local():
    styles, source = str(Listed._css), str(Listed._esm)
    assert ".ndcg-explorer" in styles  # the frame of every explorer
    assert "@import" not in styles
    assert "url(" not in styles
    assert len(styles) + len(source) < 75_000  # with both pictures
