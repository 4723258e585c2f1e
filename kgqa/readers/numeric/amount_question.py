"""What a question of an amount asks for: its kind, the noun that is counted, the unit, and the cues of an operation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_parser import quantities_in
from kgqa.quantities.units import CURRENCY_NAMES, unit_of
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, verb_lemma, years_in


class AmountKind(StrEnum):
    """What is asked for."""

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
    for name in ("total", "left", "negation", "daily", "late", "before", "next", "begun", "apart")
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
        if self.kind is AmountKind.MONEY or self.unit in CURRENCY_NAMES:
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
    if kind is None or (kind is not AmountKind.SHARE and NUMERIC_CUES["asks percent"].search(text)):
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
