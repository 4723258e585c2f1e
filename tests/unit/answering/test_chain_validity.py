from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path as File

import pytest

sys.path.insert(0, str(File(__file__).parents[3] / "scripts" / "fit"))
sys.path.insert(0, str(File(__file__).parents[3] / "scripts" / "judge"))

from graph.model import Claim, Edge, Evidence, Ground, Path, Relation, Source, Stance, Statement, Strength
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.text.word_lists import word_list
from kgqa.answer_model import Answer, CausalConnection, Route, Verdict
from kgqa.answering.chains.chain_validity import (
    MIN_VALIDITY,
    Junction,
    chain_validity,
    count_kinds,
    is_gathered,
    is_vague_name,
    junction_features,
    rank_by_validity,
)
from kgqa.pipeline import Pipeline

GATHERED = (Ground(Stance.ASSERTED, (("causenet", "causenet"),)),)
MINED = (Ground(Stance.ASSERTED, (("wikipedia", "cause.active"),)),)


def said(cause: str, effect: str, pages: Iterable[str], **claim: object) -> Iterator[Statement]:
    """Yield one record for each page."""
    for page in pages:
        evidence = Evidence(
            Source("wikipedia", title=page, page_id=page), rule="test", text=f"{cause} / {effect} on {page}", start=0
        )
        yield Statement(Claim(cause, effect, **claim), evidence)  # type: ignore[arg-type]


def stored(*statements: Iterator[Statement]) -> GraphStore:
    store = open_store("memory:", write=True)
    for some in statements:
        store.add(some)
    return store


@pytest.fixture(scope="module")
def empty() -> Iterator[GraphStore]:
    with open_store("memory:") as store:
        yield store


def chain(*names: str, **edge: object) -> Path:
    """A path along these names, each step stated by two sources."""
    fields: dict[str, object] = {"support": 2, "grounds": MINED} | edge
    return Path(tuple(Edge(Claim(*ends), 0.9, **fields) for ends in pairwise(names)))  # type: ignore[arg-type]


def features(path: Path, store: GraphStore) -> Junction:
    return junction_features(*path.edges, store.topology())


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store).answer(question)


@pytest.mark.parametrize(
    ("likelier", "less_likely"),
    [
        (("diabetes", "nerve damage", "pain"), ("diabetes", "problems", "pain")),
        (("stress", "insomnia", "fatigue"), ("stress", "disease", "fatigue")),
        (("injury", "infection", "fever"), ("injury", "death", "fever")),
        (("smoking", "emphysema", "lung cancer"), ("smoking", "cancer", "lung cancer")),
        (("drought", "famine", "migration"), ("drought", "famine", "migration of the tribe to the western coast")),
    ],
)
def test_a_middle_that_can_be_many_things_makes_a_chain_doubtful(
    empty: GraphStore, likelier: tuple[str, ...], less_likely: tuple[str, ...]
) -> None:
    assert chain_validity(chain(*likelier), empty) > chain_validity(chain(*less_likely), empty)


def test_claims_of_one_source_each_pass_on_less_than_claims_that_are_gathered(empty: GraphStore) -> None:
    lone, many = (chain_validity(chain("a", "b", "c", support=support), empty) for support in (1, 2))
    gathered = chain_validity(chain("a", "b", "c", grounds=GATHERED), empty)
    assert lone < many < gathered


def test_claims_read_in_unlike_senses_pass_on_less(empty: GraphStore) -> None:
    one = chain("war", "depression", "insomnia")
    like, unlike = (
        Path((Edge(one.edges[0].claim, 0.9, 2, sense=1), Edge(one.edges[1].claim, 0.9, 2, sense=sense))) for sense in (1, 2)
    )
    assert chain_validity(unlike, empty) < chain_validity(like, empty)


def test_a_longer_chain_is_valid_only_if_its_parts_are(empty: GraphStore) -> None:
    whole = chain_validity(chain("a", "b", "c", "d"), empty)
    assert whole == pytest.approx(chain_validity(chain("a", "b", "c"), empty) * chain_validity(chain("b", "c", "d"), empty))


def test_a_single_claim_is_as_valid_as_it_is_believed(empty: GraphStore) -> None:
    assert chain_validity(chain("a", "b"), empty) == 0.9


