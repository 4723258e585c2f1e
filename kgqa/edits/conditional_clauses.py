"""How a question opens what it supposes: "if", "had" and "were" before their subject, "without", each with an example.

What an "if" question supposes and what it asks: its two clauses, the mood and negation of the "if", and its changes.

Suppositions that cannot be so, and edits that make no sense: what is wrong with them, in words.

An "if" question as a plain one: the "if" turned into what is so, the "would" into what was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from kgqa.quantities.quantity_changes import ChangeKind, QuantityChange, find_changes

QUESTION_WORD_PATTERN = (
    r"(?:(?:in|on|at|by|for|to|from|with|of|until|till|under|through|against|as|over|during|after|"
    r"before|around|into|about|towards?"
    r"|approximately|exactly|within|upon|alongside|between|via)\s+){0,2}(?:who|whom|whose|what|which|when|where|why|how)\b"
)
"""How a clause begins that asks for something."""
AUXILIARY_PATTERN = r"(?:would|could|will|should|is|are|was|did|does|do|can)\b"
"""How a clause begins that asks whether something is so."""


@dataclass(frozen=True, slots=True)
class ConditionalOpening:
    """One way to open a supposition: a pattern, and an example.

    `kept` says that the words belong to the clause, for they tell what is denied; `imagined` that the main clause must have a
    "would", for the words have other uses; `changes` that the clause must change an amount.
    """

    pattern: str
    example: str
    keeps_opening: bool = False
    imagined: bool = False
    changes: bool = False


_SUBJECT = r"(?:it|he|she|they|we|there|the|an?|its|his|her|their|[A-Z][\w’'.\-]*)"
_AWAY = r"without|but\s+for|barring|absent|in\s+the\s+absence\s+of|unless"

CONDITIONAL_OPENINGS = (
    ConditionalOpening(
        r"\b(?:(?i:(?:^what\s+)?if)|supposing|assuming|provided)\b(?:\s+that\b)?"
        r"|(?:^|(?<=[.,;:]\s))(?i:suppos(?:ing|e)|assum(?:ing|e)|imagine|provided)\b(?:\s+that\b)?",
        "If the tower were taller, which would be the tallest?",
    ),
    ConditionalOpening(
        r"\b(?:(?:^G|,\sg)iven\s+that|[Oo]n\s+the\s+assumption\s+that|[Ii]n\s+case|[Ii]n\s+a\s+world\s+(?:where|in\s+which)|"
        r"[Ll]et(?:\s+us|['’]s)\s+(?:say|assume|suppose|imagine))\b(?:\s+that\b)?",
        "Let us say the tower had ten more floors. How many would it have?",
    ),
    ConditionalOpening(r"^(?i:say)\b(?:\s+that\b)?", "Say the tower had ten more floors, how many would it have?", imagined=True),
    ConditionalOpening(r"^(?i:had)\b", "Had the strike not ended, when would the film have come out?", keeps_opening=True),
    ConditionalOpening(
        r"^(?i:were|should|did)\b", "Were the tower 20 m taller, which would be the tallest?", keeps_opening=True, imagined=True
    ),
    ConditionalOpening(
        rf"\b(?i:{_AWAY})\b", "Who would have led without Chamberlain resigning?", keeps_opening=True, imagined=True
    ),
    ConditionalOpening(
        r"^(?i:with|by)\b(?!\s+(?:wh\w+|how)\b)",
        "With two more floors, how tall would it be?",
        keeps_opening=True,
        imagined=True,
        changes=True,
    ),
    ConditionalOpening(
        rf"(?<=\s)(?<!have\s)(?<!has\s)(?:had|were)(?=\s{_SUBJECT}\s(?:[\w’'.\-]+\s){{0,7}}?(?:not|never|been|to|[a-z]+ed|[a-z]+[ew]n)\b)",
        "Who would have led had Chamberlain not resigned?",
        keeps_opening=True,
        imagined=True,
    ),
)
"""The openings, the first that parts a question in two clauses tells."""

CONTRARY_OPENING = re.compile(rf"^(?:{_AWAY}|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\b", re.IGNORECASE)
"""How a kept clause begins that takes something away, whatever its verb."""
HYPOTHETICAL_OPENING = re.compile(r"^(?:were|should|did|with|by)\b", re.IGNORECASE)
"""How a kept clause begins that imagines something."""

_WOULD = re.compile(r"\b(?:would|could|might)(?:n['’]t)?\b", re.IGNORECASE)
_COMMA = r"[\"”’']?\s*(?:[,;.:]|\s[-–])[\"”’']?\s*(?:then\s+)?"
_MAIN_WH = re.compile(rf"{_COMMA}(?={QUESTION_WORD_PATTERN})", re.IGNORECASE)
_MAIN_WHETHER = re.compile(rf"{_COMMA}(?={AUXILIARY_PATTERN})", re.IGNORECASE)
_MAIN_LATE = re.compile(rf"{_COMMA}(?=.*\s{QUESTION_WORD_PATTERN})", re.IGNORECASE)
_BARE_MAIN = re.compile(rf"\s+(?:then\s+)?(?={QUESTION_WORD_PATTERN}.*\b(?:would|could|will)\b)", re.IGNORECASE)
_BARE_WHETHER = re.compile(rf"\s+(?:then\s+)?(?=(?:would|could|will)\s+(?-i:{_SUBJECT})\s)", re.IGNORECASE)
_MAINS = (_MAIN_WH, _MAIN_WHETHER, _MAIN_LATE, _BARE_MAIN, _BARE_WHETHER)
_ASKING = re.compile(rf"(?:^|\s){QUESTION_WORD_PATTERN}|^{AUXILIARY_PATTERN}", re.IGNORECASE)


@cache
def _compiled_openings() -> tuple[tuple[ConditionalOpening, re.Pattern[str]], ...]:
    return tuple((row, re.compile(row.pattern)) for row in CONDITIONAL_OPENINGS)


def split_clauses(question: str) -> tuple[str, str] | None:
    """Return the clause of a question that supposes, without its "if", and the main clause; `None` where there are not both."""
    text = " ".join(question.split()).rstrip("?! .")
    for row, pattern in _compiled_openings():
        opening = pattern.search(text)
        cut = None if opening is None else _split_at_opening(text, opening, row)
        if cut is not None and (not row.imagined or _WOULD.search(cut[1])) and (not row.changes or find_changes(cut[0])):
            return cut
    return None


def _split_at_opening(text: str, opening: re.Match[str], row: ConditionalOpening) -> tuple[str, str] | None:
    """Return the clause behind an opening, with the opening where that is kept, and the main clause before or behind it."""
    before, after = text[: opening.start()].rstrip(" ,;:"), text[opening.end() :].strip(" ,;:")
    if row.keeps_opening:
        after = f"{opening[0].lower()} {after}"
    if len(before.split()) >= 3 and _ASKING.search(before):
        return (after, before) if after else None
    main = next(filter(None, (_last_match(pattern, after) for pattern in _MAINS)), None)
    if main is None:
        return None
    clause, main_clause = after[: main.start()].strip(" ,;:"), after[main.end() :].strip()
    return (f"{before} {clause}".strip() if before else clause, main_clause) if clause and main_clause else None


def _last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last place where a main clause may begin: an "if" clause often has a relative clause between commas."""
    return next(reversed(list(pattern.finditer(text))), None)


