"""What would follow in a supposed world: what there would be more and less of, or what would become of one effect.

For one effect, the answer has the routes by which it changes, and the causes of it that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from graph.intervene import Presence
from graph.model import Relation
from graph.protocols import GraphView
from kgqa.answer_model import Answer, AnswerChange, ChangedRoute, ConfidenceSignals, Finding, Route, Verdict
from kgqa.answering.contracts import CAUSE, Side
from kgqa.answering.counterfactuals.answer_changes import (
    as_undecided,
    change_steps,
    listing_facts,
    names_as_routes,
    supposition_steps,
    with_chances,
)
from kgqa.answering.counterfactuals.consequence_ranking import (
    Consequences,
    Selection,
    general_consequences,
    onward_consequences,
    rank_consequences,
)
from kgqa.answering.counterfactuals.effect_outlook import (
    SUREST,
    SUREST_SINGLE,
    CauseChanges,
    Direction,
    EffectOutlook,
    InfluenceSet,
    cause_changes,
    closure_probability,
    effect_outlook,
    find_influences,
    outcome_verdict,
    probability_of_any,
    rests_on_remaining,
)
from kgqa.answering.counterfactuals.event_names import is_light
from kgqa.answering.counterfactuals.target_fields import TargetField, target_field
from kgqa.answering.findings import cite_evidence, edge_finding, path_finding
from kgqa.answering.lists.listing import build_listing, edges_for_relation
from kgqa.answering.refusals import refuse_phrase
from kgqa.interventions.graph_settings import AppliedSetting, InterventionWorld
from kgqa.linking.concept_links import BROADER, SPELLING, drops_name
from kgqa.linking.mention import content_words
from kgqa.question import Condition, EffectOutcome, Semantic
from kgqa.reasons import Conclusion, Missing, Refusal, Step
from kgqa.request import Request

_TELLING = 3


@dataclass(frozen=True, slots=True)
class ConsequenceConclusion(Conclusion):
    """What a supposed world makes `more` of, and `less` of; `less_first` says which of the two bears more.

    `graded` says that the world has more or less of something. `about` is the phrase of an effect where only what names something
    of it is listed. `measured` are those of which the claims say how much there is; `doubtful` says that little is known.
    `onward` is what follows in turn from the only one, and `general` what follows from a kind of what is supposed, with it.
    """

    more: tuple[str, ...]
    less: tuple[str, ...]
    less_first: bool = False
    graded: bool = False
    about: str = ""
    measured: frozenset[str] = frozenset()
    doubtful: bool = False
    onward: ConsequenceConclusion | None = None
    general: tuple[str, ConsequenceConclusion] | None = None

    @property
    def is_thin(self) -> bool:
        """Whether little is known, or nothing of what was asked about."""
        return self.doubtful or bool(self.about)

    @property
    def tells_few(self) -> bool:
        """Whether it has fewer things than a sentence may name."""
        return len(self.more) + len(self.less) < _TELLING


@dataclass(frozen=True, slots=True)
class EffectConclusion(Conclusion):
    """What the `parts` of a supposed world make of an effect, with the verdict on the `outcome` that the question asks about.

    `closure` is how probably the graph knows all causes of the effect.
    """

    outlook: EffectOutlook
    parts: tuple[AppliedSetting, ...]
    verdict: Verdict | None
    outcome: EffectOutcome | None
    closure: float


@dataclass(frozen=True, slots=True)
class RemovedEffectConclusion(Conclusion):
    """That the effect of a question is a kind of what is supposed to be gone, or (`same`) that itself."""

    verdict: Verdict
    effect: str
    removed: str
    same: bool


def answer_consequences(request: Request, world: InterventionWorld, selection: Selection, *, held_back: bool = False) -> Answer:
    """Answer for everything that is supposed to change bears on: what it makes more of, and what it makes less of.

    Only what is in the `selection` is told. With `held_back`, what there would be more of is the answer where there is any.
    """
    consequences = rank_consequences(request.view, world, selection)
    if held_back and consequences.more:
        consequences = consequences._replace(less=())
    if consequences:
        return _answer_with_consequences(request, world, consequences)
    missing = Missing("dependents", tuple(part.reading.phrase for part in world.parts))
    return as_undecided(refuse_phrase(request, missing, missing.names[0]))


def _answer_with_consequences(request: Request, world: InterventionWorld, consequences: Consequences, about: str = "") -> Answer:
    limit = request.limit
    ordered = consequences.ordered
    findings = tuple(each.finding for each in ordered[:limit])
    cutting = any(part.cuts for part in world.parts)
    own = {name for part in world.parts for name in part.concepts}
    gone = world.view.gone
    bare = [each.name for each in ordered if all(edge.effect in gone for edge in each.finding.path.edges)] if cutting else []
    cause_counts = {
        each.name: len(edges_for_relation(world.view.causes(each.name), Relation.CAUSES, Side.CAUSES))
        for each in ordered[:limit]
        if each.name not in bare
    }
    edges = dict.fromkeys(edge for item in findings for edge in item.path.edges)
    supporting, denying = cite_evidence(request.view, edges, each=2)
    changed = None
    if cutting:
        farther = sorted(gone - own - set(bare))
        changed = AnswerChange(
            removed=names_as_routes((*bare, *farther)), retained=names_as_routes(cause_counts), world=world.name
        )
    conclusion = _conclude(consequences, graded=any(part.graded for part in world.parts), about=about)
    if consequences.doubtful or len(conclusion.more) + len(conclusion.less) == 1:
        conclusion = _with_further(request.view, world, consequences, conclusion)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        conclusion=conclusion,
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        steps=(
            *supposition_steps(world),
            *(Step("causes_left", (name, left)) for name, left in cause_counts.items() if cutting),
            *change_steps(changed, limit),
        ),
        signals=ConfidenceSignals(doubtful=True) if consequences.doubtful else ConfidenceSignals(),
    )


def _with_further(
    view: GraphView, world: InterventionWorld, consequences: Consequences, conclusion: ConsequenceConclusion
) -> ConsequenceConclusion:
    """Return a conclusion that says little with what follows in turn, and with what follows in general."""
    (first, *_) = consequences.ordered
    onward = Consequences() if consequences.doubtful else onward_consequences(view, first)
    # What it would bring about in turn; what it would hinder is too far from what is supposed.
    onward = Consequences(more=onward.more) if first.grows else Consequences(less=onward.less)
    general = next((pair for part in world.parts if (pair := general_consequences(view, part)) is not None), None)
    return replace(
        conclusion,
        onward=_conclude(onward) if onward and not onward.doubtful else None,
        general=(general[0], _conclude(general[1])) if general else None,
    )


def _conclude(consequences: Consequences, *, graded: bool = False, about: str = "") -> ConsequenceConclusion:
    headline = consequences.headline
    more, less = (tuple(each.name for each in side) for side in headline)
    measured = frozenset(each.name for side in headline for each in side if each.measured)
    return ConsequenceConclusion(more, less, consequences.less_first, graded, about, measured, consequences.doubtful)


def check_follows(view: GraphView, world: InterventionWorld) -> Iterator[Step]:
    """Yield, for each supposition that is said to follow from the one before it, whether the graph knows that.

    The supposition is applied all the same.
    """
    for before, part in pairwise(world.parts):
        if not (isinstance(part.setting, Condition) and part.setting.follows):
            continue
        agrees, route, influence_set = None, None, None
        if part.effect is None and not set(before.concepts) & set(part.concepts):
            alone = InterventionWorld(world.view, (), (), (before,))
            influence_set = find_influences(view, alone, [part.reading], 1)
        if influence_set is not None:
            agrees = influence_set.less is (part.setting.presence is Presence.ABSENT or part.takes)
            route = influence_set.leading.routes[0]
        yield Step("follows", (before.reading.concepts[0], part.reading.concepts[0], agrees, route))


MEASURED = re.compile(
    r"^(?:the )?(?:number|rate|amount|level|share) of | (?:rates?|cases|numbers?|figures|incidence|levels?)$", re.I
)
"""The words by which a phrase says how much there is of something: "lung cancer rates"."""
_LEAST_VALIDITY = 0.4
"""The least validity of a route that is told at all, as a doubtful one."""
_REMAINING_NAMED, _CAUSES_SHOWN = 5, 3


def answer_effect(request: Request, world: InterventionWorld, selection: Selection) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive.

    Where there is no route, the answer is what follows of what is in the `selection`, what is about the effect first.
    """
    view, kind, outcome = request.view, request.kind, request.kind.slots.outcome
    phrases = dict.fromkeys((kind.slots.effect or "", MEASURED.sub("", kind.slots.effect or "")))
    linked = chain.from_iterable(request.link(phrase, view) for phrase in phrases)
    readings = (link for link in linked if not drops_name(link, request.question))
    influence_set = find_influences(view, world, readings, request.limit)
    field = target_field(kind.slots.effect or "") if kind.semantic is not Semantic.VERIFICATION else None
    unstated = influence_set is None or (not influence_set.stated if field is not None else influence_set.leading.doubtful)
    if kind.semantic is not Semantic.VERIFICATION and unstated:
        beside = _answer_beside_effect(request, world, selection, field)
        if beside is not None and (influence_set is None or field is not None or not beside.is_thin):
            return beside
    if influence_set is None or influence_set.leading.valid < _LEAST_VALIDITY:
        return _refuse_without_route(request, world, selection)
    reading, concept = influence_set.reading, influence_set.reading.concepts[0]
    changes = cause_changes(view, world, reading)
    before, after = (build_listing(state, reading, CAUSE) for state in (view, world.view))
    changed = replace(_route_changes(influence_set, changes), world=world.name)
    if not any(part.graded for part in world.parts):
        changed = with_chances(changed, view, world, reading.concepts, after)
    outlook = effect_outlook(influence_set, changes, changed)
    verdict = outcome_verdict(outlook, outcome) if kind.semantic is Semantic.VERIFICATION else None
    closure = closure_probability(view, reading)
    # How surely the phrases were read: the effect, and the least sure of what is supposed.
    link = reading.score * min(item.score for item in world.read)
    confidence = _effect_confidence(outlook, link, verdict, outcome, closure)
    answer_text = verdict.value if verdict else f"{outlook.doubt.value} {outlook.direction.value}".strip()
    findings = _effect_findings(outlook, verdict, answer_text, confidence)[: request.limit]
    best = findings[0]
    paths = [
        path for influence in influence_set.influences for path in (influence.best, *influence.driving, *influence.hindering)
    ][: request.limit + 1]
    edges = (edge for path in (*paths, *(finding.path for finding in findings)) for edge in path.edges)
    supporting, denying = cite_evidence(view, dict.fromkeys(edges), each=2)
    answer = Answer(
        question=request.question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=answer_text,
        verdict=verdict,
        conclusion=EffectConclusion(outlook, world.parts, verdict, outcome, closure),
        findings=findings,
        confidence=confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        steps=(
            *supposition_steps(world),
            reading,
            *check_follows(view, world),
            *_route_steps(influence_set),
            Step("causes_before", (concept, *listing_facts(before))),
            Step("causes_after", (world.name, concept, *listing_facts(after))),
            Step("cause_changes", (len(changes.lost), len(changes.left), len(changes.gained))),
            *([Step("remaining_causes", (changes.remaining,))] if changes.remaining else []),
            Step("closure", (concept, closure)),
            *change_steps(changed, request.limit),
        ),
        signals=ConfidenceSignals(best.path.score, link, support=best.support, steps=len(best.path.edges)),
    )
    return as_undecided(answer) if verdict is Verdict.UNKNOWN else answer


