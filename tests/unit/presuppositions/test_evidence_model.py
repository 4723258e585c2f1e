"""The evidence model that is shipped: what sentences say of a claim, and what it says of texts alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.errors import EvidenceModelInvalid
from kgqa.presuppositions.evidence_model import CONTRADICTS, SHIPPED, SILENT, SUPPORTS, EvidenceModel, verdict_features
from kgqa.presuppositions.evidence_selection import evidence_sentences
from kgqa.readers.reader import Passage


@pytest.fixture(scope="module")
def model() -> EvidenceModel:
    return EvidenceModel()


@pytest.mark.parametrize(
    ("claim", "evidence", "relation"),
    [
        ("The bridge was opened in 1932.", "The Sydney Harbour Bridge was opened in March 1932.", SUPPORTS),
        ("The bridge was opened in 1954.", "The Sydney Harbour Bridge was opened in March 1932.", CONTRADICTS),
        ("The bridge was opened in 1932.", "Its arch is made of steel plates.", SILENT),
        ("Smoking causes lung cancer.", "Lung cancer is mostly caused by smoking tobacco.", SUPPORTS),
        ("Smoking prevents lung cancer.", "Lung cancer is mostly caused by smoking tobacco.", CONTRADICTS),
    ],
)
def test_a_sentence_supports_contradicts_or_is_silent(model: EvidenceModel, claim: str, evidence: str, relation: str) -> None:
    (judgement,) = model.judge(claim, [evidence])
    assert judgement.relation == relation
    assert judgement.supports + judgement.contradicts + judgement.silent == pytest.approx(1)


def test_a_judgement_depends_on_nothing_else(model: EvidenceModel) -> None:
    sentences = ["Cats are mammals.", "Sharks are fish."]
    assert list(model.judge("Sharks are mammals.", sentences))[1:] == list(model.judge("Sharks are mammals.", sentences[1:]))


def test_a_question_that_takes_nonsense_for_granted_is_more_suspect(model: EvidenceModel) -> None:
    assert model.suspicion("How many wings does a snake have?") > model.suspicion("How many wings does a bee have?")


def test_the_verdict_shows_the_sentence_that_decides(model: EvidenceModel) -> None:
    sentences = ["Lyon lies in France.", "The Sydney Harbour Bridge was opened in March 1932."]
    verdict = model.verdict("The Sydney Harbour Bridge was opened in 1932.", sentences)
    assert verdict.decisive is None or verdict.decisive.evidence == sentences[1]


def test_without_evidence_nothing_is_shown(model: EvidenceModel) -> None:
    assert model.judge("Rain is wet.", []) == []
    assert model.verdict("Rain is wet.", []).decisive is None
    assert set(verdict_features([]).values()) == {0.0}


@pytest.mark.parametrize("text", ["", " ", "why " * 5000, "x" * 100_000, "\ud800?", "[SEP] [CLS]", "¿Por qué?"])
def test_odd_texts_get_a_probability(model: EvidenceModel, text: str) -> None:
    assert 0 <= model.suspicion(text) <= 1
    (judgement,) = model.judge(text, [text or "Rain."])
    assert 0 <= judgement.contradicts <= 1


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvidenceModelInvalid, match=r"model\.onnx"):
        EvidenceModel(tmp_path)
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"nothing")
    with pytest.raises(EvidenceModelInvalid):
        EvidenceModel(tmp_path).suspicion("Why?")


def test_the_shipped_model_is_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 25_000_000


def test_sentences_of_the_page_that_a_claim_names_come_first() -> None:
    passages = [
        Passage("The lark sings. Many birds of this kind eat seeds.", "Lark", "1#1"),
        Passage("It eats fish. Penguins cannot fly.", "Penguin", "2#1"),
    ]
    first = evidence_sentences("The penguin eats fish.", passages)[0]
    assert (first.text, first.input) == ("It eats fish.", "Penguin: It eats fish.")


def test_there_is_no_sentence_without_passages() -> None:
    assert evidence_sentences("Anything.", []) == []
