"""The models that the static site runs in the page: the same to the last letter as Python's."""

import gzip
import itertools
import json
import random
from html import escape
from pathlib import Path

import lab
import numpy as np
import pytest
from traitlets import TraitError

import course.site
import coursekit.site
from course.explorers import own_discount
from course.explorers.own_discount import CONVENTIONS, RANKING, SHOWN
from course.explorers.own_discount_chart import Compared
from course.site.ports import own_discount_base, state_shown
from coursekit.widgets.pad import read_weights, weights_text
from wording import nearest

pytestmark = pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED)

STATIC = [Path(one.__file__).parent / "static" for one in (course.site, coursekit.site)]
KINDS = [dict(beside=beside, shows=shows) for beside in CONVENTIONS for shows in SHOWN.values()]


@pytest.fixture(scope="module", name="declaration")
def _declaration():
    return own_discount().declaration


def in_javascript(page, expression, given, port="own_discount.js"):
    """Return an expression of the port `m` and what is given, as JSON takes it there and back."""
    [path] = [folder / port for folder in STATIC if (folder / port).exists()]
    return lab.in_module(page, path, expression, given)


def random_weights(luck):
    """Return weights of one of the shapes that may make trouble, none above the one before it."""
    highest = luck.choice([1, 4, 8, 20, 100, 100])  # few levels: ratios that end in a half
    weights = sorted((luck.randint(0, highest) for _ in range(10)), reverse=True)
    kept, fall = luck.randint(1, 10), luck.choice([0.3, 0.5, 0.7, 0.9])
    shapes = [
        weights,
        weights[:kept] + (10 - kept) * [0],
        kept * [highest] + (10 - kept) * [weights[-1]],
        10 * [weights[0]],
        [int(100 * fall**rank) for rank in range(10)],
    ]
    first, *rest = luck.choice(shapes)
    return weights_text([max(first, 1), *rest])


def has_half(values):
    """Whether a share in percent is an even number and a half, which Python rounds down."""
    weights = map(int, values["weights"].split())
    terms = [grade * weight for grade, weight in zip(RANKING, weights, strict=True)]
    return any(200 * term % (4 * sum(terms)) == sum(terms) for term in terms)


def many_states(declaration):
    luck = random.Random(14)
    more = (dict(weights=random_weights(luck), **luck.choice(KINDS)) for _ in itertools.count())
    halves = filter(has_half, more)
    return [*declaration.states(), *itertools.islice(more, 900), *itertools.islice(halves, 60)]


def check_equal(page, declaration, states):
    given = {"base": own_discount_base(declaration), "states": states}
    got = in_javascript(page, "given.states.map((values) => m.answer(given.base, values))", given)
    for values, shown in zip(states, got, strict=True):
        assert shown == json.loads(json.dumps(state_shown(declaration, values))), values


def test_any_weights_show_what_python_shows(blank, declaration):
    states = many_states(declaration)
    assert len(states) == 1000
    check_equal(blank, declaration, states)


def test_a_convention_that_a_pad_can_draw(blank):
    """Drawn exactly, it agrees with itself on every pair, also where rounding makes 0 a 1e-17."""
    declaration = own_discount().declaration
    name, _ = CONVENTIONS["reciprocal"]
    declaration.view.__self__._measure(name, np.arange(10, 0, -1) / 10)
    states = [declaration.start | kind for kind in KINDS]
    check_equal(blank, declaration, states)
    said = declaration.view(**declaration.start | dict(beside="reciprocal", shows="pairs"))
    assert said.sentence.endswith("of 2,000 pairs. They disagree on none. Yours calls 41 equal.")


def test_what_is_sent_is_small_and_stays_as_it_was(blank, declaration):
    base = json.loads(json.dumps(own_discount_base(declaration)))
    assert len(gzip.compress(json.dumps(base).encode())) < 20_000
    after = "(m.answer(given, given.values), given)"
    values = {"weights": "9 9 8 8 7 7 6 6 5 5", "beside": "log", "shows": "ranking"}
    assert in_javascript(blank, after, base | {"values": values}) == base | {"values": values}


