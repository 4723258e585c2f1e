"""Questions, their types and slots, and answers: what `kgqa ask --json` prints has the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from graph.intervene import Presence
from graph.model import Claim, Evidence, Path, Polarity, Relation, Strength

if TYPE_CHECKING:
    from graph.intervene.worlds import Chances


class Semantic(StrEnum):
    """The six semantic classes of causal questions (Bondarenko et al. 2022, section 3, table 2a)."""

    CAUSE = "cause"
    GOAL = "goal"
    PURPOSE = "purpose"
    ENABLEMENT = "enablement"
    RESULT = "result"
    VERIFICATION = "verification"


class Attribute(StrEnum):
    """What a question of some class has besides."""

    DISJUNCTION = "disjunction"
    EXPECTATIONAL = "expectational"
    COUNTERFACTUAL = "counterfactual"
    MULTI_SLOT = "multi-slot"
    SUPERLATIVE = "superlative"


@dataclass(frozen=True, slots=True)
class Condition:
    """The "if" of a question: what it supposes of which phrase."""

    text: str
    target: str
    presence: Presence


@dataclass(frozen=True, slots=True)
class Slots:
    """The phrases of a question that stand for concepts, as the question has them.

    `relation` is the relation that is asked for: `PREVENTS` for "What prevents scurvy?", `CAUSES` where nothing else is said.
    """

    cause: str | None = None
    effect: str | None = None
    relation: Relation = Relation.CAUSES
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class QuestionType:
    """How a question was understood. `semantic` is `None` for a question that is not causal.

    `pragmatic` is `None` until there is a classifier for it. `rules` names what matched, for those who ask why;
    `confidence` lies in 0..1.
    """

    semantic: Semantic | None
    slots: Slots
    attributes: tuple[Attribute, ...] = ()
    pragmatic: str | None = None
    confidence: float = 0.0
    rules: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Finding:
    """One of the answers to a question: a concept, with how it is reached and how strongly it is believed (0..1)."""

    text: str
    confidence: float
    relation: Relation
    polarity: Polarity
    strength: Strength
    support: int
    path: Path


@dataclass(frozen=True, slots=True)
class Cited:
    """An evidence record together with the claim that it bears on."""

    claim: Claim
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Applied:
    """An intervention as it was applied: `source` is the phrase of the question, or the option, that asked for it."""

    operation: str
    target: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a world changes in an answer: routes or concepts that are no more, that are new, and that are left, best first.

    `chances` is how probable `effect` is in either world if what is `given` is there and nothing else is; `world` names
    that world.
    """

    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    surviving: tuple[str, ...] = ()
    effect: str = ""
    given: tuple[str, ...] = ()
    chances: Chances | None = None
    world: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """What would have been needed for an answer, and where it probably is."""

    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about a question: the answer, or why there is none, with the evidence for and against.

    `answer` is the short form, `None` when refused; `sentence` says the same with its hedges; `confidence` lies in 0..1.
    """

    question: str
    type: QuestionType
    route: Route
    sentence: str
    answer: str | None = None
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    confidence: float = 0.0
    evidence: tuple[Cited, ...] = ()
    against: tuple[Cited, ...] = ()
    interventions: tuple[Applied, ...] = ()
    change: Change | None = None
    trace: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
