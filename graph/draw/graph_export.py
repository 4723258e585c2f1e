"""Export of a graph as GraphML or as a networkx graph: nodes are concepts, edges are claims with one table of attributes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from graph.algorithms.reachability import selected_edges
from graph.errors import GraphChanged, PackageMissing
from graph.model import Edge
from graph.protocols import GraphStore, GraphView
from graph.text.xml_escape import escape_markup, escape_xml_characters

if TYPE_CHECKING:
    import networkx

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
"""The types of the edge attributes by name, in the order of the export."""


def edge_attributes(edge: Edge) -> dict[str, str | int | float]:
    """Return the values of `EDGE_ATTRIBUTE_TYPES` for an edge."""
    owners = {"relation": edge.claim, "polarity": edge.claim}
    return {name: kind(getattr(owners.get(name, edge), name)) for name, kind in EDGE_ATTRIBUTE_TYPES.items()}


_GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_GRAPHML_TYPES = {str: "string", int: "long", float: "double"}


@dataclass(frozen=True, slots=True)
class GraphmlCounts:
    """Numbers of concepts and claims of an export."""

    concepts: int
    claims: int


def write_graphml(graph: GraphStore, out: TextIO, on_claims: Callable[[int], None] = lambda claims: None) -> GraphmlCounts:
    """Write a graph in one pass over its edges; `on_claims` gets the number of written claims after each thousand.

    The id of a node is the name of the concept, the id of an edge the hash of its claim. A node precedes its first edge. Raises
    `GraphChanged` where the graph was written to meanwhile: the file would mix two of its states.
    """
    digest = graph.digest()
    aliases = _all_aliases(graph)
    out.write(_GRAPHML_HEAD)
    attributes = [("graph", "digest", "string"), ("node", "name", "string"), ("node", "aliases", "string")]
    attributes += [("edge", name, _GRAPHML_TYPES[kind]) for name, kind in EDGE_ATTRIBUTE_TYPES.items()]
    for owner, name, kind in attributes:
        out.write(f'<key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n')
    out.write(f'<graph edgedefault="directed">\n<data key="digest">{digest}</data>\n')
    written: set[str] = set()
    claims = 0
    for edge in graph.edges():
        for name in (edge.cause, edge.effect):
            if name not in written:
                written.add(name)
                names = json.dumps([escape_xml_characters(alias) for alias in aliases.get(name, ())], ensure_ascii=False)
                alias_data = f'<data key="aliases">{escape_markup(names)}</data>' if name in aliases else ""
                known = _escaped_name(name)
                out.write(f'<node id="{known}"><data key="name">{known}</data>{alias_data}</node>\n')
        # Words of the model and numbers need no marking up.
        values = "".join([f'<data key="{key}">{value}</data>' for key, value in edge_attributes(edge).items()])
        ends = f'source="{_escaped_name(edge.cause)}" target="{_escaped_name(edge.effect)}"'
        out.write(f'<edge id="{edge.claim.hash}" {ends}>{values}</edge>\n')
        claims += 1
        if not claims % 1000:
            on_claims(claims)
    if graph.digest() != digest:
        raise GraphChanged(graph.url)
    out.write("</graph>\n</graphml>\n")
    return GraphmlCounts(len(written), claims)


def _escaped_name(name: str) -> str:
    return escape_markup(escape_xml_characters(name))


def to_networkx(
    graph: GraphStore | GraphView, around: Iterable[str] | None = None, steps: int = 1, limit: int = 1000
) -> networkx.MultiDiGraph[str]:
    """Return the concepts and claims of a graph as a `networkx.MultiDiGraph`, with the attributes of the GraphML export.

    A node is the name of a concept, its `aliases` a tuple; the key of an edge is the hash of its claim. `around` names concepts:
    the result then holds at most `limit` edges within `steps` steps of them, the nearest and most believed ones. Without it the
    graph must be a store: an overlay has no list of its edges and raises `TypeError`. Raises `PackageMissing` without networkx.
    """
    try:
        import networkx
    except ModuleNotFoundError as error:
        raise PackageMissing("a graph of networkx", "networkx", "networkx") from error
    copy: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    copy.add_edges_from(
        (edge.cause, edge.effect, edge.claim.hash, edge_attributes(edge)) for edge in selected_edges(graph, around, steps, limit)
    )
    if around is None:
        aliases_by_concept = _all_aliases(graph)
    else:
        concepts = (graph.concept(name) for name in copy)
        aliases_by_concept = {concept.name: concept.aliases for concept in concepts if concept is not None and concept.aliases}
    for name, attributes in copy.nodes(data=True):
        attributes["name"] = name
        if name in aliases_by_concept:
            attributes["aliases"] = aliases_by_concept[name]
    return copy


def _all_aliases(graph: Any) -> dict[str, tuple[str, ...]]:
    aliases_by_concept: dict[str, tuple[str, ...]] = {}
    for alias in graph.aliases():
        aliases_by_concept[alias.concept] = (*aliases_by_concept.get(alias.concept, ()), alias.name)
    return aliases_by_concept
