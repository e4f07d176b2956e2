"""The ranking list you drag, the explorer of notebook *order*: one widget with its own module.

Python holds what was done: the order and the moves.
"""

import functools
import itertools
from functools import partial

import numpy as np
import traitlets

from course.explorers.listed import (
    Listed,
    as_grades,
    as_titles,
    moved,
    order_text,
    own_module,
    own_style,
)
from course.figures import against_ideal
from coursekit.explorers.declaration import Declaration, OneOf, Text, Whole
from coursekit.widgets.view import View
from helpers.breakdown import breakdown
from helpers.style import frame
from ndcglib.metrics import dcg, ndcg
from ndcglib.metrics.checks import (
    as_integer,
    check_choice,
    check_entries,
    check_flag,
    check_k,
    check_whole,
)
from wording import nearest

NAME = "drag-list"
QUESTION = "How high can you bring it?"
GAINS = ("linear", "exponential")
MOST_DOCUMENTS = 10
MOST_FOR_ALL_ORDERS = 5  # documents; of more there are too many orders to visit


class DragList(Listed):
    """A list of documents to reorder; see `drag_list` for the parameters.

    Python and the page know it by the same three values as its state line: ``order``, ``k`` and
    ``shown``. Setting the order or restoring a state forgets the moves.
    """

    _esm = own_module("drag_list.js")
    _css = own_style()

    orders = traitlets.Dict(read_only=True).tag(sync=True)
    # What stands at rank 1, 2, …, as positions in the starting order.
    order = traitlets.List(traitlets.Int()).tag(sync=True)
    k = traitlets.Int(1).tag(sync=True)  # clipped to the number of documents
    gain = traitlets.Enum(GAINS, "linear").tag(sync=True)
    shown = traitlets.Bool(True).tag(sync=True)  # grades and scores
    # The moves since the start, a reset or a preset: title, from and to (ranks from 1), and after
    # the move order, k, gain and ndcg.
    history = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, grades, titles, *, k, gain, shown, orders):
        self.set_trait("grades", grades)
        self.set_trait("titles", titles)
        self.set_trait("question", QUESTION)
        self.set_trait("orders", orders)
        self.set_trait("start", {"k": k, "shown": shown})
        super().__init__(order=list(range(len(grades))), k=k, gain=gain, shown=shown)
        self._join()

    @functools.cached_property
    def declaration(self):
        """The list as data, for the tests and a static site: its states are what they try."""
        n = len(self.grades)
        controls = {
            "order": Text("Order of the documents", order_text(range(n))),
            "k": Whole("Cutoff k", 1, n, self.start["k"]),
            "shown": OneOf("Grades", {"shown": True, "hidden": False}, self.start["shown"]),
        }
        tried = {"order": self._tried()}
        return Declaration(
            self.question, self._view, controls, self.presets, name=NAME, tried=tried
        )

    def _tried(self):
        """Return all orders of a short list, of a longer one the presets and single moves."""
        n = len(self.grades)
        start = list(range(n))
        if n <= MOST_FOR_ALL_ORDERS:
            return tuple(map(order_text, itertools.permutations(start)))
        moves = (moved(start, place, to) for place in start for to in start)
        return tuple(map(order_text, [*self.orders.values(), *moves]))

    @property
    def presets(self):
        """Label of a button to the values it sets."""
        return {label: {"order": order_text(order)} for label, order in self.orders.items()}

    @property
    def values(self):
        """The present values of the controls, by name."""
        return {"order": order_text(self.order), "k": self.k, "shown": self.shown}

    @property
    def ranked_grades(self):
        """The grades as they stand now, rank 1 first."""
        return [self.grades[i] for i in self.order]

    @property
    def dcg(self):
        """DCG@k of the present order."""
        return dcg(self.ranked_grades, ranked=True, k=self.k, gain=self.gain)

    @property
    def ndcg(self):
        """NDCG@k of the present order."""
        return ndcg(self.ranked_grades, ranked=True, k=self.k, gain=self.gain)

    def move(self, document, to_rank):
        """Move a document, as the page does; a move to where it stands is not one.

        A document is its title, or its position in the starting order, from 0; ranks begin with
        1. Raises a ValueError if there is no such document or no such rank.
        """
        place = self.order.index(self._find(document))
        target = check_whole(to_rank, "to_rank", 1, len(self.order)) - 1
        if target == place:
            return
        order = moved(self.order, place, target)
        ranked = [self.grades[i] for i in order]
        entry = {
            "title": self.titles[order[target]],
            "from": place + 1,
            "to": target + 1,
            "order": order,
            "k": self.k,
            "gain": self.gain,
            "ndcg": ndcg(ranked, ranked=True, k=self.k, gain=self.gain),
        }
        self._set(order=order, history=[*self.history, entry])

    def reset(self):
        """Return to the starting order, cutoff and grades shown or hidden; forget the moves."""
        self._set(order=list(range(len(self.grades))), history=[], **self.start)

    def set(self, **values):
        """Set several controls at once; this forgets the moves.

        Raises a ValueError if there is no such control, or a value is not one it can take.
        """
        self._refuse_unknown(values)
        new = {**self.values, **values}
        n = len(self.grades)
        order = _places_of(new["order"])
        wrong = _wrong_order(order, n)
        if wrong:
            raise ValueError(f"order {wrong}")
        k = check_whole(new["k"], "k", 1, n)
        if not isinstance(new["shown"], bool):
            raise ValueError(f"shown must be True or False, got {new['shown']!r}")
        self._set(order=order, history=[], k=k, shown=new["shown"])

    def _find(self, document):
        if isinstance(document, str):
            if document not in self.titles:
                said = f"there are {', '.join(self.titles)}{nearest(document, self.titles)}"
                raise ValueError(f"no document {document!r}; {said}")
            return self.titles.index(document)
        return check_whole(document, "document", 0, len(self.titles) - 1)

    @traitlets.validate("order")
    def _a_permutation(self, proposal):
        wrong = _wrong_order(proposal["value"], len(self.grades))
        if wrong:
            raise traitlets.TraitError(f"order {wrong}")
        return proposal["value"]

    @traitlets.validate("k")
    def _a_cutoff(self, proposal):
        if proposal["value"] < 1:
            raise traitlets.TraitError(f"k must be 1 or more, got {proposal['value']}")
        return min(proposal["value"], len(self.grades))

    @traitlets.observe("order")
    def _forget_other_moves(self, _change):
        """Keep the moves only if they lead to the order; whoever moves sets both at once."""
        if self.history and self.history[-1]["order"] != self.order:
            self.history = []

    def _view(self, order, k, shown):
        """Return a picture of one state, with no grade in it where they are hidden.

        `order` holds positions in the starting order, as text, rank 1 first.
        """
        places = _places_of(order)
        titles = [self.titles[i] for i in places]
        if not shown:
            return _hidden(titles)
        grades = [self.grades[i] for i in places]
        ranked = breakdown(grades, ranked=True, k=k, gain=self.gain, ids=titles)
        is_start = places == list(range(len(places))) and k == self.start["k"]
        where = "In the order it starts in, this list" if is_start else "In this order the list"
        figure = against_ideal(ranked, title=f"{where} reaches NDCG@{k} = {ranked.ndcg:.4f}")
        documents = zip(titles, grades, strict=True)
        listed = [f"{title} (grade {grade})" for title, grade in documents]
        when = "As it starts" if is_start else "In this order"
        sentence = f"A list to reorder: {', '.join(listed)}. {when}, {ranked}."
        sums = {f"DCG@{k}": ranked.dcg, f"IDCG@{k}": ranked.idcg, f"NDCG@{k}": ranked.ndcg}
        return View(figure, rows=[(None, *pair) for pair in sums.items()], says=sentence)


