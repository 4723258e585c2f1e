"""The claims that come nearest to one that a graph does not have: from its cause to what names its effect, or the reverse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from graph.model import Edge, Relation
from graph.text.normalise import concept_name, head_place
from kgqa.answer_model import Answer
from kgqa.linking.concept_links import SURE_LINK
from kgqa.linking.lexical_relations import is_related_form
from kgqa.linking.mention import content_words
from kgqa.linking.nominal_phrases import nominal_phrases
from kgqa.reasons import Missing, Refusal
from kgqa.request import Request

_EDGES_LOOKED_AT = 400
_LEAST_BELIEF = 0.5
_LONGEST_SUBJECT = 4
_NO_TOPIC = frozenset("disease condition problem change increase decrease loss rise high low more less people effect".split())
"""Words that two names have in common without being about one thing."""


def names_topic(phrase: str, *, any_half: bool = False) -> Callable[[str], bool]:
    """Return the test whether a name has the head of a phrase and half of its words, in any form; of a clause, any word.

    With `any_half`, the head need not be of that half: ozone depletion is about the ozone layer.
    """
    words = [word for word in content_words(phrase) if word not in _NO_TOPIC]
    *_, head = content_words(" ".join(concept_name(phrase).split()[: head_place(concept_name(phrase).split(), "linking") + 1]))
    clause = next(nominal_phrases(phrase), None) is not None

    def names(name: str) -> bool:
        own = content_words(name)
        shared = [word for word in words if any(is_related_form(word, candidate) for candidate in own)]
        return bool(shared) and (clause or ((any_half or head in shared) and 2 * len(shared) >= len(words)))

    return names


def nearest_claims(request: Request) -> tuple[Edge, ...]:
    """Return the most believed claim of the cause that names the effect, and of the effect that names the cause, if any."""
    slots = request.kind.slots
    if not slots.cause or not slots.effect:
        return ()
    view = request.view
    about_effect, about_cause = names_topic(slots.effect), names_topic(slots.cause)
    out = (edge for name in _surely_named(request, slots.cause) for edge in view.effects(name)[:_EDGES_LOOKED_AT])
    into = (edge for name in _surely_named(request, slots.effect) for edge in view.causes(name)[:_EDGES_LOOKED_AT])
    near = (
        _most_believed(edge for edge in out if about_effect(edge.effect)),
        _most_believed(edge for edge in into if about_cause(edge.cause)),
    )
    return tuple(edge for edge in dict.fromkeys(near) if edge is not None)


def with_nearest(answer: Answer, missing: Missing, claims: tuple[Edge, ...]) -> Answer:
    """Return a refusal that names the nearest claims to what is missing; unchanged without any."""
    return replace(answer, conclusion=Refusal("near_claims", (missing, claims))) if claims else answer


def nearest_of_clause(request: Request, clause: str) -> tuple[Edge, ...]:
    """Return the most believed claim that a clause of a subject and its verb comes to: "monopolies charge higher prices"."""
    words = clause.split()
    for end in range(1, min(len(words) - 1, _LONGEST_SUBJECT) + 1):
        about = names_topic(" ".join(words[end:]))
        names = _surely_named(request, " ".join(words[:end]))
        edge = _most_believed(
            edge for name in names for edge in request.view.effects(name)[:_EDGES_LOOKED_AT] if about(edge.effect)
        )
        if edge is not None:
            return (edge,)
    return ()


def _surely_named(request: Request, phrase: str) -> Iterator[str]:
    readings = islice(request.link(phrase, request.view), 2)
    return (name for reading in readings if reading.score >= SURE_LINK for name in reading.concepts)


def _most_believed(edges: Iterable[Edge]) -> Edge | None:
    believed = (edge for edge in edges if edge.belief >= _LEAST_BELIEF and edge.claim.relation is not Relation.IS_FOR)
    return max(believed, key=lambda edge: (edge.belief, edge.support), default=None)
