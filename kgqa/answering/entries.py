"""What a list is made of: entries, in the parts that its contract tells apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, overload

from graph.model import Edge
from kgqa.answering.contracts import Contract, Tier
from kgqa.answering.ranking import Named, Records
from kgqa.linking.linker import Reading
from kgqa.model import Finding


class Entry(NamedTuple):
    """A finding with every edge that it stands on: those of other forms of its name, and of names that say the same."""

    finding: Finding
    edges: tuple[Edge, ...]


class Entries(Sequence[Entry]):
    """Names that were found, in order, as entries, each of which is made when it is looked at: there may be thousands."""

    def __init__(self, found: Sequence[Named], entry: Callable[[int, Named], Entry]) -> None:
        self._found = found
        self._entry = entry

    @property
    def names(self) -> list[str]:
        """The names alone."""
        return [one.name for one in self._found]

    def first(self, count: int) -> Entries:
        """Return the first entries alone."""
        return Entries(self._found[:count], self._entry)

    def __len__(self) -> int:
        """Return how many names there are."""
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Entry, ...]: ...

    def __getitem__(self, place: int | slice) -> Entry | tuple[Entry, ...]:
        """Return one entry, or some of them."""
        if isinstance(place, slice):
            return tuple(map(self._entry, range(len(self))[place], self._found[place]))
        return self._entry(range(len(self))[place], self._found[place])


class Part(NamedTuple):
    """The entries of one tier of the contract, best first."""

    tier: Tier
    entries: Entries


class Listing(NamedTuple):
    """What a reading leads to under a contract, part after part, with how the phrase was read."""

    reading: Reading
    contract: Contract
    parts: tuple[Part, ...]
    records: Records

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
