"""A drawing for each chapter, for its card and its head: a few shapes that make its claim.

One to three labels say what the shapes are, in a word or a true number, which is computed here
as the shapes are. A number that a bet of the chapter asks for is a question mark. A page hides
the labels where a drawing is too small for words.

They are SVG of 320 by 150 and take their colors from the page, so that they are at home in
light and dark: the classes ``blue``, ``orange``, ``quiet`` and ``ink`` fill, and with ``line``
they draw.
"""

import itertools

import numpy as np

from course.explorers.waterfall import OURS, RANKERS, Waterfall
from ndcglib.conventions import Convention, evaluate
from ndcglib.conventions.examples import run_and_qrels
from ndcglib.datasets import manual_scores, manual_search
from ndcglib.metrics import discount_weights, gain_values, ndcg, random_ndcg
from ndcglib.significance import compare
from ndcglib.tuning import lambdarank_loss

WIDTH, HEIGHT, EDGE = 320, 150, 24
PAGES = [3, 2, 3, 0, 1]  # a list to draw
EMAILED = [2, 1, 3, 0, 3]  # the list of the email


def drawing(name):
    """Return the drawing of a chapter, by the short name of its notebook, as SVG."""
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" class="ndcg-drawing"'
    return f"<svg {frame}>{' '.join(DRAWINGS[name]())}</svg>"


# --- shapes -----------------------------------------------------------------------------


def _box(x, y, width, height, look, round_by=2):
    numbers = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {numbers} rx="{round_by}" class="{look}"/>'


def _dot(x, y, radius, look):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="{look}"/>'


def _line(points, look):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" class="line {look}"/>'


def _text(x, y, words, look="ink", anchor="middle"):
    """Return a label whose words stand on y; `anchor` says what of them is at x."""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.0f}" y="{y:.0f}"{at} class="{look}">{words}</text>'


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


def _rows(n, top=EDGE + 6):
    return np.linspace(top, HEIGHT - EDGE - 6, n)


# --- read a number ----------------------------------------------------------------------


def _start_here():
    yield _box(80, 22, 160, 108, "quiet", 6)
    yield _line([(82, 26), (160, 80), (238, 26)], "ink")
    yield _text(160, 114, f"NDCG {ndcg(EMAILED, ranked=True):.2f}")
    yield _dot(240, 24, 14, "orange")


def _order():
    yield _text(40, 32, "this list", "orange", "start")
    yield _text(190, 32, "best order", "blue", "start")
    for y, grade, best in zip(_rows(5, 54), PAGES, sorted(PAGES, reverse=True), strict=True):
        yield _box(40, y - 6, 4 + 32 * grade, 12, "orange" if grade != best else "blue")
        yield _box(190, y - 6, 4 + 32 * best, 12, "blue")


def _gain_discounted():
    for x, gain, kept in zip(_across(5), PAGES, discount_weights(5), strict=True):
        height = 30 * gain + 4
        yield _box(x - 14, HEIGHT - EDGE - height, 28, height, "quiet")
        yield _box(x - 14, HEIGHT - EDGE - height * kept, 28, height * kept, "blue")
    yield _text(182, 44, "gain", "quiet", "start")
    yield _text(182, 74, "discounted", "blue", "start")


def _five_rankings():
    """Show the tops of the five; the first and the last look alike, but more was judged there."""
    lists = PAGES, [2, 3, 1, 3, 0], [3, 1, 3, 0, 2], [1, 0, 1, 1, 0], PAGES
    rows = np.linspace(24, 126, 5)
    for y, grades in zip(rows, lists, strict=True):
        for x, grade in zip(np.linspace(64, 200, 5), grades, strict=True):
            yield _dot(x, y, 3 + 2.6 * grade, "blue" if grade else "quiet")
    yield _text(232, rows[0] + 7, f"{ndcg(PAGES, ranked=True):.2f}", "ink", "start")
    yield _text(232, rows[-1] + 7, "?", "ink", "start")


