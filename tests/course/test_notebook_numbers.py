"""The numbers in solutions, folded answers and captions, which no cell of a notebook prints.

A cell that printed them would give the answer away. Each test recomputes the
numbers of one text and looks for them in it. What a cell prints is held by nbval, and a
number of two decimals in the prose by `shows_every_number`; counts are looked up in the output.
The first tests hold that no number is left over.
"""

import importlib.util
import itertools
import json
import math
import re
from importlib.metadata import version

import nbformat
import notebook_rules as rules
import numpy as np
import pytest
from notebook_rules import chapter, output_text, printed, read
from scipy import stats
from sklearn.metrics import average_precision_score, ndcg_score
from sklearn.model_selection import GroupKFold

from course.content import COURSE
from course.exercises import CATALOG
from course.explorers import (
    aa_dice,
    climb_stepper,
    epoch_slider,
    one_number,
    own_discount,
    page_readers,
)
from course.explorers.climb_stepper import made_up_climbs
from course.explorers.compare_code_programs import PROGRAMS, example_data, values_of
from course.explorers.duel import PAIRS, Duel
from course.explorers.pool_members import NEARLY_EQUAL
from course.explorers.where_is_the_floor import LABELS
from coursekit.site.build import all_live
from helpers.breakdown import breakdown
from ndcglib.datasets import (
    diabetes_triage,
    manual_data,
    manual_scores,
    manual_search,
    ranking_data,
    shop_data,
)
from ndcglib.metrics import (
    all_orders,
    average_precision,
    dcg,
    depth_pool,
    discount_weights,
    gain_values,
    idcg,
    ndcg,
    random_ndcg,
    rbp,
    reciprocal_rank,
    step_gain,
    verdicts,
    worst_ndcg,
)
from ndcglib.significance import compare, queries_needed
from ndcglib.tuning import fit, linear_scores, pairwise_logistic, pairwise_loss
from ndcglib.tuning.moves import moved_weights

# What no state of the explorer above it shows, by notebook and caption: a list to drag has no
# table of states (test_order_captions); the other is a limit (test_pool_captions).
ELSEWHERE = {("order", "drag-notice"): {"0.6162"}, ("pool", "members-notice"): {"0.005"}}


def pages():
    return [(path.stem[3:], read(path)) for path in rules.siblings(rules.chapter("start_here"))]


def test_a_caption_says_what_a_state_of_its_explorer_shows(site):
    """The tables of the site have all states; building it has left them on the disk."""
    assert site.exists()
    _room, live = all_live(COURSE)
    checked, lost = 0, []
    for name, nb in pages():
        shown = rules.shown_numbers(nb)
        for i in rules.tagged(nb, "explorer"):
            caption, data = nb.cells[i + 1], live[rules.chapter(name).name].get(nb.cells[i].id)
            states = set(rules.NUMBER.findall(json.dumps(data)))
            told = rules.PRECISE.findall(rules.without_links(rules.unfolded(caption.source)))
            known = shown | states | ELSEWHERE.get((name, caption.id), set())
            lost += [(name, caption.id, n) for n in told if not rules.holds(known, n)]
            checked += len(told)
    assert lost == []
    assert checked > 30


FOLDED = {  # recomputed below, by notebook and cell
    ("gain_discounted", "recall"): {"0.36907", "0.0693", "1.1072"},
    ("ties", "recall"): {"1.6351"},
    ("discount", "recall"): {"1.4427"},
}


def test_a_folded_answer_says_what_is_printed_or_recomputed_here():
    lost = []
    for name, nb in pages():
        shown, asked = rules.shown_numbers(nb), set(rules.tagged(nb, "question"))
        for i, source in rules.markdown_cells(nb):
            folded = "\n".join(re.findall(r"<details\b.*?</details>", source, re.DOTALL))
            told = [] if i in asked else rules.PRECISE.findall(rules.without_links(folded))
            known = shown | FOLDED.get((name, nb.cells[i].id), set())
            lost += [(name, nb.cells[i].id, n) for n in told if not rules.holds(known, n)]
    assert lost == []


@pytest.mark.parametrize("excused", [rules.ELSEWHERE, FOLDED, ELSEWHERE])
def test_nothing_is_excused_that_is_not_said(excused):
    for (name, cell_id), numbers in excused.items():
        assert all(number in text_of(name, cell_id) for number in numbers), (name, cell_id)


FIVE = [5, 4, 3, 2, 1]
SECOND = [2, 3, 1, 3, 0]


def in_order(grades):
    return list(range(len(grades), 0, -1))


def text_of(notebook, cell_id):
    nb = nbformat.read(chapter(notebook), 4)
    return next(cell.source for cell in nb.cells if cell.id == cell_id)


def assert_says(notebook, cell_id, *numbers):
    text = text_of(notebook, cell_id)
    for number in numbers:
        assert f"{number:.4f}" in text, f"{number:.4f} is not in {cell_id}"


def assert_explains(name, *numbers):
    """Look for numbers in what an exercise says about its solution, its hints and its notice."""
    ex = CATALOG.all[name]
    text = " ".join([ex.because, ex.notice, *ex.hints, ex.prompt])
    for number in numbers:
        assert f"{number:.4f}" in text, f"{number:.4f} is not in {name}"


def test_gain_discounted_exercises():
    best = idcg([3, 0, 2])
    assert dcg([3, 0, 2], [3, 2, 1]) == 4
    assert_explains("ndcg-of-302", math.log2(3), 2 / math.log2(3), best, 4 / best)
    assert round(100 * (1 - 4 / best)) == 6  # "has lost 6% of its ideal"


def test_gain_discounted_reversal():
    assert ndcg([2, 2, 2], [1, 2, 3]) == 1
    assert ndcg([0, 1, 3], [1, 2, 3]) == 1


def test_gain_discounted_recall():
    before = dcg([0, 3, 0, 1], [4, 3, 2, 1])
    first, second = [dcg(g, [4, 3, 2, 1]) - before for g in ([3, 0, 0, 1], [0, 3, 1, 0])]
    assert_says("gain_discounted", "recall", first, second)
    assert "0.36907" in text_of("gain_discounted", "recall")
    assert round(1 - 1 / math.log2(3), 5) == 0.36907


