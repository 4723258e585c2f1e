"""What a reading could have meant besides: senses that titles tell apart, and the next readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from graph.normalize import surface_name
from graph.protocols import GraphView
from kgqa.linking.reading import ConceptLink

_MOST_ALTERNATIVES = 3
_CLAIMS_LOOKED_AT = 20
_NEAR_SHARE = 0.8
"""A later reading is worth naming where its score is at least this share of the chosen one's."""


def with_alternatives(reading: ConceptLink, view: GraphView, later: Iterable[ConceptLink] = ()) -> ConceptLink:
    """Return a reading with at most three names that its phrase could have meant as well, for an explanation.

    First the senses that the titles of sources tell apart ("depression (mood)", "depression (economics)"), where there are two or
    more; then concepts of the `later` readings whose score is near.
    """
    senses = list(dict.fromkeys(_senses(reading.concepts[0], view)))
    near = (link.concepts[0] for link in later if link.score >= _NEAR_SHARE * reading.score and link.concepts != reading.concepts)
    names = dict.fromkeys((*reading.alternatives, *(senses if len(senses) > 1 else ()), *near))
    return replace(
        reading, alternatives=tuple(islice((name for name in names if name not in reading.concepts), _MOST_ALTERNATIVES))
    )


def _senses(name: str, view: GraphView) -> Iterator[str]:
    """Iterate over the titles of a concept's best sources that are its name with a sense in brackets, in lower case."""
    for edge in (*view.effects(name)[:_CLAIMS_LOOKED_AT], *view.causes(name)[:_CLAIMS_LOOKED_AT]):
        for record in view.evidence(edge.claim):
            title = surface_name(record.source.title)
            if title.startswith(f"{name} (") and title.endswith(")"):
                yield title
