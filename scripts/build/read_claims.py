"""Claims whose sentences were read: the labels of docs/judgements/claim-labels.tsv as statements."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import label_rows, offsets_of

from graph.mining.judge.claim_judge import READ_RELATIONS, READ_STANCES
from graph.mining.rules.rule_tables import builtin_rules
from graph.model import JUDGED_SLOT, READ_SLOT, SPECIFIC_SLOT, Claim, Evidence, Statement, Strength
from graph.sources.article import Article
from graph.text.normalise import concept_name
from graph.text.word_lists import word_list

LABELS = Path(__file__).parents[2] / "docs" / "judgements" / "claim-labels.tsv"
READ_PROBABILITY = "0.97"
"""How often a second reader says of a claim that was read what the first did: its direction, stance and relation."""
READ_RULE = "read"
"""The rule of a claim that no shipped rule proposed."""

_MALFORMED = re.compile(r" [,.;:]|[\"“”\\]| being |\b(?:a|an|the) (?:a|an|the)\b")

Place = tuple[str, int, str]
"""The page, the end of the sentence, and the rule of a record."""


def read_labels(path: Path = LABELS) -> list[dict[str, str]]:
    """Return the rows of a file of labels."""
    return label_rows(path, None)


def read_places(rows: Iterable[Mapping[str, str]]) -> frozenset[Place]:
    """Return the places of the records that were read, and which the statements of the labels replace."""
    return frozenset((row["article"], offsets_of(row["sentence"])[1], row["rule"]) for row in rows)


def place_of(evidence: Evidence) -> Place:
    """Return the place of a record, as that of a label."""
    return evidence.source.page_id, evidence.end or 0, evidence.rule


def read_statements(rows: Iterable[Mapping[str, str]], articles: Iterable[Article]) -> Iterator[Statement]:
    """Yield the statements of the labels, those with two sensible names, in the order of the articles."""
    by_article: defaultdict[str, list[Mapping[str, str]]] = defaultdict(list)
    for row in rows:
        if row["said"] == "yes":
            by_article[row["article"]].append(row)
    for article in articles:
        for row in by_article.get(str(article.source.page_id), ()):
            claim = _claim(row)
            if claim is not None:
                yield Statement(claim, _evidence(row, article))


def is_name(name: str) -> bool:
    """Return whether a name says something and is well formed, without stray marks and pieces of clauses."""
    return bool(name) and name not in word_list("vague") and not _MALFORMED.search(name)


def _claim(row: Mapping[str, str]) -> Claim | None:
    cause, effect = (concept_name(row[f"{end}_name"]) for end in ("cause", "effect"))
    if cause == effect or not (is_name(cause) and is_name(effect)):
        return None
    relation, polarity = READ_RELATIONS[row["relation"]]
    return Claim(cause, effect, relation, polarity)


def _evidence(row: Mapping[str, str], article: Article) -> Evidence:
    start, end = offsets_of(row["sentence"])
    context = [(JUDGED_SLOT, READ_PROBABILITY), (READ_SLOT, "yes")]
    if row["kind"] == "specific":
        context.append((SPECIFIC_SLOT, "one event"))
    rule = row["rule"] if row["rule"] in _strengths() else READ_RULE
    return Evidence(
        source=article.source,
        stance=READ_STANCES[row["stance"]],
        strength=_strengths().get(rule, Strength.CAUSES),
        rule=rule,
        text=article.text[start:end],
        section=article.section(start),
        start=start,
        end=end,
        context=tuple(context),
    )


@cache
def _strengths() -> dict[str, Strength]:
    return {rule.id: rule.strength for rule in builtin_rules()}
