"""Exercises of notebook 11: crossings, steps, and a search that does not stop too soon."""

import math

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.tuning import score_staircase

SECOND = 1 / math.log2(3)  # the discount of rank 2
P_FIRST = (1 + 2 * SECOND) / (2 + SECOND)  # the NDCG of grades 1, 2 in this order
TIED = 1.5 * (1 + SECOND) / (2 + SECOND)

WHERE = Boxes(
    name="where-they-cross",
    title="By hand",
    prompt="Two documents: P has grade 1, 4 words and 1 link; Q has grade 2, 1 word and 2 links. "
    "The score is words + t · links. At which t do they tie? What is NDCG left of it, and at it? "
    "(The discount of rank 2 is 0.6309, the ideal DCG 2.6309.)",
    start=block("""
        tie_at = ____
        ndcg_left = ____
        ndcg_at_tie = ____
    """),
    names=("tie_at", "ndcg_left", "ndcg_at_tie"),
    boxes=(
        Box(
            "tie_at",
            lambda _method: 3.0,
            slips={
                -3: "the sign: 4 + t = 1 + 2t, so t = 4 − 1",
                1: "you added the links up: 4 + t = 1 + 2t has 2t − t = t on one side",
                1.5: "you divided 3 by Q's links. Divide by the difference of the links, 2 − 1",
                0.3333: "upside down: difference of the words divided by difference of the links",
                5: "both words stand on one side with a plus. Subtract them: 4 − 1",
            },
        ),
        Box(
            "ndcg_left",
            lambda _method: P_FIRST,
            slips={
                1: "that is NDCG right of the tie. Left of it, at t = 0 say, P has 4 and Q has 1",
                2.2619: "that is DCG. Divide it by the ideal, 2.6309",
                0.9299: "that is the value at the tie. Left of it P is first",
                0.7967: "you took 2^rel − 1 for the gain. Here it is the grade itself",
            },
        ),
        Box(
            "ndcg_at_tie",
            lambda _method: TIED,
            slips={
                1: "that is the lucky order. A tie is the average of both orders",
                0.8597: "that is the unlucky order. A tie is the average of both orders",
                2.4464: "that is DCG. Divide it by the ideal, 2.6309",
                0.8983: "you took 2^rel − 1 for the gain. Here it is the grade itself",
            },
        ),
    ),
    hints=(
        "Set 4 + t equal to 1 + 2t.",
        "Left of the tie P is on top: DCG 1 + 2 · 0.6309. At the tie each has 1.5 on average.",
    ),
    worked=block("""
        tie_at = (4 - 1) / (2 - 1)
        ndcg_left = (1 + 2 * 0.6309298) / 2.6309298
        ndcg_at_tie = 1.5 * (1 + 0.6309298) / 2.6309298
    """),
    because="4 + t = 1 + 2t gives t = 3. Left of it P is first: 2.2619 / 2.6309 = 0.8597. Right "
    "of it Q is first: 1. At the tie it is the average of the two, 0.9299.",
    notice="The value at the tie is the middle of both sides: two documents have two orders.",
    wrong=(
        Wrong("tie_at, ndcg_left, ndcg_at_tie = -3, 0.8597, 0.9299", "the sign"),
        Wrong("tie_at, ndcg_left, ndcg_at_tie = 1.5, 0.8597, 0.9299", "difference of the links"),
        Wrong("tie_at, ndcg_left, ndcg_at_tie = 3, 1, 0.9299", "right of the tie"),
        Wrong("tie_at, ndcg_left, ndcg_at_tie = 3, 0.8597, 1", "lucky order"),
        Wrong("tie_at, ndcg_left, ndcg_at_tie = 3, 0.8597, 2.4464", "that is DCG"),
    ),
)


def _crossings(_method, scores, slopes):
    """Compute where two lines of one query cross, rising."""
    return _pairs(scores, slopes, lambda a, b, p, q: (a - b) / (q - p))


def _pairs(scores, slopes, place):
    found = []
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            if slopes[i] != slopes[j]:
                found.append(place(scores[i], scores[j], slopes[i], slopes[j]))
    return sorted(found)


def _turned(scores, slopes):
    return _pairs(scores, slopes, lambda a, b, p, q: (b - a) / (q - p))


