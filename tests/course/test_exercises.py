"""The exercises: right answers pass, wrong ones are told their mistake, nothing slips through.

`answers.md` holds what readers answer and what they must be told, `styles.md` right programs.
"""

import io
import math
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from answers import ANSWERS, WRONG
from hypothesis import given, settings
from hypothesis import strategies as st
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from IPython.lib.pretty import pretty
from patience import expected_within

from course.exercises import CATALOG, ____, checks, exercise
from course.exercises.boxes import Box, Boxes, Matching, ranked, scored
from course.exercises.checks.probes import BATCH, RANKED, SCORED
from course.exercises.mistakes import (
    MISTAKES,
    MOST_SHOWN,
    RESULTS,
    explain,
    in_words,
    same,
    text_of,
    wrong_values,
)
from course.exercises.programs import Function, Parsons
from course.exercises.task import LIKE_THE_IDEAL
from course.exercises.texts import OF_CLAIM, OF_TASK, SECTIONS, changed, read_exercise
from coursekit.exercises.blank import is_blank
from coursekit.exercises.claims import Claim, OpenQuestion
from coursekit.exercises.outcome import COLORS, HEADINGS, Outcome
from coursekit.exercises.running import call
from coursekit.text import TextError, read_text
from ndcglib.conventions.method import (
    RIGHT,
    VALUES,
    WEIGHTS,
    Method,
    evaluate_batch,
    evaluate_list,
)
from ndcglib.metrics import ndcg
from ndcglib.scale import on_sqlite

ALL = list(CATALOG.all.values())
NAMES = [e.name for e in ALL]
PROGRAMS = [e for e in ALL if isinstance(e, Function)]
KINDS = ["whole-way", "name-the-slip", "my-dcg", "exponential-gains", "order-the-lines"]
KINDS += ["reversed-claim", "order-by-hand", "lower-loss-claim", "star-ratings"]
ROOT = Path(__file__).parents[2]
PAGES = ROOT / "tests" / "support"
CONTENT = CATALOG.folder
IMPORTS = "import math\nfrom math import log2\nimport numpy as np\n"

every_exercise = pytest.mark.parametrize("ex", ALL, ids=NAMES)
every_program = pytest.mark.parametrize("ex", PROGRAMS, ids=lambda e: e.name)
each_kind = pytest.mark.parametrize("name", KINDS)