def _cutoff():
    values = [ndcg([3, 0, 3, 2, 0, 2, 3, 0], ranked=True, k=k) for k in range(1, 9)]
    yield _curve(values, "blue", radius=5, low=0.5)
    yield _text(66, 34, "NDCG@k", "blue", "start")
    yield _line([(EDGE, 136), (WIDTH - EDGE, 136)], "quiet")
    yield _text(WIDTH - EDGE + 8, 141, "k", "ink", "start")


def _floors():
    """Show the NDCG of all orders on the whole scale, and the number in the email."""
    values = [ndcg(list(one), ranked=True) for one in itertools.permutations(EMAILED)]
    counts, edges = np.histogram(values, 12, (0.64, 1))
    left, width, base = 40, 240, 118
    for edge, count in zip(edges, counts, strict=False):
        yield _box(left + width * edge, base - 4 * count, 6, 4 * count, "blue", 1)
    yield _line([(left, base), (left + width, base)], "ink")
    emailed = ndcg(EMAILED, ranked=True)
    x = left + width * emailed
    yield _line([(x, 40), (x, base)], "orange")
    yield _text(x, 30, f"{emailed:.2f}", "orange")
    yield _text(left, 141, "0")
    yield _text(left + width, 141, "1")


def _pool():
    """Show what was judged and what was returned, and what is only returned."""
    yield _dot(118, 92, 50, "quiet")
    yield _dot(192, 92, 50, "blue half")
    for x, y in ((92, 78), (106, 114), (154, 76), (156, 108)):
        yield _dot(x, y, 5, "ink")
    yield _dot(212, 92, 6, "paper")
    yield _text(112, 32, "judged", "quiet")
    yield _text(206, 32, "returned", "blue")


# --- compute it -------------------------------------------------------------------------


def _ties():
    """Show a constant model, its NDCG@5 in the order of the file, and what the bet asks for."""
    first = ndcg([1] * 3 + [0] * 17, np.zeros(20), k=5, ties="stable")
    top, _, bottom = _rows(3)
    for y in (top, bottom):
        yield _line([(84, 75), (216, y)], "quiet")
        yield _dot(216, y, 6, "blue")
    yield _text(236, top + 7, f"{first:.1f}", "blue", "start")
    yield _text(236, bottom + 7, "?", "blue", "start")
    yield _dot(84, 75, 9, "orange")
    yield _text(84, 134, "knows nothing", "orange")


def _program(left, look, n=5):
    """Yield up to five lines of a program; ``look(line, width)`` is that of a word."""
    lines = (0, 28, 70, 34), (1, 40, 24), (1, 74, 30), (1, 30, 30, 26), (1, 44, 66)
    for line, (y, (indent, *words)) in enumerate(zip(_rows(5)[:n], lines, strict=False)):
        x = left + 22 * indent
        for width in words:
            yield _box(x, y - 5, width, 10, look(line, width), 5)
            x += width + 8


def _your_own_ndcg():
    yield from _program(70, lambda _line, width: "blue" if width > 60 else "quiet", 4)
    yield _text(92, 133, "= scikit-learn", "blue", "start")


def _clinic():
    yield from _program(20, lambda line, _width: "orange" if line == 2 else "quiet")
    yield _box(230, 26, 14, 42, "orange")
    yield _box(216, 40, 42, 14, "orange")
    yield _text(237, 98, "no error")
    yield _text(237, 124, "wrong NDCG", "orange")


def _files():
    """Show two files: pairs of rows with a partner, and a row that a loop over one never meets."""
    yield _text(36, 34, "judged", "quiet", "start")
    yield _text(190, 34, "returned", "blue", "start")
    for y in (48, 74):
        yield _box(36, y, 108, 18, "quiet")
        yield _box(190, y, 94, 18, "blue")
        yield _line([(150, y + 9), (184, y + 9)], "ink")
    yield _box(36, 100, 108, 32, "line orange dashed")
    yield _text(90, 122, "never met", "orange")


# --- choose its parts -------------------------------------------------------------------


