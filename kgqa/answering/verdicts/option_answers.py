"""Answers to yes/no questions with several options, by a verdict for each.

"Does A or B cause X?" asks for one of the options, "Does A cause B or B A?" for one of two directions. "Does A cause B more than
C?" and "Is A or C likelier to?" compare support, for a graph does not say how much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graph.text.concept_nouns import join_phrases
from kgqa.answer_model import Answer, ConfidenceSignals, Route, Verdict
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.findings import cite_evidence, edge_finding, join_answers
from kgqa.answering.verdicts.verification import answer_verification
from kgqa.answering.verdicts.verification_query import VerificationQuery
from kgqa.question import Attribute, Semantic, SlotOptions, Slots
from kgqa.questions.preprocess import converse_questions
from kgqa.reasons import Conclusion, Missing, Step
from kgqa.request import Request, Router


@dataclass(frozen=True, slots=True)
class OptionsConclusion(Conclusion):
    """The verdict and the conclusion for each of several options.

    `joined` is "and" or "or"; "directions" where the options are two directions ("smoking → lung cancer"), and "steps" where they
    are the steps of a chain, behind which what follows from the last may be told ("obesity → ?"), which has no verdict.
    """

    options: tuple[str, ...]
    joined: str
    verdicts: tuple[Verdict, ...]
    conclusions: tuple[Conclusion | str, ...]

    @property
    def is_thin(self) -> bool:
        """Whether of several options one is known, and another is not."""
        return self.joined == "or" and {Verdict.YES, Verdict.UNKNOWN} <= set(self.verdicts)


@dataclass(frozen=True, slots=True)
class SupportConclusion(Conclusion):
    """Which of two options has more sources: `counts` are the sources of each; `answer` is `None` where none has enough more.

    `known` are the options of which it is known that they bear on the other end at all; where all do, they may be `chosen`.
    """

    counts: tuple[tuple[str, int], ...]
    answer: str | None = None
    known: tuple[str, ...] = ()
    chosen: bool = False


_ANY_OF = (Verdict.YES, Verdict.CONTESTED, Verdict.UNKNOWN, Verdict.NO)
_ALL_OF = (Verdict.NO, Verdict.CONTESTED, Verdict.UNKNOWN, Verdict.YES)
"""The verdicts in the order in which one decides for options that "or", or "and", joins."""


def answer_disjunction(request: Request, route: Router) -> Answer:
    """Answer which of the options is supported, each by the answerer that `route` gives the question about it."""
    options = request.kind.slots.options
    if options is None:
        raise ValueError("a question with options without its options")
    left = tuple(a for a in request.kind.attributes if a not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    answers = []
    for slots in _slots_of_options(request.kind.slots, options):
        kind = replace(request.kind, semantic=Semantic.VERIFICATION, slots=slots, attributes=left)
        answer = route(request.question, kind)(replace(request, kind=kind))
        answers.append(replace(answer, steps=(*answer.steps, Step("verdict", (answer.verdict or Verdict.UNKNOWN,)))))
    verdicts = [answer.verdict or Verdict.UNKNOWN for answer in answers]
    supported = [phrase for phrase, verdict in zip(options.phrases, verdicts, strict=True) if verdict is Verdict.YES]
    chosen = join_phrases(supported) if supported else None
    verdict = _first_of(_ANY_OF, verdicts)
    if options.joined == "and":
        verdict = _first_of(_ALL_OF, verdicts)
        chosen = verdict.value if verdict in (Verdict.YES, Verdict.NO) else None
    wanted = Verdict.NO if chosen == Verdict.NO else Verdict.YES
    deciding = [answer for answer, verdict in zip(answers, verdicts, strict=True) if verdict is wanted]
    weakest = min(deciding if chosen else answers, key=lambda answer: answer.confidence)
    findings = [replace(finding, text=chosen) for answer in deciding for finding in answer.findings] if chosen else []
    conclusions = tuple(answer.conclusion for answer in answers)
    conclusion = OptionsConclusion(options.phrases, options.joined, tuple(verdicts), conclusions)
    joined = join_answers(request, options.phrases, answers, conclusion)
    return replace(
        joined,
        verdict=verdict,
        answer=chosen if findings else None,
        findings=tuple(sorted(findings, key=lambda finding: -finding.confidence))[: request.limit],
        confidence=weakest.confidence if chosen else 0.0,
        gaps=() if chosen else joined.gaps or (Missing("option_evidence", options.phrases, "texts_about_them"),),
        signals=weakest.signals if chosen else ConfidenceSignals(),
    )


def answer_converse(request: Request) -> Answer:
    """Answer which of two directions the graph supports: one, both or neither."""
    both = converse_questions(request.question, request.kind)
    if both is None:
        raise ValueError("a question about two directions without its directions")
    answers = []
    for kind in both:
        question = f"Does {kind.slots.cause} cause {kind.slots.effect}?"
        answers.append(answer_verification(replace(request, question=question, kind=kind)))
    verdicts = [answer.verdict or Verdict.UNKNOWN for answer in answers]
    names = tuple(f"{kind.slots.cause} → {kind.slots.effect}" for kind in both)
    supported = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.YES]
    chosen = "both" if len(supported) == 2 else names[supported[0]] if supported else None
    deciding = min((answers[place] for place in supported), key=lambda answer: answer.confidence, default=None)
    conclusion = OptionsConclusion(names, "directions", tuple(verdicts), tuple(answer.conclusion for answer in answers))
    joined = join_answers(request, names, answers, conclusion)
    return replace(
        joined,
        verdict=_first_of(_ANY_OF, verdicts),
        answer=chosen,
        findings=tuple(finding for place in supported for finding in answers[place].findings)[: request.limit],
        confidence=deciding.confidence if deciding else 0.0,
        gaps=() if chosen else joined.gaps or (Missing("direction_evidence", names, "texts_about_them"),),
        signals=deciding.signals if deciding else ConfidenceSignals(),
    )


def answer_steps(request: Request, route: Router) -> Answer:
    """Answer whether each step of a chain that a question draws is known, and what follows where its end is left open."""
    options = request.kind.slots.options
    if options is None:
        raise ValueError("a question with steps without its steps")
    names = (request.kind.slots.cause or "", *options.phrases)
    answers = []
    for cause, effect in pairwise(names):
        slots = replace(request.kind.slots, cause=cause, effect=effect or None, options=None)
        semantic = Semantic.VERIFICATION if effect else Semantic.RESULT
        question = f"Does {cause} cause {effect}?" if effect else f"What does {cause} cause?"
        kind = replace(request.kind, semantic=semantic, slots=slots, attributes=())
        answers.append(route(question, kind)(replace(request, question=question, kind=kind)))
    followed = answers[-1] if not names[-1] and answers[-1].is_decided else None
    steps = answers if names[-1] else answers[:-1]
    verdicts = [answer.verdict or Verdict.UNKNOWN for answer in steps]
    verdict = _first_of(_ALL_OF, verdicts)
    wanted = [answer for answer, own in zip(steps, verdicts, strict=True) if own is verdict]
    weakest = followed or min(wanted, key=lambda answer: answer.confidence)
    decided = followed is not None or verdict in (Verdict.YES, Verdict.NO)
    labels = tuple(f"{cause} → {effect or '?'}" for cause, effect in pairwise(names))
    conclusion = OptionsConclusion(labels, "steps", tuple(verdicts), tuple(answer.conclusion for answer in answers))
    joined = join_answers(request, labels, answers, conclusion)
    return replace(
        joined,
        verdict=verdict,
        answer=followed.answer if followed else verdict.value if decided else None,
        findings=weakest.findings if decided else (),
        confidence=weakest.confidence if decided else 0.0,
        gaps=() if decided else joined.gaps or (Missing("option_evidence", labels, "texts_about_them"),),
        signals=weakest.signals if decided else ConfidenceSignals(),
    )


def _first_of(order: Sequence[Verdict], verdicts: Sequence[Verdict]) -> Verdict:
    return next(verdict for verdict in order if verdict in verdicts)


_COMPARATIVES = {"more": True, "worse": True, "less": False, "fewer": False}
"""Whether what compares asks for the option with more support or with less; of what is better, support says nothing."""
_GOODNESS = frozenset(("better", "healthier", "safer", "effective"))
_MEASURE_WORDS = ("than", "likely", "apt", "worse", "dangerous", "harmful")

SUPPORT_RATIO = 2
"""How many times as many sources one of the two must have to be said to be the better supported."""


def compare_by_support(request: Request) -> Answer:
    """Answer which of two causes, or effects, is the better supported: yes or no only where one has twice the other's sources.

    What is counted are independent texts that assert it, at least one for either; the answer says that it goes by that alone. To
    a choice ("A or B") the answer is the option.
    """
    slots = request.kind.slots
    options = slots.options
    plain = replace(slots, comparison=None)
    option_slots = _slots_of_options(plain, options) if options else []
    requests = [replace(request, kind=replace(request.kind, slots=own_slots)) for own_slots in option_slots]
    weighed = [VerificationQuery(option_request).direct for option_request in requests]
    counts = [evidence.count(EvidenceKind.TEXT) for evidence in weighed]
    words = (slots.comparison or "").lower().split()
    more = _COMPARATIVES.get(words[0]) if words and words[-1] in _MEASURE_WORDS else None
    is_choice = words[-1:] != ["than"]
    verdict, chosen, place = Verdict.UNKNOWN, None, 0
    support: tuple[tuple[str, int], ...] = ()
    if options is not None and len(counts) == 2:
        support = tuple(zip(options.phrases, counts, strict=True))
        if more is not None and min(counts) >= 1 and max(counts) >= SUPPORT_RATIO * min(counts):
            first = (counts[0] > counts[1]) is more
            verdict = Verdict.YES if first or is_choice else Verdict.NO
            place = (0 if first else 1) if is_choice else counts.index(max(counts))
            chosen = options.phrases[place] if is_choice else verdict.value
    answers = {} if chosen or options is None else _answers_of_options(options, requests)
    known = {phrase: answer for phrase, answer in answers.items() if answer.verdict is Verdict.YES}
    if len(known) == len(support) > 0 and is_choice and _GOODNESS.isdisjoint(words):
        return _answer_known(request, known, SupportConclusion(support, None, tuple(known)))
    if answers and not known and not any(counts):
        return _answer_unknown(request, answers)
    edges = [edge for evidence in weighed for edge in evidence.edges]
    supporting, denying = cite_evidence(request.view, edges)
    better = [edge for edge in weighed[place].edges if edge.support] if chosen else []
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=chosen,
        conclusion=SupportConclusion(support, chosen, tuple(known)),
        findings=tuple(replace(edge_finding(edge), text=chosen or "", confidence=0.5) for edge in better[: request.limit]),
        confidence=0.5 if chosen else 0.0,
        evidence=supporting,
        against=denying,
        gaps=(Missing("comparison", remedy="texts_about_both"),),
        signals=ConfidenceSignals(support=max(counts, default=0), against=min(counts, default=0), steps=1 if edges else 0),
    )


def _answer_known(request: Request, known: Mapping[str, Answer], conclusion: SupportConclusion) -> Answer:
    """Answer a choice with the options that are known to bear on the other end, though not how much."""
    joined = join_answers(request, tuple(known), tuple(known.values()), replace(conclusion, chosen=True))
    chosen, weakest = join_phrases(list(known)), min(known.values(), key=lambda answer: answer.confidence)
    findings = (replace(finding, text=chosen, confidence=0.5) for answer in known.values() for finding in answer.findings)
    return replace(
        joined,
        verdict=Verdict.YES,
        answer=chosen,
        findings=tuple(findings)[: request.limit],
        confidence=min(0.5, weakest.confidence),
        gaps=(Missing("comparison", remedy="texts_about_both"),),
        signals=ConfidenceSignals(support=weakest.signals.support, steps=weakest.signals.steps),
    )


def _answer_unknown(request: Request, answers: Mapping[str, Answer]) -> Answer:
    """Return what is known of each of the options where of none it is known that it bears on the other end at all."""
    verdicts = tuple(answer.verdict or Verdict.UNKNOWN for answer in answers.values())
    conclusion = OptionsConclusion(tuple(answers), "or", verdicts, tuple(answer.conclusion for answer in answers.values()))
    joined = join_answers(request, tuple(answers), tuple(answers.values()), conclusion)
    gaps = joined.gaps or (Missing("comparison", remedy="texts_about_both"),)
    return replace(joined, verdict=Verdict.UNKNOWN, answer=None, findings=(), confidence=0.0, gaps=gaps)


def _answers_of_options(options: SlotOptions, requests: Sequence[Request]) -> dict[str, Answer]:
    """Return for each option the verdict on whether it bears on the other end, whatever it is read as."""
    kinds = (replace(request.kind, semantic=Semantic.VERIFICATION) for request in requests)
    questions = (f"Does {kind.slots.cause} cause {kind.slots.effect}?" for kind in kinds)
    answers = (
        answer_verification(replace(request, question=question)) for request, question in zip(requests, questions, strict=True)
    )
    return dict(zip(options.phrases, answers, strict=True))


def _slots_of_options(slots: Slots, options: SlotOptions) -> list[Slots]:
    by_cause = options.slot == "cause"
    return [
        replace(slots, cause=phrase if by_cause else slots.cause, effect=slots.effect if by_cause else phrase, options=None)
        for phrase in options.phrases
    ]
