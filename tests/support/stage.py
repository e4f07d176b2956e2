"""What is on the stage of an explorer, for the tests; and a figure as it goes to a page."""

import json
import re

import plotly.graph_objects as go


def layout(explorer):
    return explorer.stage.figure["layout"]


def title(explorer):
    return layout(explorer)["title"]["text"].replace("<br>", " ")


def title_of(view):
    """The title of a view, with its line breaks."""
    return view.figure.layout["title"]["text"]


def notes(explorer):
    """The words inside the figure."""
    return [note["text"] for note in layout(explorer).get("annotations", [])]


def traces(explorer):
    return explorer.stage.figure["data"]


def trace(explorer, name):
    return next(t for t in traces(explorer) if t.get("name") == name)


def table(explorer):
    """The rows of the table, without its header, as text."""
    rows = re.findall(r"<tr>(<td>.*?)</tr>", explorer.stage.table)
    return [re.findall(r"<td>(.*?)</td>", row) for row in rows]


def plain(formula):
    """A formula as text, its fractions as [above]/[below]."""
    fractions = r"<mfrac><mrow>(.*?)</mrow><mrow>(.*?)</mrow></mfrac>"
    return re.sub("<.*?>", "", re.sub(fractions, r"[\1]/[\2]", formula))


def in_plotly(chart):
    """A chart as plotly has it, for tests that read one trait by trait."""
    return go.Figure(dict(data=chart.data, layout=chart.layout), _validate=False)


def as_sent(chart):
    """What is drawn of a chart as a page gets it."""
    return json.loads(json.dumps(dict(data=chart.data, layout=chart.layout)))


def as_plotly_checks(chart):
    """The same once plotly has checked it, as the course does not; raises where it is wrong."""
    return json.loads(json.dumps(go.Figure(as_sent(chart)).to_plotly_json()))
