"""What a check says: a verdict, and a message that names the mistake."""

import re
from html import escape
from typing import NamedTuple

from coursekit.text import wrapped

HEADINGS = {
    "not attempted": "Not attempted yet",
    "crashed": "It stopped with an error",
    "endless": "It did not come to an end",
    "no return": "Nothing came back",
    "wrong shape": "Not that kind of answer",
    "named": "Not yet",
    "wrong": "Not yet",
    "almost": "Almost",
    "correct": "Correct",
    "open": "Compare with the rubric",
}
GRAY, GREEN, ORANGE, BLUE = "#595959", "#007a5a", "#b34e00", "#0072b2"
COLORS = {"not attempted": GRAY, "correct": GREEN, "open": BLUE}
STYLE = (
    "font-size: 17px; line-height: 1.45; max-width: 860px; color: #222; background: #fff; "
    "color-scheme: light; padding: 4px 16px; border-left: 5px solid "
)
PRINTED = "color: #222; background: #f4f4f4; padding: 4px 8px; white-space: pre-wrap"

STRONG = re.compile(r"(?<![\w*`])\*\*([^\s*`][^*`]*)\*\*(?![\w*`])")  # **so**
EMPHASIS = re.compile(r"(?<![\w*`])\*([^\s*`][^*`]*)\*(?![\w*`])")  # *so*, and not in code


class Outcome(NamedTuple):
    """The result of one check; `verdict` is a key of `HEADINGS`.

    `message` is paragraphs, separated by empty lines, code between backquotes; `folded` the
    rubric of an open question, to open paragraph by paragraph; `printed` says which call printed
    something, and below it what that was.
    """

    verdict: str
    message: str
    folded: str = ""
    printed: str = ""

    @property
    def passed(self):
        """Whether nothing is left to do."""
        return self.verdict in ("correct", "open")

    def __repr__(self):
        """Return the outcome as text, for viewers without HTML."""
        paragraphs = [f"{HEADINGS[self.verdict]}.", *self.message.split("\n\n")]
        which, _, lines = self.printed.partition("\n")
        texts = [wrapped(plain(p)) for p in [*paragraphs, which] if p]
        return "\n".join([*texts, lines] if lines else texts)

    def _repr_html_(self):
        return self.as_html('role="status" ')

    def as_html(self, attributes=""):
        """Return the outcome as HTML; `attributes` are more ones of the element around it."""
        color = COLORS.get(self.verdict, ORANGE)
        heading = f"<strong>{HEADINGS[self.verdict]}.</strong> "
        folded = ""
        if self.folded:
            folded = f"<details><summary>The rubric</summary>{html(self.folded)}</details>"
        which, _, lines = self.printed.partition("\n")
        printed = f'{html(which)}<pre style="{PRINTED}">{escape(lines)}</pre>' if lines else ""
        body = f"<p>{heading}{html(self.message)[3:]}{printed}{folded}"
        return f'<div {attributes}style="{STYLE}{color}">{body}</div>'


def plain(text):
    """Return a paragraph without the marks of code and emphasis."""
    return EMPHASIS.sub(r"\1", STRONG.sub(r"\1", text)).replace("`", "")


def html(text):
    """Return paragraphs as HTML, with code and emphasis marked."""
    marked = STRONG.sub(r"<strong>\1</strong>", escape(text, quote=False))
    marked = EMPHASIS.sub(r"<em>\1</em>", marked)
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    return "".join(f"<p>{paragraph}</p>" for paragraph in marked.split("\n\n"))
