"""Whether the words of a sentence match a pattern, in time proportional to the words times the pattern's elements.

What failed is remembered: no element is tried twice from the same word, and a run of any length that failed from one word is
not tried again from a later one, from which it could only reach the same places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graph.model import Relation
from kgqa.typology.pattern import (
    LiteralElement,
    NameElement,
    PatternElement,
    QuestionPattern,
    RunElement,
    SlotClosing,
    SlotOpening,
)
from kgqa.typology.vocabulary import lexicon
from kgqa.typology.words import COMMA, QuestionWord

_LONGEST_NAME = 8
_NAME_LINKS = frozenset("of the de von van der la le du da".split())


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
            case SlotOpening(slot) | SlotClosing(slot):
                reached = self.reaches_end(at + 1, place)
                if reached:
                    (self.starts if isinstance(element, SlotOpening) else self.ends)[slot] = place
            case NameElement():
                reached = any(self.reaches_end(at + 1, end) for end in self._name_ends(place))
        if not reached:
            self.failed.add((at, place))
        return reached

    def _literal(self, element: LiteralElement, at: int, place: int) -> bool:
        """Try the phrases that begin with the word at `place`, then to leave an optional element out."""
        words, followers = self.words, lexicon().noun_followers
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
        """Try the run's lengths, shortest first."""
        words, open_words = self.words, lexicon().open_words
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
