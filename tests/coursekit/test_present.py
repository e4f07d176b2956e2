"""State lines and projector size, without a browser."""

from weakref import WeakSet

import pytest

from course.explorers import slide_k, term_ledger
from coursekit.widgets.present import Presentable, present, size_choice
from coursekit.widgets.state_line import read_state, write_state


@pytest.fixture(autouse=True)
def _a_session_of_its_own(monkeypatch):
    monkeypatch.setattr(Presentable, "_living", WeakSet())
    monkeypatch.setattr(Presentable, "_is_large_from_the_start", False)


# --- the state line -------------------------------------------------------------------


def test_the_line_is_what_the_issue_says():
    explorer = slide_k()
    explorer.set(k=2)
    assert explorer.state == "slide-k: example=zigzag k=2 pool=list"
    assert explorer.state_line.line == explorer.state


def test_one_restore_is_one_redraw():
    explorer = slide_k()
    line = explorer.state
    explorer.set(**list(explorer.presets.values())[-1])
    drawn, written = [], []
    explorer.stage.observe(drawn.append, "figure")
    explorer.state_line.observe(written.append, "line")
    explorer.restore(line)
    assert (len(drawn), len(written)) == (1, 1)


def test_spaces_around_do_not_matter():
    explorer = slide_k()
    explorer.restore("  slide-k:   example=missed k=3   pool=judged \n")
    assert explorer.values == {"example": "missed", "k": 3, "pool": "judged"}
    explorer.restore("slide-k: pool=list k=2 example=zigzag")  # in any order
    assert explorer.values == {"example": "zigzag", "k": 2, "pool": "list"}


BAD = {
    "": "begins with the name of an explorer and a colon, got ''",
    "k=3": "begins with the name of an explorer and a colon, got 'k=3'",
    "duel: k=3": "this is slide-k, the line is of duel",
    "slide-k:": "example is missing; slide-k needs example, k, pool",
    "slide-k: example=zigzag k=2": "pool is missing; slide-k needs example, k, pool",
    "slide-k: k=2 k=3": "k stands twice",
    "slide-k: depth=3": "no control 'depth'; there are example, k, pool",
    "slide-k: self=3": "no control 'self'",
    "slide-k: example=zigzag k=2 pool=list now": "pairs such as k=2, got 'now'",
    "slide-k: example=zigzag k = 2": "pairs such as k=2, got 'k = 2'",
    'slide-k: example="zigzag': "pairs such as k=2, got 'example=",
    "slide-k: example=“zigzag”": "text in \"straight quotes\", got '“zigzag”'",
    'slide-k: example="\\q"': 'text in "straight quotes", got',
    "slide-k: example=zigzag k=2.5 pool=list": "k must be a whole number, a word",
    "slide-k: example=zigzag k=99 pool=list": "k cannot be 99, the nearest is 8",
    "slide-k: example=missed k=8 pool=list": "k cannot be 8, the nearest is 3",
    "slide-k: example=zigzag k=None pool=list": "k cannot be None: .* whole number",
    "slide-k: example=zigzag k=True pool=list": "k cannot be True: .* whole number",
    "slide-k: example=zigzag k=two pool=list": "k cannot be 'two': .* whole number",
    "slide-k: example=None k=2 pool=list": r"must be one of \['zigzag', 'missed'\]",
    "slide-k: example=1 k=2 pool=list": r"must be one of \['zigzag', 'missed'\]",
    "slide-k: " + "x" * 500: "got 'x{40}…'",
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:40])
def test_a_bad_line_changes_nothing(line):
    explorer = slide_k()
    explorer.set(example="missed", k=2, pool="judged")
    before = explorer.values, shown(explorer)
    with pytest.raises(ValueError, match=BAD[line]):
        explorer.restore(line)
    assert (explorer.values, shown(explorer)) == before


def shown(explorer):
    return explorer.stage.figure, explorer.stage.sentence, explorer.state_line.line


def type_into(explorer, text):
    """Send what the page sends for a line that was typed."""
    explorer.state_line._handle_custom_msg({"restore": text}, [])


def test_the_page_gets_an_answer():
    explorer = slide_k()
    type_into(explorer, "slide-k: example=zigzag k=99 pool=list")
    assert explorer.state_line.trouble == "k cannot be 99, the nearest is 8"
    assert explorer.state_line.line == explorer.state
    type_into(explorer, "slide-k: example=zigzag k=5 pool=judged")
    assert explorer.values == {"example": "zigzag", "k": 5, "pool": "judged"}
    assert explorer.state_line.trouble == ""
    type_into(explorer, "nothing")
    assert explorer.state_line.trouble
    explorer.reset()
    assert explorer.state_line.trouble == ""


@pytest.mark.parametrize(
    "value",
    [
        *("word", "two words", "", " ", "3", "-3", "True", "None", "true", "1 of 10", "-", "."),
        *(
            '"',
            "'",
            "\\",
            "a=b",
            "x: y=1",
            "new\nline",
            "tab\t",
            "gain 2^grade − 1",
            "…",
            "\u2028",
        ),
        *(0, 7, -3, 10**14, True, False, None),
    ],
)
def test_values_come_back_exactly(value):
    line = write_state("any", {"first": value, "second": "x"})
    name, values = read_state(line)
    assert name == "any"
    assert values == {"first": value, "second": "x"}
    assert type(values["first"]) is type(value)
    assert not set("\n\r\t") & set(line)  # an <input> would drop them


def test_what_a_line_cannot_say_is_refused():
    with pytest.raises(TypeError, match=r"k must be text, a whole number, a bool or None"):
        write_state("any", {"k": 2.5})


# --- projector size -------------------------------------------------------------------


def test_explorers_made_later_follow():
    present()
    explorer = slide_k()
    assert explorer.presenting
    assert explorer.stage.large
    present(False)
    assert not explorer.presenting
    assert not slide_k().presenting


def test_one_explorer_alone():
    one, other = slide_k(), term_ledger()
    one.present()
    assert (one.presenting, other.presenting) == (True, False)
    one.present(True)
    one.present(False)
    assert not one.presenting


def test_a_closed_explorer_is_no_trouble():
    explorer = slide_k()
    explorer.close()
    present()
    present(False)


@pytest.mark.parametrize("on", ["off", 1, None])
def test_a_size_is_true_or_false(on):
    explorer = slide_k()
    for turn in (present, explorer.present):
        with pytest.raises(TypeError, match="on must be True or False, got "):
            turn(on)
    assert not explorer.presenting


def test_the_choice_of_size():
    explorer, choice = slide_k(), size_choice()
    assert choice.value is False
    choice.index = 1  # as the page sends it
    assert explorer.presenting
    assert size_choice().value is True
    choice.index = 0
    assert not explorer.presenting
