"""The panel on the right of two explorers: one query in its present order, rank by rank."""

from typing import NamedTuple

from course.figures.staircases import LETTERS
from helpers.marks import UPRIGHT, cutoff_marks, note, tick_step
from helpers.numbers import rounded
from helpers.style import BLUE, INK, ON_THE_RIGHT
from ndcglib.ranking import ranks

MOST_TICKS = 5
BRACKET, BRACKET_ENDS = 0.87, 0.82  # in heights of the panel, above the highest bar


class RankedDocs(NamedTuple):
    """One query in its present order, rank by rank.

    `ties` are the first and last rank of each group of equal scores; `moved` is the letter of
    the document whose score moves, "" if all do; `k` the last rank that counts.
    """

    letters: list
    grades: list
    scores: list
    ties: list
    moved: str
    k: int

    @property
    def tied_with_moved(self):
        """The letters of the documents that tie with the one that moves."""
        groups = [self.letters[first - 1 : last] for first, last in self.ties]
        group = next((group for group in groups if self.moved in group), [])
        return [letter for letter in group if letter != self.moved]

    @property
    def words(self):
        """The order, with what ties."""
        ties = ", ".join("=".join(self.letters[i - 1 : j]) for i, j in self.ties)
        return " ".join(self.letters) + (f" (tied: {ties})" if ties else "")


def ranked(scores, grades, k, moved=""):
    """Return the documents of a query, whose letters are A, B and so on, in their order."""
    places = ranks(scores)
    order = sorted(range(len(scores)), key=lambda i: places[i])
    return RankedDocs(
        letters=[LETTERS[i] for i in order],
        grades=grades[order].tolist(),
        scores=[round(score, 6) for score in scores[order].tolist()],
        ties=sorted({(first, last) for first, last in places if first < last}),
        moved=moved,
        k=k,
    )


def bars(docs, fills):
    """Return a bar for each rank, as high as the grade; a document is seen to change its rank."""
    moves = [letter == docs.moved for letter in docs.letters]
    return dict(
        type="bar",
        x=list(range(1, len(docs.grades) + 1)),
        y=rounded(docs.grades),
        ids=docs.letters,
        marker=dict(color=fills, line=dict(color=BLUE, width=1.5)),
        text=[f"<b>{x}</b>" if own else x for x, own in zip(docs.letters, moves, strict=True)],
        textfont=dict(size=17, color=INK),
        **UPRIGHT,
        showlegend=False,
        customdata=docs.scores,
        hovertemplate="%{text}, grade %{y}, score %{customdata:.3f}<extra></extra>",
        **ON_THE_RIGHT,
    )


def brackets(docs):
    """Return a bracket over each group of ranks that tie, and the cutoff."""
    shapes, annotations = [], []
    place = dict(xref="x2", yref="y2 domain")
    for first, last in docs.ties:
        left, right = first - 0.4, last + 0.4
        for x0, x1, y0 in (
            (left, right, BRACKET),
            (left, left, BRACKET_ENDS),
            (right, right, BRACKET_ENDS),
        ):
            look = dict(color=INK, width=2.5)
            shapes.append(dict(type="line", x0=x0, x1=x1, y0=y0, y1=BRACKET, line=look, **place))
        middle = dict(x=(first + last) / 2, xanchor="center", y=BRACKET, yanchor="bottom")
        annotations.append(note("tie", size=16, **middle, **place))
    if docs.k < len(docs.grades):
        marks = cutoff_marks(docs.k + 0.5, f"k = {docs.k}", ("2",))
        shapes += marks["shapes"]
        annotations += [words | dict(xanchor="right", xshift=-4) for words in marks["annotations"]]
    return shapes, annotations


def rank_axes(docs, whose=""):
    """Return the two axes of the panel, as traits of a layout; `whose` says whose list it is."""
    n, top = len(docs.grades), max(docs.grades)
    ranks_axis = dict(range=[0.4, n + 0.6], tickvals=list(range(1, n + 1)))
    ticks = list(range(0, top + 1, tick_step(top, MOST_TICKS)))
    # No line: it would go on where no grade is, beside the brackets.
    grades = dict(title_text="grade", range=[0, 1.5 * top], tickvals=ticks, showline=False)
    title = f"rank, {whose}" if whose else "rank"
    return dict(title_text=title, **ranks_axis), grades


def rank_rows(docs):
    """Return a row of a table for each rank."""
    documents = zip(docs.letters, docs.grades, docs.scores, strict=True)
    return [(rank, *doc) for rank, doc in enumerate(documents, start=1)]
