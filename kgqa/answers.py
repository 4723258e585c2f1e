"""Questions, their types and slots, and answers: what `kgqa ask --json` prints has the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from graph.model import Claim, Evidence, Path, Polarity, Relation, Source, Strength
from kgqa.question import (
    QuestionType,
)

if TYPE_CHECKING:
    from graph.intervene.world_difference import EffectProbabilities


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
