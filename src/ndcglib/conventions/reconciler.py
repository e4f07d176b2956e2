"""From a printed number back to the tools and the settings that print it."""

import functools
import itertools
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ndcglib.conventions.convention import SWITCHES, Convention
from ndcglib.conventions.evaluation import bounds_of, mean_of, number_of, queries_of, refusal
from ndcglib.conventions.presets import PRESETS
from ndcglib.metrics.checks import brief

NUMBER = re.compile(r"[01]?\.\d+|[01]")
NUMBERS = int, float, np.integer, np.floating
LEAST_DIGITS, MOST_DIGITS = 4, 9  # decimals that a number without quotes stands for
MOST_NAMED = 6  # settings in a text
ROUNDING = 2e-6  # more than single precision loses


@dataclass(frozen=True, repr=False)
class Reconciliation:
    """Who prints a number. Printed, it says so in a few lines.

    Attributes
    ----------
    printed : str
        The number, with its decimals.
    presets : list of Preset
        The tools that print it.
    maybe : list of Preset
        Tools that may print it, because their order of ties is not defined and another one
        decides: those with a list so long, and, where no tool prints it, those that sort by
        the processor's own ways.
    nearest : list of (Preset, Convention)
        Where no tool prints it: the settings that do with the fewest switches turned, each
        beside the tool it comes from.
    n_settings : int
        How many of all `n_tried` settings print it.
    n_tried : int
    candidates : list of Convention
        Those of the tools, or the nearest settings, each once.
    idle : tuple of str
        The switches that had nothing to decide: what a number cannot tell.
    """

    printed: str
    presets: list
    maybe: list
    nearest: list
    n_settings: int
    n_tried: int
    candidates: list
    idle: tuple

    @property
    def answers(self):
        """What the candidates answer to the question of each switch: name to list of str."""
        given = {name: {getattr(one, name) for one in self.candidates} for name in SWITCHES}
        return {
            name: [words for setting, words in known.items() if setting in given[name]]
            for name, (_, known) in SWITCHES.items()
        }

    @property
    def switch(self):
        """The switch to ask about next: it leaves the fewest candidates; "" if none is to tell."""

        def most_left(name):
            return max(Counter(getattr(one, name) for one in self.candidates).values())

        return min(SWITCHES, key=most_left) if len(self.candidates) > 1 else ""

    @property
    def question(self):
        """What to ask next; the `answers` of its switch tell the candidates apart."""
        return SWITCHES[self.switch][0] if self.switch else ""

    def __repr__(self):
        tools = [_named(preset) for preset in self.presets]
        lines = [f"{self.printed} is printed by {tools[0] if tools else 'no tool'}"]
        lines += [f"  and by {tool}" for tool in tools[1:]]
        lines += [
            f"  perhaps by {_named(tool)}, whose order of ties is not defined"
            for tool in self.maybe
        ]
        lines += [f"  but by {_turned(*pair)}" for pair in self.nearest[:MOST_NAMED]]
        if len(self.nearest) > MOST_NAMED:
            lines.append(f"  and {len(self.nearest) - MOST_NAMED} more that are as near")
        lines.append(f"{self.n_settings:,} of {self.n_tried:,} settings of the switches print it")
        if self.question:
            first, *rest = self.answers[self.switch]
            lines += [f"Ask next: {self.question}", f"  {first}", *(f"  or {one}" for one in rest)]
        return "\n".join(lines)


def _named(preset):
    return f"{preset.name} {preset.version}"


def _turned(preset, convention):
    """Return a setting in words: a tool, and the switches that stand otherwise."""
    names = convention.differs_from(preset.convention)
    answers = (f"{name}: {SWITCHES[name][1][getattr(convention, name)]}" for name in names)
    return f"{preset.name} with {'; '.join(answers)}"


def reconcile(run, qrels, k, printed):
    """Find the tools, and the settings of the switches, that print a number.

    Parameters
    ----------
    run, qrels, k
        As in `evaluate`: what the number was computed from.
    printed : str or number
        The number. Text has the decimals that it shows: "0.950" has three. A number, as
        `np.mean` returns it, has all that it needs, four at least: 0.3 is read as "0.3000".

    Returns
    -------
    Reconciliation

    Raises
    ------
    TypeError, ValueError
        As `evaluate`, but not where a convention gives no number; also if `printed` is not a
        number from 0 to 1.

    Notes
    -----
    A tool is left out where it stops with an error: at negative grades, or at judged queries
    that the run lacks. Taught in notebook *conventions*.

    Examples
    --------
    >>> run, qrels = {"q": {"a": 0.9, "b": 0.8, "c": 0.8}}, {"q": {"a": 1, "b": 0, "c": 3}}
    >>> reconcile(run, qrels, 3, "0.7426")
    0.7426 is printed by scikit-learn 1.9.1
      and by torchmetrics 1.9.0
    108 of 9,072 settings of the switches print it
    Ask next: What does a negative grade count as?
      an error
      or a negative gain
    """
    return Reconciler(run, qrels, k).read(printed)


