"""Answers to "what if" questions: by the difference of two worlds, or of a world for each alternative that "or" joins.

A question whose "if" takes something for so ("How come dogs bark if they are not scared?") is answered as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from kgqa.answer_model import Answer, Route, Verdict
from kgqa.answering.counterfactuals.world_comparison import as_undecided
from kgqa.answering.link_quality import refuse_phrase
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.interventions.graph_settings import EdgeSetting, GraphSetting, InterventionWorld, apply_settings, settings_of_condition
from kgqa.question import Condition, Semantic
from kgqa.reasons import Conclusion, Missing, Need, Reason, Refusal, Remedy, Step, StepKind
from kgqa.request import Answerer, Request, Router

_READINGS_TRIED = 2
"""So many readings of the effect are looked at for causes that are kinds of what is supposed."""


@dataclass(frozen=True, slots=True)
class AlternativesConclusion(Conclusion):
    """What follows from each of the conditions that "or" joins; `agreed` is the answer where that is the same."""

    conditions: tuple[Condition, ...]
    conclusions: tuple[Conclusion | str, ...]
    agreed: str | None = None


def answer_supposed_effect(request: Request) -> Answer:
    """Answer what the "if" of the question changes for its effect."""
    from kgqa.answering.counterfactuals.consequences import answer_effect

    return _answer_in_world(request, answer_effect)


def answer_supposed_consequences(request: Request) -> Answer:
    """Answer what the "if" of a question that names no effect changes for all that depends on it."""
    from kgqa.answering.counterfactuals.consequences import answer_consequences

    return _answer_in_world(request, answer_consequences)


def _answer_in_world(request: Request, answer_over: Callable[[Request, InterventionWorld], Answer]) -> Answer:
    """Answer in the world in which all of the condition of the question is so."""
    condition = request.kind.slots.condition
    if condition is None:
        raise ValueError("a question with an 'if' without its condition")
    try:
        world, unknown = _supposed_world(request, settings_of_condition(condition))
    except ConceptUnknown as error:
        return _refuse_unknown_target(request, condition, error)
    except (ClaimUnknown, SettingInvalid) as error:
        return _refuse_impossible(request, error)
    answer = answer_over(request, world)
    return replace(answer, gaps=(*answer.gaps, *unknown)) if unknown else answer


def _supposed_world(request: Request, settings: Sequence[GraphSetting]) -> tuple[InterventionWorld, tuple[Missing, ...]]:
    """Return the world that several suppositions make, and which of them are about nothing that the graph knows.

    Raises what `apply` raises where none of them can be made.
    """
    known: list[GraphSetting] = []
    unknown: list[Missing] = []
    last: ConceptUnknown | None = None
    for setting in settings:
        try:
            apply_settings(request.view, [setting], request.link)
        except ConceptUnknown as error:
            last = error
            unknown.append(Missing(Need.DEPENDENTS, (_setting_subject(setting),), Remedy.LEFT_OUT, (str(error),)))
        else:
            known.append(setting)
    if last is not None and not known:
        raise last
    return apply_settings(request.view, known, request.link, _causes_of_effect(request)), tuple(unknown)


def _causes_of_effect(request: Request) -> set[str]:
    """Return the causes of the effect of the question: some may be kinds of a concept that is supposed absent."""
    effect = request.kind.slots.effect
    read = islice(request.link(effect, request.view), _READINGS_TRIED) if effect else ()
    return {edge.cause for reading in read for name in reading.concepts for edge in request.view.causes(name)}


def _setting_subject(setting: GraphSetting) -> str:
    """Return what a setting is about, in the words of the question."""
    return f"{setting.cause} → {setting.effect}" if isinstance(setting, EdgeSetting) else setting.target


def _refuse_unknown_target(request: Request, condition: Condition, error: ConceptUnknown) -> Answer:
    """Return the answer where the graph knows nothing of what is supposed."""
    about = next((alternative for alternative in condition.each if f"'{alternative.target}'" in str(error)), condition)
    missing = Missing(Need.DEPENDENTS, (about.target,))
    return as_undecided(refuse_phrase(request.question, request.kind, missing, about.target, request.view))


def _refuse_impossible(request: Request, error: ClaimUnknown | SettingInvalid) -> Answer:
    """Return the answer where what is supposed cannot be made so: it contradicts itself, or takes away what nobody claims."""
    remedy = Remedy.ONE_SUPPOSITION
    if isinstance(error, SettingsContradict):
        refusal = Refusal(Reason.CONTRADICTORY_SETTINGS, (error.why,))
    elif isinstance(error, ClaimUnknown):
        refusal, remedy = Refusal(Reason.UNKNOWN_CLAIM, (str(error),)), Remedy.TEXTS_CLAIMING_IT
    else:
        refusal = Refusal(Reason.SAME_ENDS)
    return as_undecided(
        Answer(
            question=request.question,
            type=request.kind,
            route=Route.NONE,
            conclusion=refusal,
            gaps=(Missing(Need.POSSIBLE_WORLD, remedy=remedy),),
        )
    )


def answer_alternatives(route: Router) -> Answerer:
    """Return what answers for each alternative of an "if" alone, by the answerer that `route` gives it."""
    return lambda request: _answer_each(request, route)


def _answer_each(request: Request, route: Router) -> Answer:
    """Answer for each alternative alone; where the answers differ there is no single verdict, and each is stated."""
    condition, answers = request.kind.slots.condition, []
    for item in condition.each if condition is not None else ():
        kind = replace(request.kind, slots=replace(request.kind.slots, condition=item))
        answer = route(request.question, kind)(replace(request, kind=kind))
        answers.append((item, replace(answer, type=request.kind)))
    first = answers[0][1]
    weakest = min((answer for _, answer in answers), key=lambda answer: answer.confidence)
    outcomes = {answer.verdict if answer.verdict else answer.answer for _, answer in answers}
    agreed = len(outcomes) == 1 and weakest.answer is not None
    whole = replace(
        weakest if agreed else first,
        route=Route.INTERVENTION_GRAPH if any(answer.route is not Route.NONE for _, answer in answers) else Route.NONE,
        conclusion=AlternativesConclusion(
            tuple(item for item, _ in answers),
            tuple(answer.conclusion for _, answer in answers),
            weakest.answer if agreed else None,
        ),
        findings=tuple(dict.fromkeys(finding for _, answer in answers for finding in answer.findings))[: request.limit],
        interventions=tuple(item for _, answer in answers for item in answer.interventions),
        evidence=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.evidence)),
        against=tuple(dict.fromkeys(cited for _, answer in answers for cited in answer.against)),
        change=None,
        steps=tuple(
            Step(StepKind.OF_PART, (f"{item.target} {item.value}", step)) for item, answer in answers for step in answer.steps
        ),
        gaps=tuple(dict.fromkeys(gap for _, answer in answers for gap in answer.gaps)),
    )
    if agreed:
        return whole
    if request.kind.semantic is Semantic.VERIFICATION:
        return replace(as_undecided(whole), verdict=Verdict.UNKNOWN)
    return as_undecided(whole)


def answer_indicative(route: Router) -> Answerer:
    """Return what answers a question as if it had no mood, and says that no world was set: its "if" takes something for so.

    The mood is a prior: whether what the question takes for granted is so is another matter, which is not looked at here.
    """

    def answer(request: Request) -> Answer:
        kind = replace(request.kind, mood=None)
        result = route(request.question, kind)(replace(request, kind=kind))
        condition = kind.conditional.clause if kind.conditional else request.question
        gap = Missing(Need.PREMISE, (condition,), Remedy.ASK_SEPARATELY)
        return replace(
            result,
            type=replace(result.type, mood=request.kind.mood),
            steps=(Step(StepKind.INDICATIVE, (request.kind.mood,)), *result.steps),
            gaps=(*result.gaps, gap),
        )

    return answer
