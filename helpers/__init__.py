"""The library of the course *Understanding NDCG*; README.md says what to open first."""
