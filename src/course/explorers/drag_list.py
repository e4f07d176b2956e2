"""The ranking list you drag, the explorer of notebook *order*: its scores stand beside it."""

import itertools
from functools import partial

import numpy as np

from course.explorers.listed import (
    Listing,
    as_grades,
    as_titles,
    listed,
    order_text,
    places_of,
    single_moves,
)
from course.figures import against_ideal
from coursekit.explorers.declaration import OneOf, Text, Whole
from coursekit.widgets.view import View
from helpers.breakdown import breakdown
from helpers.style import frame
from ndcglib.metrics.checks import as_integer, check_choice, check_entries, check_flag, check_k

GAINS = ("linear", "exponential")
MOST_DOCUMENTS = 10
MOST_FOR_ALL_ORDERS = 5  # documents; of more there are too many orders to visit


@listed
def drag_list(grades, *, titles=None, k=None, gain="linear", shown=True, presets=None):
    """Return a list of documents to reorder, with its NDCG beside it.

    Mouse, finger, keyboard (Alt and an arrow, Home, End) and buttons move a document;
    each move is put into words for a screen reader.

    Parameters
    ----------
    grades : sequence of int
        Grades in the starting order: 2 to 10 documents, grades from 0 to 9, not all 0.
    titles : sequence of str, optional
        Short texts, each once; D1, D2, … by default.
    k : int, optional
        Ranks that count; all by default. A k above the number of documents is clipped.
    gain : {"linear", "exponential"}, default="linear"
    shown : bool, default=True
        With False grades and scores stay hidden until the reader asks for them.
    presets : dict of str to sequence of int, optional
        Label of a button to an order: positions in the starting order, from 0.

    Returns
    -------
    Listed
        Its ``values``, ``history`` and ``ranked_grades`` follow the page.

    Raises
    ------
    TypeError, ValueError
        If something does not fit; the message names it, what came and what is allowed.

    Notes
    -----
    Taught in notebook *order*.

    Examples
    --------
    >>> ranking = drag_list([2, 3, 1, 3, 0])
    >>> ranking.move("D4", 2)
    >>> ranking.ranked_grades
    [2, 3, 3, 1, 0]
    """
    grades = as_grades(grades, MOST_DOCUMENTS)
    n_docs = len(grades)
    titles = as_titles(titles, n_docs)
    check_choice(gain, "gain", GAINS)
    check_flag(shown, "shown")
    k = check_k(k, n_docs)
    presets = _as_presets(presets, n_docs)
    controls = {
        "order": Text("Order of the documents", order_text(range(n_docs))),
        "k": Whole("Cutoff k", 1, n_docs, k),
        "shown": OneOf("Grades", {"shown": True, "hidden": False}, bool(shown)),
    }
    if n_docs <= MOST_FOR_ALL_ORDERS:
        tried = map(order_text, itertools.permutations(range(n_docs)))
    else:
        tried = [*(values["order"] for values in presets.values()), *single_moves(n_docs)]
    return Listing(
        question="How high can you bring NDCG?",
        view=partial(_view, grades, titles, gain, k),
        controls=controls,
        presets=presets,
        tried={"order": tuple(tried)},
        titles=titles,
        grades=grades,
        picture="scores",
        fixed={"gain": gain, "discount": "log"},
    )


drag_list.example = partial(
    drag_list,
    [2, 3, 1, 3, 0],
    presets={"Worst order": [4, 2, 0, 3, 1], "Best order": [1, 3, 0, 2, 4]},
)


def _as_presets(presets, n_docs):
    presets = {} if presets is None else presets
    check_entries(presets, "presets", least=0)
    return {
        label: {"order": order_text(_as_places(order, f"presets[{label!r}]", n_docs))}
        for label, order in presets.items()
    }


def _as_places(order, name, n_docs):
    is_list = isinstance(order, (list, tuple, np.ndarray))
    places = [as_integer(place) for place in order] if is_list else []
    if None in places or sorted(places) != list(range(n_docs)):
        raise ValueError(f"{name} must hold each of 0 to {n_docs - 1} once, got {order}")
    return places


def _view(all_grades, all_titles, gain, first_k, order, k, shown):
    """Return a picture of one state, with no grade in it where they are hidden."""
    places = places_of(order)
    titles = [all_titles[i] for i in places]
    if not shown:
        return _hidden(titles)
    grades = [all_grades[i] for i in places]
    ranked = breakdown(grades, ranked=True, k=k, gain=gain, ids=titles)
    is_start = places == list(range(len(places))) and k == first_k
    where = "In its starting order" if is_start else "In this order"
    figure = against_ideal(ranked, title=f"{where} the list has NDCG@{k} = {ranked.ndcg:.4f}")
    documents = zip(titles, grades, strict=True)
    named = [f"{title} (grade {grade})" for title, grade in documents]
    sentence = f"A list to reorder: {', '.join(named)}. {where}, {ranked}."
    sums = {f"DCG@{k}": ranked.dcg, f"IDCG@{k}": ranked.idcg, f"NDCG@{k}": ranked.ndcg}
    return View(figure, rows=[(None, *pair) for pair in sums.items()], says=sentence)


def _hidden(titles):
    """Return the view of a list whose grades are not to be seen: its documents, no bars."""
    return View(
        frame(
            ([], {}),
            title="A list to reorder, with its grades hidden",
            sentence=f"A list to reorder, with its grades hidden: {', '.join(titles)}.",
            table=(("rank", "document"), list(enumerate(titles, start=1))),
            legend=False,
        )
    )
