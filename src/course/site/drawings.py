"""A drawing for each chapter, for its card on the front page: no words, true numbers.

They are SVG of 320 by 150 and take their colors from the page, so that they are at home in
light and dark: the classes ``blue``, ``orange``, ``quiet`` and ``ink`` fill, and with ``line``
they draw.
"""

import itertools

import numpy as np

from ndcglib.metrics import discount_weights, gain_values, ndcg
from ndcglib.tuning import lambdarank_loss

WIDTH, HEIGHT, EDGE = 320, 150, 24
PAGES = [3, 2, 3, 0, 1]  # a list to draw


def drawing(name):
    """Return the drawing of a chapter, by the short name of its notebook, as SVG."""
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" class="ndcg-drawing"'
    return f"<svg {frame}>{''.join(DRAWINGS[name]())}</svg>"


# --- shapes -----------------------------------------------------------------------------


def _box(x, y, width, height, look, round_by=2):
    numbers = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {numbers} rx="{round_by}" class="{look}"/>'


def _dot(x, y, radius, look):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="{look}"/>'


def _line(points, look):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" class="line {look}"/>'


def _across(n):
    """Return n places from the left to the right."""
    return np.linspace(EDGE + 8, WIDTH - EDGE - 8, n)


def _up(values, low=0.0, high=1.0):
    """Return the heights of values on a scale that fills the drawing."""
    share = (np.asarray(values, dtype=float) - low) / (high - low)
    return HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE)


def _curve(values, look, *, radius=0, low=0.0, high=1.0):
    """Return a curve through values, with a dot at each of them if it has a radius."""
    points = list(zip(_across(len(values)), _up(values, low, high), strict=True))
    dots = [_dot(x, y, radius, look) for x, y in points] if radius else []
    return "".join([_line(points, look), *dots])


def _rows(n):
    return np.linspace(EDGE + 6, HEIGHT - EDGE - 6, n)


# --- read a number ----------------------------------------------------------------------


def _start_here():
    yield _box(90, 34, 140, 84, "quiet", 6)
    yield _line([(92, 38), (160, 88), (228, 38)], "ink")
    yield _dot(230, 34, 14, "orange")


def _order():
    for y, grade, best in zip(_rows(5), PAGES, sorted(PAGES, reverse=True), strict=True):
        yield _box(40, y - 7, 4 + 32 * grade, 14, "orange" if grade != best else "blue")
        yield _box(190, y - 7, 4 + 32 * best, 14, "blue")


def _gain_discounted():
    for x, gain, kept in zip(_across(5), [3, 2, 3, 0, 1], discount_weights(5), strict=True):
        height = 30 * gain + 4
        yield _box(x - 14, HEIGHT - EDGE - height, 28, height, "quiet")
        yield _box(x - 14, HEIGHT - EDGE - height * kept, 28, height * kept, "blue")


def _five_rankings():
    for row, y in enumerate(_rows(5)):
        for place, x in enumerate(np.linspace(80, 240, 5)):
            grade = PAGES[(place * (row + 1) + row) % 5]
            yield _dot(x, y, 3 + 2.6 * grade, "blue" if grade else "quiet")


def _cutoff():
    grades = [2, 3, 0, 0, 3, 1, 0, 2]
    values = [ndcg(grades, ranked=True, k=k) for k in range(1, 9)]
    yield _curve(values, "blue", radius=5, low=0.4, high=0.9)


def _floors():
    orders = itertools.permutations([3, 3, 2, 1, 0])
    values = [ndcg(list(one), ranked=True) for one in orders]
    counts, _edges = np.histogram(values, 18, (0.64, 1))
    for x, count in zip(np.linspace(118, WIDTH - EDGE - 8, 18), counts, strict=True):
        yield _box(x - 4.5, HEIGHT - EDGE - 7 * count, 9, 7 * count, "blue")
    yield _line([(EDGE, HEIGHT - EDGE), (WIDTH - EDGE, HEIGHT - EDGE)], "ink")
    yield _line([(210, EDGE), (210, HEIGHT - EDGE)], "orange")


def _pool():
    yield _dot(130, 75, 50, "quiet")
    yield _dot(190, 75, 50, "blue half")
    for x, y in ((112, 60), (122, 96), (160, 58), (162, 92), (206, 76)):
        yield _dot(x, y, 5, "ink")
    yield _dot(268, 40, 5, "orange")


