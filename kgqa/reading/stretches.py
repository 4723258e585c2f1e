"""Which parts of the passages are read: all of them, or of too much text what is most like the question.

Reading takes time in proportion to the text, and a question must be answered in bounded time, so at most `MOST` characters are
read for one question (some forty windows). Where the passages hold more, they are cut into sections of some `SECTION` characters,
and those are read that have the rarest words of the question, earlier ones first where they have the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log1p

from kgqa.reading.model import Passage

MOST = 48_000
SECTION = 1_200
LEAST = 300
"""What a passage counts at least, however short: the question is read with each."""
_STEM, _LEAST = 6, 3
_SPOILT = 0.3
_SAMPLE = 20_000
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")
_COMMON = frozenset(
    (
        "the and for was were had not what when where who whom which whose why how did does are has have would could "
        "should might will can been being than then that this there their they them his her its from with into upon "
        "about after before during between many much long instead still also only first most if"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """The characters `start` to `end` of a passage, which is the one of that number."""

    passage: int
    start: int
    end: int


def stretches(question: str, passages: Sequence[Passage], most: int = MOST) -> list[Stretch]:
    """Return what is to be read, in the order in which it stands; nothing of a passage that holds no text."""
    whole = [Stretch(number, 0, len(one.text)) for number, one in enumerate(passages) if is_text(one.text)]
    if sum(max(LEAST, one.end) for one in whole) <= most:
        return whole
    sections = [part for one in whole for part in _sections(passages[one.passage].text, one)]
    order = _likest(question, passages, sections)
    costs = accumulate(max(LEAST, sections[place].end - sections[place].start) for place in order)
    chosen = sorted(place for place, cost in zip(order, costs, strict=True) if cost <= max(most, SECTION))
    return _joined([sections[place] for place in chosen])


def is_text(text: str) -> bool:
    """Return whether there is something to read: letters or digits, and not mostly bytes that are no characters."""
    sample = text if len(text) <= _SAMPLE else text[: _SAMPLE // 2] + text[-_SAMPLE // 2 :]
    if len(_NO_TEXT.findall(sample)) > _SPOILT * len(sample):
        return False
    return any(character.isalnum() for character in sample) or any(character.isalnum() for character in text)


def _sections(text: str, whole: Stretch) -> Iterator[Stretch]:
    """Yield a passage in sections that end where a sentence, a word, or at worst nothing ends."""
    start = whole.start
    while start < whole.end:
        end = min(start + SECTION, whole.end)
        if end < whole.end:
            for mark in ("\n", ". ", " "):
                found = text.rfind(mark, start + SECTION // 2, end)
                if found >= 0:
                    end = found + len(mark)
                    break
        yield Stretch(whole.passage, start, end)
        start = end


def _likest(question: str, passages: Sequence[Passage], sections: Sequence[Stretch]) -> list[int]:
    """Return the places of the sections, those first that share the rarest words with the question."""
    words = {word[:_STEM] for word in re.findall(r"\w+", question.lower()) if len(word) >= _LEAST or word.isdigit()}
    words -= {word[:_STEM] for word in _COMMON}
    texts = [passages[one.passage].text[one.start : one.end].lower() for one in sections]
    scores = [0.0] * len(sections)
    for word in sorted(words):
        having = [place for place, text in enumerate(texts) if word in text]
        weight = log1p(len(texts) / len(having)) if having else 0.0
        for place in having:
            scores[place] += weight
    return sorted(range(len(sections)), key=lambda place: (-scores[place], place))


def _joined(sections: Sequence[Stretch]) -> list[Stretch]:
    """Return the sections, those that follow each other as one."""
    joined: list[Stretch] = []
    for one in sections:
        if joined and joined[-1].passage == one.passage and joined[-1].end == one.start:
            joined[-1] = Stretch(one.passage, joined[-1].start, one.end)
        else:
            joined.append(one)
    return joined
