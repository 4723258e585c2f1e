"""The seven lexical rules by which CausalQA finds causal questions, as the paper prints them (Bondarenko et al. 2022, table 3).

They detect; they do not classify: "How can FIFA be so blatantly corrupt?" is causal and matches none of them. A rule of
data/lexical.jsonl matches where each of its expressions is found, between word boundaries, so "because" is no "cause".
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from kgqa.typology.vocabulary import read
from kgqa.typology.words import LONGEST_QUESTION


@dataclass(frozen=True, slots=True)
class LexicalRule:
    """One of R1 to R7: the expressions that a causal question of this kind has, all of them, with the paper's example."""

    id: str
    expressions: tuple[re.Pattern[str], ...]
    example: str


@cache
def lexical_rules() -> tuple[LexicalRule, ...]:
    """Read the rules, once."""
    rows = [json.loads(line) for line in read("lexical.jsonl").splitlines()]
    return tuple(
        LexicalRule(row["id"], tuple(re.compile(rf"\b(?:{text})\b") for text in row["all"]), row["example"]) for row in rows
    )


def lexical_matches(question: str) -> tuple[str, ...]:
    """Return the names of the lexical rules that `question` matches, of which it may match several."""
    text = " ".join(unicodedata.normalize("NFKC", question[:LONGEST_QUESTION]).lower().split())
    return tuple(rule.id for rule in lexical_rules() if all(expression.search(text) for expression in rule.expressions))