def _route_changes(influence_set: InfluenceSet, changes: CauseChanges) -> AnswerChange:
    effect = influence_set.reading.concepts[0]
    supposed = {name for influence in influence_set.influences for name in influence.part.concepts}
    gained_causes = {edge.cause for edge in changes.gained}
    lost: list[ChangedRoute] = []
    new: list[ChangedRoute] = []
    left: list[ChangedRoute] = []
    for influence in influence_set.influences:
        part = influence.part
        # A supposition may put in a claim that the graph does not have.
        is_new = part.effect is not None and not part.takes and not gained_causes.isdisjoint(part.concepts)
        (lost if part.cuts else new if is_new else left).extend(influence.routes)
    lost += [ChangedRoute((edge.cause, effect)) for edge in changes.lost if edge.cause not in supposed]
    left = [route for route in left if route not in new]
    new += [ChangedRoute((edge.cause, effect)) for edge in changes.gained]
    left += [ChangedRoute((edge.cause, effect)) for edge in changes.left]
    removed, added, retained = (tuple(dict.fromkeys(routes)) for routes in (lost, new, left))
    return AnswerChange(removed, added, retained)


def _effect_confidence(
    outlook: EffectOutlook, link: float, verdict: Verdict | None, outcome: EffectOutcome | None, closure: float
) -> float:
    """Return how surely an answer is right; `link`, 0..1, is how surely the phrases were read.

    That an effect still happens rests on the causes that are left; that none is left, on how probably the graph knows them all
    as well; everything else on the best route alone.
    """
    influence_set = outlook.influence_set
    route = min(SUREST, influence_set.leading.best.score * influence_set.leading.valid * link)
    if verdict is None or outcome in (EffectOutcome.MORE, EffectOutcome.LESS, EffectOutcome.CHANGES):
        return route
    happens = (verdict is Verdict.YES) is (outcome is not EffectOutcome.GONE)
    if happens and rests_on_remaining(outlook):
        most = SUREST_SINGLE if influence_set.is_single else SUREST
        return influence_set.reading.score * min(most, probability_of_any(outlook.cause_changes.remaining))
    return route * closure if outlook.direction is Direction.NONE else route


