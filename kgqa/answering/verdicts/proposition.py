"""What a question that asks whether puts up: more, less, any change or a mere link, and with how much certainty."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from graph.model import Relation
from graph.topology import ACTING_LINKS, BELIEVED_LINKS, DRIVING_LINKS, LESSENING_LINKS, EdgeKind, Links, is_lessening, links_of
from kgqa.answer_model import Verdict
from kgqa.answering.verdicts.evidence_weighing import ClaimRole
from kgqa.question import Slots

_AFFECT_WORDS = re.compile(r"\b(?:affect|effect|influence|impact|alter|change|interact|interfere|play a)", re.IGNORECASE)
_POSSIBILITY_WORDS = re.compile(r"\b(?:can|could|may|might|possible|possibly|able)\b", re.IGNORECASE)
_TRUTH_WORDS = re.compile(r"\b(?:true|fact|correct|sure|case)\b(.*)", re.IGNORECASE)
_FALSITY_WORDS = re.compile(
    r"\b(?:false|untrue|wrong|incorrect|myth|lie|misconception"
    r"|it(?: is|['’]s) not (?:true|correct)|it isn['’]?t (?:true|correct))\b(.*)",
    re.IGNORECASE,
)
_NEGATION_WORDS = re.compile(r"\b(?:not|never|no|cannot|cant|(?:do|does|did|is|are|was|were|wo)nt)\b|n['’]t\b", re.IGNORECASE)
_EITHER_WAY = re.compile(
    r"\b(?:true|right|fact|correct)(?:,? or |/)(?:false|wrong|fiction|myth|incorrect)\b|\bor not\b"
    r"|,\s*\w+(?:n['’]t)? (?:it|they|that|this|he|she|one|we|you)\W*$",
    re.IGNORECASE,
)
"""What asks for either answer, before or behind a statement: "true or false", "or not", "isn't it?"."""


class Sense(Enum):
    """What the cause is said to do: make more of its effect, or less, change it either way, or only go along with it."""

    MORE = "more"
    LESS = "less"
    EITHER = "either"
    LINK = "link"


def _causing(links: Links) -> Links:
    return links_of((kind for kind in links.kinds if kind[0] is not Relation.IS_FOR), links.above)


CAUSING_LINKS = _causing(DRIVING_LINKS)
"""What makes more of its effect; what is only used for something does not."""
CHAIN_LINKS = {
    Sense.MORE: CAUSING_LINKS,
    Sense.LESS: LESSENING_LINKS,
    Sense.EITHER: _causing(ACTING_LINKS),
    Sense.LINK: BELIEVED_LINKS,
}
"""What can be a step of a chain that answers a proposition."""


class Proposition(NamedTuple):
    """The statement that a question wants a verdict on; `may` where only its possibility counts, `denied` for its contrary."""

    sense: Sense
    may: bool = False
    denied: bool = False

    def role(self, kind: EdgeKind) -> ClaimRole | None:
        """Return the role of a claim of this kind towards the proposition; `None` for none.

        Whoever denies that two things go together denies that one causes the other.
        """
        linked = kind[0] is Relation.ASSOCIATED
        if kind[0] is Relation.IS_FOR and self.sense is not Sense.LINK:
            return None  # A medicine that is for fever does not cause it.
        if self.sense is Sense.LINK:
            return ClaimRole.SAYS if linked else ClaimRole.MORE
        if self.sense is Sense.LESS:
            return ClaimRole.SAYS if is_lessening(kind) else None if linked else ClaimRole.CONTRARY
        if linked:
            return ClaimRole.LESS
        if self.sense is Sense.EITHER:
            return ClaimRole.SAYS
        return ClaimRole.CONTRARY if is_lessening(kind) else ClaimRole.SAYS

    def judged(self, verdict: Verdict) -> Verdict:
        """Return the verdict on the question from that on the claim: the contrary where the proposition is denied."""
        if not self.denied or verdict not in (Verdict.YES, Verdict.NO):
            return verdict
        return Verdict.NO if verdict is Verdict.YES else Verdict.YES


def parse_proposition(question: str, slots: Slots) -> Proposition:
    """Return what a question asks whether it is so, from its relation and its words outside the slots.

    A question in the negative ("Doesn't smoking cause cancer?") puts up the same as without; only where it is asked whether
    something is false, or is true that it is not, does it put up the contrary.
    """
    words = question
    for phrase in sorted(filter(None, (slots.cause, slots.effect)), key=len, reverse=True):
        words = words.replace(phrase, " ", 1)
    sense = {Relation.PREVENTS: Sense.LESS, Relation.ASSOCIATED: Sense.LINK}.get(slots.relation, Sense.MORE)
    if sense is Sense.MORE and _AFFECT_WORDS.search(words):
        sense = Sense.EITHER
    return Proposition(sense, may=bool(_POSSIBILITY_WORDS.search(words)), denied=_is_denied(words))


def _is_denied(words: str) -> bool:
    """Return whether a question asks if something is false, or true that it is not; a denied falsehood is an assertion."""
    statement = _EITHER_WAY.sub(" true ", words, count=1) if _EITHER_WAY.match(words.lstrip()) else words
    statement = _EITHER_WAY.sub(" ", statement)
    false = _FALSITY_WORDS.search(statement)
    behind = false or _TRUTH_WORDS.search(statement)
    return behind is not None and bool(false) != bool(_NEGATION_WORDS.search(behind.group(1)))
