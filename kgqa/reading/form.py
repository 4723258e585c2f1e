"""What a question asks for by its form: whether something is so, or what, who, when and how much."""

from __future__ import annotations

import re
from enum import StrEnum


class Form(StrEnum):
    """What the form of a question asks for: yes or no, something to be named, or either."""

    WHETHER = "whether"
    OPEN = "open"
    UNCLEAR = "unclear"


_AUXILIARY = (
    "is are was were am be do does did can could will would shall should may might must has have had "
    "isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt shouldnt hasnt havent hadnt"
).split()
_ASKED = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b")
_OPENS = re.compile(r"(?:then |so |and )*(\w+)")
_LED_IN = re.compile(r"(?:\w+ ){1,3}(?:who|whom|whose|what|which|when|where|why|how)\b")
"""A clause that a preposition or an adverb begins: "according to whom", "approximately how many"."""
_MODAL = re.compile(r"\b(?:would|could|might|will|should|can|did|does|do)\b")
_ORDERED = {"name", "list", "give", "tell", "find", "describe", "explain", "state"}
_INVERTED = {"had", "were", "should", "hadnt", "werent", "was", "did"}
"""What may begin a condition without "if": "Had he stayed, would ...?"."""
_WEAK = {
    "had",
    "have",
    "has",
    "hadnt",
    "havent",
    "hasnt",
    "was",
    "were",
    "wasnt",
    "werent",
    "did",
    "didnt",
    "is",
    "are",
    "does",
    "do",
}
"""What may begin a clause that only goes on with the supposition: "..., a moon of Uranus, did not exist, ..."."""
_GOES_ON = re.compile(r"\w+ (?:not|never|also|be|been|have) ")
_INSIDE = re.compile(r" (?:which|what|whom|how many|how much)\b")
_SUPPOSING = re.compile(r"(?:even |only )?(?:if|suppose|supposing|assuming|imagine|provided|unless|without|given|in case)\b")
_SUPPOSED = re.compile(r"\b(?:if|suppose|supposing|assuming|assume|imagine|unless|without)\b|^had\b", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b(?! (?:not|any|no|else|so|more|less)\b)")


def supposing(question: str) -> bool:
    """Return whether a question may suppose what its passage does not tell, going by its words alone."""
    return _SUPPOSED.search(question) is not None


def form_of(question: str) -> Form:
    """Return the form of a question: that of its main clause, whatever it supposes before.

    A choice ("Was it in Paris or in London?") is `UNCLEAR`, and so is what is no question by its form.
    """
    clauses = [one.strip() for one in re.split(r"[,;:.!?]+\s", _plain(question)) if one.strip()]
    if not clauses:
        return Form.UNCLEAR
    first = clauses[0]
    if _SUPPOSING.match(first):
        form = _of_main(clauses[1:]) or (Form.OPEN if _asks(first) else Form.UNCLEAR)
        return Form.UNCLEAR if form is Form.WHETHER and any(map(_INSIDE.search, clauses)) else form
    if _word(first) in _INVERTED and (later := _of_main(clauses[1:])):
        return later
    return _of_clause(first) or _of_main(clauses[1:]) or (Form.OPEN if any(map(_asks, clauses)) else Form.UNCLEAR)


def _plain(question: str) -> str:
    """Return a question in lower case without apostrophes and quotation marks, in single spaces."""
    text = re.sub(r"['’‘“”\"«»`]", "", question.lower())
    return " ".join(text.split()) + " "


def _of_main(clauses: list[str]) -> Form | None:
    """Return the form of the first clause that can be the main one behind a supposition.

    What names something is no relative clause ("who led Iraq") where it has a modal verb, or nothing follows it.
    """
    for weak in (False, True):
        for place, clause in enumerate(clauses):
            form = _of_clause(clause) if weak or _word(clause) not in _WEAK else None
            form = form or (Form.OPEN if _LED_IN.match(clause) else None)
            if form is Form.OPEN and (_MODAL.search(clause) or place == len(clauses) - 1):
                return form
            if form in (Form.WHETHER, Form.UNCLEAR) and not _GOES_ON.match(clause):
                return form
    return None


def _of_clause(clause: str) -> Form | None:
    """Return the form of a clause that begins as a question does."""
    word = _word(clause)
    if _ASKED.fullmatch(word) or word in _ORDERED:
        return Form.OPEN
    if word in _AUXILIARY:
        return Form.UNCLEAR if _CHOICE.search(clause) else Form.WHETHER
    return None


def _word(clause: str) -> str:
    """Return the word that a clause begins with, "then" aside."""
    found = _OPENS.match(clause)
    return found[1] if found else ""


def _asks(clause: str) -> bool:
    return _ASKED.search(clause.partition(" ")[2]) is not None
