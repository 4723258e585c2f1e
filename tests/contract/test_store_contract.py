"""What every store must do, whatever keeps it. A new store joins by one line in `STORES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import real_neo4j
from hostile import HOSTILE_NAMES, hostile_aliases, hostile_statements
from indexed import assert_arrows, some_statements, true_arrows

from graph.belief.belief import belief
from graph.belief.curation import Curation, Mark, curation_record
from graph.belief.independence import sketch
from graph.intervene import Add, Edit, Intervention, Overlay, Presence, Remove
from graph.intervene.effect_probability import compare_worlds, effect_probabilities
from graph.model import Alias, Claim, Concept, Edge, Evidence, Ground, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import Added, GraphStore
from graph.stores import open_store
from graph.stores.claim_records import sense_signature

STORES: dict[str, Callable[[Path], str]] = {
    "memory": lambda folder: "memory:",
    "file": lambda folder: str(folder / "graph.kgqa"),
    "neo4j": lambda folder: real_neo4j.emptied(real_neo4j.the_server()),
}

SMOKING = Claim("smoking", "lung cancer")
RAIN = Claim("rain", "flood")


@pytest.fixture(params=STORES.values(), ids=STORES.keys())
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    with closing(open_store(request.param(tmp_path), create=True)) as opened:
        yield opened


def record(
    page: str = "1", stance: Stance = Stance.ASSERTED, strength: Strength = Strength.CAUSES, start: int = 0, **fields: str
) -> Evidence:
    """Return a record on the page with this id; records of one page are one group."""
    source = Source("wikipedia", title=fields.get("title", f"Page {page}"), page_id=page, revision=fields.get("revision", "7"))
    return Evidence(source, stance, strength, fields.get("rule", "r"), fields.get("text"), "History", start, start + 10)


def said(claim: Claim, *records: Evidence) -> list[Statement]:
    return [Statement(claim, evidence) for evidence in records or (record(),)]


def grounds(*numbers: int) -> tuple[Ground, ...]:
    """Return the grounds of a claim that so many pages assert, deny and hedge, all found by `record`'s rule."""
    stances = (Stance.ASSERTED, Stance.NEGATED, Stance.HEDGED)
    return tuple(Ground(stance, (("wikipedia", "r"),), number) for stance, number in zip(stances, numbers, strict=True) if number)


def test_an_empty_store_answers_with_nothing(store: GraphStore) -> None:
    assert store.concept("rain") is None
    assert list(store.causes("rain")) == list(store.effects("rain")) == list(store.evidence(RAIN)) == []
    assert list(store.search(["rain"])) == list(store.similar("rain")) == list(store.statements()) == []
    assert store.stats().claims == 0
    assert store.digest() == "0" * 32
    assert list(store.check()) == []


def test_adding_tells_how_much_is_new(store: GraphStore) -> None:
    assert store.add([*said(SMOKING, record("1"), record("2")), *said(RAIN)]) == Added(concepts=4, claims=2, evidence=3)
    assert store.add(said(SMOKING, record("2"), record("3"))) == Added(evidence=1)


def test_adding_the_same_twice_changes_nothing(store: GraphStore) -> None:
    statements = [*said(SMOKING, record("1", text="Smoking causes lung cancer."), record("2")), *said(RAIN)]
    aliases = [Alias("tobacco smoking", "smoking")]
    store.add(statements, aliases)
    before = store.digest(), store.stats(), list(store.statements())

    assert store.add([*statements, *statements], aliases) == Added()

    assert (store.digest(), store.stats(), list(store.statements())) == before


def test_the_digest_does_not_depend_on_the_order(store: GraphStore) -> None:
    statements = [*said(SMOKING, record("1"), record("2")), *said(RAIN)]
    with closing(open_store("memory:")) as other:
        other.add(statements[::-1])
        for statement in statements:
            store.add([statement])
        assert store.digest() == other.digest() != "0" * 32


@pytest.mark.parametrize(
    "changed",
    [
        record("1", text="Text."),
        record("1", revision="8"),
        record("1", title="Another title"),
        record("1", strength=Strength.LEADS_TO),
        record("1", stance=Stance.NEGATED),
        record("1", rule="another"),
        record("1", start=5),
        record("2"),
        replace(record("1"), context=(("place", "in Africa"),)),
        replace(record("1"), sketch="0011223344"),
    ],
)
def test_every_field_of_a_record_counts_in_the_digest(store: GraphStore, changed: Evidence) -> None:
    with closing(open_store("memory:")) as other:
        store.add(said(SMOKING, record("1")))
        other.add(said(SMOKING, changed))
        assert store.digest() != other.digest()


