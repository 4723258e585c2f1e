"""Names that are near in meaning to the phrases of a question that name nothing: "the trees being cut down" is deforestation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from graph.model import Claim, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from graph.topology import is_lessening
from kgqa.answering.matching.claim_candidates import ClaimCandidate, WeightedPhrase, is_opposite_name, is_sibling_name
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
    slots = request.kind.slots
    cause = slots.condition.target if slots.condition is not None else slots.cause
    sides = [(phrase, forward) for phrase, forward in ((cause, True), (slots.effect, False)) if phrase]
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
        claim = _best_claim(near.name, view, forward=forward, lessens=lessens if one_sided and not supposed else None)
        if claim is None or is_opposite_name(phrase, near.name):
            continue
        if numbers != numbers_in(near.name) or is_sibling_name(phrase, near.name):
            continue
        if supposed and set(polarity_signs(near.name)) != set(polarity_signs(phrase)):
            continue  # What is supposed would be turned round.
        theirs = content_words(near.name)
        added = sum(word not in words for word in theirs) / max(1, len(theirs))
        yield ClaimCandidate(claim[0], phrase, near.name, weighted.share(near.name), claim[1], added)


def _best_claim(name: str, view: GraphView, *, forward: bool, lessens: bool | None) -> tuple[Claim, float] | None:
    """Return the most believed claim of a name on a side, of the kind asked for unless `lessens` is `None`, with its belief."""
    for edge in view.effects(name) if forward else view.causes(name):
        claim = edge.claim
        if claim.relation not in (Relation.IS_FOR, Relation.ASSOCIATED) and (
            lessens is None or is_lessening((claim.relation, claim.polarity)) == lessens
        ):
            return claim, edge.belief
    return None


def _is_surely_linked(phrase: str, request: Request) -> bool:
    return any(reading.score >= SURE_LINK for reading in islice(request.link(phrase, request.view), 1))
