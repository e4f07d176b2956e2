"""What a page needs to judge an exercise without Python, in Python's own words.

Whatever has few answers becomes a table of what Python says to each; numbers come with the wrong
ones that Python can explain. ``static/judge.js`` looks up and compares, and makes no sentence:
what several exercises say stands in ``exercise_words.js``, which the site gets from here.
"""

import ast
import json
import math
import re
from collections import Counter
from functools import singledispatch
from html import escape
from itertools import chain, permutations, product

from course.exercises.boxes import DECIMALS, ONLY_IN_CODE, REST_BLANK, SAYS, Boxes, Matching
from course.exercises.mistakes import (
    MISTAKES,
    MORE,
    RESULTS,
    SEVERAL,
    TWO,
    ended,
    in_words,
    turned,
)
from course.exercises.programs import UNKNOWN, Parsons
from course.exercises.task import names_after
from coursekit.exercises.base import STILL_BLANK, offer
from coursekit.exercises.claims import FEW_WORDS, Claim, OpenQuestion
from coursekit.exercises.outcome import HEADINGS, Outcome, html

SOLUTION = "*Solution*"  # how a page calls that verb
BLANK = "Fill in the blank, and press *Check*."
UNREADABLE = "`{name}` should be a number, such as 0.5 or 2 / 3; {given} cannot be read."
NUMBER = re.compile(r"\d\.\d{4}")
SLIPS = list(dict.fromkeys(chain(RESULTS.values(), *(of.values() for of in MISTAKES.values()))))


def data_of_exercise(exercise):
    """Return all that a page needs of an exercise.

    Parameters
    ----------
    exercise : coursekit.exercises.base.Exercise
        One of the catalog.

    Returns
    -------
    dict or None
        Of what JSON knows. Its ``kind`` is that of the judge in ``static/judge.js``. None for an
        exercise that only Python can judge.
    """
    judge = _judge(exercise)
    if judge is None:
        return None
    n_hints = len(exercise.hints)
    return {
        "hints": [
            _markup(f"Hint {i} of {n_hints}.", hint)
            for i, hint in enumerate(exercise.hints, start=1)
        ],
        "solution": _markup("One solution", "")
        + _code(exercise.on_page or exercise.worked, exercise.because),
        **judge,
    }


# --- words ----------------------------------------------------------------------------


def words_module():
    """Return the module of the page that has what several exercises say."""
    return f"export default {json.dumps(_words(), ensure_ascii=False, indent=1)};\n"


def _words():
    hint, solution = {"hint": "*Hint*"}, {"solution": SOLUTION}
    return {
        "verdicts": {verdict: _look(verdict) for verdict in HEADINGS},
        "blank": BLANK,
        "still blank": STILL_BLANK,
        "rest blank": REST_BLANK,
        "offers": {
            "hint": offer("{attempts}", hint),
            "hint and solution": offer("{attempts}", hint | solution),
            "solution": offer("{attempts}", solution),
        },
        "unreadable": UNREADABLE,
        "matching": Matching.says,
        "several slips": SEVERAL,
        "more slips": MORE,
        "two slips": TWO,
        **SAYS,
        "slips": [in_words([[text]]) for text in SLIPS],
    }


def _look(verdict):
    """Return what a verdict looks like; a page fills in the message, and the rubric.

    The page announces what changes, so the role is left to the place where it stands.
    """
    return Outcome(verdict, "{message}", "{rubric}" if verdict == "open" else "").as_html()


def _markup(heading, text):
    body = html(text) if text else "<p></p>"
    return _formulas(f"<p><strong>{heading}</strong> {body[3:]}")


def _code(code, text):
    return f"<pre><code>{escape(code, quote=False)}</code></pre>{_formulas(html(text))}"


def _formulas(text):
    """Set the few formulas of hints and solutions, which hold nothing but this logarithm."""
    text = re.sub(r"\$([^$]+)\$", r"\1", text).replace(r"\log_2", "log<sub>2</sub>")
    if "\\" in text or "$" in text:
        raise ValueError(f"a formula that the page cannot set: {text}")
    return text


