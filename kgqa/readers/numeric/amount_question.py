"""What a question of an amount asks for, and how well a row of the table of amounts accounts for its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_parser import quantities_in
from kgqa.quantities.units import CURRENCY_NAMES, unit_of
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, event_kinds_of, verb_lemma, years_in


class AmountKind(StrEnum):
    """What is asked for."""

    CHANGE = "change"
    SHARE = "share"
    RATIO = "ratio"
    CLOCK = "clock"
    YEAR = "year"
    DIFFERENCE = "difference"
    DURATION = "duration"
    COUNT = "count"
    MONEY = "money"
    MEASURE = "measure"


_KINDS = tuple((kind, NUMERIC_CUES[f"asks {kind}"]) for kind in AmountKind)
_CUES = {
    name: NUMERIC_CUES[f"question {name}"]
    for name in ("total", "left", "negation", "daily", "late", "before", "next", "begun", "apart", "mean", "slower", "points")
}
_COUNTED = NUMERIC_CUES["counted"]


_LIGHT = frozenset(map(verb_lemma, "need have get whole now year".split()))


@dataclass(frozen=True, slots=True)
class AmountQuestion:
    """A question of an amount: `nouns` are those that it counts, `measure` what its unit measures, `lemmas` its content words.

    `cues` name the operations that its words ask for; `counts` are the numbers with nouns that it states ("four jars").
    """

    text: str
    kind: AmountKind
    nouns: frozenset[str]
    unit: str
    lemmas: tuple[str, ...]
    cues: frozenset[str]
    counts: tuple[Quantity, ...]

    @property
    def measure(self) -> str:
        """What is measured: "money", "time", "volume"; empty for a count."""
        pounds = self.unit == "pounds" and NUMERIC_CUES["asks weight"].search(self.text) is None
        if self.kind is AmountKind.MONEY or self.unit in CURRENCY_NAMES or pounds:
            return "money"
        unit = unit_of(self.unit) if self.unit else None
        if self.kind is AmountKind.DURATION:
            return "time"
        return "" if unit is None else unit.dimension

    @property
    def things(self) -> frozenset[str]:
        """The stems of the words behind articles, and of names: a passage that has them not is of something else."""
        mentions = NUMERIC_CUES["named thing"].findall(self.text)
        return frozenset(lemma for words in mentions for word in words for lemma in content_lemmas(word))

    @property
    def years(self) -> frozenset[str]:
        """The years that the question names."""
        return frozenset(years_in(self.text))


@cache
def opposite_words() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the sides of opposites.tsv: the words of a side mean the same, those of the other side the opposite."""
    lines = Path(__file__).with_name("opposites.tsv").read_text(encoding="ascii").splitlines()[1:]
    sides = (line.split("\t") for line in lines)
    return tuple(
        (frozenset(map(verb_lemma, side.split())), frozenset(map(verb_lemma, opposite.split()))) for side, opposite in sides
    )


def parse_amount_question(question: str) -> AmountQuestion | None:
    """Return the parse of a question of an amount, `None` for any other question."""
    text = " ".join(question.split()).rstrip(" ?.")
    supposes = NUMERIC_CUES["supposes"].search(text)  # what is supposed changes the amounts of the passage
    kind = None if supposes else next((kind for kind, pattern in _KINDS if pattern.search(text)), None)
    is_gap = kind is AmountKind.DIFFERENCE and NUMERIC_CUES["question points"].search(text)
    in_percent = kind in (AmountKind.SHARE, AmountKind.CHANGE) or is_gap
    if kind is None or (NUMERIC_CUES["asks percent"].search(text) and not in_percent):
        return None
    cues = {name for name, pattern in _CUES.items() if pattern.search(text)}
    match = _COUNTED.search(text)
    words = match["noun"].split() if match and kind in (AmountKind.COUNT, AmountKind.DIFFERENCE) else []
    words = [word for word in words if word.lower() not in ("more", "fewer", "other", "whole")]
    unit = next((word.lower() for word in reversed(words) if unit_of(word) or word.lower() in (*CURRENCY_NAMES, "pounds")), "")
    if kind is AmountKind.DURATION and (duration := NUMERIC_CUES["asks duration"].search(text)) is not None:
        unit = (duration["unit"] or "").lower()
    nouns = frozenset() if unit else frozenset(content_lemmas(" ".join(words)))
    dropped = NUMERIC_CUES["cue words"].sub(" ", text)
    counts = tuple(item for item in quantities_in(text) if item.sort in (Sort.CARDINAL, Sort.MONEY) and item.value >= 1)
    light = {lemma for item in counts for lemma in content_lemmas(item.text)} | set(content_lemmas(unit)) | _LIGHT
    lemmas = tuple(lemma for lemma in content_lemmas(dropped) if lemma not in light)
    return AmountQuestion(text, kind, nouns, unit, lemmas, frozenset(cues), counts)