def test_a_cause_is_not_an_effect(store: GraphStore) -> None:
    store.add(said(SMOKING))
    assert [edge.claim for edge in store.effects("smoking")] == [SMOKING]
    assert [edge.claim for edge in store.causes("lung cancer")] == [SMOKING]
    assert not store.causes("smoking")
    assert not store.effects("lung cancer")


def test_claims_of_another_relation_or_polarity_are_other_claims(store: GraphStore) -> None:
    claims = [Claim("sun", "growth", relation, polarity) for relation in Relation for polarity in Polarity]
    store.add([statement for claim in claims for statement in said(claim)])
    assert [edge.claim for edge in store.effects("sun")] == claims
    assert [edge.claim for edge in store.causes("growth")] == claims
    assert store.stats().edges == 1


def test_the_most_believed_edge_comes_first(store: GraphStore) -> None:
    def from_sun(effect: str, *records: Evidence) -> list[Statement]:
        return said(Claim("sun", effect), *records)

    store.add(
        [
            *from_sun("one page", record("1")),
            *from_sun("a page", record("1")),
            *from_sun("three pages", record("1"), record("2"), record("3")),
            *from_sun("denied", record("1", Stance.NEGATED)),
            *from_sun("contested", record("1"), record("2", Stance.NEGATED)),
            *from_sun("hedged", record("1", Stance.HEDGED)),
            *from_sun("b", *(record(page, Stance.HEDGED) for page in "1234")),
            *from_sun("c", *(record(page, Stance.HEDGED) for page in "12345678")),
            *from_sun("d", record("1"), record("2")),
        ]
    )
    edges = store.effects("sun")
    assert [edge.effect for edge in edges] == [
        "three pages",
        "d",
        "c",
        "a page",
        "one page",
        "b",
        "contested",
        "hedged",
        "denied",
    ]
    groups = [(3, 0, 0), (2, 0, 0), (0, 0, 8), (1, 0, 0), (1, 0, 0), (0, 0, 4), (1, 1, 0), (0, 0, 1), (0, 1, 0)]
    assert [edge.grounds for edge in edges] == [grounds(*numbers) for numbers in groups]
    assert [edge.belief for edge in edges] == [belief(grounds(*numbers)) for numbers in groups]


def test_records_of_one_page_are_one_group(store: GraphStore) -> None:
    store.add(said(SMOKING, record("1"), record("1", start=50), record("1", start=90, revision="8")))
    store.add(said(SMOKING, record("1", Stance.NEGATED, start=70), record("2"), record("3", Stance.HEDGED)))
    (edge,) = store.effects("smoking")
    assert (edge.support, edge.against, edge.hedged) == (2, 1, 1)


def test_a_source_without_a_page_is_known_by_its_url_or_title(store: GraphStore) -> None:
    sources = [Source("text", title="a"), Source("text", title="b"), Source("text", "b", url="u"), Source("csv", title="a")]
    store.add(said(SMOKING, *(Evidence(source, start=place) for place, source in enumerate([*sources, *sources]))))
    (edge,) = store.effects("smoking")
    assert edge.support == 4


COPIED = "The flood of 1953 caused by heavy storms destroyed many Dutch villages."
COPY = "The great flood of 1953, caused by heavy storms, destroyed many Dutch villages."
OTHER = "Heavy storms caused floods along the coast of Belgium in that winter."


@pytest.mark.parametrize(
    ("texts", "groups"),
    [((COPIED, COPIED), 1), ((COPIED, COPY), 1), ((COPIED, OTHER), 2), ((COPIED, OTHER, COPY), 2), (("It rained.",) * 2, 2)],
    ids=["the same words", "a word more", "other words", "a third sentence", "too few words to tell"],
)
@pytest.mark.parametrize("facts_only", [False, True])
def test_copies_on_other_pages_are_one_group(store: GraphStore, texts: tuple[str, ...], groups: int, facts_only: bool) -> None:
    records = [record(str(page), text=text) for page, text in enumerate(texts)]
    for evidence, text in zip(records, texts, strict=True):
        store.add(said(SMOKING, replace(evidence, text=None, sketch=sketch(text)) if facts_only else evidence))
    (edge,) = store.effects("smoking")
    assert edge.support == groups
    assert list(store.check()) == []