def test_numbers_are_written_as_python_writes_them(blank):
    luck = random.Random(5)
    values = [luck.randrange(2**11) / 2 ** luck.randint(0, 10) for _ in range(500)]  # many halves
    values += [round(luck.random(), 5) for _ in range(500)]  # halves to the eye only
    values += [1 - 2**-53, 0.8635, 0.5, 1.5, 2.5, 1e-9, 0.0, 99.95, 1e6]
    cases = [(value, digits) for value in values for digits in (0, 1, 4, 6)]
    got = in_javascript(blank, "given.map((one) => m.fixed(...one))", cases)
    assert got == [f"{value:.{digits}f}" for value, digits in cases]
    pairs = [(same, total) for total in (7, 2000) for same in range(total + 1)] + [(1, 10_000)]
    got = in_javascript(blank, "given.map((one) => m.percent(...one))", pairs)
    assert got == [escape(Compared(*pair, None, None).percent) for pair in pairs]


FINE = [
    "100 90 80 70 60 50 40 30 20 10",
    "  007 7\t7 7\n7 7 7 7 7 000000000 ",
    "9\x1c9\x859\xa09\u20039 9 9 9 9 9",
]
WRONG = [
    *("", "1 2 3", "9 9 9 9 9 9 9 9 9", "9 9 9 9 9 9 9 9 9 9 9", 7, True, None),
    "hello",
    "9,9,9,9,9,9,9,9,9,9",
    "101 9 9 9 9 9 9 9 9 9",
    "9 9 9 9 9 9 9 9 9 1.5",
    "9 9 9 9 9 9 9 9 9 -1",
    "9 9 9 9 9 9 9 9 9 -0",
    "9 +9 9 9 9 9 9 9 9 9",
    "9 1e1 9 9 9 9 9 9 9 9",
    "0x9 9 9 9 9 9 9 9 9 9",
    "9 9 1_0 9 9 9 9 9 9 9",
    "9 ² 9 9 9 9 9 9 9 1",
    "9 ٣ 9 9 9 9 9 9 9 1",
    "9 9 𝟗 9 9 9 9 9 9 1",
    "9 9 9 9 9 9 9 9 9 <b>",
    "9 9 9 9 9 9 9 9 \ufeff9 9",
    "9 9 9 9 9 9 9 9 9 " + 30 * "😀",
    f"{'9' * 5000} 9 9 9 9 9 9 9 9 1",
    "1000000000 9 9 9 9 9 9 9 9 1",
    "0000000009 9 9 9 9 9 9 9 9 1",
    "NaN 9 9 9 9 9 9 9 9 1",
    "9 9 9 8 7 8 1 1 1 1",
    "0 0 0 0 0 0 0 0 0 1",
    "0 0 0 0 0 0 0 0 0 0",
]


def test_weights_that_are_typed_in_are_read_or_refused_as_in_python(blank):
    read = """given.map((text) => {
      try { return m.readWeights(text); } catch (error) { return error.message; }
    })"""
    assert in_javascript(blank, read, FINE) == [read_weights(text) for text in FINE]
    assert len(WRONG) == 30
    for text, message in zip(WRONG, in_javascript(blank, read, WRONG), strict=True):
        with pytest.raises(TraitError) as refusal:
            read_weights(text)
        assert message == str(refusal.value)


def test_the_nearest_name_is_pythons(blank):
    """Words of few letters: many near ones, and many that share runs in another order."""
    luck = random.Random(5)

    def word():
        return "".join(luck.choices("aabcd_Q", k=luck.randint(1, 9)))

    pairs = [[word(), list(dict.fromkeys(word() for _ in range(5)))] for _ in range(3000)]
    pairs += [["x" * 300, ["example"]], ["exmaple", ["example", "k", 3, True]], [3, ["3"]]]
    found = in_javascript(
        blank, "given.map(([a, names]) => m.nearest(a, names))", pairs, "line.js"
    )
    assert found == [nearest(given, names) for given, names in pairs]
    assert 500 < sum(map(bool, found)) < 2500