def answers(ex, source):
    """Run code as the notebook would, after what it has run before, and return the answers."""
    scope = {"____": ____, "__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        exec(IMPORTS + ex.given, scope)
        exec(source, scope)
    return [scope[name] for name in ex.names]


def graded(ex, source):
    return ex.grade(*answers(ex, source))


@pytest.fixture(autouse=True)
def _no_attempts_before():
    for ex in ALL:
        ex.attempts = ex.hints_shown = 0


# ------------------------------------------------------------ every exercise of the catalog


@every_exercise
def test_as_found_it_is_not_attempted_and_solved_it_passes(ex):
    assert graded(ex, ex.start).verdict == "not attempted"
    assert ex.attempts == 0
    outcome = graded(ex, ex.worked)
    assert outcome.passed
    assert ex.notice in outcome.message


@every_program
def test_a_wrong_program_is_told_its_message_and_no_two_of_them_do_the_same(ex):
    done = {}
    for wrong in ex.task.wrong:
        program = ex.task.program(wrong.source)
        outcome = ex.grade(program)
        assert outcome.verdict == "named"
        assert outcome.message.partition("\n\nAttempt")[0] == wrong.says
        runs = [call(program, args) for args in ex.task.probes]
        key = repr([np.round(run.numbers, 6) if run.numbers else run.error for run in runs])
        assert key not in done, f"these do the same:\n{done[key]}\n{wrong.source}"
        done[key] = wrong.source


@pytest.mark.parametrize(
    ("ex", "source", "verdict", "says"),
    [pytest.param(*a, id=f"{a[0].name}-{i}") for i, a in enumerate(ANSWERS)],
)
def test_what_a_reader_answers_is_told_the_truth(ex, source, verdict, says):
    ex.attempts = 3
    outcome = graded(ex, source)
    assert outcome.verdict == verdict, outcome
    assert says in outcome.message
    assert not re.search(r"\?\.|y_true (must|has)|1\.0000, which is below", outcome.message)
    called = re.findall(r"(\w+\.)?(?:hint|solution)\(\)", outcome.message)
    assert set(called) <= {f"q{ex.number}."}
    assert not (secrets(ex) - numbers_in(source)) & numbers_in(outcome.message)
    if verdict == "crashed":
        assert ("Likely" in outcome.message) == (not says.startswith("raised"))


@every_exercise
def test_what_its_text_calls_wrong_is_told_why(ex):
    assert len(WRONG[ex.name]) >= 2
    for _, source, verdict, says in WRONG[ex.name]:
        outcome = graded(ex, source)
        assert outcome.verdict == verdict, outcome
        assert says in outcome.message


def secrets(ex):
    """Return the right numbers that no message may tell."""
    right = [box.right for box in getattr(ex, "boxes", ())]
    if isinstance(ex, Function):
        right = [value for args in ex.task.probes for value in ex.task.right(args)]
    return {round(value, 4) for value in right if value != round(value)}


def numbers_in(text):
    return {float(n) for n in re.findall(r"(?<![\w.])\d+\.\d{4}(?!\d)", text)}


def test_a_check_without_answers_says_how_to_call_it():
    for ex in ALL:
        message = ex.grade().message
        assert f"it got none: `q{ex.number}.check({', '.join(ex.names)})`" in message
    assert "looks at 2 answers, and it got 1:" in CATALOG.all["whole-way"].grade(0.5).message
    with pytest.raises(ValueError, match="no exercise is called 'nope'; there are"):
        exercise("nope")


@every_exercise
def test_it_is_whole(ex):
    assert len(ex.hints) >= 2
    for text in (ex.title, ex.prompt, ex.because, ex.notice):
        assert text.strip() == text != ""
    assert len(ex.cell(1).splitlines()) <= 20


@pytest.mark.parametrize("ex", [e for e in ALL if isinstance(e, Boxes)], ids=lambda e: e.name)
def test_a_wrong_number_is_told_its_words(ex):
    right = [box.right for box in ex.boxes]
    for i, box in enumerate(ex.boxes):
        for number, words in box.slips.items():
            outcome = ex.grade(*right[:i], number, *right[i + 1 :])
            assert outcome.verdict == "named"
            assert words in outcome.message


@pytest.mark.parametrize("ex", [e for e in ALL if isinstance(e, Boxes)], ids=lambda e: e.name)
def test_one_decimal_is_no_slip_that_only_rounds_to_it(ex):
    for box in ex.boxes:
        for number, words in box.slips.items():
            typed = round(float(number), 1)
            if abs(typed - number) > 1e-3 * max(1, abs(number)):
                assert words not in box.judge(typed).message


@pytest.mark.parametrize("ex", [e for e in ALL if isinstance(e, Boxes)], ids=lambda e: e.name)
def test_the_solution_by_four_decimals_is_right(ex):
    """With discounts and logarithms as the page prints them: 0.6309 and not 0.6309298."""
    worked = re.sub(r"\d\.\d{7}", lambda m: f"{float(m[0]):.4f}", ex.worked)
    worked = re.sub(r"(?:math\.)?log2\((\d+)\)", r"round(log2(\1), 4)", worked)
    assert graded(ex, worked).verdict == "correct"


def as_numpy(value):
    """Return an answer with everything in it of NumPy's kinds."""
    if isinstance(value, dict):
        return {as_numpy(key): as_numpy(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_numpy(part) for part in value]
    return np.array(value)[()]


@pytest.mark.parametrize("ex", [e for e in ALL if e not in PROGRAMS], ids=lambda e: e.name)
def test_numbers_of_numpy_are_numbers_everywhere(ex):
    right = answers(ex, ex.worked)
    in_numpy = [as_numpy(answer) for answer in right]
    assert all(isinstance(a, np.generic | list | dict) for a in in_numpy)
    assert ex.grade(*in_numpy).passed
    if not isinstance(ex, Matching | OpenQuestion):
        assert ex.grade(*map(np.array, right)).passed
        assert ex.grade(*map(np.ma.array, right)).passed or isinstance(ex, Parsons)


AS_RETURNED = {
    False: [np.float64, np.array, np.ma.array, Fraction, lambda number: Decimal(repr(number))],
    True: [np.array, tuple, lambda row: [*map(np.float64, row)], np.ma.array],
}


@every_program
def test_any_kind_of_number_that_a_program_returns_is_a_number(ex):
    inputs = [*ex.task.probes, *(edge.args for edge in ex.task.edges)]
    values = {repr(args): ex.task.right(args) for args in inputs}
    rows = ex.task.gives_rows
    for kind in AS_RETURNED[rows]:
        found = {args: kind(value if rows else value[0]) for args, value in values.items()}
        assert ex.grade(_lookup(found)).passed, kind


def test_a_masked_number_is_none():
    hidden = np.ma.array(4.0, mask=True)
    for answer in (hidden, np.ma.masked):
        assert CATALOG.all["dcg-of-302"].grade(answer).verdict == "wrong shape"
    assert CATALOG.all["ndcg-one"].grade(lambda *_: hidden).verdict == "wrong shape"


@every_program
def test_an_input_is_shown_as_it_is_given(ex):
    """Whoever is asked to do an input by hand finds its grades in the message."""
    values = {
        repr(args): [r + 0.3 * i for i, r in enumerate(ex.task.right(args), start=1)]
        for args in ex.task.probes
    }
    rows = ex.task.gives_rows

    def wrong(*args):
        found = values.get(repr(args), [0.5])
        return found if rows else found[0]

    message = ex.grade(wrong).message
    assert not re.search(r"= an? (dict|tuple|list|ndarray|object)", message)
    parts = [part for part in ex.task.probes[0] if not callable(part)]
    assert all(name in message for name in ex.task.parameters.split(", ")[-len(parts) :])


@pytest.mark.parametrize("name", ["broken-evaluation", "answered-only"])
def test_a_run_is_shown_with_its_documents(name):
    task = CATALOG.all[name].task
    assert "run = {'a': {'x': 0.9, 'y': 0.8}" in task.shown(task.probes[0])
    task = CATALOG.all["wrong-window"].task
    assert "rows = [(1, 1, 0.5), (2, 1, 0.5)" in task.shown(task.probes[0])


def test_the_notice_counts_the_wrong_implementations():
    """`eight wrong implementations`: those to which a right check says no."""
    task = CATALOG.all["check-that-can-fail"].task
    verdicts = [task.right(args) for args in task.probes]
    assert verdicts.count([0.0]) == 8
    assert "no to eight wrong" in CATALOG.all["check-that-can-fail"].notice


# ------------------------------------------------------------ how a text is read


def text_with(tmp_path, *changes, name="3-my-dcg"):
    """Return the file of an exercise with other words in it."""
    [path] = CONTENT.glob(f"*/{name}.md")
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / path.name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("-    return total", "-    return nothing", "line 52: 0 places of the solution, not one"),
        ("-    return total", " return total", "line 52: a line of a change begins with - or +"),
        ("-    return total\n", "", "line 52: the first line of a change is one of the solution"),
        ("## Hints", "## Tips", "line 20: there is no section 'Tips'; there are Start"),
        ("1. Multiplying", "Multiplying", "line 20: needed is 1. a hint, not 'Multiplying"),
        ("## Notice\n", "", "line 1: the sections Notice are missing"),
        ("# Fill in the sum\n", "", "line 1: needed is a title"),
        ("- `[]`: An", "- []: An", r"line 45: needed is - `\[3, 2\], 1`: what is special"),
        ("    return total\n```", "    return total\n", "line 1: a block of code has no end"),
    ],
)
def test_what_a_text_lacks_is_said_with_file_and_line(tmp_path, old, new, says):
    with pytest.raises(TextError, match=rf"3-my-dcg.md, {says}" if says[:4] == "line" else says):
        read_exercise(text_with(tmp_path, (old, new)))


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("2-three-metrics", "### recall_at_5", "### recall", "'recall' is not asked for"),
        ("2-three-metrics", "- 0.5: you", "- half: you", "needed is - 0.5: what happened"),
        ("4-which-metric", "\n   `recall`", "", "each point of a rubric is 1. a point"),
        ("3-order-the-lines", "- C: it", "- it", "needed is - A: why that line does not belong"),
        (
            "2-within-the-query",
            "You took the mean of each column",
            "## Solution\n\nx",
            "one block",
        ),
    ],
)
def test_so_it_is_for_the_other_kinds(tmp_path, name, old, new, says):
    with pytest.raises(TextError, match=says):
        read_exercise(text_with(tmp_path, (old, new), name=name))


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("3-my-dcg", "compute = ", "compuet = ", "line 93: 'compuet' is not known here; did you"),
        ("3-my-dcg", "compute = ", "k = ", "line 93: 'k' is not known here; there are probes"),
        ("3-my-dcg", "probes = ", "PROBES = ", "line 91: 'probes' is missing: Python under ##"),
        ("3-my-dcg", "of_ranked", "of_rnked", "line 93: NameError: name 'of_rnked' is not"),
        ("3-my-dcg", "Method(result", "Method(", "line 94: SyntaxError: invalid syntax"),
        ("3-my-dcg", "Method(result", "Method(resutl", r"line 94: TypeError: .*'resutl'"),
        (
            "3-my-dcg",
            "(grades,) for",
            "grades for",
            r"line 92: a probe is a tuple with grades, not",
        ),
        ("1-dcg-of-302", "dcg_of_302 = Box", "dcg = Box", "line 31: 'dcg' is not known here"),
        ("1-dcg-of-302", "= Box(", "= 4  # ", "line 31: 'dcg_of_302' must be a Box"),
        ("3-my-dcg", '"DCG"', '"DGC"', "line 94: ValueError: result must be one of 'NDCG'"),
        ("3-my-dcg", "= SUM", '= ["gian"]', "line 95: there is no switch 'gian'; did you mean"),
        ("1-dcg-of-302", "=SUM", '=["x"]', "line 31: there is no switch 'x'; there are gain"),
        (
            "5-reversed-claim",
            '["0123"]',
            '["0", "1"]',
            "line 44: needed is one for each of my_list",
        ),
        ("5-reversed-claim", "def objection", "def _objection", "line 41: 'objection' is missing"),
        (
            "5-reversed-claim",
            "choices = ",
            "choice = ",
            "line 44: 'choice' is not known here; did",
        ),
    ],
)
def test_an_error_in_its_python_is_said_with_file_and_line(tmp_path, name, old, new, says):
    with pytest.raises(TextError, match=f"{name}.md, {says}"):
        read_exercise(text_with(tmp_path, (old, new), name=name))


