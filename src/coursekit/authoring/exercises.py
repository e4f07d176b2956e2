"""Fill the cells of exercises from their texts.

A code cell tagged ``exercise`` and the markdown cell before it, tagged ``question``,
belong to the exercise that their ids name: ``my-dcg`` and ``my-dcg-question``. Their text
in the notebook is never edited: change the text in `content`, run ``make notebooks``.
"""

import copy

from wording import nearest

QUESTION = "-question"


def fill_exercises(nb, exercises):
    """Return a copy of a notebook, its exercises filled in from their texts and numbered in order.

    `exercises` are those of the course, by name.

    Raises a LookupError, which names the exercise, if it has no text, or question and exercise
    do not follow each other.
    """
    nb = copy.deepcopy(nb)
    number, asked = 0, None
    for cell in nb.cells:
        tags = cell.metadata.get("tags", [])
        if asked and cell.id != asked:
            raise LookupError(f"question {asked!r} is not followed by its exercise")
        if "question" in tags:
            number, asked = number + 1, cell.id.removesuffix(QUESTION)
            cell.source = find(asked, exercises).question(number)
        elif "exercise" in tags:
            if cell.id != asked:
                raise LookupError(f"exercise {cell.id!r} does not follow its question")
            cell.source, asked = find(cell.id, exercises).cell(number), None
    if asked:
        raise LookupError(f"question {asked!r} is not followed by its exercise")
    return nb


def find(name, exercises):
    """Return an exercise by its name."""
    if name not in exercises:
        raise LookupError(f"no exercise {name!r} among the texts{nearest(name, exercises)}")
    return exercises[name]
