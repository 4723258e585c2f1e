"""A list in a sentence: what heads each part, its first names, and what is told of each."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Polarity, Relation
from kgqa.answering.contracts import PREVENTED, PREVENTION, Contract, Side
from kgqa.answering.entries import ListEntry, Listing, ListPart
from kgqa.answering.findings import was_set_by_hand
from kgqa.answering.readings import NARROWER, SURE_LINK
from kgqa.answering.wording import concept_phrase, count_noun, join_phrases
from kgqa.linking.linker import ConceptLink

_NAMES_FIRST, _NAMES_BEHIND = 5, 3
"""How many names the sentence tells of the first part, and of those behind it."""


def word_listing(listing: Listing, parts: Sequence[ListPart]) -> str:
    """Return the list in a sentence."""
    reading, contract = listing.reading, listing.contract
    subject = _listing_subject(reading, parts)
    loosely = f" ('{reading.phrase}' was read so: {reading.how})" if reading.score < SURE_LINK else ""
    texts = []
    for number, part in enumerate(parts):
        heading = contract.lacking if listing.lacks and contract.lacking and not number else part.tier.heading
        most = _NAMES_FIRST if not number else _NAMES_BEHIND
        items = join_phrases(
            [f"{concept_phrase(entry.finding.text)} ({_entry_remark(entry, contract)})" for entry in part.entries[:most]]
        )
        texts.append(f"{heading.format(subject)}{'' if number else loosely}: {items}")
    return "; ".join(texts)


def _listing_subject(reading: ConceptLink, parts: Sequence[ListPart]) -> str:
    """Return what the list is about: of kinds of what was asked for those that the first names are said of."""
    if reading.how != NARROWER:
        return concept_phrase(reading.concepts[0])
    edges = [entry.finding.path.edges[0] for entry in parts[0].entries[:_NAMES_FIRST]]
    own = dict.fromkeys(edge.effect if edge.effect in reading.concepts else edge.cause for edge in edges)
    return join_phrases([concept_phrase(name) for name in own])


_POLARITY_REMARKS = {Polarity.INCREASES: "more of it", Polarity.DECREASES: "less of it"}


def _entry_remark(entry: ListEntry, contract: Contract) -> str:
    """Return what stands in brackets behind a finding: how an effect changes, what it is also called, and its sources."""
    finding, edge = entry.finding, entry.finding.path.edges[0]
    about = []
    if contract.side is Side.EFFECTS and contract is not PREVENTED and finding.polarity in _POLARITY_REMARKS:
        about.append(_POLARITY_REMARKS[finding.polarity])
    if contract.besides is PREVENTION.besides and finding.relation is Relation.MOTIVATES:
        about.append(f"done to {edge.cause}")
    if finding.merged:
        about.append(f"also {join_phrases(finding.merged)}")
    if not finding.support and was_set_by_hand(edge):
        about.append("as it was set")
    else:
        about.append(count_noun(finding.support, "source") if finding.support else "only with a hedge")
    return ", ".join(about)
