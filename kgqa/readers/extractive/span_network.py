"""The network of the extractive reader: its model folder, the windows that it reads, and its logits.

A model folder holds `model.onnx`, `tokenizer.json` and `reader.json`: the sizes of windows, the calibration, and the sizes of
the other two files in bytes. Nothing is downloaded. A window is `[CLS] question [SEP] part of a passage [SEP]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.errors import system_error_text
from graph.model_checksums import verify_model
from graph.onnx_session import SLOWER_OPTIMIZERS, first_line, onnx_session, without_surrogates
from kgqa.errors import ReaderInvalid
from kgqa.readers.extractive.span_scoring import LogitCalibration, parse_calibration
from kgqa.readers.reader import AnswerKind
from kgqa.settings import Settings, variable_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

READER_VARIABLE = variable_name("reader")
SHIPPED = Path(__file__).with_name("data")
MODEL, TOKENIZER, SETTINGS = "model.onnx", "tokenizer.json", "reader.json"
_SIZES = {"window": (32, 512), "stride": (0, 256), "question": (4, 256), "longest": (1, 128)}
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OUTPUTS = ["start_logits", "end_logits", "kind_logits"]
_CACHE_SIZE = 512


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


def reader_folder(folder: str | None = None, settings: Settings | None = None) -> Path:
    """Return the model folder: the one given, else that of the settings, else the one that is shipped."""
    given = folder or (settings or Settings.read()).reader
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
        expected_sizes = settings.get("bytes", {})
        for name in (MODEL, TOKENIZER):
            size = (folder / name).stat().st_size
            if expected_sizes.get(name, size) != size:
                raise ReaderInvalid(folder, f"{name} is damaged: it has {size:,} bytes, not {expected_sizes[name]:,}")
    except OSError as error:
        raise ReaderInvalid(folder, system_error_text(error)) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ReaderInvalid(folder, f"{SETTINGS} is damaged: {error}") from error
    return model_folder


def _window_size(value: object, name: str) -> int:
    least, most = _SIZES[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"'{name}' is not a whole number from {least} to {most}")
    return value


class TokenisedText(NamedTuple):
    """A text in tokens: their ids, the characters where they stand, and the number of the word that each belongs to."""

    ids: Sequence[int]
    places: Sequence[tuple[int, int]]
    words: Sequence[int | None]


class TextWindow(NamedTuple):
    """One input of the network. Its tokens from `first` on are those of `places` in the passage of that number.

    `begins` and `ends` say of each of these tokens whether a word begins or ends with it.
    """

    passage: int
    ids: Sequence[int]
    first: int
    places: Sequence[tuple[int, int]]
    begins: Sequence[bool]
    ends: Sequence[bool]


class WindowLayout(NamedTuple):
    """How windows are laid: most tokens of all, tokens of text that neighbours share, and the ids of `[CLS]` and `[SEP]`."""

    window: int
    stride: int
    cls: int
    sep: int

    def windows(self, passage: int, offset: int, question: Sequence[int], text: TokenisedText) -> Iterator[TextWindow]:
        """Yield the windows over a text that stands at `offset` in its passage; the last ends with the text, none for none."""
        count, room = len(text.ids), self.window - len(question) - 3
        step = max(1, room - self.stride)
        head = [self.cls, *question, self.sep]
        begins = [True, *(word != before for before, word in pairwise(text.words))]
        ends = [*begins[1:], True]
        for start in range(0, max(1, count - self.stride), step) if count else ():
            start = max(0, min(start, count - room))
            here = slice(start, start + room)
            places = [(low + offset, high + offset) for low, high in text.places[here]]
            yield TextWindow(passage, [*head, *text.ids[here], self.sep], len(head), places, begins[here], ends[here])


class Logits(NamedTuple):
    """What the network says of a window: for each token of the passage whether an answer starts or ends there; and the kinds."""

    start: Floats
    end: Floats
    kind: Floats


class SpanNetwork:
    """The network and the tokenizer of a model folder; raises `ReaderInvalid` where one of them cannot be used."""

    def __init__(self, weights: ReaderFolder) -> None:
        from tokenizers import Tokenizer

        self.weights = weights
        verify_model(weights.folder)
        # The runtime raises errors of many classes of its own, and none that they share; the tokenizers raise `Exception` itself.
        try:
            self._session = onnx_session(str(weights.folder / MODEL), disabled_optimizers=SLOWER_OPTIMIZERS)
        except Exception as error:
            raise ReaderInvalid(weights.folder, f"{MODEL} is damaged: {first_line(error)}") from error
        inputs, outputs = ({tensor.name for tensor in side} for side in (self._session.get_inputs(), self._session.get_outputs()))
        if inputs != set(_INPUTS) or not outputs.issuperset(_OUTPUTS):
            raise ReaderInvalid(weights.folder, f"{MODEL} does not take {', '.join(_INPUTS)} and give {', '.join(_OUTPUTS)}")
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(weights.folder / TOKENIZER))
        except Exception as error:
            raise ReaderInvalid(weights.folder, f"{TOKENIZER} is damaged: {first_line(error)}") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._tokenizer.encode_special_tokens = True
        cls, sep = (self._tokenizer.token_to_id(marker) for marker in ("[CLS]", "[SEP]"))
        if cls is None or sep is None:
            raise ReaderInvalid(weights.folder, f"{TOKENIZER} has no [CLS] and no [SEP]")
        self.layout = WindowLayout(weights.window, weights.stride, cls, sep)
        self._logits_by_window: dict[tuple[int, ...], Logits] = {}

    def tokens(self, text: str) -> TokenisedText:
        """Return a text in tokens; what stands in it like a token of the network's own, "[SEP]", is a text like any other."""
        encoding = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)
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
            self._logits_by_window[key] = self.compute_logits(window)
            if len(self._logits_by_window) > _CACHE_SIZE:
                del self._logits_by_window[next(iter(self._logits_by_window))]
        return self._logits_by_window[key]

    def compute_logits(self, window: TextWindow) -> Logits:
        """Return what the network says of a window, which it computes anew."""
        import numpy as np

        ids = np.array([window.ids], np.int64)
        mask, segments = np.ones_like(ids), np.zeros_like(ids)
        segments[0, window.first :] = 1
        try:
            start, end, kind = self._session.run(_OUTPUTS, dict(zip(_INPUTS, (ids, mask, segments), strict=True)))
        except Exception as error:
            raise ReaderInvalid(self.weights.folder, f"{MODEL} fails: {first_line(error)}") from error
        shapes_match = start.shape == end.shape == ids.shape and kind.shape == (1, len(AnswerKind))
        if not shapes_match or not all(np.isfinite(array).all() for array in (start, end, kind)):
            raise ReaderInvalid(self.weights.folder, f"{MODEL} gives no numbers of the right shape")
        passage_tokens = slice(window.first, window.first + len(window.places))
        return Logits(start[0, passage_tokens], end[0, passage_tokens], kind[0])


@cache
def load_network(folder: Path) -> SpanNetwork:
    """Return the network of a folder, loaded once for all readers that use it; raises `ReaderInvalid`."""
    return SpanNetwork(read_reader_folder(folder))
