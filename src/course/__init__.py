"""What this course consists of, beside its notebooks: explorers, exercises, bets, figures."""
