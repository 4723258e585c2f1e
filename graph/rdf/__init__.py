"""A graph as RDF: the vocabulary, a writer in constant memory, and a reader."""
