"""The claims of a graph by the beginnings of their hashes: sorted numbers, with the id of the claim of each beside them."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Iterator

from graph.mapped_file import MappedFile, Sections
from graph.model import stable_hash
from graph.stores import codec

_HASH = re.compile("[0-9a-f]{32}")
_BEGINNING = 16
"""How many digits of a hash are kept."""
_CLAIMS = """
    SELECT claim.id, cause.name, effect.name, relation, polarity
    FROM claim CROSS JOIN concept AS cause ON cause.id = claim.cause CROSS JOIN concept AS effect ON effect.id = claim.effect
"""


class ClaimHashes:
    """The ids of claims by their hashes; each method raises `BlockDamaged` if it reads a damaged block."""

    def __init__(self, file: MappedFile) -> None:
        self._file = file
        self._keys_at, end = file.section("keys")
        self._keys = file.bytes[self._keys_at : end].cast("Q")
        self._claims_at, end = file.section("claims")
        self._claims = file.bytes[self._claims_at : end].cast("Q")

    def claims(self, digits: str) -> Iterator[int]:
        """Yield the ids of the claims whose hashes begin like this one: at most one, but for the rarest chance."""
        if not _HASH.fullmatch(digits):
            return
        wanted = int(digits[:_BEGINNING], 16)
        for place in range(bisect_left(range(len(self._keys)), wanted, key=self._key), len(self._keys)):
            if self._key(place) != wanted:
                return
            at = self._claims_at + 8 * place
            self._file.verify(at, at + 8)
            yield self._claims[place]

    def _key(self, place: int) -> int:
        at = self._keys_at + 8 * place
        self._file.verify(at, at + 8)
        return self._keys[place]


def claim_hashes(connection: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """Yield the id and the hash of every claim."""
    for number, cause, effect, *codes in connection.execute(_CLAIMS):
        yield number, stable_hash((codec.decode_text(cause), *_words(*codes), codec.decode_text(effect)))


def _words(relation: object, polarity: object) -> tuple[str, str]:
    return codec.RELATIONS.member(relation), codec.POLARITIES.member(polarity)


def hash_sections(connection: sqlite3.Connection) -> Sections:
    """Return the sections of a file of the hashes of all claims."""
    import numpy as np

    rows = np.fromiter(
        ((int(digits[:_BEGINNING], 16), number) for number, digits in claim_hashes(connection)),
        dtype=np.dtype([("key", np.uint64), ("claim", np.uint64)]),
    )
    order = np.argsort(rows["key"], kind="stable")
    return {"keys": (rows["key"][order].tobytes(),), "claims": (rows["claim"][order].tobytes(),)}
