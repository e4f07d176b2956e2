"""The commands of the course, and what is run by hand: `python -m tools lab`."""
