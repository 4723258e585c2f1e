"""Pairs of cause and effect that were read without a sentence, docs/judgements/pair-labels.tsv, and what the labels change."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import label_rows

from graph.mining.judge.claim_judge import READ_RELATIONS
from graph.model import JUDGED_SLOT, READ_SLOT, Statement
from graph.text.normalise import concept_name

PAIR_LABELS = Path(__file__).parents[2] / "docs" / "judgements" / "pair-labels.tsv"
PAIR_PROBABILITIES = {"causenet": "0.96", "conceptnet": "0.8"}
"""How often a second reader finds a pair right that the first one found right (docs/judgements/pair-labels-second.tsv)."""

Pair = tuple[str, str]


def read_pair_labels(path: Path = PAIR_LABELS) -> dict[tuple[str, Pair], Mapping[str, str]]:
    """Return the labels by source, "causenet" or "conceptnet", and pair."""
    return {(row["source"], (row["cause"], row["effect"])): row for row in label_rows(path, None)}


def read_pair_statements(
    source: str, statements: Iterable[Statement], labels: Mapping[tuple[str, Pair], Mapping[str, str]]
) -> Iterator[Statement]:
    """Yield the statements whose pairs are right, with the names and the relation that the reader gave them."""
    for statement in statements:
        row = labels.get((source, (statement.claim.cause, statement.claim.effect)))
        if row is None or row["verdict"] not in ("right", "prevents"):
            continue
        cause, effect = (concept_name(row[f"{end}_name"] or row[end]) for end in ("cause", "effect"))
        claim = replace(statement.claim, cause=cause, effect=effect)
        if row["verdict"] == "prevents":
            relation, polarity = READ_RELATIONS["p"]
            claim = replace(claim, relation=relation, polarity=polarity)
        context = tuple(sorted([*statement.evidence.context, (JUDGED_SLOT, PAIR_PROBABILITIES[source]), (READ_SLOT, "yes")]))
        yield Statement(claim, replace(statement.evidence, context=context))
