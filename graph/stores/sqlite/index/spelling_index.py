"""The words of the names of a large graph, to find names that are spelled like a given one without comparing all names.

Words are stored in groups of one first letter and one length, so that a word with a mistake is compared with few others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain, product
from struct import Struct

from graph.mapped_file import MappedFile
from graph.stores.name_similarity import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, near_lengths, nearest_names
from graph.stores.sqlite.index.name_table import CompressedNameTable, PlainNameTable, decode_name

_GROUP = Struct("=IIQ")  # the first letter of a group, the length of its words, and where it ends
_MOST_WORDS = 12
_MOST_NAMES = 144


class WordGroups:
    """The words of a mapped file. Each method raises `BlockDamaged` if it reads a damaged block."""

    def __init__(self, file: MappedFile) -> None:
        self._file = file
        self._words_at, _ = file.section("words")

    def near(self, word: str, limit: int) -> list[str]:
        """Return at most `limit` words that are spelled like `word`, nearest first, itself included if it is known.

        Words with another first letter count only if no word with the same one is near, and if they have no other mistake.
        """
        candidates = [text for length in near_lengths(word, SAME_FIRST_LETTER) for text in self._group(word[0], length)]
        return (nearest_names(word, candidates, SAME_FIRST_LETTER) or list(self._with_another_first_letter(word)))[:limit]

    def _with_another_first_letter(self, word: str) -> Iterator[str]:
        swapped = word[1:2] + word[:1] + word[2:]
        for wanted in dict.fromkeys((swapped, word[1:])):
            if wanted and wanted in self._group(wanted[0], len(wanted)):
                yield wanted
        for letter in sorted({letter for letter, _ in self._groups}):
            for wanted in (letter + word[1:], letter + word):
                if wanted != word and wanted in self._group(letter, len(wanted)):
                    yield wanted

    def _group(self, letter: str, length: int) -> list[str]:
        start, end = (self._words_at + place for place in self._groups.get((letter, length), (0, 0)))
        self._file.verify(start, end)
        return decode_name(bytes(self._file.bytes[start:end])).split(" ") if end > start else []

    @cached_property
    def _groups(self) -> dict[tuple[str, int], tuple[int, int]]:
        start, end = self._file.section("groups")
        self._file.verify(start, end)
        groups, before = {}, 0
        for letter, length, after in _GROUP.iter_unpack(self._file.bytes[start:end]):
            groups[chr(letter), length] = before, after
            before = after
        return groups


def word_sections(words: Collection[bytes]) -> dict[str, Iterable[bytes]]:
    """Return the sections of a file that holds `words`."""
    groups: defaultdict[tuple[int, int], list[bytes]] = defaultdict(list)
    for word in words:
        text = decode_name(word)
        groups[ord(text[0]), len(text)].append(word)
    pieces, places, at = [], bytearray(), 0
    for key in sorted(groups):
        pieces.append(b" ".join(sorted(groups.pop(key))))
        at += len(pieces[-1])
        places += _GROUP.pack(*key, at)
    return {"words": pieces, "groups": (bytes(places),)}


def names_of_similar_words(
    vocabulary: WordGroups, names: CompressedNameTable | PlainNameTable, name: str, limit: int
) -> list[str]:
    """Return at most `limit` names whose words are each spelled like those of `name`, nearest first.

    A name with a space more or less counts too.
    """
    words = name.split(" ")
    if not all(words) or len(words) > _MOST_WORDS or limit <= 0:
        return []
    each = max(1, int(_MOST_NAMES ** (1 / len(words))))
    choices = [vocabulary.near(word, each) for word in words]
    texts = dict.fromkeys(chain(map(" ".join, product(*choices)), _respacings(name)))
    known = [text for text in texts if names.number(text) is not None]
    alike = [text for text in known if text[0] == name[0]]
    return (nearest_names(name, alike, SAME_FIRST_LETTER) or nearest_names(name, known, OTHER_FIRST_LETTER))[:limit]


def _respacings(name: str) -> Iterator[str]:
    """Iterate over the forms of `name` with one space more or less."""
    for place, letter in enumerate(name):
        yield name[:place] + name[place + 1 :] if letter == " " else f"{name[:place]} {name[place:]}"
