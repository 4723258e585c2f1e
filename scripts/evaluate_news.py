"""Precision and recall of causal sentences on the Causal News Corpus, version 2 (Tan et al. 2022).

    python scripts/evaluate_news.py SUBTASK1.CSV [SUBTASK2_GROUPED.CSV]

A sentence is predicted to be causal where a rule finds a claim in it that is no mere association; negated, hedged and supposed
claims count, claims that are asked after do not. With the second file, the spans of the claims are compared with the annotated
causes, effects and signals. A claim is right where its cause overlaps the cause, and its effect the effect, of one relation.

Since rules were learnt on this set, there is a figure with five folds too, documents kept whole: in each fold only those rules
answer that were right in at least `--keep` of their sentences of the other four, or were in none of them.
"""

from __future__ import annotations

import argparse
import ast
import csv
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from intervals import Table, resampled, share

from graph.mining.miner import MinedClaim, Miner
from graph.model import Relation, Stance

Span = tuple[int, int]

FOLDS = 5
_CUES = re.compile(
    r"\b(?:because|since|therefore|thus|hence|due to|owing to|thanks to|as a result|result(?:s|ed|ing)? (?:in|from)|"
    r"caus(?:e|es|ed|ing)|le(?:ad|ads|d|ading) to|trigger\w*|spark\w*|provok\w*|so that|in order to|reasons?)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)(ARG0|ARG1|SIG)\d*>")


@dataclass(frozen=True, slots=True)
class Gold:
    """An annotated relation: the spans of its cause, its effect and its signals, as characters of the sentence."""

    cause: Span
    effect: Span
    signals: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence: whether it is causal, and its relations, where the second file has them."""

    name: str
    text: str
    causal: bool
    relations: tuple[Gold, ...]

    @property
    def fold(self) -> int:
        """The fold of the sentence: that of its document, which the first numbers of its name tell."""
        return zlib.crc32("_".join(self.name.split("_")[:3]).encode()) % FOLDS


class Unreadable(Exception):
    """A file is not one of the corpus; the message says why."""


def read_rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV file that has the columns; raises `Unreadable`."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [column for column in columns if column not in (reader.fieldnames or ())]
            if missing:
                raise Unreadable(f"{path}: no column '{missing[0]}' in it")
            return list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Unreadable(f"{path}: {error}") from error


def read_items(sentences: Path, relations: Path | None) -> list[Item]:
    """Return the sentences of the first file with the relations of the second."""
    marked = {}
    if relations is not None:
        for row in read_rows(relations, ("text", "causal_text_w_pairs")):
            marked[row["text"]] = tuple(read_relation(one) for one in ast.literal_eval(row["causal_text_w_pairs"]))
    return [
        Item(row["index"], row["text"], row["label"] == "1", marked.get(row["text"], ()))
        for row in read_rows(sentences, ("index", "text", "label"))
    ]


def read_relation(marked: str) -> Gold:
    """Return the spans that the tags of a sentence mark; tags may cross each other."""
    open_at: dict[str, int] = {}
    spans: dict[str, list[Span]] = {"ARG0": [], "ARG1": [], "SIG": []}
    length = last = 0
    for tag in _TAG.finditer(marked):
        length += tag.start() - last
        last = tag.end()
        if tag[1]:
            spans[tag[2]].append((open_at.pop(tag[2], length), length))
        else:
            open_at[tag[2]] = length
    return Gold((spans["ARG0"] or [(0, 0)])[0], (spans["ARG1"] or [(0, 0)])[0], tuple(spans["SIG"]))


def counts(one: MinedClaim) -> bool:
    """Return whether a claim makes its sentence causal."""
    return one.claim.relation is not Relation.ASSOCIATED and one.stance is not Stance.QUESTIONED


def table(items: Iterable[Item], answers: Iterable[bool]) -> Table:
    """Return how often sentences are causal and are said to be."""
    cells = Counter((item.causal, answer) for item, answer in zip(items, answers, strict=True))
    return Table(cells[True, True], cells[False, True], cells[True, False], cells[False, False])


def report(name: str, cells: Table) -> None:
    """Print precision and recall with Wilson's intervals, the rest with those of a bootstrap over sentences."""
    said, gold = cells.right + cells.wrong, cells.right + cells.missed
    print(f"{name}: precision {share(cells.right, said)}, recall {share(cells.right, gold)}")
    print("  " + ", ".join(f"{what} {resampled(cells, what)}" for what in ("F1", "MCC", "balanced accuracy")))


