"""Verdicts by claims of other names than a question has: denials, what both sides say, the reverse, more and less of a thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import SPECIFIC_SLOT, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, Verdict
from kgqa.answering.matching.claim_embeddings import build_embedding_index
from kgqa.answering.matching.claim_matcher import ClaimMatcher
from kgqa.pipeline import Pipeline, graph_embeddings

CLAIMS = [
    (Claim("cell phone radiation", "brain tumor"), Stance.NEGATED, "Brain tumor", ()),
    (Claim("distance of earth from the sun", "season"), Stance.NEGATED, "Perihelion", ()),
    (Claim("axial tilt of earth", "season"), Stance.ASSERTED, "Season", ()),
    (Claim("stress", "peptic ulcer"), Stance.NEGATED, "Psychosomatic medicine", ()),
    (Claim("stress", "stomach ulcer"), Stance.ASSERTED, "", ()),
    (Claim("helicobacter pylori", "peptic ulcer"), Stance.ASSERTED, "Peptic ulcer", ()),
    (Claim("helicobacter pylori", "peptic ulcer"), Stance.ASSERTED, "Helicobacter", ()),
    (Claim("sugar consumption", "tooth decay"), Stance.ASSERTED, "Sugar", ()),
    (Claim("lack of rain", "drought"), Stance.ASSERTED, "Drought", ()),
    (Claim("failure of o ring", "challenger disaster"), Stance.ASSERTED, "O-ring", ()),
    (Claim("assassination of archduke franz ferdinand", "world war i"), Stance.ASSERTED, "Sarajevo", ((SPECIFIC_SLOT, "yes"),)),
    (Claim("hfc", "ozone depletion"), Stance.NEGATED, "Refrigerant", ()),
    (Claim("chlorofluorocarbon", "ozone depletion", Relation.CAUSES, Polarity.NONE), Stance.ASSERTED, "Ozone", ()),
]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    path = tmp_path_factory.mktemp("graph") / "small.kgqa"
    with open_store(str(path), write=True, create=True) as store:
        store.add(_statement(*row) for row in CLAIMS)
        build_embedding_index(store, ClaimMatcher(), lambda done, total: None)
    with open_store(str(path)) as store:
        yield _pipeline(store)


def _pipeline(store: GraphStore) -> Pipeline:
    return Pipeline(store, 5, embeddings=graph_embeddings(lambda: store))


def _statement(claim: Claim, stance: Stance, title: str, context: tuple[tuple[str, str], ...]) -> Statement:
    if not title:
        source, start, end = Source("causenet"), None, None
        return Statement(claim, Evidence(source, stance, Strength.CAUSES, "causenet", None, start=start, end=end))
    source = Source("wikipedia", title=title, page_id=title)
    return Statement(claim, Evidence(source, stance, Strength.CAUSES, "read", None, start=0, end=9, context=context))


def ask(pipeline: Pipeline, question: str) -> Answer:
    return pipeline.answer(question)


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Do mobile phones give people brain tumours?", "cell phone radiation"),
        ("Are the seasons caused by Earth being closer to the sun in summer?", "distances of earth from the sun"),
    ],
)
def test_a_claim_that_is_denied_in_other_words_is_a_no(pipeline: Pipeline, question: str, denied: str) -> None:
    answer = ask(pipeline, question)
    assert answer.verdict is Verdict.NO
    assert denied in answer.sentence


def test_an_entry_that_a_text_denies_in_other_words_is_contested(pipeline: Pipeline) -> None:
    answer = ask(pipeline, "Can stress give you stomach ulcers?")
    assert answer.verdict is Verdict.CONTESTED
    assert answer.sentence.startswith("Contested: CauseNet says")


def test_what_is_denied_of_another_thing_is_not_denied_of_this_one(pipeline: Pipeline) -> None:
    assert ask(pipeline, "Did CFCs damage the ozone layer?").verdict is not Verdict.NO


@pytest.mark.parametrize(
    "question",
    [
        "Does drought cause a lack of rain?",
        "Did the First World War cause the assassination of Franz Ferdinand?",
    ],
)
def test_only_the_reverse_in_other_words_is_a_no_the_other_way_round(pipeline: Pipeline, question: str) -> None:
    answer = ask(pipeline, question)
    assert answer.verdict is Verdict.NO
    assert "the other way round" in answer.sentence


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does high sugar intake cause tooth decay?", Verdict.YES),
        ("Does too much sugar cause tooth decay?", Verdict.YES),
        ("Did a faulty O-ring cause the Challenger disaster?", Verdict.YES),
        ("Does low sugar consumption cause tooth decay?", Verdict.UNKNOWN),
        ("Does too much rain cause drought?", Verdict.UNKNOWN),
    ],
)
def test_much_of_a_cause_is_the_cause_and_little_of_it_is_not(pipeline: Pipeline, question: str, verdict: Verdict) -> None:
    assert ask(pipeline, question).verdict is verdict
