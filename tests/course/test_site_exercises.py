"""The page judges as Python does: the same verdict, message and look for every answer tried."""

import ast
import functools
import gzip
import json
import math
import random
import re
from dataclasses import replace
from html import unescape
from itertools import permutations, product

import lab
import pytest
from site_page import open_site_page

from course.exercises import CATALOG, ____, mistakes
from course.exercises.boxes import Boxes, Matching
from course.exercises.programs import Parsons
from course.exercises.task import names_after
from course.site import exercises as exported
from course.site.exercises import data_of_exercise, words_module
from coursekit.exercises.claims import Claim, OpenQuestion
from coursekit.exercises.outcome import Outcome

in_chromium = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)
DATA = {name: data for name, ex in CATALOG.all.items() if (data := data_of_exercise(ex))}
JUDGED = list(DATA)

JUDGE = """async ([data, answers]) => {
  const { judge, html } = await import("/judge.js");
  return answers.map((answer) => {
    const outcome = judge(data, answer);
    return [outcome.verdict, outcome.message, html(outcome)];
  });
}"""
NUMBERS = """async ([box, name, texts]) => {
  const { evaluate, judgeNumber, html } = await import("/judge.js");
  return texts.map((text) => {
    const outcome = judgeNumber(box, name, evaluate(["", ""], [text]));
    return [outcome.verdict, outcome.message, html(outcome)];
  });
}"""
OFFER = """async ([data, outcome, cases]) => {
  const { withOffer } = await import("/judge.js");
  return cases.map(([attempts, shown]) => withOffer(data, outcome, attempts, shown).message);
}"""
ARITHMETIC = """async (texts) => {
  const { arithmetic } = await import("/judge.js");
  return texts.map((text) => arithmetic(text) ?? null);
}"""
GENERAL = """async (numbers) => {
  const { general } = await import("/judge.js");
  return numbers.map(general);
}"""


@pytest.fixture(scope="module", name="page")
def _page(desk):
    page = open_site_page(desk.page())
    yield page
    desk.close(page)


@pytest.fixture(name="luck")
def _luck():
    return random.Random(14)


def look(outcome, exercise=None):
    """Return what the page should show of an outcome of Python."""
    message = on_page(outcome.message, exercise) if exercise else outcome.message
    outcome = outcome._replace(message=message)
    html = outcome._repr_html_().replace(' role="status"', "")
    return [outcome.verdict, outcome.message, html]


def on_page(text, exercise):
    """Return text that calls a verb of the notebook by its button on the page."""
    for verb, button in (("hint", "Hint"), ("solution", "Solution")):
        text = text.replace(f"`{exercise.q}.{verb}()`", f"*{button}*")
    return text


def check(answers, on_page, wanted):
    """Compare what the page says with what Python says, answer by answer."""
    assert len(answers) == len(on_page) == len(wanted) > 0
    wrong = [
        f"{answer}\n  page: {seen}\n  Python: {right}"
        for answer, seen, right in zip(answers, on_page, wanted, strict=True)
        if seen != right
    ]
    assert not wrong, f"{len(wrong)} of {len(answers)} differ\n" + "\n".join(wrong[:5])


def of_kind(kind):
    return [name for name in JUDGED if isinstance(CATALOG.all[name], kind)]


# --- numbers --------------------------------------------------------------------------


