"""All 120 orders, the explorer of notebook *start_here*: each order of a list as a dot."""
