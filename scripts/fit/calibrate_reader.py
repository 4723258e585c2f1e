"""Fit the calibration of the extractive reader on rows that it was not trained on, and write it into the model's reader.json.

    python scripts/training/train_reader.py rows ../shared/data ROWS.jsonl
    python scripts/fit/calibrate_reader.py ROWS.jsonl MODEL [--part calibration] [--dry-run]

Of each row four questions are made: its passage alone; the likest passage of another row alone, which does not tell; its passage
among such others; and these others alone. On the first two the temperature of the kinds and the weight of "not told" are fitted,
on those with a span the temperature of the spans, on the last two what a window is worth among many and what a retriever's score
adds (here, words in common with the question): each the best of a grid, by likelihood. Last comes the rising line from scores to
how often such candidates are right. What is printed was fitted on one half of the rows and measured on the other, both ways;
what is written was fitted on all.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kgqa.evaluation.metrics.confidence_scores import brier, expected_calibration_error
from kgqa.evaluation.metrics.score_intervals import bootstrap
from kgqa.questions.question_form import question_form_of
from kgqa.readers.answer_normalisation import normalise_answer, trim_span
from kgqa.readers.extractive.extractive_reader import score_window
from kgqa.readers.extractive.span_network import MODEL, SETTINGS, TOKENIZER, Logits, SpanNetwork, TextWindow, read_reader_folder
from kgqa.readers.extractive.span_scoring import LogitCalibration, rank_candidates, window_shares
from kgqa.readers.reader import AnswerKind, Candidate, Passage

OTHERS = 4
"""How many passages of other rows stand beside the right one."""
NOT_TOLD = 1 / 3
"""The share of questions whose passage does not tell, as in the train part of SQuAD 2.0."""
KNOTS = 12
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Row:
    """A question with a passage and what is right: spans of the passage for a kind that has them."""

    question: str
    passage: str
    kind: AnswerKind
    spans: Sequence[tuple[int, int]]
    answers: Sequence[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was read: passages, their windows with the logits, and the number of the one that tells, if one does."""

    row: Row
    passages: Sequence[Passage]
    read: Sequence[tuple[TextWindow, Logits]]
    right: int | None
    crowd: bool = field(default=False)


