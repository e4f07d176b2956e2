"""The explorers of the built site against Python: every state, every move, every state line.

The page's own modules run in Chromium, without a page around them.
"""

import dataclasses
import json
import random

import lab
import pytest
from site_page import BOOK, built, explorer_cells, open_site_page, twins
from test_browser_site_ports import random_weights

from coursekit.explorers.declaration import OneOf, Text, Whole
from coursekit.site import build as make
from coursekit.site.live import digest, page_state, traits_of

pytestmark = [
    pytest.mark.skipif(lab.CHROMIUM is None, reason=lab.WHY_SKIPPED),
    pytest.mark.full,
]

EXPLORERS = [(name, cell) for name in BOOK.by_name for cell in explorer_cells(name, lists=False)]
MOVES = 200
MANY = 200  # states; of more than that Python draws every seventh anew
EXPLORER = """const { Explorer } = await import("/explorer.js");
const data = JSON.parse(given.data);
const explorer = new Explorer(data, data.port && (await import(`/${data.port}.js`)));"""


class Driven:
    """An explorer of a notebook, and beside it what the page makes of it."""

    def __init__(self, page, site, name, cell):
        self.page = open_site_page(page)
        self.data = built(site, name, cell)
        self.twin = twins(name)[cell]
        self.declaration = self.twin.declaration
        self.stops = {name for name, one in self.data["controls"].items() if "stops" in one}

    def run(self, script, **given):
        """Return what a script of the page returns, which has `explorer` and what is given."""
        text = self.page.evaluate(
            f"async (given) => {{ {EXPLORER} return JSON.stringify(({script})()); }}",
            {"data": json.dumps(self.data), **given},
        )
        return json.loads(text)


@pytest.fixture(name="driven", params=EXPLORERS, ids="-".join)
def _driven(request, blank, site):
    """Return an explorer that draws nothing in Python: that takes its time."""
    driven = Driven(blank, site, *request.param)
    declaration, twin = driven.declaration, driven.twin
    blind = declaration.view(**declaration.start)
    twin.declaration = dataclasses.replace(declaration, view=lambda **_values: blind)
    twin.set(**driven.data["values"])
    yield driven
    twin.set(**driven.data["values"])
    twin.declaration = declaration


# --- every state ----------------------------------------------------------------------


def test_every_state_is_what_python_shows(driven):
    """All of them are those that were packed, and what was packed is what Python shows now."""
    if "port" in driven.data:
        pytest.skip("no table: tests/browser/test_browser_site_ports.py")
    declaration = driven.declaration
    values = list(declaration.states(every=True))
    states = driven.run("() => given.values.map((one) => explorer.stateAt(one))", values=values)
    for one, state in list(zip(values, states, strict=True))[:: 7 if len(values) > MANY else 1]:
        assert state == page_state(declaration, one), one
    assert digest(states) == driven.data["table"]["digest"]


def test_tables_are_made_anew_where_their_source_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(make, "HERE", tmp_path / "coursekit" / "site")
    code = ("coursekit/bets/bet.py", "helpers/a/b.py", "helpers/a/text.md")
    for name in ("one.ipynb", "requirements-dev.lock", *code):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("before")
    (tmp_path / "helpers" / "one.js").write_text("before")

    def key():
        files = [tmp_path / "helpers"], tmp_path / "requirements-dev.lock"
        return make.key_of((tmp_path / "one.ipynb").read_bytes(), *files)

    keys = [key()]
    for path in sorted(path for path in tmp_path.rglob("*.*") if path.suffix != ".js"):
        path.write_text("after")
        keys.append(key())
    assert len(set(keys)) == len(keys) == 6
    (tmp_path / "helpers" / "one.js").write_text("after")
    assert key() == keys[-1]


# --- every move -----------------------------------------------------------------------


def random_value(luck, widget, control):
    """Return a value to move a control to; of a number it may be beyond its ends."""
    if isinstance(control, Text):
        return random_weights(luck)
    if not isinstance(control, Whole):
        return luck.choice(control.values())
    low, high = luck.choice([(widget.min, widget.max), (control.min - 9, control.max + 9)])
    return luck.randint(low, high)


def now(twin):
    """Return where an explorer stands, as the page tells it."""
    free = ("value", "index")
    traits = {
        name: {key: one for key, one in traits_of(control).items() if key not in free}
        for name, control in twin.controls.items()
    }
    return json.loads(json.dumps({"values": twin.values, "line": twin.state, "traits": traits}))


NOW = """({
  values: explorer.values,
  line: explorer.line,
  traits: Object.fromEntries(explorer.names.map((name) => {
    const fitted = { ...explorer.data.controls[name].traits, ...explorer.state.fit[name] };
    const { value, index, ...traits } = fitted;
    return [name, traits];
  })),
})"""
WALK = f"() => given.moves.map((move) => {{ explorer.set(move); return {NOW}; }})"


def test_a_random_walk_goes_where_python_goes(driven):
    luck, twin, moves, expected = random.Random(7), driven.twin, [], []
    presets = [*driven.declaration.presets.values(), driven.declaration.start]
    for _ in range(MOVES):
        if luck.random() < 0.1:
            moves.append(luck.choice(presets))
            twin.set(**moves[-1])
        else:
            name, control = luck.choice(list(driven.declaration.controls.items()))
            value = random_value(luck, twin.controls[name], control)
            moves.append({name: value})
            twin.controls[name].value = value
        expected.append(now(twin))
    seen = driven.run(WALK, moves=moves)
    for move, one, other in zip(moves, seen, expected, strict=True):
        if driven.stops:  # not every number is on the page, but what is there is Python's
            twin.set(**one["values"])
            other = now(twin)
            for name in driven.stops:
                assert is_a_stop(driven, name, one["values"][name])
        assert one == other, move
    assert len({one["line"] for one in seen}) > min(MOVES, count(driven)) / 4


