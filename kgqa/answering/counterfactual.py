"""Answers to "If X were gone, what would happen to Y?": the same question asked of two worlds, and the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.intervene import Presence
from graph.intervene.support import PREVENTING_LINKS
from graph.links import DRIVING_LINKS, Links
from graph.model import Path, Relation
from graph.protocols import GraphView
from kgqa.answering.change import MAX_LENGTH, contrasted, named_changes, names_changed, routes
from kgqa.answering.contracts import Side
from kgqa.answering.evidence import cited
from kgqa.answering.findings import path_finding
from kgqa.answering.lessening import is_prevention
from kgqa.answering.listing import find, find_as, read_as, refusal, wanted_edges
from kgqa.answering.two_worlds import described
from kgqa.answering.validity import SHOWN, validity
from kgqa.answering.wording import counted, listed, sentence
from kgqa.errors import ConceptUnknown
from kgqa.intervention.settings import World, apply
from kgqa.linking.linker import Reading, readings
from kgqa.model import Answer, Change, Condition, QuestionType, Route, Semantic, Verdict
from kgqa.request import Request

_UNCLEAR = "not clearly"
_PERHAPS = "perhaps"

_BOTH_WAYS = Links(DRIVING_LINKS.kinds | PREVENTING_LINKS.kinds, DRIVING_LINKS.above)


class Bearing(NamedTuple):
    """The routes from what is supposed to an effect, best first: those that make more of it, and those that make less of it."""

    reading: Reading
    driving: Sequence[Path]
    hindering: Sequence[Path]
    valid: float = 1.0

    @property
    def best(self) -> Path:
        """The best route of either kind."""
        return max((*self.driving, *self.hindering), key=lambda path: path.score)

    @property
    def doubtful(self) -> bool:
        """Whether the best route is an indirect one that is not likely enough to hold to be shown as an answer elsewhere."""
        return len(self.best.edges) > 1 and self.valid < SHOWN

    @property
    def drives(self) -> bool:
        """Whether the best route makes more of the effect."""
        return bool(self.driving) and self.best.score <= self.driving[0].score


def answer_counterfactual(request: Request) -> Answer:
    """Answer what the "if" of the question changes for its effect, or, where it names none, for what X causes."""
    question, kind, view, limit = request.question, request.kind, request.view, request.limit
    condition = kind.slots.condition
    if condition is None:
        return refusal(question, kind, "what is supposed", question, view)
    try:
        world = apply(view, (condition,))
    except ConceptUnknown:
        return refusal(question, kind, f"what depends on '{condition.target}'", condition.target, view)
    if kind.slots.effect is None:
        return _all_effects(question, kind, view, world, condition, limit)
    return _one_effect(question, kind, view, world, condition, limit)


def _one_effect(question: str, kind: QuestionType, view: GraphView, world: World, condition: Condition, limit: int) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive."""
    effect = kind.slots.effect or ""
    bearing = _bearing(view, world, effect, limit)
    if bearing is None:
        return refusal(question, kind, f"that '{effect}' depends on '{condition.target}'", effect, view)
    reading, best = bearing.reading, bearing.best
    before, after = (find_as(one, reading, Relation.CAUSES, Side.CAUSES) for one in (view, world.view))
    causes, what = names_changed(before, after), reading.concepts[0]
    left = causes.surviving
    gone = condition.presence is Presence.ABSENT
    through = (*routes(bearing.driving), *(f"{route} (makes less of it)" for route in routes(bearing.hindering)))
    fallen = (f"{name} → {what}" for name in causes.lost if name not in world.read[0].concepts)
    others = (f"{name} → {what}" for name in left)
    changed = Change(
        lost=tuple(dict.fromkeys((*through, *fallen))) if gone else (),
        surviving=tuple(dict.fromkeys((*(() if gone else through), *others))),
    )
    changed = contrasted(changed, view, world, reading.concepts, after)
    less = bearing.drives is gone
    only = gone and bearing.drives and not left
    doubt = _doubt(changed, bearing, less)
    if only and not bearing.doubtful:
        doubt = ""
    answer = "no known cause left" if only else "less likely" if less else "more likely"
    asked = kind.semantic is Semantic.VERIFICATION
    verdict = (Verdict.NO if only or (less and not gone) else Verdict.YES) if asked else None
    stays = gone and bool(left)
    if doubt in (_UNCLEAR, _PERHAPS) and verdict and not stays:
        verdict = Verdict.UNKNOWN
    told = verdict.value if verdict else f"{doubt} {answer}" if doubt else answer
    scale = reading.score * world.read[0].score * (1.0 if stays and verdict else bearing.valid)
    finding = replace(path_finding(best, scale), text=told)
    decided = verdict is not Verdict.UNKNOWN
    target = world.applied[0].target
    shown = (best, *bearing.driving, *bearing.hindering)[: limit + 1]
    supporting, denying = cited(view, dict.fromkeys(edge for path in shown for edge in path.edges), each=2)
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=finding.text if decided else None,
        verdict=verdict,
        sentence=sentence(_effect_text(what, _only(target, causes.lost, world), bearing, left, gone, doubt) + _doubted(bearing)),
        findings=(finding,) if decided else (),
        confidence=finding.confidence if decided else 0.0,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *(read_as(one) for one in world.read),
            read_as(reading),
            *((f"best route valid with probability {bearing.valid:.2f}",) if len(best.edges) > 1 else ()),
            f"as it is: {what} is caused by {described(before)}",
            f"with {world.name}: {what} is caused by {described(after)}",
            *(f"makes more of it: {route}" for route in routes(bearing.driving)),
            *(f"makes less of it: {route}" for route in routes(bearing.hindering)),
            *named_changes(changed, limit),
        ),
    )


