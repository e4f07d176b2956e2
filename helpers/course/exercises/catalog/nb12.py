"""Exercises of notebook 12: error and order, the push of a pair, and centering."""

import math

from helpers.course.exercises.base import Wrong, block
from helpers.course.exercises.boxes import Box, Boxes
from helpers.course.exercises.claims import Claim, OpenQuestion
from helpers.course.exercises.programs import Function
from helpers.course.exercises.task import Edge, Slip, Task
from helpers.metrics import ndcg
from helpers.metrics.checks import SAME_VALUE

SECOND = 1 / math.log2(3)  # the discount of rank 2

ERROR_AND_ORDER = Boxes(
    name="error-and-order",
    title="By hand",
    prompt="Two documents have the grades 2 and 0. Model M gives them the scores 0.9 and 1.1, "
    "model N the scores 9 and 5. What are the mean squared error and the NDCG of each? (The "
    "discount of rank 2 is 0.6309.)",
    start=block("""
        mse_m = ____
        ndcg_m = ____
        mse_n = ____
        ndcg_n = ____
    """),
    names=("mse_m", "ndcg_m", "mse_n", "ndcg_n"),
    boxes=(
        Box(
            "mse_m",
            lambda _method: 1.21,
            slips={
                2.42: "that is the sum of the two squares. The mean is half of it",
                1.1: "that is how far each score is from its grade, or the root of the MSE. Take "
                "the mean of the squares",
                0.01: "you compared the scores with each other. Compare each with its grade",
                0.0: "the differences are −1.1 and 1.1. Square them before you add",
            },
        ),
        Box(
            "ndcg_m",
            lambda _method: SECOND,
            slips={
                1: "the scores are 0.9 and 1.1: the document of grade 0 is on top",
                0.5: "you divided by the rank. The divisor of rank 2 is log2(3)",
                1.2619: "that is DCG, 2 · 0.6309. Divide it by the ideal, 2",
                0: "the 2 stands at rank 2 and earns something there",
            },
        ),
        Box(
            "mse_n",
            lambda _method: 37.0,
            slips={
                74: "that is the sum of the two squares, 49 + 25. The mean is half of it",
                6: "that is the mean of the differences, 7 and 5. Square them first",
                6.0828: "that is the root of the MSE. Leave the root out",
                36: "you squared the mean of the differences. Square each, then take the mean",
                16: "you compared the scores with each other. Compare each with its grade",
            },
        ),
        Box(
            "ndcg_n",
            lambda _method: 1.0,
            slips={
                0.6309: "9 is more than 5: the document of grade 2 is on top",
                2: "that is DCG. Divide it by the ideal, 2",
            },
        ),
    ),
    hints=(
        "MSE of M: (0.9 − 2)² and (1.1 − 0)², and half of their sum.",
        "NDCG looks at the order only: which document is on top?",
    ),
    worked=block("""
        mse_m = ((0.9 - 2) ** 2 + (1.1 - 0) ** 2) / 2
        ndcg_m = 0.6309298
        mse_n = ((9 - 2) ** 2 + (5 - 0) ** 2) / 2
        ndcg_n = 1.0
    """),
    because="M is close to both grades, 1.21, and has them in the wrong order: 0.6309. N is far "
    "from both, 37, and has them in the right order: 1.",
    notice="Thirty times the error, and the better ranking: an order needs no right numbers.",
    wrong=(
        Wrong("mse_m, ndcg_m, mse_n, ndcg_n = 2.42, 0.6309, 37, 1", "The mean is half of it"),
        Wrong("mse_m, ndcg_m, mse_n, ndcg_n = 1.21, 1, 37, 1", "grade 0 is on top"),
        Wrong("mse_m, ndcg_m, mse_n, ndcg_n = 1.21, 0.6309, 36, 1", "Square each"),
        Wrong("mse_m, ndcg_m, mse_n, ndcg_n = 1.21, 0.6309, 37, 0.6309", "grade 2 is on top"),
    ),
)

_PUSH = block("""
    from math import exp


    def push(grades, scores):
        up = [0.0] * len(grades)
        for i in range(len(grades)):
            for j in range(len(grades)):
                if {which}:
                    share = {share}
                    up[i] += {first}
                    up[j] -= {second}
        return up
""")


