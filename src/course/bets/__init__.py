"""Bets: a question before the reveal, and an answer to what the reader chose.

Readers who commit to a prediction first learn more from what they see next. The
bet is kept in memory only. A bet that nobody placed stops nothing: Run All passes.
"""

from pathlib import Path

from coursekit.bets.bet import Bet, reveal
from coursekit.bets.texts import Bets
from wording import nearest

__all__ = ["BETS", "place_bet", "reveal"]
BETS = Bets(Path(__file__).parent / "content", Path(__file__).parent / "questions.md")


def place_bet(name):
    """Return the bet of that name, to be shown as the last line of a cell.

    Raises
    ------
    TypeError, ValueError
        If there is no such bet.
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be that of a bet, as text, got {type(name).__name__}")
    bets = BETS.all
    if name not in bets:
        said = nearest(name, bets) or f"; there are {', '.join(bets)}"
        raise ValueError(f"no bet is called {name!r}{said}")
    return Bet(bets[name])
