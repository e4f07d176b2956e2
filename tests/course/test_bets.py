"""Bets record, reveal, and state numbers that are true."""

import html
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from notebook_rules import chapter, printed
from scipy import stats
from sklearn.metrics import ndcg_score

from course import bets
from course.bets import place_bet, reveal
from coursekit.bets.texts import read_bets
from coursekit.text import TextError
from ndcglib.datasets import (
    manual_scores,
    manual_search,
)
from ndcglib.metrics import (
    average_precision,
    dcg,
    depth_pool,
    err,
    ndcg,
    precision_at_k,
    random_ndcg,
    random_pairs,
    rbp,
    reciprocal_rank,
    unjudged_at_k,
    verdicts,
    worst_ndcg,
)
from ndcglib.significance import compare

FIVE = [5, 4, 3, 2, 1]

BETS, QUESTIONS = bets.BETS.all, bets.BETS.questions
CONTENT = Path(bets.__file__).parent / "content"


@pytest.mark.parametrize("name", BETS)
def test_shape_of_a_bet(name):
    text = BETS[name]
    assert 3 <= len(text.answers) <= 5
    assert list(text.answers) == list("ABCDE"[: len(text.answers)])
    assert text.right in text.answers
    replies = [answer.reply for answer in text.answers.values()]
    assert len(set(replies)) == len(replies)
    assert all(reply.endswith(".") for reply in replies)
    assert re.fullmatch(r"For instructors: \d+ minutes", text.instructor.name)
    votes, say, late = text.instructor.text.split("\n\n")
    assert re.findall(r"([A-E]) \d+%", votes) == list(text.answers)
    assert sum(map(int, re.findall(r"(\d+)%", votes))) == 100
    assert votes.startswith("**First votes, guessed.** ")
    assert say.startswith("**Say.** ")
    assert late.startswith("**If late.** ")


@pytest.mark.parametrize("text", [*BETS.values(), *QUESTIONS.values()])
def test_what_a_reader_sees_is_plain_text(text):
    """No page renders Markdown there, and no phone of a room."""
    shown = [text.question, *(part for answer in text.answers.values() for part in answer)]
    assert [part for part in shown if re.search(r"[*`]|\]\(", part)] == []


@pytest.mark.parametrize("name", BETS)
def test_each_answer_meets_its_reply(name):
    bet = place_bet(name)
    box = reveal(bet)
    assert bet.choice is None
    assert "not bet yet" in box.value
    for letter, answer in BETS[name].answers.items():
        bet.buttons.value = letter
        assert bet.choice == letter
        assert f"Your bet is {letter}" in bet.note.value
        verdict = " Right. " if letter == BETS[name].right else " Not so. "
        assert verdict in box.value
        assert answer.reply.replace("'", "&#x27;") in box.value


ROOT = Path(__file__).parents[2]


def says(name, *numbers):
    """Whether each number, as text, stands somewhere in the replies of a bet."""
    replies = " ".join(answer.reply for answer in BETS[name].answers.values())
    return all(number in replies for number in numbers)


def unwrapped(text):
    return " ".join(text.split())


@pytest.mark.parametrize("name", BETS)
def test_without_a_kernel_the_words_are_there(name):
    bet = place_bet(name)
    text = bet._repr_mimebundle_()["text/plain"]
    assert BETS[name].question in unwrapped(text)
    assert max(map(len, text.splitlines())) <= 88


FOLD = re.compile(r"<details><summary>The replies to every answer</summary>(.*)</details>")


@pytest.mark.parametrize("name", BETS)
def test_a_stored_reveal_is_folded(name):
    """Open lies the reply to the reader's own bet, if there is one, and nothing else."""
    bet = place_bet(name)
    replies = {letter: BETS[name].reply(letter) for letter in BETS[name].answers}
    for own in (None, *replies):
        bet.buttons.value = own
        bundle = reveal(bet)._repr_mimebundle_()
        folded = html.unescape(FOLD.search(bundle["text/html"])[1])
        opened = html.unescape(FOLD.sub("", bundle["text/html"]))
        plain = unwrapped(bundle["text/plain"])
        for letter, words in replies.items():
            assert words in folded
            assert (words in opened) == (words in plain) == (letter == own)


