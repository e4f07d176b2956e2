"""The words of a figure: a sentence and a table, and how a notebook shows them."""

from html import escape
from typing import NamedTuple

import plotly.graph_objects as go
from IPython.display import display

from helpers.figures.style import CONFIG
from helpers.metrics.checks import brief
from helpers.tables import html_table, text_table

PLOTLY_MIME = "application/vnd.plotly.v1+json"


class Description(NamedTuple):
    """What a figure says, for those who cannot see it."""

    sentence: str
    header: list
    rows: list

    def _repr_html_(self):
        return words_html(self.sentence, html_table(self.header, self.rows))

    def __repr__(self):
        return f"{self.sentence}\n{text_table(self.header, self.rows)}"


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
        From `helpers.figures`, or a plain one, as `helpers.figures.style.frame` makes it.

    Returns
    -------
    Description

    Raises
    ------
    TypeError, ValueError
        If it is not a figure, or carries no description.
    """
    if not isinstance(figure, (dict, go.Figure)):
        raise TypeError(f"figure must be one of helpers.figures, got {brief(figure)}")
    if (
        "layout" not in figure
        or "meta" not in (layout := figure["layout"])
        or "sentence" not in (layout["meta"] or ())
    ):
        raise ValueError(
            "figure has no description in layout.meta; make it with a function of helpers.figures"
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
        From `helpers.figures`.

    Raises
    ------
    TypeError, ValueError
        As `describe`.
    """
    described = describe(figure)
    display(Picture(figure))
    display(described)
