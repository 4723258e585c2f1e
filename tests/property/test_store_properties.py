"""What holds for every graph: order and batching do not matter, names survive, edges agree with a plain count."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations

import networkx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graph.belief.belief import belief
from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import Added, GraphStore
from graph.stores import open_store
from graph.stores.sqlite import insertion as writing

# Few values of each kind, so that records meet: the same claim, page, place and rule with another title, section or text.
NAMES = st.sampled_from(["a", "b", "c", "d"])
RELATIONS = st.sampled_from([Relation.CAUSES, Relation.CAUSES, Relation.PREVENTS])
POLARITIES = st.sampled_from([Polarity.NONE, Polarity.NONE, Polarity.DECREASES])
# Half of the claims are one claim, which then has much evidence.
CLAIMS = st.one_of(st.just(Claim("a", "b")), st.builds(Claim, NAMES, NAMES, RELATIONS, POLARITIES))
SOURCES = st.builds(
    Source,
    st.sampled_from(["wikipedia", "text"]),
    st.sampled_from(["", "Title", "Other"]),
    st.sampled_from(["", "1", "2"]),
    st.sampled_from(["", "9", "10"]),
    st.sampled_from(["", "http://1"]),
)
EVIDENCE = st.builds(
    Evidence,
    SOURCES,
    st.sampled_from(Stance),
    st.sampled_from(Strength),
    st.sampled_from(["", "rule"]),
    st.sampled_from([None, "", "Text.", "Other text."]),
    st.sampled_from(["", "History"]),
    st.sampled_from([None, 0, 5]),
    st.sampled_from([None, 9]),
    st.sampled_from([(), (("place", "here"),), (("place", "here"), ("place", "there"))]),
    st.sampled_from(["", "0011223344", "0011223355ff", "aabbccddee"]),
)
STATEMENTS = st.lists(st.builds(Statement, CLAIMS, EVIDENCE), max_size=25)
ALIASES = st.lists(st.builds(Alias, st.sampled_from(["a", "x", "y", ""]), st.sampled_from(["a", "b", "z"])), max_size=6)
# One record and what it may differ in from itself when it comes again, a field at a time.
BASE = Evidence(Source("text", "Title", "1", "9"), text="Text.", start=0, end=1)
VARIANTS = [
    BASE,
    *(replace(BASE, source=replace(BASE.source, title=title)) for title in ("", "Other")),
    *(replace(BASE, source=replace(BASE.source, revision=revision)) for revision in ("", "10", "11")),
    *(replace(BASE, source=replace(BASE.source, url=url)) for url in ("http://1", "http://2")),
    *(replace(BASE, section=section) for section in ("Causes", "History")),
    *(replace(BASE, text=text) for text in (None, "", "Another.")),
    *(replace(BASE, strength=strength) for strength in Strength),
    *(replace(BASE, context=context) for context in ((("time", "1953"),), (("time", "1953"), ("time", "1962")))),
    *(replace(BASE, sketch=sketch, text=text) for sketch in ("00", "ff") for text in (None, "Text.")),
]
HOSTILE = st.text(st.characters(), min_size=1)


def filled(batches: Iterable[Sequence[Statement]], aliases: Sequence[Alias] = ()) -> GraphStore:
    store = open_store("memory:")
    for batch in batches:
        store.add(batch)
    store.add([], aliases)
    return store


def answers(store: GraphStore) -> tuple[object, ...]:
    """Everything that can be asked of a graph over the few names."""
    names = ["a", "b", "c", "d", "x", "y"]
    return (
        store.digest(),
        store.stats(),
        list(store.statements()),
        *((store.concept(name), list(store.causes(name)), list(store.effects(name)), store.search([name])) for name in names),
    )


@settings(deadline=None)
@given(STATEMENTS, ALIASES, st.randoms(use_true_random=False), st.integers(1, 8))
def test_order_and_batches_do_not_change_the_answers(
    statements: list[Statement], aliases: list[Alias], chance: random.Random, size: int
) -> None:
    shuffled, other_aliases = list(statements), list(aliases)
    chance.shuffle(shuffled)
    chance.shuffle(other_aliases)
    batches = [shuffled[start : start + size] for start in range(0, len(shuffled), size)]
    with closing(filled([statements], aliases)) as one, closing(filled(batches, other_aliases)) as other:
        assert answers(one) == answers(other)
        assert list(other.check()) == []


def test_of_two_records_with_one_identity_the_same_one_is_kept_in_either_order() -> None:
    for pair in combinations(VARIANTS, 2):
        statements = [[Statement(Claim("a", "b"), record)] for record in pair]
        with closing(filled(statements)) as store, closing(filled(statements[::-1])) as other:
            assert list(store.evidence(Claim("a", "b"))) == list(other.evidence(Claim("a", "b")))
            assert len(store.evidence(Claim("a", "b"))) == 1
            assert store.digest() == other.digest()
            assert store.effects("a") == other.effects("a")


@settings(deadline=None)
@given(STATEMENTS, ALIASES)
def test_adding_twice_changes_nothing(statements: list[Statement], aliases: list[Alias]) -> None:
    with closing(filled([statements], aliases)) as store:
        before = answers(store)
        assert store.add(statements, aliases) == Added()
        assert store.add(store.statements()) == Added()
        assert answers(store) == before


@settings(deadline=None)
@given(STATEMENTS)
def test_what_is_added_is_what_is_counted(statements: list[Statement]) -> None:
    with closing(filled([])) as store:
        added = sum((store.add([statement]) for statement in statements), Added())
        stats = store.stats()
        assert added == Added(stats.concepts, stats.claims, stats.evidence)
        assert stats.evidence == len({statement.evidence.hash(statement.claim) for statement in statements})
        assert stats.claims == len({statement.claim for statement in statements}) == sum(stats.relations.values())


COUNTED = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)


def independent(records: list[Evidence]) -> list[list[Evidence]]:
    """The records in groups, from all pairs of them: one page, or five bytes of their sketches in common."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(records)))
    for (place, one), (other_place, other) in combinations(enumerate(records), 2):
        pages = [
            (record.source.kind, record.source.page_id or record.source.url or record.source.title) for record in (one, other)
        ]
        sketches = [set(bytes.fromhex(record.sketch)) if record.text is None else set() for record in (one, other)]
        if pages[0] == pages[1] or len(sketches[0] & sketches[1]) >= 5:
            graph.add_edge(place, other_place)
    return [[records[place] for place in part] for part in networkx.connected_components(graph)]


