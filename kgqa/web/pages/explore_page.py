"""The page on which people walk through the graph: expanded concepts, and the claims around them that pass some filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from graph.draw.svg import HINDERS, LINKED, PROMOTES, edge_influence
from graph.model import Edge
from graph.protocols import GraphStore
from kgqa.graph_lookup import named_concepts, strongest_edges
from kgqa.web.endpoints import STANCES
from kgqa.web.graph_service import GraphService
from kgqa.web.pages.evidence_cards import draw_claims, edge_rows
from kgqa.web.pages.page_templates import PageContent, address
from kgqa.wording.claim_clauses import join_phrases, written_name

_MOST_DRAWN = 60
_MOST_ARTICLES = 100
_KINDS = {"causes": PROMOTES, "prevents": HINDERS, "linked": LINKED}


class ClaimFilter(NamedTuple):
    """Which claims are shown: of this belief or more, of this kind and stance, with a record of such an article."""

    belief: float
    kind: str
    stance: str
    article: str

    def passes(self, edge: Edge, store: GraphStore) -> bool:
        """Return whether a claim is shown."""
        return (
            edge.belief >= self.belief
            and (not self.kind or edge_influence(edge) == _KINDS[self.kind])
            and (not self.stance or claim_stance(edge) == self.stance)
            and (not self.article or any(self.article in title.casefold() for title in _titles(edge, store)))
        )


def claim_stance(edge: Edge) -> str:
    """Return how the records of a claim stand to it, by the words of `STANCES`."""
    if edge.against:
        return "contested" if edge.support else "denied"
    return "undisputed" if edge.support else "hedged"


def explore_page(service: GraphService, arguments: dict[str, Any]) -> PageContent:
    """Return the page of what is around some concepts, or the form for it."""
    store, limit = service.store, arguments["limit"]
    groups = list(dict.fromkeys(tuple(named_concepts(phrase, store)) for phrase in arguments["at"] if phrase.strip()))
    centres = [names[0] for names in groups]
    claim_filter = ClaimFilter(
        arguments["belief"] or 0.0, arguments["kind"] or "", arguments["stance"] or "", (arguments["article"] or "").casefold()
    )
    passing = [_passing_edges(store, names, claim_filter) for names in groups]
    edges = list(dict.fromkeys(edge for edges in passing for edge in edges[:limit]))
    heading = f"Around {join_phrases([written_name(name) for name in centres])}" if centres else "Explore"
    filters = [(name, arguments[name]) for name in ("belief", "kind", "stance", "article")]
    own = frozenset(name for names in groups for name in names)

    def expanded(name: str) -> str:
        """Return the address of this page with another concept expanded, or one of them left out."""
        chosen = [centre for centre in centres if centre != name] if name in own else [*centres, name]
        return address("/explore", [*(("at", centre) for centre in chosen), *filters, ("limit", limit)])

    titles = dict.fromkeys(title for edge in edges for title in _titles(edge, store))
    values = {
        "centres": [(name, expanded(name)) for name in centres],
        "filters": dict(filters),
        "kinds": {"causes": "causes, leads to or enables", "prevents": "prevents or reduces", "linked": "is only linked with"},
        "stances": STANCES,
        "limit": limit,
        "rows": [
            (row, [(name, expanded(name)) for name in (row["edge"].cause, row["edge"].effect) if name not in own])
            for row in edge_rows(edges)
        ],
        "total": len(set().union(*passing)),
        "articles": list(titles)[:_MOST_ARTICLES],
        "picture": draw_claims(edges[:_MOST_DRAWN], heading, own, box_link=expanded),
    }
    return PageContent("explore", heading, values)


def _passing_edges(store: GraphStore, names: Sequence[str], claim_filter: ClaimFilter) -> list[Edge]:
    """Return the edges on both sides of a concept that pass a filter, the strongest first."""
    sides = (side(name) for name in names for side in (store.causes, store.effects))
    edges = (edge for edge in dict.fromkeys(edge for side in sides for edge in side) if claim_filter.passes(edge, store))
    return strongest_edges([edges], 10**6)


def _titles(edge: Edge, store: GraphStore) -> Iterator[str]:
    return (record.source.title for record in store.evidence(edge.claim) if record.source.title)
