"""What does each pass change?, the explorer of notebook 11: a climb, pass by pass."""
