"""Problems in a notebook: a text, a field, and what is said to a number."""

from html import escape

import ipywidgets

from course.drills import drills
from course.drills.judge import first_try, judge
from course.drills.markup import as_html, solution, still
from course.drills.skills import LAST, MIXED, check_named, named
from coursekit.widgets.card import card
from coursekit.widgets.controls import NumberField, Pick
from coursekit.widgets.state_line import StateLine, read_state, write_state

OWN = """
.ndcg-practice .widget-label { font-size: 17px; color: #222; width: auto; }
.ndcg-practice :is(input[type=text], .jupyter-button) { height: 34px; font-size: 16px; color: #222;
  background: #fff; border: 1px solid #767676; border-radius: 4px; }
.ndcg-practice .widget-hbox { gap: 8px; flex-wrap: wrap; }
.ndcg-given { border-collapse: collapse; margin: 8px 0; color: #222; }
.ndcg-given :is(th, td) { padding: 2px 8px; text-align: right; }
.ndcg-given th { padding-left: 0; text-align: left; font-weight: 400; }
"""
STYLE = f"<style>{card('ndcg-practice')}{OWN}</style>"


class Task(ipywidgets.VBox):
    """A problem to solve by hand, a field for its answer, and what is said to a number.

    Nothing that is typed is stored or sent.
    """

    def __init__(self, problem):
        self.text, self.said = ipywidgets.HTML(), ipywidgets.HTML()
        self.field = ipywidgets.Text(
            description="Your number", continuous_update=False, style={"description_width": "auto"}
        )
        self.buttons = {}
        self.verbs = ipywidgets.HBox()
        self.add_verb("Check", self.check)
        self.add_verb("Solution", self.solve)
        super().__init__([self.text, self.field, self.verbs, self.said])
        self.add_class("ndcg-practice")
        self.field.observe(lambda change: change["new"] and self.check(), "value")
        self.show(problem)

    def add_verb(self, name, verb):
        """Add a button that does something."""
        self.buttons[name] = ipywidgets.Button(description=name)
        self.buttons[name].on_click(lambda _button: verb())
        self.verbs.children = (*self.verbs.children, self.buttons[name])

    def show(self, problem):
        """Put a problem, as if nobody had tried it."""
        self.problem = problem
        self.field.value = self.said.value = ""
        title = escape(problem.title)
        self.text.value = f"{STYLE}<strong>{title}</strong>{as_html(problem.asked)}"

    def check(self):
        """Say what there is to say to the number in the field; return the `Outcome`."""
        outcome = judge(self.problem, self.field.value)
        self.said.value = outcome.as_html('role="status" ')
        return outcome

    def solve(self):
        """Show the worked solution of these very numbers."""
        worked = f"<strong>Solution</strong>{solution(self.problem)}"
        self.said.value = f'<div role="status">{worked}</div>'

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and for viewers without a kernel the problem and its solution."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = f"{self.problem.title}\n\n{self.problem.asked}"
        bundle["text/html"] = still(self.problem)
        return bundle


class Practice(Task):
    """A problem that you solve by hand, and another one whenever you want it.

    It keeps no record: the tally is that of this widget, and goes with the kernel.
    """

    def __init__(self, skill, no):
        skills = {"Mixed": MIXED, **{drill.title: name for name, drill in drills().items()}}
        self.pick = Pick("Skill", skills, skill)
        self.no = NumberField(label="No.", min=1, max=LAST, value=no)
        self.tally = ipywidgets.HTML()
        self.line = StateLine()
        self.n_right = self.n_tried = 0
        super().__init__(named(skill, no))
        self.add_verb("Next", self.go_on)
        picks = ipywidgets.HBox([self.pick, self.no])
        self.children = (picks, *self.children, self.tally, self.line)
        for control in (self.pick, self.no):
            control.observe(lambda _: self.show(named(self.pick.value, self.no.value)), "value")
        self.line.on_msg(self._restore)

    @property
    def state(self):
        """Which problem is shown, as one line of text."""
        return write_state("practice", {"skill": self.pick.value, "no": self.no.value})

    def show(self, problem):
        """Put a problem, as if nobody had tried it."""
        super().show(problem)
        self.is_new = True
        self.line.line = self.state
        self._count()

    def check(self):
        """Say what there is to say to the number in the field; the first try counts."""
        outcome = super().check()
        is_right = first_try(outcome)
        if self.is_new and is_right is not None:
            self.is_new = False
            self.n_tried += 1
            self.n_right += is_right
            self._count()
        return outcome

    def solve(self):
        """Show the worked solution of these very numbers; no try counts after it."""
        self.is_new = False
        super().solve()

    def go_on(self):
        """Show the next problem."""
        self.no.value = self.no.value % LAST + 1

    def restore(self, text):
        """Show the problem of a state line, ``practice: skill=floor no=17``.

        If it is no such line, nothing changes, and a ValueError says what came and what is
        allowed.
        """
        name, values = read_state(text)
        if name != "practice" or values.keys() != {"skill", "no"}:
            raise ValueError(f"needed is a line such as {self.state}, got {text!r}")
        check_named(**values)
        self.pick.value, self.no.value = values["skill"], values["no"]

    def _restore(self, _line, content, _buffers):
        try:
            self.restore(content["restore"])
            self.line.trouble = ""
        except (TypeError, ValueError) as error:
            self.line.trouble = str(error)

    def _count(self):
        self.tally.value = f"{self.n_right} of {self.n_tried} right at the first try."


def practice(skill=MIXED, no=1):
    """Return problems to solve by hand, as many as you want.

    Each problem has a number, and No. 17 of a skill is the same for everybody. Nothing that you
    type is stored or sent.

    Parameters
    ----------
    skill : str
        What to practice, such as "floor"; "mixed" goes through all skills.
    no : int
        The number of the first problem, from 1 to 9,999.

    Returns
    -------
    Practice

    Raises
    ------
    TypeError, ValueError
        If there is no such skill or number.
    """
    check_named(skill, no)
    return Practice(skill, no)


def warm_up(skill, no):
    """Return one problem from a notebook before this one, to solve by hand.

    Nothing that you type is stored or sent, and a problem that you leave alone does nothing.

    Parameters
    ----------
    skill : str
        What it asks for, such as "floor".
    no : int
        Its number, from 1 to 9,999.

    Returns
    -------
    Task

    Raises
    ------
    TypeError, ValueError
        If there is no such skill or number.
    """
    check_named(skill, no)
    return Task(named(skill, no))
