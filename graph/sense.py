"""In which sense a claim uses its words, as far as the titles of the pages that state it tell: a signature of 62 bits.

Each word of a title sets one bit (a Bloom filter with one hash). Claims read on pages about like things share bits; claims about
"depression" the illness and "depression" the slump do not.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache

from graph.model import Evidence

SENSE_BITS = 62
_SHORTEST_WORD = 4
_STEM = 7
_TITLE_WORD = re.compile(rf"\w{{{_SHORTEST_WORD},}}")
_SAY_NOTHING = frozenset({"list", "lists", "with", "from", "disambiguation", "history", "article", "articles"})


def sense_signature(records: Iterable[Evidence]) -> int:
    """Return the signature of the records of a claim, 0..2^62-1; 0 where no page has a title that tells."""
    signature = 0
    for title in {record.source.title for record in records}:
        signature |= _title_signature(title)
    return signature


@lru_cache(maxsize=1 << 14)
def _title_signature(title: str) -> int:
    signature = 0
    for word in _TITLE_WORD.findall(title.lower()):
        if word not in _SAY_NOTHING:
            signature |= 1 << zlib.crc32(word[:_STEM].encode("utf-8", "replace")) % SENSE_BITS
    return signature