def _push_with(which=None, share=None, first="share", second="share"):
    which = which or "grades[i] > grades[j]"
    share = share or "1 / (1 + exp(scores[i] - scores[j]))"
    return _PUSH.format(which=which, share=share, first=first, second=second)


def _logistic(x):
    return 1 / (1 + math.exp(x))


def _pushes(grades, scores, share, counts=None, sides=(1, 1)):
    """Add up what each pair does to its two documents."""
    counts = counts or (lambda a, b: a > b)
    up, (gives, takes) = [0.0] * len(grades), sides
    for i, a in enumerate(grades):
        for j, b in enumerate(grades):
            if counts(a, b):
                up[i] += gives * share(scores[i] - scores[j])
                up[j] -= takes * share(scores[i] - scores[j])
    return up


def _right_push(_method, grades, scores):
    return _pushes(grades, scores, _logistic)


def _pushed_by_the_loss(grades, scores):
    return _pushes(grades, scores, lambda ahead: math.log(1 + math.exp(-ahead)))


def _most_where_right(grades, scores):
    return _pushes(grades, scores, lambda ahead: _logistic(-ahead))


def _turned_push(grades, scores):
    return _pushes(grades, scores, _logistic, sides=(-1, -1))


def _one_side(grades, scores):
    return _pushes(grades, scores, _logistic, sides=(1, 0))


def _equal_pairs_too(grades, scores):
    return _pushes(grades, scores, _logistic, counts=lambda a, b: a >= b)


def _worse_first(grades, scores):
    return _pushes(grades, scores, _logistic, counts=lambda a, b: a < b)


def _both_up(grades, scores):
    return _pushes(grades, scores, _logistic, sides=(1, -1))


def _mean_of_pairs(grades, scores):
    n_pairs = sum(a > b for a in grades for b in grades)
    return [push / max(n_pairs, 1) for push in _right_push(None, grades, scores)]


def _by_place(grades, scores):
    return _pushes(range(len(grades), 0, -1), scores, _logistic)


def _each_twice(grades, scores):
    return _pushes(grades, scores, _logistic, counts=lambda a, b: a != b)


def _first_only(grades, scores):
    """Add up the pairs in which the first document is the better one."""
    worse = [grade < grades[0] for grade in grades]
    pushes = [_logistic(scores[0] - s) if w else 0.0 for s, w in zip(scores, worse, strict=True)]
    return [sum(pushes), *(-push for push in pushes[1:])]


def _always_one(grades, scores):
    return _pushes(grades, scores, lambda _ahead: 1.0)


