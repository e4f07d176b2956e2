"""The exercises: right answers pass, wrong ones are told their mistake, nothing slips through."""

import functools
import io
import math
import re
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.exercises import ____, exercise
from helpers.exercises.blank import is_blank
from helpers.exercises.boxes import Box, Boxes, Matching, ranked, scored
from helpers.exercises.catalog import BY_NOTEBOOK, catalog
from helpers.exercises.claims import Claim, OpenQuestion
from helpers.exercises.method import RIGHT, WEIGHTS, Method, evaluate, evaluate_batch
from helpers.exercises.mistakes import (
    EVERY_SWITCH,
    MISTAKES,
    MOST_SHOWN,
    RESULTS,
    explain,
    in_words,
    text_of,
    wrong_values,
)
from helpers.exercises.outcome import COLORS, HEADINGS, Outcome
from helpers.exercises.probes import BATCH, SCORED, TIED
from helpers.exercises.programs import Function, Parsons
from helpers.metrics import dcg, idcg, ndcg

ALL = list(catalog().values())
NAMES = [e.name for e in ALL]
PROGRAMS = [e for e in ALL if isinstance(e, Function)]


def answers(ex, source):
    """Run code as the notebook would, after what it has run before, and return the answers."""
    scope = {"____": ____, "__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        exec(ex.given, scope)
        exec(source, scope)
    return [scope[name] for name in ex.names]


def graded(ex, source):
    return ex.grade(*answers(ex, source))


@pytest.fixture(autouse=True)
def _no_attempts_before():
    for ex in ALL:
        ex.attempts = ex.hints_shown = 0


# ------------------------------------------------------------ every exercise of the catalog


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
def test_as_found_it_is_not_attempted(ex):
    outcome = graded(ex, ex.start)
    assert outcome.verdict == "not attempted"
    assert ex.attempts == 0


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
def test_the_solution_passes(ex):
    outcome = graded(ex, ex.worked)
    assert outcome.passed
    assert ex.notice in outcome.message


@pytest.mark.parametrize(
    ("ex", "wrong"),
    [pytest.param(e, w, id=f"{e.name}-{i}") for e in ALL for i, w in enumerate(e.wrong)],
)
def test_a_wrong_answer_is_told_why(ex, wrong):
    outcome = graded(ex, wrong.answer)
    assert not outcome.passed
    assert wrong.says in outcome.message


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
def test_it_is_whole(ex):
    assert len(ex.wrong) >= 2
    assert len(ex.hints) >= 2
    for text in (ex.title, ex.prompt, ex.because, ex.notice):
        assert text.strip() == text != ""
    assert exercise(ex.name) is ex
    assert len(ex.cell(1).splitlines()) <= 20


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
def test_the_start_holds_no_solution(ex):
    gaps = [line for line in ex.start.splitlines() if "____" in line]
    is_program = isinstance(ex, Function) and not gaps
    assert gaps or is_program
    assert ex.worked not in ex.start
    for line in set(ex.worked.splitlines()) - set(ex.start.splitlines()):
        assert line.strip() not in ex.prompt or len(line.strip()) < 8


def numbers_in(text):
    return {float(n) for n in re.findall(r"(?<![\w.])\d+\.\d{4}(?!\d)", text)}


@pytest.mark.parametrize("ex", [e for e in ALL if isinstance(e, Boxes)], ids=lambda e: e.name)
def test_no_message_gives_the_number_away(ex):
    expected = {round(box.right, 4) for box in ex.boxes if box.right != int(box.right)}
    shown = [graded(ex, w.answer).message for w in ex.wrong] + [graded(ex, ex.start).message]
    typed = numbers_in("".join(w.answer for w in ex.wrong))
    assert not (expected - typed) & numbers_in(" ".join(shown))


@pytest.mark.parametrize("ex", PROGRAMS, ids=lambda e: e.name)
def test_no_message_gives_the_value_away(ex):
    expected = {round(v, 4) for args in ex.task.probes for v in ex.task.right(args)}
    expected -= {round(v) for v in expected}
    for wrong in ex.wrong:
        assert not expected & numbers_in(graded(ex, wrong.answer).message)


# ------------------------------------------------------------ no way round


def outsmart(ex):
    """Return functions that try to pass without computing anything."""
    task = ex.task
    first = task.right(task.probes[0])
    value = first[0] if len(first) == 1 else first
    n = task.parameters.count(",") + 1

    def of_n(body):
        names = [f"a{i}" for i in range(n)]
        scope = {"value": value, "exercise": exercise, "q": ex, "ndcg": ndcg, "np": np}
        scope |= {"box": [ndcg], "Late": Late}
        scope["__name__"] = "__main__"
        exec(f"def cheat({', '.join(names)}):\n    {body}", scope)
        return scope["cheat"]

    def q_right(args):
        return task.right(args)

    class Helpful:
        def right(self, *args):
            return task.right(args)

    class Late(float):
        def __new__(cls):
            return super().__new__(cls, 0.5)

        def __float__(self):
            return float(task.right(task.probes[0])[0])

    class Agreeable(float):
        def __eq__(self, other):
            return True

        def __sub__(self, other):
            return 0.0

        __rsub__ = __sub__
        __hash__ = float.__hash__

    agreeable = of_n("return value")
    agreeable.__globals__["value"] = Agreeable(0.123)
    return {
        "constant": of_n("return value"),
        "zero": of_n("return 0.0"),
        "one": of_n("return 1.0"),
        "true": of_n("return True"),
        "nan": of_n("return float('nan')"),
        "agreeable": agreeable,
        "raises": of_n("raise ValueError('no')"),
        "exits": of_n("raise SystemExit"),
        "nothing": of_n("pass"),
        "blank": of_n("return ____"),
        "asks the exercise": of_n(
            f"return exercise('{ex.name}').task.right(({', '.join(f'a{i}' for i in range(n))},))"
        ),
        "asks q": of_n("return q.task.right((a0,))"),
        "asks the library": of_n("return ndcg(a0, a1)" if n > 1 else "return ndcg(a0, a0)"),
        "imports": of_n("from helpers.metrics import dcg; return dcg(a0, a0)"),
        "looks at the caller": of_n("import sys; return sys._getframe(1).f_locals"),
        "empties its input": of_n("a0[:] = []; return 0.0"),
        "reads a box": of_n("return box[0](a0, a0)"),
        "asks late": of_n("return Late()"),
        "evaluates": of_n("return eval('ndcg(a0, a0)')"),
        "partial": functools.partial(lambda *args: q_right(args)),
        "method": Helpful().right,
        "hides an import": of_n("return __import__('helpers.metrics').metrics.dcg(a0, a0)"),
    }


@pytest.mark.parametrize("ex", PROGRAMS, ids=lambda e: e.name)
def test_no_function_passes_without_computing(ex):
    for name, cheat in outsmart(ex).items():
        assert not ex.grade(cheat).passed, name


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
@pytest.mark.parametrize("thing", [0, -1, 1e9, "", "x", [], {}, object(), print, math.nan, True])
def test_no_odd_object_passes_or_raises(ex, thing):
    outcome = ex.grade(*[thing] * len(ex.names))
    assert not outcome.passed
    assert outcome.verdict != "not attempted"


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
def test_the_exercise_itself_is_no_answer(ex):
    assert not ex.grade(*[ex] * len(ex.names)).passed
    assert not ex.grade(*[ex.solution] * len(ex.names)).passed


ODD = [
    "222",
    ["2", "2", "2"],
    [math.nan] * 3,
    [math.inf] * 3,
    [1e308] * 3,
    [10**400] * 3,
    10**400,
    {1: 2},
    {2, 3},
    reversed([2, 2, 2]),
    iter([3, 2]),
    np.array(["a"]),
    np.ma.masked,
    lambda *args: args,
    1j,
]


@pytest.mark.parametrize("ex", ALL, ids=NAMES)
@pytest.mark.parametrize("thing", ODD, ids=lambda thing: type(thing).__name__)
def test_nothing_odd_comes_out_of_a_check(ex, thing):
    for answers_ in ([thing] * len(ex.names), [thing, *[____] * (len(ex.names) - 1)]):
        outcome = ex.grade(*answers_)
        assert isinstance(outcome, Outcome)
        assert not outcome.passed or ex.name == "reversed-claim"  # which takes an iterator


def test_an_object_that_raises_when_looked_at_does_no_harm():
    class Sly:
        def __repr__(self):
            raise RuntimeError

        __str__ = __float__ = __len__ = __iter__ = __repr__

    for ex in ALL:
        assert not ex.grade(*[Sly()] * len(ex.names)).passed
        if ex in PROGRAMS:
            assert ex.grade(lambda *args: Sly()).verdict == "wrong shape"


def test_names_that_only_look_like_the_library_are_allowed():
    """A field called dcg, and an unused import, are no way to the answer."""
    source = """
from dataclasses import dataclass
from helpers.notebook import dcg, ndcg

@dataclass
class Sum:
    dcg: float = 0.0

def my_dcg(grades):
    part = Sum()
    for i, grade in enumerate(grades):
        part.dcg += grade / math.log(i + 2, 2)
    return part.dcg
"""
    scope = {"math": math, "__name__": "__main__"}
    exec(source, scope)
    assert catalog()["my-dcg"].grade(scope["my_dcg"]).verdict == "correct"


@pytest.mark.parametrize(
    "program",
    [
        lambda grades: sum(g / math.log2(r) for r, g in enumerate(grades, 2)),
        lambda grades: float(np.sum(np.array(grades) / np.log2(np.arange(2, len(grades) + 2)))),
        lambda grades: np.float32(sum(g / math.log2(r) for r, g in enumerate(grades, 2))),
        lambda grades: np.dot(grades, [1 / math.log2(r + 2) for r in range(len(grades))]),
        functools.partial(
            lambda base, grades: sum(
                g * math.log(base) / math.log(r) for r, g in enumerate(grades, 2)
            ),
            2,
        ),
        lambda grades: functools.reduce(
            lambda t, p: t + p[1] / math.log2(p[0]), enumerate(grades, 2), 0.0
        ),
    ],
)
def test_unusual_but_right_programs_pass(program):
    assert catalog()["my-dcg"].grade(program).verdict == "correct"


def test_digits_lost_in_a_program_are_almost_right():
    def rounded(grades):
        return round(sum(g / math.log2(r) for r, g in enumerate(grades, 2)), 4)

    outcome = catalog()["my-dcg"].grade(rounded)
    assert outcome.verdict == "almost"
    assert "digits were lost" in outcome.message
    assert not numbers_in(outcome.message)


# Where a wrong switch changes nothing on all probes of an exercise, and why that is right.
INVISIBLE = {
    "my-dcg": {("cutoff", "all ranks"), ("cutoff", "k + 1")},  # it has no cutoff
    "exponential-gains": set(),
    "order-the-lines": set(),
}
BASES = {("discount", "natural log"), ("discount", "log10")}  # cancel in NDCG


@pytest.mark.parametrize("ex", PROGRAMS, ids=lambda e: e.name)
def test_no_probe_is_blind_to_a_mistake(ex):
    pairs = {(s, v) for s in ex.task.switches for v in wrong_values(ex.task.method, s)}
    cancel = BASES if ex.task.method.result == "NDCG" else set()
    assert pairs - set(mutants(ex)) == INVISIBLE.get(ex.name, cancel & pairs)


# ------------------------------------------------------------ the model with switches


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 4), min_size=n, max_size=n),
            st.lists(st.integers(0, 3), min_size=n, max_size=n),
            st.integers(1, 10),
        )
    ),
    st.sampled_from(["linear", "exponential"]),
    st.sampled_from(
        [("average", "average"), ("file order", "stable"), ("best", "best"), ("worst", "worst")]
    ),
)
@settings(max_examples=300, deadline=None)
def test_the_model_is_right_where_no_switch_is_wrong(query, gain, ties):
    y_true, y_score, k = query
    method = Method(gain=gain, ties=ties[0])
    options = {"k": k, "gain": gain}
    total = dcg(y_true, y_score, ties=ties[1], **options)
    for result, value in (
        ("DCG", total),
        ("IDCG", idcg(y_true, **options)),
        ("NDCG", ndcg(y_true, y_score, ties=ties[1], **options)),
    ):
        given_ = evaluate(replace(method, result=result), y_true, y_score, k)
        assert given_ == pytest.approx(value, abs=1e-12)


