"""What is said to a number that somebody typed."""

import re

from coursekit.exercises.outcome import Outcome

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
LONGEST = 20  # letters; nobody types more decimals
CLOSE = 1.5  # times what is right: the right method, and digits lost on the way
# What is said; the page of the site says the same.
SAYS = {
    "blank": "Type a number, such as 0.714.",
    "long": "That is too long for a number. Type one, such as 0.714.",
    "percent": "Type the share and not the percentage: 71.4% is 0.714.",
    "fraction": "Type what the fraction comes to: 5/7 is 0.714.",
    "no number": "That is not a number that I can read. Type one, such as 0.714.",
    "comma": "(The comma was read as a decimal point.)",
    "right": "It is {result}.",
    "short": "Right as far as it goes. Give three decimals.",
    "close": "The method is right, but the third decimal is off. Keep all digits to the end.",
    "wrong": "Begin like this: {first}",
}


def judge(problem, typed):
    """Return the `Outcome` of a text that was typed as the answer to a `Problem`."""
    text = typed.strip().replace("−", "-")
    read = text.replace(",", ".", 1)
    if reason := _unread(text, read):
        return Outcome("not attempted" if reason == "blank" else "wrong shape", SAYS[reason])
    verdict, words = _verdict(problem, read)
    return Outcome(verdict, words if read == text else f"{words} {SAYS['comma']}")


def _unread(text, read):
    """Return why a text is not one number, or nothing."""
    if not text:
        return "blank"
    if len(text) > LONGEST:
        return "long"
    if NUMBER.fullmatch(read):
        return ""
    if text.endswith("%"):
        return "percent"
    return "fraction" if re.fullmatch(r"[0-9.]+ ?/ ?[0-9.]+", text) else "no number"


def _verdict(problem, read):
    kind, given = problem.kind, float(read)
    unit = kind.unit(problem.answer)
    miss, decimals = abs(given - problem.answer) / unit, len(read.partition(".")[2])
    if miss <= kind.right + 1e-12:
        return "correct", SAYS["right"].format(result=problem.result)
    if kind.decimals and 0 < decimals < 3 and miss <= 0.5 * 10**-decimals + 1e-9:
        return "almost", SAYS["short"]
    if kind.decimals and miss <= CLOSE * kind.right:
        return "almost", SAYS["close"]
    for says, value in problem.slips.items():
        if abs(given - value) / unit <= kind.right + 1e-12:
            return "named", says
    return "wrong", SAYS["wrong"].format(first=problem.steps[0])


def first_try(outcome):
    """Return whether an outcome makes a first try right, or None if it was no try.

    A text that cannot be read is none, and neither is a right number short of decimals.
    """
    if outcome.verdict in ("not attempted", "wrong shape") or SAYS["short"] in outcome.message:
        return None
    return outcome.verdict in ("correct", "almost")
