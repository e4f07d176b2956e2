"""An explorer with a list of documents to drag: its declaration, and the widget of all of them.

What is shown comes from ``static/ranking.js``, so that a move is answered at once and without a
kernel. Python holds the values of the controls; tests keep both equal to 1e-12.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import traitlets

from coursekit.explorers.declaration import Declaration, OneOf, Text, Whole
from coursekit.explorers.explorer import RUN_IT, explorer
from coursekit.widgets.part import STATIC, Part, module, styles
from coursekit.widgets.present import Presentable
from coursekit.widgets.state_line import Restorable
from ndcglib.metrics.checks import as_ids, as_integer, as_list, as_names, check_whole
from wording import nearest

FEWEST_DOCUMENTS = 2
HIGHEST_GRADE = 9
OWN = Path(__file__).parents[1] / "widgets" / "static"
OWN_STYLES = (OWN / "listed.css", OWN / "dots.css")
# The frame, the slider and the choice look as in every other explorer.
STYLES = (*(STATIC / f"{one}.css" for one in ("stage", "slider", "choice", "state")), *OWN_STYLES)


@dataclass(frozen=True, kw_only=True)
class Listing(Declaration):
    """A declaration with a list of documents to drag; the page computes what it shows.

    Its control ``order`` holds positions in the starting order, as text, rank 1 first.

    Attributes
    ----------
    titles, grades : list
        Of the documents, in the starting order.
    picture : str
        What stands beside the list: the module ``static/scores.js`` or ``static/dots.js``.
    has_ties : bool
        Whether ``=`` may stand in place of a space in an order: two scores are equal.
    fixed : dict
        What the numbers need and no control changes.
    aside : tuple of str
        Controls that are folded away until the reader asks for them, or a state line moves one.
    """

    titles: list
    grades: list
    picture: str
    has_ties: bool = False
    fixed: Mapping = field(default_factory=dict)
    aside: tuple = ()

    def checked(self, values, where=""):
        """Return values of controls as plain ones; refuse what a control cannot take in words."""
        self.refuse_unknown(values, where)
        return {name: self._checked(name, value, where) for name, value in values.items()}

    def _checked(self, name, value, where):
        control = self.controls[name]
        if isinstance(control, OneOf):
            for known in control.values():
                if type(value) is type(known) and value == known:
                    return known
            allowed = f"be {' or '.join(map(str, control.values()))}"
        elif isinstance(control, Whole):
            number = as_integer(value)
            if number is not None and control.min <= number <= control.max:
                return number
            allowed = f"be a whole number from {control.min} to {control.max}"
        else:
            may_be_empty = name != "order"
            if (may_be_empty and value == "") or self._is_order(value):
                return value
            between = "a space or = between" if self.has_ties else "a space between"
            allowed = f"hold each of 0 to {len(self.grades) - 1} once, with {between}"
        raise ValueError(f"{where}{name} must {allowed}, got {value!r}")

    def _is_order(self, value):
        pattern = r"\d+([ =]\d+)*" if self.has_ties else r"\d+( \d+)*"
        if not isinstance(value, str) or not re.fullmatch(pattern, value, re.ASCII):
            return False
        return sorted(places_of(value)) == list(range(len(self.grades)))

    def starting(self, values):
        """Return the declaration with other values at the start."""
        start = self.checked(values, "start: ")
        changed = {name: self.controls[name]._replace(value=one) for name, one in start.items()}
        return replace(self, controls=self.controls | changed)

    def __post_init__(self):
        for label, values in self.presets.items():
            self.checked(values, f"{label}: ")


class Listed(Presentable, Restorable, Part):
    """The widget of a `Listing`.

    Attributes
    ----------
    declaration : Listing
    values : dict
        The present values of the controls, by name; `set` changes them.
    history : list of dict
        The moves since the list was last set to an order: title, from and to (ranks from 1).
    state : str
        The values as one line of text, for `restore`.
    """

    _esm = module(OWN / "listed.js")
    _css = styles(*STYLES)

    declared = traitlets.Dict(read_only=True).tag(sync=True)  # see static/listed.js
    values = traitlets.Dict().tag(sync=True)
    history = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, declaration):
        self.declaration = declaration
        self.set_trait("declared", _as_declared(declaration))
        super().__init__(values=declaration.start)
        self._join()

    @property
    def controls(self):
        """What can be moved, by name."""
        return self.declaration.controls

    @property
    def presets(self):
        """Label of a button to the values it sets."""
        return self.declaration.presets

    @property
    def ranked_grades(self):
        """The grades as they stand now, rank 1 first."""
        return [self.declaration.grades[i] for i in places_of(self.values["order"])]

    def set(self, **values):
        """Set several controls at once; this forgets the moves.

        Raises a ValueError if there is no such control, or a value is not one it can take.
        """
        self._show(self.values | self.declaration.checked(values), [])

    def reset(self):
        """Return to the values at first."""
        self._show(self.declaration.start, [])

    def move(self, document, to_rank):
        """Move a document, as the page does; a move to where it stands is not one.

        A document is its title, or its position in the starting order, from 0; ranks begin with
        1. Raises a ValueError if there is no such document or no such rank.
        """
        order = self.values["order"]
        places, document = places_of(order), self._find(document)
        place = places.index(document)
        target = check_whole(to_rank, "to_rank", 1, len(places)) - 1
        if target == place:
            return
        signs = [*re.sub(r"\d", "", order), ""]  # scores are equal at ranks, not of documents
        after = zip(moved(places, place, target), signs, strict=True)
        entry = {"title": self.declaration.titles[document], "from": place + 1, "to": target + 1}
        order = "".join(f"{one}{sign}" for one, sign in after)
        self._show(self.values | {"order": order}, [*self.history, entry])

    def _find(self, document):
        titles = self.declaration.titles
        if isinstance(document, str):
            if document not in titles:
                said = f"there are {', '.join(titles)}{nearest(document, titles)}"
                raise ValueError(f"no document {document!r}; {said}")
            return titles.index(document)
        return check_whole(document, "document", 0, len(titles) - 1)

    def _show(self, values, history):
        """Tell the page once, so that it sees nothing half done."""
        with self.hold_sync():
            self.values, self.history = values, history

    @traitlets.validate("values")
    def _as_a_line_has_them(self, proposal):
        """Check what a page sends, too."""
        values = proposal["value"]
        if [*values] != [*self.controls]:
            raise traitlets.TraitError(f"values must be of {', '.join(self.controls)}")
        try:
            return self.declaration.checked(values)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget and, for viewers without a kernel, how the list started.

        Where the grades start hidden there is no figure: it would give them away.
        """
        bundle, _colab = super()._repr_mimebundle_(**kwargs)
        view = self.declaration.view(**self.declaration.start)
        if view.figure.data:
            words = view.words._repr_html_() + RUN_IT
            bundle |= view.figure._repr_mimebundle_() | {"text/html": words}
        bundle["text/plain"] = view.sentence
        return bundle


