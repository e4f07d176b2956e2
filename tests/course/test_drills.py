"""Drills: each problem is solved from the words that a student sees, by somebody else's code."""

import math
import re
from itertools import pairwise, permutations

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

from course.drills import drills
from course.drills.dice import Dice
from course.drills.judge import judge
from course.drills.kind import APART
from course.drills.practice import practice
from course.drills.problem import answer_in, draw, problem
from course.drills.skills import LAST, MIXED, named
from course.drills.texts import read_drill
from coursekit.text import TextError
from ndcglib.metrics import dcg, idcg, ndcg

DRILLS = drills()
MANY = range(1, 501)
SOLVERS = {}


@pytest.fixture(scope="module", name="problems")
def _problems():
    """Return a function that makes the problems of a drill once."""
    made = {}

    def of_drill(name):
        if name not in made:
            made[name] = [problem(DRILLS[name], no) for no in MANY]
        return made[name]

    return of_drill


def solver(name):
    """Register who solves a drill from its text."""

    def keep(function):
        SOLVERS[name] = function
        return function

    return keep


# --- reading what a student sees --------------------------------------------------------


def row(text, name):
    """Return the numbers behind a name: a row of the table, or a list."""
    [found] = re.findall(rf"{name} +((?:[\d.]+(?:, | +|\b))+)", text)
    return [float(x) for x in re.findall(r"\d+(?:\.\d+)?", found)]


def first(pattern, text):
    return float(re.search(pattern, text)[1])


def in_order(grades):
    """Return scores that put grades in the order in which they are listed."""
    return list(range(len(grades), 0, -1))


def listed(grades, k=None):
    """Return scikit-learn's NDCG of grades in rank order."""
    return ndcg_score([grades], [in_order(grades)], k=k)


# --- who solves them ------------------------------------------------------------------


@solver("ndcg-at-k")
def _(text):
    return ndcg_score([row(text, "grade")], [row(text, "score")], k=3)


@solver("swap")
def _(text):
    grades = row(text, "grades")
    i, j = (int(x) - 1 for x in re.search(r"ranks (\d) and (\d)", text).groups())
    after = grades.copy()
    after[i], after[j] = grades[j], grades[i]
    scores = [in_order(grades)]
    return dcg_score([after], scores) - dcg_score([grades], scores)


@solver("rank-of-one")
def _(text):
    printed = re.search(r"NDCG of (0\.\d{4})", text)[1]
    values = {n: ndcg([0] * (n - 1) + [1], ranked=True) for n in range(1, 200)}
    [rank] = [n for n, value in values.items() if f"{value:.4f}" == printed]
    return rank


@solver("mean-or-one-list")
def _(text):
    grades, scores = (np.reshape(row(text, name), (2, 3)) for name in ("grade", "score"))
    return ndcg_score(grades, scores)


@solver("name-the-slip")
def _(text):
    grades = np.array(row(text, "grades"))
    right = first(r"is (\d\.\d+), but", text)
    printed = first(r"program prints (\d\.\d+)", text)
    assert listed(grades, 3) == pytest.approx(right, abs=6e-5)
    top, weights = dcg(grades, ranked=True, k=3), 1 / np.arange(1, 6)
    best = np.sort(grades)[::-1]
    causes = {
        "built from the first three": top / idcg(grades[:3]),
        "not cut at 3": top / idcg(grades),
        "discounts were left out": grades[:3].sum() / best[:3].sum(),
        "gain was 2": ndcg(grades, ranked=True, k=3, gain="exponential"),
        "discount was 1 / rank": grades[:3] @ weights[:3] / (best[:3] @ weights[:3]),
        "cutoff was 4": listed(grades, 4),
    }
    lines = re.findall(r"    (\d)\. (.+)", text)
    fits = [
        int(number)
        for number, line in lines
        for words, value in causes.items()
        if words in line and abs(value - printed) < 6e-5
    ]
    assert len(lines) == 3
    [which] = fits
    return which


@solver("next-cutoff")
def _(text):
    grades, ideal = row(text, "grades"), row(text, "begins with")
    k = int(first(r"k = (\d) to", text))
    values = [dcg(grades, ranked=True, k=n) / dcg(ideal, ranked=True, k=n) for n in (k, k + 1)]
    return values[1] - values[0]


