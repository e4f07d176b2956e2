"""A stored page, read as a viewer without a kernel reads it: rendered by nbconvert."""

from pathlib import Path

import notebook_rules as rules
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

from coursekit.authoring.write import plotly_outputs, read

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def page(nb):
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(nb)
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[3:])
def test_each_figure_has_its_picture_its_sentence_and_its_table(path):
    """In the order of the notebook; explorers as well, and no answer to a bet lies open."""
    nb = read(path)
    shown = page(nb)
    sentences = [output.data["text/plain"] for output in plotly_outputs(nb)]
    pictures = shown.find_all("img", src=lambda source: source.startswith("data:image/png"))
    assert [picture["alt"] for picture in pictures] == sentences
    for picture, sentence in zip(pictures, sentences, strict=True):
        words = picture.find_next(string=lambda text, words=sentence: words in text)
        assert words
        assert words.find_next("table")
        assert words.find_next("img") in [*pictures[pictures.index(picture) + 1 :][:1], None]
    replies = shown.find_all(string=lambda text: text.startswith("You bet "))
    assert all(reply.find_parent("details") for reply in replies)
    assert len(replies) >= 3 * len(rules.tagged(nb, "bet"))