def test_the_batch_is_right_where_no_switch_is_wrong():
    for y_true, y_score, k in BATCH:
        wanted = ndcg(y_true, y_score, k=k, per_query=True)
        assert evaluate_batch(RIGHT, y_true, y_score, k) == pytest.approx(wanted, abs=1e-12)


# What each mistake prints on the first probe, computed apart.
F1 = {
    ("discount", "natural log"): 0.5262,
    ("discount", "log10"): 0.5262,
    ("discount", "log2(r + 2)"): 0.6010,
    ("discount", "2002 rule"): 0.5764,
    ("discount", "1/r"): 0.4265,
    ("discount", "1/(r + 1)"): 0.5196,
    ("discount", "multiplied"): 0.8620,
    ("discount", "none"): 0.7000,
    ("discount", "log2(r) + 1"): 0.4669,
    ("discount", "//"): 0.6000,
    ("gain", "exponential"): 0.4510,
    ("gain", "2^rel"): 0.5348,
    ("gain", "binary"): 0.6096,
    ("order", "ascending"): 0.7779,
    ("order", "input order"): 0.7882,
    ("order", "by label"): 1.0,
    ("order", "argsort twice"): 0.8029,
    ("order", "arguments swapped"): 0.6761,
    ("ideal", "best of the top k"): 0.6754,
    ("ideal", "ascending"): 1.4260,
    ("ideal", "not cut"): 0.4977,
    ("ideal", "unsorted"): 0.6676,
    ("cutoff", "all ranks"): 0.7101,
    ("cutoff", "k - 1"): 0.3838,
    ("cutoff", "k + 1"): 0.6602,
    ("result", "IDCG / DCG"): 1.9005,
    ("result", "DCG"): 3.5539,
    ("result", "/ sum of gains"): 0.3231,
    ("result", "/ k"): 0.8885,
    ("rounding", "parts to 2"): 0.5259,
}
# And on the tied query of notebook 08, at 5, 3 and 2.
TIES = {
    ("best", 5): 0.8987,
    ("file order", 5): 0.8987,
    ("minimum rank", 5): 0.8987,
    ("worst", 5): 0.7726,
    ("middle", 5): 0.8357,
    ("average rank", 5): 0.8162,  # 3.88685 / 4.76186
    ("dense", 5): 0.9225,
    ("dropped at k", 2): 0.4693,
    ("dropped at k", 3): 0.4200,
    ("average", 5): 0.8292,
    ("average", 3): 0.6575,
    ("average", 2): 0.6173,
}


