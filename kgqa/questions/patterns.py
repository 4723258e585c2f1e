"""Patterns over words: how a rule says which questions it takes, and which of their words fill which slot.

A pattern is written as words with these marks:

| mark | matches |
|---|---|
| `cause`, `(led to|leads to)` | the word; one of the phrases |
| `<is>` | a phrase of the vocabulary's set "is" |
| `<name>` | a run of capitalised words, in a sentence that is not capitalised throughout |
| `...` | one or more words |
| `_` | one word |
| `~` | at most six words, perhaps none |
| `*` | the same, and its last word may be any word |
| `{cause}` | one or more words, which fill the slot `cause` |
| `{effect: they <act> ...}` | what the inner pattern matches, which fills the slot `effect` |
| a `?` at the end of a word, of `(...)`, `<...>` or `...` | the same, perhaps nothing |

A run of words (`...`, `~`, `*` and slots) is as short as the rest of the pattern allows. But for `*`, its last word is none
that leaves a phrase open, such as "the" or "of", unless it ends the question. A comma matches the mark `,` or is part of a
run. The whole sentence must match.

Matching takes time proportional to the words times the pattern's elements, for what failed is remembered: no element is tried
twice from the same word, and a run of any length that failed from one word is not tried again from a later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import NamedTuple

from graph.model import Relation
from graph.text.stop_words import NAME_PARTICLES
from kgqa.errors import KgqaError
from kgqa.questions.lexicon import LexiconPhrase, lexicon
from kgqa.questions.tokenization import COMMA, QuestionWord, phrase_text, trim_phrase

_SHORT_RUN = 6
_LONGEST_NAME = 8
_MARK = re.compile(
    r"(?P<slot>\{\w+\})|(?P<opening>\{\w+:)|(?P<closing>\})|(?P<run>\.\.\.\??)|(?P<short>[_~*])|(?P<choice>\([^)]*\)\??)"
    r"|(?P<name><name>)|(?P<set><[^>]*>\??)|(?P<word>[^\s(){}<>?]+\??)|(?P<space>\s+)"
)


class PatternMalformed(KgqaError):
    """A rule's pattern cannot be read."""

    def __init__(self, pattern: str, place: int) -> None:
        super().__init__(f"pattern '{pattern}' cannot be read at '{pattern[place : place + 20]}'")


class LiteralElement(NamedTuple):
    """One of some phrases, found by their first word, the longest first."""

    phrases: Mapping[str, Sequence[LexiconPhrase]]
    first_words: frozenset[str]
    optional: bool = False


class NameElement(NamedTuple):
    """A run of capitalised words."""


class RunElement(NamedTuple):
    """Any words, from `least` to `most` of them; `number` tells the runs of a pattern apart, `last` has nothing after it.

    A `closed` run does not end in a word that leaves a phrase open.
    """

    least: int
    most: int | None
    number: int
    closed: bool = True
    last: bool = False


class SlotEdge(NamedTuple):
    """The place where a slot begins or, where it `closes`, ends."""

    slot: str
    closes: bool = False


PatternElement = LiteralElement | NameElement | RunElement | SlotEdge


class QuestionPattern(NamedTuple):
    """A pattern that was read; of each set of `needed` a match has a word."""

    elements: tuple[PatternElement, ...]
    needed: tuple[frozenset[str], ...]

    def may_match(self, forms: frozenset[str]) -> bool:
        """Say whether a sentence of the words `forms` has what a match needs, whatever their order."""
        return not any(forms.isdisjoint(words) for words in self.needed)


def parse_pattern(text: str) -> QuestionPattern:
    """Read a pattern. Raises `PatternMalformed`."""
    elements = list(chain.from_iterable(_read_elements(text)))
    needed = tuple(element.first_words for element in elements if isinstance(element, LiteralElement) and not element.optional)
    for place in range(len(elements) - 1, -1, -1):
        element = elements[place]
        if isinstance(element, RunElement) and element.most is None:
            elements[place] = element._replace(last=True)
        if not isinstance(element, SlotEdge) or not element.closes:
            break
    return QuestionPattern(tuple(elements), needed)


def first_pattern_words(text: str) -> frozenset[str] | None:
    """Return the words that a match of a pattern may begin with, or `None` where that can be any word.

    The pattern is read no further than that needs. Raises `PatternMalformed`.
    """
    first: set[str] = set()
    for element in chain.from_iterable(_read_elements(text)):
        if isinstance(element, SlotEdge) and not element.closes:
            continue
        if not isinstance(element, LiteralElement):
            return None
        first.update(element.phrases)
        if not element.optional:
            return frozenset(first)
    return None


def _read_elements(text: str) -> Iterator[Sequence[PatternElement]]:
    open_slots: list[str] = []
    place = number = 0
    while place < len(text):
        mark = _MARK.match(text, place)
        if mark is None or (mark.lastgroup == "closing" and not open_slots):
            raise PatternMalformed(text, place)
        if mark.lastgroup == "opening":
            open_slots.append(mark.group().strip("{:"))
            elements: Sequence[PatternElement] = (SlotEdge(open_slots[-1]),)
        elif mark.lastgroup == "closing":
            elements = (SlotEdge(open_slots.pop(), closes=True),)
        elif mark.lastgroup == "set" and mark.group().strip("<>?") not in lexicon().sets:
            raise PatternMalformed(text, place)
        else:
            elements = _elements_of_mark(mark.lastgroup or "", mark.group(), number)
        yield elements
        number += len(elements)
        place = mark.end()
    if open_slots:
        raise PatternMalformed(text, len(text))