def test_bad_names_are_refused():
    with pytest.raises(ValueError, match="no bet is called 'x'; there are"):
        place_bet("x")
    with pytest.raises(TypeError, match=r"what place_bet\(\) returned, got str"):
        reveal("best-swap")


def said(name):
    """Every number with a decimal point in the replies of a bet."""
    text = " ".join(answer.reply for answer in BETS[name].answers.values())
    return {float(found) for found in re.findall(r"\d+\.\d+", text)}


def reply(name, letter):
    return BETS[name].answers[letter].reply


def test_each_reply_has_its_own_number():
    """A set of all numbers would not see two of them change places."""
    pages = [3, 3, 2, 1, 0]
    for letter in "ABC":
        assert f"{random_ndcg(pages):.4f}" in reply("is-it-excellent", letter)
    assert f"{worst_ndcg(pages):.4f}" in reply("is-it-excellent", "D")
    before = dcg([3, 2, 3, 0, 1], FIVE)
    swaps = {"A": [2, 3, 3, 0, 1], "B": [3, 3, 2, 0, 1], "C": [3, 2, 3, 1, 0]}
    for letter, grades in swaps.items():
        assert f"{abs(dcg(grades, FIVE) - before):.4f}" in reply("best-swap", letter)
    assert len(said("best-swap")) == len(swaps)
    for letter in "ABCD":
        assert "0.6131" in reply("longer-list", letter)
        assert "0.8269" in reply("which-gain", letter)


def test_the_empty_query_of_scikit_learn():
    assert ndcg_score([[0] * 5], [FIVE]) == 0
    assert ndcg([0] * 5, FIVE) == 0
    for letter in "ABCD":
        assert "scikit-learn 1.9 returns 0" in reply("empty-query", letter)
        assert "LightGBM 4.7 returns 1" in reply("empty-query", letter)


def test_a_bet_placed_before_its_box_exists():
    bet = place_bet("best-swap")
    bet.buttons.value = "B"
    assert "You bet B" in reveal(bet).value


def test_numbers_of_the_first_bet():
    pages, value = [3, 3, 2, 1, 0], ndcg([2, 1, 3, 0, 3], FIVE)
    assert said("is-it-excellent") == {
        round(random_ndcg(pages), 4),
        round(worst_ndcg(pages), 4),
        0.5,
    }
    assert round(value, 2) == 0.84
    assert value < random_ndcg(pages)


SECOND = [2, 3, 1, 3, 0]
SAID = {  # all numbers with a decimal point in the replies of a bet
    "at-three": [ndcg(SECOND, FIVE, k=3), dcg(SECOND, FIVE, k=3), dcg(SECOND, FIVE)],
    "missed-threes": [ndcg([1, 1, 1], [3, 2, 1], k=3, pool=[1, 1, 1, 3, 3, 3])],
    "which-notices": [ndcg(one, FIVE, k=3) for one in ([3, 2, 1, 0, 0], [1, 2, 3, 0, 0])],
}


@pytest.mark.parametrize("name", SAID)
def test_numbers_of_a_bet(name):
    assert said(name) == {round(number, 4) for number in SAID[name]}


def test_numbers_of_rounding():
    exact = ndcg([3, 2, 3, 0, 1], FIVE)
    low, high = 6.145 / 6.325, 6.155 / 6.315
    numbers = {round(exact, 4), round(low, 4), round(high, 4)}
    assert said("rounding") == numbers | {0.97, 0.973}
    assert round(6.15 / 6.32, 4) == 0.9731
    assert round(low, 2) == round(high, 2) == 0.97


def test_numbers_of_which_gain():
    y_true = [3, 2, 3, 0, 1, 2, 0, 1]
    y_score = [0.60, 0.20, 0.80, 0.40, 0.10, 0.30, 0.05, 0.70]
    linear = ndcg(y_true, y_score, k=5)
    exponential = ndcg(y_true, y_score, k=5, gain="exponential")
    assert said("which-gain") == {round(linear, 4)}
    assert f"{exponential:.4f}" in BETS["which-gain"].question
    assert linear < exponential


