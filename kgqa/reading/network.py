"""The network of a model folder, loaded: text to tokens, windows to logits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgqa.errors import ReaderInvalid
from kgqa.reading.model import AnswerKind
from kgqa.reading.weights import MODEL, TOKENIZER, ReaderFolder, read_reader_folder
from kgqa.reading.windows import TextWindow, TokenisedText, WindowLayout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OUTPUTS = ["start_logits", "end_logits", "kind_logits"]
_CACHE_SIZE = 512
_SLOWER = ["SkipLayerNormFusion"]
"""What of its optimizations the runtime shall leave: one node in place of two that takes several times as long."""


@dataclass(frozen=True, slots=True)
class Logits:
    """What the network says of a window: for each token of the passage whether an answer starts or ends there; and the kinds."""

    start: Floats
    end: Floats
    kind: Floats


class SpanNetwork:
    """The network and the tokenizer of a model folder; raises `ReaderInvalid` where one of them cannot be used."""

    def __init__(self, weights: ReaderFolder) -> None:
        """Load both; the network runs on one thread."""
        self.weights = weights
        self._session = _session(weights)
        self._tokenizer = _tokenizer(weights)
        cls, sep = (self._tokenizer.token_to_id(marker) for marker in ("[CLS]", "[SEP]"))
        if cls is None or sep is None:
            raise ReaderInvalid(weights.folder, f"{TOKENIZER} has no [CLS] and no [SEP]")
        self.layout = WindowLayout(weights.window, weights.stride, cls, sep)
        self._logits_by_window: dict[tuple[int, ...], Logits] = {}

    def tokens(self, text: str) -> TokenisedText:
        """Return a text in tokens; what stands in it like a token of the network's own, "[SEP]", is a text like any other."""
        encoding = self._tokenizer.encode(_without_surrogates(text), add_special_tokens=False)
        return TokenisedText(encoding.ids, encoding.offsets, encoding.word_ids)

    def windows(self, passage: int, offset: int, question: str, text: str) -> list[TextWindow]:
        """Return the windows of a question and a text that stands at `offset` in the passage of that number."""
        question_ids = self.tokens(question).ids[: self.weights.question]
        return list(self.layout.windows(passage, offset, question_ids, self.tokens(text)))

    def logits(self, window: TextWindow) -> Logits:
        """Return what the network says of a window.

        The last few hundred are remembered: the readers of a cascade ask for the same ones.
        """
        key = tuple(window.ids)
        if key not in self._logits_by_window:
            self._logits_by_window[key] = self._read(window)
            if len(self._logits_by_window) > _CACHE_SIZE:
                del self._logits_by_window[next(iter(self._logits_by_window))]
        return self._logits_by_window[key]

    def forget(self) -> None:
        """Forget what was said of windows, so that the next reading is a new one."""
        self._logits_by_window.clear()

    def _read(self, window: TextWindow) -> Logits:
        import numpy as np

        ids = np.array([window.ids], np.int64)
        mask, segments = np.ones_like(ids), np.zeros_like(ids)
        segments[0, window.first :] = 1
        start, end, kind = self._run(dict(zip(_INPUTS, (ids, mask, segments), strict=True)), ids.shape)
        passage_tokens = slice(window.first, window.first + len(window.places))
        return Logits(start[0, passage_tokens], end[0, passage_tokens], kind[0])

    def _run(self, inputs: dict[str, Any], shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
        import numpy as np

        try:
            start, end, kind = self._session.run(_OUTPUTS, inputs)
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise ReaderInvalid(self.weights.folder, f"{MODEL} fails: {_first_line(error)}") from error
        shapes_match = start.shape == end.shape == shape and kind.shape == (shape[0], len(AnswerKind))
        if not shapes_match or not all(np.isfinite(array).all() for array in (start, end, kind)):
            raise ReaderInvalid(self.weights.folder, f"{MODEL} gives no numbers of the right shape")
        return start, end, kind


@cache
def load_network(folder: Path) -> SpanNetwork:
    """Return the network of a folder, loaded once for all readers that use it; raises `ReaderInvalid`."""
    return SpanNetwork(read_reader_folder(folder))


def _session(weights: ReaderFolder) -> Any:
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
        raise ReaderInvalid(weights.folder, f"{MODEL} is damaged: {_first_line(error)}") from error
    if {tensor.name for tensor in session.get_inputs()} != set(_INPUTS) or not {
        tensor.name for tensor in session.get_outputs()
    } >= set(_OUTPUTS):
        raise ReaderInvalid(weights.folder, f"{MODEL} does not take {', '.join(_INPUTS)} and give {', '.join(_OUTPUTS)}")
    return session


def _tokenizer(weights: ReaderFolder) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(weights.tokenizer))
    # The tokenizers raise `Exception` itself.
    except Exception as error:
        raise ReaderInvalid(weights.folder, f"{TOKENIZER} is damaged: {_first_line(error)}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    return tokenizer


def _without_surrogates(text: str) -> str:
    """Return a text of as many characters in which lone surrogates, which are no text, are question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _first_line(error: Exception) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).splitlines()), type(error).__name__)
