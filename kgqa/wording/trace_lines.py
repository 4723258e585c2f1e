"""Steps in words: the lines of a trace, from the question to the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kgqa.answering.findings import format_path
from kgqa.linking.concept_links import ConceptLink
from kgqa.reasons import Step, StepKind
from kgqa.wording.answer_phrases import word_link, word_route
from kgqa.wording.claim_clauses import count_noun, join_phrases

if TYPE_CHECKING:
    from graph.model import Edge, Path
    from kgqa.answer_model import AppliedIntervention, ChangedRoute
    from kgqa.answering.lists.list_ranking import OrderNote

_KINDS_SHOWN = 4


def word_step(step: Step | ConceptLink | str) -> str:
    """Return a step of the reasoning as a line; how a phrase was read is a step, too."""
    if isinstance(step, str):
        return step
    if isinstance(step, ConceptLink):
        return word_link(step)
    words = _STEPS.get(step.kind)
    if words is None:
        from kgqa.wording.passage_sentences import PASSAGE_STEPS

        words = PASSAGE_STEPS[step.kind]
    return words(*step.facts)


def _of_part(label: str, step: Any) -> str:
    return f"{label}: {word_step(step)}"


def _same_thing(*facts: str) -> str:
    from kgqa.wording.refusal_sentences import same_thing_clause

    return same_thing_clause(*facts)


def _tier_size(tier: Any, subject: str, count: int) -> str:
    from kgqa.wording.list_sentences import tier_heading

    return f"{tier_heading(tier, subject)}: {count_noun(count, 'concept')} found"


def _order(note: OrderNote) -> str:
    from kgqa.wording.list_sentences import word_order

    return word_order(note)


def _chains(count: int, length: int, likely: int, least: float) -> str:
    return f"{count_noun(count, 'chain')} of 2 to {length} steps, {likely} with a validity of {least} or more"


def _chain_validity(path: Path, probability: float) -> str:
    return f"{format_path(path)}: valid with probability {probability:.2f}"


def _opposite_chain(path: Path) -> str:
    from kgqa.wording.chain_sentences import opposite_chain_clause

    return opposite_chain_clause(path)


def _supposed(applied: AppliedIntervention) -> str:
    return f"supposed: '{applied.source}', {applied.operation} {applied.target} = {applied.value}"


def _kinds_removed(*kinds: str) -> str:
    more = f" and {len(kinds) - _KINDS_SHOWN} more" if len(kinds) > _KINDS_SHOWN else ""
    return f"absent with it, as kinds of it: {', '.join(kinds[:_KINDS_SHOWN]) if more else join_phrases(kinds)}{more}"


def _follows(cause: str, effect: str, agrees: bool | None, route: ChangedRoute | None) -> str:
    head = f"that this follows from '{cause}'"
    if route is None:
        return f"{head}: the graph knows no way from {cause} to {effect}; it was supposed as it was said"
    if agrees:
        return f"{head}: the graph knows it, too ({word_route(route)})"
    return f"{head}: the graph rather knows the opposite ({word_route(route)}); it was supposed as it was said"


def _listed(count: int, names: Sequence[str]) -> str:
    """Return what the list of one of two worlds holds: how many names, and the first of them."""
    return f"{count_noun(count, 'concept')}, first {join_phrases(names)}" if count else "nothing that the graph knows"


def _remaining_causes(edges: Sequence[Edge], more: int) -> str:
    names = [f"{edge.cause} ({edge.belief:.2f})" for edge in edges]
    return f"left: {join_phrases(names) if more <= 0 else ', '.join(names) + f' and {more} more'}"


def _risk(confidence: float, risk: float, least: float | None) -> str:
    from kgqa.wording.refusal_sentences import risk_clause

    return risk_clause(confidence, risk, least)


_STEPS: dict[StepKind, Callable[..., str]] = {
    StepKind.OF_PART: _of_part,
    StepKind.VERDICT: str,
    StepKind.NO_DIRECT_CLAIM: lambda count: f"no direct claim; {count_noun(count, 'chain')} of up to 3 steps",
    StepKind.SAME_THING: _same_thing,
    StepKind.NO_CLAIM_AS_ASKED: lambda: "no checkable claim that says what was asked for",
    StepKind.TIER_SIZE: _tier_size,
    StepKind.ORDER: _order,
    StepKind.SHARED: lambda count, length: f"{count_noun(count, 'concept')} shared, within {length} steps",
    StepKind.CHAINS: _chains,
    StepKind.CHAIN_VALIDITY: _chain_validity,
    StepKind.DOUBTFUL_CHAIN: lambda path, probability, least: f"{_chain_validity(path, probability)}, {least} is asked for",
    StepKind.OPPOSITE_CHAIN: _opposite_chain,
    StepKind.SUPPOSED: _supposed,
    StepKind.KINDS_REMOVED: _kinds_removed,
    StepKind.CAUSES_LEFT: lambda name, count: f"{name}: {count_noun(count, 'other cause')} left",
    StepKind.LOST: lambda route: f"lost: {word_route(route)}",
    StepKind.GAINED: lambda route: f"gained: {word_route(route)}",
    StepKind.FOLLOWS: _follows,
    StepKind.ROUTE_VALIDITY: "best route valid with probability {:.2f}".format,
    StepKind.DRIVING_ROUTE: lambda path: f"makes more of it: {format_path(path)}",
    StepKind.HINDERING_ROUTE: lambda path: f"makes less of it: {format_path(path)}",
    StepKind.CAUSES_BEFORE: lambda name, *listed: f"as it is: {name} is caused by {_listed(*listed)}",
    StepKind.CAUSES_AFTER: lambda world, name, *listed: f"with {world}: {name} is caused by {_listed(*listed)}",
    StepKind.CAUSE_CHANGES: lambda lost, left, gained: f"{count_noun(lost, 'believed cause')} lost, {left} left, {gained} new",
    StepKind.REMAINING_CAUSES: _remaining_causes,
    StepKind.CLOSURE: "all causes of {} are known with probability {:.2f}, by how often each is told".format,
    StepKind.INDICATIVE: lambda mood: (
        f"the 'if' takes something for so and does not only suppose it "
        f"(mood {'unknown' if mood is None else format(mood, '.2f')}): no world was set"
    ),
    StepKind.LIST_BEFORE: lambda *listed: f"as it is: {_listed(*listed)}",
    StepKind.LIST_AFTER: lambda *listed: f"so set: {_listed(*listed)}",
    StepKind.RISK_KEPT: lambda *facts: f"given: {_risk(*facts)}",
    StepKind.HELD_BACK: lambda *facts: f"held back: {_risk(*facts)}",
}
