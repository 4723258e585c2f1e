"""The scope of a cue: the words above it in the parse, which can deny, doubt or suppose the claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import BE_FORMS, has_label
from graph.text.word_lists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEAR_LABELS = frozenset({"xcomp", "attr", "acomp", "oprd", "pcomp", "prep", "agent"})
_SUBJECT_LABELS = frozenset({"nsubj", "nsubjpass"})
_CLAUSES = frozenset({"ccomp", "csubj", "csubjpass", "acl", "relcl"})
_CONTENT = ("hedging", "reporting", "finding", "denying", "doubting", "evidence", "asking")
_JUDGING = ("finding", "denying", "doubting")
_PREDICATE = frozenset({"acomp", "attr", "nsubj", "oprd"})
_ABOUT = frozenset({"of", "for", "about", "on", "between"})
_CIRCUMSTANCES = frozenset({"because", "due", "owing", "despite", "after", "during", "amid", "following", "thanks"})
_BREAKS = frozenset({";", ":", "—", "–", "--"})
_MAX_LEVELS = 10


@dataclass(frozen=True, slots=True)
class ScopeLevel:
    """A word on the path up from the cue, which is the first level; `below` is the word one level down, at first the cue.

    It `takes` the level below if that is its content: "claimed that", "failed to", "the myth that". It `shares` its "not" and its
    "may" with the level below, unless that is a clause of its own beside it.
    """

    token: Token
    below: Token
    takes: bool
    shares: bool = True

    def governors(self) -> Iterator[Token]:
        """Yield the words that govern the level below: of "it is a myth that ...", both "is" and "myth"."""
        if not self.takes:
            return
        yield self.token
        if self.token.lower_ in ("made", "taken"):
            yield from (child for child in self.token.children if child.dep_ == "nsubjpass")
        if self.token.lower_ in BE_FORMS:
            for child in self.token.children:
                if child != self.below and child.dep_ in _PREDICATE and not child.tag_.startswith("W"):
                    yield child


def scope_levels(cue: Token) -> list[ScopeLevel]:
    """Return the levels of a cue, itself first, up to the last one whose modifiers affect the claim.

    The path ends at a noun phrase that only contains the cue: "deaths due to smoking did not rise" denies nothing. It continues
    above one whose content is the claim: "the theory that X causes Y is false".
    """
    levels = [ScopeLevel(cue, cue, takes=False)]
    reported = False
    token = cue
    while len(levels) < _MAX_LEVELS and token.head.i != token.i:
        over_clause = token.dep_ in _CLAUSES or token.dep_ in ("advcl", "conj")
        step = _level_over_clause(token) if over_clause else _level_over_phrase(token, token == cue, reported)
        if step is None or (token.dep_ == "prep" and not step.takes and any(level.takes for level in levels)):
            break
        levels.append(step)
        reported = step.takes and (is_content_noun(step.token) or token.dep_ == "pobj")
        token = step.token
    return levels


def own_clause_levels(levels: list[ScopeLevel]) -> list[ScopeLevel]:
    """Return the levels of the clause of the cue, without those of clauses that report it."""
    end = next((place for place, level in enumerate(levels) if level.below.dep_ in _CLAUSES and place), len(levels))
    return levels[:end]


def is_content_noun(word: Token) -> bool:
    """Return whether the word is a noun that can have a claim as its content: "theory", "evidence", "myth"."""
    return word.tag_.startswith("NN") and _has_content(word)


def _predicates(verb: Token) -> list[Token]:
    return [verb, *(child for child in verb.rights if child.dep_ == "acomp")]


def _has_content(word: Token) -> bool:
    return any(word.lower_ in word_list(name) for name in _CONTENT)


def _level_over_clause(token: Token) -> ScopeLevel | None:
    label, head = token.dep_, token.head
    if label == "acl" or (label == "relcl" and is_content_noun(head) and _has_own_subject(token)):
        return _level_over_noun(token, head)
    if label == "relcl":
        focus = head
        while focus.dep_ == "conj":  # "it was not the frost but the drought that"
            focus = focus.head
        cleft = focus.dep_ == "attr" and any(child.lower_ == "it" for child in focus.head.lefts)
        above = _level_over_noun(token, head) if is_content_noun(head) else None
        return ScopeLevel(focus.head, token, takes=False) if cleft else above
    if label == "conj":
        takes = _has_content(head) and _follows_at_once(token, head)
        return ScopeLevel(head, token, takes, shares=takes or _shares_modifiers(token, head))
    if label == "advcl":
        own = token.tag_ != "VBG" or has_label(token.lefts, "mark", *_SUBJECT_LABELS)
        return None if own else ScopeLevel(head, token, takes=False)
    if label == "ccomp":  # an adjacent clause, which is no content of its head, has the same parse
        first, last = sorted((token.i, head.i))
        before = head.i > token.i and not _has_content(head)
        if before or any(word.text in _BREAKS for word in token.doc[first:last]):
            return None
    return ScopeLevel(head, token, takes=True)


def _level_over_phrase(token: Token, is_cue: bool, reported: bool) -> ScopeLevel | None:
    """Return the level above a noun, a predicate or a preposition; `reported` nouns have the claim as their content."""
    label, head = token.dep_, token.head
    if label in _SUBJECT_LABELS:
        judged = is_cue and any(word.lower_ in word_list(name) for word in _predicates(head) for name in _JUDGING)
        if reported or judged:  # "a link between X and Y has not been established"
            return ScopeLevel(head, token, takes=True)
        return ScopeLevel(head, token, takes=False) if is_cue and head.lower_ in BE_FORMS else None
    if label == "pobj" and not reported and {head.lower_, head.head.lower_} & _CIRCUMSTANCES:
        return None
    if label in ("dobj", "pobj", "advmod"):
        own = reported or is_cue
        return ScopeLevel(head, token, takes=label == "dobj" or (label == "pobj" and reported)) if own else None
    if label not in _NEAR_LABELS:
        return None
    is_topic = label == "prep" and is_content_noun(head) and token.lower_ in _ABOUT
    is_denied = label == "prep" and reported and head.lower_ in word_list("denying")  # "contrary to the belief"
    return ScopeLevel(head, token, takes=is_topic or is_denied or label in ("xcomp", "pcomp", "oprd"))


def _level_over_noun(token: Token, noun: Token) -> ScopeLevel | None:
    """Return the level of a noun above a clause that is its content: "evidence that", "attempt to".

    The parse of "reports of arson leading to the fire" has the arson in between.
    """
    that = (
        _has_own_subject(token) and token.dep_ == "relcl" and any(child.lower_ == "that" for child in token.lefts)
    )  # the parse of "theory that"
    if that or any(child.dep_ == "mark" or child.tag_ == "TO" for child in token.children) or noun.lower_ in word_list("denying"):
        return ScopeLevel(noun, token, takes=True)
    for _ in range(3):
        if token.tag_ != "VBG" or noun.dep_ != "pobj" or not noun.head.head.tag_.startswith("NN"):
            return None
        noun = noun.head.head
        if is_content_noun(noun):
            return ScopeLevel(noun, token, takes=True)
    return None


def _has_own_subject(verb: Token) -> bool:
    return has_label((child for child in verb.lefts if child.lower_ != "that"), *_SUBJECT_LABELS)


def _shares_modifiers(conjunct: Token, first: Token) -> bool:
    """Return whether "not" or "may" holds for a conjunct, too: "does not heal or cause pain", not "does not heal but causes"."""
    perfect = any(child.dep_ == "aux" and child.lower_ == "have" for child in first.lefts)
    if conjunct.tag_ in ("VBZ", "VBP", "MD") or (conjunct.tag_ == "VBD" and not perfect):
        return False
    if has_label(conjunct.children, "aux", "auxpass", *_SUBJECT_LABELS):
        return False
    return not any(child.dep_ == "cc" and child.lower_ == "but" for child in first.rights if child.i < conjunct.i)


def _follows_at_once(conjunct: Token, verb: Token) -> bool:
    """Return whether a clause with its own subject follows a verb without a conjunction, a parse of "ruled out that"."""
    if not has_label(conjunct.lefts, *_SUBJECT_LABELS):
        return False
    return not any(token.dep_ == "cc" or token.is_punct for token in conjunct.doc[verb.i : conjunct.i])
