"""Which ranking wins?, the explorer of notebook *gain*: two rankings, any gain, any cutoff."""
