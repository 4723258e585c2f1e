"""The data sets of sentences: what mining them finds, against what people marked in them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TypeVar

from graph.mining.identity import rules_hash
from graph.mining.miner import MinedClaim, Miner
from graph.mining.rules import load_rules
from graph.sources.streams import OnSkip
from kgqa.evaluation.run import sampled
from kgqa.evaluation.tables import Table


class Sentence(Protocol):
    """A sentence of a data set."""

    @property
    def text(self) -> str:
        """Its words as they stand in it, without marks."""
        ...


Marked = TypeVar("Marked", bound=Sentence)
Claims = Sequence[Sequence[MinedClaim]]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What mining a data set came to. `data` and `rules` are digests; `predicted` counts the sentences with a prediction."""

    tables: tuple[Table, ...]
    records: tuple[Mapping[str, Any], ...]
    held: int
    predicted: int
    seconds: tuple[float, ...]
    data: str
    rules: str


EXTRACTIONS: Mapping[str, str] = {
    "extraction-semeval": "kgqa.evaluation.extraction.semeval",
    "extraction-news": "kgqa.evaluation.extraction.news",
}
"""The data sets by name, and the module of each: it reads (`read_files`), scores (`tables`) and records (`record`)."""


def extraction(module: str, paths: Sequence[str], on_skip: Callable[[str], OnSkip], limit: int | None, seed: int) -> Extraction:
    """Mine the sentences of a data set and score the claims; `seconds` is the mining time of a sentence, on average."""
    part = import_module(module)
    held = part.read_files(tuple(paths), on_skip)
    items = sampled(held, limit, seed)
    began = time.perf_counter()
    claims: Claims = list(Miner().mine([item.text for item in items]))
    took = time.perf_counter() - began
    records = tuple(part.record(number, item, found) for number, (item, found) in enumerate(zip(items, claims, strict=True), 1))
    return Extraction(
        tables=tuple(part.tables(items, claims)),
        records=records,
        held=len(held),
        predicted=sum(bool(one["prediction"]) for one in records),
        seconds=(took / len(items),) * len(items),
        data=part.digest(items),
        rules=rules_hash(load_rules(None)),
    )


def claim_records(found: Sequence[MinedClaim]) -> list[dict[str, Any]]:
    """Return the claims of a sentence as they are written beside a prediction."""
    return [
        {
            "cause": one.claim.cause,
            "effect": one.claim.effect,
            "relation": one.claim.relation,
            "stance": one.stance,
            "rule": one.rule.id,
        }
        for one in found
    ]
