"""What does each pass change?, the explorer of notebook *climb*: a climb, pass by pass."""