PUSH = Function(
    name="push",
    title="Fill in a gradient",
    prompt="One step of pairwise training on one query. For each pair in which i has the higher "
    "grade, the slope of log(1 + e^−(s_i − s_j)) by s_i is −1 / (1 + e^(s_i − s_j)), and by s_j "
    "it is the same with a plus. Training goes *against* the slope. Return what each score is "
    "pushed by, all pairs added up, not their mean (up is plus).",
    start=block("""
        from math import exp


        def push(grades, scores):
            up = [0.0] * len(grades)
            for i in range(len(grades)):
                for j in range(len(grades)):
                    if ____:
                        share = ____
                        up[i] += ____
                        up[j] -= ____
            return up
    """),
    names=("push",),
    task=Task(
        name="push",
        parameters="grades, scores",
        probes=(
            ([3, 1, 0], [0.0, 1.0, 0.5]),
            ([2, 0, 2, 1], [0.3, -0.2, 1.5, 0.9]),
            ([0, 1], [2.0, -1.0]),
        ),
        compute=_right_push,
        slips=(
            Slip(
                _turned_push,
                "The signs are turned: the better document is pushed down. Training goes against "
                "the slope, and the slope by s_i is negative.",
            ),
            Slip(
                _most_where_right,
                "The push is strongest for pairs that are right already. It should be about 1 "
                "where the better one is far behind, and about 0 where it is far ahead: look at "
                "the sign in `exp`.",
            ),
            Slip(
                _pushed_by_the_loss,
                "That is the loss of the pair, not its slope. How hard a pair pushes is "
                "1 / (1 + e^(s_i − s_j)).",
            ),
            Slip(
                _one_side,
                "Only the better document is pushed. What goes up on one side goes down on the "
                "other.",
            ),
            Slip(
                _equal_pairs_too,
                "Documents of equal grade push each other, too. Only a pair of unequal grades has "
                "a right order.",
            ),
            Slip(
                _worse_first, "The worse document is taken for the better one: look at the `if`."
            ),
            Slip(
                _both_up,
                "Both documents are pushed the same way. What i gains j loses, and `-=` takes "
                "away already.",
            ),
            Slip(
                _mean_of_pairs,
                "You took the mean over the pairs, as `pairwise_loss` does. Here all pairs are "
                "added up.",
            ),
            Slip(
                _by_place,
                "You went by the place in the list. Which of two is better is in `grades`.",
            ),
            Slip(
                _each_twice,
                "Each pair is counted twice, once from the wrong side. Only an i of the *higher* "
                "grade counts.",
            ),
            Slip(
                _first_only,
                "It returns after the first document: `return` stands inside the loop. Move it to "
                "the left.",
            ),
            Slip(
                _always_one,
                "Every pair pushes with 1. How hard it pushes should depend on how far the better "
                "one is ahead.",
            ),
        ),
        edges=(
            Edge(([1, 1], [0.4, 0.6]), "Two equal grades: nobody is pushed."),
            Edge(([2], [0.4]), "One document has no pair."),
        ),
    ),
    hints=(
        "A pair counts if `grades[i] > grades[j]`.",
        "`share` is how hard the pair pushes: the slope of the prompt without its sign. i goes "
        "up by it, and j down.",
    ),
    worked=_push_with(),
    because="Divided by the number of pairs and with the sign turned, it is the gradient that "
    "`pairwise_loss` returns. LambdaRank multiplies each share by what the swap is worth in NDCG.",
    notice="All pushes add up to 0: pairs move documents apart, not the whole query up or down.",
    wrong=(
        Wrong(_push_with(first="-share", second="-share"), "signs are turned"),
        Wrong(_push_with(share="1 / (1 + exp(scores[j] - scores[i]))"), "right already"),
        Wrong(_push_with(first="share", second="0"), "Only the better document"),
        Wrong(_push_with(which="grades[i] >= grades[j]"), "equal grade"),
        Wrong(_push_with(which="grades[i] < grades[j]"), "look at the `if`"),
        Wrong(_push_with(share="1"), "pushes with 1"),
        Wrong(_push_with().replace("    return up", "        return up"), "inside the loop"),
        Wrong(_push_with(second="-share"), "pushed the same way"),
        Wrong(_push_with(which="grades[i] != grades[j]"), "counted twice"),
        Wrong(_push_with(which="i < j"), "the place in the list"),
        Wrong(
            _push_with().replace(
                "return up",
                "n_pairs = sum(a > b for a in grades for b in grades)\n"
                "    return [u / max(n_pairs, 1) for u in up]",
            ),
            "the mean over the pairs",
        ),
    ),
)

_CENTER = block("""
    def within_the_query(table):
        {body}
""")


def _center_with(body):
    return _CENTER.replace("{body}", body.replace("\n", "\n    "))


BY_QUERY = _center_with("return [x - sum(row) / len(row) for row in table for x in row]")
OVERALL = _center_with(
    "everything = [x for row in table for x in row]\n"
    "mean = sum(everything) / len(everything)\n"
    "return [x - mean for x in everything]"
)


def _by_query(_method, table):
    """Subtract from each number the mean of its own row."""
    return [x - sum(row) / len(row) for row in table for x in row]


def _overall(table):
    everything = [x for row in table for x in row]
    return [x - sum(everything) / len(everything) for x in everything]


def _by_column(table):
    columns = [sum(column) / len(column) for column in zip(*table, strict=True)]
    return [x - mean for row in table for x, mean in zip(row, columns, strict=True)]


def _by_best(table):
    return [x - max(row) for row in table for x in row]


def _by_worst(table):
    return [x - min(row) for row in table for x in row]


def _turned_round(table):
    return [sum(row) / len(row) - x for row in table for x in row]


def _by_first(table):
    return [x - row[0] for row in table for x in row]


