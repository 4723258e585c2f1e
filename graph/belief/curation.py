"""Marks that people set on claims: right, wrong or open, with a reason and a name, and what they do to the evidence.

A mark is an evidence record of the source kind `CURATION` with a page of its own, so that every store and format keeps it, and
nothing is deleted. Of a person's marks the latest holds. Where more people hold a claim wrong than right, what asserts or
hedges it no longer counts; it is not denied thereby, for the sentence may be misread. Whoever holds it right is a source for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from graph.model import Evidence, Source, Stance

CURATION = "curation"
"""The kind of source of a mark."""


class Mark(StrEnum):
    """What a person holds of a claim; `OPEN` takes an earlier mark back."""

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"


_MARK_STANCES = {Mark.RIGHT: Stance.ASSERTED, Mark.WRONG: Stance.NEGATED, Mark.OPEN: Stance.QUESTIONED}
_MARKS = {stance: mark for mark, stance in _MARK_STANCES.items()}


class Curation(NamedTuple):
    """A mark with its reason, who set it, and when: a time of ISO 8601."""

    mark: Mark
    reason: str
    curator: str
    time: str


def curation_record(curation: Curation) -> Evidence:
    """Return a mark as the evidence record that stores it."""
    source = Source(CURATION, page_id=f"{curation.time} {curation.curator}", revision=curation.time)
    return Evidence(source, _MARK_STANCES[curation.mark], text=curation.reason)


def read_curation(record: Evidence) -> Curation | None:
    """Return the mark that a record stores, or `None` for a record of another source."""
    if record.source.kind != CURATION or record.stance not in _MARKS:
        return None
    return Curation(_MARKS[record.stance], record.text or "", curator_of(record.source), record.source.revision)


def curator_of(source: Source) -> str:
    """Return who set the mark of this source."""
    return source.page_id.partition(" ")[2]


def holding_marks(records: Iterable[Evidence]) -> dict[Evidence, Curation]:
    """Return the records of the marks that hold of a claim, with the marks: the latest of each person, the earliest first."""
    marks = {record: curation for record in records if (curation := read_curation(record)) is not None}
    in_order = sorted(marks.items(), key=lambda item: (item[1].time, item[0].source.page_id, item[1].mark))
    latest = {curation.curator: record for record, curation in in_order}
    return {record: curation for record, curation in in_order if latest[curation.curator] is record}


def counted_records(records: Sequence[Evidence]) -> Sequence[Evidence]:
    """Return the records of a claim that count, as far as the marks on it say."""
    if all(record.source.kind != CURATION for record in records):
        return records
    is_wrong = bool(wrong_marks(records))
    lost = (Stance.ASSERTED, Stance.HEDGED) if is_wrong else ()
    counted = [record for record in records if record.source.kind != CURATION and record.stance not in lost]
    right = (record for record, curation in holding_marks(records).items() if curation.mark is Mark.RIGHT)
    return counted if is_wrong else [*counted, *right]


def wrong_marks(records: Sequence[Evidence]) -> list[tuple[Evidence, Curation]]:
    """Return the marks, with their records, for which a claim no longer counts; none where it counts."""
    holding = holding_marks(records)
    marks = Counter(curation.mark for curation in holding.values())
    return [item for item in holding.items() if item[1].mark is Mark.WRONG] if marks[Mark.WRONG] > marks[Mark.RIGHT] else []
