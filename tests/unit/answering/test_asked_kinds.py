"""What a list keeps to where its question names a kind, and what a refusal says that comes nearest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Verdict
from kgqa.answering.lists import asked_kinds
from kgqa.answering.lists.asked_kinds import asked_kind
from kgqa.pipeline import Pipeline

TABLE = Path(asked_kinds.__file__).parents[1] / "data" / "asked_kinds.tsv"
CLAIMS = [
    Claim("aspirin", "stomach bleeding"),
    Claim("aspirin", "headache", Relation.PREVENTS),
    Claim("aspirin", "enzyme", Relation.CAUSES, Polarity.DECREASES),
    Claim("aspirin", "air flow in asthma", Relation.CAUSES, Polarity.INCREASES),
    Claim("asbestos", "mesothelioma"),
    Claim("asbestos", "public concern"),
    Claim("statue", "applause"),
    Claim("metformin", "hirsutism", Relation.PREVENTS),
    Claim("alcohol abuse", "cirrhosis"),
    Claim("tariff", "domestic price"),
    Claim("caffeine", "sleep disorder"),
    Claim("caffeine", "alertness"),
    Claim("divorce", "child distress"),
    Claim("divorce", "bankruptcy"),
    Claim("rise of adolf hitler", "world war ii"),
    Claim("stress", "hair loss"),
    Claim("monopoly", "higher price"),
    Claim("storm", "fever"),
    Claim("tick", "lyme disease"),
    Claim("tick", "tick borne disease"),
    Claim("diabetes", "fatigue"),
    Claim("diabetes", "kidney disease"),
]


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(Statement(claim, Evidence(Source("text", page_id=claim.cause), start=0, end=1)) for claim in CLAIMS)
    yield store
    store.close()


@pytest.mark.parametrize("line", TABLE.read_text(encoding="utf-8").splitlines()[1:])
def test_the_example_of_a_kind_asks_for_it(line: str) -> None:
    nouns, *_, example = line.split("\t")
    kind = asked_kind(example, example.split()[-1].strip("?"))
    assert kind is not None
    assert kind.noun in nouns.split("|")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which diseases do ticks spread?", ["lyme disease"]),
        ("What are the symptoms of diabetes?", ["fatigue"]),
        ("What are the side effects of aspirin?", ["stomach bleeding"]),
        ("Which diseases does asbestos cause?", ["mesothelioma"]),
        ("What are the effects of asbestos?", ["mesothelioma", "public concern"]),
        ("How does caffeine affect sleep?", ["sleep disorder"]),
        ("Why do people lose their hair?", ["stress"]),
    ],
)
def test_a_list_keeps_to_what_its_question_asks_for(store: GraphStore, question: str, names: list[str]) -> None:
    assert sorted(finding.text for finding in Pipeline(store).answer(question).findings) == names


def test_what_is_said_of_a_population_comes_first(store: GraphStore) -> None:
    answer = Pipeline(store).answer("What effects does divorce have on children?")
    assert [finding.text for finding in answer.findings] == ["child distress", "bankruptcy"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What are the side effects of metformin?", "does not look like side effects: hirsutism"),
        ("Do tariffs raise prices for consumers?", "the nearest is that tariffs cause domestic prices"),
        ("Why do monopolies charge higher prices?", "the nearest that it holds is that a monopoly causes higher prices"),
        ("What causes tropical fever at night?", "it holds 1 cause of fever, such as storms, and none of"),
    ],
)
def test_unknown_says_what_is_nearest(store: GraphStore, question: str, words: str) -> None:
    answer = Pipeline(store).answer(question)
    assert answer.answer is None
    assert words in answer.sentence


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does alcohol cause cirrhosis?", Verdict.YES),
        ("Did Hitler's rise lead to World War II?", Verdict.YES),
        ("Can stress make your hair fall out?", Verdict.YES),
        ("Did the rise of Hitler lead to the Second World War?", Verdict.YES),
        ("Does aspirin cause fewer headaches?", Verdict.YES),
        ("Does statue cause cirrhosis?", Verdict.UNKNOWN),
    ],
)
def test_a_claim_in_other_words_decides(store: GraphStore, question: str, verdict: Verdict) -> None:
    assert Pipeline(store).answer(question).verdict is verdict


def test_a_comparison_says_which_is_known_and_not_how_much(store: GraphStore) -> None:
    answer = Pipeline(store).answer("Stress or asbestos: which causes more hair loss?")
    assert answer.answer is None
    assert "only Stress is known as a cause" in answer.sentence
