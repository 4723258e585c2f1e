"""The seven lexical rules by which CausalQA finds causal questions (Bondarenko et al. 2022, table 3), in two modes.

`paper` reads them as the paper prints them: whole words, so "because" is no "cause". `released` is what the code does that was
published with the data and made the corpus: it reads a question in lower case with nothing but Latin and Cyrillic letters and
digits, and has its own limits (it misses "affects" and "leads to", takes "lead toxicity", and of "why" hardly more than a first
word). Rules of either kind detect; they do not classify: "How can FIFA be so blatantly corrupt?" is causal and matches none.

A rule of data/lexical.jsonl matches where all expressions of one of its alternatives ("any") are found and that of "unless",
where there is one, is not.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

from kgqa.typology.vocabulary import read_question_data
from kgqa.typology.words import LONGEST_QUESTION

LexicalMode = Literal["paper", "released"]
"""Which reading of the rules: the paper's, or that of the code released with it."""

_NOT_RELEASED = re.compile(r"[^0-9A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]+")


class LexicalRule(NamedTuple):
    """One of R1 to R7: the alternatives, of each all expressions; what forbids a match; and the paper's example."""

    id: str
    alternatives: tuple[tuple[re.Pattern[str], ...], ...]
    unless: re.Pattern[str] | None
    example: str

    def matches(self, text: str) -> bool:
        """Say whether a question, in the form that the rule's mode reads, matches."""
        if self.unless and self.unless.search(text):
            return False
        return any(all(expression.search(text) for expression in expressions) for expressions in self.alternatives)


@cache
def lexical_rules(mode: LexicalMode = "paper") -> tuple[LexicalRule, ...]:
    """Read the rules of a mode, once."""
    rows = [json.loads(line) for line in read_question_data("lexical.jsonl").splitlines()]
    return tuple(
        LexicalRule(
            row["id"],
            tuple(tuple(map(re.compile, expressions)) for expressions in row["any"]),
            re.compile(row["unless"]) if "unless" in row else None,
            row["example"],
        )
        for row in rows
        if row["mode"] == mode
    )


def lexical_matches(question: str, mode: LexicalMode = "paper") -> tuple[str, ...]:
    """Return the names of the lexical rules that `question` matches, of which it may match several."""
    text = _MODE_FORMS[mode](question[:LONGEST_QUESTION])
    return tuple(rule.id for rule in lexical_rules(mode) if rule.matches(text))


def _paper_form(question: str) -> str:
    """Return a question in lower case and single spaces."""
    return " ".join(unicodedata.normalize("NFKC", question).lower().split())


def _released_form(question: str) -> str:
    """Return a question in lower case, letters of two scripts and digits alone, in single spaces."""
    return _NOT_RELEASED.sub(" ", question.lower()).strip()


_MODE_FORMS: dict[LexicalMode, Callable[[str], str]] = {"paper": _paper_form, "released": _released_form}
