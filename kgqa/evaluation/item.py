"""A question of a data set with the answer that the set holds to be right."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

VERDICT, READING, PRESUPPOSITION, REFUSAL = "verdict", "reading", "presupposition", "refusal"
"""The tasks: yes or no, an answer in words, whether something is falsely taken for granted, whether there is an answer at all."""

YES, NO = "yes", "no"
FALSE_PRESUPPOSITION, NORMAL = "false presupposition", "normal"
ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"


@dataclass(frozen=True, slots=True)
class DatasetItem:
    """A question of a data set.

    `gold` are answers of which each is right, or, where `together`, the spans of one answer; empty where the right answer is
    that there is none. `passage` is the text to answer from, where the set gives one. `type` is what the set itself says of
    the question or its answer, `source` the set that a collection took it from. `pair` are its cause and effect, where the set
    marks them. `group` is the article that its passage is of, where the set tells.
    """

    id: str
    question: str
    gold: tuple[str, ...]
    passage: str = ""
    type: str = ""
    source: str = ""
    pair: tuple[str, str] | None = None
    together: bool = False
    group: str = ""

    @property
    def label(self) -> str:
        """The one gold answer of an item that has one, such as "yes"."""
        return self.gold[0] if self.gold else ""

    @property
    def answers(self) -> tuple[tuple[str, ...], ...]:
        """The right answers, each as its spans."""
        return (self.gold,) if self.together else tuple((answer,) for answer in self.gold)


def with_unique_ids(items: Iterable[DatasetItem]) -> list[DatasetItem]:
    """Return the items with a number behind every id that another item had before."""
    seen: dict[str, int] = {}
    numbered = []
    for item in items:
        seen[item.id] = seen.get(item.id, 0) + 1
        numbered.append(item if seen[item.id] == 1 else replace(item, id=f"{item.id}#{seen[item.id]}"))
    return numbered


def items_digest(items: Iterable[DatasetItem]) -> str:
    """Return 32 hexadecimal digits that depend on the content of the items and on their order."""
    digest = hashlib.sha256()
    for item in items:
        fields = [item.id, item.question, item.gold, item.passage, item.type, item.source, item.pair, item.together]
        digest.update(json.dumps(fields).encode())
    return digest.hexdigest()[:32]
