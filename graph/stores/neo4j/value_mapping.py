r"""How claims, edges and evidence stand in the columns of the queries.

How texts stand in Neo4j: as they are, but for the few that it cannot keep or cannot index.

Neo4j keeps text that is UTF-8. Text that holds lone surrogates is marked with U+10FFFF, with `\ud83d` for a surrogate and `\\`
for a backslash; so is text that begins with that mark itself. No two texts are kept alike, and marked ones sort behind others.

An index takes values of up to about 8 kB. A name that is longer than 1,000 characters is known by the first of them and the
hash of the whole, which stands beside it.

The words that names are searched by: the stems that SQLite's full-text index makes, so that all stores find the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeVar

from graph.belief.belief import belief
from graph.model import Claim, Edge, Evidence, Ground, Polarity, Relation, Source, Stance, Strength, stable_hash
from graph.stores.claim_records import derive_columns
from graph.stores.serialization import (
    POLARITIES,
    RELATIONS,
    STRENGTHS,
    decode_context,
    decode_grounds,
    encode_context,
    searchable_text,
)
from graph.text.stems import porter_terms

Item = TypeVar("Item")
Key = tuple[bool, bytes]

MARK = "\U0010ffff"
LONGEST_NAME = 1000
_ODD = re.compile("[\\\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(\\|u[0-9a-f]{4})")


def escape_text(text: str) -> str:
    """Return `text` as it is kept."""
    if text.isascii():
        return text
    if not text.startswith(MARK):
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return MARK + _ODD.sub(lambda match: "\\\\" if match[0] == "\\" else f"\\u{ord(match[0]):04x}", text)


def unescape_text(value: object) -> str:
    """Return the text that is kept as `value`; raises `ValueError` where it is none. No value is the empty text."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    if not value.startswith(MARK):
        return value
    return _ESCAPE.sub(lambda match: "\\" if match[1] == "\\" else chr(int(match[1][1:], 16)), value[1:])


def escape_or_none(text: str) -> str | None:
    """Return `text` as it is kept where no value stands for the empty text."""
    return escape_text(text) if text else None


def name_key_and_whole(name: str) -> tuple[str, str | None]:
    """Return what a name is known by, and the whole of it where that is not the same."""
    whole = escape_text(name)
    return (whole, None) if len(whole) <= LONGEST_NAME else (whole[:LONGEST_NAME] + stable_hash((name,)), whole)


def unescape_name(name: object, whole: object) -> str:
    """Return the name that is kept as these two."""
    return unescape_text(name if whole is None else whole)


def text_order(text: str) -> Key:
    """Return what texts are sorted by in every store: their code points, those with lone surrogates behind all others."""
    try:
        return False, text.encode()
    except UnicodeEncodeError:
        return True, text.encode("utf-8", "surrogatepass")


