"""A causal graph with further evidence beside it, as a view: nothing is copied, and the graph below is untouched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from graph.belief.belief import belief
from graph.belief.independence import count_evidence
from graph.intervene.changed_topology import ChangedTopology
from graph.model import Claim, Concept, Edge, Evidence, Statement
from graph.protocols import GraphView, Topology
from graph.text.stems import porter_stems


class ExtendedView:
    """The claims of `base` and those of `statements`, each claim with the evidence of both and the belief that follows."""

    def __init__(self, base: GraphView, statements: Iterable[Statement]) -> None:
        self._base = base
        records: dict[Claim, dict[str, Evidence]] = {}
        for statement in statements:
            claim, evidence = statement.claim, statement.evidence
            if claim not in records:
                records[claim] = {record.hash(claim): record for record in base.evidence(claim)}
            records[claim].setdefault(evidence.hash(claim), evidence)
        self._records = {claim: tuple(of_claim.values()) for claim, of_claim in records.items()}
        self._edges = {claim: self._edge(claim) for claim in self._records}

    def _edge(self, claim: Claim) -> Edge:
        counts, below = count_evidence(self._records[claim]), self._base.edge(claim)
        numbers = counts.asserted, counts.negated, counts.hedged
        sense = 0 if below is None else below.sense
        return Edge(claim, belief(counts.grounds), *numbers, counts.strength, counts.grounds, sense)

    def concept(self, name: str) -> Concept | None:
        """Return the concept as the graph below has it, or one that only the further evidence names."""
        return self._base.concept(name) or (Concept(name) if name in self._stems_of_names else None)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect` of both, most believed first."""
        return self._joined(self._base.causes(effect), [edge for edge in self._edges.values() if edge.effect == effect])

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause` of both, most believed first."""
        return self._joined(self._base.effects(cause), [edge for edge in self._edges.values() if edge.cause == cause])

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None` if neither has it."""
        return self._edges.get(claim) or self._base.edge(claim)

    @cached_property
    def _topology(self) -> Topology:
        return ChangedTopology(self._base.topology(), self._edges)

    def topology(self) -> Topology:
        """Return the arrows of both."""
        return self._topology

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every evidence record of `claim` in both."""
        return self._records[claim] if claim in self._records else self._base.evidence(claim)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts of both that contain every one of `words` by stem, shortest names first."""
        wanted = set(porter_stems(set(words)).values())
        added = (name for name, stems in self._stems_of_names.items() if wanted and wanted <= stems)
        return sorted(dict.fromkeys((*self._base.search(words, limit), *added)), key=len)[:limit]

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return what the graph below has that is spelled like `name`."""
        return self._base.similar(name, limit)

    @cached_property
    def _stems_of_names(self) -> dict[str, set[str]]:
        names = dict.fromkeys(name for claim in self._records for name in (claim.cause, claim.effect))
        words = {name: name.replace("-", " ").split() for name in names}
        stems = porter_stems({word for of_name in words.values() for word in of_name})
        return {name: {stems[word] for word in of_name} for name, of_name in words.items()}

    def _joined(self, below: Sequence[Edge], added: Sequence[Edge]) -> Sequence[Edge]:
        edges = [edge for edge in below if edge.claim not in self._edges]
        return sorted((*edges, *added), key=lambda edge: -edge.belief)
