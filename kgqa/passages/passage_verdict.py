"""Yes or no by all that passages tell: reader, evidence model, words and what a sentence states, weighed by a fitted model.

What an "if" supposes is contrary to fact, and so is what would follow from it: the answer to "would the bridge have held?" is the
opposite of that to "did the bridge hold?", unless the passage says how both hang together, which is left to the edits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kgqa.answer_model import Verdict
from kgqa.calibration.linear_model import PROBABILITY_CLIP, load_fitted_model, log_odds, logistic
from kgqa.edits.plain_question import plain_main_clause
from kgqa.passages.stated_verdict import StatedVerdict, stated_verdict
from kgqa.passages.statement_words import LONGEST_TEXT
from kgqa.presuppositions.evidence_model import RELATIONS, EvidenceModel
from kgqa.presuppositions.evidence_selection import evidence_sentences
from kgqa.question import QuestionType
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_parser import ConditionalQuestion
from kgqa.readers.extractive.yes_no_model import yes_no_features
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader

PASSAGE_VERDICT = "passage_verdict"
"""The fitted model, which scripts/fit/fit_passage_verdict.py fits: its output `WORDS`, and `PLAIN` and `SUPPOSED` over that."""
PLAIN, SUPPOSED, WORDS = "plain", "supposed", "words"
_UNNAMED = 3.0
"""What is added to the log-odds of "not told" where the passages lack much of what the question names."""
_STILL = re.compile(r"\b(?:still|then|instead|also|really)\s+", re.IGNORECASE)
_MAYBE = re.compile(r"(?:might|could)\b", re.IGNORECASE)


class VerdictReading(NamedTuple):
    """The signals of a verdict, what a sentence states, where the evidence stands, and how likely nothing is told."""

    signals: Mapping[str, float]
    stated: StatedVerdict | None
    place: tuple[int | None, int | None, int | None]
    null: float

    def candidates(self, output: str = PLAIN) -> list[Candidate]:
        """Return yes, no and "not told" of a question without an "if", or of what one supposes, likeliest first."""
        chance = load_fitted_model(PASSAGE_VERDICT).logistic(output).probability(self.signals)
        shares = [(AnswerKind.YES, chance), (AnswerKind.NO, 1.0 - chance)]
        ranked = [Candidate(kind.value, share * (1.0 - self.null), kind, *self.place) for kind, share in shares]
        return sorted([*ranked, Candidate("", self.null, AnswerKind.NULL)], key=lambda candidate: -candidate.score)


def plain_signals(
    question: str, kind: QuestionType, passages: Sequence[Passage], read: Sequence[Candidate], evidence: EvidenceModel
) -> VerdictReading:
    """Return what passages tell of a question that asks whether: by the candidates of a reader, by evidence, and as stated."""
    scores = {candidate.kind: candidate.score for candidate in read}
    yes, no = (scores.get(answer, 0.0) for answer in (AnswerKind.YES, AnswerKind.NO))
    stated = stated_verdict(question, kind, passages)
    verdict = stated.verdict if stated is not None else None
    sentences = evidence_sentences(question, passages, 1)
    supports, contradicts, _ = (
        evidence.logits(question, sentences[0].input)[: len(RELATIONS)].tolist() if sentences else (0, 0, 0)
    )
    text = sentences[0].passage.text if sentences else "\n".join(passage.text for passage in passages)
    signals = {
        "words": load_fitted_model(PASSAGE_VERDICT).logistic(WORDS).log_odds(yes_no_features(question, text[:LONGEST_TEXT])),
        "reader": log_odds(yes / (yes + no), PROBABILITY_CLIP) if yes + no else 0.0,
        "evidence": supports - contradicts,
        "says yes": float(verdict is Verdict.YES),
        "says link": float(verdict is Verdict.YES and bool(kind.slots.cause and kind.slots.effect)),
        "denies link": float(verdict is Verdict.NO and bool(kind.slots.cause)),
        "says no": float(verdict is Verdict.NO),
    }
    null = log_odds(scores.get(AnswerKind.NULL, 0.0), PROBABILITY_CLIP) + _UNNAMED * (verdict is Verdict.UNKNOWN)
    places = stated.places if stated is not None else ()
    place: tuple[int | None, int | None, int | None] = places[0] if places else (None, None, None)
    if not places and sentences:
        number = next(number for number, passage in enumerate(passages) if passage is sentences[0].passage)
        place = number, sentences[0].start, sentences[0].start + len(sentences[0].text)
    return VerdictReading(signals, stated, place, logistic(null))


def supposed_signals(
    conditional: ConditionalQuestion, passages: Sequence[Passage], reader: Reader, evidence: EvidenceModel
) -> VerdictReading:
    """Return what passages tell of whether that is so which the question says would be so if something were."""
    question = question_of_fact(conditional)
    reading = plain_signals(question, classify(question), passages, reader.read(question, passages), evidence)
    return reading._replace(signals={**reading.signals, "may": float(_MAYBE.match(conditional.main) is not None)})


def question_of_fact(conditional: ConditionalQuestion) -> str:
    """Return the main clause of an "if" as a question of what is so: "would it still have opened" is "Had it opened?"."""
    question = _STILL.sub("", plain_main_clause(conditional.main)).strip(" ?")
    return f"{question[:1].upper()}{question[1:]}?"
