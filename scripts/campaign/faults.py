"""Take files, memory or descriptors away from a command: it says so in a line, and what was stored stays as it was."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import kills
from trials import NotHeld, digest, end, mannerly, start

LIMITS = {
    "file size": (resource.RLIMIT_FSIZE, (0, 4_000_000)),
    "open files": (resource.RLIMIT_NOFILE, (3, 60)),
    "memory": (resource.RLIMIT_AS, (60_000_000, 1_500_000_000)),
}
"""A limit of the system by name, with the range that is drawn from: bytes, files, bytes."""
PYTHON_STARTS = {"open files": 24, "memory": 400_000_000}
"""Below these, Python or a library of C may itself end before kgqa runs, in its own words."""

prepare = kills.prepare


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Run a command under one limit, then without."""
    name = chance.choice(list(kills.COMMANDS))
    limit = chance.choice(list(LIMITS))
    kind, (least, most) = LIMITS[limit]
    value = chance.randint(least, most)
    tried = f"{name} with {limit} of {value}"
    arguments = kills.filled(name, given, place)
    ended = end(start(*arguments, limits={kind: value}))
    if value >= PYTHON_STARTS.get(limit, 0):
        try:
            mannerly(ended, killed=limit == "memory")
        except NotHeld as failure:
            raise NotHeld(f"{tried}: {failure}") from None
    if (place / "out.kgqa").exists():
        digest(place / "out.kgqa")
    if end(start(*kills.filled(name, given, place))).code:
        raise NotHeld(f"{tried}: run again without the limit, it fails")
    if kills.outcome(place) != kills.whole_run(given, name)[1]:
        raise NotHeld(f"{tried}: run again without the limit, it comes to another end")
    return tried