def _fields(exercise):
    """Yield the name, the value and the comment of each variable in the code to begin with."""
    lines = exercise.start.splitlines()
    for node in ast.parse(exercise.start).body:
        if isinstance(node, ast.Assign):
            value = ast.get_source_segment(exercise.start, node.value)
            note = lines[node.end_lineno - 1][node.end_col_offset :].strip(" #")
            yield node.targets[0].id, value, note


# --- the judges -----------------------------------------------------------------------


@singledispatch
def _judge(_exercise):
    """Return the kind of a judge and what it looks things up in; None if there is none."""
    return None


@_judge.register
def _(exercise: Boxes):
    fields = [
        {"kind": "number", "name": name, "parts": value.split("____"), "note": note}
        for name, value, note in _fields(exercise)
    ]
    boxes = [_of_box(box) for box in exercise.boxes]
    return {"kind": "boxes", "fields": fields, "boxes": boxes, "notice": exercise.notice}


def _of_box(box):
    """Return the right number, and the wrong ones with what happened.

    That is a place in `SLIPS`, or two; a number that several pairs explain has none.
    """
    one, two = {}, {}
    for size, found in ((1, one), (2, two)):
        for texts, method in turned(box.method, box.switches, size, ONLY_IN_CODE):
            value = box.value(method)
            if math.isfinite(value) and value != box.right:
                found.setdefault(value, {})[tuple(map(SLIPS.index, texts))] = None
    # Where one slip leads, nobody asks for two.
    pairs = {value: [*places] for value, places in two.items() if value not in one}
    scales = [10**decimals for decimals in range(DECIMALS)]
    return {
        "right": [box.right, box.also_right],
        "begins": box.begins,
        "rounded": [round(box.right, decimals) for decimals in range(DECIMALS + 1)],
        "cut": [math.trunc(round(box.right * scale, 6)) / scale for scale in scales],
        "slips": [[value, ended(says)] for value, says in box.slips.items()],
        "one": [[value, place] for value, places in one.items() for (place,) in places],
        "two": [[value, *(ps[0] if len(ps) == 1 else ())] for value, ps in pairs.items()],
    }


@_judge.register
def _(exercise: Matching):
    [(name, value, note)] = _fields(exercise)
    numbers = [ast.literal_eval(key) for key in ast.parse(value).body[0].value.keys]
    wanted = {number: letter for letter, (_, number) in exercise.causes.items()}
    labels = list(map(str, numbers))
    return {
        "kind": "matching",
        "fields": [_choices(name, [*exercise.causes], labels, note)],
        "notice": exercise.notice,
        "wanted": [wanted[number] for number in numbers],
        "causes": {k: [words, str(number)] for k, (words, number) in exercise.causes.items()},
    }


def _choices(name, choices, labels, note):
    return dict(kind="choice", name=name, choices=choices, labels=labels, note=note)


@_judge.register
def _(exercise: Parsons):
    [(name, _, note)] = _fields(exercise)
    belongs = [letter for letter in exercise.lines if letter not in exercise.decoys]
    orders = map("".join, permutations(belongs))

    def said(answers):
        return {key: _said(exercise.judge(answer)) for key, answer in answers.items()}

    return {
        "kind": "order",
        "fields": [{"kind": "text", "name": name, "note": note}],
        "lines": exercise.lines,
        "twice": said({letter: 2 * letter for letter in exercise.lines}),
        "decoys": said({letter: letter for letter in exercise.decoys}),
        "missing": said({str(n): "".join(belongs[:n]) for n in range(len(belongs))}),
        "orders": said({order: order for order in orders}),
        "unknown": UNKNOWN,
    }


def _said(outcome):
    if outcome.printed:
        raise ValueError(f"the page does not show what was printed: {outcome}")
    return [outcome.verdict, outcome.message]


@_judge.register
def _(exercise: OpenQuestion):
    [(name, _, _)] = _fields(exercise)
    few = [exercise.judge("word " * n).message for n in range(FEW_WORDS)]
    rubric = [words for _, words in exercise.rubric]
    return {
        "kind": "open",
        "fields": [{"kind": "area", "name": name, "note": ""}],
        "few": few,
        "rubric": rubric,
        "remarks": [exercise.remark(missed, SOLUTION) for missed in range(len(rubric) + 1)],
        "folded": exercise.judge("word " * FEW_WORDS).folded,
    }


