"""Slips of the pen: what a phrase was meant to be where one of its words is known to nobody."""

from __future__ import annotations

from graph.mining.kinds import kind_of
from graph.normalize import concept_name, singular
from kgqa.linking.asked import Asked
from kgqa.linking.guards import crosses
from kgqa.linking.synonyms import is_word

_FEWEST_LETTERS = 5
_TWO_SLIPS = 9
"""A word of so many letters may hold two slips."""
_SOUND_ALIKE = tuple(map(frozenset, ("ae", "ai", "ao", "ei", "eo", "ou", "iy", "ie", "sc", "sz", "ck", "gj", "fv", "au", "mn")))


def mended(asked: Asked) -> list[str]:
    """Return the concepts that the phrase names if its only unknown word is a slip, nearest first."""
    strange = [word for word in asked.words if _is_strange(word, asked)]
    if len(strange) != 1:
        return []
    wrong = strange[0]
    if len(asked.words) == 1:
        return [name for name in asked.view.similar(asked.name) if is_slip(asked.name, name)]
    rights = [right for right in asked.view.similar(wrong) if is_slip(wrong, right)]
    texts = [concept_name(" ".join(right if word == wrong else word for word in asked.words)) for right in rights]
    return [name for name in asked.known(texts) if not crosses(asked.phrase.replace(wrong, rights[0]), name)]


def _is_strange(word: str, asked: Asked) -> bool:
    """Return whether neither the graph nor a table of English words knows a word, so that it may be misspelt."""
    if len(word) < _FEWEST_LETTERS or not (word.isascii() and word.isalpha()) or asked.view.search([word], limit=1):
        return False
    return not (is_word(word) or kind_of(word))


def is_slip(phrase: str, name: str) -> bool:
    """Return whether `phrase` can be nothing but `name` with a slip, two in a long word, behind the first letter.

    A slip swaps two letters, leaves one out, doubles or puts one in, puts in or leaves out a space, or takes a letter for one
    that sounds like it. A letter more or less at the end makes another word ("lyric", "Lyrica"), and so do other letters.
    """
    from rapidfuzz.distance import OSA, Levenshtein

    if singular(phrase) == singular(name):
        return True
    distance = OSA.distance(phrase, name)
    if phrase[:1] != name[:1] or distance > (2 if len(phrase) >= _TWO_SLIPS else 1) or crosses(phrase, name):
        return False
    if sorted(phrase) == sorted(name):
        return True
    last = len(phrase) - 1
    for step in Levenshtein.editops(phrase, name):
        if step.tag == "replace":
            if {phrase[step.src_pos], name[step.dest_pos]} not in _SOUND_ALIKE:
                return False
        elif step.src_pos > last or (step.tag == "delete" and step.src_pos == last and phrase[last] != phrase[last - 1]):
            return False
    return True
