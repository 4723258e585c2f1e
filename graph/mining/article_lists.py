"""Claims from lists and infoboxes: the items under "Causes", the field "symptoms", with the subject of the article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from graph.mining.list_items import (
    ListItem,
    entry_rule_table,
    head_noun_of_name,
    list_items,
    split_at_bars,
    table_regex,
    table_words,
)
from graph.model import Claim, Evidence, Polarity, Relation, Statement, Strength
from graph.sources.article import Article, ArticleEntry, EntryKind
from graph.text.normalise import concept_name, surface_name
from graph.text.word_lists import kind_of_noun, word_list

MAX_SUBJECT_WORDS = 8
"""The most words of the name of a subject."""

MAX_HEADING_CHARACTERS = 120
"""The most characters of a title, a heading or a line before a list."""

MAX_LIST_DEPTH = 2
"""The greatest depth of an item in nested lists; deeper items are explanations."""

MAX_LABEL_WORDS = 4
"""The most words of an item with nested items of its kind."""

_BRACKETS = re.compile(r"\s*\(([^()]*)\)\s*$")
_SUBJECT_KINDS = frozenset({"state", "event", "phenomenon", "process"})


@dataclass(frozen=True, slots=True)
class EntryExample:
    """A page and the claims, as (cause, effect) concept names, that a rule must find in it."""

    title: str
    wikitext: str
    claims: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class EntryRule:
    """The reading of the items under some headings, or in some fields of infoboxes.

    `item_is_cause` says which end of the claim an item is; `subject_not_in` and `item_not_in` are kinds of nouns that the
    ends must not have; with `named`, a subject of an unknown kind must end like a thing.
    """

    id: str
    learnt: str
    headings: frozenset[str]
    fields: frozenset[str]
    boxes: tuple[str, ...]
    item_is_cause: bool
    relation: Relation
    polarity: Polarity
    strength: Strength
    needs_noun_ending: bool
    subject_not_in: frozenset[str]
    item_not_in: frozenset[str]
    matches: tuple[EntryExample, ...]
    no_matches: tuple[EntryExample, ...]


@dataclass(frozen=True)
class EntryRules:
    """The rules by heading, and the expressions for the subject of a heading."""

    rules: tuple[EntryRule, ...]

    @cached_property
    def by_heading(self) -> dict[str, EntryRule]:
        """The rule of each heading."""
        return {heading: rule for rule in self.rules for heading in rule.headings}

    @cached_property
    def about(self) -> re.Pattern[str]:
        """The expression for a heading or a title that may name its subject: "causes of X"."""
        names = "|".join(sorted(map(re.escape, self.by_heading), key=len, reverse=True))
        return re.compile(rf"(?P<words>(?:[\w-]+ )*?)(?P<name>{names})(?: (?:of|for) (?P<subject>.+)| in .+)?")

    @cached_property
    def before(self) -> re.Pattern[str]:
        """The expression for the last sentence before a list: "Causes of X may include:"."""
        names = "|".join(sorted(map(re.escape, self.by_heading), key=len, reverse=True))
        return re.compile(
            rf"(?:the |some |many )*(?P<words>(?:[\w-]+ )*?)(?P<name>{names})(?: (?:of|for) (?P<subject>[^,;:]+?))??"
            r" (?:(?:may|can|might|often|usually|typically|commonly|also|most) )*(?:includ(?:e|es|ed)|are|were|is)"
            r"(?:(?:,)? (?:but (?:are|is) not limited to|the following|as follows|these|among others))*:"
        )


@cache
def entry_rules() -> EntryRules:
    """Return the rules that ship with kgqa."""
    return EntryRules(tuple(map(_parse_entry_rule, entry_rule_table()["rule"])))


def entry_statements(article: Article) -> Iterator[Statement]:
    """Yield the statements of the lists and infoboxes of an article, in their order; none for pages about works."""
    if not article.entries or not (topic := _topic_of_title(article.source.title)):
        return
    seen: set[tuple[Claim, str]] = set()
    for entry in article.entries:
        rule_and_subject = _match_infobox(entry, topic) if entry.kind is EntryKind.INFOBOX else _match_list(entry, topic)
        if rule_and_subject is None:
            continue
        rule, subject = rule_and_subject
        rule_id = f"{entry.kind}.{rule.id}"
        for item in list_items(entry):
            claim = _claim_of_item(rule, subject, item)
            if claim is not None and (claim, rule_id) not in seen:
                seen.add((claim, rule_id))
                yield Statement(claim, _evidence_of_item(article, entry, rule, rule_id, item))


def _evidence_of_item(article: Article, entry: ArticleEntry, rule: EntryRule, rule_id: str, item: ListItem) -> Evidence:
    """Return the evidence of an item: its words, and its heading or infobox."""
    item_of_list = entry.kind is EntryKind.LIST
    return Evidence(
        source=article.source,
        stance=item.stance,
        strength=rule.strength,
        rule=rule_id,
        text=entry.text if item_of_list else f"{entry.place[1]}: {entry.text}",
        section=(entry.place[-1] if entry.place else "") if item_of_list else f"infobox {_BRACKETS.sub('', entry.place[0])}",
        start=entry.start,
        end=entry.end,
    )


def _claim_of_item(rule: EntryRule, subject: str, item: ListItem) -> Claim | None:
    """Return the claim of an item and its subject, or `None` if either is of a kind that the rule excludes."""
    if item.kind in rule.item_not_in or f" {item.name}".endswith(f" {subject}"):
        return None
    cause, effect = (item.name, subject) if rule.item_is_cause else (subject, item.name)
    return Claim(cause, effect, rule.relation, rule.polarity)


def _topic_of_title(title: str) -> str:
    """Return the subject of a page by its title, as written; empty for works, lists and disambiguations."""
    if len(title) > MAX_HEADING_CHARACTERS:
        return ""
    brackets = _BRACKETS.search(title)
    if brackets and surface_name(brackets[1]).endswith(tuple(table_words("works"))):
        return ""
    bare = _BRACKETS.sub("", title)
    if surface_name(bare).startswith(tuple(table_words("lists"))) or len(bare.split()) > MAX_SUBJECT_WORDS:
        return ""
    about = entry_rules().about.fullmatch(surface_name(bare))
    return bare[about.start("subject") :] if about and about["subject"] else bare


def _match_infobox(entry: ArticleEntry, topic: str) -> tuple[EntryRule, str] | None:
    """Return the rule for a field of an infobox, and the subject."""
    box, field = entry.place
    for rule in entry_rules().rules:
        if field in rule.fields and box.startswith(rule.boxes):
            subject = concept_name(topic)
            return (rule, subject) if subject else None
    return None


def _match_list(entry: ArticleEntry, topic: str) -> tuple[EntryRule, str] | None:
    """Return the rule for an item of a list, and the subject: by the line before the list, else by the headings over it."""
    if any(len(heading) > MAX_HEADING_CHARACTERS for heading in entry.place):
        return None
    rules = entry_rules()
    lead = surface_name(entry.lead)
    if entry.depth == 1 and lead:
        sentence = re.split(r"[.;] ", lead)[-1]
        before = rules.before.fullmatch(sentence) if len(sentence) <= MAX_HEADING_CHARACTERS else None
        if before and _only_qualifies(before["words"]):
            rule = rules.by_heading[before["name"]]
            return _check_subject(rule, before["subject"] or "", topic if _is_general_heading(entry.place) else "")
        if table_regex("turning", r"\b{}\b").search(lead):
            return None
    if entry.depth > MAX_LIST_DEPTH or (entry.depth > 1 and len(lead.split()) > MAX_LABEL_WORDS):
        return None
    if entry.depth > 1 and table_regex("turning", r"\b{}\b").search(lead):
        return None
    place = [surface_name(_BRACKETS.sub("", heading)) for heading in entry.place]
    while place and place[-1] in table_words("sorting"):
        place.pop()
    about = rules.about.fullmatch(place[-1]) if place else None
    if about is None or not _only_qualifies(about["words"]):
        return None
    above = next((heading for heading in reversed(entry.place[: len(place) - 1]) if not _is_general_heading((heading,))), "")
    if about["subject"] or not above:
        return _check_subject(rules.by_heading[about["name"]], about["subject"] or "", topic)
    inner = above if kind_of_noun(head_noun_of_name(concept_name(above))) in _SUBJECT_KINDS else ""
    return _check_subject(rules.by_heading[about["name"]], inner, "")


def _is_general_heading(place: tuple[str, ...]) -> bool:
    """Return whether the headings name no subject of their own, so that the subject is that of the article."""
    for heading in map(surface_name, place):
        about = entry_rules().about.fullmatch(heading)
        sorts = heading in table_words("general") | table_words("sorting") or heading.startswith("in ")
        if not sorts and (about is None or about["subject"] or not _only_qualifies(about["words"])):
            return False
    return True


def _only_qualifies(before: str) -> bool:
    """Return whether the words before a name only qualify it: "most common"."""
    return all(word in table_words("qualifiers") for word in before.split())


def _check_subject(rule: EntryRule, stated: str, topic: str) -> tuple[EntryRule, str] | None:
    """Return the rule with the name of the stated subject, else of the topic, if the rule allows a subject of its kind."""
    subject = topic if not stated or table_regex("same").fullmatch(stated) else stated
    name = " ".join(word for word in concept_name(subject).split() if word not in word_list("becoming"))
    head = head_noun_of_name(name)
    if not name or len(name.split()) > MAX_SUBJECT_WORDS or name in word_list("vague"):
        return None
    if head in word_list("condition") and "state" not in rule.subject_not_in:
        return rule, name
    if kind_of_noun(head) in rule.subject_not_in:
        return None
    if rule.needs_noun_ending and not kind_of_noun(head) and not head.endswith(tuple(word_list("thing_endings"))):
        return None
    proper = any(word[:1].isupper() for word in subject.split()[1:])
    return None if rule.needs_noun_ending and proper and kind_of_noun(head) not in _SUBJECT_KINDS | {"act"} else (rule, name)


def _parse_entry_rule(row: Mapping[str, Any]) -> EntryRule:
    """Return one rule of the table."""
    return EntryRule(
        id=row["id"],
        learnt=row["learnt"],
        headings=split_at_bars(row["headings"]),
        fields=split_at_bars(row.get("fields", "")),
        boxes=tuple(split_at_bars(row.get("boxes", ""))),
        item_is_cause={"cause": True, "effect": False}[row["item"]],
        relation=Relation(row.get("relation", "causes")),
        polarity=Polarity(row.get("polarity", "none")),
        strength=Strength(row.get("strength", "causes")),
        needs_noun_ending=row.get("named", False),
        subject_not_in=frozenset(row["subject_not_in"].replace("@", "").split()),
        item_not_in=frozenset(row["item_not_in"].replace("@", "").split()),
        matches=tuple(EntryExample(title, text, _parse_claims(claims)) for title, text, claims in row["match"]),
        no_matches=tuple(EntryExample(title, text) for title, text in row["no_match"]),
    )


def _parse_claims(claims: str) -> frozenset[tuple[str, str]]:
    """Return the claims of an example, written "cause -> effect; cause -> effect"."""
    return frozenset((cause, effect) for cause, effect in (claim.split(" -> ") for claim in claims.split("; ")))