def test_numbers_of_longer_list():
    """The lowest NDCG@2 after NDCG@1 = 1, over every list of four grades from 0 to 3."""
    lists = itertools.product(range(4), repeat=4)
    starts_best = [g for g in lists if g[0] == max(g) > 0]
    lowest = min(ndcg(g, [4, 3, 2, 1], k=2) for g in starts_best)
    assert said("longer-list") == {round(lowest, 4), round(1 / math.log2(3), 4)}


def test_numbers_of_the_real_cutoff():
    """Within .02: the manual differs a little between releases of scikit-learn."""
    grades, scores = manual_search().grades, manual_scores()["BM25"]
    expected = [ndcg(grades, scores, k=k) for k in (20, 1)]
    assert sorted(said("real-cutoff")) == pytest.approx(expected, abs=0.02)


def test_numbers_of_the_pool():
    """Within .02 as well; what the replies claim of the order holds in every release."""
    grades, scores = manual_search().grades, manual_scores()
    judged = depth_pool([scores["TF-IDF"]], 10)
    found = [ndcg(np.where(judged, grades, 0), scores[n], k=10) for n in ("BM25", "TF-IDF")]
    truth = [ndcg(grades, scores[name], k=10) for name in ("BM25", "TF-IDF")]
    assert sorted(said("home-advantage")) == pytest.approx(found, abs=0.02)
    for number, true in zip(("0.529", "0.500"), truth, strict=True):
        assert number in BETS["home-advantage"].question
        assert float(number) == pytest.approx(true, abs=0.02)
    assert truth[1] < truth[0] < found[0] < found[1]
    assert unjudged_at_k(judged, scores["BM25"], 10) == pytest.approx(0.25, abs=0.05)
    assert judged[grades == 2].mean() == pytest.approx(0.5, abs=0.05)


def test_numbers_of_one_line():
    """Of the line, of the reply with both measured generously, and of one code; within .02."""
    grades, scores = manual_search().grades, manual_scores()
    pairs = [(grades, scores[name]) for name in ("name words", "BM25")]
    careful = [ndcg(*pair, k=5) for pair in pairs]
    generous = []
    for y_true, y_score in pairs:
        rows = [
            [g for _, g in sorted(zip(s, g, strict=True), reverse=True)][:5]
            for g, s in zip(y_true.tolist(), y_score.tolist(), strict=True)
        ]
        generous.append((200 * ndcg(rows, ranked=True) + 50) / 250)
    lead = careful[1] - careful[0]
    assert 0.03 < lead < 0.08
    numbers = sorted({1.0, *careful, *generous, lead})
    assert sorted(said("one-line")) == pytest.approx(numbers, abs=0.02)
    shown = [float(n) for n in re.findall(r"0\.\d+", BETS["one-line"].question)]
    assert shown == pytest.approx([generous[0], careful[1]], abs=0.02)


def test_numbers_of_left_out():
    """What is left of a query is shuffled by a ranker without an opinion: its random level."""
    grades, scores = manual_search().grades, manual_scores()
    judged = depth_pool([scores["BM25"], scores["TF-IDF"]], 5)
    assert 6 < judged.sum(axis=1).mean() < 7
    left = [random_ndcg(row[inside], k=10) for row, inside in zip(grades, judged, strict=True)]
    assert list(said("left-out")) == [pytest.approx(np.mean(left), abs=0.02)]
    assert "0.048" in BETS["left-out"].question
    assert ndcg(grades, scores["constant"], k=10) == pytest.approx(0.048, abs=0.002)
    zero = ndcg(np.where(judged, grades, 0), scores["constant"], k=10)
    assert zero == pytest.approx(0.01, abs=0.005)  # "where the unjudged count 0"


def per_query(name):
    return ndcg(manual_search().grades, manual_scores()[name], k=10, per_query=True)


def test_numbers_of_a_mean_and_its_wins():
    """Another release has another manual: the numbers are near, the order is the same."""
    found = compare(per_query("alphabetical"), per_query("constant"))
    assert "0.0100 higher" in BETS["mean-and-wins"].question
    assert found.difference == pytest.approx(0.01, abs=0.002)
    assert found.low < 0
    assert "ahead on 58 and behind on 142" in reply("mean-and-wins", "A")
    assert (found.wins, found.losses) == (pytest.approx(58, abs=8), pytest.approx(142, abs=8))


