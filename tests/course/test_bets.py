"""Bets record and reveal; their numbers are in test_numbers.py, with those of all texts."""

import html
import re
from collections import Counter
from html import escape
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from course import bets
from course.bets import place_bet, reveal
from coursekit.bets.bet import Bet
from coursekit.bets.drawn import read_drawn
from coursekit.bets.texts import read_bets
from coursekit.text import Part, TextError, in_html, raised

BETS, QUESTIONS = bets.BETS.all, bets.BETS.questions
CONTENT = Path(bets.__file__).parent / "content"


@pytest.mark.parametrize("name", BETS)
def test_shape_of_a_bet(name):
    text = BETS[name]
    assert 3 <= len(text.answers) <= 5
    assert list(text.answers) == list("ABCDE"[: len(text.answers)])
    assert text.right in text.answers
    replies = [answer.reply for answer in text.answers.values()]
    assert len(set(replies)) == len(replies)
    assert all(reply.endswith(".") for reply in replies)
    assert re.fullmatch(r"For instructors: \d+ minutes", text.instructor.name)
    votes, say, late = text.instructor.text.split("\n\n")
    assert re.findall(r"([A-E]) \d+%", votes) == list(text.answers)
    assert sum(map(int, re.findall(r"(\d+)%", votes))) == 100
    assert votes.startswith("**First votes, guessed.** ")
    assert say.startswith("**Say.** ")
    assert late.startswith("**If late.** ")


HEDGES = r"\b(about|some|may|can|often|less|more|little|nearly|almost|most|few)\b"
ABSOLUTES = r"\b(all|any|every|everything|nothing|no|none|never|always|only|neither)\b"
FLAT = (
    r"\b(all|any|every|everything|nothing|no|none|never|always|neither|nobody|nowhere|both|same"
    r"|stays|equally|at once|far|exactly)\b"
)


def claim_and_reason(answer):
    """Return what an answer says, and why it says so ("" if it does not)."""
    claim, _, reason = re.sub(r": |, because |, so ", "\n", answer, count=1).partition("\n")
    return claim, reason


def shared(answer, others):
    """Return how much of its words an answer shares with each of the others, as a sum."""
    own, *rest = (set(re.findall(r"[\w.]+", a.lower())) for a in (answer, *others))
    return sum(len(own & other) / len(own | other) for other in rest)


RULES_OF_THUMB = {
    "the longest": len,
    "the shortest": lambda answer: -len(answer),
    "the most careful": lambda answer: len(re.findall(HEDGES, answer, re.IGNORECASE)),
    "the least careful": lambda answer: -len(re.findall(HEDGES, answer, re.IGNORECASE)),
    "the boldest": lambda answer: len(re.findall(ABSOLUTES, answer, re.IGNORECASE)),
    "the least bold": lambda answer: -len(re.findall(ABSOLUTES, answer, re.IGNORECASE)),
    "with a reason": lambda answer: "because" in answer,
    "without a reason": lambda answer: "because" not in answer,
    "with most digits": lambda answer: sum(map(str.isdigit, answer)),
    "the least flat": lambda answer: (
        -len(re.findall(FLAT, claim_and_reason(answer)[0], re.IGNORECASE))
    ),
    "with the shortest reason": lambda answer: -len(claim_and_reason(answer)[1]),
}
OF_FOUR = [text for text in BETS.values() if len(text.answers) == 4]


def test_no_letter_wins():
    right = Counter(text.right for text in OF_FOUR)
    assert max(right.values()) - min(right[letter] for letter in "ABCD") <= 2


@pytest.mark.parametrize("rule", RULES_OF_THUMB.values(), ids=RULES_OF_THUMB)
def test_no_rule_of_thumb_wins(rule):
    """Who goes by the form of the answers alone wins about as many bets as by chance."""
    assert wins(lambda answer, others: rule(answer)) <= len(OF_FOUR) / 3


def test_the_right_answer_is_not_what_the_others_vary():
    """Wrong answers that each change one thing about the right one point at it."""
    assert wins(shared) <= len(OF_FOUR) / 3


def wins(rule):
    """Return in how many bets the answer that a rule marks highest is right; ties are shared."""
    found = 0
    for text in OF_FOUR:
        said = {letter: answer.text for letter, answer in text.answers.items()}
        marks = {x: rule(said[x], [said[y] for y in said if y != x]) for x in said}
        chosen = [letter for letter in marks if marks[letter] == max(marks.values())]
        found += (text.right in chosen) / len(chosen)
    return found


@pytest.mark.parametrize("text", [*BETS.values(), *QUESTIONS.values()])
def test_what_a_reader_sees_is_plain_text(text):
    """No page renders Markdown there, and no phone of a room."""
    shown = [text.question, *(part for answer in text.answers.values() for part in answer)]
    assert [part for part in shown if re.search(r"[*`]|\]\(", part)] == []


@pytest.mark.parametrize("text", [*BETS.values(), *QUESTIONS.values()])
def test_only_the_sentence_that_asks_is_bold(text):
    before, asked = text.parted
    assert f"{before} {asked}".strip() == text.question
    assert re.fullmatch(r"[^?]+\?", asked)
    assert not re.search(r"[.!] [A-Z]", asked)
    shown = Bet(text).children[0].value
    assert raised(escape(before)) in shown.split("<strong>")[0]
    assert f"<strong>{raised(escape(asked))}</strong>" in shown