def test_five_rankings_exercises():
    assert_explains("faded-dcg", 3 / math.log2(3), 1 / math.log2(5), idcg([3, 2, 3, 0, 1]))
    terms = 7 / math.log2(3), 3 / math.log2(5), 1 / math.log2(6)
    assert_explains("eight-ideal", *terms, idcg([3, 2, 3, 0, 1, 2, 0, 1], k=5, gain="exponential"))
    assert_explains("binary-at-three", idcg([1, 1, 1]), ndcg([1, 0, 1, 1, 0], ranked=True, k=3))
    assert idcg([1, 0, 1, 1, 0], k=3) == idcg([1, 0, 1, 1, 0])  # "equal to IDCG@5 here"
    terms = 3 / math.log2(3), 3 / math.log2(5), 2 / math.log2(6)
    assert_explains("long-ideal", *terms, idcg([3, 3, 3, 3, 2]), idcg([3, 2, 3, 0, 1]))
    full = [0, 2, 3, 1]
    for k in (4, 2):
        numbers = dcg(full, [4, 3, 2, 1], k=k), idcg(full, k=k), ndcg(full, [4, 3, 2, 1], k=k)
        assert_explains("whole-way", *numbers)
    assert_explains("name-the-slip", dcg(SECOND, FIVE), idcg(SECOND), dcg(SECOND, FIVE, k=3))
    natural = dcg(SECOND, FIVE, log_base=math.e)
    assert natural == pytest.approx(dcg(SECOND, FIVE) / math.log(2))
    assert_explains("name-the-slip", natural)


def test_five_rankings_wrong_term():
    ex = CATALOG.all["wrong-term"]
    for number in (3 / math.log2(5), 3 / math.log2(3), 2.0 + 1.8927890 + 0.5 + 1.2924810):
        assert f"{number:.7f}" in ex.because
    assert "= 5.6848189" in ex.prompt
    assert round(dcg(SECOND, FIVE), 7) == 5.6848189
    assert f"{1.2924810 - 3 / math.log2(5):.5f}" in ex.hints[0]


def test_five_rankings_captions():
    note = "five_rankings"
    assert_says(note, "ledger-notice", dcg(SECOND, FIVE, k=3), idcg(SECOND, k=3))
    assert_says(note, "ledger-notice", dcg(sorted(SECOND), FIVE))


def test_cutoff_and_pool_exercises():
    six, missed = [3, 2, 3, 0, 1, 2], [3, 2]
    scores = in_order(six)
    everything = [*six, *missed]
    from_list, from_pool = ndcg(six, scores), ndcg(six, scores, k=6, pool=everything)
    assert_explains("missed-pool", from_list, from_pool, dcg(six, scores), idcg(six))
    assert_explains("missed-pool", idcg(everything, k=6))
    assert 0.16 < 1 - from_pool / from_list < 0.19  # "a sixth of its score", about
    bad = breakdown(six, [0.10, 0.20, 0.30, 0.95, 0.80, 0.70])
    behind = np.cumsum(bad.column("gap"))
    assert behind.argmax() == 1
    assert_explains("farthest-behind", bad.rows[0].gap, bad.rows[1].gap, behind.max())
    assert bad.rows[2].gap == pytest.approx(0)
    assert (np.diff(behind)[2:] < 0).all()
    assert_explains("ideal-from-the-top", ndcg([1, 0, 3, 3], [4, 3, 2, 1], k=2))


def test_report_card_exercises():
    """Five people measured three queries; the lines are matched with what each of them did."""
    y_true, y_score = (
        [[2, 0, 1, 0], [0, 2, 0, 1], [0] * 4],
        [
            [0.5, 0.5, 0.5, 0.1],
            [0.9, 0.5, 0.4, 0.1],
            [0.3, 0.2, 0.1, 0],
        ],
    )
    lucky = [[2, 1, 0, 0], [0, 2, 0, 1], [0] * 4]
    done = {
        "A": ndcg_score(y_true, y_score, k=2),
        "B": ndcg_score(lucky, [[4, 3, 2, 1]] * 3, k=2),
        "C": ndcg_score([row[:2] for row in lucky], [[2, 1]] * 3),
        "D": ndcg_score(y_true, y_score, k=2) + 1 / 3,
        "E": ndcg_score(y_true, y_score),
    }
    causes = {letter: number for letter, (_, number) in CATALOG.all["five-lines"].causes.items()}
    assert causes == pytest.approx(done, abs=6e-5)
    assert_explains("five-lines", done["A"], done["D"], ndcg_score(y_true, [[0] * 4] * 3, k=2))
    alone = ndcg([3, 0, 1], ranked=True, k=3, pool=[3, 1, 3])
    assert_explains("answered-only", alone, alone / 3)


def test_the_sentence_has_the_numbers_of_the_card():
    """The interval by module, too: as the notebook prints them."""
    lines = "NameMatch-1, ", "BM25 by the same code "
    shown = {n for line in lines for n in printed(chapter("report_card"), "card-line", line)}
    said = re.findall(r"0\.\d+", CATALOG.all["card-sentence"].worked)
    assert len(said) == 6
    assert shown.issuperset(said)


def test_pool_exercise_at_home():
    at_home = [ndcg(one, ranked=True, k=3, pool=[1, 1, 0]) for one in ([1, 1, 0], [0, 0, 1])]
    truth = [ndcg(one, ranked=True, k=3, pool=[3, 3, 1, 1, 0]) for one in ([1, 1, 0], [3, 3, 1])]
    assert_explains("home-ground", *at_home, *truth, dcg([1, 1, 0], [3, 2, 1]))
    assert at_home[1] / at_home[0] < 1 / 3


def test_pool_captions():
    """What stands below the explorer, within what a release of scikit-learn may change."""
    grades, scores = manual_search().grades, manual_scores()
    three = [scores[name] for name in ("name words", "TF-IDF", "BM25")]
    pools = [depth_pool(three, depth) for depth in (5, 50)]
    levels = [ndcg(np.where(pool, grades, 0), three[2], k=10) for pool in pools]
    assert f"differ by {NEARLY_EQUAL} or less" in text_of("pool", "members-notice")
    told = re.findall(r"\d\.\d\d\b", text_of("pool", "members-notice"))
    expected = [*levels, ndcg(grades, three[2], k=10)]
    assert [float(number) for number in told] == pytest.approx(expected, abs=0.02)


