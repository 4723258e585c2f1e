"""What an edge carries into other programs: one table for every format that has attributes on edges."""

from __future__ import annotations

from graph.model import Edge

EDGE_ATTRIBUTE_TYPES: dict[str, type[str] | type[int] | type[float]] = {
    "relation": str,
    "polarity": str,
    "strength": str,
    "belief": float,
    "support": int,
    "against": int,
    "hedged": int,
    "sense": int,
}
"""The attributes by name, in their order, and what each is."""


def edge_attributes(edge: Edge) -> dict[str, str | int | float]:
    """Return the attributes of an edge, by the names of the table."""
    return {
        "relation": edge.claim.relation.value,
        "polarity": edge.claim.polarity.value,
        "strength": edge.strength.value,
        "belief": edge.belief,
        "support": edge.support,
        "against": edge.against,
        "hedged": edge.hedged,
        "sense": edge.sense,
    }
