"""All 120 orders, the explorer of notebook *start_here*: each order of a list as a dot."""

import functools
import itertools
from dataclasses import replace
from functools import partial

import numpy as np

from course.explorers.every_order_chart import Survey, order_dots
from course.explorers.listed import (
    Listing,
    as_grades,
    as_titles,
    listed,
    order_text,
    places_of,
    single_moves,
)
from coursekit.explorers.declaration import OneOf, Text, Whole
from coursekit.widgets.view import View
from helpers.numbers import with_and
from ndcglib.metrics import ndcg, random_ndcg, worst_ndcg
from ndcglib.metrics.checks import SAME_VALUE, check_entries

MOST_DOCUMENTS = 6  # 720 orders
GAINS = {"linear": "linear", "exponential": "exponential"}
DISCOUNTS = {"1/log2(rank + 1)": "log", "1/rank": "reciprocal"}
OTHER = dict(linear="exponential", exponential="linear", log="reciprocal", reciprocal="log")
PILE = 0.0125  # width of a dot in the stored picture, in NDCG
TURNS = {
    (True, True): "another gain changes that, and so does another discount",
    (True, False): "another gain changes that, but another discount does not",
    (False, True): "another discount changes that, but another gain does not",
    (False, False): "neither another gain nor another discount changes that",
}


@listed
def every_order(grades, *, titles=None, start=None, presets=None):
    """Return the explorer *All 120 orders*: a list to reorder, and each of its orders as a dot.

    All is computed in the page: it answers without a kernel, too.

    Parameters
    ----------
    grades : sequence of int
        Grades in the starting order: 2 to 6 documents, grades from 0 to 9, not all 0.
    titles : sequence of str, optional
        Short texts, each once; D1, D2, … by default.
    start : dict, optional
        First values of controls: ``order`` (positions in the starting order as text, ``"0 2=1"``
        where documents 2 and 1 have equal scores), ``k``, ``gain`` ("linear" or "exponential"),
        ``discount`` ("log" or "reciprocal"), ``pinned`` (an order to compare with, or "").
    presets : dict of str to dict, optional
        Label of a button to values of controls, the others as at the start. Controls that
        neither `start` nor a preset names are folded away.

    Returns
    -------
    Listed
        Its ``values`` and ``ranked_grades`` follow the page.

    Raises
    ------
    TypeError, ValueError
        If something does not fit; the message names it, what came and what is allowed.

    Notes
    -----
    Taught in notebook *start_here*, and used in *cutoff* and *ties*. The mean of all dots is
    `random_ndcg`, the lowest is `worst_ndcg`.

    Examples
    --------
    >>> explorer = every_order([2, 1, 3, 0, 3])
    >>> print(explorer.declaration.view(**explorer.values).sentence)
    Your list has NDCG@5 = 0.8368, and 64 of 120 orders score at least as well.
    """
    grades = as_grades(grades, MOST_DOCUMENTS)
    titles = as_titles(titles, len(grades))
    start, presets = ({} if given is None else given for given in (start, presets))
    check_entries(start, "start", least=0)
    check_entries(presets, "presets", least=0)
    for label, values in presets.items():
        check_entries(values, f"presets[{label!r}]", least=0)
    plain = Listing(
        question="Where does your list stand among all orders?",
        view=partial(_view, np.array(grades), titles),
        controls={
            "order": Text("Order of the documents", order_text(range(len(grades)))),
            "k": Whole("Cutoff k", 1, len(grades), len(grades)),
            "gain": OneOf("Gain", GAINS, "linear"),
            "discount": OneOf("Discount", DISCOUNTS, "log"),
            "pinned": Text("Pinned list", ""),
        },
        presets={},
        titles=titles,
        grades=grades,
        picture="dots",
        has_ties=True,
    ).starting(start)
    named = {name for values in (start, *presets.values()) for name in values}
    orders = [values["order"] for values in presets.values() if "order" in values]
    pinned = [values["pinned"] for values in presets.values() if "pinned" in values]
    return replace(
        plain,
        aside=tuple(name for name in plain.controls if name not in {"order", *named}),
        presets={label: plain.start | values for label, values in presets.items()},
        tried={"order": (*orders, *single_moves(len(grades))), "pinned": tuple(pinned)},
    )


every_order.example = partial(
    every_order,
    [2, 1, 3, 0, 3],
    presets={
        "NDCG@k falls": {"order": "2 3 1 0 4", "k": 2},
        "The gain decides": {
            "order": "2 3 1 0 4",
            "gain": "exponential",
            "pinned": "0 2 1 4 3",
        },
        "The discount does not": {
            "order": "2 3 1 0 4",
            "discount": "reciprocal",
            "pinned": "0 2 1 4 3",
        },
        "A tie": {"order": "2 0=4=3 1"},
    },
)


