"""The shape of `kgqa ask --json` as typed dictionaries: the types of `kgqa.record`, and the JSON Schema.

Every key is always there. What does not apply is null or an empty list; a list is never null.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict, is_typeddict


class ClaimRecord(TypedDict):
    """The claim that a sentence bears on."""

    cause: str
    effect: str
    relation: str


class EdgeLinkRecord(ClaimRecord):
    """A step of the path of an answer."""

    belief: float
    """0 to 1"""


class FindingRecord(TypedDict):
    """One of the answers."""

    text: str
    confidence: float
    """0 to 1"""
    relation: str | None
    """`causes`, `associated`, `is for` ...; null for words of a text"""
    polarity: str | None
    """`none`, `increases`, `decreases`, `prevents` ..."""
    strength: str | None
    """the verb class: `causes`, `contributes to`, `leads to` ..."""
    support: int
    """number of independent sources"""
    merged: list[str]
    """other names of the graph that say nearly the same and are shown once"""
    path: list[EdgeLinkRecord]
    """the claims from cause to effect; empty for words of a text"""


class ConditionRecord(TypedDict):
    """What an "if" supposes."""

    text: str
    target: str
    """the concept that is set"""
    value: str
    """`absent`, `present`, or how it changes"""
    effect: str | None
    """the other end, where a claim is set"""
    also: list[ConditionRecord]
    """further conditions of the same question"""
    joined: str | None
    """`and` or `or`"""


class OptionsRecord(TypedDict):
    """The alternatives between which a question asks to choose."""

    slot: str
    phrases: list[str]
    joined: str


class SlotsRecord(TypedDict):
    """The phrases of a question by their role."""

    cause: str | None
    effect: str | None
    relation: str | None
    condition: ConditionRecord | None
    outcome: str | None
    population: str | None
    place: str | None
    time: str | None
    comparison: str | None
    options: OptionsRecord | None


class TypeRecord(TypedDict):
    """The type of a question."""

    semantic: str | None
    """`cause`, `goal`, `purpose`, `enablement`, `result`, `verification`; null where it is not causal"""
    pragmatic: str | None
    """the intent: `information`, `action`, `other`"""
    pragmatic_subtype: str | None
    attributes: list[str]
    slots: SlotsRecord
    confidence: float
    """of the semantic class, 0 to 1"""
    mood: float | None
    """how surely the question supposes something, 0 to 1"""
    pragmatic_confidence: float
    scores: dict[str, float]
    """probability by semantic class"""
    pragmatic_scores: dict[str, float]
    """probability by intent"""
    rules: list[str]
    """the rules that matched"""


class EvidenceSourceRecord(TypedDict):
    """Where a sentence stands."""

    kind: str
    title: str | None
    page_id: str | None
    url: str | None
    section: str | None
    start: int | None
    """first character in the text"""
    end: int | None


class EvidenceRecord(TypedDict):
    """A sentence, or its place, with what it says of a claim."""

    text: str | None
    """the sentence; null where the graph keeps places only"""
    stance: str
    """`asserted`, `negated`, `hedged`, `questioned`, `hypothetical`"""
    rule: str
    context: dict[str, str | list[str]]
    """what the sentence ties the claim to, by slot: `population`, `place`, `time`, `dose`, `condition`, `capability`, ..."""
    source: EvidenceSourceRecord
    claim: ClaimRecord | None
    """null for a sentence that a reader points at"""
    marked: list[int] | None
    """first and last character of the answer in `text`"""


InterventionRecord = TypedDict("InterventionRecord", {"operation": str, "target": str, "value": str, "from": str})
"""An edit of the graph (`do`, `add`, `remove`, `replace`) or of facts of a passage; `from` are the words that asked for it."""


class ChancesRecord(TypedDict):
    """How probable an effect is in both worlds, and what that was computed from."""

    of: str
    given: list[str]
    """what alone is supposed to be present"""
    before: dict[str, float | None]
    """`noisy_or`, `sampled`, `low`, `high`"""
    after: dict[str, float | None]
    samples: int
    seed: int
    concepts: int
    length: int
    complete: bool


class DifferenceRecord(TypedDict):
    """What interventions change in an answer."""

    lost: list[str]
    gained: list[str]
    surviving: list[str]
    probability: ChancesRecord | None


class FlipRecord(TypedDict):
    """Sources without which the verdict is another one."""

    without: list[str]
    becomes: str


class SeparationRecord(TypedDict):
    """What tells the two sides of a contested claim apart."""

    slot: str
    supporting: list[str]
    denying: list[str]


class MissingRecord(TypedDict):
    """What would have been needed for an answer."""

    what: str
    where: str


class GraphRecord(TypedDict):
    """The graph that was asked."""

    url: str | None
    """`memory:` for a passage"""
    digest: str | None


class PresuppositionRecord(TypedDict):
    """What a question takes for granted, with how that stands to the evidence."""

    text: str
    """a sentence that stands alone"""
    trigger: str
    """the kind of words that take it for granted: `why`, `since`, `if`, `stop`, ..."""
    start: int
    """the first character of those words in the question"""
    end: int
    """the character behind them"""
    status: str
    """`supported`, `contradicted`, `contested`, `unknown` or `suspect`"""
    probability: float | None
    """that it is false; null where nothing tells"""
    critical: bool
    """whether the question has no answer without it"""
    correction: str | None
    """what is so instead, with the reason; null unless it is contradicted"""
    evidence: list[EvidenceRecord]
    """what decides it"""


class AnswerRecord(TypedDict):
    """An answer as `kgqa ask --json` prints it."""

    id: Any
    """the `id` of the line of a batch, as it came; else null"""
    question: str
    """the question, in single spaces"""
    type: TypeRecord
    """class, intent and slots of the question"""
    route: str
    """what answered: `graph`, `reader`, `intervention-graph`, `intervention-passage`, `presupposition` or `none`"""
    verdict: str | None
    """`yes`, `no`, `contested` or `unknown` for questions that ask whether"""
    answer: str | None
    """the best answer in short: the `text` of the first of `answers`; null where there is none"""
    sentence: str
    """the answer in a sentence, with its hedges, or why there is none"""
    answers: list[FindingRecord]
    """all answers, the best first"""
    confidence: float
    """calibrated, 0 to 1"""
    evidence: list[EvidenceRecord]
    """what supports the answer"""
    against: list[EvidenceRecord]
    """what speaks against it"""
    presuppositions: list[PresuppositionRecord]
    """what the question takes for granted, as far as it was found, and how that stands to the evidence"""
    interventions: list[InterventionRecord]
    """what `--do` or the "if" set: `target` is a concept, `X → Y` or a fact; `from`, what asked for it"""
    difference: DifferenceRecord | None
    """what the interventions change; null where nothing was set"""
    connection: str | None
    """for a verdict, how cause and effect are connected: `direct cause`, `mediated`, `common cause`, `reversed`, ..."""
    flips: list[FlipRecord]
    """the smallest sets of sources without which the verdict is another one"""
    separation: SeparationRecord | None
    """for a contested verdict, the slot of the context that tells the sides apart"""
    notes: list[str]
    """what the intent of the question adds, such as medical advice"""
    trace: list[str]
    """the decisions, in words"""
    missing: list[MissingRecord]
    """what would be needed for an answer, and where it probably is"""
    cypher: str | None
    """with `--cypher`, the statement that draws the answer in Neo4j Browser"""
    elapsed_ms: float | None
    """milliseconds that answering took, without the start of the process"""
    graph: GraphRecord


def answer_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of an answer; descriptions are those of the fields. Imports pydantic."""
    from pydantic import ConfigDict, TypeAdapter

    for record in filter(is_typeddict, [*globals().values()]):
        config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
        setattr(record, "__pydantic_config__", config)  # noqa: B010 (a typed dictionary declares no such name)
    schema = TypeAdapter(AnswerRecord).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