def typed(box, data, luck):
    """Return numbers as readers type them: right ones, explained ones, and any others."""
    known = [*data["right"], *(found[0] for key in ("slips", "one") for found in data[key])]
    texts = [f"{number:.{d}f}" for number in known for d in range(7)]
    texts += [f"{found[0]:.{d}f}" for found in data["two"] for d in (1, 2, 4, 5)]
    texts += [f"{-number:.4f}" for number in known]
    texts += [repr(float(x)) for found in (data["one"], data["two"]) for x, *_ in found]
    texts += [f"{number + off:.7f}" for number in known for off in (-6e-5, 5e-5, 7e-5, 1e-3)]
    texts += [f"{math.trunc(box.right * 10**d) / 10**d}" for d in range(5)]
    texts += [f"{luck.uniform(-1, 16):.{luck.randrange(7)}f}" for _ in range(150)]
    texts += [repr(luck.uniform(0.2, 1.2) * box.right) for _ in range(50)]
    odd = ["0", "0.0", "-0", "-0.0", "1e-7", "1e16", "123456789", "1000.125", "7.", ".5", "1e999"]
    return list(dict.fromkeys([*texts, *odd]))


@in_chromium
@pytest.mark.parametrize("name", of_kind(Boxes))
def test_numbers_are_judged_alike(page, luck, monkeypatch, name):
    turned = mistakes.turned
    monkeypatch.setattr(mistakes, "turned", functools.cache(lambda *a: list(turned(*a))))
    for box, data in zip(CATALOG.all[name].boxes, DATA[name]["boxes"], strict=True):
        texts = typed(box, data, luck)
        quick = replace(box, value=functools.cache(box.value))
        wanted = [look(quick.judge(ast.literal_eval(text))) for text in texts]
        check(texts, page.evaluate(NUMBERS, [data, box.name, texts]), wanted)
        verdicts = {verdict for verdict, *_ in wanted}
        assert {"correct", "wrong"} <= verdicts
        assert "named" in verdicts or not data["slips"]


@in_chromium
@pytest.mark.parametrize("name", of_kind(Boxes))
def test_lines_with_blanks_are_computed_and_judged_alike(page, luck, name):
    exercise, fields = CATALOG.all[name], DATA[name]["fields"]
    right = [box.right for box in exercise.boxes]
    answers, wanted = [], []
    for _ in range(60):
        texts = [
            [some_text(luck, right[i]) for _ in field["parts"][1:]]
            for i, field in enumerate(fields)
        ]
        answers.append(texts)
        given = [text or "____" for some in texts for text in some]
        start = exercise.start.replace("____", "({})").format(*given)
        scope = {"____": ____}
        exec(start, scope)
        outcome = exercise._outcome([scope[name] for name in exercise.names])
        untouched = outcome.message.startswith("Replace the blank")
        wanted.append(look(outcome._replace(message=exported.BLANK) if untouched else outcome))
    check(answers, page.evaluate(JUDGE, [DATA[name], answers]), wanted)
    seen = {(verdict, "Still blank" in message) for verdict, message, _ in wanted}
    assert ("not attempted", False) in seen  # nothing was filled in


def some_text(luck, right):
    """Return what may be typed into a blank: nothing, a number, or a sum."""
    near = f"{right:.4f}"
    return luck.choice(["", "", near, near, near, str(luck.randint(1, 4)), "1 / 2", f"{near} + 1"])


def shown_solution(data):
    """Return what the page shows as the solution, typed into its fields."""
    code = unescape(re.search(r"<pre><code>(.*?)</code></pre>", data["solution"], re.DOTALL)[1])
    nodes = [node for node in ast.parse(code).body if isinstance(node, ast.Assign)]
    shown = {node.targets[0].id: node.value for node in nodes}
    return [typed_into(field, shown[field["name"]], code) for field in data["fields"]]


def typed_into(field, node, code):
    if field["kind"] == "number":  # what stands where the blanks are
        text = ast.get_source_segment(code, node)
        pattern = r"(.+)".join(re.escape(part) for part in field["parts"])
        return list(re.fullmatch(pattern, text, re.DOTALL).groups())
    value = ast.literal_eval(node)
    if field["kind"] == "choice":
        return list(map(str, value.values() if isinstance(value, dict) else value))
    return [value]


