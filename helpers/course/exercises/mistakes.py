"""What each wrong switch of `Method` means in words, and which switches explain an answer."""

import math
from dataclasses import fields, replace
from itertools import combinations, product

from helpers.course.exercises.method import Method

ZERO_LOG = (
    "at rank 1 you divide by log2(1) = 0, or take the logarithm of 0. Ranks count from 1, and "
    "the divisor of rank r is log2(r + 1)"
)
ROUNDED = (
    "right method, but rounded on the way. Keep all digits until the last step: rounded parts "
    "leave the third decimal of a quotient open"
)
CUT_FIRST = (
    "the ideal was built from the first k of the list: cut before it was sorted. Then missing "
    "the best documents costs nothing; sort all grades first, and cut afterwards"
)
LOWEST_FIRST = "the ideal was sorted with the lowest grade on top"
LIKE_THE_IDEAL = (
    "It gives 1 on every try: list and ideal are the same to it. Either the list was sorted by "
    "the grades, as the ideal is, or the ideal was not sorted at all. (`x.sort()` changes the "
    "list itself, `sorted(x)` makes a new one.)"
)

# By switch and value. Each text goes on after "…: " or stands behind a number in a list.
MISTAKES = {
    "gain": {
        "linear": "the grade itself was used as the gain; here it is 2^grade − 1",
        "exponential": "exponential gain, 2^grade − 1. Here the gain is the grade itself",
        "2^rel": "2^grade without the − 1, or with the − 1 up in the exponent: so an irrelevant "
        "document earns something",
        "binary": "every relevant document earned the same. A 3 must earn more than a 1",
        "xor": "in Python `^` is not a power but *exclusive or* of the bits. Write "
        "`2.0**grade - 1`",
    },
    "discount": {
        "natural log": "natural logarithm. The base is 2: log2(x) = ln(x) / ln(2)",
        "log10": "logarithm to base 10. The base is 2: log2(x) = log10(x) / log10(2)",
        "log2(r)": ZERO_LOG,
        "log2(r + 2)": "the divisors start at log2(3). At rank 1 it is log2(2) = 1: a count that "
        "starts at 1 needs + 1, one that starts at 0 needs + 2",
        "2002 rule": "the rule of 2002, max(1, log2 r): it lets ranks 1 and 2 weigh the same",
        "1/r": "divided by the rank itself: the logarithm is missing",
        "1/(r + 1)": "divided by rank + 1: the logarithm is missing",
        "multiplied": "multiplied by the logarithm where you should divide: low ranks then count "
        "more than the top",
        "none": "no discount: the order inside the first k does not count",
        "log2(r) + 1": "the + 1 stands outside the logarithm, log2(r) + 1 in place of "
        "log2(r + 1): look at the parentheses",
        "//": "every term lost what stands behind its point. `//` divides so, and an array of "
        "whole numbers, such as `np.zeros_like(grades)`, cuts off what is stored in it",
    },
    "order": {
        "ascending": "sorted with the lowest score on top. `argsort` and `sorted` go up; the "
        "highest score is rank 1",
        "input order": "the documents were taken in the order of the input. The scores decide "
        "the order",
        "by label": "sorted by the grades instead of the scores: then every model is perfect",
        "argsort twice": "`argsort` of `argsort` gives each document its rank. To pick documents "
        "in rank order you need positions: one `argsort`",
        "arguments swapped": "the grades were used as scores and the scores as grades. The order "
        "is (y_true, y_score)",
    },
    "ties": {
        "average": "tied documents share their ranks: you averaged over all their orders",
        "file order": "ties were kept in the order of the input. Reorder the file, and the "
        "number changes though the model does not",
        "reversed": "ties were kept in the reverse order of the input. Reorder the file, and the "
        "number changes though the model does not",
        "best": "ties were broken in favor of the model: among equal scores the best grade came "
        "first",
        "worst": "that is the unluckiest order of the tied documents, not the average of all "
        "orders",
        "middle": "the middle of the best and the worst order. The average runs over all orders, "
        "and the others need not lie evenly between these two",
        "average rank": "every tied document got the average rank of its group. The discount is "
        "curved: average the discounts, not the ranks",
        "minimum rank": "every tied document got the first rank of its group. A group of three "
        "uses up three ranks",
        "dense": "tied documents got one rank together, and the next document the very next "
        "rank. A group of three uses up three ranks",
        "dropped at k": "the tied group was dropped because k cuts it. Its part inside k counts",
        "mean inside k": "the mean was taken over the members that happen to stand inside k. "
        "Every member of the group may stand there: average over all of them",
    },
    "cutoff": {
        "all ranks": "all ranks were counted: k was ignored",
        "only the ideal": "the ideal was cut at k, the list was not",
        "k - 1": "one rank too few: the last rank that counts was left out",
        "k + 1": "one rank too many: rank k + 1 was counted as well",
    },
    "ideal": {
        "best of the top k": CUT_FIRST,
        "first k of the input": CUT_FIRST,
        "worst k": "the ideal holds the k *lowest* grades: an ascending sort was cut at k before "
        "it was turned round. Turn it round first, and cut afterwards",
        "ascending": LOWEST_FIRST,
        "ascending, 0 for 0": LOWEST_FIRST,
        "from the scores": "the ideal was built from the scores. It is the best order of the "
        "*grades*",
        "no discount": "the ideal was not discounted: its grades were only added. Its ranks "
        "are divided by the same logarithms as those of the list",
        "not cut": "the ideal was not cut at k: the same k belongs in both",
        "unsorted": "the ideal was never sorted: its grades stand in the order of the input",
    },
    "rounding": {
        "parts to 2": ROUNDED,
        "parts to 3": ROUNDED,
        "weights to 2": ROUNDED,
        "weights to 3": ROUNDED,
    },
    "batch": {
        "sums divided": "the DCGs were added up and then divided by the sum of the IDCGs. Each "
        "query has its own ratio; the mean comes last",
        "flattened": "the documents of all queries were ranked in one list. Each query is a "
        "ranking of its own",
        "ideal rows flipped": "`[::-1]` on a table turns the *queries* round, and each row stays "
        "sorted upwards. `[:, ::-1]` turns the documents round",
    },
}

