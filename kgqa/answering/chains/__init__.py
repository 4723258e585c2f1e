"""Answers that explain by a chain of claims."""