def test_pool_tables_stand_between_a_random_order_and_the_best():
    """The worst and the best that each table of rankers can have, by scikit-learn."""
    grades, scores = manual_search().grades, manual_scores()
    three = [scores[name] for name in ("name words", "TF-IDF", "BM25")]
    tables = {"home-code": [("everything judged:", None), ("TF-IDF's ten judged:", three[1:2])]}
    tables["repair-code"] = [(f"{depth} ranks", three) for depth in (5, 15, 50)]
    for cell, lines in tables.items():
        for begin, members in lines:
            numbers = printed(chapter("pool"), cell, begin)
            depth = int(begin.split()[0]) if cell == "repair-code" else 10
            seen = np.where(depth_pool(members, depth), grades, 0) if members else grades
            expected = [ndcg_score(seen, row, k=10) for row in (*three, 0 * seen, seen)]
            shown = [float(n) for n in numbers if "." in n][-5:]  # not the 25 of BM25
            assert shown == pytest.approx(expected, abs=0.02)


def test_pool_and_report_card_count_modules():
    """What 06 says is significant, and what 18 says of the card, is so by module."""
    grades, modules = manual_search().grades, manual_search().modules
    ours, bm25 = (manual_scores()[name] for name in ("name words", "BM25"))
    at_home = np.where(depth_pool([ours], 10), grades, 0)
    for k, judged, ahead in ((10, grades, False), (10, at_home, True), (5, grades, False)):
        values = [ndcg(judged, row, k=k, per_query=True) for row in (ours, bm25)]
        found = compare(*values, groups=modules)
        assert found.t_p < 0.05
        assert (found.difference > 0) == ahead


def test_pool_one_list_reverses_the_order():
    """True with each release of scikit-learn that the course allows, 1.7 to 1.9."""
    grades, scores = manual_search().grades, manual_scores()
    three = [scores[name] for name in ("name words", "summary words", "TF-IDF")]
    means = [ndcg(grades, table, k=10) for table in three]
    flat = [ndcg(grades.ravel(), table.ravel(), k=10) for table in three]
    assert means == sorted(means)
    assert flat == sorted(flat, reverse=True)
    loud = grades[three[0] >= 3]
    assert loud.mean() > 1.6  # of 2: "and there it is right"


def test_cutoff_claim():
    one, other = [3, 0, 2, 2], [2, 2, 3, 0]
    scores = in_order(one)
    assert ndcg(one, scores, k=1) > ndcg(other, scores, k=1)
    assert ndcg(one, scores, k=3) < ndcg(other, scores, k=3)


TIED, TIED_SCORES = [2, 3, 0, 0, 1], [0.9, 0.5, 0.5, 0.5, 0.1]


def test_clinic_exercises():
    terms = 2 / math.log2(3), 3 / math.log2(5)
    assert_explains("patient-two", *terms)
    assert [int(t) for t in terms] == [1, 1]
    assert [2 ^ g - 1 for g in range(4)] == [-3, 2, 3, 0]
    assert "−3, 2, 3, 0" in CATALOG.all["patient-three"].because
    grades = np.array([2, 3, 2, 1, 0, 3])
    scores = np.array([0.4, 0.3, 0.5, 0.1, 0.6, 0.2])
    assert ndcg(grades, scores, k=4) < ndcg(grades, -scores, k=4)  # "higher than the right"


def test_your_own_ndcg_captions():
    notice, data = text_of("your_own_ndcg", "explorer-notice"), example_data()

    def apart(name):
        """What a program has above scikit-learn: one row of ten queries for each file."""
        values = [values_of(PROGRAMS[one], *data, 5) for one in (name, "scikit-learn")]
        return np.subtract(*values).reshape(3, 10)

    def count(differences):
        return (np.abs(differences) > 1e-9).sum()

    without, with_ties, in_order = apart("ties: file order")
    assert count(without) == 0
    assert f"{count(with_ties) + count(in_order)} of 20" in notice
    assert with_ties.min() < -0.02 < 0.02 < with_ties.max()  # up and down
    assert in_order.min() > -1e-9  # only up
    assert f"as much as {in_order.max():.2f}." in notice
    assert f"lift the mean by {apart('empty = 1').mean():.1f}." in notice
    assert f"{count(apart('ids sorted as text'))} values" in notice
    grades, _ = data
    assert f"ceiling is {ndcg(grades, grades, k=5):.1f} " in notice
    assert f"about {random_ndcg(grades, k=5):.2f}" in notice


def test_folds_of_your_own_ndcg():
    """Two groups in each of five folds, one in each of ten, and something relevant in all."""
    table = diabetes_triage()
    for n, each in ((5, 2), (10, 1)):
        folds = GroupKFold(n).split(table.features, groups=table.query)
        assert [len(set(table.query[rows])) for _, rows in folds] == n * [each]
    assert all(table.grade[table.query == group].any() for group in set(table.query))


def test_ties_exercises():
    at = {k: (dcg(TIED, TIED_SCORES, k=k), ndcg(TIED, TIED_SCORES, k=k)) for k in (2, 3)}
    assert_explains("tied-at-three", *at[3], idcg(TIED, k=3), at[3][0] - 2)
    assert_explains("tied-at-two", *at[2], idcg(TIED, k=2))
    luck = [ndcg(TIED, TIED_SCORES, k=2, ties=ties) for ties in ("stable", "worst")]
    assert_explains("tied-at-two", *luck)
    best, worst, mean = (
        ndcg([3, 3, 3, 0], [1] * 4, ties=ties) for ties in ("best", "worst", "average")
    )
    assert_explains("middle-claim", mean, (best + worst) / 2)
    assert_explains("sorted-tuples", ndcg(TIED, TIED_SCORES, ties="best"))


def test_ties_captions():
    note = "ties"
    weights = 1 / math.log2(5), 1 / math.log2(6)
    assert_says(note, "recall", *weights, 2 * sum(weights))
    six, ones = [3, 2, 3, 0, 1, 2], [0, 0, 0, 1, 1, 1]  # the bad model, at 0 decimals
    values = ndcg(six, ones, ties="stable"), ndcg(six[::-1], ones[::-1], ties="stable")
    for value in (*values, ndcg(six, ones)):
        assert f"{value:.3f}" in text_of(note, "rounding-notice")
    orders = all_orders([1, 1, 1] + 17 * [0], k=5)
    assert orders.probability @ orders.ndcg == pytest.approx(0.208, abs=5e-4)
    assert 1 - orders.share_of(1e-9) == pytest.approx(0.4, abs=0.005)
    assert 0.2 < orders.share_of(2 * 0.208) < 0.3
    assert "Four in ten single orders score 0, some score twice" in text_of(note, "shuffle-more")


