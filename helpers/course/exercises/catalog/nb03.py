"""Exercises of notebook 03: whole rankings by hand, and the slips of others."""

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes, Matching, ranked
from helpers.course.exercises.method import Method

WRONG_TERM = Boxes(
    name="wrong-term",
    title="Find the wrong term",
    prompt=block(r"""
        One text prints this sum for the list 2, 3, 1, 3, 0 at $k = 5$. Its total is right, but
        one of its terms is off by more than rounding:

        $$2.0 + 1.8927890 + 0.5 + 1.2924810 + 0 = 5.6848189$$

        Which term? Add them up, then check them one by one.
    """),
    start="wrong_term = ____  # 1, 2, 3, 4 or 5",
    names=("wrong_term",),
    boxes=(
        Box(
            "wrong_term",
            lambda _method: 4,
            slips={
                1: "the first is 2 / log2(2) = 2 exactly",
                2: "the second is 3 / log2(3) = 1.8927893, off in its last digit only. Another "
                "one is off by more",
                3: "the third is 1 / log2(4) = 0.5 exactly",
                5: "the fifth has the grade 0, and 0 divided by anything is 0",
                0: "the terms are counted from 1 here",
                1.2924810: "that is the term itself, and the right one. Give its number, 1 to 5",
                1.8927890: "that is a term itself. Give its number, 1 to 5",
            },
        ),
    ),
    hints=(
        "The printed terms add up to 5.6852700, so the wrong one is too large by about 0.00045.",
        "Two of the terms have a divisor that is no whole number. Compute both.",
    ),
    worked="wrong_term = 4",
    because="3 / log2(5) is 1.2920297, not 1.2924810; the printed terms add up to 5.6852700, not "
    "to the printed total. (The second is 1.8927893, off in its last digit only.)",
    notice="When terms and total disagree, trust neither until you have recomputed both.",
    wrong=(
        Wrong("wrong_term = 2", "last digit only"),
        Wrong("wrong_term = 1", "exactly"),
        Wrong("wrong_term = 1.2924810", "Give its number"),
    ),
)

BY_HAND = ("gain", "discount", "cutoff", "ideal", "result", "rounding")

FADED_DCG = Boxes(
    name="faded-dcg",
    title="Fill the gaps",
    prompt=r"The grades are 1, 2, 0, 3 and $k = 4$. Fill in the two divisors; `math.log2(…)` or "
    "a number, as you like.",
    start=block("""
        import math

        faded_dcg = 1 + 2 / ____ + 0 + 3 / ____
    """),
    names=("faded_dcg",),
    boxes=(
        Box(
            "faded_dcg",
            ranked([1, 2, 0, 3]),
            Method(result="DCG"),
            ("gain", "discount", "cutoff", "result"),
        ),
    ),
    hints=(
        "The 2 stands at rank 2 and the 3 at rank 4. The divisor of rank r is log2(r + 1).",
        "The divisors are log2(3) and log2(5), 1.5850 and 2.3219.",
    ),
    worked=block("""
        import math

        faded_dcg = 1 + 2 / math.log2(3) + 0 + 3 / math.log2(5)
    """),
    because="1 + 1.2619 + 0 + 1.2920 = 3.5539.",
    notice="The 2 at rank 2 and the 3 at rank 4 earn nearly the same.",
    wrong=(
        Wrong("faded_dcg = 1 + 2 / 2 + 3 / 4", "Divided by the rank itself"),
        Wrong("faded_dcg = 1 + 2 + 3", "No discount"),
        Wrong("faded_dcg = 4.7619", "That is the ideal DCG"),
        Wrong("faded_dcg = 1 + 2 * 1.5849625 + 3 * 2.3219281", "Multiplied by the logarithm"),
    ),
)

FULL = [0, 2, 3, 1]

