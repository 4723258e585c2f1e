"""Independent groups of the records of a claim, and their counts.

Records form one group if one may be a copy of the other or stands beside it: records of one page, of one host of crawled web
pages, records whose sentences are near duplicates, and records without any place.

The sketch of a sentence, which a graph keeps without the sentence, is one byte for each of the eight words whose hashes are
smallest (bottom-k sampling: Broder 1997). Two sentences are near duplicates if at least five of the eight bytes agree.
docs/belief.md has the error rates.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple
from urllib.parse import urlsplit

from graph.belief.curation import CURATION, counted_records
from graph.model import JUDGED_SLOT, Evidence, Ground, Source, Stance, Strength

CRAWLS = frozenset({"clueweb12"})
"""The kinds of sources whose pages were crawled from many hosts; the pages of other hosts are independent of each other."""

SKETCH_SIZE = 8
SHARED_IN_COPIES = 5
_WORD = re.compile(r"\w{4,}")
_COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)
_LISTS = frozenset({"causenet:list", "causenet:infobox"})


class EvidenceCounts(NamedTuple):
    """The numbers of groups that assert, deny and hedge a claim, the strength of most wordings, and the grounds of belief."""

    asserted: int
    negated: int
    hedged: int
    strength: Strength
    grounds: tuple[Ground, ...]


def count_evidence(records: Collection[Evidence]) -> EvidenceCounts:
    """Return the counts of the groups of the `records`, at least one, of one claim; a group may count on both sides.

    What people mark as wrong does not count: see `graph.belief.curation`. The strength is that of most groups which assert, deny
    or hedge, the stronger one in a tie; else the strongest.
    """
    stances: Counter[Stance] = Counter()
    users: Counter[Strength] = Counter()
    grounds: Counter[tuple[Stance, tuple[tuple[str, str], ...]]] = Counter()
    for group in independent_groups(counted_records(tuple(records))):
        counted = [record for record in group if record.stance in _COUNTED]
        group_stances = {record.stance for record in counted}
        stances.update(group_stances)
        users.update({record.strength for record in counted if record.source.kind != CURATION})
        # Whoever asserts a claim and hedges it elsewhere on the same page has asserted it.
        for stance in group_stances - {Stance.HEDGED} if Stance.ASSERTED in group_stances else group_stances:
            grounds[stance, tuple(sorted({source_and_rule(record) for record in counted if record.stance is stance}))] += 1
    strengths = users or Counter({record.strength for record in records})
    strength = min(strengths, key=lambda wording: (-strengths[wording], wording.rank))
    sorted_grounds = sorted(grounds.items(), key=lambda item: (_COUNTED.index(item[0][0]), item[0][1]))
    asserted, negated, hedged = (stances[stance] for stance in _COUNTED)
    return EvidenceCounts(asserted, negated, hedged, strength, tuple(Ground(*key, number) for key, number in sorted_grounds))


def source_and_rule(record: Evidence) -> tuple[str, str]:
    """Return the kind of source and the rule of a record, the rule without the part that names one path of a loaded graph.

    Behind the rule stands, after a tab, the probability that a judge gave the record: see `graph.model.Ground`.
    """
    judged = next((words for slot, words in record.context if slot == JUDGED_SLOT), "")
    return record.source.kind, f"{_rule_of(record.rule)}\t{judged}" if judged else _rule_of(record.rule)


def independent_groups(records: Sequence[Evidence]) -> list[list[Evidence]]:
    """Return the records of one claim in independent groups; the order of the records does not matter."""
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
        pages: list[Hashable] = [source_page(record.source)]
        if record.source.kind in CRAWLS and (host := _host(record.source.url)):
            pages.append((record.source.kind, "host", host))
        for key in chain(pages, copies):
            owner = owners.setdefault(key, place)
            if owner != place:
                owner, here = top(owner), top(place)
                above[max(owner, here)] = min(owner, here)
    groups: dict[int, list[Evidence]] = {}
    for place, record in enumerate(records):
        groups.setdefault(top(place), []).append(record)
    return list(groups.values())


def source_page(source: Source) -> tuple[str, str]:
    """Return the page of a source without its revision."""
    return source.kind, source.page_id or source.url or source.title


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


@lru_cache(maxsize=1 << 14)
def _rule_of(rule: str) -> str:
    return rule if rule in _LISTS else rule.partition(":")[0] if rule.startswith(("causenet:", "conceptnet:")) else rule


def sketch(text: str) -> str:
    """Return the sketch of a sentence, 2 to 16 hexadecimal digits; empty for a sentence with too few words."""
    hashes = sorted({zlib.crc32(word.encode("utf-8", "replace")) for word in _WORD.findall(text.lower())})[:SKETCH_SIZE]
    return bytes(number & 0xFF for number in hashes).hex() if len(hashes) >= SHARED_IN_COPIES else ""


def copy_keys(sketches: Sequence[str]) -> Iterator[Iterator[tuple[int, ...]]]:
    """Yield the keys of each sketch; two sketches belong to near duplicates if they share a key."""
    many = [frozenset(bytes.fromhex(item)) for item in sketches]
    users = Counter(chain.from_iterable(many))
    # A byte that no other sketch has is in no shared key: most sketches of a small claim have no keys left.
    return (combinations(sorted(byte for byte in item if users[byte] > 1), SHARED_IN_COPIES) for item in many)
