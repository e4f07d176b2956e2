"""An explorer as data: what it asks, what can be moved, and what each state shows.

Nothing here needs a browser or a widget: `coursekit.explorers.explorer` makes the
widget, the tests and a static site go through `Declaration.states`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wording import nearest


class Whole(NamedTuple):
    """A whole number to choose by a slider, or to type in.

    `label` is the accessible name; a reader sees ``origin + unit * value`` with `digits`
    decimals; `typed` makes it a field to type into, for ranges too long to slide through;
    `plays` adds a button that goes through the values of a slider, one after the other.
    """

    label: str
    min: int
    max: int
    value: int
    origin: float = 0
    unit: float = 1
    digits: int = 0
    typed: bool = False
    plays: bool = False

    def values(self, some=()):
        """Return the values to visit, rising: the two ends and `some` between, or all."""
        if not some:
            return list(range(self.min, self.max + 1))
        inside = {value for value in some if self.min <= value <= self.max}
        return sorted({self.min, *inside, self.max})


class OneOf(NamedTuple):
    """One of a few values, chosen by radio buttons, or from a drop-down list if `listed`.

    `label` is the accessible name of the group; `options` maps what the buttons say to the
    values: text, whole numbers or bools.
    """

    label: str
    options: Mapping
    value: object
    listed: bool = False

    def values(self, _some=()):
        """Return all values, in the order of the buttons."""
        return list(self.options.values())


class Text(NamedTuple):
    """Numbers in one text, moved on a pad or in a list of their own.

    `label` is the accessible name of the group; `ghost` is what a pad shows behind, under
    `ghost_name`, and `grades` what stands at its ranks.
    """

    label: str
    value: str
    ghost: tuple = ()
    ghost_name: str = ""
    grades: tuple = ()

    def values(self, some=()):
        """Return the values to visit, the start first."""
        return list(dict.fromkeys([self.value, *some]))


class Action(NamedTuple):
    """A button that moves on from where the controls stand.

    `change` maps the present values, by name, to those to set.
    """

    change: Callable
    tooltip: str = ""


def _nothing(_values):
    return {}


@dataclass(frozen=True)
class Declaration:
    """What an explorer is; `coursekit.explorers.explorer.explorer` names it.

    Attributes
    ----------
    question : str
        The title: the question that the explorer answers.
    view : callable
        ``view(**values)`` returns a `View` of one state.
    controls : dict of str to Whole, OneOf or Text
        At most three, those that limit others before them.
    presets : dict of str to dict
        Label of a button to values of the controls.
    fit : callable
        From the present values to what has to change in the controls, as
        ``{"k": {"max": 3}}``; it may read the values of earlier controls only.
    actions : dict of str to Action
        More buttons, before those of the presets.
    name : str
        As in the state line, the tests and the room's page.
    tried : dict of str to tuple
        Of controls with too many values: those that `states` visits, besides the two ends of a
        range and the start of a text.
    stops : dict of str to tuple
        Of such ranges, those that a page without Python has.
    was : tuple of str
        Names in state lines of earlier versions, which can still be read.
    """

    question: str
    view: Callable
    controls: Mapping
    presets: Mapping
    fit: Callable = _nothing
    actions: Mapping = field(default_factory=dict)
    tried: Mapping = field(default_factory=dict)
    stops: Mapping = field(default_factory=dict)
    name: str = ""
    was: tuple = ()

    def __post_init__(self):
        for label, values in self.presets.items():
            self.refuse_unknown(values, f"{label}: ")

    @property
    def start(self):
        """The values at first, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def refuse_unknown(self, values, where=""):
        """Raise a ValueError if a value is of no control; `where` says whose values they are."""
        unknown = sorted(set(values) - set(self.controls))
        if unknown:
            said = f"there are {', '.join(self.controls)}{nearest(unknown[0], self.controls)}"
            raise ValueError(f"{where}no control {unknown[0]!r}; {said}")

    def states(self, *, every=False):
        """Yield the values, by name, of each state that the controls can take.

        Of long ranges those in `tried`; with `every` all, or those in `stops`.
        """
        texts = [one.label for one in self.controls.values() if isinstance(one, Text)]
        if every and texts:
            raise ValueError(f"nobody can visit every value of {texts[0]!r}: it needs a port")
        yield from self._states({}, self.stops if every else self.tried)

    def _states(self, values, some):
        rest = [name for name in self.controls if name not in values]
        if not rest:
            yield values
            return
        changes = self.fit(self.start | values).get(rest[0], {})
        control = self.controls[rest[0]]._replace(**changes)
        for value in control.values(some.get(rest[0], ())):
            yield from self._states(values | {rest[0]: value}, some)
