"""Exercises of notebook 05: what a gain claims, and what it does to the winner."""

from dataclasses import replace
from itertools import permutations

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion, orders_of
from helpers.course.exercises.method import RIGHT, evaluate
from helpers.course.exercises.probes import RANKED, of_ranked
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import ndcg

EXPONENTIAL = replace(RIGHT, gain="exponential")

OUTWEIGHS = Boxes(
    name="what-outweighs",
    title="By hand",
    prompt="Grades run from 0 to 6. What is the exponential gain of a 6? And how many documents "
    "of grade 2 have the gain of one document of grade 6, first under the linear gain, then under "
    "the exponential one?",
    start=block("""
        gain_of_6 = ____
        twos_linear = ____
        twos_exponential = ____
    """),
    names=("gain_of_6", "twos_linear", "twos_exponential"),
    boxes=(
        Box(
            "gain_of_6",
            lambda _method: 63,
            slips={
                64: "that is 2^6; the − 1 is missing, so an irrelevant document would earn 1",
                32: "that is 2^(6 − 1): the − 1 slipped up into the exponent",
                6: "that is the linear gain",
            },
        ),
        Box(
            "twos_linear",
            lambda _method: 3,
            slips={
                round(1 / 3, 4): "upside down: it says how many 6s have the gain of one 2",
                21: "that is the exponential gain's answer",
                4: "that is the difference, 6 − 2. Asked is how often the 2 fits into the 6",
            },
        ),
        Box(
            "twos_exponential",
            lambda _method: 21,
            slips={
                16: "that is 64 / 4, without the − 1. The gains are 63 and 3",
                3: "that is the linear gain's answer, or the gain of one 2. Divide 63 by it",
                31.5: "that is 63 / 2, the gain of a 6 by the *grade* of a 2. Take gains for both",
                60: "that is the difference, 63 − 3. Asked is how often the 3 fits into the 63",
                63: "that is the gain of the 6. Divide it by the gain of a 2",
                round(1 / 21, 4): "upside down: it says how many 6s have the gain of one 2",
            },
        ),
    ),
    hints=(
        "Write down both gains of both grades: the grade itself, and 2 to the grade, minus 1.",
        "2^6 − 1 and 2^2 − 1; then divide.",
    ),
    worked=block("""
        gain_of_6 = 2**6 - 1
        twos_linear = 6 / 2
        twos_exponential = (2**6 - 1) / (2**2 - 1)
    """),
    because="A 6 is worth 63 and a 2 is worth 3, so twenty-one 2s make one 6. Under the linear "
    "gain three do.",
    notice="The same two grades, and the exchange rate is 3 or 21.",
    wrong=(
        Wrong("gain_of_6, twos_linear, twos_exponential = 64, 3, 16", "the − 1 is missing"),
        Wrong("gain_of_6, twos_linear, twos_exponential = 63, 3, 16", "without the − 1"),
        Wrong("gain_of_6, twos_linear, twos_exponential = 63, 0.3333, 21", "upside down"),
        Wrong("gain_of_6, twos_linear, twos_exponential = 32, 3, 21", "up into the exponent"),
    ),
)

LIST, BY_FOUR = [1, 3, 0, 2], [4, 3, 2, 1]

