"""Exercises of notebook 01: order by hand, and what the metrics without grades miss."""

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion
from helpers.metrics import ndcg

LETTERS = "ABCDE"
SCORES = dict(zip(LETTERS, (0.3, -0.2, 0.8, 0.1, -0.7), strict=True))
GRADES = dict(zip(LETTERS, (1, 3, 0, 2, 0), strict=True))
RIGHT = "".join(sorted(LETTERS, key=lambda letter: -SCORES[letter]))


def _letters(order):
    return "".join(c for c in str(order).upper() if c in LETTERS)


def _letters_once(order, ranked_grades):
    if not isinstance(order, str) or sorted(_letters(order)) != list(LETTERS):
        return '`order` should be a text that holds each of A, B, C, D, E once, such as "EDCBA".'
    if not isinstance(ranked_grades, list | tuple) or len(ranked_grades) != len(LETTERS):
        return "`ranked_grades` should be a list of five numbers, such as [3, 2, 1, 0, 0]."
    return ""


def _wrong_order(order, _ranked_grades):
    order = _letters(order)
    if order == RIGHT:
        return ""
    if order == RIGHT[::-1]:
        return "`order` is upside down: the *highest* score has rank 1."
    if order == "".join(sorted(LETTERS, key=lambda letter: -GRADES[letter])):
        return "`order` follows the grades. The engine does not know them; it sorts by score."
    if order == "".join(sorted(LETTERS, key=lambda letter: -abs(SCORES[letter]))):
        return "`order` takes −0.7 for more than 0.3. A negative score is below all positive ones."
    first = next(i for i, (a, b) in enumerate(zip(order, RIGHT, strict=True)) if a != b)
    return f"Look at rank {first + 1}: which score is the highest of those that are left?"


def _wrong_grades(_order, ranked_grades):
    ranked_grades = list(ranked_grades)
    right = [GRADES[letter] for letter in RIGHT]
    if ranked_grades == right:
        return ""
    if ranked_grades == list(GRADES.values()):
        return "`ranked_grades` still stand in the order A to E. Read them off in rank order."
    if ranked_grades == sorted(right, reverse=True):
        return "`ranked_grades` are sorted by grade. Keep the order that the scores give."
    if ranked_grades == [SCORES[letter] for letter in RIGHT]:
        return "`ranked_grades` holds the scores. Asked are the grades of the same documents."
    return "The order is right, and the grades do not follow it: take them letter by letter."


ORDER_BY_HAND = Claim(
    name="order-by-hand",
    title="Order by hand",
    prompt=block("""
        An engine gives five documents these scores. The grades are known to the judges only.

        | document | A | B | C | D | E |
        |---|---|---|---|---|---|
        | score | 0.3 | −0.2 | 0.8 | 0.1 | −0.7 |
        | grade | 1 | 3 | 0 | 2 | 0 |

        In which order does the engine show them, and which grades does the user meet, from rank 1
        to rank 5?
    """),
    start=block("""
        order = ____  # the letters as one text, such as "EDCBA"
        ranked_grades = ____  # a list of five grades
    """),
    names=("order", "ranked_grades"),
    shape=_letters_once,
    objections=(_wrong_order, _wrong_grades),
    hints=(
        "Cross out the highest score, then the highest of the rest, and so on.",
        "The order begins C, A. Below each letter write its grade.",
    ),
    worked=block("""
        order = "CADBE"
        ranked_grades = [0, 1, 2, 3, 0]
    """),
    because="By falling score: C 0.8, A 0.3, D 0.1, B −0.2, E −0.7. The grades of these documents "
    "are 0, 1, 2, 3, 0. The scores are used up: from here on only the order counts.",
    notice="The best document, B, stands at rank 4, and no score says so. Only the grades do.",
    wrong=(
        Wrong('order, ranked_grades = "EBDAC", [0, 3, 2, 1, 0]', "upside down"),
        Wrong('order, ranked_grades = "BDACE", [3, 2, 1, 0, 0]', "follows the grades"),
        Wrong('order, ranked_grades = "CEABD", [0, 0, 1, 3, 2]', "below all positive ones"),
        Wrong('order, ranked_grades = "CADBE", [1, 3, 0, 2, 0]', "order A to E"),
        Wrong('order, ranked_grades = "CADBE", [3, 2, 1, 0, 0]', "sorted by grade"),
        Wrong('order, ranked_grades = "CADBE", [0, 1, 3, 2, 0]', "letter by letter"),
        Wrong('order, ranked_grades = "CAD", [0, 1, 2]', "each of A, B, C, D, E once"),
        Wrong('order, ranked_grades = "C, A, D, B, E", 5', "a list of five numbers"),
    ),
)

