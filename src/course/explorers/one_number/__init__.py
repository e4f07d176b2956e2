"""What happens to NDCG when one number moves?, the explorer of notebook *climb*."""
