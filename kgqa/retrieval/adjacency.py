"""Words of a question that stand side by side in a passage too: names and phrases, which BM25 takes for words at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from kgqa.retrieval.terms import STOP_WORDS, stems_of, words_of

_BEGINNING = 2


def adjacency(question: str, passages: Sequence[str], weight: Callable[[str], float]) -> list[float]:
    """Return for each passage how many of the question's adjacent words are adjacent there, in the same order, by weight.

    A pair weighs what its words weigh together, words of function nothing; the sum is over that of the question's terms, so that
    a passage that has the whole question word for word gets nearly 2.
    """
    asked, texts = words_of(question), [words_of(passage) for passage in passages]
    # A stem begins as its word does: of the passages' words, only those that begin as one of the question's can be the same.
    begun = {word[:_BEGINNING] for word in asked}
    stems = stems_of({word for word in set(asked).union(*texts) if word[:_BEGINNING] in begun})
    weights = {word: 0.0 if word in STOP_WORDS else weight(stems[word]) for word in asked}
    pairs = {(stems[one], stems[other]): weights[one] + weights[other] for one, other in pairwise(asked)}
    whole = sum({stems[word]: weights[word] for word in asked}.values())
    if not whole:
        return [0.0] * len(texts)
    found = ({pair for pair in pairwise(map(stems.get, words)) if pair in pairs} for words in texts)
    return [sum(sorted(map(pairs.__getitem__, held))) / whole for held in found]
