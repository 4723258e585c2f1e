from __future__ import annotations

from itertools import permutations

import pytest

from graph.belief.belief import belief
from graph.belief.curation import Curation, Mark, counted_records, curation_record, holding_marks, read_curation, wrong_marks
from graph.belief.independence import count_evidence
from graph.model import Evidence, Source, Stance, Strength

PAGE = Evidence(Source("wikipedia", "Rain", "1"), rule="r", start=0, end=9, strength=Strength.LEADS_TO)
HEDGE = Evidence(Source("wikipedia", "Flood", "2"), Stance.HEDGED, rule="r", start=0, end=9)
DENIAL = Evidence(Source("wikipedia", "Drought", "3"), Stance.NEGATED, rule="r", start=0, end=9)


def mark(held: Mark, day: int = 1, who: str = "Ada Byron") -> Evidence:
    return curation_record(Curation(held, "read it", who, f"2026-11-{day:02}T00:00:00.000+00:00"))


@pytest.mark.parametrize("held", Mark)
def test_a_mark_is_read_from_its_record(held: Mark) -> None:
    curation = Curation(held, "it is so", "Ada Byron", "2026-11-29T08:00:00.000+00:00")
    assert read_curation(curation_record(curation)) == curation
    assert read_curation(PAGE) is None


def test_without_marks_every_record_counts() -> None:
    records = [PAGE, HEDGE, DENIAL]
    assert counted_records(records) is records


def test_what_is_marked_wrong_is_asserted_by_nobody_and_denied_by_those_who_deny_it() -> None:
    counts = count_evidence([PAGE, HEDGE, DENIAL, mark(Mark.WRONG)])
    assert (counts.asserted, counts.hedged, counts.negated) == (0, 0, 1)
    assert belief(counts.grounds) == 0.0


def test_a_mark_alone_denies_nothing() -> None:
    counts = count_evidence([PAGE, mark(Mark.WRONG)])
    assert (counts.asserted, counts.negated, counts.grounds) == (0, 0, ())


def test_whoever_holds_a_claim_right_is_a_source_for_it_and_leaves_the_wording_alone() -> None:
    before, after = count_evidence([PAGE]), count_evidence([PAGE, mark(Mark.RIGHT)])
    assert after.asserted == before.asserted + 1
    assert after.strength is before.strength
    assert belief(after.grounds) > max(0.97, belief(before.grounds))


def test_the_latest_mark_of_a_person_holds_in_every_order() -> None:
    marks = [mark(Mark.RIGHT, 1), mark(Mark.WRONG, 2), mark(Mark.OPEN, 3)]
    for order in permutations(marks):
        assert list(holding_marks(order).values()) == [read_curation(marks[2])]
        assert counted_records([PAGE, *order]) == [PAGE]
    assert wrong_marks([PAGE, *marks[:2]]) == [(marks[1], read_curation(marks[1]))]


def test_as_many_who_hold_it_right_as_wrong_leave_a_claim_to_its_sources() -> None:
    both = [mark(Mark.WRONG, 1, "Ada"), mark(Mark.RIGHT, 1, "Grace")]
    assert PAGE in counted_records([PAGE, *both])
    assert wrong_marks([PAGE, *both]) == []
    assert PAGE not in counted_records([PAGE, *both, mark(Mark.WRONG, 1, "Alan")])
