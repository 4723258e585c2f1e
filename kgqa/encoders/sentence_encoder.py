"""The encoder of queries and passages: one model of the E5 family, or a pair of models.

A folder is either an encoder of the E5 family (Wang et al. 2022; see `onnx_encoder`), which expects "query: " and "passage: "
before its texts and whose vectors have length one; or it has the folders `query` and `passage`, a pair of encoders as
`scripts/training/train_dpr.py` trains them, whose vectors are compared by their inner product.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graph.errors import PackageMissing
from kgqa.encoders.onnx_encoder import ENCODER_PACKAGES, OnnxEncoder, find_model, missing_package
from kgqa.errors import SentenceEncoderInvalid
from kgqa.settings import Settings

if TYPE_CHECKING:
    from kgqa.encoders.onnx_encoder import Vectors

_MOST_TOKENS, _BATCH = 256, 16
_LEVELS = 127


def sentence_encoder_folder(folder: str | Path | None = None, settings: Settings | None = None) -> Path | None:
    """Return the folder of the encoder: the one given, else that of the settings, else `None`."""
    given = folder or (settings or Settings.read()).sentence_encoder
    return Path(given) if given else None


class SentenceEncoder:
    """The encoder of queries and passages in a folder, loaded when the first text is encoded.

    Raises `PackageMissing` where a package that runs it is not installed, `SentenceEncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1, most_tokens: int = _MOST_TOKENS) -> None:
        missing = missing_package(ENCODER_PACKAGES)
        if missing is not None:
            raise PackageMissing("retrieval by meaning", missing, "embeddings")
        self.folder = folder
        self._is_pair = (folder / "query").is_dir()
        sides = [folder / side if self._is_pair else folder for side in ("query", "passage")]
        models = [find_model(side, ("model.onnx",), SentenceEncoderInvalid) for side in sides]
        self._passages = OnnxEncoder(models[1], SentenceEncoderInvalid, most_tokens, _BATCH, threads)
        self._queries = (
            OnnxEncoder(models[0], SentenceEncoderInvalid, most_tokens, _BATCH, threads) if self._is_pair else self._passages
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, a row each."""
        return self._encoded(self._queries, "query: ", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, a row each."""
        return self._encoded(self._passages, "passage: ", texts)

    def rows(self, texts: Sequence[str]) -> tuple[bytes, bytes]:
        """Return the vectors of passages as rows of 8-bit whole numbers, and the 32-bit scale of each row."""
        import numpy as np

        vectors = self.passages(texts)
        scales = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        return np.rint(vectors / scales).astype(np.int8).tobytes(), scales.astype(np.float32).tobytes()

    def _encoded(self, encoder: OnnxEncoder, prefix: str, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts: of length one with an encoder of the E5 family, as they are with a pair."""
        return encoder.vectors(texts) if self._is_pair else encoder.unit_vectors([prefix + text for text in texts])
