"""Causal sentences and spans of the Causal News Corpus, version 2 (Tan et al. 2022).

A sentence is predicted to be causal where a rule finds a claim in it that is no mere association; negated, hedged and supposed
claims count, claims that are asked after do not. With the second file, the spans of the claims are compared with the annotated
causes, effects and signals. A claim is right where its cause overlaps the cause, and its effect the effect, of one relation.

Since rules were learnt on the training file of this set, there is a figure with five folds too, documents kept whole: in each
fold only those rules answer that were right in at least `KEEP` of their sentences of the other four, or were in none of them.
"""

from __future__ import annotations

import ast
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.errors import FormatUnknown
from graph.mining.miner import MinedClaim, spans_overlap
from graph.model import Relation, Stance
from graph.sources.input_stream import InputStream, OnSkip, open_input, read_items
from graph.sources.jsonl import Record, RecordInvalid, parse_records, text_field
from graph.text.segmentation import token_pattern
from kgqa.evaluation.datasets.dataset_rows import required_text, table_records
from kgqa.evaluation.extraction import prediction_record
from kgqa.evaluation.extraction.semeval_relations import wilson_share
from kgqa.evaluation.metrics.label_scores import Confusion, confusion
from kgqa.evaluation.metrics.metric_conventions import mean
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, confusion_interval

CharacterSpan = tuple[int, int]

FOLDS = 5
KEEP_SHARE = 0.7
_EXPECTED = "the Causal News Corpus: a table with the columns index, text and label, or text and causal_text_w_pairs"
_CUES = re.compile(
    r"\b(?:because|since|therefore|thus|hence|due to|owing to|thanks to|as a result|result(?:s|ed|ing)? (?:in|from)|"
    r"caus(?:e|es|ed|ing)|le(?:ad|ads|d|ading) to|trigger\w*|spark\w*|provok\w*|so that|in order to|reasons?)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)(ARG0|ARG1|SIG)\d*>")
_MEASURES: Mapping[str, Callable[[Confusion[bool]], float]] = {
    "F1": lambda table: table.scores(True).f1,
    "MCC": lambda table: table.mcc,
    "balanced accuracy": lambda table: table.balanced_accuracy,
}


@dataclass(frozen=True, slots=True)
class AnnotatedRelation:
    """An annotated relation: the spans of its cause, its effect and its signals, as characters of the sentence."""

    cause: CharacterSpan
    effect: CharacterSpan
    signals: tuple[CharacterSpan, ...]


@dataclass(frozen=True, slots=True)
class NewsSentence:
    """A sentence: whether it is causal, and its relations, where the second file has them."""

    name: str
    text: str
    causal: bool
    relations: tuple[AnnotatedRelation, ...]

    @property
    def fold(self) -> int:
        """The fold of the sentence: that of its document, which the first numbers of its name tell."""
        return zlib.crc32("_".join(self.name.split("_")[:3]).encode()) % FOLDS


def read_files(paths: Sequence[str], on_skip: Callable[[str], OnSkip]) -> list[NewsSentence]:
    """Return the sentences of a file of sentences, with the relations of a file of relations where one is given, too.

    Raises `FormatUnknown` for a file that is neither, or where there is no file of sentences; and the errors of `open_input`.
    """
    sentences: dict[str, tuple[str, bool]] = {}
    relations: dict[str, tuple[AnnotatedRelation, ...]] = {}
    for path in paths:
        with open_input(path) as stream:
            for part in read_items(stream, _read_rows, _EXPECTED, on_skip(stream.name)):
                if isinstance(part, _SentenceRow):
                    sentences[part.name] = (part.text, part.causal)
                else:
                    relations[part.text] = part.relations
        last = stream.name
    if not sentences:
        raise FormatUnknown(last, "the file of sentences of the Causal News Corpus", "it holds relations only")
    return [NewsSentence(name, text, causal, relations.get(text, ())) for name, (text, causal) in sentences.items()]


@dataclass(frozen=True, slots=True)
class _SentenceRow:
    name: str
    text: str
    causal: bool


@dataclass(frozen=True, slots=True)
class _RelationsRow:
    text: str
    relations: tuple[AnnotatedRelation, ...]


def _read_rows(stream: InputStream, on_skip: OnSkip) -> Iterator[_SentenceRow | _RelationsRow]:
    return parse_records(table_records(stream, on_skip), _parse_row, on_skip)


