"""What makes a counterexample: the form of the answers, and objections, by exercise."""

import math
from itertools import permutations, product

import numpy as np

from coursekit.exercises.claims import orders_of
from ndcglib.conventions import PRESETS, evaluate
from ndcglib.metrics import corrected_ndcg, ndcg
from ndcglib.metrics.checks import SAME_VALUE
from ndcglib.tuning import score_staircase

LETTERS = "ABCDE"
SCORES = dict(zip(LETTERS, (0.3, -0.2, 0.8, 0.1, -0.7), strict=True))
GRADES = dict(zip(LETTERS, (1, 3, 0, 2, 0), strict=True))
RIGHT = "".join(sorted(LETTERS, key=lambda letter: -SCORES[letter]))
FOUR = [3, 2, 1, 0]
OTHERS, MOVER = [0.1, 0.2, 0.3, 0.4], 2  # scores of the other documents; the grade that moves
MEAN = 1.5
FAR = 0.05  # between two tools
LEAD, OFTEN = 0.05, 0.9  # a mean difference, and the p-value of the flips


# ------------------------------------------------------------ order-by-hand, blind-spot


def _letters(order):
    return "".join(c for c in str(order).upper() if c in LETTERS)


def _letters_once(order, ranked_grades):
    if not isinstance(order, str) or sorted(_letters(order)) != list(LETTERS):
        return '`order` should be a text that holds each of A, B, C, D, E once, such as "EDCBA".'
    if not isinstance(ranked_grades, list) or len(ranked_grades) != len(LETTERS):
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
    values = [ndcg(grades, ranked=True, k=3) for grades in (one, other)]
    if abs(values[0] - values[1]) > 1e-9:
        return ""
    return (
        f"Both have NDCG@3 {values[0]:.4f}. Among the first three, let two relevant documents of "
        "*different* grades trade places."
    )


# ------------------------------------------------------------ reversed-claim


def _three_best_first(grades):
    grades = [float(g) for g in grades]
    if len(grades) != 3:
        return f"Give three grades; that is {len(grades)}."
    if min(grades) < 0:
        return "Grades are not negative here."
    if grades != sorted(grades, reverse=True):
        return "The claim speaks of a list that is best first; sort yours."
    return ""


def _below_one(value):
    """Return a number below 1 with as many decimals as it takes to see that."""
    return f"{value:.4f}" if value < 0.99995 else f"{value:.12f}"


def _still_true(grades):
    reverse = ndcg(grades, [1, 2, 3])
    if max(grades) == 0:
        return (
            "Nothing in it is relevant: NDCG is 0 there by convention, both ways, and that is "
            "below 1. Look for a list with relevant documents."
        )
    if reverse < 1 - 1e-9:
        return (
            f"Reversed, your list scores {_below_one(reverse)}, which is below 1: the claim holds "
            "for it. "
            "What would the list have to look like to be the same in both directions?"
        )
    return ""


# ------------------------------------------------------------ crossing-claim


def _must_cross(better_at_1, better_at_3):
    first = [ndcg(grades, ranked=True, k=1) for grades in (better_at_1, better_at_3)]
    third = [ndcg(grades, ranked=True, k=3) for grades in (better_at_1, better_at_3)]
    numbers = (
        f"Yours have {first[0]:.4f} and {first[1]:.4f} at 1, {third[0]:.4f} and {third[1]:.4f} "
        "at 3."
    )
    if first[0] <= first[1]:
        return f"The first list must have the higher NDCG@1. {numbers}"
    if third[0] >= third[1]:
        return f"At 3 the second list must be ahead, and it is not. {numbers}"
    return ""


# ------------------------------------------------------------ gain-claim, discount-claim


def _turns(with_one, one, with_other, other, advice):
    """Return the objection to two lists if not one rule names the first, the other the second."""

    def objection(*lists):
        before, after = (
            [ndcg(grades, ranked=True, **rule) for grades in lists] for rule in (one, other)
        )
        numbers = (
            f"Yours have {before[0]:.4f} and {before[1]:.4f} with {with_one}, {after[0]:.4f} and "
            f"{after[1]:.4f} with {with_other}."
        )
        if before[0] <= before[1]:
            swapped = before[1] > before[0] and after[0] > after[1]
            exchange = " Exchange the two." if swapped else ""
            return f"With {with_one} the first list must win. {numbers}{exchange}"
        if abs(after[0] - after[1]) < SAME_VALUE:
            return f"Nearly: with {with_other} the two are equal. {numbers}"
        if after[0] > after[1]:
            words = f"With {with_other} the second list must win, and it does not."
            return f"{words} {numbers} {advice(*lists)}"
        return ""

    return objection


