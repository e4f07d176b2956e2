"""Draw your discount, the explorer of notebook *discount*: your weights beside the conventions."""
