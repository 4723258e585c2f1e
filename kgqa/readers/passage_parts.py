"""The parts of long texts that fit a question best, so that a book takes no longer to read than a page.

Of 800 questions on whole articles of SQuAD 2.0, some 36,000 characters each, two parts hold the answer of 88 %, four of 93 % and
eight of 97 %, where as many characters from the beginning hold 8, 16 and 32 %; scripts/bench/bench_parts.py counts it again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from graph.text.segmentation import sentence_end, text_tokens
from graph.text.stems import prefix_stems
from graph.text.stop_words import STOP_WORDS
from kgqa.readers.reader import Passage

LONG_TEXT = 8_000
"""The characters of all passages together from which on only parts of them are read: some 1,300 words."""
PART_LENGTH = 1_200
"""About how many characters a part has."""
MOST_PARTS = 8
"""How many parts are read."""
LEAST_LENGTH = 300
"""What a passage counts at least, however short: the question is read with each."""
_LONGEST_TEXT = 1 << 25
_SATURATION, _LENGTH = 1.2, 0.75
_STEM_LETTERS = 6
"""Words count as one where so many letters of theirs are the same: "economy" and "economic"."""
_MOST_SPOILT = 0.3
_SAMPLE = 20_000
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ud800-\udfff]")


class PassagePart(NamedTuple):
    """A part of a passage as a passage of its own, which passage it is of, and at which character it begins there."""

    passage: Passage
    of: int
    start: int


def select_parts(question: str, passages: Sequence[Passage], long: int = LONG_TEXT, most: int = MOST_PARTS) -> list[PassagePart]:
    """Return the passages whole where they are not `long`, else the `most` parts that fit a question best, in their order.

    The parts rank by BM25 (Robertson and others 1994, k1 = 1.2, b = .75) over the words of the question; where none of its words
    occurs, the first ones are taken. There is no part of a passage that holds no text.
    """
    texts = [(place, passage) for place, passage in enumerate(passages) if is_text(passage.text)]
    if sum(max(LEAST_LENGTH, len(passage.text)) for _, passage in texts) <= long:
        return [PassagePart(passage, place, 0) for place, passage in texts]
    parts = [
        PassagePart(Passage(passage.text[start:end], passage.title, passage.id, passage.url, passage.score), place, start)
        for place, passage in texts
        for start, end in _part_spans(passage.text[:_LONGEST_TEXT])
    ]
    scores = _bm25_scores(question, parts)
    best = sorted(range(len(parts)), key=lambda at: -scores[at])[:most]
    return [parts[at] for at in sorted(best)]


def is_text(text: str) -> bool:
    """Return whether there is something to read: letters or digits, and not mostly bytes that are no characters."""
    sample = text if len(text) <= _SAMPLE else text[: _SAMPLE // 2] + text[-_SAMPLE // 2 :]
    if len(_NO_TEXT.findall(sample)) > _MOST_SPOILT * len(sample):
        return False
    return any(character.isalnum() for character in sample) or any(character.isalnum() for character in text)


def _part_spans(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a text begin and end: at the end of a paragraph rather than of a sentence or a word."""
    cuts, start = [], 0
    while len(text) - start > PART_LENGTH:
        ends: dict[int, int] = {}
        for match in sentence_end("passage parts").finditer(text, start + PART_LENGTH // 2, start + PART_LENGTH):
            rank = 2 if match[0].count("\n") > 1 else 1 if text[match.start() - 1] in ".!?" else 0
            ends[rank] = match.end()
        end = ends[max(ends)] if ends else start + PART_LENGTH
        cuts.append((start, end))
        start = end
    return [*cuts, (start, len(text))] if text[start:].strip() else cuts


def _bm25_scores(question: str, parts: Sequence[PassagePart]) -> list[float]:
    words = text_tokens(question.lower(), "letters and digits")
    wanted = prefix_stems((word for word in words if word not in STOP_WORDS["passage parts"]), _STEM_LETTERS)
    if not wanted:
        return [0.0] * len(parts)
    stems = "|".join(f"{stem}(?![^\\W_])" if len(stem) < _STEM_LETTERS else stem for stem in sorted(wanted))
    find = re.compile(rf"(?<![^\W_])(?:{stems})").findall
    counts = [Counter(find(part.passage.text.lower())) for part in parts]
    known = Counter(stem for held in counts for stem in held)
    mean = sum(len(part.passage.text) for part in parts) / len(parts)
    weights = {stem: log(1.0 + (len(parts) - number + 0.5) / (number + 0.5)) for stem, number in known.items()}
    norms = (_SATURATION * (1.0 - _LENGTH + _LENGTH * len(part.passage.text) / mean) for part in parts)
    return [
        sum(weights[stem] * count * (_SATURATION + 1.0) / (count + norm) for stem, count in held.items())
        for held, norm in zip(counts, norms, strict=True)
    ]
