"""A small model that says whether a sentence supports a claim, contradicts it or is silent, and how suspect a text is by itself.

Its folder holds `model.onnx` and `tokenizer.json`; the fitted model `evidence_verdict` calibrates its logits. The network is
loaded when the first text is judged, and nothing is downloaded. data/README.md says what it was trained on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.model_checksums import verify_model
from graph.onnx_session import SLOWER_OPTIMIZERS, first_line, onnx_session, without_surrogates
from kgqa.calibration.linear_model import FittedModel, load_fitted_model, softmax
from kgqa.errors import EvidenceModelInvalid
from kgqa.retrieval.search_terms import query_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]

SHIPPED = Path(__file__).with_name("data")
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
LONGEST = 160
"""How many tokens of a claim are read at most, and how many of a sentence."""
SUPPORTS, CONTRADICTS, SILENT = RELATIONS = ("supports", "contradicts", "silent")
"""The relations of a sentence to a claim, in the order of the network's logits."""
QUESTION, CLAIM = "question", "claim"
"""The kinds of texts that are suspected, in the order of the network's logits."""
COMMENTED = {QUESTION: "comment on question", CLAIM: "comment on claim"}
BESIDE_EVIDENCE, BALANCED_QUESTION = "claim beside evidence", "question of a balanced set"
"""What is fitted besides: whether a comment corrects a text, whether a claim is false, by itself and its evidence, and
suspicion of questions of which every other is false, as in FalseQA; `QUESTION` takes three of four for sound."""
EVIDENCE_VERDICT = "evidence_verdict"
"""The fitted model: it calibrates suspicion (outputs "question", "claim") and weighs several sentences (the relations)."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_QUESTION = re.compile(
    r"\?\s*$|^\W*(?:what|who|whom|whose|which|when|where|why|how|list|name|tell|explain|describe|is|are|was|were|do|does|did|"
    r"can|could|will|would|should|has|have|had)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-Z][\w'-]+")
_NUMBER = re.compile(r"\d[\d,.]*")
_DENIAL = re.compile(
    r"\b(?:not|never|no|nothing|only|exclusively|incapable|unable|yet|refuse[sd]?|fail(?:s|ed)?)\b|n't\b", re.IGNORECASE
)
"""Words of a claim that denies or excludes something."""


@dataclass(frozen=True, slots=True)
class EvidenceJudgement:
    """What a sentence says of a claim: the probabilities (0..1) that it supports it, contradicts it, or is silent."""

    evidence: str
    supports: float
    contradicts: float
    silent: float

    @property
    def relation(self) -> str:
        """The likeliest relation."""
        return max(RELATIONS, key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class EvidenceVerdict:
    """What several sentences say of a claim together, with the sentence that says most for the likeliest relation.

    Probabilities lie in 0..1; `decisive` is `None` where there is no sentence, or none of them speaks.
    """

    supports: float
    contradicts: float
    silent: float
    decisive: EvidenceJudgement | None = None

    @property
    def relation(self) -> str:
        """The likeliest relation."""
        return max(RELATIONS, key=lambda name: float(getattr(self, name)))


class EvidenceModel:
    """The model in a folder, by default the one that is shipped; raises `EvidenceModelInvalid` where it cannot be used."""

    def __init__(self, folder: Path = SHIPPED, fitted: FittedModel | None = None) -> None:
        self.folder = folder
        self._fitted = fitted
        for name in (MODEL, TOKENIZER):
            if not (folder / name).is_file():
                raise EvidenceModelInvalid(folder, f"it has no {name}" if folder.is_dir() else "there is no such folder")

    def judge(self, claim: str, evidence: Sequence[str]) -> Sequence[EvidenceJudgement]:
        """Return what each sentence says of a claim, in their order; probabilities are calibrated."""
        temperature = float(self.calibration.parameters["temperature"])
        logits = (self.logits(claim, sentence)[: len(RELATIONS)].tolist() for sentence in evidence)
        return [EvidenceJudgement(sentence, *softmax(row, temperature)) for sentence, row in zip(evidence, logits, strict=True)]

    def suspicion(self, text: str) -> float:
        """Return the probability that a question takes something false for granted, or that a claim is false, by itself.

        It knows only what such questions and claims are like; it is no fact.
        """
        kind = text_kind(text)
        return self.calibration.logistic(kind).probability({"logit": self.suspicion_logit(text, kind)})

    def suspicion_logit(self, text: str, kind: str) -> float:
        """Return what the network itself says of a question or a claim alone."""
        return float(self.logits(text)[len(RELATIONS) + (QUESTION, CLAIM).index(kind)])

    def falsehood(self, claim: str, evidence: Sequence[str]) -> float:
        """Return the probability that a claim is false, by what sentences say of it and by how suspect it is by itself."""
        features = {
            **verdict_features(self.judge(claim, evidence)),
            **word_features(claim, evidence),
            "logit": self.suspicion_logit(claim, CLAIM),
        }
        return self.calibration.logistic(BESIDE_EVIDENCE).probability(features)

    def correction_chance(self, text: str, comment: str) -> float:
        """Return the probability that a comment corrects a claim, or what a question takes for granted."""
        return self.calibration.logistic(COMMENTED[text_kind(text)]).probability(verdict_features(self.judge(text, [comment])))

    def verdict(self, claim: str, evidence: Sequence[str]) -> EvidenceVerdict:
        """Return what several sentences say of a claim together.

        A multinomial regression over what the network says of the strongest of them, and over the words that they share.
        """
        judgements = self.judge(claim, evidence)
        features = {**verdict_features(judgements), **word_features(claim, evidence)}
        scores = [self.calibration.logistic(relation).log_odds(features) for relation in RELATIONS]
        supports, contradicts, silent = softmax(scores)
        relation = RELATIONS[max(range(len(scores)), key=scores.__getitem__)]
        spoken = [judgement for judgement in judgements if relation != SILENT and judgement.relation == relation]
        decisive = max(spoken, key=lambda judgement: float(getattr(judgement, relation)), default=None)
        return EvidenceVerdict(supports, contradicts, silent, decisive)

    @property
    def calibration(self) -> FittedModel:
        """The fitted model that calibrates the logits."""
        return self._fitted or load_fitted_model(EVIDENCE_VERDICT)

    def logits(self, claim: str, evidence: str = "") -> Logits:
        """Return the five logits of a claim, alone or beside a sentence: the relations, false question, false claim."""
        import numpy as np

        session, tokenizer = self._session_and_tokenizer
        claim_ids = self._tokens(tokenizer, claim)
        rest = [*self._tokens(tokenizer, evidence), self._marks[1]] if evidence else []
        row = [self._marks[0], *claim_ids, self._marks[1], *rest]
        ids = np.array([row], np.int64)
        segments = np.array([[0] * (len(row) - len(rest)) + [1] * len(rest)], np.int64)
        try:
            (batch,) = session.run(None, dict(zip(_INPUTS, (ids, np.ones_like(ids), segments), strict=True)))
        # The runtime raises errors of many classes of its own, and none that they share.
        except Exception as error:
            raise EvidenceModelInvalid(self.folder, f"{MODEL} fails: {first_line(error)}") from error
        if batch.shape != (1, len(RELATIONS) + 2) or not np.isfinite(batch).all():
            raise EvidenceModelInvalid(self.folder, f"{MODEL} gives no numbers of the right shape")
        logits: Logits = batch[0]
        return logits

    def _tokens(self, tokenizer: Any, text: str) -> list[int]:
        # A token has at least one character, and few have more than twenty.
        ids: list[int] = tokenizer.encode(without_surrogates(text[: 20 * LONGEST]), add_special_tokens=False).ids
        return ids[: LONGEST - 2]

    @cached_property
    def _marks(self) -> tuple[int, int]:
        """The ids of `[CLS]` and `[SEP]`."""
        _, tokenizer = self._session_and_tokenizer
        return tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    @cached_property
    def _session_and_tokenizer(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        verify_model(self.folder)
        # The runtime raises errors of many classes of its own, and none that they share; the tokenizers raise `Exception` itself.
        try:
            session = onnx_session(str(self.folder / MODEL), disabled_optimizers=SLOWER_OPTIMIZERS)
            tokenizer = Tokenizer.from_file(str(self.folder / TOKENIZER))
        except Exception as error:
            raise EvidenceModelInvalid(self.folder, first_line(error)) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        tokenizer.encode_special_tokens = True
        return session, tokenizer


@cache
def shipped_evidence_model() -> EvidenceModel:
    """Return the model that is shipped, opened once."""
    return EvidenceModel()


def text_kind(text: str) -> str:
    """Return whether a text is a question, which may also tell to list or explain something, or a claim."""
    return QUESTION if _QUESTION.search(text) else CLAIM


def verdict_features(judgements: Sequence[EvidenceJudgement]) -> dict[str, float]:
    """Return what the verdict on a claim rests on: of each relation but silence the strongest sentence, their mean, the first."""
    features: dict[str, float] = {}
    for relation in (SUPPORTS, CONTRADICTS):
        shares = [float(getattr(judgement, relation)) for judgement in judgements] or [0.0]
        features |= {
            f"{relation} most": max(shares),
            f"{relation} mean": sum(shares) / len(shares),
            f"{relation} first": shares[0],
        }
    return features


def word_features(claim: str, evidence: Sequence[str]) -> dict[str, float]:
    """Return what the words of a claim and of sentences tell, whatever a network says of them.

    `covered` is the share of the claim's words that one of the sentences holds, and `covered together` all of them; `names
    missing` counts the names that none holds, by the claim's words; and a claim may have a number that none holds, or a negation.
    """
    held = [set(query_terms(sentence)) for sentence in evidence]
    terms = set(query_terms(claim))
    lowered = " ".join(evidence).lower()
    names = _NAME.findall(claim)[1:]
    numbers = (number.strip(".,") for number in _NUMBER.findall(claim))
    return {
        "covered": max((len(terms & own) for own in held), default=0) / max(1, len(terms)),
        "covered together": len(terms & set().union(*held)) / max(1, len(terms)),
        "names missing": sum(name.lower() not in lowered for name in names) / max(1, len(terms)),
        "number missing": float(any(number not in lowered for number in numbers)),
        "denied": float(_DENIAL.search(claim) is not None),
        "words": len(terms) / 10,
    }
