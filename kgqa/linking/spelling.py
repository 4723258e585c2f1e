"""The spelling correction of the linker: which typing errors let an unknown word stand for a name of the graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from string import ascii_lowercase

from graph.cached_view import expect_searches
from graph.protocols import GraphView
from graph.text.normalise import singular
from graph.text.stems import base_forms
from graph.text.word_lists import kind_of_noun
from kgqa.linking.concept_links import SURE_LINK, ConceptLink
from kgqa.linking.lexical_relations import changes_polarity, is_known_word
from kgqa.linking.mention import ConceptMention

_FEWEST_LETTERS = 5
_NAMES_LOOKED_AT = 20
_MOST_RIGHTS = 3
_TWO_SLIPS = 9
"""A word of so many letters may hold two slips."""
_SOUND_ALIKE = tuple(map(frozenset, ("ae", "ai", "ao", "ei", "eo", "ou", "iy", "ie", "sc", "sz", "ck", "gj", "fv", "au", "mn")))


def link_misspelling(mention: ConceptMention, link: Callable[[ConceptMention], Iterable[ConceptLink]]) -> Iterator[ConceptLink]:
    """Yield what the phrase is if the one word of it that neither the graph nor a table knows is a slip of the pen.

    A phrase of several words is linked by `link` once it is spelt right.
    """
    unknown = _unknown_words(mention.words, mention.view)
    if len(unknown) != 1:
        return
    wrong = unknown[0]
    if len(mention.words) == 1:
        names = [name for name in mention.view.similar(mention.name) if _is_misspelling(mention.name, name)]
    else:
        rights = [right for right in mention.view.similar(wrong) if _is_misspelling(wrong, right)]
        phrases = [re.sub(rf"\b{re.escape(wrong)}\b", right, mention.phrase, flags=re.IGNORECASE) for right in rights]
        links = (link(ConceptMention(phrase, mention.view)) for phrase in phrases)
        firsts = (next((reading for reading in readings if reading.score >= SURE_LINK), None) for readings in links)
        names = list(dict.fromkeys(name for first in firsts if first is not None for name in first.concepts))
    for place, name in enumerate(names):
        yield ConceptLink(mention.phrase, (name,), 0.2, "spelling", alternatives=tuple(names[place + 1 :][:3]))


def misspelt_word(text: str, view: GraphView) -> tuple[str, list[str]] | None:
    """Return the one word of a text that neither the graph nor a table knows, with the few words that it may be a slip of."""
    unknown = _unknown_words(re.findall(r"(?<![\w'’-])[a-z]+(?![\w'’-])", text), view)
    if len(unknown) != 1 or any(map(is_known_word, base_forms(unknown[0]))):
        return None
    rights = {right for right in _slips(unknown[0]) if _is_in_tables(right) and view.search([right], limit=1)}
    return (unknown[0], sorted(rights)) if 0 < len(rights) <= _MOST_RIGHTS else None


def _slips(word: str) -> Iterator[str]:
    """Yield what a word may be that was written with a slip behind its first letter, or with letters doubled or not."""
    for place in range(1, len(word)):
        before, behind = word[:place], word[place:]
        yield from (f"{before}{letter}{behind}" for letter in ascii_lowercase)
        yield f"{before}{behind[1:]}"
        yield f"{before}{behind[1:2]}{behind[:1]}{behind[2:]}"
        yield from (
            f"{before}{letter}{behind[1:]}" for pair in _SOUND_ALIKE if behind[0] in pair for letter in pair - {behind[0]}
        )
    plain = re.sub(r"(.)\1", r"\1", word)
    for first, second in combinations(range(len(plain)), 2):
        yield f"{plain[:first]}{plain[first]}{plain[first:second]}{plain[second]}{plain[second:]}"
        yield f"{plain[:second]}{plain[second]}{plain[second:]}"


def _is_in_tables(word: str) -> bool:
    return bool(kind_of_noun(singular(word))) or is_known_word(word)


def _unknown_words(words: Iterable[str], view: GraphView) -> list[str]:
    """Return those of the words that neither the graph nor a table knows."""
    plain = (word for word in words if len(word) >= _FEWEST_LETTERS and word.isascii() and word.isalpha())
    odd = [word for word in plain if not is_known_word(word) and not kind_of_noun(word)]
    expect_searches(view, lambda: [[word] for word in odd])
    return [word for word in odd if not _is_in_name(word, view)]


def _is_in_name(word: str, view: GraphView) -> bool:
    # The index takes "tsunamy", as of "tsunamies", for a form of "tsunami".
    names = view.search([word], limit=_NAMES_LOOKED_AT)
    return any(singular(part) == word for name in names for part in name.replace("-", " ").split())


def _is_misspelling(phrase: str, name: str) -> bool:
    """Return whether `phrase` can be nothing but `name` with a slip, two in a long word, behind the first letter.

    A slip swaps two letters, leaves one out, doubles or puts one in, puts in or leaves out a space, or takes a letter for one
    that sounds like it. A letter more or less at the end makes another word ("lyric", "Lyrica"), and so do other letters.
    """
    from rapidfuzz.distance import OSA, Levenshtein

    if singular(phrase) == singular(name):
        return True
    distance = OSA.distance(phrase, name)
    if phrase[:1] != name[:1] or distance > (2 if len(phrase) >= _TWO_SLIPS else 1) or changes_polarity(phrase, name):
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
