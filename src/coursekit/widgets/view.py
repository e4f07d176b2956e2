"""A view: what a stage shows of one state, as figure, formula, sentence and table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from coursekit.figure import CONFIG, Chart, describe
from wording import html_table

# Together with the controls this fits a projector of 1280 × 720 in JupyterLab. A stage makes it
# higher where there is more room.
HEIGHT = 330


class View(NamedTuple):
    """What an explorer shows in one state of its controls: a chart, and a formula.

    `formula` is MathML, empty where there is none; `rows` are more rows for the table: numbers
    that title, sentence or formula say and that the figure's own table lacks; `says` is the
    sentence, where it is not that of the figure. `touch` names, for the x axis of a panel, the
    number that stands on it, as in ``{"x2": "k"}``, or, as in ``{"around x": "direction"}``, the
    degrees that turn around its 0: a press or a drag in the panel sets it.
    """

    figure: Chart
    formula: str = ""
    rows: tuple = ()
    says: str = ""
    touch: Mapping = MappingProxyType({})

    @property
    def words(self):
        """Sentence and table."""
        words = describe(self.figure)
        width = len(words.header)
        more = [[*row, *[None] * (width - len(row))] for row in self.rows]
        return words._replace(sentence=self.says or words.sentence, rows=[*words.rows, *more])

    @property
    def sentence(self):
        """The figure in words."""
        return self.words.sentence

    @property
    def table(self):
        """The numbers as an HTML table."""
        words = self.words
        return html_table(words.header, words.rows)


def show_view(stage, view, *, touch=None):
    """Put a view on a stage in one message, so that nothing half old is ever drawn."""
    with stage.hold_sync():
        stage.touch = touch or {}
        for trait, value in content_of(view).items():
            setattr(stage, trait, value)


def content_of(view):
    """Return what a stage shows of a view, by the names of its traits."""
    words = view.words
    return {
        "figure": plain_figure(view.figure),
        "sentence": words.sentence,
        "formula": view.formula,
        "table": html_table(words.header, words.rows),
    }


def plain_figure(chart):
    """Return a chart as plotly.js takes it, at the height of a stage."""
    return {"data": chart.data, "layout": chart.layout | {"height": HEIGHT}, "config": CONFIG}
