"""What all explorers share: controls above, a stage below, and one redraw between.

An explorer is thin. Its model is a plain object with one method, ``view``, that
turns the values of the controls into a `View`; it needs no browser and no widget.
"""

import re
from contextlib import contextmanager
from html import escape

import ipywidgets
from traitlets import TraitError

from helpers.course.widgets.controls import Choice
from helpers.course.widgets.present import Presentable
from helpers.course.widgets.stage import Stage
from helpers.course.widgets.state_line import StateLine, read_state, write_state
from helpers.course.widgets.view import show_view
from helpers.figures.describe import PLOTLY_MIME, words_html

# Below the words of an explorer where a page shows them in its place.
RUN_IT = "<p><em>Run this cell in JupyterLab, and the controls appear.</em></p>"


class Explorer(Presentable, ipywidgets.VBox):
    """Presets and reset beside the question, controls, the model's view, a state line.

    Parameters
    ----------
    question : str
        The title: the question that the explorer answers.
    model : object
        With a method ``view(**values)`` that returns a `View`.
    controls : dict of str to widget
        At most three, each with a trait ``value`` and an accessible name. A value is
        text, a whole number, a bool or None.
    presets : dict of str to dict
        Label of a button to values of the controls. One that is the start, as can
        happen with data of a reader's own, gets no button: *Reset* does what it says.

    Attributes
    ----------
    values : dict
        The present values of the controls.
    stage : Stage
        What is on the screen.
    state : str
        The values as one line of text, for `restore`.
    presenting : bool
        Whether it is at projector size.
    """

    def __init__(self, question, model, controls, presets):
        self.model = model
        self.controls = controls
        self.stage = Stage()
        self.state_line = StateLine()
        self._paused = False
        self._start = self.values
        for values in presets.values():
            self._refuse_unknown(values)
        start = self._start.items()
        self.presets = {key: v for key, v in presets.items() if not v.items() <= start}
        title = (
            f'<div class="ndcg-question" role="heading" aria-level="3">{escape(question)}</div>'
        )
        super().__init__(
            [
                ipywidgets.HTML(title),
                _row(self._buttons()),
                _row(list(controls.values())),
                self.stage,
                self.state_line,
            ]
        )
        self.add_class("ndcg-explorer")
        for control in controls.values():
            control.observe(self._refresh, "value")
        self.state_line.on_msg(self._page_typed)
        self._refresh()
        self._join()

    @property
    def values(self):
        """The present values of the controls, by name."""
        return {name: control.value for name, control in self.controls.items()}

    @property
    def name(self):
        """What the state line calls the explorer: its model's class, in small letters."""
        words = type(self.model).__name__.removesuffix("Model")
        return re.sub("(?<!^)(?=[A-Z])", "-", words).lower()

    @property
    def state(self):
        """Where the controls stand, as one line of text."""
        return write_state(self.name, self.values)

    def restore(self, text):
        """Show what a state line says, with one redraw.

        Parameters
        ----------
        text : str
            The `state` of the same kind of explorer.

        Raises
        ------
        ValueError
            If it is no such line; the message says what came and what is allowed,
            and nothing has changed.
        """
        name, values = read_state(text)
        if name != self.name:
            raise ValueError(f"this is {self.name}, the line is of {name}")
        self._refuse_unknown(values)
        missing = [control for control in self.controls if control not in values]
        if missing:
            raise ValueError(f"{missing[0]} is missing; {name} needs {', '.join(self.controls)}")
        self.set(**values)

    def set(self, **values):
        """Set several controls and redraw once.

        Raises
        ------
        ValueError
            If there is no such control, or a value is not one it can take.
        """
        self._refuse_unknown(values)
        before = self.values
        with self._one_redraw():
            try:
                self._set_controls(values)
            except ValueError:
                self._set_controls(before)
                raise

    def reset(self):
        """Put every control back to where it stood at first."""
        self.set(**self._start)

    def _refuse_unknown(self, values):
        unknown = sorted(set(values) - set(self.controls))
        if unknown:
            raise ValueError(f"no control {unknown[0]!r}; there are {', '.join(self.controls)}")

    def _set_controls(self, values):
        # In the order of the controls: an early one may set the range of a later one.
        for name in self.controls:
            if name in values:
                self._set_control(name, values[name])
                self._adapt()

    def _set_control(self, name, value):
        control = self.controls[name]
        if value is None and isinstance(control, Choice):
            value = "None"  # which no choice of an explorer can be: one is always chosen
        try:
            control.value = value
        except TraitError as error:
            raise ValueError(f"{name} cannot be {value!r}: {error}") from error
        if control.value != value:
            raise ValueError(f"{name} cannot be {value!r}, the nearest is {control.value!r}")

    @contextmanager
    def _one_redraw(self):
        self._paused = True
        try:
            yield
        finally:
            self._paused = False
            self._refresh()

    def _buttons(self):
        buttons = []
        for label, values in self.presets.items():
            button = ipywidgets.Button(description=label)
            button.on_click(lambda _button, values=values: self.set(**values))
            buttons.append(button)
        reset = ipywidgets.Button(description="Reset")
        reset.on_click(lambda _button: self.reset())
        return [*buttons, reset]

    def _refresh(self, _change=None):
        if self._paused:
            return
        self._paused = True  # fitting one control to another is no second event
        try:
            self._adapt()
        finally:
            self._paused = False
        view = self.model.view(**self.values)
        # The line first: who sees the new figure can copy the state that belongs to it.
        with self.state_line.hold_sync():
            self.state_line.line, self.state_line.trouble = self.state, ""
        show_view(self.stage, view, large=self.presenting)

    def _resize(self):
        self._refresh()

    def _page_typed(self, _line, content, _buffers):
        try:
            self.restore(str(content["restore"]))
        except ValueError as error:
            self.state_line.trouble = str(error)

    def _adapt(self):
        """Fit the range of a control to the others; for explorers that need it."""

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget and, for viewers without a kernel, its figure, sentence and table."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle[PLOTLY_MIME] = self.stage.figure
        bundle["text/plain"] = self.stage.sentence
        bundle["text/html"] = words_html(self.stage.sentence, self.stage.table) + RUN_IT
        return bundle


def _row(widgets):
    layout = ipywidgets.Layout(flex_flow="row wrap", grid_gap="4px 24px", align_items="center")
    return ipywidgets.HBox(widgets, layout=layout)
