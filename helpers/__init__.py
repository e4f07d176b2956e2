"""The library of the course *Understanding NDCG*.

One direction: `metrics` → `breakdown` → `figures` → `explorers`. Each is short
enough to read, and the notebooks say where.
"""
