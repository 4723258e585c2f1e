"""How the values of the model are encoded in the columns of a store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import TypeVar

from graph.belief.belief import belief
from graph.model import Claim, Evidence, Ground, Polarity, Relation, Source, Stance, Strength, stable_hash

Item = TypeVar("Item")
Coded = TypeVar("Coded", bound=StrEnum)
Decoded = TypeVar("Decoded")
Cell = str | bytes | int | None


def chunks(items: Iterable[Item], size: int = 500) -> Iterator[list[Item]]:
    """Split `items` into lists of `size`; the last one may be shorter."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


class EnumCodes(dict[Coded, int]):
    """The codes of the members of an enum: their positions, which must never change."""

    def __init__(self, kind: type[Coded]) -> None:
        super().__init__((member, code) for code, member in enumerate(kind))
        self._kind = kind
        self._members = dict(enumerate(kind))

    def member(self, code: object) -> Coded:
        """Return the member of a code; raises `sqlite3.DataError` for any other value."""
        if isinstance(code, int) and code in self._members:
            return self._members[code]
        raise sqlite3.DataError(f"{code!r} is no {self._kind.__name__.lower()}")


RELATIONS = EnumCodes(Relation)
POLARITIES = EnumCodes(Polarity)
STANCES = EnumCodes(Stance)
STRENGTHS = EnumCodes(Strength)


def encode_text(text: str) -> str | bytes:
    """Return `text` as it is stored: text with lone surrogates, which is not valid UTF-8, as bytes.

    SQLite never compares bytes and text as equal, so no two different texts are stored alike.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def searchable_text(text: str) -> str:
    """Return `text` for the word index, where NUL and lone surrogates, which it cannot hold, separate words."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def decode_text(value: object) -> str:
    """Return the text that was stored as `value`; raises `sqlite3.DataError` if it is not a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise sqlite3.DataError(f"bytes that are no text: {error.reason}") from error
    raise sqlite3.DataError(f"{value!r} is no text")


def _decode(kind: type[Decoded], value: object, name: str) -> Decoded:
    if isinstance(value, kind):
        return value
    raise sqlite3.DataError(f"{value!r} is no {name}")


def decode_count(value: object) -> int:
    """Return the number that was stored as `value`; raises `sqlite3.DataError` if it is not a count."""
    if isinstance(value, int) and value >= 0:
        return value
    raise sqlite3.DataError(f"{value!r} is no count")


def decode_claim(cause: object, effect: object, relation: object, polarity: object) -> Claim:
    """Return the claim that was stored in these columns."""
    return Claim(decode_text(cause), decode_text(effect), RELATIONS.member(relation), POLARITIES.member(polarity))


def encode_context(context: tuple[tuple[str, str], ...]) -> str | None:
    """Return the context of a record as it is stored: a JSON array of its pairs, in ASCII; `None` for an empty one."""
    return json.dumps(context) if context else None


def decode_context(value: object) -> tuple[tuple[str, str], ...]:
    """Return the context that was stored as `value`; raises `sqlite3.DataError` if it is not a context."""
    try:
        return tuple((decode_text(slot), decode_text(words)) for slot, words in json.loads(decode_text(value)))
    except (TypeError, ValueError) as error:
        raise sqlite3.DataError(f"{value!r} is no context") from error


def encode_grounds(grounds: tuple[Ground, ...]) -> str:
    """Return grounds as they are stored: a JSON array of `[stance, groups, kind, rule, kind, rule, ...]`, in ASCII."""
    return json.dumps(
        [[STANCES[ground.stance], ground.groups, *(part for pair in ground.readings for part in pair)] for ground in grounds],
        separators=(",", ":"),
    )


def decode_grounds(value: object) -> tuple[Ground, ...]:
    """Return the grounds that were stored as `value`; raises `sqlite3.DataError` if they are not grounds."""
    try:
        return tuple(_decode_ground(*row) for row in json.loads(decode_text(value)))
    except (TypeError, ValueError) as error:
        raise sqlite3.DataError(f"{value!r} are no grounds") from error


def _decode_ground(stance: object, groups: object, *parts: object) -> Ground:
    texts = [decode_text(part) for part in parts]
    if not texts:
        raise ValueError("a ground without a reading")
    return Ground(STANCES.member(stance), tuple(zip(texts[::2], texts[1::2], strict=True)), decode_count(groups))


@lru_cache(maxsize=1 << 16)
def decode_belief(stored_grounds: object) -> tuple[tuple[Ground, ...], float]:
    """Return the grounds that were stored as this value, which most claims share with many others, and their belief."""
    grounds = decode_grounds(stored_grounds)
    return grounds, belief(grounds)


def grounds_from_counts(*counts: int) -> tuple[Ground, ...]:
    """Return the grounds of a claim of a store of the first version, which has the numbers of its groups only.

    `counts` are the numbers of groups that assert, deny and hedge it.
    """
    stances = Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED
    return tuple(Ground(stance, (("", ""),), number) for stance, number in zip(stances, counts, strict=True) if number)


# The columns that `decode_evidence` takes, and the tables that hold them.
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
    stance, strength, rule, text, section, start, end, context, sketch = columns[5:]
    return Evidence(
        Source(*map(decode_text, columns[:5])),
        STANCES.member(stance),
        STRENGTHS.member(strength),
        decode_text(rule),
        None if text is None else decode_text(text),
        decode_text(section),
        None if start is None else _decode(int, start, "offset"),
        None if end is None else _decode(int, end, "offset"),
        () if context is None else decode_context(context),
        "" if sketch is None else _decode(bytes, sketch, "sketch").hex(),
    )


def signed_key(digits: str) -> int:
    """Return the first 8 bytes of a hash in hexadecimal digits as a signed number, which SQLite can store."""
    number = int(digits[:16], 16)
    return number - (1 << 64) if number >> 63 else number


def source_hash(source: Source) -> str:
    """Return 32 hexadecimal digits that depend on the fields of a source alone."""
    return stable_hash((source.kind, source.title, source.page_id, source.revision, source.url))


def source_key(source: Source) -> int:
    """Return the id of a source, which depends on its fields alone."""
    return signed_key(source_hash(source))