def test_pages_of_one_host_are_one_group_on_the_web(store: GraphStore) -> None:
    urls = ["http://www.a.org/x", "http://a.org/y", "https://b.org/", "http://[broken", ""]
    web = [Evidence(Source("clueweb12", page_id=str(page), url=url)) for page, url in enumerate(urls)]
    store.add(said(SMOKING, *web))
    store.add(said(RAIN, *(replace(one, source=replace(one.source, kind="wikipedia")) for one in web)))
    assert [store.effects(name)[0].support for name in ("smoking", "rain")] == [4, 5]


def test_whoever_asserts_and_hedges_on_one_page_has_asserted(store: GraphStore) -> None:
    store.add(said(SMOKING, record("1"), record("1", Stance.HEDGED, start=50)))
    (edge,) = store.effects("smoking")
    assert (edge.support, edge.hedged, edge.belief) == (1, 1, belief(grounds(1, 0, 0)))


def test_questions_and_suppositions_support_nothing(store: GraphStore) -> None:
    store.add(said(SMOKING, record("1", Stance.QUESTIONED), record("2", Stance.HYPOTHETICAL)))
    (edge,) = store.effects("smoking")
    assert (edge.support, edge.against, edge.hedged, edge.belief) == (0, 0, 0, 0.0)
    assert len(store.evidence(SMOKING)) == 2


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([record("1", strength=Strength.ASSOCIATED)], Strength.ASSOCIATED),
        ([record("1", strength=Strength.CAUSES), record("2", strength=Strength.ASSOCIATED)], Strength.CAUSES),
        ([record(page, strength=Strength.LEADS_TO) for page in "12"] + [record("3")], Strength.LEADS_TO),
        ([record("1", strength=Strength.LEADS_TO, start=place) for place in (0, 50)] + [record("3")], Strength.CAUSES),
        ([record(page, Stance.QUESTIONED) for page in "12"] + [record("3", strength=Strength.RISK_FACTOR)], Strength.RISK_FACTOR),
        ([record("1", Stance.QUESTIONED, Strength.LEADS_TO)], Strength.LEADS_TO),
    ],
    ids=["only one", "tie", "most pages", "one page twice", "questions do not count", "only a question"],
)
def test_an_edge_has_the_wording_that_most_groups_use(store: GraphStore, records: list[Evidence], expected: Strength) -> None:
    for evidence in records:
        store.add(said(SMOKING, evidence))
    assert store.causes("lung cancer")[0].strength is expected


def test_evidence_comes_back_whole_and_in_order(store: GraphStore) -> None:
    records = [
        Evidence(Source("clueweb12"), text="", section="", start=None, end=None),
        Evidence(Source("text", "A", url="http://a/?x=1#y"), Stance.HEDGED, Strength.RISK_FACTOR, "b", "Text.", "Causes", 0, 5),
        record("3", title="A", start=10, rule="a"),
        record("4", title="A", start=10, rule="b", text="x"),
        record("5", title="B", start=2, text="Smoking causes\nlung cancer."),
        replace(record("6", title="C"), context=(("place", "in\0Africa \ud800"), ("time", "1953"), ("time", "1962"))),
        replace(record("7", title="D"), context=(("capability", "can"),), sketch="00ff"),
    ]
    store.add(said(SMOKING, *records[::-1]))
    assert list(store.evidence(SMOKING)) == records


def test_a_record_gains_its_text_when_it_comes_again_with_it(store: GraphStore) -> None:
    bare, whole = record("1"), record("1", text="Smoking causes lung cancer.")
    store.add(said(SMOKING, bare))
    before = store.digest()

    assert store.add(said(SMOKING, whole)) == Added()

    assert list(store.evidence(SMOKING)) == [whole]
    assert store.digest() != before
    assert list(store.check()) == []


def test_a_record_keeps_its_text_when_it_comes_again_without(store: GraphStore) -> None:
    store.add(said(SMOKING, record("1", text="Smoking causes lung cancer.")))
    before = store.digest()
    store.add(said(SMOKING, record("1", revision="9")))
    assert store.digest() == before


def test_a_later_revision_of_a_record_takes_its_place(store: GraphStore) -> None:
    store.add(said(SMOKING, record("1", revision="99", strength=Strength.LEADS_TO)))
    store.add(said(SMOKING, record("1", revision="100", strength=Strength.CAUSES)))
    store.add(said(SMOKING, record("1", revision="98", strength=Strength.ASSOCIATED)))
    assert [evidence.source.revision for evidence in store.evidence(SMOKING)] == ["100"]
    assert store.effects("smoking")[0].strength is Strength.CAUSES
    assert list(store.check()) == []