def _neighbors(scores, slopes):
    """Compute the crossings of documents that stand side by side in the input only."""
    couples = zip(scores, scores[1:], slopes, slopes[1:], strict=False)
    return sorted((a - b) / (q - p) for a, b, p, q in couples if p != q)


def _twice(scores, slopes):
    return sorted(2 * _crossings(None, scores, slopes))


def _falling(scores, slopes):
    return _crossings(None, scores, slopes)[::-1]


def _distinct(scores, slopes):
    return sorted(set(_crossings(None, scores, slopes)))


def _without_equal_scores(scores, slopes):
    return [t for t in _crossings(None, scores, slopes) if t != 0]


def _right_of_zero(scores, slopes):
    return [t for t in _crossings(None, scores, slopes) if t > 0]


def _second_catches_up(scores, slopes):
    lines = list(zip(scores, slopes, strict=True))
    return sorted(
        (a - b) / (q - p) for i, (a, p) in enumerate(lines) for b, q in lines[i + 1 :] if p < q
    )


def _turned_and_unsorted(scores, slopes):
    return [-t for t in _unsorted(scores, slopes)]


def _unsorted(scores, slopes):
    n, found = len(scores), []
    for i in range(n):
        for j in range(i + 1, n):
            if slopes[i] != slopes[j]:
                found.append((scores[i] - scores[j]) / (slopes[j] - slopes[i]))
    return found


def _stops_after(n_pairs):
    """Return a program that looks at the first document only, or at its first pairs."""

    def program(scores, slopes):
        pairs = list(zip(scores, slopes, strict=True))[1:][:n_pairs]
        return sorted((scores[0] - b) / (q - slopes[0]) for b, q in pairs if q != slopes[0])

    return program


PLACE = "(scores[i] - scores[j]) / (slopes[j] - slopes[i])"
TURNED = "(scores[j] - scores[i]) / (slopes[j] - slopes[i])"


def _crossings_with(end, skips="slopes[i] != slopes[j]", place=PLACE):
    program = block("""
        def crossings(scores, slopes):
            found = []
            for i in range(len(scores)):
                for j in range(i + 1, len(scores)):
                    if {skips}:
                        found.append({place})
            {end}
    """)
    return program.format(skips=skips, place=place, end=end)


