"""Exercises of notebook 09: the floor, the random level, and what to report."""

import math

import numpy as np

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion
from helpers.course.exercises.method import evaluate
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import corrected_ndcg, ndcg, random_ndcg, worst_ndcg

PAGE = "import numpy as np"
SECOND = 1 / math.log2(3)  # the discount of rank 2

RANDOM_LEVEL = Boxes(
    name="random-level",
    title="By hand",
    prompt="A query has two documents, of grades 1 and 0. What is its floor, and what its random "
    "level? (The discount of rank 2 is 0.6309.)",
    start=block("""
        floor_of_two = ____
        random_of_two = ____
    """),
    names=("floor_of_two", "random_of_two"),
    boxes=(
        Box(
            "floor_of_two",
            lambda _method: SECOND,
            slips={
                0: "NDCG is never 0 here: even in the worse order the 1 stands at rank 2",
                0.5: "you divided by the rank. The divisor of rank 2 is log2(3)",
                1: "that is the better order",
            },
        ),
        Box(
            "random_of_two",
            lambda _method: (1 + SECOND) / 2,
            slips={
                0.5: "the mean gain is 0.5; multiply it by the *sum* of the discounts, 1 + 0.6309",
                1.6309: "that is the sum of the discounts; multiply it by the mean gain, 0.5",
                0.6309: "that is the floor: the worse of the two orders",
                0.75: "you took 1/2 for the discount of rank 2. It is 1 / log2(3)",
            },
        ),
    ),
    hints=(
        "There are two orders only. Write down both NDCGs.",
        "They are 1 and 0.6309. A shuffle gives each in half of the cases.",
    ),
    worked=block("""
        floor_of_two = 0.6309298
        random_of_two = (1 + 0.6309298) / 2
    """),
    because="The orders are 1, 0 with NDCG 1, and 0, 1 with NDCG 0.6309. The mean of the two is "
    "0.8155; in closed form, mean gain 0.5 times the discounts 1 + 0.6309.",
    notice="With two documents a coin flip has 0.8155. Nothing about that is excellent.",
    wrong=(
        Wrong("floor_of_two, random_of_two = 0, 0.5", "never 0 here"),
        Wrong("floor_of_two, random_of_two = 0.6309, 0.5", "*sum* of the discounts"),
        Wrong("floor_of_two, random_of_two = 0.6309, 0.6309", "that is the floor"),
        Wrong("floor_of_two, random_of_two = 0.6309, 0.75", "1 / log2(3)"),
    ),
)

TOP_ONE = Boxes(
    name="level-at-one",
    title="At the top only",
    prompt="The grades are 3, 3, 2, 1, 0. What are the floor and the random level of NDCG@1?",
    start=block("""
        floor_at_1 = ____
        random_at_1 = ____
    """),
    names=("floor_at_1", "random_at_1"),
    boxes=(
        Box(
            "floor_at_1",
            lambda _method: 0.0,
            slips={
                0.6458: "that is the floor without a cutoff. At 1 only the first document counts",
                0.3333: "that is an order with the 1 on top. A worse document is there",
            },
        ),
        Box(
            "random_at_1",
            lambda _method: 0.6,
            slips={
                0.8393: "that is the random level without a cutoff. At 1 only rank 1 counts",
                1.8: "that is the expected DCG@1. Divide it by the ideal, 3",
                0.4: "that is how often a 3 stands on top. A 2 and a 1 earn something, too",
                0.8: "that is how often something relevant stands on top. It must be weighted",
                0.5: "you took the middle between floor and ideal. Average over all documents",
            },
        ),
    ),
    hints=(
        "At k = 1 only the first document counts, and each is on top in a fifth of the orders.",
        "The mean gain is 1.8, the discount of rank 1 is 1, and the ideal is 3.",
    ),
    worked=block("""
        floor_at_1 = 0.0
        random_at_1 = 1.8 / 3
    """),
    because="With the 0 on top NDCG@1 is 0. On average the first document earns 9/5 = 1.8, and "
    "the "
    "best possible is 3: 0.6.",
    notice="The floor fell from 0.6458 to 0 and the random level from 0.8393 to 0.6, by k alone.",
    wrong=(
        Wrong("floor_at_1, random_at_1 = 0.6458, 0.8393", "without a cutoff"),
        Wrong("floor_at_1, random_at_1 = 0, 0.8393", "only rank 1 counts"),
        Wrong("floor_at_1, random_at_1 = 0, 1.8", "Divide it by the ideal"),
        Wrong("floor_at_1, random_at_1 = 0, 0.4", "earn something, too"),
    ),
)


