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
from course.site.about import about_page
from course.site.drawings import drawing
from course.site.exercises import data_of_exercise, words_module
from course.site.opening import opening, opening_module
from course.site.ports import own_discount_base
from course.site.words import INSTEAD, LEFT_OUT, SENTENCES
from coursekit.course import Course, Part

HERE = Path(__file__).parent

COURSE = Course(
    package="course",
    title="Understanding NDCG",
    kicker="A free course on NDCG, the number that judges search results",
    lead="Make this ranking as bad as you can",
    invitation=(
        "Here are five results, with grades from 1 to 3 for how useful they are. Their best "
        "order has an NDCG of 1. Guess how low it can get, then drag them and see."
    ),
    about=(
        "NDCG, the normalized discounted cumulative gain, is the number behind many search "
        "engines, recommenders and leaderboards. This free course takes it apart: you bet before "
        "you see an answer, move every number yourself, and learn what a score of 0.84 is worth."
    ),
    audience=(
        "It is for people who build or judge search, recommendations or learned rankings, and for "
        "those who teach them. You need means and logarithms, some Python for the later chapters, "
        "and no knowledge of ranking."
    ),
    license="BSD 3-Clause License",
    opening=opening,
    parts={
        "Read a number": Part(
            "What is a score of 0.84 worth?",
            (
                "start_here",
                "order",
                "gain_discounted",
                "five_rankings",
                "cutoff",
                "floors",
                "pool",
            ),
        ),
        "Compute it": Part(
            "Does your program compute what you think it does?",
            ("ties", "your_own_ndcg", "clinic", "files"),
        ),
        "Choose its parts": Part(
            "Can a choice that nobody told you about change who wins?",
            ("gain", "discount", "readers", "conventions"),
        ),
        "Decide": Part(
            "Is the better one really better?",
            ("significance", "selection", "opinions", "clicks", "interleaving"),
        ),
        "Train on it": Part(
            "How do you climb a hill that has no slope?",
            (
                "staircase",
                "climb",
                "held_out",
                "baselines",
                "regression",
                "surrogates",
                "lambdamart",
                "trees",
            ),
        ),
        "Scale it and report it": Part(
            "Does it work on a billion rows, and would a stranger believe your number?",
            ("sql", "scale", "samples", "leaderboard", "report_card"),
        ),
    },
    drawing=drawing,
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
        "One day": (
            "start_here",
            "gain_discounted",
            "cutoff",
            "floors",
            "ties",
            "clinic",
            "report_card",
        ),
        "Read a report": ("start_here", "gain_discounted", "cutoff", "floors"),
        "Implement it": (
            "gain_discounted",
            "five_rankings",
            "floors",
            "pool",
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
            "selection",
            "opinions",
            "clicks",
            "interleaving",
            "leaderboard",
            "report_card",
        ),
        "Train a ranker": (
            "gain_discounted",
            "floors",
            "staircase",
            "climb",
            "held_out",
            "baselines",
            "regression",
            "surrogates",
            "lambdamart",
            "trees",
        ),
    },
    documents=(
        "README.md",
        "INSTALL.md",
        "INSTRUCTORS.md",
        "CONTRIBUTING.md",
        "helpers/README.md",
        "src/course/bets/questions.md",
    ),
    warm_ups=warm_ups,
    live={Task: data_of_task},
    judge=data_of_exercise,
    modules=lambda: {
        "exercise_words.js": words_module(),
        "drill_words.js": drill_words(),
        "opening.js": opening_module(),
    },
    ports={"own-discount": own_discount_base},
    widgets=(Listed,),
    styles=OWN_STYLES,
    static=(HERE / "site" / "static",),
    pages={"practice": practice_page, "about": about_page},
    code=(*(Path(one.__file__).parent for one in (helpers, ndcglib)), HERE),
    left_out=LEFT_OUT,
    instead=INSTEAD,
    sentences=SENTENCES,
    told={("ties", "shuffle"): HERE / "site" / "told" / "ties.md"},
)
