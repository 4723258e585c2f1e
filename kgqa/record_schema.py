"""The shape of `kgqa ask --json` as typed dictionaries: the types of `kgqa.record`, and the JSON Schema.

Every key is always there. What does not apply is null or an empty list; a list is never null.
"""

from __future__ import annotations

from typing import Any, NotRequired

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


class GapPlaceRecord(TypedDict):
    """Where what is missing probably is."""

    kind: str
    """`link`, `article`, `claim` or `command`"""
    text: str
    """the title of the article, the claim, or the command"""
    probability: float | None
    """0 to 1; null where nothing tells"""
    anchor: str | None
    """the words of the link; null for what is no link"""
    offset: int | None
    """the character of the passage at which the link begins"""
    sentence: int | None
    """the number of its sentence, from 1"""


class MissingRecord(TypedDict):
    """What would have been needed for an answer."""

    what: str
    where: str
    slot: str | None
    """the part of the question that is open"""
    type: str | None
    """what sort of thing would fill it, such as `year` or `name`"""
    places: list[GapPlaceRecord]
    """where that probably is, the likeliest first"""


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


class EdgeRecord(TypedDict):
    """A claim with the belief of the graph in it."""

    cause: str
    effect: str
    relation: str
    polarity: str
    support: int
    """independent sources that assert it"""
    against: int
    """independent sources that deny it"""
    hedged: int
    """independent sources that hedge it"""
    strength: str
    belief: float
    """0 to 1"""


class EdgeEvidenceRecord(EdgeRecord):
    """A claim with records on both sides."""

    evidence: list[EvidenceRecord]
    contradicting: list[EvidenceRecord]


class ClaimEvidenceRecord(EdgeEvidenceRecord):
    """A claim with every record on both sides."""

    hash: str
    """32 hexadecimal digits that identify the claim"""


class CurationRecord(TypedDict):
    """A mark that a person set on a claim."""

    claim: str
    """32 hexadecimal digits that identify the claim"""
    cause: str
    effect: str
    relation: str
    polarity: str
    mark: str
    """`right`, `wrong` or `open`"""
    reason: str
    curator: str
    time: str
    """when it was set, in ISO 8601"""


class LoopRecord(TypedDict):
    """A feedback loop."""

    concepts: list[str]
    score: float
    reinforcing: bool
    """or else balancing"""
    edges: list[EdgeRecord]


class ConceptRecord(TypedDict):
    """A concept as `kgqa show --json` prints it."""

    concept: str
    names: list[str]
    aliases: list[str]
    causes: list[EdgeEvidenceRecord]
    effects: list[EdgeEvidenceRecord]
    loops: NotRequired[list[LoopRecord]]


class ChainRecord(TypedDict):
    """A chain of claims as `kgqa path --json` prints it."""

    concepts: list[str]
    score: float
    """belief in the chain, 0 to 1"""
    validity: float
    """how probably the chain as a whole is valid, 0 to 1"""
    edges: list[EdgeRecord]
    change: str | None
    """in another world: `surviving`, `gained` or `lost`"""
    probability: ChancesRecord | None


class ChainsRecord(TypedDict):
    """The chains from one concept to another."""

    cause: str
    effect: str
    paths: list[ChainRecord]


class QuestionTypeRecord(TypeRecord):
    """The type of a question as `kgqa type --json` prints it."""

    question: str
    why: list[str]
    """the reasons of the decision"""


class SearchRecord(TypedDict):
    """Concepts and sentences that have some words."""

    q: str
    concepts: list[str]
    similar: list[str]
    """names that are spelt like the words, where no concept has them"""
    sentences: list[EvidenceRecord]


class SuggestionRecord(TypedDict):
    """Names of concepts that complete what was typed, those of most claims first."""

    q: str
    concepts: list[str]


class MinedClaimRecord(TypedDict):
    """A claim of a sentence; spans are characters of the sentence, end exclusive."""

    cause: str
    effect: str
    cause_span: list[int]
    effect_span: list[int]
    cue_span: list[int]
    relation: str
    polarity: str
    strength: str
    stance: str
    context: dict[str, str | list[str]]
    rule: str
    judged: float | None
    """the probability that the sentence states the claim, as a judge of claims has it"""


class SentenceClaimsRecord(TypedDict):
    """A sentence with its claims, as `kgqa extract --json` prints it."""

    id: Any
    text: str
    claims: list[MinedClaimRecord]


class ExtractionRecord(TypedDict):
    """The sentences of a text with their claims."""

    sentences: list[SentenceClaimsRecord]


class ReceiptOptionsRecord(TypedDict):
    """The options of `kgqa ask` with which a question was answered."""

    graph: str | None
    """the address; null for the starter graph and for a passage"""
    do: list[str]
    limit: int
    risk: float | None
    reader: str | None
    corpus: str | None
    articles: str | None
    follow: bool
    cypher: bool
    quotes: bool