def _where_the_three_stands(first, second):
    if not any(_passes(first, order) for order in permutations(FOUR)):
        return "No second list works with this first one: take another."
    if second.index(3) < first.index(3):
        return "Its 3 stands higher already; move its 2 or its 1 up."
    return "Give the second list the better place for its 3."


def _passes(first, second):
    """Tell whether the second list is behind with the linear gain, and ahead with the other."""
    ahead = [
        ndcg(second, ranked=True, gain=gain) - ndcg(first, ranked=True, gain=gain)
        for gain in ("linear", "exponential")
    ]
    return ahead[0] < 0 < ahead[1]


def _where_the_top_stands(first, second):
    if first[0] == 3:
        return "With its 3 on top the first list cannot be passed: start it with a 0, a 1 or a 2."
    if second[0] > first[0]:
        return "Its top is better already; it loses too much below. Move its other grades up."
    return "Give the second list a slightly better document on top, and the first a better rank 2."


# ------------------------------------------------------------ middle-claim


def _a_query(my_grades, my_scores):
    grades, scores = [float(g) for g in my_grades], [float(s) for s in my_scores]
    if len(grades) != len(scores):
        return f"There are {len(grades)} grades and {len(scores)} scores. Each document has both."
    if not 2 <= len(grades) <= 20:
        return f"Give 2 to 20 documents; that is {len(grades)}."
    if min(grades) < 0 or not np.isfinite(grades + scores).all():
        return "Grades are 0 or above here, and every number must be finite."
    return ""


def _needs_a_tie(my_grades, my_scores):
    if _sizes(my_scores).max() == 1:
        return "No two scores are equal: there is one order, and best, worst and average agree."
    if max(my_grades) == 0:
        return "Nothing is relevant, so every order is worth 0, and all agree."
    return ""


def _not_above(my_grades, my_scores):
    best, worst, mean = (
        ndcg(my_grades, my_scores, ties=ties) for ties in ("best", "worst", "average")
    )
    middle = (best + worst) / 2
    if mean > middle + 1e-3:
        return ""
    numbers = f"Best {best:.4f}, worst {worst:.4f}, middle {middle:.4f}, average {mean:.4f}."
    if _sizes(my_scores).max() == 2:
        return (
            "The claim holds: a group of two has two orders, and their mean is their middle. "
            f"{numbers} Tie more."
        )
    return (
        f"The claim holds. {numbers} In most of the orders, does something good stand low, or "
        "something useless?"
    )


def _sizes(scores):
    return np.unique(np.asarray(scores, float), return_counts=True)[1]


# ------------------------------------------------------------ chance-claim


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


# ------------------------------------------------------------ one-hill-claim


def _hills(grades):
    """Return the NDCG of each piece, in which neighbors of equal value are one."""
    steps = score_staircase([MOVER, *grades], [0.0, *OTHERS], 0).visible()
    return [round(float(value), 4) for value in steps.values]


def _four_grades(grades):
    if (
        not isinstance(grades, list)
        or len(grades) != len(OTHERS)
        or not all(map(_is_grade, grades))
    ):
        return "`passed` should be a list of four whole numbers from 0 to 3."
    return ""


def _is_grade(number):
    return isinstance(number, int | float) and number in (0, 1, 2, 3) and type(number) is not bool


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


# ------------------------------------------------------------ lower-loss-claim


def mse(scores):
    """Return the mean squared error of scores for the grades 3, 2, 1, 0."""
    return sum((s - g) ** 2 for s, g in zip(scores, FOUR, strict=True)) / len(FOUR)


def _four_scores(*answers):
    for name, scores in zip(("close", "far"), answers, strict=True):
        if not isinstance(scores, list) or len(scores) != len(FOUR):
            return f"`{name}` should be a list of four scores, for the grades 3, 2, 1, 0."
        if not all(isinstance(s, int | float) and math.isfinite(s) for s in scores):
            return f"`{name}` should hold four finite numbers."
        if abs(sum(scores) / len(scores) - MEAN) > 1e-9:
            mean = f"{sum(scores) / len(scores):.4g}"
            return f"`{name}` should have the mean 1.5, as the grades have; its mean is {mean}."
    return ""


