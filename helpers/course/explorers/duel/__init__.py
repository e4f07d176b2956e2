"""Which ranking wins?, the explorer of notebook 05: two rankings, any gain, any cutoff."""