@in_chromium
@pytest.mark.parametrize("name", JUDGED)
def test_the_solution_that_is_shown_is_accepted_where_it_is_shown(page, name):
    [[verdict, message, _]] = page.evaluate(JUDGE, [DATA[name], [shown_solution(DATA[name])]])
    notice = CATALOG.all[name].notice
    assert verdict == ("open" if DATA[name]["kind"] == "open" else "correct"), message
    assert message.removeprefix(notice) == "" or message.endswith(notice)


@pytest.mark.parametrize("name", [name for name in JUDGED if CATALOG.all[name].on_page])
def test_a_solution_for_the_page_has_the_numbers_of_the_other(name):
    ex = CATALOG.all[name]
    scope = names_after(f"from math import log2\n{ex.on_page}")
    for box in ex.boxes:
        assert scope[box.name] == pytest.approx(box.right, abs=1e-12)


@in_chromium
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0,5", "`a` should be a number; these are several. Decimals stand behind a point"),
        ("abc", "`a` should be a number, such as 0.5 or 2 / 3; `abc` cannot be read."),
        ("1 +", "`1 +` cannot be read."),
        ("'1'", "`'1'` cannot be read."),
        ("1 / 0", "`a` is inf: somewhere you divide by 0."),
        ("0 / 0", "`a` is nan: somewhere you divide by 0."),
        ("log(3, 2, 1)", "`log(3, 2, 1)` cannot be read."),
        ("log2(3, 2)", "`log2(3, 2)` cannot be read."),
        ("log", "`log` cannot be read."),
    ],
)
def test_what_is_no_number_is_told(page, text, says):
    box = DATA["wrong-term"]["boxes"][0]
    data = {
        **DATA["wrong-term"],
        "fields": [{"kind": "number", "name": "a", "parts": ["", ""]}],
        "boxes": [box],
    }
    [[verdict, message, _]] = page.evaluate(JUDGE, [data, [[[text]]]])
    assert says in message
    assert verdict in ("wrong shape", "wrong")


def some_sum(luck, depth=3):
    if depth == 0 or luck.random() < 0.2:
        kinds = ["{:d}", "{:d}.", "{:d}.5", "0.{:d}", "{:d}e-2", "math.log2({:d})", "{:d} ** -1"]
        return luck.choice(kinds).format(luck.randint(1, 9))
    sign = luck.choice("+-*/")
    one, other = (some_sum(luck, depth - 1) for _ in range(2))
    return luck.choice(["{} {} {}", "({} {} {})", "-{}{}{}", "({}{}{}) ** 2"]).format(
        one, sign, other
    )


@in_chromium
def test_arithmetic_is_that_of_python(page, luck):
    texts, wanted = [], []
    while len(texts) < 2000:
        text = some_sum(luck)
        try:
            value = eval(text, {"math": math})
        except ZeroDivisionError:
            continue
        if abs(value) < 2**53:
            texts.append(text)
            wanted.append(value)
    seen = page.evaluate(ARITHMETIC, texts)
    assert [number["whole"] for number in seen] == [isinstance(value, int) for value in wanted]
    off = [
        (text, number["value"], value)
        for text, number, value in zip(texts, seen, wanted, strict=True)
        if not math.isclose(number["value"], value, rel_tol=1e-14, abs_tol=1e-12)
    ]
    assert off == []


AS_ON_PAPER = {
    "3 × 4 · 2 ÷ 8": 3,
    "7 – 2 − 1 — 1": 3,
    "2^6 – 1": 63,
    "-2^2": -4,
    "log(9) / log(3)": 2.0,
    "log(8, 2)": math.log(8, 2),
    "ln(3)": math.log(3),
    "math.log(3)": math.log(3),
    "log10(1000)": 3.0,
    "ceil((1.96 * 0.25 / 0.004) ** 2)": 15007,
    "math.ceil(2.5)": 3,
}


@in_chromium
def test_signs_and_logarithms_as_on_paper_are_understood(page):
    seen = page.evaluate(ARITHMETIC, list(AS_ON_PAPER))
    assert [n["value"] for n in seen] == pytest.approx(list(AS_ON_PAPER.values()), abs=1e-12)
    assert [n["whole"] for n in seen if n["value"] in (63, 15007)] == [True, True]


