"""The words by which questions, passages and articles are compared."""

from __future__ import annotations

from kgqa.readers.numeric.passage_tokens import passage_stem, passage_tokens, verb_lemma


def word_lemma(word: str) -> str:
    """Return what the forms of a word share; "founded" is no form of "found", as of any verb that ends in "ed"."""
    return passage_stem(word) if word.endswith("ed") else verb_lemma(word)


def lemma_set(text: str) -> frozenset[str]:
    """Return the lemmas of the content words of a text."""
    return frozenset(word_lemma(token.text) for token in passage_tokens(text) if token.is_content_word)
