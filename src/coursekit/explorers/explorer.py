"""The widget of a declaration: controls above, a stage below, one redraw between."""

import functools
from contextlib import contextmanager
from dataclasses import replace
from html import escape

import ipywidgets
from traitlets import TraitError

from coursekit.explorers.declaration import OneOf, Text
from coursekit.figure import PLOTLY_MIME, words_html
from coursekit.widgets.controls import Choice, NumberField, Pick, Slider
from coursekit.widgets.pad import DiscountPad
from coursekit.widgets.present import Presentable
from coursekit.widgets.stage import Stage
from coursekit.widgets.state_line import Restorable, StateLine
from coursekit.widgets.view import show_view

# Below the words of an explorer where a page shows them in its place.
RUN_IT = "<p><em>Run this cell in JupyterLab, and the controls appear.</em></p>"


def explorer(declare, widget=None):
    """Turn a function that returns a `Declaration` into one that returns its widget.

    The explorer is called what the function is called. ``declare`` stays an attribute,
    for those who need no widget; ``example`` is what makes one without arguments. `widget`
    takes the declaration; it is an `Explorer` unless a course has one of its own.
    """

    @functools.wraps(declare)
    def named(*args, **options):
        return replace(declare(*args, **options), name=declare.__name__.replace("_", "-"))

    @functools.wraps(declare)
    def make(*args, **options):
        return (widget or Explorer)(named(*args, **options))

    make.declare = named
    make.example = make
    return make


class Explorer(Presentable, Restorable, ipywidgets.VBox):
    """Presets and reset beside the question, controls, the declared view, a state line.

    Parameters
    ----------
    declaration : Declaration
        A preset that is the start, as can happen with data of a reader's own, gets no
        button: *Reset* does what it says.

    Attributes
    ----------
    name : str
    controls : dict of str to widget
    presets : dict of str to dict
        Those with a button.
    values : dict
        The present values of the controls.
    stage : Stage
        What is on the screen.
    state : str
        The values as one line of text, for `restore`.
    presenting : bool
        Whether it is at projector size.
    """

    def __init__(self, declaration):
        self.declaration = declaration
        self.controls = {name: _widget(c) for name, c in declaration.controls.items()}
        self.stage = Stage()
        self.state_line = StateLine()
        self._paused = False
        start = declaration.start.items()
        self.presets = {k: v for k, v in declaration.presets.items() if not v.items() <= start}
        super().__init__(self._parts())
        self.add_class("ndcg-explorer")
        for control in self.controls.values():
            control.observe(self._refresh, "value")
        self.state_line.on_msg(self._page_typed)
        self.stage.on_msg(self._page_touched)
        self._refresh()
        self._join()

    @property
    def values(self):
        """The present values of the controls, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values):
        """Set several controls and redraw once.

        Raises a ValueError if there is no such control, or a value is not one it can take.
        """
        self.declaration.refuse_unknown(values)
        before = self.values
        with self._one_redraw():
            try:
                self._set_controls(values)
            except ValueError:
                self._set_controls(before)
                raise

    def reset(self):
        """Put every control back to where it stood at first."""
        self.set(**self.declaration.start)

    def _set_controls(self, values):
        # In the order of the controls: an early one may set the range of a later one.
        for name in self.controls:
            if name in values:
                self._set_control(name, values[name])
                self._fit()

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

    def _parts(self):
        """Return the rows; a pad stands beside the stage, where the eye can hold both."""
        question = escape(self.declaration.question)
        title = f'<div class="ndcg-question" role="heading" aria-level="3">{question}</div>'
        pads = [c for c in self.controls.values() if isinstance(c, DiscountPad)]
        others = [c for c in self.controls.values() if c not in pads]
        stage = (
            ipywidgets.Box([*pads, self.stage]).add_class("ndcg-beside") if pads else self.stage
        )
        return [
            ipywidgets.HTML(title),
            _row(self._buttons()).add_class("ndcg-buttons"),
            _row(others).add_class("ndcg-controls"),
            stage,
            self.state_line,
        ]

    def _buttons(self):
        actions = [
            _button(label, lambda act=act: self.set(**act.change(self.values)), act.tooltip)
            for label, act in self.declaration.actions.items()
        ]
        presets = [
            _button(label, functools.partial(self.set, **values))
            for label, values in self.presets.items()
        ]
        return [*actions, *presets, _button("Reset", self.reset)]

    def _refresh(self, _change=None):
        if self._paused:
            return
        self._paused = True  # fitting one control to another is no second event
        try:
            self._fit()
        finally:
            self._paused = False
        view = self.declaration.view(**self.values)
        # The line first: a reader who sees the new figure can already copy its state.
        with self.state_line.hold_sync():
            self.state_line.line, self.state_line.trouble = self.state, ""
        touch = {
            axis: dict(control=name, **self.controls[name].scale)
            for axis, name in view.touch.items()
        }
        show_view(self.stage, view, touch=touch)

    def _fit(self):
        """Change the controls as the declaration asks for at the present values."""
        for name, traits in self.declaration.fit(self.values).items():
            control = self.controls[name]
            with control.hold_sync():
                for trait, value in traits.items():
                    setattr(control, trait, value)

    def _resize(self):
        self.stage.large = self.presenting

    def _page_typed(self, _line, content, _buffers):
        try:
            self.restore(str(content["restore"]))
        except ValueError as error:
            self.state_line.trouble = str(error)

    def _page_touched(self, stage, content, _buffers):
        """Move a control as its slider would; one that is not offered any more stays."""
        offered = [panel["control"] for panel in stage.touch.values()]
        for name, value in content.get("set", {}).items():
            if name in offered:
                self.controls[name].value = value

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget and, for viewers without a kernel, its figure, sentence and table."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle[PLOTLY_MIME] = self.stage.figure
        bundle["text/plain"] = self.stage.sentence
        bundle["text/html"] = words_html(self.stage.sentence, self.stage.table) + RUN_IT
        return bundle


def _widget(control):
    """Return the widget of a declared control."""
    if isinstance(control, OneOf):
        return (Pick if control.listed else Choice)(*control[:3])
    traits = control._asdict()
    if isinstance(control, Text):
        return DiscountPad(**traits)
    return (NumberField if traits.pop("typed") else Slider)(**traits)


def _button(label, act, tooltip=""):
    button = ipywidgets.Button(description=label, tooltip=tooltip or None)
    button.on_click(lambda _button: act())
    return button


def _row(widgets):
    layout = ipywidgets.Layout(flex_flow="row wrap", grid_gap="4px 24px", align_items="center")
    return ipywidgets.HBox(widgets, layout=layout)