@pytest.mark.parametrize(("switch", "value"), F1)
def test_each_mistake_prints_its_own_number(switch, value):
    assert round(evaluate(Method(**{switch: value}), *SCORED[0]), 4) == F1[switch, value]


@pytest.mark.parametrize(("ties", "k"), TIES)
def test_each_tie_rule_prints_its_own_number(ties, k):
    assert round(evaluate(Method(ties=ties), *TIED[0][:2], k), 4) == TIES[ties, k]


def test_dividing_by_the_logarithm_of_one_is_no_number():
    assert math.isnan(evaluate(Method(discount="log2(r)"), *SCORED[0]))


def test_every_value_has_a_text_and_every_text_a_value():
    assert set(WEIGHTS) - {RIGHT.discount} == set(MISTAKES["discount"])
    assert set(EVERY_SWITCH) == {*MISTAKES, "result"}
    for switch, texts in MISTAKES.items():
        for value, text in texts.items():
            method = Method(**{switch: value})
            if switch == "batch":
                assert evaluate_batch(method, *BATCH[0])
            else:
                assert isinstance(evaluate(method, *SCORED[0]), float)
            assert not text.endswith(".")
            assert not text.startswith(" ")


# ------------------------------------------------------------ diagnosis


def table(ex, method):
    """Return a function that looks up what a method gives: it shares no code with the engine."""
    values = {repr(args): ex.task.compute(method, *args) for args in ex.task.probes}

    def program(*args):
        return values[repr(args)]

    return program


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
    return [np.atleast_1d(ex.task.compute(method, *args)) for args in ex.task.probes]


