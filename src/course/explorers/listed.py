"""What explorers share whose page computes everything: a list of documents, to drag.

Their numbers come from ``static/ranking.js``, so that a move is answered at once and without
a kernel. Python holds the values of the controls; tests keep both equal to 1e-12.
"""

from pathlib import Path

import traitlets

from coursekit.explorers.explorer import RUN_IT
from coursekit.widgets.part import STATIC, Part, module, styles
from coursekit.widgets.present import Presentable
from coursekit.widgets.state_line import Restorable
from ndcglib.metrics.checks import as_ids, as_list, as_names, check_whole

FEWEST_DOCUMENTS = 2
HIGHEST_GRADE = 9
OWN = Path(__file__).parents[1] / "widgets" / "static"


def own_module(name):
    """Return the source of the module of a widget with a list in it."""
    return module(OWN / name)


def own_style(*names):
    """Return its style: the frame, the slider and the choice look as in every other explorer."""
    shared = ("stage.css", "slider.css", "choice.css", "state.css")
    return styles(
        *(STATIC / name for name in shared), *(OWN / name for name in ("drag_list.css", *names))
    )


class Listed(Presentable, Restorable, Part):
    """A list of documents on the page; a subclass adds its controls as traits of their names."""

    question = traitlets.Unicode(read_only=True).tag(sync=True)
    # In the order they started in; fixed.
    titles = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    grades = traitlets.List(traitlets.Int(), read_only=True).tag(sync=True)
    start = traitlets.Dict(read_only=True).tag(sync=True)

    @property
    def controls(self):
        """What can be moved, by name."""
        return self.declaration.controls

    @property
    def view(self):
        """The function from the values of all controls to what is shown."""
        return self.declaration.view

    def _set(self, **values):
        """Set several traits and tell the page once, so that it sees nothing half done."""
        with self.hold_sync(), self.hold_trait_notifications():
            for name, value in values.items():
                setattr(self, name, value)

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget and, for viewers without a kernel, how the list started.

        Where the grades start hidden there is no figure: it would give them away.
        """
        bundle, _colab = super()._repr_mimebundle_(**kwargs)
        view = self.view(**self.declaration.start)
        if view.figure.data:
            words = view.words._repr_html_() + RUN_IT
            bundle |= view.figure._repr_mimebundle_() | {"text/html": words}
        bundle["text/plain"] = view.sentence
        return bundle


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


def moved(order, place, target):
    """Return an order with the document at one place taken to another."""
    rest = [*order[:place], *order[place + 1 :]]
    return [*rest[:target], order[place], *rest[target:]]
