"""The network of a model folder, loaded: text to tokens, windows to logits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgqa.errors import ReaderInvalid
from kgqa.reading.model import Kind
from kgqa.reading.weights import MODEL, TOKENIZER, Weights, weights_in
from kgqa.reading.windows import Layout, Tokens, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OUTPUTS = ["start_logits", "end_logits", "kind_logits"]
_REMEMBERED = 512
_SLOWER = ["SkipLayerNormFusion"]
"""What of its optimizations the runtime shall leave: one node in place of two that takes several times as long."""


@dataclass(frozen=True, slots=True)
class Logits:
    """What the network says of a window: for each token of the passage whether an answer starts or ends there; and the kinds."""

    start: Floats
    end: Floats
    kind: Floats


class Network:
    """The network and the tokenizer of a model folder; raises `ReaderInvalid` where one of them cannot be used."""

    def __init__(self, weights: Weights) -> None:
        """Load both; the network runs on one thread."""
        self.weights = weights
        self._session = _session(weights)
        self._tokenizer = _tokenizer(weights)
        cls, sep = (self._tokenizer.token_to_id(one) for one in ("[CLS]", "[SEP]"))
        if cls is None or sep is None:
            raise ReaderInvalid(weights.folder, f"{TOKENIZER} has no [CLS] and no [SEP]")
        self.layout = Layout(weights.window, weights.stride, cls, sep)
        self._said: dict[tuple[int, ...], Logits] = {}

    def tokens(self, text: str) -> Tokens:
        """Return a text in tokens; what stands in it like a token of the network's own, "[SEP]", is a text like any other."""
        found = self._tokenizer.encode(_plain(text), add_special_tokens=False)
        return Tokens(found.ids, found.offsets, found.word_ids)

    def windows(self, passage: int, offset: int, question: str, text: str) -> list[Window]:
        """Return the windows of a question and a text that stands at `offset` in the passage of that number."""
        asked = self.tokens(question).ids[: self.weights.question]
        return list(self.layout.windows(passage, offset, asked, self.tokens(text)))

    def logits(self, window: Window) -> Logits:
        """Return what the network says of a window.

        The last few hundred are remembered: the readers of a cascade ask for the same ones.
        """
        key = tuple(window.ids)
        if key not in self._said:
            self._said[key] = self._read(window)
            if len(self._said) > _REMEMBERED:
                del self._said[next(iter(self._said))]
        return self._said[key]

    def forget(self) -> None:
        """Forget what was said of windows, so that the next reading is a new one."""
        self._said.clear()

    def _read(self, window: Window) -> Logits:
        import numpy as np

        ids = np.array([window.ids], np.int64)
        mask, segments = np.ones_like(ids), np.zeros_like(ids)
        segments[0, window.first :] = 1
        start, end, kind = self._run(dict(zip(_INPUTS, (ids, mask, segments), strict=True)), ids.shape)
        told = slice(window.first, window.first + len(window.places))
        return Logits(start[0, told], end[0, told], kind[0])

    def _run(self, inputs: dict[str, Any], shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
        import numpy as np

        try:
            start, end, kind = self._session.run(_OUTPUTS, inputs)
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise ReaderInvalid(self.weights.folder, f"{MODEL} fails: {_line(error)}") from error
        told = start.shape == end.shape == shape and kind.shape == (shape[0], len(Kind))
        if not told or not all(np.isfinite(one).all() for one in (start, end, kind)):
            raise ReaderInvalid(self.weights.folder, f"{MODEL} gives no numbers of the right shape")
        return start, end, kind


@cache
def network(folder: Path) -> Network:
    """Return the network of a folder, loaded once for all readers that use it; raises `ReaderInvalid`."""
    return Network(weights_in(folder))


def _session(weights: Weights) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            str(weights.model), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
    # Of these errors, too, some are `Exception` itself.
    except Exception as error:
        raise ReaderInvalid(weights.folder, f"{MODEL} is damaged: {_line(error)}") from error
    if {one.name for one in session.get_inputs()} != set(_INPUTS) or not {one.name for one in session.get_outputs()} >= set(
        _OUTPUTS
    ):
        raise ReaderInvalid(weights.folder, f"{MODEL} does not take {', '.join(_INPUTS)} and give {', '.join(_OUTPUTS)}")
    return session


def _tokenizer(weights: Weights) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(weights.tokenizer))
    # The tokenizers raise `Exception` itself.
    except Exception as error:
        raise ReaderInvalid(weights.folder, f"{TOKENIZER} is damaged: {_line(error)}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _plain(text: str) -> str:
    """Return a text of as many characters in which lone surrogates, which are no text, are question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).splitlines()), type(error).__name__)