# --- compute it -------------------------------------------------------------------------


def _ties():
    ends = _up([0.95, 0.8, 0.62, 0.45, 0.2])
    for y in ends:
        yield _line([(60, 75), (200, y)], "quiet")
        yield _dot(200, y, 6, "blue")
    yield _dot(60, 75, 9, "orange")
    yield _line([(250, ends[0]), (250, ends[-1])], "ink")
    yield _dot(250, float(np.mean(ends)), 6, "ink")


def _program(left, look):
    """Yield five lines of a program; ``look(line, width)`` is that of a word."""
    lines = (0, 28, 70, 34), (1, 40, 24), (1, 74, 30), (1, 30, 30, 26), (1, 44, 66)
    for line, (y, (indent, *words)) in enumerate(zip(_rows(5), lines, strict=True)):
        x = left + 22 * indent
        for width in words:
            yield _box(x, y - 5, width, 10, look(line, width), 5)
            x += width + 8


def _your_own_ndcg():
    yield from _program(70, lambda _line, width: "blue" if width > 60 else "quiet")


def _clinic():
    yield from _program(50, lambda line, _width: "orange" if line == 2 else "quiet")
    yield _box(238, 51, 16, 48, "orange")
    yield _box(222, 67, 48, 16, "orange")


def _files():
    for row, y in enumerate(_rows(5)):
        for column, x in enumerate((62, 128, 194, 232)):
            width = (58, 58, 30, 30)[column]
            missing = row == 3 and column > 1
            look = "line orange dashed" if missing else "blue" if column == 2 else "quiet"
            yield _box(x, y - 6, width, 12, look)


# --- choose its parts -------------------------------------------------------------------


def _gain():
    grades = np.linspace(0, 3, 40)
    yield _curve(gain_values(grades, "exponential") / 7, "orange")
    yield _curve(grades / 7, "blue")
    for grade, x in enumerate(_across(4)):
        yield _dot(x, _up((2**grade - 1) / 7), 5, "orange")
        yield _dot(x, _up(grade / 7), 5, "blue")


def _discount():
    ranks = np.arange(1, 13)
    for weights, look in (
        (discount_weights(12), "blue"),
        (1 / ranks, "orange"),
        (1 - (ranks - 1) / 12, "quiet"),
    ):
        yield _curve(weights, look, radius=3.5)


def _readers():
    for place, x in enumerate(_across(7)):
        left = 0.7**place
        yield _dot(x, 62, 5 + 9 * left, "blue")
        yield _box(x - 4 - 9 * left, 82 + 9 * (1 - left), 8 + 18 * left, 30 * left + 6, "blue", 6)


def _conventions():
    for y, flags in ((52, (1, 0, 1)), (98, (1, 1, 0))):
        for x, is_on in zip((70, 140, 210), flags, strict=True):
            yield _box(x, y - 13, 46, 26, "blue" if is_on else "quiet", 13)
            yield _dot(x + (33 if is_on else 13), y, 9, "paper")


# --- decide -----------------------------------------------------------------------------


def _significance():
    yield _line([(160, 20), (160, 130)], "ink dashed")
    for y, low, high, look in (
        (40, 118, 236, "quiet"),
        (75, 146, 214, "orange"),
        (110, 172, 222, "blue"),
    ):
        yield _line([(low, y), (high, y)], f"{look} thick")
        yield _dot((low + high) / 2, y, 7, look)


def _selection():
    """Show twenty equals by their measured means, and the best of them above the line of all."""
    means = np.random.default_rng(4).normal(0.42, 0.13, 20)
    yield _line([(36, _up(0.42)), (284, _up(0.42))], "ink dashed")
    for place, mean in enumerate(means):
        best = mean == means.max()
        yield _dot(_across(20)[place], _up(mean), 9 if best else 6, "orange" if best else "quiet")


def _opinions():
    for left, right, look in (
        (36, 60, "quiet"),
        (60, 86, "quiet"),
        (86, 114, "quiet"),
        (116, 34, "orange"),
    ):
        yield _line([(90, left), (230, right)], look)
        yield _dot(90, left, 6, look)
        yield _dot(230, right, 6, look)


