"""Modal verbs and adverbs over a claim: whether they state what can happen in general, or doubt it.

"Smoking can cause cancer" and "frost may damage crops" are general rules: they are asserted, with the modal kept as the
capability. "The fire may have been caused by lightning" doubts a fact. 75 sentences of CauseNet and Wikipedia were read:

- "can" always states a capability; "could" forecasts or supposes in more than half, and "might" in all: they are doubts.
- "may" states one in nine of ten sentences whose cue says that something happens ("may be triggered by"). It is a doubt where
  the verb is perfect, where the subject is a particular act, event, possession or name ("his death", "Turkey"), and with cues
  that compare causes or state an object of research: "may be due to", "may contribute to", "may reduce".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from graph.mining.sentence.head_words import first_labelled, has_label
from graph.mining.stance.cue_scope import ScopeLevel
from graph.text.normalise import singular
from graph.text.word_lists import kind_of_noun, place_names, word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

_EVENT_KINDS = frozenset({"act", "event", "communication"})
_SCARCE = frozenset({"rarely", "seldom", "sometimes", "occasionally"})


def doubting_modal(levels: Sequence[ScopeLevel]) -> Token | None:
    """Return the modal that makes the claim a doubt, if there is one."""
    for modal, level in _modals(levels):
        if modal.lower_ in word_list("modal") and not _is_general_may(modal, level, levels):
            if modal.lower_ == "could" and has_label(level.token.children, "neg"):
                continue  # "could not be linked to", "could not have caused" deny
            if levels[0].token.lower_ == "used" and modal.lower_ != "might":
                continue  # "could be used to"
            return modal
        if modal.lower_ == "must" and _is_perfect(level.token):
            return modal
    return None


def capability_words(levels: Sequence[ScopeLevel]) -> str:
    """Return the words that state the claim as something that can happen: "can", "may", "rarely"; empty without one."""
    for modal, level in _modals(levels):
        if modal.lower_ == "can" and not has_label(level.token.children, "neg"):
            return "can"
        if modal.lower_ == "may" and _is_general_may(modal, level, levels):
            return "may"
    for level in levels:
        for child in level.token.children if level.shares else ():
            if child.dep_ == "advmod" and child.lower_ in _SCARCE:
                return child.lower_
        if level.takes and level.token.lower_ in word_list("able"):
            return level.token.lower_
    for level in levels:
        for child in level.token.children:
            if child.dep_ == "neg" and level.shares and is_less_than_always(child):
                return f"not {child.nbor().lower_}"
    return ""


def is_less_than_always(negation: Token) -> bool:
    """Return whether a "not" restricts the claim to some cases: "not always", "not all"."""
    after = negation.doc[negation.i + 1 : negation.i + 2]
    return bool(after) and after[0].lower_ in word_list("always")


def _modals(levels: Iterable[ScopeLevel]) -> Iterator[tuple[Token, ScopeLevel]]:
    for level in levels:
        if level.shares:
            yield from ((child, level) for child in level.token.children if child.dep_ == "aux" and child.tag_ == "MD")


def _is_general_may(modal: Token, level: ScopeLevel, levels: Sequence[ScopeLevel]) -> bool:
    cue = levels[0].token
    if modal.lower_ != "may" or cue.lower_ not in word_list("sporadic") or not cue.tag_.startswith("VB"):
        return False
    if _is_perfect(level.token) or has_label(level.token.children, "neg"):
        return False
    if level.token != cue and any(lower_level.takes for lower_level in levels[1 : levels.index(level) + 1]):
        return False
    subject = first_labelled(level.token.children, "nsubj", "nsubjpass")
    if subject is not None and subject.tag_.startswith("W"):
        subject = level.token.head if level.token.dep_ == "relcl" else None
    return subject is None or not _is_particular_noun(subject, subject.dep_ == "nsubjpass")


def _is_perfect(verb: Token) -> bool:
    return any(child.dep_ == "aux" and child.lower_ in ("have", "'ve", "of") for child in verb.children)


def _is_particular_noun(noun: Token, is_effect: bool) -> bool:
    """Return whether the noun is a name, a possession, or with "the" an act, an event or the effect, not a kind of thing."""
    if noun.tag_ in ("NNP", "NNPS") and noun.is_title and (noun.i > 0 or noun.lower_ in place_names()):
        return True
    marks = [child for child in noun.lefts if child.dep_ in ("det", "poss")]
    if any(child.dep_ == "poss" and child.tag_ != "NN" for child in marks):
        return True
    definite = any(child.lower_ in ("the", "this", "that", "these", "those") for child in marks)
    return definite and (is_effect or kind_of_noun(singular(noun.lower_)) in _EVENT_KINDS)