def test_order_exercises():
    assert_explains("blind-spot", ndcg([3, 1, 0], [3, 2, 1], k=3), ndcg([1, 3, 0], [3, 2, 1], k=3))
    by_score = sorted(
        "ABCDE", key=dict(zip("ABCDE", (0.3, -0.2, 0.8, 0.1, -0.7), strict=True)).get
    )
    assert f'order = "{"".join(by_score[::-1])}"' in CATALOG.all["order-by-hand"].worked


def test_floors_exercises():
    second = 1 / math.log2(3)
    assert_explains("random-level", second, random_ndcg([1, 0]))
    grades = [3, 3, 2, 1, 0]
    assert_explains("level-at-one", worst_ndcg(grades), random_ndcg(grades))
    assert worst_ndcg(grades, k=1) == 0
    assert random_ndcg(grades, k=1) == pytest.approx(0.6)
    alone = [0, 1, 0, 0, 0, 0, 0, 0]
    assert_explains("chance-claim", worst_ndcg([0, 1, 1, 1]), random_ndcg(alone))
    assert_explains("chance-claim", ndcg(alone, in_order(alone)))


def test_floors_captions():
    note = "floors"
    cells = "floor-notice", "floor-read-levels", "floor-read-k"
    notice = "".join(text_of(note, cell) for cell in cells)
    for grades in ([3, 3, 2, 1, 0], [1] + 9 * [0], 8 * [1] + 2 * [0]):
        assert f"{random_ndcg(grades):.3f}" in notice
    assert_says(note, "floor-notice", worst_ndcg([3, 3, 2, 1, 0]))
    assert all_orders([3, 3, 2, 1, 0]).share_of(0.84) == pytest.approx(62 / 120)
    assert "62 of 120" in notice
    assert all_orders([3, 2, 3, 0, 1]).share_of(0.8) == pytest.approx(76 / 120)
    assert "76 of 120" in text_of(note, "guide-read")
    assert 12 < 1 / (1 - random_ndcg(8 * [1] + 2 * [0])) < 12.5
    assert "twelve times as large" in text_of(note, "rescale-room")
    assert 0.005 < all_orders(LABELS["12 mixed"]).share_of(0.94) < 0.015
    assert [worst_ndcg([1] + 9 * [0], k=k) == 0 for k in (9, 10)] == [True, False]


def test_order_captions():
    grades = [1, 3, 0, 2, 0, 3]
    swapped = [3, 1, 0, 2, 0, 3]
    values = [ndcg(order, in_order(order), k=3) for order in (grades, swapped)]
    assert_says("order", "drag-notice", *values)
    below = [3, 1, 2, 0, 0, 3]  # the useless document of rank 3 has moved down
    assert [sum(grade > 0 for grade in order[:3]) for order in (swapped, below)] == [2, 3]
    assert swapped[0] > 0 < below[0]  # the reciprocal rank of both is 1
    worst = sorted(grades)  # precision 1/3, recall 1/4, reciprocal rank 1/3
    assert ndcg(worst, in_order(worst), k=3) < 1 / 4
    orders = set(itertools.permutations(grades))
    best_of_three = {order for order in orders if ndcg(order, in_order(order), k=3) == 1}
    assert best_of_three == {order for order in orders if order[:3] == (3, 3, 2)}
    still = {order for order in best_of_three if ndcg(order, in_order(order), k=6) == 1}
    assert still == {(3, 3, 2, 1, 0, 0)}


def test_order_average_precision():
    relevant = [0, 0, 1, 1, 0, 1, 1]  # the list of the exercise
    assert_explains("three-metrics", average_precision_score(relevant, in_order(relevant)))
    for grades in ([3, 2, 1, 0, 0], [1, 2, 3, 0, 0]):  # "are 1 for both"
        yes = [grade > 0 for grade in grades]
        assert average_precision_score(yes, in_order(yes)) == 1
        assert sum(yes[:3]) / 3 == sum(yes[:3]) / sum(yes) == 1 / (yes.index(True) + 1) == 1


FOUR = [4, 3, 2, 1]


def test_gain_exercises():
    listed = [1, 3, 0, 2]
    steep = dict(gain="exponential")
    value, best = dcg(listed, FOUR, **steep), idcg(listed, **steep)
    assert_explains("exponential-sum", value, best, value / best, ndcg(listed, FOUR))
    assert_explains("half-a-gain", ndcg([1, 2, 3, 0], FOUR, **steep))
    assert_explains("predict-the-change", ndcg(listed, FOUR), ndcg([2, 4, 1, 3], FOUR))
    assert_explains("predict-the-change", ndcg(listed, FOUR, **steep))
    assert_explains("half-a-gain", dcg([1, 2, 3, 0], FOUR, **steep) / idcg([1, 2, 3, 0]))
    for gain in ("linear", "exponential"):
        pair = [1, 2, 0, 3], [0, 3, 1, 2]
        assert_explains("gain-claim", *(ndcg(order, FOUR, gain=gain) for order in pair))
    engines, video = ([3, 0, 0, 2, 2], [2, 2, 3, 0, 0]), {0: 0, 1: 1, 2: 5, 3: 8}
    assert_explains("own-gain", *(ndcg(engine, FIVE, gain=video) for engine in engines))
    orders = list(itertools.permutations([3, 2, 1, 0]))
    verdict = {
        gain: verdicts(*zip(*itertools.combinations(orders, 2), strict=True), gain=gain)
        for gain in ("linear", "exponential")
    }
    turned = verdict["linear"] * verdict["exponential"] == -1
    assert turned.sum() == 14  # "thirteen more such pairs"
    assert "thirteen more" in CATALOG.all["gain-claim"].because


def test_gain_by_hand():
    note = "gain"
    w = [1 / math.log2(rank + 1) for rank in range(1, 6)]
    twos = w[0] + w[1] - w[3] - w[4]
    for number in (*w[1:2], *w[3:]):
        assert f"{number:.3f}" in text_of(note, "by-hand")
    for number in (twos, sum([1, 0.631, -0.431, -0.387])):
        assert f"{number:.3f}" in text_of(note, "by-hand-2")
    assert f"{twos / (w[0] - w[2]):.2f} documents of grade 2" in text_of(note, "by-hand-3")
    assert "7/3 = 2.33" in text_of(note, "by-hand-read")


