"""What a graph knows of a concept, of a claim and of the way from one concept to another, and the records of that.

The records are those of `kgqa show`, `kgqa path` and of the HTTP API.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from graph.algorithms.paths import FeedbackLoop, best_paths, feedback_loops
from graph.belief.curation import CURATION, Mark, holding_marks
from graph.model import Claim, Edge, Path, Stance
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import CitedEvidence
from kgqa.answer_quotes import quote_records
from kgqa.answering.chains.chain_validity import CHAINS_JUDGED, MIN_VALIDITY, chain_validity, rank_by_validity
from kgqa.answering.findings import cite_evidence
from kgqa.errors import ConceptUnknown
from kgqa.interventions.graph_settings import GraphSetting, InterventionWorld, apply_settings, causes_asked_about
from kgqa.linking.linker import link_phrase, similar_names
from kgqa.record import chances_record, edge_record, evidence_record

if TYPE_CHECKING:
    from graph.intervene.effect_probability import WorldDifference
    from kgqa import record_schema as schema

_SAME_NAMES = ("exact", "alias", "acronym", "same words", "same stems")


def named_concepts(phrase: str, view: GraphView) -> Sequence[str]:
    """Return the concepts that have a phrase as their very name, or in another form; raises `ConceptUnknown` with near names."""
    reading = next(link_phrase(phrase, view), None)
    if reading is not None and reading.how in _SAME_NAMES:
        return reading.concepts
    raise ConceptUnknown(phrase, similar_names(phrase, view))


def strongest_edges(sides: Iterable[Iterable[Edge]], limit: int) -> list[Edge]:
    """Return the edges by belief, support and name, at most `limit`."""
    return sorted(chain(*sides), key=lambda edge: (-edge.belief, -edge.support, edge.cause, edge.effect))[:limit]


class ConceptView(NamedTuple):
    """What a graph knows of some names of one thing: other names, the strongest edges on either side, feedback loops."""

    names: Sequence[str]
    aliases: Sequence[str]
    causes: Sequence[Edge]
    effects: Sequence[Edge]
    loops: Sequence[FeedbackLoop]


def look_up_concept(view: GraphView, names: Sequence[str], limit: int, *, loops: bool = False) -> ConceptView:
    """Return what a graph knows of a concept, with at most `limit` causes, effects and loops."""
    aliases = [alias for name in names if (concept := view.concept(name)) is not None for alias in concept.aliases]
    into, out = (strongest_edges(map(side, names), limit) for side in (view.causes, view.effects))
    return ConceptView(names, aliases, into, out, feedback_loops(view, names, limit=limit) if loops else ())


def concept_record(view: GraphView, concept: ConceptView, *, loops: bool = False) -> schema.ConceptRecord:
    """Return what a graph knows of a concept as `kgqa show --json` prints it."""
    record: schema.ConceptRecord = {
        "concept": concept.names[0],
        "names": list(concept.names),
        "aliases": list(concept.aliases),
        "causes": [_edge_with_evidence(view, edge) for edge in concept.causes],
        "effects": [_edge_with_evidence(view, edge) for edge in concept.effects],
    }
    if loops:
        record["loops"] = list(map(_loop_record, concept.loops))
    return record


def _edge_with_evidence(view: GraphView, edge: Edge) -> schema.EdgeEvidenceRecord:
    supporting, denying = (list(map(evidence_record, quote_records(cited))) for cited in cite_evidence(view, [edge]))
    return {**edge_record(edge), "evidence": supporting, "contradicting": denying}


def _loop_record(loop: FeedbackLoop) -> schema.LoopRecord:
    path = loop.path
    edges = list(map(edge_record, path.edges))
    return {"concepts": list(path.concepts), "score": round(path.score, 4), "reinforcing": loop.reinforcing, "edges": edges}


class ClaimView(NamedTuple):
    """A claim as an edge, with every record for it and against it."""

    edge: Edge
    evidence: Sequence[CitedEvidence]
    against: Sequence[CitedEvidence]


def look_up_claim(view: GraphView, claim: Claim) -> ClaimView | None:
    """Return a claim with its records, quoted where the user has quotes of them; `None` where the graph does not have it.

    Of the marks of people those are shown that hold, and say right or wrong.
    """
    if (edge := view.edge(claim)) is None:
        return None
    stored = view.evidence(claim)
    holding = {record: curation.mark for record, curation in holding_marks(stored).items()}
    counted = [record for record in stored if record.source.kind != CURATION or holding.get(record, Mark.OPEN) is not Mark.OPEN]
    records = quote_records([CitedEvidence(claim, record) for record in counted])
    against = [item for item in records if item.evidence.stance is Stance.NEGATED]
    return ClaimView(edge, [item for item in records if item.evidence.stance is not Stance.NEGATED], against)


def claim_record(claim: ClaimView) -> schema.ClaimEvidenceRecord:
    """Return a claim with its records on both sides."""
    supporting, denying = (list(map(evidence_record, side)) for side in claim[1:])
    return {"hash": claim.edge.claim.hash, **edge_record(claim.edge), "evidence": supporting, "contradicting": denying}


class FoundChains(NamedTuple):
    """The chains from one concept to another, best first, in the graph or in the `world` of some settings, and what changed."""

    view: GraphView
    cause: str
    effect: str
    paths: Sequence[Path]
    world: InterventionWorld | None = None
    changed: WorldDifference | None = None


def find_chains(
    store: GraphView,
    ends: tuple[Sequence[str], Sequence[str]],
    settings: Sequence[GraphSetting] = (),
    *,
    max_length: int = 4,
    limit: int = 5,
    valid: bool = False,
) -> FoundChains:
    """Return the chains between concepts, each end in all its names; `valid`: only likely valid ones, the likeliest first."""
    causes, effects = ends
    world = apply_settings(store, settings, kinds_among=causes_asked_about(store, effects[0])) if settings else None
    view, changed = (world.view if world else store), None
    most = max(limit, CHAINS_JUDGED) if valid else limit
    if world is None:
        paths = best_paths(store, causes, effects, max_length, most, DRIVING_LINKS)
    else:
        from graph.intervene.effect_probability import compare_worlds

        changed = compare_worlds(store, world.view, effects, causes, DRIVING_LINKS, max_length, most)
        paths = sorted((*changed.surviving, *changed.gained), key=lambda path: (-path.score, path.concepts))[:most]
    if valid:
        paths = [path for probability, path in rank_by_validity(paths, view) if probability >= MIN_VALIDITY][:limit]
    return FoundChains(view, causes[0], effects[0], paths, world, changed)


def chain_records(search: FoundChains) -> list[schema.ChainRecord]:
    """Return the chains of a search; in another world, those of that world and those that it lost, and what became of each."""
    changed = search.changed
    chances = None if changed is None else chances_record(search.effect, (search.cause,), changed.chances)
    fates = {path: word for word in ("surviving", "gained", "lost") for path in (getattr(changed, word) if changed else ())}
    return [
        {
            "concepts": list(path.concepts),
            "score": round(path.score, 4),
            "validity": round(chain_validity(path, search.view), 4),
            "edges": list(map(edge_record, path.edges)),
            "change": fates.get(path),
            "probability": chances,
        }
        for path in (*search.paths, *(changed.lost if changed else ()))
    ]
