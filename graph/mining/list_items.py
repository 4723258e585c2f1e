"""Names in a list item or in the value of a field: its head phrase, without explanations."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from graph.model import Stance
from graph.sources.article import ArticleEntry, EntryKind
from graph.text.normalise import concept_name, head_place, surface_name
from graph.text.stop_words import PREPOSITIONS
from graph.text.word_lists import kind_of_noun, word_list

MAX_ITEM_CHARACTERS = 250
"""The most characters of an item; longer items are sentences, which the rules for prose read."""

MAX_NAME_WORDS_IN_ITEM = 6
"""The most words of a name."""

MIN_NAME_LETTERS = 3
"""The fewest letters of a name."""

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_DASH = re.compile(r"\s+[-–—―]+\s+|—|\s*:\s*|\s+[-–—―]+$")
_LABEL = re.compile(r"^[^:;,]{1,40}:\s+")
_COORDINATION = re.compile(r"\s*(?:,?\s+(?:and|or)\s+|&|/)\s*")
_CLAUSE = re.compile(r"\b(?:in|of|for|with|to|from|on|by) (?:which|whom)\b")
_RESTRICTED = re.compile(r"[\w-]+ (?:that|which|who)\b")
_REMARK = re.compile(r"(?:the|an?|most|its|their)\b", re.IGNORECASE)
_NUMERAL = re.compile(r"[ivx]+|\d+")
_UNSHARED_KINDS = frozenset({"state", "event", "process", "phenomenon", "act", "feeling", "attribute", "cognition"})
_NO_NAME = frozenset('%$€£=<>|{}"“”')


@cache
def entry_rule_table() -> Mapping[str, Any]:
    """Return the table of rules for lists and infoboxes, and the words for reading them."""
    return tomllib.loads(resources.files("graph.mining").joinpath("list_rules.toml").read_text(encoding="utf-8"))


@cache
def table_regex(name: str, form: str = "{}") -> re.Pattern[str]:
    """Return `form` with the alternatives of the table `name`, as an expression that ignores case."""
    return re.compile(form.format(f"(?:{entry_rule_table()[name].replace(chr(10), '')})"), re.IGNORECASE)


@cache
def table_words(name: str) -> frozenset[str]:
    """Return the words of the table `name`, or the names between its bars."""
    return (
        split_at_bars(entry_rule_table()[name])
        if "|" in entry_rule_table()[name]
        else frozenset(entry_rule_table()[name].split())
    )


def split_at_bars(text: str) -> frozenset[str]:
    """Return the names between bars."""
    return frozenset(filter(None, (name.strip() for name in text.replace("\n", "").split("|"))))


@dataclass(frozen=True, slots=True)
class ListItem:
    """A concept in a list item, the kind of its head noun, and whether the item doubts it."""

    name: str
    kind: str
    stance: Stance = Stance.ASSERTED


def list_items(entry: ArticleEntry) -> Iterator[ListItem]:
    """Yield the concepts that a list item or a field names; nothing for sentences, orders and remarks."""
    item_of_list = entry.kind is EntryKind.LIST
    if item_of_list and (len(entry.text) > MAX_ITEM_CHARACTERS or table_regex("remarks", r"{}\b").match(entry.text)):
        return
    for value in (entry.text,) if item_of_list else entry.text.split(";"):
        text = _without_brackets(value)
        text = _DASH.split(text, maxsplit=1)[0] if item_of_list else _DASH.split(_LABEL.sub("", text.strip()), maxsplit=1)[0]
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


def _without_brackets(text: str) -> str:
    """Return `text` without the contents of brackets, nested ones included."""
    for _ in range(3):
        text = _BRACKETS.sub(" ", text)
    return re.split(r"[(\[]", text, maxsplit=1)[0]


def _items_of_part(part: str) -> Iterator[ListItem]:
    """Yield the concepts that one part of an item names: two where "and" joins two nouns."""
    text = " ".join(part.split())
    if _CLAUSE.search(text) or _RESTRICTED.match(text):
        return
    text = table_regex("explains", r",? {}\b.*").sub("", f" {text}").strip(" .,;*\"'“”")
    stance = Stance.ASSERTED
    for _ in range(4):
        if doubt := table_regex("doubted", r"{}\s+").match(text):
            text, stance = text[doubt.end() :], Stance.HEDGED
        elif qualifier := table_regex("before", r"{}\s+").match(text):
            text = text[qualifier.end() :]
        else:
            break
    if table_regex("remarks", r"{}\b").match(text):
        return
    if table_words("sentence") & set(surface_name(text).split()):
        return
    for phrase in _split_coordination(text):
        name = concept_name(phrase)
        if _is_concept_name(phrase, name):
            yield ListItem(name, kind_of_noun(head_noun_of_name(name)), stance)


def _split_coordination(text: str) -> list[str]:
    """Return the two sides of "and", "or" or a slash if each is a noun by itself, else the whole.

    Sides of different lengths may share a word: "poor sanitation and hygiene", "food or water contamination".
    """
    sides = [side.strip() for side in _COORDINATION.split(text) if side.strip()]
    counts = [len(side.split()) for side in sides]
    if len(sides) < 2 or max(counts) > 2 or not all(map(_is_noun_by_itself, sides)):
        return [text]
    first = (
        kind_of_noun(sides[-1].split()[0].lower())
        and kind_of_noun(head_noun_of_name(concept_name(sides[0]))) not in _UNSHARED_KINDS
    )
    shares = counts[0] > counts[-1] or (counts[0] < counts[-1] and first)
    return [text] if shares else sides


def _is_noun_by_itself(side: str) -> bool:
    """Return whether the head of one side of "and" is a noun, and no adjective of the noun on the other side."""
    before = side.lower().split()
    head = before[-1]
    if PREPOSITIONS["list items"] & set(before):
        return False
    return bool(kind_of_noun(head)) or (
        head.endswith(tuple(word_list("thing_endings"))) and not head.endswith(tuple(table_words("adjectives")))
    )


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
    if len(first) > 1 and first[0] in table_words("orders") and first[1] != "of":
        return False
    head = head_noun_of_name(name)
    if name in table_words("empty") | table_words("qualifiers") or "people" in before:
        return False
    if head in word_list("vague") and (name == head or name.split()[0] in word_list("quantity") | table_words("sorting")):
        return False
    if kind_of_noun(head):
        return kind_of_noun(head) != "body" or name != head
    if head.endswith((*table_words("adjectives"), "ly")):
        return False
    return " " in name or head.endswith(tuple(word_list("thing_endings")))