def constant_model(method, grades, k):
    """Return what a method makes of a model that gives every document the same score."""
    return evaluate(method, grades, [0] * len(grades), k)


def mean_of_the_best(grades, k):
    """Compute the random level with the mean gain of the k best documents only."""
    best = np.sort(grades)[::-1][:k]
    weights = 1 / np.log2(np.arange(2, len(best) + 2))
    return best.mean() * weights.sum() / (best @ weights)


RANDOM_CODE = Function(
    name="random-level-code",
    title="In code",
    prompt="Write the closed form: mean gain times the sum of the first `k` discounts, divided by "
    "the ideal DCG at the same k. `grades` is a NumPy array. Linear gain; if nothing is relevant, "
    "return 0.0. Use NumPy, and not the functions of this course.",
    given=PAGE,
    start=block("""
        def random_level(grades, k):
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
            expected = ____ * ____
            ideal = ____
            return ____
    """),
    names=("random_level",),
    task=Task(
        name="random_level",
        parameters="grades, k",
        probes=(
            (np.array([3, 3, 2, 1, 0]), 5),
            (np.array([0, 2, 0, 1, 3, 0]), 3),
            (np.array([1, 0, 0, 2]), 1),
        ),
        compute=constant_model,
        switches=("gain", "discount", "cutoff", "ideal", "result"),
        slips=(
            Slip(
                lambda grades, k: worst_ndcg(grades, k=k),
                "That is the floor, the worst order. Asked is the average over all orders.",
            ),
            Slip(
                lambda grades, k: len(grades) * random_ndcg(grades, k=k),
                "You multiplied by the *sum* of the gains. Each rank earns their mean.",
            ),
            Slip(
                lambda grades, k: ndcg(grades, -np.arange(len(grades)), k=k),
                "That is the NDCG of the list as it stands. Asked is the average of all orders.",
            ),
            Slip(
                mean_of_the_best,
                "You took the mean over the k best grades. Any document may stand inside k: take "
                "the mean over all.",
            ),
        ),
        edges=(
            Edge((np.array([0, 0, 0]), 2), "Nothing is relevant; the text says: return 0.0."),
            Edge((np.array([1, 0]), 9), "k may be larger than the list."),
        ),
    ),
    hints=(
        "`grades.mean()` is what each rank earns before the discount.",
        "`weights.sum()` is already cut at k. For the ideal, sort the grades downwards and cut "
        "them at k: `(np.sort(grades)[::-1][:k] * weights).sum()`.",
    ),
    worked=block("""
        def random_level(grades, k):
            weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
            expected = grades.mean() * weights.sum()
            ideal = (np.sort(grades)[::-1][:k] * weights).sum()
            return expected / ideal if ideal > 0 else 0.0
    """),
    because="The mean runs over *all* documents: any of them may stand inside k. The discounts "
    "and "
    "the ideal are cut at k.",
    notice="No order was drawn, and the value is exact for any number of documents.",
    wrong=(
        Wrong(
            block("""
                def random_level(grades, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
                    return np.sort(grades)[:k] @ weights / (np.sort(grades)[::-1][:k] @ weights)
            """),
            "That is the floor",
        ),
        Wrong(
            block("""
                def random_level(grades, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
                    expected = grades.sum() * weights.sum()
                    return expected / (np.sort(grades)[::-1][:k] @ weights)
            """),
            "*sum* of the gains",
        ),
        Wrong(
            block("""
                def random_level(grades, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
                    return grades.mean() * weights.sum()
            """),
            "division by the ideal DCG is missing",
        ),
        Wrong(
            block("""
                def random_level(grades, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))
                    ideal = np.sort(grades)[::-1] @ weights
                    return grades.mean() * weights.sum() / ideal
            """),
            "k was ignored",
        ),
        Wrong(
            block("""
                def random_level(grades, k):
                    weights = 1 / np.log2(np.arange(2, len(grades) + 2))[:k]
                    return grades.mean() * weights.sum() / (np.sort(grades)[::-1][:k] @ weights)
            """),
            "return 0.0",
        ),
    ),
)


def _two_lists(higher, farther):
    for name, grades in (("higher", higher), ("farther", farther)):
        grades = [float(g) for g in grades]
        if not 2 <= len(grades) <= 10:
            return f"`{name}` should hold 2 to 10 grades, it has {len(grades)}."
        if any(g not in (0, 1, 2, 3) for g in grades):
            return f"`{name}` should hold the grades 0, 1, 2 and 3."
        if len(set(grades)) == 1:
            return f"In `{name}` all grades are equal: every order has the same NDCG."
    return ""


