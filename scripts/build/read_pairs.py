"""Pairs of cause and effect that were read without a sentence, docs/judgements/pair-labels.tsv, and what the labels change."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from graph.model import JUDGED_SLOT, READ_SLOT, Polarity, Relation, Statement
from graph.text.normalise import concept_name

PAIR_LABELS = Path(__file__).parents[2] / "docs" / "judgements" / "pair-labels.tsv"
PAIR_PROBABILITIES = {"causenet": "0.96", "conceptnet": "0.8"}
"""How often a second reader finds a pair right that the first one found right (docs/judgements/pair-labels-second.tsv)."""

Pair = tuple[str, str]


def read_pair_labels(path: Path = PAIR_LABELS) -> dict[tuple[str, Pair], Mapping[str, str]]:
    """Return the labels by source, "causenet" or "conceptnet", and pair."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["source"], (row["cause"], row["effect"])): row for row in rows}


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
            claim = replace(claim, relation=Relation.PREVENTS, polarity=Polarity.DECREASES)
        context = tuple(sorted([*statement.evidence.context, (JUDGED_SLOT, PAIR_PROBABILITIES[source]), (READ_SLOT, "yes")]))
        yield Statement(claim, replace(statement.evidence, context=context))
