"""Names of a change of a phrase: what lowers the amount of oxygen causes oxygen depletion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.protocols import GraphView
from kgqa.linking.concept_links import BROADER, ConceptLink
from kgqa.linking.linker import link_phrase
from kgqa.linking.mention import content_words

_LESSENING = re.compile(r"\b(?:lower|reduce|decrease|cut|diminish|deplete|use)(?:s|d|es|ed|ing)?(?: up)?\b", re.IGNORECASE)
_RAISING = re.compile(r"\b(?:raise|increase|boost|elevate)(?:s|d|ed|ing)?\b|\b(?:push|drive|put|send)\w* .+ up\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"^(?:the )?(?:amounts?|levels?|numbers?|quantity|rates?|concentrations?|share|supply) of |(?<=\w) levels?$", re.IGNORECASE
)
_BESIDE = re.compile(r" (?:in|on|at|of) .+$")
_STEPS = frozenset(("exact", "alias", "same words", "synonym", "same stems", "direction"))


def changed_amounts(phrase: str, question: str, view: GraphView) -> Iterator[ConceptLink]:
    """Yield what a question that asks what lowers, or raises, a phrase calls less, or more, of it; nothing for another question.

    The names that are known best come first.
    """
    noun = "reduction" if _LESSENING.search(question) else "increase" if _RAISING.search(question) else ""
    thing = _AMOUNT.sub("", phrase)
    beside = _BESIDE.search(thing)
    cut = [(_BESIDE.sub("", thing), beside[0].strip())] if beside else []
    for core, left_out in [(thing, ""), *cut] if noun and content_words(thing) else []:
        links = [link for link in link_phrase(f"{noun} in {core}", view) if link.how in _STEPS and not link.constraint]
        names = sorted((name for link in links for name in link.concepts), key=lambda name: -len(view.causes(name)))
        score = max((link.score for link in links), default=0.0)
        how, score = (BROADER, 0.5) if left_out else ("direction", min(score, 0.75))
        if names:
            yield ConceptLink(phrase, tuple(dict.fromkeys(names)), score, how, left_out)
