"""The arrows of an edited graph by number: those of the graph below, but for the few rows that the edits touch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from graph.intervene.edits import Presence
from graph.intervene.support import fallen_concepts
from graph.links import kind_code
from graph.model import Claim, Edge
from graph.protocols import Row, Topology
from graph.topology import EMPTY_ROW

_FIRST_NEW_NUMBER = 1 << 40
"""The number of the first concept that only an added edge knows; those of the graph below are smaller."""

_RowEntry = tuple[int, float, int, int]


class EditedTopology:
    """The arrows that the edits leave. Concepts keep the numbers and degrees that they have in `base`.

    `gone` are the concepts that are set absent, or that nothing holds up any more: they cause nothing.
    """

    def __init__(self, base: Topology, forced: Mapping[str, Presence], changed: Mapping[Claim, Edge | None]) -> None:
        self.base = base
        self._new: dict[str, int] = {}
        self._new_names: list[str] = []
        self._rows: dict[tuple[int, bool], Row] = {}
        self.forced = {self._number_of(name): setting for name, setting in forced.items()}
        self._changed = {self._key(claim) for claim in changed}
        self._added: dict[tuple[int, bool], list[_RowEntry]] = {}
        for edge in filter(None, changed.values()):
            cause, effect, kind = self._key(edge.claim)
            self._added.setdefault((cause, True), []).append((effect, edge.belief, kind, edge.sense))
            self._added.setdefault((effect, False), []).append((cause, edge.belief, kind, edge.sense))
        self._into = {effect for _, effect, _ in self._changed} | {number for number, forward in self._added if not forward}
        self.gone: frozenset[int] = frozenset(number for number, setting in self.forced.items() if setting is Presence.ABSENT)
        self._out_of = {cause for cause, _, _ in self._changed} | {number for number, forward in self._added if forward}
        self.prepare(self.forced, forward=False)
        for number in self.forced:
            self._out_of.update(self.below(number, forward=False).ends)
        self.gone = fallen_concepts(self)
        for number in self.gone:
            self._into.update(self.below(number, forward=True).ends)
        self._rows.clear()

    def below(self, number: int, *, forward: bool) -> Row:
        """Return a row as it is without the edits."""
        if number >= _FIRST_NEW_NUMBER:
            return EMPTY_ROW
        return self.base.outgoing(number) if forward else self.base.incoming(number)

    def edited_concepts(self) -> Iterable[int]:
        """Return the concepts at which the edits begin: those that are set, and the effects of changed claims."""
        return chain(self.forced, {effect for _, effect, _ in self._changed})

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` where no claim, and no edit, is about it."""
        number = self.base.number(name)
        return self._new.get(name) if number is None else number

    def name(self, number: int) -> str:
        """Return the name of a concept."""
        return self._new_names[number - _FIRST_NEW_NUMBER] if number >= _FIRST_NEW_NUMBER else self.base.name(number)

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first."""
        if number in self.gone:
            return EMPTY_ROW
        return self._edited_row(number, forward=True) if number in self._out_of else self.below(number, forward=True)

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first."""
        if number in self.forced:
            return EMPTY_ROW
        return self._edited_row(number, forward=False) if number in self._into else self.below(number, forward=False)

    def degree(self, number: int) -> int:
        """Return how many claims the graph below has about a concept: how much a word stands for is the same in every world."""
        return 0 if number >= _FIRST_NEW_NUMBER else self.base.degree(number)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Tell the graph below which rows will be asked for next."""
        self.base.prepare([number for number in numbers if number < _FIRST_NEW_NUMBER], forward=forward)

    def _edited_row(self, number: int, *, forward: bool) -> Row:
        row = self._rows.get((number, forward))
        if row is None:
            below = zip(*self.below(number, forward=forward), strict=True)
            remaining = [entry for entry in below if self._key_at(number, entry, forward=forward) not in self._changed]
            remaining += self._added.get((number, forward), ())
            hidden: Collection[int] = self.forced if forward else self.gone
            entries = sorted((entry for entry in remaining if entry[0] not in hidden), key=lambda entry: -entry[1])
            row = Row(*map(list, zip(*entries, strict=True))) if entries else EMPTY_ROW
            self._rows[number, forward] = row
        return row

    @staticmethod
    def _key_at(number: int, entry: _RowEntry, *, forward: bool) -> tuple[int, int, int]:
        return (number, entry[0], entry[2]) if forward else (entry[0], number, entry[2])

    def _key(self, claim: Claim) -> tuple[int, int, int]:
        return self._number_of(claim.cause), self._number_of(claim.effect), kind_code(claim)

    def _number_of(self, name: str) -> int:
        number = self.number(name)
        if number is None:
            number = self._new[name] = _FIRST_NEW_NUMBER + len(self._new_names)
            self._new_names.append(name)
        return number
