"""How a phrase of a question can be read as concepts of the graph: surest reading first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.normalize import concept_name, singular, surface_name
from graph.protocols import GraphView

_STOP = frozenset(
    "a an the is are was were be been being has have had do does did will would can could may might not it its of in on at to "
    "for from by and or with there get gets got become becomes too very there's".split()
)
_MAX_WORDS = 12
_NARROWER = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """The concepts that a phrase is taken to mean: `how` says by which step, `score` (0..1) how sure that is."""

    phrase: str
    concepts: tuple[str, ...]
    score: float
    how: str


def readings(phrase: str, view: GraphView) -> Iterator[Reading]:
    """Yield the readings of `phrase`, surest first, each at its own price: later ones are looked up only when asked for.

    exact or alias (1), the same words in another form (.95), the same stems ("floods", "flooding"; .85), narrower concepts
    (.6), the phrase without its first modifiers (.5, then less), and, for what is no name, other spellings (.2). None for a
    phrase without words.
    """
    seen: set[str] = set()

    def reading(names: list[str], score: float, how: str) -> Iterator[Reading]:
        fresh = tuple(dict.fromkeys(name for name in names if name not in seen))
        seen.update(fresh)
        if fresh:
            yield Reading(phrase, fresh, score, how)

    words = _content_words(phrase)
    if not words:
        return
    forms = dict.fromkeys((surface_name(phrase), concept_name(phrase), " ".join(words)))
    found = [concept.name for form in forms if form and (concept := view.concept(form)) is not None]
    same = list(view.search(words, limit=60))
    twins = [name for name in same if _key(name.split()) == _key(words)]
    yield from reading(found + twins, 1.0 if found else 0.95, "exact" if found else "same words")
    equals = [name for name in same if len(_content_words(name)) == len(words)]
    yield from reading(equals, 0.85, "same stems")
    yield from reading([name for name in same if len(name.split()) <= len(words) + 3][:_NARROWER], 0.6, "narrower")
    score = 0.5
    for start in range(1, len(words)):
        rest = words[start:]
        broader = view.concept(concept_name(" ".join(rest)))
        if broader is not None:
            yield from reading([broader.name], score, "broader")
        score = max(0.25, score * 0.8)
    if found:
        return  # what is the name of a concept is not misspelt
    for name in near_names(phrase, view):
        if _is_misspelt(concept_name(phrase), name):
            yield from reading([name], 0.2, "spelling")


def reading_pairs(cause: str, effect: str, view: GraphView) -> list[tuple[Reading, Reading]]:
    """Return the readings of two phrases together, surest first; never two that share a concept."""
    pairs = itertools.product(readings(cause, view), readings(effect, view))
    ranked = sorted(pairs, key=lambda pair: -pair[0].score * pair[1].score)
    return [(one, other) for one, other in ranked if not set(one.concepts) & set(other.concepts)]


def near_names(phrase: str, view: GraphView) -> Sequence[str]:
    """Return names of concepts that are spelt like `phrase`, nearest first."""
    return view.similar(concept_name(phrase) or phrase)


def _is_misspelt(phrase: str, name: str) -> bool:
    """Return whether `phrase` is so close to a name that it can be nothing but a slip: at most one letter in five differs."""
    from rapidfuzz.distance import OSA

    return OSA.normalized_similarity(phrase, name) >= 0.8


def _content_words(phrase: str) -> list[str]:
    """Return the words of a phrase that say what it is about, at most twelve; all of them where nothing else is left."""
    words = concept_name(phrase).split()[:_MAX_WORDS]
    return [word for word in words if word not in _STOP] or words


def _key(words: list[str]) -> tuple[str, ...]:
    """Return what two forms of the same words have in common: their singulars, without hyphens."""
    return tuple(singular(word) for word in " ".join(words).replace("-", " ").split())
