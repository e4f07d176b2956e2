"""From a text to an exercise; `content/README.md` says what a text looks like.

What kind of exercise it is follows from its sections, its start, and the names that the Python
under "Checked with" defines.
"""

import ast
import re
from dataclasses import replace

import numpy as np

from course.exercises.boxes import Box, Boxes, Matching
from course.exercises.checked import Checked, names_in
from course.exercises.programs import Function, Parsons
from course.exercises.task import Edge, Task, WrongProgram, names_after
from coursekit.exercises.claims import Claim, OpenQuestion
from coursekit.text import read_titled
from ndcglib.conventions.method import VALUES
from wording import nearest

NEEDED = ("Start", "Hints", "Solution", "Notice")
SECTIONS = (
    *NEEDED,
    "Below the check",
    "Solution on the page",
    "Special cases",
    "Wrong programs",
    "Wrong numbers",
    "Causes",
    "Rubric",
    "Lines that do not belong",
    "Tried answers",
    "Checked with",
)
# What the Python under "Checked with" may define; of numbers, those that are asked for.
OF_TASK = ("probes", "compute", "method", "switches", "edges", "called", "may_ask", "allowed")
OF_CLAIM = ("shape", "objection", "choices", "in_turn")


def read_exercise(path, given=""):
    """Return the exercise of a text, ``3-my-dcg.md`` for the third of a notebook.

    `given` is code that the notebook has run before. A TextError names the file and line of what
    is missing or not as it should be.
    """
    number, _, name = path.stem.partition("-")
    _, title, prompt, sections = read_titled(path, NEEDED, SECTIONS)
    start, solution = sections["Start"].code(), sections["Solution"]
    common = dict(
        name=name,
        number=int(number),
        title=title,
        prompt=prompt,
        start=start,
        names=tuple(names_in(start)),
        hints=tuple(hint for (hint,) in sections["Hints"].items(r"\d\. (.+)", "1. a hint")),
        worked=solution.code(),
        because=_last_paragraph(solution),
        notice=_last_paragraph(sections["Notice"]),
        below=_code_of(sections, "Below the check"),
        on_page=_code_of(sections, "Solution on the page"),
        given=given,
    )
    return _of_kind(sections, common)


def _code_of(sections, name):
    return sections[name].code() if name in sections else ""


def _last_paragraph(part):
    blocks = part.blocks()
    if not blocks or blocks[-1].name:
        raise part.error("a paragraph is missing at the end")
    return blocks[-1].text


def _of_kind(sections, common):
    """Return an exercise of the kind that its text makes it."""
    checked = Checked(sections.get("Checked with"), sections["Start"])
    if "Lines that do not belong" in sections:
        return _parsons(sections, common, checked)
    if "Rubric" in sections:
        return OpenQuestion(rubric=_rubric(sections["Rubric"]), **common)
    if "Causes" in sections:
        needed = "- A, 4.5: what happened"
        causes = sections["Causes"].items(r"- ([A-Z]), ([\d.]+): (.+)", needed)
        causes = {letter: (words, ast.literal_eval(value)) for letter, value, words in causes}
        return Matching(causes=causes, **common)
    if any(isinstance(node, ast.FunctionDef) for node in ast.parse(common["start"]).body):
        task = _task(sections, common, checked, common["worked"])
        return Function(task=task, **common)
    if set(OF_CLAIM) & set(checked.values):
        return Claim(**_claim(common, checked), **common)
    return Boxes(boxes=_boxes(sections, common, checked), **common)


def _parsons(sections, common, checked):
    """Return lines to put in order; the block of code in what is asked shows them."""
    shown = common["prompt"].split("```")[1].splitlines()[1:]
    lines = {line[0]: line[3:] for line in shown}
    [order] = (names_after(common["worked"])[name] for name in common["names"])
    solution = "\n".join(lines[letter] for letter in order)
    needed = "- A: why that line does not belong"
    decoys = sections["Lines that do not belong"].items(r"- ([A-Z]): (.+)", needed)
    task = _task(sections, common, checked, solution)
    return Parsons(task=task, lines=lines, decoys=dict(decoys), **common)


def _rubric(part):
    """Return each point with the words of which one would be in a text that speaks of it."""
    needed = "1. a point, and below it `words` of which one would be there"
    found = [re.fullmatch(r"\d\. (.+)\n +`(.+)`", point.text) for point in part.blocks()]
    if not found or not all(found):
        raise part.error(f"each point of a rubric is {needed}")
    return tuple((match[1], tuple(match[2].lower().split("`, `"))) for match in found)


