"""Where a chain breaks that a graph does not hold: how far it leads from the cause, and from what it leads on to the effect."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product

from graph.model import Edge, Relation
from kgqa.linking.linker import link_phrase
from kgqa.linking.mention import content_words
from kgqa.reasons import GapPlace, Missing
from kgqa.request import Request

_LEAST_BELIEF = 0.5
_LEAST_LIKENESS = 0.5
_EDGES_COMPARED = 40
"""How many effects of the cause, and causes of the effect, are compared."""


def broken_chain(request: Request, cause: str, effect: str) -> Missing | None:
    """Return the gap of a chain from a cause to an effect: the claim that would join what the graph holds of either.

    Of the likely effects of the cause and causes of the effect, the pair is taken that is about one thing, by its words. `None`
    where there is none, or the graph knows one of the two not at all, or nothing that it leads to or comes from.
    """
    links = [next(iter(link_phrase(phrase, request.view)), None) for phrase in (cause, effect)]
    if links[0] is None or links[1] is None:
        return None
    first, last = links[0].concepts[0], links[1].concepts[0]
    out, into = _likely(request.view.effects(first)), _likely(request.view.causes(last))
    if not out or not into:
        return None
    own = {*content_words(first), *content_words(last)}
    pairs = ((_likeness(forward.effect, backward.cause, own), forward, backward) for forward, backward in product(out, into))
    likeness, forward, backward = max(
        (pair for pair in pairs if pair[1].effect != pair[2].cause), key=lambda pair: pair[0], default=(0.0, out[0], into[0])
    )
    if not likeness:
        return None
    behind, before = forward.effect, backward.cause
    place = GapPlace("claim", f"{behind} → {before}")
    details = (forward, backward)
    return Missing("joining_claim", (behind, before), "broken_chain", details, f"{first} → {last}", "claim", (place,))


def _likely(edges: Iterable[Edge]) -> list[Edge]:
    likely = (edge for edge in edges if edge.claim.relation is Relation.CAUSES and edge.belief >= _LEAST_BELIEF)
    return list(islice(likely, _EDGES_COMPARED))


def _likeness(behind: str, before: str, own: set[str]) -> float:
    """Return the share of their words that two names have in common, those of the two ends aside; 0 below `_LEAST_LIKENESS`."""
    words = [set(content_words(name)) - own for name in (behind, before)]
    share = len(words[0] & words[1]) / max(1, len(words[0] | words[1]))
    return share if share >= _LEAST_LIKENESS else 0.0
