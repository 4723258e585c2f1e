"""A list in a sentence: what heads each part, its first names, and what is told of each."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Polarity, Relation
from kgqa.answering.contracts import PREVENTED, PREVENTION, Contract, Side
from kgqa.answering.entries import Entry, Listing, Part
from kgqa.answering.findings import was_set
from kgqa.answering.readings import SURE
from kgqa.answering.wording import counted, listed, named

_TOLD, _TOLD_BEHIND = 5, 3
"""How many names the sentence tells of the first part, and of those behind it."""


def enumerated(listing: Listing, parts: Sequence[Part]) -> str:
    """Return the list in a sentence."""
    reading, contract = listing.reading, listing.contract
    subject = named(reading.concepts[0])
    loosely = f" ('{reading.phrase}' was read so: {reading.how})" if reading.score < SURE else ""
    texts = []
    for number, part in enumerate(parts):
        heading = contract.lacking if listing.lacks and contract.lacking and not number else part.tier.heading
        most = _TOLD if not number else _TOLD_BEHIND
        items = listed([f"{named(entry.finding.text)} ({_about(entry, contract)})" for entry in part.entries[:most]])
        texts.append(f"{heading.format(subject)}{'' if number else loosely}: {items}")
    return "; ".join(texts)


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
