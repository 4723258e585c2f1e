"""What a question asks for by its form: whether something is so, or what, who, when and how much."""

from __future__ import annotations

import re
from enum import StrEnum

from graph.text.stop_words import AUXILIARIES
from kgqa.questions.conditional_parser import parse_conditional


class QuestionForm(StrEnum):
    """What the form of a question asks for: yes or no, something to be named, or either."""

    WHETHER = "whether"
    OPEN = "open"
    UNCLEAR = "unclear"


_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b")
_OPENING_WORD = re.compile(r"(?:then |so |and )*(\w+)")
_PREPOSITIONAL_QUESTION = re.compile(r"(?:\w+ ){1,3}(?:who|whom|whose|what|which|when|where|why|how)\b")
"""A clause that a preposition or an adverb begins: "according to whom", "approximately how many"."""
_MODAL = re.compile(r"\b(?:would|could|might|will|should|can|did|does|do)\b")
_IMPERATIVES = {"name", "list", "give", "tell", "find", "describe", "explain", "state"}
_CONTINUES = re.compile(r"\w+ (?:not|never|also|be|been|have) ")
_INSIDE = re.compile(r" (?:which|what|whom|how many|how much)\b")
_CAUSAL = re.compile(
    r"\b(?:why|how come|caus\w+|reasons?|effects?|results?|resulted|leads?|led to|consequences?|because|due to|"
    r"what (?:made|makes)|trigger\w*|contribut\w+|prompted|responsible)\b",
    re.IGNORECASE,
)
_WHY_OR_HOW = re.compile(r"\W*(?:why|how)\b", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b(?! (?:not|any|no|else|so|more|less)\b)")


def question_form_of(question: str) -> QuestionForm:
    """Return the form of a question, of a conditional that of its main clause.

    A choice ("Was it in Paris or in London?") and a text without the form of a question are `UNCLEAR`.
    """
    conditional = parse_conditional(question)
    main = conditional.main if conditional else ""
    text = re.sub(r"['’‘“”\"«»`]", "", (main or question).lower())
    clauses = [clause.strip() for clause in re.split(r"[,;:.!?]+\s", " ".join(text.split()) + " ") if clause.strip()]
    form = (_clause_form(clauses[0]) or _main_clause_form(clauses[1:])) if clauses else QuestionForm.UNCLEAR
    if form is None:
        asks = any(_QUESTION_WORD.search(clause.partition(" ")[2]) for clause in clauses)
        return QuestionForm.OPEN if asks else QuestionForm.UNCLEAR
    return QuestionForm.UNCLEAR if main and form is QuestionForm.WHETHER and any(map(_INSIDE.search, clauses)) else form


def _main_clause_form(clauses: list[str]) -> QuestionForm | None:
    """Return the form of the first clause that can be the main one behind a supposition.

    What names something is no relative clause ("who led Iraq") where it has a modal verb, or nothing follows it.
    """
    for weak in (False, True):
        for place, clause in enumerate(clauses):
            # Some may begin a clause that only goes on with the supposition: "..., a moon of Uranus, did not exist, ...".
            form = _clause_form(clause) if weak or _opening_word(clause) not in AUXILIARIES["weak openings"] else None
            form = form or (QuestionForm.OPEN if _PREPOSITIONAL_QUESTION.match(clause) else None)
            if form is QuestionForm.OPEN and (_MODAL.search(clause) or place == len(clauses) - 1):
                return form
            if form in (QuestionForm.WHETHER, QuestionForm.UNCLEAR) and not _CONTINUES.match(clause):
                return form
    return None


def _clause_form(clause: str) -> QuestionForm | None:
    word = _opening_word(clause)
    if _QUESTION_WORD.fullmatch(word) or word in _IMPERATIVES:
        return QuestionForm.OPEN
    if word in AUXILIARIES["openings"]:
        return QuestionForm.UNCLEAR if _CHOICE.search(clause) else QuestionForm.WHETHER
    return None


def _opening_word(clause: str) -> str:
    match = _OPENING_WORD.match(clause)
    return match[1] if match else ""


def asks_causally(question: str) -> bool:
    """Return whether a question has a word of cause or effect."""
    return bool(_CAUSAL.search(question))


def asks_why_or_how(question: str) -> bool:
    """Return whether a question begins with why or how."""
    return _WHY_OR_HOW.match(question) is not None
