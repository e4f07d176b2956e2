"""An explorer that is told by a scroll: its picture stays, and each step of a text drives it.

The text is Markdown. Each heading is a state line, and below it stands what is told while the
explorer shows that state; in the last step the reader moves the controls. ``| 2`` behind a line
says that a phone shows the second panel of the picture alone, ``| 1 alone`` that wider screens
show no other one, either. Without JavaScript, and in print, the steps stand there with the
stored picture.
"""

from html import escape
from typing import NamedTuple

from coursekit.text import read_text


class Step(NamedTuple):
    """What is told while an explorer shows the state of a line.

    Of the picture, a phone shows one `panel`, counted from 1, or all where there is none; with
    "alone" every screen does.
    """

    line: str
    text: str
    panel: str = ""


def steps_of(path):
    """Return the steps of a text, in their order."""
    _about, *parts = read_text(path).sections("##")
    steps = []
    for part in parts:
        line, _, panel = part.name.partition(" | ")
        steps.append(Step(line, part.text, panel))
    return steps


def steps_list(steps, name, markdown, still):
    """Return steps as a list that static/told.js finds, in Markdown.

    `name` is that of their cell; `markdown` makes a text of the course one of the page; `still`
    is the stored picture, which the first step is about.
    """
    items = []
    for n, step in enumerate(steps, start=1):
        line = f' data-line="{escape(step.line)}"'
        line += f' data-panel="{step.panel}"' if step.panel else ""
        text = markdown(step.text) if n > 1 else f"{markdown(step.text)}\n\n{still}"
        items.append(f'<li id="{name}-{n}"{line}><div>\n\n{text}\n\n</div></li>')
    return "\n\n".join(['<ol class="ndcg-steps">', *items, "</ol>"])
