"""A graph as GraphML: nodes are concepts, edges are claims with all that the graph knows of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from graph.errors import GraphChanged
from graph.export.attributes import EDGE_ATTRIBUTE_TYPES, edge_attributes
from graph.export.xml import escape_markup, escape_xml_characters
from graph.protocols import GraphStore

_GRAPHML_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_GRAPHML_TYPES = {str: "string", int: "long", float: "double"}


@dataclass(frozen=True, slots=True)
class GraphmlCounts:
    """What an export holds: numbers of concepts and of claims."""

    concepts: int
    claims: int


def write_graphml(graph: GraphStore, out: TextIO, on_claims: Callable[[int], None] = lambda claims: None) -> GraphmlCounts:
    """Write a graph, in one pass over its edges; `on_claims` is told now and then how many claims are written.

    The id of a node is the name of the concept, that of an edge the hash of its claim. A node stands before the first edge
    that needs it. Names are written by `graph.export.xml.escape_xml_characters`. Memory is that of the names and aliases.

    Raises `GraphChanged` where the graph was written to meanwhile: the file would hold two states of it.
    """
    digest = graph.digest()
    names: dict[str, list[str]] = {}
    for alias in graph.aliases():
        names.setdefault(alias.concept, []).append(alias.name)
    out.write(_GRAPHML_HEAD)
    for line in _key_declarations():
        out.write(line)
    out.write(f'<graph edgedefault="directed">\n<data key="digest">{digest}</data>\n')
    written: set[str] = set()
    claims = 0
    for edge in graph.edges():
        for name in (edge.cause, edge.effect):
            if name not in written:
                written.add(name)
                out.write(_node_element(name, names.get(name, ())))
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


def _key_declarations() -> Iterable[str]:
    """Yield the declarations of what nodes, edges and the graph carry."""
    declared = [("graph", "digest", "string"), ("node", "name", "string"), ("node", "aliases", "string")]
    declared += [("edge", name, _GRAPHML_TYPES[kind]) for name, kind in EDGE_ATTRIBUTE_TYPES.items()]
    for owner, name, kind in declared:
        yield f'<key id="{name}" for="{owner}" attr.name="{name}" attr.type="{kind}"/>\n'


def _node_element(name: str, aliases: Sequence[str]) -> str:
    """Return a concept; its other names, where there are any, are a list in JSON."""
    known, alias_data = _escaped_name(name), ""
    if aliases:
        alias_data = f'<data key="aliases">{escape_markup(json.dumps([escape_xml_characters(alias) for alias in aliases], ensure_ascii=False))}</data>'
    return f'<node id="{known}"><data key="name">{known}</data>{alias_data}</node>\n'


def _escaped_name(name: str) -> str:
    """Return a name between quotes or tags."""
    return escape_markup(escape_xml_characters(name))
