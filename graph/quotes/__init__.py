"""Quotes: the sentences behind the records of a graph that keeps their places only."""