def listed(declare):
    """Turn a function that returns a `Listing` into one that returns its widget."""
    return explorer(declare, Listed)


def _as_declared(declaration):
    inputs = {n: c for n, c in declaration.controls.items() if not isinstance(c, Text)}
    return {
        "name": declaration.name,
        "question": declaration.question,
        "titles": declaration.titles,
        "grades": declaration.grades,
        "picture": declaration.picture,
        "hasTies": declaration.has_ties,
        "fixed": dict(declaration.fixed),
        "aside": declaration.aside,
        "inputs": {name: control._asdict() for name, control in inputs.items()},
        "presets": declaration.presets,
        "start": declaration.start,
    }


# --- the documents, and orders of them as text ----------------------------------------------


def as_grades(grades, most):
    """Return the grades of 2 to `most` documents, whole and not all 0."""
    grades = as_list(grades, "grades", "whole numbers")
    if not FEWEST_DOCUMENTS <= len(grades) <= most:
        allowed = f"{FEWEST_DOCUMENTS} to {most}"
        raise ValueError(f"grades must be of {allowed} documents, got {len(grades)}")
    grades = [check_whole(g, f"grades[{i}]", 0, HIGHEST_GRADE) for i, g in enumerate(grades)]
    if not any(grades):
        raise ValueError(
            f"grades must be above 0 somewhere, got {grades}: "
            "without a relevant document NDCG is 0/0, whatever the order"
        )
    return grades


def as_titles(titles, n_docs):
    """Return a title for each document: D1, D2, … where none are given."""
    if titles is None:
        return as_ids(None, n_docs)
    titles = [title.strip() for title in as_names(titles, "titles")]
    if len(titles) != n_docs:
        raise ValueError(f"titles must name each of {n_docs} documents, got {len(titles)}")
    if "" in titles or len(set(titles)) < n_docs:
        raise ValueError(f"titles must tell the documents apart, got {titles}")
    return titles


def order_text(places):
    """Write an order, positions in the starting order, as a state line holds it."""
    return " ".join(map(str, places))


def places_of(text):
    """Return the positions of an order that is written as text, rank 1 first."""
    return [int(place) for place in re.split("[ =]", text)]


def moved(order, place, target):
    """Return an order with the document at one place taken to another."""
    rest = [*order[:place], *order[place + 1 :]]
    return [*rest[:target], order[place], *rest[target:]]


def single_moves(n_docs):
    """Return the orders, as texts, that are one move away from the starting one."""
    start = list(range(n_docs))
    return [order_text(moved(start, place, to)) for place in start for to in start if to != place]
