"""How the values of the model stand in the columns of an embedded store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from graph.model import Claim, Evidence, Ground, Polarity, Relation, Source, Stance, Strength, stable_hash

CHUNK = 500
Item = TypeVar("Item")


def chunks(items: Iterable[Item], size: int = CHUNK) -> Iterator[list[Item]]:
    """Cut `items` into lists of `size`, the last one shorter."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


Cell = str | bytes | int | None
Coded = TypeVar("Coded", bound=StrEnum)


class EnumCodes(dict[Coded, int]):
    """The small numbers that stand for the members of an enum: their positions, which must never change."""

    def __init__(self, kind: type[Coded]) -> None:
        super().__init__((member, code) for code, member in enumerate(kind))
        self._kind = kind
        self._members = dict(enumerate(kind))

    def member(self, code: object) -> Coded:
        """Return the member that `code` stands for; raises `sqlite3.DataError` for another value."""
        if isinstance(code, int) and code in self._members:
            return self._members[code]
        raise sqlite3.DataError(f"{code!r} is no {self._kind.__name__.lower()}")


RELATIONS = EnumCodes(Relation)
POLARITIES = EnumCodes(Polarity)
STANCES = EnumCodes(Stance)
STRENGTHS = EnumCodes(Strength)


def encode_text(text: str) -> str | bytes:
    """Return `text` as it is stored. Lone surrogates are no UTF-8: text that holds any is stored as bytes.

    SQLite never takes bytes and text for equal, so no two different texts are stored alike.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def searchable_text(text: str) -> str:
    """Return `text` for the word index, which takes neither NUL nor lone surrogates: they part words."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def decode_text(value: object) -> str:
    """Return the text that was stored as `value`; raises `sqlite3.DataError` where it is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise sqlite3.DataError(f"bytes that are no text: {error.reason}") from error
    raise sqlite3.DataError(f"{value!r} is no text")


def decode_offset(value: object) -> int | None:
    """Return the character offset that was stored as `value`; raises `sqlite3.DataError` where it is none."""
    if value is None or isinstance(value, int):
        return value
    raise sqlite3.DataError(f"{value!r} is no offset")


def decode_count(value: object) -> int:
    """Return the number that was stored as `value`; raises `sqlite3.DataError` where it counts nothing."""
    if isinstance(value, int) and value >= 0:
        return value
    raise sqlite3.DataError(f"{value!r} is no count")


def decode_claim(cause: object, effect: object, relation: object, polarity: object) -> Claim:
    """Return the claim that was stored in these columns."""
    return Claim(decode_text(cause), decode_text(effect), RELATIONS.member(relation), POLARITIES.member(polarity))


def encode_context(context: tuple[tuple[str, str], ...]) -> str | None:
    """Return the context of a record as it is stored: a JSON array of its pairs, in ASCII; `None` for none."""
    return json.dumps(context) if context else None


def decode_context(value: object) -> tuple[tuple[str, str], ...]:
    """Return the context that was stored as `value`; raises `sqlite3.DataError` where it is none."""
    try:
        return tuple((decode_text(slot), decode_text(words)) for slot, words in json.loads(decode_text(value)))
    except (TypeError, ValueError) as error:
        raise sqlite3.DataError(f"{value!r} is no context") from error


def decode_sketch(value: object) -> str:
    """Return the sketch that was stored as `value`, in hexadecimal digits; raises `sqlite3.DataError` where it is none."""
    if isinstance(value, bytes):
        return value.hex()
    raise sqlite3.DataError(f"{value!r} is no sketch")


def encode_grounds(grounds: tuple[Ground, ...]) -> str:
    """Return grounds as they are stored: a JSON array of `[stance, groups, kind, rule, kind, rule, ...]`, in ASCII."""
    return json.dumps(
        [[STANCES[ground.stance], ground.groups, *(part for pair in ground.readings for part in pair)] for ground in grounds],
        separators=(",", ":"),
    )


def decode_grounds(value: object) -> tuple[Ground, ...]:
    """Return the grounds that were stored as `value`; raises `sqlite3.DataError` where they are none."""
    try:
        return tuple(_decode_ground(*row) for row in json.loads(decode_text(value)))
    except (TypeError, ValueError) as error:
        raise sqlite3.DataError(f"{value!r} are no grounds") from error


def _decode_ground(stance: object, groups: object, *parts: object) -> Ground:
    texts = [decode_text(part) for part in parts]
    if not texts:
        raise ValueError("a ground without a reading")
    return Ground(STANCES.member(stance), tuple(zip(texts[::2], texts[1::2], strict=True)), decode_count(groups))


def grounds_from_counts(counts: Iterable[tuple[Stance, int]]) -> tuple[Ground, ...]:
    """Return the grounds of a claim of which only the numbers of groups are known, as in stores of the first version."""
    return tuple(Ground(stance, (("", ""),), number) for stance, number in counts if number)


# The columns that `evidence_of` takes, and the tables that they stand in.
EVIDENCE_COLUMNS = """
    source.kind, source.title, source.page_id, source.revision, source.url, evidence.stance, evidence.strength,
    rule.name, evidence.text, section.name, evidence.start, evidence."end", evidence.context, evidence.sketch
"""
EVIDENCE_TABLES = """
    record AS evidence
    CROSS JOIN source ON source.id = evidence.source
    CROSS JOIN rule ON rule.id = evidence.rule
    CROSS JOIN section ON section.id = evidence.section
"""
EVIDENCE_ORDER = 'source.title, evidence.start, rule.name, evidence.text, evidence."end", evidence.key'


def decode_evidence(*columns: object) -> Evidence:
    """Return the record that was stored in `EVIDENCE_COLUMNS`."""
    kind, title, page_id, revision, url, stance, strength, rule, text, section, start, end, context, sketch = columns
    return Evidence(
        Source(decode_text(kind), decode_text(title), decode_text(page_id), decode_text(revision), decode_text(url)),
        STANCES.member(stance),
        STRENGTHS.member(strength),
        decode_text(rule),
        None if text is None else decode_text(text),
        decode_text(section),
        decode_offset(start),
        decode_offset(end),
        () if context is None else decode_context(context),
        "" if sketch is None else decode_sketch(sketch),
    )


def signed_key(digits: str) -> int:
    """Return the first 8 bytes of a hash in hexadecimal digits as a signed number, which is what SQLite can keep."""
    number = int(digits[:16], 16)
    return number - (1 << 64) if number >> 63 else number


def source_key(source: Source) -> int:
    """Return the id of a source, which depends on its fields alone."""
    return signed_key(stable_hash((source.kind, source.title, source.page_id, source.revision, source.url)))
