"""What a list shows once: the forms of one name, and names that say nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graph.model import Edge
from graph.normalize import concept_name
from kgqa.answering.ranking import ListedName

NameGrouper = Callable[[Sequence[str]], Iterable[Sequence[str]]]
"""Puts names that say nearly the same into one group; every name is in exactly one."""


def group_forms(ends: Iterable[tuple[Edge, str]]) -> list[ListedName]:
    """Return the edges of forms of one name together; each edge comes with the name at the end that is listed."""
    edges: dict[str, list[Edge]] = {}
    names: dict[str, dict[str, None]] = {}
    for edge, far in ends:
        name = concept_name(far) or far
        edges.setdefault(name, []).append(edge)
        names.setdefault(name, {})[far] = None
    return [ListedName(name, tuple(members), tuple(names[name])) for name, members in edges.items()]


def merge_names(candidates: Sequence[ListedName], alike: NameGrouper) -> list[ListedName]:
    """Return what was found with what says nearly the same put together, each group where its first member stood."""
    place = {candidate.name: number for number, candidate in enumerate(candidates)}
    groups = (sorted(group, key=place.__getitem__) for group in alike([candidate.name for candidate in candidates]))
    together = []
    for group in sorted(groups, key=lambda group: place[group[0]]):
        first, *rest = (candidates[place[name]] for name in group)
        if rest:
            edges = tuple(edge for candidate in (first, *rest) for edge in candidate.edges)
            concepts = tuple(dict.fromkeys(name for candidate in (first, *rest) for name in candidate.concepts))
            first = ListedName(first.name, edges, concepts, tuple(candidate.name for candidate in rest))
        together.append(first)
    return together
