"""Human ratings of presuppositions and corrections (M9): a blind sheet to rate on, its reading, means and agreement."""

from __future__ import annotations

import csv
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from graph.text.formula_cells import unescape_formula
from kgqa.errors import MetricInvalid, RatingsInvalid
from kgqa.evaluation.metrics.metric_conventions import mean

RUBRIC: Mapping[str, Mapping[int, str]] = {
    "fluency": {0: "has errors of grammar or spelling", 3: "has none"},
    "presupposition": {
        0: "not in the question",
        1: "in the question, but not false in fact",
        3: "in the question, and false",
    },
    "correction": {
        0: "wrong or made up",
        1: "right, but a bare negation",
        2: "right, but misses details",
        3: "right and sufficient",
    },
    "consistency": {
        0: "presupposition and correction are on different topics",
        1: "on the same topic, but neither negates the other",
        3: "they negate each other",
    },
}
"""What each value of each aspect says of an output (CREPE, section 5.3)."""


@dataclass(frozen=True, slots=True)
class HumanRating:
    """What one rater gave one output of one question, in one aspect."""

    item: str
    output: str
    rater: str
    aspect: str
    value: int


def blind_sheet(
    outputs: Mapping[str, Mapping[str, str]], seed: int = 0
) -> tuple[list[tuple[str, str, str]], dict[tuple[str, str], str]]:
    """Return rows to rate, each an item, a letter and a text, and the key: which output an item's letter stands for.

    `outputs` holds for each item the texts of the systems, the reference among them, by name; their order is drawn anew for each
    item, so that a rater cannot know who wrote what.
    """
    chance = random.Random(seed)
    rows, key = [], {}
    for item, texts in outputs.items():
        names = chance.sample(sorted(texts), len(texts))
        for place, name in enumerate(names):
            letter = chr(ord("A") + place) if place < 26 else str(place + 1)
            rows.append((item, letter, texts[name]))
            key[item, letter] = name
    return rows, key


def read_ratings(path: Path, key: Mapping[tuple[str, str], str] | None = None) -> list[HumanRating]:
    """Return the ratings in a CSV file with the columns item, output, rater and one or more aspects of the `RUBRIC`.

    An empty cell is no rating. With the `key` of a blind sheet the letters in the column output are told by their names. Raises
    `RatingsInvalid`, with the line, where a value is not of the rubric, an output is not in the key, or an output is rated
    twice by one rater.
    """
    ratings: list[HumanRating] = []
    seen: set[tuple[str, str, str]] = set()
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            aspects = _aspects(path, reader.fieldnames or ())
            for row in reader:
                place = f"{path}, line {reader.line_num}"
                item, output, rater = (_cell(place, row, name) for name in ("item", "output", "rater"))
                if key is not None:
                    if (item, output) not in key:
                        raise RatingsInvalid(place, f"item '{item}' has no output '{output}' on the sheet")
                    output = key[item, output]
                if (item, output, rater) in seen:
                    raise RatingsInvalid(place, f"rater '{rater}' has rated this output of item '{item}' before")
                seen.add((item, output, rater))
                cells = ((aspect, (row[aspect] or "").strip()) for aspect in aspects)
                ratings += [
                    HumanRating(item, output, rater, aspect, _value(place, aspect, text)) for aspect, text in cells if text
                ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise RatingsInvalid(str(path), f"cannot be read: {why}") from error
    if not ratings:
        raise RatingsInvalid(str(path), "there is no rating in it")
    return ratings


def rubric_means(ratings: Iterable[HumanRating]) -> dict[tuple[str, str], float]:
    """Return the mean value, 0..3, by output and aspect: first over the raters of a question, then over questions.

    Source: CREPE, section 5.3 and table 7.
    """
    values: defaultdict[tuple[str, str], defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        values[rating.output, rating.aspect][rating.item].append(rating.value)
    return {place: mean([mean(given) for given in items.values()]) for place, items in values.items()}


def rater_agreement(ratings: Sequence[HumanRating], aspect: str) -> float:
    """Return how often two raters put two outputs of a question in the same order: better, worse or alike, 0..1.

    This is how we read the pairwise comparison of CREPE, section 5.3 (table 7 has 65 to 96 percent). Raises `MetricInvalid`
    where no two raters rated the same two outputs.
    """
    given: defaultdict[str, defaultdict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for rating in ratings:
        if rating.aspect == aspect:
            given[rating.item][rating.rater][rating.output] = rating.value
    same = [
        _compare_values(mine[first], mine[second]) == _compare_values(theirs[first], theirs[second])
        for raters in given.values()
        for mine, theirs in combinations(raters.values(), 2)
        for first, second in combinations(sorted(mine.keys() & theirs.keys()), 2)
    ]
    if not same:
        raise MetricInvalid(f"no two raters rated the same two outputs of a question in {aspect}")
    return mean(same)


def _compare_values(first: int, second: int) -> int:
    return (first > second) - (first < second)


def _aspects(path: Path, columns: Sequence[str]) -> list[str]:
    lost = [name for name in ("item", "output", "rater") if name not in columns]
    aspects = [name for name in RUBRIC if name in columns]
    if lost or not aspects:
        raise RatingsInvalid(str(path), f"no column {', '.join(lost) or ' or '.join(RUBRIC)} in its first line")
    return aspects


def _cell(place: str, row: Mapping[str, str | None], name: str) -> str:
    text = unescape_formula((row[name] or "").strip())
    if not text:
        raise RatingsInvalid(place, f"the column {name} is empty")
    return text


def _value(place: str, aspect: str, text: str) -> int:
    allowed = RUBRIC[aspect]
    if text not in {str(value) for value in allowed}:
        raise RatingsInvalid(place, f"{aspect} is '{text}', it must be one of {', '.join(map(str, allowed))}")
    return int(text)