def _crosses(higher, farther):
    lists = [[float(g) for g in grades] for grades in (higher, farther)]
    plain = [ndcg(g, range(len(g), 0, -1)) for g in lists]
    above = [corrected_ndcg(g, range(len(g), 0, -1)) for g in lists]
    numbers = (
        f"NDCG {plain[0]:.4f} and {plain[1]:.4f}, chance-corrected {above[0]:.4f} and "
        f"{above[1]:.4f}."
    )
    if plain[0] <= plain[1]:
        return f"`higher` must have the higher NDCG. {numbers}"
    if above[0] >= above[1]:
        return (
            f"`farther` must be farther above chance, and it is not. {numbers} Make chance high "
            "for the first list: nearly all of its documents relevant."
        )
    return ""


CHANCE_CLAIM = Claim(
    name="chance-claim",
    title="Break a claim",
    prompt="*The higher the NDCG, the farther above chance.* Find two lists of grades in rank "
    "order, for two different queries: `higher` with the higher NDCG, `farther` with the higher "
    "chance-corrected NDCG.",
    start=block("""
        higher = ____  # grades in rank order, such as [1, 0, 1]
        farther = ____  # for another query
    """),
    names=("higher", "farther"),
    shape=_two_lists,
    objections=(_crosses,),
    hints=(
        "A list with nine relevant documents of ten has a high NDCG in any order.",
        "For `farther` take one relevant document among many, at rank 2.",
    ),
    worked=block("""
        higher = [0, 1, 1, 1]
        farther = [0, 1, 0, 0, 0, 0, 0, 0]
    """),
    because="In the first list the one useless document stands on top: no order is worse, and "
    "NDCG "
    "is still 0.7328. In the second the one relevant document stands at rank 2 of 8: NDCG 0.6309, "
    "where a shuffle averages 0.4942.",
    notice="The list with the higher NDCG was closer to chance, or even below it.",
    wrong=(
        Wrong("higher, farther = [1, 0], [0, 1]", "farther above chance, and it is not"),
        Wrong("higher, farther = [0, 1, 0, 0], [1, 1, 0]", "must have the higher NDCG"),
        Wrong("higher, farther = [1, 1], [0, 1]", "all grades are equal"),
        Wrong("higher, farther = [1], [0, 1]", "2 to 10 grades"),
        Wrong("higher, farther = 1, 2", "could not be read"),
    ),
)

REPORT = OpenQuestion(
    name="design-a-report",
    title="Design",
    prompt="Your team sends a weekly mail: *NDCG 0.84, excellent.* Rewrite it so that a reader "
    "can "
    "judge the number and a colleague could recompute it. A few sentences.",
    start='my_report = ____  # your text between quotes; """three""" allow several lines',
    names=("my_report",),
    rubric=(
        (
            "The number has its name: NDCG@k with the k, the gain, and how ties and empty queries "
            "are treated.",
            ("@", "linear", "exponential", "ties", "empty"),
        ),
        (
            "Beside it stands what a random order gets on the same queries at the same k.",
            ("random", "chance", "shuffle"),
        ),
        (
            "How many queries, and how much the mean wavers: an interval, or the spread.",
            ("queries", "interval", "spread", "deviation"),
        ),
        (
            "No adjective such as *excellent*; instead the change against last week, or against "
            "another ranker.",
            ("last week", "change", "compared", "against"),
        ),
    ),
    hints=(
        "What would you ask if the mail came from somebody else?",
        "Which cutoff, which gain, how many queries, what does a shuffle get, and what was it "
        "last "
        "week?",
    ),
    worked=block('''
        my_report = """
        NDCG@10 (linear gain, ties averaged, empty queries counted as 0, ideal from everything
        judged) was 0.84 on 1,200 queries, with a 95% interval of 0.82 to 0.86. A random order of
        the same documents gets 0.61. Last week it was 0.83 on the same queries.
        """
    '''),
    because="Whether 0.01 more than last week is more than noise is the subject of a later "
    "notebook. Without the random level nobody can say whether 0.84 is far from 0.61 or close to "
    "0.83.",
    notice="A mail without an adjective can say more.",
    wrong=(
        Wrong('my_report = "NDCG was 0.84, good"', "Write at least a sentence"),
        Wrong("my_report = 0.84", "between quotes"),
    ),
)

EXERCISES = (RANDOM_LEVEL, TOP_ONE, RANDOM_CODE, CHANCE_CLAIM, REPORT)
