"""Numbers in prose: each check beside one gives it, and none is without a check or a source.

A cell prints most numbers of a notebook, which `shows_every_number` holds. Captions, texts of
bets and exercises are read here. What is said without a number: test_statements.py.
"""

import json
import re

import notebook_rules as rules
import number_checks as checks
import pytest

from course.bets import BETS
from course.content import COURSE
from course.exercises import CATALOG
from coursekit.authoring.write import read
from coursekit.site.build import all_live
from coursekit.text import visible


def short(path):
    return "/".join(path.with_suffix("").parts[-2:])


@pytest.mark.parametrize("path", checks.TEXTS, ids=short)
def test_every_check_gives_the_number_before_it(path):
    found = checks.complaints(checks.pieces(path), checks.names_in(path))
    assert not found, "\n".join([str(path.relative_to(checks.ROOT)), *found])


def test_there_are_checks():
    """A pattern that matches nothing would make every test above pass."""
    sources = [source for path in checks.TEXTS for _, source in checks.pieces(path)]
    assert sum(len(rules.CHECKED.findall(source)) for source in sources) > 700


# ------------------------------------------------------------ the checker itself


def complaints(text):
    return checks.complaints([("cell x, ", text)], {"half": 1 / 2})


@pytest.mark.parametrize(
    "text",
    [
        "0.5<!-- half -->, **0.50**<!-- half --> or $0.5$<!-- half -->, `0.5`<!-- half -->",
        "−0.50<!-- -half -->, -0.5<!-- -half --> and +0.5<!-- half -->, 2–3<!-- 3 -->",
        "50%<!-- half --> of 1,770<!-- 3540 * half -->, p = .50<!-- half -->, 0.67<!-- 2 / 3 -->",
        "<!-- let third = 1 / 3 -->0.333<!-- third -->\n\n<!-- let\nsixth = third * half\n-->\n\n"
        "> 0.1667<!-- sixth -->",
    ],
)
def test_a_right_check_passes(text):
    assert complaints(text) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0.51<!-- half -->", "0.51<!-- half --> gives 0.5"),
        ("0.500<!-- half + 0.001 -->", "gives 0.501"),
        ("−0.5<!-- half -->", "gives 0.5"),
        ("0.5<!-- -half -->", "gives -0.5"),
        ("51%<!-- half -->", "gives 0.5"),
        ("1,771<!-- 1770 -->", "gives 1770"),
        ("2<!-- 3 -->", "gives 3"),
        ("0.5<!-- hlaf -->", "NameError: name 'hlaf' is not defined"),
        ("0.5<!-- half / -->", "SyntaxError"),
        ("0.5<!-- [half] -->", "gives [0.5], which is no number"),
        ("1<!-- half > 0 -->", "gives True, which is no number"),
        ("one<!-- 1 -->", "stands behind no number"),
        ("<!-- let third = 1 / tree -->", "NameError: name 'tree' is not defined"),
        ("<!-- lett third = 1 -->", "SyntaxError"),
    ],
)
def test_a_wrong_check_is_named(text, says):
    [complaint] = complaints(f"Above.\n\n{text}")
    assert complaint.startswith("cell x, line 3: ")
    assert says in complaint


@pytest.mark.parametrize(
    ("value", "number", "is_near"),
    [
        (0.545, "0.53", True),
        (0.56, "0.53", False),
        (63, "58", True),
        (65, "58", False),
        (0.966, "97.6%", True),
        (0.95, "97.6%", False),
    ],
)
def test_the_manual_of_another_release_is_near(value, number, is_near):
    assert checks.gives(value, number, is_near=True) == is_near
    assert not checks.gives(value, number, is_near=False)


# ------------------------------------------------------------ what a reader sees


def test_texts_are_read_without_their_checks():
    told = [*BETS.all.values(), *BETS.questions.values(), *map(vars, CATALOG.all.values())]
    assert not any("<!--" in str(one) for one in told)


# ------------------------------------------------------------ no number is left over

# What no state of the explorer above it shows, by notebook and caption: a list to drag has no
# table of states.
ELSEWHERE = {("order", "drag-notice"): {"0.6162"}}


def test_a_caption_says_what_a_state_of_its_explorer_shows(site):
    """The tables of the site have all states; building it has left them on the disk."""
    assert site.exists()
    _room, live = all_live(COURSE)
    checked, lost = 0, []
    for path in rules.siblings(rules.chapter("start_here")):
        nb = read(path)
        shown = rules.shown_numbers(nb)
        for i in rules.tagged(nb, "explorer"):
            caption, data = nb.cells[i + 1], live[path.name].get(nb.cells[i].id)
            states = set(rules.NUMBER.findall(json.dumps(data)))
            text = rules.unfolded(visible(caption.source))
            told = rules.PRECISE.findall(rules.without_links(text))
            excused = ELSEWHERE.get((path.stem[3:], caption.id), set())
            known = shown | states | excused
            lost += [(path.name, caption.id, n) for n in told if not rules.holds(known, n)]
            assert excused <= set(told)
            checked += len(told)
    assert lost == []
    assert checked > 30


# What a text gives: a bet's question and answers, what an exercise asks, the numbers that its
# readers find, answers that are tried (test_exercises.py), and code, that of the checks included.
GIVEN = re.compile(
    r"^## [^\n]*\n\n.*?(?=^\*\*A)|^\*\*[A-E]\.[^\n]*|\A# .*?(?=^## )|^- (?:[A-Z], )?-?[\d.]+(?=:)"
    r"|^## Tried answers\n.*?(?=^## |\Z)|```.*?```|`[^`]*`|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)


def unchecked_numbers(text):
    """Return the numbers of a text, of two decimals or more, that have no check.

    What is given, or checked elsewhere in the text, may be said again.
    """
    known = "\n".join(GIVEN.findall(text)) + "\n".join(n for n, _ in rules.CHECKED.findall(text))
    told = GIVEN.sub(" ", rules.CHECKED.sub("", text))
    found = set(rules.NUMBER.findall(known))
    return [number for number in rules.PRECISE.findall(told) if not rules.holds(found, number)]


@pytest.mark.parametrize(
    "path", [path for path in checks.TEXTS if path.suffix == ".md"], ids=short
)
def test_every_number_of_a_text_has_a_check_or_is_given(path):
    [(_, text)] = checks.pieces(path)
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:] if "bets" in path.parts else [text]
    lost = [n for part in parts for n in unchecked_numbers(part.partition("### For ins")[0])]
    assert lost == []
