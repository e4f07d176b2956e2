"""Which switches of `Method` may be wrong, by what is asked; earlier ones are named first."""

# Of a sum, and of one over ties.
SUM = ("gain", "discount", "cutoff", "result", "rounding")
OF_TIES = ("discount", "gain", "cutoff", "result", "ties", "rounding")

# Of a quotient, from grades in rank order.
OF_RANKED = ("gain", "discount", "cutoff", "pool", "result")
QUOTIENT = (*OF_RANKED, "rounding")

# The same from scores, of one query and of several.
OF_SCORED = ("gain", "discount", "order", "cutoff", "pool", "result", "rounding")
OF_SEVERAL = ("gain", "order", "cutoff", "pool", "result", "batch")
