"""Tools for the people who write the course; no notebook imports them."""
