"""Claims from lists and infoboxes: the items under "Causes", the field "symptoms", with the subject of the article.

An item names a concept by its head phrase, without explanations.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from graph.model import Claim, Evidence, Polarity, Relation, Stance, Statement, Strength
from graph.sources.article import Article, ArticleEntry, EntryKind
from graph.text.normalise import concept_name, head_place, surface_name
from graph.text.stop_words import PREPOSITIONS
from graph.text.word_lists import kind_of_noun, word_list

MAX_SUBJECT_WORDS = 8
MAX_HEADING_CHARACTERS = 120
MAX_LIST_DEPTH = 2  # deeper items are explanations
MAX_LABEL_WORDS = 4  # of an item with nested items of its kind
MAX_ITEM_CHARACTERS = 250  # longer items are sentences, which the rules for prose read
MAX_NAME_WORDS_IN_ITEM = 6
MIN_NAME_LETTERS = 3
_LAST_BRACKETS = re.compile(r"\s*\(([^()]*)\)\s*$")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_DASH = re.compile(r"\s+[-–—―]+\s+|—|\s*:\s*|\s+[-–—―]+$")
_LABEL = re.compile(r"^[^:;,]{1,40}:\s+")
_COORDINATION = re.compile(r"(?:(?<!\s)\s++(?:,\s++)?|,\s++)(?:and|or)\s++|(?:(?<!\s)\s++)?[&/]\s*+")
_CLAUSE = re.compile(r"\b(?:in|of|for|with|to|from|on|by) (?:which|whom)\b")
_RESTRICTED = re.compile(r"[\w-]+ (?:that|which|who)\b")
_REMARK = re.compile(r"(?:the|an?|most|its|their)\b", re.IGNORECASE)
_NUMERAL = re.compile(r"[ivx]+|\d+")
_UNSHARED_KINDS = frozenset({"state", "event", "process", "phenomenon", "act", "feeling", "attribute", "cognition"})
_NO_NAME = frozenset('%$€£=<>|{}"“”')
_SUBJECT_KINDS = frozenset({"state", "event", "phenomenon", "process"})


@cache
def _entry_rule_table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files("graph.mining").joinpath("list_rules.toml").read_text(encoding="utf-8"))


@cache
def _table_regex(name: str, form: str = "{}") -> re.Pattern[str]:
    """Return `form` with the alternatives of the table `name`, as an expression that ignores case."""
    return re.compile(form.format(f"(?:{_entry_rule_table()[name].replace(chr(10), '')})"), re.IGNORECASE)


@cache
def _table_words(name: str) -> frozenset[str]:
    """Return the words of the table `name`, or the names between its bars."""
    text = _entry_rule_table()[name]
    return _split_at_bars(text) if "|" in text else frozenset(text.split())


def _split_at_bars(text: str) -> frozenset[str]:
    return frozenset(filter(None, (name.strip() for name in text.replace("\n", "").split("|"))))


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
class _EntryRules:
    rules: tuple[EntryRule, ...]

    @cached_property
    def by_heading(self) -> dict[str, EntryRule]:
        return {heading: rule for rule in self.rules for heading in rule.headings}

    @cached_property
    def _named_heading(self) -> str:
        names = "|".join(sorted(map(re.escape, self.by_heading), key=len, reverse=True))
        return rf"(?P<words>(?:[\w-]+ )*?)(?P<name>{names})"

    @cached_property
    def about(self) -> re.Pattern[str]:
        return re.compile(rf"{self._named_heading}(?: (?:of|for) (?P<subject>.+)| in .+)?")  # "causes of X"

    @cached_property
    def before(self) -> re.Pattern[str]:
        return re.compile(  # "Causes of X may include:"
            rf"(?:the |some |many )*{self._named_heading}(?: (?:of|for) (?P<subject>[^,;:]+?))??"
            r" (?:(?:may|can|might|often|usually|typically|commonly|also|most) )*(?:includ(?:e|es|ed)|are|were|is)"
            r"(?:(?:,)? (?:but (?:are|is) not limited to|the following|as follows|these|among others))*:"
        )


@cache
def entry_rules() -> _EntryRules:
    """Return the rules that ship with kgqa."""
    return _EntryRules(tuple(map(_parse_entry_rule, _entry_rule_table()["rule"])))


def entry_statements(article: Article) -> Iterator[Statement]:
    """Yield the statements of the lists and infoboxes of an article, in their order; none for pages about works."""
    if not article.entries or not (topic := _topic_of_title(article.source.title)):
        return
    seen: set[tuple[Claim, str]] = set()
    for entry in article.entries:
        is_list = entry.kind is EntryKind.LIST
        if is_list:
            rule, subject = _match_list(entry, topic)
            section = "".join(entry.place[-1:])
        else:
            box, field = entry.place
            rules = (rule for rule in entry_rules().rules if field in rule.fields and box.startswith(rule.boxes))
            rule, subject = next(rules, None), concept_name(topic)
            section = f"infobox {_LAST_BRACKETS.sub('', box)}"
        if rule is None or not subject:
            continue
        rule_id = f"{entry.kind}.{rule.id}"
        for item in list_items(entry):
            if item.kind in rule.item_not_in or f" {item.name}".endswith(f" {subject}"):
                continue
            cause, effect = (item.name, subject) if rule.item_is_cause else (subject, item.name)
            claim = Claim(cause, effect, rule.relation, rule.polarity)
            if (claim, rule_id) in seen:
                continue
            seen.add((claim, rule_id))
            evidence = Evidence(
                source=article.source,
                stance=item.stance,
                strength=rule.strength,
                rule=rule_id,
                text=entry.text if is_list else f"{entry.place[1]}: {entry.text}",
                section=section,
                start=entry.start,
                end=entry.end,
            )
            yield Statement(claim, evidence)


def _topic_of_title(title: str) -> str:
    """Return the subject of a page by its title, as written; empty for works, lists and disambiguations."""
    if len(title) > MAX_HEADING_CHARACTERS:
        return ""
    brackets = _LAST_BRACKETS.search(title)
    if brackets and surface_name(brackets[1]).endswith(tuple(_table_words("works"))):
        return ""
    bare = _LAST_BRACKETS.sub("", title)
    if surface_name(bare).startswith(tuple(_table_words("lists"))) or len(bare.split()) > MAX_SUBJECT_WORDS:
        return ""
    about = entry_rules().about.fullmatch(surface_name(bare))
    return bare[about.start("subject") :] if about and about["subject"] else bare


def _match_list(entry: ArticleEntry, topic: str) -> tuple[EntryRule | None, str]:
    """Return the rule for an item of a list and the subject: by the line before the list, else by the headings over it."""
    if any(len(heading) > MAX_HEADING_CHARACTERS for heading in entry.place):
        return None, ""
    rules = entry_rules()
    lead = surface_name(entry.lead)
    if entry.depth == 1 and lead:
        sentence = re.split(r"[.;] ", lead)[-1]
        before = rules.before.fullmatch(sentence) if len(sentence) <= MAX_HEADING_CHARACTERS else None
        if before and _table_words("qualifiers").issuperset(before["words"].split()):
            rule = rules.by_heading[before["name"]]
            return _check_subject(rule, before["subject"] or "", topic if _is_general_heading(entry.place) else "")
    if entry.depth > MAX_LIST_DEPTH or (entry.depth > 1 and len(lead.split()) > MAX_LABEL_WORDS):
        return None, ""
    if _table_regex("turning", r"\b{}\b").search(lead):
        return None, ""
    place = [surface_name(_LAST_BRACKETS.sub("", heading)) for heading in entry.place]
    while place and place[-1] in _table_words("sorting"):
        place.pop()
    about = rules.about.fullmatch(place[-1]) if place else None
    if about is None or not _table_words("qualifiers").issuperset(about["words"].split()):
        return None, ""
    above = next((heading for heading in reversed(entry.place[: len(place) - 1]) if not _is_general_heading((heading,))), "")
    if about["subject"] or not above:
        return _check_subject(rules.by_heading[about["name"]], about["subject"] or "", topic)
    inner = above if kind_of_noun(head_noun_of_name(concept_name(above))) in _SUBJECT_KINDS else ""
    return _check_subject(rules.by_heading[about["name"]], inner, "")


def _is_general_heading(place: tuple[str, ...]) -> bool:
    """Return whether the headings name no subject of their own, so that the subject is that of the article."""
    for heading in map(surface_name, place):
        about = entry_rules().about.fullmatch(heading)
        sorts = heading in _table_words("general") | _table_words("sorting") or heading.startswith("in ")
        if not sorts and (about is None or about["subject"] or not _table_words("qualifiers").issuperset(about["words"].split())):
            return False
    return True


def _check_subject(rule: EntryRule, stated: str, topic: str) -> tuple[EntryRule | None, str]:
    """Return the rule with the name of the stated subject, else of the topic, if the rule allows a subject of its kind."""
    subject = topic if not stated or _table_regex("same").fullmatch(stated) else stated
    name = " ".join(word for word in concept_name(subject).split() if word not in word_list("becoming"))
    head = head_noun_of_name(name)
    if not name or len(name.split()) > MAX_SUBJECT_WORDS or name in word_list("vague"):
        return None, ""
    if head in word_list("condition") and "state" not in rule.subject_not_in:
        return rule, name
    if kind_of_noun(head) in rule.subject_not_in:
        return None, ""
    if rule.needs_noun_ending and not kind_of_noun(head) and not head.endswith(tuple(word_list("thing_endings"))):
        return None, ""
    proper = any(word[:1].isupper() for word in subject.split()[1:])
    is_name = rule.needs_noun_ending and proper and kind_of_noun(head) not in _SUBJECT_KINDS | {"act"}
    return (None, "") if is_name else (rule, name)


def _parse_entry_rule(row: Mapping[str, Any]) -> EntryRule:
    return EntryRule(
        id=row["id"],
        headings=_split_at_bars(row["headings"]),
        fields=_split_at_bars(row.get("fields", "")),
        boxes=tuple(_split_at_bars(row.get("boxes", ""))),
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
    return frozenset((cause, effect) for cause, effect in (claim.split(" -> ") for claim in claims.split("; ")))


@dataclass(frozen=True, slots=True)
class ListItem:
    """A concept in a list item, the kind of its head noun, and whether the item doubts it."""

    name: str
    kind: str
    stance: Stance = Stance.ASSERTED


def list_items(entry: ArticleEntry) -> Iterator[ListItem]:
    """Yield the concepts that a list item or a field names; nothing for sentences, orders and remarks."""
    item_of_list = entry.kind is EntryKind.LIST
    if item_of_list and (len(entry.text) > MAX_ITEM_CHARACTERS or _table_regex("remarks", r"{}\b").match(entry.text)):
        return
    for value in (entry.text,) if item_of_list else entry.text.split(";"):
        text = value
        for _ in range(3):  # nested brackets
            text = _BRACKETS.sub(" ", text)
        text = re.split(r"[(\[]", text, maxsplit=1)[0]
        text = _DASH.split(text if item_of_list else _LABEL.sub("", text.strip()), maxsplit=1)[0]
        parts = _without_complements([part for part in re.split(r"[,;]\s+", text.strip(" .,;")) if part.strip()])
        items_by_part = [list(_items_of_part(part)) for part in parts]
        if item_of_list and (not all(items_by_part) or any(map(_REMARK.match, parts[1:]))):
            items_by_part = items_by_part[:1]
        for part_items in items_by_part:
            yield from part_items


def head_noun_of_name(name: str) -> str:
    """Return the head of a concept's name: its last word before a preposition, or before a numeral ("world war ii")."""
    before = name.split()
    while len(before) > 1 and _NUMERAL.fullmatch(before[-1]):
        before.pop()
    return before[head_place(before, "list items")] if before else ""


