"""A list in a sentence: what heads each part, its first names, and what is told of each."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Polarity, Relation
from kgqa.answering.contracts import PREVENTED, PREVENTION, Contract, Side
from kgqa.answering.entries import Entry, Listing, Part
from kgqa.answering.findings import was_set
from kgqa.answering.readings import NARROWER, SURE
from kgqa.answering.wording import counted, listed, named
from kgqa.linking.linker import Reading

_TOLD, _TOLD_BEHIND = 5, 3
"""How many names the sentence tells of the first part, and of those behind it."""


def enumerated(listing: Listing, parts: Sequence[Part]) -> str:
    """Return the list in a sentence."""
    reading, contract = listing.reading, listing.contract
    subject = _subject(reading, parts)
    loosely = f" ('{reading.phrase}' was read so: {reading.how})" if reading.score < SURE else ""
    texts = []
    for number, part in enumerate(parts):
        heading = contract.lacking if listing.lacks and contract.lacking and not number else part.tier.heading
        most = _TOLD if not number else _TOLD_BEHIND
        items = listed([f"{named(entry.finding.text)} ({_about(entry, contract)})" for entry in part.entries[:most]])
        texts.append(f"{heading.format(subject)}{'' if number else loosely}: {items}")
    return "; ".join(texts)


def _subject(reading: Reading, parts: Sequence[Part]) -> str:
    """Return what the list is about: of kinds of what was asked for those that the first names are said of."""
    if reading.how != NARROWER:
        return named(reading.concepts[0])
    edges = [entry.finding.path.edges[0] for entry in parts[0].entries[:_TOLD]]
    own = dict.fromkeys(edge.effect if edge.effect in reading.concepts else edge.cause for edge in edges)
    return listed([named(name) for name in own])


_CHANGED = {Polarity.INCREASES: "more of it", Polarity.DECREASES: "less of it"}


def _about(entry: Entry, contract: Contract) -> str:
    """Return what stands in brackets behind a finding: how an effect changes, what it is also called, and its sources."""
    finding, edge = entry.finding, entry.finding.path.edges[0]
    about = []
    if contract.side is Side.EFFECTS and contract is not PREVENTED and finding.polarity in _CHANGED:
        about.append(_CHANGED[finding.polarity])
    if contract.besides is PREVENTION.besides and finding.relation is Relation.MOTIVATES:
        about.append(f"done to {edge.cause}")
    if finding.merged:
        about.append(f"also {listed(finding.merged)}")
    if not finding.support and was_set(edge):
        about.append("as it was set")
    else:
        about.append(counted(finding.support, "source") if finding.support else "only with a hedge")
    return ", ".join(about)
