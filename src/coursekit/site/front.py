"""The front page: an explorer, a sentence, the map."""

import json
from html import escape

from coursekit.authoring.book import hours
from coursekit.site.pages import ASSETS


def front_page(book, opening, home=None, further=()):
    """Return the front page of a book in markdown.

    `opening` is the placeholder it opens with, `home` the `Home` that it links
    to, if there is one, `further` are the names of pages that are no notebook's.
    """
    first, course = book.chapters[0], book.course
    return "\n\n".join(
        [
            _head(course, home),
            f"# {course.title}",
            f'<p class="ndcg-lead">{course.lead}</p>',
            opening,
            f'<p class="ndcg-lead">{course.about}</p>',
            f'<p><a class="ndcg-start" href="{first.name}.html">Begin: '
            f"{_emphasis(first.title)}</a></p>",
            "## The course",
            f"{len(book.chapters)} pages, {hours(book.chapters)}. Below each title stands "
            "what you can do after it.",
            _map(book.chapters),
            _beside(further),
            "## Ways through it",
            _paths(book),
            "## In a room",
            '<p><a href="room.html">All explorers on one page</a>, for laptops, phones and a '
            "projector.</p>",
            "## On your own machine",
            _own_machine(first, home),
            _toctree([*(one.name for one in book.chapters), *further]),
        ]
    )


def _head(course, home):
    meta = {
        "description": course.about,
        "property=og:title": course.title,
        "property=og:description": course.about,
    }
    if home:  # a messenger takes whole addresses only
        picture = "-".join(course.opening)
        meta["property=og:image"] = f"{home.site}{ASSETS}/pictures/{picture}.png"
    lines = [f"    {json.dumps(name)}: {json.dumps(text)}" for name, text in meta.items()]
    return "\n".join(["---", "myst:", "  html_meta:", *lines, "---"])


def _emphasis(text):
    """Return a text in HTML; one word or two between asterisks are emphasized."""
    before, *rest = escape(text, quote=False).split("*")
    return before + "".join(
        f"<em>{part}</em>" if i % 2 == 0 else part for i, part in enumerate(rest)
    )


def _map(chapters):
    cards = [
        f'<li><a href="{one.name}.html">{_emphasis(one.title)}</a>'
        f"<span>{_emphasis(one.promise)}</span><small>{one.minutes.needed} minutes</small></li>"
        for one in chapters
    ]
    return f'<ol class="ndcg-map" start="0">{"".join(cards)}</ol>'


def _beside(names):
    """Return links to the pages that are no notebook's, if there are any."""
    links = " and ".join(f"[{name.capitalize()}]({name}.md)" for name in names)
    return f"Beside them: {links}." if names else ""


def _paths(book):
    rows = []
    for title, names in book.course.paths.items():
        chosen = [book.by_name[name] for name in names if name in book.by_name]
        links = "".join(
            f'<li><a href="{one.name}.html">{_emphasis(one.title)}</a></li>' for one in chosen
        )
        rows.append(
            f"<section><h3>{title}</h3><small>{_emphasis(hours(chosen))}</small><ol>{links}</ol></section>"
        )
    return f'<div class="ndcg-paths">{"".join(rows)}</div>'


def _own_machine(first, home):
    clone = f"git clone {home.clone}\ncd {home.name}\n" if home else ""
    how = "To open them:" if home else "To open them, type in the folder of the course:"
    binder = home and f" Or [run them on Binder]({home.binder(first.file)})."
    return (
        "On these pages every slider, bet and list works without an install. The notebooks "
        f"themselves run in JupyterLab, and check your programs too. {how}\n\n"
        f"```bash\n{clone}make lab\n```\n\n"
        f"They need Python 3.11 to 3.14 and `make`.{binder or ''}"
    )


def _toctree(names):
    return "```{{toctree}}\n:hidden:\n\n{}\n```\n".format("\n".join(names))
