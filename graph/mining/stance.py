"""What a sentence does with a claim that a rule found in it: assert, deny, doubt, ask or suppose it."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from graph.mining.words import words
from graph.model import Stance

_CLAUSAL = frozenset({"xcomp", "ccomp", "attr", "acomp", "oprd", "pcomp", "prep", "advmod", "agent"})
_NOMINAL = frozenset({"dobj", "pobj"})
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})


def stance(cue: Token, others: tuple[Token, ...]) -> Stance:
    """Return the stance of the sentence of `cue` towards the claim; `others` are the other tokens of the match.

    Denial beats question, supposition and doubt, in this order: "there is no evidence that X may cause Y" denies. A denial that
    is only reported ("they claim that X does not cause Y") is a hedge.
    """
    governors = list(_governors(cue))
    chain = [cue, *(head for _, head in governors)]
    over = [head for child, head in governors if child.dep_ in ("xcomp", "ccomp", "acl", "pcomp")]
    if _is_negated(chain, over, others):
        return Stance.HEDGED if any(_only_reports(token) for token in over) else Stance.NEGATED
    if cue.doc.text.rstrip("\"'”’) ").endswith("?"):
        return Stance.QUESTIONED
    if _is_supposed(chain, over):
        return Stance.HYPOTHETICAL
    if _is_doubted([*chain, *others], over):
        return Stance.HEDGED
    return Stance.ASSERTED


def _governors(cue: Token) -> Iterator[tuple[Token, Token]]:
    """Yield the pairs of child and head above the cue that decide whether it is a fact: "is thought to", "evidence that".

    A noun phrase that merely holds the cue is not climbed out of: "deaths due to smoking did not rise" denies nothing.
    """
    token = cue
    reported = False
    for _ in range(6):
        label, head = token.dep_, token.head
        if label == "acl":
            reported = any(child.dep_ == "mark" or child.tag_ == "TO" for child in token.children)
            climbs = reported
        elif label == "conj":
            climbs = not any(child.dep_ in ("nsubj", "nsubjpass") for child in token.children)
        elif label == "nsubj":
            climbs = token is cue and head.lower_ in _BE
        else:
            climbs = label in _CLAUSAL or (label in _NOMINAL and (token is cue or reported))
        if not climbs or head.i == token.i:
            return
        yield token, head
        token = head


def _is_negated(chain: list[Token], over: list[Token], others: tuple[Token, ...]) -> bool:
    """Return whether a negation has the cue, what governs it, or one of its arguments in its scope; two of them cancel out.

    Over "because of" and the like only a "not" right before it counts: "it did not open because of rain" denies no cause.
    """
    cue = chain[0]
    negations = sum(
        child.lower_ in words("negative") and child.dep_ in ("neg", "det", "advmod", "preconj") and not _is_not_only(child)
        for token in chain
        for child in token.children
        if cue.dep_ != "prep" or token is cue or child.i == cue.i - 1
    )
    negations += sum(token.lower_ in words("failing") for token in over)
    negations += sum(token.lower_ == "without" for token in over)
    negations += sum(
        child.dep_ in ("det", "neg") and child.lower_ in ("no", "neither", "not") and not _is_not_only(child)
        for token in others
        if token not in chain
        for child in token.children
    )
    return negations % 2 == 1


def _only_reports(token: Token) -> bool:
    """Return whether the word says that somebody holds what follows, without denying that they do."""
    return token.lower_ in words("reporting") and not any(child.lower_ in words("negative") for child in token.children)


def _is_not_only(negation: Token) -> bool:
    """Return whether the negation belongs to "not only", "not just" or "not all", which deny nothing."""
    doc, place = negation.doc, negation.i
    after = [token.lower_ for token in doc[place + 1 : place + 3]]
    if after[:1] == ["the"]:
        return after[1:] in (["only"], ["sole"])
    return bool(after) and after[0] in ("only", "just", "merely", "simply", "all", "every", "necessarily", "always")


def _is_supposed(chain: list[Token], over: list[Token]) -> bool:
    """Return whether the claim stands in an if-clause, under "would", or under an aim ("tried to prevent")."""
    for token in chain:
        for child in token.children:
            if child.dep_ == "mark" and child.lower_ in ("if", "unless", "whether", "lest"):
                return True
            if child.dep_ in ("aux", "advmod") and child.lower_ in ("would", "'d", "should", "if"):
                return True
    return any(token.lower_ in words("aiming") for token in over)


def _is_doubted(around: list[Token], over: list[Token]) -> bool:
    """Return whether a modal, an adverb or a governing verb of doubt stands over the claim."""
    for token in around:
        for child in token.children:
            if child.dep_ == "aux" and child.lower_ in words("modal"):
                return True
            if child.dep_ == "advmod" and child.lower_ in words("doubtful"):
                return True
            if child.dep_ == "amod" and child.lower_ in ("possible", "potential", "probable", "likely", "suspected"):
                return True
    return any(
        token.lower_ in words("hedging") and not any(child.lower_ in ("correctly", "rightly") for child in token.children)
        for token in over
    )