def _equal(some, others):
    return all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=0, atol=1e-6, equal_nan=True)
        for a, b in zip(some, others, strict=True)
    )


@pytest.mark.parametrize(
    ("ex", "switch", "value"),
    [pytest.param(e, *m, id=f"{e.name}-{m[0]}-{m[1]}") for e in PROGRAMS for m in mutants(e)],
)
def test_every_mutant_gets_its_own_message(ex, switch, value):
    outcome = ex.grade(table(ex, replace(ex.task.method, **{switch: value})))
    assert outcome.verdict == "named"
    text = text_of(ex.task.method, switch, value)
    own_words = [slip.says for slip in ex.task.slips]
    assert text[1:] in outcome.message or outcome.message in own_words
    assert "Two things at once" not in outcome.message


@pytest.mark.parametrize("ex", PROGRAMS, ids=lambda e: e.name)
def test_every_right_variant_passes(ex):
    for change in (list, tuple, np.array, np.float64):
        values = {repr(args): ex.task.right(args) for args in probes_and_edges(ex)}
        if change is np.float64:
            if any(len(v) > 1 for v in values.values()):
                continue
            values = {args: np.float64(v[0]) for args, v in values.items()}
        else:
            values = {args: change(v) for args, v in values.items()}
        program = _lookup(values)
        assert ex.grade(program).verdict == "correct", change


def probes_and_edges(ex):
    return [*ex.task.probes, *(edge.args for edge in ex.task.edges)]


def _lookup(values):
    def program(*args):
        return values[repr(args)]

    return program


NDCG_EXERCISE = catalog()["ndcg-one"]