class Reconciler:
    """What all settings print for one run, so that many numbers can be read off it.

    `tools` are the presets that give a number and `numbers` what they print, NaN where no rule
    says how equal scores stand; `bounds` are the lowest and the highest number that they may
    print then. `settings` are all that were tried, and `values` what those print.
    """

    def __init__(self, run, qrels, k):
        queries = queries_of(run, qrels, k)
        self.tools = [tool for tool in PRESETS if not refusal(tool.convention, queries)]
        self.numbers = np.array([number_of(tool, queries) for tool in self.tools])
        self.bounds = np.array([bounds_of(tool, queries) for tool in self.tools])
        longest = max(len(query.scores) for query in queries.values())
        self._standing = [tool._replace(convention=tool.on(longest)) for tool in self.tools]
        self._idle = idle_switches(queries)
        self.settings = all_settings(self._idle)
        self.values = np.array(
            [mean_of([query.value(one) for query in queries.values()]) for one in self.settings]
        )

    def read(self, printed):
        """Return the `Reconciliation` of a number, as `reconcile` does."""
        text, decimals = _read(printed)
        near = 0.5 * 10**-decimals + ROUNDING
        is_found = abs(self.numbers - float(text)) <= near
        may_be = self._may_be(float(text), near) & (np.isnan(self.numbers) | ~is_found.any())
        found = np.flatnonzero(abs(self.values - float(text)) <= near)
        nearest = [] if is_found.any() or not len(found) else self._nearest(found)
        settings = [self._standing[i].convention for i in np.flatnonzero(is_found)]
        settings = settings or [setting for _, setting in nearest]
        return Reconciliation(
            text,
            self._tools(is_found),
            self._tools(may_be),
            nearest,
            len(found),
            len(self.settings),
            [*dict.fromkeys(settings)],
            self._idle,
        )

    def _tools(self, are_meant):
        return [tool for tool, is_meant in zip(self.tools, are_meant, strict=True) if is_meant]

    def _may_be(self, number, near):
        """Return which tools without a rule for these ties may print a number."""
        low, high = self.bounds.T
        return (low < high) & (low - near <= number) & (number <= high + near)

    def _nearest(self, found):
        """Return the settings with the fewest switches turned, each with its tool.

        A switch that has nothing to decide does not count, and stands as the tool has it.
        """
        settings = [self.settings[i] for i in found]
        differs = _codes(settings)[:, None] != _codes(tool.convention for tool in self._standing)
        differs[..., [Convention._fields.index(name) for name in self._idle]] = False
        n_turned = differs.sum(axis=-1)
        return [
            (self._standing[tool], settings[i]._replace(**self._as_it_stands(tool)))
            for i, tool in np.argwhere(n_turned == n_turned.min()).tolist()
        ]

    def _as_it_stands(self, tool):
        return {name: getattr(self.tools[tool].convention, name) for name in self._idle}


def _codes(conventions):
    """Return the place of each setting among the answers to its switch."""
    places = [{setting: i for i, setting in enumerate(known)} for _, known in SWITCHES.values()]
    return np.array(
        [[p[setting] for p, setting in zip(places, one, strict=True)] for one in conventions]
    )


def _read(printed):
    """Return a printed number as text, and how many decimals count."""
    text = printed.strip() if isinstance(printed, str) else _digits(printed)
    if not NUMBER.fullmatch(text) or float(text) > 1:
        raise ValueError(
            f"printed must be a number from 0 to 1, as in '0.2375', got {brief(printed)}"
        )
    return text, len(text.partition(".")[2])


def _digits(number):
    """Return a number as text; "" for what is none."""
    if isinstance(number, bool) or not isinstance(number, NUMBERS):
        return ""
    whole, _, decimals = f"{float(number):.{MOST_DIGITS}f}".partition(".")
    return f"{whole}.{decimals.rstrip('0'):0<{LEAST_DIGITS}}"


def idle_switches(queries):
    """Return the names of the switches that have nothing to decide for these queries."""
    idle = []
    if all(grade >= 0 for query in queries.values() for grade in query.grades.values()):
        idle.append("negative")
    if all(query.scores for query in queries.values()):
        idle.append("missing")
    return tuple(idle)


@functools.cache
def all_settings(idle=("negative", "missing")):
    """Return all settings of the switches that give a number; of `idle` switches one will do."""
    answers = {
        name: [setting for setting in known if setting not in ("refuse", "no rule")]
        for name, (_, known) in SWITCHES.items()
    }
    answers |= {name: ["zero"] for name in idle}
    return list(itertools.starmap(Convention, itertools.product(*answers.values())))
