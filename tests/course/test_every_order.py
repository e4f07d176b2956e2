"""All 120 orders, driven from Python: its dots, its words, and what it refuses."""

import itertools

import numpy as np
import pytest
from contrast import contrast

from course.explorers import EXPLORERS, every_order
from course.explorers.listed import OWN
from helpers.numbers import with_and
from ndcglib.metrics import ndcg, random_ndcg, worst_ndcg

GRADES = [2, 1, 3, 0, 3]
WHITE = (255, 255, 255)


@pytest.fixture(name="explorer")
def _explorer():
    return every_order(GRADES)


def shown(explorer):
    return explorer.declaration.view(**explorer.values)


def rgb(color):
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def dots(explorer):
    """Return the values of the gray dots, of the blue ones and of the orange ones."""
    _, *piles = shown(explorer).figure.data
    return [np.array(trace["x"]) for trace in piles]


def rules(explorer):
    return {name: explorer.values[name] for name in ("k", "gain", "discount")}


def test_dots_can_be_seen_and_have_one_color_in_picture_and_page(explorer):
    colors = [trace["marker"]["color"].lower() for trace in shown(explorer).figure.data[1:]]
    assert len(set(colors)) == 3
    script, style = ((OWN / f"dots.{kind}").read_text("utf-8") for kind in ("js", "css"))
    assert min(contrast(rgb(color), WHITE) for color in colors) >= 3
    lower, reaching, yours = colors
    assert f'radius, found.reaching[i] ? "{reaching}" : "{lower}")' in script
    assert f'"{yours}")' in script
    assert f"tspan.reaching {{ fill: {reaching}; }}" in style  # the key
    assert f"tspan.lower {{ fill: {lower}; }}" in style


@pytest.mark.parametrize("order", ["0 1 2 3 4", "3 1 0 2 4", "1 0=2 3=4"])
def test_blue_dots_score_at_least_as_well_and_gray_ones_do_not(explorer, order):
    explorer.set(order=order)
    lower, reaching, mine = dots(explorer)
    assert (lower < mine.mean() - 1e-6).all()
    assert (reaching > mine.mean() - 1e-6).all()
    n = len(reaching) + (mine > mine.mean() - 1e-6).sum()
    assert shown(explorer).figure.layout["title"]["text"].startswith(f"{n} of 120 orders")


@pytest.mark.parametrize("grades", [GRADES, [1, 0], [3, 3, 2, 0, 1, 1]])
def test_the_mean_of_the_dots_is_chance_and_the_lowest_is_the_floor(grades):
    explorer = every_order(grades)
    for state in list(explorer.states())[:: 7 if len(grades) > 2 else 1]:
        explorer.set(**state)
        values = np.concatenate(dots(explorer))
        assert len(values) == len(list(itertools.permutations(grades)))
        assert values.mean() == pytest.approx(random_ndcg(grades, **rules(explorer)), abs=1e-6)
        assert values.min() == pytest.approx(worst_ndcg(grades, **rules(explorer)), abs=1e-6)
        ground = shown(explorer).figure.data[0]
        assert max(ground["x"]) == values.min()
        table = shown(explorer).table
        assert f"{values.mean():.4f}" in table
        assert f"{values.min():.4f}" in table


@pytest.mark.parametrize("order", ["0=1=2=3=4", "2 0=4=3 1", "1=0 2 3=4", "4 3 2 1 0"])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_a_tied_list_is_the_mean_of_the_dots_that_it_allows(explorer, order, k):
    explorer.set(order=order, k=k)
    *_, mine = dots(explorer)
    groups = [group.split("=") for group in order.split()]
    documents = [int(doc) for group in groups for doc in group]
    scores = [-i for i, group in enumerate(groups) for _ in group]
    value = ndcg(np.array(GRADES)[documents], scores, k=k)
    assert mine.mean() == pytest.approx(value, abs=1e-6)
    assert f"NDCG@{k} = {value:.4f}" in shown(explorer).sentence
    assert len(mine) == np.prod([len(list(itertools.permutations(g))) for g in groups])


