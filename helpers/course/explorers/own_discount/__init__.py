"""Draw your discount, the explorer of notebook 06: your weights beside the conventions."""