CENTER = Function(
    name="within-the-query",
    title="Find the slip",
    prompt="This should center a feature within each query: `table` has a row for each query, and "
    "the result is one flat list. It runs, and the numbers have the mean 0. But the first offer, "
    "which is 1 below the mean of its query, comes out as `-6.0000`. Fix it.",
    start=OVERALL,
    below=block("""
        prices = [[1.0, 2.0, 3.0], [11.0, 13.0, 12.0]]
        print(f"{within_the_query(prices)[0]:.4f}")
    """),
    names=("within_the_query",),
    task=Task(
        name="within_the_query",
        parameters="table",
        probes=(
            ([[1.0, 2.0, 3.0], [11.0, 13.0, 12.0]],),
            ([[0.5, 2.0], [4.0, 1.0], [9.0, 2.5]],),
            ([[5.0, 1.0, 0.0, 2.0], [7.0, 7.5, 6.0, 3.0]],),
        ),
        compute=_by_query,
        slips=(
            Slip(
                _by_column,
                "You took the mean of each column: the first documents of all queries together. "
                "The mean is to be that of the row.",
            ),
            Slip(
                _by_best,
                "You measured from the best of the query. That keeps the order, but not the mean.",
            ),
            Slip(_by_worst, "You measured from the lowest of the query, not from its mean."),
            Slip(
                _turned_round,
                "The sign is turned: an offer below the mean must come out below 0.",
            ),
            Slip(
                lambda table: _by_query(None, table[:1]),
                "It returns after the first query: `return` stands inside the loop. Move it to "
                "the left.",
            ),
            Slip(_by_first, "You measured from the first document of the query, not its mean."),
        ),
        edges=(Edge(([[4.0]],), "One document alone is its own mean: 0."),),
    ),
    hints=(
        "Which numbers is the mean taken of? Which should it be?",
        "Take the mean inside the loop over the rows: `sum(row) / len(row)`.",
    ),
    worked=BY_QUERY,
    because="One mean for all only moves the origin, as an intercept would, and differences "
    "between queries stay. With the mean of each row, [1, 2, 3] and [11, 13, 12] become "
    "[−1, 0, 1] and [−1, 1, 0]: only what happens within a query is left.",
    notice="One mean for everything is what an intercept does already. The row is what matters.",
    wrong=(
        Wrong(
            _center_with(
                "n = len(table)\n"
                "means = [sum(column) / n for column in zip(*table)]\n"
                "return [x - m for row in table for x, m in zip(row, means)]"
            ),
            "mean of each column",
        ),
        Wrong(_center_with("return [x - max(row) for row in table for x in row]"), "the best"),
        Wrong(_center_with("return [x - min(row) for row in table for x in row]"), "the lowest"),
        Wrong(
            _center_with("return [sum(row) / len(row) - x for row in table for x in row]"),
            "sign is turned",
        ),
        Wrong(_center_with("return [x - row[0] for row in table for x in row]"), "the first"),
        Wrong(
            _center_with("return [[x - sum(row) / len(row) for x in row] for row in table]"),
            "a list (or array) of 6 numbers",
        ),
    ),
)

GRADES = [3, 2, 1, 0]
MEAN = 1.5


def mse(scores):
    """Return the mean squared error of scores for the grades 3, 2, 1, 0."""
    return sum((s - g) ** 2 for s, g in zip(scores, GRADES, strict=True)) / len(GRADES)


def _four_scores(*answers):
    for name, scores in zip(("close", "far"), answers, strict=True):
        if not isinstance(scores, list | tuple) or len(scores) != len(GRADES):
            return f"`{name}` should be a list of four scores, for the grades 3, 2, 1, 0."
        if not all(isinstance(s, int | float) and math.isfinite(s) for s in scores):
            return f"`{name}` should hold four finite numbers."
        if abs(sum(scores) / len(scores) - MEAN) > 1e-9:
            mean = f"{sum(scores) / len(scores):.4g}"
            return f"`{name}` should have the mean 1.5, as the grades have; its mean is {mean}."
    return ""


def _must_disagree(close, far):
    errors, orders = [mse(s) for s in (close, far)], [ndcg(GRADES, s) for s in (close, far)]
    numbers = (
        f"`close` has MSE {errors[0]:.4f} and NDCG {orders[0]:.4f}, `far` has MSE "
        f"{errors[1]:.4f} and NDCG {orders[1]:.4f}."
    )
    if errors[0] >= errors[1]:
        swapped = errors[0] > errors[1] and orders[0] > orders[1] + SAME_VALUE
        advice = " Exchange the two." if swapped else ""
        return f"`close` must have the smaller MSE. {numbers}{advice}"
    if orders[0] < orders[1] - SAME_VALUE:
        return ""
    if orders[0] == 1:
        return f"`close` still has the best order. Let two of its scores change sides. {numbers}"
    return f"`far` must rank better. Give it scores that fall from left to right. {numbers}"


