"""What a page says where a notebook speaks of running cells; tested in test_site_pages.

A notebook has one text, for JupyterLab. Where a sentence of it is untrue on a page, the page
says what is true there, and this is the list of all such places.
"""

import re

# Cells that have no place on a page: the front page has the map; a page has no kernel to test.
LEFT_OUT = {
    "start_here": {
        "map",
        "paths",
        "no-kernel",
        "self-test-md",
        "self-test",
        "self-test-notice",
    }
}

# Whole cells with a text of the page's own.
INSTEAD = {
    ("start_here", "how"): (
        "## How to read a page\n\n"
        "The course is {course}; the [front page](index.md) has them in order, with their "
        "minutes.\n\n"
        "1. **Bet before you read on.** A bet shows you what you believed before you knew. Nobody "
        "sees it; nothing is sent or stored.\n"
        "2. **Do what *Try this* says**, in that order, then read *What to notice*.\n"
        "3. **Answer the exercises.** Where the page has a box, it says whether your answer is "
        "right, and if not, which slip leads to it. Programs run in the notebook; hints and a "
        "solution are folded below each of them.\n"
        "4. **Answer the recall questions from memory.** They look back at earlier pages on "
        "purpose."
    ),
    ("start_here", "self-test-why"): (
        "The notebook of this page goes on with a test of your JupyterLab; a page needs none: "
        "if the list above moves, every explorer of the course will."
    ),
}

JUDGED = (
    "Where there is a box, type your answer: the page looks for the slip in a wrong one. A "
    "program runs in the notebook. Hints and a solution are folded below each exercise."
)
# Sentences, as patterns; `{notebook}` is where the notebook runs, or its name.
SENTENCES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            r"Replace each blank, `____`,(?: by your answer)? and run the cell[.:]"
            r"(?: The check tells you whether it is right, and if not, it looks for the slip\."
            r"| [Tt]he check looks for the slip in a wrong answer\.)?"
            r"(?: Take the `#`[^.]*\.)?",
            JUDGED,
        ),
        (r"After this notebook you can", "After this page you can"),
        (r"\(This notebook\)", "(This page)"),
        (r"as the next cell shows", "as the next program shows"),
        (r"find it, fix it, run the cell\.", "find it and fix it."),
        (
            r"\*\*Make it yours\.\*\* ([^.:]*[.:])",
            r"**Make it yours** in {notebook}. \1",
        ),
        (r" If no slider moves, run the self-test of \[[^]]*\]\([^)]*\)\.", ""),
        (r"the course, installed, and no knowledge of ranking\. To run [^\n]*", "nothing."),
        (r"\n- tell whether your JupyterLab [^\n]*", ""),
        (r"\n- If the self-test says [^\n]*", ""),
        (r"\n3\. What do you do when a slider does not react\?", ""),
        (r"\n3\. Check that a kernel runs; [^\n]*", ""),
    )
)
# What no sentence of a page may say.
UNTRUE = re.compile(
    r"[Rr]un (?:the|this) cell|Take the `?#|Shift \+ Enter|self-test|"
    r"[Nn]otebook \d\d|Run All"
)
