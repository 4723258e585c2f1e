"""What an "if" clause supposes: of which phrases, or claims, and whether it supposes them there, away, more or less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graph.intervene import Presence
from kgqa.model import Amount, Condition
from kgqa.typology.conjuncts import Conjunct, conjuncts
from kgqa.typology.matching import Match, match
from kgqa.typology.phrases import text_of, trimmed
from kgqa.typology.rules import ConditionRule, condition_rules
from kgqa.typology.words import Word

ANY_CLAUSE = "so"
"""The rule that takes any clause, whole, as supposed to be so."""

BARE = "beside"
"""The rule that takes any words behind "and" as named together with what stands before."""

_MEASURE = re.compile(r"\d|(?:at least |about )?(?:an?|one|two|three|ten) (?:third|quarter|half|factor)|half\b", re.IGNORECASE)
_MORE_THAN_ONE = ("both", "neither", "either")


class Supposition(NamedTuple):
    """A condition, the rule that read it, and whether its mood says that it is contrary to fact ("had not", "were to")."""

    condition: Condition
    rule: str
    counterfactual: bool


class _Part(NamedTuple):
    """One part of a clause that was read."""

    condition: Condition
    rule: ConditionRule


def supposition(question: str, words: Sequence[Word], *, denied: bool = False) -> Supposition | None:
    """Return what the clause `words` supposes, without its "if"; `None` for a clause without words.

    Several suppositions that are joined are told apart, where each can be read; else the clause is read as one. What is `denied`
    ("unless") is turned round.
    """
    parts = _several(question, words) or _one(question, words)
    if parts is None:
        return None
    read, joined = parts
    conditions = [one.condition for one in read]
    if denied:
        conditions = [_opposite(one) for one in conditions]
        joined = "or" if joined == "and" else "and"
    text = f"{'unless ' if denied else ''}{text_of(question, words, 0, len(words)) or ''}"
    whole = conditions[0]._replace(text=text, also=tuple(conditions[1:]), joined=joined if len(conditions) > 1 else "and")
    return Supposition(whole, f"condition.{read[0].rule.id}", any(one.rule.counterfactual for one in read))


def _one(question: str, words: Sequence[Word]) -> tuple[list[_Part], str] | None:
    """Return the reading of a clause as one supposition."""
    part = _read(question, words, beside=False)
    return ([part], "and") if part else None


def _several(question: str, words: Sequence[Word]) -> tuple[list[_Part], str] | None:
    """Return the readings of the parts that a clause joins, with what joins them; `None` where they cannot all be read.

    "Smoking and drinking were banned": what comes first has no verb, and shares that of the next part. "Smoking were banned and
    drinking were not": what comes last takes the verb, or its opposite, from the part before.
    """
    some = conjuncts(words)
    if len(some) < 2:
        return None
    neither = words[0].form == "neither"
    waiting: list[Conjunct] = []
    read: list[_Part] = []
    for one in some:
        bare = _without_both(one.words)
        part = _read(question, bare, beside=False) if not neither or waiting else None
        if part is not None and part.rule.loose:
            return None
        whole = part is not None and part.rule.id != ANY_CLAUSE
        if part is None or not whole:
            if not read:
                waiting.append(one._replace(words=bare))
                continue
            part = _beside(question, bare, read[-1])
            if part is None:
                return None
        if waiting and (not _begins_with_target(question, bare, part) or part.condition.effect):
            return None
        read.extend(_sharing(question, before, part) for before in waiting)
        waiting = []
        read.append(part._replace(condition=part.condition._replace(follows=one.follows)))
    if waiting:
        return None
    if neither:
        read = [part._replace(condition=_absent(part.condition)) for part in read]
    denying = neither or read[0].rule.negates
    either = all(one.joined == "or" for one in some[1:]) and not denying
    return read, "or" if either else "and"


def _read(question: str, words: Sequence[Word], *, beside: bool) -> _Part | None:
    """Return what the first rule that matches says of a clause; with `beside`, of a part that another one stands before."""
    text = text_of(question, words, 0, len(words))
    for rule in condition_rules():
        if bool(rule.beside) is not beside:
            continue
        found = match(rule.pattern, words)
        target = _phrase(question, words, found, "target") if found else None
        if found and text and target:
            effect = _phrase(question, words, found, "effect")
            if effect and _MEASURE.match(target):
                continue  # "reduced by half" is no claim.
            condition = Condition(text, target, rule.presence, rule.amount, effect)
            if effect and found.relation is not None:
                condition = condition._replace(relation=found.relation)
            return _Part(condition, rule)
    return None


def _phrase(question: str, words: Sequence[Word], found: Match, slot: str) -> str | None:
    """Return the phrase of a slot of a match."""
    if slot not in found.slots:
        return None
    return text_of(question, words, *trimmed(words, *found.slots[slot]))


def _beside(question: str, words: Sequence[Word], before: _Part) -> _Part | None:
    """Return what a part without a verb of its own says, from the part before it."""
    part = _read(question, words, beside=True)
    if part is None or before.condition.effect:
        return None
    if part.rule.beside == "absent":
        return part
    if part.rule.id == BARE and not before.condition.text.endswith(before.condition.target):
        return None  # What stands behind a verb may be another verb: "had been replaced and continued".
    said = part.condition._replace(presence=before.condition.presence, amount=before.condition.amount)
    return part._replace(condition=_opposite(said) if part.rule.beside == "opposite" else said)


def _sharing(question: str, before: Conjunct, part: _Part) -> _Part:
    """Return what a part without a verb says whose verb is that of a later part."""
    words = before.words[1:] if before.words[0].form in ("no", "neither") and len(before.words) > 1 else before.words
    target = text_of(question, words, *trimmed(words, 0, len(words))) or part.condition.target
    return part._replace(condition=part.condition._replace(target=target, follows=before.follows))


def _begins_with_target(question: str, words: Sequence[Word], part: _Part) -> bool:
    """Say whether a part begins with its target, so that what stands before it can be another subject of its verb."""
    text = (text_of(question, words, 0, len(words)) or "").lower()
    target = part.condition.target.lower()
    return any(text.startswith(f"{lead}{target}") for lead in ("", "no ", "the ", "a ", "an ", "all ", "any "))


def _without_both(words: Sequence[Word]) -> Sequence[Word]:
    """Return words without a leading "both", "neither" or "either"."""
    return words[1:] if len(words) > 1 and words[0].form in _MORE_THAN_ONE else words


def _opposite(condition: Condition) -> Condition:
    """Return the opposite of what is supposed: gone for there, more for less; what is not more stays as it is."""
    if condition.amount is not None:
        return condition._replace(amount=Amount.LESS if condition.amount is Amount.MORE else Amount.MORE)
    there = condition.presence is Presence.ABSENT
    return condition._replace(presence=Presence.PRESENT if there else Presence.ABSENT)


def _absent(condition: Condition) -> Condition:
    """Return the supposition that a thing is not there, as after "neither"."""
    return condition._replace(presence=Presence.ABSENT, amount=None)
