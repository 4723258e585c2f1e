"""The model folder of the extractive reader: where it is, and whether all of it is there.

A folder holds `model.onnx`, `tokenizer.json` and `reader.json`: sizes of windows, calibration, and how many bytes the other two
files have. Nothing is ever downloaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgqa.errors import ReaderInvalid
from kgqa.reading.calibration import LogitCalibration, parse_calibration
from kgqa.reading.model import AnswerKind

READER_VARIABLE = "KGQA_READER"
SHIPPED = Path(__file__).with_name("data")
MODEL, TOKENIZER, SETTINGS = "model.onnx", "tokenizer.json", "reader.json"
_SIZES = {"window": (32, 512), "stride": (0, 256), "question": (4, 256), "longest": (1, 128)}


@dataclass(frozen=True, slots=True)
class ReaderFolder:
    """A model folder whose files are there, with what its `reader.json` says.

    In tokens: a `window` is question and text together, two neighbouring windows share `stride` of the text, of the question
    at most `question` are read, and an answer has at most `longest`.
    """

    folder: Path
    window: int = 384
    stride: int = 96
    question: int = 64
    longest: int = 30
    calibration: LogitCalibration = field(default_factory=LogitCalibration)

    @property
    def model(self) -> Path:
        """The network, in ONNX."""
        return self.folder / MODEL

    @property
    def tokenizer(self) -> Path:
        """The tokenizer."""
        return self.folder / TOKENIZER


def reader_folder(folder: str | None = None) -> Path:
    """Return the model folder: the one named, else that of `KGQA_READER`, else the one that is shipped."""
    given = folder or os.environ.get(READER_VARIABLE)
    return Path(given) if given else SHIPPED


def read_reader_folder(folder: Path) -> ReaderFolder:
    """Return what a model folder holds; raises `ReaderInvalid`, which names the file, where one is missing or damaged."""
    if not folder.is_dir():
        raise ReaderInvalid(folder, "there is no such folder")
    for name in (SETTINGS, MODEL, TOKENIZER):
        if not (folder / name).is_file():
            raise ReaderInvalid(folder, f"it has no {name}")
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        if not isinstance(settings, dict):
            raise ValueError("it is not an object")
        sizes = {name: _window_size(settings[name], name) for name in _SIZES if name in settings}
        if settings.get("kinds", list(AnswerKind)) != list(AnswerKind):
            raise ValueError(f"the kinds of answers are not {', '.join(AnswerKind)}")
        model_folder = ReaderFolder(folder, **sizes, calibration=parse_calibration(settings.get("calibration", {})))
        if model_folder.window - model_folder.question - model_folder.stride < 16:
            raise ValueError("'window' leaves no room beside 'question' and 'stride'")
        _check_bytes(folder, settings.get("bytes", {}))
    except OSError as error:
        raise ReaderInvalid(folder, (error.strerror or str(error)).lower()) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ReaderInvalid(folder, f"{SETTINGS} is damaged: {error}") from error
    return model_folder


def _window_size(value: object, name: str) -> int:
    least, most = _SIZES[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"'{name}' is not a whole number from {least} to {most}")
    return value


def _check_bytes(folder: Path, sizes: Mapping[str, Any]) -> None:
    """Raise `ReaderInvalid` where a file has not as many bytes as it had when the folder was made."""
    for name in (MODEL, TOKENIZER):
        size = (folder / name).stat().st_size
        if sizes.get(name, size) != size:
            raise ReaderInvalid(folder, f"{name} is damaged: it has {size:,} bytes, not {sizes[name]:,}")
