"""Entries of a list, in the parts of its contract; forms of one name, and names that say nearly the same, are one entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from kgqa.answer_model import Finding
from kgqa.answering.contracts import Contract, Side, Tier, plain_contract, sort_into_tiers
from kgqa.answering.findings import edge_finding
from kgqa.answering.link_quality import is_close_link
from kgqa.answering.lists.list_ranking import ListedName, ListOrder, count_supporters, name_score, rank_names
from kgqa.linking.concept_links import ConceptLink

_MERGE_CANDIDATES = 60


class ListEntry(NamedTuple):
    """A finding with every edge that it stands on: those of other forms of its name, and of names that say the same."""

    finding: Finding
    edges: tuple[Edge, ...]


class ListPart(NamedTuple):
    """The names of one tier of the contract, best first; `entry_of` makes an entry of a place and its name."""

    tier: Tier
    listed_names: Sequence[ListedName]
    entry_of: Callable[[int, ListedName], ListEntry]

    @property
    def entries(self) -> Iterator[ListEntry]:
        """The entries, each made when it is read: there may be thousands."""
        return map(self.entry_of, count(), self.listed_names)


class Listing(NamedTuple):
    """What a reading leads to under a contract, part after part, with how the phrase was read."""

    reading: ConceptLink
    contract: Contract
    parts: tuple[ListPart, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the list."""
        return tuple(entry.finding for part in self.parts for entry in part.entries)

    @property
    def names(self) -> list[str]:
        """The names of all findings, in the same order."""
        return [candidate.name for part in self.parts for candidate in part.listed_names]

    @property
    def lacks(self) -> bool:
        """Whether no part fulfils the contract."""
        return not any(part.tier.fulfils for part in self.parts)


def edges_for_relation(edges: Iterable[Edge], relation: Relation, side: Side) -> list[Edge]:
    """Return the believed edges that answer a question about `relation`, those of the best tier first."""
    ends = ((edge, edge.cause if side is Side.CAUSES else edge.effect) for edge in edges if edge.belief > 0.0)
    return [edge for tier in sort_into_tiers(plain_contract(relation, side), ends) for edge, _ in tier]


def listing_for_relation(view: GraphView, reading: ConceptLink, relation: Relation, side: Side) -> Listing | None:
    """Return what a reading leads to; `None` where it has no wanted edge."""
    return build_listing(view, reading, plain_contract(relation, side))


def first_listing(
    view: GraphView, read: Iterable[ConceptLink], contract: Contract, limit: int = 10, orders: Sequence[ListOrder] = ()
) -> Listing | None:
    """Return what the first of some readings that leads anywhere leads to under a contract; `None` where none does."""
    listings = (build_listing(view, reading, contract, limit, orders) for reading in read if is_close_link(reading))
    return next((listing for listing in listings if listing is not None), None)


def build_listing(
    view: GraphView, reading: ConceptLink, contract: Contract, limit: int = 10, orders: Sequence[ListOrder] = ()
) -> Listing | None:
    """Return what a reading leads to under a contract, in the plain order or in others; `None` where it leads to nothing.

    Dependent sources are counted once for the first `limit` names of each part; the order does not depend on it.
    """

    def entry_of(place: int, candidate: ListedName) -> ListEntry:
        finding = replace(
            edge_finding(candidate.best),
            text=candidate.name,
            confidence=candidate.best.belief * reading.score,
            support=count_supporters(candidate.edges, view) if place < limit else candidate.support,
            merged=candidate.merged_names,
        )
        return ListEntry(finding, candidate.edges)

    own = set(reading.concepts)
    tiers = sort_into_tiers(contract, (item for item in contract.ends(view, reading.concepts) if item[1] not in own))
    fulfilled = any(ends for tier, ends in zip(contract.tiers, tiers, strict=True) if tier.fulfils)
    parts: list[ListPart] = []
    for tier, ends in zip(contract.tiers, tiers, strict=True):
        if tier.fulfils or not (fulfilled and contract.lacking):
            named_before = {candidate.name for part in parts for candidate in part.listed_names}
            candidates = [candidate for candidate in _group_forms(ends) if candidate.name not in named_before]
            if candidates:
                parts.append(ListPart(tier, _order_names(view, candidates, reading, orders), entry_of))
    return Listing(reading, contract, tuple(parts)) if parts else None


def _group_forms(ends: Iterable[tuple[Edge, str]]) -> list[ListedName]:
    """Return the edges of forms of one name together; each edge comes with the name at the end that is listed."""
    edges: dict[str, list[Edge]] = {}
    names: dict[str, dict[str, None]] = {}
    for edge, far in ends:
        name = concept_name(far) or far
        edges.setdefault(name, []).append(edge)
        names.setdefault(name, {})[far] = None
    return [ListedName(name, tuple(members), tuple(names[name])) for name, members in edges.items()]


def _order_names(
    view: GraphView, candidates: Sequence[ListedName], reading: ConceptLink, orders: Sequence[ListOrder]
) -> Sequence[ListedName]:
    """Return the names in order, those that say the same as one."""
    values = {candidate.name: name_score(candidate) for candidate in candidates}
    candidates = sorted(candidates, key=lambda candidate: (-values[candidate.name], candidate.name))
    if len(candidates) > 1:
        candidates = [*_merge_names(candidates[:_MERGE_CANDIDATES]), *candidates[_MERGE_CANDIDATES:]]
        values |= {candidate.name: name_score(candidate) for candidate in candidates if candidate.merged_names}
    candidates = rank_names(view, [(values[candidate.name], candidate) for candidate in candidates], reading.concepts)
    for order in orders:
        candidates = order.arrange(candidates, view)
    return candidates


def _merge_names(candidates: Sequence[ListedName]) -> list[ListedName]:
    """Return the candidates with names that say nearly the same merged, each group in the place of its first member."""
    from kgqa.linking.lexical_relations import group_alike_names

    place = {candidate.name: number for number, candidate in enumerate(candidates)}
    groups = [sorted(map(place.__getitem__, group)) for group in group_alike_names(list(place))]
    together = []
    for group in sorted(groups):
        members = [candidates[number] for number in group]
        first = members[0]
        if len(members) > 1:
            edges = tuple(edge for candidate in members for edge in candidate.edges)
            concepts = tuple(dict.fromkeys(name for candidate in members for name in candidate.concepts))
            first = ListedName(first.name, edges, concepts, tuple(candidate.name for candidate in members[1:]))
        together.append(first)
    return together
