"""Human ratings (M9, for outputs of any form): a blind sheet to rate on, its reading, means and agreement."""

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
from kgqa.evaluation.rating.rating_form import rating_forms

RUBRIC: Mapping[str, Mapping[int, str]] = rating_forms()["corrections"].values
"""What each value of each aspect says of an output (CREPE, section 5.3)."""


@dataclass(frozen=True, slots=True)
class HumanRating:
    """What one rater gave one output of one question, in one aspect; the remark is about the output."""

    item: str
    output: str
    rater: str
    aspect: str
    value: int
    remark: str = ""


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


def read_ratings(
    path: Path, key: Mapping[tuple[str, str], str] | None = None, rubric: Mapping[str, Mapping[int, str]] = RUBRIC
) -> list[HumanRating]:
    """Return the ratings in a CSV file with the columns item, output, rater and one or more aspects of the `rubric`.

    An empty cell is no rating; a column remark may stand beside them. With the `key` of a blind sheet the letters in the
    column output are told by their names. Raises `RatingsInvalid`, with the line, where a value is not of the rubric, an output
    is not in the key, or an output is rated twice by one rater.
    """
    ratings: list[HumanRating] = []
    seen: set[tuple[str, str, str]] = set()
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            aspects = _aspects(path, reader.fieldnames or (), rubric)
            for row in reader:
                place = f"{path}, line {reader.line_num}"
                cells = [(aspect, text) for aspect in aspects if (text := (row[aspect] or "").strip())]
                if not cells:
                    continue
                item, output, rater = (_cell(place, row, name) for name in ("item", "output", "rater"))
                if key is not None:
                    if (item, output) not in key:
                        raise RatingsInvalid(place, f"item '{item}' has no output '{output}' on the sheet")
                    output = key[item, output]
                if (item, output, rater) in seen:
                    raise RatingsInvalid(place, f"rater '{rater}' has rated this output of item '{item}' before")
                seen.add((item, output, rater))
                remark = unescape_formula((row.get("remark") or "").strip())
                ratings += [
                    HumanRating(item, output, rater, aspect, _value(place, aspect, text, rubric[aspect]), remark)
                    for aspect, text in cells
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
    return {place: mean(values) for place, values in item_means(ratings).items()}


def item_means(ratings: Iterable[HumanRating]) -> dict[tuple[str, str], list[float]]:
    """Return the mean over the raters of each question, 0..3, by output and aspect."""
    values: defaultdict[tuple[str, str], defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        values[rating.output, rating.aspect][rating.item].append(rating.value)
    return {place: [mean(given) for given in items.values()] for place, items in values.items()}


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


def _aspects(path: Path, columns: Sequence[str], rubric: Mapping[str, Mapping[int, str]]) -> list[str]:
    lost = [name for name in ("item", "output", "rater") if name not in columns]
    aspects = [name for name in rubric if name in columns]
    if lost or not aspects:
        raise RatingsInvalid(str(path), f"no column {', '.join(lost) or ' or '.join(rubric)} in its first line")
    return aspects


def _cell(place: str, row: Mapping[str, str | None], name: str) -> str:
    text = unescape_formula((row[name] or "").strip())
    if not text:
        raise RatingsInvalid(place, f"the column {name} is empty")
    return text


def _value(place: str, aspect: str, text: str, allowed: Mapping[int, str]) -> int:
    if text not in {str(value) for value in allowed}:
        raise RatingsInvalid(place, f"{aspect} is '{text}', it must be one of {', '.join(map(str, allowed))}")
    return int(text)
