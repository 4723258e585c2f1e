"""The parts that answers are worded with: counts, lists and claims, with the strength of their wording kept."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Polarity, Relation, Strength
from graph.normalize import concept_name

_VERBS = {
    Strength.CAUSES: ("causes", "cause"),
    Strength.LEADS_TO: ("leads to", "lead to"),
    Strength.CONTRIBUTES_TO: ("contributes to", "contribute to"),
    Strength.RISK_FACTOR: ("is a risk factor for", "are a risk factor for"),
    Strength.ASSOCIATED: ("is linked to", "are linked to"),
}
_GRADED = (Strength.RISK_FACTOR, Strength.ASSOCIATED)
_RELATION_VERBS = {
    Relation.ENABLES: ("enables", "enable"),
    Relation.PREVENTS: ("prevents", "prevent"),
    Relation.MOTIVATES: ("motivates", "motivate"),
    Relation.IS_FOR: ("is for", "are for"),
    Relation.ASSOCIATED: ("is linked to", "are linked to"),
}
_POLARITY_VERBS = {Polarity.INCREASES: ("increases", "increase"), Polarity.DECREASES: ("reduces", "reduce")}


def verb(edge: Edge) -> str:
    """Return the verb of an edge, no stronger than its evidence ("is linked to" for an association), in the cause's number."""
    forms = _RELATION_VERBS.get(edge.claim.relation)
    if forms is None:
        plain = _VERBS[edge.strength]
        forms = plain if edge.strength in _GRADED else _POLARITY_VERBS.get(edge.claim.polarity, plain)
    return forms[concept_name(edge.cause) != edge.cause.replace("-", " ")]


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
