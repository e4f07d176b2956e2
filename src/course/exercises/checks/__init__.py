"""What an exercise needs besides its text: probes, models and objections, by its name.

`tasks.TASKS` for functions to write, `by_hand.BOXES` for numbers that a `Method` leads
to, `objections.CLAIMS` for claims to break. The other exercises need nothing of the kind.
"""
