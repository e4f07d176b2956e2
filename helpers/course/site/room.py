"""The page for a room: every explorer of the registry, without the text of a notebook."""

from functools import partial
from html import escape
from pathlib import Path
from string import Template
from types import MappingProxyType

from helpers.course.explorers import EXPLORERS, size_choice, tie_shuffler
from helpers.course.site.live import data_of, traits_of
from helpers.course.site.pages import placeholder

CONSTANT = partial(tie_shuffler, [1] * 3 + [0] * 17, [0] * 20, k=5, seed=7)
ROOM = MappingProxyType({**EXPLORERS, "constant-model": CONSTANT})
TITLES = {name: name.replace("-", " ").capitalize() for name in ROOM} | {
    "constant-model": "Tie shuffler: a constant model"
}
# As in its notebook, beside the reader's own program: lines of the board fit both.
CALLS = MappingProxyType({"compare-code": "compare_code(ndcg_table)"})
TEMPLATE = Path(__file__).parent / "templates" / "room.html"


def call_of(name):
    """Return the cell that shows an explorer of the room in a notebook, if one may: its call."""
    is_called = not isinstance(ROOM[name], partial)
    return CALLS.get(name, f"{ROOM[name].__name__}()") if is_called else None


def room_live(calls):
    """Return what the room's page must know of its explorers, by name.

    Those whose call is the whole source of a notebook's cell are left out: the page of the
    notebook has them, and their tables take most of the time.
    """
    return {name: data_of(make()) for name, make in ROOM.items() if call_of(name) not in calls}


def room_page(live, cells, keep_data):
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
    parts = []
    for name, title in TITLES.items():
        file, data = (f"room-{name}", live[name]) if name in live else cells[call_of(name)]
        kind = "part" if "widget" in data else "explorer"
        place = placeholder(name, kind, keep_data(file, data))
        parts.append(f"<h2>{escape(title)}</h2>\n{place}")
    links = [f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in TITLES.items()]
    size = keep_data("room-size", traits_of(size_choice()))
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        links="\n".join(links), size=placeholder("size", "size", size), explorers="\n".join(parts)
    )
