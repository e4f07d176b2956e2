"""Bets: a question before the reveal, and an answer to what the reader chose."""