def test_paths_come_likeliest_first_and_otherwise_in_their_order(empty: GraphStore) -> None:
    paths = [chain("a", "problems", "c"), chain("a", "b", "c"), chain("a", "d", "c")]
    assert [path.concepts[1] for _, path in rank_by_validity(paths, empty)] == ["b", "d", "problems"]


def test_a_feedback_between_the_middle_and_the_effect_is_seen_with_the_arrow_only() -> None:
    with stored(said("pain", "anxiety", "ab"), said("strain", "pain", "ab"), said("anxiety", "insomnia", "ab")) as store:
        path = chain("strain", "pain", "anxiety")
        assert features(path, store).returned == 0
        store.add(said("anxiety", "pain", "ab"))
        assert features(path, store).returned == 1
        store.add(said("insomnia", "anxiety", "ab", relation=Relation.ASSOCIATED))
        assert features(chain("pain", "anxiety", "insomnia"), store).returned == 0


def test_what_was_set_is_not_doubted_for_want_of_sources(empty: GraphStore) -> None:
    path = Path((Edge(Claim("a", "b"), 1.0), Edge(Claim("b", "c"), 1.0)))
    assert features(path, empty).lone == 0
    assert is_gathered(path.edges[0])


def test_the_features_are_what_they_are_called(empty: GraphStore) -> None:
    one = features(chain("problems", "heavy wars", "end of the long heavy siege", strength=Strength.LEADS_TO), empty)
    assert one == Junction(
        gathered=0, lone=0, strong=0, vague=False, plural=True, general=0, very_general=0, specific=True, unlike=False,
        long_effect=4, vague_ends=1, repeated=True, returned=False, event=False, goal=False,
    )  # fmt: skip
    assert features(chain("a", "deaths", "b"), empty).event
    assert features(chain("a", "death in the house", "b"), empty).event


def test_general_nouns_have_many_kinds_and_vague_words_are_those_of_the_miner() -> None:
    assert count_kinds("disease") > count_kinds("heart disease") > count_kinds("emphysema") == 0
    assert count_kinds("diseases") == count_kinds("disease")
    assert all(map(is_vague_name, word_list("vague")))
    assert not is_vague_name("nerve damage")


def test_how_is_answered_by_the_chain_that_is_likely_to_be_valid_and_not_by_the_best_believed() -> None:
    with stored(
        said("obesity", "problems", "abcdef"),
        said("problems", "insomnia", "abcdef"),
        said("obesity", "sleep apnea", "ab"),
        said("sleep apnea", "insomnia", "ab"),
    ) as store:
        answer = ask(store, "How does obesity lead to insomnia?")
    assert answer.answer == "obesity → sleep apnea → insomnia"
    assert [one.text for one in answer.findings] == [answer.answer]
    assert answer.signals.belief * answer.signals.link >= MIN_VALIDITY
    assert (answer.signals.steps, answer.signals.support) == (2, 2)
    assert answer.connection is CausalConnection.MEDIATED
    assert {one.claim.effect for one in answer.evidence} == {"sleep apnea", "insomnia"}


def test_a_chain_that_is_doubtful_is_named_and_not_answered() -> None:
    with stored(said("obesity", "problems", "a"), said("problems", "insomnia", "b")) as store:
        answer = ask(store, "How does obesity lead to insomnia?")
    assert (answer.answer, answer.findings, answer.route) == (None, (), Route.NONE)
    assert "problems" in answer.sentence
    assert "valid with probability 0.0" in answer.missing[0].where
    assert any("obesity → problems → insomnia" in step for step in answer.trace)


def test_a_direct_claim_answers_where_no_chain_is_valid_and_is_mentioned_where_one_is() -> None:
    with stored(said("stress", "insomnia", "abc"), said("stress", "problems", "a"), said("problems", "insomnia", "b")) as store:
        direct = ask(store, "How does stress lead to insomnia?")
        store.add(said("stress", "chest pain", "ab"))
        store.add(said("chest pain", "insomnia", "ab"))
        through = ask(store, "How does stress lead to insomnia?")
    assert direct.answer == "stress → insomnia"
    assert "the graph says that, but not how" in direct.sentence
    assert direct.connection is CausalConnection.DIRECT
    assert [one.text for one in through.findings] == ["stress → chest pain → insomnia", "stress → insomnia"]
    assert through.sentence == ("Stress causes insomnia; it can do so because it causes chest pain, which causes insomnia.")


