"""Compare programs, the explorer of notebook *your_own_ndcg*: where two programs differ."""
