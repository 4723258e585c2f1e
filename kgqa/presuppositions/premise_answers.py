"""Answers to questions that take a claim for granted: it is checked first, and corrected before the rest is answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graph.model import Relation
from kgqa.answer_model import Answer, PresuppositionStatus, Route
from kgqa.answering.chains.chain_answer import ChainConclusion
from kgqa.calibration.answer_confidence import calibrate_answer
from kgqa.presuppositions.graph_check import CheckedPremise, ClaimCorrection, Contradiction, check_premise
from kgqa.presuppositions.premise_finder import Premise, find_premises
from kgqa.question import QuestionType, Semantic, Slots
from kgqa.reasons import Conclusion, Missing, Step
from kgqa.request import Request, Router

_DOUBTFUL = (PresuppositionStatus.CONTESTED, PresuppositionStatus.SUSPECT)


@dataclass(frozen=True, slots=True)
class CorrectedConclusion(Conclusion):
    """What is so instead of what a question takes for granted, and what answers the corrected question, where anything does."""

    correction: Conclusion
    corrected: Conclusion | str | None = None


def answer_with_premises(
    request: Request,
    text: str,
    route: Router,
    classify: Callable[[str], QuestionType],
    calibrate: Callable[[Answer], Answer] = calibrate_answer,
) -> Answer:
    """Answer a question after its premises: corrected where the graph contradicts one, else as `route` has it.

    The premises are those of the `text`, of which the question of the request is the part that is answered.

    A clause that states a premise is left out of the question that is answered, unless the question only supposes it. The answer
    is calibrated; the confidence of a correction alone is the probability that the premise is false.
    """
    premises = find_premises(text, request.question, request.kind)
    if not premises:
        return calibrate(route(request.question, request.kind)(request))
    checked = _check_all(request, premises)
    plain = _without_clauses(request, text, checked, classify)
    refuted = next((item for item in checked if item.presupposition.correction is not None), None)
    if refuted is None:
        answer = calibrate(_answer_plainly(plain, checked, route))
    else:
        answer = _correct(request, plain, refuted, lambda question, kind: lambda inner: calibrate(route(question, kind)(inner)))
    steps = tuple(Step("premise", (item.presupposition, item.verdict and item.verdict.conclusion)) for item in checked)
    gaps = tuple(
        Missing("premise", (item.presupposition.text,), "ask_separately")
        for item in checked
        if item.premise.main and item.presupposition.status is PresuppositionStatus.UNKNOWN
    )
    remarks = tuple(
        Step("doubtful_premise", (item.presupposition.status, item.presupposition.text))
        for item in checked
        if item.premise.main and item.presupposition.status in _DOUBTFUL
    )
    return replace(
        answer,
        remarks=(*remarks, *answer.remarks),
        question=request.question,
        presuppositions=tuple(item.presupposition for item in checked),
        steps=(*steps, *answer.steps) if refuted else (*answer.steps, *steps),
        gaps=(*answer.gaps, *gaps),
    )


def _check_all(request: Request, premises: Sequence[Premise]) -> list[CheckedPremise]:
    """Return the premises as they were checked; of the readings of the main clause, the first that the graph knows of."""
    checked = [check_premise(request, premise) for premise in premises]
    clauses = [item for item in checked if item.premise.main]
    readings = [item for item in checked if not item.premise.main]
    known = (item for item in readings if item.presupposition.status is not PresuppositionStatus.UNKNOWN)
    return [*clauses, *(reading for reading in [next(known, next(iter(readings), None))] if reading is not None)]


def _without_clauses(
    request: Request, text: str, checked: Sequence[CheckedPremise], classify: Callable[[str], QuestionType]
) -> Request:
    """Return the request without the clauses that state a premise; as it is where the question only supposes them."""
    main = next((item.premise.main for item in checked if item.premise.main), "")
    if not main or main == text or any(item.premise.supposed for item in checked):
        return request
    return replace(request, question=main, kind=classify(main))


def _answer_plainly(request: Request, checked: Sequence[CheckedPremise], route: Router) -> Answer:
    stated = next((item for item in checked if not item.premise.main), None)
    premise = None
    if stated is not None and stated.verdict is not None and isinstance(stated.premise.claim, QuestionType):
        premise = stated.premise.claim.slots, stated.verdict
    return route(request.question, request.kind)(replace(request, premise=premise))


def _correct(request: Request, plain: Request, refuted: CheckedPremise, route: Router) -> Answer:
    """Return the correction of a premise with what answers the rest of the question, or else the corrected question."""
    correction, verdict = refuted.presupposition.correction, refuted.verdict
    if correction is None:
        raise ValueError("a premise without a correction")
    rest = _answer_rest(plain, refuted.premise, route)
    if rest is not None and rest.is_decided:
        answer = replace(rest, type=replace(rest.type, mood=request.kind.mood))
    else:
        unanswered = (Step("unanswered_rest", (plain.question,)),) if rest is not None and plain is not request else ()
        if isinstance(correction, ClaimCorrection) and verdict is not None:
            rest = _answer_corrected(request, correction, route)
            answer = _undecided(verdict) if correction.unstated else verdict
            confidence = refuted.presupposition.probability or 0.0 if answer.answer is not None else 0.0
            answer = replace(answer, type=request.kind, steps=(*verdict.steps, *rest.steps), gaps=(), confidence=confidence)
        else:
            answer = Answer(request.question, request.kind, Route.PRESUPPOSITION, correction)
        answer = replace(answer, remarks=(*answer.remarks, *unanswered))
    corrected = rest if rest is not None and _tells(rest) else None
    evidence = dict.fromkeys((*refuted.presupposition.evidence, *(corrected.evidence if corrected else ())))
    against = [cited for side in (verdict, corrected) if side is not None for cited in (*side.evidence, *side.against)]
    return replace(
        answer,
        route=Route.PRESUPPOSITION,
        conclusion=CorrectedConclusion(correction, corrected.conclusion if corrected else None),
        evidence=tuple(evidence),
        against=tuple(dict.fromkeys(cited for cited in against if cited not in evidence)),
    )


def _answer_rest(plain: Request, premise: Premise, route: Router) -> Answer | None:
    """Return the answer to a question without its premise; `None` where it has no other clause, or asks about the premise."""
    slots, claim = plain.kind.slots, premise.claim
    asks_same = isinstance(claim, QuestionType) and (slots.cause, slots.effect) == (claim.slots.cause, claim.slots.effect)
    return route(plain.question, plain.kind)(plain) if premise.main and not asks_same else None


def _tells(answer: Answer) -> bool:
    """Return whether an answer adds anything to a correction: a single claim has been said by that."""
    conclusion = answer.conclusion
    return answer.is_decided and not (isinstance(conclusion, ChainConclusion) and len(conclusion.path.edges) == 1)


def _undecided(verdict: Answer) -> Answer:
    """Return the verdict on a claim of which no source speaks, as no answer to the question."""
    return replace(verdict, verdict=None, answer=None, findings=(), flips=(), connection=None)


def _answer_corrected(request: Request, correction: ClaimCorrection, route: Router) -> Answer:
    """Answer the question that a correction leads to: what the cause does in truth, or what does bring the effect about."""
    claim, edge = correction.claim.claim, correction.edge.claim
    if correction.contradiction is Contradiction.REVERSED:
        question, slots = f"What does {edge.cause} cause?", Slots(edge.cause)
        semantic = Semantic.RESULT
    elif correction.contradiction is Contradiction.STATED:
        question, slots = f"How does {edge.cause} cause {edge.effect}?", Slots(edge.cause, edge.effect, edge.relation)
        semantic = Semantic.CAUSE
    else:
        prevents = claim.relation is Relation.PREVENTS
        question = f"What {'prevents' if prevents else 'causes'} {claim.effect}?"
        slots, semantic = Slots(None, claim.effect, claim.relation if prevents else Relation.CAUSES), Semantic.CAUSE
    kind = QuestionType(semantic, slots, confidence=1.0, rules=("corrected",))
    return route(question, kind)(replace(request, question=question, kind=kind, premise=None))