class ReceiptPassageRecord(TypedDict):
    """The text that a question was answered from."""

    path: str | None
    """the file, `-` for stdin; null where the text itself was given"""
    text: str
    digest: str
    """SHA-256 of the text"""


class ReceiptClaimRecord(ClaimRecord):
    """A claim that an answer rests on."""

    polarity: str
    hash: str
    """32 hexadecimal digits that identify the claim"""
    edge: str | None
    """digest of its belief and counts; null where only its records were used"""
    evidence: list[str]
    """digests of the records that were used, as they are shown"""


class ReplyTokenRecord(TypedDict):
    """A token of a reply, and the natural logarithm of its probability."""

    text: str
    logprob: float


class ChatReplyRecord(TypedDict):
    """The reply of a chat server."""

    text: str
    tokens: list[ReplyTokenRecord]
    finish: str
    """why it ended: `stop`, `length`"""
    prompt_tokens: int | None
    completion_tokens: int | None
    refused: bool


class ChatExchangeRecord(TypedDict):
    """A request to a chat server, and its reply."""

    url: str
    request: dict[str, Any]
    reply: ChatReplyRecord


class DecisionRecord(TypedDict):
    """A part of the explanation that `--explain` prints."""

    heading: str
    lines: list[str]


class ReceiptSystemRecord(TypedDict):
    """How `kgqa evaluate` asked a question: its item, and the options of the run that bear on its answer."""

    id: str
    """that of the item"""
    pair: list[str] | None
    """the cause and the effect of the question, where the data set marks them"""
    way: str
    closed: bool
    queries: str
    read: int
    """how many passages of a corpus are read"""
    joined: bool
    """whether the graph of the passage is asked as well"""


class ReceiptRecord(TypedDict):
    """What `kgqa ask --receipt` writes and `kgqa replay` reads: an answer with everything that it was made of."""

    kgqa_receipt: int
    """the version of this format"""
    question: str
    options: ReceiptOptionsRecord
    version: str
    """that of kgqa"""
    code: str
    """digest of its modules, rules and tables"""
    packages: dict[str, str]
    """the versions of Python and of the packages that compute"""
    settings: dict[str, str]
    """the variables of the environment that bear on answers, as they were set; no secrets"""
    graph: str | None
    """digest of the graph; null where a passage was read without being mined"""
    passage: ReceiptPassageRecord | None
    corpus: str | None
    """SHA-256 of the file of the corpus"""
    articles: str | None
    """SHA-256 of the index that the links of a passage lead into"""
    models: dict[str, str]
    """SHA-256 of the models that were loaded, by their folder or file"""
    claims: list[ReceiptClaimRecord]
    chat: list[ChatExchangeRecord]
    decisions: list[DecisionRecord]
    record: AnswerRecord
    """the answer as `--json` prints it, without the time that it took"""
    system: NotRequired[ReceiptSystemRecord]
    """how the question was asked, where `kgqa evaluate` did"""
    digest: str
    """SHA-256 of all the other fields"""


class StatsRecord(TypedDict):
    """Counts and digest of a graph as `kgqa stats --json` prints them."""

    url: str
    digest: str
    concepts: int
    edges: int
    claims: int
    evidence: int
    sentences: int
    relations: dict[str, int]
    sources: dict[str, int]
    version: str


class HealthRecord(TypedDict):
    """Whether the server can answer."""

    status: str
    """`ok`"""
    version: str
    digest: str


class ProblemRecord(TypedDict):
    """A problem in the form of RFC 9457, with a remedy."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str
    """what to try; empty where nothing is known to help"""


def answer_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of an answer; descriptions are those of the fields. Imports pydantic."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_type_adapter(AnswerRecord).json_schema()}


def check_record(record: Any, value: object) -> None:
    """Raise `ValueError`, in one line, for a value that is not a record of a type of this module. Imports pydantic."""
    from pydantic import ValidationError

    try:
        _type_adapter(record).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"'{place}': {first['msg'][:1].lower()}{first['msg'][1:]}") from None


def component_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas of all records by name, as the components of an OpenAPI document. Imports pydantic."""
    from pydantic import TypeAdapter

    records = [record for record in globals().values() if is_typeddict(record)]
    inputs = [(record.__name__, "serialization", _type_adapter(record)) for record in records]
    _, schema = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    schemas: dict[str, dict[str, Any]] = schema["$defs"]
    return schemas


def _type_adapter(record: Any) -> Any:
    """Return what validates a record, its descriptions those of the fields."""
    from pydantic import ConfigDict, TypeAdapter

    for item in filter(is_typeddict, [*globals().values()]):
        config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
        setattr(item, "__pydantic_config__", config)  # noqa: B010 (a typed dictionary declares no such name)
    return TypeAdapter(record)
