"""How somebody might compute NDCG: a model with switches, one right and many wrong.

Each field of `Method` is a switch. The engine turns them until the model prints
what the reader found; the switches that had to be turned are the mistake. It is
written for being changed in one place at a time, not for speed: `ndcglib.metrics`
is the fast and checked way, and a test holds the two equal.
"""

import math
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import NamedTuple


@dataclass(frozen=True)
class Method:
    """One way to compute DCG, IDCG or NDCG; the defaults are right.

    Every value that a switch can take is a key of `course.exercises.mistakes`.
    """

    gain: str = "linear"
    discount: str = "log2(r + 1)"
    order: str = "by score"
    ties: str = "average"
    cutoff: str = "first k"
    ideal: str = "best k of all"
    rounding: str = "last"
    result: str = "NDCG"
    batch: str = "query by query"


RIGHT = Method()


class Ranked(NamedTuple):
    """A document in a ranking: what it is sorted by, highest first, and its gain."""

    key: float
    gain: float


GAINS = {
    "linear": lambda grade: grade,
    "exponential": lambda grade: 2.0**grade - 1,
    "2^rel": lambda grade: 2.0**grade,
    "binary": lambda grade: float(grade > 0),
    "xor": lambda grade: float(2 ^ (int(grade) - 1)),
}

WEIGHTS = {
    "log2(r + 1)": lambda r: 1 / math.log2(r + 1),
    "natural log": lambda r: 1 / math.log(r + 1),
    "log10": lambda r: 1 / math.log10(r + 1),
    "log2(r)": lambda r: 1 / math.log2(r) if r > 1 else math.nan,
    "log2(r + 2)": lambda r: 1 / math.log2(r + 2),
    "2002 rule": lambda r: 1 / max(1, math.log2(r)),
    "1/r": lambda r: 1 / r,
    "1/(r + 1)": lambda r: 1 / (r + 1),
    "multiplied": lambda r: math.log2(r + 1),
    "none": lambda r: 1.0,
    "log2(r) + 1": lambda r: 1 / (math.log2(r) + 1),
    "//": lambda r: 1 / math.log2(r + 1),  # and then the term is rounded down
}


def evaluate(method, y_true, y_score, k=None):
    """Return the DCG, IDCG or NDCG of one query, or what a method takes for it.

    It is nan if the method divides by 0. Without `k` all ranks count. The defaults equal
    `ndcglib.metrics.ndcg`.
    """
    k = len(y_true) if k is None else k
    y_true, y_score = [float(y) for y in y_true], [float(s) for s in y_score]
    if method.order == "arguments swapped":
        y_true, y_score = y_score, y_true
        if method.ties == "average":  # grades tie; who swaps them seldom averages
            method = replace(method, ties="file order")
    ranking = rank(method, y_true, y_score)
    total = dcg_of(method, ranking, cutoff(method, k, len(y_true)))
    best = ideal_dcg_of(method, ranking, y_true, y_score, k)
    return finish(method, total, best, sum(d.gain for d in ranking), k)


def rank(method, y_true, y_score):
    """Return the documents, `Ranked`, in the order the method gives them."""
    gains = [GAINS[method.gain](grade) for grade in y_true]
    places = range(len(gains))
    keys = {
        "by score": y_score,
        "arguments swapped": y_score,
        "ascending": [-s for s in y_score],
        "input order": [-i for i in places],
        "by label": y_true,
    }
    if method.order == "argsort twice":  # the rank of each document, taken for a position
        order = sorted(places, key=lambda i: -y_score[i])
        ranks = sorted(places, key=lambda i: order[i])
        return [Ranked(-i, gains[ranks[i]]) for i in places]
    documents = [Ranked(*pair) for pair in zip(keys[method.order], gains, strict=True)]
    return sorted(documents, key=lambda document: -document.key)


def first_terms(value, method):
    """Return the terms of rank 1 of DCG and of the ideal DCG, by what a method is worth."""
    return tuple(
        value(replace(method, result=result, cutoff="rank 1")) for result in ("DCG", "IDCG")
    )


def cutoff(method, k, n_docs):
    """Return how many ranks of the list the method counts."""
    ranks = {"all ranks": n_docs, "only the ideal": n_docs, "k - 1": k - 1, "k + 1": k + 1}
    ranks["rank 1"] = 1  # no mistake: what the sum begins with
    return ranks.get(method.cutoff, k)


def dcg_of(method, ranking, k):
    """Return the DCG of a ranking, tied group by tied group."""
    total, first = 0.0, 1
    for number, (_, members) in enumerate(groupby(ranking, key=lambda d: d.key), start=1):
        gains = [document.gain for document in members]
        total += share(method, gains, first, number, k)
        first += len(gains)
    return total