def _must_disagree(close, far):
    errors, orders = [mse(s) for s in (close, far)], [ndcg(FOUR, s) for s in (close, far)]
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


# ------------------------------------------------------------ own-fingerprint


def _few_documents(my_grades, my_scores):
    grades, scores = [float(g) for g in my_grades], [float(s) for s in my_scores]
    if len(grades) != len(scores):
        return f"There are {len(grades)} grades and {len(scores)} scores. Each document has both."
    if not 2 <= len(grades) <= 5:
        return f"Give 2 to 5 documents; that is {len(grades)}."
    if any(g not in (0, 1, 2, 3) for g in grades) or not np.isfinite(scores).all():
        return "Use the grades 0, 1, 2 and 3, and scores that are finite."
    return ""


def _must_tell_apart(my_grades, my_scores):
    run, qrels = (
        {"q": dict(zip("abcde", map(float, numbers), strict=False))}
        for numbers in (my_scores, my_grades)
    )
    tools = {preset.name: preset.convention for preset in PRESETS}
    values = [evaluate(tools[name], run, qrels) for name in ("scikit-learn", "torchmetrics")]
    numbers = f"scikit-learn prints {values[0]:.4f}, torchmetrics {values[1]:.4f}."
    if abs(values[0] - values[1]) >= FAR:
        return ""
    if max(my_grades) == 0:
        return f"{numbers} Nothing is relevant, and for both an empty query counts as 0."
    if len(set(np.float32(my_scores).tolist())) == len(set(map(float, my_scores))):
        return (
            f"{numbers} They average ties alike, so they differ elsewhere: compare the switches "
            "of the two in `PRESETS`."
        )
    return f"{numbers} Your scores tell the two apart. Now let more depend on that order."


# ------------------------------------------------------------ own-flips


def _six_differences(my_differences):
    numbers = [float(d) for d in my_differences]
    if len(numbers) != 6:
        return f"Give six differences; that is {len(numbers)}."
    if not np.isfinite(numbers).all() or max(map(abs, numbers)) > 1:
        return "NDCG lies from 0 to 1, so a difference lies from −1 to 1."
    return ""


def _must_lead_by_luck(my_differences):
    mine = np.array([float(d) for d in my_differences])
    if mine.mean() < LEAD - SAME_VALUE:
        return f"The mean of yours is {mine.mean():.4f}; it must be at least {LEAD}."
    flips = np.array(list(product([1, -1], repeat=6))) @ mine
    as_far = int((np.abs(flips) >= mine.sum() - SAME_VALUE).sum())
    if as_far / len(flips) > OFTEN:
        return ""
    numbers = f"{as_far} of the 64 flips are as far from 0 as yours."
    if (mine > 0).all():
        return f"{numbers} With all six above 0 every flip falls short. Let some be below."
    return f"{numbers} How large is the sum if every small difference changes its sign?"


LINEAR, EXPONENTIAL = dict(gain="linear"), dict(gain="exponential")
_must_change = _turns(
    "the linear gain", LINEAR, "the exponential gain", EXPONENTIAL, _where_the_three_stands
)
LOG, RECIPROCAL = dict(discount="log"), dict(discount="reciprocal")
_must_part = _turns("the logarithm", LOG, "1 / rank", RECIPROCAL, _where_the_top_stands)

# By exercise: what is wrong with the form of the answers, or ""; and the objections, each ""
# where it does not apply.
CLAIMS = {
    "order-by-hand": (_letters_once, (_wrong_order, _wrong_grades)),
    "blind-spot": (_two_orders, (_alike, _ndcg_apart, _new)),
    "reversed-claim": (_three_best_first, (_still_true,)),
    "crossing-claim": (orders_of([3, 2, 2, 0], "better_at_1", "better_at_3"), (_must_cross,)),
    "gain-claim": (orders_of(FOUR, "linear_winner", "exponential_winner"), (_must_change,)),
    "discount-claim": (
        orders_of([3, 2, 1, 0, 0], "log_winner", "reciprocal_winner"),
        (_must_part,),
    ),
    "middle-claim": (_a_query, (_needs_a_tie, _not_above)),
    "chance-claim": (_two_lists, (_crosses,)),
    "one-hill-claim": (_four_grades, (_must_have_two_hills,)),
    "lower-loss-claim": (_four_scores, (_must_disagree,)),
    "own-fingerprint": (_few_documents, (_must_tell_apart,)),
    "own-flips": (_six_differences, (_must_lead_by_luck,)),
}
