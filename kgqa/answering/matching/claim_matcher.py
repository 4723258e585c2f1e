"""The matcher: how probably a claim answers a question whose one phrase names nothing.

One encoder reads the question with the claim, and, each by itself, the phrase and the name of the claim's end. A logistic model
(claim_match) weighs what it says of both with the words that phrase and name share. docs/linking.md says what the encoder was
trained on, and how well it does. Its tokenizer is that of the judge of claims.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.mining.judge.claim_judge import SHIPPED_JUDGE, TOKENIZER
from graph.model import Claim
from graph.model_checksums import model_checksum, verify_model
from graph.onnx_session import SLOWER_OPTIMIZERS, first_line, onnx_session, without_surrogates
from kgqa.answering.matching.claim_candidates import ClaimCandidate
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.errors import MatcherInvalid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHIPPED_MATCHER = Path(__file__).with_name("data") / "model.onnx"
CLAIM_MATCH, NAME_MATCH, NEAR_MATCH = "claim_match", "name_match", "near_match"
"""The logistic models: of claims of the other phrase, of names of a phrase that is alone, and of names near in meaning."""
LABELS = ("yes", "part", "opposite", "no")
"""What a claim is to a question: an answer, one that is broader or narrower, the contrary of an answer, or nothing."""
MOST_TOKENS = 48
"""The most tokens of a question, and of a claim."""
_JUDGED = 16
"""How many candidates are read with the question: those whose names are nearest to the phrase."""
_BATCH = 16
_USUAL_WORDS = 10


class ClaimMatch(NamedTuple):
    """A claim with the probability that it answers a question, in full or in part, 0..1."""

    candidate: ClaimCandidate
    probability: float


def claim_text(claim: Claim) -> str:
    """Return a claim as the matcher reads it: "smoking increases atherosclerosis"."""
    verbs = _verbs()
    return f"{claim.cause} {verbs.get(claim.relation) or verbs[claim.polarity]} {claim.effect}"


@cache
def _verbs() -> Mapping[str, str]:
    """Return the verb of each relation, and for `CAUSES` of each polarity, of data/verbs.tsv."""
    lines = SHIPPED_MATCHER.with_name("verbs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {key: verb for key, _, verb in (line.partition("\t") for line in lines)}


class ClaimMatcher:
    """The matcher in a file, loaded when it is first asked; raises `MatcherInvalid` for a damaged one."""

    def __init__(self, model: Path = SHIPPED_MATCHER) -> None:
        self.model = model

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of the file of the model."""
        return model_checksum(self.model)[:16]

    def bound(self, model: str = CLAIM_MATCH) -> float:
        """Return the least probability of a match by a logistic model."""
        return float(load_fitted_model(model).parameters["bound"])

    def judge(self, question: str, candidates: Sequence[ClaimCandidate], model: str = CLAIM_MATCH) -> list[ClaimMatch]:
        """Return the candidates whose names are nearest to their phrases, with the probability that each answers a question."""
        logistic = load_fitted_model(model).logistic()
        features = self.features(question, candidates)
        return [ClaimMatch(candidate, logistic.probability(each)) for candidate, each in features]

    def features(self, question: str, candidates: Sequence[ClaimCandidate]) -> list[tuple[ClaimCandidate, Mapping[str, float]]]:
        """Return the candidates that `judge` judges with their features."""
        texts = list(dict.fromkeys(text for candidate in candidates for text in (candidate.phrase, candidate.name)))
        vectors = dict(zip(texts, self.vectors(texts), strict=True))
        near = [(float(vectors[candidate.phrase] @ vectors[candidate.name]), candidate) for candidate in candidates]
        near.sort(key=lambda item: -item[0] - item[1].share)
        logits = self.logits(question, [claim_text(candidate.claim) for _, candidate in near[:_JUDGED]])
        return [
            (
                candidate,
                {
                    "cosine": cosine,
                    "share": candidate.share,
                    "shared": float(candidate.share > 0),
                    "added": candidate.added,
                    "behind": near[0][0] - cosine,
                    "words": len(candidate.phrase.split()) / _USUAL_WORDS,
                    "capital": float(any(word[:1].isupper() for word in candidate.phrase.split())),
                    "answers": _log_sum(label_logits[:2]) - _log_sum(label_logits[2:]),
                },
            )
            for (cosine, candidate), label_logits in zip(near, logits, strict=False)
        ]

    def vectors(self, texts: Sequence[str]) -> list[Floats]:
        """Return the vectors of texts, of length one."""
        return [vector for vector, _ in self._outputs([(self._encode(text), None) for text in texts])]

    def logits(self, question: str, claims: Sequence[str]) -> list[list[float]]:
        """Return for each claim, as `claim_text` has it, the logits of the labels."""
        own = self._encode(question)
        return [logits.tolist() for _, logits in self._outputs([(own, self._encode(claim)) for claim in claims])]

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._network[1].encode(without_surrogates(text)).ids
        return ids

    def _outputs(self, inputs: Sequence[tuple[list[int], list[int] | None]]) -> list[tuple[Floats, Floats]]:
        """Return the vector and the logits of each text, or pair of texts, run in batches of like length."""
        import numpy as np

        rows = [[*own, *(claim or ())[1:]] for own, claim in inputs]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        outputs: dict[int, tuple[Floats, Floats]] = {}
        for at in range(0, len(order), _BATCH):
            places = order[at : at + _BATCH]
            ids = np.zeros((len(places), len(rows[places[-1]])), np.int64)
            mask, types = np.zeros_like(ids), np.zeros_like(ids)
            for line, place in enumerate(places):
                ids[line, : len(rows[place])] = rows[place]
                mask[line, : len(rows[place])] = 1
                types[line, len(inputs[place][0]) : len(rows[place])] = 1
            made = self._network[0].run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})
            outputs.update(zip(places, zip(*made, strict=True), strict=True))
        return [outputs[place] for place in range(len(rows))]

    @cached_property
    def _network(self) -> tuple[Any, Any]:
        from tokenizers import Tokenizer

        # The runtime raises errors of many classes of its own, and none that they share; the tokenizers raise `Exception`.
        verify_model(self.model.parent)
        try:
            session = onnx_session(str(self.model), disabled_optimizers=SLOWER_OPTIMIZERS)
            tokenizer = Tokenizer.from_file(str(SHIPPED_JUDGE / TOKENIZER))
        except Exception as error:
            raise MatcherInvalid(self.model, first_line(error)) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(MOST_TOKENS)
        return session, tokenizer


def _log_sum(values: Sequence[float]) -> float:
    highest = max(values)
    return highest + math.log(sum(math.exp(value - highest) for value in values))


@cache
def shipped_matcher() -> ClaimMatcher | None:
    """Return the matcher that kgqa brings, or `None` where it was installed without."""
    return ClaimMatcher() if SHIPPED_MATCHER.is_file() else None
