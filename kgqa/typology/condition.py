"""What an "if" clause supposes: which phrase it is about, and whether it supposes it there or away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kgqa.model import Condition
from kgqa.typology.matching import match
from kgqa.typology.phrases import text_of, trimmed
from kgqa.typology.rules import condition_rules
from kgqa.typology.words import Word


class Supposition(NamedTuple):
    """A condition, the rule that read it, and whether its mood says that it is contrary to fact ("had not", "were to")."""

    condition: Condition
    rule: str
    counterfactual: bool


def supposition(question: str, words: Sequence[Word]) -> Supposition | None:
    """Return what the clause `words` supposes, without its "if"; `None` for a clause without words.

    The last rule takes any clause, whole, as supposed to be so.
    """
    text = text_of(question, words, 0, len(words))
    for rule in condition_rules():
        found = match(rule.pattern, words)
        if found is None:
            continue
        start, end = trimmed(words, *found.slots["target"])
        target = text_of(question, words, start, end)
        if text and target:
            return Supposition(Condition(text, target, rule.presence), f"condition.{rule.id}", rule.counterfactual)
    return None
