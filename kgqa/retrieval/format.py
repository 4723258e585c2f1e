"""What the file of a passage index is: its version, and the numbers that writing and reading share."""

from __future__ import annotations

from hashlib import sha256

from graph.stores.index.fit import FIT_BYTES

PASSAGE_INDEX_VERSION = 1
PASSAGE_INDEX_FINGERPRINT = sha256(f"passages {PASSAGE_INDEX_VERSION}".encode()).digest()[:FIT_BYTES]
"""What tells this file from other mapped files, and from passage indexes of other versions."""
PASSAGE_INDEX_MAGIC = b"kgqa-ix\n"
MAX_TERM_COUNT = 255
"""How often a term counts in a passage at most; more do not change its weight."""
