"""Entries of a list, in the parts of its contract; forms of one name, and names that say nearly the same, are one entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, overload

from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from kgqa.answer_model import Finding
from kgqa.answering.contracts import Contract, Side, Tier, plain_contract, sort_into_tiers
from kgqa.answering.findings import edge_finding
from kgqa.answering.link_quality import is_close_link
from kgqa.answering.lists.list_ranking import EvidenceRecords, ListedName, ListOrder, count_supporters, name_score, rank_names
from kgqa.linking.concept_links import ConceptLink

_MERGE_CANDIDATES = 60


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

    Independent sources are counted for the first `limit` names of each part; the order does not depend on them.
    """
    own = set(reading.concepts)
    tiers = sort_into_tiers(contract, (item for item in contract.ends(view, reading.concepts) if item[1] not in own))
    fulfilled = any(ends for tier, ends in zip(contract.tiers, tiers, strict=True) if tier.fulfils)
    records = EvidenceRecords(view)
    parts: list[ListPart] = []
    for tier, ends in zip(contract.tiers, tiers, strict=True):
        if ends and (tier.fulfils or not (fulfilled and contract.lacking)):
            named_before = {name for part in parts for name in part.entries.names}
            candidates = [item for item in group_forms(ends) if item.name not in named_before]
            if candidates:
                parts.append(ListPart(tier, _build_entries(view, candidates, reading, records, limit, orders)))
    return Listing(reading, contract, tuple(parts), records) if parts else None


def _build_entries(
    view: GraphView,
    candidates: Sequence[ListedName],
    reading: ConceptLink,
    records: EvidenceRecords,
    limit: int,
    orders: Sequence[ListOrder],
) -> ListEntries:
    """Return an entry for each name, in order; names that say the same are one entry."""
    values = {candidate.name: name_score(candidate) for candidate in candidates}
    candidates = sorted(candidates, key=lambda candidate: (-values[candidate.name], candidate.name))
    if len(candidates) > 1:
        from kgqa.linking.lexical_relations import group_alike_names

        candidates = [*merge_names(candidates[:_MERGE_CANDIDATES], group_alike_names), *candidates[_MERGE_CANDIDATES:]]
    candidates = rank_names(
        view,
        candidates,
        reading.concepts,
        records,
        lambda candidate: name_score(candidate) if candidate.merged_names else values[candidate.name],
    )
    for order in orders:
        candidates = list(order.arrange(candidates, records))
    return ListEntries(candidates, lambda number, candidate: _build_entry(candidate, reading, records, closely=number < limit))


def _build_entry(candidate: ListedName, reading: ConceptLink, records: EvidenceRecords, *, closely: bool) -> ListEntry:
    """Return one name as an entry; only `closely`, dependent sources of its claims are counted once."""
    finding = replace(
        edge_finding(candidate.best),
        text=candidate.name,
        confidence=candidate.best.belief * reading.score,
        support=count_supporters(candidate.edges, records) if closely else candidate.support,
        merged=candidate.merged_names,
    )
    return ListEntry(finding, candidate.edges)


class ListEntry(NamedTuple):
    """A finding with every edge that it stands on: those of other forms of its name, and of names that say the same."""

    finding: Finding
    edges: tuple[Edge, ...]


class ListEntries(Sequence[ListEntry]):
    """Names in order, as entries, each of which is made when it is read: there may be thousands."""

    def __init__(self, names: Sequence[ListedName], entry: Callable[[int, ListedName], ListEntry]) -> None:
        self._listed_names = names
        self._entry = entry

    @property
    def names(self) -> list[str]:
        """The names alone."""
        return [candidate.name for candidate in self._listed_names]

    def __len__(self) -> int:
        """Return how many names there are."""
        return len(self._listed_names)

    @overload
    def __getitem__(self, place: int) -> ListEntry: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[ListEntry, ...]: ...

    def __getitem__(self, place: int | slice) -> ListEntry | tuple[ListEntry, ...]:
        """Return one entry, or some of them."""
        if isinstance(place, slice):
            return tuple(map(self._entry, range(len(self))[place], self._listed_names[place]))
        return self._entry(range(len(self))[place], self._listed_names[place])


class ListPart(NamedTuple):
    """The entries of one tier of the contract, best first."""

    tier: Tier
    entries: ListEntries


class Listing(NamedTuple):
    """What a reading leads to under a contract, part after part, with how the phrase was read."""

    reading: ConceptLink
    contract: Contract
    parts: tuple[ListPart, ...]
    records: EvidenceRecords

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the list."""
        return tuple(entry.finding for part in self.parts for entry in part.entries)

    @property
    def names(self) -> list[str]:
        """The names of all findings, in the same order."""
        return [name for part in self.parts for name in part.entries.names]

    @property
    def lacks(self) -> bool:
        """Whether no part fulfils the contract."""
        return not any(part.tier.fulfils for part in self.parts)


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
    """Return the candidates with names that say nearly the same merged, each group in the place of its first member."""
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
