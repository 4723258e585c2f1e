"""Directed Cause-Effect on a file of SemEval-2010 Task 8 sentences (Hendrickx et al. 2010).

A claim counts for the marked pair where its cause and its effect overlap the two marked nominals. It is right where the gold
relation is Cause-Effect in the same direction. Claims about other words of the sentence are not judged by this set.

Rules were learnt on the training file of this very set. So two figures are five-fold: each fifth is scored with the rules that
do well on the other four fifths, where doing well is a posterior mean, under a uniform prior, of at least .6. Rules that find
nothing there stay. The second, stricter figure takes the rules that were learnt on this file only with the cue words that find
something there: a lower bound, for many of these words were known before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.mining.miner import MinedClaim, spans_overlap
from graph.model import Relation, Stance
from graph.sources.article import Skipped
from graph.sources.input_stream import InputStream, OnSkip, open_input, read_items
from kgqa.evaluation.extraction import prediction_record
from kgqa.evaluation.metrics.score_intervals import Interval, bootstrap_counts, wilson
from kgqa.evaluation.metrics.text_scores import PrecisionRecall
from kgqa.evaluation.score_table import ScoreCell, ScoreTable

FOLDS = 5
KEEP_PRECISION = 0.6
LEARNT_HERE = "SemEval"

_GOLD = {"Cause-Effect(e1,e2)": "e1->e2", "Cause-Effect(e2,e1)": "e2->e1"}
_EXPECTED = "SemEval-2010 Task 8: a number, a tab and a sentence with <e1> and <e2>, and its relation in the next line"
_OPENING = re.compile(r'(?P<number>\d+)\t"?(?P<text>.*?<e[12]>.*</e[12]>.*?)"?')
_RELATION = re.compile(r"Other|[A-Z]\w+-[A-Z]\w+\(e[12],e[12]\)")


@dataclass(frozen=True, slots=True)
class SemevalSentence:
    """A sentence with its two marked nominals, as character spans, and the direction of Cause-Effect, if any."""

    text: str
    first: tuple[int, int]
    second: tuple[int, int]
    gold: str | None
    number: str = ""


def read_files(paths: Sequence[str], on_skip: Callable[[str], OnSkip]) -> list[SemevalSentence]:
    """Return the sentences of files; raise `FormatUnknown` for one that holds none, and the errors of `open_input`."""
    items: list[SemevalSentence] = []
    for path in paths:
        with open_input(path) as stream:
            items.extend(read_items(stream, read_marked_sentences, _EXPECTED, on_skip(stream.name)))
    return items


def read_marked_sentences(stream: InputStream, on_skip: OnSkip) -> Iterator[SemevalSentence]:
    """Yield the sentences of a file: blocks of a sentence, its relation and a comment, with an empty line between them."""
    block: list[str] = []
    begin = 1
    for number, line in stream.lines(on_skip):
        if line.strip():
            begin = begin if block else number
            block.append(line.strip())
        elif block:
            yield from _read_block(block, begin, on_skip)
            block = []
    if block:
        yield from _read_block(block, begin, on_skip)


def _read_block(block: Sequence[str], begin: int, on_skip: OnSkip) -> Iterator[SemevalSentence]:
    opening = _OPENING.fullmatch(block[0])
    if opening is None or len(block) < 2 or not _RELATION.fullmatch(block[1]):
        on_skip(Skipped(f"line {begin}", "no sentence with two marks" if opening is None else "no relation in the next line"))
        return
    yield parse_marked_sentence(opening["text"], _GOLD.get(block[1]), opening["number"])


def parse_marked_sentence(marked: str, gold: str | None, number: str = "") -> SemevalSentence:
    """Return a sentence without its marks."""
    text, spans = "", {"e1": (0, 0), "e2": (0, 0)}
    for part in re.split(r"(</?e[12]>)", marked):
        if re.fullmatch(r"<e[12]>", part):
            spans[part[1:3]] = (len(text), len(text))
        elif re.fullmatch(r"</e[12]>", part):
            spans[part[2:4]] = (spans[part[2:4]][0], len(text))
        else:
            text += part
    return SemevalSentence(text, spans["e1"], spans["e2"], gold, number)


def predicted_directions(item: SemevalSentence, claims: Sequence[MinedClaim]) -> set[str]:
    """Return the directions that the claims state for the marked pair."""
    directions = set()
    for mined_claim in claims:
        if mined_claim.claim.relation is not Relation.CAUSES or mined_claim.stance in (Stance.NEGATED, Stance.QUESTIONED):
            continue
        for direction, (cause, effect) in {"e1->e2": (item.first, item.second), "e2->e1": (item.second, item.first)}.items():
            if spans_overlap(mined_claim.cause_span, cause) and spans_overlap(mined_claim.effect_span, effect):
                directions.add(direction)
    return directions


def judge_rules(items: Sequence[SemevalSentence], claims: Sequence[Sequence[MinedClaim]]) -> tuple[Counter[str], Counter[str]]:
    """Return how many right and how many wrong claims each rule makes about the marked pairs, by its id."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for item, item_claims in zip(items, claims, strict=True):
        for mined_claim in item_claims:
            for direction in predicted_directions(item, [mined_claim]):
                (right if direction == item.gold else wrong)[mined_claim.rule.id] += 1
    return right, wrong