def left_out(values):
    """Return mean, ends and p by the jackknife, one module after the other taken away."""
    modules = manual_search().modules
    names = np.unique(modules)
    without = np.array([values[modules != name].mean() for name in names])
    error = np.sqrt((len(names) - 1) / len(names) * ((without - values.mean()) ** 2).sum())
    law = stats.t(len(names) - 1)
    half = law.ppf(0.975) * error
    mean = values.mean()
    return mean, mean - half, mean + half, 2 * law.sf(abs(mean) / error)


def test_numbers_of_whole_modules():
    ahead, modules = per_query("TF-IDF") - per_query("summary words"), manual_search().modules
    question, others = BETS["modules"].question, (reply("modules", letter) for letter in "BCD")
    mean, _, _, p = left_out(ahead)
    assert "is 0.035 ahead" in question
    assert mean == pytest.approx(0.035, abs=0.005)
    assert "itself, p is .011" in question
    assert stats.ttest_1samp(ahead, 0).pvalue == pytest.approx(0.011, abs=0.005)
    assert "Yes, .37." in reply("modules", "A")
    assert all(".37" in other for other in others)
    assert p == pytest.approx(0.37, abs=0.04)
    names, sizes = np.unique(modules, return_counts=True)
    assert "24 in all" in question
    assert len(names) == pytest.approx(24, abs=2)
    assert "one module has 36 queries and another 32" in reply("modules", "B")
    assert sorted(sizes)[-2:] == pytest.approx([32, 36], abs=4)
    assert "32 queries of one module, metrics" in reply("modules", "A")
    assert "without them it is 0.008" in reply("modules", "A")
    assert ahead[modules != "sklearn.metrics"].mean() == pytest.approx(0.008, abs=0.005)


def test_numbers_of_two_intervals():
    both = per_query("BM25"), per_query("TF-IDF")
    told = [float(n) for n in re.findall(r"0\.\d{3}", BETS["intervals-overlap"].question)]
    for values, row in zip(both, (told[:3], told[3:]), strict=True):
        assert left_out(values)[:3] == pytest.approx(row, abs=0.02)
    _, *ends, p = left_out(both[0] - both[1])
    assert "0.006 to 0.053" in reply("intervals-overlap", "B")
    assert ends == pytest.approx([0.006, 0.053], abs=0.004)
    assert all(".016" in reply("intervals-overlap", letter) for letter in "ACD")
    assert p == pytest.approx(0.016, abs=0.006)


def test_numbers_of_twenty_copies():
    four = np.array([per_query(n) for n in ("BM25", "TF-IDF", "name words", "summary words")])
    rng, found = np.random.default_rng(1), []
    for _ in range(1000):
        copies = four[rng.integers(4, size=(20, 50)), rng.integers(four.shape[1], size=50)]
        named, others = copies[0], copies[1:]
        first = others[others.mean(axis=1).argmax()]
        ahead = stats.ttest_rel(first, named)
        pairs = (best_and_worst(copies), best_and_worst(copies[:10]))
        found.append([stats.ttest_rel(*pair).pvalue < 0.05 for pair in pairs])
        found[-1].append(ahead.pvalue < 0.05 and ahead.statistic > 0)
    extreme, of_ten, flattered = np.mean(found, axis=0)
    assert "84%" in reply("best-of-twenty", "D")
    assert extreme == pytest.approx(0.84, abs=0.05)
    assert flattered == pytest.approx(0.2, abs=0.05)
    assert of_ten > 0.5
    assert math.comb(20, 2) == 190


def best_and_worst(copies):
    means = copies.mean(axis=1)
    return copies[means.argmax()], copies[means.argmin()]


