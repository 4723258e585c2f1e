"""Findings of an answer, made of paths and edges, and the evidence that an answer cites, for and against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graph.belief.curation import CURATION, counted_records, wrong_marks
from graph.model import Edge, Evidence, Path, Polarity, Relation, Stance, Strength
from graph.protocols import GraphView
from graph.text.concept_nouns import concept_noun
from graph.text.normalise import concept_name
from graph.topology import is_lessening
from kgqa.answer_model import Answer, CausalConnection, CitedEvidence, ConfidenceSignals, Finding, Route
from kgqa.linking.mention import content_words
from kgqa.questions.question_form import asks_why_or_how
from kgqa.reasons import Conclusion, Step

if TYPE_CHECKING:
    from kgqa.request import Request


def format_path(path: Path) -> str:
    """Return a path in short: "smoking → lung cancer → death"."""
    return " → ".join(path.concepts)


def path_finding(path: Path, scale: float = 1.0) -> Finding:
    """Return a path as a finding, with the relation, strength and support of its weakest edge; `scale` multiplies the score."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return Finding(
        text=format_path(path),
        confidence=path.score * scale,
        relation=weakest.claim.relation,
        polarity=weakest.claim.polarity,
        strength=weakest.strength,
        support=min(edge.support for edge in path.edges),
        path=path,
    )


def was_set_by_hand(edge: Edge) -> bool:
    """Return whether the belief in an edge was set, and does not rest on evidence."""
    return not (edge.support or edge.against or edge.hedged or edge.grounds)


def edge_finding(edge: Edge) -> Finding:
    """Return a single edge as a finding."""
    return path_finding(Path((edge,), edge.belief))


def finding_signals(
    finding: Finding, link: float, connection: CausalConnection, edges: Sequence[Edge] | None = None
) -> ConfidenceSignals:
    """Return the signals of an answer whose first finding this is; sources against it are those of `edges`, or of its path."""
    path = finding.path
    against, hedged = (sum(counts) for counts in zip(*((e.against, e.hedged) for e in edges or path.edges), strict=True))
    return ConfidenceSignals(path.score, link, finding.support, against, hedged, len(path.edges), connection=connection)


def count_decreases(path: Path) -> int:
    """Return in how many steps of a path more of the cause makes less of the effect."""
    return sum(is_lessening((edge.claim.relation, edge.claim.polarity)) for edge in path.edges)


def _claim_force(edge: Edge) -> tuple[object, ...]:
    """Return what an edge claims of its ends, whatever they are: two claims of one force have the same verb.

    The relation, or, for "causes", the strength where it is graded, else the polarity where that is known; whether it links to
    less; whether all of its sources hedge, or else whether the cause is in the plural.
    """
    relation, strength, polarity = edge.claim.relation, edge.strength, edge.claim.polarity
    directed = polarity in (Polarity.INCREASES, Polarity.DECREASES)
    force: Relation | Strength | Polarity = relation
    if relation is Relation.CAUSES:
        force = strength if strength in (Strength.RISK_FACTOR, Strength.ASSOCIATED) or not directed else polarity
    linked = force in (Relation.ASSOCIATED, Strength.ASSOCIATED)
    links_to_less = linked and polarity is Polarity.DECREASES
    hedged = not edge.support and edge.hedged > 0
    plural = concept_noun(edge.cause, relation is Relation.MOTIVATES).plural
    return Relation.ASSOCIATED if linked else force, links_to_less, hedged, plural and not hedged


def distinct_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings without those that claim the same as an earlier finding of forms of the same names ("flood", "floods")."""
    by_claims: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        claims = ((concept_name(edge.cause), _claim_force(edge), concept_name(edge.effect)) for edge in finding.path.edges)
        answered = finding.text if finding.text != format_path(finding.path) else ""
        by_claims.setdefault((answered, *claims), finding)
    return tuple(by_claims.values())


def cite_evidence(
    view: GraphView, edges: Iterable[Edge], each: int = 3
) -> tuple[tuple[CitedEvidence, ...], tuple[CitedEvidence, ...]]:
    """Return the evidence for and the evidence against some edges, up to `each` records of either side an edge.

    Marks of people come first; records that assert come before those that hedge, ask or suppose, then those with a sentence, then
    those with a place. Of a claim that is marked wrong, the marks are cited and not what asserts it.
    """
    supporting: dict[CitedEvidence, None] = {}
    denying: dict[CitedEvidence, None] = {}
    for edge in edges:
        records = sorted(
            cited_records(view.evidence(edge.claim)),
            key=lambda record: (
                *(record.source.kind != CURATION, record.stance is not Stance.ASSERTED),
                *(record.text is None, record.start is None),
            ),
        )
        for side, wanted in ((denying, True), (supporting, False)):
            chosen = [record for record in records if (record.stance is Stance.NEGATED) is wanted][:each]
            side.update(dict.fromkeys(CitedEvidence(edge.claim, record) for record in chosen))
    return tuple(supporting), tuple(denying)


def cited_records(records: Sequence[Evidence]) -> list[Evidence]:
    """Return the records of a claim that an answer may cite: those that count, and the marks for which others do not."""
    return [*counted_records(records), *(record for record, _ in wrong_marks(records))]


def join_answers(request: Request, names: Sequence[str], answers: Sequence[Answer], conclusion: Conclusion) -> Answer:
    """Return what several answers say together, each step under the name of its answer; the answer itself is left open."""
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if any(answer.route is not Route.NONE for answer in answers) else Route.NONE,
        conclusion=conclusion,
        evidence=tuple(dict.fromkeys(cited for answer in answers for cited in answer.evidence)),
        against=tuple(dict.fromkeys(cited for answer in answers for cited in answer.against)),
        interventions=tuple(item for answer in answers for item in answer.interventions),
        steps=tuple(Step("of_part", (name, step)) for name, answer in zip(names, answers, strict=True) for step in answer.steps),
        gaps=tuple(dict.fromkeys(gap for answer in answers for gap in answer.gaps)),
    )


def repeats_question(answer: Answer) -> bool:
    """Return whether a list for why or how tells no more than its question: of two things, or what the question names itself."""
    listed = answer.findings and answer.connection is None and answer.verdict is None
    if not asks_why_or_how(answer.question) or not listed:
        return False
    own = set(content_words(answer.question))
    slots = answer.type.slots
    return bool(slots.cause and slots.effect) or all(set(content_words(finding.text)) <= own for finding in answer.findings)
