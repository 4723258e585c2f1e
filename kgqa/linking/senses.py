"""What a reading could have meant besides: senses that titles tell apart, and the next readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from graph.normalize import surface_name
from graph.protocols import GraphView
from kgqa.linking.reading import Reading

_MOST = 3
_LOOKED_AT = 20
_NEAR = 0.8
"""A later reading is worth naming where its score is at least this share of the chosen one's."""


def with_others(reading: Reading, view: GraphView, later: Iterable[Reading] = ()) -> Reading:
    """Return a reading with at most three names that its phrase could have meant as well, for an explanation.

    First the senses that the titles of sources tell apart ("depression (mood)", "depression (economics)"), where there are two or
    more; then concepts of the `later` readings whose score is near.
    """
    senses = list(dict.fromkeys(_senses(reading.concepts[0], view)))
    near = (one.concepts[0] for one in later if one.score >= _NEAR * reading.score and one.concepts != reading.concepts)
    names = dict.fromkeys((*reading.others, *(senses if len(senses) > 1 else ()), *near))
    return replace(reading, others=tuple(islice((name for name in names if name not in reading.concepts), _MOST)))


def _senses(name: str, view: GraphView) -> Iterator[str]:
    """Iterate over the titles of a concept's best sources that are its name with a sense in brackets, in lower case."""
    for edge in (*view.effects(name)[:_LOOKED_AT], *view.causes(name)[:_LOOKED_AT]):
        for record in view.evidence(edge.claim):
            title = surface_name(record.source.title)
            if title.startswith(f"{name} (") and title.endswith(")"):
                yield title
