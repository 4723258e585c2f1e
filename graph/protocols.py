"""The interfaces of a causal graph: what reasoning reads, and what a store adds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from graph.model import Alias, Claim, Concept, Edge, Evidence, Statement


class Row(NamedTuple):
    """The edges on one side of a concept, most believed first, as four sequences of one length.

    `ends` are the numbers of the concepts at the far end, `beliefs` lie in 0..1, `kinds` are codes of `graph.topology`, `senses`
    signatures of `graph.stores.claim_records`. Claims without any belief are included.
    """

    ends: Sequence[int]
    beliefs: Sequence[float]
    kinds: Sequence[int]
    senses: Sequence[int]


class Topology(Protocol):
    """The arrows of a causal graph, whose concepts have numbers that are valid as long as this object lives."""

    def number(self, name: str) -> int | None:
        """Return the number of the concept of exactly this name, or `None` if no claim is about it."""

    def name(self, number: int) -> str:
        """Return the name of a concept."""

    def outgoing(self, number: int) -> Row:
        """Return the edges out of a concept, most believed first, in the order of `GraphView.effects`."""

    def incoming(self, number: int) -> Row:
        """Return the edges into a concept, most believed first, in the order of `GraphView.causes`."""

    def degree(self, number: int) -> int:
        """Return how many claims are about a concept, on either side."""

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        """Announce which rows will be read next, so that a remote store can fetch them together."""


class GraphView(Protocol):
    """A causal graph as reasoning reads it. Concepts are identified by their names."""

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first; empty for an unknown name."""

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first; empty for an unknown name."""

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None` if there is none."""

    def topology(self) -> Topology:
        """Return the arrows of the graph as it is now, for algorithms that walk many of them."""

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every evidence record of `claim`, in a stable order; empty for an unknown claim."""

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest names first."""

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelled like `name`, nearest first."""


@dataclass(frozen=True, slots=True)
class Added:
    """The numbers of concepts, claims and evidence records that a write added."""

    concepts: int = 0
    claims: int = 0
    evidence: int = 0

    def __add__(self, addend: Added) -> Added:
        return Added(self.concepts + addend.concepts, self.claims + addend.claims, self.evidence + addend.evidence)


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts and digest of a graph, as `kgqa stats` prints them.

    `edges` counts cause-effect pairs, `sentences` evidence records with their sentence, `relations` claims by relation,
    `sources` evidence records by the kind of their source; `version` is that of the store's format.
    """

    url: str
    digest: str
    concepts: int
    edges: int
    claims: int
    evidence: int
    sentences: int
    relations: Mapping[str, int]
    sources: Mapping[str, int]
    version: str


class GraphStore(GraphView, Protocol):
    """A graph that is stored. Writes are atomic: a call adds all of its records or none."""

    url: str

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records in one transaction, ignoring those that are stored already.

        `progress` is `(job, items done)`, stored in the same transaction, so that a killed job can continue where it stopped.
        """

    def progress(self, job: str) -> int:
        """Return how many items of `job` are done: 0 for an unknown job."""

    def statements(self) -> Iterator[Statement]:
        """Iterate over every claim with each of its evidence records, in a stable order."""

    def edges(self) -> Iterator[Edge]:
        """Iterate over every claim as an edge, in the order of `statements`."""

    def claim_of_hash(self, digits: str) -> Claim | None:
        """Return the claim with this hash, or `None`; without an index of hashes, by a look at every claim."""

    def statements_of_source(self, kind: str, identity: str, limit: int) -> Sequence[Statement]:
        """Return records of the sources of a kind with this page id (or URL, or title), in the order of `statements`."""

    def beginning_with(self, prefix: str, limit: int) -> Sequence[str]:
        """Return names of concepts that begin with `prefix`: those of most claims first, then the shortest."""

    def aliases(self) -> Iterator[Alias]:
        """Iterate over every alias, sorted by name."""

    def search_evidence(self, words: Sequence[str], limit: int = 20) -> Sequence[Statement]:
        """Return records whose sentence contains any of `words` by stem, best first (BM25); empty if no sentence is stored."""

    def digest(self) -> str:
        """Return 32 hexadecimal digits that depend on the claims, evidence and aliases alone."""

    def stats(self) -> Stats:
        """Return counts and the digest."""

    def check(self) -> Sequence[str]:
        """Verify the store and return its problems, a sentence each; empty for a sound store."""

    def close(self) -> None:
        """Release the store, which cannot be used afterwards."""

    def __enter__(self) -> Self:
        """Begin a `with` block that closes the store at its end."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...
