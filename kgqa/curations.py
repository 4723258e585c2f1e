"""Marks of people on the claims of a stored graph: the claim that is named, marks set, listed, and read from JSON lines.

A line is {"claim", "cause", "effect", "relation", "polarity", "mark", "reason", "curator", "time"}.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from graph.belief.curation import Curation, Mark, curation_record, read_curation
from graph.model import Claim, Polarity, Relation, Statement
from graph.protocols import GraphStore
from graph.sources.jsonl import Record, RecordInvalid, enum_field, text_field
from kgqa.errors import KgqaError
from kgqa.graph_lookup import named_concepts

if TYPE_CHECKING:
    from kgqa.record_schema import CurationRecord

_HASH = re.compile(r"[0-9a-f]{32}")
_TEXTS = ("cause", "effect", "reason", "curator", "time")
_ARROW = re.compile(r"→|-(?:(\[[^\]]*\])-)?>")
"""What stands between two concepts and, between brackets, what the one does to the other, as claims are written."""


class ClaimAmbiguous(KgqaError):
    """What is to be marked is not one claim of the graph."""


class CuratedClaim(NamedTuple):
    """A claim with a mark on it."""

    claim: Claim
    curation: Curation


def named_claim(store: GraphStore, text: str) -> Claim:
    """Return the claim that a text names: its hash, as claims are written, or "CAUSE -> EFFECT" where there is one of the two.

    Raises `ClaimAmbiguous`, with all claims of the two where there are several, and `ConceptUnknown`.
    """
    if _HASH.fullmatch(text.strip().lower()):
        if (claim := store.claim_of_hash(text.strip().lower())) is None:
            raise ClaimAmbiguous(f"no claim with the hash '{text.strip()}'", 'kgqa curate "CAUSE -> EFFECT" wrong --why TEXT')
        return claim
    match = _ARROW.search(text)
    ends = (text[: match.start()].strip(), text[match.end() :].strip()) if match else ()
    if match is None or not all(ends):
        raise ClaimAmbiguous(f"'{text}' is neither the hash of a claim nor CAUSE -> EFFECT", "kgqa curate --help")
    causes, effects = (named_concepts(end, store) for end in ends)
    claims = [edge.claim for cause in causes for edge in store.effects(cause) if edge.effect in effects]
    if match[1]:
        claims = [claim for claim in claims if f" -{match[1]}-> " in str(claim)]
    if len(claims) == 1:
        return claims[0]
    if not claims:
        raise ClaimAmbiguous(f"no claim {text.strip()}", f'kgqa effects "{causes[0]}"')
    listed = "; ".join(map(str, claims))
    raise ClaimAmbiguous(f"{len(claims)} claims of the two: {listed}", f'kgqa curate "{claims[0]}" wrong --why TEXT')


def mark_claims(store: GraphStore, marks: Iterable[CuratedClaim]) -> tuple[int, list[Claim]]:
    """Add marks to a graph in one transaction; return how many were new, and the claims that the graph does not have.

    The vectors of its claims are kept. Raises what `GraphStore.add` raises.
    """
    from kgqa.answering.matching.claim_embeddings import carry_embedding_index, open_embedding_index
    from kgqa.answering.matching.claim_matcher import shipped_matcher

    wanted = list(marks)
    known = {claim for claim in dict.fromkeys(item.claim for item in wanted) if store.edge(claim) is not None}
    statements = [Statement(item.claim, curation_record(item.curation)) for item in wanted if item.claim in known]
    encoder = shipped_matcher()
    vectors = None if encoder is None else open_embedding_index(store, encoder)
    added = store.add(statements)
    if encoder is not None and vectors is not None:
        carry_embedding_index(vectors, store, encoder)
    return added.evidence, [claim for claim in dict.fromkeys(item.claim for item in wanted) if claim not in known]


def marks_of(store: GraphStore) -> list[CuratedClaim]:
    """Return every mark on the claims of a graph, the earliest first; reads all of its records."""
    marks = (
        CuratedClaim(statement.claim, curation)
        for statement in store.statements()
        if (curation := read_curation(statement.evidence)) is not None
    )
    return sorted(marks, key=lambda item: (item.curation.time, item.curation.curator, item.claim.hash))


def mark_record(item: CuratedClaim) -> CurationRecord:
    """Return a mark as a line of JSON has it."""
    claim, curation = item
    return {
        "claim": claim.hash,
        "cause": claim.cause,
        "effect": claim.effect,
        "relation": claim.relation,
        "polarity": claim.polarity,
        "mark": curation.mark,
        "reason": curation.reason,
        "curator": curation.curator,
        "time": curation.time,
    }


def read_mark(record: Record) -> CuratedClaim:
    """Return the mark of a line; raises `RecordInvalid`."""
    cause, effect, reason, curator, time = (_required_text(record, name) for name in _TEXTS)
    relation, polarity = enum_field(record, "relation", Relation.CAUSES), enum_field(record, "polarity", Polarity.NONE)
    mark = enum_field({"mark": _required_text(record, "mark")}, "mark", Mark.OPEN)
    try:
        time = time_text(datetime.fromisoformat(time))
    except ValueError:
        raise RecordInvalid(f"'{time}' is no time of ISO 8601") from None
    return CuratedClaim(Claim(cause, effect, relation, polarity), Curation(mark, reason, curator, time))


def time_text(time: datetime) -> str:
    """Return the time of a mark as it is stored."""
    return time.isoformat(timespec="milliseconds")


def _required_text(record: Record, name: str) -> str:
    if not (text := text_field(record, name).strip()):
        raise RecordInvalid(f"no '{name}'")
    return text
