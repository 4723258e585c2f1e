"""Answers to "What causes A and B?": what several things have in common, before what only one of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from graph.algorithms.paths import common_causes, common_effects
from graph.model import Path, Relation
from graph.protocols import GraphView
from kgqa.answer_model import Answer, CausalConnection, Finding, Route
from kgqa.answering.chains.chain_validity import MIN_VALIDITY, chain_validity
from kgqa.answering.contracts import Side, contract_for
from kgqa.answering.findings import cite_evidence, finding_signals, path_finding
from kgqa.answering.lists.list_ranking import is_broken_name, is_generic_name
from kgqa.answering.lists.listing import Listing, first_listing
from kgqa.answering.refusals import refuse_phrase
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import SlotOptions
from kgqa.reasons import Conclusion, Missing, Need, Step
from kgqa.request import Request

_SHARED_LENGTH = 2
"""How many edges may lie between what is shared and either side."""
_CANDIDATES = 40
_SHARED_SHOWN = 5


@dataclass(frozen=True, slots=True)
class SharedConclusion(Conclusion):
    """What several `concepts` have in common: for each shared concept its paths to them, or from them.

    `alone` are the findings of each concept that are not shared; `unlinked` are the phrases of the question that name no concept.
    With `lacking`, something common was wanted and nothing was found.
    """

    side: Side
    concepts: tuple[str, ...]
    shared: tuple[tuple[Path, ...], ...]
    alone: tuple[tuple[str, tuple[Finding, ...]], ...]
    unlinked: tuple[str, ...] = ()
    lacking: bool = False


def answer_shared_causes(request: Request) -> Answer:
    """Answer what several phrases in one slot have in common; where they have nothing, or "or" joins them, what each has."""
    kind, view = request.kind, request.view
    options = kind.slots.options
    if options is None:
        raise ValueError("a question about several things without its options")
    side = Side.CAUSES if options.slot == "effect" else Side.EFFECTS
    contract = contract_for(kind, side)
    listings: list[Listing] = []
    read: list[ConceptLink] = []
    unread: list[str] = []
    for phrase in options.phrases:
        listing = first_listing(view, request.link(phrase, view), contract, request.limit)
        reading = listing.reading if listing else next(iter(request.link(phrase, view)), None)
        listings += [listing] if listing else []
        read += [reading] if reading else []
        unread += [] if reading else [phrase]
    both = options.joined == "and" and not unread and kind.slots.relation is not Relation.PREVENTS
    shared = _shared_paths(view, read, side, request.limit) if both else []
    if not shared and not listings:
        need: Need = "causes_of_all" if side is Side.CAUSES else "effects_of_all"
        phrase = unread[0] if unread else options.phrases[0]
        return refuse_phrase(request, Missing(need, options.phrases), phrase)
    return _shared_answer(request, options, side, shared, listings, read, unread)


def _shared_paths(view: GraphView, read: Sequence[ConceptLink], side: Side, limit: int) -> list[tuple[Path, ...]]:
    """Return what leads to all, or follows from all, of some readings: a path for each of them, best first.

    What says nothing by its name ("factor"), and what reaches one of them by a doubtful chain only, is left out.
    """
    common = common_causes if side is Side.CAUSES else common_effects
    first, *others = (common(view, read[0].concepts, item.concepts, _SHARED_LENGTH, _CANDIDATES) for item in read[1:])
    question_concepts = {name for reading in read for name in reading.concepts}
    path_groups: list[tuple[Path, ...]] = []
    for candidate in first:
        matches = [item.paths[1] for more in others for item in more if item.concept == candidate.concept]
        if len(matches) < len(others) or is_generic_name(candidate.concept) or is_broken_name(candidate.concept):
            continue
        paths = (*candidate.paths, *matches)
        # What only reaches one of them through another is a cause of that other one.
        apart = all(question_concepts.isdisjoint(path.concepts[1:-1]) for path in paths)
        if apart and all(len(path.edges) == 1 or chain_validity(path, view) >= MIN_VALIDITY for path in paths):
            path_groups.append(paths)
    # What bears on each of them directly comes before what does so through something else.
    return sorted(path_groups, key=lambda paths: sum(len(path.edges) for path in paths) > len(paths))[:limit]


def _shared_answer(
    request: Request,
    options: SlotOptions,
    side: Side,
    shared: Sequence[tuple[Path, ...]],
    listings: Sequence[Listing],
    read: Sequence[ConceptLink],
    unread: Sequence[str],
) -> Answer:
    scale = min(reading.score for reading in read)
    findings: list[Finding] = []
    for paths in shared:
        weakest = min(paths, key=lambda path: path.score)
        concept = weakest.concepts[0] if side is Side.CAUSES else weakest.concepts[-1]
        findings.append(replace(path_finding(weakest, scale), text=concept))
    taken = {finding.text for finding in findings}
    alone = [(listing, [finding for finding in listing.findings if finding.text not in taken]) for listing in listings]
    turns = zip_longest(*(listing.findings for listing in listings))
    rest = [finding for turn in turns for finding in turn if finding and finding.text not in taken]
    findings += rest[: request.limit - len(findings)]
    edges = dict.fromkeys(edge for paths in shared for path in paths for edge in path.edges)
    edges |= dict.fromkeys(edge for finding in findings for edge in finding.path.edges)
    supporting, denying = cite_evidence(request.view, edges, each=2)
    first = findings[0]
    connection = CausalConnection.DIRECT if len(first.path.edges) == 1 else CausalConnection.MEDIATED
    lacks = options.joined == "and" and not shared
    need: Need = "common_cause" if side is Side.CAUSES else "common_effect"
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=first.text,
        conclusion=SharedConclusion(
            side,
            tuple(reading.concepts[0] for reading in read),
            tuple(shared[:_SHARED_SHOWN]),
            tuple((listing.reading.concepts[0], tuple(own[:_SHARED_SHOWN])) for listing, own in alone if own),
            tuple(unread),
            lacks,
        ),
        findings=tuple(findings),
        confidence=first.confidence * (0.5 if lacks else 1.0) * len(read) / len(options.phrases),
        evidence=supporting,
        against=denying,
        steps=(*read, Step("shared", (len(shared), _SHARED_LENGTH))),
        gaps=(Missing(need, options.phrases, "both_texts"),) if lacks else (),
        signals=finding_signals(first, scale * len(read) / len(options.phrases), connection),
    )
