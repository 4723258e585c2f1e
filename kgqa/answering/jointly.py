"""Answers to "What causes A and B?": what several things have in common, before what only one of them has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from graph.algorithms.shared import common_causes, common_effects
from graph.model import Path, Relation
from graph.protocols import GraphView
from kgqa.answering.contracts import Side, contract_for
from kgqa.answering.entries import Listing
from kgqa.answering.evidence import cited
from kgqa.answering.findings import path_finding
from kgqa.answering.listing import first_listing, read_as, refusal
from kgqa.answering.ranking import is_broken, is_generic
from kgqa.answering.validity import SHOWN, validity
from kgqa.answering.wording import counted, listed, named, sentence
from kgqa.linking.linker import Reading
from kgqa.model import Answer, Connection, Finding, Missing, Options, Route, Signals
from kgqa.request import Request

_LENGTH = 2
"""How many edges may lie between what is shared and either side."""

_CANDIDATES = 40


def answer_jointly(request: Request) -> Answer:
    """Answer what several phrases in one slot have in common; where they have nothing, or "or" joins them, what each has."""
    kind, view = request.kind, request.view
    options = kind.slots.options
    if options is None:
        raise ValueError("a question about several things without its options")
    side = Side.CAUSES if options.slot == "effect" else Side.EFFECTS
    contract = contract_for(kind, side)
    each = [first_listing(view, request.link(phrase, view), contract, request.limit) for phrase in options.phrases]
    read = [
        one.reading if one else next(iter(request.link(phrase, view)), None)
        for one, phrase in zip(each, options.phrases, strict=True)
    ]
    known = [reading for reading in read if reading is not None]
    both = options.joined == "and" and len(known) == len(options.phrases) and kind.slots.relation is not Relation.PREVENTS
    shared = _shared(view, known, side, request.limit) if both else []
    listings = [one for one in each if one is not None]
    if not shared and not listings:
        phrase = next(
            (phrase for phrase, reading in zip(options.phrases, read, strict=True) if reading is None), options.phrases[0]
        )
        return refusal(request.question, kind, f"the {side.value} of {listed(list(options.phrases))}", phrase, view)
    unread = [phrase for phrase, reading in zip(options.phrases, read, strict=True) if reading is None]
    return _told(request, options, side, shared, listings, known, unread)


def _shared(view: GraphView, read: Sequence[Reading], side: Side, limit: int) -> list[tuple[Path, ...]]:
    """Return what leads to all, or follows from all, of some readings: a path for each of them, best first.

    What says nothing by its name ("factor"), and what reaches one of them by a doubtful chain only, is left out.
    """
    common = common_causes if side is Side.CAUSES else common_effects
    first = [common(view, read[0].concepts, other.concepts, _LENGTH, _CANDIDATES) for other in read[1:]]
    asked = {name for reading in read for name in reading.concepts}
    found: list[tuple[Path, ...]] = []
    for one in first[0]:
        others = [next((other for other in more if other.concept == one.concept), None) for more in first[1:]]
        paths = (*one.paths, *(other.paths[1] for other in others if other is not None))
        # What only reaches one of them through another is a cause of that other one.
        apart = all(asked.isdisjoint(path.concepts[1:-1]) for path in paths)
        valid = apart and all(len(path.edges) == 1 or validity(path, view) >= SHOWN for path in paths)
        if valid and None not in others and not (is_generic(one.concept) or is_broken(one.concept)):
            found.append(paths)
    # What bears on each of them directly comes before what does so through something else.
    return sorted(found, key=lambda paths: sum(len(path.edges) for path in paths) > len(paths))[:limit]


def _finding(paths: Sequence[Path], side: Side, scale: float) -> Finding:
    """Return what is shared as a finding: it stands on the weakest of its paths."""
    weakest = min(paths, key=lambda path: path.score)
    shared = weakest.concepts[0] if side is Side.CAUSES else weakest.concepts[-1]
    return replace(path_finding(weakest, scale), text=shared)


def _told(
    request: Request,
    options: Options,
    side: Side,
    shared: Sequence[tuple[Path, ...]],
    listings: Sequence[Listing],
    read: Sequence[Reading],
    unread: Sequence[str],
) -> Answer:
    """Return the answer: what is shared first, then what each has for itself in turn, and which phrases are `unread`."""
    scale = min(reading.score for reading in read)
    findings = [_finding(paths, side, scale) for paths in shared]
    taken = {one.text for one in findings}
    rest = [
        one for turn in zip_longest(*(listing.findings for listing in listings)) for one in turn if one and one.text not in taken
    ]
    findings += rest[: request.limit - len(findings)]
    edges = dict.fromkeys(edge for paths in shared for path in paths for edge in path.edges)
    edges |= dict.fromkeys(edge for one in findings for edge in one.path.edges)
    supporting, denying = cited(request.view, edges, each=2)
    first = findings[0]
    names = listed([named(reading.concepts[0]) for reading in read])
    parts = [f"common {side.value} of {names}: {listed([_how(paths, side) for paths in shared[:5]])}"] if shared else []
    parts += [f"no concept of the graph is called '{phrase}'" for phrase in unread]
    if not shared and options.joined == "and" and not unread:
        parts.append(f"no common {side.value.removesuffix('s')} of {names} is known to the graph")
    parts += [
        f"{side.value} of {named(one.reading.concepts[0])}{' alone' if shared else ''}: "
        + listed(
            [f"{named(found.text)} ({counted(found.support, 'source')})" for found in one.findings if found.text not in taken][:3]
        )
        for one in listings
        if any(found.text not in taken for found in one.findings)
    ]
    lacks = options.joined == "and" and not shared
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=first.text,
        sentence=sentence("; ".join(parts)),
        findings=tuple(findings),
        confidence=first.confidence * (0.5 if lacks else 1.0) * len(read) / len(options.phrases),
        evidence=supporting,
        against=denying,
        trace=(*(read_as(reading) for reading in read), f"{counted(len(shared), 'concept')} shared, within {_LENGTH} steps"),
        missing=(Missing(f"a common {side.value.removesuffix('s')} of {listed(list(options.phrases))}", "texts about both"),)
        if lacks
        else (),
        signals=Signals(
            belief=first.path.score,
            link=scale * len(read) / len(options.phrases),
            support=first.support,
            against=sum(edge.against for edge in first.path.edges),
            hedged=sum(edge.hedged for edge in first.path.edges),
            steps=len(first.path.edges),
            connection=Connection.DIRECT if len(first.path.edges) == 1 else Connection.MEDIATED,
        ),
    )


def _how(paths: Sequence[Path], side: Side) -> str:
    """Return what is shared with how it reaches what is asked about, where that is not direct."""
    shared = named(paths[0].concepts[0] if side is Side.CAUSES else paths[0].concepts[-1])
    through = dict.fromkeys(name for path in paths for name in path.concepts[1:-1])
    return f"{shared} (through {listed([named(name) for name in through])})" if through else shared
