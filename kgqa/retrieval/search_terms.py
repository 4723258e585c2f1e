"""The terms of a text: its words in lower case, without accents, by their stems, and without function words.

The stems are those of Porter's algorithm as SQLite's full-text search has it, which the stores use for sentences and names too.
Adjacent words of a question that are adjacent in a passage, such as names and phrases, get a score of their own, since BM25
ignores the order of words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from graph.text.segmentation import text_tokens
from graph.text.stems import porter_stems
from graph.text.stop_words import STOP_WORDS

SEARCH_STOP_WORDS = STOP_WORDS["retrieval"]
"""Words of function, which every passage has."""


def search_words(text: str) -> list[str]:
    """Return the words of a text in their order, in lower case; numbers of thousands without their commas."""
    words = text_tokens(text.lower(), "retrieval")
    return [word.replace(",", "") for word in words] if "," in text else words


def query_terms(text: str) -> Sequence[str]:
    """Return the terms that passages are looked for by, each as often as it stands, without words of function."""
    words = [word for word in search_words(text) if word not in SEARCH_STOP_WORDS] or search_words(text)
    stems = porter_stems(set(words))
    return [stems[word] for word in words]


_PREFIX_LENGTH = 2


def adjacency_scores(question: str, passages: Sequence[str], weight: Callable[[str], float]) -> list[float]:
    """Return for each passage how many of the question's adjacent words are adjacent there, in the same order, by weight.

    A pair weighs what its words weigh together, words of function nothing; the sum is over that of the question's terms, so that
    a passage that has the whole question word for word gets nearly 2.
    """
    question_words, texts = search_words(question), [search_words(passage) for passage in passages]
    # A stem begins as its word does: of the passages' words, only those that begin as one of the question's can be the same.
    begun = {word[:_PREFIX_LENGTH] for word in question_words}
    stems = porter_stems({word for word in set(question_words).union(*texts) if word[:_PREFIX_LENGTH] in begun})
    weights = {word: 0.0 if word in SEARCH_STOP_WORDS else weight(stems[word]) for word in question_words}
    pairs = {(stems[first], stems[second]): weights[first] + weights[second] for first, second in pairwise(question_words)}
    whole = sum({stems[word]: weights[word] for word in question_words}.values())
    if not whole:
        return [0.0] * len(texts)
    matched_pairs = ({pair for pair in pairwise(map(stems.get, words)) if pair in pairs} for words in texts)
    return [sum(sorted(map(pairs.__getitem__, held))) / whole for held in matched_pairs]
