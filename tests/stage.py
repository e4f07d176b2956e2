"""What is on the stage of an explorer, for the tests."""

import re


def layout(explorer):
    return explorer.stage.figure["layout"]


def title(explorer):
    return layout(explorer)["title"]["text"].replace("<br>", " ")


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