def test_the_python_of_the_texts_is_as_ruff_wants_it(tmp_path):
    for path in CONTENT.glob("*/[1-9]*.md"):
        for part in read_text(path).sections("##"):
            if part.name == "Checked with":
                name = f"{path.stem[2:].replace('-', '_')}.py"
                (tmp_path / name).write_text(f"{part.code()}\n", encoding="utf-8")
    rules = ["--config", str(ROOT / "pyproject.toml")]
    at_hand = ["--config", f"builtins = {checks.__all__}", "--ignore", "D"]
    for command in (["check", *rules, *at_hand], ["format", "--check", *rules]):
        run = [sys.executable, "-m", "ruff", *command, tmp_path]
        done = subprocess.run(run, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout


def test_the_guide_lists_what_the_texts_have_at_hand():
    guide = (CONTENT / "README.md").read_text(encoding="utf-8")
    _, _, table = guide.partition("| at hand |")
    listed = [
        name for row in re.findall(r"\n\| (`.+?`) \|", table) for name in row[1:-1].split("`, `")
    ]
    assert sorted(listed) == sorted(checks.__all__)
    for name in (*SECTIONS[1:], *OF_TASK, *OF_CLAIM):
        assert f"`## {name}`" in guide or f"`{name}`" in guide, name


def test_a_function_without_probes_is_told_that_they_are_missing(tmp_path):
    path = text_with(tmp_path, ("## Checked with", "## Tried answers"))
    with pytest.raises(TextError, match="line 7: 'probes' is missing"):
        read_exercise(path)


def test_a_change_may_be_in_several_places(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("-a\n+A\n+\n-c\n+C\n\n-b\n+B", encoding="utf-8")
    changes = read_text(path).separated()
    assert [changed("a\nb\nc", change) for change in changes] == ["A\n\nb\nC", "a\nB\nc"]
    assert [change.line for change in changes] == [1, 7]


# ------------------------------------------------------------ no way round


@every_program
def test_no_function_passes_without_computing(ex):
    first = ex.task.right(ex.task.probes[0])
    for value in (first, first[0], 0.0, 1.0, None, ____, Sly(RuntimeError())):
        assert not ex.grade(lambda *args, value=value: value).passed
    with pytest.raises(KeyboardInterrupt):
        ex.grade(raises(KeyboardInterrupt))


class Sly:
    """An object that raises whenever it is looked at."""

    def __init__(self, error):
        self.error = error

    def __getattr__(self, name):
        raise self.error

    def _fail(self, *_args):
        raise self.error

    __repr__ = __str__ = __len__ = __iter__ = __float__ = __eq__ = __hash__ = _fail


SELF = []
SELF.append(SELF)
ODD = [0, -1, 1e9, "", "x", "222", [], {}, object(), print, math.nan, True, 1j, {1: 2}, {2, 3}]
ODD += [["2"] * 3, [math.nan] * 3, [math.inf] * 3, [1e308] * 3, [10**400] * 3, 10**400, SELF]
ODD += [np.array(["a"]), np.ma.masked, lambda *args: args, reversed([2, 2, 3]), iter([3, 2])]
ODD += [Sly(e) for e in (SystemExit(), GeneratorExit(), RecursionError(), ValueError())]
LARGE = [np.zeros(10**6), np.zeros((300, 300)), list(range(10**5)), "x" * 10**6, 10**5000, 1e300]
LARGE += [[[0] * 1000] * 1000, dict.fromkeys(range(10**5), "y" * 100), [10**5000] * 5]
LARGE += [type("x" * 10**5, (), {})()]


@each_kind
def test_no_odd_object_passes_raises_or_fills_the_screen(name):
    ex = CATALOG.all[name]
    for thing in [*ODD, *LARGE, ex, ex.solution]:
        whole = ex.grade(*[thing] * len(ex.names))
        outcomes = [whole, ex.grade(thing, *[____] * (len(ex.names) - 1))]
        if ex in PROGRAMS:
            outcomes.append(ex.grade(lambda *_args, thing=thing: thing))
        assert whole.verdict != "not attempted"
        assert not any(outcome.passed for outcome in outcomes)
        assert all(len(outcome.message) < 1700 for outcome in outcomes)
        assert all(len(repr(outcome).splitlines()) < 40 for outcome in outcomes)


OF_SCIKIT_LEARN = """
from sklearn.metrics import dcg_score, ndcg_score
from helpers.notebook import ndcg
def ndcg_one(grades, scores, k):
    {}
"""


@pytest.mark.parametrize(
    "body",
    [
        "return ndcg_score([grades], [scores], k=k)",
        "return ndcg(grades, scores, k=k)",
        "return dcg_score([grades], [scores], k=k) / dcg_score([grades], [grades], k=k)"
        " if any(grades) else 0.0",
        "import sklearn.metrics as m; return m.ndcg_score([grades], [scores], k=k)",
    ],
)
def test_what_a_library_says_is_no_program(body):
    outcome = graded(CATALOG.all["ndcg-one"], OF_SCIKIT_LEARN.format(body))
    assert "that is what we compare it with" in outcome.message


@every_exercise
def test_the_start_holds_no_solution(ex):
    gaps = [line for line in ex.start.splitlines() if "____" in line]
    is_program = isinstance(ex, Function) and not gaps
    assert gaps or is_program
    assert ex.worked not in ex.start
    for line in set(ex.worked.splitlines()) - set(ex.start.splitlines()):
        assert line.strip() not in ex.prompt or len(line.strip()) < 8


# Where a wrong switch changes nothing on all probes of an exercise, and why that is right.
NO_CUTOFF = {("cutoff", "none"), ("cutoff", "k + 1")}
BASES = {("discount", "natural log"), ("discount", "log10")}  # cancel in NDCG


@every_program
def test_no_probe_is_blind_to_a_mistake(ex):
    pairs = {(s, v) for s in ex.task.switches for v in wrong_values(ex.task.method, s)}
    cancel = BASES if ex.task.method.result == "NDCG" else set()
    no_cutoff = set() if "k" in ex.task.parameters.split(", ") else NO_CUTOFF
    assert pairs - set(mutants(ex)) == pairs & (cancel | no_cutoff)


THREE_TIED = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]


# Values of a `Method` that are no mistake of a reader: what tools do, and what a box needs.
NO_MISTAKE = {
    "gain": {"judged"},
    "cutoff": {"rank 1"},
    "rounding": {"weights to 4"},
    "batch": {"ids sorted as text"},
}


def test_the_texts_of_mistakes_are_those_of_the_values():
    assert {came for _, came in RESULTS} == set(VALUES["result"])
    assert VALUES.keys() == {*MISTAKES, "result"}
    for switch, texts in MISTAKES.items():
        wrong = set(VALUES[switch]) - NO_MISTAKE.get(switch, set())
        assert {*texts, getattr(RIGHT, switch)} == wrong, switch


def test_every_value_has_a_text_and_every_text_a_value():
    assert set(WEIGHTS) - {RIGHT.discount} == set(MISTAKES["discount"])
    assert {field.name for field in fields(Method)} - {"empty"} == {*MISTAKES, "result"}
    for switch, texts in MISTAKES.items():
        for value, text in texts.items():
            method = Method(**{switch: value})
            if switch == "batch":
                assert evaluate_batch(method, *BATCH[0])
            else:
                assert isinstance(evaluate_list(method, *SCORED[0]), float)
            assert not text.endswith(".")
            said = in_words([[text]])
            assert said[0].isupper() or said[0] in "`2"
            assert not said.endswith("?.")


def table(ex, method):
    """Return a function that looks up what a method gives: it shares no code with the engine."""
    return _lookup({repr(args): ex.task.value_of(method, args) for args in ex.task.probes})


def mutants(ex):
    """List the wrong switches of a program's exercise, each with its wrong value."""
    pairs = [(s, v) for s in ex.task.switches for v in wrong_values(ex.task.method, s)]
    right = [ex.task.right(args) for args in ex.task.probes]
    return [
        pair
        for pair in pairs
        if not _equal(_of(ex, {pair[0]: pair[1]}), right)  # the base of the log in NDCG
    ]


def _of(ex, turned):
    method = replace(ex.task.method, **turned)
    return [np.atleast_1d(ex.task.value_of(method, args)) for args in ex.task.probes]


def _equal(some, others):
    return all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=1e-6, equal_nan=True)
        for a, b in zip(some, others, strict=True)
    )