def five_fold(items: Sequence[Item], found: Sequence[Sequence[MinedClaim]], keep: float) -> list[bool]:
    """Return the answers where each fold is judged by the rules that do well enough on the others."""
    answers = [False] * len(items)
    for fold in range(FOLDS):
        right, all_of = Counter[str](), Counter[str]()
        for item, claims in zip(items, found, strict=True):
            if item.fold != fold:
                for rule in {one.rule.id for one in claims}:
                    all_of[rule] += 1
                    right[rule] += item.causal
        dropped = {rule for rule, number in all_of.items() if right[rule] < keep * number}
        for place, item in enumerate(items):
            if item.fold == fold:
                answers[place] = any(one.rule.id not in dropped for one in found[place])
    return answers


def overlap(one: Span, other: Span) -> bool:
    """Return whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def verdict(one: MinedClaim, relations: Iterable[Gold]) -> str:
    """Return "right", "reversed" or "other": how a claim stands to the annotated relations of its sentence."""
    if any(overlap(one.cause_span, gold.cause) and overlap(one.effect_span, gold.effect) for gold in relations):
        return "right"
    if any(overlap(one.cause_span, gold.effect) and overlap(one.effect_span, gold.cause) for gold in relations):
        return "reversed"
    return "other"


def token_f1(text: str, one: Span, other: Span) -> float:
    """Return the F1 of the words of one span against those of another."""
    first, second = ({word.start() for word in re.finditer(r"\w+", text) if overlap(word.span(), span)} for span in (one, other))
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 0.0


def report_spans(items: Sequence[Item], found: Sequence[Sequence[MinedClaim]]) -> None:
    """Print how the spans of the claims agree with the annotated ones."""
    verdicts, cues, signals = Counter[str](), 0, 0
    scores: dict[str, list[float]] = {"cause": [], "effect": []}
    relations = reached = 0
    for item, claims in zip(items, found, strict=True):
        relations += len(item.relations)
        for gold in item.relations:
            reached += any(verdict(one, [gold]) == "right" for one in claims)
        for one in claims:
            outcome = verdict(one, item.relations)
            verdicts[outcome] += 1
            gold = next((gold for gold in item.relations if verdict(one, [gold]) == outcome), None)
            if outcome == "right" and gold is not None:
                scores["cause"].append(token_f1(item.text, one.cause_span, gold.cause))
                scores["effect"].append(token_f1(item.text, one.effect_span, gold.effect))
                signals += bool(gold.signals)
                cues += any(overlap(one.cue_span, signal) for signal in gold.signals)
    total = verdicts.total()
    for outcome in ("right", "reversed", "other"):
        print(f"claims that are {outcome}: {share(verdicts[outcome], total)}")
    print(f"annotated relations that a claim is right about: {share(reached, relations)}")
    for end, values in scores.items():
        print(f"token F1 of the {end} in right claims: {sum(values) / max(1, len(values)):.3f}")
    print(f"cue on the signal, of right claims whose relation has one: {share(cues, signals)}")


def report_rules(items: Sequence[Item], found: Sequence[Sequence[MinedClaim]]) -> None:
    """Print for each rule how many of the sentences with its claims are causal, and what the relations say of the claims."""
    sentences, claims_by = Counter[tuple[str, bool]](), Counter[tuple[str, str]]()
    for item, claims in zip(items, found, strict=True):
        sentences.update((rule, item.causal) for rule in {one.rule.id for one in claims})
        claims_by.update((one.rule.id, verdict(one, item.relations)) for one in claims)
    for rule in sorted({rule for rule, _ in sentences}, key=lambda one: (-sentences[one, True] - sentences[one, False], one)):
        told = ", ".join(f"{claims_by[rule, outcome]} {outcome}" for outcome in ("right", "reversed", "other"))
        spans = f"; claims: {told}" if any(item.relations for item in items) else ""
        print(f"  {rule}: {sentences[rule, True]} right, {sentences[rule, False]} wrong{spans}")


def main() -> None:
    """Mine the sentences, and print the scores beside the trivial ones and the counts by rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("relations", type=Path, nargs="?")
    parser.add_argument("--keep", type=float, default=0.7)
    arguments = parser.parse_args()
    try:
        items = read_items(arguments.sentences, arguments.relations)
    except Unreadable as error:
        raise SystemExit(str(error)) from error
    found = [[one for one in claims if counts(one)] for claims in Miner().mine([item.text for item in items])]
    report("kgqa extract", table(items, map(bool, found)))
    report(f"five folds, rules kept at {arguments.keep}", table(items, five_fold(items, found, arguments.keep)))
    report("always yes", table(items, [True] * len(items)))
    report("cue words", table(items, [_CUES.search(item.text) is not None for item in items]))
    if any(item.relations for item in items):
        report_spans(items, found)
    report_rules(items, found)


if __name__ == "__main__":
    main()
