"""The arrows of an embedded store, as its index has them; where that is damaged, as the truth has them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from contextlib import suppress

from graph.protocols import Row
from graph.stores.index.arrows import EdgeRows
from graph.stores.index.mapped import BlockDamaged
from graph.stores.index.nametable import CompressedNameTable
from graph.stores.index.plainnames import PlainNameTable
from graph.stores.index.truth import TableFallback
from graph.topology import edge_row

_MOST_ROWS = 32_768
_MOST_DEGREES = 65_536


class MappedTopology:
    """A `Topology` over the files of an index. The number of a concept is the place of its name in the order of all names.

    What stands in a damaged block is asked of the truth instead. Should that know concepts that have come since the index was
    made, they are numbered after all others.
    """

    def __init__(self, arrows: EdgeRows, names: CompressedNameTable | PlainNameTable, truth: TableFallback) -> None:
        self._arrows = arrows
        self._table = names
        self._truth = truth
        self._rows: dict[int, Row] = {}
        self._degrees: dict[int, int] = {}
        self._true_names: Sequence[str] | None = None
        self._later: dict[str, int] = {}
        self._later_names: list[str] = []

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` where no claim is about it."""
        try:
            known_number = self._table.number(name)
        except BlockDamaged:
            names = self._names()
            place = bisect_left(names, name)
            known_number = place if place < len(names) and names[place] == name else None
        return self._later.get(name) if known_number is None else known_number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        if number >= self._arrows.concepts:
            return self._later_names[number - self._arrows.concepts]
        try:
            return self._table.name(number)
        except BlockDamaged:
            return self._names()[number]

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        row = self._rows.get(number)
        return self._read(number, forward=True) if row is None else row

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        row = self._rows.get(~number)
        return self._read(number, forward=False) if row is None else row

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""
        degree = self._degrees.get(number)
        if degree is None:
            if len(self._degrees) >= _MOST_DEGREES:
                self._degrees.clear()
            degree = self._degrees[number] = self._degree(number)
        return degree

    def _degree(self, number: int) -> int:
        with suppress(BlockDamaged):
            if number < self._arrows.concepts:
                return self._arrows.degree(number)
        return len(self.outgoing(number).ends) + len(self.incoming(number).ends)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Do nothing: every row is at hand."""

    def _read(self, number: int, *, forward: bool) -> Row:
        try:
            later = number >= self._arrows.concepts
            row = self._true_row(number, forward=forward) if later else self._arrows.row(number, forward=forward)
        except BlockDamaged:
            row = self._true_row(number, forward=forward)
        if len(self._rows) >= _MOST_ROWS:
            self._rows.clear()
        self._rows[number if forward else ~number] = row
        return row

    def _true_row(self, number: int, *, forward: bool) -> Row:
        return edge_row(self._truth.edges(self.name(number), forward=forward), self._assign_number, forward=forward)

    def _assign_number(self, name: str) -> int:
        number = self.number(name)
        if number is None:
            number = self._later[name] = self._arrows.concepts + len(self._later_names)
            self._later_names.append(name)
        return number

    def _names(self) -> Sequence[str]:
        if self._true_names is None:
            self._true_names = self._truth.names()
        return self._true_names
