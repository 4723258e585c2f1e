"""Answers to "If X were gone, what would happen to Y?": the same question asked of two worlds, and the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from kgqa.answering.listing import refuse_phrase
from kgqa.answering.wording import as_sentence, join_phrases
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.intervention.settings import EdgeSetting, GraphSetting, InterventionWorld, apply_settings, settings_of_condition
from kgqa.model import Answer, Condition, ConfidenceSignals, MissingInformation, Route, Semantic, Verdict
from kgqa.request import Request

_READINGS_TRIED = 2
"""So many readings of the effect are looked at for causes that are kinds of what is supposed."""

_ASK_AGAIN = "ask with one supposition of each thing"


def answer_counterfactual(request: Request) -> Answer:
    """Answer what the "if" of the question changes for its effect, or, where it names none, for all that depends on it."""
    condition = request.kind.slots.condition
    if condition is None:
        return refuse_phrase(request.question, request.kind, "what is supposed", request.question, request.view)
    if condition.also and condition.joined == "or":
        from kgqa.answering.alternatives import answer_alternatives

        return answer_alternatives(request, condition)
    return answer_in_world(request, condition)


def answer_in_world(request: Request, condition: Condition) -> Answer:
    """Answer in the world in which all of a condition is so."""
    try:
        world, unknown = _supposed_world(request, settings_of_condition(condition))
    except ConceptUnknown as error:
        return _refuse_unknown_target(request, condition, error)
    except (ClaimUnknown, SettingInvalid) as error:
        return _refuse_impossible(request, error)
    if request.kind.slots.effect is None:
        from kgqa.answering.foreseen import answer_consequences

        answer = answer_consequences(request, world)
    else:
        from kgqa.answering.supposed import answer_effect

        answer = answer_effect(request, world)
    return replace(answer, missing=(*answer.missing, *unknown)) if unknown else answer


def _supposed_world(
    request: Request, settings: Sequence[GraphSetting]
) -> tuple[InterventionWorld, tuple[MissingInformation, ...]]:
    """Return the world that several suppositions make, and which of them are about nothing that the graph knows.

    Raises what `apply` raises where none of them can be made.
    """
    known: list[GraphSetting] = []
    unknown: list[MissingInformation] = []
    last: ConceptUnknown | None = None
    for setting in settings:
        try:
            apply_settings(request.view, [setting], request.link)
        except ConceptUnknown as error:
            last = error
            unknown.append(
                MissingInformation(
                    f"what depends on '{_setting_subject(setting)}'", f"{error}; it was left out of what is supposed"
                )
            )
        else:
            known.append(setting)
    if last is not None and not known:
        raise last
    return apply_settings(request.view, known, request.link, _causes_of_effect(request)), tuple(unknown)


def _causes_of_effect(request: Request) -> set[str]:
    """Return the causes of what is asked about: some may be kinds of what is supposed to be gone."""
    effect = request.kind.slots.effect
    read = islice(request.link(effect, request.view), _READINGS_TRIED) if effect else ()
    return {edge.cause for reading in read for name in reading.concepts for edge in request.view.causes(name)}


def _setting_subject(setting: GraphSetting) -> str:
    """Return what a setting is about, in the words of the question."""
    return f"{setting.cause} → {setting.effect}" if isinstance(setting, EdgeSetting) else setting.target


def _refuse_unknown_target(request: Request, condition: Condition, error: ConceptUnknown) -> Answer:
    """Return the answer where the graph knows nothing of what is supposed."""
    about = next((alternative for alternative in condition.each if f"'{alternative.target}'" in str(error)), condition)
    answer = refuse_phrase(request.question, request.kind, f"what depends on '{about.target}'", about.target, request.view)
    return as_undecided(answer)


def _refuse_impossible(request: Request, error: ClaimUnknown | SettingInvalid) -> Answer:
    """Return the answer where what is supposed cannot be made so: it contradicts itself, or takes away what nobody claims."""
    if isinstance(error, SettingsContradict):
        why, where = f"what is supposed contradicts itself: {error.why}", _ASK_AGAIN
    elif isinstance(error, ClaimUnknown):
        why, where = f"nothing changes: {error}", "texts that make that claim, mined with kgqa mine"
    else:
        why, where = "both ends of the claim that is supposed are one concept", _ASK_AGAIN
    return as_undecided(
        Answer(
            question=request.question,
            type=request.kind,
            route=Route.NONE,
            sentence=as_sentence(f"unknown: {why}"),
            missing=(MissingInformation("a world in which it could be asked", where),),
        )
    )


def as_undecided(answer: Answer) -> Answer:
    """Return an answer that decides nothing, with the verdict "unknown" where a verdict was asked for."""
    is_verification = answer.type.semantic is Semantic.VERIFICATION
    verdict = Verdict.UNKNOWN if is_verification else None
    return replace(answer, verdict=verdict, answer=None, findings=(), confidence=0.0, signals=ConfidenceSignals())


def supposition_lines(world: InterventionWorld) -> tuple[str, ...]:
    """Return what was supposed and done, a line each, for the trace: with the kinds that go, and what follows from what."""
    lines = []
    for part, applied in zip(world.parts, world.applied, strict=True):
        lines.append(f"supposed: '{applied.source}', {applied.operation} {applied.target} = {applied.value}")
        if part.kinds:
            more = f" and {len(part.kinds) - 4} more" if len(part.kinds) > 4 else ""
            kinds = ", ".join(part.kinds[:4]) if more else join_phrases(part.kinds)
            lines.append(f"absent with it, as kinds of it: {kinds}{more}")
    return tuple(lines)