def _gain():
    grades = np.linspace(0, 3, 40)
    yield _curve(gain_values(grades, "exponential") / 7, "orange")
    yield _curve(grades / 7, "blue")
    for grade, x in enumerate(_across(4)):
        yield _dot(x, _up((2**grade - 1) / 7), 5, "orange")
        yield _dot(x, _up(grade / 7), 5, "blue")
    yield _text(268, 36, f"worth {gain_values([3], 'exponential')[0]:.0f}", "orange", "end")
    yield _text(290, 112, "or 3", "blue", "end")
    yield _text(32, 36, "a grade 3", "ink", "start")


def _discount():
    ranks = np.arange(1, 13)
    for weights, look in (
        (discount_weights(12), "blue"),
        (1 / ranks, "orange"),
        (1 - (ranks - 1) / 12, "quiet"),
    ):
        yield _curve(weights, look, radius=3.5)
    yield _text(296, 86, "log₂", "blue", "end")
    yield _text(36, 126, "1/rank", "orange", "start")


def _readers():
    """Show how many still read at each rank."""
    for place, x in enumerate(_across(7)):
        left = 0.7**place
        yield _dot(x, 54, 5 + 9 * left, "blue")
        yield _box(x - 4 - 9 * left, 72 + 9 * (1 - left), 8 + 18 * left, 30 * left + 6, "blue", 6)
        if place in (0, 6):
            yield _text(x, 138, f"{left:.0%}")
    yield _text(160, 138, "still reading", "quiet")


def _conventions():
    """Show three switches as two tools set them, and what each prints for the same data."""
    ours, other = Convention(), Convention(gain="exponential", ties="stable", empty=1)
    for y, convention in ((52, ours), (98, other)):
        is_on = convention != ours
        for x in (40, 102, 164):
            yield _box(x, y - 13, 46, 26, "blue" if is_on else "quiet", 13)
            yield _dot(x + (33 if is_on else 13), y, 9, "paper")
        number = evaluate(convention, *run_and_qrels(), 5)
        yield _text(236, y + 7, f"{number:.2f}", "blue" if is_on else "ink", "start")


# --- decide -----------------------------------------------------------------------------


def _significance():
    """Show two differences on the manual with their intervals, one of them on both sides of 0."""
    manual = manual_search()
    values = {
        name: ndcg(manual.grades, scores, k=10, per_query=True)
        for name, scores in manual_scores().items()
    }
    yield _line([(130, 36), (130, 138)], "ink dashed")
    yield _text(130, 28, "0")
    for y, one, other, look in (
        (74, "alphabetical", "constant", "orange"),
        (122, "BM25", "TF-IDF", "blue"),
    ):
        found = compare(values[one], values[other], groups=manual.modules)
        low, mean, high = (130 + 1300 * x for x in (found.low, found.difference, found.high))
        yield _line([(low, y), (high, y)], f"{look} thick")
        yield _dot(mean, y, 7, look)
        yield _text(mean + 8, y - 14, f"+{found.difference:.2f}", look, "start")


def _selection():
    """Show twenty equals by their measured means, and the best of them above the line of all."""
    means = np.random.default_rng(4).normal(0.42, 0.13, 20)
    yield _line([(36, _up(0.42)), (284, _up(0.42))], "ink dashed")
    for place, mean in enumerate(means):
        best = mean == means.max()
        yield _dot(_across(20)[place], _up(mean), 9 if best else 6, "orange" if best else "quiet")
        if best:
            yield _text(_across(20)[place] - 16, _up(mean) - 1, "best of 20", "orange", "end")
    yield _text(288, 136, "all are equal", "quiet", "end")


def _opinions():
    """Show four rankers in the order of two judges."""
    yield _text(84, 30, "judge A")
    yield _text(236, 30, "judge B")
    rows = _rows(4, 52)
    for left, right in enumerate((1, 2, 3, 0)):
        look = "quiet" if left < 3 else "orange"
        yield _line([(84, rows[left]), (236, rows[right])], look)
        yield _dot(84, rows[left], 6, look)
        yield _dot(236, rows[right], 6, look)


