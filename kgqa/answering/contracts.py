"""The contracts of lists: which edges answer a question of a type, as tiers of edges, best first.

An edge is put into the first tier that accepts it. The tiers in which `fulfils` is set hold what the question wants; where the
graph fills none of them, the answer says so before it lists the others. No tier reads an arrow backwards: a use is the end of an
arrow out of the thing that is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from graph.model import Claim, Edge, Relation
from graph.protocols import GraphView
from graph.topology import is_lessening
from kgqa.question import Attribute, QuestionType, Semantic
from kgqa.reasons import Need

_TREATING_RULES = ("cure", "effective-in-treating", "effective-treatment", "help-with")
_SPREADING_RULES, _READ = ("transmit", "borne"), "read"
"""The beginnings of rules of what is carried, and the rule of a reader, who gave no verb."""
_NEEDING_RULES = {"necessary-for.adjective", "prerequisite.noun", "depend-on.verb", "dependent-on.adjective"}
_REASON_RULES = (
    *("criticised-for", "praised-for", "apologise-for", "protest", "strike-over", "in-protest", "in-view-of", "motivate"),
)
"""The beginnings of rules that find why something is done, but not what for."""
_PREVENTIONS = ("prevent ", "avoid ", "avert ", "protect against ")
_TREATMENTS = ("treat ", "cure ", "treatment of ", "relieve ", "combat ", "fight ")
_REDUCTIONS = ("reduce ", "control ", "lower ", "minimize ")
_INTENTION = re.compile(r"(?:to|in order to|so as to|so that|for the purpose of) ")


def is_prevention(edge: Edge) -> bool:
    """Return whether the cause of an edge makes less of its effect."""
    return is_lessening((edge.claim.relation, edge.claim.polarity))


def treats(edge: Edge) -> bool:
    """Return whether an edge says that its cause is a treatment: by its rule, or because it is for treating."""
    return is_said_to_treat(edge) or _is_done_to(edge, _TREATMENTS)


def is_said_to_treat(edge: Edge) -> bool:
    """Return whether all verbs by which an edge was found are those of a treatment: "cures", "is effective in treating"."""
    rules = _rules(edge)
    return edge.claim.relation is Relation.PREVENTS and bool(rules) and all(rule.startswith(_TREATING_RULES) for rule in rules)


def is_said_to_spread(edge: Edge) -> bool:
    """Return whether all verbs by which an edge was found say that its cause carries its effect: "transmits", "-borne"."""
    rules = _rules(edge) - {_READ}
    spread = edge.claim.relation is Relation.CAUSES and rules and all(rule.startswith(_SPREADING_RULES) for rule in rules)
    return bool(spread) and {"spread", "transmission"}.isdisjoint(edge.effect.split())


def prevents(edge: Edge) -> bool:
    """Return whether an edge says that its cause keeps its effect from happening, or is done or meant for that."""
    return not treats(edge) and (edge.claim.relation is Relation.PREVENTS or _is_done_to(edge, _PREVENTIONS))


def reduces(edge: Edge) -> bool:
    """Return whether an edge says that its cause makes less of its effect, and neither prevents nor treats it."""
    lessening = is_prevention(edge) or _is_done_to(edge, _REDUCTIONS)
    return lessening and not treats(edge) and not prevents(edge)


def _is_done_to(edge: Edge, acts: tuple[str, ...]) -> bool:
    return edge.cause.startswith(acts) or edge.effect.startswith(acts)


def _rules(edge: Edge) -> set[str]:
    return {rule.partition("\t")[0] for ground in edge.grounds for _, rule in ground.readings}


def states_need(edge: Edge) -> bool:
    """Return whether a source says that the effect needs its cause ("necessary for", "depends on")."""
    return edge.claim.relation is Relation.ENABLES and not _rules(edge).isdisjoint(_NEEDING_RULES)


def is_intention(name: str) -> bool:
    """Return whether a name is a clause of intention: it begins with "to", or with a word that is a verb and nothing else."""
    if _INTENTION.match(name):
        return True
    first, _, rest = name.partition(" ")
    if not rest:
        return False
    from graph.text.inflection import words_of_kind

    return first in words_of_kind("verb")


def is_aim(edge: Edge) -> bool:
    """Return whether the cause of an edge is what its effect is done for."""
    if edge.claim.relation is Relation.MOTIVATES:
        rules = _rules(edge)
        return not rules or not all(rule.startswith(_REASON_RULES) for rule in rules)
    return edge.claim.relation in (Relation.CAUSES, Relation.ENABLES) and is_intention(edge.cause)


class Side(Enum):
    """Which end of the edges the answers stand at."""

    CAUSES = "causes"
    EFFECTS = "effects"

    def ends(self, claim: Claim | Edge) -> tuple[str, str]:
        """Return the name of a claim that a list is of, and the name that is listed."""
        return (claim.effect, claim.cause) if self is Side.CAUSES else (claim.cause, claim.effect)


Ends = Iterator[tuple[Edge, str]]
"""Edges, each with the name at the end that is listed."""


TierKind = Enum(
    "TierKind",
    """
    CAUSES LINKED LINKED_EFFECTS USES AIMS MOTIVES NEEDED ENABLING EFFECTS PREVENTING TREATING REDUCING PREVENTED TREATED REDUCED
    HINDERING PERHAPS_NEEDED PERHAPS_ENABLING BEARING AFFECTED
    """,
)
"""What the edges of a tier say of the concept of the question."""


class Tier(NamedTuple):
    """One part of a list: which edges belong there, and whether they are what the question wants."""

    kind: TierKind
    accepts: Callable[[Edge], bool]
    fulfils: bool = True


class Contract(NamedTuple):
    """The tiers of a list, best first.

    `need` is what is missing where no tier is filled that fulfils the contract. With `lacking` the other tiers are shown only
    then, and the answer says that it lacks the need; without, they are shown behind those that fulfil the contract. `among`
    selects the edges into the concept of the question; `besides` yields edges that answer as well, although they are not those
    into, or out of, that concept.
    """

    side: Side
    tiers: tuple[Tier, ...]
    need: Need
    lacking: bool = False
    besides: Callable[[GraphView, Sequence[str]], Ends] | None = None
    among: Callable[[Edge], bool] = lambda edge: True

    def ends(self, view: GraphView, names: Sequence[str]) -> Ends:
        """Yield the believed edges of some concepts that the list is made of."""
        for name in names:
            if self.side is Side.CAUSES:
                # What is for the thing that is asked about is neither a cause of it nor what the thing itself is for.
                into = (edge for edge in view.causes(name) if edge.claim.relation is not Relation.IS_FOR and self.among(edge))
                yield from ((edge, edge.cause) for edge in into if edge.belief > 0.0)
            else:
                yield from ((edge, edge.effect) for edge in view.effects(name) if edge.belief > 0.0)
        if self.besides is not None:
            yield from ((edge, far) for edge, far in self.besides(view, names) if edge.belief > 0.0)


def _is_cause(edge: Edge) -> bool:
    return edge.claim.relation not in (Relation.ASSOCIATED, Relation.IS_FOR) and not is_prevention(edge)


def _uses(view: GraphView, names: Sequence[str]) -> Ends:
    return ((edge, edge.effect) for name in names for edge in view.effects(name) if edge.claim.relation is Relation.IS_FOR)


def _done_against(view: GraphView, names: Sequence[str]) -> Ends:
    """Yield what is for, enables or is done in order to "prevent X", "treat X", "reduce X": edges, each with the name of it."""
    aims = {f"{act}{name}": None for act in (*_PREVENTIONS, *_TREATMENTS, *_REDUCTIONS) for name in names}
    means = (Relation.IS_FOR, Relation.ENABLES)
    for aim in aims:
        into, out = view.causes(aim), view.effects(aim)
        yield from ((edge, edge.cause) for edge in into if edge.claim.relation in means and edge.cause not in aims)
        yield from ((edge, edge.effect) for edge in out if edge.claim.relation is Relation.MOTIVATES and edge.effect not in aims)


def _of_relation(*relations: Relation) -> Callable[[Edge], bool]:
    return lambda edge: edge.claim.relation in relations


_is_linked = _of_relation(Relation.ASSOCIATED)
_CAUSES = Tier(TierKind.CAUSES, _is_cause)
_CAUSES_INSTEAD = Tier(TierKind.CAUSES, _is_cause, fulfils=False)
_USES = Tier(TierKind.USES, _of_relation(Relation.IS_FOR))
_AIMS = Tier(TierKind.AIMS, is_aim)
_MOTIVES = Tier(TierKind.MOTIVES, _of_relation(Relation.MOTIVATES))
_ANY_EFFECTS = Tier(TierKind.EFFECTS, lambda edge: not _is_linked(edge), fulfils=False)
_NEEDED = Tier(TierKind.NEEDED, states_need)
_ENABLING = Tier(TierKind.ENABLING, _of_relation(Relation.ENABLES))
_EFFECTS = Tier(TierKind.EFFECTS, lambda edge: edge.claim.relation not in (Relation.IS_FOR, Relation.ASSOCIATED))
_PREVENTING = Tier(TierKind.PREVENTING, prevents)
_TREATING = Tier(TierKind.TREATING, treats)
_REDUCING = Tier(TierKind.REDUCING, reduces)
_TREATED = Tier(TierKind.TREATED, treats)
_PREVENTED = Tier(TierKind.PREVENTED, prevents)
_HINDERING = Tier(TierKind.HINDERING, is_prevention)

CAUSE = Contract(Side.CAUSES, (_CAUSES, Tier(TierKind.LINKED, _is_linked, fulfils=False)), "causes")
GOAL = Contract(Side.CAUSES, (_AIMS, _MOTIVES, _CAUSES_INSTEAD), "aim", lacking=True)
PURPOSE = Contract(Side.CAUSES, (_USES, _AIMS, _MOTIVES, _CAUSES_INSTEAD), "purpose", lacking=True, besides=_uses)
USE = Contract(Side.EFFECTS, (_USES, _TREATED, _PREVENTED, _ANY_EFFECTS), "purpose", lacking=True)
ENABLEMENT = Contract(Side.CAUSES, (_NEEDED, _ENABLING, _CAUSES_INSTEAD), "condition", lacking=True)
RESULT = Contract(Side.EFFECTS, (_EFFECTS, Tier(TierKind.LINKED_EFFECTS, _is_linked, fulfils=False)), "effects")
PREVENTION = Contract(Side.CAUSES, (_PREVENTING, _TREATING, _REDUCING), "prevention", besides=_done_against, among=is_prevention)
PREVENTED = Contract(
    Side.EFFECTS,
    (_PREVENTED, _TREATED, Tier(TierKind.REDUCED, is_prevention)),
    "prevented",
)
BLOCKING = Contract(
    Side.CAUSES,
    (_HINDERING, _NEEDED._replace(kind=TierKind.PERHAPS_NEEDED), _ENABLING._replace(kind=TierKind.PERHAPS_ENABLING)),
    "blocking",
)
LINKS = Contract(Side.CAUSES, (Tier(TierKind.BEARING, lambda edge: True),), "linked_causes")
LINKED = Contract(Side.EFFECTS, (Tier(TierKind.AFFECTED, lambda edge: True),), "linked_effects")

_BY_RELATION = {
    (Relation.PREVENTS, Side.CAUSES): PREVENTION,
    (Relation.PREVENTS, Side.EFFECTS): PREVENTED,
    (Relation.IS_FOR, Side.CAUSES): PURPOSE,
    (Relation.IS_FOR, Side.EFFECTS): USE,
    (Relation.ENABLES, Side.CAUSES): ENABLEMENT,
    (Relation.MOTIVATES, Side.CAUSES): GOAL,
    (Relation.ASSOCIATED, Side.CAUSES): LINKS,
    (Relation.ASSOCIATED, Side.EFFECTS): LINKED,
}
_BY_CLASS = {
    (Semantic.GOAL, Side.CAUSES): GOAL,
    (Semantic.PURPOSE, Side.CAUSES): PURPOSE,
    (Semantic.PURPOSE, Side.EFFECTS): USE,
    (Semantic.GOAL, Side.EFFECTS): USE,
    (Semantic.ENABLEMENT, Side.CAUSES): ENABLEMENT,
}


_TIER_CUES = (
    (re.compile(r"\b(?:treat|cure|remed|medicine|medication|get(?:ting)? rid of)", re.IGNORECASE), _TREATING),
    (re.compile(r"\b(?:reduc|lower|lessen|decreas|reliev|alleviat|eas(?:e|es|ed)\b)", re.IGNORECASE), _REDUCING),
)
"""The words of a question that ask for one part of the contract of prevention before the others."""


def contract_for(kind: QuestionType, side: Side, question: str = "") -> Contract:
    """Return the contract of a question: what its relation asks for, else its attributes and class.

    The words of the `question` outside its slots say which part of what makes less of something comes first.
    """
    contract = _BY_RELATION.get((kind.slots.relation, side))
    if contract is PREVENTION:
        words = question.replace(kind.slots.effect or "", " ")
        first = [tier for pattern, tier in _TIER_CUES if pattern.search(words)]
        return contract._replace(tiers=tuple(dict.fromkeys((*first, *contract.tiers))))
    if contract is not None:
        return contract
    if Attribute.EXPECTATIONAL in kind.attributes and side is Side.CAUSES:
        return BLOCKING
    return _BY_CLASS.get((kind.semantic or Semantic.CAUSE, side)) or plain_contract(Relation.CAUSES, side)


def plain_contract(relation: Relation, side: Side) -> Contract:
    """Return the contract of a list by its relation alone."""
    return _BY_RELATION.get((relation, side)) or (CAUSE if side is Side.CAUSES else RESULT)


def sort_into_tiers(contract: Contract, ends: Iterable[tuple[Edge, str]]) -> list[list[tuple[Edge, str]]]:
    """Return the edges by the tier that accepts them; those that none accepts are left out."""
    tiers: list[list[tuple[Edge, str]]] = [[] for _ in contract.tiers]
    for edge, far in ends:
        place = next((number for number, tier in enumerate(contract.tiers) if tier.accepts(edge)), None)
        if place is not None:
            tiers[place].append((edge, far))
    return tiers