@pytest.mark.parametrize("claim", [Claim("", "flood"), Claim("rain", "")])
def test_a_claim_needs_two_names(store: GraphStore, claim: Claim) -> None:
    with pytest.raises(ValueError, match="needs a cause and an effect"):
        store.add([*said(SMOKING), *said(claim)])
    assert store.stats().claims == 0


def test_nothing_is_added_where_the_source_fails_midway(store: GraphStore) -> None:
    def failing() -> Iterator[Statement]:
        for place in range(25_000):
            yield from said(Claim(f"cause {place}", "effect"))
        raise LookupError("the source broke")

    store.add(said(RAIN))
    before = store.digest()
    with pytest.raises(LookupError, match="broke"):
        store.add(failing(), progress=("job", 5))
    assert store.digest() == before
    assert store.stats().concepts == 2
    assert store.progress("job") == 0
    assert store.add(said(SMOKING)) == Added(2, 1, 1)


def test_progress_is_kept_for_each_job(store: GraphStore) -> None:
    store.add(said(RAIN), progress=("mine", 3))
    store.add([], progress=("load 'x'; --", 10**12))
    store.add([], progress=("mine", 4))
    assert [store.progress(job) for job in ("mine", "load 'x'; --", "other")] == [4, 10**12, 0]


def test_a_concept_is_found_by_name_and_by_alias(store: GraphStore) -> None:
    store.add(
        said(SMOKING), [Alias("tobacco smoking", "smoking"), Alias("cigarette use", "smoking"), Alias("nsclc", "lung cancer")]
    )
    smoking = Concept("smoking", ("cigarette use", "tobacco smoking"))
    assert store.concept("smoking") == store.concept("tobacco smoking") == smoking
    assert store.concept("Smoking") is None
    assert list(store.check()) == []


def test_a_name_wins_over_an_alias(store: GraphStore) -> None:
    store.add([*said(SMOKING), *said(RAIN)], [Alias("rain", "smoking"), Alias("smoking", "smoking")])
    assert store.concept("rain") == Concept("rain")
    assert store.concept("smoking") == Concept("smoking")


def test_an_alias_goes_when_a_concept_of_its_name_comes(store: GraphStore) -> None:
    store.add(said(SMOKING), [Alias("rain", "smoking")])
    assert store.concept("rain") == Concept("smoking", ("rain",))
    store.add(said(RAIN))
    with closing(open_store("memory:")) as other:
        other.add([*said(SMOKING), *said(RAIN)], [Alias("rain", "smoking")])
        assert store.digest() == other.digest()
    assert store.concept("rain") == Concept("rain")
    assert store.concept("smoking") == Concept("smoking")


def test_an_alias_of_an_unknown_concept_is_left_out(store: GraphStore) -> None:
    store.add(said(RAIN), [Alias("nothing", "nowhere"), Alias("", "rain"), Alias("downpour", "rain")])
    assert store.concept("nothing") is store.concept("nowhere") is store.concept("") is None
    assert store.concept("downpour") == Concept("rain", ("downpour",))


def test_an_alias_of_two_concepts_leads_to_the_same_one_in_any_order(store: GraphStore) -> None:
    statements = [*said(SMOKING), *said(RAIN)]
    store.add(statements, [Alias("x", "smoking"), Alias("x", "rain")])
    with closing(open_store("memory:")) as other:
        other.add(statements, [Alias("x", "smoking")])
        other.add([], [Alias("x", "rain")])
        other.add([], [Alias("x", "smoking")])
        assert store.concept("x") == other.concept("x") == Concept("rain", ("x",))
        assert store.digest() == other.digest()
        assert list(other.check()) == []


def test_searching_finds_every_word_by_its_stem_shortest_names_first(store: GraphStore) -> None:
    names = ["heavy flooding", "flood", "floods of paper", "paper", "a flood", "b flood", "flood-plain"]
    store.add([statement for name in names for statement in said(Claim(name, "effect"))])
    assert list(store.search(["flooded"])) == ["flood", "a flood", "b flood", "flood-plain", "heavy flooding", "floods of paper"]
    assert list(store.search(["floods", "papers"])) == ["floods of paper"]
    assert list(store.search(["flood"], limit=2)) == ["flood", "a flood"]
    assert list(store.search(["flood"], limit=0)) == list(store.search([])) == list(store.search(["dry"])) == []


