"""What a reader moves: a slider over whole numbers, one of a few values, one of many."""

import traitlets

from coursekit.widgets.part import STATIC, Part, module
from wording import nearest


class WholeNumber(traitlets.Int):
    """A whole number; bools are refused."""

    def validate(self, obj, value):
        """Return the number; refuse anything else in words for a reader."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise traitlets.TraitError(f"{obj.label} must be a whole number")
        return super().validate(obj, value)


class Slider(Part):
    """A slider over whole numbers whose label is its accessible name.

    Its values are steps, which a state line can hold; the reader sees ``origin + unit * value``
    with `digits` decimals. With `plays` a button goes through the values, one after the other.
    """

    _esm = module(STATIC / "slider.js")
    _css = STATIC / "slider.css"

    label = traitlets.Unicode().tag(sync=True)
    min = traitlets.Int(0).tag(sync=True)
    max = traitlets.Int(10).tag(sync=True)
    value = WholeNumber(0).tag(sync=True)
    origin = traitlets.Float(0).tag(sync=True)
    unit = traitlets.Float(1).tag(sync=True)
    digits = traitlets.Int(0).tag(sync=True)
    plays = traitlets.Bool(False).tag(sync=True)

    @traitlets.validate("value")
    def _inside(self, proposal):
        return min(max(proposal["value"], self.min), self.max)

    @property
    def scale(self):
        """What the numbers on an axis are to this control, for `Stage.touch`."""
        names = ("label", "origin", "unit", "min", "max", "value")
        return {name: getattr(self, name) for name in names}

    @traitlets.observe("min", "max")
    def _follow(self, _change):
        self.value = min(max(self.value, self.min), self.max)


class NumberField(Slider):
    """A slider's range to type into: for ranges too long to slide through."""

    _esm = module(STATIC / "number.js")
    _css = STATIC / "number.css"


class Choice(Part):
    """One of a few values: radio buttons in a group that has a name, its `label`.

    The toggle and radio buttons of ipywidgets 8 tell a screen reader neither the name of their
    group nor which of them is chosen. `texts` are what the buttons say; `index` is which is
    chosen, -1 for none, and `value` what belongs to it, None for none.
    """

    _esm = module(STATIC / "choice.js")
    _css = STATIC / "choice.css"

    label = traitlets.Unicode().tag(sync=True)
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    index = traitlets.Int(-1).tag(sync=True)
    stacked = traitlets.Bool(False).tag(sync=True)
    value = traitlets.Any()

    def __init__(self, label, options, value=None, **traits):
        self.options = dict(options)
        super().__init__(label=label, texts=list(self.options), **traits)
        self.value = value

    @traitlets.validate("value")
    def _known(self, proposal):
        allowed = [None, *self.options.values()]
        if proposal["value"] not in allowed:
            said = nearest(proposal["value"], allowed)
            raise traitlets.TraitError(f"{self.label} must be one of {allowed[1:]}{said}")
        return allowed[allowed.index(proposal["value"])]  # the option itself: True equals 1

    @traitlets.observe("value")
    def _show(self, _change):
        values = list(self.options.values())
        self.index = -1 if self.value is None else values.index(self.value)

    @traitlets.observe("index")
    def _take(self, _change):
        self.value = None if self.index < 0 else list(self.options.values())[self.index]


class Pick(Choice):
    """A choice among more than a row has room for: the browser's own drop-down list."""

    _esm = module(STATIC / "pick.js")
    _css = STATIC / "pick.css"
