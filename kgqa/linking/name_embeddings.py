"""Linking by embeddings: the name of the graph whose vector is nearest to that of a phrase.

It applies only on request, and only to a phrase without any other link: the nearest name often means something else
(docs/linking.md), so its score is at most .3. The encoder is loaded for the first such phrase.

`kgqa embed` computes the vectors of the names and writes them beside the index of the graph; the file is mapped into memory. Its
name and its header hold the digests of the graph and of the encoder. A vector is a row of 8-bit whole numbers and a scale.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graph.errors import OutputUnwritable, system_error_text
from graph.mapped_file import FIT_BYTES, BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.protocols import GraphStore, GraphView
from graph.stores.sqlite.index.index_folder import index_folders
from graph.text.normalise import concept_name, head_place, singular
from graph.text.word_lists import kind_of_noun, word_list
from kgqa.encoders.text_encoders import PhraseEncoder, phrase_encoder_folder
from kgqa.errors import EmbeddingsInvalid, EmbeddingsMissing
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.lexical_relations import changes_polarity, is_only_verb, is_related_form, synonyms, word_set
from kgqa.linking.linker import link_phrase
from kgqa.linking.mention import content_words, is_plain_name

if TYPE_CHECKING:
    from kgqa.encoders.text_encoders import Vectors


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
    store: GraphStore, encoder: PhraseEncoder, progress: Callable[[int, int], None] = lambda done, size: None
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


class EmbeddingIndex:
    """The vectors of the names of `store` by `encoder`. Raises `EmbeddingsMissing` where they were not made."""

    def __init__(self, store: GraphStore, encoder: PhraseEncoder) -> None:
        self._url = store.url
        self._remedy = f"kgqa embed -g {shlex.quote(store.url)}"
        for folder in _index_folders(store):
            with suppress(Unfit):
                self._file = MappedFile(folder / _file_name(store, encoder), _fingerprint(store, encoder))
                return
        raise _missing_error(store)

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


def _missing_error(store: GraphStore) -> EmbeddingsInvalid | EmbeddingsMissing:
    if not Path(store.url).is_file():
        return _no_place_error(store)
    digests = [path.name.split("-")[1] for folder in _index_folders(store) for path in folder.glob("embeddings-*-*")]
    current = store.digest()[: len(digests[0])] if digests else ""
    why = "another encoder" if current in digests else "an earlier state of the graph"
    return EmbeddingsMissing(store.url, why if digests else "")


def _no_place_error(store: GraphStore) -> EmbeddingsInvalid:
    remedy = f"kgqa copy {shlex.quote(store.url)} mine.kgqa" if "://" in store.url else ""
    return EmbeddingsInvalid(f"embeddings are kept beside a graph in a file, and '{store.url}' is none", remedy)


def _linkable_names(store: GraphStore) -> set[str]:
    ends = {name for edge in store.edges() for name in (edge.claim.cause, edge.claim.effect)}
    return {name for name in ends if name.count(" ") < _MOST_NAME_WORDS and is_plain_name(name) and any(map(str.isalpha, name))}


def _encode_names(
    names: Sequence[str], encoder: PhraseEncoder, progress: Callable[[int, int], None]
) -> tuple[list[bytes], bytes]:
    import numpy as np

    rows, scales = [], []
    for at in range(0, len(names), _BATCH):
        vectors = encoder(names[at : at + _BATCH])
        scale = np.abs(vectors).max(axis=1, keepdims=True).clip(1e-12) / _LEVELS
        rows.append(np.rint(vectors / scale).astype(np.int8).tobytes())
        scales.append(scale.astype(np.float32).tobytes())
        progress(min(at + _BATCH, len(names)), len(names))
    return rows, b"".join(scales)


def _index_folders(store: GraphStore) -> list[Path]:
    path = Path(store.url)
    return index_folders(path) if path.is_file() else []


def _file_name(store: GraphStore, encoder: PhraseEncoder) -> str:
    return f"embeddings-{store.digest()[:16]}-{encoder.digest}"


def _fingerprint(store: GraphStore, encoder: PhraseEncoder) -> bytes:
    return hashlib.sha256(f"{store.digest()} {encoder.digest}".encode()).digest()[:FIT_BYTES]


LEAST_COSINE = 0.8
"""Chosen on phrases for development: between .75 and .8 as many names were wrong as right, above .8 none was wrong."""
GUARD_GAP = 0.06
"""How much nearer a name may be that the guards refuse."""
EMBEDDING_SCORE = 0.3
"""The score of a name with the cosine 1; others have it times their cosine."""

_NEIGHBOURS_LOOKED_AT = 20
_MOST_ALTERNATIVES = 3
_MOST_PHRASE_WORDS = 5
_CACHE_SIZE = 1_000
_STEM, _SHARE = 4, 0.55
"""Words that share so many letters at their beginning, and such a share of the longer one, are forms: "itchy" and "itching"."""
_NUMBERS = frozenset("one two three four five six seven eight nine ten hundred thousand million first second third half".split())


class EmbeddingLinker:
    """A linker that yields the usual readings, and a guess by embedding for a phrase that has none of them."""

    def __init__(self, store: GraphStore, encoder: str | None = None) -> None:
        """Look for the embeddings of `store`; `encoder` is a folder, by default that of `encoder_folder`.

        Raises `EncoderUnknown`, `EncoderInvalid`, `PackageMissing` or `EmbeddingsMissing`, each with a remedy.
        """
        self._encoder = PhraseEncoder(phrase_encoder_folder(encoder))
        self._index = EmbeddingIndex(store, self._encoder)
        self._near = lru_cache(_CACHE_SIZE)(self._find_near)

    def __call__(self, phrase: str, view: GraphView) -> Iterator[ConceptLink]:
        """Yield the readings of `phrase`, surest first; by embedding only where there are no others."""
        has_link = False
        for reading in link_phrase(phrase, view):
            has_link = True
            yield reading
        if not has_link:
            yield from self.nearest(phrase, view)

    def nearest(self, phrase: str, view: GraphView) -> Iterator[ConceptLink]:
        """Yield the name of the view that is nearest to `phrase` of those that the guards let pass, with the next ones."""
        if not 1 < len(content_words(phrase)) <= _MOST_PHRASE_WORDS:
            return  # a clause, or a single rare word, of which an encoder knows the spelling alone
        nearest = self._near(phrase)
        near = [entry for entry in nearest if may_mean(phrase, entry.name) and view.concept(entry.name) is not None]
        # Where the guards refuse what is by far the nearest, the phrase means that, or nothing that the graph knows.
        if near and near[0].cosine >= max(LEAST_COSINE, nearest[0].cosine - GUARD_GAP):
            score = round(EMBEDDING_SCORE * min(1.0, near[0].cosine), 3)
            alternatives = tuple(entry.name for entry in near[1 : 1 + _MOST_ALTERNATIVES])
            yield ConceptLink(phrase, (near[0].name,), score, "embedding", alternatives=alternatives)

    def _find_near(self, phrase: str) -> Sequence[NameNeighbour]:
        return self._index.nearest(self._encoder([concept_name(phrase)])[0], _NEIGHBOURS_LOOKED_AT)


def may_mean(phrase: str, name: str) -> bool:
    """Return whether a name that is near to a phrase may be what it means.

    No direction is crossed. Neither has all words of the other and more: the earlier steps saw such names, and refused them
    ("tongue" for "white tongue"). The name is no clause ("treat asthma"). The heads answer to one another.
    """
    if changes_polarity(phrase, name):
        return False
    words, theirs = content_words(phrase), content_words(name)
    if is_only_verb(theirs[0]) or _number_words(words) != _number_words(theirs):
        return False
    return _holds_words(words, theirs) == _holds_words(theirs, words) and _heads_agree(phrase, words, name, theirs)


def _heads_agree(phrase: str, words: Sequence[str], name: str, theirs: Sequence[str]) -> bool:
    """Return whether each head is among the words of the other, in some form, or the two are of the same kind of nouns."""
    head, name_head = _head_noun(phrase), _head_noun(name)
    if _is_same_word(head, name_head) or (_holds_words(theirs, [head]) and _holds_words(words, [name_head])):
        return True
    vague = word_set("empty heads") | word_list("vague")
    return head not in vague and name_head not in vague and kind_of_noun(head) == kind_of_noun(name_head) != ""


def _head_noun(phrase: str) -> str:
    words = concept_name(phrase).split()
    return singular(words[head_place(words, "linking")]) if words else ""


def _number_words(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if word in _NUMBERS or any(map(str.isdigit, word)))


def _holds_words(words: Sequence[str], required: Sequence[str]) -> bool:
    return all(any(_is_same_word(word, wanted) for word in words) for wanted in required)


def _is_same_word(first: str, second: str) -> bool:
    if is_related_form(first, second) or second in synonyms(first):
        return True
    from rapidfuzz.distance import Prefix

    shared = Prefix.similarity(first, second)
    return shared >= _STEM and shared >= _SHARE * max(len(first), len(second))