SENTENCE_AGREEMENT, KIND_AGREEMENT = 0.6, 0.8
"""What a word counts that stands in the sentence of a row, and of which another of its kind stands in the clause."""
_NEIGHBOUR, _INHERITED = 0.4, 0.95
"""The same for a sentence beside it, and for a noun that the row takes from another."""
_PEOPLE = frozenset(
    map(
        verb_lemma,
        "people person persons men women workers employees inhabitants passengers members pupils residents councillors parents "
        "soldiers jobs posts staff hands crew sailors visitors guests patients students children villagers".split(),
    )
)


_PRICES = frozenset(map(verb_lemma, "money cost price worth".split()))


def is_same_kind(nouns: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether nouns are of one kind: "bees" and "honeybees", "workers" and "people"."""
    heads = {noun_beside for noun_beside in others for noun in nouns if len(noun) > 2 and noun_beside.endswith(noun)}
    return bool(heads) or bool(nouns & _PEOPLE and (others & _PEOPLE or not others))


_PRONOUN = re.compile(r"(?:It|He|She|They|Its|His|Her|Their)\b")


@lru_cache(maxsize=512)
def _lemmas_of(text: str) -> frozenset[str]:
    return frozenset(content_lemmas(text))


def word_agreement(lemma: str, row: AmountRow, table: AmountTable) -> float:
    """Return how well a row accounts for a word of the question: in its clause, its sentence, or the one before."""
    if lemma in row.clause or (lemma.startswith("un") and verb_lemma(lemma[2:]) in row.clause):
        return 1.0
    if lemma in row.nouns:
        return _INHERITED
    if any(lemma in side and side & row.clause for sides in opposite_words() for side in sides):
        return KIND_AGREEMENT
    if lemma in _PRICES and row.measure == "money":
        return 1.0
    kinds = event_kinds_of(lemma)
    if kinds and any(kinds & event_kinds_of(word) for word in row.clause):
        return KIND_AGREEMENT
    if is_same_kind(frozenset({lemma}), row.nouns | row.clause):
        return KIND_AGREEMENT
    if lemma in row.sentence:
        return SENTENCE_AGREEMENT
    begin = table.sentences[max(0, row.at - 1)][0]
    end = table.sentences[min(row.at + 1, len(table.sentences) - 1)][1]
    near, title = _lemmas_of(table.text[begin:end]), _lemmas_of(table.text[slice(*table.sentences[0])])
    about = SENTENCE_AGREEMENT if _PRONOUN.match(table.text[slice(*table.sentences[row.at])]) else _NEIGHBOUR
    return about if lemma in near or lemma in title else 0.0


def is_same_noun(noun: str, nouns: Iterable[str]) -> bool:
    """Return whether a noun is one of several, in the singular or the plural."""
    return any(noun == noun_beside or noun.replace("v", "f") == noun_beside.replace("v", "f") for noun_beside in nouns)


def share_of_words(lemmas: Iterable[str], row: AmountRow, table: AmountTable) -> float:
    """Return how much of some words a row accounts for (0..1)."""
    words = list(lemmas)
    return sum(word_agreement(word, row, table) for word in words) / len(words) if words else 0.0
