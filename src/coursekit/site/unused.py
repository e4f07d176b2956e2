"""Leave out of the theme's styles what no page of a site can use.

The theme has styles for much that a course never shows, and every reader would load them. The
course's own styles are left alone: a script may put the name of a class together.
"""

import gzip
import re
from itertools import pairwise
from pathlib import Path

import tinycss2

WORD = re.compile(r"[A-Za-z_][\w-]*")
NESTED = ("media", "supports")


def trim_styles(site, sheets, old="", new=""):
    """Take out of some style sheets of a built site the rules that match nothing in it.

    What they have of `old`, and at least one has it, becomes `new`.
    """
    words = words_of(Path(site))
    texts = {Path(site, one): Path(site, one).read_text(encoding="utf-8") for one in sheets}
    if not any(old in text for text in texts.values()):
        raise ValueError(f"no style sheet of the theme has {old}; see site.css for what it did")
    for sheet, text in texts.items():
        sheet.write_text(trimmed(text.replace(old, new), words), encoding="utf-8")


def words_of(site):
    """Return all words of the pages of a site, of its scripts, and of the data they read."""
    words = set()
    for end in ("html", "js", "json.gz"):
        for file in site.rglob(f"*.{end}"):
            content = file.read_bytes()
            content = gzip.decompress(content) if end == "json.gz" else content
            words.update(WORD.findall(content.decode("utf-8")))
    return words


def trimmed(styles, words):
    """Return a style sheet without the selectors whose classes and ids are not all in `words`.

    What a function such as `:not()` or `:is()` says is not looked at. A rule without a selector
    goes, and a block without a rule.
    """
    rules = tinycss2.parse_stylesheet(styles, skip_comments=True, skip_whitespace=True)
    return "".join(_rules(rules, words))


def _rules(rules, words):
    for rule in rules:
        if rule.type == "qualified-rule":
            kept = [one for one in _selectors(rule.prelude) if _names(one) <= words]
            if kept:
                selectors = ",".join(tinycss2.serialize(one).strip() for one in kept)
                yield f"{selectors}{{{tinycss2.serialize(rule.content).strip()}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTED:
            inner = tinycss2.parse_rule_list(
                rule.content, skip_comments=True, skip_whitespace=True
            )
            if block := "".join(_rules(inner, words)):
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{block}}}\n"
        else:
            yield tinycss2.serialize([rule])


def _selectors(tokens):
    """Return the selectors of a rule, which commas part."""
    selectors = [[]]
    for token in tokens:
        if token == ",":
            selectors.append([])
        else:
            selectors[-1].append(token)
    return selectors


def _names(selector):
    """Return the classes and ids that an element must have to match."""
    classes = {
        name.value for dot, name in pairwise(selector) if dot == "." and name.type == "ident"
    }
    return classes | {token.value for token in selector if token.type == "hash"}
