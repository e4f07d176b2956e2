"""What the front page opens with: a list in its best order, to be made as bad as it gets.

Each order that the reader tries leaves a dot on the scale from 0 to 1, so nothing is given away:
where the scale really begins is found by hand. Then the orders that were not tried join the pile.
"""

import itertools
from html import escape

from course.explorers.listed import OWN, order_text
from coursekit.widgets.part import module
from ndcglib.metrics import ndcg

ASKED = "how do I fix a flat tire?"
PAGES = {
    "A flat tire, step by step": 3,
    "Take off a back wheel": 2,
    "When to patch a tube": 2,
    "Patch kits compared": 1,
    "Which tire for gravel?": 1,
}
JUDGED = 0.84  # the number in the mail that chapter 00 begins with
QUESTION = "How low can it get?"
HINT = "Move the blue dot."
THEN = "Now drag the results to find out."
EACH = "Each order that you try leaves a dot."
GUESS = "How low can the NDCG get?"
WORST = (
    "Even the worst of the {orders} orders scores {worst:.2f}, so what is a score of {judged} "
    "worth?"
)


def opening(keep_data, placeholder):
    """Return the placeholder of the list; without a script the list stands still in it."""
    data = opening_data()
    rows = "".join(
        f"<li>{escape(title)} <small>grade {grade}</small></li>" for title, grade in PAGES.items()
    )
    still = (
        f'<div class="ndcg-fallback"><p><strong>{escape(ASKED)}</strong></p><ol>{rows}</ol>'
        "<p>In this order their NDCG is 1.00.</p>"
        "<noscript><p><em>To drag them, this page needs JavaScript.</em></p></noscript></div>"
    )
    return placeholder("opening", "opening", keep_data("opening", data), still)


def opening_data():
    """Return what the page must know: the list, and the NDCG of each of its orders."""
    grades = list(PAGES.values())
    orders = itertools.permutations(range(len(grades)))
    values = {order_text(order): ndcg([grades[i] for i in order], ranked=True) for order in orders}
    worst = min(values.values())
    return {
        "asked": ASKED,
        "titles": list(PAGES),
        "grades": grades,
        "values": {order: round(value, 6) for order, value in values.items()},
        "worst": round(worst, 6),
        "question": QUESTION,
        "hint": HINT,
        "then": THEN,
        "each": EACH,
        "label": GUESS,
        "judged": JUDGED,
        "said": WORST.format(orders=len(values), worst=worst, judged=JUDGED),
    }


def opening_module():
    """Return the module of the page that brings the list to life, with all that it imports."""
    return module(OWN / "opening.js")