def _claim(common, checked):
    """Return what makes a counterexample."""
    known = checked.get(OF_CLAIM, ("shape", "objection"))
    names = common["names"]
    if known.get("choices") and len(known["choices"]) != len(names):
        raise checked.error("choices", f"needed is one for each of {', '.join(names)}")
    return known


def _boxes(sections, common, checked):
    """Return the numbers that are asked for, with their wrong values."""
    names, slips = common["names"], {}
    wrong = sections.get("Wrong numbers")
    for part in wrong.sections("###")[1:] if wrong else ():
        if part.name not in names:
            said = f"{', '.join(names)} are{nearest(part.name, names)}"
            raise part.error(f"{part.name!r} is not asked for; {said}")
        items = part.items(r"- (-?[\d.]+): (.+)", "- 0.5: what happened")
        slips[part.name] = {ast.literal_eval(number): words for number, words in items}
    known = checked.get(names)
    for name, box in known.items():
        if not isinstance(box, Box):
            words = f"{name!r} must be a Box, as in Box(ranked([3, 0, 2])), not {box!r}"
            raise checked.error(name, words)
        _check_switches(box.switches, checked, name)
    boxes = [known.get(name) or _solved(name, common) for name in names]
    return tuple(
        replace(box, name=name, slips=slips.get(name, {}), switches=tuple(box.switches))
        for name, box in zip(names, boxes, strict=True)
    )


def _solved(name, common):
    """Return the box of a number that is right if the solution computes it."""
    return Box(lambda _method: names_after(common["worked"], common["given"])[name])


def _check_switches(switches, checked, name):
    for switch in switches:
        if switch not in VALUES:
            said = nearest(switch, VALUES) or f"; there are {', '.join(VALUES)}"
            raise checked.error(name, f"there is no switch {switch!r}{said}")


def _task(sections, common, checked, solution):
    """Return what a program must do."""
    [function] = [n for n in ast.parse(solution).body if isinstance(n, ast.FunctionDef)][-1:]
    parameters = [arg.arg for arg in function.args.args]
    known = checked.get(OF_TASK, ("probes",))
    for probe in known["probes"]:
        if not isinstance(probe, tuple) or len(probe) != len(parameters):
            words = f"a probe is a tuple with {', '.join(parameters)}, not {probe!r}"
            raise checked.error("probes", words)
    _check_switches(known.get("switches", ()), checked, "switches")
    wrong = sections.get("Wrong programs")
    special = _special_cases(sections.get("Special cases"), known["probes"])
    return Task(
        **{**known, "edges": (*special, *known.get("edges", ()))},
        name=function.name,
        parameters=", ".join(parameters),
        given=common["given"],
        solution=solution,
        wrong=tuple(_wrong_programs(wrong, solution)) if wrong else (),
    )


def _special_cases(part, probes):
    """Yield special cases; lists become arrays where the probes hold arrays."""
    as_arrays = any(isinstance(arg, np.ndarray) for arg in probes[0])
    needed = "- `[3, 2], 1`: what is special about these arguments"
    for args, says in part.items(r"- `(.+?)`: (.+)", needed) if part else ():
        args = eval(f"({args},)", {"np": np})
        args = (np.array(a) if as_arrays and isinstance(a, list) else a for a in args)
        yield Edge(tuple(args), says)


def _wrong_programs(part, solution):
    """Yield wrong programs: below a message stand programs, or changes of the solution."""
    says = None
    for block in part.blocks():
        if not block.name:
            says = block.text
        elif says is None:
            raise block.error("a message is missing above the program")
        elif block.name == "diff":
            for change in block.separated():
                yield WrongProgram(changed(solution, change), says)
        else:
            yield WrongProgram(block.text, says)


def changed(solution, change):
    """Return a solution with "+" lines in the place of the "-" lines above them."""
    lines, pairs = solution.split("\n"), []
    for line in change.text.split("\n"):
        if line[:1] not in ("-", "+"):
            raise change.error(f"a line of a change begins with - or +, not as {line!r}")
        if line[0] == "-" and (not pairs or pairs[-1][1]):
            pairs.append(([], []))
        if not pairs:
            raise change.error("the first line of a change is one of the solution, with -")
        old, new = pairs[-1]
        (new if line[0] == "+" else old).append(line[1:])
    for old, new in pairs:
        places = [i for i in range(len(lines)) if lines[i : i + len(old)] == old]
        if len(places) != 1:
            listed = "\n".join(old)
            raise change.error(f"{len(places)} places of the solution, not one, have\n{listed}")
        lines[places[0] : places[0] + len(old)] = new
    return "\n".join(lines)
