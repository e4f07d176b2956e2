"""The self-test of notebook *start_here*: a click reaches the kernel, its answer you."""

import importlib.util

import ipywidgets

from coursekit.widgets.controls import Slider
from coursekit.widgets.stage import Stage
from coursekit.widgets.view import View, show_view
from helpers.style import YOURS, frame, line

# The other packages of the course are imported above: without them no test would start.
NEEDED = {"sklearn": "scikit-learn"}
FALLBACK = (
    "If you read this line in place of a slider, a chart and a button, your notebook program "
    "shows no widgets. In JupyterLab 4: install ipywidgets and anywidget into the environment "
    "that starts JupyterLab, restart it, reload this page, run this cell again. On GitHub and "
    "in other viewers this is normal: read on, every figure has a picture."
)


def missing_packages():
    """Return the pip names of the packages of the course that are not installed."""
    return [pip for name, pip in NEEDED.items() if importlib.util.find_spec(name) is None]


class SelfTest(ipywidgets.VBox):
    """A slider, a figure and a button that say for themselves whether they work.

    `works` says of "slider", "figure" and "button" whether its signal has reached the kernel.
    """

    def __init__(self):
        self.works = dict.fromkeys(("slider", "figure", "button"), False)
        self.slider = Slider(label="Move me", min=1, max=8, value=4)
        self.button = ipywidgets.Button(description="Click me")
        self.stage = Stage(reports=True)
        self.status = ipywidgets.HTML()
        super().__init__([ipywidgets.HBox([self.slider, self.button]), self.stage, self.status])
        self.add_class("ndcg-explorer")
        self.slider.observe(self._slider_moved, "value")
        self.button.on_click(lambda _button: self._mark("button"))
        self.stage.on_msg(self._page_spoke)
        self._draw()
        self._say()

    def _slider_moved(self, _change):
        self._draw()
        self._mark("slider")

    def _page_spoke(self, _stage, content, _buffers):
        if content.get("drawn"):
            self._mark("figure")

    def _mark(self, part):
        self.works[part] = True
        self._say()

    def _draw(self):
        show_view(self.stage, View(_bars(self.slider.value)))

    def _say(self):
        lines = "".join(f"<li>{_line(part, ok)}</li>" for part, ok in self.works.items())
        done = "<p>All three work. You are ready.</p>" if all(self.works.values()) else ""
        words = f"<ul>{lines}</ul>{done}"
        self.status.value = f'<div role="status" class="ndcg-status">{words}</div>'

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and what to install where it does not appear."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = FALLBACK
        return bundle


def _line(part, works):
    if works:
        return f"The {part} works: the kernel heard from it."
    todo = {
        "slider": "move it with the mouse or the arrow keys",
        "figure": "wait a moment; if none appears, reload the page and run all cells again",
        "button": "click it",
    }
    return f"The {part} has not spoken yet: {todo[part]}."


def _bars(n):
    heights = list(range(n, 0, -1))
    places = list(range(1, n + 1))
    layout = dict(
        xaxis=dict(title_text="rank", range=[0.5, 8.5]),
        yaxis=dict(title_text="grade", range=[0, 9]),
    )
    return frame(
        ([line(places, heights, "bars", YOURS)], layout),
        title=[f"You asked for {n} points,", f"and the kernel drew {n}"],  # beside the slider
        sentence=f"A line of {n} points that falls from {n} to 1.",
        table=(("rank", "grade"), list(zip(places, heights, strict=True))),
        legend=False,
    )


def self_test():
    """Return the self-test; it also says which packages are missing, if any.

    Notes
    -----
    Used in notebook *start_here*.
    """
    missing = missing_packages()
    if missing:
        print(f"Not installed: {', '.join(missing)}. Run: pip install {' '.join(missing)}")
    else:
        print("Every package that the course needs is installed.")
    return SelfTest()
