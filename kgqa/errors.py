"""What can go wrong with questions, each with a message made of a fact and a remedy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path


class KgqaError(Exception):
    """The root of all errors of this package; `remedy` is a command to try, or empty."""

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__(fact)
        self.remedy = remedy


class ConceptUnknown(KgqaError):
    """The graph has no concept of that name; `near` are names that are spelt like it."""

    def __init__(self, name: str, near: Sequence[str] = (), remedy: str = "") -> None:
        super().__init__(f"no concept '{name}'" + (f"; near: {', '.join(near)}" if near else ""), remedy)


class SettingInvalid(KgqaError):
    """A `--do` option cannot be read; `why` says what it may be. The remedy is an option, of whatever command was asked."""

    def __init__(self, text: str, why: str, fact: str = "") -> None:
        super().__init__(fact or f"cannot read --do '{text}': {why}", '--do "smoking=absent"')


class SettingsContradict(SettingInvalid):
    """Two `--do` options cannot both be so."""

    def __init__(self, texts: Sequence[str], why: str) -> None:
        told = " and ".join(f"--do '{text}'" for text in texts)
        super().__init__("", why, f"{told} contradict one another: {why}")


class ClaimUnknown(KgqaError):
    """The graph has no claim that one concept bears on another."""

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
        super().__init__(
            f"no encoder of phrases is installed, and {variable} names no folder with one", f"pip install 'kgqa[{extra}]'"
        )


class EncoderInvalid(KgqaError):
    """A folder holds no encoder of phrases that can be used."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"no encoder of phrases in '{folder}': {why}; it needs tokenizer.json and model.onnx")


class EmbeddingsMissing(KgqaError):
    """The names of a graph were not embedded; `instead` is what they were embedded of or with, where there is such a file."""

    def __init__(self, url: str, instead: str = "") -> None:
        why = f"the embeddings of '{url}' are those of {instead}" if instead else f"'{url}' has no embeddings"
        super().__init__(why, f"kgqa embed -g {shlex.quote(url)}")


class EmbeddingsInvalid(KgqaError):
    """The embeddings of a graph cannot be made or used."""


class RatingsInvalid(KgqaError):
    """A file of human ratings cannot be read; `place` is the file, with the line where it is known."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