class ConditionalMood(StrEnum):
    """How an "if" stands to what is so: contrary to fact ("had been"), imagined ("were", "was"), or open ("is")."""

    COUNTERFACTUAL = "counterfactual"
    HYPOTHETICAL = "hypothetical"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ConditionalClauses:
    """A question with an "if" in two clauses; `conditions` are the parts of the "if", joined by `joined` ("and", "or", "but").

    `changes` are the amounts by which the "if" changes something, surest first; `negated` says that it takes something away.
    """

    clause: str
    main: str
    mood: ConditionalMood
    negated: bool
    conditions: tuple[str, ...]
    joined: str
    changes: tuple[QuantityChange, ...]

    def condition_of(self, change: QuantityChange) -> tuple[str, bool]:
        """Return the condition in which a change stands, and whether that names a subject of its own."""
        at = 0
        for place, condition in enumerate(self.conditions):
            at = self.clause.find(condition, at)
            if at <= change.start < at + len(condition):
                return condition, place == 0 or not _BARE.match(condition)
            at += len(condition)
        return self.clause, True


_BARE = re.compile(
    r"^(?:then\s+|also\s+|later\s+)*(?:it|he|she|they|had|was|were|not|never|did|hadn['’]t|\w+ed|won|lost|gained|sold)\b",
    re.IGNORECASE,
)
"""How a condition begins that is on what the one before it is on."""
_COUNTERFACTUAL = re.compile(r"\b(?:had|hadn['’]t)\b", re.IGNORECASE)
_HYPOTHETICAL = re.compile(r"\b(?:were|was|did|weren['’]t|wasn['’]t|didn['’]t|could|would|[a-z]{3,}ed)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|never|no|without|n['’]t|nobody|none|neither|failed\s+to|refused\s+to|refrained|absent|"
    r"lacked|didn['’]t\s+exist)\b|n['’]t\b",
    re.IGNORECASE,
)
_JOINTS = re.compile(
    r",?\s+(and|or|but)\s+(?=(?:then\s+|also\s+|later\s+)*"
    r"(?:had|hadn['’]t|was|were|did|didn['’]t|wasn['’]t|not|never|it|he|she|they|the|if|instead|won|lost|gained|[a-z]{3,}ed)\b"
    r"|(?-i:[A-Z][\w’'.]*(?:\s[A-Z][\w’'.]*)*\s(?:had|was|were|[a-z]{3,}ed)\b)|its\s|his\s|her\s|their\s)",
    re.IGNORECASE,
)


