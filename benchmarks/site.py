"""How fast the explorers of the web site answer, in a headless browser.

Run by `make bench`. From a key press to the redrawn figure, thirty moves of each explorer of
each page. The issue's limit is printed beside what was found.
"""

import statistics
import sys
import tempfile
from pathlib import Path

import lab
from explorers import CLOCKS, FIRST_ROW, MOVES, high, one_move

from course.content import COURSE
from coursekit.site.build import build

MOST_MS = 50
# What is moved: the first of these that an explorer has, and the keys that move it to and fro.
CONTROLS = {
    ".ndcg-pad input >> nth=4": ("ArrowDown", "ArrowUp"),
    ".ndcg-number input": ("ArrowUp", "ArrowDown"),
    FIRST_ROW.control.replace('[title="D1"]', " >> nth=0"): FIRST_ROW.keys,
    ".ndcg-slider input": ("ArrowRight", "ArrowLeft"),
    ".ndcg-choice input:checked": ("ArrowRight", "ArrowLeft"),
}
DRAWN = ".main-svg, .ndcg-drag .ndcg-list"


def explorers(page):
    """Return the ids of what can be moved on a page, each drawn."""
    places = page.locator(".ndcg-live:is([data-kind=explorer], [data-kind=part])")
    ids = [place.get_attribute("id") for place in places.all()]
    for one in ids:
        page.locator(f"#{one}").scroll_into_view_if_needed()
        page.locator(f"#{one}").locator(DRAWN).first.wait_for()
    return ids


def moves(page, place):
    """Return the times of some moves of one explorer."""
    found = [name for name in CONTROLS if page.locator(f"#{place} {name}").count()]
    control, keys = f"#{place} {found[0]}", CONTROLS[found[0]]
    page.locator(control).first.scroll_into_view_if_needed()
    if page.locator(control).first.evaluate("input => input.max && input.value === input.max"):
        keys = keys[::-1]
    page.evaluate(CLOCKS)
    times = [one_move(page, control, keys[i % 2]) for i in range(MOVES + 3)]
    return times[3:]  # the first ones warm up


def bench(desk, address, names):
    """Print the table of all explorers; return whether each keeps the limit."""
    print(f"site: key press to redrawn figure, ms, {MOVES} moves; limit of the median {MOST_MS}")
    kept = True
    for name in names:
        page = desk.page()
        page.goto(address + name)
        for place in explorers(page):
            times = moves(page, place)
            kept &= statistics.median(times) <= MOST_MS
            print(f"  {f'{name}#{place}':44} {statistics.median(times):6.0f} {high(times):6.0f}")
        desk.close(page)
    return kept


def main():
    """Measure and print; exit with 1 if the limit is broken."""
    if lab.CHROMIUM is None:
        print(f"SKIPPED: {lab.WHY_SKIPPED}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        build(COURSE, Path(folder) / "site")
        names = sorted(path.name for path in (Path(folder) / "site").glob("*.html"))
        with lab.serving(Path(folder) / "site") as address, lab.desk(Path(folder)) as desk:
            kept = bench(desk, address, names)
    print("the limit is kept" if kept else "the limit is broken: see above")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
