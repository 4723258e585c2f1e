"""Precision and recall of directed Cause-Effect on a file of SemEval-2010 Task 8 sentences (Hendrickx et al. 2010).

    python scripts/evaluate_semeval.py TRAIN_FILE.TXT

A claim counts for the marked pair where its cause and its effect overlap the two marked nominals. It is right where the gold
relation is Cause-Effect in the same direction. Claims about other words of the sentence are not judged by this set.

Rules were learnt on this very file. So two figures are five-fold: each fifth is scored with the rules that do well on the other
four fifths, where doing well is a posterior mean, under a uniform prior, of at least .6. Rules that find nothing there stay.
The second, stricter figure takes the rules that were learnt on this file only with the cue words that find something there: a
lower bound, for many of these words were known before.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from intervals import share

from graph.mining.miner import MinedClaim, Miner
from graph.model import Relation, Stance

FOLDS = 5
KEPT = 0.6
LEARNT_HERE = "SemEval"

_GOLD = {"Cause-Effect(e1,e2)": "e1->e2", "Cause-Effect(e2,e1)": "e2->e1"}


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with its two marked nominals, as character spans, and the direction of Cause-Effect, if any."""

    text: str
    first: tuple[int, int]
    second: tuple[int, int]
    gold: str | None


def read_items(path: Path) -> list[Item]:
    """Return the sentences of a SemEval-2010 Task 8 file."""
    items = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip().split("\n")
        if len(lines) > 1:
            items.append(read_item(lines[0].split("\t", 1)[1].strip().strip('"'), _GOLD.get(lines[1].strip())))
    return items


def read_item(marked: str, gold: str | None) -> Item:
    """Return a sentence without its marks."""
    text, spans = "", {"e1": (0, 0), "e2": (0, 0)}
    for part in re.split(r"(</?e[12]>)", marked):
        if re.fullmatch(r"<e[12]>", part):
            spans[part[1:3]] = (len(text), len(text))
        elif re.fullmatch(r"</e[12]>", part):
            spans[part[2:4]] = (spans[part[2:4]][0], len(text))
        else:
            text += part
    return Item(text, spans["e1"], spans["e2"], gold)


def predicted(item: Item, claims: list[MinedClaim]) -> set[str]:
    """Return the directions that the claims state for the marked pair."""
    found = set()
    for one in claims:
        if one.claim.relation is not Relation.CAUSES or one.stance in (Stance.NEGATED, Stance.QUESTIONED):
            continue
        for direction, (cause, effect) in {"e1->e2": (item.first, item.second), "e2->e1": (item.second, item.first)}.items():
            if overlap(one.cause_span, cause) and overlap(one.effect_span, effect):
                found.add(direction)
    return found


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def report(name: str, items: list[Item], answers: list[set[str]]) -> None:
    """Print precision, recall and F1 of some predictions."""
    right = sum(item.gold in answer for item, answer in zip(items, answers, strict=True) if item.gold)
    stated = sum(len(answer) for answer in answers)
    gold = sum(item.gold is not None for item in items)
    f1 = 2 * right / (stated + gold)
    print(f"{name}: precision {share(right, stated)}, recall {share(right, gold)}, F1 {f1:.3f}")


def judged(items: list[Item], claims: list[list[MinedClaim]]) -> tuple[Counter[str], Counter[str]]:
    """Return how many right and how many wrong claims each rule makes about the marked pairs, by its id."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for item, found in zip(items, claims, strict=True):
        for one in found:
            for direction in predicted(item, [one]):
                (right if direction == item.gold else wrong)[one.rule.id] += 1
    return right, wrong


def kept(right: Counter[str], wrong: Counter[str], name: str) -> bool:
    """Return whether the posterior mean of a rule's precision is at least `KEPT`, or the rule did nothing yet."""
    done = right[name] + wrong[name]
    return not done or (right[name] + 1) / (done + 2) >= KEPT


def cross_validated(items: list[Item], claims: list[list[MinedClaim]], strict: bool) -> list[set[str]]:
    """Return the predictions for each item by the rules that the other folds keep; with `strict`, by the cue words too."""
    answers: list[set[str]] = [set() for _ in items]
    for fold in range(FOLDS):
        elsewhere = [(items[place], claims[place]) for place in range(len(items)) if place % FOLDS != fold]
        right, wrong = judged([item for item, _ in elsewhere], [found for _, found in elsewhere])
        known = {(one.rule.id, cue_of(item, one)) for item, found in elsewhere for one in found if predicted(item, [one])}
        for place in range(fold, len(items), FOLDS):
            item = items[place]
            used = [one for one in claims[place] if kept(right, wrong, one.rule.id)]
            if strict:
                used = [one for one in used if one.rule.learnt != LEARNT_HERE or (one.rule.id, cue_of(item, one)) in known]
            answers[place] = predicted(item, used)
    return answers


def cue_of(item: Item, claim: MinedClaim) -> str:
    """Return the word that anchors a claim, in lower case."""
    return item.text[slice(*claim.cue_span)].lower()


def main() -> None:
    """Mine the sentences, and print the scores beside the trivial ones and the counts by rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    items = read_items(parser.parse_args().file)
    miner = Miner()
    began = time.perf_counter()
    claims = list(miner.mine([item.text for item in items]))
    seconds = time.perf_counter() - began
    answers = [predicted(item, found) for item, found in zip(items, claims, strict=True)]
    report("kgqa extract", items, answers)
    report("five-fold", items, cross_validated(items, claims, strict=False))
    report("five-fold, strict", items, cross_validated(items, claims, strict=True))
    report("always e1->e2", items, [{"e1->e2"}] * len(items))
    report("always e2->e1", items, [{"e2->e1"}] * len(items))
    print(f"{len(items)} sentences in {seconds:.1f} s, loading included")
    right, wrong = judged(items, claims)
    for rule in sorted(right | wrong, key=lambda name: -(right[name] + wrong[name])):
        print(f"  {rule}: {right[rule]} right, {wrong[rule]} wrong")


if __name__ == "__main__":
    main()