@pytest.mark.parametrize(
    "words",
    [
        *(["flood", noise] for noise in ["", "!", '"', "''", "*", "\0", "\ud800", "(", "-", "^"]),
        ['"flood"'],
        ["flood\0"],
        ["FLOOD*"],
        ["^flood"],
        ["flood", "flood"],
    ],
)
def test_signs_in_a_search_are_not_operators(store: GraphStore, words: list[str]) -> None:
    store.add(said(RAIN))
    assert list(store.search(words)) == ["flood"]


@pytest.mark.parametrize(
    "words",
    [["flood", "OR", "rain"], ["NOT", "rain"], ["name:rain"], ["rain OR flood"], ["NEAR(rain)"], ["rain'); DROP TABLE claim"]],
)
def test_operators_in_a_search_are_words(store: GraphStore, words: list[str]) -> None:
    store.add(said(RAIN))
    assert list(store.search(words)) == []
    assert store.stats().claims == 1


def test_a_search_for_very_many_words_is_answered(store: GraphStore) -> None:
    store.add(said(Claim(" ".join(f"w{place}" for place in range(3000)), "effect")))
    assert len(store.search([f"w{place}" for place in range(3000)])) == 1
    assert list(store.search([f"w{place}" for place in range(3001)])) == []


def test_similar_names_come_nearest_first(store: GraphStore) -> None:
    names = ["smoking", "smog", "smoke", "lung cancer", "stroke", "heart attack"]
    store.add([statement for name in names for statement in said(Claim(name, "effect"))])
    assert list(store.similar("smokng")) == ["smoking", "smog", "smoke"]
    assert list(store.similar("smokng", limit=1)) == ["smoking"]
    assert list(store.similar("lugn cancer")) == ["lung cancer"]
    assert list(store.similar("hart atack")) == ["heart attack"]
    assert list(store.similar("mlung cancer")) == ["lung cancer"]


@pytest.mark.parametrize("nonsense", ["", "xqzvw", "qqqqqqqq", "z" * 10_000, "\0", "\ud800", "\U0010ffff", "✓"])
def test_nothing_is_similar_to_nonsense(store: GraphStore, nonsense: str) -> None:
    store.add([*said(SMOKING), *said(RAIN)])
    assert list(store.similar(nonsense)) == []


def test_statements_come_sorted_in_whatever_order_they_were_added(store: GraphStore) -> None:
    statements = [
        *said(Claim("a", "b"), record("1"), record("2")),
        *said(Claim("a", "b", Relation.PREVENTS)),
        *said(Claim("a", "c")),
        *said(Claim("b", "a")),
    ]
    for statement in statements[::-1]:
        store.add([statement])
    assert list(store.statements()) == statements


def test_a_store_can_be_copied_while_it_is_read(store: GraphStore) -> None:
    store.add([*said(SMOKING, record("1"), record("2", text="x")), *said(RAIN)])
    with closing(open_store("memory:")) as copy:
        copy.add(store.statements())
        assert copy.digest() == store.digest()
    assert store.add(store.statements()) == Added()


def test_stats_count_what_is_there(store: GraphStore) -> None:
    store.add(
        [
            *said(SMOKING, record("1"), record("1", start=50), record("2", text="x")),
            *said(Claim("smoking", "lung cancer", Relation.PREVENTS), record("1")),
            *said(RAIN, Evidence(Source("causenet", url="http://a")), Evidence(Source("causenet", url="http://a"), rule="x")),
        ]
    )
    stats = store.stats()
    assert (stats.concepts, stats.edges, stats.claims, stats.evidence, stats.sentences) == (4, 2, 3, 6, 1)
    assert stats.relations == {"causes": 2, "prevents": 1}
    assert stats.sources == {"causenet": 2, "wikipedia": 4}
    assert (stats.url, stats.digest) == (store.url, store.digest())
    assert stats.version


def test_a_sound_store_has_no_problems(store: GraphStore) -> None:
    store.add([*said(SMOKING, record("1"), record("2", Stance.NEGATED)), *said(RAIN)], [Alias("x", "rain")])
    assert list(store.check()) == []


