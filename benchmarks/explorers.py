"""How fast the explorers answer, in JupyterLab in a headless browser.

Run by `make bench`. From a key press to the redrawn figure, thirty moves of each
explorer, each move beside one of a bare slider that only echoes its value in a label:
the two take turns, so that a busy machine is busy for both, at the pace of a reader.
Moves that follow each other within some 200 ms take 25 to 35 ms more, a bare slider's too:
Jupyter's server holds a second small message back until the browser has acknowledged the
first (Nagle), and the browser's system waits up to 40 ms with that where it has sent
something just before (delayed ACK). The issue's limits are printed beside what was found;
a slow machine fails none of them by itself, for they are ratios, or generous.
"""

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import lab
import nbformat
from lab import wait_for_figures, write_notebook
from test_browser import NOTEBOOKS

from course.explorers import EXPLORERS
from coursekit.explorers.declaration import Text, Whole

MOVES = 30
PACE = 300  # milliseconds between two moves
MOST_RATIO = 2.0
MOST_SECONDS_DRAWN = 4.0
SECONDS_HELD = 5
MOST_SECONDS_IDLE = 1.0

ECHO = """import ipywidgets
from coursekit.widgets.controls import Slider
echo, label = Slider(label="Echo", min=0, max=100, value=50), ipywidgets.HTML("50")
echo.observe(lambda change: setattr(label, "value", str(change["new"])), "value")
ipywidgets.VBox([echo, label.add_class("bench-echo")])"""


class Moved(NamedTuple):
    """The part of an explorer that is moved, and the keys that move it to and fro."""

    control: str
    keys: tuple = ("ArrowRight", "ArrowLeft")


def moved(declaration):
    """Return what to move: a number if there is one, a choice if there is nothing else."""
    for control in declaration.controls.values():
        if isinstance(control, Text):
            return SPECIAL[declaration.name]
        if isinstance(control, Whole) and control.typed:
            return Moved(".ndcg-number input", ("ArrowUp", "ArrowDown"))
        if isinstance(control, Whole):
            keys = Moved("").keys
            return Moved(".ndcg-slider input", keys[:: -1 if control.value == control.max else 1])
    return Moved(".ndcg-choice input:checked")


FIRST_ROW = Moved('.ndcg-handle[title="D1"]', ("Alt+ArrowDown", "Alt+ArrowUp"))
SPECIAL = {
    "own-discount": Moved(".ndcg-pad input >> nth=4", ("ArrowDown", "ArrowUp")),
    "drag-list": FIRST_ROW,
    "every-order": FIRST_ROW,
}

# Clocks in the page: started by the key, stopped at the frame that shows the answer.
CLOCKS = """() => {
  const stop = () => requestAnimationFrame(() => setTimeout(() => {
    if (window.stopped === null) window.stopped = performance.now();
  }));
  const watch = (selector) => document.querySelectorAll(selector).forEach((place) =>
    new MutationObserver(stop).observe(place, {
      childList: true, subtree: true, characterData: true,
    }));
  window.started = window.stopped = null;
  document.addEventListener("keydown", () => {
    window.started ??= performance.now();
  }, true);
  watch(".bench-echo, .ndcg-drag :is(.ndcg-big, .ndcg-status)");
  document.querySelectorAll(".ndcg-figure").forEach((figure) =>
    figure.on?.("plotly_afterplot", stop));
}"""


def one_move(page, control, key):
    """Return the milliseconds from a key press to the frame that shows its answer."""
    page.wait_for_timeout(PACE)
    page.locator(control).first.focus()
    page.evaluate("window.started = window.stopped = null")
    page.keyboard.press(key)
    page.wait_for_function("window.stopped !== null", polling=10, timeout=20_000)
    return page.evaluate("window.stopped - window.started")


def moves(page, tried):
    """Return the times of the echo and of an explorer, taking turns."""
    page.evaluate(CLOCKS)
    floor, own = [], []
    for i in range(MOVES + 3):  # the first ones warm up
        floor.append(one_move(page, ".ndcg-slider input", ("ArrowRight", "ArrowLeft")[i % 2]))
        own.append(one_move(page, f".bench-explorer {tried.control}", tried.keys[i % 2]))
    return floor[3:], own[3:]