def _parse_row(record: Record, _: str) -> _SentenceRow | _RelationsRow:
    if "causal_text_w_pairs" in record:
        return _RelationsRow(text_field(record, "text"), _parse_relations(text_field(record, "causal_text_w_pairs")))
    label = required_text(record, "label")
    if label not in ("0", "1"):
        raise RecordInvalid("'label' is neither 0 nor 1")
    return _SentenceRow(required_text(record, "index"), text_field(record, "text"), label == "1")


def _parse_relations(marked: str) -> tuple[AnnotatedRelation, ...]:
    """Return the relations of a sentence, which is there once for each, marked."""
    try:
        texts = ast.literal_eval(marked)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise RecordInvalid("'causal_text_w_pairs' is no list of texts") from None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordInvalid("'causal_text_w_pairs' is no list of texts")
    return tuple(map(parse_marked_relation, texts))


def parse_marked_relation(marked: str) -> AnnotatedRelation:
    """Return the spans that the tags of a sentence mark; tags may cross each other."""
    open_at: dict[str, int] = {}
    spans: dict[str, list[CharacterSpan]] = {"ARG0": [], "ARG1": [], "SIG": []}
    length = last = 0
    for tag in _TAG.finditer(marked):
        length += tag.start() - last
        last = tag.end()
        if tag[1]:
            spans[tag[2]].append((open_at.pop(tag[2], length), length))
        else:
            open_at[tag[2]] = length
    return AnnotatedRelation((spans["ARG0"] or [(0, 0)])[0], (spans["ARG1"] or [(0, 0)])[0], tuple(spans["SIG"]))


def counts_as_causal(mined_claim: MinedClaim) -> bool:
    """Return whether a claim makes its sentence causal."""
    return mined_claim.claim.relation is not Relation.ASSOCIATED and mined_claim.stance is not Stance.QUESTIONED


def is_causal(mined_claims: Sequence[MinedClaim]) -> bool:
    """Return whether the claims make their sentence causal."""
    return any(map(counts_as_causal, mined_claims))


def five_fold_answers(items: Sequence[NewsSentence], mined_claims: Sequence[Sequence[MinedClaim]], keep: float) -> list[bool]:
    """Return the answers where each fold is judged by the rules that do well enough on the others."""
    answers = [False] * len(items)
    for fold in range(FOLDS):
        right, all_of = Counter[str](), Counter[str]()
        for item, claims in zip(items, mined_claims, strict=True):
            if item.fold != fold:
                for rule in {mined_claim.rule.id for mined_claim in claims}:
                    all_of[rule] += 1
                    right[rule] += item.causal
        dropped = {rule for rule, number in all_of.items() if right[rule] < keep * number}
        for place, item in enumerate(items):
            if item.fold == fold:
                answers[place] = any(mined_claim.rule.id not in dropped for mined_claim in mined_claims[place])
    return answers


def relation_verdict(mined_claim: MinedClaim, relations: Iterable[AnnotatedRelation]) -> str:
    """Return "right", "reversed" or "other": how a claim stands to the annotated relations of its sentence."""
    annotated = list(relations)
    cause, effect = mined_claim.cause_span, mined_claim.effect_span
    if any(spans_overlap(cause, gold.cause) and spans_overlap(effect, gold.effect) for gold in annotated):
        return "right"
    if any(spans_overlap(cause, gold.effect) and spans_overlap(effect, gold.cause) for gold in annotated):
        return "reversed"
    return "other"


def span_f1(text: str, first_span: CharacterSpan, second_span: CharacterSpan) -> float:
    """Return the F1 of the words of one span against those of another."""
    first, second = (
        {word.start() for word in token_pattern().finditer(text) if spans_overlap(word.span(), span)}
        for span in (first_span, second_span)
    )
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 0.0


def record(number: int, item: NewsSentence, mined_claims: Sequence[MinedClaim]) -> Mapping[str, Any]:
    """Return what was found in a sentence, as it is written."""
    predicted, gold = (["causal"] if causal else [] for causal in (is_causal(mined_claims), item.causal))
    return prediction_record(item.name or str(number), item.text, predicted, gold, mined_claims)