@settings(deadline=None)
@given(STATEMENTS)
def test_edges_agree_with_a_plain_count(statements: list[Statement]) -> None:
    records: dict[Claim, dict[str, Evidence]] = defaultdict(dict)
    oracle = networkx.MultiDiGraph()
    oracle.add_nodes_from("abcd")
    for statement in statements:
        claim = statement.claim
        records[claim][statement.evidence.hash(claim)] = statement.evidence
        oracle.add_edge(claim.cause, claim.effect, key=claim)
    with closing(filled([statements])) as store:
        for name in "abcd":
            assert {edge.claim for edge in store.effects(name)} == {claim for _, _, claim in oracle.out_edges(name, keys=True)}
            assert {edge.claim for edge in store.causes(name)} == {claim for _, _, claim in oracle.in_edges(name, keys=True)}
            assert len(store.effects(name)) == oracle.out_degree(name)
            for edge in [*store.effects(name), *store.causes(name)]:
                groups = independent(list(store.evidence(edge.claim)))
                assert len(store.evidence(edge.claim)) == len(records[edge.claim])
                counts = [sum(any(one.stance is stance for one in group) for group in groups) for stance in COUNTED]
                assert [edge.support, edge.against, edge.hedged] == counts
                assert sum(ground.groups for ground in edge.grounds if ground.stance is Stance.ASSERTED) == edge.support
                assert sum(ground.groups for ground in edge.grounds if ground.stance is Stance.NEGATED) == edge.against
                assert edge.belief == belief(edge.grounds)
                assert (edge.belief > 0) is (edge.support + edge.hedged > 0)
            beliefs = [edge.belief for edge in store.effects(name)]
            assert beliefs == sorted(beliefs, reverse=True)


@settings(deadline=None)
@given(HOSTILE, HOSTILE, HOSTILE)
@example("'; DROP TABLE claim; --", '{"cause": "<b>&amp;</b>"}', "a\nb\r\n\tc")
@example("\0", "a\0b", "a")
@example("\ud800", "\udfff\ud800", "\ud83d\ude00")
@example("\ud83d\ude00", "\U0001f600", "�")
@example("x" * 10_000, '"' * 10_000, "\N{COMBINING ACUTE ACCENT}")
@example("a", "A", "a ")
@example("MATCH *", '"" OR ""', "?1")
def test_hostile_names_survive(cause: str, effect: str, other: str) -> None:
    claim = Claim(cause, effect)
    evidence = Evidence(Source(other, other, cause, effect, other), rule=effect, text=other, section=cause, start=1)
    statement = Statement(claim, evidence)
    with closing(filled([[statement]], [Alias(other, cause)])) as store:
        assert list(store.statements()) == [statement]
        assert [edge.claim for edge in store.effects(cause)] == [claim]
        assert [edge.claim for edge in store.causes(effect)] == [claim]
        assert list(store.evidence(claim)) == [evidence]
        found = store.concept(cause)
        assert found is not None
        assert found.name == cause
        leads = store.concept(other)
        assert leads is not None
        assert leads.name == (other if other in (cause, effect) else cause)
        assert set(store.search([cause, other])) <= {cause, effect}
        assert set(store.similar(other)) <= {cause, effect}
        assert list(store.check()) == []
        assert store.add([statement], [Alias(other, cause)], (other, 3)) == Added()
        assert store.progress(other) == 3


def test_many_statements_across_batches_give_what_single_ones_give() -> None:
    chance = random.Random(7)
    names = [f"name {place}" for place in range(3000)]

    def one() -> Statement:
        source = Source("wikipedia", page_id=str(chance.randrange(500)))
        evidence = Evidence(source, chance.choice(list(Stance)), chance.choice(list(Strength)), start=chance.randrange(3))
        return Statement(Claim(chance.choice(names), chance.choice(names)), evidence)

    statements = [one() for _ in range(2 * writing.BATCH + 100)]
    statements += chance.choices(statements, k=3000)
    batches = [statements[start : start + 997] for start in range(0, len(statements), 997)]
    with closing(filled([statements])) as store, closing(filled(batches[::-1])) as other:
        assert store.digest() == other.digest()
        assert store.stats() == other.stats()
        assert list(store.check()) == []
