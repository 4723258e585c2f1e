"""The parts that answers are worded with: counts, lists and claims, with the strength of their wording kept."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Polarity, Relation, Strength

_VERBS = {
    Strength.CAUSES: "causes",
    Strength.LEADS_TO: "leads to",
    Strength.CONTRIBUTES_TO: "contributes to",
    Strength.RISK_FACTOR: "is a risk factor for",
    Strength.ASSOCIATED: "is linked to",
}
_RELATION_VERBS = {
    Relation.ENABLES: "enables",
    Relation.PREVENTS: "prevents",
    Relation.MOTIVATES: "motivates",
    Relation.IS_FOR: "is for",
    Relation.ASSOCIATED: "is linked to",
}


def verb(edge: Edge) -> str:
    """Return the verb of an edge in the third person, no stronger than its evidence: "is linked to" for an association."""
    if edge.claim.relation in _RELATION_VERBS:
        return _RELATION_VERBS[edge.claim.relation]
    if edge.claim.polarity is Polarity.DECREASES:
        return "reduces"
    return _VERBS[edge.strength]


def claim(edge: Edge) -> str:
    """Return an edge as a clause: "smoking causes lung cancer"."""
    return f"{edge.cause} {verb(edge)} {edge.effect}"


def listed(names: Sequence[str]) -> str:
    """Return names as "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is one: "3 sources"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sentence(text: str) -> str:
    """Return `text` with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