def test_numbers_of_the_small_gap():
    """Rounded random scores: file order beside scikit-learn, on each of thirty queries."""
    rng = np.random.default_rng(42)
    y_true, y_score = rng.integers(0, 4, size=(30, 40)), rng.normal(size=(30, 40)).round()
    in_file_order = ndcg(y_true, y_score, k=5, ties="stable", per_query=True)
    theirs = [ndcg_score([y], [s], k=5) for y, s in zip(y_true, y_score, strict=True)]
    ahead = np.array(theirs) - in_file_order
    assert f"{in_file_order.mean():.3f} and {np.mean(theirs):.3f}" in BETS["small-gap"].question
    assert said("small-gap") == {round(ahead.max(), 3), round(ahead.mean(), 3)}
    assert np.abs(ahead).max() == ahead.max()
    up, down = (ahead > 0).sum(), (ahead < 0).sum()
    for letter in "AC":
        says_so = f"On {up} queries scikit-learn is ahead, on {down} it is behind"
        assert says_so in reply("small-gap", letter)
    assert "differ on all 30" in reply("small-gap", "B")


def test_numbers_of_the_silent_check():
    """The gap at k = 5 on the data of the clinic, and what is left with equal gains."""
    rng = np.random.default_rng(42)
    y_true, y_score = rng.integers(0, 4, size=(30, 40)), rng.normal(size=(30, 40))
    for k in (1, 3, 5, 10, None):
        mine = ndcg(y_true, y_score, k=k, gain="exponential")
        apart = abs(mine - ndcg_score(y_true, y_score, k=k))
        assert 0.065 < apart < 0.1095
        if k == 5:
            assert f"{apart:.2f}" in BETS["silent-check"].question
        assert abs(mine - ndcg_score(2.0**y_true - 1, y_score, k=k)) < 1e-12
    assert "1e-12" in reply("silent-check", "C")


def test_numbers_of_the_constant_model():
    y_true, scores = [1, 1, 1] + 17 * [0], 20 * [0]
    average = ndcg(y_true, scores, k=5)
    stable = ndcg(y_true, scores, k=5, ties="stable")
    reverse = ndcg(y_true[::-1], scores, k=5, ties="stable")
    assert said("knows-nothing") == {round(v, 3) for v in (average, stable, reverse)}
    assert f"{stable:.3f}, {average:.3f} or {reverse:.3f}" in reply("knows-nothing", "E")
    assert f"NDCG@5 = {stable:g}." in BETS["knows-nothing"].question
    assert ndcg_score([y_true], [scores], k=5) == pytest.approx(average)
    for letter in "ABCD":
        assert f"prints {average:.3f}" in reply("knows-nothing", letter)
        assert f"print{'' if letter == 'C' else 's'} {reverse:.3f}" in reply(
            "knows-nothing", letter
        )


def test_numbers_of_rounded_scores():
    grades = [3, 2, 3, 0, 1, 2]
    models = {
        "good": np.array([0.90, 0.70, 0.80, 0.05, 0.30, 0.60]),
        "bad": np.array([0.10, 0.20, 0.30, 0.95, 0.80, 0.70]),
    }
    moves = {
        name: [f"{ndcg(grades, scores):.3f}", f"{ndcg(grades, scores.round()):.3f}"]
        for name, scores in models.items()
    }
    assert "{} becomes {}".format(*moves["bad"]) in reply("rounding-scores", "A")
    assert "from {} to {}".format(*moves["bad"]) in reply("rounding-scores", "B")
    assert "from {} to {}".format(*moves["good"]) in reply("rounding-scores", "B")
    assert "from {} to {}".format(*moves["bad"]) in reply("rounding-scores", "C")
    assert "{} becomes {}".format(*moves["good"]) in reply("rounding-scores", "D")


def test_numbers_of_the_same_number():
    levels = [random_ndcg(grades) for grades in ([1] + 9 * [0], 8 * [1] + 2 * [0])]
    assert said("same-number") == {round(level, 4) for level in levels}
    assert levels[0] < 0.84 < levels[1]
    assert "0.84" in BETS["same-number"].question
    for letter in "ACD":
        assert f"{levels[0]:.4f}" in reply("same-number", letter)


def test_numbers_of_the_perfect_page():
    pages = [1, 0, 0, 0, 0], [3, 3, 2, 3, 3]
    numbers = [round(f(page, FIVE), 4) for page in pages for f in (ndcg, dcg)]
    assert said("perfect-page") == set(numbers)
    assert 8 < numbers[3] / numbers[1] < 9  # "eight times as large"


