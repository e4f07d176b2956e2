"""The signs of what pages say: curly quotes, the base of a logarithm below it, k = 1 on one line.

Sphinx sets the quotes of Markdown (conf.py); this is for HTML, which it leaves alone, and for
what scripts show. Code and formulas keep the signs that they have, and so does what an explorer
says, as it is compared with Python's words.
"""

import re
from html import unescape

from docutils.utils.smartquotes import educate_tokens

KEPT = r"<(pre|code|math|svg|script|style)\b.*?</\2>|`[^`]*`|\(\w+=[^)<]*\)"  # a call, too
PARTS = re.compile(rf"({KEPT})|(<[^>]*>)", re.DOTALL)
IN_A_LINE = re.compile(r"</?(a|abbr|b|em|i|small|span|strong|sub|sup|wbr)\b")
QUOTE = re.compile("&(?:quot|#x27|#39);")
LOG = re.compile(r"\blog2\b")
EQUALS = re.compile(r"(?<=\b[A-Za-z]) = (?=[−\d])")


def curled(html):
    """Return HTML, or the Markdown of a text, with curly quotes."""
    lines = [[]]
    for kind, part in _parts(html):
        if kind == "block":  # a quote behind it opens
            lines += [[("tag", part)], []]
        else:
            lines[-1].append((kind, part))
    return "".join(part for line in lines for part in educate_tokens(line, "q"))


def based(html):
    """Return HTML, or the Markdown of a text, with log₂, and with k = 1 where no line breaks."""
    return "".join(
        EQUALS.sub("\u00a0=\u00a0", LOG.sub("log₂", part)) if kind == "plain" else part
        for kind, part in _parts(html)
    )


def set_signs(html):
    """Return HTML, or the Markdown of a text, with all signs as a page has them."""
    return based(curled(html))


def in_all(change, data):
    """Return data, as JSON can hold it, with each text changed; the keys stay."""
    if isinstance(data, dict):
        return {key: in_all(change, one) for key, one in data.items()}
    if isinstance(data, list):
        return [in_all(change, one) for one in data]
    return change(data) if isinstance(data, str) else data


def _parts(html):
    """Yield the parts of HTML, and of which kind each is."""
    done = 0
    for found in PARTS.finditer(html):
        yield "plain", _with_quotes(html[done : found.start()])
        tag, done = found[3], found.end()
        yield "literal" if not tag else "tag" if IN_A_LINE.match(tag) else "block", found[0]
    yield "plain", _with_quotes(html[done:])


def _with_quotes(text):
    return QUOTE.sub(lambda found: unescape(found[0]), text)