def is_a_stop(driven, name, value):
    return value in driven.data["controls"][name]["stops"]


def count(driven):
    """Return how many states the page has, those of a port apart."""
    return 1000 if "port" in driven.data else len(list(driven.declaration.states(every=True)))


ACT = """() => {
  const seen = [];
  while (seen.length < 200) {
    const before = explorer.line;
    explorer.set(explorer.state.acts[given.act]);
    if (explorer.line === before) break;
    seen.push(explorer.values);
  }
  return seen;
}"""


def test_what_draws_at_random_moves_on_to_the_end(driven):
    for act in driven.declaration.actions if driven.stops else ():
        seen = driven.run(ACT, act=act)
        draws = [values["draws"] for values in seen]
        assert draws == sorted(set(draws))
        assert (draws[0], draws[-1]) == (1 if act == "Break the ties once" else 100, 2000)
        assert all(is_a_stop(driven, "draws", one) for one in draws)
        assert {values["convention"] for values in seen} == {"random"}


# --- every line -----------------------------------------------------------------------

RESTORE = """() => given.lines.map((line) => {
  const { values } = explorer;
  try {
    explorer.restore(line);
    return explorer.values;
  } catch (error) {
    return [error.message, explorer.values === values];
  }
})"""


def test_lines_of_its_states_bring_it_there(driven):
    if "port" in driven.data:
        states = list(driven.declaration.states())
    else:
        states = list(driven.declaration.states(every=True))
    luck, twin, lines = random.Random(8), driven.twin, []
    some = luck.sample(states, min(20, len(states)))
    for state in some:
        twin.set(**state)
        lines.append(f"  {twin.state} ")
    for was in driven.declaration.was:  # names it had before
        lines.append(lines[0].replace(twin.name, was))
        some.append(some[0])
    assert driven.run(RESTORE, lines=lines) == some


WRONG = (
    *("nope", '"no such thing"', '"it\'s"', '"\\u00e9\\n"', '"\\x"', '"open', 'a"b"', '""', '" "'),
    *("-1", "-0", "99999", "999999999999999", "9999999999999999", "007", "+1", "1e3", "1.5", "²"),
    *("None", "True", "False", "none", "toString", "[1]", "{}"),
)


def wrong_lines(driven):
    """Return lines that are none of this explorer's."""
    twin = driven.twin
    name, (first, *_) = twin.name, driven.declaration.controls
    line = twin.state
    pairs = line.partition(": ")[2]
    yield from ("", "hello", "two words: k=1", ":", "other: k=2", f"{name}", f"{name}:", "k=2")
    yield from (f"{name}: {first}", f"{name}: {first}=", f"{name}: ={first}", f"{name}: =")
    yield from (f"{line} depth=3", f"{line} constructor=3", f"{line} __proto__=3", line + line)
    yield from (f"{line} {first}=1", f"{line} b=1 a=1", f"{line}, {first}=1", f"{line} 'x'")
    yield from ("x" * 100, "😀" * 41, f"{name}: {'ä' * 50}", "it's", '"it\'s"', 'say "it": it')
    yield from ("tab\there", "a\\b", "a\x07b", "a\xa0b\u2028", "a\x85b", "a\u200bb\U000e0001c")
    for key, control in driven.declaration.controls.items():
        yield f"{name}: {key}{key[-1]}=1"  # mistyped, and so are the values
        for value in control.values() if isinstance(control, OneOf) else ():
            yield line.replace(f"{key}={value}", f"{key}={str(value)[1:]}")
        others = [pair for pair in split(pairs) if not pair.startswith(f"{key}=")]
        yield f"{name}: {' '.join(others)}"
        for value in WRONG:
            yield " ".join([f"{name}:", *others, f"{key}={value}"])
            yield " ".join([f"{name}:", f"{key}={value}", *others])
    for value in WRONG:  # the first that is wrong is told
        yield " ".join([f"{name}:", *(f"{key}={value}" for key in driven.declaration.controls)])


def split(pairs):
    """Return the pairs of a line; those in quotes hold spaces."""
    found, held = [], ""
    for word in pairs.split(" "):
        held = f"{held} {word}".strip()
        if held.count('"') % 2 == 0:
            found.append(held)
            held = ""
    return found


def test_other_lines_are_refused_in_pythons_words(driven):
    lines = list(dict.fromkeys(wrong_lines(driven)))
    expected = []
    for line in lines:
        before = driven.twin.values
        try:
            driven.twin.restore(line)
            expected.append(driven.twin.values)
        except ValueError as error:
            assert driven.twin.values == before
            expected.append([str(error), True])
    seen = driven.run(RESTORE, lines=lines)
    differ = {
        line: (one, other)
        for line, one, other in zip(lines, seen, expected, strict=True)
        if one != other and not stands_between(driven, one)
    }
    assert differ == {}
    assert sum(isinstance(one, list) for one in expected) > 60


def stands_between(driven, seen):
    """Whether a number is refused that Python has and the page has not."""
    return isinstance(seen, list) and any(
        seen[0].startswith(f"{name} cannot be ") and ", the nearest is " in seen[0]
        for name in driven.stops
    )