def parse_conditional_clauses(question: str) -> ConditionalClauses | None:
    """Return the clauses of a question that supposes something, wherever its "if" stands; `None` where it supposes nothing."""
    cut = split_clauses(question)
    if cut is None:
        return None
    clause, main = cut
    mood = ConditionalMood.OPEN
    contrary = CONTRARY_OPENING.match(clause) is not None
    if contrary or _COUNTERFACTUAL.search(clause):
        mood = ConditionalMood.COUNTERFACTUAL
    elif HYPOTHETICAL_OPENING.match(clause) or _HYPOTHETICAL.search(clause):
        mood = ConditionalMood.HYPOTHETICAL
    joints = _JOINTS.findall(clause)
    conditions = tuple(part.strip() for part in _JOINTS.split(clause)[::2] if part.strip()) if joints else (clause,)
    negated = contrary or _NEGATED.search(clause) is not None
    return ConditionalClauses(clause, main, mood, negated, conditions, joints[0].lower() if joints else "", find_changes(clause))


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


def conditional_contradiction(conditional: ConditionalClauses) -> str:
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
        r"^(?:without|but\s+for|barring|absent|in\s+the\s+absence\s+of|(?:(?:had|were)\s+it\s+)?not\s+(?:been\s+)?for)\s+",
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


def rewrite_without_condition(question: str) -> str:
    """Return a question with its "if" told as a fact, as a sentence before it: "X was released. In which year was it released?".

    The fact is what the "if" takes as its ground: without negation, and without the amount by which it changes something. A
    question that supposes nothing is returned as it is.
    """
    conditional = parse_conditional_clauses(question)
    if conditional is None:
        return question
    fact, main = presupposed_fact(question), plain_main_clause(conditional.main)
    return f"{_capitalise(fact)}. {_capitalise(main)}?" if fact else f"{_capitalise(main)}?"


def presupposed_fact(question: str) -> str:
    """Return what the "if" of a question takes as its ground, as a sentence without full stop; nothing without an "if"."""
    conditional = parse_conditional_clauses(question)
    if conditional is None:
        return ""
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
