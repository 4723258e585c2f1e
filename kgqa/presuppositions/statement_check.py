"""Statements that a question takes for granted, checked against the sentences of passages by a judge of evidence.

The judge is any object that says how a sentence stands to a claim, and how suspect a question is by itself; without one, what
is found is listed as unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from graph.model import Source
from graph.text.segmentation import text_tokens
from graph.text.stems import prefix_stems
from graph.text.stop_words import STOP_WORDS
from kgqa.answer_model import Answer, Excerpt, Presupposition, PresuppositionStatus, Route
from kgqa.presuppositions.evidence_selection import EvidenceSentence, evidence_sentences
from kgqa.presuppositions.premise_answers import CorrectedConclusion
from kgqa.presuppositions.premise_finder import NEGATION
from kgqa.presuppositions.statement_finder import find_statements, may_take_for_granted, negated_statement
from kgqa.readers.reader import Passage
from kgqa.reasons import Conclusion, Step

LEAST_CONTRADICTED = 0.8
"""The least probability with which a sentence contradicts a statement that is called false."""
LEAST_SUPPORTED = 0.6
LEAST_SUSPECT = 0.8
LEAST_SHARED = 0.3
"""The least share of the words of a statement, by rarity, that a sentence which contradicts it holds: it is about it."""
_SHARED_WORDS = 0.6
"""The share of words that two statements of one thing have in common."""


class JudgedEvidence(Protocol):
    """How a sentence stands to a claim: the probabilities (0..1) that it supports it, and that it contradicts it."""

    @property
    def supports(self) -> float:
        """The probability that the sentence supports the claim."""
        ...

    @property
    def contradicts(self) -> float:
        """The probability that the sentence contradicts the claim."""
        ...


class EvidenceJudge(Protocol):
    """Says what sentences say of a claim, and how likely a question takes something false for granted by itself."""

    def judge(self, claim: str, evidence: Sequence[str]) -> Sequence[JudgedEvidence]:
        """Return what each sentence says of a claim, in their order."""
        ...

    def suspicion(self, text: str) -> float:
        """Return the probability (0..1) that a question takes something false for granted, by its words alone."""
        ...


@dataclass(frozen=True, slots=True)
class StatementCorrection(Conclusion):
    """The `statement` that a question takes for granted is contradicted by a sentence of a text."""

    statement: str
    excerpt: Excerpt


def add_statements(
    answer: Answer,
    question: str,
    find: Callable[[str], Sequence[Passage]] | None = None,
    evidence: Callable[[], EvidenceJudge] | None = None,
    *,
    lists: bool = True,
) -> Answer:
    """Return an answer with the statements that its question takes for granted besides the premises that were checked before.

    Each, and each premise that the graph does not know, is checked by the judge of `evidence`, which is opened when there is any,
    against sentences of the passages that `find` has; one that is critical and contradicted is corrected. What is critical may be
    suspect where the question has no answer. Unless it `lists` all, a question that nothing speaks against is not parsed.
    """
    undecided = not answer.is_decided
    suspects = (
        evidence is not None and undecided and (may_take_for_granted(question) or any(map(_is_open, answer.presuppositions)))
    )
    suspicion = evidence().suspicion(question) if evidence is not None and suspects else 0.0
    if not lists and (evidence is None or (find is None and suspicion < LEAST_SUSPECT)):
        return answer
    listed = _join_statements(answer.presuppositions, find_statements(question))
    if evidence is not None and find is not None:
        listed = [_judged(item, find, evidence()) if _is_open(item) else item for item in listed]
    surest = answer.confidence if answer.answer is not None else 0.0
    refuted = next((item for item in listed if item.critical and item.correction and (item.probability or 0.0) >= surest), None)
    contested = [item for item in listed if item.critical and item.status is PresuppositionStatus.CONTESTED and item.excerpts]
    remarks = [Step("contested_premise", (item.text, *map(_side, item.excerpts))) for item in contested]
    doubted = [item for item in listed if _is_open(item)] if refuted is None and suspicion >= LEAST_SUSPECT else []
    if evidence is not None and doubted:
        suspect = max(doubted, key=lambda item: evidence().suspicion(item.text))
        remarks.append(Step("suspect_premise", (suspect.text,)))
        marked = replace(suspect, status=PresuppositionStatus.SUSPECT, probability=suspicion)
        listed = [marked if item is suspect else item for item in listed]
    answer = replace(answer, presuppositions=tuple(listed), remarks=(*remarks, *answer.remarks))
    if refuted is None or refuted.correction is None or answer.route is Route.PRESUPPOSITION:
        return answer
    return replace(
        answer,
        route=Route.PRESUPPOSITION,
        conclusion=CorrectedConclusion(refuted.correction),
        answer=None,
        verdict=None,
        findings=(),
        evidence=(),
        against=(),
        flips=(),
        connection=None,
        separation=None,
        gaps=(),
        read=(),
        confidence=0.0,
        steps=(Step("premise", (refuted, None)), *answer.steps),
    )


def _join_statements(premises: Sequence[Presupposition], statements: Sequence[Presupposition]) -> list[Presupposition]:
    """Return premises and the other statements; a premise that the graph does not know is worded as the question words it."""
    joined = list(premises)
    for statement in statements:
        same = [
            place for place, item in enumerate(joined[: len(premises)]) if _is_same(_stems(item.text), _stems(statement.text))
        ]
        if not same:
            joined.append(statement)
        for place in same:
            if joined[place].status is PresuppositionStatus.UNKNOWN:
                joined[place] = replace(joined[place], text=statement.text)
    return joined


def _is_open(item: Presupposition) -> bool:
    """Return whether a question needs what it takes for granted, and nothing is known of that."""
    return item.critical and item.status is PresuppositionStatus.UNKNOWN


def _stems(text: str) -> frozenset[str]:
    words = text_tokens(text.lower())
    return frozenset(prefix_stems(word for word in words if word not in STOP_WORDS["yes-no"]))


def _is_same(stems: frozenset[str], known: frozenset[str]) -> bool:
    return len(stems & known) >= _SHARED_WORDS * len(stems | known)


def _judged(item: Presupposition, find: Callable[[str], Sequence[Passage]], judge: EvidenceJudge) -> Presupposition:
    """Return a statement with its status by its values, and by the sentences that are found for it and for its negation.

    One with a negation stays as it is: the model was found to take what a sentence says beside it for its contrary.
    """
    if NEGATION.search(item.text):
        return item
    from kgqa.presuppositions.value_check import VALUE_CONFLICT, value_evidence  # compiles the tables of facts

    passages = dict.fromkeys(passage for query in (item.text, negated_statement(item.text)) for passage in find(query))
    values = value_evidence(item.text, list(passages))
    if values.conflicts is not None:
        sides = values.conflicts, values.agrees
        return _contradicted(item, sides[0], VALUE_CONFLICT) if sides[1] is None else _contested(item, sides[0], sides[1])
    near = evidence_sentences(item.text, list(passages))
    judged = list(zip(near, judge.judge(item.text, [sentence.input for sentence in near]), strict=True))
    about = [pair for pair in judged if pair[0].share >= LEAST_SHARED]
    against = max(about, key=lambda pair: pair[1].contradicts, default=None)
    speaking = max(about, key=lambda pair: pair[1].supports, default=None)
    contradicted = against is not None and against[1].contradicts >= LEAST_CONTRADICTED
    supported = speaking is not None and speaking[1].supports >= LEAST_SUPPORTED
    if against is not None and speaking is not None and contradicted and supported:
        return _contested(item, against[0], speaking[0])
    if against is not None and contradicted:
        return _contradicted(item, against[0], against[1].contradicts)
    if speaking is not None and supported:
        probability = against[1].contradicts if against is not None else 0.0
        excerpts = (_excerpt(speaking[0]),)
        return replace(item, status=PresuppositionStatus.SUPPORTED, probability=probability, excerpts=excerpts)
    return item


def _contested(item: Presupposition, against: EvidenceSentence, speaking: EvidenceSentence) -> Presupposition:
    both = _excerpt(against), _excerpt(speaking)
    return replace(item, status=PresuppositionStatus.CONTESTED, probability=0.5, excerpts=both)


def _contradicted(item: Presupposition, sentence: EvidenceSentence, probability: float) -> Presupposition:
    excerpt = _excerpt(sentence)
    return replace(
        item,
        status=PresuppositionStatus.CONTRADICTED,
        probability=probability,
        excerpts=(excerpt,),
        correction=StatementCorrection(item.text, excerpt),
    )


def _side(excerpt: Excerpt) -> tuple[str, str, str]:
    """Return who says a sentence, its date, and the sentence."""
    from kgqa.presuppositions.value_check import source_date

    source = excerpt.source
    return source.title, source_date(EvidenceSentence(excerpt.text, Passage("", source.title, url=source.url))), excerpt.text


def _excerpt(sentence: EvidenceSentence) -> Excerpt:
    passage = sentence.passage
    source = Source("text", title=passage.title, url=passage.url)
    return Excerpt(sentence.text, source, sentence.start, sentence.start + len(sentence.text))
