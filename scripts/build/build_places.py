"""Build the list of the names of places from WordNet 3.0's database (Debian's package wordnet-base has it).

    python scripts/build/build_places.py /usr/share/wordnet graph/text/data/places.txt

A place is an instance (pointer "@i") among the locations and the natural objects: countries, cities, regions, seas, islands,
rivers, mountains. One name a line, in lower case and in order; stars, planets and names with digits are left out, and so are
short forms like "me" for Maine.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LOCATION, OBJECT = "15", "17"
_NAME = re.compile(r"[A-Z][A-Za-z.'-]*(?:_[A-Za-z.'-]+)*")
_SKY = re.compile(r"\b(?:star|stars|planet|constellation|galaxy|moon|satellite|asteroid|meteor|crater|nebula|comet)\b")


def main() -> None:
    """Read the database and write the list."""
    database, table = Path(sys.argv[1]), Path(sys.argv[2])
    names = set()
    for line in (database / "data.noun").read_text(encoding="ascii").splitlines():
        if line.startswith("  "):
            continue
        fields, _, gloss = line.partition(" | ")
        words = fields.split()
        if words[1] not in (LOCATION, OBJECT) or "@i" not in words or _SKY.search(gloss):
            continue
        for name in words[4 : 4 + 2 * int(words[3], 16) : 2]:
            if _NAME.fullmatch(name) and len(name) > 3 and not name.isupper():
                names.add(name.replace("_", " ").lower())
    table.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="ascii")


if __name__ == "__main__":
    main()
