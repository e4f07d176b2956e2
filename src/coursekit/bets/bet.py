"""The two widgets of a bet, thin over its text."""

from html import escape

import ipywidgets

from coursekit.bets.drawn import STYLES
from coursekit.text import in_html, wrapped
from coursekit.widgets.card import card
from coursekit.widgets.controls import Choice
from coursekit.widgets.part import styles

NO_BET = "You have not bet yet. Choose an answer above, and the reply to it appears here."
VERDICT = """
.ndcg-bet.ndcg-bet { padding: 14px 20px; }
.ndcg-bet .ndcg-asks { font-size: 20px; line-height: 1.35; margin-bottom: 8px; }
.ndcg-asks strong { font-weight: 600; }
.ndcg-bet [role="status"] { color: #4e555d; padding: 10px 0; }
.ndcg-bet :has(> fieldset) + * { margin-top: 12px; }
/* A verdict is a card of its own: a band from edge to edge, then what is right, and why. */
.ndcg-bet.ndcg-bet:has(.ndcg-verdict) { background: none; border: 0; padding: 0; }
.ndcg-bet .ndcg-verdict { background: #fff; border: 1px solid #d8dde2; border-radius: 10px;
  color: inherit; overflow: hidden; padding: 0 18px 16px; }
.ndcg-verdict, .ndcg-answers p { --ndcg-ground: #fdeadf; --ndcg-sign: #953a00; }
.ndcg-verdict.right, .ndcg-answers .right { --ndcg-ground: #e3f3ec; --ndcg-sign: #00573f; }
.ndcg-verdict p { margin: 0; }
.ndcg-verdict > p { background: var(--ndcg-ground); margin: 0 -18px; padding: 10px 18px 0; }
.ndcg-verdict .ndcg-sign { color: var(--ndcg-sign); font-size: 22px; font-weight: 700;
  line-height: 1.2; }
.ndcg-verdict .ndcg-asked { color: #4e555d; font-size: 15px; margin-bottom: 14px;
  padding-block: 2px 10px; }
.ndcg-verdict .ndcg-answers p { border-radius: 8px; color: #4e555d; margin: 0 0 0 -12px;
  padding: 8px 12px; }
/* What is right is what a reader takes along. */
.ndcg-verdict .ndcg-answers .right { background: var(--ndcg-ground); color: inherit;
  font-size: 20px; line-height: 1.35; }
.ndcg-answers .right b { display: block; font-size: 16px; }
.ndcg-answers b { color: var(--ndcg-sign); font-weight: 600; margin-right: 0.4em; }
.ndcg-verdict .ndcg-why { font-family: var(--ndcg-text-face, inherit); font-size: 19px;
  margin-top: 8px; }
@media (max-width: 48em) { .ndcg-verdict .ndcg-why { font-size: 18px; } }
@media (prefers-reduced-motion: no-preference) {
  .ndcg-verdict { animation: ndcg-verdict 350ms ease-out; }
}
@keyframes ndcg-verdict { from { opacity: 0; transform: translateY(8px); } }
"""
CSS = card("ndcg-bet") + VERDICT
STYLE = f"<style>{CSS}{styles(STYLES)}</style>"


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
        question = ipywidgets.HTML(STYLE + asks(*self.text.parted))
        drawn = [ipywidgets.HTML(self.text.drawn.html())] if self.text.drawn else []
        table = [one.add_class("ndcg-is-drawn") for one in drawn]
        super().__init__([question, *table, self.buttons, self.note])
        self.add_class("ndcg-bet")

    @property
    def choice(self):
        """The letter of the answer, None until the reader chooses."""
        return self.buttons.value

    def _record(self, change):
        self.note.value = _status(f"Your bet is {change['new']}. Read on to see what happens.")

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and all that it asks for viewers without a kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        texts = {letter: answer.text for letter, answer in self.text.answers.items()}
        asked = f"{asks(*self.text.parted)}{self.text.table()}"
        listed = "".join(f"<li>{in_html(text)}</li>" for text in texts.values())
        bundle["text/html"] = f'{asked}<ol type="A">{listed}</ol>'
        lines = [f"{letter}. {text}" for letter, text in texts.items()]
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
        chosen = self.bet.choice
        self.value = STYLE + (_status(NO_BET) if chosen is None else self._verdict(chosen))

    def _verdict(self, chosen):
        """Return the verdict, what was asked, what is right, the reader's own answer, and why."""
        text = self.bet.text
        is_right = chosen == text.right
        verdict, sign = ("right", "✓ Right") if is_right else ("wrong", "✗ Not so")
        named = [("right", "✓ You bet" if is_right else "✓ The answer is", text.right)]
        named += [] if is_right else [("wrong", "✗ You bet", chosen)]
        answers = "".join(
            f'<p class="{kind}"><b>{words} {letter}</b> {in_html(text.answers[letter].text)}</p>'
            for kind, words, letter in named
        )
        return (
            f'<div role="status" class="ndcg-verdict {verdict}"><p class="ndcg-sign">{sign}</p>'
            f'<p class="ndcg-asked">{in_html(text.parted[1])}</p>{text.table(is_answered=True)}'
            f'<div><div class="ndcg-answers">{answers}</div>'
            f'<p class="ndcg-why">{in_html(text.answers[chosen].reply)}</p></div></div>'
        )

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget; for viewers without a kernel the own reply, and all replies folded.

        A page is stored before its reader has bet, so nothing that lies open may answer.
        """
        bundle = super()._repr_mimebundle_(**kwargs)
        text = self.bet.text
        own = "" if self.bet.choice is None else text.reply(self.bet.choice)
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


def asks(before, asked):
    """Return a question as HTML, in bold only where it asks: all of it would be a wall."""
    before = before and f"<div>{in_html(before)}</div> "
    return f'<div class="ndcg-asks">{before}<strong>{in_html(asked)}</strong></div>'


def _wrapped(paragraphs):
    """Return paragraphs as text that fits beside a sidebar."""
    return "\n".join(wrapped(p, indent="   ") for p in paragraphs)


def _status(words):
    return f'<div role="status">{escape(words)}</div>'
