"""Where is the floor?, the explorer of notebook *floors*: one NDCG among all orders."""
