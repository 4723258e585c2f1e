"""What the file of a passage index is: its version, and the numbers that writing and reading share."""

from __future__ import annotations

from hashlib import sha256

from graph.stores.index.fit import FIT_BYTES

VERSION = 1
FIT = sha256(f"passages {VERSION}".encode()).digest()[:FIT_BYTES]
"""What tells this file from other mapped files, and from passage indexes of other versions."""
MAGIC = b"kgqa-ix\n"
MOST_TIMES = 255
"""How often a term counts in a passage at most; more do not change its weight."""