def test_who_is_ahead_at_each_cutoff(explorer):
    lists = {"order": "2 3 1 0 4", "pinned": "0 2 1 4 3"}
    explorer.set(**lists)
    ranked = [np.array(GRADES)[[int(doc) for doc in text.split()]] for text in lists.values()]
    ahead = [
        np.sign(np.subtract(*(ndcg(r, ranked=True, k=k) for r in ranked))) for k in range(1, 6)
    ]
    sentence = shown(explorer).sentence
    for words, sign in (("ahead of the pinned list", 1), ("behind it", -1)):
        at = [k for k in range(1, 6) if ahead[k - 1] == sign]
        assert f"{words} at k = {with_and(at)}" in sentence
    assert sentence.endswith("another gain changes that, but another discount does not.")
    explorer.set(gain="exponential")
    assert (
        "ahead of the pinned list at k = 1 and 5, and behind it at k = 2, 3 and 4"
        in shown(explorer).sentence
    )


def test_two_equal_lists_are_level(explorer):
    explorer.set(pinned="0 1 2 3 4", order="0 1 2 3 4")
    assert "level with the pinned list at k = 1, 2, 3, 4 and 5" in shown(explorer).sentence


def test_own_start_presets_and_titles():
    explorer = every_order(
        [0, 2, 1], titles=["a", "b", "c"], start={"k": 2}, presets={"Ideal": {"order": "1 2 0"}}
    )
    assert (explorer.values["k"], explorer.declaration.titles) == (2, ["a", "b", "c"])
    explorer.set(**explorer.presets["Ideal"])
    assert explorer.state == 'every-order: order="1 2 0" k=2 gain=linear discount=log pinned=""'
    explorer.reset()
    assert explorer.values["order"] == "0 1 2"


def test_settings_that_a_notebook_does_not_name_are_folded_away():
    assert every_order(GRADES).declaration.aside == ("k", "gain", "discount", "pinned")
    named = {"One": {"k": 1}, "Two": {"pinned": "0 2 1 4 3"}}
    own = every_order(GRADES, start={"gain": "exponential"}, presets=named)
    assert own.declaration.aside == ("discount",)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"order": "0 1 2 3"}, "order must hold each of 0 to 4 once"),
        ({"order": "0 1 2 3 4 "}, "order must hold each of 0 to 4 once"),
        ({"order": "0-1 2 3 4"}, "order must hold each of 0 to 4 once"),
        ({"pinned": "1"}, "pinned must hold each of 0 to 4 once"),
        ({"k": 6}, "k must be"),
        ({"gain": "log"}, "gain must be linear or exponential, got 'log'"),
        ({"discount": "2002"}, "discount must be log or reciprocal, got '2002'"),
    ],
)
def test_refusals_say_what_is_allowed_and_change_nothing(explorer, values, message):
    before = explorer.state
    with pytest.raises(ValueError, match=f"^{message}"):
        explorer.set(**values)
    for where in ("start", "presets"):
        given = values if where == "start" else {"Mine": values}
        label = "start" if where == "start" else "Mine"
        with pytest.raises(ValueError, match=f"^{label}: {message}|^{message}"):
            every_order(GRADES, **{where: given})
    assert explorer.state == before


def test_seven_documents_are_too_many():
    with pytest.raises(ValueError, match="grades must be of 2 to 6 documents, got 7"):
        every_order([1] * 7)


def test_a_change_goes_to_the_page_as_one_message(explorer):
    sent = []
    explorer._send = lambda message, buffers=None: sent.append(message["state"])
    explorer.set(order="4 3 2 1 0", k=2, gain="exponential")
    assert sent == [{"values": explorer.values}]


def test_the_presets_say_what_their_buttons_claim():
    explorer = EXPLORERS["every-order"]()
    said = {}
    for label, values in explorer.presets.items():
        said[label] = explorer.declaration.view(**values).sentence
    for label in ("The gain decides", "The discount does not"):
        assert "another gain changes that, but another discount does not" in said[label]
    falling = explorer.presets["NDCG@k falls"]
    first, second = (explorer.declaration.view(**falling | {"k": k}) for k in (1, 2))
    assert "NDCG@1 = 1.0000" in first.sentence
    assert "NDCG@2 = 0.6131" in second.sentence
