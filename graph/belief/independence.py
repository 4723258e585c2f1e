"""Which records of a claim are independent of one another, and what they add up to.

Records count once together where one could have been copied from the other or stands beside it: those of one page, those of
one host of web pages, those whose sentences are copies, and those that name no place at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.belief.near_duplicates import copy_keys, sketch
from graph.model import Evidence, Ground, Source, Stance, Strength

CRAWLS = frozenset({"clueweb12"})
"""The kinds of sources whose pages were crawled from many hosts; elsewhere a host holds independent pages."""

_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)
_LISTS = frozenset({"causenet:list", "causenet:infobox"})


class EvidenceCounts(NamedTuple):
    """The numbers of groups that assert, deny and hedge a claim, the wording that most groups use, and what belief rests on."""

    asserted: int
    negated: int
    hedged: int
    strength: Strength
    grounds: tuple[Ground, ...]


def count_evidence(records: Collection[Evidence]) -> EvidenceCounts:
    """Count the groups among the `records` of one claim, of which there is at least one.

    A group that both asserts and denies counts on both sides. The wording is that of most groups which assert, deny or hedge;
    ties go to the stronger one. Where all only ask or suppose, it is the strongest.
    """
    stances: Counter[Stance] = Counter()
    users: Counter[Strength] = Counter()
    grounds: Counter[tuple[Stance, tuple[tuple[str, str], ...]]] = Counter()
    for group in independent_groups(tuple(records)):
        counted = [record for record in group if record.stance in _COUNTED]
        group_stances = {record.stance for record in counted}
        stances.update(group_stances)
        users.update({record.strength for record in counted})
        # Whoever asserts a claim and hedges it elsewhere on the same page has asserted it.
        for stance in group_stances - {Stance.HEDGED} if Stance.ASSERTED in group_stances else group_stances:
            grounds[stance, tuple(sorted({source_and_rule(record) for record in counted if record.stance is stance}))] += 1
    strengths = users or Counter({record.strength for record in records})
    strength = min(strengths, key=lambda wording: (-strengths[wording], wording.rank))
    sorted_grounds = sorted(grounds.items(), key=lambda item: (_COUNTED.index(item[0][0]), item[0][1]))
    asserted, negated, hedged = (stances[stance] for stance in _COUNTED)
    return EvidenceCounts(asserted, negated, hedged, strength, tuple(Ground(*key, number) for key, number in sorted_grounds))


def source_and_rule(record: Evidence) -> tuple[str, str]:
    """Return how a record was found: the kind of its source, and its rule, without what only one path of a loaded graph names."""
    return record.source.kind, _rule_of(record.rule)


def independent_groups(records: Sequence[Evidence]) -> list[list[Evidence]]:
    """Return the records of one claim in groups that do not depend on each other, whatever the order of the records."""
    if len({source_page(record.source) for record in records}) <= 1:
        return [list(records)] if records else []
    above = list(range(len(records)))

    def top(place: int) -> int:
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    owners: dict[Hashable, int] = {}
    keys = copy_keys([record.sketch if record.text is None else sketch(record.text) for record in records])
    for place, (record, copies) in enumerate(zip(records, keys, strict=True)):
        for tie in chain(_dependence_keys(record.source), copies):
            owner = owners.setdefault(tie, place)
            if owner != place:
                owner, here = top(owner), top(place)
                above[max(owner, here)] = min(owner, here)
    groups: dict[int, list[Evidence]] = {}
    for place, record in enumerate(records):
        groups.setdefault(top(place), []).append(record)
    return list(groups.values())


def source_page(source: Source) -> tuple[str, str]:
    """Return the page that a source is, whatever its revision."""
    return source.kind, source.page_id or source.url or source.title


def _dependence_keys(source: Source) -> Iterator[Hashable]:
    """Iterate over what ties records to others by where they stand: who shares any of it is no independent witness."""
    yield source_page(source)
    if source.kind in CRAWLS and (host := _host(source.url)):
        yield source.kind, "host", host


def _host(url: str) -> str:
    """Return the host of an address, without "www."; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


@lru_cache(maxsize=1 << 14)
def _rule_of(rule: str) -> str:
    return rule if rule in _LISTS else rule.partition(":")[0] if rule.startswith(("causenet:", "conceptnet:")) else rule
