"""Encoder-decoder models by a folder or by their name on the hub, loaded through transformers (the extra `neural`).

`KGQA_DEVICE` names the device that they run on ("cpu", "cuda:1"); without it that is the first GPU, or the processor. Nothing is
downloaded unless `KGQA_HUB` is 1: a name on the hub is looked up in what was downloaded before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from graph.errors import PackageMissing
from kgqa.errors import GeneratorInvalid
from kgqa.reading.formats import InputFormat

DEVICE, HUB, BEAMS = "KGQA_DEVICE", "KGQA_HUB", "KGQA_BEAMS"
SETTINGS = "reader.json"
_WEIGHTS = ("model.safetensors", "pytorch_model.bin", "model.safetensors.index.json", "pytorch_model.bin.index.json")
_TOKENIZERS = (("tokenizer.json",), ("spiece.model",), ("sentencepiece.bpe.model",), ("vocab.json", "merges.txt"))


@dataclass(frozen=True, slots=True)
class GenerationShape:
    """How a model is asked: the form of its input, how many tokens it and an answer may have, and how many beams are followed."""

    form: InputFormat
    source: int
    target: int
    beams: int = 5


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A model with its tokenizer on a device; `told` is what `reader.json` beside its weights says of how it was trained."""

    name: str
    model: Any
    tokenizer: Any
    device: str
    training_settings: Mapping[str, object]

    @property
    def start(self) -> int:
        """The token before the first one of an answer."""
        config = self.model.generation_config
        return int(config.decoder_start_token_id if config.decoder_start_token_id is not None else config.bos_token_id)

    @property
    def ends(self) -> frozenset[int]:
        """The tokens that end an answer."""
        ends = self.model.generation_config.eos_token_id
        return frozenset(ends if isinstance(ends, list) else [ends])

    @property
    def forced(self) -> int | None:
        """The token that every answer begins with, where a model has one (as BART's do)."""
        forced: int | None = getattr(self.model.generation_config, "forced_bos_token_id", None)
        return forced

    @property
    def kind(self) -> str:
        """What family of models it is of: "t5", "bart"."""
        return str(self.model.config.model_type)

    def shape(self, usual: GenerationShape) -> GenerationShape:
        """Return how it is asked: as its `reader.json` says, else as is usual; `KGQA_BEAMS` says how many beams are followed.

        Raises `GeneratorInvalid` for a setting that cannot be used.
        """
        sizes = {"source": usual.source, "target": usual.target, "beams": usual.beams}
        for name in sizes:
            sizes[name] = _positive_number(self.training_settings.get(name, sizes[name]), f"'{name}' in {SETTINGS}", self.name)
        sizes["beams"] = _positive_number(os.environ.get(BEAMS) or sizes["beams"], BEAMS, self.name)
        form = self.training_settings.get("form", usual.form)
        if form not in list(InputFormat):
            raise GeneratorInvalid(self.name, f"'form' in {SETTINGS} is {form!r}, not one of {', '.join(InputFormat)}")
        return GenerationShape(InputFormat(str(form)), sizes["source"], sizes["target"], sizes["beams"])


def load_pretrained(name: str) -> Pretrained:
    """Return the model in a folder, or of a name on the hub, ready to write answers.

    Raises `PackageMissing` without transformers and torch, `GeneratorInvalid` where there is no such model, where its folder
    lacks a file, and where a file or the device cannot be used.
    """
    folder = Path(name).expanduser()
    training_settings = _read_settings(folder) if folder.exists() or name.startswith((".", "/", "~")) else {}
    try:
        import torch
        from safetensors import SafetensorError
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise PackageMissing("a generative reader", "torch or transformers", "neural") from None
    offline = os.environ.get(HUB) != "1" or folder.is_dir()
    where = str(folder) if folder.is_dir() else name
    device = os.environ.get(DEVICE) or ("cuda" if torch.cuda.is_available() else "cpu")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, local_files_only=offline)
        model, loaded = AutoModelForSeq2SeqLM.from_pretrained(where, local_files_only=offline, output_loading_info=True)
    except (OSError, EOFError, LookupError, TypeError, ValueError, RuntimeError, AttributeError, ImportError) as error:
        raise GeneratorInvalid(name, _failure_reason(error, offline and not folder.is_dir())) from error
    except (SafetensorError, UnpicklingError) as error:
        raise GeneratorInvalid(name, f"its weights cannot be used: {_first_error_line(error)}") from error
    config = model.generation_config
    if config.eos_token_id is None or (config.decoder_start_token_id is None and config.bos_token_id is None):
        raise GeneratorInvalid(name, "its settings do not say which tokens begin and end an answer")
    if loaded["missing_keys"]:
        raise GeneratorInvalid(
            name, f"its weights lack {len(loaded['missing_keys'])} layers, such as {min(loaded['missing_keys'])}"
        )
    try:
        return Pretrained(name, model.float().to(device).eval(), tokenizer, device, training_settings)
    except (RuntimeError, AssertionError) as error:
        raise GeneratorInvalid(name, f"cannot use the device '{device}': {_first_error_line(error)}") from error


def _read_settings(folder: Path) -> Mapping[str, object]:
    """Return the settings in a model folder; raise `GeneratorInvalid` where it lacks a file."""
    name = str(folder)
    if not folder.is_dir():
        raise GeneratorInvalid(name, "no such folder" if not folder.exists() else "it is not a folder")
    has = {path.name for path in folder.iterdir()}
    if "config.json" not in has:
        raise GeneratorInvalid(name, "config.json is missing")
    if has.isdisjoint(_WEIGHTS):
        raise GeneratorInvalid(name, "the weights (model.safetensors) are missing")
    if not any(has.issuperset(files) for files in _TOKENIZERS):
        raise GeneratorInvalid(name, "the tokenizer (tokenizer.json) is missing")
    if SETTINGS not in has:
        return {}
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GeneratorInvalid(name, f"{SETTINGS} cannot be read: {_first_error_line(error)}") from error
    if not isinstance(settings, dict):
        raise GeneratorInvalid(name, f"{SETTINGS} is not an object")
    return settings


def _positive_number(value: object, what: str, name: str) -> int:
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise GeneratorInvalid(name, f"{what} is {value!r}, not a number from 1 on")
    return number


def _failure_reason(error: Exception, missing: bool) -> str:
    """Return the reason why nothing was loaded, in a line."""
    if missing and isinstance(error, OSError | ValueError):
        return f"no such folder, and the hub's model of that name was not downloaded before ({HUB}=1 lets it be downloaded)"
    return f"its files cannot be used: {_first_error_line(error)}"


def _first_error_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
