"""DCG and NDCG as a library: metrics, datasets, significance, tuning, conventions, scale."""