def test_a_store_closes_at_the_end_of_its_block_and_tells_its_address(store: GraphStore) -> None:
    with store as same:
        assert same is store
        assert store.digest()
        assert type(store).__name__ in repr(store)
    assert repr(store).endswith(", closed>")
    with pytest.raises(ValueError, match="is closed"):
        store.digest()


def test_a_closed_store_may_not_be_used(store: GraphStore) -> None:
    store.close()
    store.close()
    with pytest.raises(ValueError, match="is closed"):
        store.concept("rain")
    with pytest.raises(ValueError, match="is closed"):
        store.add([])


def test_an_edge_is_found_by_its_claim_alone(store: GraphStore) -> None:
    claims = [Claim("sun", "growth", relation, polarity) for relation in Relation for polarity in Polarity]
    store.add([*said(SMOKING, record("1"), record("2", Stance.NEGATED)), *(one for claim in claims for one in said(claim))])
    for claim in (SMOKING, *claims):
        (expected,) = [edge for edge in store.effects(claim.cause) if edge.claim == claim]
        assert store.edge(claim) == expected
    for absent in (Claim("lung cancer", "smoking"), replace(SMOKING, relation=Relation.PREVENTS), Claim("", ""), RAIN):
        assert store.edge(absent) is None


def test_every_edge_comes_in_the_order_of_the_statements(store: GraphStore) -> None:
    assert list(store.edges()) == []
    claims = [Claim(cause, effect) for cause in ("b", "a\0", "a", "\ud83d", "ü") for effect in ("z", "a", "\udcff")]
    store.add([one for claim in claims for one in said(claim, record("1"), record("2"))], [Alias("c", "b")])
    edges = list(store.edges())
    assert [edge.claim for edge in edges] == list(dict.fromkeys(statement.claim for statement in store.statements()))
    assert edges == [store.edge(edge.claim) for edge in edges]


def test_an_edge_knows_the_sense_of_the_pages_that_state_it(store: GraphStore) -> None:
    def sense_of(claim: Claim) -> int:
        edge = store.edge(claim)
        assert edge is not None
        return edge.sense

    store.add([*said(RAIN, record("1", title="Weather")), *said(SMOKING, record("1", title=""))])
    assert sense_of(RAIN) == sense_signature([record("1", title="Weather")]) != 0
    assert sense_of(SMOKING) == 0
    store.add(said(RAIN, record("2", title="Great Flood of 1913", stance=Stance.NEGATED)))
    both = sense_signature([record("1", title="Weather"), record("2", title="Great Flood of 1913")])
    assert sense_of(RAIN) == both == store.causes("flood")[0].sense == store.effects("rain")[0].sense
    store.add(said(RAIN, record("2", title="Dam", revision="8", stance=Stance.NEGATED)))
    assert sense_of(RAIN) == sense_signature([record("1", title="Weather"), record("2", title="Dam")])


def evidence_found(store: GraphStore, *words: str, limit: int = 20) -> list[tuple[str, str | None]]:
    return [(found.claim.cause, found.evidence.text) for found in store.search_evidence(words, limit)]


def test_evidence_is_found_by_the_words_of_its_sentence_best_first(store: GraphStore) -> None:
    texts = {
        "rain": "Heavy rain floods the valley.",
        "storm": "Storms and rain and rain and more rain.",
        "dam": "A broken dam flooded the valley with the water of a whole winter and of all the rivers above it.",
        "sun": "The sun dries fields.",
    }
    store.add([one for cause, text in texts.items() for one in said(Claim(cause, "effect"), record(cause, text=text))])
    assert evidence_found(store, "rain") == [("storm", texts["storm"]), ("rain", texts["rain"])]
    assert [cause for cause, _ in evidence_found(store, "flooding", "valleys")] == ["rain", "dam"]
    assert [cause for cause, _ in evidence_found(store, "FIELD", "nowhere")] == ["sun"]
    assert len(evidence_found(store, "rain", "flood", limit=2)) == 2
    assert evidence_found(store, "rain", limit=0) == evidence_found(store, "nowhere") == evidence_found(store) == []
    (found,) = store.search_evidence(["field"])
    assert found == Statement(Claim("sun", "effect"), store.evidence(Claim("sun", "effect"))[0])


def test_a_sentence_is_found_once_for_each_claim_that_rests_on_it(store: GraphStore) -> None:
    text = "Rain and snow melt flood the valley."
    claims = [Claim("snow melt", "flood"), Claim("rain", "flood")]
    store.add([one for claim in claims for one in said(claim, record("1", text=text), record("2", text=text))])
    assert [found.claim for found in store.search_evidence(["valley"])] == claims[::-1]
    assert [found.claim for found in store.search_evidence(["valley"], 1)] == [RAIN]


