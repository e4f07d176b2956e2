"""What each wrong switch of `Method` means in words, and which switches explain an answer."""

import math
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

from coursekit.text import read_text


def read_mistakes():
    """Return the texts by switch and value; of a result, by what was asked for and what came."""
    file = read_text(Path(__file__).parent / "content" / "mistakes.md")
    texts = {}
    for part in file.sections("##")[1:]:
        switch, _, asked = part.name.partition(", asked for ")
        of_switch = texts.setdefault(switch, {})
        for values, text in part.items(r"- (.+?): (.+)", "`a value`: what it means"):
            for value in values.strip("`").split("`, `"):
                of_switch[(asked, value) if asked else value] = text
    return texts


MISTAKES = read_mistakes()
RESULTS = MISTAKES.pop("result")
ZERO_LOG = MISTAKES["discount"]["log2(r)"]
MOST_SHOWN = 4  # explanations of one answer
CLOSE = 0.002  # relative, below 1 absolute
SEVERAL = "Different slips lead to this number. Which was yours?"
MORE = "• … and {more} more."
TWO = "Two things at once. (1) {first} (2) {second}"


def text_of(method, switch, value):
    """Return what a wrong value of a switch means, in words."""
    return RESULTS[method.result, value] if switch == "result" else MISTAKES[switch][value]


def wrong_values(method, switch):
    """List the values of a switch that are wrong where `method` is right."""
    if switch == "result":
        return [came for asked, came in RESULTS if asked == method.result]
    no_quotient = method.result != "NDCG"
    return [
        value
        for value in MISTAKES[switch]
        if value != getattr(method, switch) and not (no_quotient and value == "ideal")
    ]


def explain(fits, method, switches, *, at_most=2, skip=()):
    """Find the smallest sets of wrong switches, `at_most` together, that explain an answer.

    `fits` maps a `Method` to whether it gives on every probe what the reader's answer gave;
    `method` is the right one, `skip` are values of switches that cannot have happened here. An
    explanation is a list, a text for each wrong switch; the list of them is empty if nothing
    explains the answer.
    """
    if fits(method):
        return []
    for size in range(1, at_most + 1):
        found = []
        for texts, wrong in turned(method, switches, size, skip):
            if fits(wrong) and texts not in found:
                found.append(texts)
        if found:
            return found
    return []


def turned(method, switches, size, skip=()):
    """Yield each method with `size` switches turned wrong, after a text for each of them."""
    for chosen in combinations(switches, size):
        if size > 1 and "rounding" in chosen:
            continue  # with it, a pair explains nearly every number
        choices = [
            [value for value in wrong_values(method, switch) if value not in skip]
            for switch in chosen
        ]
        for values in product(*choices):
            pairs = list(zip(chosen, values, strict=True))
            yield [text_of(method, *pair) for pair in pairs], replace(method, **dict(pairs))


def same(some, others, tolerance):
    """Tell whether two lists of numbers agree; what is not finite agrees with its like."""
    if len(some) != len(others):
        return False
    pairs = zip(some, others, strict=True)
    return all(
        math.isclose(a, b, rel_tol=1e-12, abs_tol=tolerance) or (_odd(a) and _odd(b))
        for a, b in pairs
    )


def is_close(a, b):
    """Tell whether a number is another one but for digits that were lost on the way."""
    size = max(1, abs(b)) if abs(b) > 0.1 else 0.1  # small numbers lie close together
    return abs(a - b) <= CLOSE * size


def _odd(number):
    return not math.isfinite(number)


def named(explanations):
    """Return explanations that say something: not two or more pairs, which are guesses."""
    several_pairs = len(explanations) > 1 and len(explanations[0]) > 1
    return [] if several_pairs else explanations


def in_words(explanations):
    """Return explanations as one message, honest about how sure it is."""
    if len(explanations) == 1:
        return _one_in_words(explanations[0])
    shown = explanations[:MOST_SHOWN]
    lines = [f"• {_one_in_words(texts)}" for texts in shown]
    more = len(explanations) - len(shown)
    return "\n\n".join([SEVERAL, *lines, *([MORE.format(more=more)] if more else [])])


def _one_in_words(texts):
    first, *second = map(_sentence, texts)
    return TWO.format(first=first, second=second[0]) if second else first


def _sentence(text):
    return ended(text if text.startswith("`") else text[0].upper() + text[1:])


def ended(text):
    """Return a sentence with a full stop, unless it ends already."""
    return text if text[-1] in ".?!" else f"{text}."
