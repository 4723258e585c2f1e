"""What can go wrong with questions, each with a message made of a fact and a remedy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from graph.errors import Error


class KgqaError(Error):
    """The root of the errors of `kgqa`."""


class ConceptUnknown(KgqaError):
    """The graph has no concept of that name; `near` are names that are spelt like it."""

    def __init__(self, name: str, near: Sequence[str] = (), remedy: str = "") -> None:
        super().__init__(f"no concept '{name}'" + (f"; near: {', '.join(near)}" if near else ""), remedy)
        self.name, self.near = name, near


class SettingInvalid(KgqaError):
    """A `--do` option cannot be read; `why` says what it may be. The remedy is an option, of whatever command was asked."""

    def __init__(self, text: str, why: str, fact: str = "") -> None:
        super().__init__(fact or f"cannot read --do '{text}': {why}", '--do "smoking=absent"')


class SettingsContradict(SettingInvalid):
    """Two `--do` options cannot both be so."""

    def __init__(self, texts: Sequence[str], why: str) -> None:
        options = " and ".join(f"--do '{text}'" for text in texts)
        super().__init__("", why, f"{options} contradict one another: {why}")
        self.why = why


class ClaimUnknown(KgqaError):
    """The graph has no claim between two concepts, in this direction."""

    def __init__(self, cause: str, effect: str) -> None:
        super().__init__(f"no claim that '{cause}' bears on '{effect}' that could be taken away", f'kgqa effects "{cause}"')


class QuestionInvalid(KgqaError):
    """There is no question to answer."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no question to answer: {why}", 'kgqa ask "What causes tsunamis?"')


class MetricInvalid(KgqaError):
    """Something cannot be scored: nothing to score, lists that do not fit each other, a number beyond its range."""


class EncoderMissing(KgqaError):
    """The similarity of sentences needs a model that turns them into vectors, and none was given."""

    def __init__(self) -> None:
        super().__init__("the similarity of sentences needs an encoder, and none was given")


class EncoderUnknown(KgqaError):
    """Phrases are to be embedded, and no encoder is installed or named; `variable` would name one, `extra` of kgqa brings one."""

    def __init__(self, variable: str, extra: str) -> None:
        fact = f"no encoder of phrases is installed, and {variable} names no folder with one"
        super().__init__(fact, f"pip install 'kgqa[{extra}]'")


class ModelFolderInvalid(KgqaError):
    """A folder holds no model of the kind that is needed."""

    kind, files = "model", "model.onnx"

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"no {self.kind} in '{folder}': {why}; it needs {self.files}")


class MatcherInvalid(KgqaError):
    """The model of the matcher of claims is damaged."""

    def __init__(self, model: Path, why: str) -> None:
        super().__init__(f"'{model}' is no matcher of claims: {why}", "install kgqa again")


class EncoderInvalid(ModelFolderInvalid):
    """A folder holds no encoder of phrases that can be used."""

    kind, files = "encoder of phrases", "tokenizer.json and model.onnx"


class SentenceEncoderInvalid(ModelFolderInvalid):
    """A folder holds no encoder of sentences that can be used."""

    kind, files = "encoder of sentences", "tokenizer.json and model.onnx"


class ReaderInvalid(ModelFolderInvalid):
    """A folder holds no model that the extractive reader can use."""

    kind, files = "reader", "model.onnx, tokenizer.json and reader.json"


class EvidenceModelInvalid(ModelFolderInvalid):
    """A folder holds no model that compares claims with evidence."""

    kind, files = "evidence model", "model.onnx and tokenizer.json"


class EmbeddingsInvalid(KgqaError):
    """The embeddings of the graph at `url` cannot be used: there is no place for them, or they have another width or damage."""

    def __init__(self, url: str, fault: Literal["no place", "width", "damaged"]) -> None:
        what, remedy = {
            "no place": (
                f"embeddings are kept beside a graph in a file, and '{url}' is none",
                f"kgqa copy {shlex.quote(url)} mine.kgqa" if "://" in url else "",
            ),
            "width": (f"the embeddings of '{url}' have another width than the encoder", f"kgqa embed -g {shlex.quote(url)}"),
            "damaged": (f"the embeddings of '{url}' are damaged", f"kgqa embed -g {shlex.quote(url)}"),
        }[fault]
        super().__init__(what, remedy)


class GeneratorInvalid(KgqaError):
    """A generative reader has no model that it can use; `name` is the folder, or the name on the hub, that was given."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"no generative model in '{name}': {why}" if name else f"no generative model is named: {why}")


class FittedModelInvalid(KgqaError):
    """A file of fitted weights is missing, damaged or of another format."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"no fitted model in '{path}': {why}", "fit it again with its script in scripts/fit")


class ReaderUnknown(KgqaError):
    """There is no reader of that name; `names` are those that there are."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        super().__init__(f"no reader '{name}'; there are {', '.join(names)}", "--reader extractive")


class RatingsInvalid(KgqaError):
    """A file of human ratings cannot be read; `place` is the file, with the line where it is known."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")


class ReceiptInvalid(KgqaError):
    """A file is no receipt, or no longer the one that was written."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"no receipt in '{path}': {why}", "kgqa ask QUESTION --receipt FILE")


class CorpusInvalid(KgqaError):
    """A file holds no passages that can be retrieved from."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"no passages to retrieve from in '{path}': {why}", "kgqa index TEXT -o FILE.passages")


class CorpusDamaged(KgqaError):
    """A passage index is not what was written: cut short, or changed."""

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"the passage index '{path}' is damaged: {why}", f"kgqa index TEXT -o {shlex.quote(str(path))}")


class CorpusTooLarge(KgqaError):
    """A text is too large to be cut and indexed each time that a question is asked."""

    def __init__(self, path: str | Path, most: int) -> None:
        command = f"kgqa index {shlex.quote(str(path))} -o {shlex.quote(f'{path}.passages')}"
        super().__init__(f"'{path}' has more than {most >> 20} MiB of text; index it once and name the index", command)


class QuantityInvalid(KgqaError):
    """Something cannot be computed: units that do not agree, a division by zero, a day that is not in the calendar."""


class ArgumentInvalid(KgqaError):
    """An argument of the library has no usable value; the words are those of the command line for its option."""

    def __init__(self, name: str, value: object, why: str) -> None:
        super().__init__(f"invalid value for '{name}': {value!r} {why}")
