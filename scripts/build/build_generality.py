"""Build the table of general nouns from WordNet 3.0's database (Debian's package wordnet-base has it).

    python scripts/build/build_generality.py /usr/share/wordnet kgqa/answering/chains/data/generality.tsv

How general a noun is, is told by how many kinds of it there are: the synsets below its most often tagged sense, the first where
none is tagged. Nouns with fewer than ten are left out. The first lines have the words that the miner calls vague, and the nouns
of its kind "event" (words.toml and kinds.tsv, which are slow to read). Then one line a number, largest first: the number, a tab,
and its nouns in order; words of a compound are joined by "_". Lower-case nouns only: names are known by their capitals.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

from graph.text.word_lists import word_list

FEWEST = 10
_WORD = re.compile(r"[a-z][a-z'-]*(?:_[a-z'-]+)*")


def main() -> None:
    """Read the database and write the table."""
    database, table = Path(sys.argv[1]), Path(sys.argv[2])
    narrower: dict[str, set[str]] = defaultdict(set)
    written: set[str] = set()
    for fields in map(str.split, _lines(database / "data.noun")):
        length = 2 * int(fields[3], 16)
        written.update(fields[4 : 4 + length : 2])
        pointers = fields[5 + length : 5 + length + 4 * int(fields[4 + length])]
        for kind, above in zip(pointers[::4], pointers[1::4], strict=True):
            if kind == "@":
                narrower[above].add(fields[0])
    tagged: dict[str, Counter[int]] = defaultdict(Counter)
    for line in (database / "cntlist.rev").read_text(encoding="ascii").splitlines():
        key, sense, count = line.split()
        lemma, place = key.split("%")
        if place[0] == "1":
            tagged[lemma][int(sense)] += int(count)
    numbers: dict[int, list[str]] = defaultdict(list)
    for line in _lines(database / "index.noun"):
        lemma, *fields = line.split()
        if not _WORD.fullmatch(lemma) or lemma not in written:
            continue
        senses = [offset for offset in fields if len(offset) == 8 and offset.isdigit()]
        counts = tagged[lemma]
        first = max(range(len(senses)), key=lambda place: (counts[place + 1], -place))
        number = len(_below(senses[first], narrower))
        if number >= FEWEST:
            numbers[number].append(lemma)
    lines = [f"{number}\t{' '.join(sorted(nouns))}\n" for number, nouns in sorted(numbers.items(), reverse=True)]
    lists = [f"{name.removeprefix('@')}\t{' '.join(sorted(word_list(name)))}\n" for name in ("vague", "@event")]
    table.write_text("".join(lists + lines), encoding="ascii")


def _below(synset: str, narrower: dict[str, set[str]]) -> set[str]:
    """Return every synset below one, however far."""
    found: set[str] = set()
    waiting = [synset]
    while waiting:
        new = narrower[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _lines(path: Path) -> list[str]:
    """Return the lines of a database file without its licence, which is set in by two spaces."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