def winners(pair):
    """The map of the duel for one pair, a text for each cutoff from 1 on."""
    return ["".join(row) for row in Duel({"one": pair}).wins("one").letters]


def test_gain_captions():
    """What the reader is told to notice in the map."""
    wide = winners(PAIRS["both decide"])[5]
    assert wide == "A" * 3 + "B" * 14 + "A" * 4  # to b = 1.2, from 1.3 to 2.6, from 2.7 on
    rows = winners(PAIRS["gain decides"])
    assert rows[4].startswith("BBA")
    assert set(rows[4][2:]) == set(rows[0]) == {"A"}
    assert set(rows[2]) == {"B"}
    assert [set(row) for row in winners(PAIRS["k decides"])] == [
        {"B"} if k == 3 else {"A"} for k in range(1, 7)
    ]
    assert all(len(set(row)) == 1 for row in winners(PAIRS["binary"]))
    two, three = step_gain(1.2)([2, 3])
    words = f"a 3 then gains {three:.2f} and a 2 gains {two:.1f}."
    assert words in text_of("gain", "duel-notice")


def test_plotly_express_needs_pandas():
    """As the notebook says of plotly 7; the course needs neither of the two."""
    assert "raises an error where pandas is not" in text_of("your_own_ndcg", "final-check-read")
    if importlib.util.find_spec("pandas") or int(version("plotly").split(".")[0]) < 7:
        pytest.skip("this environment has pandas, or an older plotly")
    import plotly.express  # needs pandas only when it draws

    with pytest.raises(NotImplementedError, match="Pandas installation is required"):
        plotly.express.line(x=[1, 2], y=[1, 2])


def test_discount_exercises():
    weights = discount_weights(10)
    steps = weights[:-1] - weights[1:]
    assert_explains("drops", steps[0], steps[1], steps[8], weights[1], weights[8], weights[9])
    assert f"{steps[0] / steps[8]:.1f} times" in CATALOG.all["drops"].because
    rule = dict(discount="reciprocal")
    listed = [1, 3, 0, 2]
    assert dcg(listed, FOUR, **rule) == 3
    assert_explains("another-discount", idcg(listed, **rule))
    assert_explains("another-discount", ndcg(listed, FOUR, **rule), ndcg(listed, FOUR))
    slip, best = (
        sum(g / (math.log2(r) + 1) for r, g in enumerate(grades, start=1))
        for grades in (SECOND, sorted(SECOND, reverse=True))
    )
    assert_explains("right-at-rank-one", slip / best, ndcg(SECOND, FIVE))
    for discount in ("log", "reciprocal"):
        pair = [1, 3, 2, 0, 0], [2, 0, 3, 0, 1]
        assert_explains("discount-claim", *(ndcg(o, FIVE, discount=discount) for o in pair))
    orders = sorted(set(itertools.permutations([3, 2, 1, 0, 0])))
    pairs = list(zip(*itertools.combinations(orders, 2), strict=True))
    parted = verdicts(*pairs) * verdicts(*pairs, discount="reciprocal") == -1
    assert (len(parted), parted.sum()) == (1770, 10)
    assert "1,770 pairs, ten" in CATALOG.all["discount-claim"].prompt


def test_discount_exercises_on_readers():
    patience = np.arange(1, 10_000) / 10_000
    level = [[3, 0, 0], [2, 0, 2]], [[2, 0, 0], [1, 1, 1]], [[3, 0], [2, 2]]
    found = []
    for pair in level:
        one, other = ([rbp(y, ranked=True, p=p, max_grade=3) for p in patience] for y in pair)
        found.append(patience[np.argmin(np.abs(np.subtract(one, other))[:9000])])
    assert_explains("level-patience", *found[:2])
    assert found[2] == 0.5  # "without the 0"
    tied = [0, 2, 1], [0.9, 0.9, 0.1]
    values = reciprocal_rank(*tied), average_precision(*tied)
    theirs = average_precision_score([0, 1, 1], tied[1])
    said = CATALOG.all["tied-readers"].because
    assert f"{values[0]:.2f} and {values[1]:.4f}." in said
    assert f"{theirs:.4f}" in CATALOG.all["tied-readers"].notice


def test_discount_captions():
    note = "discount"
    explorer = own_discount()
    for weights in ({}, explorer.presets["Top 3 only"]):  # the start is a straight line
        explorer.set(**weights, shows="ranking")
        value = re.search(r"your discount ([\d.]+)", explorer.stage.sentence)[1]
        assert value in text_of(note, "draw-notice")
    tail = "33 25 20 17 14 13 11 10"
    for weights in (
        f"100 50 {tail}",
        f"100 100 {tail}",
        f"100 100 100 {tail[3:]}",
        "100" + 9 * " 50",
    ):
        explorer.set(weights=weights, shows="pairs")
        count = re.search(r"on ([\d,]+) of 2,000", explorer.stage.sentence)[1]
        share = round(100 * int(count.replace(",", "")) / 2000)
        assert f"{share}%" in text_of(note, "pairs-notice")
    equal = int(re.search(r"calls ([\d,]+) equal", explorer.stage.sentence)[1])
    assert 0.25 < equal / 2000 < 0.33  # "more than a quarter"
    assert_says(note, "recall", 1 / math.log(2))


def test_discount_caption_of_the_readers():
    """Its presets show what the task asks and the caption answers."""
    explorer = page_readers()
    assert "RBP changes its mind at p = 0.50." in explorer.stage.sentence
    _half, exponential, same, further = explorer.presets.values()
    for p in range(1, 20):
        explorer.set(**exponential | {"p": p})
        assert explorer.stage.sentence.startswith("A wins under RBP")
        explorer.set(**same | {"p": p})
        winners = re.findall("([ABC =]+) (?:wins |win )?under", explorer.stage.sentence)
        assert all("B" in pages for pages in winners)
    explorer.set(**further)
    assert "; C under ERR; A = C under RR." in explorer.stage.sentence
    assert explorer.stage.sentence.startswith("B wins under RBP, NDCG@5, AP, P@5")
    grades = [3, 2]
    assert gain_values(grades, "exponential").tolist() == [7, 3]  # "worth 7, and two 2s 6"


def sentence(explorer, **values):
    explorer.set(**values)
    return explorer.stage.sentence


