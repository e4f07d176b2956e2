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
        "sees it: it is kept in your browser, where *Forget it* in the list of chapters deletes "
        "it, and nothing is sent. What a program prints that would give the answer away is "
        "folded until you have bet, or unfold it.\n"
        "2. **Do what *Try this* says**, in that order, then read *What to notice*.\n"
        "3. **Answer the exercises.** Where the page has a box, it says whether your answer is "
        "right, and if not, which slip (a small mistake) leads to it. Programs run in the "
        "notebook; hints and a solution are folded below each of them.\n"
        "4. **Answer the recall questions from memory.** They look back at earlier pages on "
        "purpose."
    ),
    ("ties", "shuffle-task"): (
        "## Break the ties\n\n"
        "Here are the 20 documents of the bet as cards, in the order of the file, and on the "
        "right the NDCG of their list. What happens to it is told in six steps. Then the "
        "controls are yours."
    ),
    ("start_here", "glossary"): (
        "## Glossary\n\n"
        "You need none of these words today, because each is explained where it first comes up. "
        "If you have forgotten one later, follow its link, or look it up in the "
        "[glossary](glossary.md)."
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
# Sentences; `{notebook}` is where the notebook runs, or its name. A sentence that changes in a
# notebook is no longer found, and a test says so.
SENTENCES = {
    "Replace each blank, `____`, and run the cell.": JUDGED,
    "Replace each blank, `____`, with your answer and run the cell.": JUDGED,
    "Replace each blank, `____`, and run the cell: the check looks for the slip in a wrong "
    "answer.": JUDGED,
    " The check looks for the slip in a wrong answer.": "",
    " The check tells you whether it is right, and if not, it looks for the slip.": "",
    " Take the `#` from a line for a hint or a solution.": "",
    " Take the `#` away from a line for a hint, or for one solution.": "",
    "After this notebook you can": "After this page you can",
    "(This notebook)": "(This page)",
    "Find it, fix it, and run the cell.": "Find it and fix it.",
    "To judge a run of your own:": "To judge a run of your own, open {notebook}:",
    "**Make it yours.**": "**Make it yours** in {notebook}.",
    " If no slider moves, run the self-test of [notebook 00](00_start_here.ipynb).": "",
    "the course, installed, and no knowledge of ranking. To run the cells, press Shift + Enter in "
    "each of them, from the top. If the next cell says *No module named helpers*, this notebook "
    "is running in a different Python from the course's: stop it, type `make lab` in the folder "
    "of the course, and open it again from there.": "nothing.",
    "\n- tell whether your JupyterLab displays the course as intended": "",
    "\n- If the self-test says *works* three times, the explorers of the course will work as "
    "well.": "",
    " (If you do not see four answers to click below, go to *Do the sliders work?* further "
    "down, and then come back here.)": "",
    "\n3. What do you do when a slider does not react?": "",
    "\n3. Check that a kernel runs; then follow the table under the self-test.": "",
}
# What no sentence of a page may say.
UNTRUE = re.compile(
    r"[Rr]un (?:the|this) cell|Take the `?#|Shift \+ Enter|self-test|"
    r"[Nn]otebook \d\d|Run All"
)
