"""What every widget of the course is made of: a module, a style sheet, a way to wake."""

import re
from pathlib import Path

import anywidget

STATIC = Path(__file__).parent / "static"
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)  # no page needs them


def module(*names):
    """Return the source of a widget's ES module: what all of them share, then its files."""
    return join("listen.js", *names)


def join(*names):
    """Return the text of several files of the static folder, but for lines of comment."""
    text = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)
    return _COMMENT.sub("", text)


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
