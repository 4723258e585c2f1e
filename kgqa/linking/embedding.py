"""The last resort of linking, for who asks for it: the name whose meaning an encoder finds nearest.

Nearest is often not near (see docs/linking.md), so what is found this way is a guess, with a score of at most .3, and only for a
phrase that has no other reading at all. The encoder is loaded when the first such phrase is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.mining.kinds import kind_of
from graph.mining.words import words as word_list
from graph.normalize import concept_name, singular
from graph.protocols import GraphStore, GraphView
from kgqa.linking.embedding_encoder import Encoder, encoder_folder
from kgqa.linking.embedding_index import EmbeddingIndex, Near
from kgqa.linking.forms import is_only_verb, related
from kgqa.linking.guards import crosses
from kgqa.linking.linker import readings
from kgqa.linking.phrase import EMPTY_HEADS, content_words, head_place
from kgqa.linking.reading import Reading
from kgqa.linking.synonyms import synonyms

LEAST_COSINE = 0.8
"""Chosen on phrases for development: between .75 and .8 as many names were wrong as right, above .8 none was wrong."""
GAP = 0.06
"""How much nearer a name may be that the guards refuse."""
SURENESS = 0.3
"""The score of a name with the cosine 1; others have it times their cosine."""

_LOOKED_AT = 20
_OTHERS = 3
_MOST_WORDS = 5
_KEPT = 1_000
_STEM, _SHARE = 4, 0.55
"""Words that share so many letters at their beginning, and such a share of the longer one, are forms: "itchy" and "itching"."""
_NUMBERS = frozenset("one two three four five six seven eight nine ten hundred thousand million first second third half".split())


class NearestInMeaning:
    """A linker that yields the usual readings, and a guess by embedding for a phrase that has none of them."""

    def __init__(self, store: GraphStore, encoder: str | None = None) -> None:
        """Look for the embeddings of `store`; `encoder` is a folder, by default that of `encoder_folder`.

        Raises `EncoderUnknown`, `EncoderInvalid`, `PackageMissing` or `EmbeddingsMissing`, each with a remedy.
        """
        self._encoder = Encoder(encoder_folder(encoder))
        self._index = EmbeddingIndex(store, self._encoder)
        self._found: dict[str, Sequence[Near]] = {}

    def __call__(self, phrase: str, view: GraphView) -> Iterator[Reading]:
        """Yield the readings of `phrase`, surest first; by embedding only where there are no others."""
        found = False
        for reading in readings(phrase, view):
            found = True
            yield reading
        if not found:
            yield from self.nearest(phrase, view)

    def nearest(self, phrase: str, view: GraphView) -> Iterator[Reading]:
        """Yield the name of the view that is nearest to `phrase` of those that the guards let pass, with the next ones."""
        if not 1 < len(content_words(phrase)) <= _MOST_WORDS:
            return  # a clause, or a single rare word, of which an encoder knows the spelling alone
        nearest = self._near(phrase)
        near = [one for one in nearest if may_mean(phrase, one.name) and view.concept(one.name) is not None]
        # Where the guards refuse what is by far the nearest, the phrase means that, or nothing that the graph knows.
        if near and near[0].cosine >= max(LEAST_COSINE, nearest[0].cosine - GAP):
            others = tuple(one.name for one in near[1 : 1 + _OTHERS])
            yield Reading(phrase, (near[0].name,), round(SURENESS * min(1.0, near[0].cosine), 3), "embedding", others=others)

    def _near(self, phrase: str) -> Sequence[Near]:
        """Return the names that are nearest to a phrase, computed once."""
        if phrase not in self._found:
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[phrase] = self._index.nearest(self._encoder([concept_name(phrase)])[0], _LOOKED_AT)
        return self._found[phrase]


def may_mean(phrase: str, name: str) -> bool:
    """Return whether a name that is near to a phrase may be what it means.

    No direction is crossed. Neither has all words of the other and more: the earlier steps saw such names, and refused them
    ("tongue" for "white tongue"). The name is no clause ("treat asthma"). The heads answer to one another.
    """
    if crosses(phrase, name):
        return False
    words, theirs = content_words(phrase), content_words(name)
    if is_only_verb(theirs[0]) or _numbers(words) != _numbers(theirs) or _holds(words, theirs) != _holds(theirs, words):
        return False
    return _heads_agree(words, _head(phrase), theirs, _head(name))


def _heads_agree(words: Sequence[str], head: str, theirs: Sequence[str], name_head: str) -> bool:
    """Return whether each head is among the words of the other, in some form, or the two are of the same kind of nouns."""
    if _same(head, name_head) or (_holds(theirs, [head]) and _holds(words, [name_head])):
        return True
    vague = EMPTY_HEADS | word_list("vague")
    return head not in vague and name_head not in vague and kind_of(head) == kind_of(name_head) != ""


def _head(phrase: str) -> str:
    words = concept_name(phrase).split()
    return singular(words[head_place(words)]) if words else ""


def _numbers(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if word in _NUMBERS or any(map(str.isdigit, word)))


def _holds(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether each of the other words is, in some form, among the words."""
    return all(any(_same(word, other) for word in words) for other in others)


def _same(one: str, other: str) -> bool:
    if related(one, other) or other in synonyms(one):
        return True
    shorter = min(len(one), len(other))
    shared = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), shorter)
    return shared >= _STEM and shared >= _SHARE * max(len(one), len(other))
