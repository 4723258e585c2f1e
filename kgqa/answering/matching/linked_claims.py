"""The claims of what a phrase of a question may be linked to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from graph.model import Claim
from kgqa.linking.concept_links import ConceptLink
from kgqa.request import Request

_READINGS, _LEAST_LINK, _NAMES_OF_READING = 3, 0.35, 4
"""How many readings of a phrase are looked at, from which score on, and how many names of each."""


def likely_readings(request: Request, phrase: str) -> Iterator[ConceptLink]:
    """Yield the likeliest readings of a phrase, as far as they are likely at all."""
    for reading in islice(request.link(phrase, request.view), _READINGS):
        if reading.score < _LEAST_LINK:
            return
        yield reading


def claims_of_reading(request: Request, reading: ConceptLink, number: int, *, forward: bool) -> Iterator[Claim]:
    """Yield the first claims, so many, of each of the first concepts of a reading: what they cause, or else what causes them."""
    for name in reading.concepts[:_NAMES_OF_READING]:
        edges = request.view.effects(name) if forward else request.view.causes(name)
        yield from (edge.claim for edge in edges[:number])
