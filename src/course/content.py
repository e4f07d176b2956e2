"""What this course hands to the engine."""

from functools import partial
from pathlib import Path

import helpers
import ndcglib
from course.bets import BETS
from course.drills.page import data_of_task, practice_page
from course.drills.page import words_module as drill_words
from course.drills.practice import Task
from course.drills.warm_ups import warm_ups
from course.exercises import CATALOG
from course.explorers import EXPLORERS, tie_shuffler
from course.explorers.listed import OWN_STYLES, Listed
from course.site.exercises import data_of_exercise, words_module
from course.site.ports import own_discount_base
from course.site.words import INSTEAD, LEFT_OUT, SENTENCES
from coursekit.course import Course

HERE = Path(__file__).parent

COURSE = Course(
    package="course",
    title="Understanding NDCG",
    lead=(
        "Five search results can stand in 120 orders, and each dot is one of them. Drag a result "
        "up or down, and see what NDCG, the number behind many a leaderboard, makes of your order."
    ),
    about=(
        "A free course on DCG and NDCG, the ranking metrics behind search and recommendation. You "
        "bet before you see an answer, move every number yourself, and find out what an 0.84 is "
        "worth."
    ),
    opening=("start_here", "drag"),
    bets=BETS,
    catalog=CATALOG,
    explorers={
        **EXPLORERS,
        "constant-model": partial(tie_shuffler, [1] * 3 + [0] * 17, [0] * 20, k=5, seed=7),
    },
    titles={"constant-model": "Tie shuffler: a constant model"},
    # As in its notebook, beside the reader's own program: lines of the board fit both.
    calls={"compare-code": "compare_code(file_order)"},
    paths={
        "An afternoon": (
            "start_here",
            "gain_discounted",
            "cutoff",
            "floors",
            "ties",
            "clinic",
            "report_card",
        ),
        "Read a number": ("start_here", "gain_discounted", "cutoff", "floors"),
        "Implement it": (
            "gain_discounted",
            "five_rankings",
            "ties",
            "your_own_ndcg",
            "clinic",
            "files",
        ),
        "Choose and report": (
            "floors",
            "pool",
            "gain",
            "discount",
            "conventions",
            "significance",
            "opinions",
            "report_card",
        ),
        "Train on it": (
            "gain_discounted",
            "floors",
            "climb",
            "held_out",
            "surrogates",
            "lambdamart",
        ),
    },
    documents=("README.md", "INSTRUCTORS.md", "CONTRIBUTING.md", "helpers/README.md"),
    warm_ups=warm_ups,
    live={Task: data_of_task},
    judge=data_of_exercise,
    modules=lambda: {"exercise_words.js": words_module(), "drill_words.js": drill_words()},
    ports={"own-discount": own_discount_base},
    widgets=(Listed,),
    styles=OWN_STYLES,
    static=(HERE / "site" / "static",),
    pages={"practice": practice_page},
    code=(*(Path(one.__file__).parent for one in (helpers, ndcglib)), HERE),
    left_out=LEFT_OUT,
    instead=INSTEAD,
    sentences=SENTENCES,
)
