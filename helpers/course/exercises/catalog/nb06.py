"""Exercises of notebook 06: what a rank weighs, and when the discount decides."""

import math
from dataclasses import replace

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion, orders_of
from helpers.course.exercises.method import RIGHT, evaluate
from helpers.course.exercises.probes import RANKED, of_ranked
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import ndcg
from helpers.metrics.checks import SAME_VALUE


def _weight(rank):
    return 1 / math.log2(rank + 1)


DROPS = Boxes(
    name="drops",
    title="By hand",
    prompt="How much weight does a document lose when it falls by one rank? Under "
    "1 / log2(rank + 1) the step from 1 to 2 costs 1 − 0.6309 = 0.3691. Give the steps from 2 to "
    "3 and from 9 to 10. (log2(3) = 1.5850, log2(10) = 3.3219, log2(11) = 3.4594.)",
    start=block("""
        from_2_to_3 = ____
        from_9_to_10 = ____
    """),
    names=("from_2_to_3", "from_9_to_10"),
    boxes=(
        Box(
            "from_2_to_3",
            lambda _method: _weight(2) - _weight(3),
            slips={
                0.1667: "that is the step of 1 / rank, 1/2 − 1/3",
                0.4150: "you subtracted the logarithms. Subtract the weights, 1 over them",
                0.3691: "that is the step from 1 to 2",
                0.0693: "that is the step from 3 to 4: rank 2 is divided by log2(3)",
                0.6309: "that is the weight of rank 2. Asked is what a fall to rank 3 costs",
                -0.1309: "the sign: asked is how much is *lost*",
            },
        ),
        Box(
            "from_9_to_10",
            lambda _method: _weight(9) - _weight(10),
            slips={
                0.0111: "that is the step of 1 / rank, 1/9 − 1/10",
                0.1375: "you subtracted the logarithms. Subtract the weights, 1 over them",
                0.0144: "that is the step from 8 to 9: rank 9 is divided by log2(10)",
                0.0101: "that is the step from 10 to 11: rank 10 is divided by log2(11)",
                0.3010: "that is the weight of rank 9. Asked is what a fall to rank 10 costs",
                -0.0120: "the sign: asked is how much is *lost*",
            },
        ),
    ),
    hints=(
        "Rank 2 weighs 1 / log2(3), rank 3 weighs 1 / log2(4).",
        "For the second: 1 / 3.3219 − 1 / 3.4594.",
    ),
    worked=block("""
        from math import log2

        from_2_to_3 = 1 / log2(3) - 1 / log2(4)
        from_9_to_10 = 1 / log2(10) - 1 / log2(11)
    """),
    because="0.6309 − 0.5 = 0.1309, and 0.3010 − 0.2891 = 0.0120 (with all digits). The first "
    "step of all, 0.3691, is worth 30.8 times the last one.",
    notice="The first step of all costs about thirty times as much as the step from 9 to 10.",
    wrong=(
        Wrong("from_2_to_3, from_9_to_10 = 0.1667, 0.0111", "the step of 1 / rank"),
        Wrong("from_2_to_3, from_9_to_10 = 0.4150, 0.1375", "subtracted the logarithms"),
        Wrong("from_2_to_3, from_9_to_10 = 0.0693, 0.0120", "from 3 to 4"),
    ),
)

LIST, BY_FOUR, BY_FIVE = [1, 3, 0, 2], [4, 3, 2, 1], [5, 4, 3, 2, 1]
RECIPROCAL = replace(RIGHT, discount="1/r")

ANOTHER = Boxes(
    name="another-discount",
    title="Fill two gaps",
    prompt="Now take 1 / rank. For the grades 1, 3, 0, 2 from the top the DCG is 1 + 3/2 + …, and "
    "the ideal order is 3, 2, 1, 0. What are DCG and NDCG?",
    start=block("""
        reciprocal_dcg = ____
        reciprocal_ndcg = ____
    """),
    names=("reciprocal_dcg", "reciprocal_ndcg"),
    boxes=(
        Box(
            "reciprocal_dcg",
            lambda method: evaluate(method, LIST, BY_FOUR, 4),
            method=replace(RECIPROCAL, result="DCG"),
            switches=("gain", "cutoff", "rounding", "result"),
            slips={
                3.7541: "that is the DCG with 1 / log2(rank + 1)",
                1.9: "you divided by rank + 1. Rank 1 is divided by 1 here",
            },
        ),
        Box(
            "reciprocal_ndcg",
            lambda method: evaluate(method, LIST, BY_FOUR, 4),
            method=RECIPROCAL,
            switches=("gain", "cutoff", "rounding", "result"),
            slips={
                0.7884: "that is the NDCG with 1 / log2(rank + 1)",
                0.7862: "that is the NDCG with 1 / (rank + 1)",
                0.6300: "the list was discounted by 1 / rank and the ideal by the logarithm. One "
                "discount for both",
                0.8663: "the list was discounted by the logarithm and the ideal by 1 / rank. One "
                "discount for both",
            },
        ),
    ),
    hints=(
        "1/1 + 3/2 + 0/3 + 2/4.",
        "The ideal is 3/1 + 2/2 + 1/3 + 0/4.",
    ),
    worked=block("""
        reciprocal_dcg = 1 / 1 + 3 / 2 + 0 / 3 + 2 / 4
        reciprocal_ndcg = reciprocal_dcg / (3 / 1 + 2 / 2 + 1 / 3)
    """),
    because="3 / 4.3333 = 0.6923. The logarithm gives 0.7884.",
    notice="0.6923 here, 0.7884 with the logarithm: never compare across discounts.",
    wrong=(
        Wrong("reciprocal_dcg, reciprocal_ndcg = 3.7541, 0.7884", "1 / log2(rank + 1)"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 1.9, 0.7862", "divided by rank + 1"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 3, 3", "division by the ideal"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 3, 0.6300", "One discount for both"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 3, 0.8663", "One discount for both"),
    ),
)