def test_what_makes_less_of_it_is_no_way_that_leads_there() -> None:
    with stored(
        said("exercise", "obesity", "abc", relation=Relation.PREVENTS),
        said("exercise", "weight gain", "abc", relation=Relation.PREVENTS),
        said("weight gain", "sleep apnea", "abc"),
        said("shade", "heat stress", "abc", relation=Relation.PREVENTS),
        said("heat stress", "yield", "abc", relation=Relation.PREVENTS),
    ) as store:
        directly, along, twice = (
            ask(store, f"How does {one} lead to {other}?")
            for one, other in (("exercise", "obesity"), ("exercise", "sleep apnea"), ("shade", "yield"))
        )
    assert (directly.verdict, along.answer, twice.answer) == (Verdict.NO, None, "shade → heat stress → yield")
    assert directly.connection is CausalConnection.OPPOSITE
    assert "rather the opposite" in along.sentence
    assert twice.sentence == "Shades can increase yields, through heat stress: shades prevent heat stress, which prevents yields."


def test_the_wording_of_a_chain_is_no_stronger_than_its_weakest_step() -> None:
    with stored(said("smog", "chronic cough", "ab"), said("chronic cough", "insomnia", "ab")) as store:
        assert "Smog can lead to insomnia, through chronic cough" in ask(store, "How does smog lead to insomnia?").sentence
    weak = (
        Statement(Claim("smog", "chronic cough"), Evidence(Source("wikipedia", page_id=page), strength=Strength.CONTRIBUTES_TO))
        for page in "ab"
    )
    with stored(iter(weak), said("chronic cough", "insomnia", "ab")) as store:
        assert "Smog can contribute to insomnia" in ask(store, "How does smog lead to insomnia?").sentence


def test_the_table_of_weights_is_what_the_judged_chains_give() -> None:
    pytest.importorskip("numpy")
    import fit_validity

    judged = [row for path in fit_validity.JUDGED for row in fit_validity.rows_of(path)]
    chains = fit_validity.read(judged, fit_validity.JUNCTIONS)
    assert all(1 <= len(one.meetings) <= 3 for one in chains)
    assert list(fit_validity.fit(chains)) == pytest.approx(fit_validity.shipped_weights().tolist(), abs=6e-4)


def test_chains_at_the_threshold_are_valid_four_times_in_five_where_the_model_has_not_seen_them() -> None:
    numpy = pytest.importorskip("numpy")
    import fit_validity

    judged = [row for path in fit_validity.JUDGED for row in fit_validity.rows_of(path)]
    chains = fit_validity.read(judged, fit_validity.JUNCTIONS)
    valid = numpy.array([one.valid for one in chains])
    told = fit_validity.crossed(chains, 0)
    assert valid[told >= MIN_VALIDITY].mean() >= 0.75
    assert fit_validity.auc(told, valid) >= 0.84


def test_every_judged_chain_has_its_features_and_a_known_verdict() -> None:
    folder = File(__file__).parents[3] / "docs/judgements"
    with (folder / "paths-junctions.csv").open(encoding="utf-8", newline="") as file:
        places = [row["id"] for row in csv.DictReader(file)]
    for name in ("paths-420.csv", "paths-300-development.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert places.count(row["id"]) == row["id"].count("-")
                assert {row["first"], row.get("second", row["first"])} <= {"valid", "step", "sense", "chain", "same"}


def test_chains_are_drawn_for_judging_as_answers_show_them_and_not_between_judged_ends(tmp_path: File) -> None:
    import sample_paths

    ways = [("obesity", "sleep apnea", "insomnia"), ("smog", "chronic cough", "fatigue")]
    with stored(*(said(*ends, "ab") for way in ways for ends in pairwise(way))) as store:
        judged = tmp_path / "judged.csv"
        first = "-".join(Claim(*ends).hash for ends in pairwise(ways[0]))
        judged.write_text(f"id,drawn,first\n{first},asked,valid\n", encoding="utf-8")
        but = sample_paths.ends_of([judged], store)
        assert but == {("obesity", "insomnia")}
        drawn = list(sample_paths.shown([(way[0], way[-1]) for way in ways], store, but))
    assert [(asked, path.concepts) for asked, path in drawn] == [("how does smog lead to fatigue", ways[1])]
