"""Answers out of passages of text."""
