"""What a list is made of: entries, in the parts that its contract tells apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, overload

from graph.model import Edge
from kgqa.answering.contracts import Contract, Tier
from kgqa.answering.ranking import EvidenceRecords, ListedName
from kgqa.linking.linker import ConceptLink
from kgqa.model import Finding


class ListEntry(NamedTuple):
    """A finding with every edge that it stands on: those of other forms of its name, and of names that say the same."""

    finding: Finding
    edges: tuple[Edge, ...]


class ListEntries(Sequence[ListEntry]):
    """Names that were found, in order, as entries, each of which is made when it is looked at: there may be thousands."""

    def __init__(self, names: Sequence[ListedName], entry: Callable[[int, ListedName], ListEntry]) -> None:
        self._listed_names = names
        self._entry = entry

    @property
    def names(self) -> list[str]:
        """The names alone."""
        return [candidate.name for candidate in self._listed_names]

    def first(self, count: int) -> ListEntries:
        """Return the first entries alone."""
        return ListEntries(self._listed_names[:count], self._entry)

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
        """All that was found, in the order in which to show it."""
        return tuple(entry.finding for part in self.parts for entry in part.entries)

    @property
    def names(self) -> list[str]:
        """The names of all that was found, in the same order."""
        return [name for part in self.parts for name in part.entries.names]

    @property
    def lacks(self) -> bool:
        """Whether nothing was found that the contract asks for."""
        return not any(part.tier.fulfils for part in self.parts)
