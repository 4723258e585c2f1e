"""What is wrong with the folder of a generative model is said in one line, before anything heavy is imported."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from graph.errors import PackageMissing
from kgqa.errors import GeneratorInvalid
from kgqa.readers.generative.encoder_decoder import load_pretrained
from kgqa.readers.reader import load_reader

FILES = ("config.json", "model.safetensors", "tokenizer.json")


def folder_with(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_text("{}")
    return folder


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    folder = folder_with(tmp_path, *(one for one in FILES if one != name))
    with pytest.raises(GeneratorInvalid, match=rf"no generative model in '{folder}': .*{name}.* missing"):
        load_pretrained(str(folder))


def test_a_folder_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    with pytest.raises(GeneratorInvalid, match="no such folder"):
        load_pretrained(str(tmp_path / "nowhere"))


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("")
    with pytest.raises(GeneratorInvalid, match="it is not a folder"):
        load_pretrained(str(tmp_path / "model"))


@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_settings_that_cannot_be_read_are_said_to_be(tmp_path: Path, content: str) -> None:
    folder_with(tmp_path, *FILES)
    (tmp_path / "reader.json").write_text(content)
    with pytest.raises(GeneratorInvalid, match=r"reader\.json"):
        load_pretrained(str(tmp_path))


@pytest.mark.parametrize("name", ["seq2seq", "seq2seq:closed", "fid", "rag", "rag-token"])
def test_a_reader_without_a_model_says_how_to_name_one(name: str) -> None:
    with pytest.raises(GeneratorInvalid, match=rf"no generative model is named: .*--reader {name}:FOLDER"):
        load_reader(name)


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_without_the_packages_the_extra_is_named(tmp_path: Path) -> None:
    folder_with(tmp_path, *FILES)
    (tmp_path / "reader.json").write_text(json.dumps({"form": "unified"}))
    with pytest.raises(PackageMissing) as raised:
        load_pretrained(str(tmp_path))
    assert raised.value.remedy == "pip install 'kgqa[neural]'"
