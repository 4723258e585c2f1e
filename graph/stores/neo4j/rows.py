"""How claims, edges and evidence stand in the columns of the queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from graph.belief import belief
from graph.model import Claim, Edge, Evidence, Ground, Polarity, Relation, Source, Stance, Strength, stable_hash
from graph.stores.columns import POLARITIES, RELATIONS, STRENGTHS, context_of, grounds_of, kept_context
from graph.stores.counting import derived
from graph.stores.neo4j.texts import kept, kept_name, kept_or_none, name_of, order_of, text_of

Row = Mapping[str, Any]
"""The values of a record that a query returns, by column."""

SAYS = dict(zip(Stance, ("ASSERTS", "DENIES", "HEDGES", "ASKS", "SUPPOSES"), strict=True))
"""The type of the relationship between a record and its claim, by what the record does with it."""

_RELATIONS = {relation.name: relation for relation in Relation}
_STRENGTHS = {code: strength for strength, code in STRENGTHS.items()}


def claim_of(row: Row) -> Claim:
    """Return the claim of a row that names both of its ends; its relation may be the type of an edge."""
    cause, effect = name_of(row["cause"], row["cause_whole"]), name_of(row["effect"], row["effect_whole"])
    return Claim(cause, effect, relation_of(row["relation"]), Polarity(row["polarity"]))


def relation_of(value: str) -> Relation:
    """Return the relation of a claim, from its name or from the type of its edge."""
    return _RELATIONS[value] if value in _RELATIONS else Relation(value)


def edge_of(claim: Claim, row: Row) -> Edge:
    """Return the edge of a claim from the columns of a row."""
    grounds, believed = believed_of(row["grounds"])
    counts = row["support"], row["against"], row["hedged"]
    return Edge(claim, believed, *counts, Strength(row["strength"]), grounds, row["sense"])


@lru_cache(maxsize=1 << 16)
def believed_of(kept_grounds: str) -> tuple[tuple[Ground, ...], float]:
    """Return grounds from how they are kept, and the belief that they make."""
    grounds = grounds_of(kept_grounds)
    return grounds, belief(grounds)


def rank(edge: Edge, far: str) -> tuple[float, int, str, int, int]:
    """Return what the edges of a concept are sorted by: belief, support, the name at the far end, what they claim."""
    return -edge.belief, -edge.support, far, RELATIONS[edge.claim.relation], POLARITIES[edge.claim.polarity]


def evidence_of(row: Row) -> Evidence:
    """Return the evidence record of a row."""
    text, sketch, context = row["text"], row["sketch"], row["context"]
    return Evidence(
        Source(*(text_of(row[name]) for name in ("kind", "title", "page_id", "revision", "url"))),
        Stance(row["stance"]),
        Strength(row["strength"]),
        text_of(row["rule"]),
        None if text is None else text_of(text),
        text_of(row["section"]),
        row["start"],
        row["end"],
        () if context is None else context_of(context),
        sketch or "",
    )


def evidence_order(record: Evidence, identity: str) -> tuple[object, ...]:
    """Return what the records of a claim are sorted by, as in every store; no offset and no text come first."""
    number = int(identity[:16], 16)
    return (
        order_of(record.source.title),
        -1 if record.start is None else record.start,
        order_of(record.rule),
        (record.text is not None, order_of(record.text or "")),
        -1 if record.end is None else record.end,
        number - (1 << 64) if number >> 63 else number,
    )


def columns(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """Return rows as parameters: a list for each column. Names are sent once a query and not once a row."""
    several = list(rows)
    return {name: [row[name] for row in several] for name in several[0]} if several else {}


def concept_row(name: str, words: str) -> Row:
    """Return the columns of a new concept."""
    known_by, whole = kept_name(name)
    return {"name": known_by, "whole": whole, "words": words}


def page_key(source: Source) -> str:
    """Return the key of a source: a hash of all of its fields."""
    return stable_hash((source.kind, source.title, source.page_id, source.revision, source.url))


def page_row(source: Source) -> Row:
    """Return the columns of a new source; its name is what a person would call it."""
    fields = {name: kept_or_none(getattr(source, name)) for name in ("kind", "title", "page_id", "revision", "url")}
    known_by, _ = kept_name(source.title or source.url or source.page_id or source.kind)
    return {"key": page_key(source), "name": known_by, **fields}


def derived_row(claim: Claim, records: Iterable[Evidence]) -> Row:
    """Return the columns of an edge that follow from the records of its claim; the belief, for people to see, in four digits."""
    support, against, hedged, strength, sense, grounds = derived(list(records))
    return {
        "hash": claim.hash,
        "belief": round(believed_of(grounds)[1], 4),
        "support": support,
        "against": against,
        "hedged": hedged,
        "strength": _STRENGTHS[strength].value,
        "sense": sense,
        "grounds": grounds,
    }


def claim_row(claim: Claim, records: Iterable[Evidence]) -> Row:
    """Return the columns of a new claim with these records."""
    return {
        "cause": kept_name(claim.cause)[0],
        "effect": kept_name(claim.effect)[0],
        "relation": claim.relation.value,
        "type": claim.relation.name,
        "polarity": claim.polarity.value,
        **derived_row(claim, records),
    }


def evidence_row(claim: Claim, identity: str, record: Evidence) -> Row:
    """Return the columns of a new record of a claim."""
    return {
        "claim": claim.hash,
        "page": page_key(record.source),
        "type": SAYS[record.stance],
        "hash": identity,
        "stance": record.stance.value,
        "strength": record.strength.value,
        "rule": kept_or_none(record.rule),
        "text": None if record.text is None else kept(record.text),
        "section": kept_or_none(record.section),
        "start": record.start,
        "end": record.end,
        "context": kept_context(record.context),
        "sketch": record.sketch or None,
    }


def names_of(rows: Sequence[Row]) -> list[str]:
    """Return the names of rows that have the columns name and whole."""
    return [name_of(row["name"], row["whole"]) for row in rows]
