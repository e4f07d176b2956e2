"""The words of a figure: a sentence and a table, and how a notebook shows them."""

import reprlib
from html import escape
from typing import NamedTuple

import plotly.graph_objects as go
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


class Picture:
    """A figure as the course shows it: no upload button, and words where it fails."""

    def __init__(self, figure):
        self.figure = figure

    def _repr_mimebundle_(self, include=None, exclude=None):
        return mime_bundle(self.figure)


def describe(figure):
    """Return the sentence and the table of a figure.

    Parameters
    ----------
    figure : go.Figure or dict
        One that carries its words, or the same as plain dicts.

    Returns
    -------
    Description

    Raises
    ------
    TypeError, ValueError
        If it is not a figure, or carries no description.
    """
    if not isinstance(figure, (dict, go.Figure)):
        raise TypeError(f"figure must be one of `figures`, got {reprlib.repr(figure)}")
    if (
        "layout" not in figure
        or "meta" not in (layout := figure["layout"])
        or "sentence" not in (layout["meta"] or ())
    ):
        raise ValueError(
            "figure has no description in layout.meta; make it with a function of `figures`"
        )
    meta = layout["meta"]
    return Description(meta["sentence"], list(meta["header"]), [list(r) for r in meta["rows"]])


def mime_bundle(figure):
    """Return the interactive figure with our configuration, and its sentence."""
    plain = figure if isinstance(figure, dict) else figure.to_plotly_json()
    return {PLOTLY_MIME: plain | {"config": CONFIG}, "text/plain": describe(figure).sentence}


def show(figure):
    """Show a figure in the notebook, its sentence and its table below it.

    Parameters
    ----------
    figure : go.Figure
        One that carries its words.

    Raises
    ------
    TypeError, ValueError
        As `describe`.
    """
    described = describe(figure)
    display(Picture(figure))
    display(described)