def main() -> None:
    """Fit, print what that does on rows held out, and write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("rows", type=Path)
    options.add_argument("model", type=Path)
    options.add_argument("--part", nargs="*", default=["calibration"], help="the parts of the rows to fit on")
    options.add_argument("--limit", type=int, default=400, help="the most rows, evenly drawn")
    options.add_argument("--dry-run", action="store_true", help="print only")
    given = options.parse_args()
    rows = drawn([one for one in rows_of(given.rows, given.part) if one.passage.strip()], given.limit)
    if len(rows) < 20:
        sys.exit(f"{given.rows} has only {len(rows)} rows of the parts {', '.join(given.part)}; at least 20 are needed")
    network = SpanNetwork(read_reader_folder(given.model))
    asked = questions(rows, network)
    longest = network.weights.longest
    halves = [[one for one in asked if rows.index(one.row) % 2 == half] for half in (0, 1)]
    report(f"as it is, {len(rows)} rows", asked, lambda one: LogitCalibration(), longest)
    crossed = [fitted(halves[1 - half], longest) for half in (0, 1)]
    report("fitted on the other half", asked, lambda one: crossed[rows.index(one.row) % 2], longest)
    found = fitted(asked, longest)
    print(json.dumps(asdict(found)))
    if not given.dry_run:
        write(given.model, found)


def rows_of(path: Path, parts: Sequence[str]) -> Iterable[Row]:
    """Yield the rows of some parts of a file."""
    with path.open(encoding="utf-8") as lines:
        for told in map(json.loads, lines):
            if told["part"] in parts and told["kind"] in list(AnswerKind):
                spans = [(start, end) for start, end in told["spans"]]
                yield Row(told["question"], told["passage"], AnswerKind(told["kind"]), spans, told["answers"])


def drawn(rows: Sequence[Row], limit: int) -> list[Row]:
    """Return at most so many rows, evenly drawn."""
    return [rows[place * len(rows) // limit] for place in range(limit)] if len(rows) > limit else list(rows)


def questions(rows: Sequence[Row], network: SpanNetwork) -> list[Asked]:
    """Return the four questions of every row, read; the first alone where no other passage is like it."""
    words = [Counter(re.findall(r"\w+", row.passage.lower())) for row in rows]
    known = Counter(word for one in words for word in one)
    made: list[Asked] = []
    for place, row in enumerate(rows):
        asked = set(re.findall(r"\w+", row.question.lower()))

        def like(other: int, asked: set[str] = asked) -> float:
            return sum(math.log(len(rows) / known[word]) for word in asked if word in words[other])

        order = sorted(
            (other for other in range(len(rows)) if rows[other].passage != row.passage), key=lambda one: (-like(one), one)
        )
        others = [
            one
            for one in order[:20]
            if not any(normalise_answer(text) in normalise_answer(rows[one].passage) for text in row.answers)
        ]
        own = Passage(row.passage, score=like(place))
        beside = [Passage(rows[one].passage, score=like(one)) for one in others[:OTHERS]]
        told = 0 if row.kind is not AnswerKind.NULL else None
        made.append(_read(row, [own], told, network))
        if beside:
            made.append(_read(row, beside[:1], None, network))
            made.append(_read(row, [own, *beside], told, network, crowd=True))
            made.append(_read(row, beside, None, network, crowd=True))
        if place % 50 == 49:
            print(f"{place + 1} of {len(rows)} rows read", file=sys.stderr, flush=True)
    return made


def _read(row: Row, passages: Sequence[Passage], right: int | None, network: SpanNetwork, crowd: bool = False) -> Asked:
    windows = [one for place, passage in enumerate(passages) for one in network.windows(place, 0, row.question, passage.text)]
    return Asked(row, passages, [(one, network.logits(one)) for one in windows], right, crowd)


def _measured(measure: Callable[[Sequence[float], Sequence[float]], float], pairs: Sequence[tuple[float, float]]) -> float:
    return measure(*zip(*pairs, strict=True))


def fitted(asked: Sequence[Asked], longest: int) -> LogitCalibration:
    """Return the calibration that fits some questions best."""
    alone = [one for one in asked if not one.crowd and len(one.read) == 1]
    found = LogitCalibration()
    grid = [(t, null) for t in np.geomspace(0.5, 4, 25) for null in np.linspace(-3, 3, 41)]
    t, null = min(grid, key=lambda pair: _kinds_loss(alone, *pair))
    found = replace(found, kind=round(float(t), 3), null=round(float(null), 3))
    temperatures = [float(one) for one in np.geomspace(0.5, 4, 25)]
    best = min(temperatures, key=lambda one: float(_spans_loss(alone, replace(found, span=one), longest)))
    found = replace(found, span=round(best, 3))
    crowds = [one for one in asked if one.crowd]
    pairs = (
        [(crowd, weight) for crowd in np.arange(0, 1.55, 0.05) for weight in np.arange(0, 2.1, 0.1)] if crowds else [(0.5, 0.0)]
    )
    heard = [[score_window(window, logits, found, longest) for window, logits in one.read] for one in crowds]

    def loss(pair: tuple[float, float]) -> float:
        trial = replace(found, crowd=float(pair[0]), retrieval=float(pair[1]))
        return sum(_crowd_loss(one, said, trial) for one, said in zip(crowds, heard, strict=True))

    crowd, weight = min(pairs, key=loss)
    found = replace(found, crowd=round(float(crowd), 2), retrieval=round(float(weight), 2))
    return replace(found, right=rising([pair for one in asked for pair in judged(one, found, longest)]))


def _kinds_loss(asked: Sequence[Asked], temperature: float, null: float) -> float:
    """Return the mean surprise at the kinds, as if so many questions were not told as `NOT_TOLD` says."""
    losses: dict[bool, list[float]] = {True: [], False: []}
    for one in asked:
        kind = one.row.kind if one.right is not None else AnswerKind.NULL
        logits = one.read[0][1].kind.astype(np.float64) + np.array(
            [null if each is AnswerKind.NULL else 0.0 for each in AnswerKind]
        )
        logits = logits / temperature
        losses[kind is AnswerKind.NULL].append(float(np.logaddexp.reduce(logits) - logits[list(AnswerKind).index(kind)]))
    told, untold = (sum(losses[none]) / max(1, len(losses[none])) for none in (False, True))
    return (1 - NOT_TOLD) * told + NOT_TOLD * untold


def _spans_loss(asked: Sequence[Asked], trial: LogitCalibration, longest: int) -> float:
    """Return the surprise at the right spans."""
    total = 0.0
    for one in asked:
        if one.right is not None and one.row.spans:
            said = score_window(*one.read[0], trial, longest)
            chance = sum(share for start, end, share in said.spans if _hit(one.row, start, end))
            total -= math.log(max(chance, _LEAST))
    return total


def _crowd_loss(one: Asked, heard: Sequence[Any], trial: LogitCalibration) -> float:
    """Return the surprise at the passage that tells, or that none does."""
    holding, none = window_shares(heard, one.passages, trial)
    chance = (
        none if one.right is None else sum(share for said, share in zip(heard, holding, strict=True) if said.passage == one.right)
    )
    return -math.log(max(chance, _LEAST)) * (NOT_TOLD if one.right is None else 1 - NOT_TOLD)


def _hit(row: Row, start: int, end: int) -> bool:
    """Return whether a span of the row's passage is one of the right ones, articles and punctuation aside."""
    low, high = trim_span(row.passage, start, end)
    said = normalise_answer(row.passage[low:high])
    wanted = {normalise_answer(row.passage[a:b]) for a, b in row.spans}
    return said in wanted | ({normalise_answer(text) for text in row.answers} if row.kind is AnswerKind.SPAN else set())


