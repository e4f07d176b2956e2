"""Where is the floor?, the explorer of notebook 09: one NDCG among all orders."""
