"""The page About of the site: how to cite the course, what is accessible, what it is made of."""

TEXT = """# About this course

## How to cite it

```bibtex
@misc{understanding-ndcg,
  title  = {Understanding NDCG: a course in notebooks},
  author = {{The authors of Understanding NDCG}},
  year   = {2026},
  note   = {BSD 3-Clause License}
}
```

To cite one chapter, give its title and the address of its page. The chapters name their own \
sources at their ends.

## What is kept, and what is sent

The pages keep in your browser which chapters you have read, what you bet, which exercises you \
solved, and which problems of *Practice* are due. *Forget it*, below the list of chapters, \
deletes the first three; what is due stays until you clear what your browser keeps of this \
site. Nothing is sent: the pages ask no server for anything but their own files, and count no \
visitors.

## What is accessible, and what is not

Every explorer, bet and exercise works with the keyboard alone. An explorer says in a sentence \
what it shows, and has its numbers as a table. Lists are moved with Alt and the arrow keys, and \
each move is put into words. Each figure has its sentence as text for screen readers, and no \
meaning rests on color alone. Pages are checked by machine against WCAG 2.2, levels A and AA, \
in light and dark, and on a phone.

These things are not solved. Inside a figure a screen reader finds the sentence and the table, \
but not the single marks. No person who depends on a screen reader has tested the course. \
Figures that are wider than a phone scroll sideways. Programs run in the notebooks only.

## What it is made of

The chapters are Jupyter notebooks; [Sphinx](https://www.sphinx-doc.org/) and the skeleton of \
[Furo](https://github.com/pradyunsg/furo) set their pages, and \
[plotly.js](https://plotly.com/javascript/) draws. The faces are Source Serif 4 by Frank \
Grießhammer and Source Sans 3 by Paul D. Hunt (SIL Open Font License), cut down to the letters \
that the course uses.
"""


def about_page(_keep_data, _placeholder):
    """Return the page in Markdown."""
    return TEXT