def _elements_of_mark(kind: str, mark: str, number: int) -> Sequence[PatternElement]:
    match kind:
        case "slot":
            return SlotEdge(mark[1:-1]), RunElement(1, None, number), SlotEdge(mark[1:-1], closes=True)
        case "run":
            return (RunElement(0 if mark.endswith("?") else 1, None, number),)
        case "short":
            run = RunElement(0, _SHORT_RUN, number, closed=mark == "~")
            return (RunElement(1, 1, number, closed=False) if mark == "_" else run,)
        case "name":
            return (NameElement(),)
        case "set" | "choice" | "word":
            return (_literal_element(mark),)
    return ()


@cache
def _literal_element(mark: str) -> LiteralElement:
    """Return the element of a set ("<is>"), of phrases that bars part ("(led to|leads to)") or of a word."""
    text = mark.strip("<>()?")
    phrases = lexicon().sets[text] if mark[0] == "<" else [LexiconPhrase(tuple(part.split())) for part in text.split("|")]
    by_first: dict[str, list[LexiconPhrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        by_first.setdefault(phrase.words[0], []).append(phrase)
    return LiteralElement(by_first, frozenset(by_first), mark.endswith("?"))


class PatternMatch(NamedTuple):
    """The words (first, after the last) of each slot, and the relation that a matched phrase expresses, if any does."""

    slots: Mapping[str, tuple[int, int]]
    relation: Relation | None = None


def match_pattern(pattern: QuestionPattern, words: Sequence[QuestionWord]) -> PatternMatch | None:
    """Return what the slots of `pattern` hold if all of `words` match, else `None`."""
    search = _PatternSearch(pattern.elements, words)
    if not search.reaches_end(0, 0):
        return None
    slots = {slot: (start, search.ends[slot]) for slot, start in search.starts.items()}
    return PatternMatch(slots, search.relation)


def slot_phrase(question: str, words: Sequence[QuestionWord], pattern_match: PatternMatch, slot: str) -> str | None:
    """Return the phrase of a slot of a match, as the question has it; `None` where the pattern has no such slot."""
    span = pattern_match.slots.get(slot)
    return phrase_text(question, words, *trim_phrase(words, *span)) if span else None


@dataclass(slots=True)
class _PatternSearch:
    """One attempt to match; the slots and the relation are filled on the way back from the end."""

    elements: Sequence[PatternElement]
    words: Sequence[QuestionWord]
    starts: dict[str, int] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    relation: Relation | None = None
    failed: set[tuple[int, int]] = field(default_factory=set)
    exhausted: dict[int, int] = field(default_factory=dict)

    def reaches_end(self, at: int, place: int) -> bool:
        """Say whether the elements from `at` on match the words from `place` on."""
        if at == len(self.elements):
            return place == len(self.words)
        if (at, place) in self.failed:
            return False
        element = self.elements[at]
        match element:
            case LiteralElement():
                reached = self._literal(element, at, place)
            case RunElement():
                reached = self._run(element, at, place)
            case SlotEdge(slot, closes):
                reached = self.reaches_end(at + 1, place)
                if reached:
                    (self.ends if closes else self.starts)[slot] = place
            case NameElement():
                reached = any(self.reaches_end(at + 1, end) for end in self._name_ends(place))
        if not reached:
            self.failed.add((at, place))
        return reached

    def _literal(self, element: LiteralElement, at: int, place: int) -> bool:
        words, followers = self.words, lexicon().plain["follows noun"]
        for phrase in element.phrases.get(words[place].form, ()) if place < len(words) else ():
            end = place + len(phrase.words)
            if end > len(words) or any(words[place + i].form != wanted for i, wanted in enumerate(phrase.words)):
                continue
            if phrase.verb and end < len(words) and words[end].form in followers:
                continue
            if self.reaches_end(at + 1, end):
                self.relation = phrase.relation or self.relation
                return True
        return element.optional and self.reaches_end(at + 1, place)

    def _run(self, run: RunElement, at: int, place: int) -> bool:
        words, open_words = self.words, lexicon().plain["open"]
        if run.last:
            return len(words) - place >= run.least and self.reaches_end(at + 1, len(words))
        if run.least == 0 and self.reaches_end(at + 1, place):
            return True
        longest = len(words)
        if run.most is not None:
            longest = min(longest, place + run.most)
        elif place >= self.exhausted.get(run.number, len(words)):
            return False
        else:
            self.exhausted[run.number] = place
        return any(
            (not run.closed or end == len(words) or words[end - 1].form not in open_words) and self.reaches_end(at + 1, end)
            for end in range(place + 1, longest + 1)
        )

    def _name_ends(self, place: int) -> list[int]:
        words = self.words
        if all(word.capital for word in words if word.form != COMMA):
            return []
        start = place + 1 if place < len(words) and words[place].form == "the" else place
        ends: list[int] = []
        for end in range(start, min(start + _LONGEST_NAME, len(words))):
            if words[end].capital and words[end].form != "i":
                ends.append(end + 1)
            elif not ends or words[end].form not in NAME_PARTICLES["questions"]:
                break
        return ends[::-1]
