"""Patterns over words: how a rule says which questions it takes, and which of their words fill which slot.

A pattern is written as words with these marks:

| mark | matches |
|---|---|
| `cause`, `(led to|leads to)` | the word; one of the phrases |
| `<is>` | a phrase of the vocabulary's set "is" |
| `<name>` | a run of capitalised words, in a sentence that is not capitalised throughout |
| `...` | one or more words |
| `~` | at most six words, perhaps none |
| `{cause}` | one or more words, which fill the slot `cause` |
| `{effect: they <act> ...}` | what the inner pattern matches, which fills the slot `effect` |
| a `?` at the end of any of these but `~` and slots | the same, perhaps nothing |

A run of words (`...`, `~` and slots) is as short as the rest of the pattern allows, and its last word is none that leaves a
phrase open, such as "the" or "of", unless it ends the question. A comma matches the mark `,` or is part of a run. The whole
sentence must match. The time is proportional to the words times the elements: a run that failed from one word is never tried
again from a later one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph.model import Relation
from kgqa.errors import KgqaError
from kgqa.typology.vocabulary import Phrase, vocabulary
from kgqa.typology.words import COMMA, Word

_ELEMENT = re.compile(r"\{(\w+)(:?)|(\})|(\.\.\.\??)|(~)|\(([^)]*)\)(\??)|<([^>]*)>(\??)|([^\s(){}<>?]+)(\??)|\s+")
_SHORT_RUN = 6
_LONGEST_NAME = 8
_NAME_LINKS = frozenset("of the de von van der la le du da".split())


class PatternMalformed(KgqaError):
    """A rule's pattern cannot be read."""

    def __init__(self, pattern: str, place: int) -> None:
        super().__init__(f"pattern '{pattern}' cannot be read at '{pattern[place : place + 20]}'")


@dataclass(frozen=True, slots=True)
class Literal:
    """One of some phrases, found by their first word, the longest first."""

    phrases: Mapping[str, Sequence[Phrase]]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words."""


@dataclass(frozen=True, slots=True)
class Run:
    """Any words, from `least` to `most` of them; `number` tells the runs of a pattern apart."""

    least: int
    most: int | None
    number: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The place where a slot begins."""

    slot: str


@dataclass(frozen=True, slots=True)
class Closing:
    """The place where a slot ends."""

    slot: str


Element = Literal | Name | Run | Opening | Closing