SEVEN = [0, 0, 2, 1, 0, 3, 1]

THREE_METRICS = Boxes(
    name="three-metrics",
    title="Three metrics without grades",
    prompt="A list has the grades 0, 0, 2, 1, 0, 3, 1 in rank order; every grade above 0 counts "
    "as relevant, and there are no other relevant documents. Compute precision@5, recall@5 "
    "and the "
    "reciprocal rank.",
    start=block("""
        precision_at_5 = ____
        recall_at_5 = ____
        reciprocal_rank = ____
    """),
    names=("precision_at_5", "recall_at_5", "reciprocal_rank"),
    boxes=(
        Box(
            "precision_at_5",
            lambda _method: 2 / 5,
            slips={
                2: "that is the number of relevant documents among the five. Divide it by 5",
                0.5: "you divided by the number of relevant documents, which is recall. Precision "
                "divides by the five places",
                0.8: "you counted all four relevant documents. Two of them stand below rank 5",
                0.6: "you added the grades, 2 + 1. Precision only asks: relevant or not",
                0.5714: "that is the share over all seven ranks. Only the first five count",
                0.2857: "you divided by seven. Five places count",
            },
        ),
        Box(
            "recall_at_5",
            lambda _method: 2 / 4,
            slips={
                0.4: "you divided by the five places, which is precision. Recall divides by the "
                "number of relevant documents, found or not",
                1.0: "that is recall over the whole list. At 5 two of the four are found",
                0.4286: "you used the grades, 3 of 7. Recall only asks: relevant or not",
                0.6667: "you counted three relevant documents. There are four: grades 2, 1, 3, 1",
            },
        ),
        Box(
            "reciprocal_rank",
            lambda _method: 1 / 3,
            slips={
                0.25: "you counted to the second relevant document, at rank 4. The *first* counts",
                3: "that is the rank itself. Its reciprocal is 1 divided by it",
                0.5: "you counted from 0, or took the rank for 2. Ranks begin at 1",
                0.6667: "you divided the grade by the rank. The grade plays no part: 1 / 3",
                0.1667: "you took the best document, at rank 6. The *first* relevant one counts",
                0: "the first document is not relevant; go on to the first that is",
            },
        ),
    ),
    hints=(
        "Mark the relevant ranks: 3, 4, 6 and 7. How many of them are 5 or less?",
        "Precision divides by the places, recall by the relevant documents. The first relevant "
        "document stands at rank 3.",
    ),
    worked=block("""
        precision_at_5 = 2 / 5
        recall_at_5 = 2 / 4
        reciprocal_rank = 1 / 3
    """),
    because="Two of the first five documents are relevant, and four are relevant in all. The "
    "first of them stands at rank 3.",
    notice="The 3 at rank 6 is the best document of all, and none of the three numbers knows it.",
    wrong=(
        Wrong("precision_at_5, recall_at_5, reciprocal_rank = 0.5, 0.4, 1 / 3", "which is recall"),
        Wrong("precision_at_5, recall_at_5, reciprocal_rank = 0.4, 0.4, 1 / 3", "which is precis"),
        Wrong(
            "precision_at_5, recall_at_5, reciprocal_rank = 0.6, 0.5, 1 / 3", "added the grades"
        ),
        Wrong("precision_at_5, recall_at_5, reciprocal_rank = 0.4, 0.5, 3", "the rank itself"),
        Wrong("precision_at_5, recall_at_5, reciprocal_rank = 0.4, 0.5, 1 / 6", "best document"),
    ),
)


def precision(grades, k):
    """Return the share of the first k documents that are relevant."""
    return sum(grade > 0 for grade in grades[:k]) / k


def reciprocal_rank(grades):
    """Return 1 divided by the rank of the first relevant document, 0 if there is none."""
    return next((1 / rank for rank, grade in enumerate(grades, start=1) if grade > 0), 0)


def _two_orders(one, other):
    one, other = list(one), list(other)
    if len(one) != len(other) or sorted(one) != sorted(other):
        return "Both lists should hold the same grades, in two orders."
    if not 2 <= len(one) <= 10:
        return f"Give 2 to 10 grades; that is {len(one)}."
    if any(g not in (0, 1, 2, 3) for g in one):
        return "Use the grades 0, 1, 2 and 3."
    return ""


def _alike(one, other):
    for name, values in (
        ("precision@3", [precision(g, 3) for g in (one, other)]),
        ("the reciprocal rank", [reciprocal_rank(g) for g in (one, other)]),
    ):
        if values[0] != values[1]:
            return (
                f"{name[0].upper()}{name[1:]} tells them apart: {values[0]:.4f} and "
                f"{values[1]:.4f}. Keep the *places* of the relevant documents and change which "
                "of them stands where."
            )
    return ""


