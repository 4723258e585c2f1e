from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.stores import open_store
from kgqa.answer_model import LARGEST_FLIP, Answer, Verdict
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.verdicts.evidence_weighing import Witness, find_flips, witness_verdict
from kgqa.pipeline import Pipeline

NAMES = ("frost", "rust", "drought", "fever", "hunger")
_CLAIMS = st.builds(
    lambda ends, kind: Claim(ends[0], ends[1], *kind),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda ends: ends[0] != ends[1]),
    st.sampled_from(
        (
            (Relation.CAUSES, Polarity.NONE),
            (Relation.CAUSES, Polarity.DECREASES),
            (Relation.PREVENTS, Polarity.DECREASES),
            (Relation.ENABLES, Polarity.INCREASES),
            (Relation.ASSOCIATED, Polarity.NONE),
        )
    ),
)
_RECORDS = st.builds(
    lambda page, stance, placed: Evidence(Source("wikipedia", f"Page {page}", str(page)), stance, start=0 if placed else None),
    st.integers(0, 5),
    st.sampled_from(Stance),
    st.booleans(),
)
_GRAPHS = st.lists(st.builds(Statement, _CLAIMS, _RECORDS), max_size=24)


def _ask(statements: Sequence[Statement], question: str) -> Answer:
    store = open_store("memory:", write=True)
    store.add(statements)
    answer = Pipeline(store).answer(question)
    store.close()
    return answer


@settings(deadline=None)
@given(_GRAPHS, st.sampled_from(("Does {} cause {}?", "Does {} prevent {}?", "Does {} affect {}?", "Can {} lead to {}?")))
def test_a_question_and_its_reverse_never_get_a_yes_from_the_same_edge(statements: list[Statement], pattern: str) -> None:
    one, other = (_ask(statements, pattern.format(*ends)) for ends in (("frost", "rust"), ("rust", "frost")))
    edges = [
        {edge.claim for finding in answer.findings for edge in finding.path.edges} if answer.verdict is Verdict.YES else set()
        for answer in (one, other)
    ]
    for answer, ends in ((one, ("frost", "rust")), (other, ("rust", "frost"))):
        if answer.verdict is Verdict.YES:
            assert answer.findings
            assert all((f.path.concepts[0], f.path.concepts[-1]) == ends for f in answer.findings)
    direct = [{claim for claim in found if {claim.cause, claim.effect} == {"frost", "rust"}} for found in edges]
    assert not direct[0] & direct[1]


_WITNESSES = st.lists(
    st.builds(
        Witness,
        st.sampled_from(("a", "b", "c")),
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        st.sampled_from((None, *EvidenceKind)),
        st.sampled_from((None, EvidenceKind.TEXT, EvidenceKind.OPINION)),
    ),
    max_size=8,
)


@given(_WITNESSES, st.booleans())
def test_flips_are_the_smallest_sets_that_brute_force_finds(witnesses: list[Witness], may: bool) -> None:
    now = witness_verdict(witnesses, may)
    expected: list[tuple[tuple[str, ...], Verdict]] = []
    for size in range(1, LARGEST_FLIP + 1):
        for taken in combinations(range(len(witnesses)), size):
            left = [one for place, one in enumerate(witnesses) if place not in taken]
            becomes = witness_verdict(left, may)
            if becomes is not now:
                expected.append((tuple(sorted(witnesses[place].name for place in taken)), becomes))
        if expected:
            break
    found = find_flips(witnesses, lambda left: witness_verdict(left, may), limit=10_000)
    assert sorted((tuple(sorted(one.without)), one.becomes) for one in found) == sorted(expected)
    few = find_flips(witnesses, lambda left: witness_verdict(left, may), limit=2)
    assert len(few) == min(2, len(expected))


@given(_WITNESSES)
def test_another_text_that_asserts_never_turns_a_yes_into_anything_else(witnesses: list[Witness]) -> None:
    if witness_verdict(witnesses) is Verdict.YES:
        assert witness_verdict([*witnesses, Witness("d", 1.0, 0.0, EvidenceKind.TEXT)]) is Verdict.YES


@given(_WITNESSES, st.randoms())
def test_the_order_of_the_witnesses_changes_nothing(witnesses: list[Witness], chance: object) -> None:
    shuffled = list(witnesses)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert witness_verdict(shuffled) is witness_verdict(witnesses)