def _clicks():
    """Show how many look at each rank, and how many of them click."""
    for rank, (y, grade) in enumerate(zip(_rows(4, 34), (1, 0, 2, 1), strict=True), start=1):
        looks = 250 / rank
        yield _box(36, y - 12, looks, 24, "quiet")
        yield _box(36, y - 12, looks * (0.05, 0.3, 0.7)[grade], 24, "blue")
    yield _text(200, 41, "looked")
    yield _text(150, 104, "clicked", "blue", "start")


def _interleaving():
    """Show a page in the middle, and on each side the ranking of which it has half."""
    for x, words, look in ((64, "A", "blue"), (160, "one page", "ink"), (256, "B", "orange")):
        yield _text(x, 30, words, look)
    for row, y in enumerate(_rows(4, 52)):
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
    yield _text(EDGE, 36, "NDCG", "blue", "start")
    yield _text(WIDTH - EDGE, 138, "one weight", "quiet", "end")


def _climb():
    """Show two hills from above, and a way that turns one weight at a time up the lower one."""
    around = np.linspace(0, 2 * np.pi, 33)
    for middle, wide in ((116, 24), (116, 48), (238, 44), (238, 66)):
        x, y = middle + wide * np.cos(around), 78 + 0.68 * wide * np.sin(around)
        yield _line(list(zip(x, y, strict=True)), "quiet")
    way = [(36, 132), (80, 132), (80, 98), (116, 98), (116, 78)]
    yield _line(way, "blue")
    yield from (_dot(x, y, 4, "blue") for x, y in way[:-1])
    yield _dot(*way[-1], 7, "orange")
    yield _text(100, 34, "stops here", "orange")
    yield _text(238, 85, "higher")


def _held_out():
    steps = np.arange(20)
    yield _curve(1.06 - 0.6 * 0.8**steps, "quiet")
    fresh = 0.6 - 0.4 * 0.75**steps - 0.012 * steps
    yield _curve(fresh, "orange")
    best = fresh.argmax()
    yield _dot(_across(20)[best], _up(fresh[best]), 7, "orange")
    yield _text(288, 52, "in training", "quiet", "end")
    yield _text(288, 128, "fresh queries", "orange", "end")


def _baselines():
    """Show a mean with its interval, as far to the right as two others, and one behind them."""
    for y, mean, look in ((28, 228, "blue"), (60, 232, "orange"), (92, 224, "orange")):
        yield _line([(mean - 56, y), (mean + 56, y)], f"{look} thick")
        yield _dot(mean, y, 7, look)
    yield _line([(44, 126), (148, 126)], "quiet thick")
    yield _dot(96, 126, 7, "quiet")
    yield _text(44, 35, "tuned", "blue", "start")
    yield _text(44, 83, "untuned", "orange", "start")
    yield _text(170, 133, "BM25", "quiet", "start")