def test_another_base_is_right_for_ndcg_and_wrong_for_dcg():
    for base in ("natural log", "log10"):
        assert _equal(_of(NDCG_EXERCISE, {"discount": base}), _of(NDCG_EXERCISE, {}))
        ex = catalog()["my-dcg"]
        outcome = ex.grade(table(ex, replace(ex.task.method, discount=base)))
        assert MISTAKES["discount"][base][1:] in outcome.message


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
        found = explain(
            [float(v[0]) for v in values],
            lambda method: [evaluate(method, *args) for args in SCORED],
            RIGHT,
            NDCG_EXERCISE.task.switches,
        )
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
                a = [evaluate(Method(**dict(pair)), *q) for q in others]
                b = [evaluate(Method(**dict([single])), *q) for q in others]
                assert np.allclose(a, b, equal_nan=True), (pair, single)
                collisions += 1
    assert collisions > 0  # "by label" makes every ranking ideal, whatever else is wrong


# ------------------------------------------------------------ numbers typed by hand


def box(**changes):
    parts = dict(name="x", value=ranked([2, 3, 1, 3, 0]), method=Method(result="DCG"))
    switches = ("gain", "discount", "cutoff", "result", "rounding")
    return Box(**{**parts, "switches": switches, **changes})


# DCG@5 of 2, 3, 1, 3, 0 is 5.6848; what people find, and what happened.
@pytest.mark.parametrize(
    ("number", "says"),
    [
        (9, "No discount"),
        (4.5833, "Divided by the rank itself"),
        (2.85, "Divided by rank + 1"),
        (8.2015, "Natural logarithm"),
        (18.8846, "base 10"),
        (4.3531, "start at log2(3)"),
        (7.1309, "rule of 2002"),
        (10.9312, "Exponential gain"),
        (6.3235, "that is the ideal DCG"),
        (15.7207, "Multiplied by the logarithm"),
        (4.8869, "look at the parentheses"),
        (np.float32(9), "No discount"),
        (np.array(9.0), "No discount"),
        (5.7, "right to one decimal"),
        (5.6912, "lost on the way"),
        (12.3456789, "No slip that we know"),
        (math.inf, "divide by 0"),
        (-5.6848, "No slip that we know"),
    ],
)
def test_a_number_is_told_its_slip(number, says):
    outcome = box().judge(number)
    assert outcome.verdict not in ("correct", "not attempted")
    assert says.lower() in outcome.message.lower()


@pytest.mark.parametrize("number", [5.6848, 5.68482, 5.684818913, np.float64(5.6848189)])
def test_a_full_answer_is_right_without_a_word(number):
    assert box().judge(number) == Outcome("correct", "")


def test_two_decimals_are_accepted_with_a_word_on_rounding():
    outcome = box().judge(5.68)
    assert outcome.verdict == "correct"
    assert "right to 2 decimals" in outcome.message


def test_one_decimal_is_not_enough():
    assert box().judge(5.7).verdict != "correct"


def test_a_last_zero_is_a_digit():
    """0.0120 arrives in Python as 0.012; two digits of a small number tell nothing."""
    drops = catalog()["drops"]
    assert drops.grade(0.1309, 0.0120).passed
    for too_short in (0.01, 0.0102, 0.013):
        outcome = drops.grade(0.1309, too_short)
        assert not outcome.passed
        assert "very close" not in outcome.message


def test_a_whole_number_needs_no_decimals():
    assert box(value=ranked([3, 0, 2])).judge(4) == Outcome("correct", "")
    assert box(value=ranked([3, 0, 2])).judge(4.0) == Outcome("correct", "")


@pytest.mark.parametrize("thing", ["5.6848", [5.6848], True, 5j, None, np.array([5.6848])])
def test_what_is_no_number_is_said_to_be_none(thing):
    assert box().judge(thing).verdict == "wrong shape"


def test_a_slip_of_the_box_goes_before_the_switches():
    assert "mine" in box(slips={9: "mine"}).judge(9).message


def test_mistakes_that_need_a_computer_are_not_named_to_a_pencil():
    assert evaluate(Method(result="DCG", discount="//"), [2, 3, 1, 3, 0], [5, 4, 3, 2, 1]) == 4
    assert "//" not in box().judge(4).message


def test_ties_by_hand():
    tied = Box("x", scored(*TIED[0][:2], 5), switches=("ties",))
    for (ties, k), number in TIES.items():
        if k == 5 and ties not in ("average",):
            assert MISTAKES["ties"][ties][1:] in tied.judge(number).message


