"""Questions, their types and slots, and answers: what `kgqa ask --json` prints has the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from graph.intervene import Presence
from graph.model import Claim, Evidence, Path, Polarity, Relation, Source, Strength

if TYPE_CHECKING:
    from graph.intervene.worlds import EffectProbabilities


class Semantic(StrEnum):
    """The six semantic classes of causal questions (Bondarenko et al. 2022, section 3, table 2a)."""

    CAUSE = "cause"
    GOAL = "goal"
    PURPOSE = "purpose"
    ENABLEMENT = "enablement"
    RESULT = "result"
    VERIFICATION = "verification"


class Intent(StrEnum):
    """What somebody wants who asks a causal question (Bondarenko et al. 2022, section 3, table 2b)."""

    SOLUTION = "solution seeking"
    KNOWLEDGE = "knowledge seeking"
    OPINION = "opinion seeking"


class Pragmatic(StrEnum):
    """The fourteen pragmatic subtypes of causal questions (table 2b), the solution-seeking ones with their domain."""

    PROBLEM_PRACTICAL = "problem solving, practical"
    PROBLEM_MEDICAL = "problem solving, medical"
    PREVENTION_MEDICAL = "problem prevention, medical"
    PREVENTION_SOCIETAL = "problem prevention, societal"
    COPING_MENTAL = "coping with problems, mental coping"
    COPING_ANGER = "coping with problems, anger"
    PHYSICAL_WORLD = "physical world"
    POLITICS_HISTORY = "politics / history"
    LANGUAGE = "language"
    TRIVIA = "trivia / fun facts"
    SOCIAL_ISSUES = "social issues"
    ENTERTAINMENT = "entertainment"
    RATIONAL_FUTURE = "rational future outcomes"
    IRRATIONAL_FUTURE = "irrational future outcomes"

    @property
    def intent(self) -> Intent:
        """The class that the subtype belongs to."""
        place = list(Pragmatic).index(self)
        return Intent.SOLUTION if place < 6 else Intent.KNOWLEDGE if place < 10 else Intent.OPINION


class Attribute(StrEnum):
    """What a question of some class has besides."""

    DISJUNCTION = "disjunction"
    EXPECTATIONAL = "expectational"
    COUNTERFACTUAL = "counterfactual"
    MULTI_SLOT = "multi-slot"
    SUPERLATIVE = "superlative"


class Amount(StrEnum):
    """How much of something an "if" supposes, beside how much there is."""

    MORE = "more"
    LESS = "less"


class Condition(NamedTuple):
    """The "if" of a question: what it supposes of which phrase.

    With an `amount`, it is that there is more or less of the target, which is present. With an `effect`, it is about the claim
    that the target stands in this `relation` to it: that it is so, or that it is not. `also` is what else is supposed, `joined`
    by "and", all of it, or by "or", one or the other of it; what `follows` is said to be so because of what stands before it.
    """

    text: str
    target: str
    presence: Presence
    amount: Amount | None = None
    effect: str | None = None
    relation: Relation = Relation.CAUSES
    also: tuple[Condition, ...] = ()
    joined: str = "and"
    follows: bool = False

    @property
    def value(self) -> str:
        """What is supposed of the target: "absent", "present", "more" or "less"."""
        return (self.amount or self.presence).value

    @property
    def each(self) -> tuple[Condition, ...]:
        """Everything that is supposed, one by one."""
        return (self._replace(also=(), joined="and"), *self.also)


class EffectOutcome(StrEnum):
    """What a question with an "if" asks of its effect: whether it happens at all, becomes more, less, none, or changes."""

    HAPPENS = "happens"
    MORE = "more"
    LESS = "less"
    GONE = "gone"
    CHANGES = "changes"


class SlotOptions(NamedTuple):
    """Several phrases that fill one slot, "cause" or "effect": joined by "or" a choice, by "and" all of them together."""

    slot: str
    phrases: tuple[str, ...]
    joined: str


@dataclass(frozen=True, slots=True)
class Slots:
    """The phrases of a question that stand for concepts, as the question has them.

    `relation` is the relation that is asked for: `PREVENTS` for "What prevents scurvy?", `CAUSES` where nothing else is said.
    `population`, `place` and `time` narrow the question down ("in adults", "in Africa", "in 1929") and are then no part of
    `cause` or `effect`. `comparison` is what compares two causes or effects ("more than"). Where `options` name several phrases
    of a slot, the slot itself holds them all, as the question has them. `outcome` is what is asked of the effect under an "if".
    """

    cause: str | None = None
    effect: str | None = None
    relation: Relation = Relation.CAUSES
    condition: Condition | None = None
    population: str | None = None
    place: str | None = None
    time: str | None = None
    comparison: str | None = None
    options: SlotOptions | None = None
    outcome: EffectOutcome | None = None


@dataclass(frozen=True, slots=True)
class QuestionType:
    """How a question was understood. `semantic` is `None` for a question that is not causal.

    `pragmatic` is `None` for a question that is not causal and where no subtype is sure enough; `intent` is then the class
    alone, if that is. `rules` names what matched, for those who ask why; `confidence` (of the semantic class) and
    `pragmatic_confidence` lie in 0..1. `scores` and `pragmatic_scores` are the probabilities of the classes, likeliest first.
    `mood`, of a question with an "if", is how surely (0..1) its verbs say that this is only supposed ("had", "were to", "would"),
    and not taken for so; it is a prior, and does not say whether it is so.
    """

    semantic: Semantic | None
    slots: Slots
    attributes: tuple[Attribute, ...] = ()
    pragmatic: Pragmatic | None = None
    confidence: float = 0.0
    rules: tuple[str, ...] = ()
    intent: Intent | None = None
    pragmatic_confidence: float = 0.0
    scores: tuple[tuple[str, float], ...] = ()
    pragmatic_scores: tuple[tuple[str, float], ...] = ()
    mood: float | None = None


class Route(StrEnum):
    """Which part of kgqa made an answer."""

    GRAPH = "graph"
    READER = "reader"
    INTERVENTION_GRAPH = "intervention-graph"
    INTERVENTION_PASSAGE = "intervention-passage"
    PRESUPPOSITION = "presupposition"
    NONE = "none"


class Verdict(StrEnum):
    """The answer to a question that asks whether."""

    YES = "yes"
    NO = "no"
    CONTESTED = "contested"
    UNKNOWN = "unknown"


class CausalConnection(StrEnum):
    """How the cause of a question is connected with its effect, as far as the graph knows."""

    DIRECT = "direct cause"
    MEDIATED = "mediated"
    COMMON_CAUSE = "common cause"
    REVERSED = "reversed"
    ASSOCIATED = "only associated"
    OPPOSITE = "the opposite"
    NONE = "no relation"


class VerdictFlip(NamedTuple):
    """What the verdict becomes without some sources: the smallest sets of independent sources that it rests on."""

    without: tuple[str, ...]
    becomes: Verdict


class ContextSplit(NamedTuple):
    """The slot of the context that best tells the two sides of a contested claim apart, with its words on either side."""

    slot: str
    supporting: tuple[str, ...]
    denying: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfidenceSignals:
    """What the confidence of an answer is reckoned from, as the parts of kgqa measured it; shares lie in 0..1.

    `belief` is that of the claim, or the score of the path, that the answer rests on; `link` how surely the phrases were read;
    `support`, `hedged` and `against` count independent sources; `steps` are the edges of the path, 0 for no path;
    `agreement` is the share of the other ways to an answer that come to the same.
    """

    belief: float = 0.0
    link: float = 1.0
    support: int = 0
    against: int = 0
    hedged: int = 0
    steps: int = 0
    agreement: float = 0.0
    connection: CausalConnection | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One of the answers to a question: a concept, with how it is reached and how strongly it is believed (0..1).

    `merged` are other names of the graph that say nearly the same and are shown once, under `text`.
    """

    text: str
    confidence: float
    relation: Relation
    polarity: Polarity
    strength: Strength
    support: int
    path: Path
    merged: tuple[str, ...] = ()


