"""The ONNX encoder of texts that phrases, queries and passages share: texts to tokens to one vector each.

A folder holds `tokenizer.json` and `model.onnx`, or the `model.safetensors` and `config.json` of a BERT model. Nothing is
downloaded, and the model is loaded when the first text is encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.model_checksums import verify_model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgqa.errors import KgqaError

    Vectors = NDArray[np.float32]

ENCODER_PACKAGES = ("numpy", "onnxruntime", "tokenizers")
"""The packages that run an encoder."""
WEIGHTS_PACKAGES = ("onnx", "safetensors")
"""The packages that a folder with `model.safetensors` needs besides."""
TOKENIZER = "tokenizer.json"
SAFETENSORS = ".safetensors"


def missing_package(packages: Sequence[str]) -> str | None:
    """Return the first of some packages that is not installed."""
    return next((package for package in packages if find_spec(package) is None), None)


def find_model(folder: Path, names: Sequence[str], invalid: Callable[[Path, str], KgqaError]) -> Path:
    """Return the first of the model files `names` in a folder that has a tokenizer too; raises the error that `invalid` makes."""
    model = next((folder / name for name in names if (folder / name).is_file()), None)
    if model is None or not (folder / TOKENIZER).is_file():
        lacking = TOKENIZER if model else " and no ".join(names)
        raise invalid(folder, f"it has no {lacking}" if folder.is_dir() else "there is no such folder")
    return model


@dataclass(frozen=True)
class OnnxEncoder:
    """An encoder: the model's file, its pooling, and its limits.

    A text is at most `most_tokens` tokens, `batch` texts of like length run together, on `threads` threads. `invalid` makes the
    error that is raised where the model cannot be loaded or used.
    """

    model: Path
    invalid: Callable[[Path, str], KgqaError]
    most_tokens: int
    batch: int
    threads: int = 1
    first_token: bool = False
    """Whether the vector of a text is that of its first token; else it is the mean over all tokens."""

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        return self.model.parent

    def unit_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, a row each, of length one."""
        import numpy as np

        vectors = self.vectors(texts)
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-12)).astype(np.float32)
        return unit

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, a row each, as the model gives them."""
        import numpy as np

        _, tokenizer = self._session_and_tokenizer
        rows = [encoding.ids for encoding in tokenizer.encode_batch([_without_surrogates(text) for text in texts])]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        batches = [order[at : at + self.batch] for at in range(0, len(order), self.batch)]
        pooled = [self._pooled([rows[place] for place in batch]) for batch in batches]
        vectors: Vectors = np.empty((len(rows), pooled[0].shape[1] if pooled else 0), np.float32)
        for batch, batch_vectors in zip(batches, pooled, strict=True):
            vectors[batch] = batch_vectors
        return vectors

    def _pooled(self, rows: Sequence[Sequence[int]]) -> Any:
        """Return a vector for each row of token ids."""
        import numpy as np

        session, _ = self._session_and_tokenizer
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        inputs = {tensor.name: known[tensor.name] for tensor in session.get_inputs() if tensor.name in known}
        try:
            hidden = session.run(None, inputs)[0]
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise self.invalid(self.folder, f"'{self.model.name}' fails: {_first_line(error)}") from error
        if hidden.ndim == 3:
            hidden = hidden[:, 0] if self.first_token else (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True).clip(1)
        if hidden.ndim != 2 or len(hidden) != len(rows) or not np.isfinite(hidden).all():
            raise self.invalid(self.folder, f"'{self.model.name}' gives no vector for each text")
        return hidden

    @cached_property
    def _session_and_tokenizer(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        from kgqa.encoders.bert_onnx import WeightsInvalid, bert_to_onnx

        verify_model(self.folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self.threads, 1
        options.log_severity_level = 4
        try:
            weights: Any = str(self.model)
            if self.model.suffix == SAFETENSORS:
                weights = bert_to_onnx(self.model, self.folder / "config.json")
            session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(self.folder / TOKENIZER))
        except WeightsInvalid as error:
            raise self.invalid(self.folder, str(error)) from error
        # Both libraries raise errors of classes of their own, some of them `Exception` itself.
        except Exception as error:
            raise self.invalid(self.folder, _first_line(error)) from error
        tokenizer.no_padding()
        own_limit = (tokenizer.truncation or {}).get("max_length", self.most_tokens)
        tokenizer.enable_truncation(min(own_limit, self.most_tokens))
        return session, tokenizer


def _without_surrogates(text: str) -> str:
    """Return a text with question marks for lone surrogates, which no encoding has."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _first_line(error: Exception) -> str:
    """Return the first line of an error's message, or its class where it has none."""
    return next(iter(str(error).splitlines()), type(error).__name__)