@_judge.register
def _(exercise: Claim):
    if not exercise.choices:
        return None
    solved = names_after(exercise.worked, exercise.given)
    right = [solved[name] for name in exercise.names]
    together = len(right) > 1 and not exercise.in_turn
    fields, tables = [], []
    for i, (name, _, note) in enumerate(_fields(exercise)):
        choices, size = exercise.choices[i], len(right[i])
        is_text = isinstance(right[i], str)
        labels = [str(place) for place in range(1, size + 1)]
        one = {"kind": "text", "name": name, "note": note}
        fields.append(one if is_text else _choices(name, [*choices], labels, note))
        answers = permutations(choices) if is_text else product(choices, repeat=size)
        said = {"".join(a): _alone(exercise, together, right, i, "".join(a)) for a in answers}
        if is_text:
            said[""] = _alone(exercise, together, right, i, "")
        tables.append(said)
    outcomes = {None: 0}
    for said in (said for table in tables for said in table.values()):
        outcomes.setdefault(said, len(outcomes))
    data = {
        "kind": "claim",
        "fields": fields,
        "tables": [_numbered(table, outcomes) for table in tables],
        "outcomes": [*outcomes],
        "notice": exercise.notice,
    }
    if together:
        formed = [[key for key, said in table.items() if said is None] for table in tables]
        data["pairs"] = _pairs(exercise, *formed)
    return data


def _read(key):
    """Return the answer that a key of a table stands for."""
    return [int(grade) for grade in key] if key.isdigit() else key


def _alone(exercise, together, right, i, key):
    """Return what is said to one answer where the others are right; None if nothing is.

    Of answers that are judged together only the form is.
    """
    answer = _read(key)
    answers = [*right[:i], answer, *right[i + 1 :]]
    if together:
        is_formed = not exercise.shape(*[answer] * len(right))
        return None if is_formed else ("wrong shape", exercise.shape(*answers))
    outcome = exercise.judge(*answers)
    return None if outcome.passed else tuple(_said(outcome))


def _numbered(table, outcomes):
    """Return a table of places in `outcomes`, without those that stand there most often."""
    [(most, _)] = Counter(table.values()).most_common(1)
    most = table.get("", most)  # what has not the right letters
    of = {key: outcomes[said] for key, said in table.items() if said != most}
    return {"other": outcomes[most], "of": of}


def _pairs(exercise, firsts, seconds):
    """Return what is said to each pair of answers.

    A sentence is kept once, with places for its numbers; each number depends on one of the two.
    """
    templates, columns = {}, []
    outcomes = {pair: exercise.judge(*map(_read, pair)) for pair in product(firsts, seconds)}
    groups = {}
    for pair, outcome in outcomes.items():
        key = outcome.verdict, NUMBER.sub("{}", outcome.message)
        groups.setdefault(key, {})[pair] = NUMBER.findall(outcome.message)
    for (verdict, text), numbers in groups.items():
        places = [_column(columns, numbers, j) for j in range(text.count("{}"))]
        templates[verdict, text] = text.format(*(f"{{{place}}}" for place in places))
    marks = {key: chr(ord("a") + i) for i, key in enumerate(templates)}
    where = {pair: marks[key] for key, group in groups.items() for pair in group}
    matrix = ["".join(where[first, second] for second in seconds) for first in firsts]
    return {
        "keys": [firsts, seconds],
        "said": {marks[key]: [key[0], template] for key, template in templates.items()},
        "matrix": matrix,
        "columns": [
            [side, list(map(known.get, (firsts, seconds)[side]))] for side, known in columns
        ],
    }


def _column(columns, numbers, j):
    """Return the place of the column that has the j-th number of each pair; add what is new."""
    for side in (0, 1):
        needed = {}
        fits = all(
            needed.setdefault(pair[side], some[j]) == some[j] for pair, some in numbers.items()
        )
        if fits:
            for place, (other, known) in enumerate(columns):
                if other == side and all(known.get(k, v) == v for k, v in needed.items()):
                    known.update(needed)
                    return place
            columns.append((side, needed))
            return len(columns) - 1
    raise ValueError("a number of a sentence depends on both answers")