@solver("random-level")
def _(text):
    k = int(first(r"NDCG@(\d)", text))
    orders = np.array(list(permutations(row(text, "grades"))))
    return dcg(orders, ranked=True, k=k, per_query=True).mean() / idcg(orders[0], k=k)


@solver("floor")
def _(text):
    k = int(first(r"NDCG@(\d)", text))
    orders = np.array(list(permutations(row(text, "grades"))))
    return dcg(orders, ranked=True, k=k, per_query=True).min() / idcg(orders[0], k=k)


@solver("ideal-from-pool")
def _(text):
    returned = row(text, "documents with the grades")
    return listed(returned + row(text, "Their grades are"), 3)


@solver("tied-at-k")
def _(text):
    grades, scores, k = row(text, "grade"), row(text, "score"), int(first(r"NDCG@(\d)", text))
    if "averaged" in text:
        return ndcg_score([grades], [scores], k=k)
    tied = [i for i, s in enumerate(scores) if scores.count(s) == 3]
    values = []
    for order in permutations(range(3)):
        moved = np.array(scores)
        moved[tied] -= np.array(order) * 1e-6
        values.append(ndcg_score([grades], [moved], k=k))
    return max(values) if "best order" in text else min(values)


@solver("rounded-scores")
def _(text):
    return ndcg_score([row(text, "grade")], [np.round(row(text, "score"), 1)], k=3)


@solver("two-gains")
def _(text):
    a, b = (2 ** np.array(row(text, f"    {name}:")) - 1 for name in "AB")
    assert sorted(a) == sorted(b)
    return listed(a, 3) - listed(b, 3)


@solver("other-discount")
def _(text):
    named = "2002" if "2002" in text else "reciprocal"
    k = int(first(r"NDCG@(\d)", text))
    return ndcg(row(text, "grades"), ranked=True, k=k, discount=named)


@solver("empty-queries")
def _(text):
    values, more = row(text, "document have NDCG"), re.search(r"(\w+) more quer", text)[1]
    n = ["One", "Two", "Three"].index(more) + 1
    each = {"counts as 0": [0.0], "counts as 1": [1.0], "is left out": []}
    return np.mean(values + each[re.search(r"empty query (.+?)\?", text)[1]] * n)


@solver("interval")
def _(text):
    n, lead = first(r"On (\d+) q", text), first(r"by ([\d.]+) on", text)
    sd = first(r"deviation of ([\d.]+)\.", text)
    return lead - 2 * math.sqrt(sd**2 / n)


@solver("how-many-queries")
def _(text):
    sd, size = first(r"deviation of ([\d.]+)\.", text), first(r"(?:lead of|±) ([\d.]+)", text)
    factor = 2.8 if "find" in text else 1.96
    n = 1
    while factor * sd / math.sqrt(n) > size * (1 + 1e-9):
        n += 1
    return n


# --- every problem ---------------------------------------------------------------------


def test_every_drill_has_somebody_who_solves_it():
    assert SOLVERS.keys() == DRILLS.keys()
    assert len(DRILLS) == 16


@pytest.mark.parametrize("name", DRILLS)
def test_the_answer_is_what_somebody_else_finds(name, problems):
    for one in problems(name):
        assert one.answer == pytest.approx(SOLVERS[name](one.asked), abs=1e-9), one.asked


@pytest.mark.parametrize("name", DRILLS)
def test_answer_and_slips_can_be_told_apart(name, problems):
    for one in problems(name):
        apart = one.kind.apart * (one.answer if one.kind.relative else 1) * (1 - 1e-9)
        several = sorted([one.answer, *one.slips.values()])
        assert min(b - a for a, b in pairwise(several)) >= apart
        assert len(several) > 2


@pytest.mark.parametrize("name", DRILLS)
def test_the_answer_is_right_and_every_slip_gets_its_own_message(name, problems):
    for one in problems(name):
        assert judge(one, one.result).verdict == "correct"
        for says, value in one.slips.items():
            typed = f"{value:.4f}" if one.kind.decimals else f"{value:.0f}"
            assert judge(one, typed)[:2] == ("named", says), (one.asked, typed)


