"""How surely a phrase must be linked to be answered from, or not to be mentioned."""

from __future__ import annotations

import re
from itertools import pairwise

from graph.text.normalise import surface_name
from graph.text.stop_words import DETERMINERS, PREPOSITIONS, STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.word_forms import is_only_verb

SURE_LINK = 0.8
"""The least score of a reading that an answer need not mention."""
ENOUGH_LINK = 0.45
"""The least score of a wider reading that a list is given for: it leaves out one modifier, and what is left says something.

The causes of "migrate" are none of "birds migrate over deserts", nor those of "death" of "the death of the poet's sister".
"""

_OF_PRONOUN = re.compile(r"\b(?:is|was|are|were) (?:it|this|that|they|these|those) (?:so |very |really )?$")
_DONE_TO = frozenset(("act", "event", "process", "attribute", "relation", "cognition", "communication"))
"""Kinds of nouns that are done to something, or are towards it: "damage to skin", "resistance to change"."""
_DETERMINERS = DETERMINERS["clauses"]

NARROWER, BROADER, SPELLING = "narrower", "broader", "spelling"
"""How a phrase was read, where the answer depends on it."""


def is_close_link(reading: ConceptLink) -> bool:
    """Return whether a list of what a reading leads to is an answer about the phrase: one modifier may be left out, no clause."""
    if reading.how != BROADER:
        return True
    # What was left out has a verb, by its look: what "the" follows is one if it is no preposition.
    words = reading.constraint.lower().split()
    no_verbs = PREPOSITIONS["linking"] | STOP_WORDS["linking"]
    object_of = any(word in _DETERMINERS and before not in no_verbs for before, word in pairwise(words))
    has_verb = object_of or any(is_only_verb(word) and not word.endswith("ing") for word in words)
    return reading.score >= ENOUGH_LINK and not has_verb


def asks_why_exists(phrase: str, question: str) -> bool:
    """Return whether a question asks why a thing, such as an organ or a tool, is there at all."""
    words = surface_name(phrase).split()
    if not words or "exist" not in question.lower():
        return False
    from kgqa.questions.lexicon import topics_of

    thing = kind_of_noun(words[-1]) in ("artifact", "body", "plant", "animal") or "body" in topics_of(words[-1])
    return thing and re.match(rf"\s*why (?:do|does|did) {re.escape(phrase)} exist\b", question, re.IGNORECASE) is not None


def asks_about_clause(phrase: str, question: str) -> bool:
    """Return whether a question asks what makes something act ("what causes plants to mold"), not what is done to a thing."""
    before, to, behind = phrase.partition(" to ")
    if not to or re.search(rf"\bcaus(?:e|es|ed|ing)\s+{re.escape(phrase)}", question, re.IGNORECASE) is None:
        return False
    head, verb = surface_name(before).split()[-1:], behind.split()[:1]
    if not head or not verb or verb[0] != verb[0].lower() or verb[0] in _DETERMINERS:
        return False
    plural = verb[0].endswith("s") and not verb[0].endswith("ss")
    return verb[0] in STOP_WORDS["linking"] or not (plural or kind_of_noun(head[0]) in _DONE_TO)


def is_of_pronoun(phrase: str, question: str) -> bool:
    """Return whether a phrase is said of a pronoun that names nothing: "important" of "Why is it important?"; not "raining"."""
    return not phrase.endswith("ing") and _OF_PRONOUN.search(question.lower().removesuffix(phrase.lower())) is not None
