r"""How claims, edges, evidence and texts are stored in Neo4j.

Texts are stored as they are, but for the few that Neo4j cannot store or cannot index. It stores text that is UTF-8. Text that
holds lone surrogates is marked with U+10FFFF, with `\ud83d` for a surrogate and `\\` for a backslash; so is text that begins with
that mark itself. No two texts are stored alike, and marked ones sort after others. An index takes values of up to about 8 kB: the
key of a name that is longer than 1,000 characters is the first of them and the hash of the whole, which is stored beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from graph.model import Claim, Edge, Evidence, Polarity, Relation, Source, Stance, Strength, stable_hash
from graph.stores import codec
from graph.stores.claim_records import derive_columns
from graph.stores.codec import POLARITIES, RELATIONS
from graph.text.stems import porter_terms

Item = TypeVar("Item")
QueryRow = Mapping[str, Any]  # the values of a record that a query returns, by column

MARK = "\U0010ffff"
LONGEST_NAME = 1000
STANCE_TYPES = dict(zip(Stance, ("ASSERTS", "DENIES", "HEDGES", "ASKS", "SUPPOSES"), strict=True))
"""The type of the relationship between a record and its claim, by stance."""
_RELATIONS = {relation.name: relation for relation in Relation}
_STRENGTHS = {code: strength for strength, code in codec.STRENGTHS.items()}
_SOURCE_FIELDS = ("kind", "title", "page_id", "revision", "url")
_ODD = re.compile("[\\\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(\\|u[0-9a-f]{4})")


def escape_text(text: str) -> str:
    """Return `text` as it is stored."""
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
    """Return the text that was stored as `value`, empty for no value; raises `ValueError` if it is not a text."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    if not value.startswith(MARK):
        return value
    return _ESCAPE.sub(lambda match: "\\" if match[1] == "\\" else chr(int(match[1][1:], 16)), value[1:])


def _escape_or_none(text: str) -> str | None:
    return escape_text(text) if text else None


def name_key_and_whole(name: str) -> tuple[str, str | None]:
    """Return the key of a name, and the whole name as it is stored if that is not the same."""
    whole = escape_text(name)
    return (whole, None) if len(whole) <= LONGEST_NAME else (whole[:LONGEST_NAME] + stable_hash((name,)), whole)


def name_key(name: str) -> str:
    """Return the key that a name is looked up by."""
    return name_key_and_whole(name)[0]


def unescape_name(key: object, whole: object) -> str:
    """Return the name that was stored as these two values."""
    return unescape_text(key if whole is None else whole)


def text_order(text: str) -> tuple[bool, bytes]:
    """Return what texts are sorted by in every store: their code points, those with lone surrogates after all others."""
    try:
        return False, text.encode()
    except UnicodeEncodeError:
        return True, text.encode("utf-8", "surrogatepass")


