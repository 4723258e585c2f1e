"""The matcher: how probably a claim answers a question, whatever the words of both.

One encoder reads the question with the claim, and, each by itself, the question, its phrases and the ends of the claim. A
logistic model weighs what it says of both. docs/linking.md says what the encoder was trained on, and how well it does. Its
tokenizer is that of the judge of claims.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.mining.judge.claim_judge import SHIPPED_JUDGE, TOKENIZER
from graph.model import Claim, Edge
from graph.model_checksums import model_checksum, verify_model
from graph.onnx_session import SLOWER_OPTIMIZERS, first_line, onnx_session, without_surrogates
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.errors import MatcherInvalid
from kgqa.linking.lexical_relations import word_roots
from kgqa.linking.mention import content_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SHIPPED_MATCHER = Path(__file__).with_name("data") / "model.onnx"
CLAIM_RELEVANCE = "claim_relevance"
"""The logistic model that says how probably a claim answers a question."""
LABELS = ("yes", "part", "opposite", "no")
"""What a claim is to a question: an answer, one that is broader or narrower, the contrary of an answer, or nothing."""
MOST_TOKENS = 48
"""The most tokens of a question, and of a claim."""
WEIGHED = 16
"""Of how many claims that are read with a question the ends are compared with its phrases."""
_BATCH = 16


class AskedClaim(NamedTuple):
    """A question with the phrases of its cause and of its effect, as far as it has them."""

    question: str
    cause: str | None
    effect: str | None


class RelevantClaim(NamedTuple):
    """An edge with the probability that it answers a question, in full or in part, 0..1; `is_whole` where rather in full."""

    edge: Edge
    probability: float
    is_whole: bool


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

    @property
    def bound(self) -> float:
        """The least probability with which a claim is the answer to a question."""
        return float(load_fitted_model(CLAIM_RELEVANCE).parameters["bound"])

    def relevance(self, target: AskedClaim, edges: Mapping[Edge, float], most: int = WEIGHED) -> list[RelevantClaim]:
        """Return how probably `most` of some edges, with their cosines to the question, answer it, the likeliest first."""
        logistic = load_fitted_model(CLAIM_RELEVANCE).logistic()
        rated = [
            RelevantClaim(edge, logistic.probability(features), features["whole"] > 0)
            for edge, features in self.relevance_features(target, edges, most)
        ]
        return sorted(rated, key=lambda item: -item.probability)

    def relevance_features(
        self, target: AskedClaim, edges: Mapping[Edge, float], most: int = WEIGHED
    ) -> list[tuple[Edge, Mapping[str, float]]]:
        """Return the edges that `relevance` judges with their features: those that the encoder takes for answers most."""
        logits = self.logits(target.question, [claim_text(edge.claim) for edge in edges])
        answers = list(map(answer_odds, logits))
        best = max(answers, default=0.0)
        items = sorted(zip(edges.items(), logits, answers, strict=True), key=lambda item: -item[2])[:most]
        sides = self._sides(target, [edge for (edge, _), _, _ in items])
        return [
            (
                edge,
                {
                    "answers": own,
                    "whole": each[0] - each[1],
                    "behind": best - own,
                    "cosine": cosine,
                    "far": float(not cosine),
                    "support": math.log1p(max(edge.support, edge.against)),
                    "side": side,
                    "fit": fit,
                    "share": _shared_words(target.question, edge.claim),
                },
            )
            for ((edge, cosine), each, own), (side, fit) in zip(items, sides, strict=True)
        ]

    def _sides(self, target: AskedClaim, edges: Sequence[Edge]) -> list[tuple[float, float]]:
        """Return of edges how much nearer their ends are to the phrases of a question than if they were turned, and how near."""
        phrases = [phrase for phrase in (target.cause, target.effect) if phrase]
        if not phrases:
            return [(0.0, 0.0)] * len(edges)
        names = list(dict.fromkeys(name for edge in edges for name in (edge.cause, edge.effect)))
        vectors = dict(zip([*phrases, *names], self.vectors([*phrases, *names]), strict=True))
        sides = []
        for edge in edges:
            ends = ((target.cause, edge.cause, edge.effect), (target.effect, edge.effect, edge.cause))
            near = [(vectors[phrase] @ vectors[own], vectors[phrase] @ vectors[turned]) for phrase, own, turned in ends if phrase]
            own, reverse = (float(sum(pair)) / len(near) for pair in zip(*near, strict=True))
            sides.append((own - reverse, own))
        return sides

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


def _shared_words(question: str, claim: Claim) -> float:
    """Return the share of the words of a question that are words of a claim, in any form, 0..1."""
    words = content_words(question)
    roots = frozenset(chain.from_iterable(map(word_roots, content_words(f"{claim.cause} {claim.effect}"))))
    return sum(not roots.isdisjoint(word_roots(word)) for word in words) / max(1, len(words))


def answer_odds(logits: Sequence[float]) -> float:
    """Return the log-odds that a claim answers a question, in full or in part, by the logits of the labels."""
    return _log_sum(logits[:2]) - _log_sum(logits[2:])


def _log_sum(values: Sequence[float]) -> float:
    highest = max(values)
    return highest + math.log(sum(math.exp(value - highest) for value in values))


@cache
def shipped_matcher() -> ClaimMatcher | None:
    """Return the matcher that kgqa brings, or `None` where it was installed without."""
    return ClaimMatcher() if SHIPPED_MATCHER.is_file() else None