@pytest.mark.parametrize("name", DRILLS)
def test_a_solution_ends_with_the_answer(name, problems):
    for one in problems(name):
        assert re.search(r"(?:[= ]|^)([−\d.]+)$", one.steps[-1])[1] == one.result
        text = "\n".join([one.asked, *one.steps, *one.slips])
        assert not re.search(r"nan|inf|[-−]0\.0*(?!\d)|\d\.\d{6}|[{}`]|\bNone\b|-\d", text), text


@pytest.mark.parametrize("name", DRILLS)
def test_who_takes_discounts_with_four_digits_is_right(name):
    for no in MANY[:200]:
        scope, one = draw(DRILLS[name], no), problem(DRILLS[name], no)
        typed = f"{answer_in(DRILLS[name], scope, digits=4):.3f}"
        assert judge(one, typed if one.kind.decimals else one.result).verdict == "correct"


def test_no_problem_gives_its_answer_away(problems):
    for name in DRILLS:
        for one in problems(name):
            if one.kind.decimals:
                given = [float(x) for x in re.findall(r"\d+\.\d+", one.asked)]
                assert all(abs(x - one.answer) > APART * (1 - 1e-9) for x in given)
                assert min(abs(one.answer), abs(one.answer - 1)) > APART * (1 - 1e-9)


@pytest.mark.parametrize("name", DRILLS)
def test_problems_differ(name, problems):
    texts = {one.asked for one in problems(name)}
    few = {"rank-of-one": 55, "how-many-queries": 100, "two-gains": 150}
    assert len(texts) >= few.get(name, 300)


def test_in_one_problem_of_four_a_slip_may_agree_with_the_answer(problems):
    """Else a reader would learn that the ideal of the first three is never the right one."""
    says = "Your ideal knows only the first three"
    agrees = [not any(says in slip for slip in one.slips) for one in problems("ndcg-at-k")]
    assert any(agrees[3::4])
    assert not any(agrees[i] for i in range(500) if (i + 1) % 4)


# --- the same numbers everywhere --------------------------------------------------------


def test_the_dice_are_the_raw_stream():
    """NumPy promises this stream (NEP 19): No. 17 is the same on every machine."""
    dice = Dice(3, 17)
    assert [dice.whole(0, 999) for _ in range(6)] == [466, 567, 224, 243, 886, 33]


def test_number_17():
    """What was given out once stays the same problem."""
    assert problem(DRILLS["floor"], 17).asked.startswith(
        "Five documents have the grades 2, 3, 3, 3, 1. What is the lowest NDCG@4"
    )


# --- what is typed ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "verdict", "words"),
    [
        ("", "not attempted", "Type a number"),
        ("   ", "not attempted", "Type a number"),
        ("0.697", "correct", "It is 0.6967."),
        (" 0.6967 ", "correct", "It is 0.6967."),
        ("+.697", "correct", "It is 0.6967."),
        ("0,697", "correct", "read as a decimal point"),
        ("0.70", "almost", "Give three decimals"),
        ("0.7", "almost", "Give three decimals"),
        ("0.6979", "almost", "third decimal is off"),
        ("0.5", "wrong", "Begin like this: The worst order"),
        ("0", "wrong", "Begin like this"),
        ("−0.697", "wrong", "Begin like this"),
        ("69.7%", "wrong shape", "the share and not the percentage"),
        ("2/3", "wrong shape", "what the fraction comes to"),
        ("7e-1", "wrong shape", "not a number that I can read"),
        ("nan", "wrong shape", "not a number that I can read"),
        ("1,000.5", "wrong shape", "not a number that I can read"),
        ("<b>0.697</b>", "wrong shape", "not a number that I can read"),
        ("about 0.7", "wrong shape", "not a number that I can read"),
        ("٠.٦", "wrong shape", "not a number that I can read"),
        ("0." + "6" * 1000, "wrong shape", "too long"),
    ],
)
def test_what_is_said_to_a_typed_text(typed, verdict, words):
    outcome = judge(problem(DRILLS["floor"], 17), typed)
    assert outcome.verdict == verdict
    assert words in outcome.message


