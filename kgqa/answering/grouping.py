"""What a list shows once: the forms of one name, and names that say nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graph.model import Edge
from graph.normalize import concept_name
from kgqa.answering.ranking import Named

Alike = Callable[[Sequence[str]], Iterable[Sequence[str]]]
"""Puts names that say nearly the same into one group; every name is in exactly one."""


def forms_together(ends: Iterable[tuple[Edge, str]]) -> list[Named]:
    """Return the edges of forms of one name together; each edge comes with the name at the end that is listed."""
    edges: dict[str, list[Edge]] = {}
    names: dict[str, dict[str, None]] = {}
    for edge, far in ends:
        name = concept_name(far) or far
        edges.setdefault(name, []).append(edge)
        names.setdefault(name, {})[far] = None
    return [Named(name, tuple(found), tuple(names[name])) for name, found in edges.items()]


def merged(found: Sequence[Named], alike: Alike) -> list[Named]:
    """Return what was found with what says nearly the same put together, each group where its first member stood."""
    place = {one.name: number for number, one in enumerate(found)}
    groups = (sorted(group, key=place.__getitem__) for group in alike([one.name for one in found]))
    together = []
    for group in sorted(groups, key=lambda group: place[group[0]]):
        first, *rest = (found[place[name]] for name in group)
        if rest:
            edges = tuple(edge for one in (first, *rest) for edge in one.edges)
            concepts = tuple(dict.fromkeys(name for one in (first, *rest) for name in one.concepts))
            first = Named(first.name, edges, concepts, tuple(one.name for one in rest))
        together.append(first)
    return together