# By what was asked for, and what came.
RESULTS = {
    ("NDCG", "DCG"): "that is the DCG; the division by the ideal DCG is missing",
    ("NDCG", "IDCG"): "that is the ideal DCG; it belongs below the fraction bar",
    ("NDCG", "IDCG / DCG"): "the fraction is upside down: it is DCG / IDCG",
    ("NDCG", "/ sum of gains"): "divided by the sum of the gains. Divide by the IDCG: the ideal "
    "is discounted as well",
    ("NDCG", "percent"): "that is in percent. NDCG is given as a part of 1",
    ("NDCG", "/ k"): "divided by k. Divide by the IDCG: what the best order reaches",
    ("DCG", "NDCG"): "that is the NDCG: you divided once too often",
    ("DCG", "IDCG"): "that is the ideal DCG: the grades were sorted first. DCG takes them in rank "
    "order",
    ("IDCG", "DCG"): "that is the DCG of the list as it stands. For the ideal, sort the grades "
    "first, best on top",
    ("IDCG", "NDCG"): "that is already the quotient; asked for is the DCG of the ideal order",
}

EVERY_SWITCH = tuple(field.name for field in fields(Method))
MOST_SHOWN = 4  # explanations of one answer
CLOSE = 0.002  # relative, below 1 absolute


def text_of(method, switch, value):
    """Return what a wrong value of a switch means, in words."""
    return RESULTS[method.result, value] if switch == "result" else MISTAKES[switch][value]


def wrong_values(method, switch):
    """List the values of a switch that are wrong where `method` is right."""
    if switch == "result":
        return [came for asked, came in RESULTS if asked == method.result]
    no_quotient = method.result != "NDCG"
    return [
        value
        for value in MISTAKES[switch]
        if value != getattr(method, switch) and not (no_quotient and value == "only the ideal")
    ]


def explain(seen, compute, method, switches, *, at_most=2, tolerance=1e-6, skip=()):
    """Find the smallest sets of wrong switches that reproduce an answer.

    Parameters
    ----------
    seen : list of float
        What the reader's answer gave on each probe; nan where it divided by 0.
    compute : callable
        From a `Method` to what it gives on the same probes.
    method : Method
        The right one.
    switches : sequence of str
        Which switches may be wrong.
    at_most : int
        How many at the same time.
    tolerance : float
        How far apart two numbers may be that count as equal.
    skip : sequence of str
        Values of switches that cannot have happened here.

    Returns
    -------
    list of list of str
        Each inner list is one explanation: a text for each wrong switch. Empty
        if nothing explains the answer.
    """
    if same(compute(method), seen, tolerance):
        return []
    for size in range(1, at_most + 1):
        found = []
        for chosen in combinations(switches, size):
            if size > 1 and "rounding" in chosen:
                continue  # with it, a pair explains nearly every number
            choices = [set_aside(wrong_values(method, switch), skip) for switch in chosen]
            for values in product(*choices):
                turned = dict(zip(chosen, values, strict=True))
                given = compute(replace(method, **turned))
                if same(given, seen, tolerance):
                    found.append([text_of(method, *pair) for pair in turned.items()])
        if found:
            return _distinct(found)
    return []


def set_aside(values, skip):
    """Return values without those to skip."""
    return [value for value in values if value not in skip]


def same(some, others, tolerance):
    """Tell whether two lists of numbers agree; what is not finite agrees with its like."""
    if len(some) != len(others):
        return False
    pairs = zip(some, others, strict=True)
    return all(
        math.isclose(a, b, rel_tol=1e-12, abs_tol=tolerance) or (_odd(a) and _odd(b))
        for a, b in pairs
    )


def is_close(a, b):
    """Tell whether a number is another one but for digits that were lost on the way."""
    size = max(1, abs(b)) if abs(b) > 0.1 else 0.1  # small numbers lie close together
    return abs(a - b) <= CLOSE * size


def _odd(number):
    return not math.isfinite(number)


def _distinct(explanations):
    return [e for i, e in enumerate(explanations) if e not in explanations[:i]]


def named(explanations):
    """Return explanations that say something: not two or more pairs, which are guesses."""
    several_pairs = len(explanations) > 1 and len(explanations[0]) > 1
    return [] if several_pairs else explanations


def in_words(explanations):
    """Return explanations as one message, honest about how sure it is."""
    if len(explanations) == 1:
        return _one_in_words(explanations[0])
    shown = explanations[:MOST_SHOWN]
    lines = [f"• {_one_in_words(texts)}" for texts in shown]
    more = [f"• … and {len(explanations) - MOST_SHOWN} more."] if shown != explanations else []
    return "\n\n".join(["Different slips lead to this number. Which was yours?", *lines, *more])


def _one_in_words(texts):
    if len(texts) == 1:
        return _sentence(texts[0])
    parts = " ".join(f"({i}) {_sentence(text)}" for i, text in enumerate(texts, start=1))
    return f"Two things at once. {parts}"


def _sentence(text):
    return ended(text if text.startswith("`") else text[0].upper() + text[1:])


def ended(text):
    """Return a sentence with a full stop, unless it ends already."""
    return text if text[-1] in ".?!" else f"{text}."
