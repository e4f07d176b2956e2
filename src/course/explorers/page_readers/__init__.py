"""Which page wins?, the explorer of notebook *discount*: three pages, six readers."""
