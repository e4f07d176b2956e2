"""Does a lower loss mean a better ranking?, the explorer of notebook 12: epoch by epoch."""