@in_chromium
def test_numbers_are_written_as_python_writes_them(page, luck):
    numbers = [luck.uniform(-1, 1) * 10 ** luck.randint(-9, 9) for _ in range(2000)]
    halves = [1000.125, 1000.375, 123456.5, 123457.5, 999999.5, 0.5, 100000.0, 1e-4, 1e-5, 0]
    numbers += halves
    assert page.evaluate(GENERAL, numbers) == [f"{number:g}" for number in numbers]


# --- finite answers -------------------------------------------------------------------


def read(key):
    return [int(grade) for grade in key] if key.isdigit() else key


def claims_keys(exercise, luck):
    """Return answers to a claim: all where they are few, all that have the right form, others."""
    scope = names_after(exercise.worked, exercise.given)
    right = [scope[name] for name in exercise.names]
    every = [every_answer(*pair) for pair in zip(exercise.choices, right, strict=True)]
    if exercise.in_turn:  # those before are right, those behind by luck
        keys = []
        for i, answers in enumerate(every):
            before = ["".join(map(str, answer)) for answer in right[:i]]
            keys += [[*before, answer, *map(luck.choice, every[i + 1 :])] for answer in answers]
        return keys
    if len(every) == 1:
        return list(product(*every))
    formed = DATA[exercise.name]["pairs"]["keys"]
    others = [tuple(map(luck.choice, every)) for _ in range(500)]
    return [*product(*formed), *others]


def every_answer(choices, right):
    """Return what may be answered: of a text each order of its letters, and some that are none."""
    if isinstance(right, str):
        others = [right.lower(), ", ".join(right), right[:-1], right + right[-1], "x"]
        return [*map("".join, permutations(choices)), *others]
    return list(map("".join, product(choices, repeat=len(right))))


@in_chromium
@pytest.mark.parametrize("name", of_kind(Claim))
def test_claims_are_judged_alike(page, luck, name):
    exercise = CATALOG.all[name]
    keys = claims_keys(exercise, luck)
    kinds = [field["kind"] for field in DATA[name]["fields"]]
    answers = [
        [[key] if kind == "text" else [*key] for kind, key in zip(kinds, some, strict=True)]
        for some in keys
    ]
    wanted = [look(exercise.judge(*map(read, some))) for some in keys]
    check(answers, page.evaluate(JUDGE, [DATA[name], answers]), wanted)
    assert {"correct", "named"} <= {verdict for verdict, *_ in wanted}


@in_chromium
@pytest.mark.parametrize("name", of_kind(Matching))
def test_matching_is_judged_alike(page, luck, name):
    exercise, data = CATALOG.all[name], DATA[name]
    [field] = data["fields"]
    wanted = data["wanted"]
    answers = [wanted, *(luck.choices(field["choices"], k=len(wanted)) for _ in range(2000))]
    for place, letter in product(range(len(wanted)), field["choices"]):
        answers.append([*wanted[:place], letter, *wanted[place + 1 :]])
    numbers = [ast.literal_eval(label) for label in field["labels"]]
    said = [look(exercise.judge(dict(zip(numbers, a, strict=True)))) for a in answers]
    check(answers, page.evaluate(JUDGE, [data, [[a] for a in answers]]), said)


@in_chromium
@pytest.mark.parametrize("name", of_kind(Parsons))
def test_lines_in_order_are_judged_alike(page, name):
    exercise = CATALOG.all[name]
    sizes = range(1, len(exercise.lines) + 1)
    texts = ["".join(order) for size in sizes for order in permutations(exercise.lines, size)]
    texts += ["DD", "daeb", "D, A, E, B", "D-A E B", "DAEBZ", "DA<B", "D&", "ß", ",", "DAEBA"]
    texts += ["D -> A", "D → A → E → B", "D > A > E > B", "«DAEB»", "D; A; E; B."]
    wanted = [look(exercise.judge(text)) for text in texts]
    check(texts, page.evaluate(JUDGE, [DATA[name], [[[text]] for text in texts]]), wanted)