def _clicks():
    for rank, (y, grade) in enumerate(zip(_rows(5), (1, 0, 2, 1, 2), strict=True), start=1):
        looks = 250 / rank  # who looks, and of them who clicks
        yield _box(36, y - 8, looks, 16, "quiet")
        yield _box(36, y - 8, looks * (0.05, 0.3, 0.7)[grade], 16, "blue")


def _interleaving():
    """Show a page in the middle, and on each side the ranking of which it has half."""
    for row, y in enumerate(_rows(4)):
        is_left = row in (0, 3)  # who picked
        yield _box(124, y - 9, 72, 18, "blue" if is_left else "orange")
        yield _box(28, y - 9, 72, 18, "blue" if is_left else "quiet")
        yield _box(220, y - 9, 72, 18, "quiet" if is_left else "orange")
        yield _line([(102, y), (122, y)] if is_left else [(218, y), (198, y)], "ink")


# --- train on it ------------------------------------------------------------------------


def _staircase():
    steps = [0.15, 0.32, 0.32, 0.5, 0.42, 0.7, 0.92, 0.74, 0.6]
    ends = np.linspace(EDGE, WIDTH - EDGE, len(steps) + 1)
    heights = _up(steps)
    points = [
        (x, y)
        for a, b, y in zip(ends, ends[1:], heights, strict=False)
        for x, y in ((a, y), (b, y))
    ]
    yield _line(points, "blue")
    yield _dot((ends[6] + ends[7]) / 2, heights[6] - 10, 7, "orange")


def _climb():
    """Show a hill from above, and a way up it that turns one weight at a time."""
    around = np.linspace(0, 2 * np.pi, 49)
    for radius in (0.35, 0.68, 1):
        x, y = 210 + 86 * radius * np.cos(around), 66 + 54 * radius * np.sin(around)
        yield _line(list(zip(x, y, strict=True)), "quiet")
    way = [(40, 136), (104, 136), (104, 96), (168, 96), (168, 66), (206, 66)]
    yield _line(way, "blue")
    yield from (_dot(x, y, 4, "blue") for x, y in way[:-1])
    yield _dot(*way[-1], 7, "orange")


def _held_out():
    steps = np.arange(20)
    yield _curve(0.95 - 0.6 * 0.8**steps, "quiet")
    fresh = 0.72 - 0.4 * 0.75**steps - 0.012 * steps
    yield _curve(fresh, "orange")
    best = fresh.argmax()
    yield _dot(_across(20)[best], _up(fresh[best]), 7, "orange")


def _baselines():
    """Show a mean with its interval, as far to the right as two others, and one behind them."""
    for y, mean, look in ((30, 208, "blue"), (64, 212, "orange"), (98, 204, "orange")):
        yield _line([(mean - 56, y), (mean + 56, y)], f"{look} thick")
        yield _dot(mean, y, 7, look)
    yield _line([(60, 130), (164, 130)], "quiet thick")
    yield _dot(112, 130, 7, "quiet")


def _regression():
    """Show a paradox: within each of three groups the dots fall, and the groups rise."""
    for group, look in enumerate(("blue", "orange", "quiet")):
        for place in range(4):
            yield _dot(
                48 + 76 * group + 22 * place, _up(0.28 + 0.3 * group - 0.09 * place), 7, look
            )
    yield _line([(36, _up(0.1)), (284, _up(0.86))], "ink")


def _surrogates():
    steps = np.arange(20)
    yield _curve(0.1 + 0.85 * 0.82**steps, "quiet")
    found = [0.3] * 4 + [0.62] * 5 + [0.5] * 4 + [0.42] * 7
    yield _curve(found, "blue")


def _lambdamart():
    """Show the lambdas of the four documents of its page: grades as bars, pushes as arrows."""
    grades = [0, 1, 3, 2]
    _, slopes = lambdarank_loss(grades, [2, 1, 0.5, 0])
    for place, (y, grade, push) in enumerate(zip(_rows(4), grades, -slopes[0], strict=True)):
        yield _box(36, y - 8, 8 + 32 * grade, 16, "quiet")
        x, end = 180 + 34 * place, y - 110 * push
        tip = 9 if push > 0 else -9
        look = "blue" if push > 0 else "orange"
        if abs(push) < 0.05:
            yield _dot(x, y, 4, look)
            continue
        yield _line([(x, y), (x, end)], look)
        yield _line([(x - 7, end + tip), (x, end), (x + 7, end + tip)], look)


