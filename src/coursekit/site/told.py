"""An explorer that is told by a scroll: its picture stays, and each step of a text drives it.

The text is Markdown. Each heading is a state line, and below it stands what is told while the
explorer shows that state; the heading ``yours`` has none, because the reader moves the controls
there. Without JavaScript, and in print, the steps stand there with the stored picture.
"""

from html import escape
from typing import NamedTuple

from coursekit.text import read_text

YOURS = "yours"


class Step(NamedTuple):
    """What is told while an explorer shows the state of a line; without a line, any state."""

    line: str
    text: str


def steps_of(path):
    """Return the steps of a text, in their order."""
    _about, *parts = read_text(path).sections("##")
    return [Step("" if part.name == YOURS else part.name, part.text) for part in parts]


def steps_list(steps, name, markdown, still):
    """Return steps as a list that static/told.js finds, in Markdown.

    `name` is that of their cell; `markdown` makes a text of the course one of the page; `still`
    is the stored picture, which the first step is about.
    """
    items = []
    for n, step in enumerate(steps, start=1):
        line = f' data-line="{escape(step.line)}"' if step.line else ""
        text = markdown(step.text) if n > 1 else f"{markdown(step.text)}\n\n{still}"
        items.append(f'<li id="{name}-{n}"{line}><div>\n\n{text}\n\n</div></li>')
    return "\n\n".join(['<ol class="ndcg-steps">', *items, "</ol>"])