EXPONENTIAL_SUM = Boxes(
    name="exponential-sum",
    title="Fill two gaps",
    prompt="A list has the grades 1, 3, 0, 2 from the top. Take the exponential gain and compute "
    "DCG and NDCG. The way begins with 1 · 1 + 7 · 0.6309 + …, and the ideal DCG is 9.3928.",
    start=block("""
        exponential_dcg = ____
        exponential_ndcg = ____
    """),
    names=("exponential_dcg", "exponential_ndcg"),
    boxes=(
        Box(
            "exponential_dcg",
            lambda method: evaluate(method, LIST, BY_FOUR, 4),
            method=replace(EXPONENTIAL, result="DCG"),
            switches=("gain", "discount", "cutoff", "rounding", "result"),
        ),
        Box(
            "exponential_ndcg",
            lambda method: evaluate(method, LIST, BY_FOUR, 4),
            method=EXPONENTIAL,
            switches=("gain", "discount", "cutoff", "rounding", "result"),
            slips={
                1.4088: "the list was measured in gains and the ideal in grades: both need gains",
                0.3997: "the list was measured in grades and the ideal in gains: both need gains",
            },
        ),
    ),
    hints=(
        "The gains are 1, 7, 0 and 3, and the discounts 1, 0.6309, 0.5 and 0.4307.",
        "1 + 7 × 0.6309 + 0 + 3 × 0.4307, and then divide by the ideal.",
    ),
    worked=block("""
        from math import log2

        exponential_dcg = 1 + 7 / log2(3) + 0 + 3 / log2(5)
        exponential_ndcg = exponential_dcg / (7 + 3 / log2(3) + 1 / log2(4))
    """),
    because="DCG is 1 + 4.4165 + 0 + 1.2920 = 6.7085, and "
    "6.7085 / 9.3928 = 0.7142. Under the linear gain this list has 0.7884.",
    notice="Under the linear gain this list has 0.7884: keeping the 3 from the top costs more "
    "when a 3 is worth 7.",
    wrong=(
        Wrong("exponential_dcg, exponential_ndcg = 3.7541, 0.7884", "grade itself was used"),
        Wrong("exponential_dcg, exponential_ndcg = 6.7085, 6.7085", "division by the ideal"),
        Wrong("exponential_dcg, exponential_ndcg = 9.2701, 0.7142", "irrelevant document"),
    ),
)

_PROGRAM = block("""
    from math import log2


    def exponential_ndcg(ranked_grades, k):
        gains = [2.0**g - 1 for g in ranked_grades]
        best = sorted(ranked_grades, reverse=True)
        value = sum(g / log2(r + 1) for r, g in enumerate(gains[:k], start=1))
        ideal = sum(g / log2(r + 1) for r, g in enumerate(best[:k], start=1))
        return value / ideal if ideal > 0 else 0.0
""")
_FIXED = _PROGRAM.replace("sorted(ranked_grades,", "sorted(gains,")


def _other_half(ranked_grades, k):
    """Compute what the program does with the gain in its ideal only."""
    total = of_ranked(replace(RIGHT, result="DCG"), ranked_grades, k)
    return total / of_ranked(replace(EXPONENTIAL, result="IDCG"), ranked_grades, k)


HALF_A_GAIN = Function(
    name="half-a-gain",
    title="Find the line",
    prompt="This program is meant to use $2^{rel} - 1$. It runs without an error, and for the "
    "grades 1, 2, 3, 0 from the top it says 1.3425, although no order can be above 1. Find the "
    "wrong line and fix it.",
    start=_PROGRAM,
    below='print(f"{exponential_ndcg([1, 2, 3, 0], 4):.4f}")',
    names=("exponential_ndcg",),
    task=Task(
        name="exponential_ndcg",
        parameters="ranked_grades, k",
        probes=RANKED,
        compute=of_ranked,
        method=EXPONENTIAL,
        switches=("gain", "discount", "cutoff", "ideal", "result"),
        slips=(
            Slip(
                _other_half,
                "Now the ideal is built from gains and the list from grades. Both need gains.",
            ),
        ),
        edges=(
            Edge(([0, 0, 0], 2), "Nothing is relevant here; the program returned 0.0 before."),
            Edge(([3, 0, 2], 9), "k may be larger than the list."),
        ),
    ),
    hints=(
        "Print `value` and `ideal` for the grades 3, 2, 1, 0, which are in ideal order. Why are "
        "they not equal?",
        "Which of the two sums sees `gains`, and which sees grades?",
    ),
    worked=_FIXED,
    because="`best` was sorted from the grades, so the list was measured in gains and the ideal "
    "in grades. Apply the gain once, at the start, and use nothing else afterwards. For "
    "1, 2, 3, 0 the value is 0.6806.",
    notice="The value above 1 gave it away. With grades 0 and 1 it would have looked fine at "
    "every k.",
    wrong=(
        Wrong(_PROGRAM.replace("2.0**g - 1", "g"), "grade itself was used"),
        Wrong(_FIXED.replace("2.0**g - 1", "2.0**g"), "irrelevant document earns something"),
        Wrong(_FIXED.replace(", reverse=True", ""), "lowest grade on top"),
        Wrong(_FIXED.replace("gains[:k]", "ranked_grades[:k]"), "Both need gains"),
        Wrong(_FIXED.replace("best[:k]", "best"), "not cut at k"),
    ),
)

