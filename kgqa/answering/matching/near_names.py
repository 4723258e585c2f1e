"""Names that are near in meaning to the phrases of a question that name nothing: "the trees being cut down" is deforestation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from graph.model import Relation
from graph.text.normalise import concept_name
from kgqa.answering.matching.claim_candidates import (
    ClaimCandidate,
    WeightedPhrase,
    first_edge_of_kind,
    is_opposite_name,
    is_sibling_name,
    phrases_asked_about,
)
from kgqa.linking.concept_links import SURE_LINK
from kgqa.linking.lexical_relations import numbers_in, polarity_signs
from kgqa.linking.mention import content_words
from kgqa.linking.name_embeddings import EmbeddingIndex, NameEncoder
from kgqa.request import Request

_FEWEST_WORDS = 2
"""Of a single word that names nothing an encoder knows the spelling alone."""
NEAREST = 16
"""How many names are looked at for a phrase."""


def near_name_candidates(request: Request, encoder: NameEncoder, index: EmbeddingIndex) -> list[list[ClaimCandidate]]:
    """Return for each phrase of a question that is not surely linked the names that are nearest to it, nearest first.

    Each has claims on the side that is asked for, of which the most believed comes with it, and is not contrary to the phrase.
    There are none at all where a phrase has no such name: a question is not answered from one of its phrases.
    """
    sides = [
        (phrase, forward)
        for phrase, forward in zip(phrases_asked_about(request.kind.slots), (True, False), strict=True)
        if phrase
    ]
    unlinked = [(phrase, forward) for phrase, forward in sides if not _is_surely_linked(phrase, request)]
    candidates = [list(_near_names(phrase, request, encoder, index, forward=forward)) for phrase, forward in unlinked]
    return candidates if all(candidates) else []


def _near_names(
    phrase: str, request: Request, encoder: NameEncoder, index: EmbeddingIndex, *, forward: bool
) -> Iterator[ClaimCandidate]:
    view, slots = request.view, request.kind.slots
    words = set(content_words(phrase))
    if len(words) < _FEWEST_WORDS:
        return
    supposed, lessens = slots.condition is not None, slots.relation is Relation.PREVENTS
    one_sided = not (slots.cause and slots.effect) or supposed
    weighted, numbers = WeightedPhrase(phrase, view), numbers_in(concept_name(phrase))
    for near in index.nearest(encoder.vectors([phrase])[0], NEAREST):
        edge = first_edge_of_kind(near.name, view, forward=forward, lessens=lessens if one_sided and not supposed else None)
        if edge is None or is_opposite_name(phrase, near.name):
            continue
        if numbers != numbers_in(near.name) or is_sibling_name(phrase, near.name):
            continue
        if supposed and set(polarity_signs(near.name)) != set(polarity_signs(phrase)):
            continue  # What is supposed would be turned round.
        theirs = content_words(near.name)
        added = sum(word not in words for word in theirs) / max(1, len(theirs))
        yield ClaimCandidate(edge.claim, phrase, near.name, weighted.share(near.name), edge.belief, added)


def _is_surely_linked(phrase: str, request: Request) -> bool:
    return any(reading.score >= SURE_LINK for reading in islice(request.link(phrase, request.view), 1))
