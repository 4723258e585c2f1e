"""Supposed worlds in words: what would become of an effect, what would follow, and how a world changes an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graph.model import Edge, Polarity, Relation
from graph.text.concept_nouns import concept_noun
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun
from kgqa.answer_model import Verdict
from kgqa.answering.chains.chain_validity import name_stems
from kgqa.answering.counterfactuals.effect_outlook import Direction, Doubt, EffectOutlook, Influence, rests_on_remaining
from kgqa.interventions.graph_settings import AppliedSetting
from kgqa.linking.concept_links import SURE_LINK
from kgqa.question import EffectOutcome
from kgqa.wording.claim_clauses import (
    amount_phrase,
    cause_beliefs,
    claim_clause,
    concept_phrase,
    count_noun,
    has_amount,
    join_phrases,
    written_name,
    written_path,
)
from kgqa.wording.conclusion_sentences import clause_of, word_conclusion
from kgqa.wording.trace_lines import describe_link

if TYPE_CHECKING:
    from kgqa.answering.counterfactuals.answer_changes import SetVerdictConclusion, WorldConclusion
    from kgqa.answering.counterfactuals.consequences import ConsequenceConclusion, EffectConclusion, RemovedEffectConclusion
    from kgqa.answering.counterfactuals.counterfactual import AlternativesConclusion

_CAUSES_NAMED = 3
_STATES = {"absent": "gone", "present": "there"}
_GRADED_NOTE = "only the direction follows from what the claims say, not how much"


def word_effect(conclusion: EffectConclusion) -> str:
    """Return what would become of an effect; behind a verdict, why, with the causes that are left and the beliefs in them."""
    outlook, parts, verdict, outcome = conclusion.outlook, conclusion.parts, conclusion.verdict, conclusion.outcome
    effect, closure = concept_phrase(outlook.influence_set.reading.concepts[0]), f"{conclusion.closure:.2f}"
    text = _word_direction(outlook, parts, effect)
    if outlook.direction is Direction.NONE and verdict is None:
        text = text.replace(" would ", " would become less likely or cease, for it would ", 1)
    remaining = _other_causes(outlook.cause_changes.remaining, parts)
    whether = verdict is not None and outcome in (None, EffectOutcome.HAPPENS, EffectOutcome.GONE)
    dependent, hedged = outlook.cause_changes.dependent, False
    if outlook.direction is Direction.NONE and dependent:
        text = f"{text}; {_word_dependent(dependent, parts)}"
    elif outlook.direction is Direction.NONE and outlook.cause_changes.weak:
        doubtful = join_phrases(cause_beliefs(outlook.cause_changes.weak[:_CAUSES_NAMED]))
        text = f"{text}; only doubtful causes would remain, such as {doubtful}"
    elif outlook.direction is Direction.NONE and verdict is not None:
        text = f"{text}; that the graph knows of no other is no proof that there is none (it knows them all: {closure})"
    elif whether and remaining and rests_on_remaining(outlook):
        what = f"{_word_remaining(outlook, remaining, effect)} {join_phrases(cause_beliefs(remaining[:_CAUSES_NAMED]))}"
        how = _word_influences(outlook.influence_set.weighty)
        hedged = verdict is Verdict.YES and outlook.direction is Direction.LESS
        text = f"but less likely, since {how}; {what}" if hedged else f"{what}; but {text}"
        text += f"; {_word_dependent(dependent, parts)}" if dependent else ""
    elif remaining and outlook.direction is not Direction.MORE and any(part.cuts for part in parts):
        causes = join_phrases([written_name(edge.cause) for edge in remaining[:_CAUSES_NAMED]])
        text = f"{text}; but {_word_remaining(outlook, remaining, 'it')} {causes}"
    text += _word_reservations(outlook, for_verdict=verdict is not None)
    reading = outlook.influence_set.reading
    if reading.score < SURE_LINK:
        text = f"{text}; {describe_link(reading)}"
    if any(influence.part.graded for influence in outlook.influence_set.influences):
        text = f"{text}; {_GRADED_NOTE}"
    bearing = {influence.part.setting.text for influence in outlook.influence_set.influences}
    names = [written_name(part.reading.concepts[0]) for part in outlook.influence_set.idle if part.setting.text not in bearing]
    if names:
        text = f"{text}; nothing that the graph knows leads from {join_phrases(names)} to {effect}"
    if verdict is None:
        return text
    word = "perhaps" if hedged and outlook.influence_set.is_single else verdict.value
    return f"{word}, {text}" if hedged else f"{word}: {text}"


def _other_causes(edges: Sequence[Edge], parts: Sequence[AppliedSetting]) -> list[Edge]:
    """Return the edges whose causes are not what is supposed, those first that have no word in common with it."""
    supposed = {name for part in parts for name in part.concepts}
    stems = {stem for name in supposed for stem in name_stems(name)}
    left = [edge for edge in edges if edge.cause not in supposed]
    return sorted(left, key=lambda edge: not stems.isdisjoint(name_stems(edge.cause)))


def _word_direction(outlook: EffectOutlook, parts: Sequence[AppliedSetting], effect: str) -> str:
    perhaps = "perhaps " if outlook.doubt is Doubt.PERHAPS else ""
    if outlook.direction is Direction.NONE:
        return f"{effect} would {perhaps}lose {_word_only_cause(outlook.cause_changes.lost, parts)}"
    if outlook.direction is Direction.EITHER:
        sides = [[influence for influence in outlook.influence_set.weighty if influence.less is less] for less in (True, False)]
        reasons = [_word_influences(side) for side in sides]
        return f"{effect} would be pulled either way: less likely, since {reasons[0]}, and more likely, since {reasons[1]}"
    less = outlook.direction is Direction.LESS
    likely, change = _word_change(effect, outlook.influence_set.leading.best.edges[-1], less=less)
    how = _word_influences(outlook.influence_set.weighty)
    if outlook.doubt is Doubt.UNCLEAR:
        moves = "fall" if less else "rise"
        return f"{effect} would not clearly become {likely}: its reckoned probability does not {moves}, although {how}"
    return f"{effect} would {perhaps}{change}, since {how}"


def _word_change(effect: str, edge: Edge, *, less: bool) -> tuple[str, str]:
    """Return how likely an effect becomes, and what it does: what has an amount rises or falls."""
    likely = "less likely" if less else "more likely"
    counted = concept_noun(edge.effect).plural or concept_phrase(edge.effect).startswith(("a ", "an "))
    measured = edge.claim.polarity is not Polarity.NONE and edge.claim.relation is Relation.CAUSES and not counted
    if measured or kind_of_noun(singular(effect.split()[-1])) in ("attribute", "quantity"):
        return likely, "fall" if less else "rise"
    return likely, f"become {likely}"


def _word_influences(influences: Iterable[Influence]) -> str:
    chains = (join_phrases([claim_clause(edge) for edge in influence.best.edges]) for influence in influences)
    return join_phrases(list(dict.fromkeys(chains)))


def _word_only_cause(lost: Sequence[Edge], parts: Sequence[AppliedSetting]) -> str:
    """Return what is lost where no cause is left: what is supposed itself, or what it alone is known to bring about."""
    own = {name for part in parts for name in part.concepts}
    indirect = [written_name(edge.cause) for edge in lost if edge.cause not in own]
    targets = join_phrases([written_name(part.reading.concepts[0]) for part in parts if part.cuts])
    if not indirect or len(indirect) < len(lost):
        names = list(dict.fromkeys(written_name(edge.cause) for edge in lost))
        if len(names) == 1 or len(parts) == 1:
            return f"its only known cause, {targets if len(parts) == 1 else names[0]}"
        more = " and more" if len(names) > _CAUSES_NAMED else ""
        return f"its {len(names)} known causes, {join_phrases(names[:_CAUSES_NAMED])}{more}"
    many = len(indirect) > 1
    which = f"which {'are' if many else 'is'} only known to come from {targets}"
    return f"its only known cause{'s' if many else ''}, {join_phrases(indirect[:_CAUSES_NAMED])}, {which}"


def _word_remaining(outlook: EffectOutlook, edges: Sequence[Edge], effect: str) -> str:
    """Return how many causes of an effect would remain, as what their names can follow."""
    what = "other cause" if any(influence.part.cuts for influence in outlook.influence_set.influences) else "other known cause"
    return f"{count_noun(len(edges), what)} of {effect} would remain{', such as' if len(edges) > _CAUSES_NAMED else ':'}"


def _word_dependent(edges: Sequence[Edge], parts: Sequence[AppliedSetting]) -> str:
    """Return which causes are left that may only have worked by way of what is gone."""
    names = join_phrases([written_name(edge.cause) for edge in edges[:_CAUSES_NAMED]])
    targets = " or ".join(written_name(part.reading.concepts[0]) for part in parts if part.cuts)
    more = f" and {len(edges) - _CAUSES_NAMED} more" if len(edges) > _CAUSES_NAMED else ""
    return f"{names}{more} {'is' if len(edges) == 1 else 'are'} left out, since said to cause {targets} as well"


def _word_reservations(outlook: EffectOutlook, *, for_verdict: bool) -> str:
    """Return by which route the strongest supposition works the other way as well, and why the direction is uncertain."""
    leading = outlook.influence_set.leading
    text = ""
    if leading.contrary is not None and outlook.direction is not Direction.EITHER:
        text = f"; on the other hand {written_path(leading.contrary.concepts)} makes {'less' if leading.drives else 'more'} of it"
    if leading.doubtful or (for_verdict and leading.unproven):
        text += f"; that {written_path(leading.best.concepts)} holds from end to end is doubtful (validity {leading.valid:.2f})"
    return text


def word_consequences(conclusion: ConsequenceConclusion) -> str:
    """Return what there would be more of and less of, what bears more first; what has an amount rises or falls."""
    sides: dict[str, list[str]] = {"less": [], "more": []} if conclusion.less_first else {"more": [], "less": []}
    for word, names in (("more", conclusion.more), ("less", conclusion.less)):
        for name in names:
            amount = name in conclusion.measured and has_amount(name)
            change = amount_phrase(name, "rise" if word == "more" else "fall")
            sides["more" if amount else word].append(change if amount else concept_phrase(name))
    parts = [f"{word} likely: {join_phrases(items)}" for word, items in sides.items() if items]
    parts[:1] = [f"the graph knows little of it: perhaps {parts[0]}" if conclusion.doubtful else parts[0]]
    parts += [f"in turn {clause_of(conclusion.onward)}"] if conclusion.onward else []
    if conclusion.general:
        kind, follows = conclusion.general
        parts.append(f"of {written_name(kind)} in general: {clause_of(follows)}")
    parts += [f"the graph names nothing nearer to '{conclusion.about}'"] if conclusion.about else []
    parts += [_GRADED_NOTE] if conclusion.graded else []
    return "; ".join(parts)


def word_alternatives(conclusion: AlternativesConclusion) -> str:
    """Return what follows from each alternative, and whether that is the same."""
    statements = "; ".join(
        f"if it is '{condition.target}' that is {_STATES.get(condition.value, condition.value)}: {clause_of(inner)}"
        for condition, inner in zip(conclusion.conditions, conclusion.conclusions, strict=True)
    )
    head = f"either way, {clause_of(conclusion.agreed)}" if conclusion.agreed is not None else "it depends"
    return f"{head}: {statements}"


def word_world(conclusion: WorldConclusion) -> str:
    """Return the answer in a world, with the answer as it is where that is worded otherwise."""
    before, after = word_conclusion(conclusion.before), word_conclusion(conclusion.after)
    if before == after:
        return f"With {conclusion.world}, the answer stays as it is: {before}"
    return f"With {conclusion.world}: {after} As it is: {before}"


def word_set_verdict(conclusion: SetVerdictConclusion) -> str:
    """Return that a claim holds as it was set, or that no route is left."""
    if conclusion.edge is not None:
        return f"yes, as it was set: {claim_clause(conclusion.edge)}, believed {conclusion.edge.belief:g}"
    return f"no: nothing that the graph knows leads from {conclusion.cause} to {conclusion.effect} any more"


def word_removed_effect(conclusion: RemovedEffectConclusion) -> str:
    """Return that the effect itself is supposed to be gone."""
    same = "is itself what is" if conclusion.same else f"is a kind of {conclusion.removed}, which is"
    return f"{conclusion.verdict.value}: {conclusion.effect} {same} supposed to be gone"
