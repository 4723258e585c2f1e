"""Answers that list causes, effects or preventions."""
