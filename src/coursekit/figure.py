"""A chart is a figure with its words, a sentence and a table; and how a notebook shows it."""

import reprlib
from html import escape
from typing import NamedTuple

from IPython.display import display

from wording import aligned, format_cell, html_table

PLOTLY_MIME = "application/vnd.plotly.v1+json"
# What plotly puts around a chart. Nothing here may offer to upload it.
CONFIG = {
    "displaylogo": False,
    "displayModeBar": False,
    # JupyterLab follows the width itself. plotly's own way would, at each change of the
    # window, take the height of a figure that is not on the screen for 0.
    "responsive": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
}


class Chart(NamedTuple):
    """A figure with its words, for those who cannot see it.

    As the last line of a cell it shows the figure alone, `show` its words below it too.

    Parameters
    ----------
    data : list of dict
        The traces, as plotly.js takes them.
    layout : dict
        The layout, as plotly.js takes it. A figure to change is one line away:
        ``plotly.graph_objects.Figure(chart.data, chart.layout)``.
    sentence : str
        What it says, with its numbers.
    header : list of str
        The columns of its table.
    rows : list of list
        The rows of its table.
    """

    data: list
    layout: dict
    sentence: str
    header: list
    rows: list

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {PLOTLY_MIME: {"data": self.data, "layout": self.layout, "config": CONFIG}}

    def __repr__(self):
        return self.sentence


class Description(NamedTuple):
    """What a figure says, for those who cannot see it."""

    sentence: str
    header: list
    rows: list

    def _repr_html_(self):
        return words_html(self.sentence, html_table(self.header, self.rows))

    def __repr__(self):
        rows = [list(map(format_cell, row)) for row in self.rows]
        return f"{self.sentence}\n{aligned([self.header, *rows])}"


def words_html(sentence, table):
    """Return a sentence and, folded below it, a table (HTML) as one piece of HTML."""
    return (
        f"<p>{escape(sentence)}</p>"
        f"<details><summary>The numbers as a table</summary>{table}</details>"
    )


def describe(figure):
    """Return the sentence and the table of a chart.

    Parameters
    ----------
    figure : Chart
        From a function of `figures`.

    Returns
    -------
    Description

    Raises
    ------
    TypeError
        If it is another thing, such as a figure of plotly, which has no words.
    """
    if not isinstance(figure, Chart):
        expected = "figure must be a Chart, as a function of figures returns it"
        raise TypeError(f"{expected}, got {reprlib.repr(figure)}")
    return Description(figure.sentence, figure.header, figure.rows)


def show(figure):
    """Show a chart in the notebook, its sentence and its table below it.

    Parameters
    ----------
    figure : Chart
        From a function of `figures`.

    Raises
    ------
    TypeError
        As `describe`.
    """
    described = describe(figure)
    display(figure)
    display(described)