@every_program
def test_every_mutant_gets_its_own_message(ex):
    for switch, value in mutants(ex):
        if not np.isfinite(np.concatenate(_of(ex, {switch: value}))).any():
            continue
        outcome = ex.grade(table(ex, replace(ex.task.method, **{switch: value})))
        if value.startswith("parts") and ex.task.method.result != "NDCG":
            assert "rounded to" in outcome.message  # the only part of a DCG is the result
            continue
        said = outcome.message.partition("\n\nAttempt")[0]
        text = text_of(ex.task.method, switch, value)
        assert outcome.verdict == "named"
        assert text[1:] in said or said in [LIKE_THE_IDEAL, *(w.says for w in ex.task.wrong)]
        assert "Two things at once" not in said


@pytest.mark.parametrize("pool", ["ascending", "worst k"])
def test_the_guard_of_an_ideal_of_0_is_known(pool):
    """Some grades put upside down have an ideal of 0 at k; a careful program returns 0 there."""
    ex = CATALOG.all["random-level-code"]
    method = Method(pool=pool)
    values = {repr(args): ex.task.value_of(method, args) for args in ex.task.probes}
    assert math.inf in values.values()
    guarded = {args: 0.0 if value == math.inf else value for args, value in values.items()}
    for program in (_lookup(values), _lookup(guarded)):
        assert MISTAKES["pool"][pool][1:] in ex.grade(program).message


ROWS = [list, tuple, np.array, lambda v: np.array([Decimal(x) for x in v], dtype=object)]
NUMBERS = [lambda v, kind=kind: kind(v[0]) for kind in (float, np.float64, np.array, Fraction)]


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [("ndcg-one", NUMBERS, ROWS), ("exponential-gains", ROWS, NUMBERS)],
)
def test_any_kind_of_number_is_right_but_a_list_of_one_is_not_a_number(name, right, wrong):
    ex = CATALOG.all[name]
    edges = (edge.args for edge in ex.task.edges)
    values = {repr(args): ex.task.right(args) for args in (*ex.task.probes, *edges)}
    for change in (*right, *wrong):
        outcome = ex.grade(_lookup({args: change(v) for args, v in values.items()}))
        assert outcome.passed == (change in right)
        assert outcome.passed or "should give" in outcome.message


def _lookup(values):
    def program(*args):
        return values[repr(args)]

    return program


NDCG_EXERCISE = CATALOG.all["ndcg-one"]


def pairs_of_mistakes():
    ms = mutants(NDCG_EXERCISE)
    return [
        (a, b) for a, b in combinations(ms, 2) if a[0] != b[0] and "rounding" not in (a[0], b[0])
    ]


def test_two_mistakes_at_once_are_both_named():
    """A pair is named, or it is in truth the same as something smaller or another pair."""
    singles = {m: _of(NDCG_EXERCISE, dict([m])) for m in mutants(NDCG_EXERCISE)}
    right = _of(NDCG_EXERCISE, {})
    pairs = {pair: _of(NDCG_EXERCISE, dict(pair)) for pair in pairs_of_mistakes()}
    named = 0
    for pair, values in list(pairs.items())[::5]:
        if _equal(values, right) or any(_equal(values, single) for single in singles.values()):
            continue

        def fits(method, values=values):
            pairs = zip(NDCG_EXERCISE.task.probes, values, strict=True)
            return all(same([evaluate_list(method, *args)], v.tolist(), 1e-6) for args, v in pairs)

        found = explain(fits, RIGHT, NDCG_EXERCISE.task.switches)
        texts = [text_of(RIGHT, *m) for m in pair]
        assert texts in found or sorted(texts) in [sorted(f) for f in found]
        assert all(len(f) == 2 for f in found)
        named += 1
    assert named > 50