@dataclass(frozen=True, slots=True)
class Match:
    """The words (first, after the last) of each slot, and the relation that a matched phrase expresses, if any does."""

    slots: Mapping[str, tuple[int, int]]
    relation: Relation | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read; `first_words` holds what a match may begin with, `None` for anything."""

    elements: tuple[Element, ...]
    first_words: frozenset[str] | None

    def match(self, words: Sequence[Word]) -> Match | None:
        """Return what the slots hold if all of `words` match, else `None`."""
        search = _Search(self.elements, words)
        if not search.reaches_end(0, 0):
            return None
        slots = {slot: (start, search.ends[slot]) for slot, start in search.starts.items()}
        return Match(slots, search.relation)


def parse(text: str) -> Pattern:
    """Read a pattern. Raises `PatternMalformed`."""
    elements: list[Element] = []
    open_slots: list[str] = []
    place = 0
    while place < len(text):
        found = _ELEMENT.match(text, place)
        if found is None or (found.group(3) and not open_slots):
            raise PatternMalformed(text, place)
        slot, colon, closing, run, short, choice, choice_optional, name, name_optional, word, word_optional = found.groups()
        number = len(elements)
        if slot:
            elements.append(Opening(slot))
            if colon:
                open_slots.append(slot)
            elif text[found.end() : found.end() + 1] == "}":
                elements += [Run(1, None, number), Closing(slot)]
                place = found.end() + 1
                continue
            else:
                raise PatternMalformed(text, place)
        elif closing:
            elements.append(Closing(open_slots.pop()))
        elif run:
            elements.append(Run(0 if run.endswith("?") else 1, None, number))
        elif short:
            elements.append(Run(0, _SHORT_RUN, number))
        elif choice is not None:
            elements.append(_literal([Phrase(tuple(part.split())) for part in choice.split("|")], choice_optional))
        elif name == "name":
            elements.append(Name())
        elif name is not None:
            if name not in vocabulary().sets:
                raise PatternMalformed(text, place)
            elements.append(_literal(vocabulary().sets[name], name_optional))
        elif word:
            elements.append(_literal([Phrase((word,))], word_optional))
        place = found.end()
    if open_slots:
        raise PatternMalformed(text, len(text))
    return Pattern(tuple(elements), _first_words(elements))


def _literal(phrases: Sequence[Phrase], optional: str) -> Literal:
    """Return the element that takes one of `phrases`."""
    by_first: dict[str, list[Phrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        by_first.setdefault(phrase.words[0], []).append(phrase)
    return Literal(by_first, optional == "?")


def _first_words(elements: Sequence[Element]) -> frozenset[str] | None:
    """Return the words that a match may begin with, or `None` where that can be any word."""
    first: set[str] = set()
    for element in elements:
        if isinstance(element, Opening):
            continue
        if not isinstance(element, Literal):
            return None
        first.update(element.phrases)
        if not element.optional:
            return frozenset(first)
    return None


@dataclass(slots=True)
class _Search:
    """One attempt to match; what failed is remembered, so no place is tried twice."""

    elements: Sequence[Element]
    words: Sequence[Word]
    starts: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    relation: Relation | None = None
    failed: set[tuple[int, int]] = field(default_factory=set)
    exhausted: dict[int, int] = field(default_factory=dict)

    def reaches_end(self, at: int, place: int) -> bool:
        """Say whether the elements from `at` on match the words from `place` on; fills the slots if they do."""
        if at == len(self.elements):
            return place == len(self.words)
        if (at, place) in self.failed:
            return False
        element = self.elements[at]
        match element:
            case Opening(slot):
                reached = self.reaches_end(at + 1, place)
                if reached:
                    self.starts[slot] = place
            case Closing(slot):
                reached = self.reaches_end(at + 1, place)
                if reached:
                    self.ends[slot] = place
            case Run():
                reached = self._run(element, at, place)
            case Name():
                reached = any(self.reaches_end(at + 1, end) for end in self._name_ends(place))
            case Literal():
                reached = self._literal(element, at, place)
        if not reached:
            self.failed.add((at, place))
        return reached

    def _literal(self, element: Literal, at: int, place: int) -> bool:
        """Try the phrases that begin with the word at `place`, then to leave an optional element out."""
        words = self.words
        if place < len(words):
            for phrase in element.phrases.get(words[place].form, ()):
                end = place + len(phrase.words)
                if not all(word.form == wanted for word, wanted in zip(words[place:end], phrase.words, strict=False)):
                    continue
                if end > len(words) or (phrase.verb and end < len(words) and words[end].form == "of"):
                    continue
                if self.reaches_end(at + 1, end):
                    self.relation = phrase.relation or self.relation
                    return True
        return element.optional and self.reaches_end(at + 1, place)

    def _run(self, run: Run, at: int, place: int) -> bool:
        """Try the run's lengths, shortest first."""
        longest = len(self.words) if run.most is None else min(len(self.words), place + run.most)
        if run.most is None and place >= self.exhausted.get(run.number, len(self.words) + 1):
            return False
        for end in range(place + run.least, longest + 1):
            closed = end in (place, len(self.words)) or self.words[end - 1].form not in _open_words()
            if closed and self.reaches_end(at + 1, end):
                return True
        if run.most is None:
            self.exhausted[run.number] = min(place, self.exhausted.get(run.number, place))
        return False

    def _name_ends(self, place: int) -> list[int]:
        """Return where a capitalised name that begins at `place` may end, the longest first."""
        words = self.words
        if all(word.capital for word in words if word.form != COMMA):
            return []
        start = place + 1 if place < len(words) and words[place].form == "the" else place
        ends: list[int] = []
        for end in range(start, min(start + _LONGEST_NAME, len(words))):
            if words[end].capital and words[end].form != "i":
                ends.append(end + 1)
            elif not ends or words[end].form not in _NAME_LINKS:
                break
        return ends[::-1]


def _open_words() -> frozenset[str]:
    """Return the words that no phrase ends in."""
    return vocabulary().words("open")
