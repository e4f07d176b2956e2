"""Record the front page for README and for messengers.

``python -m tools.record build/site`` writes notebooks/pictures/front.png and front.gif, in which a
pointer moves the guess, and drags the list to its worst order.
"""

import argparse
import functools
import io
import shutil
import threading
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from coursekit.site.serve import SiteHandler, server

PICTURES = Path(__file__).parents[1] / "notebooks" / "pictures"
SIZE = {"width": 1280, "height": 672}
SCROLLED, SCALE = 59, 0.9375  # the list is in sight whole, on 1200 by 630
MOVES = ((0, 4), (0, 3), (0, 2), (0, 1))  # row from, row to: the list ends turned over
GUESS = -0.2  # from the middle, in widths of the scale
STEPS, COLORS = 5, 96
POINTER = ((0, 0), (0, 20), (5, 16), (9, 24), (13, 22), (9, 15), (16, 15))


def frames(page):
    """Yield pictures of the page and milliseconds, while a pointer guesses and drags rows."""
    shoot = functools.partial(_picture, page)
    yield shoot(None), 1600
    box = page.locator(".ndcg-opening-scale input").bounding_box()
    guess = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    yield from _dragged(page, shoot, guess, (guess[0] + GUESS * box["width"], guess[1]))
    for start, end in MOVES:
        rows = page.locator(".ndcg-opening .ndcg-row").all()
        boxes = [row.locator(".ndcg-handle").bounding_box() for row in rows]
        x = boxes[start]["x"] + 60
        a, b = (boxes[i]["y"] + boxes[i]["height"] / 2 for i in (start, end))
        yield from _dragged(page, shoot, (x, a), (x, b))
    page.wait_for_timeout(1200)
    yield shoot(None), 4500


def _dragged(page, shoot, start, end):
    page.mouse.move(*start)
    yield shoot(start), 350
    page.mouse.down()
    for step in range(1, STEPS + 1):
        at = [a + (b - a) * step / STEPS for a, b in zip(start, end, strict=True)]
        page.mouse.move(*at)
        yield shoot(at), 90
    page.mouse.up()
    page.wait_for_timeout(1200)
    yield shoot(end), 500


def _picture(page, at):
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if at:
        tip = [SCALE * one for one in at]
        draw = ImageDraw.Draw(picture)
        draw.polygon([(tip[0] + x, tip[1] + y) for x, y in POINTER], fill="white", outline="black")
    return picture


def main(arguments=None):
    """Record the site in a folder."""
    parser = argparse.ArgumentParser(prog="python -m tools.record", description=__doc__)
    parser.add_argument("site", type=Path, metavar="build/site")
    given = parser.parse_args(arguments)
    host = server(given.site, handler=SiteHandler)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    with sync_playwright() as tools:
        browser = tools.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE, device_scale_factor=SCALE)
        page.goto(
            f"http://127.0.0.1:{host.server_address[1]}/index.html", wait_until="networkidle"
        )
        page.locator(".ndcg-opening .ndcg-row").first.wait_for()
        page.evaluate(f"scrollTo({{ top: {SCROLLED}, behavior: 'instant' }})")
        taken = list(frames(page))
        browser.close()
    # One palette for all: what stands still is stored once.
    palette = taken[-1][0].quantize(COLORS, Image.Quantize.MAXCOVERAGE)
    flat = Image.Dither.NONE
    pictures = [one.quantize(palette=palette, dither=flat) for one, _ in taken]
    pictures[0].save(PICTURES / "front.png", optimize=True)
    milliseconds = [ms for _, ms in taken]
    pictures[0].save(
        PICTURES / "front.gif",
        save_all=True,
        append_images=pictures[1:],
        duration=milliseconds,
        loop=0,
        optimize=True,
    )


if __name__ == "__main__":
    main()