def test_a_whole_number_may_be_typed_with_decimals():
    one = problem(DRILLS["rank-of-one"], 1)
    assert judge(one, f"{one.answer}.0").verdict == "correct"
    assert judge(one, f"{one.answer + 1}").verdict == "named"


# --- in a notebook ---------------------------------------------------------------------


def test_practice_goes_on_and_counts_first_tries():
    board = practice("floor", 17)
    board.field.value = "0.5"
    board.field.value = "0.697"
    assert "Correct" in board.said.value
    board.go_on()
    assert board.state == "practice: skill=floor no=18"
    assert (board.field.value, board.said.value) == ("", "")
    board.field.value = board.problem.result
    assert board.tally.value == "1 of 2 right at the first try."
    board.go_on()
    board.solve()
    assert all(step.split(" = ")[-1] in board.said.value for step in board.problem.steps)
    board.check()
    board.field.value = board.problem.result
    assert board.tally.value == "1 of 2 right at the first try."


@pytest.mark.parametrize(
    ("typed", "tally"),
    [("0.70", "0 of 0"), ("abc", "0 of 0"), ("0.6952", "1 of 1"), ("0.6", "0 of 1")],
    ids=["short of decimals", "no number", "close", "wrong"],
)
def test_what_is_a_first_try(typed, tally):
    board = practice("floor", 17)
    board.field.value = typed
    assert board.tally.value == f"{tally} right at the first try."


def test_mixed_practice_has_every_skill_once_in_sixteen():
    for start in (1, 17, 161):
        names = [named(MIXED, no).drill.name for no in range(start, start + 16)]
        assert sorted(names) == sorted(DRILLS)


def test_the_last_number_is_followed_by_the_first():
    board = practice("swap", LAST)
    board.go_on()
    assert board.no.value == 1


def test_a_state_line_is_restored_or_refused():
    board = practice()
    board.restore(" practice: skill=swap no=4 ")
    assert board.state == "practice: skill=swap no=4"
    for line, words in {
        "practice: skill=sway no=4": "did you mean",
        "practice: skill=swap": "needed is a line such as",
        "slide-k: k=2": "needed is a line such as",
        "practice: skill=swap no=0": "from 1 to 9999",
        "practice: skill=swap no=four": "whole number",
        "hello": "begins with",
    }.items():
        board._restore(None, {"restore": line}, [])
        assert words in board.line.trouble
        assert board.state == "practice: skill=swap no=4"


@pytest.mark.parametrize(
    ("skill", "no"), [("flor", 1), (3, 1), ("floor", 0), ("floor", True), ("floor", 1.5)]
)
def test_what_there_is_not_is_refused(skill, no):
    with pytest.raises((TypeError, ValueError), match=r"skill|no must"):
        practice(skill, no)


def test_without_a_kernel_the_problem_is_there():
    board = practice("floor", 17)
    assert board.problem.asked in board._repr_mimebundle_()["text/plain"]


# --- a text that is not as it should be -------------------------------------------------

GOOD = """# A title

What is {g[0]}? Give three decimals.

## Draw

```python
g = dice.grades(3)
```

## Solution

- It is `g[0] / 7`

## Slips

- `g[1] / 9`: You took the second.
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("# A title", "A title", "a title"),
        ("## Slips", "## Slip", "no section 'Slip'"),
        ("- It is `g[0] / 7`", "- It is so.", "must end in an `expression`"),
        ("`g[1] / 9`", "`g[1] / `", "not Python"),
        ("- `g[1] / 9`: You", "- You", "needed is"),
        ("{g[0]}", "{g[0}", "not Python"),
        ("Give three decimals.", "Give it.", "last sentence must ask for three decimals or"),
    ],
)
def test_a_text_that_cannot_be_read_says_where(tmp_path, old, new, words):
    path = tmp_path / "one.md"
    path.write_text(GOOD, encoding="utf-8")
    assert read_drill(path).title == "A title"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TextError, match=words) as caught:
        read_drill(path)
    assert "one.md, line" in str(caught.value)
