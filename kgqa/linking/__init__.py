"""From the phrases of a question to the concepts of a graph."""