def test_climb_one_number():
    explorer, text = one_number(), text_of("climb", "sweep-notice")
    before = [sentence(explorer, number="C", place=place) for place in range(40, 80)]
    assert all("NDCG 0.6673" in words for words in before)
    assert "NDCG 0.6722" in sentence(explorer, place=80)
    assert "NDCG 0.6770" in sentence(explorer, place=81)
    at_minimum = sentence(explorer, **explorer.presets["MSE"])
    assert "NDCG 0.6673" in at_minimum
    assert "at 0.667." in at_minimum
    assert "NDCG 0.7890" in sentence(explorer, **explorer.presets["Best"])
    assert "258 steps" in sentence(explorer, number="40 queries", place=60, error=False)
    for number in ("0.6673", "0.6722", "0.6770", "0.667", "0.7890", "258 steps"):
        assert number in text


def test_climb_whole_ascent():
    histories = made_up_climbs().histories
    step, exact, rosenbrock = (histories[name] for name in ("step", "exact", "Rosenbrock"))
    train = [row.train for row in step]
    assert_says("climb", "stepper-notice", *train[:3], train[-1])
    assert train[3] == train[2] < train[4]
    assert step[3].train == step[2].train
    assert_says("climb", "stepper-notice", step[3].validation, step[-1].validation)
    text = text_of("climb", "stepper-notice")
    assert f"fewest passes, {exact[-1].number}." in text
    data = ranking_data(100, 12, 10, noise=1.0, seed=3)
    empty = [sum(not grades.any() for grades in part.y) for part in (data.train, data.validation)]
    assert "{} and {} of the queries are empty".format(*empty) in text_of("climb", "stepper-task")
    assert train[0] < random_ndcg(data.train.y, k=5) + 0.04  # "near the random level"
    X, y, _ = data.validation
    ends = [ndcg(y, linear_scores(X, step[n].w), k=5, per_query=True) for n in (3, -1)]
    assert compare(*ends).low < 0 < compare(*ends).high  # "Twenty queries cannot say"
    assert f"needs {step[-1].number} and ends highest" in text
    assert f"ends lowest, after {rosenbrock[-1].number}" in text
    assert rosenbrock[-1].train < exact[-1].train < step[-1].train
    changed = [sum(moved_weights(a.w, b.w)) for a, b in itertools.pairwise(step)]
    assert changed[:2] == [7, 2]
    explorer = climb_stepper()
    for number, count in ((1, 9), (2, 11)):
        words = sentence(explorer, run="step", number=number, query=1)
        assert f"{count} of 12 moved" in words


def test_tuning_counts_that_a_cell_prints():
    note = chapter("held_out")
    ahead, sets = printed(note, "forty-table", "chosen ")[2:]
    assert f"in {ahead} of the {sets} data sets" in text_of("held_out", "forty-read")
    start, chosen = (printed(note, "forty-table", row)[1] for row in ("start", "chosen"))
    assert float(start) > float(chosen)  # "the start itself would have been better still"
    [place, _] = printed(note, "places-code", "mean place")
    assert f"Its mean place is still {place}" in text_of("held_out", "places-read")
    ahead = 10 - int(printed(note, "places-means-code", "best in training ")[2])
    assert f"in all {ahead} data sets" in text_of("held_out", "places-means-read")
    places = [int(printed(note, "places-code", f"{i} ")[2]) for i in range(10)]
    assert (places.count(1), sum(place > 10 for place in places)) == (1, 2)  # "in one", "in two"
    first, *others, _ = printed(note, "k-wins-code", "climbing NDCG@3 ahead of climbing NDCG@1 in")
    assert f"only in {first} of 10" in text_of("held_out", "k-read")
    assert {f"in {count} of 10" for count in others} == {"in 9 of 10"}  # "in each other column"


def test_held_out_numbers_of_two_decimals():
    """What prose rounds is what a cell prints."""
    note, rounded = chapter("held_out"), {}
    rounded["three-limits-read"] = printed(note, "three-limits-code", "test ")[3:]
    rows = [printed(note, "three-code", f"Rosenbrock's rule {n:5}  ")[:2] for n in (0, 10)]
    rounded["three-notice"] = [value for row in rows for value in row]
    rounded["places-means-read"] = printed(note, "places-limits-code", "test: random order")[:2]
    rounded["real-read"] = printed(note, "real-levels-code", "random ")[:1]
    for cell, values in rounded.items():
        assert all(f"{float(value):.2f}" in text_of("held_out", cell) for value in values)


def test_held_out_intervals_lie_where_the_text_says():
    assert unsettled("held_out", "forty-leads") == {"random, 10 features"}
    [low, _] = intervals("held_out", "forty-leads")["least squares, 30 features"]
    assert low > 0


def test_held_out_most_modules_of_the_test_are_in_training():
    parts = np.split(np.random.default_rng(0).permutation(200), [80, 120])
    train, _, test = (set(manual_search().modules[part]) for part in parts)
    assert len(test) == 20  # "80 queries from 20 modules"
    assert len(test & train) > 15


def test_significance_by_hand():
    """The sets of minus signs of the worked example, and the least that five queries can give."""
    text = text_of("significance", "hand-worked")
    sizes = [34, 20, 9, 3, 5, 1]  # in hundredths
    sets = [s for n in range(7) for s in itertools.combinations(sizes, n) if sum(s) <= 6]
    assert sets == [(), (3,), (5,), (1,), (3, 1), (5, 1)]
    assert sum(sizes) == 72
    assert "That makes 6" in text
    assert "p = 12 / 64 = 0.1875" in text
    assert 2 / 64 < 0.05 < 2 / 32  # "3 in 100", "more than 5 in 100"


def test_significance_by_hand_with_whole_modules():
    text = text_of("significance", "groups-hand")
    svm, ensemble, linear, decomposition = 34, 20, 9 - 1, 3 - 5  # in hundredths
    seen = [svm, ensemble, linear, decomposition]
    flips = [np.dot(signs, seen) for signs in itertools.product([1, -1], repeat=4)]
    assert (sum(seen), sum(map(abs, seen))) == (60, 64)
    assert sum(abs(flip) >= sum(seen) for flip in flips) == 4
    assert "p = 4/16 = 0.25" in text
    names = ["SVC", "RandomForestClassifier", "LogisticRegression", "Ridge", "TruncatedSVD", "PCA"]
    search = manual_search()
    found = [search.modules[search.row_of(name)].removeprefix("sklearn.") for name in names]
    assert found == ["svm", "ensemble", *["linear_model"] * 2, *["decomposition"] * 2]


