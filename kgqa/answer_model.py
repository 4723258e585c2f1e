"""Answers: what they say, why, and what they rest on, as data; the English of an answer is made when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.model import Claim, Evidence, Path, Polarity, Relation, Source, Strength
from kgqa.question import QuestionType

if TYPE_CHECKING:
    from graph.intervene.effect_probability import EffectProbabilities
    from kgqa.linking.concept_links import ConceptLink
    from kgqa.reasons import Conclusion, GapPlace, Missing, Step

_MOST_DRAWN = 12
"""How many claims the picture of an answer shows at most."""


class Route(StrEnum):
    """Which part of kgqa made an answer."""

    GRAPH = "graph"
    READER = "reader"
    INTERVENTION_GRAPH = "intervention-graph"
    INTERVENTION_PASSAGE = "intervention-passage"
    PRESUPPOSITION = "presupposition"
    NONE = "none"


class Verdict(StrEnum):
    """The answer to a yes/no question."""

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


LARGEST_FLIP = 3
"""The most sources whose removal is tested for a change of the verdict."""


class VerdictFlip(NamedTuple):
    """What the verdict becomes without some sources: a smallest set of independent sources that it rests on."""

    without: tuple[str, ...]
    becomes: Verdict


class ContextSplit(NamedTuple):
    """The slot of the context that best separates the two sides of a contested claim, with its words on either side."""

    slot: str
    supporting: tuple[str, ...]
    denying: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfidenceSignals:
    """What the confidence of an answer is computed from; shares lie in 0..1.

    `belief` is that of the claim, or the score of the path, that the answer rests on; `link` is the confidence of the linked
    phrases; `support`, `hedged` and `against` count independent sources; `steps` are the edges of the path, 0 for no path;
    `agreement` is the share of the other methods that give the same answer. `doubtful` says that an editor would hardly name what
    the answer names.
    """

    belief: float = 0.0
    link: float = 1.0
    support: int = 0
    against: int = 0
    hedged: int = 0
    steps: int = 0
    agreement: float = 0.0
    connection: CausalConnection | None = None
    doubtful: bool = False


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
    """An evidence record with the claim that it is about."""

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
    """An intervention as it was applied: `source` is the phrase of the question, or the option, that requests it."""

    operation: str
    target: str
    value: str
    source: str


class ChangedRoute(NamedTuple):
    """A route, by its concepts, or a single concept, that a world changes; `lessens` where it makes less of its last concept."""

    concepts: tuple[str, ...]
    lessens: bool = False


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """What a world changes in an answer: routes or concepts that it removes, adds and retains, best first.

    `lost`, `gained` and `surviving` are the same as texts. `chances` is the probability of `effect` in either world if what is
    `given` is present and nothing else is; `world` names that world.
    """

    removed: tuple[ChangedRoute, ...] = ()
    added: tuple[ChangedRoute, ...] = ()
    retained: tuple[ChangedRoute, ...] = ()
    effect: str = ""
    given: tuple[str, ...] = ()
    chances: EffectProbabilities | None = None
    world: str = ""

    @property
    def lost(self) -> tuple[str, ...]:
        """The routes or concepts that the world removes, in short."""
        return _words("trace_lines:word_route", self.removed)

    @property
    def gained(self) -> tuple[str, ...]:
        """The routes or concepts that the world adds, in short."""
        return _words("trace_lines:word_route", self.added)

    @property
    def surviving(self) -> tuple[str, ...]:
        """The routes or concepts that the world keeps, in short."""
        return _words("trace_lines:word_route", self.retained)


class MissingInformation(NamedTuple):
    """What would have been needed for an answer, and where it probably is, in English; the rest is as in `Missing`."""

    what: str
    where: str
    slot: str = ""
    type: str = ""
    places: tuple[GapPlace, ...] = ()


class PresuppositionStatus(StrEnum):
    """How what a question takes for granted stands to the evidence; `SUSPECT` is doubtful without evidence that decides."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    CONTESTED = "contested"
    UNKNOWN = "unknown"
    SUSPECT = "suspect"