def test_no_pair_hides_behind_a_single_mistake_by_chance():
    """Where a pair gives what another single mistake gives, they are equal elsewhere, too."""
    rng = np.random.default_rng(5)
    scores = [((1 + rng.permutation(7)) / 10).tolist() for _ in range(3)]
    others = [
        (rng.integers(0, 4, 7).tolist(), s, k) for s, k in zip(scores, (2, 3, 5), strict=True)
    ]
    singles = {m: _of(NDCG_EXERCISE, dict([m])) for m in mutants(NDCG_EXERCISE)}
    collisions = 0
    for pair in pairs_of_mistakes():
        values = _of(NDCG_EXERCISE, dict(pair))
        for single, theirs in singles.items():
            if single not in pair and _equal(values, theirs):
                a = [evaluate_list(Method(**dict(pair)), *q) for q in others]
                b = [evaluate_list(Method(**dict([single])), *q) for q in others]
                assert np.allclose(a, b, equal_nan=True), (pair, single)
                collisions += 1
    assert collisions > 0  # "by label" makes every ranking ideal, whatever else is wrong


LINEAR, STEEP = "lambda g: g", "lambda g: 2.0 ** g - 1"
CALLED = {
    "my-ndcg-at-k": ("grades, k", LINEAR, "style(grades, range(len(grades), 0, -1), k)"),
    "ideal-from-the-top": ("g, k", LINEAR, "style(g, range(len(g), 0, -1), k)"),
    "half-a-gain": ("g, k", STEEP, "style(g, range(len(g), 0, -1), k)"),
    "right-at-rank-one": ("g, k", LINEAR, "style(g, list(range(len(g)))[::-1], k)"),
    "ndcg-one": ("grades, scores, k", LINEAR, "style(grades, scores, k)"),
    "patient-one": ("grades, scores, k", LINEAR, "style(grades, scores, k)"),
    "patient-four": ("grades, scores, k", LINEAR, "style(grades.tolist(), scores, k)"),
    "patient-five": ("y, s, k", LINEAR, "[style(a, b, k) for a, b in zip(y, s)]"),
    "patient-six": ("y, s, k", LINEAR, "np.mean([style(a, b, k) for a, b in zip(y, s)])"),
    "sorted-tuples": ("grades, scores, k", LINEAR, "style(grades, scores, k)"),
}
STYLES = {part.name: part.code() for part in read_text(PAGES / "styles.md").sections("##")[1:]}


@pytest.mark.parametrize("style", STYLES)
def test_a_right_program_is_right_in_every_style(style):
    for name, (parameters, gain, call_) in CALLED.items():
        if name == "sorted-tuples" and style in ("averaged over ties", "checks itself"):
            continue  # file order is asked for
        ex = CATALOG.all[name]
        source = f"from sklearn.metrics import ndcg_score\ngain = {gain}\n"
        source += f"def style(grades, scores, k):\n{STYLES[style]}\n"
        source += f"def {ex.names[0]}({parameters}):\n    return {call_}"
        outcome = graded(ex, source)
        assert outcome.verdict == "correct", outcome
        assert ("calls scikit-learn" in outcome.message) == (style == "checks itself")


def box(**changes):
    parts = dict(name="x", value=ranked([2, 3, 1, 3, 0]), method=Method(result="DCG"))
    switches = ("gain", "discount", "cutoff", "result", "rounding")
    return Box(**{**parts, "switches": switches, **changes})


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (9, "No discount"),
        (4.5833, "Divided by the rank itself"),
        (8.2015, "Natural logarithm"),
        (4.3531, "start at log2(3)"),
        (10.9312, "Exponential gain"),
        (6.3235, "that is the ideal DCG"),
        (4.8869, "look at the parentheses"),
        (np.float32(9), "No discount"),
        (5.7, "right to one decimal"),
        (5.6912, "lost on the way"),
        (12.3456789, "the first term, that of rank 1, is 2."),
        (math.inf, "divide by 0"),
    ],
)
def test_a_number_is_told_its_slip(number, says):
    outcome = box().judge(number)
    assert outcome.verdict not in ("correct", "not attempted")
    assert says.lower() in outcome.message.lower()


def test_a_full_answer_is_right_without_a_word():
    for number in (5.6848, 5.68482, 5.684818913, np.float64(5.6848189)):
        assert box().judge(number) == Outcome("correct", "")
    for whole in (4, 4.0):
        assert box(value=ranked([3, 0, 2])).judge(whole) == Outcome("correct", "")


def test_a_last_zero_is_a_digit():
    """0.0120 arrives in Python as 0.012; two digits of a small number tell nothing."""
    step = box(value=lambda _method: 1 / math.log2(10) - 1 / math.log2(11))
    assert step.judge(0.0120) == Outcome("correct", "")
    for too_short in (0.01, 0.0102, 0.013):
        outcome = step.judge(too_short)
        assert not outcome.passed
        assert "very close" not in outcome.message


@pytest.mark.parametrize("thing", ["5.6848", [5.6848], True, 5j, None, np.array([5.6848])])
def test_what_is_no_number_is_said_to_be_none(thing):
    assert box().judge(thing).verdict == "wrong shape"


def test_a_slip_of_the_box_goes_before_the_switches():
    assert "mine" in box(slips={9: "mine"}).judge(9).message


def test_mistakes_that_need_a_computer_are_not_named_to_a_pencil():
    assert (
        evaluate_list(Method(result="DCG", discount="//"), [2, 3, 1, 3, 0], [5, 4, 3, 2, 1]) == 4
    )
    assert "//" not in box().judge(4).message


def test_ties_by_hand():
    tied = Box(scored(*THREE_TIED, 5), "x", switches=("ties",))
    for ties in ("stable", "best", "worst", "middle", "dense", "minimum rank", "average rank"):
        number = round(evaluate_list(Method(ties=ties), *THREE_TIED, 5), 4)
        assert MISTAKES["ties"][ties][1:] in tied.judge(number).message


def test_matching_counts_what_is_right_and_tells_one():
    ex = CATALOG.all["name-the-slip"]
    assert isinstance(ex, Matching)
    answer = answers(ex, ex.worked)[0]
    swapped = answer | {9: answer[4.5833], 4.5833: answer[9]}
    message = ex.grade(swapped).message
    assert "6 of 8 are right" in message
    assert "9 does not come from A" in message
    assert "not a letter" in ex.grade(answer | {9: "Z"}).message
    assert ex.grade(answer | {9: ____}).verdict == "not attempted"
    message = ex.grade({9: "D"}).message.partition("\n\nAttempt")[0]  # no order of letters
    listed = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", message)]
    assert len(listed) == 8
    assert listed == sorted(listed)


