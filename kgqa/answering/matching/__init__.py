"""Matching: which claims of the graph answer a question whose phrases are not the names of concepts."""
