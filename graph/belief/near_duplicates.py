"""Near-duplicate sentences, recognised by a sketch of a few bytes that a graph can keep without the sentence.

The sketch of a sentence is one byte for each of the eight words whose hashes are smallest (bottom-k sampling: Broder 1997).
Two sentences are near duplicates if at least five of the eight bytes agree. docs/belief.md has the error rates.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

SKETCH_SIZE = 8
SHARED_IN_COPIES = 5
SHORTEST_WORD = 4

_WORD = re.compile(rf"\w{{{SHORTEST_WORD},}}")


def sketch(text: str) -> str:
    """Return the sketch of a sentence, 2 to 16 hexadecimal digits; empty for a sentence with too few words."""
    hashes = sorted({zlib.crc32(word.encode("utf-8", "replace")) for word in _WORD.findall(text.lower())})[:SKETCH_SIZE]
    return bytes(number & 0xFF for number in hashes).hex() if len(hashes) >= SHARED_IN_COPIES else ""


def copy_keys(sketches: Sequence[str]) -> Iterator[Iterator[tuple[int, ...]]]:
    """Yield the keys of each sketch; two sketches belong to near duplicates if they share a key."""
    many = [frozenset(bytes.fromhex(item)) for item in sketches]
    users = Counter(chain.from_iterable(many))
    # A byte that no other sketch has is in no shared key: most sketches of a small claim have no keys left.
    return (combinations(sorted(byte for byte in item if users[byte] > 1), SHARED_IN_COPIES) for item in many)
