"""Exercises: texts, and checks that name the mistake."""
