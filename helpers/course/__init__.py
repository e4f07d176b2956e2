"""The machinery of the course: widgets, explorers, exercises, bets, the writer of notebooks."""
