"""What every page knows of the others: parts and chapters, in their order, for the templates."""

from html import escape

from coursekit.site.signs import set_signs
from coursekit.text import raised

CONTENTS = "contents.json"  # beside the pages, for conf.py


def contents(book, further=(), home=None):
    """Return the contents of a book as JSON can hold them.

    `further` are the names of pages that are no notebook's, `home` is its `Home`, if any.
    """
    parts = [
        {"title": title, "chapters": [_chapter(book, name) for name in names]}
        for title, names in parts_of(book).items()
    ]
    return {
        "parts": parts,
        "further": [*further],
        "license": book.course.license,
        "source": home.clone if home else "",
    }


def parts_of(book):
    """Return the short names of a book's chapters by the titles of its parts."""
    found = {
        title: [name for name in part.chapters if name in book.by_name]
        for title, part in book.course.parts.items()
    }
    return {title: names for title, names in found.items() if names}


def _chapter(book, name):
    one = book.by_name[name]
    return {
        "name": name,
        "number": one.number,
        "title": emphasis(one.title),
        "minutes": one.minutes.needed,
        "optional": one.minutes.optional,
        "drawing": book.course.drawing(name),
    }


def emphasis(text):
    """Return a text in HTML; one word or two between asterisks are emphasized."""
    before, *rest = set_signs(raised(escape(text, quote=False))).split("*")
    return before + "".join(
        f"<em>{part}</em>" if i % 2 == 0 else part for i, part in enumerate(rest)
    )
