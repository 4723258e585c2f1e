"""A phrase to be linked: its content words, its head, and its shorter forms, each computed once for all steps of the linker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from graph.protocols import GraphView
from graph.text.normalise import concept_name, head_place, surface_name
from graph.text.stop_words import PREPOSITIONS, STOP_WORDS
from kgqa.linking.polarity import polarity_signs
from kgqa.linking.word_forms import word_set

_STOP_WORDS, _PREPOSITIONS = STOP_WORDS["linking"], PREPOSITIONS["linking"]
_PLAIN_WORDS = _PREPOSITIONS | {"a", "an", "the", "its", "and"}
_EDGE_PREPOSITIONS = ("of", "to", "from", "in", "with")
_MOST_WORDS = 12


@lru_cache(maxsize=20_000)
def content_words(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase that say what it is about, at most twelve; all of them where nothing else is left."""
    words = concept_name(phrase).split()[:_MOST_WORDS]
    content = [word for word in words if word not in _STOP_WORDS]
    # What ends with one letter is named by it: "vitamin a", "world war i".
    return tuple([*content, words[-1]] if content and words[-1] in ("a", "i") else content or words)


def is_plain_name(name: str) -> bool:
    """Return whether a name has no empty word but prepositions and articles, as "animal get" and "eruption on may" have."""
    return not any(word in _STOP_WORDS and word not in _PLAIN_WORDS for word in name.split())


def without_unimportant(phrase: str) -> tuple[str, str]:
    """Return a phrase without the words that matter little, and these; the words are empty where there are none of them."""
    words = surface_name(phrase).replace("-", " ").split()
    rest = [word for word in words if word not in word_set("unimportant") and word != "too"]
    if len(rest) == len(words) or not any(word not in _STOP_WORDS for word in rest):
        return phrase, ""
    while len(rest) > 1 and rest[0] in _EDGE_PREPOSITIONS:
        rest = rest[1:]
    while len(rest) > 1 and rest[-1] in _EDGE_PREPOSITIONS:
        rest = rest[:-1]
    return " ".join(rest), " ".join(word for word in words if word in word_set("unimportant"))


def without_occurrence(phrase: str) -> tuple[str, str]:
    """Return what "risk of", or "risk" or "start" behind it, is said of, and that word; it is empty where there is none."""
    heads, happening = word_set("occurrence"), word_set("happening")
    if (heads | happening).isdisjoint(phrase.lower().split()):
        return phrase, ""
    words = concept_name(phrase).split()
    if len(words) > 2 and words[0] in heads and words[1] in ("of", "for"):
        return " ".join(words[2:]), words[0]
    if len(words) > 1 and words[-1] in heads | happening and words[-2] not in _PREPOSITIONS:
        return " ".join(words[:-1]), words[-1]
    return phrase, ""


def broader_phrases(phrase: str) -> Iterator[tuple[str, str]]:
    """Iterate over what is left of a phrase as words are cut from it, and these words: those behind its head come first."""
    words = concept_name(phrase).split()[:_MOST_WORDS]
    if not words:
        return
    head = head_place(words, "linking")
    if head < len(words) - 1:
        yield " ".join(words[: head + 1]), " ".join(words[head + 1 :])
    for start in range(1, head + 1):
        rest = words[start : head + 1]
        if any(word not in _STOP_WORDS for word in rest):
            yield " ".join(rest), " ".join(word for word in (*words[:start], *words[head + 1 :]) if word not in _STOP_WORDS)


_NAMES_LOOKED_AT = 60
"""How many names, the shortest ones, are looked at that hold all words of a phrase."""


class ConceptMention:
    """A phrase and the view in which it is looked up."""

    def __init__(self, phrase: str, view: GraphView) -> None:
        self.phrase = phrase
        self.view = view
        self.name = concept_name(phrase)
        self.words = content_words(phrase)
        self.signs = polarity_signs(phrase)

    @cached_property
    def holding(self) -> list[str]:
        """The shortest names that hold all words by stem."""
        return list(self.view.search(self.words, limit=_NAMES_LOOKED_AT))

    @cached_property
    def is_named(self) -> bool:
        """Whether there is a concept of this very name."""
        return self.view.concept(self.name) is not None

    def known_concepts(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of `names` that are concepts, by the concepts' names."""
        concepts = (self.view.concept(name) for name in dict.fromkeys(names))
        return tuple(dict.fromkeys(concept.name for concept in concepts if concept is not None))