CROSSINGS = Function(
    name="all-crossings",
    title="Fill in",
    prompt="Write down every crossing of one query: document i has the score "
    "`scores[i] + t * slopes[i]`. Two documents of equal slope never cross. Return the crossings "
    "from left to right, one for each pair, even if two pairs cross at the same t.",
    start=block("""
        def crossings(scores, slopes):
            found = []
            for i in range(len(scores)):
                for j in range(i + 1, len(scores)):
                    if ____:
                        found.append(____)
            return ____
    """),
    names=("crossings",),
    task=Task(
        name="crossings",
        parameters="scores, slopes",
        probes=(
            ([3, 2, 1], [0, 2, 1]),
            ([3, 2, 1, 0], [0, 2, 1, 4]),
            ([1.0, 4.0, 2.5, 0.5], [2.0, -1.0, 0.5, 2.0]),
            ([1, 1, 3], [0, 2, 1]),
        ),
        compute=_crossings,
        slips=(
            Slip(
                _turned,
                "The signs are turned. a + t·p = b + t·q gives t = (a − b) / (q − p): the first "
                "minus the second above, the second minus the first below.",
            ),
            Slip(
                _unsorted,
                "All crossings are there, but not from left to right. Sort them.",
            ),
            Slip(
                _neighbors,
                "Only documents that stand side by side in the input are compared. Any two of "
                "one query can cross.",
            ),
            Slip(
                _falling,
                "They stand from right to left. From left to right means rising.",
            ),
            Slip(
                _distinct,
                "Each pair counts, even if another pair crosses at the same place. (Is a set in "
                "it?)",
            ),
            Slip(
                _turned_and_unsorted,
                "Two things at once. (1) The signs are turned: t = (a − b) / (q − p). (2) Sort "
                "the crossings.",
            ),
            Slip(
                _without_equal_scores,
                "Two documents of the same score at t = 0 cross there. Leave out equal *slopes* "
                "only.",
            ),
            Slip(
                _right_of_zero,
                "The crossings left of 0 are missing. t may be negative: a weight may, too.",
            ),
            Slip(
                _second_catches_up,
                "Some pairs are missing: two lines cross whichever is the steeper one. Ask only "
                "whether the slopes differ.",
            ),
            Slip(
                _stops_after(1),
                "It returns after the first pair: `return` stands inside the loops. Move it to "
                "the left, under the first `for`.",
            ),
            Slip(
                _stops_after(None),
                "It returns after the first document: `return` stands inside the outer loop. Move "
                "it to the left, under the first `for`.",
            ),
            Slip(_twice, "Each crossing is there twice: once for i and j, once for j and i."),
        ),
        edges=(
            Edge(([1, 2], [3, 3]), "Two parallel lines never cross: return an empty list."),
            Edge(([5], [1]), "One document has nothing to cross: return an empty list."),
        ),
    ),
    hints=(
        "Set scores[i] + t * slopes[i] equal to scores[j] + t * slopes[j], and solve for t.",
        "t = (scores[i] − scores[j]) / (slopes[j] − slopes[i]), if the slopes differ.",
    ),
    worked=_crossings_with("return sorted(found)"),
    because="n documents have n (n − 1) / 2 pairs, so at most that many crossings. Sorted, "
    "they cut the line into pieces on which nothing moves: one evaluation in each piece gives the "
    "whole staircase.",
    notice="With these few lines and one evaluation per piece you have the exact staircase.",
    wrong=(
        Wrong(_crossings_with("return sorted(found)", place=TURNED), "signs are turned"),
        Wrong(_crossings_with("return found"), "Sort them"),
        Wrong(_crossings_with("return found.sort()"), "`sort()` changes the list itself"),
        Wrong(_crossings_with("    return sorted(found)"), "inside the outer loop"),
        Wrong(_crossings_with("        return sorted(found)"), "inside the loops"),
        Wrong(
            _crossings_with("return sorted(found)").replace("range(i + 1, ", "range("),
            "there twice",
        ),
        Wrong(
            block("""
                def crossings(scores, slopes):
                    return sorted(
                        (scores[i] - scores[i + 1]) / (slopes[i + 1] - slopes[i])
                        for i in range(len(scores) - 1)
                        if slopes[i] != slopes[i + 1]
                    )
            """),
            "side by side",
        ),
        Wrong(_crossings_with("return sorted(found, reverse=True)"), "means rising"),
        Wrong(_crossings_with("return sorted(set(found))"), "Each pair counts"),
        Wrong(_crossings_with("return sorted(t for t in found if t > 0)"), "left of 0"),
        Wrong(
            _crossings_with("return sorted(found)", skips="slopes[i] < slopes[j]"),
            "whichever is the steeper",
        ),
        Wrong(
            _crossings_with(
                "return sorted(found)", skips="scores[i] != scores[j] and slopes[i] != slopes[j]"
            ),
            "equal *slopes*",
        ),
        Wrong(_crossings_with("return found", place=TURNED), "Two things at once"),
    ),
)

_CLIMB = block("""
    def highest(values, place, step):
        while step >= 1:
            near = [p for p in (place + step, place - step) if 0 <= p < len(values)]
            best = max(near, key=lambda p: values[p], default=place)
            if values[best] > values[place]:
                place = best
            else:
                {instead}
        return place
""")
SHORTER, STOPS = _CLIMB.replace("{instead}", "step //= 2"), _CLIMB.replace("{instead}", "break")