def tables(items: Sequence[NewsSentence], claims: Sequence[Sequence[MinedClaim]]) -> Iterator[ScoreTable]:
    """Yield the scores of sentences and, where relations are annotated, of spans; and the counts by rule."""
    counted_claims = [[mined_claim for mined_claim in each if counts_as_causal(mined_claim)] for each in claims]
    systems = {
        "kgqa extract": list(map(bool, counted_claims)),
        f"five folds, rules kept at {KEEP_SHARE}": five_fold_answers(items, counted_claims, KEEP_SHARE),
        "always yes": [True] * len(items),
        "always no": [False] * len(items),
        "cue words": [_CUES.search(item.text) is not None for item in items],
    }
    gold = [item.causal for item in items]
    rows = tuple((name, _sentence_scores(gold, answers)) for name, answers in systems.items())
    note = "Precision and recall with Wilson's intervals, the rest with those of a bootstrap over sentences."
    yield ScoreTable("Causal sentences", ("right", "said", "precision", "recall", *_MEASURES), rows, note)
    if any(item.relations for item in items):
        yield _span_table(items, counted_claims)
    yield _rule_table(items, counted_claims)


def _sentence_scores(gold: Sequence[bool], answers: Sequence[bool]) -> tuple[ScoreCell, ...]:
    cells = confusion(gold, answers, (True, False))
    right, predicted_count = cells.right(True), cells.predicted(True)
    measured = [confusion_interval(cells, measure) for measure in _MEASURES.values()]
    return (right, predicted_count, wilson_share(right, predicted_count), wilson_share(right, cells.gold(True)), *measured)


def _span_table(items: Sequence[NewsSentence], mined_claims: Sequence[Sequence[MinedClaim]]) -> ScoreTable:
    verdicts, cues, signals = Counter[str](), 0, 0
    scores: dict[str, list[float]] = {"cause": [], "effect": []}
    relations = reached = 0
    for item, claims in zip(items, mined_claims, strict=True):
        relations += len(item.relations)
        for gold in item.relations:
            reached += any(relation_verdict(mined_claim, [gold]) == "right" for mined_claim in claims)
        for mined_claim in claims:
            outcome = relation_verdict(mined_claim, item.relations)
            verdicts[outcome] += 1
            met = next((gold for gold in item.relations if relation_verdict(mined_claim, [gold]) == outcome), None)
            if outcome == "right" and met is not None:
                scores["cause"].append(span_f1(item.text, mined_claim.cause_span, met.cause))
                scores["effect"].append(span_f1(item.text, mined_claim.effect_span, met.effect))
                signals += bool(met.signals)
                cues += any(spans_overlap(mined_claim.cue_span, signal) for signal in met.signals)
    total = verdicts.total()
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = [
        (f"claims that are {outcome}", (verdicts[outcome], total, wilson_share(verdicts[outcome], total)))
        for outcome in ("right", "reversed", "other")
    ]
    rows.append(("annotated relations that a claim is right about", (reached, relations, wilson_share(reached, relations))))
    rows.append(("cue on the signal, of right claims whose relation has one", (cues, signals, wilson_share(cues, signals))))
    rows += [
        (f"token F1 of the {end} in right claims", (None, len(values), mean(values) if values else None))
        for end, values in scores.items()
    ]
    return ScoreTable("Causes, effects and signals", ("count", "of", "share"), tuple(rows))


def _rule_table(items: Sequence[NewsSentence], mined_claims: Sequence[Sequence[MinedClaim]]) -> ScoreTable:
    """Return for each rule how many of the sentences with its claims are causal, and what the relations say of the claims."""
    sentences, claims_by = Counter[tuple[str, bool]](), Counter[tuple[str, str]]()
    for item, claims in zip(items, mined_claims, strict=True):
        sentences.update((rule, item.causal) for rule in {entry.rule.id for entry in claims})
        claims_by.update((entry.rule.id, relation_verdict(entry, item.relations)) for entry in claims)
    outcomes = ("right", "reversed", "other")
    names = sorted({rule for rule, _ in sentences}, key=lambda entry: (-sentences[entry, True] - sentences[entry, False], entry))
    rows = tuple(
        (name, (sentences[name, True], sentences[name, False], *(claims_by[name, outcome] for outcome in outcomes)))
        for name in names
    )
    return ScoreTable("By rule", ("causal sentences", "others", *(f"claims {outcome}" for outcome in outcomes)), rows)