class CitedEvidence(NamedTuple):
    """An evidence record together with the claim that it bears on."""

    claim: Claim
    evidence: Evidence


class Excerpt(NamedTuple):
    """A sentence of a text that an answer was read in: the characters of the text that it is, and those of the answer in it.

    `rule` says what read it; `marked` is `None` where the answer does not stand in the sentence.
    """

    text: str
    source: Source
    start: int
    end: int
    marked: tuple[int, int] | None = None
    rule: str = ""


class PassageAnswer(NamedTuple):
    """An answer that was read in a text, with its calibrated confidence (0..1), and where it was read."""

    text: str
    confidence: float
    excerpt: Excerpt | None = None


class AppliedIntervention(NamedTuple):
    """An intervention as it was applied: `source` is the phrase of the question, or the option, that asked for it."""

    operation: str
    target: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """What a world changes in an answer: routes or concepts that are no more, that are new, and that are left, best first.

    `chances` is how probable `effect` is in either world if what is `given` is there and nothing else is; `world` names
    that world.
    """

    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    surviving: tuple[str, ...] = ()
    effect: str = ""
    given: tuple[str, ...] = ()
    chances: EffectProbabilities | None = None
    world: str = ""


class MissingInformation(NamedTuple):
    """What would have been needed for an answer, and where it probably is."""

    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about a question: the answer, or why there is none, with the evidence for and against.

    `answer` is the short form, `None` when refused; `sentence` says the same with its hedges; `confidence` lies in 0..1 and is
    calibrated from `signals`. `notes` are what the pragmatic type asks for
    besides ("see a doctor"). For a verdict, `connection` says how the two are connected, `flips` which
    sources it stands and falls with, and `separation` what tells the sides of a contested one apart. `read` are answers that were
    read in texts, the surest first: before the findings of a graph where a reader or an edit of a passage won, else behind them.
    """

    question: str
    type: QuestionType
    route: Route
    sentence: str
    answer: str | None = None
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    confidence: float = 0.0
    evidence: tuple[CitedEvidence, ...] = ()
    against: tuple[CitedEvidence, ...] = ()
    interventions: tuple[AppliedIntervention, ...] = ()
    change: AnswerChange | None = None
    trace: tuple[str, ...] = ()
    missing: tuple[MissingInformation, ...] = ()
    signals: ConfidenceSignals = ConfidenceSignals()
    notes: tuple[str, ...] = ()
    connection: CausalConnection | None = None
    flips: tuple[VerdictFlip, ...] = ()
    separation: ContextSplit | None = None
    read: tuple[PassageAnswer, ...] = ()

    def __str__(self) -> str:
        """Return the answer in a sentence."""
        return self.sentence