def share(method, gains, first, number, k):
    """Return what a tied group earns from its `first` rank on, if `k` ranks count.

    `gains` are those of its members, in the order of the input; `number` says which group it is
    from the top, counted from 1.
    """
    ranks = list(range(first, first + len(gains)))
    mean = sum(gains) / len(gains)
    if method.ties in ("middle", "best", "worst"):
        best, worst = (
            in_order(method, sorted(gains, reverse=up), ranks, k) for up in (True, False)
        )
        return {"best": best, "worst": worst, "middle": (best + worst) / 2}[method.ties]
    one_rank = {"average rank": sum(ranks) / len(ranks), "minimum rank": first, "dense": number}
    if method.ties in one_rank:
        return in_order(method, gains, [one_rank[method.ties]] * len(gains), k)
    if method.ties == "reversed":
        return in_order(method, gains[::-1], ranks, k)
    if method.ties == "dropped at k" and ranks[0] <= k < ranks[-1]:
        return 0.0
    if method.ties == "mean inside k" and ranks[0] <= k:
        inside = gains[: k - first + 1]
        mean = sum(inside) / len(inside)
    if method.ties == "file order":
        return in_order(method, gains, ranks, k)
    return in_order(method, [mean] * len(gains), ranks, k)


def in_order(method, gains, ranks, k):
    """Return the sum of the terms of documents at given ranks, up to rank k."""
    pairs = zip(gains, ranks, strict=True)
    return sum(term(method, gain, r) for gain, r in pairs if r <= k)


def term(method, gain, r):
    """Return what one gain is worth at rank r."""
    weight = WEIGHTS[method.discount](r)
    if method.rounding.startswith("weights to"):
        weight = round(weight, int(method.rounding[-1]))
    product = gain * weight
    if method.discount == "//":
        return float(math.floor(product))
    return product


def ideal_dcg_of(method, ranking, y_true, y_score, k):
    """Return what the method takes for the ideal DCG."""
    in_input = [GAINS[method.gain](grade) for grade in y_true]
    ranked = [document.gain for document in ranking]
    k_ideal = k if method.cutoff == "only the ideal" else cutoff(method, k, len(y_true))
    best = sorted(in_input, reverse=True)
    choices = {
        "best k of all": best[:k_ideal],
        "best of the top k": sorted(ranked[:k_ideal], reverse=True),
        "first k of the input": sorted(in_input[:k_ideal], reverse=True),
        "worst k": best[::-1][:k_ideal][::-1],
        "ascending": best[::-1][:k_ideal],
        "not cut": best,
        "unsorted": in_input[:k_ideal],
        "from the scores": sorted(y_score, reverse=True)[:k_ideal],
        "no discount": best[:k_ideal],
    }
    gains = choices[method.ideal]
    if method.ideal == "no discount":
        method = replace(method, discount="none")
    return in_order(method, gains, range(1, len(gains) + 1), len(gains))


def finish(method, total, best, all_gains, k):
    """Return the quotient, or what the method returns in its place."""
    if method.rounding in ("parts to 2", "parts to 3") and math.isfinite(total + best):
        total, best = (round(x, int(method.rounding[-1])) for x in (total, best))
    divisors = {"NDCG": best, "/ sum of gains": all_gains, "/ k": k}
    if method.result in divisors:
        return quotient(total, divisors[method.result])
    if method.result == "percent":
        return 100 * quotient(total, best)
    if method.result == "IDCG / DCG":
        return quotient(best, total)
    return {"DCG": total, "IDCG": best}[method.result]


def quotient(part, whole):
    """Return a quotient; 0 for 0 / 0, as scikit-learn has it for an empty query."""
    if whole == 0:
        return 0.0 if part == 0 else math.inf
    return part / whole


def evaluate_batch(method, y_true, y_score, k=None):
    """Return what a method makes of several queries, given as lists of lists.

    One value for each query; a single one where the method mixes the queries.
    """
    if method.batch == "flattened":
        return [evaluate(method, list(chain(*y_true)), list(chain(*y_score)), k)]

    def each(one):
        return [evaluate(one, *query, k) for query in zip(y_true, y_score, strict=True)]

    if method.batch == "sums divided":
        total, best = (sum(each(replace(method, result=half))) for half in ("DCG", "IDCG"))
        upside_down = method.result == "IDCG / DCG"
        return [quotient(best, total) if upside_down else quotient(total, best)]
    if method.batch == "ideal rows flipped":  # [::-1] turns the queries round, not the documents
        totals = each(replace(method, result="DCG"))
        ideals = each(replace(method, ideal="ascending", result="IDCG"))[::-1]
        return list(map(quotient, totals, ideals))
    return each(method)