@pytest.mark.parametrize("letter", "ABCDEFGH")
def test_the_numbers_of_the_slips_are_right(letter):
    causes = {
        "A": {"discount": "reciprocal"},
        "B": {},
        "C": {"discount": "natural log"},
        "D": {"discount": "none"},
        "E": {"discount": "multiplied"},
        "F": {"order": "by label"},
        "G": {"discount": "log2(r + 2)"},
        "H": {"gain": "exponential"},
    }
    method = Method(result="DCG", **causes[letter])
    value = evaluate_list(method, [2, 3, 1, 3, 0], [5, 4, 3, 2, 1], 3 if letter == "B" else 5)
    assert round(value, 4) == CATALOG.all["name-the-slip"].causes[letter][1]


def test_no_typed_pair_of_mistakes_is_denied():
    """For every two mistakes at once in the first box: named, whatever is typed of them."""
    number = CATALOG.all["dcg-of-302"].boxes[0]
    values = {}
    for one, other in combinations(number.switches, 2):
        if "rounding" in (one, other):
            continue
        for v, w in product(wrong_values(number.method, one), wrong_values(number.method, other)):
            if not {v, w} & {"//", "xor"}:
                values[v, w] = number.value(replace(number.method, **{one: v, other: w}))
    assert len(values) > 50
    for pair, value in values.items():
        if math.isfinite(value):
            typed = float(f"{value:.4f}")
            message = number.judge(typed).message
            assert "The first term" not in message or "More than one pair" in message, (
                pair,
                typed,
            )


def test_closeness_has_a_limit():
    number = box(value=ranked([3, 2, 1]), method=RIGHT, switches=())
    assert box().judge(5.6847).verdict == "almost"
    assert box().judge(5.74).verdict == "wrong"
    assert number.judge(0.9985).verdict == "almost"


def test_a_decimal_comma_is_recognized():
    assert "behind a point" in box().judge((5, 6848)).message


def test_in_words_lists_few_explanations_and_counts_the_rest():
    many = [[f"slip {i}"] for i in range(6)]
    words = in_words(many)
    assert words.count("•") == MOST_SHOWN + 1
    assert "… and 2 more" in words
    assert in_words([["`x` is it"]]) == "`x` is it."
    assert in_words([["one", "two"]]) == "Two things at once. (1) One. (2) Two."


def test_no_explanation_is_given_twice():
    seen = evaluate_list(Method(ties="best"), *THREE_TIED)
    found = explain(
        lambda m: same([evaluate_list(m, *THREE_TIED)], [seen], 1e-6), RIGHT, ("ties",)
    )
    assert len(found) == len({tuple(f) for f in found}) > 1


def test_a_cut_that_cannot_differ_is_not_named():
    assert "ideal" not in wrong_values(Method(result="DCG"), "cutoff")
    assert "ideal" in wrong_values(RIGHT, "cutoff")


def test_attempts_offer_more_as_they_grow():
    ex = CATALOG.all["dcg-of-302"]
    messages = [ex.grade(5).message for _ in range(4)]
    assert "solution()" not in messages[2]
    assert messages[3].endswith(
        "Attempt 4: `q1.hint()` gives a nudge; `q1.solution()` shows one way."
    )
    ex.hints_shown = len(ex.hints)
    assert ex.grade(5).message.endswith("Attempt 5: `q1.solution()` shows one way.")


def test_an_open_question_shows_its_rubric_and_what_it_did_not_find():
    ex = CATALOG.all["star-ratings"]
    assert isinstance(ex, OpenQuestion)
    full = graded(ex, ex.worked)
    assert full.verdict == "open"
    assert "found nothing" not in full.message
    assert "1. The metric" in full.folded
    assert "<details>" in full._repr_html_()
    assert ex.grade(" ".join(["word"] * 11)).verdict == "wrong shape"
    vague = ex.grade(" ".join(["word"] * 12))
    assert vague.verdict == "open"
    assert "found nothing on 4 of 4 points" in vague.message
    assert "one word" in ex.grade("averaged").message
    upper = "AVERAGE ALL ORDERS " + " ".join(["word"] * 12)
    assert "on 3 of 4 points" in ex.grade(upper).message


@pytest.mark.parametrize(
    "text",
    [
        "我们暂时保留旧的排序器因为区间包含零需要更多查询",
        "今回は古い順位付けをそのまま使うことにしますから",
        "เรายังไม่เปลี่ยนเพราะช่วงนี้มีศูนย์อยู่",
    ],
)
def test_a_text_without_spaces_is_more_than_one_word(text):
    assert CATALOG.all["star-ratings"].grade(text).verdict == "open"
    assert "That is one word" in CATALOG.all["star-ratings"].grade(text[:2]).message
    assert "That is 3 words" in CATALOG.all["star-ratings"].grade(text[:6]).message


@pytest.mark.parametrize(
    "ex", [e for e in ALL if isinstance(e, OpenQuestion)], ids=lambda e: e.name
)
def test_each_word_of_a_rubric_is_found_in_a_text_that_has_it(ex):
    for i, (_, words) in enumerate(ex.rubric):
        for word in words:
            text = " ".join([*["nothing"] * 12, word])
            alone = replace(ex, rubric=(ex.rubric[i],))
            assert "found nothing" not in alone.grade(text).message, word


def test_two_stars_are_strong():
    outcome = Outcome("named", "most of the **queries**, and `a**b**c`, 2**3**4.")
    assert "<strong>queries</strong>" in outcome._repr_html_()
    assert "<code>a**b**c</code>, 2**3**4." in outcome._repr_html_()
    assert "the queries, and a**b**c, 2**3**4." in repr(outcome)


def test_emphasis_and_code_are_marked_and_not_shown_raw():
    outcome = Outcome("named", "Take the *mean*, `2 * x`, and `a**b`.")
    assert "<em>mean</em>" in outcome._repr_html_()
    assert "<code>2 * x</code>" in outcome._repr_html_()
    assert "<code>a**b</code>" in outcome._repr_html_()
    assert "Take the mean, 2 * x, and a**b." in repr(outcome)
    assert COLORS["correct"] in Outcome("correct", "")._repr_html_()


def test_a_crash_names_the_input():
    outcome = CATALOG.all["ndcg-one"].grade(lambda grades, scores, k: grades["a"])
    assert outcome.verdict == "crashed"
    assert "grades = [2, 3, 2, 1, 0, 3]" in outcome.message
    assert "IndexError" in outcome.message


def test_what_has_no_name_is_said_honestly_with_the_input():
    outcome = CATALOG.all["ndcg-one"].grade(lambda grades, scores, k: 0.123 + grades[0])
    assert outcome.verdict == "wrong"
    assert "0 of 7 tries are right" in outcome.message
    assert "gave 2.123" in outcome.message
    assert "grades = [2, 3, 2, 1, 0, 3]" in outcome.message