def test_significance_says_why_the_bars_are_equal():
    """The first ten from A to z, whose modules they are, and who gains or loses by that."""
    text, search = text_of("significance", "groups-read"), manual_search()
    first = search.documents[:10]
    linear = [one.name for one in first if one.module == "sklearn.linear_model"]
    assert linear == ["ARDRegression", "BayesianRidge"]
    assert all(f"*{name}*" in text for name in linear)
    assert not [one for one in first if one.module == "sklearn.metrics"]
    alphabetical, constant = (
        ndcg(search.grades, manual_scores()[name], k=10, per_query=True)
        for name in ("alphabetical", "constant")
    )
    ahead = alphabetical - constant
    assert (ahead[search.modules == "sklearn.linear_model"] > 0).all()
    assert (ahead[search.modules == "sklearn.metrics"] < 0).all()


def test_significance_joins_its_queries_with_those_of_scale():
    """An interval that just reaches the lead finds it in half of the experiments."""
    one, other = (
        ndcg(manual_search().grades, manual_scores()[name], k=10, per_query=True)
        for name in ("BM25", "TF-IDF")
    )
    effect = 0.01 / (one - other).std(ddof=1)
    n = round((1.96 / effect) ** 2)
    assert f"counts {n} for the same two" in text_of("significance", "half-read")
    limit, shift = stats.t.ppf(0.975, n - 1), effect * n**0.5
    assert stats.nct.sf(limit, n - 1, shift) == pytest.approx(0.5, abs=0.01)
    assert printed(chapter("scale"), "need-code", "± 0.01 ")[-1] == f"{n}"


# Code that takes each query for itself, and the cell that says why.
ALONE = {
    "gain": {"triage-luck": ("triage-read", "no patient is in two of them")},
    "significance": {
        "compare-code": ("groups", "each query for an observation of its own"),
        "tests-code": ("tests", "each query stands for itself"),
        "seeds-compare": ("seeds", "need no groups"),
    },
    "held_out": {
        "levels-code": ("levels-interval", "Each of these queries was made on its own"),
        "differences-compare": ("levels-interval", "each counts as one observation"),
        "forty-leads": ("forty-leads-read", "Each data set was made on its own"),
    },
    "surrogates": {"shop-difference": ("shop-why", "each category was made on its own")},
}


@pytest.mark.parametrize("path", sorted(rules.NOTEBOOKS.glob("*.ipynb")), ids=lambda p: p.stem)
def test_every_interval_is_by_group_or_says_why_not(path):
    name = path.stem[3:]
    code = {cell.id: cell.source for cell in read(path).cells if cell.cell_type == "code"}
    calls = re.compile(r"\b(?:compare|interval|baselines|report)\((?!.*\bgroups=)", re.DOTALL)
    told = ALONE.get(name, {})
    assert {cell for cell, source in code.items() if calls.search(source)} == set(told)
    assert all(words in text_of(name, cell) for cell, words in told.values())


@pytest.mark.parametrize(
    ("one", "other", "is_equal"),
    [("BM25 rounded", "BM25", True), ("name words", "summary words", False)],
)
def test_significance_two_one_sided_tests_agree_with_the_interval(one, other, is_equal):
    """By the jackknife, each end of the margin a test at 5%."""
    search = manual_search()
    a, b = (
        ndcg(search.grades, manual_scores()[name], k=10, per_query=True) for name in (one, other)
    )
    ahead, names = a - b, np.unique(search.modules)
    without = [ahead[search.modules != name].mean() for name in names]
    n, mean = len(names), ahead.mean()
    error = np.sqrt((n - 1) / n * np.square(without - mean).sum())
    law = stats.t(n - 1)
    larger = max(law.sf((mean + 0.01) / error), law.cdf((mean - 0.01) / error))
    assert (larger < 0.05) == is_equal
    shown = printed(chapter("significance"), "equal-code", f"{one} − {other}:")
    ends = mean + np.array([-1, 1]) * law.ppf(0.95) * error
    assert shown == [f"{abs(end):.3f}" for end in ends]


def test_significance_title_holds():
    wide, pairs = printed(chapter("significance"), "title-code", "wider than ±0.01:")
    assert f"In {wide} of the {pairs} pairs" in text_of("significance", "title-read")
    assert int(wide) > 0.9 * int(pairs)  # "usually"


def test_significance_dice():
    shown = aa_dice()
    shown.set(**shown.presets["1,000 queries"])
    band = float(dict(shown.declaration.view(**shown.values).words.rows)["its edges"].strip("±"))
    assert band < 0.01, "1,000 queries: the band is between the dashed lines"
    assert "about half" in text_of("significance", "dice-notice")


def test_significance_exercises():
    error = 0.08 / 100**0.5
    ex = CATALOG.all["read-interval"]
    told = f"{0.02 - 2 * error:.3f} to {0.02 + 2 * error:.3f}"
    assert (told, error) == ("0.004 to 0.036", pytest.approx(0.008))
    assert told in ex.because
    assert "−0.14 and 0.18" in ex.notice
    assert pytest.approx((-0.14, 0.18)) == (0.02 - 0.16, 0.02 + 0.16)
    flips = [0.6, -0.02, -0.03, -0.01, -0.02, -0.04]
    assert compare(flips, [0] * 6).permutation_p == 1
    half = stats.t.ppf(0.975, 199) * 0.093 / 200**0.5
    assert half == pytest.approx(0.013, abs=0.0005)  # "from −0.001 to 0.025"
    assert queries_needed(0.093, 0.01) == pytest.approx(700, abs=30)
    p = 2 * stats.t.sf(0.012 / (0.093 / 200**0.5), 199)
    assert f"p is {p:.2f}".replace("0.", ".") in CATALOG.all["defend-decision"].prompt
    ahead, asked = [12, 10, 14, 11, 3, 5, 2, 4], list("AAAABBCC")
    assert compare(ahead, [0] * 8).permutation_p == 2 / 256
    assert compare(ahead, [0] * 8, groups=asked).permutation_p == 2 / 8
    assert "2 of 256 ways, or 0.0078; by user 2 of 8, or 0.25" in CATALOG.all["by-user"].because
    new, old = [0.91, 0.15, 0.62, 0.40, 0.85, 0.33], [0.84, 0.11, 0.50, 0.37, 0.71, 0.30]
    ex = CATALOG.all["unpaired-test"]
    assert f"has {stats.ttest_rel(new, old).statistic:.4f}" in ex.prompt
    apart = np.var(new, ddof=1) + np.var(old, ddof=1)
    assert apart / np.var(np.subtract(new, old), ddof=1) == pytest.approx(70, abs=2)


