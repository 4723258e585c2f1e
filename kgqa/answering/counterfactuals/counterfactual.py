"""Answers to "what if" questions: by the difference of two worlds, or of a world for each alternative that "or" joins.

A question whose "if" takes something for so ("How come dogs bark if they are not scared?") is answered as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product, takewhile

from graph.intervene import Presence
from graph.text.normalise import concept_name
from kgqa.answer_model import Answer, Route
from kgqa.answering.counterfactuals.answer_changes import as_undecided
from kgqa.answering.counterfactuals.consequences import answer_consequences, answer_effect
from kgqa.answering.findings import join_answers
from kgqa.answering.refusals import refuse, refuse_phrase
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.interventions.graph_settings import (
    EdgeSetting,
    GraphSetting,
    InterventionWorld,
    apply_settings,
    causes_asked_about,
    settings_of_condition,
)
from kgqa.linking.concept_links import SURE_LINK
from kgqa.linking.lexical_relations import synonyms
from kgqa.question import Condition
from kgqa.reasons import Conclusion, Missing, Refusal, Remedy, Step
from kgqa.request import Request, Router


@dataclass(frozen=True, slots=True)
class AlternativesConclusion(Conclusion):
    """What follows from each of the conditions that "or" joins; `agreed` is the answer where that is the same."""

    conditions: tuple[Condition, ...]
    conclusions: tuple[Conclusion | str, ...]
    agreed: str | None = None


def answer_supposed(request: Request) -> Answer:
    """Answer what the "if" of the question changes for its effect; where it names none, for all that depends on it."""
    condition = request.kind.slots.condition
    if condition is None:
        raise ValueError("a question with an 'if' without its condition")
    lacks = list(_settings_of_lack(request, condition))
    goes_without = request.kind.slots.effect is None and condition.amount is None and _SOMEBODY.match(condition.text)
    told_of = any(request.view.effects(lack.target) for lack in lacks)
    settings = lacks if goes_without and told_of else [*lacks, *settings_of_condition(condition)]
    try:
        world, unknown = _supposed_world(request, settings)
    except ConceptUnknown as error:
        about = next((each for each in condition.each if f"'{each.target}'" in str(error)), condition).target
        missing = Missing("dependents", (about,))
        return as_undecided(refuse_phrase(request, missing, about))
    except (ClaimUnknown, SettingInvalid) as error:
        return _refuse_impossible(request, error)
    answer_over = answer_consequences if request.kind.slots.effect is None else answer_effect
    answer = answer_over(request, world)
    if answer.answer is None and (happening := _as_happening(request, condition)) is not None:
        supposed = replace(request, kind=replace(request.kind, slots=replace(request.kind.slots, condition=happening)))
        world, unknown = _supposed_world(supposed, settings_of_condition(happening))
        other_answer = answer_over(supposed, world)
        answer = answer if other_answer.answer is None else other_answer
    return replace(answer, gaps=(*answer.gaps, *unknown)) if unknown else answer


def _settings_of_lack(request: Request, condition: Condition) -> Iterator[Condition]:
    """Yield what else is so where something is gone, or there: the lack of it, its loss or removal, as the graph names these.

    Without insulin there is insulin deficiency; who takes folate has no lack of it. Nothing is yielded that the graph has no name
    for.
    """
    for part in condition.each:
        if part.effect is not None:
            continue
        first = list(islice(request.link(part.target, request.view), _READINGS_NAMED))
        names = [own.concepts[0] for own in first if own is first[0] or own.score >= SURE_LINK] or [concept_name(part.target)]
        names += [name for name in synonyms(names[0]) if name not in names]
        seen = {name for own in first for name in own.concepts}
        for (form, present), name in product(_BESIDE[part.value].items(), names):
            readings = request.link(form.format(name), request.view)
            for reading in takewhile(lambda reading: reading.how in _SAME_NAMES, readings):
                if seen.isdisjoint(reading.concepts):
                    seen.update(reading.concepts)
                    yield Condition(part.text, reading.concepts[0], Presence.PRESENT if present else Presence.ABSENT)


_READINGS_NAMED = 2
_SOMEBODY = re.compile(
    r"(?:you|i|we|he|she|they|people|humans|somebody|someone|a person|a human|a man|a woman|a child)\b", re.IGNORECASE
)
"""Who goes without a thing lacks it, and does not take it from the world: "you don't drink water"."""


_BESIDE = {
    "absent": {"lack of {}": True, "{} deficiency": True, "loss of {}": True, "absence of {}": True, "removal of {}": True},
    "less": {"lack of {}": True, "{} deficiency": True, "loss of {}": True},
    "more": {"increase in {}": True, "lack of {}": False, "{} deficiency": False},
    "present": {"lack of {}": False, "{} deficiency": False},
}
"""What is there, or not, beside something that is absent, less, more or present."""
_SAME_NAMES = frozenset(("exact", "alias", "same words", "synonym", "same stems", "direction"))


def _as_happening(request: Request, condition: Condition) -> Condition | None:
    """Return a condition that something is gone as one that its end happens, where the graph names that: its destruction."""
    if condition.presence is not Presence.ABSENT or condition.amount or condition.also or condition.effect:
        return None
    clause = _EVERY.sub("", condition.text)
    reading = next(iter(request.link(clause, request.view)), None)
    if reading is None or reading.how != "clause":
        return None
    return condition._replace(target=clause, presence=Presence.PRESENT)


_EVERY = re.compile(r"^(?:all|every|each)(?: of)?(?: the)? ", re.IGNORECASE)


def _supposed_world(request: Request, settings: Sequence[GraphSetting]) -> tuple[InterventionWorld, tuple[Missing, ...]]:
    """Return the world that several suppositions make, and which of them are about nothing that the graph knows."""
    known: list[GraphSetting] = []
    unknown: list[Missing] = []
    last: ConceptUnknown | None = None
    for setting in settings:
        try:
            apply_settings(request.view, [setting], request.link)
        except ConceptUnknown as error:
            last = error
            subject = f"{setting.cause} → {setting.effect}" if isinstance(setting, EdgeSetting) else setting.target
            unknown.append(Missing("dependents", (subject,), "left_out", (str(error),)))
        else:
            known.append(setting)
    if last is not None and not known:
        raise last
    causes = causes_asked_about(request.view, request.kind.slots.effect, request.link)
    return apply_settings(request.view, known, request.link, causes), tuple(unknown)


def _refuse_impossible(request: Request, error: ClaimUnknown | SettingInvalid) -> Answer:
    remedy: Remedy = "one_supposition"
    if isinstance(error, SettingsContradict):
        refusal = Refusal("contradictory_settings", (error.why,))
    elif isinstance(error, ClaimUnknown):
        refusal, remedy = Refusal("unknown_claim", (str(error),)), "texts_claiming_it"
    else:
        refusal = Refusal("same_ends")
    return as_undecided(refuse(request, refusal, Missing("possible_world", remedy=remedy)))


def answer_alternatives(request: Request, route: Router) -> Answer:
    """Answer for each alternative of an "if" alone, by the answerer that `route` gives it.

    Where the answers differ there is no single verdict, and each is stated.
    """
    condition = request.kind.slots.condition
    conditions = condition.each if condition is not None else ()
    answers = []
    for item in conditions:
        kind = replace(request.kind, slots=replace(request.kind.slots, condition=item))
        answers.append(route(request.question, kind)(replace(request, kind=kind)))
    weakest = min(answers, key=lambda answer: answer.confidence)
    outcomes = {answer.verdict if answer.verdict else answer.answer for answer in answers}
    agreed = weakest.answer if len(outcomes) == 1 else None
    conclusion = AlternativesConclusion(tuple(conditions), tuple(answer.conclusion for answer in answers), agreed)
    joined = join_answers(request, [f"{item.target} {item.value}" for item in conditions], answers, conclusion)
    if joined.route is not Route.NONE:
        joined = replace(joined, route=Route.INTERVENTION_GRAPH)
    if agreed is None:
        return as_undecided(joined)
    return replace(
        joined,
        answer=agreed,
        verdict=weakest.verdict,
        findings=tuple(dict.fromkeys(finding for answer in answers for finding in answer.findings))[: request.limit],
        confidence=weakest.confidence,
        signals=weakest.signals,
    )


def answer_indicative(request: Request, route: Router) -> Answer:
    """Answer a question as if it had no mood, and say that no world was set: its "if" takes something for so.

    The mood is a prior: whether what the question takes for granted is so is another matter (`kgqa.presuppositions`).
    """
    kind = replace(request.kind, mood=None)
    result = route(request.question, kind)(replace(request, kind=kind))
    condition = kind.conditional.clause if kind.conditional else request.question
    gap = Missing("premise", (condition,), "ask_separately")
    return replace(
        result,
        type=replace(result.type, mood=request.kind.mood),
        steps=(Step("indicative", (request.kind.mood,)), *result.steps),
        gaps=(*result.gaps, gap),
    )
