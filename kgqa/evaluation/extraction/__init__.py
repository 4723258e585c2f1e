"""The data sets of sentences: what mining them finds, against what people marked in them."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib import import_module
from typing import Any, Protocol

from graph.mining.judge.claim_judge import ClaimJudge
from graph.mining.miner import MinedClaim, Miner, rules_hash
from graph.mining.rules.rule_tables import every_rule
from graph.sources.input_stream import OnSkip
from kgqa.evaluation.evaluation_run import sample_items
from kgqa.evaluation.score_table import ScoreTable


class TextSentence(Protocol):
    """A sentence of a data set."""

    @property
    def text(self) -> str:
        """Its words as they stand in it, without marks."""
        ...


ClaimsBySentence = Sequence[Sequence[MinedClaim]]


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """What mining a data set came to. `data` and `rules` are digests; `predicted` counts the sentences with a prediction."""

    tables: tuple[ScoreTable, ...]
    records: tuple[Mapping[str, Any], ...]
    held: int
    predicted: int
    seconds: tuple[float, ...]
    data: str
    rules: str


EXTRACTIONS: Mapping[str, str] = {
    "extraction-semeval": "kgqa.evaluation.extraction.semeval_relations",
    "extraction-news": "kgqa.evaluation.extraction.causal_news",
}
"""The data sets by name, and the module of each: it reads (`read_files`), scores (`tables`) and records (`record`)."""


def evaluate_extraction(
    module: str,
    paths: Sequence[str],
    on_skip: Callable[[str], OnSkip],
    limit: int | None,
    seed: int,
    judge: ClaimJudge | None = None,
) -> ExtractionResult:
    """Mine the sentences of a data set and score the claims; `seconds` is the mining time of a sentence, on average."""
    part = import_module(module)
    held = part.read_files(tuple(paths), on_skip)
    items = sample_items(held, limit, seed)
    began = time.perf_counter()
    miner, texts = Miner(judge=judge), [item.text for item in items]
    mined = zip(texts, miner.mine(texts), strict=True)
    claims: ClaimsBySentence = [miner.judged_claims(proposed, text) for text, proposed in mined]
    took = time.perf_counter() - began
    records = tuple(
        part.record(number, item, mined_claims) for number, (item, mined_claims) in enumerate(zip(items, claims, strict=True), 1)
    )
    return ExtractionResult(
        tables=tuple(part.tables(items, claims)),
        records=records,
        held=len(held),
        predicted=sum(bool(prediction_record["prediction"]) for prediction_record in records),
        seconds=(took / len(items),) * len(items),
        data=hashlib.sha256("\n".join(str(astuple(item)) for item in items).encode()).hexdigest()[:32],
        rules=rules_hash(every_rule()),
    )


def prediction_record(
    name: str, text: str, predicted: Sequence[str], gold: Sequence[str], mined_claims: Sequence[MinedClaim]
) -> Mapping[str, Any]:
    """Return what was found in a sentence, as it is written: the predicted labels, the gold ones and the claims."""
    claims = [
        {
            "cause": mined_claim.claim.cause,
            "effect": mined_claim.claim.effect,
            "relation": mined_claim.claim.relation,
            "stance": mined_claim.stance,
            "rule": mined_claim.rule.id,
        }
        for mined_claim in mined_claims
    ]
    outcome = {"prediction": predicted, "confidence": float(bool(predicted)), "route": "mining"}
    return {"id": name, "question": text, **outcome, "gold": gold, "claims": claims}
