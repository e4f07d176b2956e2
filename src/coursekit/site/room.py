"""The page for a room: every explorer of the registry, without the text of a notebook."""

from functools import partial
from html import escape
from pathlib import Path
from string import Template

from coursekit.site.live import data_of, traits_of
from coursekit.site.pages import kind_of, placeholder
from coursekit.widgets.present import size_choice

TEMPLATE = Path(__file__).parent / "templates" / "room.html"


def call_of(course, name):
    """Return the cell that shows an explorer of the room in a notebook, if one may: its call."""
    make = course.explorers[name]
    is_called = not isinstance(make, partial)
    return course.calls.get(name, f"{make.__name__}()") if is_called else None


def titles_of(course):
    """Return the titles of the explorers of the room, by name."""
    return {name: name.replace("-", " ").capitalize() for name in course.explorers} | course.titles


def question_of(data):
    """Return the question of an explorer from what the page knows of it."""
    return (data.get("traits", {}).get("declared") or data)["question"]


def room_live(course, calls):
    """Return what the room's page must know of its explorers, by name.

    Those whose call is the whole source of a notebook's cell are left out: the page of the
    notebook has them, and their tables take most of the time.
    """
    return {
        name: data_of(make(), course.ports)
        for name, make in course.explorers.items()
        if call_of(course, name) not in calls
    }


def room_page(course, live, cells, keep_data):
    """Return the page in HTML.

    Parameters
    ----------
    live : dict
        What `room_live` returned.
    cells : dict of str to tuple
        Of the notebooks' cells, by their source: a file's name and what is known of the cell.
    keep_data : callable
        Keeps data under the name of a file; returns the address.
    """
    parts, links = [], []
    titles = titles_of(course)
    for name, title in titles.items():
        file, data = (f"room-{name}", live[name]) if name in live else cells[call_of(course, name)]
        place = placeholder(name, kind_of(data), keep_data(file, data))
        parts.append(f"<h2>{escape(title)}</h2>\n{place}")
        links.append(
            f'<li><a href="#{name}"><b>{escape(title)}</b> '
            f"<span>{escape(question_of(data))}</span></a></li>"
        )
    size = keep_data("room-size", traits_of(size_choice()))
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(course.title),
        links="\n".join(links),
        size=placeholder("size", "size", size),
        explorers="\n".join(parts),
    )
