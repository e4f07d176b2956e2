"""The glossary: a page of its own, and a link to it where a page first uses a term.

The terms stand in tables of a notebook, ``| **term, other name** | what it is |``, each table in
a cell whose id begins with `CELLS`, below a summary that says what they are about.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from coursekit.site.signs import curled
from coursekit.text import visible

CELLS = "glossary-"
PAGE = "glossary"
ENTRY = re.compile(r"^\| \*\*(.+)\*\* \| (.+) \|$", re.MULTILINE)
ABOUT = re.compile(r"<summary>(.+?)(?::|(?<=\?)).*</summary>")
EVERYDAY = re.compile(r"[a-z]+")
LINK = (nodes.reference, addnodes.pending_xref)
NO_PLACE = (nodes.title, nodes.literal, *LINK, nodes.math, nodes.table, nodes.term)


def lists_terms(cell):
    """Tell whether a cell of a notebook belongs on the page of terms, and not on its own."""
    return cell.id.startswith(CELLS)


def glossary_page(cells, markdown):
    """Return the page of all terms, as Sphinx's directive `glossary` has them.

    ``markdown(text)`` returns a text of a notebook as a page has it.
    """
    parts = ["# Glossary", "Each entry is one sentence with one number."]
    for cell in cells:
        entries = [
            "{}\n  {}".format(names.replace(", ", "\n"), markdown(words))
            for names, words in ENTRY.findall(visible(cell.source))
        ]
        listed = "\n\n".join(entries)
        parts += [f"## {ABOUT.search(cell.source)[1]}", f"```{{glossary}}\n{listed}\n```"]
    return "\n\n".join(parts) + "\n"


class LinkTerms(SphinxPostTransform):
    """Link the first use of each term on a page to its entry.

    A term that may be an everyday word, such as *run*, is linked only where it alone is bold,
    which is where it is defined.
    """

    default_priority = 5

    def run(self, **kwargs):
        """Put the links into the page at hand."""
        objects = self.env.domains.standard_domain.objects
        places = {curled(name): place for (kind, name), place in objects.items() if kind == "term"}
        page = self.env.current_document.docname
        if not places or page == PAGE:
            return
        longest_first = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
        use = re.compile(rf"(?<![\w@-])({longest_first})(?=s?(?![\w-]))", re.IGNORECASE)
        for text in list(self.document.findall(nodes.Text)):
            if not any(isinstance(node, NO_PLACE) for node in _above(text)):
                text.parent.replace(text, list(self._linked(text, use, places, page)))

    def _linked(self, text, use, places, page):
        """Yield the nodes that take the place of a text; a term that is linked leaves `places`."""
        done = 0
        for found in use.finditer(text):
            term = _term(found[1], places)
            alone = found[1], f"{found[1]}s"
            is_defined = isinstance(text.parent, nodes.strong) and text in alone
            if term and (is_defined or not EVERYDAY.fullmatch(term)):
                yield nodes.Text(text[done : found.start()])
                words = nodes.Text(found[1])
                yield make_refnode(self.app.builder, page, *places.pop(term), words)
                done = found.end()
        yield nodes.Text(text[done:])


def _above(node):
    while node.parent is not None:
        node = node.parent
        yield node


def _term(words, places):
    """Return the term that these words are; at the start of a sentence it has a capital."""
    small = words[0].lower() + words[1:]
    return next((term for term in (words, small) if term in places), None)


def setup(app):
    """Add the links to a site."""
    app.add_post_transform(LinkTerms)
