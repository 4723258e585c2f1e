"""Rows as the numbers that the encoder reads: token ids, segments, and which tokens begin and end a right answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer

from reader.reader_rows import Row

KINDS = ("span", "yes", "no", "number", "null")
QUESTION, TOKENS = 64, 320
"""The most tokens of a question, and of question and passage together, while training."""


def _id_of(tokenizer: Tokenizer, mark: str) -> int:
    number = tokenizer.token_to_id(mark)
    if number is None:
        raise ValueError(f"the tokenizer has no {mark}")
    return int(number)


@dataclass(slots=True)
class Feature:
    """One window: the ids with their segments, the kind (-1 where none is to be learnt), and the right spans of tokens."""

    ids: list[int]
    segments: list[int]
    kind: int
    spans: list[tuple[int, int]]
    offsets: list[tuple[int, int]]
    weight: float = 1.0


def tokenizer_of(path: Path) -> Tokenizer:
    """Return the tokenizer of the encoder, without the padding and truncation that its file may ask for."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


class Maker:
    """Makes features of rows; a passage that is too long is cut at a random place around an answer."""

    def __init__(self, tokenizer: Tokenizer, seed: int = 0, most: int = TOKENS) -> None:
        self._tokenizer = tokenizer
        self._dice = random.Random(seed)
        self._most = most
        self._cls, self._sep = (_id_of(tokenizer, mark) for mark in ("[CLS]", "[SEP]"))

    def feature(self, row: Row) -> Feature | None:
        """Return the feature of a row, or `None` where its answer is lost between tokens."""
        question = self._tokenizer.encode(row.question, add_special_tokens=False).ids[:QUESTION]
        passage = self._tokenizer.encode(row.passage, add_special_tokens=False)
        ids, offsets = passage.ids, passage.offsets
        spans = [span for one in row.spans if (span := _tokens(one, offsets))]
        if row.spans and not spans:
            return None
        room = self._most - len(question) - 3
        if len(ids) > room:
            least = max(0, spans[0][1] - room + 1) if spans else 0
            most = min(spans[0][0], len(ids) - room) if spans else len(ids) - room
            start = self._dice.randint(min(least, most), max(least, most))
            ids, offsets = ids[start : start + room], offsets[start : start + room]
            spans = [(a - start, b - start) for a, b in spans if a >= start and b < start + room]
            if row.spans and not spans:
                return None
        first = len(question) + 2
        return Feature(
            [self._cls, *question, self._sep, *ids, self._sep],
            [0] * first + [1] * (len(ids) + 1),
            KINDS.index(row.kind) if row.kind in KINDS else -1,
            [(a + first, b + first) for a, b in spans],
            [(0, 0)] * first + list(offsets) + [(0, 0)],
        )


def _tokens(span: tuple[int, int], offsets: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the first and last token of a span of characters."""
    inside = [place for place, (start, end) in enumerate(offsets) if start < span[1] and end > span[0]]
    return (inside[0], inside[-1]) if inside else None


@dataclass(slots=True)
class Batch:
    """Features side by side, padded to the longest."""

    ids: torch.Tensor
    mask: torch.Tensor
    segments: torch.Tensor
    kinds: torch.Tensor
    spans: list[list[tuple[int, int]]]


def batch_of(features: Sequence[Feature]) -> Batch:
    """Return features side by side, padded to the longest."""
    longest = max(len(one.ids) for one in features)

    def padded(rows: Sequence[Sequence[int]]) -> torch.Tensor:
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])

    mask = padded([[1] * len(one.ids) for one in features])
    kinds = torch.tensor([one.kind for one in features])
    ids, segments = padded([one.ids for one in features]), padded([one.segments for one in features])
    return Batch(ids, mask, segments, kinds, [one.spans for one in features])


def batches(features: Sequence[Feature], size: int, seed: int) -> Iterator[Batch]:
    """Yield the features of an epoch in random order, those of like length together."""
    dice = random.Random(seed)
    order = list(range(len(features)))
    dice.shuffle(order)
    groups = []
    for start in range(0, len(order), size * 50):
        pool = sorted(order[start : start + size * 50], key=lambda place: len(features[place].ids))
        groups += [pool[place : place + size] for place in range(0, len(pool), size)]
    dice.shuffle(groups)
    for group in groups:
        yield batch_of([features[place] for place in group])
