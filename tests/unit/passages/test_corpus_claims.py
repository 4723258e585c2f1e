"""The claims of a corpus beside those of a graph: verdicts and lists of both, each with its sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, CausalConnection, Verdict
from kgqa.passages.corpus_claims import CorpusClaims
from kgqa.pipeline import Pipeline
from kgqa.retrieval.corpus import open_passage_index

TEXT = """\
Neurological disorders such as multiple sclerosis and strokes can have an effect on hearing as well.

Smoking causes lung cancer. Radon causes lung cancer, too. Asbestos was mined there.

Coffee does not cause stunted growth. Drought is caused by a lack of rain.
"""


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> CorpusClaims:
    path = tmp_path_factory.mktemp("corpus") / "notes.txt"
    path.write_text(TEXT, encoding="utf-8")
    return CorpusClaims(lambda: open_passage_index(path))


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as graph:
        source = Source("wikipedia", "Lung cancer", "9")
        graph.add([Statement(Claim("asbestos", "lung cancer"), Evidence(source, rule="cause.active", text="It does."))])
        yield graph


def answer(store: GraphStore, claims: CorpusClaims, question: str) -> Answer:
    return Pipeline(store, claims=claims).answer(question)


def test_a_verdict_rests_on_a_sentence_of_the_corpus(store: GraphStore, claims: CorpusClaims) -> None:
    said = answer(store, claims, "Does smoking cause lung cancer?")
    assert (said.verdict, said.connection) == (Verdict.YES, CausalConnection.DIRECT)
    assert said.evidence[0].evidence.text == "Smoking causes lung cancer."


def test_what_no_rule_mines_is_no_surer_than_the_judge_is(store: GraphStore, claims: CorpusClaims) -> None:
    said = answer(store, claims, "Does a stroke affect hearing?")
    (cited,) = said.evidence
    assert said.verdict is Verdict.YES
    assert said.confidence <= float(dict(cited.evidence.context)["judged"])


def test_a_denial_in_the_corpus_makes_a_no(store: GraphStore, claims: CorpusClaims) -> None:
    assert answer(store, claims, "Does coffee cause stunted growth?").verdict is Verdict.NO


def test_direction_is_kept(store: GraphStore, claims: CorpusClaims) -> None:
    said = answer(store, claims, "Does lung cancer cause smoking?")
    assert said.verdict in (Verdict.UNKNOWN, Verdict.NO)
    assert said.connection is CausalConnection.REVERSED


def test_a_list_joins_the_graph_and_the_corpus(store: GraphStore, claims: CorpusClaims) -> None:
    said = answer(store, claims, "What causes lung cancer?")
    assert {finding.text for finding in said.findings} == {"asbestos", "smoking", "radon"}


def test_what_the_corpus_does_not_name_is_answered_by_the_graph_alone(store: GraphStore, claims: CorpusClaims) -> None:
    assert answer(store, claims, "What causes hiccups?").answer is None
    assert answer(store, claims, "What does asbestos cause?").answer == "lung cancer"
