"""A graph as a networkx graph, for those who want its algorithms: a copy in memory, of all of it or of a neighbourhood."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from graph.errors import PackageMissing
from graph.export.attributes import edge_attributes
from graph.model import Edge
from graph.protocols import GraphStore, GraphView

if TYPE_CHECKING:
    import networkx


def to_networkx(
    graph: GraphStore | GraphView, around: Iterable[str] | None = None, steps: int = 1, limit: int = 1000
) -> networkx.MultiDiGraph[str]:
    """Return the concepts and claims of a graph as a `networkx.MultiDiGraph`, with the attributes that GraphML has.

    A node is the name of a concept, its `aliases` are a tuple; an edge has the hash of its claim for a key. `around` are names:
    then only what is within `steps` steps of them is taken, whichever way the arrows go, and at most `limit` believed edges,
    the nearest and most believed ones. Without it every claim is taken, for which the graph must be a store: an overlay has no
    list of its edges, and raises `TypeError`.

    Raises `PackageMissing` where networkx is not installed.
    """
    try:
        import networkx
    except ModuleNotFoundError as error:
        raise PackageMissing("a graph of networkx", "networkx", "networkx") from error
    copy: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    copy.add_edges_from(
        (edge.cause, edge.effect, edge.claim.hash, edge_attributes(edge)) for edge in _selected_edges(graph, around, steps, limit)
    )
    aliases_by_concept = _aliases_of(graph, copy) if around is not None else _all_aliases(graph)
    for name, attributes in copy.nodes(data=True):
        attributes["name"] = name
        if name in aliases_by_concept:
            attributes["aliases"] = aliases_by_concept[name]
    return copy


def _selected_edges(graph: GraphStore | GraphView, around: Iterable[str] | None, steps: int, limit: int) -> Iterable[Edge]:
    """Return the edges that are taken."""
    if around is not None:
        from graph.algorithms.neighbourhood import neighbourhood

        return neighbourhood(graph, [around] if isinstance(around, str) else around, steps, limit).edges
    every: Callable[[], Iterable[Edge]] | None = getattr(graph, "edges", None)
    if every is None:
        raise TypeError(f"{type(graph).__name__} has no list of its edges; name concepts: to_networkx(view, around=[...])")
    return every()


def _aliases_of(graph: GraphView, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the other names of some concepts, where there are any."""
    concepts = (graph.concept(name) for name in names)
    return {concept.name: concept.aliases for concept in concepts if concept is not None and concept.aliases}


def _all_aliases(graph: Any) -> dict[str, tuple[str, ...]]:
    """Return the other names of all concepts of a store."""
    aliases_by_concept: dict[str, tuple[str, ...]] = {}
    for alias in graph.aliases():
        aliases_by_concept[alias.concept] = (*aliases_by_concept.get(alias.concept, ()), alias.name)
    return aliases_by_concept
