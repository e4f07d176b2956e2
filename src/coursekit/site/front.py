"""The front page: something to touch, a sentence, the chapters, the ways through them."""

from html import escape

from coursekit.authoring.book import hours
from coursekit.site.contents import emphasis, parts_of
from coursekit.site.pages import meta_of, plain
from coursekit.site.signs import set_signs


def front_page(book, opening, home=None, further=()):
    """Return the front page of a book in markdown.

    `opening` is the placeholder it opens with, `home` the `Home` that it links
    to, if there is one, `further` are the names of pages that are no notebook's.
    """
    first, course = book.chapters[0], book.course
    return "\n\n".join(
        [
            meta_of(course.title, course.about, home, "index"),
            f"# {course.lead}",
            f'<p class="ndcg-kicker">{course.kicker}</p>',
            f'<p class="ndcg-lead">{course.invitation}</p>',
            opening,
            _begin(first),
            _first_way(book),
            f'<div class="ndcg-about"><p>{course.about}</p><p>{course.audience}</p></div>',
            "## The chapters",
            f'<p class="ndcg-under">{_how_long(book)} Bets, explorers and exercises are '
            "live on the pages; you need the notebooks only to run programs.</p>",
            *(_part(book, title, names) for title, names in parts_of(book).items()),
            _beside(further),
            "## Ways through it",
            _paths(book),
            "## In a room",
            '<p><a href="room.html">All explorers on one page</a>, for laptops, phones and a '
            "projector. A room can also vote on every bet; that runs from the course's own "
            "folder.</p>",
            "## On your own machine",
            _own_machine(first, home),
            "## In this browser",
            _begin(first),
            _toctree([*(one.name for one in book.chapters), *further]),
        ]
    )


def _begin(first):
    return (
        f'<p class="ndcg-begin"><a class="ndcg-start" href="{first.name}.html">Begin with '
        f"chapter {first.number}</a> <small>{first.minutes.needed} minutes, nothing to install"
        "</small></p>"
    )


def _first_way(book):
    """Return where the first way through a book is, for those who wonder how long it is."""
    title, chosen = next(_ways(book))
    way = f'<a href="#ways-through-it">{title}</a> takes {len(chosen)}'
    words = f"Short of time? {way} of the {len(book.chapters)} chapters."
    return f'<p class="ndcg-first-way">{words}</p>' if chosen else ""


def _how_long(book):
    minutes = [one.minutes.needed for one in book.chapters]
    return f"Each takes {min(minutes)} to {max(minutes)} minutes."


def _ways(book):
    """Yield the titles of the ways through a book, each with its chapters."""
    for title, names in book.course.paths.items():
        yield title, [book.by_name[name] for name in names if name in book.by_name]


def _part(book, title, names):
    chapters = [book.by_name[name] for name in names]
    cards = "".join(_card(book, one) for one in chapters)
    return (
        f'<section class="ndcg-part"><header><h3>{title}</h3>'
        f"<p>{book.course.parts[title].question}</p>"
        f"<small>{len(chapters)} chapters, {hours(chapters, ' optional')}</small></header>"
        f'<ol class="ndcg-map">{cards}</ol></section>'
    )


def _card(book, one):
    return (
        f'<li data-chapter="{one.name}">{book.course.drawing(one.name)}'
        f'<a href="{one.name}.html"><b>{one.number}</b> '
        f"{emphasis(one.title)}</a><span>{emphasis(one.promise)}</span>"
        f"<small>{one.minutes.needed} minutes</small></li>"
    )


def _beside(names):
    """Return links to the pages that are no notebook's, if there are any."""
    links = ", ".join(f"[{name.capitalize()}]({name}.md)" for name in names)
    return f"See also: {links}." if names else ""


def _paths(book):
    rows = "".join(
        f"<section><h3>{title}</h3><small>{hours(chosen, ' optional')}</small>"
        f"{_links(chosen)}</section>"
        for title, chosen in _ways(book)
    )
    return f'<div class="ndcg-paths">{rows}</div>'


def _links(chosen):
    links = "".join(
        f'<li data-chapter="{one.name}"><a href="{one.name}.html" '
        f'title="{escape(set_signs(plain(one.title)))}"><b>{one.number}</b> '
        f"{one.name.replace('_', ' ')}</a></li>"
        for one in chosen
    )
    return f"<ol>{links}</ol>"


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