def test_several_numbers_are_judged_in_order():
    ex = catalog()["whole-way"]
    assert "Still blank: `full_at_2`" in ex.grade(0.6704, ____).message
    assert "Still blank: `full_at_4`" in ex.grade(None, 0.2961).message
    assert "full_at_2" in ex.grade(0.6704, 0.5).message
    assert "full_at_4" in ex.grade(0.1234, 0.5).message


def test_matching_counts_what_is_right_and_tells_one():
    ex = catalog()["name-the-slip"]
    assert isinstance(ex, Matching)
    answer = answers(ex, ex.worked)[0]
    swapped = answer | {9: answer[4.5833], 4.5833: answer[9]}
    message = ex.grade(swapped).message
    assert "6 of 8 are right" in message
    assert "9 does not come from A" in message
    assert "no letter" in ex.grade(answer | {9: "Z"}).message
    assert ex.grade(answer | {9: ____}).verdict == "not attempted"


@pytest.mark.parametrize("letter", "ABCDEFGH")
def test_the_numbers_of_the_slips_are_right(letter):
    causes = {
        "A": {"discount": "1/r"},
        "B": {},
        "C": {"discount": "natural log"},
        "D": {"discount": "none"},
        "E": {"discount": "multiplied"},
        "F": {"order": "by label"},
        "G": {"discount": "log2(r + 2)"},
        "H": {"gain": "exponential"},
    }
    method = Method(result="DCG", **causes[letter])
    value = evaluate(method, [2, 3, 1, 3, 0], [5, 4, 3, 2, 1], 3 if letter == "B" else 5)
    assert round(value, 4) == catalog()["name-the-slip"].causes[letter][1]


def test_no_typed_pair_of_mistakes_is_denied():
    """For every two mistakes at once in the first box: named, whatever is typed of them."""
    number = catalog()["dcg-of-302"].boxes[0]
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
            assert "nor two of them" not in message, (pair, typed)


def test_closeness_has_a_limit():
    number = box(value=ranked([3, 2, 1]), method=RIGHT, switches=())
    assert box().judge(5.6847).verdict == "almost"
    assert box().judge(5.74).verdict == "wrong"
    assert number.judge(0.9985).verdict == "almost"


def test_a_decimal_comma_is_recognized():
    assert "behind a point" in box().judge((5, 6848)).message


def test_remarks_on_rounding_reach_the_reader():
    assert "right to 2 decimals" in catalog()["whole-way"].grade(0.67, 0.2961).message


def test_in_words_lists_few_explanations_and_counts_the_rest():
    many = [[f"slip {i}"] for i in range(6)]
    words = in_words(many)
    assert words.count("•") == MOST_SHOWN + 1
    assert "… and 2 more" in words
    assert in_words([["`x` is it"]]) == "`x` is it."
    assert in_words([["one", "two"]]) == "Two things at once. (1) One. (2) Two."


def test_no_explanation_is_given_twice():
    found = explain(
        [evaluate(Method(ties="best"), *TIED[0])],
        lambda method: [evaluate(method, *TIED[0])],
        RIGHT,
        ("ties",),
    )
    assert len(found) == len({tuple(f) for f in found}) > 1


def test_a_cut_that_cannot_differ_is_not_named():
    assert "only the ideal" not in wrong_values(Method(result="DCG"), "cutoff")
    assert "only the ideal" in wrong_values(RIGHT, "cutoff")


def test_a_group_that_ends_at_k_is_not_cut():
    query = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]
    assert evaluate(Method(ties="dropped at k"), *query, 4) == evaluate(RIGHT, *query, 4)


def test_attempts_offer_more_as_they_grow():
    ex = catalog()["dcg-of-302"]
    messages = [ex.grade(5).message for _ in range(4)]
    assert "solution()" not in messages[2]
    assert messages[3].endswith("Attempt 4: `hint()` gives a nudge; `solution()` shows one way.")
    ex.hints_shown = len(ex.hints)
    assert ex.grade(5).message.endswith("Attempt 5: `solution()` shows one way.")


def test_an_open_text_needs_twelve_words():
    ex = catalog()["star-ratings"]
    assert ex.grade(" ".join(["word"] * 11)).verdict == "wrong shape"
    assert ex.grade(" ".join(["word"] * 12)).verdict == "open"
    assert "one word" in ex.grade("averaged").message
    upper = "AVERAGE ALL ORDERS " + " ".join(["word"] * 12)
    assert "on 3 of 4 points" in ex.grade(upper).message