def test_a_blank_in_a_function_that_is_called_is_found():
    scope = {"____": ____, "__name__": "__main__"}
    exec("def my_dcg(g):\n    return ____\n\ndef two(g, k):\n    return my_dcg(g)", scope)
    outcome = CATALOG.all["my-ndcg-at-k"].grade(scope["two"])
    assert outcome.verdict == "not attempted"
    assert "`my_dcg`" in outcome.message


@pytest.mark.parametrize(
    ("old", "new", "attempt"),
    [
        ("[::-1]", "[::1]", True),
        ("argsort(scores)", "argsort(grades)", True),
        ("order = ", "# a comment\n    order = ", False),
    ],
)
def test_one_changed_number_or_name_makes_an_attempt_and_no_comment_does(old, new, attempt):
    ex = CATALOG.all["patient-one"]
    assert old in ex.start
    assert (graded(ex, ex.start.replace(old, new)).verdict != "not attempted") == attempt


def test_what_a_program_prints_stands_below_the_verdict_with_its_input(capsys):
    def noisy(grades, scores, k):
        print(f"<k> is {k}")
        return 0.5 + len(grades)

    outcome = CATALOG.all["ndcg-one"].grade(noisy)
    assert capsys.readouterr().out == ""
    which, _, lines = outcome.printed.partition("\n")
    assert "grades = [2, 3, 2, 1, 0, 3]" in which
    assert lines == "<k> is 4"
    assert repr(outcome).startswith("Not yet")
    assert repr(outcome).endswith("\n<k> is 4")
    html = outcome._repr_html_()
    assert html.index("Not yet") < html.index("&lt;k&gt; is 4</pre>")


def test_the_prints_shown_are_those_of_the_input_that_the_message_is_about():
    def fails_late(ranked_grades, k):
        print("k is", k)
        return right_at[k] if k > 3 else 1 / 0

    right_at = {4: CATALOG.all["my-ndcg-at-k"].task.right(RANKED[0])[0]}
    outcome = CATALOG.all["my-ndcg-at-k"].grade(fails_late)
    assert outcome.printed.splitlines()[-1] == "k is 3"


@pytest.mark.parametrize("n_lines", [20, 21, 10**6])
def test_prints_are_cut_at_twenty_lines_with_words_that_say_so(n_lines):
    def noisy(grades):
        print("\n".join("line" for _ in range(n_lines)))
        return np.nan

    lines = CATALOG.all["my-dcg"].grade(noisy).printed.splitlines()[1:]
    assert lines[:20] == ["line"] * 20
    assert lines[20:] == ([] if n_lines == 20 else ["… and more. At most 20 lines are shown."])


@pytest.mark.parametrize("ex", [e for e in PROGRAMS if e.below], ids=lambda e: e.name)
def test_a_broken_program_prints_what_its_prompt_says(ex):
    out = io.StringIO()
    scope = {"__name__": "__main__"}
    exec(ex.given, scope)
    with redirect_stdout(out):
        exec(f"{ex.start}\n{ex.below}", scope)
    printed = out.getvalue().replace("[", "").replace("]", "").split()
    assert printed
    for number in printed:
        assert f"{float(number):.4f}" in ex.prompt
    cell = ex.cell(1, "answer = 1")
    assert cell.index("q1.check(") < cell.index("print(")
    assert "print(" not in ex.start


def test_any_order_of_lines_that_works_is_right():
    ex = CATALOG.all["order-the-lines"]
    assert isinstance(ex, Parsons)
    for order in ("DAEB", "DEAB", "daeb", "D A E B", "D, E, A, B", "D-A-E-B", list("DAEB")):
        assert ex.grade(order).verdict == "correct", order
    assert "stands there twice" in ex.grade("DDAEB").message
    wrong = {"".join(p) for p in permutations("ABDE")} - {"DAEB", "DEAB"}
    for order in wrong:
        assert not ex.grade(order).passed, order


def test_every_list_of_three_that_breaks_the_claim_is_right():
    ex = CATALOG.all["reversed-claim"]
    assert isinstance(ex, Claim)
    for grades in product(range(4), repeat=3):
        breaks = (
            list(grades) == sorted(grades, reverse=True) and len(set(grades)) == 1 and any(grades)
        )
        assert ex.grade(list(grades)).passed == breaks, grades


def test_the_crossing_claim_has_four_pairs():
    ex = CATALOG.all["crossing-claim"]
    orders = set(permutations([3, 2, 2, 0]))
    right = [(a, b) for a in orders for b in orders if ex.grade(list(a), list(b)).passed]
    assert ((3, 0, 2, 2), (2, 2, 3, 0)) in right
    assert len(right) == 4


@given(
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 3), min_size=n, max_size=n),
            st.lists(st.integers(0, 2), min_size=n, max_size=n),
        )
    )
)
@settings(max_examples=200, deadline=None)
def test_the_middle_claim_accepts_exactly_its_counterexamples(query):
    ex = CATALOG.all["middle-claim"]
    best, worst, mean = (ndcg(*query, ties=ties) for ties in ("best", "worst", "average"))
    assert ex.grade(*query).passed == (mean > (best + worst) / 2 + 1e-3)


SUMS = "b + 1 | 1 - b | 2 * b**2 | 4 / b | -b // 2 | np.array([1, 2]) / b | b * np.float64(3) | "
SUMS += "np.float64(3) * b | b(3) | 2**b | +b | 2 // b | abs(b) % 2 | round(b, 4) | "
SUMS += "np.array([1.0]) @ b | (1, b) | [1, b] | {'a': b}"


@pytest.mark.parametrize("sum_", SUMS.split(" | "))
def test_a_sum_with_a_blank_is_blank(sum_):
    assert is_blank(eval(sum_, {"np": np, "b": ____}))


def test_a_number_is_no_blank():
    assert not is_blank(0)
    assert not is_blank([])
    assert not is_blank("")
    assert repr(____) == f"{____:.4f}" == "____"


def shown(monkeypatch):
    seen = []
    monkeypatch.setattr("coursekit.exercises.base.display", seen.append)
    return seen


@pytest.mark.parametrize("verdict", HEADINGS)
def test_every_outcome_has_its_heading_in_text_and_html(verdict):
    outcome = Outcome(verdict, "Say `a < b`.\n\nThen more.")
    assert repr(outcome).startswith(HEADINGS[verdict])
    html = outcome._repr_html_()
    assert HEADINGS[verdict] in html
    assert "<code>a &lt; b</code>" in html
    assert 'role="status"' in html
    assert html.count("<p>") == html.count("</p>") == 2


def test_results_are_named_for_what_was_asked():
    for (asked, came), text in RESULTS.items():
        assert asked != came
        assert text_of(Method(result=asked), "result", came) == text


VERBS = {"check", "hint", "solution"}