@pytest.mark.parametrize("name", BETS)
def test_each_answer_meets_its_reply(name):
    bet = place_bet(name)
    box = reveal(bet)
    assert bet.choice is None
    assert "not bet yet" in box.value
    for letter, answer in BETS[name].answers.items():
        bet.buttons.value = letter
        assert bet.choice == letter
        assert f"Your bet is {letter}" in bet.note.value
        verdict = "✓ Right" if letter == BETS[name].right else "✗ Not so"
        right, place = BETS[name].answers[BETS[name].right].text, 0
        in_order = dict.fromkeys([verdict, BETS[name].parted[1], right, *answer])
        for shown in in_order:
            place = box.value.index(in_html(shown), place)


ROOT = Path(__file__).parents[2]


def unwrapped(text):
    return " ".join(text.split())


DRAWN = [name for name, text in BETS.items() if text.drawn]


def cells(html):
    """Return the cells of the only table of a text in HTML, in its order."""
    [table] = BeautifulSoup(html, "html.parser").find_all("table")
    return table.find_all(["th", "td"])


@pytest.mark.parametrize("name", DRAWN)
def test_what_a_bet_asks_is_in_its_table_only_once_it_is_placed(name):
    bet = place_bet(name)
    before, stored = cells(bet.children[1].value), bet._repr_mimebundle_()["text/html"]
    assert [str(cell) for cell in cells(stored)] == [str(cell) for cell in before]
    shown = reveal(bet)
    assert "<table" not in shown.value
    bet.buttons.value = "B"
    asked = [cell for cell in before if "ndcg-asked-for" in cell.get("class", [])]
    said = [cell for row in BETS[name].drawn.rows for cell in row if cell.startswith("? ")]
    assert [cell.get_text() for cell in asked] == ["?"] * len(said)
    assert {bar["width"] for cell in asked for bar in cell.find_all("rect")} <= {"0"}
    for cell, after in zip(before, cells(shown.value), strict=True):
        if cell in asked:
            assert after["class"] == ["ndcg-found"]
            assert after.get_text() != "?"
        else:
            assert str(after) == str(cell)


def test_a_share_has_a_bar_and_a_grade_the_shade_of_its_height():
    rows = "| a page: 3 0 1 ? | 0.25 | ? 40% |\n| 2 more: −2 4 | 6.15 | ? words & more |"
    drawn = read_drawn(Part("", f"| | NDCG: 2 1 | clicks |\n|---|---|---|\n{rows}", "", 1))
    for is_answered in (False, True):
        table = BeautifulSoup(drawn.html(is_answered=is_answered), "html.parser")
        widths = [bar["width"] for bar in table.find_all("rect")]
        assert widths == ["25%", "40%" if is_answered else "0"]
        shades = [(one.get_text(), one["class"][0].removeprefix("ndcg-")) for one in table("i")]
        assert shades == [
            *[("2", "shade-2"), ("1", "shade-1")],
            *[("3", "shade-3"), ("0", "shade-0"), ("1", "shade-1"), ("?", "unknown")],
            *[("−2", "shade-0"), ("4", "shade-3")],
        ]
        assert [name.get_text() for name in table.tbody("th")] == ["a page3 0 1 ?", "2 more−2 4"]
        last = [row("td")[-1].get_text() for row in table.tbody("tr")]
        assert last == (["40%", "words & more"] if is_answered else ["?", "?"])


@pytest.mark.parametrize("name", BETS)
def test_without_a_kernel_the_words_are_there(name):
    bet = place_bet(name)
    text = bet._repr_mimebundle_()["text/plain"]
    assert BETS[name].question in unwrapped(text)
    assert max(map(len, text.splitlines())) <= 88


FOLD = re.compile(r"<details><summary>The replies to every answer</summary>(.*)</details>")


@pytest.mark.parametrize("name", BETS)
def test_a_stored_reveal_is_folded(name):
    """Open lies the reply to the reader's own bet, if there is one, and nothing else."""
    bet = place_bet(name)
    replies = {letter: BETS[name].reply(letter) for letter in BETS[name].answers}
    for own in (None, *replies):
        bet.buttons.value = own
        bundle = reveal(bet)._repr_mimebundle_()
        folded = html.unescape(FOLD.search(bundle["text/html"])[1])
        opened = html.unescape(FOLD.sub("", bundle["text/html"]))
        plain = unwrapped(bundle["text/plain"])
        for letter, words in replies.items():
            assert words in folded
            assert (words in opened) == (words in plain) == (letter == own)


def test_bad_names_are_refused():
    with pytest.raises(ValueError, match="no bet is called 'x'; there are"):
        place_bet("x")
    with pytest.raises(TypeError, match=r"what place_bet\(\) returned, got str"):
        reveal("best-swap")


def test_a_bet_placed_before_its_box_exists():
    bet = place_bet("best-swap")
    bet.buttons.value = "B"
    assert "You bet B" in reveal(bet).value


A, B = [3, 0, 0, 2, 2], [2, 2, 3, 0, 0]


def test_the_guide_for_instructors_has_each_bet_with_its_remark():
    guide = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
    assert all(bet.remark() in guide for bet in BETS.values())


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Right: C", "Right: E", "line 10: the bet 'best-swap' needs a question"),
        ("**A.** Rank 4", "A. Rank 4", "line 10: the bet 'best-swap' needs a question"),
        ("\n> It lifts", "\n\nIt lifts", "line 10: the bet 'best-swap' needs a question"),
        ("### For instructors: 4 minutes", "", "needs one part ### For instructors"),
        ("| | DCG |", "| list | DCG |", r"line 12: needed is a table: \| \| score \|"),
        ("| | DCG |", "| | DCG | NDCG |", "line 12: needed is a table"),
        ("|---|---|\n", "", "line 12: needed is a table"),
    ],
)
def test_what_a_text_lacks_is_said_with_file_and_line(tmp_path, old, new, says):
    text = (CONTENT / "gain_discounted.md").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "02.md"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TextError, match=says):
        read_bets(path)
