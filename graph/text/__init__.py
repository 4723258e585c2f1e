"""Text primitives: sentences, normal forms of names, word lists and kinds of nouns."""