def _bearing(view: GraphView, world: World, effect: str, limit: int) -> Bearing | None:
    """Return the routes from what is supposed to the first reading of the effect that has any, or `None`."""
    supposed = world.read[0].concepts
    for reading in readings(effect, view):
        if reading.how == "spelling" or set(reading.concepts) & set(supposed):
            continue
        driving = best_paths(view, supposed, reading.concepts, MAX_LENGTH, limit, DRIVING_LINKS)
        every = best_paths(view, supposed, reading.concepts, MAX_LENGTH, 4 * limit, _BOTH_WAYS)
        hindering = [path for path in every if sum(map(is_prevention, path.edges)) % 2][:limit]
        if driving or hindering:
            found = Bearing(reading, driving, hindering)
            return found._replace(valid=validity(found.best, view)) if len(found.best.edges) > 1 else found
    return None


def _doubt(changed: Change, bearing: Bearing, less: bool) -> str:
    """Return in a word how uncertain the direction of a change is; empty where it is not.

    It is "perhaps" where the only way there is doubtful, and "not clearly" where the probability that is reckoned on all routes
    moves the other way.
    """
    chances = changed.chances
    if chances is not None:
        before, after = (round(one.sampled, 2) for one in (chances.before, chances.after))
        if (after > before) if less else (after < before):
            return _UNCLEAR
    return _PERHAPS if bearing.doubtful else ""


def _doubted(bearing: Bearing) -> str:
    """Return why the direction of a change is uncertain, as a clause to add; empty where it is not."""
    if not bearing.doubtful:
        return ""
    return f"; that {routes([bearing.best])[0]} holds from end to end is doubtful (validity {bearing.valid:.2f})"


def _only(target: str, lost: Sequence[str], world: World) -> str:
    """Return what is lost where no cause is left: what is supposed itself, or what it alone is known to bring about."""
    indirect = [name for name in lost if name not in world.read[0].concepts]
    if not indirect or len(indirect) < len(lost):
        return f"its only known cause, {target}"
    many = len(indirect) > 1
    which = f"which {'are' if many else 'is'} only known to come from {target}"
    return f"its only known cause{'s' if many else ''}, {listed(indirect[:3])}, {which}"


