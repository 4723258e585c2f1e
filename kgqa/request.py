"""The input of an answerer: the question with its type, the graph, and the linker of phrases."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from graph.protocols import GraphView
from kgqa.answer_model import Answer
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_phrase
from kgqa.question import QuestionType, Slots

Linker = Callable[[str, GraphView], Iterable[ConceptLink]]
"""Yields the readings of a phrase lazily, the most confident first."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question of a known type to be answered over a view of a graph; at most `limit` findings are shown.

    `premise` is the verdict on a claim with these slots that the question takes for granted, where that was computed before.
    """

    question: str
    kind: QuestionType
    view: GraphView
    limit: int = 10
    link: Linker = link_phrase
    premise: tuple[Slots, Answer] | None = None


Answerer = Callable[[Request], Answer]
"""Answers a request; never raises for what the graph does not know."""

Router = Callable[[str, QuestionType], Answerer]
"""Returns the answerer of a question of a known type."""
