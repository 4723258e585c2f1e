"""What makes less of something: what prevents, treats or reduces it, and what is done or meant for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from graph.links import is_lessening
from graph.model import Edge, Relation
from graph.protocols import GraphView

_TREATING_RULES = ("cure", "effective-in-treating", "effective-treatment", "help-with")
_PREVENTIONS = ("prevent", "avoid", "avert", "protect against")
_TREATMENTS = ("treat", "cure", "treatment of", "relieve", "combat", "fight")
_REDUCTIONS = ("reduce", "control", "lower", "minimize")
_MEANS = (Relation.IS_FOR, Relation.ENABLES)


def is_prevention(edge: Edge) -> bool:
    """Return whether the cause of an edge makes less of its effect."""
    return is_lessening((edge.claim.relation, edge.claim.polarity))


def treats(edge: Edge) -> bool:
    """Return whether an edge says that its cause is a treatment: by its rule, or because it is for treating."""
    rules = {rule for ground in edge.grounds for _, rule in ground.readings}
    by_rule = bool(rules) and all(rule.startswith(_TREATING_RULES) for rule in rules)
    return (edge.claim.relation is Relation.PREVENTS and by_rule) or _is_done_to(edge, _TREATMENTS)


def prevents(edge: Edge) -> bool:
    """Return whether an edge says that its cause keeps its effect from happening, or is done or meant for that."""
    return not treats(edge) and (edge.claim.relation is Relation.PREVENTS or _is_done_to(edge, _PREVENTIONS))


def reduces(edge: Edge) -> bool:
    """Return whether an edge says that its cause makes less of its effect, and neither prevents nor treats it."""
    lessening = is_prevention(edge) or _is_done_to(edge, _REDUCTIONS)
    return lessening and not treats(edge) and not prevents(edge)


def _is_done_to(edge: Edge, acts: tuple[str, ...]) -> bool:
    starts = _starts(acts)
    return edge.cause.startswith(starts) or edge.effect.startswith(starts)


@cache
def _starts(acts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{act} " for act in acts)


def done_against(view: GraphView, names: Sequence[str]) -> Iterator[tuple[Edge, str]]:
    """Yield what is for, enables or is done in order to "prevent X", "treat X", "reduce X": edges, each with the name of it."""
    aims = {f"{act} {name}": None for act in (*_PREVENTIONS, *_TREATMENTS, *_REDUCTIONS) for name in names}
    for aim in aims:
        into, out = view.causes(aim), view.effects(aim)
        yield from ((edge, edge.cause) for edge in into if edge.claim.relation in _MEANS and edge.cause not in aims)
        yield from ((edge, edge.effect) for edge in out if edge.claim.relation is Relation.MOTIVATES and edge.effect not in aims)
