"""Practice in a notebook: a problem, a field, and what is said to a number."""

from html import escape

import ipywidgets

from course.drills import drills
from course.drills.judge import judge
from course.drills.markup import as_html, solution
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


class Practice(ipywidgets.VBox):
    """A problem that you solve by hand, and another one whenever you want it.

    It keeps no record: the tally is that of this widget, and goes with the kernel.
    """

    def __init__(self, skill, no):
        skills = {"Mixed": MIXED, **{drill.title: name for name, drill in drills().items()}}
        self.pick = Pick("Skill", skills, skill)
        self.no = NumberField(label="No.", min=1, max=LAST, value=no)
        self.text = ipywidgets.HTML()
        self.field = ipywidgets.Text(
            description="Your number", continuous_update=False, style={"description_width": "auto"}
        )
        self.buttons = {
            name: ipywidgets.Button(description=name) for name in ("Check", "Solution", "Next")
        }
        self.said = ipywidgets.HTML()
        self.tally = ipywidgets.HTML()
        self.line = StateLine()
        self.n_right = self.n_tried = 0
        super().__init__(
            [
                ipywidgets.HBox([self.pick, self.no]),
                self.text,
                self.field,
                ipywidgets.HBox([*self.buttons.values()]),
                self.said,
                self.tally,
                self.line,
            ]
        )
        self.add_class("ndcg-practice")
        for control in (self.pick, self.no):
            control.observe(self._show, "value")
        self.field.observe(lambda change: change["new"] and self.check(), "value")
        verbs = {"Check": self.check, "Solution": self.solve, "Next": self.go_on}
        for name, verb in verbs.items():
            self.buttons[name].on_click(lambda _button, verb=verb: verb())
        self.line.on_msg(self._restore)
        self._show()

    @property
    def state(self):
        """Which problem is shown, as one line of text."""
        return write_state("practice", {"skill": self.pick.value, "no": self.no.value})

    def check(self):
        """Say what there is to say to the number in the field; the first try counts."""
        outcome = judge(self.problem, self.field.value)
        self.said.value = outcome.as_html('role="status" ')
        if self.is_new and outcome.verdict not in ("not attempted", "wrong shape"):
            self.is_new = False
            self.n_tried += 1
            self.n_right += outcome.verdict == "correct"
            self._count()

    def solve(self):
        """Show the worked solution of these very numbers."""
        self.is_new = False
        worked = f"<strong>Solution</strong>{solution(self.problem)}"
        self.said.value = f'<div role="status">{worked}</div>'

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

    def _show(self, _change=None):
        self.problem = named(self.pick.value, self.no.value)
        self.is_new = True
        self.field.value = self.said.value = ""
        title = escape(self.problem.title)
        self.text.value = f"{STYLE}<strong>{title}</strong>{as_html(self.problem.asked)}"
        self.line.line = self.state
        self._count()

    def _count(self):
        self.tally.value = f"{self.n_right} of {self.n_tried} right at the first try."

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and the problem in words for viewers without a kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = f"{self.problem.title}\n\n{self.problem.asked}"
        return bundle


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