def _new(one, other):
    if sum(grade > 0 for grade in one[:3]) == 3:
        return (
            "Right, but that is the pair of the bet again. Leave something useless among the "
            "first three."
        )
    return ""


def _ndcg_apart(one, other):
    places = range(len(one), 0, -1)
    values = [ndcg(grades, places, k=3) for grades in (one, other)]
    if abs(values[0] - values[1]) > 1e-9:
        return ""
    return (
        f"Both have NDCG@3 {values[0]:.4f}. Among the first three, let two relevant documents of "
        "*different* grades trade places."
    )


BLIND_SPOT = Claim(
    name="blind-spot",
    title="Break a claim",
    prompt="*Two orders of the same documents with equal precision@3, recall@3 and reciprocal "
    "rank are equally good.* Find two orders of a few grades (0 to 3) that these three "
    "cannot tell "
    "apart, and NDCG@3 can.",
    start=block("""
        one_order = ____  # a list of grades
        other_order = ____  # the same grades
    """),
    names=("one_order", "other_order"),
    shape=_two_orders,
    objections=(_alike, _ndcg_apart, _new),
    hints=(
        "The three metrics see a list like 3, 1, 0 as yes, yes, no.",
        "Swap two documents that are both relevant.",
    ),
    worked=block("""
        one_order = [3, 1, 0]
        other_order = [1, 3, 0]
    """),
    because="To the three metrics both lists are yes, yes, no. NDCG@3 is 1.0000 for the first and "
    "0.7967 for the second, because it knows that a 3 is worth more than a 1, and that rank 1 "
    "counts most.",
    notice="When a 3 and a 1 trade places among the first k, only NDCG moves.",
    wrong=(
        Wrong("one_order, other_order = [3, 0, 1], [0, 3, 1]", "The reciprocal rank tells"),
        Wrong("one_order, other_order = [3, 1, 0, 0], [3, 0, 0, 1]", "Precision@3 tells"),
        Wrong("one_order, other_order = [2, 2, 0], [2, 2, 0]", "Both have NDCG@3"),
        Wrong("one_order, other_order = [3, 2, 1], [1, 2, 3]", "the pair of the bet again"),
        Wrong("one_order, other_order = [3, 1], [3, 2]", "the same grades"),
        Wrong("one_order, other_order = 3, 1", "could not be read"),
    ),
)

WHICH_METRIC = OpenQuestion(
    name="which-metric",
    title="Design",
    prompt="Which metric would you take, and why, for (a) a voice assistant that reads out one "
    "answer, (b) a lawyer who must find *every* relevant document, (c) a shop that shows twelve "
    "products in order, judged from *perfect* to *useless*? A sentence or two on each.",
    start='my_choice = ____  # your text between quotes; """three""" allow several lines',
    names=("my_choice",),
    rubric=(
        (
            "(a) Only rank 1 counts: precision@1 (accuracy, here), or NDCG@1 if answers can be "
            "half right.",
            ("@1", "rank 1", "first", "one answer", "accuracy"),
        ),
        (
            "(b) Missing a document is the worst mistake: recall, at the depth the lawyer reads. "
            "Order matters little.",
            ("recall",),
        ),
        (
            "(c) Graded judgments and an order on the page: NDCG@12.",
            ("ndcg", "graded", "@12"),
        ),
        (
            "Each choice names its cutoff, because users differ in how far they look.",
            ("@", "cutoff", "depth"),
        ),
    ),
    hints=(
        "Ask for each: how far down does the user look, and are there grades?",
        "Who looks at one rank, who at all of them, and who at a page?",
    ),
    worked=block('''
        my_choice = """
        (a) Precision@1: the user hears the first answer and nothing else; NDCG@1 if answers can be
        half right. (b) Recall at the depth that the lawyer reads: a missed document is the worst
        mistake, and the order hardly matters. (c) NDCG@12: products are graded, the page has an
        order, and twelve is the cutoff that the customer sees.
        """
    '''),
    because="Other answers are good, too: reciprocal rank for (a) if the user may ask for the "
    "next answer; for (b) recall beside the number of documents to be read.",
    notice="A metric is a model of its user. Say who the user is before you choose one.",
    wrong=(
        Wrong('my_choice = "NDCG for all"', "Write at least a sentence"),
        Wrong("my_choice = ndcg", "between quotes"),
    ),
    given="from helpers.notebook import ndcg",
)

EXERCISES = (ORDER_BY_HAND, THREE_METRICS, BLIND_SPOT, WHICH_METRIC)
