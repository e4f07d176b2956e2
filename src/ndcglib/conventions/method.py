"""NDCG of one list with every switch to turn: what tools, programs and mistakes make of it.

A `Method` is one setting of the switches. Three use it: `evaluation` computes with its parts what
a tool prints for a run, an explorer compares ten programs, and exercises turn the switches until
a method gives what a reader found. A value has one name in all of them, and stands here once, at
the line that computes it; `VALUES` has all of them by switch. What a tool answers is put into
words in `SWITCHES`, what a reader did wrong in ``mistakes.md`` of the exercises.

Plain Python, so that each switch is one line: on the lists that people compare by hand, arrays are
not faster. `ndcglib.metrics` is the checked way for many and long lists, and a test holds the two
equal.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter, mul
from types import MappingProxyType

from ndcglib.metrics.checks import check_choice


@dataclass(frozen=True)
class Method:
    """One way to compute DCG, IDCG or NDCG of a list; the defaults are right.

    `pool` is what the ideal is made of, `empty` what counts where the ideal is 0: without it
    0 / 0 is 0, as in scikit-learn, and everything else is infinite.
    """

    gain: str = "linear"
    discount: str = "log"
    order: str = "by score"
    ties: str = "average"
    cutoff: str = "both"
    pool: str = "list"
    empty: float | None = None
    rounding: str = "last"
    result: str = "NDCG"
    batch: str = "query by query"

    def __post_init__(self):
        """Refuse a value that there is not."""
        for switch, known in VALUES.items():
            check_choice(getattr(self, switch), switch, known)


# What a grade is worth; those of `SWITCHES` take arrays, too.
GAINS = {
    "linear": lambda grade: grade,
    "exponential": lambda grade: 2.0**grade - 1,
    "2^rel": lambda grade: 2.0**grade,
    "binary": lambda grade: 1.0 * (grade > 0),
    "judged": lambda grade: 0.0 * grade + 1,
    "xor": lambda grade: float(2 ^ (int(grade) - 1)),
}

# What rank r keeps of it.
WEIGHTS = {
    "log": lambda r: 1 / math.log2(r + 1),
    "natural log": lambda r: 1 / math.log(r + 1),
    "log10": lambda r: 1 / math.log10(r + 1),
    "log2(r)": lambda r: 1 / math.log2(r) if r > 1 else math.nan,
    "log2(r + 2)": lambda r: 1 / math.log2(r + 2),
    "2002": lambda r: 1 / max(1, math.log2(r)),
    "reciprocal": lambda r: 1 / r,
    "1/(r + 1)": lambda r: 1 / (r + 1),
    "multiplied": lambda r: math.log2(r + 1),
    "none": lambda r: 1.0,
    "log2(r) + 1": lambda r: 1 / (math.log2(r) + 1),
    "//": lambda r: 1 / math.log2(r + 1),  # and then the term is rounded down
}

# What the documents are sorted by, highest first, from grades and scores.
ORDERS = {
    "by score": lambda _, y_score: y_score,
    "arguments swapped": lambda _, y_score: y_score,  # they were swapped before
    "ascending": lambda _, y_score: [-s for s in y_score],
    "input order": lambda _, y_score: [-i for i in range(len(y_score))],
    "by label": lambda y_true, _: y_true,
    # The rank of each document, taken for a position.
    "argsort twice": lambda _, y_score: [
        -i for i in sorted(range(len(y_score)), key=lambda i: -y_score[i])
    ],
}

# The gains that stand at the ranks of a tied group, from those in the order of the input.
TIES = {
    "average": lambda gains: [sum(gains) / len(gains)] * len(gains),
    "stable": lambda gains: gains,
    "reversed": lambda gains: gains[::-1],
    "best": lambda gains: sorted(gains, reverse=True),
    "worst": sorted,
}

# Wrong rules: the rank of all members of a tied group. `number` says which group it is from the
# top, counted from 1.
TIED_RANKS = {
    "average rank": lambda first, last, number: (first + last) / 2,
    "minimum rank": lambda first, last, number: first,
    "dense": lambda first, last, number: number,
}

# Wrong rules: the members whose mean stands at those ranks of the group that are within k; the
# first `n_inside` of them are.
TIED_MEANS = {
    "dropped at k": lambda gains, n_inside: gains if n_inside == len(gains) else [],
    "mean inside k": lambda gains, n_inside: gains[:n_inside],
}

# How many ranks of the list count, from k and the number of documents.
CUTS = {
    "both": lambda k, n_docs: k,
    "none": lambda k, n_docs: n_docs,
    "ideal": lambda k, n_docs: n_docs,
    "k - 1": lambda k, n_docs: k - 1,
    "k + 1": lambda k, n_docs: k + 1,
    "rank 1": lambda k, n_docs: 1,  # no mistake: what the sum begins with
}

# The gains of the ideal, from the gains as they came, the same in rank order, scores, and k.
POOLS = {
    "list": lambda gains, ranked, y_score, k: falling(gains)[:k],
    "top k": lambda gains, ranked, y_score, k: falling(ranked[:k]),
    "first k of the input": lambda gains, ranked, y_score, k: falling(gains[:k]),
    "worst k": lambda gains, ranked, y_score, k: falling(sorted(gains)[:k]),
    "ascending": lambda gains, ranked, y_score, k: sorted(gains)[:k],
    "not cut": lambda gains, ranked, y_score, k: falling(gains),
    "unsorted": lambda gains, ranked, y_score, k: gains[:k],
    "from the scores": lambda gains, ranked, y_score, k: falling(y_score)[:k],
    "no discount": lambda gains, ranked, y_score, k: falling(gains)[:k],  # and then only added
}

# Decimals of DCG and IDCG before the division, and of the weights; four are no mistake.
PARTS_TO = {"parts to 2": 2, "parts to 3": 3}
WEIGHTS_TO = {"weights to 2": 2, "weights to 3": 3, "weights to 4": 4}

# What is returned, from DCG, IDCG, the sum of all gains, k, and what an empty query counts.
RESULTS = {
    "NDCG": lambda total, best, gains, k, empty: quotient(total, best, empty),
    "DCG": lambda total, best, gains, k, empty: total,
    "IDCG": lambda total, best, gains, k, empty: best,
    "/ sum of gains": lambda total, best, gains, k, empty: quotient(total, gains, empty),
    "/ k": lambda total, best, gains, k, empty: quotient(total, k, empty),
    "percent": lambda total, best, gains, k, empty: 100 * quotient(total, best),
    "IDCG / DCG": lambda total, best, gains, k, empty: quotient(best, total),
}


def evaluate_list(method, y_true, y_score, k=None):
    """Return the DCG, IDCG or NDCG of one query, or what a method takes for it.

    It is nan if the method divides by 0. Without `k` all ranks count. The defaults equal
    `ndcglib.metrics.ndcg`.
    """
    k = len(y_true) if k is None else k
    y_true, y_score = [float(y) for y in y_true], [float(s) for s in y_score]
    if method.order == "arguments swapped":
        y_true, y_score = y_score, y_true
        if method.ties == "average":  # grades tie; who swaps them seldom averages
            method = replace(method, ties="stable")
    ranking = rank(method, y_true, y_score)
    total = dcg_of(method, ranking, CUTS[method.cutoff](k, len(y_true)))
    best = ideal_dcg_of(method, ranking, y_true, y_score, k)
    return finish(method, total, best, sum(gain for _, gain in ranking), k)


def rank(method, y_true, y_score):
    """Return key and gain of each document, in the order the method gives them."""
    gains = [GAINS[method.gain](grade) for grade in y_true]
    return ranked(keys_of(method, y_true, y_score), gains)


def keys_of(method, y_true, y_score):
    """Return what a method sorts the documents by, highest first."""
    return ORDERS[method.order](y_true, y_score)


def ranked(keys, gains):
    """Return pairs of key and gain, the highest key first; equal keys as they came."""
    return sorted(zip(keys, gains, strict=True), key=itemgetter(0), reverse=True)


def tied_gains(ranking):
    """Yield the gains of each group of equal keys, from the top."""
    for _, members in groupby(ranking, key=itemgetter(0)):
        yield [gain for _, gain in members]


def by_rank(ranking, ties):
    """Return the gain that stands at each rank, by a rule of `TIES`."""
    return [*chain.from_iterable(map(TIES[ties], tied_gains(ranking)))]


def first_terms(value, method):
    """Return the terms of rank 1 of DCG and of the ideal DCG, by what a method is worth."""
    return tuple(
        value(replace(method, result=result, cutoff="rank 1")) for result in ("DCG", "IDCG")
    )


def falling(numbers):
    """Return numbers from the highest to the lowest."""
    return sorted(numbers, reverse=True)


def dcg_of(method, ranking, k):
    """Return the DCG of a ranking."""
    if method.ties in TIES:
        return discounted(by_rank(ranking, method.ties)[:k], method.discount, method.rounding)
    if method.ties == "middle":
        ends = (replace(method, ties=ties) for ties in ("best", "worst"))
        return sum(dcg_of(end, ranking, k) for end in ends) / 2
    total, first = 0.0, 1
    for number, gains in enumerate(tied_gains(ranking), start=1):
        total += share(method, gains, first, number, k)
        first += len(gains)
    return total


def share(method, gains, first, number, k):
    """Return what a tied group earns by a wrong rule, from its `first` rank on.

    `gains` are those of its members, in the order of the input; `number` says which group it is
    from the top, counted from 1.
    """
    last = first + len(gains) - 1
    if method.ties in TIED_RANKS:
        r = TIED_RANKS[method.ties](first, last, number)
        return sum(term(method, gain, r) for gain in gains) if r <= k else 0.0
    inside = range(first, min(last, k) + 1)
    counted = TIED_MEANS[method.ties](gains, len(inside))
    if not counted:
        return 0.0
    mean = sum(counted) / len(counted)
    return sum(term(method, mean, r) for r in inside)


def term(method, gain, r):
    """Return what one gain is worth at rank r."""
    product = gain * weight(method.discount, method.rounding, r)
    return float(math.floor(product)) if method.discount == "//" else product


def weight(discount, rounding, r):
    """Return what rank r keeps of a gain."""
    kept = WEIGHTS[discount](r)
    return round(kept, WEIGHTS_TO[rounding]) if rounding in WEIGHTS_TO else kept


@lru_cache(maxsize=256)
def weights(discount, rounding, n_ranks):
    """Return the weights of the first ranks."""
    return [weight(discount, rounding, r) for r in range(1, n_ranks + 1)]


def discounted(gains, discount, rounding="last"):
    """Return the sum of gains at ranks 1, 2, 3 and so on, each times the weight of its rank."""
    enough = 1 << len(gains).bit_length()  # a power of 2, so that few lists of weights are made
    terms = map(mul, gains, weights(discount, rounding, enough))
    return float(sum(map(math.floor, terms) if discount == "//" else terms))


def ideal_dcg_of(method, ranking, y_true, y_score, k):
    """Return what the method takes for the ideal DCG."""
    in_input = [GAINS[method.gain](grade) for grade in y_true]
    in_ranking = [gain for _, gain in ranking]
    k = k if method.cutoff == "ideal" else CUTS[method.cutoff](k, len(y_true))
    gains = POOLS[method.pool](in_input, in_ranking, y_score, k)
    discount = "none" if method.pool == "no discount" else method.discount
    return discounted(gains, discount, method.rounding)


def finish(method, total, best, all_gains, k):
    """Return the quotient, or what the method returns in its place."""
    if method.rounding in PARTS_TO and math.isfinite(total + best):
        total, best = (round(x, PARTS_TO[method.rounding]) for x in (total, best))
    return RESULTS[method.result](total, best, all_gains, k, method.empty)


def quotient(part, whole, empty=None):
    """Return a quotient; where the whole is 0 `empty`, or else 0 for 0 / 0, and infinity."""
    if whole:
        return part / whole
    if empty is not None:
        return empty
    return math.inf if part else 0.0


def evaluate_batch(method, y_true, y_score, k=None):
    """Return what a method makes of several queries, given as lists of lists.

    One value for each query; a single one where the method mixes the queries.
    """
    return BATCHES[method.batch](method, y_true, y_score, k)


def _each(method, y_true, y_score, k):
    return [evaluate_list(method, *query, k) for query in zip(y_true, y_score, strict=True)]


def _by_text(method, y_true, y_score, k):
    values = _each(method, y_true, y_score, k)
    return [values[i] for i in whose(method, len(values))]


def _flattened(method, y_true, y_score, k):
    return [evaluate_list(method, list(chain(*y_true)), list(chain(*y_score)), k)]


def _sums_divided(method, y_true, y_score, k):
    total, best = map(sum, halves(method, y_true, y_score, k))
    return [quotient(best, total) if method.result == "IDCG / DCG" else quotient(total, best)]


def _rows_flipped(method, y_true, y_score, k):
    pairs = zip(*halves(method, y_true, y_score, k), strict=True)
    return [quotient(*pair, method.empty) for pair in pairs]


# What is made of the queries.
BATCHES = {
    "query by query": _each,
    "ids sorted as text": _by_text,
    "flattened": _flattened,
    "sums divided": _sums_divided,
    "ideal rows flipped": _rows_flipped,
}


def halves(method, y_true, y_score, k=None):
    """Return the DCG of each query, and the ideal DCG that a method divides it by."""
    totals = _each(replace(method, result="DCG"), y_true, y_score, k)
    ideal = replace(method, result="IDCG")
    if method.batch == "ideal rows flipped":  # [::-1] turns the queries round, not the documents
        return totals, _each(replace(ideal, pool="ascending"), y_true, y_score, k)[::-1]
    return totals, _each(ideal, y_true, y_score, k)


def whose(method, n_queries):
    """Return for each query the query whose value a method returns there, counted from 0."""
    if method.batch == "ids sorted as text":  # 1, 10, 11, …, 2, 20
        return sorted(range(n_queries), key=lambda i: str(i + 1))
    return list(range(n_queries))


# All values of each switch.
VALUES = MappingProxyType(
    {
        "gain": GAINS,
        "discount": WEIGHTS,
        "order": ORDERS,
        "ties": (*TIES, "middle", *TIED_RANKS, *TIED_MEANS),
        "cutoff": CUTS,
        "pool": POOLS,
        "rounding": ("last", *PARTS_TO, *WEIGHTS_TO),
        "result": RESULTS,
        "batch": BATCHES,
    }
)
RIGHT = Method()
