"""The arrows of a graph some of whose edges are changed, added or taken away: nothing is copied."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graph.model import Claim, Edge
from graph.protocols import Row, Topology
from graph.topology import EMPTY_ROW, kind_code

_FIRST_NEW_NUMBER = 1 << 40  # the number of the first concept that only an added edge knows; those of the graph below are smaller
_RowEntry = tuple[int, float, int, int]


class ChangedTopology:
    """The arrows of `base` with an edge, or none, in the place of each claim of `changed`; numbers and degrees are its own."""

    def __init__(self, base: Topology, changed: Mapping[Claim, Edge | None]) -> None:
        self.base = base
        self._new: dict[str, int] = {}
        self._new_names: list[str] = []
        self._rows: dict[tuple[int, bool], Row] = {}
        self._changed = {self._key(claim) for claim in changed}
        self._added: dict[tuple[int, bool], list[_RowEntry]] = {}
        for edge in filter(None, changed.values()):
            cause, effect, kind = self._key(edge.claim)
            self._added.setdefault((cause, True), []).append((effect, edge.belief, kind, edge.sense))
            self._added.setdefault((effect, False), []).append((cause, edge.belief, kind, edge.sense))
        self._into = {effect for _, effect, _ in self._changed}
        self._out_of = {cause for cause, _, _ in self._changed}

    def below(self, number: int, *, forward: bool) -> Row:
        """Return a row as it is without the changes."""
        if number >= _FIRST_NEW_NUMBER:
            return EMPTY_ROW
        return self.base.outgoing(number) if forward else self.base.incoming(number)

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` where no claim, and no change, is about it."""
        number = self.base.number(name)
        return self._new.get(name) if number is None else number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return self._new_names[number - _FIRST_NEW_NUMBER] if number >= _FIRST_NEW_NUMBER else self.base.name(number)

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        return self.changed_row(number, forward=True) if number in self._out_of else self.below(number, forward=True)

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        return self.changed_row(number, forward=False) if number in self._into else self.below(number, forward=False)

    def degree(self, number: int) -> int:
        """Return the number of claims that the graph below has about a concept: it is the same whatever is changed."""
        return 0 if number >= _FIRST_NEW_NUMBER else self.base.degree(number)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Prepare rows of the graph below."""
        self.base.prepare([number for number in numbers if number < _FIRST_NEW_NUMBER], forward=forward)

    def hidden(self, *, forward: bool) -> Collection[int]:
        """Return the far ends that no row has: none, where edges alone are changed."""
        return ()

    def changed_row(self, number: int, *, forward: bool) -> Row:
        """Return a row with its changes, most believed first."""
        row = self._rows.get((number, forward))
        if row is None:
            remaining: list[_RowEntry] = []
            for end, belief, kind, sense in zip(*self.below(number, forward=forward), strict=True):
                if ((number, end, kind) if forward else (end, number, kind)) not in self._changed:
                    remaining.append((end, belief, kind, sense))
            remaining += self._added.get((number, forward), ())
            hidden = self.hidden(forward=forward)
            entries = sorted((entry for entry in remaining if entry[0] not in hidden), key=lambda entry: -entry[1])
            row = Row(*map(list, zip(*entries, strict=True))) if entries else EMPTY_ROW
            self._rows[number, forward] = row
        return row

    def _key(self, claim: Claim) -> tuple[int, int, int]:
        return self.number_of(claim.cause), self.number_of(claim.effect), kind_code(claim)

    def number_of(self, name: str) -> int:
        """Return the number of the concept of a name, a new one where no claim is about it yet."""
        number = self.number(name)
        if number is None:
            number = self._new[name] = _FIRST_NEW_NUMBER + len(self._new_names)
            self._new_names.append(name)
        return number
