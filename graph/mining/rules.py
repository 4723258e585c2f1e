"""The mining rules: read from tables, one a family, checked, and compiled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from graph.errors import RuleInvalid
from graph.mining.pattern import Pattern, PatternInvalid, compile_pattern
from graph.mining.words import words
from graph.model import Polarity, Relation, Strength

TABLES = "table"
FRAMES = "frames"
LEARNT = frozenset({"reading", "SemEval", "Causal News", "CauseNet", "induced", "user"})
_NO_SUBJECT = "this it he she they we you i these by of for in without from at"
_NOT_BEHIND = "".join(rf"(?<!\b{word} )" for word in _NO_SUBJECT.split())
CONNECTIVES = frozenset({"connective", "as-noun", "owing"})


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and the claims, as (cause, effect) concept names, that a rule must find in it."""

    text: str
    claims: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which a sentence says that something causes something.

    `cue` are the lower-case words that anchor it; `text` is the regular expression that a sentence must match to be worth
    parsing for this rule; `cause_is_subject` says which argument of the frame is the cause; `object_name` names the effect
    where the cue word itself stands for it. Without `agents`, people and bodies that act are no causes. The head noun of the
    cause must be in `cause_in`, where it has any, and not in `cause_not_in`; so that of the effect. With `bare`, the cue has no
    direct object; a `hedged` rule reports an opinion ("attributed to"); a `connective` joins whole clauses; in a `hyphen` rule
    the cue is the second half of a compound. `family` is the name of its table, `learnt` where it was found.
    """

    id: str
    family: str
    learnt: str
    cue: frozenset[str]
    text: str
    patterns: tuple[Pattern, ...]
    cause_is_subject: bool
    relation: Relation
    polarity: Polarity
    strength: Strength
    object_name: str | None
    agents: bool
    cause_in: frozenset[str]
    cause_not_in: frozenset[str]
    effect_in: frozenset[str]
    effect_not_in: frozenset[str]
    bare: bool
    hedged: bool
    connective: bool
    hyphen: bool
    matches: tuple[Example, ...]
    no_matches: tuple[str, ...]


@cache
def builtin_rules() -> tuple[Rule, ...]:
    """Return the rules that ship with kgqa, in table order."""
    places = resources.files("graph.mining").joinpath(TABLES).iterdir()
    return read_rules({place.name.removesuffix(".toml"): place.read_text(encoding="utf-8") for place in places})


def read_rules(tables: Mapping[str, str]) -> tuple[Rule, ...]:
    """Return the rules of TOML tables, by family, in the order of their families.

    The frames that the rules of all families use stand in the table called "frames". Raises `RuleInvalid` with the id of the
    rule that cannot be used.
    """
    data: dict[str, dict[str, Any]] = {}
    for family, table in sorted(tables.items()):
        try:
            data[family] = tomllib.loads(table)
        except tomllib.TOMLDecodeError as error:
            raise RuleInvalid(family, str(error)) from error
    heads, frames = data[FRAMES]["heads"], data[FRAMES]["frames"]
    rules = tuple(_read_rule(row, family, heads, frames) for family, table in data.items() for row in table.get("rule", ()))
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise RuleInvalid(rule.id, "the id stands twice in the table")
        seen.add(rule.id)
    return rules


def _read_rule(row: Mapping[str, Any], family: str, heads: Mapping[str, Sequence[str]], frames: Mapping[str, Any]) -> Rule:
    """Return one rule, its frame filled in and its patterns compiled."""
    name = row.get("id", "?")
    try:
        cue = frozenset(row["words"].split())
        return Rule(
            id=name,
            family=family,
            learnt={source: source for source in LEARNT}[row["learnt"]],
            cue=cue,
            text=_guarded(row, frames[row["frame"]]),
            patterns=tuple(
                compile_pattern(pattern.replace("{prep}", row.get("prep", "")))
                for pattern in _frame_patterns(frames[row["frame"]], heads)
            ),
            cause_is_subject={"subject": True, "object": False}[row["cause"]],
            relation=Relation(row.get("relation", "causes")),
            polarity=Polarity(row.get("polarity", "none")),
            strength=Strength(row.get("strength", "causes")),
            object_name=row.get("object_name"),
            agents=row.get("agents", True),
            cause_in=_listed(row.get("cause_in", "")),
            cause_not_in=_listed(row.get("cause_not_in", "")),
            effect_in=_listed(row.get("effect_in", "")),
            effect_not_in=_listed(row.get("effect_not_in", "")),
            bare=row.get("bare", False),
            hedged=row.get("hedged", False),
            connective=row["frame"] in CONNECTIVES,
            hyphen=row["frame"] == "hyphen",
            matches=tuple(_read_example(text, claims) for text, claims in row["match"]),
            no_matches=tuple(row["no_match"]),
        )
    except (KeyError, ValueError, PatternInvalid) as error:
        raise RuleInvalid(name, f"{type(error).__name__}: {error}") from error


def _frame_patterns(frame: Mapping[str, Any], heads: Mapping[str, Sequence[str]]) -> Iterable[str]:
    """Yield the patterns of a frame: its own, or each head with each tail."""
    yield from frame.get("patterns", ())
    for tail in frame.get("tails", ()):
        for head in heads[frame["head"]]:
            yield f"{head}, {tail}"


def _guarded(row: Mapping[str, Any], frame: Mapping[str, Any]) -> str:
    """Return the regular expression of a rule; a verb right behind a pronoun or a preposition has no cause for a subject."""
    text: str = row.get("text") or _cue_text(frozenset(row["words"].split()), row.get("prep"))
    return _NOT_BEHIND + text if frame.get("head") == "verb" else text


def _cue_text(cue_words: Iterable[str], prep: str | None) -> str:
    """Return a regular expression for the cue words, followed within three words by one of the prepositions, if any."""
    cue = rf"(?:{'|'.join(sorted(map(re.escape, cue_words)))})"
    return cue if prep is None else rf"{cue}\W+(?:\w+\W+){{0,3}}?(?:{prep})"


def _listed(names: str) -> frozenset[str]:
    """Return the words of the named lists together."""
    return frozenset(word for name in names.split() for word in words(name))


def _read_example(text: str, claims: str) -> Example:
    """Return an example from a sentence and its claims, written "cause -> effect; cause -> effect"."""
    pairs = (claim.split(" -> ") for claim in claims.split("; "))
    return Example(text, frozenset((cause, effect) for cause, effect in pairs))
