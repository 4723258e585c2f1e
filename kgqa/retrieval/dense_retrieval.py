"""Passages by meaning: an encoder of sentences, and the cosine of its vectors.

The encoder lies in a folder with `tokenizer.json` and `model.onnx`: any BERT-like model of the E5 family (Wang et al. 2022), that
is told "query: " and "passage: " before its texts and whose vector is the mean over the tokens, of length one; or a pair of
encoders as `scripts/training/train_dpr.py` trains them, in the folders `query` and `passage`. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.errors import PackageMissing
from kgqa.errors import CorpusInvalid, SentenceEncoderInvalid
from kgqa.readers.reader import Passage
from kgqa.retrieval.passage_index import PassageIndex, top_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

SENTENCE_ENCODER_VARIABLE = "KGQA_SENTENCE_ENCODER"
_NEEDED = ("numpy", "onnxruntime", "tokenizers")
_MOST_TOKENS = 256
_BATCH = 16
_LEVELS = 127
_ROWS = 4096


def sentence_encoder_folder(folder: str | Path | None = None) -> Path | None:
    """Return the folder of the encoder: the one named, else that of `KGQA_SENTENCE_ENCODER`, else `None`."""
    given = folder or os.environ.get(SENTENCE_ENCODER_VARIABLE)
    return Path(given) if given else None


class SentenceEncoder:
    """The encoder in a folder, loaded when something is first encoded.

    Raises `PackageMissing` where what runs it is not installed, `SentenceEncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1, most_tokens: int = _MOST_TOKENS) -> None:
        from importlib.util import find_spec

        missing = next((package for package in _NEEDED if find_spec(package) is None), None)
        if missing is not None:
            raise PackageMissing("retrieval by meaning", missing, "embeddings")
        self.folder = folder
        self._threads, self._most = threads, most_tokens
        self._pair = (folder / "query").is_dir()
        self._sides = {side: folder / side if self._pair else folder for side in ("query", "passage")}
        for side in self._sides.values():
            for name in ("model.onnx", "tokenizer.json"):
                if not (side / name).is_file():
                    raise SentenceEncoderInvalid(side, f"it has no {name}" if side.is_dir() else "there is no such folder")
        self._prefixes = {side: "" if self._pair else f"{side}: " for side in self._sides}

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, a row each, of length one."""
        return self._encoded("query", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, a row each, of length one."""
        return self._encoded("passage", texts)

    def rows(self, texts: Sequence[str]) -> tuple[bytes, bytes]:
        """Return the vectors of passages as rows of whole numbers of eight bits, and the scale of each row."""
        import numpy as np

        vectors = self.passages(texts)
        scales = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        return np.rint(vectors / scales).astype(np.int8).tobytes(), scales.astype(np.float32).tobytes()

    def _encoded(self, side: str, texts: Sequence[str]) -> Vectors:
        """Encode texts by the batch, those of like length together."""
        import numpy as np

        session, tokenizer = self._query_side if self._pair and side == "query" else self._passage_side
        prefix = self._prefixes[side]
        rows = [
            encoding.ids
            for encoding in tokenizer.encode_batch([prefix + text.encode("utf-8", "replace").decode() for text in texts])
        ]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        batches = [order[at : at + _BATCH] for at in range(0, len(order), _BATCH)]
        made = [self._run(session, [rows[place] for place in batch]) for batch in batches]
        vectors: Vectors = np.empty((len(rows), made[0].shape[1] if made else 0), np.float32)
        for batch, batch_vectors in zip(batches, made, strict=True):
            vectors[batch] = batch_vectors
        return vectors

    def _run(self, session: Any, rows: Sequence[Sequence[int]]) -> Any:
        import numpy as np

        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        try:
            hidden = session.run(None, {model_input.name: inputs[model_input.name] for model_input in session.get_inputs()})[0]
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise SentenceEncoderInvalid(self.folder, _error_line(error)) from error
        if hidden.ndim == 3:
            hidden = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True).clip(1)
        if hidden.ndim != 2 or len(hidden) != len(rows) or not np.isfinite(hidden).all():
            raise SentenceEncoderInvalid(self.folder, "it gives no vector for each text")
        if self._pair:
            return hidden  # trained on inner products
        return hidden / np.linalg.norm(hidden, axis=1, keepdims=True).clip(1e-12)

    @cached_property
    def _query_side(self) -> tuple[Any, Any]:
        return self._loaded(self._sides["query"])

    @cached_property
    def _passage_side(self) -> tuple[Any, Any]:
        return self._loaded(self._sides["passage"])

    def _loaded(self, folder: Path) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # Both libraries raise errors of classes of their own, some of them `Exception` itself.
        except Exception as error:
            raise SentenceEncoderInvalid(folder, _error_line(error)) from error
        tokenizer.no_padding()
        own = (tokenizer.truncation or {}).get("max_length", self._most)
        tokenizer.enable_truncation(min(own, self._most))
        return session, tokenizer


class DenseRetriever:
    """Retrieval by the cosine of vectors, over all passages of an index that was built with them."""

    def __init__(self, index: PassageIndex, encoder: SentenceEncoder) -> None:
        if not index.has_vectors:
            raise CorpusInvalid(index.path, "it was indexed without --dense, so that it has no vectors")
        self.index = index
        self._encoder = encoder

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return the passages whose vectors are nearest to that of the query, nearest first."""
        return [self.index.passage(number, score) for number, score in self.ranked(query, best)]

    def ranked(self, query: str, best: int) -> Sequence[tuple[int, float]]:
        """Return the numbers and cosines of the nearest passages."""
        return top_scores(self.cosines(query), best, -inf) if any(map(str.isalnum, query)) else []

    def cosines(self, query: str) -> Vectors:
        """Return the cosine of every passage to a query."""
        import numpy as np

        vector = self._encoder.queries([query])[0]
        rows, scales = self.index.vectors
        if rows.shape[1] != len(vector):
            raise SentenceEncoderInvalid(self._encoder.folder, f"'{self.index.path}' was indexed with another encoder")
        parts = [rows[at : at + _ROWS].astype(np.float32) @ vector for at in range(0, len(rows), _ROWS)]
        cosines: Vectors = np.concatenate(parts) * scales
        return cosines


def _error_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).splitlines()), type(error).__name__)
