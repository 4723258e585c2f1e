"""Claims whose sentences were read: the labels of claim-labels.tsv and claim-sentences.tsv in docs/judgements as statements."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import (
    JUDGEMENTS,
    NAME_CHECKS,
    SENTENCES,
    LabelRow,
    checked_label,
    label_rows,
    loose_ids,
    name_checks,
    offsets_of,
)

from graph.mining.judge.claim_judge import READ_RELATIONS, READ_STANCES
from graph.mining.rules.rule_tables import every_rule
from graph.model import JUDGED_SLOT, READ_SLOT, SPECIFIC_SLOT, Claim, Evidence, Statement, Strength
from graph.sources.article import Article
from graph.text.normalise import concept_name
from graph.text.word_lists import word_list

LABELS, LIST_ITEMS, DENIED = (JUDGEMENTS / f"{name}.tsv" for name in ("claim-labels", "list-items", "denied-claims"))
READ_PROBABILITY = "0.97"
"""How often a second reader says of a claim that was read what the first did: its direction, stance and relation."""
READ_RULE = "read"
"""The rule of a claim that no shipped rule proposed."""

_MALFORMED = re.compile(r" [,.;:]|[\"“”\\]| being |\b(?:a|an|the) (?:a|an|the)\b")

ReadPlaces = Mapping[tuple[str, int], Set[str]]
"""The rules whose claims were read, by page and end of the sentence; `READ_RULE` is among them if it was read in full."""


def read_labels() -> list[LabelRow]:
    """Return the labels of proposals and of sentences read in full, with the names that an editor gave them."""
    return [checked_label(row) for row in (*label_rows(LABELS, None), *sentence_labels())]


def denied_labels(path: Path = DENIED) -> list[dict[str, str]]:
    """Return the rows of the claims that sentences deny, shaped as those of labels; what else the sentences say was not read."""
    return [{**row, "said": "yes", "rule": READ_RULE} for row in label_rows(path, None)]


def list_ratings(path: Path = LIST_ITEMS) -> dict[tuple[str, str, str], str]:
    """Return how an editor rated the entries of lists, by the side ("causes" or "effects"), the concept and the entry."""
    return {(row["side"], row["concept"], row["entry"]): row["rating"] for row in label_rows(path, None)}


def sentence_labels(path: Path = SENTENCES) -> list[dict[str, str]]:
    """Return the rows, shaped as those of labels, of the sentences that were read in full with names, to learn from."""
    rows = label_rows(path)
    named = {(row["article"], row["sentence"]) for row in rows if row["cause_name"]}
    return [
        {**row, "said": "no" if row["relation"] == "none" else "yes", "rule": READ_RULE}
        for row in rows
        if row["cause_name"] or (row["relation"] == "none" and (row["article"], row["sentence"]) not in named)
    ]


def read_places(rows: Iterable[Mapping[str, str]]) -> ReadPlaces:
    """Return the places of the records that were read, and which the statements of the labels replace."""
    places: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for row in rows:
        places[row["article"], offsets_of(row["sentence"])[1]].add(row["rule"])
    return places


def is_read(evidence: Evidence, places: ReadPlaces) -> bool:
    """Return whether labels stand for a record: of its own rule, of its whole sentence, or any for that of a loose rule."""
    rules = places.get((evidence.source.page_id, evidence.end or 0), frozenset())
    return bool(rules) and (evidence.rule in loose_ids() or not rules.isdisjoint((evidence.rule, READ_RULE)))


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


def checked_statements(statements: Iterable[Statement], path: Path = NAME_CHECKS) -> Iterator[Statement]:
    """Yield mined statements with their names as an editor mended them, without those that were dropped."""
    checks = name_checks(path)
    for statement in statements:
        claim = statement.claim
        check = checks.get((statement.evidence.source.page_id, claim.cause, relation_label(claim), claim.effect))
        if check is None:
            yield statement
        elif check["verdict"] != "drop":
            cause, effect = concept_name(check["cause_name"]), concept_name(check["effect_name"])
            if cause != effect and is_name(cause) and is_name(effect):
                yield replace(statement, claim=replace(claim, cause=cause, effect=effect))


def relation_label(claim: Claim) -> str:
    """Return the relation of a claim as readers write it, that of its relation alone where they have none for its polarity."""
    labels = [(label, polarity) for label, (relation, polarity) in READ_RELATIONS.items() if relation is claim.relation]
    return next((label for label, polarity in labels if polarity is claim.polarity), labels[0][0])


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
    return {rule.id: rule.strength for rule in every_rule()}