def test_surrogates_names_the_ceiling_of_the_shop():
    y = shop_data(seed=2).test.y
    empty, alike = (y.max(axis=1) == 0).sum(), (np.ptp(y, axis=1) == 0).sum()
    words = f"In {alike} of the 100", f"the {empty} empty ones", f"at {1 - empty / 100:.3f}"
    assert all(word in text_of("surrogates", "shop-read") for word in words)


def intervals(notebook, cell_id):
    """Return the ends of the intervals that a cell prints, by the beginnings of their lines."""
    [cell] = (cell for cell in read(chapter(notebook)).cells if cell.id == cell_id)
    found = re.findall(r"^ *(.+?)  .*?([+-]\S+) to ([+-]\S+)$", output_text(cell.outputs[0]), re.M)
    return {name: (float(low), float(high)) for name, low, high in found}


def unsettled(notebook, cell_id):
    """Return whose intervals contain 0."""
    found = intervals(notebook, cell_id).items()
    return {name for name, (low, high) in found if low <= 0 <= high}


def test_surrogates_leads():
    low, high = intervals("surrogates", "gap-run")["squared, no intercept"]
    assert f"{low:.2f} to {high:.2f}".replace("-", "−") in text_of("surrogates", "gap-interval")
    assert "climb, random start" in unsettled("surrogates", "for-mixed")
    assert intervals("surrogates", "for-mixed")["climb from pairs"][0] > 0
    ends = intervals("surrogates", "for-linear")
    assert unsettled("surrogates", "for-linear") == set(ends)  # "each interval contains 0"
    assert max(high - low for low, high in ends.values()) < 0.01  # "and is narrow"
    assert intervals("surrogates", "many-code")["generating weights"][0] > 0
    mixes = {"squared, centered", "logistic, pairs", "LambdaRank"}
    assert unsettled("surrogates", "real-results") == mixes
    assert len(set(manual_data(0).test_groups)) == 20
    assert "have 20." in text_of("surrogates", "real")


def test_surrogates_ceiling_of_the_gap():
    ceiling = printed(chapter("surrogates"), "gap-run", "perfect order")[1]
    assert f"above {ceiling}" in text_of("surrogates", "gap-ceiling")


def test_surrogates_no_weights_have_a_lower_pairwise_loss_on_the_manual():
    """So the lower NDCG in training is that of the lowest loss, whatever the length."""
    X, y, _ = manual_data(seed=0).train
    w = pairwise_logistic(X, y)
    lowest, gradient = pairwise_loss(y, linear_scores(X, w))
    by_weight = [(X[..., i] * gradient).sum() for i in range(4)]
    assert by_weight == pytest.approx([0] * 4, abs=1e-4)
    equal = linear_scores(X, np.ones(4))
    lengths = [pairwise_loss(y, length * equal)[0] for length in np.linspace(0.1, 2, 20)]
    assert lowest < min(lengths) - 0.005
    assert ndcg(y, linear_scores(X, w), k=10) < ndcg(y, equal, k=10) - 0.005


def test_surrogates_epochs():
    explorer = epoch_slider()
    histories = {
        key: fit(
            *data.train[:2], "squared", epochs=60, rate=0.2, k=5, validation=data.validation[:2]
        ).history
        for key, data in (("shop", shop_data(seed=2)), ("linear", ranking_data(seed=0)))
    }
    shop, linear = histories["shop"], histories["linear"]
    text = text_of("surrogates", "slider-notice")
    assert f"from {shop[0].loss:.2f} to {shop[-1].loss:.2f}" in text
    assert f"from {shop[0].train:.2f}, the random level, to {shop[-1].train:.2f}." in text
    text = text_of("surrogates", "slider-linear")
    assert f"from {linear[1].loss:.2f} to {linear[-1].loss:.2f}" in text
    later = [epoch.train for epoch in linear[1:]]
    assert max(later) - min(later) < 0.002
    assert f"near {later[0]:.2f}" in text
    text = text_of("surrogates", "slider-pairs")
    for loss in ("pairwise", "lambdarank"):
        last = sentence(explorer, data="shop", loss=loss, epoch=60)
        train, held = re.findall(r"→ (\d\.\d{4})", last)[1:3]
        assert f"{float(train):.2f} in training and {float(held):.2f} on" in text
    jumps = [
        float(re.search(r"→ (\d\.\d{4})", sentence(explorer, epoch=epoch))[1])
        for epoch in (28, 29, 30, 31)
    ]
    assert jumps[0] < jumps[1] > jumps[2] < jumps[3]  # "up and down"


def test_surrogates_squared_errors_of_all_pairs_are_the_centered_one():
    rng = np.random.default_rng(1)
    error = rng.normal(size=7)
    pairs = sum((a - b) ** 2 for a, b in itertools.combinations(error, 2))
    assert pairs == pytest.approx(7 * ((error - error.mean()) ** 2).sum())


def test_surrogates_steps_that_overshoot():
    """Why LambdaRank "gets short steps" on the manual."""
    data = manual_data(seed=0)
    history = fit(*data.train[:2], "lambdarank", epochs=20, rate=0.1, k=10).history
    values = [
        ndcg(data.test.y, linear_scores(data.test.X, epoch.w), k=10) for epoch in history[16:]
    ]
    assert min(values) < 0.04
    assert max(values) > 0.6


def test_surrogates_exercises():
    assert_explains("error-and-order", ndcg([2, 0], [0.9, 1.1]))
    close, far = [2.4, 2.6, 1, 0], [9, 4, -1, -6]
    error = [np.mean((np.array(s) - [3, 2, 1, 0]) ** 2) for s in (close, far)]
    assert_explains("lower-loss-claim", *error, ndcg([3, 2, 1, 0], close))


def test_climb_exercises():
    tied = 1.5 * (1 + 1 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert_explains("where-they-cross", ndcg([1, 2], [2, 1]), tied, 1 + 2 / math.log2(3))
    others = [0.1, 0.2, 0.3, 0.4]
    hills = [ndcg([2, 0, 3, 0, 3], [at, *others]) for at in (0.05, 0.15, 0.25, 0.35, 0.45)]
    assert_explains("one-hill-claim", *hills)
