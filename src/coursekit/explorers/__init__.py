"""Explorers: declarations, and one generic widget for all of them."""
