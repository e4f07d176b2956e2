"""What every widget of the course is made of: a module, a style sheet, a way to wake."""

import re
from pathlib import Path

import anywidget

STATIC = Path(__file__).parent / "static"
IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]*)";\n', re.MULTILINE)
# No page needs them. Of a script those that are lines of their own, or end a line.
COMMENT = re.compile(r"^ */(?:/.*|\*\*.*\*/)\n|(?<=[;,{]) // .*$", re.MULTILINE)
STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def module(path):
    """Return the source of a widget's ES module with all that it imports: Jupyter takes one text.

    What a module imports is put in front of it, each file once and without lines of comment. All
    share one scope there, so no two of them may call two things alike; a test says so.
    """
    found = {}
    _collect(path.resolve(), found)
    return COMMENT.sub("", "\n".join(found.values()) + "\n")


def _collect(path, found):
    """Add the texts of a module, and first of those it imports, to `found`, by their paths."""
    text = path.read_text(encoding="utf-8")
    for name in IMPORT.findall(text):
        imported = (path.parent / name).resolve()
        if imported not in found:
            _collect(imported, found)
    found[path] = IMPORT.sub("", text).strip()


def styles(*paths):
    """Return the text of several style sheets, without comments and line ends."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return " ".join(STYLE_COMMENT.sub("", text).split())


class Part(anywidget.AnyWidget):
    """A widget that is drawn late still hears the kernel.

    Its module calls ``keepListening(model)`` first of all; a page that has missed
    messages says so, and is sent everything once more.
    """

    def __init__(self, **traits):
        super().__init__(**traits)
        self.on_msg(self._page_missed)

    def _page_missed(self, _part, content, _buffers):
        if content.get("missed"):
            self.send_state()
