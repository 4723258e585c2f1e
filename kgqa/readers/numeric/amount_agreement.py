"""How well a row of the table of amounts accounts for the words of a question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kgqa.readers.numeric.amount_question import opposite_words
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable
from kgqa.readers.numeric.passage_tokens import content_lemmas, event_kinds_of, verb_lemma

SENTENCE_AGREEMENT, KIND_AGREEMENT = 0.6, 0.8
"""What a word counts that stands in the sentence of a row, and of which another of its kind stands in the clause."""
_NEIGHBOUR, _INHERITED = 0.4, 0.95
"""The same for a sentence beside it, and for a noun that the row takes from another."""
_PEOPLE = frozenset(
    map(
        verb_lemma,
        "people person persons men women workers employees inhabitants passengers members pupils residents councillors parents "
        "soldiers".split(),
    )
)


_PRICES = frozenset(map(verb_lemma, "money cost price worth".split()))


def is_same_kind(nouns: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether nouns are of one kind: "bees" and "honeybees", "workers" and "people"."""
    heads = {noun_beside for noun_beside in others for noun in nouns if len(noun) > 2 and noun_beside.endswith(noun)}
    return bool(heads) or bool(nouns & _PEOPLE and (others & _PEOPLE or not others))


_PRONOUN = re.compile(r"(?:It|He|She|They|Its|His|Her|Their)\b")


@lru_cache(maxsize=512)
def _lemmas_of(text: str) -> frozenset[str]:
    return frozenset(content_lemmas(text))


def word_agreement(lemma: str, row: AmountRow, table: AmountTable) -> float:
    """Return how well a row accounts for a word of the question: in its clause, its sentence, or the one before."""
    if lemma in row.clause or (lemma.startswith("un") and verb_lemma(lemma[2:]) in row.clause):
        return 1.0
    if lemma in row.nouns:
        return _INHERITED
    if any(lemma in side and side & row.clause for sides in opposite_words() for side in sides):
        return KIND_AGREEMENT
    if lemma in _PRICES and row.measure == "money":
        return 1.0
    kinds = event_kinds_of(lemma)
    if kinds and any(kinds & event_kinds_of(word) for word in row.clause):
        return KIND_AGREEMENT
    if is_same_kind(frozenset({lemma}), row.nouns | row.clause):
        return KIND_AGREEMENT
    if lemma in row.sentence:
        return SENTENCE_AGREEMENT
    begin = table.sentences[max(0, row.at - 1)][0]
    end = table.sentences[min(row.at + 1, len(table.sentences) - 1)][1]
    near, title = _lemmas_of(table.text[begin:end]), _lemmas_of(table.text[slice(*table.sentences[0])])
    about = SENTENCE_AGREEMENT if _PRONOUN.match(table.text[slice(*table.sentences[row.at])]) else _NEIGHBOUR
    return about if lemma in near or lemma in title else 0.0


def is_same_noun(noun: str, nouns: Iterable[str]) -> bool:
    """Return whether a noun is one of several, in the singular or the plural."""
    return any(noun == noun_beside or noun.replace("v", "f") == noun_beside.replace("v", "f") for noun_beside in nouns)


def share_of_words(lemmas: Iterable[str], row: AmountRow, table: AmountTable) -> float:
    """Return how much of some words a row accounts for (0..1)."""
    words = list(lemmas)
    return sum(word_agreement(word, row, table) for word in words) / len(words) if words else 0.0