FOUR = [3, 2, 1, 0]


def _must_change(linear_winner, exponential_winner):
    lists = (linear_winner, exponential_winner)
    plain, steep = (
        [ndcg(grades, BY_FOUR, gain=gain) for grades in lists]
        for gain in ("linear", "exponential")
    )
    numbers = (
        f"Yours have {plain[0]:.4f} and {plain[1]:.4f} with the linear gain, {steep[0]:.4f} and "
        f"{steep[1]:.4f} with the exponential one."
    )
    if plain[0] <= plain[1]:
        swapped = plain[1] > plain[0] and steep[0] > steep[1]
        advice = " Exchange the two." if swapped else ""
        return f"The first list must win with the linear gain. {numbers}{advice}"
    if steep[0] >= steep[1]:
        return (
            f"With the exponential gain the second list must win, and it does not. {numbers} "
            f"{_where_the_three_stands(*lists)}"
        )
    return ""


def _where_the_three_stands(first, second):
    if not any(_passes(first, order) for order in permutations(FOUR)):
        return "No second list works with this first one: take another."
    if second.index(3) < first.index(3):
        return "Its 3 stands higher already; move its 2 or its 1 up."
    return "Give the second list the better place for its 3."


def _passes(first, second):
    """Tell whether the second list is behind with the linear gain, and ahead with the other."""
    ahead = [
        ndcg(second, BY_FOUR, gain=gain) - ndcg(first, BY_FOUR, gain=gain)
        for gain in ("linear", "exponential")
    ]
    return ahead[0] < 0 < ahead[1]


PREDICT = Boxes(
    name="predict-the-change",
    title="Predict",
    prompt="scikit-learn gives the list 1, 3, 0, 2 an NDCG of 0.7884. What does it print when the "
    "grades are stored times ten, when 1 is added to each, and when somebody passes "
    "`2.0**y_true - 1` in place of the grades? Predict first; one of the three needs a sum, "
    "and one is an answer of exercise 2.",
    start=block("""
        times_ten = ____
        plus_one = ____
        powers = ____
    """),
    names=("times_ten", "plus_one", "powers"),
    boxes=(
        Box(
            "times_ten",
            lambda _method: ndcg(LIST, BY_FOUR),
            slips={
                7.884: "NDCG is a ratio: list and ideal both grow tenfold",
                0.0788: "NDCG is a ratio: list and ideal both grow tenfold",
                0.6310: "that would be 2^rel − 1 of the large grades. scikit-learn takes the "
                "grades themselves",
            },
        ),
        Box(
            "plus_one",
            lambda _method: ndcg([g + 1 for g in LIST], BY_FOUR),
            slips={
                0.7884: "adding is no common factor: the document of grade 0 now earns something",
                1.7884: "1 is added to each grade, not to the NDCG",
            },
        ),
        Box(
            "powers",
            lambda _method: ndcg(LIST, BY_FOUR, gain="exponential"),
            slips={
                0.7884: "scikit-learn takes what it is given as gains, so this is the exponential "
                "gain",
                round(ndcg(LIST, BY_FOUR, gain=lambda g: 2.0**g), 4): "that is 2^grade without "
                "the − 1",
            },
        ),
    ),
    hints=(
        "Which of the three changes multiplies every gain by the same number?",
        "For *plus one* the list is 2, 4, 1, 3 and the ideal order 4, 3, 2, 1.",
    ),
    worked=block("""
        from helpers.notebook import ndcg

        times_ten = ndcg([10, 30, 0, 20], [4, 3, 2, 1])
        plus_one = ndcg([2, 4, 1, 3], [4, 3, 2, 1])
        powers = ndcg([1, 7, 0, 3], [4, 3, 2, 1])
    """),
    because="Times ten is a common factor: 0.7884 as before. Plus one is not a factor: the 0 "
    "now earns something at rank 3, and it is 0.8624. The powers are the exponential gain of "
    "exercise 2, 0.7142.",
    notice="A number without its gain can be any of the three.",
    wrong=(
        Wrong("times_ten, plus_one, powers = 7.884, 0.8624, 0.7142", "both grow tenfold"),
        Wrong("times_ten, plus_one, powers = 0.7884, 0.7884, 0.7142", "no common factor"),
        Wrong("times_ten, plus_one, powers = 0.7884, 0.8624, 0.7884", "takes what it is given"),
    ),
)