def test_equally_good_evidence_comes_in_one_order_however_it_was_loaded(store: GraphStore) -> None:
    statements = [one for name in "dbcae" for one in said(Claim(name, "flood"), record(name, text=f"Word{name} floods."))]
    store.add(statements)
    with closing(open_store("memory:")) as other:
        for one in statements[::-1]:
            other.add([one])
        assert evidence_found(store, "floods") == evidence_found(other, "floods") == [(n, f"Word{n} floods.") for n in "abcde"]
        assert evidence_found(store, "floods", limit=2) == evidence_found(other, "floods", limit=2)


def test_a_sentence_can_be_searched_once_it_is_known_and_no_longer_when_another_replaces_it(store: GraphStore) -> None:
    store.add(said(RAIN, record("1")))
    assert evidence_found(store, "rain") == []
    store.add(said(RAIN, record("1", text="Rain floods."), record("2", text="Rain floods.")))
    assert evidence_found(store, "rain") == [("rain", "Rain floods.")]
    store.add(said(RAIN, record("1", text="Drizzle floods.", revision="8")))
    assert evidence_found(store, "rain", "drizzle") == [("rain", "Drizzle floods."), ("rain", "Rain floods.")]
    store.add(said(RAIN, record("2", text="Drizzle floods.", revision="8")))
    assert evidence_found(store, "rain") == []
    assert evidence_found(store, "drizzle") == [("rain", "Drizzle floods.")]
    assert list(store.check()) == []


def test_hostile_words_are_only_words_in_the_search_for_evidence(store: GraphStore) -> None:
    texts = [text for text in HOSTILE_NAMES if any(map(str.isalnum, text))]
    store.add([one for text in texts for one in said(Claim(text, "effect"), record(text, text=f"zebra {text}"))])
    for text in HOSTILE_NAMES:
        found = store.search_evidence([text, text], 1000)
        assert not any(map(str.isalnum, text)) or text in [statement.claim.cause for statement in found]
        assert set(store.search_evidence(["zebra", text], 1000)) == set(store.search_evidence(["zebras"], 1000))
    assert len(store.search_evidence(["zebra"], 1000)) == len(texts)


def test_hostile_names_and_texts_come_out_as_they_went_in(store: GraphStore) -> None:
    statements, aliases = hostile_statements(), hostile_aliases()
    store.add(statements, aliases)
    assert sorted(map(repr, store.statements())) == sorted(map(repr, statements))
    assert sorted(map(repr, store.aliases())) == sorted(map(repr, aliases))
    with closing(open_store("memory:")) as other:
        other.add(statements[::-1], aliases[::-1])
        assert store.digest() == other.digest()
        assert list(store.statements()) == list(other.statements())
    for claim in {statement.claim for statement in statements}:
        edge = store.edge(claim)
        assert edge is not None
        assert edge in store.causes(claim.effect)
        assert edge in store.effects(claim.cause)
        assert store.concept(claim.cause) == store.concept(f"also {claim.cause}")
        assert len(store.evidence(claim)) == 3
    assert list(store.check()) == []


def mark(held: Mark, day: int, who: str = "Ada", why: str = "read it") -> Evidence:
    return curation_record(Curation(held, why, who, f"2026-11-{day:02}T00:00:00.000+00:00"))


def test_a_claim_that_is_marked_wrong_keeps_its_records_and_loses_its_belief(store: GraphStore) -> None:
    store.add([*said(RAIN, record("1"), record("2")), *said(SMOKING)])
    before = store.edge(RAIN)
    store.add(said(RAIN, mark(Mark.WRONG, 1)))

    edge = store.edge(RAIN)
    assert before is not None
    assert edge == Edge(RAIN, 0.0, sense=before.sense)
    assert set(store.evidence(RAIN)) == {record("1"), record("2"), mark(Mark.WRONG, 1)}
    topology = store.topology()
    rain = topology.number("rain")
    assert rain is not None
    assert list(topology.outgoing(rain).beliefs) == [0.0]
    assert list(store.check()) == []

    store.add(said(RAIN, mark(Mark.OPEN, 2)))
    assert store.edge(RAIN) == before