def _without_complements(parts: list[str]) -> list[str]:
    """Return the parts without those that may continue a phrase: "sensitivity to light, sound, and smell"."""
    last = next((place for place, part in enumerate(parts) if place and re.match(r"(?:and|or)\b", part)), None)
    if last is None:
        return parts
    opened = [place for place, part in enumerate(parts[:last]) if PREPOSITIONS["list items"] & set(part.split())]
    return [part for place, part in enumerate(parts) if not opened or not opened[-1] < place <= last]


def _items_of_part(part: str) -> Iterator[ListItem]:
    text = " ".join(part.split())
    if _CLAUSE.search(text) or _RESTRICTED.match(text):
        return
    text = _table_regex("explains", r",? {}\b.*").sub("", f" {text}").strip(" .,;*\"'“”")
    stance = Stance.ASSERTED
    for _ in range(4):
        if doubt := _table_regex("doubted", r"{}\s+").match(text):
            text, stance = text[doubt.end() :], Stance.HEDGED
        elif qualifier := _table_regex("before", r"{}\s+").match(text):
            text = text[qualifier.end() :]
        else:
            break
    if _table_regex("remarks", r"{}\b").match(text) or _table_words("sentence") & set(surface_name(text).split()):
        return
    for phrase in _split_coordination(text):
        name = concept_name(phrase)
        if _is_concept_name(phrase, name):
            yield ListItem(name, kind_of_noun(head_noun_of_name(name)), stance)


