"""Answers to "what if" questions: by the difference of two worlds, or of a world for each alternative that "or" joins.

A question whose "if" takes something for so ("How come dogs bark if they are not scared?") is answered as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice, product, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from graph.intervene import Presence
from graph.model import Claim, Edge
from graph.text.normalise import concept_name
from graph.text.word_lists import table_rows
from kgqa.answer_model import Answer, Route
from kgqa.answering.counterfactuals.answer_changes import as_undecided
from kgqa.answering.counterfactuals.consequence_ranking import LEAST_VALUE, Consequence, Selection
from kgqa.answering.counterfactuals.consequences import MEASURED, ConsequenceConclusion, answer_consequences, answer_effect
from kgqa.answering.counterfactuals.contrary_events import refuse_contrary
from kgqa.answering.counterfactuals.event_names import EventName, event_names, is_particular, nearest_name
from kgqa.answering.counterfactuals.target_fields import target_field
from kgqa.answering.evidence_kind import answering_words
from kgqa.answering.findings import join_answers
from kgqa.answering.matching.claim_matcher import AskedClaim, claim_text
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
from kgqa.linking.concept_links import EVERYDAY, SURE_LINK
from kgqa.linking.lexical_relations import synonyms
from kgqa.linking.mention import content_words, expect_phrases
from kgqa.question import Condition, EffectOutcome, Semantic
from kgqa.questions.lexicon import lexicon, topics_of
from kgqa.reasons import Conclusion, Missing, Refusal, Remedy, Step
from kgqa.request import Request, Router

if TYPE_CHECKING:
    from kgqa.answering.matching.claim_embeddings import EmbeddingIndex
    from kgqa.answering.matching.claim_matcher import ClaimMatcher

NEAREST = 40
"""How many of the claims nearest to the question, and to its event, are looked at."""
LEAST_BELIEF = 0.5


@dataclass(frozen=True, slots=True)
class AlternativesConclusion(Conclusion):
    """What follows from each of the conditions that "or" joins; `agreed` is the answer where that is the same."""

    conditions: tuple[Condition, ...]
    conclusions: tuple[Conclusion | str, ...]
    agreed: str | None = None


def answer_supposed(request: Request, events: Sequence[EventName] = (), relevant: frozenset[Edge] = frozenset()) -> Answer:
    """Answer what the "if" of the question changes for its effect; where it names none, for all that depends on it.

    `events` are further names of what is supposed, each there or gone; what the graph has under one of them counts as well, and
    `relevant` claims more.
    """
    condition = request.kind.slots.condition
    if condition is None:
        raise ValueError("a question with an 'if' without its condition")
    effect = request.kind.slots.effect
    anybody = effect is not None and effect.lower() in lexicon().plain["recipient"] and target_field(effect) is None
    open_question = effect is None or (anybody and request.kind.semantic is not Semantic.VERIFICATION)
    personal = open_question and condition.presence is Presence.ABSENT and _PERSON.match(condition.text) is not None
    stopped = list(_settings_beside(request, condition, _STOPPED)) if personal and _STOPPING.search(condition.text) else []
    lacks = stopped or list(_settings_of_lack(request, condition))
    goes_without = open_question and condition.amount is None and _SOMEBODY.match(condition.text)
    told_of = any(request.view.effects(lack.target) for lack in lacks)
    settings = lacks if (stopped or goes_without) and told_of else [*lacks, *settings_of_condition(condition)]
    settings = lacks if any(event.fuller for event in events) else settings
    targets = [setting.target for setting in settings if isinstance(setting, Condition)]
    known = {name for target in targets for reading in islice(request.link(target, request.view), 1) for name in reading.concepts}
    beside = [
        Condition(condition.text, event.name, event.presence)
        for event in events
        if event.name not in known and not (stopped and event.presence is Presence.ABSENT)
    ]
    try:
        world, unknown = _supposed_world(request, [*settings, *beside])
    except ConceptUnknown as error:
        thing = _ACTING.sub("", condition.target)
        if condition.presence is Presence.ABSENT and thing != condition.target and not condition.also:
            return answer_supposed(_with_target(request, condition, thing))
        about = next((each for each in condition.each if f"'{each.target}'" in str(error)), condition).target
        missing = Missing("dependents", (about,))
        return as_undecided(refuse_contrary(request, condition) or refuse_phrase(request, missing, about))
    except (ClaimUnknown, SettingInvalid) as error:
        return _refuse_impossible(request, error)
    # Who does without a medicine lacks what it does for him, and no side effect of it is news.
    medicine = personal and not stopped and _MEDICINE.search(condition.text) is not None
    selection = Selection(_keeps_consequence(condition, events, relevant, person=bool(goes_without)), relevant)
    answer_over = partial(answer_consequences, held_back=medicine) if open_question else answer_effect
    answer = answer_over(request, world, selection)
    unknown = () if events else unknown
    if answer.answer is None and condition.amount is not None and not condition.also:
        # How much of it there is comes to more or less of it: "obesity rates fell".
        plain = MEASURED.sub("", condition.target)
        if plain != condition.target:
            answer = answer_supposed(_with_target(request, condition, plain))
    return replace(answer, gaps=(*answer.gaps, *unknown)) if unknown else answer


def _with_target(request: Request, condition: Condition, target: str) -> Request:
    """Return a request whose "if" is about a target that is named in other words."""
    slots = replace(request.kind.slots, condition=condition._replace(target=target))
    return replace(request, kind=replace(request.kind, slots=slots))


_PAST = re.compile(r"\b(?:had|hadn['’]t|never|(?:1\d|20)\d\d)\b", re.IGNORECASE)
"""What says that a clause is about what has been."""
_YEAR = re.compile(r"\b(?:1\d|20)\d\ds?\b")


def _keeps_consequence(
    condition: Condition, events: Sequence[EventName], relevant: frozenset[Edge], *, person: bool
) -> Callable[[Consequence], bool]:
    """Return the test whether something follows from a condition itself.

    Of a thing in general, what is only said of one year, or doubtfully of one place, or of animals in a laboratory, does not; of
    what a `person` does, what happens to plants and animals does not; of a broader name, only what has to do with the rest of the
    condition.
    """
    question_words = frozenset(content_words(condition.text))
    past = _PAST.search(condition.text) is not None
    particular = any(map(is_particular, content_words(condition.target)))
    wider = {event.name: event for event in events if event.about}

    def keeps(each: Consequence) -> bool:
        words, edge = frozenset(content_words(each.name)) - question_words, each.finding.path.edges[0]
        illness = _has_topic(each.name, {"illness"})
        if words & answering_words("laboratory") or (person and not illness and _has_topic(each.name, {"plant", "animal"})):
            return False
        if not past and _YEAR.search(each.name):
            return False
        if not particular and any(map(is_particular, words)) and not illness and each.value < LEAST_VALUE:
            return False
        return edge in relevant or edge.cause not in wider or wider[edge.cause].bears_on(edge.effect)

    return keeps


def answer_events(request: Request, answer: Answer, matcher: ClaimMatcher, index: EmbeddingIndex) -> Answer:
    """Return the answer to an "if" with the names of its event among the claims near to it, where it says more than an answer.

    Where the question asks about an effect, that is one that a claim of such a name has. An answer that tells enough gives way
    only to names that say more of the condition than was read of it.
    """
    condition, effect = request.kind.slots.condition, request.kind.slots.effect
    if condition is None:
        return answer
    conclusion = answer.conclusion
    few = not answer.is_decided or answer.is_thin or (isinstance(conclusion, ConsequenceConclusion) and conclusion.tells_few)
    events: list[EventName] = []
    edges: dict[Edge, float] = {}
    for part in condition.each:
        if part.effect is not None:
            continue
        vectors = matcher.vectors([request.question, part.target, claim_text(Claim(part.target, effect or part.target))])
        near = [item for vector in vectors for item in index.nearest(vector, NEAREST)]
        known = {edge: item.cosine for item in near if (edge := request.view.edge(item.claim)) is not None}
        edges |= {edge: cosine for edge, cosine in known.items() if edge.belief >= LEAST_BELIEF}
        events += event_names(part, effect, (edge.cause for edge in edges), matcher)
    judged = matcher.relevance(AskedClaim(request.question, condition.target, effect), edges) if events else []
    relevant = frozenset(item.edge for item in judged if item.probability >= matcher.bound)
    events = [event for event in events if _bears(event, request, relevant)]
    if not events or not (few or any(event.fuller for event in events)):
        return _without_doubtful(answer)
    if effect is not None:
        names = [edge.effect for event in events for edge in request.view.effects(event.name) if event.bears_on(edge.effect)]
        slots = request.kind.slots
        ended = slots.outcome is EffectOutcome.GONE
        nearest = nearest_name(effect, names, matcher, whole=request.kind.semantic is Semantic.VERIFICATION, ended=ended)
        if nearest is not None:
            slots = replace(slots, effect=nearest, outcome=EffectOutcome.HAPPENS if ended else slots.outcome)
            request = replace(request, kind=replace(request.kind, slots=slots))
    fuller = answer_supposed(request, events, relevant)
    is_contrary = isinstance(conclusion, Refusal) and conclusion.reason == "contrary_event"
    tells = is_contrary or (answer.is_decided and not answer.is_thin)
    says_more = fuller.is_decided and not (tells and fuller.is_thin)
    return _without_doubtful(replace(fuller, type=answer.type) if says_more else answer)


def _without_doubtful(answer: Answer) -> Answer:
    """Return an answer, or "unknown" with what it says, where no editor would name any of the consequences."""
    conclusion = answer.conclusion
    if not (isinstance(conclusion, ConsequenceConclusion) and conclusion.doubtful and answer.is_decided):
        return answer
    gap = Missing("dependents", tuple(applied.target for applied in answer.interventions))
    return replace(as_undecided(answer), route=Route.NONE, conclusion=Refusal("little_known", (conclusion,)), gaps=(gap,))


def _bears(event: EventName, request: Request, relevant: frozenset[Edge]) -> bool:
    """Return whether an event has to do with the effect of a question, or, where it has none, has effects at all."""
    effect, edges = request.kind.slots.effect, request.view.effects(event.name)
    effects = (edge.effect for edge in edges) if effect is None else (effect,)
    return any(map(event.bears_on, effects)) or not relevant.isdisjoint(edges)


def _has_topic(name: str, topics: Set[str]) -> bool:
    return any(not topics.isdisjoint(topics_of(word)) for word in content_words(name))


_ACTING = re.compile(r"(?<=\w) \w+ing$")
"""What a thing does, behind its name: where the graph has no name for that, the thing itself is gone."""


def _settings_of_lack(request: Request, condition: Condition) -> Iterator[Condition]:
    """Yield what else is so where something is gone, or there: the lack of it, its loss or removal, as the graph names these.

    Without insulin there is insulin deficiency; who takes folate has no lack of it; a forest that is cut down is deforestation.
    Nothing is yielded that the graph has no name for.
    """
    yield from _settings_beside(request, condition)
    if condition.presence is Presence.ABSENT and not condition.effect and not _DENIAL.search(condition.text):
        clause = _EVERY.sub("", _ADVERBS.sub("", condition.text))
        reading = next(iter(request.link(clause, request.view)), None)
        if reading is not None and reading.how in ("clause", EVERYDAY):
            yield Condition(condition.text, reading.concepts[0], Presence.PRESENT)


def _settings_beside(request: Request, condition: Condition, supposed: str = "") -> Iterator[Condition]:
    """Yield what the graph names that is there, or not, beside what a condition supposes, by the forms of its name."""
    for part in condition.each:
        if part.effect is not None:
            continue
        target = _TAKING.sub("", part.target) if supposed else part.target
        first = list(islice(request.link(target, request.view), _READINGS_NAMED))
        names = [own.concepts[0] for own in first if own is first[0] or own.score >= SURE_LINK]
        names += [name for name in (concept_name(target), *synonyms(names[0] if names else target)) if name not in names]
        seen = {name for own in first for name in own.concepts}
        forms = list(product(_name_forms()[supposed or part.value].items(), names))
        probable = [form.format(name) for (form, _), name in forms]
        expect_phrases(request.view, partial(iter, probable))
        for (form, presence), name in forms:
            readings = request.link(form.format(name), request.view)
            for reading in takewhile(lambda reading: reading.how in _SAME_NAMES, readings):
                if seen.isdisjoint(reading.concepts):
                    seen.update(reading.concepts)
                    concept = max(reading.concepts, key=lambda name: len(request.view.effects(name)))
                    if presence is Presence.ABSENT or request.view.effects(concept):
                        yield Condition(part.text, concept, presence)


_READINGS_NAMED = 2
_SOMEBODY = re.compile(
    r"(?:you|i|we|he|she|they|people|humans|somebody|someone|a person|a human|a man|a woman|a child)\b", re.IGNORECASE
)
"""Who goes without a thing lacks it, and does not take it from the world: "you don't drink water"."""
_PERSON = re.compile(
    r"(?:you|i|he|she|one|somebody|someone|an? (?:person|human|man|woman|child|patient|smoker))\b", re.IGNORECASE
)
"""A single person, for whom something is gone and for nobody else."""
_STOPPING = re.compile(r"\b(?:stop|quit|g[ia]ve up|c[oa]me off|discontinue)", re.IGNORECASE)
_TAKING = re.compile(r"^(?:taking|drinking|using|eating|consuming|injecting)\s+(?:(?:your|his|her|my|the)\s+)?", re.IGNORECASE)
_MEDICINE = re.compile(r"\b(?:take|takes|taking|took|taken)\b", re.IGNORECASE)
_DENIAL = re.compile(r"\b(?:not|never|no|none|nobody|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_ADVERBS = re.compile(r"\b(?:all|suddenly|completely|entirely|totally|fully|somehow|permanently)\s+", re.IGNORECASE)

_STOPPED = "stopped"
"""The rows of the table for what is there where somebody stops taking something."""


@cache
def _name_forms() -> Mapping[str, Mapping[str, Presence]]:
    """Return, from data/name_forms.tsv, the forms of a name and whether that is there beside what is supposed of the name."""
    text = Path(__file__).parents[1].joinpath("data", "name_forms.tsv").read_text(encoding="utf-8")
    forms: dict[str, dict[str, Presence]] = {}
    for row in table_rows(text):
        presence = Presence.PRESENT if row["beside"] == "there" else Presence.ABSENT
        forms.setdefault(row["supposed"], {}).update(dict.fromkeys(row["forms"].split("|"), presence))
    return forms


_SAME_NAMES = frozenset(("exact", "alias", "same words", "synonym", "same stems", "direction"))


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
