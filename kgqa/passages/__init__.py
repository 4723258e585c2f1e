"""Answers from passages: a passage read as a graph, by edits and by a reader, and the choice between them."""