_PROGRAM = block("""
    from math import log2


    def ndcg_at_k(ranked_grades, k):
        top = ranked_grades[:k]
        best = sorted(ranked_grades, reverse=True)[:k]
        value = sum(g / {divisor} for r, g in enumerate(top, start=1))
        ideal = sum(g / {divisor} for r, g in enumerate(best, start=1))
        return value / ideal if ideal > 0 else 0.0
""")


def _divided_by(divisor, below=None):
    return _PROGRAM.replace("{divisor}", divisor, 1).replace("{divisor}", below or divisor)


SLIPPED = replace(RIGHT, discount="log2(r) + 1")


def _fixed_above(ranked_grades, k):
    """Compute what the program does with the discount right in the list only."""
    total = of_ranked(replace(RIGHT, result="DCG"), ranked_grades, k)
    return total / of_ranked(replace(SLIPPED, result="IDCG"), ranked_grades, k)


def _fixed_below(ranked_grades, k):
    """Compute what the program does with the discount right in the ideal only."""
    total = of_ranked(replace(SLIPPED, result="DCG"), ranked_grades, k)
    return total / of_ranked(replace(RIGHT, result="IDCG"), ranked_grades, k)


PARENTHESIS = Function(
    name="right-at-rank-one",
    title="Find the slip",
    prompt="Rank 1 is divided by 1 here, as it should be, and the program runs. But for 2, 3, 1, "
    "3, 0 it says 0.8716 where scikit-learn says 0.8990. What is wrong? (It stands in two lines.)",
    start=_divided_by("(log2(r) + 1)"),
    below='print(f"{ndcg_at_k([2, 3, 1, 3, 0], 5):.4f}")',
    names=("ndcg_at_k",),
    task=Task(
        name="ndcg_at_k",
        parameters="ranked_grades, k",
        probes=RANKED,
        compute=of_ranked,
        switches=("gain", "discount", "cutoff", "ideal", "result"),
        slips=(
            Slip(_fixed_above, "One of the two sums is right now. The other needs the same."),
            Slip(_fixed_below, "One of the two sums is right now. The other needs the same."),
        ),
        edges=(
            Edge(([0, 0, 0], 2), "Nothing is relevant here; the program returned 0.0 before."),
            Edge(([3, 0, 2], 9), "k may be larger than the list."),
        ),
    ),
    hints=(
        "What is rank 2 divided by? It should be log2(3) = 1.5850.",
        "The + 1 belongs to the rank, not to the logarithm.",
    ),
    worked=_divided_by("log2(r + 1)"),
    because="`log2(r) + 1` is log2(2 · r): 1, 2, 2.58, 3, … instead of 1, 1.58, 2, 2.32, … At "
    "rank 1 the two agree, so nothing looks wrong.",
    notice="The two agree at rank 1, where most people would check.",
    wrong=(
        Wrong(_divided_by("log2(r + 2)"), "start at log2(3)"),
        Wrong(
            _PROGRAM.replace("{divisor}", "log2(r + 1)", 1).replace("{divisor}", "(log2(r) + 1)"),
            "needs the same",
        ),
        Wrong(_divided_by("r"), "the logarithm is missing"),
        Wrong(_divided_by("(r + 1)"), "the logarithm is missing"),
        Wrong(_divided_by("max(1, log2(r))"), "rule of 2002"),
        Wrong(_divided_by("log2(r)"), "log2(1) = 0"),
    ),
)


def _must_part(log_winner, reciprocal_winner):
    lists = (log_winner, reciprocal_winner)
    slow, steep = (
        [ndcg(grades, BY_FIVE, discount=discount) for grades in lists]
        for discount in ("log", "reciprocal")
    )
    numbers = (
        f"Yours have {slow[0]:.4f} and {slow[1]:.4f} with the logarithm, {steep[0]:.4f} and "
        f"{steep[1]:.4f} with 1 / rank."
    )
    if slow[0] <= slow[1]:
        swapped = slow[1] > slow[0] and steep[0] > steep[1]
        advice = " Exchange the two." if swapped else ""
        return f"With the logarithm the first list must win. {numbers}{advice}"
    if abs(steep[0] - steep[1]) < SAME_VALUE:
        return f"Nearly: with 1 / rank the two are equal. {numbers}"
    if steep[0] > steep[1]:
        return (
            f"With 1 / rank the second list must win, and it does not. {numbers} {_advice(*lists)}"
        )
    return ""


