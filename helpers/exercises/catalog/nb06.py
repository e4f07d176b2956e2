"""Exercises of notebook 06: what a rank weighs, and when the discount decides."""

import math
from dataclasses import replace

from helpers.exercises.base import Wrong, block
from helpers.exercises.boxes import Box, Boxes
from helpers.exercises.claims import Claim, OpenQuestion
from helpers.exercises.method import RIGHT, evaluate
from helpers.exercises.probes import RANKED, of_ranked
from helpers.exercises.programs import Function
from helpers.exercises.task import Edge, Task
from helpers.metrics import ndcg


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
            },
        ),
        Box(
            "from_9_to_10",
            lambda _method: _weight(9) - _weight(10),
            slips={
                0.0111: "that is the step of 1 / rank, 1/9 − 1/10",
                0.1375: "you subtracted the logarithms. Subtract the weights, 1 over them",
                0.0144: "that is the step from 8 to 9: rank 9 is divided by log2(10)",
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
    notice="One rank at the top is worth about thirty ranks further down.",
    wrong=(
        Wrong("from_2_to_3, from_9_to_10 = 0.1667, 0.0111", "the step of 1 / rank"),
        Wrong("from_2_to_3, from_9_to_10 = 0.4150, 0.1375", "subtracted the logarithms"),
        Wrong("from_2_to_3, from_9_to_10 = 0.0693, 0.0120", "from 3 to 4"),
    ),
)

LIST, BY_FIVE = [2, 3, 1, 3, 0], [5, 4, 3, 2, 1]
RECIPROCAL = replace(RIGHT, discount="1/r")

ANOTHER = Boxes(
    name="another-discount",
    title="Fill two gaps",
    prompt="Now take 1 / rank. For 2, 3, 1, 3, 0 the DCG is 2 + 3/2 + 1/3 + …, and the ideal "
    "order is 3, 3, 2, 1, 0. What are DCG and NDCG?",
    start=block("""
        reciprocal_dcg = ____
        reciprocal_ndcg = ____
    """),
    names=("reciprocal_dcg", "reciprocal_ndcg"),
    boxes=(
        Box(
            "reciprocal_dcg",
            lambda method: evaluate(method, LIST, BY_FIVE, 5),
            method=replace(RECIPROCAL, result="DCG"),
            switches=("gain", "cutoff", "rounding", "result"),
            slips={
                5.6848: "that is the DCG with 1 / log2(rank + 1)",
                2.85: "you divided by rank + 1. Rank 1 is divided by 1 here",
            },
        ),
        Box(
            "reciprocal_ndcg",
            lambda method: evaluate(method, LIST, BY_FIVE, 5),
            method=RECIPROCAL,
            switches=("gain", "cutoff", "rounding", "result"),
            slips={
                0.8990: "that is the NDCG with 1 / log2(rank + 1)",
                0.8906: "that is the NDCG with 1 / (rank + 1)",
                0.7248: "the list was discounted by 1 / rank and the ideal by the logarithm. One "
                "discount for both",
            },
        ),
    ),
    hints=(
        "2/1 + 3/2 + 1/3 + 3/4 + 0/5.",
        "The ideal is 3/1 + 3/2 + 2/3 + 1/4 + 0/5.",
    ),
    worked=block("""
        reciprocal_dcg = 2 / 1 + 3 / 2 + 1 / 3 + 3 / 4
        reciprocal_ndcg = reciprocal_dcg / (3 / 1 + 3 / 2 + 2 / 3 + 1 / 4)
    """),
    because="4.5833 / 5.4167 = 0.8462. The logarithm gave 0.8990.",
    notice="0.8462 here, 0.8990 with the logarithm: the values differ, and the winners rarely do.",
    wrong=(
        Wrong("reciprocal_dcg, reciprocal_ndcg = 5.6848, 0.8990", "1 / log2(rank + 1)"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 2.85, 0.8906", "divided by rank + 1"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 4.5833, 4.5833", "division by the ideal"),
        Wrong("reciprocal_dcg, reciprocal_ndcg = 4.5833, 0.7248", "One discount for both"),
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


def _divided_by(divisor):
    return _PROGRAM.replace("{divisor}", divisor)


PARENTHESIS = Function(
    name="wrong-parenthesis",
    title="Find the slip",
    prompt="Rank 1 is divided by 1 here, as it should be, and the program runs. But for 2, 3, 1, "
    "3, 0 it says 0.8716 where scikit-learn says 0.8990. What is wrong? (It stands in two lines.)",
    start=_divided_by("(log2(r) + 1)") + '\n\n\nprint(f"{ndcg_at_k([2, 3, 1, 3, 0], 5):.4f}")',
    names=("ndcg_at_k",),
    task=Task(
        name="ndcg_at_k",
        parameters="ranked_grades, k",
        probes=RANKED,
        compute=of_ranked,
        switches=("gain", "discount", "cutoff", "ideal", "result"),
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
        Wrong(_divided_by("r"), "the logarithm is missing"),
        Wrong(_divided_by("(r + 1)"), "the logarithm is missing"),
        Wrong(_divided_by("max(1, log2(r))"), "rule of 2002"),
        Wrong(_divided_by("log2(r)"), "log2(1) = 0"),
    ),
)

FIVE = [0, 0, 1, 2, 3]


def _two_orders(log_winner, reciprocal_winner):
    for name, grades in (("log_winner", log_winner), ("reciprocal_winner", reciprocal_winner)):
        if sorted(grades) != FIVE:
            return f"`{name}` should hold the grades 3, 2, 1, 0, 0, each once and in any order."
    return ""


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
        return f"With the logarithm the first list must win. {numbers}"
    if steep[0] >= steep[1]:
        return (
            f"With 1 / rank the second list must win, and it does not. {numbers} Give the second "
            "list a slightly better document on top, and let the first be better below."
        )
    return ""


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
    shape=_two_orders,
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
    "and why? A few sentences.",
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
            "The random level beside the number: with k = 200 a shuffle may score high.",
            ("random", "shuffle", "chance"),
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