def _effect_findings(outlook: EffectOutlook, verdict: Verdict | None, answer_text: str, confidence: float) -> tuple[Finding, ...]:
    left = [
        edge
        for edge in outlook.cause_changes.remaining
        if all(edge.cause not in influence.part.concepts for influence in outlook.influence_set.influences)
    ]
    if verdict is None or not left or not rests_on_remaining(outlook):
        return (replace(path_finding(outlook.influence_set.leading.best), text=answer_text, confidence=confidence),)
    first, *rest = (edge_finding(edge) for edge in left[:_REMAINING_NAMED])
    return (
        replace(first, text=answer_text, confidence=confidence),
        *(replace(finding, text=finding.path.edges[0].cause) for finding in rest),
    )


def _route_steps(influence_set: InfluenceSet) -> Iterator[Step]:
    for influence in influence_set.influences:
        if len(influence.best.edges) > 1:
            yield Step("route_validity", (influence.valid,))
        yield from (Step("driving_route", (path,)) for path in influence.driving)
        yield from (Step("hindering_route", (path,)) for path in influence.hindering)


def _answer_beside_effect(
    request: Request, world: InterventionWorld, selection: Selection, field: TargetField | None
) -> Answer | None:
    """Answer with the consequences that name something of the effect, or belong to its field: fish stocks for cod stocks.

    Where there are none, with all, if they are several, and that the graph names nothing nearer; `None` where all are doubtful.
    """
    from kgqa.answering.nearest_claims import names_topic

    effect = request.kind.slots.effect or ""
    tests = [field.holds] if field is not None else [names_topic(effect), names_topic(effect, any_half=True)]
    for place, is_about in enumerate(tests):
        inside = rank_consequences(request.view, world, selection.among(is_about))
        if inside and not (field is not None and inside.doubtful):
            return _answer_with_consequences(request, world, inside, about=effect if place else "")
    everything = rank_consequences(request.view, world, selection)
    if not everything or everything.doubtful or not _covers_clause(request) or sum(map(len, everything.headline)) < _TELLING:
        return None
    return _answer_with_consequences(request, world, everything, about=effect)


