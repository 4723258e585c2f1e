"""How many independent groups of evidence speak for and against a claim, and in which wording."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from graph.model import Evidence, Source, Stance, Strength

_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of groups that assert, deny and hedge a claim, and the wording that most groups use."""

    asserted: int
    negated: int
    hedged: int
    strength: Strength


def page(source: Source) -> tuple[str, str]:
    """Return what the records of one independent group share: the page they stand on, whatever its revision."""
    return source.kind, source.page_id or source.url or source.title


def tally(records: Collection[Evidence]) -> Tally:
    """Count the groups among the `records` of one claim, of which there is at least one.

    A page that both asserts and denies counts on both sides. The wording is that of most pages which assert, deny or hedge;
    ties go to the stronger one. Where all only ask or suppose, it is the strongest.
    """
    pages: dict[Stance, set[tuple[str, str]]] = {stance: set() for stance in _COUNTED}
    users: dict[Strength, set[tuple[str, str]]] = {}
    for record in records:
        using = users.setdefault(record.strength, set())
        if record.stance in pages:
            where = page(record.source)
            pages[record.stance].add(where)
            using.add(where)
    strength = min(users, key=lambda wording: (-len(users[wording]), wording.rank)) if len(users) > 1 else next(iter(users))
    return Tally(len(pages[Stance.ASSERTED]), len(pages[Stance.NEGATED]), len(pages[Stance.HEDGED]), strength)
