"""From a printed number back to the tools and the settings that print it."""

import functools
import itertools
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from helpers.conventions.convention import SWITCHES, Convention, mean_under, queries_of
from helpers.conventions.presets import PRESETS
from helpers.metrics.checks import brief

NUMBER = re.compile(r"[01]?\.\d+|[01]")
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
    nearest : list of (Preset, Convention)
        Where no tool prints it: the settings that do with the fewest switches turned, each
        beside the tool it comes from.
    n_settings : int
        How many of all `n_tried` settings print it.
    n_tried : int
    candidates : list of Convention
        Those of the tools, or the nearest settings, each once.
    """

    printed: str
    presets: list
    nearest: list
    n_settings: int
    n_tried: int
    candidates: list

    @property
    def answers(self):
        """What the candidates answer to each question of the switches, as lists of str."""
        given = {name: {getattr(one, name) for one in self.candidates} for name in SWITCHES}
        return {
            question: [words for setting, words in known.items() if setting in given[name]]
            for name, (question, known) in SWITCHES.items()
        }

    @property
    def switch(self):
        """The switch to ask about next: it leaves the fewest candidates; "" if none is to tell."""

        def most_left(name):
            return max(Counter(getattr(one, name) for one in self.candidates).values())

        return min(SWITCHES, key=most_left) if len(self.candidates) > 1 else ""

    @property
    def question(self):
        """What to ask next, with the answers of the candidates."""
        if not self.switch:
            return ""
        question, _ = SWITCHES[self.switch]
        return f"{question} {'; or '.join(self.answers[question])}?"

    def __repr__(self):
        tools = [f"{preset.name} {preset.version}" for preset in self.presets]
        lines = [f"{self.printed} is printed by {tools[0] if tools else 'no tool'}"]
        lines += [f"  and by {tool}" for tool in tools[1:]]
        lines += [f"  but by {_turned(*pair)}" for pair in self.nearest[:MOST_NAMED]]
        if len(self.nearest) > MOST_NAMED:
            lines.append(f"  and {len(self.nearest) - MOST_NAMED} more that are as near")
        lines.append(f"{self.n_settings:,} of {self.n_tried:,} settings of the switches print it")
        return "\n".join(lines + [f"ask: {self.question}"] * bool(self.question))


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
    printed : str or float
        The number. Text keeps the zeros at its end: "0.950" has three decimals.

    Returns
    -------
    Reconciliation

    Raises
    ------
    TypeError, ValueError
        As `evaluate`, except for negative grades; also if `printed` is not a number from 0 to 1.

    Notes
    -----
    A tool that refuses negative grades is left out where there are some. Taught in notebook
    *conventions*.

    Examples
    --------
    >>> run, qrels = {"q": {"a": 0.9, "b": 0.8, "c": 0.8}}, {"q": {"a": 1, "b": 0, "c": 3}}
    >>> reconcile(run, qrels, 3, "0.7426")
    0.7426 is printed by scikit-learn 1.9.1
      and by torchmetrics 1.9.0
    108 of 9,072 settings of the switches print it
    ask: What is a negative grade? an error; or a negative gain?
    """
    return Reconciler(run, qrels, k).read(printed)


class Reconciler:
    """What all settings print for one run, so that many numbers can be read off it.

    `tools` are the presets that print a number and `numbers` what they print; `settings` are all
    that were tried, and `values` what those print.
    """

    def __init__(self, run, qrels, k):
        queries = queries_of(run, qrels, k)
        self._has_negative = any(g < 0 for query in queries for g in query.grades.values())
        self.tools = [
            preset
            for preset in PRESETS
            if not self._has_negative or preset.convention.negative != "refuse"
        ]
        self.numbers = np.array([mean_under(tool.convention, queries) for tool in self.tools])
        self.settings = all_settings(self._has_negative)
        self.values = np.array([mean_under(setting, queries) for setting in self.settings])

    def read(self, printed):
        """Return the `Reconciliation` of a number, as `reconcile` does."""
        text, decimals = _read(printed)
        near = 0.5 * 10**-decimals + ROUNDING
        presets = [self.tools[i] for i in np.flatnonzero(abs(self.numbers - float(text)) <= near)]
        found = np.flatnonzero(abs(self.values - float(text)) <= near)
        nearest = [] if presets or not len(found) else self._nearest(found)
        settings = [p.convention for p in presets] or [setting for _, setting in nearest]
        counts = len(found), len(self.settings)
        return Reconciliation(text, presets, nearest, *counts, [*dict.fromkeys(settings)])

    def _nearest(self, found):
        """Return the settings with the fewest switches turned, each with its tool.

        Where no grade is negative the rule for that is no switch, and that of the tool.
        """
        settings = [self.settings[i] for i in found]
        differs = _codes(settings)[:, None] != _codes(t.convention for t in self.tools)
        if not self._has_negative:
            differs[..., Convention._fields.index("negative")] = False
        n_turned = differs.sum(axis=-1)
        pairs = [
            (self.tools[tool], settings[i])
            for i, tool in np.argwhere(n_turned == n_turned.min()).tolist()
        ]
        if self._has_negative:
            return pairs
        return [(tool, one._replace(negative=tool.convention.negative)) for tool, one in pairs]


def _codes(conventions):
    """Return the place of each setting among the answers to its switch."""
    places = [{setting: i for i, setting in enumerate(known)} for _, known in SWITCHES.values()]
    return np.array(
        [[p[setting] for p, setting in zip(places, one, strict=True)] for one in conventions]
    )


def _read(printed):
    text = printed.strip() if isinstance(printed, str) else repr(printed)
    if not NUMBER.fullmatch(text) or float(text) > 1:
        raise ValueError(
            f"printed must be a number from 0 to 1, as in '0.2375', got {brief(printed)}"
        )
    return text, len(text.partition(".")[2])


@functools.cache
def all_settings(has_negative=False):
    """Return all settings of the switches that give a number.

    Where no grade is negative one rule for that will do.
    """
    answers = {name: list(known) for name, (_, known) in SWITCHES.items()}
    answers["negative"] = ["use", "zero", "drop"] if has_negative else ["zero"]
    return list(itertools.starmap(Convention, itertools.product(*answers.values())))