def test_emphasis_and_code_are_marked_and_not_shown_raw():
    outcome = Outcome("named", "Take the *mean*, `2 * x`, and `a**b`.")
    assert "<em>mean</em>" in outcome._repr_html_()
    assert "<code>2 * x</code>" in outcome._repr_html_()
    assert "<code>a**b</code>" in outcome._repr_html_()
    assert "Take the mean, 2 * x, and a**b." in repr(outcome)
    assert COLORS["correct"] in Outcome("correct", "")._repr_html_()


# ------------------------------------------------------------ programs


def test_a_crash_names_the_input():
    outcome = catalog()["ndcg-one"].grade(lambda grades, scores, k: grades["a"])
    assert outcome.verdict == "crashed"
    assert "grades = [2, 3, 2, 1, 0, 3]" in outcome.message
    assert "IndexError" in outcome.message


def test_no_return_is_said():
    outcome = catalog()["ndcg-one"].grade(lambda grades, scores, k: None)
    assert outcome.verdict == "no return"
    assert "`return`" in outcome.message


def test_what_has_no_name_is_said_honestly_with_the_input():
    outcome = catalog()["ndcg-one"].grade(lambda grades, scores, k: 0.123)
    assert outcome.verdict == "wrong"
    assert "0 of 4 tries are right" in outcome.message
    assert "gave 0.123" in outcome.message
    assert "grades = [2, 3, 2, 1, 0, 3]" in outcome.message


def test_a_blank_in_a_function_that_is_called_is_found():
    scope = {"____": ____, "__name__": "__main__"}
    exec("def my_dcg(g):\n    return ____\n\ndef two(g, k):\n    return my_dcg(g)", scope)
    outcome = catalog()["my-ndcg-at-k"].grade(scope["two"])
    assert outcome.verdict == "not attempted"
    assert "`my_dcg`" in outcome.message


@pytest.mark.parametrize(
    ("old", "new"), [("[::-1]", "[::1]"), ("argsort(scores)", "argsort(grades)")]
)
def test_one_changed_number_or_name_makes_an_attempt(old, new):
    ex = catalog()["patient-one"]
    assert old in ex.start
    assert graded(ex, ex.start.replace(old, new)).verdict != "not attempted"


def test_a_reader_may_call_own_functions_and_numpy():
    scope = {"np": np, "__name__": "__main__"}
    source = """
def total(grades, weights):
    return (grades * weights).sum()

def ndcg_one(grades, scores, k):
    w = 1 / np.log2(np.arange(2, len(grades) + 2))
    w[k:] = 0
    best = total(np.sort(grades)[::-1], w)
    return total(grades[np.argsort(-scores)], w) / best if best else 0.0
"""
    exec(source, scope)
    assert catalog()["ndcg-one"].grade(scope["ndcg_one"]).verdict == "correct"


def test_prints_of_a_program_are_not_shown_while_it_is_tried(capsys):
    def noisy(grades, scores, k):
        print("here")
        return 0.5

    catalog()["ndcg-one"].grade(noisy)
    assert capsys.readouterr().out == ""


def test_the_broken_program_is_not_attempted_whatever_its_comments():
    ex = catalog()["patient-one"]
    source = ex.start.replace("order = ", "# a comment\n    order = ")
    assert graded(ex, source).verdict == "not attempted"


@pytest.mark.parametrize(
    "ex", [e for e in PROGRAMS if "\nprint(" in e.start], ids=lambda e: e.name
)
def test_a_broken_program_prints_what_its_prompt_says(ex):
    out = io.StringIO()
    scope = {"__name__": "__main__"}
    exec(ex.given, scope)
    with redirect_stdout(out):
        exec(ex.start, scope)
    printed = out.getvalue().replace("[", "").replace("]", "").split()
    assert printed
    for number in printed:
        assert f"{float(number):.4f}" in ex.prompt


def test_any_order_of_lines_that_works_is_right():
    ex = catalog()["order-the-lines"]
    assert isinstance(ex, Parsons)
    for order in ("DAEB", "DEAB", "daeb", "D A E B", "D, E, A, B", "D-A-E-B", list("DAEB")):
        assert ex.grade(order).verdict == "correct", order
    from itertools import permutations

    assert "stands there twice" in ex.grade("DDAEB").message
    wrong = {"".join(p) for p in permutations("ABDE")} - {"DAEB", "DEAB"}
    for order in wrong:
        assert not ex.grade(order).passed, order


def test_every_list_of_three_that_breaks_the_claim_is_right():
    ex = catalog()["reversed-claim"]
    assert isinstance(ex, Claim)
    for grades in product(range(4), repeat=3):
        breaks = (
            list(grades) == sorted(grades, reverse=True) and len(set(grades)) == 1 and any(grades)
        )
        assert ex.grade(list(grades)).passed == breaks, grades