def _regression():
    """Show a paradox: within each of three groups the dots fall, and the groups rise."""
    x = np.array([48 + 76 * group + 22 * place for group in range(3) for place in range(4)])
    y = np.array([0.28 + 0.3 * group - 0.06 * place for group in range(3) for place in range(4)])
    for place, (across, up) in enumerate(zip(x, y, strict=True)):
        yield _dot(across, _up(up), 7, ("blue", "orange", "quiet")[place // 4])
    line = np.poly1d(np.polyfit(x, y, 1))
    yield _line([(36, _up(line(36))), (284, _up(line(284)))], "ink")
    yield _text(36, 34, f"R² {np.corrcoef(x, y)[0, 1] ** 2:.2f}", "ink", "start")
    yield _text(296, 132, "wrong order", "orange", "end")


def _surrogates():
    steps = np.arange(20)
    yield _curve(0.02 + 0.93 * 0.82**steps, "quiet")
    found = [0.3] * 4 + [0.72] * 5 + [0.6] * 4 + [0.5] * 7
    yield _curve(found, "blue")
    yield _text(150, 38, "NDCG", "blue", "start")
    yield _text(240, 112, "loss", "quiet", "start")


def _lambdamart():
    """Show the lambdas of the four documents of its page: grades as bars, pushes as arrows."""
    grades = [0, 1, 3, 2]
    _, slopes = lambdarank_loss(grades, [2, 1, 0.5, 0])
    yield _text(36, 32, "grade", "quiet", "start")
    yield _text(296, 32, "push", "ink", "end")
    for place, (y, grade, push) in enumerate(zip(_rows(4, 54), grades, -slopes[0], strict=True)):
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
    yield _text(84, 140, "trees win", "blue")
    yield _text(236, 140, "a line wins", "orange")


# --- scale it and report it -------------------------------------------------------------


def _sql():
    """Show the rows of a table in two groups, each counted from 1, through a window."""
    for row, y in enumerate(_rows(5)):
        look = "blue" if row < 3 else "orange"
        rank = row + 1 if row < 3 else row - 2
        yield _box(48, y - 8, 70, 16, "quiet")
        for step in range(rank):
            yield _dot(142 + 22 * step, y, 7, look)
        if row in (2, 4):
            yield _text(142 + 22 * rank, y + 7, f"rank {rank}", look, "start")
    yield _line([(34, 14), (286, 14), (286, 88), (34, 88), (34, 14)], "ink")
    yield _text(276, 37, "a window", "ink", "end")


def _scale():
    """Show very many rows, which end in one number."""
    for row, y in enumerate(np.linspace(48, 134, 10)):
        for column, x in enumerate(np.linspace(20, 300, 29)):
            if 3 < row < 8 and column > 15:
                continue  # for the number
            yield _dot(x, y, 3, "quiet")
    yield _text(20, 32, "a billion rows", "ink", "start")
    yield _text(238, 106, "same NDCG", "blue")


def _samples():
    ranks, drawn = _across(21), (2, 6, 12, 15, 19)  # of a list with its good document at 6
    for place, x in enumerate(ranks, start=1):
        yield _dot(x, 46, 5, "orange" if place == 6 else "blue" if place in drawn else "quiet")
    yield _text(ranks[5], 32, "rank 6", "orange")
    for rank, (x, place) in enumerate(zip(_across(5), drawn, strict=True), start=1):
        look = "orange" if place == 6 else "blue"
        yield _line([(ranks[place - 1], 54), (x, 94)], "quiet")
        yield _dot(x, 104, 9, look)
        if place == 6:
            yield _text(x, 138, f"rank {rank}", look)


def _leaderboard():
    """Show the number that a leaderboard prints of NameMatch-1, and what becomes of it."""
    model = Waterfall(manual_search().grades, {OURS: manual_scores()[RANKERS[OURS]]})
    steps = model.levels(OURS, ties="best", ideal="shown", empty="ones")[::-1]
    bars = [(0, steps[0]), *itertools.pairwise(steps), (steps[-1], 0)]
    for place, ends in enumerate(bars):
        top, bottom = sorted(126 - 94 * np.array(ends))
        look = "ink" if place in (0, len(bars) - 1) else "orange"
        yield _box(40 + 52 * place, top, 36, max(bottom - top, 2), look)
    yield _text(58, 28, f"{steps[0]:.3f}")
    yield _text(266, 70, "?")


def _report_card():
    """Show a card: a number, what a shuffle gets, and the lines below them."""
    grades = manual_search().grades
    found = ndcg(grades, manual_scores()["BM25"], k=5)
    yield _box(50, 12, 220, 126, "quiet", 8)
    yield _text(72, 44, f"BM25 {found:.3f}", "ink", "start")
    yield _text(72, 72, f"shuffle {random_ndcg(grades, k=5):.3f}", "ink", "start")
    for y, right in ((92, 240), (106, 206), (120, 224)):
        yield _line([(74, y), (right, y)], "ink")


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
