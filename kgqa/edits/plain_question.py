"""A conditional as a plain question: its clause as a fact, its "would" as what was."""

from __future__ import annotations

import re

from kgqa.questions.conditional_parser import ConditionalQuestion

_WITHOUT = (
    r"^(?:(?:in\s+a\s+world\s+)?without|but\s+for|barring|absent|in\s+the\s+absence\s+of|"
    r"(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\s+"
)
_WOULD_IT_HAVE = r"\b(?:would|could)\s+((?:(?!have\b)[\w’'\"“”,.\-]+\s+){1,9}?)(?:not\s+)?have"
CLAUSE_REWRITES = (
    (_WITHOUT, "there was ", "without the strike → there was the strike"),
    (r"^(?:unless|should|with|by)\s+", "", "unless the strike had ended → the strike had ended"),
    (r"\b(?:had|has|have)(?:n['’]t|\s+not|\s+never)\s+been\b", "was", "had not been released → was released"),
    (r"\b(?:had|has|have)(?:n['’]t|\s+not|\s+never)\s+(?=\w)", "had ", "had not won → had won"),
    (r"\b(?:had|has|have)\s+been\b", "was", "had been released → was released"),
    (r"\b(?:was|were|is|are)(?:n['’]t|\s+not)\b", "was", "weren't delayed → was delayed"),
    (r"\b(?:did|does|do)(?:n['’]t|\s+not)\s+", "did ", "didn't exist → did exist"),
    (r"\b(?:were|was)\s+to\s+", "", "were to double → double"),
    (r"\bthere\s+(?:was|were)\s+no\b", "there was", "there were no delay → there was delay"),
    (r"\bhad\s+no\b", "had", "had no children → had children"),
)
"""How an "if" clause becomes a fact: pattern, replacement, example."""

MAIN_REWRITES = (
    (r"\bwould(?:n['’]t|\s+not)?\s+have\s+been\b", "was", "would have been the year → was the year"),
    (rf"{_WOULD_IT_HAVE}\s+been\b", r"was \1", "would it have been released → was it released"),
    (rf"{_WOULD_IT_HAVE}\b", r"had \1", "would they have won → had they won"),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+have\b", "had", "would have won → had won"),
    (r"\b(?:would|could)\s+((?:(?!be\b)[\w’'\"“”,.\-]+\s+){1,6}?)(?:not\s+)?be\b", r"is \1", "would it be → is it"),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+be\b", "is", "would be → is"),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+", "does ", "would it take → does it take"),
)
"""How a main clause becomes plain: pattern, replacement, example; the first that fits is used."""


def rewrite_without_condition(conditional: ConditionalQuestion) -> str:
    """Return a question with its "if" as a fact in a sentence before it: "X was released. In which year was it released?".

    The fact is what the "if" presupposes: without negation, and without the amount by which it changes something. A question
    that supposes nothing is returned as it is.
    """
    if not conditional.main:
        return conditional.text
    sentences = presupposed_fact(conditional), plain_main_clause(conditional.main)
    return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences if sentence) + "?"


def presupposed_fact(conditional: ConditionalQuestion) -> str:
    """Return what the "if" of a question presupposes, as a sentence without full stop; nothing without an "if"."""
    clause = conditional.clause
    for change in sorted(conditional.changes, key=lambda quantity_change: -quantity_change.start):
        if clause[change.start : change.end].strip() and len(change.text.split()) <= 5:
            clause = f"{clause[: change.start]} {clause[change.end :]}"
    for pattern, plain, _ in CLAUSE_REWRITES:
        clause = re.sub(pattern, plain, clause, flags=re.IGNORECASE)
    return " ".join(clause.split()).strip(" ,.;")


def plain_main_clause(main: str) -> str:
    """Return a main clause without its "would": "in which year would it have opened" is "in which year had it opened"."""
    for pattern, plain, _ in MAIN_REWRITES:
        made, count = re.subn(pattern, plain, main, count=1, flags=re.IGNORECASE)
        if count:
            return " ".join(made.split())
    return main
