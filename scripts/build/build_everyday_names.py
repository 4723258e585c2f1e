"""Build the table of everyday names that linking reads, from the phrases that people wrote.

    python scripts/build/build_everyday_names.py scripts/build/everyday_phrases.tsv kgqa/linking/data/everyday_names.tsv

A line of the source is the name of a concept, a tab, and everyday phrases that mean the same, with "; " between them. A line of
the table is the key of a phrase, a tab, and the names with "|" between them, the lines in the order of their bytes. Left out is a
phrase that has no other words than the name, or has more than three names; a word that usually names something of another kind
than the name does ("speed" is no drug); and a phrase without a name or a number for an event that has a number ("the tsunami").
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from graph.text.normalise import head_place
from graph.text.word_lists import ACT_KINDS, kind_of_noun
from kgqa.linking.everyday_names import everyday_key

_MOST_NAMES = 3
_LONGEST_OF_WORD = 3
"""The number of words of a phrase of which a single one is enough to tell it."""


def main() -> None:
    """Read the phrases and write the table."""
    source, table = Path(sys.argv[1]), Path(sys.argv[2])
    table.write_text("".join(sorted(table_lines(source.read_text(encoding="utf-8").splitlines()))), encoding="utf-8")


def table_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the table, of the source's lines, in no order."""
    names: dict[str, dict[str, None]] = {}
    for line in lines:
        name, _, phrases = line.partition("\t")
        for phrase in phrases.split(";"):
            key = everyday_key(phrase)
            if (
                key
                and key != everyday_key(name)
                and not _is_something_else(phrase, key, name)
                and not _is_too_general(phrase, name)
            ):
                names.setdefault(key, {})[name.strip()] = None
    yield from (f"{key}\t{'|'.join(named)}\n" for key, named in names.items() if len(named) <= _MOST_NAMES)


def _is_something_else(phrase: str, key: str, name: str) -> bool:
    if " " in key:
        return False
    if not key.isalpha():
        return True
    words = name.split()
    kinds = {kind_of_noun(key), kind_of_noun(words[head_place(words, "linking")])}
    return len(phrase.split()) > _LONGEST_OF_WORD or (len(kinds) > 1 and "" not in kinds and not kinds <= ACT_KINDS)


def _is_too_general(phrase: str, name: str) -> bool:
    has_number, has_name = (any(map(str.isdigit, name)), any(map(str.isupper, phrase)))
    return has_number and not has_name and not any(map(str.isdigit, phrase))


if __name__ == "__main__":
    main()