def _covers_clause(request: Request) -> bool:
    """Return whether what is supposed is all that the clause tells: of salt that is removed from the sea, it is not."""
    condition = request.kind.slots.condition
    if condition is None:
        return False
    covered = {word for part in condition.each for word in content_words(part.target)}
    return all(word in covered or is_light(word, condition.text) for word in content_words(condition.text))


def _refuse_without_route(request: Request, world: InterventionWorld, selection: Selection) -> Answer:
    """Return that the graph does not know that an effect depends on what is supposed, or that it is itself supposed away."""
    view, effect = request.view, request.kind.slots.effect or ""
    itself = _answer_supposed_away(request, world)
    if itself is not None:
        return itself
    supposed = {item.target for item in request.kind.slots.condition.each} if request.kind.slots.condition else set()
    phrases = tuple(part.reading.phrase for part in world.parts)
    names = tuple(phrase for phrase in phrases if phrase in supposed) or phrases
    from kgqa.answering.nearest_claims import nearest_claims, with_nearest

    consequences = rank_consequences(view, world, selection)
    missing = Missing("dependence", (effect, *names))
    answer = with_nearest(refuse_phrase(request, missing, effect), missing, nearest_claims(request))
    surely_read = all(item.how != BROADER for item in world.read)
    if consequences and not consequences.doubtful and surely_read:
        answer = replace(answer, conclusion=Refusal("other_consequences", (missing, _conclude(consequences))))
    reading = next((candidate for candidate in request.link(effect, view) if candidate.how != SPELLING), None)
    if reading is not None:
        known = cause_changes(view, world, reading).left
        details = (reading.concepts[0], known[:_CAUSES_SHOWN], len(known))
        gap = Missing("route", (effect, *names), "other_causes", details)
        answer = replace(answer, gaps=(*answer.gaps, gap) if known else answer.gaps)
    steps = (*supposition_steps(world), *([reading] if reading is not None else []))
    return replace(as_undecided(answer), steps=steps, interventions=world.applied)


def _answer_supposed_away(request: Request, world: InterventionWorld) -> Answer | None:
    view: GraphView = request.view
    reading = next(iter(request.link(request.kind.slots.effect or "", view)), None)
    cut = [part for part in world.parts if part.cuts and part.effect is None]
    gone = next((part for part in cut if reading is not None and reading.concepts[0] in part.concepts), None)
    if reading is None or gone is None or request.kind.semantic is not Semantic.VERIFICATION:
        return None
    outcome = request.kind.slots.outcome
    verdict = Verdict.NO if outcome in (None, EffectOutcome.HAPPENS, EffectOutcome.MORE) else Verdict.YES
    name, what = reading.concepts[0], gone.reading.concepts[0]
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=verdict.value,
        verdict=verdict,
        conclusion=RemovedEffectConclusion(verdict, name, what, name in gone.reading.concepts),
        confidence=reading.score * gone.reading.score,
        interventions=world.applied,
        steps=(*supposition_steps(world), reading),
    )