A, B = [3, 0, 0, 2, 2], [2, 2, 3, 0, 0]


def both(gain, factor=1):
    """The two engines of notebook *gain*, to four digits."""
    return {round(ndcg([factor * g for g in engine], FIVE, gain=gain), 4) for engine in (A, B)}


def test_numbers_of_the_gains():
    """A leads as soon as a 3 is worth more than 1.63 of a 2, between b = 1.1 and b = 1.2."""
    assert all(f"{value:.4f}" in BETS["how-many-twos"].question for value in both("linear"))
    worth = {}
    for b, a_leads in ((1, False), (1.1, False), (1.2, True), (2, True)):
        gain = {grade: sum(b**step for step in range(grade)) for grade in (0, 2, 3)}
        worth[b] = gain[3] / gain[2]
        assert (ndcg(A, FIVE, gain=gain) > ndcg(B, FIVE, gain=gain)) == a_leads
    w = [1 / math.log2(rank + 1) for rank in range(1, 6)]
    border = (w[0] + w[1] - w[3] - w[4]) / (w[0] - w[2])
    assert worth[1.1] < border < worth[1.2] < worth[2]
    numbers = {worth[1.1], border, worth[1.2], 1.1, 1.2}
    assert said("how-many-twos") == {round(number, 2) for number in numbers}


def test_numbers_of_other_labels():
    steep, stored = both("exponential"), both("exponential", factor=10)
    assert said("times-ten") == both("linear") | steep | stored
    assert both("linear", factor=10) == both("linear")
    for letter in "AC":
        assert all(f"{value:.4f}" in reply("times-ten", letter) for value in steep | stored)
    for letter in "BCD":
        assert all(f"{value:.4f}" in reply("times-ten", letter) for value in both("linear"))


def test_numbers_of_attention():
    ranks = np.arange(1, 11)
    clicks = np.array([42.30, 11.92, 8.44, 6.03, 4.86, 3.99, 3.36, 2.98, 2.83, 2.97]) / 42.30
    two, three, four, five, *_, ten = (f"{100 * share:.0f}" for share in clicks[1:])
    question = BETS["closest-to-attention"].question
    assert f"got {two}, {three}, {four} and {five} clicks" in question
    assert f"rank 10 got {ten}." in question
    formulas = {
        "A": 1 / np.log2(ranks + 1),
        "B": 1 / ranks,
        "C": 0.8 ** (ranks - 1.0),
        "D": 1 - 0.1 * (ranks - 1),
    }
    off = {letter: np.sqrt(np.mean((w - clicks) ** 2)) for letter, w in formulas.items()}
    assert min(off, key=off.get) == BETS["closest-to-attention"].right
    assert all(f"{miss:.3f}" in reply("closest-to-attention", x) for x, miss in off.items())
    for letter, rank in (("A", 10), ("B", 2), ("C", 4), ("D", 4)):
        [weight] = formulas[letter][ranks == rank]
        assert f"{weight:.0%}" in reply("closest-to-attention", letter)


def test_numbers_of_the_discounts():
    first, second = random_pairs([3, 3, 2, 2, 1, 1, 0, 0, 0, 0], 20_000, seed=0)
    log = verdicts(first, second)
    discounts = {
        "A": "reciprocal",
        "B": lambda rank: 0.5 ** (rank - 1),
        "C": lambda rank: 1 / np.sqrt(rank),
        "D": "2002",
    }
    parts = {x: (log != verdicts(first, second, discount=d)).mean() for x, d in discounts.items()}
    assert max(parts, key=parts.get) == BETS["most-verdicts"].right
    assert min(parts, key=parts.get) == "A"  # "the fewest of the four"
    assert all(f"{share:.1%}" in reply("most-verdicts", x) for x, share in parts.items())