def _split_coordination(text: str) -> list[str]:
    """Return the two sides of "and", "or" or a slash if each is a noun by itself and shares no word, else the whole."""
    sides = [side.strip() for side in _COORDINATION.split(text) if side.strip()]
    counts = [len(side.split()) for side in sides]
    if len(sides) < 2 or max(counts) > 2 or not all(map(_is_noun_by_itself, sides)) or counts[0] > counts[-1]:
        return [text]  # "poor sanitation and hygiene"
    first_kind = kind_of_noun(head_noun_of_name(concept_name(sides[0])))
    shares = counts[0] < counts[-1] and kind_of_noun(sides[-1].split()[0].lower()) and first_kind not in _UNSHARED_KINDS
    return [text] if shares else sides  # "food or water contamination"


def _is_noun_by_itself(side: str) -> bool:
    """Return whether the head of one side of "and" is a noun, and no adjective of the noun on the other side."""
    before = side.lower().split()
    head = before[-1]
    if PREPOSITIONS["list items"] & set(before):
        return False
    ends_like_thing = head.endswith(tuple(word_list("thing_endings"))) and not head.endswith(tuple(_table_words("adjectives")))
    return bool(kind_of_noun(head)) or ends_like_thing


def _is_concept_name(text: str, name: str) -> bool:
    """Return whether a phrase names a concept: short, no sentence, no instruction, with a noun as its head that is not vague."""
    before = surface_name(text).split()
    if not name or len(before) > MAX_NAME_WORDS_IN_ITEM or sum(map(str.isalpha, name)) < MIN_NAME_LETTERS:
        return False
    if any(character.isdigit() or character in _NO_NAME for character in name):
        return False
    if before[0] in PREPOSITIONS["list items"] or before[-1] in PREPOSITIONS["list items"]:
        return False
    first = before[1:] if before[0].endswith("ly") else before
    if len(first) > 1 and first[0] in _table_words("orders") and first[1] != "of":
        return False
    head = head_noun_of_name(name)
    if name in _table_words("empty") | _table_words("qualifiers") or "people" in before:
        return False
    if head in word_list("vague") and (name == head or name.split()[0] in word_list("quantity") | _table_words("sorting")):
        return False
    if kind_of_noun(head):
        return kind_of_noun(head) != "body" or name != head
    if head.endswith((*_table_words("adjectives"), "ly")):
        return False
    return " " in name or head.endswith(tuple(word_list("thing_endings")))
