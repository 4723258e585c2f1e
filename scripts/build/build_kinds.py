"""Build the table of the kinds of nouns from WordNet 3.0's database (Debian's package wordnet-base has it).

    python scripts/build/build_kinds.py /usr/share/wordnet graph/text/data/kinds.tsv

A noun's kind is the lexicographer file ("supersense") that most of its tagged senses belong to; where none is tagged, that of
its first sense. One line a kind: its name, a tab, and its nouns in order. Single lower-case words only: names are known by
their capitals.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

# The lexicographer files of nouns, by number (lexnames, WordNet 3.0).
NAMES = {
    3: "tops", 4: "act", 5: "animal", 6: "artifact", 7: "attribute", 8: "body", 9: "cognition", 10: "communication",
    11: "event", 12: "feeling", 13: "food", 14: "group", 15: "location", 16: "motive", 17: "object", 18: "person",
    19: "phenomenon", 20: "plant", 21: "possession", 22: "process", 23: "quantity", 24: "relation", 25: "shape", 26: "state",
    27: "substance", 28: "time",
}  # fmt: skip
_WORD = re.compile(r"[a-z][a-z-]*")


def main() -> None:
    """Read the database and write the table."""
    database, table = Path(sys.argv[1]), Path(sys.argv[2])
    synsets = [line.split() for line in _lines(database / "data.noun")]
    files = {fields[0]: int(fields[1]) for fields in synsets}
    written = {word for fields in synsets for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]}
    tagged: dict[str, Counter[int]] = defaultdict(Counter)
    for line in (database / "cntlist.rev").read_text(encoding="ascii").splitlines():
        key, _, count = line.split()
        lemma, sense = key.split("%")
        if sense[0] == "1":
            tagged[lemma][int(sense.split(":")[1])] += int(count)
    kinds: dict[str, list[str]] = defaultdict(list)
    for line in _lines(database / "index.noun"):
        lemma, *fields = line.split()
        if not _WORD.fullmatch(lemma) or len(lemma) < 2 or lemma not in written:
            continue
        senses = [files[offset] for offset in fields if len(offset) == 8 and offset.isdigit()]
        counts = tagged.get(lemma)
        kind = max(senses, key=lambda one: (counts[one], -senses.index(one))) if counts else senses[0]
        kinds[NAMES[kind]].append(lemma)
    table.write_text("".join(f"{kind}\t{' '.join(sorted(nouns))}\n" for kind, nouns in sorted(kinds.items())), encoding="ascii")


def _lines(path: Path) -> list[str]:
    """Return the lines of a database file without its licence, which is set in by two spaces."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