def sort_by_name(items: Iterable[Item], known_by: Callable[[Item], str], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield items that come sorted by what their names are known by in the order of the names themselves."""
    for _, group in groupby(items, key=lambda item: _sort_block(known_by(item))):
        several = list(group)
        yield from sorted(several, key=lambda item: text_order(name(item))) if len(several) > 1 else several


def _sort_block(known_by: str) -> str:
    """Return what is the same of names that may have to change places."""
    return MARK if known_by.startswith(MARK) else known_by[:LONGEST_NAME]


QueryRow = Mapping[str, Any]
"""The values of a record that a query returns, by column."""

STANCE_TYPES = dict(zip(Stance, ("ASSERTS", "DENIES", "HEDGES", "ASKS", "SUPPOSES"), strict=True))
"""The type of the relationship between a record and its claim, by what the record does with it."""

_RELATIONS = {relation.name: relation for relation in Relation}
_STRENGTHS = {code: strength for strength, code in STRENGTHS.items()}


def claim_from_row(row: QueryRow) -> Claim:
    """Return the claim of a row that names both of its ends; its relation may be the type of an edge."""
    cause, effect = unescape_name(row["cause"], row["cause_whole"]), unescape_name(row["effect"], row["effect_whole"])
    return Claim(cause, effect, relation_from_name(row["relation"]), Polarity(row["polarity"]))


def relation_from_name(value: str) -> Relation:
    """Return the relation of a claim, from its name or from the type of its edge."""
    return _RELATIONS[value] if value in _RELATIONS else Relation(value)


def edge_from_row(claim: Claim, row: QueryRow) -> Edge:
    """Return the edge of a claim from the columns of a row."""
    grounds, believed = grounds_and_belief(row["grounds"])
    counts = row["support"], row["against"], row["hedged"]
    return Edge(claim, believed, *counts, Strength(row["strength"]), grounds, row["sense"])


@lru_cache(maxsize=1 << 16)
def grounds_and_belief(kept_grounds: str) -> tuple[tuple[Ground, ...], float]:
    """Return grounds from how they are kept, and the belief that they make."""
    grounds = decode_grounds(kept_grounds)
    return grounds, belief(grounds)


def edge_order(edge: Edge, far: str) -> tuple[float, int, str, int, int]:
    """Return what the edges of a concept are sorted by: belief, support, the name at the far end, what they claim."""
    return -edge.belief, -edge.support, far, RELATIONS[edge.claim.relation], POLARITIES[edge.claim.polarity]


def evidence_from_row(row: QueryRow) -> Evidence:
    """Return the evidence record of a row."""
    text, sketch, context = row["text"], row["sketch"], row["context"]
    return Evidence(
        Source(*(unescape_text(row[name]) for name in ("kind", "title", "page_id", "revision", "url"))),
        Stance(row["stance"]),
        Strength(row["strength"]),
        unescape_text(row["rule"]),
        None if text is None else unescape_text(text),
        unescape_text(row["section"]),
        row["start"],
        row["end"],
        () if context is None else decode_context(context),
        sketch or "",
    )


def evidence_order(record: Evidence, identity: str) -> tuple[object, ...]:
    """Return what the records of a claim are sorted by, as in every store; no offset and no text come first."""
    number = int(identity[:16], 16)
    return (
        text_order(record.source.title),
        -1 if record.start is None else record.start,
        text_order(record.rule),
        (record.text is not None, text_order(record.text or "")),
        -1 if record.end is None else record.end,
        number - (1 << 64) if number >> 63 else number,
    )


def rows_to_columns(rows: Iterable[QueryRow]) -> dict[str, list[Any]]:
    """Return rows as parameters: a list for each column. Names are sent once a query and not once a row."""
    several = list(rows)
    return {name: [row[name] for row in several] for name in several[0]} if several else {}


def concept_row(name: str, words: str) -> QueryRow:
    """Return the columns of a new concept."""
    known_by, whole = name_key_and_whole(name)
    return {"name": known_by, "whole": whole, "words": words}


def page_key(source: Source) -> str:
    """Return the key of a source: a hash of all of its fields."""
    return stable_hash((source.kind, source.title, source.page_id, source.revision, source.url))


def page_row(source: Source) -> QueryRow:
    """Return the columns of a new source; its name is what a person would call it."""
    fields = {name: escape_or_none(getattr(source, name)) for name in ("kind", "title", "page_id", "revision", "url")}
    known_by, _ = name_key_and_whole(source.title or source.url or source.page_id or source.kind)
    return {"key": page_key(source), "name": known_by, **fields}


def derived_row(claim: Claim, records: Iterable[Evidence]) -> QueryRow:
    """Return the columns of an edge that follow from the records of its claim; the belief, for people to see, in four digits."""
    support, against, hedged, strength, sense, grounds = derive_columns(list(records))
    return {
        "hash": claim.hash,
        "belief": round(grounds_and_belief(grounds)[1], 4),
        "support": support,
        "against": against,
        "hedged": hedged,
        "strength": _STRENGTHS[strength].value,
        "sense": sense,
        "grounds": grounds,
    }


def claim_row(claim: Claim, records: Iterable[Evidence]) -> QueryRow:
    """Return the columns of a new claim with these records."""
    return {
        "cause": name_key_and_whole(claim.cause)[0],
        "effect": name_key_and_whole(claim.effect)[0],
        "relation": claim.relation.value,
        "type": claim.relation.name,
        "polarity": claim.polarity.value,
        **derived_row(claim, records),
    }


def evidence_row(claim: Claim, identity: str, record: Evidence) -> QueryRow:
    """Return the columns of a new record of a claim."""
    return {
        "claim": claim.hash,
        "page": page_key(record.source),
        "type": STANCE_TYPES[record.stance],
        "hash": identity,
        "stance": record.stance.value,
        "strength": record.strength.value,
        "rule": escape_or_none(record.rule),
        "text": None if record.text is None else escape_text(record.text),
        "section": escape_or_none(record.section),
        "start": record.start,
        "end": record.end,
        "context": encode_context(record.context),
        "sketch": record.sketch or None,
    }


def names_from_rows(rows: Sequence[QueryRow]) -> list[str]:
    """Return the names of rows that have the columns name and whole."""
    return [unescape_name(row["name"], row["whole"]) for row in rows]


def index_stems(texts: Sequence[str]) -> list[str]:
    """Return the stems of each text, in order, with a space before, between and after them; a space where there are none."""
    return [f" {' '.join(terms)} " if terms else " " for terms in porter_terms([searchable_text(text) for text in texts])]
