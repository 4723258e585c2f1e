"""What an intention is: an edge that says what somebody means to reach, or a name that is a clause of intention."""

from __future__ import annotations

from graph.model import Edge, Relation

_MARKS = ("to ", "in order to ", "so as to ", "so that ", "for the purpose of ")
_REASONS = ("criticised-for", "praised-for", "apologise-for", "protest", "strike-over", "in-protest", "in-view-of", "motivate")
"""The beginnings of rules that find why something is done, but not what for."""


def is_intention(name: str) -> bool:
    """Return whether a name is a clause of intention: it begins with "to", or with a word that is a verb and nothing else."""
    if name.startswith(_MARKS):
        return True
    first, _, rest = name.partition(" ")
    if not rest:
        return False
    from kgqa.answering.inflection import words_of_kind

    return first in words_of_kind("verb")


def is_aim(edge: Edge) -> bool:
    """Return whether the cause of an edge is what its effect is done for."""
    if edge.claim.relation is Relation.MOTIVATES:
        rules = [rule for ground in edge.grounds for _, rule in ground.readings]
        return not rules or not all(rule.startswith(_REASONS) for rule in rules)
    return edge.claim.relation in (Relation.CAUSES, Relation.ENABLES) and is_intention(edge.cause)
