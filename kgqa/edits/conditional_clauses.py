"""Conditionals that cannot be so, and conditionals as plain questions: the clause as a fact, the "would" as what was."""

from __future__ import annotations

import re
from itertools import pairwise

from kgqa.quantities.quantity_changes import ChangeKind
from kgqa.questions.conditional import ConditionalQuestion

_BOTH = re.compile(r"\bboth\s+(?P<one>[^,]+?)\s+and\s+(?P<other>[^,]+)", re.IGNORECASE)
_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in (
        "earlier/later before/after more/fewer more/less taller/shorter longer/shorter higher/lower "
        "heavier/lighter older/younger wider/narrower "
        "larger/smaller bigger/smaller faster/slower closer/further closer/farther doubled/halved "
        "increased/decreased increased/reduced won/lost "
        "alive/dead present/absent open/closed true/false on/off first/last postponed/advanced delayed/advanced"
    ).split()
)
_BY_ZERO = re.compile(
    r"\b(?:divid\w*|split)\b[^,]*\b(?:by|among|between|into)\s+(?:zero|0)\b|\b(?:one|a|1)\s?(?:/|over)\s?(?:zero|0)\b",
    re.IGNORECASE,
)
_NOTHING_LEFT = re.compile(r"\b(?:reduc|decreas|cut|lower|shrunk|shrink|shorten)\w*\b", re.IGNORECASE)


def conditional_contradiction(conditional: ConditionalQuestion) -> str:
    """Return why the supposition of a question cannot be made, or nothing where it can."""
    clause = conditional.clause
    if _BY_ZERO.search(clause):
        return "it divides by zero"
    both = _BOTH.search(clause)
    if both is not None:
        sides = [set(re.findall(r"[\w’'\-]+", both[side].lower())) for side in ("one", "other")]
        for first_word, second_word in _OPPOSITES:
            if (first_word in sides[0] and second_word in sides[1]) or (second_word in sides[0] and first_word in sides[1]):
                return f"it supposes both “{first_word}” and “{second_word}”"
    for first, second in pairwise(conditional.changes):
        between = clause[min(first.end, second.end) : max(first.start, second.start)]
        if (
            first.how is second.how
            and conditional.joined != "or"
            and re.fullmatch(r"\s*(?:and|yet|but)(?:\s+(?:also|at the same time))?\s*", between, re.IGNORECASE)
        ):
            if (
                first.how in (ChangeKind.LATER, ChangeKind.MORE, ChangeKind.PLACES)
                and first.amount * second.amount < 0
                and first.unit == second.unit
            ):
                return f"it supposes both “{first.text}” and “{second.text}”"
            if first.how is ChangeKind.TIMES and (first.amount - 1) * (second.amount - 1) < 0:
                return f"it supposes both “{first.text}” and “{second.text}”"
    for change in conditional.changes:
        if change.how is ChangeKind.TIMES and change.amount < 0:
            return f"nothing can be made smaller by more than all of it: “{change.text}”"
        if change.how is ChangeKind.TIMES and change.amount == 0 and not _NOTHING_LEFT.search(change.text):
            return f"“{change.text}” leaves nothing to reckon with"
    return ""


CLAUSE_REWRITES = (
    (
        r"^(?:(?:in\s+a\s+world\s+)?without|but\s+for|barring|absent|in\s+the\s+absence\s+of|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\s+",
        "there was ",
        "without the strike → there was the strike",
    ),
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
    (
        r"\b(?:would|could)\s+((?:(?!have\b)[\w’'\"“”,.\-]+\s+){1,9}?)(?:not\s+)?have\s+been\b",
        r"was \1",
        "would it have been released → was it released",
    ),
    (
        r"\b(?:would|could)\s+((?:(?!have\b)[\w’'\"“”,.\-]+\s+){1,9}?)(?:not\s+)?have\b",
        r"had \1",
        "would they have won → had they won",
    ),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+have\b", "had", "would have won → had won"),
    (r"\b(?:would|could)\s+((?:(?!be\b)[\w’'\"“”,.\-]+\s+){1,6}?)(?:not\s+)?be\b", r"is \1", "would it be → is it"),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+be\b", "is", "would be → is"),
    (r"\b(?:would|could)(?:n['’]t|\s+not)?\s+", "does ", "would it take → does it take"),
)
"""How a main clause becomes plain: pattern, replacement, example; the first that fits is used."""

_COMPILED_CLAUSE_REWRITES = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain, _ in CLAUSE_REWRITES)
_COMPILED_MAIN_REWRITES = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain, _ in MAIN_REWRITES)


def rewrite_without_condition(conditional: ConditionalQuestion) -> str:
    """Return a question with its "if" told as a fact, as a sentence before it: "X was released. In which year was it released?".

    The fact is what the "if" takes as its ground: without negation, and without the amount by which it changes something. A
    question that supposes nothing is returned as it is.
    """
    if not conditional.main:
        return conditional.text
    fact, main = presupposed_fact(conditional), plain_main_clause(conditional.main)
    return f"{_capitalise(fact)}. {_capitalise(main)}?" if fact else f"{_capitalise(main)}?"


def presupposed_fact(conditional: ConditionalQuestion) -> str:
    """Return what the "if" of a question takes as its ground, as a sentence without full stop; nothing without an "if"."""
    clause = conditional.clause
    for change in sorted(conditional.changes, key=lambda quantity_change: -quantity_change.start):
        if clause[change.start : change.end].split()[:1] and len(change.text.split()) <= 5:
            clause = f"{clause[: change.start]} {clause[change.end :]}"
    for pattern, plain in _COMPILED_CLAUSE_REWRITES:
        clause = pattern.sub(plain, clause)
    return " ".join(clause.split()).strip(" ,.;")


def plain_main_clause(main: str) -> str:
    """Return a main clause without its "would": "in which year would it have opened" is "in which year had it opened"."""
    for pattern, plain in _COMPILED_MAIN_REWRITES:
        made, count = pattern.subn(plain, main, count=1)
        if count:
            return " ".join(made.split())
    return main


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