def _hidden(titles):
    """Return the view of a list whose grades are not to be seen: its documents, no bars."""
    return View(
        frame(
            ([], {}),
            title="A list to reorder, its grades hidden",
            sentence=f"A list to reorder, its grades hidden: {', '.join(titles)}.",
            table=(("rank", "document"), list(enumerate(titles, start=1))),
            legend=False,
        )
    )


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
    DragList
        Its traits ``order``, ``k``, ``gain``, ``shown`` and ``history`` follow the page.

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
    >>> ranking.ranked_grades, round(ranking.ndcg, 3)
    ([2, 3, 3, 1, 0], 0.921)
    """
    grades = as_grades(grades, MOST_DOCUMENTS)
    check_choice(gain, "gain", GAINS)
    check_flag(shown, "shown")
    return DragList(
        grades,
        as_titles(titles, len(grades)),
        k=check_k(k, len(grades)),
        gain=gain,
        shown=bool(shown),
        orders=_presets(presets, len(grades)),
    )


drag_list.example = partial(
    drag_list,
    [2, 3, 1, 3, 0],
    presets={"Worst order": [4, 2, 0, 3, 1], "Best order": [1, 3, 0, 2, 4]},
)


def _presets(presets, n_docs):
    presets = {} if presets is None else presets
    check_entries(presets, "presets", least=0)
    for label, order in presets.items():
        wrong = _wrong_order(order, n_docs)
        if wrong:
            raise ValueError(f"presets[{label!r}] {wrong}")
    return {label: [int(i) for i in order] for label, order in presets.items()}


def _places_of(text):
    """Return the numbers of an order that is written as text."""
    words = str(text).split()
    if not all(word.isdecimal() for word in words):
        raise ValueError(f"order must be whole numbers with spaces between, got {text!r}")
    return [int(word) for word in words]


def _wrong_order(order, n_docs):
    """Return what is wrong with an order, or nothing."""
    is_list = isinstance(order, (list, tuple, np.ndarray))
    places = [as_integer(place) for place in order] if is_list else []
    if None not in places and sorted(places) == list(range(n_docs)):
        return ""
    return f"must hold each of 0 to {n_docs - 1} once, got {order}"
