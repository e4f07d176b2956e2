"""What a page must know to bring to life what a cell shows, as JSON can hold it."""

import functools
import hashlib
import json

from coursekit.authoring.write import code_cells
from coursekit.bets.bet import STYLE, Bet, Reveal
from coursekit.explorers.declaration import OneOf
from coursekit.explorers.explorer import Explorer
from coursekit.site.run import shown
from coursekit.site.stored import stored
from coursekit.site.table import pack
from coursekit.widgets.part import Part
from coursekit.widgets.view import content_of


@functools.singledispatch
def data_of(_shown, _ports):
    """Return what the page must know of what a cell shows; None for what is not live.

    `ports` are those of a `Course`: of explorers with more states than a table can hold.

    Which module of ``static/`` takes it says the placeholder: see `coursekit.site.pages`.
    """


@data_of.register
def _explorer(explorer: Explorer, ports):
    declaration, widgets = explorer.declaration, explorer.controls
    data = {
        "name": declaration.name,
        "was": declaration.was,
        "question": declaration.question,
        "controls": {
            n: _control(widgets[n], one, declaration.stops.get(n))
            for n, one in declaration.controls.items()
        },
        "start": declaration.start,
        "values": explorer.values,
        "buttons": _buttons(explorer),
    }
    if declaration.name in ports:
        port = ports[declaration.name](declaration)
        return data | {"port": declaration.name.replace("-", "_"), "base": port}
    return data | {"table": table_of(declaration)}


def table_of(declaration):
    """Return the table of all states that the page has of an explorer, as `pack` makes it.

    Its ``digest`` is that of the states themselves: whether the page unpacks them is tested by it.
    """
    values = list(declaration.states(every=True))
    states = [page_state(declaration, v) for v in values]
    return pack(states, [list(v.values()) for v in values]) | {"digest": digest(states)}


def digest(states):
    """Return a short text that another one of all these states would not have."""
    return hashlib.sha256(json.dumps(states, sort_keys=True).encode()).hexdigest()[:16]


def page_state(declaration, values):
    """Return one state as JSON has it: what is shown, what can be touched, what buttons set."""
    acts = {label: action.change(values) for label, action in declaration.actions.items()}
    state = state_shown(declaration, values) | {"acts": acts}
    del state["figure"]["config"]  # the page's own, static/model.js
    return json.loads(json.dumps(state), parse_float=_as_in_javascript)


def _as_in_javascript(text):
    """Return a number that is whole as a whole number: 1.0 is 1 there."""
    number = float(text)
    return int(number) if number.is_integer() else number


def state_shown(declaration, values):
    """Return what a page shows of one state, what can be touched, and how controls change."""
    view = declaration.view(**values)
    return {**content_of(view), "touch": dict(view.touch), "fit": declaration.fit(values)}


def _control(widget, control, stops):
    """Return the class and the traits of a control, and which values it can take."""
    data = {"widget": type(widget).__name__, "traits": traits_of(widget)}
    if isinstance(control, OneOf):
        data["values"] = control.values()
    if stops:
        data["stops"] = stops
    return data


def _buttons(explorer):
    """Return the buttons, in their order: what each says, and what it sets or does."""
    actions = explorer.declaration.actions.items()
    return [
        *({"label": label, "act": label, "tooltip": act.tooltip} for label, act in actions),
        *({"label": label, "set": values} for label, values in explorer.presets.items()),
        {"label": "Reset", "set": explorer.declaration.start},
    ]


def traits_of(widget):
    """Return those traits of a widget that its module reads, as the page gets them."""
    names = set(type(widget).class_trait_names(sync=True)) - set(Part.class_trait_names())
    return {n: widget.get_state(n)[n] for n in sorted(names) if not n.startswith("_")}


@data_of.register
def _part(part: Part, _ports):
    return {"widget": type(part).__name__, "traits": traits_of(part)}


@data_of.register
def _bet(bet: Bet, _ports):
    fresh = Bet(bet.text)
    question, *_table, buttons, note = fresh.children
    return {
        "name": bet.text.name,
        "question": question.value.removeprefix(STYLE),  # the page has it in widgets.css
        "table": bet.text.table(),
        "choice": traits_of(buttons),
        "notes": _by_answer(fresh, note),
    }


@data_of.register
def _reveal(reveal: Reveal, _ports):
    fresh = Reveal(Bet(reveal.bet.text))
    replies = [said.removeprefix(STYLE) for said in _by_answer(fresh.bet, fresh)]
    return {"bet": reveal.bet.text.name, "replies": replies}


def _by_answer(bet, words):
    """Return what a widget says before any answer to a bet, and after each of them."""
    said = [words.value]
    for letter in bet.text.answers:
        bet.buttons.value = letter
        said.append(words.value)
    return said


def live_cells(course, path):
    """Return what the page of a notebook must know of its live cells, by the cell's id.

    The notebook's code runs for its explorers and bets; what it prints is not looked at.
    """
    exercises = course.exercises
    data = {cell_id: _known_of(one, course) for cell_id, one in shown(path, exercises).items()}
    for cell in code_cells(stored(path, exercises)):
        if "exercise" in cell.metadata.get("tags", []):
            data[cell.id] = course.judge(exercises[cell.id])
    return {cell_id: one for cell_id, one in data.items() if one is not None}


def _known_of(shown, course):
    make = course.live.get(type(shown))
    return make(shown) if make else data_of(shown, course.ports)
