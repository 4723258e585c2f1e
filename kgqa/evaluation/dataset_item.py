"""A question of a data set with its gold answers, and the items that a reader was not trained on (`reader.json` of its model)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graph.sources.article import Article
from kgqa.errors import KgqaError

VERDICT, READING, PRESUPPOSITION, REFUSAL, WRITING = "verdict", "reading", "presupposition", "refusal", "writing"
CLAIM = "claim"
"""The tasks: yes or no, an answer in words, whether something is falsely taken for granted, whether there is an answer at all,
what is falsely taken for granted, with its correction, and whether a claim is true."""

YES, NO = "yes", "no"
FALSE_PRESUPPOSITION, NORMAL = "false presupposition", "normal"
TRUE_CLAIM, FALSE_CLAIM, UNDECIDED_CLAIM = "true", "false", "undecided"
HELD_OUT, LEARNT = "held out", "learnt"
"""The types of claims that the evidence model has not seen, and of those that it may have."""
ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"


@dataclass(frozen=True, slots=True)
class DatasetItem:
    """A question of a data set.

    `gold` are answers of which each is right, or, where `together`, the spans of one answer; empty where the right answer is
    that there is none. `passage` is the text to answer from, where the set gives one. `type` is what the set itself says of
    the question or its answer, `source` the set that a collection took it from. `pair` are its cause and effect, where the set
    marks them. `group` is the article that its passage is of, `links` the articles that the answer needs besides, where the set
    tells. `main` is the paragraph of a question with its links, `contexts` the texts that its answer needs, each with the title
    of its article, empty for the paragraph. `corrections` correct what the question takes for granted, `comment` is what somebody
    replied to it, and `passages` were retrieved for it by somebody else.
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
    links: tuple[str, ...] | None = None
    corrections: tuple[str, ...] = ()
    comment: str = ""
    passages: tuple[str, ...] = ()
    main: Article | None = None
    contexts: tuple[tuple[str, str], ...] = ()

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
        fields: list[object] = [item.id, item.question, item.gold, item.passage, item.type, item.source, item.pair, item.together]
        fields += (
            [] if item.main is None else [item.main.text, [[link.offset, link.target] for link in item.main.links], item.contexts]
        )
        fields += [item.links, item.corrections, item.comment, *([item.passages] if item.passages else [])]
        digest.update(json.dumps(fields).encode())
    return digest.hexdigest()[:32]


READER_SETTINGS = "reader.json"
HELD_OUT_ARTICLES, HELD_OUT_ROWS = "held_out_articles", "held_out_rows"
"""The fields that name articles, by their titles, and single rows, by their ids."""
HELD_OUT_FIELDS: Mapping[str, str] = {"squad2": HELD_OUT_ARTICLES, "boolq": HELD_OUT_ROWS}
"""The data sets that the two are of: an id of another set says nothing."""


class NothingHeldOut(KgqaError):
    """A model folder does not say what its reader was not trained on, or no item is of that."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"nothing to keep to of what the reader in '{folder}' was not trained on: {why}")


def held_out_items(name: str, items: Sequence[DatasetItem], folder: Path) -> list[DatasetItem]:
    """Return the items of a data set that the reader in a model folder was not trained on: of whole articles, or single rows.

    Of a set of claims they are those that the evidence model was not trained on. Raises `NothingHeldOut` where its `reader.json`
    does not tell, of this set or at all, or tells of other items.
    """
    claims = [item for item in items if item.type == HELD_OUT]
    if claims:
        return claims
    try:
        reader_settings = json.loads((folder / READER_SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NothingHeldOut(folder, f"cannot read {READER_SETTINGS}: {error}".lower()) from None
    if name not in HELD_OUT_FIELDS:
        raise NothingHeldOut(folder, f"it tells of {' and '.join(HELD_OUT_FIELDS)}, not of {name}")
    listed_names = reader_settings.get(HELD_OUT_FIELDS[name]) if isinstance(reader_settings, dict) else None
    if not isinstance(listed_names, list):
        raise NothingHeldOut(folder, f"{READER_SETTINGS} has no list {HELD_OUT_FIELDS[name]}")
    held_out_names = frozenset(map(str, listed_names))
    remaining = [
        item for item in items if (item.group if HELD_OUT_FIELDS[name] == HELD_OUT_ARTICLES else item.id) in held_out_names
    ]
    if not remaining:
        raise NothingHeldOut(folder, f"none of the {len(items):,} items is among them")
    return remaining
