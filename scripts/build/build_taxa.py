"""Build the table of kinds of living things from WordNet 3.0's database (Debian's package wordnet-base has it).

    python scripts/build/build_taxa.py /usr/share/wordnet kgqa/presuppositions/data/taxa.tsv

One line a taxon: its name, the wider taxon that it is one of or "-", and the nouns that name things of it. A noun is left out
where its senses are of several taxa, or are often tagged as something else. Lower-case nouns only; words of a compound are joined
by "_".
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

TAXA = {
    "animal": "-",
    "vertebrate": "animal",
    "mammal": "vertebrate",
    "bird": "vertebrate",
    "fish": "vertebrate",
    "reptile": "vertebrate",
    "amphibian": "vertebrate",
    "insect": "animal",
    "arachnid": "animal",
    "crustacean": "animal",
    "mollusk": "animal",
    "plant": "-",
    "fungus": "-",
    "bacterium": "-",
    "virus": "-",
}
"""The taxa, each with the wider one that it is a part of; two of which neither is a part of the other have nothing in common."""
_LIVING = frozenset(("05", "20", "03"))
"""The lexicographer files of animals, of plants, and of the topmost nouns."""
_OFTEN = 4
"""How often a noun has to be tagged as something else to be taken for that."""
_WORD = re.compile(r"[a-z][a-z'-]+(?:_[a-z'-]+)?")


def main() -> None:
    """Read the database and write the table."""
    database, table = Path(sys.argv[1]), Path(sys.argv[2])
    synsets = {line.split()[0]: line.split() for line in _lines(database / "data.noun")}
    above: dict[str, list[str]] = {}
    for number, fields in synsets.items():
        length = 2 * int(fields[3], 16)
        pointers = fields[5 + length : 5 + length + 4 * int(fields[4 + length])]
        above[number] = [target for kind, target in zip(pointers[::4], pointers[1::4], strict=True) if kind in ("@", "@i")]
    tagged: dict[str, Counter[int]] = defaultdict(Counter)
    for line in (database / "cntlist.rev").read_text(encoding="ascii").splitlines():
        key, sense, count = line.split()
        lemma, place = key.split("%")
        if place[0] == "1":
            tagged[lemma][int(sense)] += int(count)
    written = {word for fields in synsets.values() for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]}
    tops = {}
    for name in TAXA:
        candidates = (number for number, fields in synsets.items() if fields[1] in _LIVING)
        first = (number for number in candidates if name in synsets[number][4 : 4 + 2 * int(synsets[number][3], 16) : 2])
        tops[next(first)] = name
    nouns: dict[str, list[str]] = defaultdict(list)
    for line in _lines(database / "index.noun"):
        lemma, *fields = line.split()
        senses = [offset for offset in fields if len(offset) == 8 and offset.isdigit()]
        taxa = [_taxon(sense, above, tops) for sense in senses]
        counts = tagged[lemma]
        living = sum(counts[place] for place, taxon in enumerate(taxa, 1) if taxon)
        elsewhere = sum(counts.values()) - living
        usual = elsewhere < _OFTEN or living >= elsewhere
        if _WORD.fullmatch(lemma) and lemma in written and len(set(filter(None, taxa))) == 1 and usual:
            nouns[next(filter(None, taxa))].append(lemma)
    table.write_text("".join(f"{name}\t{TAXA[name]}\t{' '.join(sorted(nouns[name]))}\n" for name in TAXA), encoding="ascii")


def _taxon(synset: str, above: dict[str, list[str]], tops: dict[str, str]) -> str:
    """Return the narrowest taxon above a synset; empty for none."""
    met: set[str] = set()
    waiting = [synset]
    while waiting:
        number = waiting.pop()
        if number in tops:
            met.add(tops[number])
        waiting += above[number]
    return next((name for name in met if not any(TAXA[other] == name for other in met)), "")


def _lines(path: Path) -> list[str]:
    """Return the lines of a database file without its licence, which is set in by two spaces."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