def _highest(_method, values, place, step):
    """Climb a row of values; halve the step when neither side is higher."""
    return _climbed(values, place, step, lambda step: step // 2)


def _climbed(values, place, step, after_failure, at_least=1):
    while step >= at_least:
        near = [p for p in (place + step, place - step) if 0 <= p < len(values)]
        best = max(near, key=lambda p: values[p], default=place)
        if values[best] > values[place]:
            place = best
        else:
            step = after_failure(step)
    return place


def _one_shorter(values, place, step):
    return _climbed(values, place, step, lambda step: step - 1)


def _never_one(values, place, step):
    return _climbed(values, place, step, lambda step: step // 2, at_least=2)


def _the_top(values, _place, _step):
    return max(range(len(values)), key=lambda p: values[p])


HILLS = (
    [0.30, 0.31, 0.35, 0.36, 0.40, 0.46, 0.52, 0.55, 0.60, 0.63, 0.61, 0.58],
    [0.20, 0.25, 0.45, 0.44, 0.43, 0.41, 0.48, 0.59, 0.52, 0.50, 0.65, 0.66, 0.64, 0.62, 0.1, 0.1],
    [0.50, 0.52, 0.51, 0.70, 0.30, 0.45, 0.44, 0.43, 0.56, 0.57, 0.58, 0.55, 0.54, 0.53, 0.2, 0.1],
    [0.10, 0.20, 0.30, 0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 0.80, 0.70, 0.60, 0.50, 0.40, 0.3, 0.2],
    [0.48, 0.82, 0.10, 0.81, 0.85, 0.41, 0.63, 0.25, 0.17, 0.16, 0.78, 0.37, 0.9, 0.4, 0.73, 0.2],
)

SHORTER_STEP = Function(
    name="shorter-step",
    title="Find the slip",
    prompt="A search on a row of values: look a step to the right and a step to the left, and "
    "go where it is higher. It stops at 0.6000, though the value right beside it is 0.6300. Fix "
    "it: when neither side is higher, go on with half the step (`//`), down to a step of 1. "
    "(If the step never gets below 1, the check stops after five seconds; the last line does not: "
    "*Kernel*, *Interrupt Kernel*.)",
    start=STOPS,
    below=block(f"""
        hill = {HILLS[0]}
        print(f"{{hill[highest(hill, place=0, step=8)]:.4f}}")
    """),
    names=("highest",),
    task=Task(
        name="highest",
        parameters="values, place, step",
        probes=(
            (list(HILLS[0]), 0, 8),
            (list(HILLS[1]), 15, 8),
            (list(HILLS[2]), 15, 4),
            (list(HILLS[3]), 2, 5),
            (list(HILLS[2]), 4, 7),
            (list(HILLS[4]), 11, 11),
        ),
        compute=_highest,
        slips=(
            Slip(
                _the_top,
                "That is the highest of all. A search cannot see all values; it looks "
                "one step to each side.",
            ),
            Slip(
                _one_shorter,
                "The step should be halved, not made shorter by 1: a long step "
                "would take many tries to become short.",
            ),
            Slip(
                _never_one,
                "The last step of 1 is never tried. Go on while the step is at least 1.",
            ),
        ),
        edges=(
            Edge(([0.4, 0.4, 0.4], 1, 2), "Nothing is higher anywhere: stay."),
            Edge(([0.7], 0, 4), "A row of one value has no neighbors."),
        ),
    ),
    hints=(
        "What happens when neither side is higher? Which line ends the search?",
        "In place of `break`, make the step half as long: `step //= 2`. (`//`, because a place "
        "must be a whole number.)",
    ),
    worked=SHORTER,
    because="That a step of 8 finds nothing says only that 8 is too long. With `step //= 2` the "
    "search goes on with 4, 2 and 1, and ends at place 9, with 0.63.",
    notice="It ends when a step of 1 finds nothing. That is a hill, not always the highest one.",
    wrong=(
        Wrong(
            _CLIMB.replace("{instead}", "step -= 1"),
            "halved, not made shorter by 1",
        ),
        Wrong(
            SHORTER.replace("step >= 1", "step > 1"),
            "at least 1",
        ),
        Wrong(
            block("""
                def highest(values, place, step):
                    return values.index(max(values))
            """),
            "highest of all",
        ),
        Wrong(
            SHORTER.replace("return place", "return values[place]"),
            "No slip that we know",
        ),
    ),
)

OTHERS, MOVER = [0.1, 0.2, 0.3, 0.4], 2  # scores of the other documents; the grade that moves


def _hills(grades):
    """Return the NDCG of each piece, in which neighbors of equal value are one."""
    steps = score_staircase([MOVER, *grades], [0.0, *OTHERS], 0).visible()
    return [round(float(value), 4) for value in steps.values]


def _four_grades(grades):
    whole = isinstance(grades, list | tuple) and all(type(g) is int for g in grades)
    if not whole or len(grades) != len(OTHERS) or not all(0 <= g <= 3 for g in grades):
        return "`passed` should be a list of four whole numbers from 0 to 3."
    return ""


def _must_have_two_hills(grades):
    values = _hills(grades)
    ends = [-math.inf, *values, -math.inf]
    tops = [b for a, b, c in zip(ends, ends[1:], ends[2:], strict=False) if a < b > c]
    row = ", ".join(f"{value:.4f}" for value in values)
    if len(tops) >= 2:
        return ""
    if len(values) == 1:
        return f"Here nothing changes at all: every piece has {row}. Passing equals is worth 0."
    return (
        f"From left to right NDCG is {row}: one hill. It rises when the moving document passes "
        "one of a lower grade, and falls when it passes one of a higher grade."
    )


ONE_HILL = Claim(
    name="one-hill-claim",
    title="Break a claim",
    prompt="*Along one score NDCG has one hill: it rises to the best place and falls behind it.* "
    "A document of grade 2 moves upward past four others. Give their grades, 0 to 3, from the "
    "lowest score to the highest, so that NDCG has two hills with a valley between them.",
    start="passed = ____  # four whole numbers, the first is passed first",
    names=("passed",),
    shape=_four_grades,
    objections=(_must_have_two_hills,),
    hints=(
        "Passing a lower grade raises NDCG, passing a higher one lowers it. (A 2 changes "
        "nothing.)",
        "Up, down, up: which grades come first, second and third?",
    ),
    worked="passed = [0, 3, 0, 3]",
    because="Past the 0 it rises, past the 3 it falls, past the next 0 it rises again: 0.8949, "
    "0.9098, 0.8981, 0.9425, 0.8799. A step search that starts at the left may stay on the lower "
    "hill. That is what several starts are for.",
    notice="Two hills along one number; the figures above have more.",
    wrong=(
        Wrong("passed = [0, 1, 1, 3]", "one hill"),
        Wrong("passed = [2, 2, 2, 2]", "nothing changes at all"),
        Wrong("passed = [3, 3, 3, 3]", "one hill"),
        Wrong("passed = [0, 3, 0]", "four whole numbers"),
        Wrong("passed = [0, 1.5, 0, 3]", "four whole numbers"),
        Wrong("passed = 3", "four whole numbers"),
    ),
)

REPORT = OpenQuestion(
    name="report-a-climb",
    title="Design",
    prompt="You have 200 judged queries, eight features, and a climb that reaches NDCG@10 = 0.71 "
    "on all 200. Your boss wants one number for the new ranker. What do you do with the 200 "
    "queries, what do you report, and beside what? A few sentences.",
    start='my_report = ____  # your text between quotes; """three""" allow several lines',
    names=("my_report",),
    rubric=(
        (
            "0.71 is a training value: it was reached by choosing among hundreds of weights on "
            "these same queries, so it is too high for new ones.",
            ("training", "same queries", "too high", "overfit", "flatter", "optimistic", "bias"),
        ),
        (
            "Split the queries, not the documents: climb on one part, choose where to stop on a "
            "second, report on a third.",
            ("split", "validation", "test", "held out", "held-out", "fold"),
        ),
        (
            "Beside the number stand baselines on the same test queries: random, the present "
            "ranker, least squares or equal weights.",
            ("baseline", "random", "least squares", "equal", "bm25", "current", "old", "beside"),
        ),
        (
            "With so few test queries the interval is wide: print it, and one for the difference "
            "to the present ranker.",
            ("interval", "bootstrap", "uncertain", "spread", "±", "confidence", "standard error"),
        ),
    ),
    hints=(
        "On which queries were the weights chosen?",
        "What would least squares get on the same test queries? And how sure is the difference?",
    ),
    worked=block('''
        my_report = """
        0.71 is a training value, so I do not report it. I split the queries: 100 to climb on, 40
        to choose the pass, 60 as a test that I look at once. I report NDCG@10 on the 60 test
        queries with its interval, beside a random ranking, the present ranker, least squares and
        equal weights on the same queries, and the interval of the difference to the present one.
        If that interval holds 0, I say that we do not know yet, and ask for more judgments.
        """
    '''),
    because="With 60 queries an interval of NDCG is about ±0.06: many a gain drowns in it. "
    "The difference to another ranker on the same queries is measured far better.",
    notice="Most of what makes a tuned number trustworthy happens before the tuning: the split.",
    wrong=(
        Wrong('my_report = "0.71, done"', "Write at least a sentence"),
        Wrong("my_report = 0.71", "between quotes"),
    ),
)

EXERCISES = (WHERE, CROSSINGS, SHORTER_STEP, ONE_HILL, REPORT)
