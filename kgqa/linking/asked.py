"""A phrase that is being read over a graph, with what several steps look at, each computed once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from graph.normalize import concept_name
from graph.protocols import GraphView
from kgqa.linking.guards import polarity_signs
from kgqa.linking.phrase import content_words

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