LOWER_LOSS = Claim(
    name="lower-loss-claim",
    title="Break a claim",
    prompt="*Of two models that have the level right, the one with the smaller squared error "
    "ranks better.* The grades are 3, 2, 1, 0, with the mean 1.5. Give the scores of two models, "
    "both with the mean 1.5: `close` has the smaller mean squared error, `far` the higher NDCG.",
    start=block("""
        close = ____  # four scores with the mean 1.5, for the grades 3, 2, 1, 0
        far = ____
    """),
    names=("close", "far"),
    shape=_four_scores,
    objections=(_must_disagree,),
    hints=(
        "Two scores that are nearly equal may change sides at little cost.",
        "For `far` take the right order, and make its distances far too large.",
    ),
    worked=block("""
        close = [2.4, 2.6, 1, 0]
        far = [9, 4, -1, -6]
    """),
    because="`close` has the error 0.1800, and its first two documents change sides: 0.9225. "
    "`far` has 20.0000 and a perfect order. The right level does not help: distances within the "
    "query cost squared error, too, and no order sees how large they are.",
    notice="Training on the squared error would take `close`.",
    wrong=(
        Wrong("close, far = [9, 4, -1, -6], [2.4, 2.6, 1, 0]", "Exchange the two"),
        Wrong("close, far = [3, 2, 1, 0], [9, 4, -1, -6]", "still has the best order"),
        Wrong("close, far = [1.4, 1.6, 1.5, 1.5], [-6, -1, 4, 9]", "must rank better"),
        Wrong("close, far = [1.4, 1.5, 1.6, 1.7], [13, 12, 11, 10]", "should have the mean 1.5"),
        Wrong("close, far = [1, 2], [3, 4]", "four scores"),
        Wrong("close, far = 1, 2", "four scores"),
    ),
)

CHOOSE = OpenQuestion(
    name="choose-a-loss",
    title="Design",
    prompt="You train a scorer for a job portal: 5,000 queries, 300 features, some of them the "
    "same for all results of a query (its length, the hour of the day). A colleague predicts the "
    "grade by least squares and is glad about R² = 0.6. What do you train on, how do you compare "
    "the two, and what decides? A few sentences.",
    start='my_choice = ____  # your text between quotes; """three""" allow several lines',
    names=("my_choice",),
    rubric=(
        (
            "R² counts differences between queries, which no ranking sees; features that are the "
            "same for a whole query explain nothing within it.",
            ("between", "within", "whole query", "r²", "r2", "same for all"),
        ),
        (
            "Train on differences within the query: center, or take pairs, or LambdaRank.",
            ("pair", "center", "lambdarank", "within"),
        ),
        (
            "Compare on the same held-out queries by NDCG, at the k that is shown.",
            ("ndcg",),
        ),
        (
            "With 300 features a surrogate comes first; a climb of the metric may follow from "
            "there, and baselines stand beside the result.",
            ("climb", "baseline", "random", "start from", "surrogate", "beside"),
        ),
    ),
    hints=(
        "What does R² reward that a ranking never sees?",
        "Which loss ignores what is the same for the whole query?",
    ),
    worked=block('''
        my_choice = """
        R² rewards differences between queries, which a ranking never sees, so I do not compare
        by it. I train a pairwise loss or LambdaRank: what is the same for a whole query cancels.
        Least squares gets a fair chance, too, centered within each query. Both are compared by
        NDCG@10 on the same validation queries, beside a random ranking; the winner may be the
        start of a climb. What I report comes from test queries that nobody has used.
        """
    '''),
    because="With 300 features a climb one weight at a time gets stuck from a random start, and "
    "from a good one it may add nothing. The decision is always the metric, on queries that were "
    "not trained on.",
    notice="A loss is a means. The comparison that counts is the metric on fresh queries.",
    wrong=(
        Wrong('my_choice = "LambdaRank"', "Write at least a sentence"),
        Wrong("my_choice = 1", "between quotes"),
    ),
)

EXERCISES = (ERROR_AND_ORDER, PUSH, CENTER, LOWER_LOSS, CHOOSE)