def _trees():
    """Show steps beside a line, each fitted to a bent truth, and then to a straight one."""
    t = np.linspace(0, 1, 60)
    for left, truth in ((24, 0.15 + 0.7 * np.sin(np.pi * t)), (176, 0.1 + 0.8 * t)):
        x, steps = left + 120 * t, truth.reshape(6, 10).mean(axis=1).repeat(10)
        line = np.polyval(np.polyfit(t, truth, 1), t)
        for values, look in ((truth, "quiet"), (steps, "blue"), (line, "orange")):
            yield _line(zip(x, _up(values), strict=True), look)


# --- scale it and report it -------------------------------------------------------------


def _sql():
    """Show the rows of a table in two groups, each counted from 1, through a window."""
    for row, y in enumerate(_rows(5)):
        look = "blue" if row < 3 else "orange"
        yield _box(60, y - 8, 96, 16, "quiet")
        for step in range(row + 1 if row < 3 else row - 2):
            yield _dot(186 + 22 * step, y, 7, look)
    yield _line([(46, 14), (274, 14), (274, 88), (46, 88), (46, 14)], "ink")


def _scale():
    for row, y in enumerate(np.linspace(20, 130, 12)):
        for column, x in enumerate(np.linspace(20, 300, 29)):
            look = "blue" if row in (5, 6) and 9 < column < 20 else "quiet"
            yield _dot(x, y, 3, look)


def _samples():
    ranks, drawn = _across(21), (2, 6, 12, 15, 19)  # of a list with its good document at 6
    for place, x in enumerate(ranks, start=1):
        yield _dot(x, 40, 5, "orange" if place == 6 else "blue" if place in drawn else "quiet")
    for x, place in zip(_across(5), drawn, strict=True):
        look = "orange" if place == 6 else "blue"
        yield _line([(ranks[place - 1], 50), (x, 98)], "quiet")
        yield _dot(x, 110, 9, look)


def _leaderboard():
    steps = [0.84, 0.8, 0.71, 0.74, 0.58, 0.62]
    bars = [(0, steps[0]), *itertools.pairwise(steps), (steps[-1], 0)]
    looks = ["ink", *("orange" if b < a else "blue" for a, b in bars[1:-1]), "ink"]
    for place, (ends, look) in enumerate(zip(bars, looks, strict=True)):
        top, bottom = sorted(_up(ends))
        yield _box(36 + 38 * place, top, 26, max(bottom - top, 2), look)


def _report_card():
    """Show a card: a number, an interval, and the lines below them."""
    yield _box(70, 14, 180, 124, "quiet", 8)
    yield _line([(96, 44), (224, 44)], "ink dashed")
    yield _line([(120, 44), (200, 44)], "blue thick")
    yield _dot(160, 44, 8, "blue")
    for y, right in ((76, 224), (96, 196), (116, 210)):
        yield _line([(96, y), (right, y)], "ink")


DRAWINGS = {
    "start_here": _start_here,
    "order": _order,
    "gain_discounted": _gain_discounted,
    "five_rankings": _five_rankings,
    "cutoff": _cutoff,
    "floors": _floors,
    "pool": _pool,
    "ties": _ties,
    "your_own_ndcg": _your_own_ndcg,
    "clinic": _clinic,
    "files": _files,
    "gain": _gain,
    "discount": _discount,
    "readers": _readers,
    "conventions": _conventions,
    "significance": _significance,
    "selection": _selection,
    "opinions": _opinions,
    "clicks": _clicks,
    "interleaving": _interleaving,
    "staircase": _staircase,
    "climb": _climb,
    "held_out": _held_out,
    "baselines": _baselines,
    "regression": _regression,
    "surrogates": _surrogates,
    "lambdamart": _lambdamart,
    "trees": _trees,
    "sql": _sql,
    "scale": _scale,
    "samples": _samples,
    "leaderboard": _leaderboard,
    "report_card": _report_card,
}
