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
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from kgqa.errors import KgqaError
from kgqa.typology.vocabulary import LexiconPhrase, lexicon

_SHORT_RUN = 6
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


class SlotOpening(NamedTuple):
    """The place where a slot begins."""

    slot: str


class SlotClosing(NamedTuple):
    """The place where a slot ends."""

    slot: str


PatternElement = LiteralElement | NameElement | RunElement | SlotOpening | SlotClosing


class QuestionPattern(NamedTuple):
    """A pattern that was read; of each set of `needed` a match has a word."""

    elements: tuple[PatternElement, ...]
    needed: tuple[frozenset[str], ...]

    def may_match(self, forms: frozenset[str]) -> bool:
        """Say whether a sentence of the words `forms` has what a match needs, whatever their order."""
        return not any(forms.isdisjoint(words) for words in self.needed)


def parse_pattern(text: str) -> QuestionPattern:
    """Read a pattern. Raises `PatternMalformed`."""
    elements = [element for some in _read_elements(text) for element in some]
    needed = tuple(element.first_words for element in elements if isinstance(element, LiteralElement) and not element.optional)
    return QuestionPattern(tuple(_with_last_run(elements)), needed)


def first_pattern_words(text: str) -> frozenset[str] | None:
    """Return the words that a match of a pattern may begin with, or `None` where that can be any word.

    The pattern is read no further than that needs. Raises `PatternMalformed`.
    """
    first: set[str] = set()
    for element in chain.from_iterable(_read_elements(text)):
        if isinstance(element, SlotOpening):
            continue
        if not isinstance(element, LiteralElement):
            return None
        first.update(element.phrases)
        if not element.optional:
            return frozenset(first)
    return None


def _read_elements(text: str) -> Iterator[Sequence[PatternElement]]:
    """Yield the elements of a pattern, mark by mark."""
    open_slots: list[str] = []
    place = number = 0
    while place < len(text):
        mark = _MARK.match(text, place)
        if mark is None or (mark.lastgroup == "closing" and not open_slots):
            raise PatternMalformed(text, place)
        if mark.lastgroup == "opening":
            open_slots.append(mark.group().strip("{:"))
            elements: Sequence[PatternElement] = (SlotOpening(open_slots[-1]),)
        elif mark.lastgroup == "closing":
            elements = (SlotClosing(open_slots.pop()),)
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
    """Return the elements of one mark; `number` is the number of a run in it."""
    optional = mark.endswith("?")
    match kind:
        case "slot":
            return SlotOpening(mark[1:-1]), RunElement(1, None, number), SlotClosing(mark[1:-1])
        case "run":
            return (RunElement(0 if optional else 1, None, number),)
        case "short":
            return (
                RunElement(1, 1, number, closed=False) if mark == "_" else RunElement(0, _SHORT_RUN, number, closed=mark == "~"),
            )
        case "name":
            return (NameElement(),)
        case "set":
            return (_set_element(mark.strip("<>?"), optional),)
        case "choice" | "word":
            return (_choice_element(mark.strip("()?"), optional),)
    return ()


@cache
def _choice_element(text: str, optional: bool) -> LiteralElement:
    """Return the element that takes one of the phrases of `text`, which bars part."""
    return _literal_element([LexiconPhrase(tuple(part.split())) for part in text.split("|")], optional)


@cache
def _set_element(name: str, optional: bool) -> LiteralElement:
    """Return the element that takes a phrase of the vocabulary's set `name`."""
    return _literal_element(lexicon().sets[name], optional)


def _literal_element(phrases: Sequence[LexiconPhrase], optional: bool) -> LiteralElement:
    """Return the element that takes one of `phrases`, the longest first."""
    by_first: dict[str, list[LexiconPhrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        by_first.setdefault(phrase.words[0], []).append(phrase)
    return LiteralElement(by_first, frozenset(by_first), optional)


def _with_last_run(elements: Sequence[PatternElement]) -> list[PatternElement]:
    """Return `elements` with an unlimited run at their end, if there is one, marked as the last."""
    marked = list(elements)
    for place in range(len(marked) - 1, -1, -1):
        element = marked[place]
        if isinstance(element, RunElement) and element.most is None:
            marked[place] = element._replace(last=True)
        if not isinstance(element, SlotClosing):
            break
    return marked
