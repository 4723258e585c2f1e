"""What an answer to a yes/no question says, as data: the verdict, with the evidence, chain or options that it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import Edge, Path
from kgqa.answer_model import ContextSplit, Verdict
from kgqa.answering.evidence_kind import Circumstances
from kgqa.answering.verdicts.evidence_weighing import WeighedEvidence
from kgqa.linking.concept_links import ConceptLink
from kgqa.reasons import Conclusion


@dataclass(frozen=True, slots=True)
class VerdictConclusion(Conclusion):
    """The verdict that claims of the two concepts themselves make.

    `claim_verdict` is the verdict on the claim; `verdict` is the contrary where the question asks whether the claim is false.
    `foremost` is the claim that is worded, `contrary` the most believed one that says the opposite, `lesser` the most believed
    one that says less. `explains` is set where the question asks why something is not so, and not whether.
    """

    verdict: Verdict
    claim_verdict: Verdict
    weighed: WeighedEvidence
    links: tuple[ConceptLink, ConceptLink]
    foremost: Edge
    contrary: Edge | None = None
    lesser: Edge | None = None
    circumstances: Circumstances = ()
    separation: ContextSplit | None = None
    explains: bool = False


@dataclass(frozen=True, slots=True)
class MediatedConclusion(Conclusion):
    """The verdict that a chain makes; unknown where the chain is only possible."""

    verdict: Verdict
    path: Path


@dataclass(frozen=True, slots=True)
class ReverseConclusion(Conclusion):
    """The verdict where only the reverse is claimed, with the evidence for the reverse and its most believed claim."""

    verdict: Verdict
    weighed: WeighedEvidence
    edge: Edge


@dataclass(frozen=True, slots=True)
class SupportConclusion(Conclusion):
    """Which of two options has more sources: `counts` are the sources of each; `answer` is `None` where none has enough more."""

    counts: tuple[tuple[str, int], ...]
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class OptionsConclusion(Conclusion):
    """The verdict and the conclusion for each of several options, which "and" or "or" joins."""

    phrases: tuple[str, ...]
    joined: str
    verdicts: tuple[Verdict, ...]
    conclusions: tuple[Conclusion | str, ...]


@dataclass(frozen=True, slots=True)
class DirectionsConclusion(Conclusion):
    """The verdict and the conclusion for each of two directions, which `names` have as "smoking → lung cancer"."""

    names: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    conclusions: tuple[Conclusion | str, ...]