THE_WHOLE_WAY = Boxes(
    name="whole-way",
    title="The whole way",
    prompt="The grades are 0, 2, 3, 1. Compute NDCG at 4 and at 2.",
    start=block("""
        full_at_4 = ____
        full_at_2 = ____
    """),
    names=("full_at_4", "full_at_2"),
    boxes=(
        Box("full_at_4", ranked(FULL, 4), switches=BY_HAND),
        Box("full_at_2", ranked(FULL, 2), switches=BY_HAND),
    ),
    hints=(
        "Both times the ideal order is 3, 2, 1, 0: all four documents, sorted.",
        "At 2, only two terms count above the line, 0 and 2 / log2(3), and two below, 3 and "
        "2 / log2(3).",
    ),
    worked=block("""
        from math import log2

        full_at_4 = (2 / log2(3) + 3 / 2 + 1 / log2(5)) / (3 + 2 / log2(3) + 1 / 2)
        full_at_2 = (2 / log2(3)) / (3 + 2 / log2(3))
    """),
    because="The ideal order is 3, 2, 1, 0. At 4: DCG 3.1925, IDCG 4.7619, NDCG 0.6704. At 2: "
    "DCG 1.2619, IDCG 4.2619, NDCG 0.2961.",
    notice="At 2 the list shows one good document and misses the best one: 0.2961.",
    wrong=(
        Wrong("full_at_4, full_at_2 = 0.6704, 0.6309", "built from the first k of the list"),
        Wrong("full_at_4, full_at_2 = 3.1925, 1.2619", "the division by the ideal DCG is missing"),
        Wrong("full_at_4, full_at_2 = 1.4916, 0.2961", "upside down"),
        Wrong("full_at_4, full_at_2 = 0.6704, 0.2345", "No slip that we know"),
        Wrong("full_at_4, full_at_2 = 0.6704, None", "Still blank"),
    ),
)

SLIPS = Matching(
    name="name-the-slip",
    title="Name the slip",
    prompt=block(r"""
        Eight people computed DCG@5 of 2, 3, 1, 3, 0; the right value is 5.6848. Match each number
        to what happened:

        | | what happened |
        |---|---|
        | A | divided by the rank instead of $\log_2(r + 1)$ |
        | B | stopped at rank 3 |
        | C | natural logarithm |
        | D | no discount: the grades were added |
        | E | multiplied by the logarithm instead of dividing |
        | F | sorted by grade first |
        | G | $\log_2(r + 2)$: the ranks were counted from 2 |
        | H | exponential gain |
    """),
    start=block("""
        slips = {
            9: ____, 4.5833: ____, 8.2015: ____, 4.3531: ____,
            10.9312: ____, 6.3235: ____, 15.7207: ____, 4.3928: ____,
        }  # letters, such as "A"
    """),
    names=("slips",),
    causes={
        "A": ("divided by the rank", 4.5833),
        "B": ("stopped at rank 3", 4.3928),
        "C": ("natural logarithm", 8.2015),
        "D": ("no discount", 9),
        "E": ("multiplied", 15.7207),
        "F": ("sorted by grade first", 6.3235),
        "G": ("log2(r + 2)", 4.3531),
        "H": ("exponential gain", 10.9312),
    },
    hints=(
        "Begin with the easy ones. 9 is a whole number: which slip leaves no logarithm at all?",
        "Smaller divisors make a larger sum: ln(x) is smaller than log2(x). And you have met "
        "6.3235 on this page.",
    ),
    worked=block("""
        slips = {
            9: "D", 4.5833: "A", 8.2015: "C", 4.3531: "G",
            10.9312: "H", 6.3235: "F", 15.7207: "E", 4.3928: "B",
        }
    """),
    because="6.3235 is the IDCG of these grades, and 4.3928 their DCG@3. 8.2015 is 5.6848 divided "
    "by ln(2): another base multiplies every DCG by the same constant.",
    notice="Each slip leaves its own number. When two tools disagree, the numbers often tell why.",
    wrong=(
        Wrong(
            'slips = {9: "A", 4.5833: "D", 8.2015: "C", 4.3531: "G", 10.9312: "H", '
            '6.3235: "F", 15.7207: "E", 4.3928: "B"}',
            "6 of 8 are right",
        ),
        Wrong(
            "slips = dict.fromkeys([9, 4.5833, 8.2015, 4.3531, 10.9312, 6.3235, 15.7207, 4.3928]"
            ', "C")',
            "1 of 8 are right",
        ),
        Wrong('slips = {9: "D"}', "Keep the dict"),
    ),
)

EXERCISES = (WRONG_TERM, FADED_DCG, THE_WHOLE_WAY, SLIPS)