def keeps_rule(right: Counter[str], wrong: Counter[str], name: str) -> bool:
    """Return whether the posterior mean of a rule's precision is at least `KEPT`, or the rule did nothing yet."""
    done = right[name] + wrong[name]
    return not done or (right[name] + 1) / (done + 2) >= KEEP_PRECISION


def cross_validate(items: Sequence[SemevalSentence], claims: Sequence[Sequence[MinedClaim]], strict: bool) -> list[set[str]]:
    """Return the predictions for each item by the rules that the other folds keep; with `strict`, by the cue words too."""
    answers: list[set[str]] = [set() for _ in items]
    for fold in range(FOLDS):
        elsewhere = [(items[place], claims[place]) for place in range(len(items)) if place % FOLDS != fold]
        right, wrong = judge_rules([item for item, _ in elsewhere], [item_claims for _, item_claims in elsewhere])
        known = {
            (mined_claim.rule.id, cue_text(item, mined_claim))
            for item, item_claims in elsewhere
            for mined_claim in item_claims
            if predicted_directions(item, [mined_claim])
        }
        for place in range(fold, len(items), FOLDS):
            item = items[place]
            used = [mined_claim for mined_claim in claims[place] if keeps_rule(right, wrong, mined_claim.rule.id)]
            if strict:
                used = [
                    mined_claim
                    for mined_claim in used
                    if mined_claim.rule.learnt != LEARNT_HERE or (mined_claim.rule.id, cue_text(item, mined_claim)) in known
                ]
            answers[place] = predicted_directions(item, used)
    return answers


def cue_text(item: SemevalSentence, claim: MinedClaim) -> str:
    """Return the word that anchors a claim, in lower case."""
    return item.text[slice(*claim.cue_span)].lower()


def record(number: int, item: SemevalSentence, mined_claims: Sequence[MinedClaim]) -> Mapping[str, Any]:
    """Return what was found in a sentence, as it is written."""
    directions = sorted(predicted_directions(item, mined_claims))
    return prediction_record(item.number or str(number), item.text, directions, [item.gold] if item.gold else [], mined_claims)


def tables(items: Sequence[SemevalSentence], claims: Sequence[Sequence[MinedClaim]]) -> Iterator[ScoreTable]:
    """Yield the scores beside the constant directions, and the counts by rule."""
    systems = {
        "kgqa extract": [predicted_directions(item, item_claims) for item, item_claims in zip(items, claims, strict=True)],
        "five folds": cross_validate(items, claims, strict=False),
        "five folds, strict": cross_validate(items, claims, strict=True),
        "always first to second": [{"e1->e2"} for _ in items],
        "always second to first": [{"e2->e1"} for _ in items],
    }
    rows = tuple((name, _direction_scores(items, answers)) for name, answers in systems.items())
    note = (
        "Precision and recall with Wilson's intervals, F1 with that of a bootstrap over sentences. In the folds a rule is kept "
        "where it does well on the other folds; the strict ones also drop cue words that the other folds do not have."
    )
    yield ScoreTable("Directed Cause-Effect", ("right", "stated", "gold", "precision", "recall", "F1"), rows, note)
    right, wrong = judge_rules(items, claims)
    names = sorted(right | wrong, key=lambda name: (-(right[name] + wrong[name]), name))
    yield ScoreTable("By rule", ("right", "wrong"), tuple((name, (right[name], wrong[name])) for name in names))


def _direction_scores(items: Sequence[SemevalSentence], answers: Sequence[set[str]]) -> tuple[ScoreCell, ...]:
    cells = Counter(
        (item.gold is not None, len(answer), item.gold in answer) for item, answer in zip(items, answers, strict=True)
    )
    right, stated, gold = _direction_counts(cells)
    f1 = bootstrap_counts(cells, lambda counts: PrecisionRecall.of(*_direction_counts(counts)).f1)
    return (right, stated, gold, wilson_share(right, stated), wilson_share(right, gold), f1)


def _direction_counts(cells: Mapping[tuple[bool, int, bool], int]) -> tuple[int, int, int]:
    """Return how many predictions are right, how many there are, and how many pairs are there to be found."""
    right = sum(number for (gold, _, hit), number in cells.items() if gold and hit)
    stated = sum(number * predicted_count for (_, predicted_count, _), number in cells.items())
    return right, stated, sum(number for (gold, _, _), number in cells.items() if gold)


def wilson_share(count: int, total: int) -> Interval | None:
    """Return a share with Wilson's interval; `None` of nothing."""
    return Interval(count / total, *wilson(count, total)) if total else None
