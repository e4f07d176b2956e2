"""All that a course hands to the engine: there is no other way in."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from coursekit.bets.texts import Bets
from coursekit.exercises.catalog import Catalog


class Part(NamedTuple):
    """A part of a course: the question it answers, and the short names of its notebooks."""

    question: str
    chapters: tuple


@dataclass(frozen=True, kw_only=True)
class Course:
    """A course: its texts, its explorers, and what its site says in its own way.

    Attributes
    ----------
    package : str
        Its module ``content`` holds this as ``COURSE``, where other processes find it; what it
        is run by, as in ``python -m course write``.
    title : str
    kicker, lead, invitation, about, audience : str
        On the front page of the site: what stands above its heading, the heading, the sentence
        below it, and below the opening what the course is, and who it is for.
    license : str
        What text and code are under.
    opening : callable
        What the front page opens with: ``opening(keep_data, placeholder)`` returns Markdown.
    parts : dict of str to Part
        The course in its order, by the titles of its parts.
    drawing : callable
        From the short name of a notebook to a drawing for its card, as SVG.
    bets : Bets
    catalog : Catalog
        The exercises.
    explorers : dict of str to callable
        What makes each explorer of the room's page, by name, in the order of the page.
    paths : dict of str to tuple
        Ways through the course: titles, and the short names of their notebooks.
    documents : tuple of str
        Texts beside the notebooks that name notebooks.
    titles, calls : dict of str
        Of explorers whose title, or whose call in a notebook, does not follow from their name.
    ports : dict of str to callable
        From the declaration of an explorer, whose states are too many for a table, to what its
        module of the page needs to know.
    warm_ups : callable
        From the short names of the notebooks, in their order, to what opens each, by name: its
        ``words``, and ``lines`` of code that show one problem each.
    live : dict of type to callable
        Of widgets of its own that a notebook shows: from one to what its module of the page
        needs to know.
    judge : callable
        From an exercise to what a page needs to judge it, or None if only Python can.
    modules : callable
        Returns modules for the page that are made when the site is built: sources by file name.
    widgets : tuple of type
        Those of its own, beside the engine's.
    styles : tuple of Path
        The styles of those, a later one above those before it.
    static : tuple of Path
        Folders with modules for the page, such as those of `ports`.
    pages : dict of str to callable
        Pages that are no notebook's, by name: ``page(keep_data, placeholder)`` returns Markdown.
    code : tuple of Path
        The folders whose Python and texts decide what the explorers show.
    left_out : dict of str to set
        The cells, by notebook, that have no place on a page.
    instead : dict of tuple to str
        By notebook and cell: the page's own text.
    sentences : dict of str to str
        Sentences of notebooks, and what a page says in their place.
    told : dict of tuple to Path
        By notebook and cell: the text that drives an explorer on the page as one scrolls.
    """

    package: str
    title: str
    kicker: str
    lead: str
    invitation: str
    about: str
    audience: str
    license: str
    opening: Callable
    parts: Mapping
    drawing: Callable
    bets: Bets
    catalog: Catalog
    explorers: Mapping
    warm_ups: Callable
    live: Mapping
    judge: Callable
    modules: Callable
    paths: Mapping
    documents: tuple
    titles: Mapping
    calls: Mapping
    ports: Mapping
    widgets: tuple
    styles: tuple
    static: tuple
    pages: Mapping
    code: tuple
    left_out: Mapping
    instead: Mapping
    sentences: Mapping
    told: Mapping

    @property
    def exercises(self):
        """The exercises, by name."""
        return self.catalog.all

    def __reduce__(self):
        return found, (self.package,)


def found(package):
    """Return the course that a package holds."""
    return importlib.import_module(f"{package}.content").COURSE