def judged(one: Asked, trial: LogitCalibration, longest: int) -> list[tuple[float, bool]]:
    """Return the scores of the candidates of a question, and whether each is right."""
    return [
        (candidate.score, _right(one, candidate))
        for candidate in _candidates(one, trial, longest)
        if candidate.kind is not AnswerKind.NULL
    ]


def _candidates(one: Asked, trial: LogitCalibration, longest: int) -> list[Candidate]:
    heard = [score_window(window, logits, trial, longest) for window, logits in one.read]
    return rank_candidates(heard, one.passages, trial, question_form_of(one.row.question), 5)


def _right(one: Asked, candidate: Candidate) -> bool:
    """Return whether a candidate is right; that none is told is right where no passage tells."""
    if candidate.kind is AnswerKind.NULL or one.right is None:
        return candidate.kind is AnswerKind.NULL and one.right is None
    if candidate.kind is not one.row.kind:
        return False
    if candidate.start is None or candidate.end is None:
        return True
    if candidate.passage != one.right:
        return normalise_answer(candidate.text) in {normalise_answer(text) for text in one.row.answers}
    return _hit(one.row, candidate.start, candidate.end)


def rising(pairs: Sequence[tuple[float, bool]]) -> tuple[tuple[float, float], ...]:
    """Return the rising broken line that is nearest to what was judged, pooled in neighbours of equal number."""
    ordered = sorted(pairs)
    size = max(20, len(ordered) // KNOTS)
    blocks: list[list[float]] = []
    for start in range(0, len(ordered), size):
        part = ordered[start : start + size]
        blocks.append([sum(score for score, _ in part), float(sum(right for _, right in part)), float(len(part))])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    knots = {round(score / count, 4): round(right / count, 4) for score, right, count in blocks}
    return tuple(sorted(knots.items()))


def report(title: str, asked: Sequence[Asked], calibration: Callable[[Asked], LogitCalibration], longest: int) -> None:
    """Print how often the first candidate is right, and how well its score tells it."""
    for name, crowd in (("one passage", False), (f"{OTHERS + 1} passages", True)):
        firsts = []
        for one in asked:
            if one.crowd is crowd:
                first = _candidates(one, calibration(one), longest)[0]
                firsts.append((first.score, float(_right(one, first))))
        if not firsts:
            continue
        told = []
        for measure in (brier, expected_calibration_error):
            found = bootstrap(firsts, partial(_measured, measure), rounds=500, seed=7)
            told.append(f"{measure.__name__} {found}")
        print(f"{title}, {name}: first candidate right {sum(right for _, right in firsts) / len(firsts):.3f}; {'; '.join(told)}")


def write(folder: Path, found: LogitCalibration) -> None:
    """Write the calibration, and the sizes of the files that it belongs to, into the model's reader.json."""
    described = folder / SETTINGS
    facts = json.loads(described.read_text(encoding="utf-8"))
    sizes = {name: (folder / name).stat().st_size for name in (MODEL, TOKENIZER)}
    described.write_text(json.dumps({**facts, "calibration": asdict(found), "bytes": sizes}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