def high(times):
    """Return the 95th percentile."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]


def bench_moves(desk):
    """Print the table of all explorers; return whether each keeps the limit."""
    print(f"key press to redrawn figure, ms, {MOVES} moves; limit of the ratio {MOST_RATIO:g}")
    print(f"  {'':44} {'echo':>10} {'95%':>6} {'explorer':>12} {'95%':>6}")
    kept = True
    for name, make in EXPLORERS.items():
        tried = moved(make().declaration)
        with desk.opened() as page:
            lab.run_all(page, f"{name}.ipynb")
            page.locator(f".bench-explorer {tried.control}").first.wait_for()
            if "drag" not in name:
                wait_for_figures(page)
            page.wait_for_timeout(1_500)
            floor, own = moves(page, tried)
        ratio = statistics.median(own) / statistics.median(floor)
        kept &= ratio <= MOST_RATIO
        print(
            f"  {name:44} {statistics.median(floor):10.0f} {high(floor):6.0f} "
            f"{statistics.median(own):12.0f} {high(own):6.0f}   x {ratio:.2f}"
        )
    return kept


def bench_pages(desk):
    """Print how soon after Run All the explorers of each notebook stand; return if in time."""
    print("Run All on a warm kernel to the last explorer drawn, s")
    kept = True
    for path in NOTEBOOKS:
        stages = sum(
            "explorer" in c.metadata.get("tags", []) for c in nbformat.read(path, 4).cells
        )
        if not stages:
            continue
        with desk.opened() as page:
            lab.run_all(page, path.name)  # the kernel stays warm
            seconds = drawn_after(page, path.name, stages)
        kept &= seconds <= MOST_SECONDS_DRAWN
        print(f"  {path.name:44} {seconds:10.1f}   limit {MOST_SECONDS_DRAWN:g}")
    return kept


def drawn_after(page, notebook, stages):
    """Return the seconds from Run All until so many explorers are drawn."""
    lab.open_notebook(page, notebook)
    page.wait_for_timeout(3_000)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    start = time.perf_counter()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """(n) => [".ndcg-figure .main-svg:first-child", ".ndcg-drag .ndcg-list"]
          .reduce((sum, place) => sum + document.querySelectorAll(place).length, 0) >= n""",
        arg=stages,
        polling=20,
        timeout=60_000,
    )
    return time.perf_counter() - start


def bench_held_key(desk):
    """Hold an arrow key; print when the last value stands and the kernel rests."""
    print(f"an arrow key held for {SECONDS_HELD} s: s until it is drawn and the kernel idle")
    kept = True
    with desk.opened() as page:
        lab.run_all(page, "where-is-the-floor.ipynb")
        wait_for_figures(page)
        page.get_by_role("radio", name="1 of 10").check(force=True)
        slider = page.get_by_role("slider", name="Your NDCG")
        for key, end in (("ArrowLeft", "0"), ("ArrowRight", "100")):
            slider.focus()
            hold(page, key)
            start = time.perf_counter()
            words = f"reach your {int(end) / 100:.2f}"
            page.locator(".ndcg-sentence").filter(has_text=words).wait_for()
            page.get_by_text("| Idle").wait_for()
            seconds = time.perf_counter() - start
            kept &= seconds <= MOST_SECONDS_IDLE and slider.input_value() == end
            print(f"  {key:44} {seconds:10.2f}   limit {MOST_SECONDS_IDLE:g}")
    return kept


def hold(page, key):
    """Hold a key, with the repeats of a real keyboard, thirty in a second."""
    end = time.perf_counter() + SECONDS_HELD
    while time.perf_counter() < end:
        page.keyboard.down(key)
        time.sleep(1 / 30)
    page.keyboard.up(key)


def write_notebooks(folder):
    """Write one notebook for each explorer, the echo above it."""
    for name in EXPLORERS:
        setup = f"from course.explorers import EXPLORERS\n{ECHO}"
        cell = f'explorer = EXPLORERS["{name}"]()\nexplorer.add_class("bench-explorer")\nexplorer'
        write_notebook(folder / f"{name}.ipynb", setup, cell)


def main():
    """Measure and print; exit with 1 if a limit is broken."""
    if lab.CHROMIUM is None:
        print(f"SKIPPED: {lab.WHY_SKIPPED}")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_notebooks(folder)
        for notebook in NOTEBOOKS:
            shutil.copy(notebook, folder)
        with lab.desk(folder) as desk:
            kept = [bench(desk) for bench in (bench_moves, bench_pages, bench_held_key)]
    print("all limits kept" if all(kept) else "a limit is broken: see above")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
