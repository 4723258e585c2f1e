"""Answers to "How does X lead to Y?": the chains of claims that lead from one to the other."""

from __future__ import annotations

from collections.abc import Sequence

from graph.algorithms.paths import best_paths
from graph.links import DRIVING_LINKS
from graph.model import Path
from kgqa.answering.evidence import cited
from kgqa.answering.findings import path_finding
from kgqa.answering.listing import read_as, refusal
from kgqa.answering.wording import claim, counted, listed, sentence
from kgqa.linking.linker import reading_pairs, readings
from kgqa.model import Answer, Route
from kgqa.request import Request

MAX_LENGTH = 4
MIDDLE_SCORE = 0.4
"""The least score of a chain through a middle that explains better than the bare claim: two likely claims that meet in no hub."""


def answer_chain(request: Request) -> Answer:
    """Answer with the best paths from the cause to the effect of the question."""
    question, kind, view, limit = request.question, request.kind, request.view, request.limit
    cause, effect = kind.slots.cause or "", kind.slots.effect or ""
    for one, other in reading_pairs(cause, effect, view):
        paths = _explaining(best_paths(view, one.concepts, other.concepts, MAX_LENGTH, limit, DRIVING_LINKS))
        if not paths:
            continue
        findings = tuple(path_finding(path, one.score * other.score) for path in paths)
        supporting, denying = cited(view, dict.fromkeys(edge for path in paths for edge in path.edges), each=2)
        steps = listed([claim(edge) for edge in paths[0].edges])
        first, *between, last = paths[0].concepts
        middle = f", through {listed(between)}" if between else ""
        return Answer(
            question=question,
            type=kind,
            route=Route.GRAPH,
            answer=findings[0].text,
            sentence=sentence(f"from {first} to {last}{middle}: {steps}"),
            findings=findings,
            confidence=findings[0].confidence,
            evidence=supporting,
            against=denying,
            trace=(read_as(one), read_as(other), f"{counted(len(paths), 'chain')} of up to {MAX_LENGTH} steps"),
        )
    known = next(readings(cause, view), None)
    return refusal(question, kind, f"how '{cause}' leads to '{effect}'", effect if known else cause, view)


def _explaining(paths: Sequence[Path]) -> list[Path]:
    """Return the paths with those first that explain: of what is believed, chains through a middle come before bare claims."""
    return sorted(paths, key=lambda path: path.score < MIDDLE_SCORE or len(path.edges) == 1)
