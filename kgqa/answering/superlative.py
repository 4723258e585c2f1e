"""The order of "the most common cause": by what says so itself, then by the number of independent sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Stance
from kgqa.answering.ranking import EvidenceRecords, ListedName, count_supporters
from kgqa.answering.wording import as_sentence
from kgqa.model import Answer, MissingInformation

_SUPERLATIVE_CUE = re.compile(
    r"\b(?:(?:most|more)\s+(?:common|frequent|important|usual|likely)|commonest|leading|main|primary|principal|major|chief|"
    r"biggest|largest|greatest|number[\s-]one|no\.\s*1|predominant)\s+(?:\w+\s+){0,2}?"
    r"(?:causes?|reasons?|sources?|factors?|drivers?|triggers?|effects?|results?|consequences?|complications?|treatments?)\b",
    re.IGNORECASE,
)
_SUPPORT_CANDIDATES = 40
"""How many of the best supported names are looked through for sentences that say it themselves."""

_CUE_DISTANCE, _STEM_LENGTH = 60, 5
"""How many letters behind the cue one of the two is named, and how many letters of its name must be there."""


class SupportOrder:
    """What a sentence itself calls the main or most common one comes first, then what most independent sources support."""

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return what was found in this order; equals stay in the order in which they are given."""
        by_support = sorted(candidates, key=lambda candidate: -candidate.support)
        first = sorted(
            by_support[:_SUPPORT_CANDIDATES],
            key=lambda candidate: (-states_superlative(candidate.edges, records), -count_supporters(candidate.edges, records)),
        )
        return [*first, *by_support[_SUPPORT_CANDIDATES:]]

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> str:
        """Return what the order goes by, which is not how often something happens."""
        stated = sum(states_superlative(edges, records) for edges in first)
        by_sources = "ranked by the number of independent sources in this graph, which is not how often it happens"
        if not stated:
            return by_sources
        which, called = ("the first stands", "it") if stated == 1 else (f"the first {stated} stand", "them")
        return f"{which} there because a sentence itself calls {called} so, the others are {by_sources}"


def refuse_rarest(answer: Answer) -> Answer:
    """Return an answer to a question for the rarest of a list: none, for a graph holds what is said, not how often it happens."""
    why = "which is the rarest cannot be told from a graph of claims, in which what is rarely spoken of need not be rare"
    return replace(
        answer,
        answer=None,
        sentence=as_sentence(f"unknown: {why}; {answer.sentence[:1].lower()}{answer.sentence[1:]}"),
        findings=(),
        confidence=0.0,
        missing=(
            MissingInformation("how often each of them happens", "figures, which a graph of claims does not hold"),
            *answer.missing,
        ),
    )


def states_superlative(edges: Sequence[Edge], records: EvidenceRecords) -> bool:
    """Return whether a sentence that asserts one of the edges calls it the main, leading or most common one of its kind."""
    return any(
        record.text is not None and record.stance is Stance.ASSERTED and _cue_names_end(edge, record.text)
        for edge in edges
        for record in records.of(edge)
    )


def _cue_names_end(edge: Edge, text: str) -> bool:
    """Return whether a sentence says so of one of the ends of an edge, which then stands right behind it."""
    stems = [name.split()[-1][:_STEM_LENGTH].lower() for name in (edge.cause, edge.effect)]
    behind = (text[match.end() : match.end() + _CUE_DISTANCE].lower() for match in _SUPERLATIVE_CUE.finditer(text))
    return any(stem in words for words in behind for stem in stems)
