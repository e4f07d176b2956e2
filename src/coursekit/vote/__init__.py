"""A room votes on the bets of a notebook: ``make vote VOTE=conventions``.

`poll` holds the rules and the votes and can be used without a network; `server` puts them on one.
"""
