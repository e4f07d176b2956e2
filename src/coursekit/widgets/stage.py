"""The stage: one figure, its words and its table, on every page that shows it.

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

from coursekit.widgets.part import STATIC, Part, module, styles


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

    The figure is data, layout and configuration, as plotly.js takes them; the sentence is
    announced by screen readers when it changes; formula and table are HTML that this package
    wrote; `large` draws the figure for a projector; `touch` is what a press or a drag in a panel
    sets, as static/touch.js takes it; `reports` is whether the page tells when the first
    drawing is done (the self-test).
    """

    _esm = module(STATIC / "stage.js")
    _css = styles(STATIC / "stage.css", STATIC / "touch.css")

    figure = traitlets.Dict().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    formula = traitlets.Unicode().tag(sync=True)
    table = traitlets.Unicode().tag(sync=True)
    large = traitlets.Bool(False).tag(sync=True)
    touch = traitlets.Dict().tag(sync=True)
    reports = traitlets.Bool(False).tag(sync=True)
    library = traitlets.Instance(PlotlyLibrary).tag(sync=True, **ipywidgets.widget_serialization)

    @traitlets.default("library")
    def _shared(self):
        return shared_library()