def _advice(first, second):
    if first[0] == 3:
        return "With its 3 on top the first list cannot be passed: start it with a 0, a 1 or a 2."
    if second[0] > first[0]:
        return "Its top is better already; it loses too much below. Move its other grades up."
    return "Give the second list a slightly better document on top, and the first a better rank 2."


DISCOUNT_CLAIM = Claim(
    name="discount-claim",
    title="Break a claim",
    prompt="*1 / rank and 1 / log2(rank + 1) always name the same winner.* Find two orders of the "
    "grades 3, 2, 1, 0, 0 that break it: `log_winner` is ahead with the logarithm, "
    "`reciprocal_winner` with 1 / rank. (Hard on purpose: of 1,770 pairs, ten will do. Write a "
    "loop if you like.)",
    start=block("""
        log_winner = ____  # a list of the grades 3, 2, 1, 0, 0
        reciprocal_winner = ____  # another one
    """),
    names=("log_winner", "reciprocal_winner"),
    shape=orders_of([3, 2, 1, 0, 0], "log_winner", "reciprocal_winner"),
    objections=(_must_part,),
    hints=(
        "1 / rank cares more about rank 1. Give the second list a little more there, and the "
        "first a good rank 2.",
        "Try the first list with a 0 on top and the second with a 1 on top; or a 1 and a 2.",
    ),
    worked=block("""
        log_winner = [1, 3, 2, 0, 0]
        reciprocal_winner = [2, 0, 3, 0, 1]
    """),
    because="1, 3, 2, 0, 0 has 0.8175 with the logarithm and 2, 0, 3, 0, 1 has 0.8162. With "
    "1 / rank it is 0.7308 against 0.7385. `itertools.permutations` finds the others.",
    notice="The two were nearly equal to begin with. That is typical: see the near-ties above.",
    wrong=(
        Wrong("log_winner, reciprocal_winner = [3, 2, 1, 0, 0], [0, 0, 1, 2, 3]", "does not"),
        Wrong("log_winner, reciprocal_winner = [0, 0, 1, 2, 3], [3, 2, 1, 0, 0]", "first list"),
        Wrong("log_winner, reciprocal_winner = [3, 2, 1], [1, 2, 3]", "each once"),
        Wrong("log_winner, reciprocal_winner = 1, 2", "could not be read"),
    ),
)

CHOOSE = OpenQuestion(
    name="choose-a-discount",
    title="Design",
    prompt="Two products: (a) a voice assistant that reads one answer aloud, (b) a search for "
    "lawyers, who read 200 documents each. Which discount and which cutoff do you take for each, "
    "why, and what do you print beside the number? A few sentences.",
    start='my_choice = ____  # your text between quotes; """three""" allow several lines',
    names=("my_choice",),
    rubric=(
        (
            "For the voice assistant only rank 1 counts: k = 1, and then no discount is left.",
            ("k = 1", "@1", "first", "only one", "rank 1"),
        ),
        (
            "For the lawyers a slow discount or none, and a cutoff at what they read, 200.",
            ("200", "no discount", "slow", "flat", "constant"),
        ),
        (
            "The reason is how people read, not the formula.",
            ("read", "user", "listen", "patience", "hears"),
        ),
        (
            "Beside the number stand the discount and k; for k = 200 also what a random order "
            "gets, since that may be high.",
            ("print", "beside", "report", "write", "random", "shuffle", "chance"),
        ),
    ),
    hints=(
        "How many results does the reader see, and does it matter in which order?",
        "At k = 1 all discounts are the same. At k = 200, ask what a shuffle would get.",
    ),
    worked=block('''
        my_choice = """
        Voice assistant: NDCG@1. It reads one answer, so only rank 1 counts, and every discount
        gives the same number. Lawyers: k = 200 and no discount, because they read all 200 in
        any order; beside it the value of a random order, which may be high at such a k. If they
        start at the top and get tired, 1/log2(rank + 1), and we write down that we chose it by
        convention.
        """
    '''),
    because="Without a discount NDCG@k is the gain found within the first k, divided by the best "
    "that k documents could bring. For graded labels that is what a complete reader wants.",
    notice="A product that shows one answer needs no discount at all.",
    wrong=(
        Wrong('my_choice = "the log for both"', "Write at least a sentence"),
        Wrong("my_choice = 1", "between quotes"),
    ),
)

EXERCISES = (DROPS, ANOTHER, PARENTHESIS, DISCOUNT_CLAIM, CHOOSE)
