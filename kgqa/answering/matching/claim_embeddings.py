"""The vectors of the claims of a graph, by which those that come nearest to a question in meaning are found.

The starter graph brings them; `kgqa embed` makes those of another graph and writes them beside its index. The file is mapped into
memory. Its header holds the digests of the graph and of the encoder. A vector is a row of 8-bit whole numbers and a scale.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from graph.errors import OutputUnwritable, system_error_text
from graph.mapped_file import FIT_BYTES, BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.model import Claim
from graph.model_checksums import LOADED_MODELS
from graph.protocols import GraphStore
from graph.stores.sqlite.index.index_folder import index_folders
from graph.topology import EDGE_KINDS, kind_code
from graph.unfinished_files import unfinished_file, usual_mode
from kgqa.answering.matching.claim_matcher import claim_text
from kgqa.errors import EmbeddingsInvalid

if TYPE_CHECKING:
    from kgqa.encoders.text_encoders import Vectors


class ClaimEncoder(Protocol):
    """What makes vectors of length one, of claims and of questions; `digest` identifies it."""

    @property
    def digest(self) -> str:
        """Return hexadecimal digits that identify the encoder."""

    def vectors(self, texts: Sequence[str]) -> Sequence[Vectors]:
        """Return the vectors of texts."""


SHIPPED = ".embeddings"
"""The suffix of the file with the vectors of a graph that is brought with it."""
_BATCH = 128
_ROWS = 4096
_LEVELS = 127
_FIELDS = 3
"""The numbers of a claim: the places of the names of its cause and its effect, and the code of its kind."""


class NearClaim(NamedTuple):
    """A claim, and the cosine of its vector to that of a question."""

    cosine: float
    claim: Claim


class EmbeddingIndexSummary(NamedTuple):
    """What was made: the file, how many claims it has, and its size in bytes."""

    path: Path
    claims: int
    size: int


def build_embedding_index(
    store: GraphStore, encoder: ClaimEncoder, progress: Callable[[int, int], None] = lambda done, size: None
) -> EmbeddingIndexSummary:
    """Make the index of the claims of a graph, in place of an older one; `progress` gets how many claims of how many are done.

    Raises `OutputUnwritable` where there is no place for it, `EmbeddingsInvalid` for a graph that has no place of its own.
    """
    folder = next(iter(_index_folders(store)), None)
    if folder is None:
        raise EmbeddingsInvalid(store.url, "no place")
    # Texts of like length are encoded together.
    claims = sorted((edge.claim for edge in store.edges()), key=lambda claim: (len(claim_text(claim)), str(claim)))
    rows, scales = _encode_texts(list(map(claim_text, claims)), encoder, progress)
    names = sorted({name for claim in claims for name in (claim.cause, claim.effect)})
    places = {name: place for place, name in enumerate(names)}
    numbers = array("I", (number for claim in claims for number in (places[claim.cause], places[claim.effect], kind_code(claim))))
    texts = [name.encode("utf-8", "surrogatepass") for name in names]
    ends = array("I", accumulate(map(len, texts))).tobytes()
    sections = {"ends": [ends], "names": texts, "claims": [numbers.tobytes()], "scales": [scales], "rows": rows}
    path = _write_index(store, encoder, folder, sections)
    return EmbeddingIndexSummary(path, len(claims), path.stat().st_size)


def carry_embedding_index(index: EmbeddingIndex, store: GraphStore, encoder: ClaimEncoder) -> None:
    """Keep the vectors of a graph that has gained evidence and no claim since they were opened; raises `OutputUnwritable`."""
    if folder := next(iter(_index_folders(store)), None):
        _write_index(store, encoder, folder, index.sections())


def _write_index(store: GraphStore, encoder: ClaimEncoder, folder: Path, sections: Mapping[str, Sequence[bytes]]) -> Path:
    """Write the index of the present state of a graph, in place of an older one."""
    path = folder / _file_name(store, encoder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with unfinished_file(folder) as new:
            write_mapped_file(new, _fingerprint(store, encoder), sections)
            new.chmod(usual_mode())
            new.replace(path)
    except OSError as error:
        raise OutputUnwritable(path, system_error_text(error)) from error
    for older in folder.glob("embeddings-*"):  # of another state of this graph, or of another encoder
        if older != path:
            with suppress(OSError):
                older.unlink()
    return path


def open_embedding_index(store: GraphStore, encoder: ClaimEncoder) -> EmbeddingIndex | None:
    """Return the vectors of the claims of a graph by an encoder; `None` where they were not made for this state of it."""
    for path in (*_shipped_files(store), *(folder / _file_name(store, encoder) for folder in _index_folders(store))):
        with suppress(Unfit):
            index = EmbeddingIndex(store.url, MappedFile(path, _fingerprint(store, encoder)))
            LOADED_MODELS[path.absolute()] = None
            return index
    return None


class EmbeddingIndex:
    """The vectors of the claims of the graph at `url`, in a file."""

    def __init__(self, url: str, file: MappedFile) -> None:
        self._url, self._file = url, file

    def nearest(self, vector: Vectors, count: int) -> list[NearClaim]:
        """Return the claims whose vectors are nearest to one of length one, nearest first.

        Raises `EmbeddingsInvalid` where the file is damaged, or its vectors have another width.
        """
        import numpy as np

        width = len(vector)
        scales = np.frombuffer(self._section("scales"), np.float32)
        rows = np.frombuffer(self._section("rows"), np.int8)
        if len(rows) != len(scales) * width:
            raise EmbeddingsInvalid(self._url, "width")
        if not len(scales):
            return []
        rows = rows.reshape(len(scales), width)
        parts = [rows[at : at + _ROWS].astype(np.float32) @ vector for at in range(0, len(rows), _ROWS)]
        cosines = np.concatenate(parts) * scales
        best = np.argpartition(cosines, -min(count, len(cosines)))[-count:]
        places = best[np.argsort(-cosines[best], kind="stable")]
        return [NearClaim(float(cosines[place]), self._claim(int(place))) for place in places]

    def sections(self) -> dict[str, list[bytes]]:
        """Return the content of the file."""
        return {name: [bytes(self._section(name))] for name in ("ends", "names", "claims", "scales", "rows")}

    def _claim(self, place: int) -> Claim:
        numbers = self._section("claims").cast("I")
        cause, effect, kind = numbers[_FIELDS * place : _FIELDS * (place + 1)]
        return Claim(self._name(cause), self._name(effect), *EDGE_KINDS[kind])

    def _name(self, place: int) -> str:
        ends = self._section("ends").cast("I")
        names = self._section("names")
        return str(names[ends[place - 1] if place else 0 : ends[place]], "utf-8", "surrogatepass")

    def _section(self, name: str) -> memoryview:
        try:
            start, end = self._file.section(name)
            self._file.verify(start, end)
        except BlockDamaged:
            raise EmbeddingsInvalid(self._url, "damaged") from None
        return self._file.bytes[start:end]


def _encode_texts(texts: Sequence[str], encoder: ClaimEncoder, progress: Callable[[int, int], None]) -> tuple[list[bytes], bytes]:
    import numpy as np

    rows, scales = [], []
    for at in range(0, len(texts), _BATCH):
        vectors = np.stack(encoder.vectors(texts[at : at + _BATCH]))
        scale = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        rows.append(np.rint(vectors / scale).astype(np.int8).tobytes())
        scales.append(scale.astype(np.float32).tobytes())
        progress(min(at + _BATCH, len(texts)), len(texts))
    return rows, b"".join(scales)


def _index_folders(store: GraphStore) -> list[Path]:
    path = Path(store.url)
    return index_folders(path) if path.is_file() else []


def _shipped_files(store: GraphStore) -> Iterator[Path]:
    """Yield the file beside a graph that is brought with it."""
    path = Path(store.url)
    if path.is_file():
        yield path.with_suffix(SHIPPED)


def _file_name(store: GraphStore, encoder: ClaimEncoder) -> str:
    return f"embeddings-{store.digest()[:16]}-{encoder.digest}"


def _fingerprint(store: GraphStore, encoder: ClaimEncoder) -> bytes:
    return hashlib.sha256(f"claims {store.digest()} {encoder.digest}".encode()).digest()[:FIT_BYTES]
