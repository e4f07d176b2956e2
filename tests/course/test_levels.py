"""Beside each NDCG of a ranking stands what a shuffle gets; of many queries, the ceiling, too."""

import re

import pytest
from notebook_rules import HEADING, NOTEBOOKS, chapter, mimes, tags, unfenced

from coursekit.authoring.write import PLOTLY, output_text, read

CHAPTERS = [path.stem[3:] for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
OTHER_CELLS = {"setup", "bet", "reveal", "exercise", "explorer", "widget", "warm-up"}
LEVEL = r"\b(random|chance|constant|shuffle|all scores equal)\b"
CEILING = r"\b(ceiling|best order|perfect order)\b"
REAL = r"\b(manual|triage|ndcg_long|cross_val_score)\b"  # a mean over real queries

STANDS_UNDER = {  # a cell to one above it, in another section, that prints the levels of its list
    "gain_discounted": {"breakdown-code": "orders-code"},
    "ties": {"sorting-code": "worked-total"},
    "floors": {"compare-code": "real-code"},
    "gain": {"tools-print": "bet-code"},
    "conventions": {"matrix-figure": "five-code"},
    "climb": {"rosenbrock-code": "rival-code"},
    "scale": {
        "pieces-code": "large-table",
        "billion-ten": "large-table",
        "billion-code": "large-table",
    },
    "samples": {"queries-sample": "large-table"},
    "leaderboard": {
        "ideal-code": "ties-code",
        "baseline-code": "ties-code",
    },
}
EVERY = "its text says that no query is empty"
FEW, FOUR = "a list of few documents, by hand", "four documents by hand, in all their orders"
NO_TABLE = {  # what is printed is no table of rankers
    "readers": {"pages-table": "nobody knows the other documents of the three pages"},
    "pool": {
        "pool-code": FEW,
        "one-query-figure": "one query, document by document",
        "real-pool-means": EVERY,
    },
    "files": {
        "passes-code": EVERY,
        "ragged-table": FEW,
        "trec-eval": FEW,
        "negative-code": FEW,
    },
    "conventions": {
        "fingerprint-code": "numbers of tools on seven documents",
        "fingerprint-sklearn": "numbers of tools on seven documents",
        "empty-code": "its text says what the best order gets",
    },
    "staircase": {
        "slopes-code": "slopes",
        "linear-code": FOUR,
        "crossing": FOUR,
    },
    "lambdamart": {"slope-code": "slopes"},
    "trees": {"steps-figure": "differences of two ways to train, which chance has at 0"},
    "samples": {"need-sd": "standard deviations"},
}


def printed(cell):
    return "\n".join(map(output_text, cell.outputs))


def prints_ndcg(cell):
    """Tell whether a cell prints an NDCG, and not only a picture of one that is printed above."""
    of_ndcg = re.search(r"\b(ndcg(?!lib)|breakdown|cutoff_curves)", cell.source)
    says_so = of_ndcg or "NDCG" in printed(cell)
    return bool(says_so and re.search(r"\b[01]\.\d{3}", printed(cell)))


def sections(nb):
    """Yield the code cells below each heading, of whatever level."""
    found = []
    for cell in nb.cells:
        if cell.cell_type == "code" and not OTHER_CELLS & set(tags(cell)):
            found.append(cell)
        elif any(HEADING.match(line) for line in unfenced(cell.source).split("\n")):
            yield found
            found = []
    yield found


def without(nb, pattern, asked, under, exempt):
    """List the cells that print an NDCG in a section where no cell prints the level."""
    cells = {cell.id: cell for cell in nb.cells}
    places = list(cells)

    def stands_under_one(cell):
        above = under.get(cell.id, cell.id)
        is_above = places.index(above) < places.index(cell.id)
        return is_above and re.search(pattern, printed(cells[above]))

    return [
        cell.id
        for section in sections(nb)
        if not re.search(pattern, "\n".join(map(printed, section)))
        for cell in section
        if prints_ndcg(cell) and asked(cell) and cell.id not in exempt
        if not stands_under_one(cell)
    ]


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_ndcg_stands_beside_its_random_level(name):
    rules = STANDS_UNDER.get(name, {}), NO_TABLE.get(name, {})
    assert without(read(chapter(name)), LEVEL, lambda cell: True, *rules) == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_mean_over_real_queries_stands_beside_its_ceiling(name):
    def is_a_mean(cell):
        return re.search(REAL, cell.source) and PLOTLY not in mimes(cell)

    rules = STANDS_UNDER.get(name, {}), NO_TABLE.get(name, {})
    assert without(read(chapter(name)), CEILING, is_a_mean, *rules) == []


def test_no_exception_is_left_over():
    """Each is of a cell that there is and that needs it."""
    for name in CHAPTERS:
        nb = read(chapter(name))
        bare = {
            cell
            for pattern in (LEVEL, CEILING)
            for cell in without(nb, pattern, lambda cell: True, {}, {})
        }
        assert {*STANDS_UNDER.get(name, {}), *NO_TABLE.get(name, {})} <= bare, name