def sort_by_name(items: Iterable[Item], key: Callable[[Item], str], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield items that are sorted by the keys of their names in the order of the names themselves."""

    def same_block(item: Item) -> str:
        """Return what names have in common that may have to change places."""
        return MARK if key(item).startswith(MARK) else key(item)[:LONGEST_NAME]

    for _, group in groupby(items, key=same_block):
        block = list(group)
        yield from sorted(block, key=lambda item: text_order(name(item))) if len(block) > 1 else block


def claim_from_row(row: QueryRow) -> Claim:
    """Return the claim of a row that names both of its ends; its relation may be the type of an edge."""
    cause, effect = unescape_name(row["cause"], row["cause_whole"]), unescape_name(row["effect"], row["effect_whole"])
    return claim_between(cause, effect, row)


def claim_between(cause: str, effect: str, row: QueryRow) -> Claim:
    """Return the claim of a row about these concepts."""
    return Claim(cause, effect, relation_from_name(row["relation"]), Polarity(row["polarity"]))


def relation_from_name(value: str) -> Relation:
    """Return the relation of a claim, from its name or from the type of its edge."""
    return _RELATIONS[value] if value in _RELATIONS else Relation(value)


def edge_from_row(claim: Claim, row: QueryRow) -> Edge:
    """Return the edge of a claim from the columns of a row."""
    grounds, believed = codec.decode_belief(row["grounds"])
    counts = row["support"], row["against"], row["hedged"]
    return Edge(claim, believed, *counts, Strength(row["strength"]), grounds, row["sense"])


def edge_order(edge: Edge, far: str) -> tuple[float, int, str, int, int]:
    """Return what the edges of a concept are sorted by: belief, support, the name at the far end, what they claim."""
    return -edge.belief, -edge.support, far, RELATIONS[edge.claim.relation], POLARITIES[edge.claim.polarity]


def evidence_from_row(row: QueryRow) -> Evidence:
    """Return the evidence record of a row."""
    text, sketch, context = row["text"], row["sketch"], row["context"]
    return Evidence(
        Source(*(unescape_text(row[name]) for name in _SOURCE_FIELDS)),
        Stance(row["stance"]),
        Strength(row["strength"]),
        unescape_text(row["rule"]),
        None if text is None else unescape_text(text),
        unescape_text(row["section"]),
        row["start"],
        row["end"],
        () if context is None else codec.decode_context(context),
        sketch or "",
    )


def evidence_order(record: Evidence, identity: str) -> tuple[object, ...]:
    """Return what the records of a claim are sorted by, as in every store; no offset and no text come first."""
    return (
        text_order(record.source.title),
        -1 if record.start is None else record.start,
        text_order(record.rule),
        (record.text is not None, text_order(record.text or "")),
        -1 if record.end is None else record.end,
        codec.signed_key(identity),
    )


def concept_row(name: str, words: str) -> QueryRow:
    """Return the columns of a new concept."""
    key, whole = name_key_and_whole(name)
    return {"name": key, "whole": whole, "words": words}


def alias_row(name: str, concept: str) -> QueryRow:
    """Return the columns of an alias."""
    key, whole = name_key_and_whole(name)
    return {"name": key, "whole": whole, "concept": name_key(concept)}


def is_page(source: Source) -> bool:
    """Return whether a source is one page, and not all of a kind, such as the records of CauseNet that name no page."""
    return bool(source.title or source.page_id or source.url)


def _source_name(source: Source) -> str:
    return source.title or source.url or source.page_id or source.kind


def page_row(source: Source) -> QueryRow:
    """Return the columns of a new source; `name` is for people."""
    name = name_key(_source_name(source))
    fields = {field: _escape_or_none(getattr(source, field)) for field in _SOURCE_FIELDS}
    return {"key": codec.source_hash(source), "name": name, **fields}


def derived_row(claim: Claim, records: Iterable[Evidence]) -> QueryRow:
    """Return the columns of an edge that follow from the records of its claim; the belief, for people, in four digits."""
    support, against, hedged, strength, sense, grounds = derive_columns(list(records))
    return {
        "hash": claim.hash,
        "belief": round(codec.decode_belief(grounds)[1], 4),
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
        "cause": name_key(claim.cause),
        "effect": name_key(claim.effect),
        "relation": claim.relation.value,
        "type": claim.relation.name,
        "polarity": claim.polarity.value,
        **derived_row(claim, records),
    }


def evidence_row(claim: Claim, identity: str, record: Evidence) -> QueryRow:
    """Return the columns of a new record of a claim; `name` is for people."""
    return {
        "claim": claim.hash,
        "page": codec.source_hash(record.source),
        "on": "ON" if is_page(record.source) else "FROM",
        "name": name_key(f"{_source_name(record.source)}: {record.stance.value}"),
        "type": STANCE_TYPES[record.stance],
        "hash": identity,
        "stance": record.stance.value,
        "strength": record.strength.value,
        "rule": _escape_or_none(record.rule),
        "text": None if record.text is None else escape_text(record.text),
        "section": _escape_or_none(record.section),
        "start": record.start,
        "end": record.end,
        "context": codec.encode_context(record.context),
        "sketch": record.sketch or None,
    }


def index_stems(texts: Sequence[str]) -> list[str]:
    """Return the stems of each text, which names are searched by: those of SQLite's full-text index.

    They are in order, with a space before, between and after them; a text without stems gives a space.
    """
    terms = porter_terms([codec.searchable_text(text) for text in texts])
    return [f" {' '.join(stems)} " if stems else " " for stems in terms]
