"""Retrieval: the passages of a corpus that fit a question, by words, by meaning, and by both."""
