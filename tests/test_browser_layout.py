"""What a reader sees of every explorer: nothing covers another, nothing is cut.

With letters as wide as Verdana's and as narrow as Arial's: the fonts are the machine's.
"""

import lab
import pytest
from test_browser import TROUBLES, no_problem, open_notebook, write_notebook
from test_browser_present import TIED, fill_the_window, open_tab

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.parametrize("page", lab.FONTS, indirect=True),
]

SETUP = "from helpers.course.explorers import *\nsize_choice()"
OWN_CLIMB = """from helpers.datasets import ranking_data
from helpers.tuning import climb
data = ranking_data(100, 15, 4, noise=1.0, seed=3)
options = dict(k=10, start="zeros", restarts=1, validation=data.validation, progress=False)
runs = {"fixed steps": climb(*data.train, method="step", **options)}
X, y, _ = data.validation
some = y.any(axis=1).nonzero()[0][:4]
names = ["BM25", "TF-IDF", "name words", "summary word"]
climb_stepper(runs, (X[some], y[some]), k=10, features=names)"""
# What makes an explorer, and states beside its presets in which much has to find room.
EXPLORERS = {
    "slide_k": ("slide_k()", [dict(example="zigzag", k=8), dict(example="missed", pool="judged")]),
    "term_ledger": ("term_ledger()", [dict(rank=r, gain="exponential") for r in range(6)]),
    "floor": ("where_is_the_floor()", [dict(labels="12 mixed", k=12, yours=74)]),
    "compare_code": ("compare_code()", []),
    "duel": ("duel()", [dict(pair="both decide", base=27, k=5), dict(pair="one is better")]),
    "one_number": (
        "one_number()",
        [dict(number="40 queries", place=0, error=True), dict(number="C", place=80, error=True)],
    ),
    "climb_stepper": ("climb_stepper()", [dict(run="exact", number=1, query=2)]),
    "own_climb": (OWN_CLIMB, [dict(number=1, query=2)]),
    "epoch_slider": (
        "epoch_slider()",
        [
            dict(data=data, loss=loss, epoch=epoch)
            for data in ("linear", "shop")
            for loss in ("squared", "no intercept", "pairwise", "lambdarank")
            for epoch in (1, 31)
        ],
    ),
    "own_discount": ("own_discount()", [dict(shows="pairs", beside="geometric")]),
    "tie_shuffler": (
        f"tie_shuffler({TIED})",
        [dict(decimals=0, draws=101, convention="random")],
    ),
}
WINDOWS = {"a laptop": (1366, 768), "a small laptop": (1280, 720)}


def lines_of(make, wide):
    """Return the state lines of an explorer: its presets, then its wide states."""
    names = {}
    *setup, last = make.split("\n")
    exec(
        "\n".join(["from helpers.course.explorers import *", *setup, f"explorer = {last}"]), names
    )
    explorer = names["explorer"]
    lines = [explorer.state]
    for values in [*explorer.presets.values(), *wide]:
        explorer.reset()
        explorer.set(**values)
        lines.append(explorer.state)
    return list(dict.fromkeys(lines))


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layout")
    for name, (make, _) in EXPLORERS.items():
        for fonts in lab.FONTS:  # each with a kernel of its own: the size is the kernel's
            write_notebook(folder / f"{name}_{fonts}.ipynb", SETUP, make)
    with lab.lab(folder) as address:
        yield address


OVERFLOW = "(box) => box.scrollWidth - box.clientWidth"


def show(where, line):
    field = where.get_by_role("textbox", name="State")
    field.fill(line)
    field.press("Enter")
    where.page.wait_for_timeout(300)


def troubles(where):
    """Return what is wrong with what is on the screen, without its height."""
    found = where.locator(".ndcg-figure").evaluate(TROUBLES)
    formula = where.locator(".ndcg-formula")
    wide = formula.evaluate(OVERFLOW) if formula.is_visible() else 0
    return found + ([f"the formula is {wide} px too wide"] if wide > 0 else [])


def height(where, end=".ndcg-sentence"):
    """Return the pixels from the question to the end of the sentence, or of another part."""
    top = where.locator(".ndcg-explorer").bounding_box()["y"]
    last = where.locator(end).bounding_box()
    return last["y"] + last["height"] - top


def test_the_fonts_are_those_that_were_asked_for(page):
    """Else all below would be tested with whatever this machine has."""
    widths = {"wide": 1307, "narrow": 1192}  # of this line, per 100 px of letters
    for family in ("sans-serif", "system-ui", "Open Sans, Arial, DejaVu Sans"):
        width = page.evaluate(
            """(family) => {
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = `100px ${family}`;
              return Math.round(pen.measureText("NDCG rewards good order").width);
            }""",
            family,
        )
        assert width == widths[page.fonts], f"on Debian: {lab.NEEDED}"


@pytest.mark.parametrize("name", EXPLORERS)
def test_nothing_is_cut_or_covered(address, page, name):
    """In JupyterLab beside its file browser, and at projector size in a tab of its own."""
    open_notebook(page, address, f"{name}_{page.fonts}.ipynb")
    lines = lines_of(*EXPLORERS[name])
    wrong = []
    notebook = page.locator(".jp-Notebook")
    for window, (width, tall) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": tall})
        page.wait_for_timeout(500)
        room = page.locator(".jp-WindowedPanel-outer").first.bounding_box()["height"]
        is_tight = (page.fonts, window) == ("wide", "a small laptop")  # one scrolls to the words
        last = ".ndcg-figure" if is_tight else ".ndcg-sentence"
        for line in lines:
            show(notebook, line)
            wrong += [f"{window}, {line}: {trouble}" for trouble in troubles(notebook)]
            needed = height(notebook, end=last)
            if needed > room:
                wrong += [f"{window}, {line}: {needed:.0f} px high, {room:.0f} are there"]
    page.get_by_role("radio", name="a projector").check(force=True)
    view = open_tab(page)
    fill_the_window(page, view)
    room = view.bounding_box()
    for line in lines:
        show(view, line)
        wrong += [f"projector, {line}: {trouble}" for trouble in troubles(view)]
        figure = view.locator(".ndcg-figure").bounding_box()
        over = figure["y"] + figure["height"] - room["y"] - room["height"]
        needed = height(view)
        if over > 0 or needed > 720:
            wrong += [f"projector, {line}: figure {over:.0f} px over, {needed:.0f} px in all"]
    assert not wrong, "\n".join(wrong)
    no_problem(page)
