"""Does a lower loss mean a better ranking?, of notebook *surrogates*: epoch by epoch."""