@dataclass(frozen=True, slots=True)
class Presupposition:
    """A sentence that a question takes for granted; `trigger` names what in the question does, from `start` to `end`.

    It is `critical` where the question has no answer without it. `probability`, 0..1, is that it is false, `None` where
    nothing tells; `excerpts` are sentences of texts that decide it, and `correction` is what is so instead.
    """

    text: str
    trigger: str
    start: int
    end: int
    critical: bool = True
    status: PresuppositionStatus = PresuppositionStatus.UNKNOWN
    probability: float | None = None
    evidence: tuple[CitedEvidence, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    correction: Conclusion | None = None

    @property
    def correction_sentence(self) -> str | None:
        """The correction as a sentence; `None` where there is none."""
        if self.correction is None:
            return None
        return str(*_words("conclusion_sentences:word_conclusion", [self.correction]))


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about a question: the answer, or why there is none, with the evidence for and against.

    `conclusion` is what the answer says, `steps` are the decisions that led to it, `gaps` what it lacks, and `remarks` what the
    pragmatic type adds ("see a doctor"), each as data or as English; `sentence`, `trace`, `missing` and `notes` are
    the same in English. `answer` is the short form, `None` when refused; `confidence` lies in 0..1 and is calibrated from
    `signals`. For a verdict, `connection` is how the two are connected, `flips` the sources it rests on, and `separation` the
    context that separates the sides of a contested claim. `read` are answers that a reader found in texts, best first.
    `presuppositions` is what the question takes for granted, as far as it was checked.
    """

    question: str
    type: QuestionType
    route: Route
    conclusion: Conclusion | str
    answer: str | None = None
    verdict: Verdict | None = None
    findings: tuple[Finding, ...] = ()
    confidence: float = 0.0
    evidence: tuple[CitedEvidence, ...] = ()
    against: tuple[CitedEvidence, ...] = ()
    interventions: tuple[AppliedIntervention, ...] = ()
    change: AnswerChange | None = None
    steps: tuple[Step | ConceptLink | str, ...] = ()
    gaps: tuple[Missing | MissingInformation, ...] = ()
    signals: ConfidenceSignals = ConfidenceSignals()
    remarks: tuple[Step | str, ...] = ()
    connection: CausalConnection | None = None
    flips: tuple[VerdictFlip, ...] = ()
    separation: ContextSplit | None = None
    read: tuple[PassageAnswer, ...] = ()
    presuppositions: tuple[Presupposition, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether there is an answer, or a verdict other than unknown."""
        return self.answer is not None or self.verdict not in (None, Verdict.UNKNOWN)

    @property
    def is_thin(self) -> bool:
        """Whether the answer says little."""
        return not isinstance(self.conclusion, str) and self.conclusion.is_thin

    @property
    def sentence(self) -> str:
        """The conclusion with its hedges, as a sentence."""
        return str(*_words("conclusion_sentences:word_conclusion", [self.conclusion]))

    @property
    def trace(self) -> tuple[str, ...]:
        """The decisions from the question to the answer, a line each."""
        return _words("trace_lines:word_step", self.steps)

    @property
    def missing(self) -> tuple[MissingInformation, ...]:
        """What the answer lacks, and where it probably is."""
        return _words("conclusion_sentences:word_gap", self.gaps)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the pragmatic type of the question adds to the answer."""
        return _words("trace_lines:word_step", self.remarks)

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it: sentence, confidence, findings, and their claims drawn; texts are escaped."""
        from html import escape

        from graph.draw.svg import draw_svg

        items = [
            *(f"{finding.text} ({finding.confidence:.2f}; sources: {finding.support})" for finding in self.findings),
            *(read.excerpt.text for read in self.read if read.excerpt is not None),
            *(f"{item.what}: {item.where}" for item in self.missing),
        ]
        edges = list(dict.fromkeys(edge for finding in self.findings for edge in finding.path.edges))[:_MOST_DRAWN]
        return (
            f"<p><b>{escape(self.question)}</b></p><p>{escape(self.sentence)} ({self.confidence:.2f})</p>"
            f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>{draw_svg(edges, self.question) if edges else ''}"
        )


def _words(function: str, items: Sequence[object]) -> tuple[Any, ...]:
    """Return items in English, by a "module:function" of `kgqa.wording`, which is imported when an answer is first worded.

    The wording imports answers and what they hold, never the reverse: an answer only knows its wording by name (docs/adr).
    """
    if not items:
        return ()
    module, _, name = function.partition(":")
    return tuple(map(getattr(import_module(f"kgqa.wording.{module}"), name), items))
