"""The last resort of linking, for who asks for it: the name whose meaning an encoder finds nearest.

Nearest is often not near (see docs/linking.md), so what is found this way is a guess, with a score of at most .3, and only for a
phrase that has no other reading at all. The encoder is loaded when the first such phrase is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.mining.kinds import kind_of_noun
from graph.mining.words import word_list as word_list
from graph.normalize import concept_name, singular
from graph.protocols import GraphStore, GraphView
from kgqa.linking.embedding_encoder import PhraseEncoder, phrase_encoder_folder
from kgqa.linking.embedding_index import EmbeddingIndex, NameNeighbour
from kgqa.linking.forms import is_only_verb, is_related_form
from kgqa.linking.guards import changes_polarity
from kgqa.linking.linker import link_phrase
from kgqa.linking.phrase import EMPTY_HEADS, content_words, head_place
from kgqa.linking.reading import ConceptLink
from kgqa.linking.synonyms import synonyms

LEAST_COSINE = 0.8
"""Chosen on phrases for development: between .75 and .8 as many names were wrong as right, above .8 none was wrong."""
GUARD_GAP = 0.06
"""How much nearer a name may be that the guards refuse."""
EMBEDDING_SCORE = 0.3
"""The score of a name with the cosine 1; others have it times their cosine."""

_NEIGHBOURS_LOOKED_AT = 20
_MOST_ALTERNATIVES = 3
_MOST_PHRASE_WORDS = 5
_CACHE_SIZE = 1_000
_STEM, _SHARE = 4, 0.55
"""Words that share so many letters at their beginning, and such a share of the longer one, are forms: "itchy" and "itching"."""
_NUMBERS = frozenset("one two three four five six seven eight nine ten hundred thousand million first second third half".split())


class EmbeddingLinker:
    """A linker that yields the usual readings, and a guess by embedding for a phrase that has none of them."""

    def __init__(self, store: GraphStore, encoder: str | None = None) -> None:
        """Look for the embeddings of `store`; `encoder` is a folder, by default that of `encoder_folder`.

        Raises `EncoderUnknown`, `EncoderInvalid`, `PackageMissing` or `EmbeddingsMissing`, each with a remedy.
        """
        self._encoder = PhraseEncoder(phrase_encoder_folder(encoder))
        self._index = EmbeddingIndex(store, self._encoder)
        self._neighbours: dict[str, Sequence[NameNeighbour]] = {}

    def __call__(self, phrase: str, view: GraphView) -> Iterator[ConceptLink]:
        """Yield the readings of `phrase`, surest first; by embedding only where there are no others."""
        has_link = False
        for reading in link_phrase(phrase, view):
            has_link = True
            yield reading
        if not has_link:
            yield from self.nearest(phrase, view)

    def nearest(self, phrase: str, view: GraphView) -> Iterator[ConceptLink]:
        """Yield the name of the view that is nearest to `phrase` of those that the guards let pass, with the next ones."""
        if not 1 < len(content_words(phrase)) <= _MOST_PHRASE_WORDS:
            return  # a clause, or a single rare word, of which an encoder knows the spelling alone
        nearest = self._near(phrase)
        near = [
            candidate for candidate in nearest if may_mean(phrase, candidate.name) and view.concept(candidate.name) is not None
        ]
        # Where the guards refuse what is by far the nearest, the phrase means that, or nothing that the graph knows.
        if near and near[0].cosine >= max(LEAST_COSINE, nearest[0].cosine - GUARD_GAP):
            alternatives = tuple(candidate.name for candidate in near[1 : 1 + _MOST_ALTERNATIVES])
            yield ConceptLink(
                phrase,
                (near[0].name,),
                round(EMBEDDING_SCORE * min(1.0, near[0].cosine), 3),
                "embedding",
                alternatives=alternatives,
            )

    def _near(self, phrase: str) -> Sequence[NameNeighbour]:
        """Return the names that are nearest to a phrase, computed once."""
        if phrase not in self._neighbours:
            if len(self._neighbours) >= _CACHE_SIZE:
                self._neighbours.clear()
            self._neighbours[phrase] = self._index.nearest(self._encoder([concept_name(phrase)])[0], _NEIGHBOURS_LOOKED_AT)
        return self._neighbours[phrase]


def may_mean(phrase: str, name: str) -> bool:
    """Return whether a name that is near to a phrase may be what it means.

    No direction is crossed. Neither has all words of the other and more: the earlier steps saw such names, and refused them
    ("tongue" for "white tongue"). The name is no clause ("treat asthma"). The heads answer to one another.
    """
    if changes_polarity(phrase, name):
        return False
    words, theirs = content_words(phrase), content_words(name)
    if (
        is_only_verb(theirs[0])
        or _number_words(words) != _number_words(theirs)
        or _holds_words(words, theirs) != _holds_words(theirs, words)
    ):
        return False
    return _heads_agree(words, _head_noun(phrase), theirs, _head_noun(name))


def _heads_agree(words: Sequence[str], head: str, theirs: Sequence[str], name_head: str) -> bool:
    """Return whether each head is among the words of the other, in some form, or the two are of the same kind of nouns."""
    if _is_same_word(head, name_head) or (_holds_words(theirs, [head]) and _holds_words(words, [name_head])):
        return True
    vague = EMPTY_HEADS | word_list("vague")
    return head not in vague and name_head not in vague and kind_of_noun(head) == kind_of_noun(name_head) != ""


def _head_noun(phrase: str) -> str:
    words = concept_name(phrase).split()
    return singular(words[head_place(words)]) if words else ""


def _number_words(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if word in _NUMBERS or any(map(str.isdigit, word)))


def _holds_words(words: Sequence[str], required: Sequence[str]) -> bool:
    """Return whether each of the other words is, in some form, among the words."""
    return all(any(_is_same_word(word, wanted) for word in words) for wanted in required)


def _is_same_word(first: str, second: str) -> bool:
    if is_related_form(first, second) or second in synonyms(first):
        return True
    shorter = min(len(first), len(second))
    shared = next((place for place, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), shorter)
    return shared >= _STEM and shared >= _SHARE * max(len(first), len(second))
