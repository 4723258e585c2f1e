"""Whether a phrase names a trouble, something that one wants to be rid of: "what is good for a cold", but "for the heart"."""

from __future__ import annotations

from kgqa.typology.topics import topics_of
from kgqa.typology.vocabulary import lexicon

_LONGEST_TROUBLE = 4


def is_trouble(phrase: str) -> bool:
    """Say whether a short phrase names an illness or another trouble, by its head or by what is sore or upset in it."""
    words = phrase.lower().split()
    sets = lexicon().plain
    end = next((place for place, word in enumerate(words) if place and word in sets["preposition"] | {"of", "when"}), len(words))
    head = words[:end]
    if not 0 < len(head) <= _LONGEST_TROUBLE or not sets["causes"].isdisjoint(head):
        return False
    if head[-1] in sets["trouble"] or " ".join(head[-2:]) in sets["trouble"] or not sets["hurting"].isdisjoint(head[:-1]):
        return True
    return "illness" in topics_of(head[-1]) and head[-1] not in sets["no trouble"]
