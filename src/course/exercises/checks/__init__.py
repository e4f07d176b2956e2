"""What an exercise needs besides its text: probes, models and objections, by its name.

`programs.TASKS` for functions to write, `numbers.BOXES` for numbers that a `Method` leads
to, `claims.CLAIMS` for claims to break. The other exercises need nothing of the kind.
"""
