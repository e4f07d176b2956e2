"""Searching scikit-learn's own manual: real text, real judgments, no download.

The documents are the docstrings of the installed scikit-learn. Its developers
wrote the judgments without knowing it: a "See Also" section names the entries
that somebody who reads this one may want next.
"""

import inspect
import re
from dataclasses import dataclass

import numpy as np

from wording import nearest

# "See Also" holds the answers. Examples are code whose imports name the neighbors,
# and references are titles of papers: neither describes the entry.
NOT_SEARCHED = frozenset({"See Also", "Examples", "References"})

MIN_LINKS = 2

SEE_ALSO_GRADE = 2
SAME_MODULE_GRADE = 1

_ROLE = re.compile(r":\w+:`~?([^`]*)`")  # :class:`~sklearn.decomposition.PCA`
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*")
_UNDERLINE = re.compile(r"-{3,}")


@dataclass(frozen=True)
class Document:
    """One entry of the manual.

    Attributes
    ----------
    name : str
        As you would import it: "KMeans", "k_means".
    module : str
        Where it lives, in two parts at most: "sklearn.cluster".
    summary : str
        The first line of its docstring.
    text : str
        What the rankers may search: the docstring without the sections
        `NOT_SEARCHED`. It begins with the summary.
    """

    name: str
    module: str
    summary: str
    text: str


@dataclass(frozen=True, eq=False)
class ManualSearch:
    """Queries, candidates and grades of the search through the manual.

    Attributes
    ----------
    documents : tuple of Document, of length n_docs
        Sorted by name, capitals before small letters.
    queries : ndarray of int, shape (n_queries,)
        Which document asks. Its summary is the query; the ranker "name words" looks
        at its name instead.
    candidates : ndarray of int, shape (n_queries, n_docs - 1)
        Positions in `documents` of what there is to rank: everything except the
        document that asks, in the order of `documents`.
    grades : ndarray of int, shape (n_queries, n_docs - 1)
        Of each candidate: 2 if the developers listed it under "See Also", 1 if it
        is in the same module, 0 otherwise.
    """

    documents: tuple[Document, ...]
    queries: np.ndarray
    candidates: np.ndarray
    grades: np.ndarray

    @property
    def modules(self):
        """The module of each query's document, as text: queries of one module belong together.

        Grade 1 is the module itself, so that what one ranker does to a query of a module it
        does to the others, too. `ndcglib.significance.compare` takes them as ``groups``.
        """
        return np.array([self.documents[query].module for query in self.queries])

    def row_of(self, name):
        """Return which query the entry of this name asks.

        Parameters
        ----------
        name : str
            For instance "TruncatedSVD".

        Returns
        -------
        int
            A row of `queries`, `candidates` and `grades`.

        Raises
        ------
        ValueError
            If no query comes from an entry of that name.
        """
        names = [self.documents[query].name for query in self.queries]
        if name not in names:
            some = f"; there are {len(names)}: {names[:3]}…"
            raise ValueError(f"no query comes from {name!r}{nearest(name, names) or some}")
        return names.index(name)

    def pick(self, table):
        """Return the candidates' columns of a table over all documents.

        Parameters
        ----------
        table : array-like of shape (n_queries, n_docs)

        Returns
        -------
        ndarray of shape (n_queries, n_docs - 1)
            Without each query's own document.
        """
        return np.take_along_axis(np.asarray(table), self.candidates, axis=1)


def read_manual():
    """Return the `ManualSearch` of the installed scikit-learn; `manual_search` keeps one."""
    entries = _public_entries()
    sections = [_sections(entry.__doc__) for entry in entries.values()]
    documents = tuple(
        _document(name, entry, parts)
        for (name, entry), parts in zip(entries.items(), sections, strict=True)
    )
    links = _links([document.name for document in documents], sections)
    queries = np.array([i for i, targets in enumerate(links) if len(targets) >= MIN_LINKS])
    everyone = np.arange(len(documents))
    candidates = np.array([np.delete(everyone, query) for query in queries])
    grades = np.take_along_axis(_grades(documents, queries, links), candidates, axis=1)
    return ManualSearch(documents, queries, candidates, grades)


def _public_entries():
    """Return the estimators and functions that have a docstring: name to object, sorted."""
    # Here, not above: who only asks `loaded` need not load scikit-learn.
    from sklearn.utils.discovery import all_estimators, all_functions

    found = sorted(all_estimators() + all_functions(), key=lambda pair: (pair[0], _path(pair[1])))
    entries = {}
    for name, entry in found:
        vendored = _path(entry).startswith("sklearn.externals.")
        if entry.__doc__ and not vendored:
            entries.setdefault(name, entry)  # a name stands for one document
    return entries


def _path(entry):
    return f"{entry.__module__}.{entry.__qualname__}"


def _document(name, entry, parts):
    """Return the entry as a document; `parts` are the sections of its docstring."""
    summary = " ".join(parts[""].strip().split("\n\n")[0].split())
    searched = [text for title, text in parts.items() if title not in NOT_SEARCHED]
    return Document(name, _public_module(entry), summary, "\n".join(searched).strip())


def _public_module(entry):
    """Return the module without its private parts: sklearn.cluster._kmeans is sklearn.cluster."""
    package, _, rest = entry.__module__.partition(".")
    first = rest.split(".")[0]
    return package if first.startswith("_") else f"{package}.{first}"


def _sections(docstring):
    """Split a numpydoc docstring into title to text; what comes first has the title ""."""
    lines = inspect.cleandoc(docstring).split("\n")
    sections, title = {"": []}, ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.strip() and _UNDERLINE.fullmatch(below.strip()):
            title = line.strip()
            sections.setdefault(title, [])
        elif not _UNDERLINE.fullmatch(line.strip()):
            sections[title].append(line)
    return {title: "\n".join(text) for title, text in sections.items()}


def _links(names, sections):
    """Return for each document the positions of the documents under its "See Also"."""
    position = {name: i for i, name in enumerate(names)}
    links = []
    for own, parts in enumerate(sections):
        listed = {position.get(name) for name in _see_also_names(parts.get("See Also", ""))}
        links.append(sorted(listed - {None, own}))
    return links


def _see_also_names(text):
    """Return the names that a "See Also" section lists, without their modules.

    A line is "name : description", "module.name: description", a role such as
    ":class:`name`", or several names with commas. Indented lines only go on with a
    description. Names of other packages (scipy.stats.mode) and of methods
    (RocCurveDisplay.from_estimator) are no entries of the manual.
    """
    lines = [line for line in text.split("\n") if line and not line[0].isspace()]
    items = [item.strip() for line in lines for item in _before_colon(line).split(",")]
    names = [item for item in items if _IDENTIFIER.fullmatch(item)]
    return [n.rpartition(".")[2] for n in names if "." not in n or n.startswith("sklearn.")]


def _before_colon(line):
    return _ROLE.sub(r"\1", line).partition(":")[0]


def _grades(documents, queries, links):
    """Return the grades as a table (n_queries, n_docs), own documents still included."""
    modules = np.array([document.module for document in documents])
    same_module = modules[queries][:, np.newaxis] == modules
    grades = np.where(same_module, SAME_MODULE_GRADE, 0)
    for row, query in enumerate(queries):
        grades[row, links[query]] = SEE_ALSO_GRADE
    return grades
