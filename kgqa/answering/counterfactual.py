"""Answers to "If X were gone, what would happen to Y?": the same question asked of two worlds, and the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from kgqa.answering.listing import refusal
from kgqa.answering.wording import listed, sentence
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.intervention.settings import EdgeSetting, Setting, World, apply, settings_of
from kgqa.model import Answer, Condition, Missing, Route, Semantic, Signals, Verdict
from kgqa.request import Request

_READ = 2
"""So many readings of the effect are looked at for causes that are kinds of what is supposed."""

_AGAIN = "ask with one supposition of each thing"


def answer_counterfactual(request: Request) -> Answer:
    """Answer what the "if" of the question changes for its effect, or, where it names none, for all that depends on it."""
    condition = request.kind.slots.condition
    if condition is None:
        return refusal(request.question, request.kind, "what is supposed", request.question, request.view)
    if condition.also and condition.joined == "or":
        from kgqa.answering.alternatives import answer_alternatives

        return answer_alternatives(request, condition)
    return answer_supposed(request, condition)


def answer_supposed(request: Request, condition: Condition) -> Answer:
    """Answer in the world in which all of a condition is so."""
    try:
        world, unknown = _world(request, settings_of(condition))
    except ConceptUnknown as error:
        return _unknown(request, condition, error)
    except (ClaimUnknown, SettingInvalid) as error:
        return _impossible(request, error)
    if request.kind.slots.effect is None:
        from kgqa.answering.foreseen import everything_foreseen

        answer = everything_foreseen(request, world)
    else:
        from kgqa.answering.supposed import one_effect

        answer = one_effect(request, world)
    return replace(answer, missing=(*answer.missing, *unknown)) if unknown else answer


def _world(request: Request, settings: Sequence[Setting]) -> tuple[World, tuple[Missing, ...]]:
    """Return the world that several suppositions make, and which of them are about nothing that the graph knows.

    Raises what `apply` raises where none of them can be made.
    """
    known: list[Setting] = []
    unknown: list[Missing] = []
    last: ConceptUnknown | None = None
    for setting in settings:
        try:
            apply(request.view, [setting], request.link)
        except ConceptUnknown as error:
            last = error
            unknown.append(Missing(f"what depends on '{_about(setting)}'", f"{error}; it was left out of what is supposed"))
        else:
            known.append(setting)
    if last is not None and not known:
        raise last
    return apply(request.view, known, request.link, _causes_of(request)), tuple(unknown)


def _causes_of(request: Request) -> set[str]:
    """Return the causes of what is asked about: some may be kinds of what is supposed to be gone."""
    effect = request.kind.slots.effect
    read = islice(request.link(effect, request.view), _READ) if effect else ()
    return {edge.cause for reading in read for name in reading.concepts for edge in request.view.causes(name)}


def _about(setting: Setting) -> str:
    """Return what a setting is about, in the words of the question."""
    return f"{setting.cause} → {setting.effect}" if isinstance(setting, EdgeSetting) else setting.target


def _unknown(request: Request, condition: Condition, error: ConceptUnknown) -> Answer:
    """Return the answer where the graph knows nothing of what is supposed."""
    about = next((one for one in condition.each if f"'{one.target}'" in str(error)), condition)
    found = refusal(request.question, request.kind, f"what depends on '{about.target}'", about.target, request.view)
    return undecided(found)


def _impossible(request: Request, error: ClaimUnknown | SettingInvalid) -> Answer:
    """Return the answer where what is supposed cannot be made so: it contradicts itself, or takes away what nobody claims."""
    if isinstance(error, SettingsContradict):
        why, where = f"what is supposed contradicts itself: {error.why}", _AGAIN
    elif isinstance(error, ClaimUnknown):
        why, where = f"nothing changes: {error}", "texts that make that claim, mined with kgqa mine"
    else:
        why, where = "both ends of the claim that is supposed are one concept", _AGAIN
    return undecided(
        Answer(
            question=request.question,
            type=request.kind,
            route=Route.NONE,
            sentence=sentence(f"unknown: {why}"),
            missing=(Missing("a world in which it could be asked", where),),
        )
    )


def undecided(answer: Answer) -> Answer:
    """Return an answer that decides nothing, with the verdict "unknown" where a verdict was asked for."""
    asked = answer.type.semantic is Semantic.VERIFICATION
    verdict = Verdict.UNKNOWN if asked else None
    return replace(answer, verdict=verdict, answer=None, findings=(), confidence=0.0, signals=Signals())


def applied_lines(world: World) -> tuple[str, ...]:
    """Return what was supposed and done, a line each, for the trace: with the kinds that go, and what follows from what."""
    lines = []
    for part, applied in zip(world.parts, world.applied, strict=True):
        lines.append(f"supposed: '{applied.source}', {applied.operation} {applied.target} = {applied.value}")
        if part.kinds:
            more = f" and {len(part.kinds) - 4} more" if len(part.kinds) > 4 else ""
            shown = ", ".join(part.kinds[:4]) if more else listed(part.kinds)
            lines.append(f"absent with it, as kinds of it: {shown}{more}")
    return tuple(lines)
