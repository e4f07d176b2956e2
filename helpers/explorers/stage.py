"""The widgets that explorers are built from: a stage, a slider and a choice.

A plotly `FigureWidget` keeps its changes from its own state: after a reload of
the page the slider says 8 and the chart shows 5. The stage holds the whole figure
in a trait instead, and all stages of a page share one copy of plotly.js, which
the installed plotly package brings along: no network is needed.
"""

import functools
import gzip

import ipywidgets
import traitlets
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from helpers.explorers.part import STATIC, Part, module


class PlotlyLibrary(ipywidgets.Widget):
    """The source of plotly.js, compressed, sent to a page once."""

    packed = traitlets.Bytes(read_only=True).tag(sync=True)
    version = traitlets.Unicode(read_only=True).tag(sync=True)


@functools.cache
def _packed_plotly():
    return gzip.compress(get_plotlyjs().encode(), compresslevel=6, mtime=0)


@functools.cache
def _library():
    library = PlotlyLibrary()
    library.set_trait("packed", _packed_plotly())
    library.set_trait("version", get_plotlyjs_version())
    return library


def shared_library():
    """Return the one library of this process, anew if somebody closed it."""
    if _library().comm is None:
        _library.cache_clear()
    return _library()


class Stage(Part):
    """Formula, figure, live sentence and table of an explorer.

    Attributes
    ----------
    figure : dict
        Data, layout and configuration, as plotly.js takes them.
    sentence : str
        What the figure shows; announced by screen readers when it changes.
    formula, table : str
        HTML that this package wrote.
    reports : bool
        Whether the page tells when the first drawing is done (the self-test).
    """

    _esm = module("stage.js")
    _css = STATIC / "stage.css"

    figure = traitlets.Dict().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    formula = traitlets.Unicode().tag(sync=True)
    table = traitlets.Unicode().tag(sync=True)
    reports = traitlets.Bool(False).tag(sync=True)
    library = traitlets.Instance(PlotlyLibrary).tag(sync=True, **ipywidgets.widget_serialization)

    @traitlets.default("library")
    def _shared(self):
        return shared_library()


class WholeNumber(traitlets.Int):
    """A trait that takes True for what it is."""

    def validate(self, obj, value):
        """Return the number; refuse anything else in words for a reader."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise traitlets.TraitError(f"{obj.label} must be a whole number")
        return super().validate(obj, value)


class Slider(Part):
    """A slider over whole numbers whose label is its accessible name.

    Attributes
    ----------
    label : str
    min, max, value : int
        Steps, which a state line can hold.
    origin, unit : float
        What the reader sees at 0 steps, and how much each step adds.
    digits : int
        Decimals of what the reader sees.
    """

    _esm = module("slider.js")
    _css = STATIC / "slider.css"

    label = traitlets.Unicode().tag(sync=True)
    min = traitlets.Int(0).tag(sync=True)
    max = traitlets.Int(10).tag(sync=True)
    value = WholeNumber(0).tag(sync=True)
    origin = traitlets.Float(0).tag(sync=True)
    unit = traitlets.Float(1).tag(sync=True)
    digits = traitlets.Int(0).tag(sync=True)

    @traitlets.validate("value")
    def _inside(self, proposal):
        return min(max(proposal["value"], self.min), self.max)

    @traitlets.observe("min", "max")
    def _follow(self, _change):
        self.value = min(max(self.value, self.min), self.max)


class Choice(Part):
    """One of a few values: radio buttons in a group that has a name.

    (The toggle and radio buttons of ipywidgets 8 tell a screen reader neither the
    name of their group nor which of them is chosen.)

    Attributes
    ----------
    label : str
        The name of the group.
    texts : list of str
        What the buttons say.
    index : int
        Which is chosen, -1 for none.
    value : object
        The value that belongs to it, None for none.
    """

    _esm = module("choice.js")
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
            raise traitlets.TraitError(f"{self.label} must be one of {allowed[1:]}")
        return allowed[allowed.index(proposal["value"])]  # 1 where it says 1, not True

    @traitlets.observe("value")
    def _show(self, _change):
        values = list(self.options.values())
        self.index = -1 if self.value is None else values.index(self.value)

    @traitlets.observe("index")
    def _take(self, _change):
        self.value = None if self.index < 0 else list(self.options.values())[self.index]
