"""Answers to "what if" questions over the graph."""