def test_the_crossing_claim_has_four_pairs():
    ex = catalog()["crossing-claim"]
    from itertools import permutations

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
    ex = catalog()["middle-claim"]
    best, worst, mean = (ndcg(*query, ties=ties) for ties in ("best", "worst", "average"))
    assert ex.grade(*query).passed == (mean > (best + worst) / 2 + 1e-3)


def test_an_open_question_shows_its_rubric_and_what_it_did_not_find():
    ex = catalog()["star-ratings"]
    assert isinstance(ex, OpenQuestion)
    full = graded(ex, ex.worked)
    assert full.verdict == "open"
    assert "found nothing" not in full.message
    assert "1. The metric" in full.folded
    assert "<details>" in full._repr_html_()
    vague = ex.grade(
        "We would think about it for a long time and then do something good about it."
    )
    assert "found nothing on 4 of 4 points" in vague.message


# ------------------------------------------------------------ blanks, verbs, words


@pytest.mark.parametrize(
    "sum_",
    [
        lambda b: b + 1,
        lambda b: 1 - b,
        lambda b: 2 * b**2,
        lambda b: 4 / b,
        lambda b: -b // 2,
        lambda b: np.array([1, 2]) / b,
        lambda b: b * np.float64(3),
        lambda b: np.float64(3) * b,
        lambda b: b(3),
        lambda b: 2**b,
        lambda b: +b,
        lambda b: 2 // b,
        lambda b: abs(b) % 2,
        lambda b: round(b, 4),
        lambda b: np.array([1.0]) @ b,
        lambda b: (1, b),
        lambda b: [1, b],
        lambda b: {"a": b},
    ],
)
def test_a_sum_with_a_blank_is_blank(sum_):
    assert is_blank(sum_(____))


def test_a_number_is_no_blank():
    assert not is_blank(0)
    assert not is_blank([])
    assert not is_blank("")
    assert repr(____) == f"{____:.4f}" == "____"


def test_attempts_count_and_offer_help():
    ex = catalog()["dcg-of-302"]
    assert "Attempt" not in ex.grade(5).message
    assert "Attempt 2: `hint()`" in ex.grade(5).message
    ex.grade(____)
    assert ex.attempts == 2
    ex.hints_shown = len(ex.hints)
    assert "`solution()`" in ex.grade(5).message
    assert "Attempt" not in ex.grade(4).message


def test_the_wrong_number_of_answers_is_an_error():
    with pytest.raises(TypeError, match=r"takes 2 \(full_at_4, full_at_2\), got 1"):
        catalog()["whole-way"].check(0.5)


def test_an_unknown_name_is_an_error():
    with pytest.raises(ValueError, match="no exercise is called 'nope'; there are order-by-hand"):
        exercise("nope")


def shown(monkeypatch):
    seen = []
    monkeypatch.setattr("helpers.exercises.base.display", seen.append)
    return seen


def test_check_shows_its_outcome(monkeypatch):
    seen = shown(monkeypatch)
    assert catalog()["dcg-of-302"].check(4) is None
    assert seen[0].verdict == "correct"


def test_hints_come_one_by_one(monkeypatch):
    seen = shown(monkeypatch)
    ex = catalog()["dcg-of-302"]
    for _ in range(3):
        ex.hint()
    texts = [s.data for s in seen]
    assert ex.hints[0] in texts[0]
    assert ex.hints[1] not in texts[0]
    assert ex.hints[1] in texts[1]
    assert texts[1] == texts[2]


def test_solution_shows_code_and_reason(monkeypatch):
    seen = shown(monkeypatch)
    ex = catalog()["my-dcg"]
    ex.solution()
    assert ex.worked in seen[0].data
    assert ex.because in seen[0].data


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


# ------------------------------------------------------------ catalog


def test_every_name_is_used_once():
    names = [e.name for exercises in BY_NOTEBOOK.values() for e in exercises]
    assert len(names) == len(set(names)) == len(ALL)


def test_every_kind_of_exercise_occurs():
    kinds = {type(e) for e in ALL}
    assert kinds == {Boxes, Matching, Function, Parsons, Claim, OpenQuestion}


def test_cell_puts_the_answer_in_the_place_of_the_start():
    ex = catalog()["my-dcg"]
    assert ex.cell(3).startswith(ex.start + "\n\n\nq3 = exercise(")
    assert ex.cell(3, "my_dcg = 1").startswith("my_dcg = 1\n\nq3 = exercise(")
    assert ex.cell(3).endswith("q3.check(my_dcg)\n# q3.hint()\n# q3.solution()")