def _effect_text(effect: str, only: str, bearing: Bearing, left: Sequence[str], gone: bool, doubt: str) -> str:
    """Return what would happen to an effect, in a sentence."""
    best = routes([bearing.best])[0]
    other = bearing.hindering if bearing.drives else bearing.driving
    contrary = f"; on the other hand {routes(other)[0]} makes {'less' if bearing.drives else 'more'} of it" if other else ""
    if bearing.drives and gone and not left:
        return f"{effect} would {'perhaps ' if bearing.doubtful else ''}lose {only}{contrary}"
    less = bearing.drives is gone
    would = f"{effect} would {'perhaps ' if doubt == _PERHAPS else ''}become {'less' if less else 'more'} likely"
    if doubt == _UNCLEAR:
        moves = "fall" if less else "rise"
        would = (
            f"{effect} would not clearly become {'less' if less else 'more'} likely: its reckoned probability does not {moves}"
        )
    means = "" if bearing.drives else ", which makes less of it"
    if not gone:
        return f"{would}{', although it could' if doubt == _UNCLEAR else ','} by way of {best}{means}{contrary}"
    cut = f"{would}, {'although' if doubt == _UNCLEAR else 'since'} {best}{means + ',' if means else ''} is cut"
    if not bearing.drives:
        return f"{cut}{contrary}"
    rest = f"{counted(len(left), 'other cause')} of it would remain{', such as' if len(left) > 3 else ':'} {listed(left[:3])}"
    return f"{cut}; but {rest}{contrary}"


def _all_effects(question: str, kind: QuestionType, view: GraphView, world: World, condition: Condition, limit: int) -> Answer:
    """Answer for everything that the supposed concept bears on: what it makes more of, and what it makes less of."""
    listing = find(view, condition.target, Relation.CAUSES, Side.EFFECTS)
    held = find(view, condition.target, Relation.PREVENTS, Side.EFFECTS)
    driven = [one for one in listing.findings if all(map(DRIVING_LINKS.allow, one.path.edges))] if listing else []
    hindered = [one for one in held.findings if all(edge.belief > DRIVING_LINKS.above for edge in one.path.edges)] if held else []
    findings = tuple((*driven, *hindered)[:limit])
    if not findings:
        return refusal(question, kind, f"what depends on '{condition.target}'", condition.target, view)
    gone = condition.presence is Presence.ABSENT
    bare = [one for one in driven if all(edge.effect in world.view.gone for edge in one.path.edges)]
    farther = sorted(world.view.gone - set(world.read[0].concepts) - {one.text for one in bare})
    others = {one.text: _others(one.text, world) for one in driven[:limit] if one not in bare}
    names = [listed([one.text for one in side[:limit]]) if side else "" for side in (driven, hindered)]
    words = ("less", "more") if gone else ("more", "less")
    parts = [f"{word} likely: {shown}" for word, shown in zip(words, names, strict=True) if shown]
    parts += [f"no known cause would be left of {listed([one.text for one in bare[:limit]])}"] if bare else []
    supporting, denying = cited(view, (edge for one in findings for edge in one.path.edges), each=2)
    lost = (*(one.text for one in bare), *farther)
    changed = Change(lost=lost, surviving=tuple(others), world=world.name) if gone else None
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        sentence=sentence("; ".join(parts)),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *(read_as(one) for one in world.read),
            *(f"{name}: {counted(left, 'other cause')} left" for name, left in others.items() if gone),
            *named_changes(changed, limit),
        ),
    )


def _others(name: str, world: World) -> int:
    """Return how many causes a concept has in a world."""
    return len(wanted_edges(world.view.causes(name), Relation.CAUSES, Side.CAUSES))
