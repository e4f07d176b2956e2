"""Bets: a question before the reveal, and an answer to what the reader chose.

Readers who commit to a prediction first learn more from what they see next. The
bet is kept in memory only. A bet that nobody placed stops nothing: Run All passes.
"""

from helpers.course.bets.bet import place_bet, reveal

__all__ = ["place_bet", "reveal"]
