"""Exact match and numeracy F1 of answers that are spans, numbers, yes, no or nothing (M13, M14), spans aligned one to one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import MetricForm, is_released_form
from kgqa.evaluation.metrics.text_scores import ARTICLES, PUNCTUATION, PrecisionRecall


def best_assignment(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return pairs of row and column, each used once and as many as there can be, whose weights have the greatest sum.

    Source: the Hungarian method with potentials (Kuhn 1955; Jonker and Volgenant 1987), O(rows² columns); it adds one row at a
    time along a cheapest augmenting path.
    """
    if not weights or not weights[0]:
        return []
    if len(weights) > len(weights[0]):
        return sorted((row, column) for column, row in best_assignment(list(zip(*weights, strict=True))))
    rows, columns = len(weights), len(weights[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    holder = [0] * (columns + 1)  # the row that has a column; rows and columns count from 1, 0 is none
    for row in range(1, rows + 1):
        holder[0], column = row, 0
        slack, before, done = [math.inf] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while holder[column]:
            done[column] = True
            held_row = holder[column]
            for candidate in range(1, columns + 1):
                if not done[candidate]:
                    cost = -weights[held_row - 1][candidate - 1] - row_price[held_row] - column_price[candidate]
                    if cost < slack[candidate]:
                        slack[candidate], before[candidate] = cost, column
            nearest = min((candidate for candidate in range(1, columns + 1) if not done[candidate]), key=slack.__getitem__)
            step = slack[nearest]
            for candidate in range(columns + 1):
                if done[candidate]:
                    row_price[holder[candidate]] += step
                    column_price[candidate] -= step
                else:
                    slack[candidate] -= step
            column = nearest
        while column:
            holder[column], column = holder[before[column]], before[column]
    return sorted((holder[column] - 1, column - 1) for column in range(1, columns + 1) if holder[column])


def greedy_assignment(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return pairs of row and column, each used once and as many as there can be, the heaviest pair first, then the next.

    Of pairs with the same weight the one that comes first is taken.
    """
    cells = ((weight, row, column) for row, line in enumerate(weights) for column, weight in enumerate(line))
    rows, columns, pairs = set[int](), set[int](), []
    for _, row, column in sorted(cells, key=lambda cell: -cell[0]):
        if row not in rows and column not in columns:
            pairs.append((row, column))
            rows.add(row)
            columns.add(column)
    return sorted(pairs)


NULL = "none"
"""What stands for the answer NULL, in answers and in predictions (the task's NULL, the metric's NONE, the code's "none")."""

_SIGN = re.compile(r"^\s*[-−](?=[\d.])")
_WITH_UNIT = re.compile(
    r"^[^\w.−-]*(?P<number>[-−]?\d[\d,]*(?:\.\d+)?|[-−]?\.\d+)[\s-]*(?P<scale>(?:hundred|thousand|million|billion|trillion)\b)?\D*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AnnotatedAnswer:
    """What one annotator answered: one span or several, or `NULL` alone; `numeric` where it is a number with a unit."""

    spans: tuple[str, ...]
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class DropScores:
    """Exact match, 0 or 1, and numeracy F1, 0..1."""

    exact: float
    f1: float


def drop_scores(prediction: Sequence[str], golds: Sequence[AnnotatedAnswer], form: MetricForm = "strict") -> DropScores:
    """Return the best exact match and the best F1 of predicted spans over the annotators; no span counts as `NULL`.

    Strict, as the IIRC paper has it (section 4.3): the units of numbers are ignored, bags count each word as often as it
    occurs, spans are aligned greedily, a number has F1 1 or 0 like its exact match, a minus sign belongs to its number. Released
    (the numeracy scorer of DROP, Dua et al. 2019, in the authors' code): units count, bags are sets, the alignment is the
    best one, F1 is rounded to two places, "-5" is 5. In both, F1 is the mean over as many spans as the longer side has, and a
    span with a number has 0 where none of its numbers is met. Raises `MetricInvalid` without annotators, or where one has
    no span.
    """
    released = is_released_form(form)
    if isinstance(prediction, str):
        raise MetricInvalid("a prediction is a list of spans, not one text")
    if not golds or not all(gold.spans for gold in golds):
        raise MetricInvalid("every annotator's answer needs a span; no answer is the span 'none'")
    predicted = tuple(prediction) or (NULL,)
    annotator_scores = [_released_scores(predicted, gold) if released else _strict_scores(predicted, gold) for gold in golds]
    return DropScores(max(score.exact for score in annotator_scores), max(score.f1 for score in annotator_scores))


def without_unit(text: str) -> str:
    """Return the number of "36 years", "$5 million" or "40%" without unit and commas; a scale such as million is no unit.

    A text with other words before the number, or with several numbers, is left as it is.
    """
    match = _WITH_UNIT.match(text.strip())
    return " ".join([match["number"].replace(",", ""), *(match["scale"] or "").split()]) if match else text


def _strict_scores(predicted: Sequence[str], gold: AnnotatedAnswer) -> DropScores:
    spans = gold.spans
    if gold.numeric:
        predicted, spans = [without_unit(text) for text in predicted], tuple(without_unit(text) for text in spans)
    first, second = ([_comparable_words(text, signed=True) for text in texts] for texts in (predicted, spans))
    exact = float(sorted(first) == sorted(second))
    if gold.numeric or exact:
        return DropScores(exact, exact)
    weights = [[_bag_f1(Counter(gold_words), Counter(predicted_words)) for predicted_words in first] for gold_words in second]
    return DropScores(exact, _aligned_mean(weights, greedy_assignment(weights)))


def _released_scores(predicted: Sequence[str], gold: AnnotatedAnswer) -> DropScores:
    if not gold.spans[0].strip():
        return DropScores(0.0, 0.0)
    first, second = ([_comparable_words(text, signed=False) for text in texts] for texts in (predicted, gold.spans))
    exact = float({*map(tuple, first)} == {*map(tuple, second)} and len(first) == len(second))
    weights = [
        [_bag_f1(Counter(set(gold_words)), Counter(set(predicted_words))) for predicted_words in first] for gold_words in second
    ]
    return DropScores(exact, round(_aligned_mean(weights, best_assignment(weights)) * 100) / 100)


def _aligned_mean(weights: Sequence[Sequence[float]], pairs: Sequence[tuple[int, int]]) -> float:
    """Return the mean over as many spans as the longer side has; what is left without a partner counts 0."""
    return sum(weights[row][column] for row, column in pairs) / max(len(weights), len(weights[0]))


def _bag_f1(gold: Counter[str], predicted: Counter[str]) -> float:
    numbers = {word for word in gold if _is_number(word)}
    if numbers and not numbers & set(predicted):
        return 0.0
    scores = PrecisionRecall.of((gold & predicted).total(), predicted.total(), gold.total())
    both = scores.precision + scores.recall
    # Not `scores.f1`: the last bit of this form of it decides how the released code rounds.
    return 2 * scores.precision * scores.recall / both if both else 0.0


def _comparable_words(text: str, *, signed: bool) -> list[str]:
    """Return the words of a text as DROP compares them: split at spaces and hyphens, numbers as decimal numbers."""
    minus = signed and bool(_SIGN.match(text))
    parts = []
    for token in re.split("[ -]", (_SIGN.sub("", text) if minus else text).lower()):
        bare = token if _is_number(token) else token.translate(PUNCTUATION)
        parts += ARTICLES.sub(" ", str(float(bare)) if _is_number(bare) else bare).split()
    if minus and parts and _is_number(parts[0]):
        parts[0] = f"-{parts[0]}"
    return parts


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
