"""The two widgets of a bet, thin over its text."""

from html import escape

import ipywidgets

from coursekit.text import wrapped
from coursekit.widgets.card import card
from coursekit.widgets.controls import Choice

STYLE = f"<style>{card('ndcg-bet')}</style>"


class Bet(ipywidgets.VBox):
    """A question with answers to choose from; nothing is sent or stored.

    `text` is a `BetText`; `choice` is the letter of the answer, None until the reader chooses.
    """

    def __init__(self, text):
        self.text = text
        answers = {f"{letter}. {a.text}": letter for letter, a in self.text.answers.items()}
        self.buttons = Choice("Your bet", answers, stacked=True)
        self.note = ipywidgets.HTML(_status("No bet yet. Choose one; nobody sees it."))
        self.buttons.observe(self._record, "value")
        question = ipywidgets.HTML(f"{STYLE}<strong>{escape(self.text.question)}</strong>")
        super().__init__([question, self.buttons, self.note])
        self.add_class("ndcg-bet")

    @property
    def choice(self):
        """The letter of the answer, None until the reader chooses."""
        return self.buttons.value

    def _record(self, change):
        self.note.value = _status(f"Your bet is {change['new']}. Read on to see what happens.")

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and the question in words for viewers without a kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        lines = [f"{letter}. {a.text}" for letter, a in self.text.answers.items()]
        bundle["text/plain"] = _wrapped([self.text.question, *lines])
        return bundle


class Reveal(ipywidgets.HTML):
    """What the reader's own answer to a bet meets; follows the bet when it changes."""

    def __init__(self, bet):
        self.bet = bet
        super().__init__()
        self.add_class("ndcg-bet")
        bet.buttons.observe(self._answer, "value")
        self._answer()

    def _answer(self, _change=None):
        self.value = STYLE + _status(self._words())

    def _words(self):
        if self.bet.choice is None:
            return "You have not bet yet. Choose an answer above; this box then speaks to it."
        return self.bet.text.reply(self.bet.choice)

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget; for viewers without a kernel the own reply, and all replies folded.

        A page is stored before its reader has bet, so nothing that lies open may answer.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        text, own = self.bet.text, "" if self.bet.choice is None else self._words()
        replies = "".join(f"<p>{escape(text.reply(letter))}</p>" for letter in text.answers)
        folded = f"<details><summary>The replies to every answer</summary>{replies}</details>"
        bundle["text/html"] = (f"<p>{escape(own)}</p>" if own else "") + folded
        bundle["text/plain"] = _wrapped([own or "The replies to every answer are folded away."])
        return bundle


def reveal(bet):
    """Return the answer to a bet, whenever the reader places it.

    Parameters
    ----------
    bet : Bet
        What `place_bet` returned.

    Raises
    ------
    TypeError
        If `bet` is something else.
    """
    if not isinstance(bet, Bet):
        raise TypeError(f"bet must be what place_bet() returned, got {type(bet).__name__}")
    return Reveal(bet)


def _wrapped(paragraphs):
    """Return paragraphs as text that fits beside a sidebar."""
    return "\n".join(wrapped(p, indent="   ") for p in paragraphs)


def _status(words):
    return f'<div role="status">{escape(words)}</div>'