@every_exercise
def test_no_glance_at_an_exercise_shows_its_hints_or_its_solution(ex):
    q = exercise(ex.name)
    looks = [repr(q), str(q), repr(q.check), f"{q}", str(dir(q)), pretty(q), pretty(q.hint)]
    for secret in (*ex.hints, ex.worked, ex.because, ex.notice):
        assert not any(secret in text or repr(secret)[1:-1] in text for text in looks)
    assert set(dir(q)) == VERBS
    assert not hasattr(q, "task")
    assert f"q{ex.number}.hint()" in repr(q)


@pytest.mark.parametrize("use_jedi", [True, False])
def test_the_tab_key_offers_the_verbs_only(use_jedi):
    shell = InteractiveShell.instance()
    shell.Completer.use_jedi = use_jedi
    shell.push({"q_peek": exercise("my-dcg")})
    with provisionalcompleter():
        texts = {c.text for c in shell.Completer.completions("q_peek.", 7)}
    assert {t.removeprefix("q_peek.").lstrip(".") for t in texts} == VERBS


def test_the_verbs_of_an_exercise_reach_it(monkeypatch):
    seen = shown(monkeypatch)
    q = exercise("dcg-of-302")
    assert q.check(5) is None
    exercise("dcg-of-302").check(5)
    for verb in (q.hint, q.hint, q.hint, q.solution):
        verb()
    assert seen[0].verdict == "named"
    assert "Attempt 2: `q1.hint()`" in seen[1].message
    ex, texts = CATALOG.all["dcg-of-302"], [one.data for one in seen[2:]]
    assert "Hint 1 of 2" in texts[0]
    assert [ex.hints[0] in texts[0], ex.hints[1] in texts[0], ex.hints[1] in texts[1]] == [1, 0, 1]
    assert texts[1] == texts[2]
    assert ex.worked in texts[3]
    assert ex.because in texts[3]


class FailsTwiceError(Exception):
    __str__ = __repr__ = lambda self: 1 / 0


def endless(*_args):
    while True:
        pass


def endless_that_catches(*_args):
    while True:
        try:
            sum(range(1000))
        except:  # noqa: E722
            total = 0  # noqa: F841


def endless_print(*_args):
    while True:
        print("x" * 1000)


def recursive(*args):
    return recursive(*args) + 1


def raises(error):
    def program(*_args):
        raise error

    return program


@pytest.fixture
def _a_short_limit(monkeypatch):
    monkeypatch.setattr("coursekit.exercises.running.SECONDS", 0.3)


@pytest.mark.usefixtures("_a_short_limit")
@pytest.mark.parametrize("program", [endless, endless_that_catches, endless_print])
def test_an_endless_program_is_stopped_with_words_and_all_is_as_before(program):
    before = signal.getsignal(signal.SIGALRM), sys.getprofile(), sys.stdout
    with expected_within(10, "Stopping a program"):
        outcome = CATALOG.all["shorter-step"].grade(program)
    assert outcome.verdict == "endless"
    assert "was still running" in outcome.message
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert (signal.getsignal(signal.SIGALRM), sys.getprofile(), sys.stdout) == before
    assert graded(CATALOG.all["shorter-step"], SHORTER).passed


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"


@pytest.mark.usefixtures("_a_short_limit")
@pytest.mark.parametrize("caught", [(), sqlite3.OperationalError])
def test_endless_sql_is_stopped_with_words(caught):
    def program(rows):
        try:
            return on_sqlite(ENDLESS, rows)
        except caught:
            return [1]

    outcome = CATALOG.all["null-first"].grade(program)
    assert outcome.verdict == "endless"
    assert "every query" in outcome.message


SHORTER = CATALOG.all["shorter-step"].worked


@pytest.mark.usefixtures("_a_short_limit")
def test_the_limit_is_for_all_tries_together():
    def slow(*_args):
        time.sleep(0.2)
        return 1

    with expected_within(5, "Stopping a program"):
        assert "was still running" in CATALOG.all["shorter-step"].grade(slow).message


def test_beside_the_main_thread_nothing_breaks():
    with ThreadPoolExecutor() as pool:
        assert (
            pool.submit(graded, CATALOG.all["my-dcg"], CATALOG.all["my-dcg"].worked)
            .result()
            .passed
        )


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (raises(SystemExit(3)), "SystemExit: 3"),
        (recursive, "RecursionError"),
        (raises(FailsTwiceError), "raised FailsTwiceError."),
        (raises(ValueError("line\n" * 10**6)), "ValueError: line line"),
    ],
)
def test_whatever_a_program_raises_is_said_in_short(program, says):
    outcome = CATALOG.all["my-dcg"].grade(program)
    assert outcome.verdict == "crashed"
    assert says in outcome.message
    assert len(outcome.message) < 1000
    assert sys.getprofile() is None


NOT_ENGLISH = r"\b[Mm]end(s|ed)?\b|\brims?\b|\b(is|are) none\b(?! of)|NoneType"


def test_texts_use_plain_words():
    for path in CONTENT.rglob("*.md"):
        found = re.findall(NOT_ENGLISH, path.read_text(encoding="utf-8"))
        assert not found, path


@pytest.mark.parametrize("typed", [0.61, 0.617])
def test_digits_that_were_cut_off_are_not_another_method(typed):
    """0.6173 is what is asked for; 0.61 is also near what log2(r + 2) gives."""
    message = Box(scored(*THREE_TIED, 2), "x", switches=checks.OF_TIES).judge(typed).message
    assert "log2(3)" not in message


def test_a_pair_is_named_only_if_it_is_the_only_one():
    ex = CATALOG.all["ndcg-one"]
    method = ex.task.method
    values = {}
    for one, other in pairs_of_mistakes():
        key = tuple(np.round(np.concatenate(_of(ex, dict((one, other)))), 6))
        values.setdefault(key, []).append({one[0]: one[1], other[0]: other[1]})
    singles = {tuple(np.round(np.concatenate(_of(ex, dict([m]))), 6)) for m in mutants(ex)}
    checked = 0
    for key, turned in values.items():
        texts = {frozenset(text_of(method, *t) for t in pair.items()) for pair in turned}
        if len(texts) > 1 and key not in singles and np.isfinite(key).all():
            message = ex.grade(table(ex, replace(method, **turned[0]))).message
            assert "Two things at once" not in message
            checked += 1
        if checked == 12:
            break
    assert checked > 3


def test_cell_puts_the_answer_in_the_place_of_the_start():
    ex = CATALOG.all["my-dcg"]
    assert ex.cell(3).startswith(ex.start + "\n\n\nq3 = exercise(")
    assert ex.cell(3, "my_dcg = 1").startswith("my_dcg = 1\n\nq3 = exercise(")
    assert ex.cell(3).endswith("q3.check(my_dcg)\n# q3.hint()\n# q3.solution()")
