"""What an index must fit: the graph as it is, the version of the store, and what beliefs are made with."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path
from zlib import crc32

BELIEF = ("belief/belief.py", "belief/priors.py", "belief/data/priors.tsv")
"""What beliefs are made with, in the package. The digest of a graph tells its evidence, and not what is believed of it."""
_PACKAGE = Path(__file__).parents[3]
_FIT = struct.Struct("=16sI12s")


def fingerprint_of(digest: str, version: int) -> bytes | None:
    """Return `FIT_BYTES` bytes that an index names to fit a store of this digest and version; `None` where they are not known."""
    made_with = _made_with()
    return None if made_with is None else _FIT.pack(bytes.fromhex(digest), version, made_with)


@cache
def _made_with() -> bytes | None:
    """Return the checksums of the model of belief and its priors: the code and the table, as they are installed."""
    try:
        return b"".join(struct.pack("=I", crc32((_PACKAGE / name).read_bytes())) for name in BELIEF)
    except OSError:
        return None
