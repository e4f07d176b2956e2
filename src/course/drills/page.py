"""The page Practice of the site: the same drills, from tables that are made with the site."""

import json

from course.drills import drills
from course.drills.judge import SAYS
from course.drills.markup import as_html, still
from course.drills.problem import problem

PROBLEMS = 100  # of each skill
A_DAY = 4
WORDS = {
    **SAYS,
    "unread": "Your boxes could not be read, so they begin anew.",
    "unkept": "Your boxes cannot be kept in this browser, and are lost when you close this page:",
    "unloaded": "The problems did not load. Check the network, and choose again:",
    "nothing due": "Nothing more is due today. The next problem is due on {day}.",
    "no cards": "This is not what the field of another browser holds.",
    "no card": "The box of {name} could not be read, so nothing was taken over.",
    "no line": "There is no such problem.",
    "how to move": "Copy this text into the same field of another browser, and press Take over "
    "there. What was in that browser is replaced.",
}
TEXT = """# Practice

Each problem draws its numbers, so there is always another one. Solve it with paper and a \
calculator, and type the number. The gain is the grade, unless a problem names another one. If \
your number comes from a slip that we know, you are told which one.

{board}

*Due today* keeps each skill in one of five boxes. Solve its problem at the first try, and it \
moves up a box and comes back after 1, 3, 7, 21 or 60 days; else it comes back after one day. It \
asks for {a_day} problems a day at most. The boxes are kept in this browser alone, and nothing is \
sent.

Your teacher can print the same problems as sheets, and `practice()` shows them in a notebook.
"""


def words_module():
    """Return the module of the page that has its words."""
    return f"export default {json.dumps(WORDS, ensure_ascii=False, indent=1)};\n"


def table_of(drill, numbers=range(1, PROBLEMS + 1)):
    """Return problems of a drill, as JSON can hold them; each message is kept once."""
    says, rows = {}, []
    for one in (problem(drill, no) for no in numbers):
        slips = [[value, says.setdefault(words, len(says))] for words, value in one.slips.items()]
        rows.append(
            {
                "asked": as_html(one.asked),
                "answer": float(one.answer),
                "result": one.result,
                "slips": slips,
                "steps": one.steps,
            }
        )
    return {
        "title": drill.title,
        "right": drill.kind.right,
        "relative": drill.kind.relative,
        "decimals": drill.kind.decimals,
        "says": [*says],
        "problems": rows,
    }


def data_of_task(task):
    """Return what a page must know of one problem that a notebook shows."""
    drill, no = task.problem.drill, task.problem.no
    return {"no": no, "table": table_of(drill, [no])}


def practice_page(keep_data, placeholder):
    """Return the page in Markdown.

    ``keep_data(name, data)`` keeps JSON beside the pages and returns its address, and
    ``placeholder(name, kind, address, still)`` returns what a module of the page brings to life.
    """
    skills = [
        {
            "name": name,
            "title": drill.title,
            "file": keep_data(f"drill-{name}", table_of(drill)),
        }
        for name, drill in drills().items()
    ]
    first = "".join(still(problem(drill, 1)) for drill in drills().values())
    address = keep_data("practice", {"skills": skills, "a day": A_DAY})
    board = placeholder("board", "practice", address, first)
    return TEXT.format(a_day=A_DAY, board=board)
