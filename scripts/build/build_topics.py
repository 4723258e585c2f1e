"""Build the table of what common words are about from WordNet 3.0's database (Debian's package wordnet-base has it).

    python scripts/build/build_topics.py /usr/share/wordnet kgqa/questions/data/topics.tsv

A line is a word, a tab, and the letters of its topics. A noun's topics are those of `ROOTS` that one of its two commonest senses
stands under, else the lexicographer file of the commonest (`NOUNS`); a verb's is the lexicographer file of its commonest sense
(`VERBS`). The first line of the table names the letters. Single words only, names in lower case too. What WordNet's sense-tagged
corpus never mentions is left out where it is an animal, a plant, a person, or has only a lexicographer file.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Topic, and the synsets ("lemma/sense") whose hyponyms are about it.
ROOTS = {
    "illness": "ill_health/1 pathological_state/1 symptom/1 injury/1 mental_disorder/1 physiological_state/1",
    "body": "body_part/1 body_substance/1 bodily_process/1",
    "drug": "drug/1 medicine/2 hormone/1 vitamin/1",
    "treatment": "medical_procedure/1 medical_care/1 therapy/1",
    "food": "food/1 food/2 beverage/1",
    "microbe": "microorganism/1",
    "animal": "animal/1",
    "pet": "domestic_animal/1",
    "plant": "plant/2",
    "substance": "chemical_element/1 compound/2 chemical/1",
    "machine": "device/1 machine/1 appliance/1 electronic_equipment/1 computer/1",
    "vehicle": "vehicle/1",
    "software": "software/1 program/7",
    "person": "person/1",
    "leader": "leader/1",
    "fiction": "character/1 character/4",
    "organisation": "organization/1",
    "people": "social_group/1",
    "state": "political_unit/1 country/2 country/1 government/1",
    "place": "region/3 city/1 location/1 country/2 island/1 archipelago/1",
    "war": "war/1 military_action/1 conflict/1 military_unit/1",
    "law": "law/1 law/2 crime/1 document/1",
    "religion": "religion/1 religion/2",
    "work": "movie/1 book/1 song/1 show/3 program/3",
    "sport": "sport/1 game/1 contest/1",
    "money": "money/1 money/2",
    "weather": "weather/1",
    "nature": "natural_object/1 geological_formation/1 celestial_body/1",
    "language": "language/1 word/1",
    "feeling": "feeling/1",
    "time": "time_period/1",
}
# Lexicographer files that are topics of their own where none of the above is.
NOUNS = {
    4: "act",
    6: "artefact",
    7: "attribute",
    9: "cognition",
    10: "communication",
    11: "event",
    19: "phenomenon",
    26: "condition",
}
VERBS = {
    29: "v body", 30: "v change", 31: "v cognition", 32: "v communication", 33: "v competition", 34: "v consumption",
    35: "v contact", 36: "v creation", 37: "v emotion", 38: "v motion", 39: "v perception", 40: "v possession",
    41: "v social", 42: "v stative", 43: "v weather",
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_RARE = {5, 20}  # animals and plants
_WORD = re.compile(r"[a-z][a-z'-]*")


@dataclass(frozen=True, slots=True)
class Synset:
    """A synset: its lexicographer file, the synsets above it, and whether it names a single thing."""

    file: int
    above: tuple[str, ...]
    named: bool


def main() -> None:
    """Read the database and write the table."""
    database, table = Path(sys.argv[1]), Path(sys.argv[2])
    nouns, verbs = (dict(_synsets(database / f"data.{part}")) for part in ("noun", "verb"))
    index = dict(_index(database / "index.noun"))
    roots = {index[lemma][0][int(sense) - 1]: topic for topic, line in ROOTS.items() for lemma, sense in _pairs(line)}
    names = [*ROOTS, *NOUNS.values(), *VERBS.values()]
    letters = dict(zip(names, LETTERS, strict=False))
    found: dict[str, set[str]] = defaultdict(set)
    for word, (senses, tagged) in index.items():
        first = nouns[senses[0]]
        if not _WORD.fullmatch(word) or (not tagged and (first.file in _RARE or (first.named and first.file == 18))):
            continue
        topics = {roots[synset] for sense in senses[:2] for synset in _above(sense, nouns) if synset in roots}
        if tagged or not topics <= {"person"}:
            found[word] |= topics or ({NOUNS[first.file]} if tagged and first.file in NOUNS else set())
    for word, (senses, tagged) in _index(database / "index.verb"):
        if tagged and _WORD.fullmatch(word):
            found[word].add(VERBS[verbs[senses[0]].file])
    lines = [f"{word}\t{''.join(sorted(letters[topic] for topic in topics))}" for word, topics in sorted(found.items()) if topics]
    header = "#" + "|".join(f"{letter}={name}" for name, letter in letters.items())
    table.write_text("\n".join([header, *lines]) + "\n", encoding="ascii")


def _pairs(line: str) -> Iterator[list[str]]:
    """Yield lemma and sense number of each root."""
    return (part.split("/") for part in line.split())


def _above(synset: str, nouns: dict[str, Synset]) -> set[str]:
    """Return a synset and all that are above it."""
    seen: set[str] = set()
    waiting = [synset]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting += nouns[one].above
    return seen


def _synsets(path: Path) -> Iterator[tuple[str, Synset]]:
    """Yield the synsets of a data file by their offsets."""
    for line in _lines(path):
        fields = line.split(" | ")[0].split()
        start = 5 + 2 * int(fields[3], 16)
        pointers = [fields[place : place + 2] for place in range(start, start + 4 * int(fields[start - 1]), 4)]
        above = tuple(offset for kind, offset in pointers if kind in ("@", "@i"))
        yield fields[0], Synset(int(fields[1]), above, any(kind == "@i" for kind, _ in pointers))


def _index(path: Path) -> Iterator[tuple[str, tuple[list[str], int]]]:
    """Yield each lemma with its synsets, commonest first, and how many of its senses are tagged."""
    for line in _lines(path):
        fields = line.split()
        yield fields[0], (fields[-int(fields[2]) :], int(fields[-int(fields[2]) - 1]))


def _lines(path: Path) -> list[str]:
    """Return the lines of a file of the database without its licence."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