@in_chromium
@pytest.mark.parametrize("name", of_kind(OpenQuestion))
def test_open_questions_are_judged_alike(page, luck, name):
    exercise = CATALOG.all[name]
    known = [word for _, words in exercise.rubric for word in words]
    texts = [" ".join(["word"] * n) for n in range(1, 14)]
    texts += ["我们不换", "我们暂时保留旧的排序器，因为区间包含零。" * 2, "まだ決めない。" * 5]
    texts += ["เรายังไม่เปลี่ยน", "Holm, A/B " * 7, "검색 결과를 먼저 본다"]
    for _ in range(200):
        filler = ["Word,\n", "and\t", "<more>"] * 5
        texts.append(" ".join([*filler, *luck.sample(known, luck.randrange(len(known) + 1))]))
    texts += [answer.upper() for answer in texts[-20:]]
    wanted = [look(exercise.judge(text), exercise) for text in texts]
    check(texts, page.evaluate(JUDGE, [DATA[name], [[[text]] for text in texts]]), wanted)


# --- blanks, offers, and the whole ----------------------------------------------------


@in_chromium
@pytest.mark.parametrize("name", [name for name in JUDGED if name not in of_kind(Boxes)])
def test_blanks_are_told(page, name):
    exercise, data = CATALOG.all[name], DATA[name]
    sizes = [len(field.get("labels", "1")) for field in data["fields"]]
    blank = [[""] * size for size in sizes]
    [seen] = page.evaluate(JUDGE, [data, [blank]])
    assert seen == look(Outcome("not attempted", exported.BLANK))
    if len(sizes) > 1:
        first = [["1"] * sizes[0], *blank[1:]]
        wanted = look(exercise._outcome([1, *[____] * (len(sizes) - 1)]))
        assert page.evaluate(JUDGE, [data, [first]]) == [wanted]


@in_chromium
def test_help_is_offered_as_in_the_notebook(page):
    for name in JUDGED:
        exercise = replace(CATALOG.all[name])
        cases = list(product(range(1, 6), range(len(exercise.hints) + 1)))
        wanted = []
        for exercise.attempts, exercise.hints_shown in cases:
            message = exercise.with_offer(Outcome("wrong", "No.")).message
            wanted.append(on_page(message, exercise))
        outcome = {"verdict": "wrong", "message": "No."}
        assert page.evaluate(OFFER, [DATA[name], outcome, cases]) == wanted
        for verdict in ("correct", "open", "not attempted"):
            outcome = {"verdict": verdict, "message": "So."}
            assert set(page.evaluate(OFFER, [DATA[name], outcome, cases])) == {"So."}


def test_exercises_are_small_and_half_of_them_are_judged():
    def size(*data):
        return len(gzip.compress(json.dumps(data, ensure_ascii=False).encode(), 9))

    assert len(JUDGED) >= len(CATALOG.all) / 2
    words = len(gzip.compress(words_module().encode(), 9))
    assert sum(size(DATA[name]) for name in JUDGED) + words < 1_440 * len(JUDGED)
    assert max(map(size, DATA.values())) < 7_000


def test_a_page_speaks_of_buttons_and_not_of_cells():
    for name in JUDGED:
        text = json.dumps(DATA[name])
        assert not any(words in text for words in (".hint()", ".solution()", "this cell")), name


def test_a_formula_that_is_not_known_is_an_error():
    assert exported._formulas(r"$\log_2 2 = 1$") == "log<sub>2</sub> 2 = 1"
    with pytest.raises(ValueError, match="cannot set"):
        exported._formulas(r"$\frac{1}{2}$")
