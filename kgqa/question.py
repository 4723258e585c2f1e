"""The models of a typed question: its slots, its condition, its classes and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from graph.intervene import Presence
from graph.model import Relation

if TYPE_CHECKING:
    from kgqa.questions.conditional_parser import ConditionalQuestion


class Semantic(StrEnum):
    """The six semantic classes of causal questions (Bondarenko et al. 2022, section 3, table 2a)."""

    CAUSE = "cause"
    GOAL = "goal"
    PURPOSE = "purpose"
    ENABLEMENT = "enablement"
    RESULT = "result"
    VERIFICATION = "verification"


class Intent(StrEnum):
    """The intent of a causal question (Bondarenko et al. 2022, section 3, table 2b)."""

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
    """A property of a question beside its class."""

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
    by "and", all of it, or by "or", one or the other of it; one that `follows` is stated as a result of the one before it.
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
    """Several phrases that fill one slot, "cause" or "effect": joined by "or" a choice, by "and" all of them together.

    Those that "then" joins are steps of a chain, each the cause of the next; the last is empty where it is asked for.
    """

    slot: str
    phrases: tuple[str, ...]
    joined: str


@dataclass(frozen=True, slots=True)
class Slots:
    """The phrases of a question that stand for concepts, as the question has them.

    `relation` is the relation of the question: `PREVENTS` for "What prevents scurvy?", by default `CAUSES`.
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
    alone, if that is. `rules` names what matched; `confidence` (of the semantic class) and
    `pragmatic_confidence` lie in 0..1. `scores` and `pragmatic_scores` are the probabilities of the classes, highest first.
    `mood`, of a question with an "if", is how surely (0..1) its verbs say that this is only supposed ("had", "were to", "would"),
    and not taken for so; it is a prior, and does not say whether it is so. `conditional` is the parse of such a question.
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
    conditional: ConditionalQuestion | None = None