def _view(grades, titles, order, k, gain, discount, pinned):
    """Return a picture of one state."""
    rules = dict(k=k, gain=gain, discount=discount)
    values = ndcg(grades[_orders(len(grades))], ranked=True, per_query=True, **rules)
    yours = _value(order, grades, rules)
    reaching = (values >= yours - SAME_VALUE).tolist()
    levels = {"random": random_ndcg(grades, **rules)}
    levels |= {"pinned": _value(pinned, grades, rules)} if pinned else {}
    levels |= {"yours": yours, "floor": worst_ndcg(grades, **rules)}
    mine = [_allows(order, one) for one in _orders(len(grades)).tolist()]
    survey = Survey(
        rows=_rows(order, grades, titles),
        k=k,
        dots=_piled(values),
        mine=mine,
        levels=levels,
        reaching=reaching,
        values=_distinct(values, grades),
    )
    sentence = (
        f"Your list has NDCG@{k} = {yours:.4f}, and {survey.reach} of {len(values)} orders score "
        f"at least as well.{_ties_in_words(order, sum(mine))}"
        f"{_contest_in_words(order, pinned, grades, rules)}"
    )
    return View(order_dots(survey, sentence))


# --- orders, as text and as arrays ------------------------------------------------------


def _groups(text):
    """Return the documents of each group of equal scores, rank 1 first."""
    return [[int(doc) for doc in group.split("=")] for group in text.split()]


@functools.cache
def _orders(n_docs):
    """Return all orders of documents, as rows."""
    return np.array(list(itertools.permutations(range(n_docs))))


def _allows(text, order):
    """Say whether the scores of a list, some of them equal, allow an order."""
    rest = iter(order)
    return all({next(rest) for _ in group} == set(group) for group in _groups(text))


def _value(text, grades, rules):
    """Return the NDCG of a list, its ties averaged."""
    scores = [-place for place, group in enumerate(_groups(text)) for _ in group]
    return ndcg(grades[places_of(text)], scores, **rules)


def _rows(text, grades, titles):
    """Return title and grade of each document, rank 1 first, and if it ties with that above."""
    groups = [[(doc, place > 0) for place, doc in enumerate(one)] for one in _groups(text)]
    return [(titles[doc], int(grades[doc]), tied) for group in groups for doc, tied in group]


def _piled(values):
    """Return each value with its level in a pile, from 0."""
    height, dots = {}, [None] * len(values)
    for i in np.argsort(values, kind="stable").tolist():
        bin_ = int((values[i] + SAME_VALUE) / PILE)
        dots[i] = (float(values[i]), height.get(bin_, 0))
        height[bin_] = height.get(bin_, 0) + 1
    return dots


def _distinct(values, grades):
    """Return each NDCG, falling, with the number of its orders and one of them as grades."""
    found = {}
    for value, order in zip(values.tolist(), _orders(len(grades)), strict=True):
        found.setdefault(round(value, 9), []).append(order_text(grades[order]))
    return [(value, len(found[value]), found[value][0]) for value in sorted(found, reverse=True)]


# --- the words, as the page says them -----------------------------------------------------


def _ties_in_words(order, n_dots):
    ranks, last = [], 0
    for group in _groups(order):
        first, last = last + 1, last + len(group)
        ranks += [f"{first} to {last}"] if len(group) > 1 else []
    if not ranks:
        return ""
    tied = f"Ranks {with_and(ranks)} are tied"
    return f" {tied}, so this is the mean of the {n_dots} dots that the ties allow."


def _contest_in_words(order, pinned, grades, rules):
    """Say who is ahead at each k, and whether another gain or discount changes that."""
    if not pinned:
        return ""

    def ahead(**changed):
        values = [_value(text, grades, rules | changed) for text in (order, pinned)]
        difference = values[0] - values[1]
        return 0 if abs(difference) < SAME_VALUE else np.sign(difference)

    cutoffs = range(1, len(grades) + 1)
    where = {"ahead of": 1, "behind": -1, "level with": 0}
    signs = {k: ahead(k=k) for k in cutoffs}
    at = {words: [k for k in cutoffs if signs[k] == sign] for words, sign in where.items()}
    said = [f"{words} it at k = {with_and(ks)}" for words, ks in at.items() if ks]
    said[0] = said[0].replace(" it ", " the pinned list ")
    now = signs[rules["k"]]
    turns = tuple(bool(ahead(**{n: OTHER[rules[n]]}) != now) for n in ("gain", "discount"))
    return f" Yours is {', and '.join(said)}. At k = {rules['k']} {TURNS[turns]}."
