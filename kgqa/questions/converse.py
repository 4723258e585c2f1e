"""Questions that ask for both directions: "Does A cause B or does B cause A?", "Does A cause B or vice versa?"."""

from __future__ import annotations

import re
from dataclasses import replace

from graph.text.normalise import concept_name
from kgqa.question import Attribute, QuestionType, Slots

_CONVERSE = re.compile(
    r",?\s*\bor (?:(?P<plain>(?:is it |does it go )?(?:vice versa|the other way a?round|the reverse|the opposite way))"
    r"|(?P<asked>(?:does|do|did|can|could|will|would|is|are|was|were)\b.+))\W*$",
    re.IGNORECASE,
)
"""The second half of a question that asks for both directions."""


def converse_questions(question: str, kind: QuestionType) -> tuple[QuestionType, QuestionType] | None:
    """Return the two questions, each with its slots, where a question asks for both directions, else `None`."""
    match = _CONVERSE.search(question)
    slots = kind.slots
    if match is None or not slots.cause or not slots.effect:
        return None
    effect = _CONVERSE.sub("", slots.effect).strip()
    if match["asked"]:
        from kgqa.questions.classifier import classify

        converse = classify(f"{match['asked']}?").slots
        names = [concept_name(name or "") for name in (slots.cause, effect, converse.cause, converse.effect)]
        if names[:2] != names[:1:-1] or converse.relation is not slots.relation:
            return None
    left = tuple(attribute for attribute in kind.attributes if attribute not in (Attribute.DISJUNCTION, Attribute.MULTI_SLOT))
    plain = Slots(slots.cause, effect, slots.relation, population=slots.population, place=slots.place, time=slots.time)
    first = replace(kind, slots=plain, attributes=left)
    return first, replace(first, slots=replace(plain, cause=effect, effect=slots.cause))