def test_numbers_of_the_three_pages():
    pages, judged = [[3, 0, 0, 0, 0], [2, 2, 0, 0, 0], [0, 1, 1, 1, 1]], [3, 2, 2, 1, 1, 1, 1]
    question, each = BETS["best-page"].question, dict(ranked=True, per_query=True)
    assert all(" ".join(map(str, page)) + "." in question for page in pages)
    assert ", ".join(map(str, judged)) + "." in question
    values = {
        "ERR": err(pages, max_grade=3, **each),
        "NDCG@5": ndcg(pages, k=5, pool=[judged] * 3, **each),
        "RBP": rbp(pages, p=0.8, max_grade=3, **each),
        "P@5": precision_at_k(pages, k=5, **each),
        "AP": average_precision(pages, pool=[judged] * 3, **each),
    }
    winners = dict(zip(values, ["A", "B", "B", "C", "C"], strict=True))
    assert winners == {metric: "ABC"[np.argmax(of_pages)] for metric, of_pages in values.items()}
    for metric, letter in winners.items():
        digits = "g" if metric == "P@5" else ".4f"
        assert f"{max(values[metric]):{digits}}" in reply("best-page", letter)
    assert f"against {values['ERR'][1]:.4f} for B" in reply("best-page", "A")
    assert f"gives A {min(values['P@5']):g}, the least" in reply("best-page", "A")
    found = reciprocal_rank(pages, **each)
    assert f"reciprocal rank of C is {min(found):g}:" in reply("best-page", "C")


def test_numbers_of_a_hair():
    grades, scores = [3, 2, 3, 0, 1, 2], [0.10, 0.20, 0.30, 0.95, 0.80, 0.70]
    before, after = ndcg(grades, scores), ndcg(grades, [0.1001, *scores[1:]])
    assert before == after
    assert says("by-a-hair", f"{before:.4f}")
    for discount in ("log", "reciprocal", "2002"):
        values = [ndcg(grades, [a, *scores[1:]], discount=discount) for a in (0.1, 0.1001)]
        assert values[0] == values[1]


def test_numbers_of_the_contest():
    rows = ("climb, random start", "least squares", "climb, from least squares")
    cell = chapter("held_out"), "honest-results-code"
    climbed, plain, from_there = (printed(*cell, f"{row} ") for row in rows)
    assert says("who-wins-fresh", *climbed[:2], *plain[:2], from_there[1])
    behind = [10 - int(row[2]) for row in (climbed, from_there)]
    assert says("who-wins-fresh", f"in {behind[0]} of 10", f"only in {behind[1]} of 10")


def test_numbers_of_the_shop():
    note = chapter("surrogates")
    assert f"R² is {printed(note, 'shop-fit', 'weights')[-1]}." in BETS["r-squared-ranks"].question
    rows = (printed(note, "shop-contest", row)[1] for row in ("random order", "least squares"))
    assert says("r-squared-ranks", *rows)


def test_numbers_of_the_gap():
    rows = ("squared, no intercept", "squared", "squared, centered")
    rows += ("logistic, relevant or not", "logistic, pairs")
    cell = chapter("surrogates"), "gap-run"
    values = (printed(*cell, f"{row} ")[1] for row in rows)
    without, plain, centered, points, pairs = map(float, values)
    numbers = [f"{value:.3f}" for value in (without, plain, points, pairs)]
    assert says("where-the-gap-comes-from", *numbers)
    assert f"{centered:.3f}" == f"{plain:.3f}"  # the squared errors of all pairs
    assert says(
        "where-the-gap-comes-from", f"{plain - without:.2f} of the", f"{pairs - plain:.2f}"
    )
    assert f"{pairs - without:.2f} ahead" in BETS["where-the-gap-comes-from"].question


def test_the_guide_for_instructors_has_each_bet_with_its_remark():
    guide = (ROOT / "INSTRUCTORS.md").read_text(encoding="utf-8")
    assert all(bet.remark() in guide for bet in BETS.values())


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Right: B", "Right: E", "line 10: the bet 'best-swap' needs a question"),
        ("**A.** Rank 1", "A. Rank 1", "line 10: the bet 'best-swap' needs a question"),
        ("\n> It lifts", "\n\nIt lifts", "line 10: the bet 'best-swap' needs a question"),
        ("### For instructors: 4 minutes", "", "needs one part ### For instructors"),
    ],
)
def test_what_a_text_lacks_is_said_with_file_and_line(tmp_path, old, new, says):
    text = (CONTENT / "gain_discounted.md").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "02.md"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TextError, match=says):
        read_bets(path)
