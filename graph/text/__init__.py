"""Text primitives: sentences, tokens, stems, stop words, normal forms of names, inflection, word lists and kinds of nouns."""