GAIN_CLAIM = Claim(
    name="gain-claim",
    title="Break a claim",
    prompt="*Both gains rise with the grade, so they name the same winner.* Find two orders of "
    "the grades 3, 2, 1, 0 that break it: `linear_winner` is ahead with the linear gain, "
    "`exponential_winner` with the exponential one. (No cutoff.)",
    start=block("""
        linear_winner = ____  # a list of the grades 3, 2, 1, 0
        exponential_winner = ____  # another one
    """),
    names=("linear_winner", "exponential_winner"),
    shape=orders_of(FOUR, "linear_winner", "exponential_winner"),
    objections=(_must_change,),
    hints=(
        "The exponential gain cares most about where the 3 stands. The linear one lets a 2 and a "
        "1 together make up for it.",
        "Put the 3 at rank 4 in the first list and at rank 2 in the second.",
    ),
    worked=block("""
        linear_winner = [1, 2, 0, 3]
        exponential_winner = [0, 3, 1, 2]
    """),
    because="With the linear gain 1, 2, 0, 3 has 0.7463 and 0, 3, 1, 2 has 0.6834. With the "
    "exponential gain it is 0.6289 against 0.6610. There are thirteen more such pairs.",
    notice="So *both rise with the grade* is not enough for the same winner.",
    wrong=(
        Wrong("linear_winner, exponential_winner = [3, 2, 1, 0], [0, 1, 2, 3]", "does not"),
        Wrong("linear_winner, exponential_winner = [0, 1, 2, 3], [3, 2, 1, 0]", "must win with"),
        Wrong("linear_winner, exponential_winner = [3, 2, 1], [3, 2, 1]", "each once"),
        Wrong("linear_winner, exponential_winner = 3, 2", "could not be read"),
    ),
)

CHOOSE = OpenQuestion(
    name="choose-a-gain",
    title="Design",
    prompt="A shop grades its results: 0 ignored, 1 looked at, 2 put into the cart, 3 bought. "
    "Which gain do you choose, and why: how many looks is a purchase worth, and how do you know? "
    "And what do you write beside every NDCG? A few sentences.",
    start='my_choice = ____  # your text between quotes; """three""" allow several lines',
    names=("my_choice",),
    rubric=(
        (
            "It says what is worth what: how many *looked at* make one *bought*.",
            ("worth", "times", "outweigh", "equal", "as much", "as many", "look", "make"),
        ),
        (
            "It names a gain, or gives a table with a number for each grade; 0 earns 0.",
            ("table", "linear", "exponential", "2^", "2**", "{", "0, 1", "0 1", "0/1"),
        ),
        (
            "It says where the numbers come from: the shop's money or behavior, or a convention.",
            (
                "profit",
                "money",
                "clicks",
                "convention",
                "data",
                "sales",
                "figures",
                "experience",
                "log",
            ),
        ),
        (
            "The gain is reported beside every NDCG, with the cutoff.",
            ("report", "beside", "write", "print", "name", "next to", "cutoff", "@"),
        ),
    ),
    hints=(
        "How many shoppers who looked at something are worth one who bought?",
        "Write the four numbers down as a table, and say where they come from.",
    ),
    worked=block('''
        my_choice = """
        A table: {0: 0, 1: 1, 2: 4, 3: 20}. In our data one look in twenty and one cart in five
        ends with a purchase, so a purchase is worth twenty looks. We write "NDCG@10, gain table
        0/1/4/20, from the purchase rates of last year" beside the number, and the value with the
        linear gain once a quarter, to see whether the choice matters.
        """
    '''),
    because="Any gain can be defended with a reason. 2^rel − 1 would say that a purchase is worth "
    "seven looks; that may be right, but nobody has asked the shop.",
    notice="A table with a reason beats a formula without one.",
    wrong=(
        Wrong('my_choice = "exponential"', "Write at least a sentence"),
        Wrong("my_choice = {0: 0, 1: 1}", "between quotes"),
    ),
)

EXERCISES = (OUTWEIGHS, EXPONENTIAL_SUM, HALF_A_GAIN, PREDICT, GAIN_CLAIM, CHOOSE)