def test_marks_count_in_the_digest_in_any_order_and_only_once(store: GraphStore) -> None:
    marks = [mark(Mark.WRONG, 1), mark(Mark.RIGHT, 2), mark(Mark.WRONG, 3, "Grace")]
    with closing(open_store("memory:")) as other:
        store.add([*said(RAIN), *said(RAIN, *marks)])
        for statement in [*said(RAIN, *marks[::-1]), *said(RAIN), *said(RAIN, *marks)]:
            other.add([statement])
        assert store.digest() == other.digest()
        assert store.edge(RAIN) == other.edge(RAIN)
        assert list(store.statements()) == list(other.statements())
        assert list(other.check()) == []


def test_the_topology_has_every_claim_in_the_order_of_effects_and_causes(store: GraphStore) -> None:
    assert store.topology().number("rain") is None
    store.add(some_statements(claims=150))
    assert_arrows(store.topology(), true_arrows(store))
    store.add(said(Claim("rain", "something new")))
    assert_arrows(store.topology(), true_arrows(store))


def test_another_world_is_the_same_over_every_store(store: GraphStore) -> None:
    statements = list(some_statements(claims=150))
    claims = [statement.claim for statement in statements]
    edits: list[Edit] = [Intervention(claims[0].cause, Presence.ABSENT), Remove(claims[1]), Add(Edge(claims[2], 0.9))]
    with closing(open_store("memory:", create=True)) as other:
        for one in (store, other):
            one.add(statements)
        ours, theirs = Overlay(store, edits), Overlay(other, edits)
        assert ours.gone == theirs.gone
        assert list(ours.effects(claims[2].cause)) == list(theirs.effects(claims[2].cause))
        for name in {claim.effect for claim in claims[:8]}:
            assert compare_worlds(store, ours, [name]) == compare_worlds(other, theirs, [name])
            assert effect_probabilities(store, ours, [name], [claims[0].cause]) == effect_probabilities(
                other, theirs, [name], [claims[0].cause]
            )


def test_a_claim_is_found_by_its_hash(store: GraphStore) -> None:
    assert store.claim_of_hash(SMOKING.hash) is None
    claims = [SMOKING, RAIN, replace(RAIN, polarity=Polarity.INCREASES), replace(RAIN, relation=Relation.ENABLES)]
    store.add([item for claim in claims for item in said(claim)])
    store.add(hostile_statements())
    for claim in (*claims, *(statement.claim for statement in hostile_statements())):
        assert store.claim_of_hash(claim.hash) == claim
    assert store.claim_of_hash("0" * 32) is None
    assert store.claim_of_hash("no hash") is None


def test_the_records_of_a_source_are_found_by_its_page_address_or_title(store: GraphStore) -> None:
    sources = [
        Source("wikipedia", title="Rain", page_id="7", url="https://example.org/rain"),
        Source("wikipedia", title="Rain", page_id="7", revision="2"),
        Source("wikipedia", title="Rain"),
        Source("text", title="Rain", url="https://example.org/rain"),
        Source("", title="Rain"),
    ]
    store.add([Statement(claim, Evidence(source)) for source in sources for claim in (SMOKING, RAIN)])
    store.add(hostile_statements())
    every = list(store.statements())
    keys = {(item.evidence.source.kind, _identity(item.evidence.source)) for item in every}
    assert {("wikipedia", "7"), ("wikipedia", "Rain"), ("text", "https://example.org/rain"), ("", "Rain")} <= keys
    for kind, identity in keys:
        expected = [item for item in every if (item.evidence.source.kind, _identity(item.evidence.source)) == (kind, identity)]
        assert list(store.statements_of_source(kind, identity, 1000)) == expected
        assert list(store.statements_of_source(kind, identity, 1)) == expected[:1]
    assert list(store.statements_of_source("wikipedia", "https://example.org/rain", 9)) == []


def _identity(source: Source) -> str:
    return source.page_id or source.url or source.title


def test_names_are_completed_those_of_most_claims_first(store: GraphStore) -> None:
    pairs = (("rain", "flood"), ("rain", "mud"), ("rainbow", "joy"), ("rail", "noise"), ("smoke", "rain"), ("%", "rain"))
    store.add([item for cause, effect in pairs for item in said(Claim(cause, effect))])
    assert list(store.beginning_with("rai", 5)) == ["rain", "rail", "rainbow"]
    assert list(store.beginning_with("rai", 1)) == ["rain"]
    assert list(store.beginning_with("%", 5)) == ["%"]
    assert list(store.beginning_with("x", 5)) == []
