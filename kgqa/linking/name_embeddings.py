"""The vectors of the names of a graph, by which names that are near to a phrase in meaning are found.

The starter graph brings them; `kgqa embed` makes those of another graph and writes them beside its index. The file is mapped into
memory. Its header holds the digests of the graph and of the encoder. A vector is a row of 8-bit whole numbers and a scale.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from graph.errors import OutputUnwritable, system_error_text
from graph.mapped_file import FIT_BYTES, BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.protocols import GraphStore
from graph.stores.sqlite.index.index_folder import index_folders
from kgqa.errors import EmbeddingsInvalid
from kgqa.linking.mention import is_plain_name

if TYPE_CHECKING:
    from kgqa.encoders.text_encoders import Vectors


class NameEncoder(Protocol):
    """What makes vectors of length one, of names and of phrases; `digest` identifies it."""

    @property
    def digest(self) -> str:
        """Return hexadecimal digits that identify the encoder."""

    def vectors(self, texts: Sequence[str]) -> Sequence[Vectors]:
        """Return the vectors of texts."""


SHIPPED = ".names"
"""The suffix of the file with the vectors of a graph that is brought with it."""
_BATCH = 128
_ROWS = 4096
_MOST_NAME_WORDS = 5
"""Longer names are clauses and titles, which no phrase of a question means."""
_LEVELS = 127


class NameNeighbour(NamedTuple):
    """A name of the graph, and the cosine of its vector to that of a phrase."""

    cosine: float
    name: str


class EmbeddingIndexSummary(NamedTuple):
    """What was made: the file, how many names it has, and its size in bytes."""

    path: Path
    names: int
    size: int


def build_embedding_index(
    store: GraphStore, encoder: NameEncoder, progress: Callable[[int, int], None] = lambda done, size: None
) -> EmbeddingIndexSummary:
    """Make the index of the names of a graph, in place of an older one; `progress` gets how many names of how many are done.

    Raises `OutputUnwritable` where there is no place for it, `EmbeddingsInvalid` for a graph that has no place of its own.
    """
    folder = next(iter(_index_folders(store)), None)
    if folder is None:
        raise _no_place_error(store)
    names = sorted(_linkable_names(store), key=lambda name: (len(name), name))
    rows, scales = _encode_names(names, encoder, progress)
    texts = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = array("I", accumulate(map(len, texts))).tobytes()
    path = folder / _file_name(store, encoder)
    new = path.with_name(f"{path.name}-{os.getpid()}-new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_mapped_file(new, _fingerprint(store, encoder), {"ends": [ends], "names": texts, "scales": [scales], "rows": rows})
        new.replace(path)
    except OSError as error:
        raise OutputUnwritable(path, system_error_text(error)) from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    for older in folder.glob("embeddings-*"):  # of another state of this graph, or of another encoder
        if older != path and not older.name.endswith("-new"):
            with suppress(OSError):
                older.unlink()
    return EmbeddingIndexSummary(path, len(names), path.stat().st_size)


def open_embedding_index(store: GraphStore, encoder: NameEncoder) -> EmbeddingIndex | None:
    """Return the vectors of the names of a graph by an encoder; `None` where they were not made for this state of it."""
    for path in (*_shipped_files(store), *(folder / _file_name(store, encoder) for folder in _index_folders(store))):
        with suppress(Unfit):
            return EmbeddingIndex(store.url, MappedFile(path, _fingerprint(store, encoder)))
    return None


class EmbeddingIndex:
    """The vectors of the names of the graph at `url`, in a file."""

    def __init__(self, url: str, file: MappedFile) -> None:
        self._url, self._file = url, file
        self._remedy = f"kgqa embed -g {shlex.quote(url)}"

    def nearest(self, vector: Vectors, count: int) -> list[NameNeighbour]:
        """Return the names whose vectors are nearest to one of length one, nearest first.

        Raises `EmbeddingsInvalid` where the file is damaged, or its vectors have another width.
        """
        import numpy as np

        width = len(vector)
        scales = np.frombuffer(self._section("scales"), np.float32)
        rows = np.frombuffer(self._section("rows"), np.int8)
        if len(rows) != len(scales) * width:
            raise EmbeddingsInvalid(f"the embeddings of '{self._url}' have another width than the encoder", self._remedy)
        if not len(scales):
            return []
        rows = rows.reshape(len(scales), width)
        parts = [rows[at : at + _ROWS].astype(np.float32) @ vector for at in range(0, len(rows), _ROWS)]
        cosines = np.concatenate(parts) * scales
        best = np.argpartition(cosines, -min(count, len(cosines)))[-count:]
        places = best[np.argsort(-cosines[best], kind="stable")]
        return [NameNeighbour(float(cosines[place]), self._name(int(place))) for place in places]

    def _name(self, place: int) -> str:
        ends = self._section("ends").cast("I")
        names = self._section("names")
        return str(names[ends[place - 1] if place else 0 : ends[place]], "utf-8", "surrogatepass")

    def _section(self, name: str) -> memoryview:
        try:
            start, end = self._file.section(name)
            self._file.verify(start, end)
        except BlockDamaged:
            raise EmbeddingsInvalid(f"the embeddings of '{self._url}' are damaged", self._remedy) from None
        return self._file.bytes[start:end]


def _no_place_error(store: GraphStore) -> EmbeddingsInvalid:
    remedy = f"kgqa copy {shlex.quote(store.url)} mine.kgqa" if "://" in store.url else ""
    return EmbeddingsInvalid(f"embeddings are kept beside a graph in a file, and '{store.url}' is none", remedy)


def _linkable_names(store: GraphStore) -> set[str]:
    ends = {name for edge in store.edges() for name in (edge.claim.cause, edge.claim.effect)}
    return {name for name in ends if name.count(" ") < _MOST_NAME_WORDS and is_plain_name(name) and any(map(str.isalpha, name))}


def _encode_names(names: Sequence[str], encoder: NameEncoder, progress: Callable[[int, int], None]) -> tuple[list[bytes], bytes]:
    import numpy as np

    rows, scales = [], []
    for at in range(0, len(names), _BATCH):
        vectors = np.stack(encoder.vectors(names[at : at + _BATCH]))
        scale = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        rows.append(np.rint(vectors / scale).astype(np.int8).tobytes())
        scales.append(scale.astype(np.float32).tobytes())
        progress(min(at + _BATCH, len(names)), len(names))
    return rows, b"".join(scales)


def _index_folders(store: GraphStore) -> list[Path]:
    path = Path(store.url)
    return index_folders(path) if path.is_file() else []


def _shipped_files(store: GraphStore) -> Iterator[Path]:
    """Yield the file beside a graph that is brought with it."""
    path = Path(store.url)
    if path.is_file():
        yield path.with_suffix(SHIPPED)


def _file_name(store: GraphStore, encoder: NameEncoder) -> str:
    return f"embeddings-{store.digest()[:16]}-{encoder.digest}"


def _fingerprint(store: GraphStore, encoder: NameEncoder) -> bytes:
    return hashlib.sha256(f"{store.digest()} {encoder.digest}".encode()).digest()[:FIT_BYTES]
