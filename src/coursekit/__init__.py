"""What any course of notebooks can use: explorers, exercises, bets, a writer, a site, a vote."""
