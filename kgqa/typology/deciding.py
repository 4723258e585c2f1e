"""Which class a question has: what the rules say, and what a linear model makes of that and of the words.

The rules find the slots, so the model may move a question only among classes that read the same slots: between cause, goal,
purpose and enablement, which all ask what stands before an effect; and to "not causal", if it is surer of that than the rule is
of its class. A question that no rule reads has no slots, and is not causal whatever the model thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kgqa.model import Intent, Pragmatic, Semantic
from kgqa.typology.features import features
from kgqa.typology.linear import Linear, linear
from kgqa.typology.reading import Reading
from kgqa.typology.words import Word

NOT_CAUSAL = "not causal"
ANTECEDENTS = frozenset((Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT))
"""The classes among which the model chooses."""
_LEAST_DOUBT = 0.5
SURE_SUBTYPE = 0.35
"""A subtype less probable than this is not told, only its intent, if that is sure enough."""
SURE_INTENT = 0.5
SURE_MEDICAL = 0.7
"""A yes/no question in which no word is about an illness, the body, a drug or a treatment is medical only from here on."""
_MEDICAL = frozenset((Pragmatic.PROBLEM_MEDICAL, Pragmatic.PREVENTION_MEDICAL))
_OF_MEDICINE = frozenset(f"{much} {topic}" for much in ("topic", "twice") for topic in ("illness", "body", "drug", "treatment"))

Scores = tuple[tuple[str, float], ...]


class Decision(NamedTuple):
    """The class with the probabilities of all, likeliest first, and the features that were looked at."""

    semantic: Semantic | None
    confidence: float
    scores: Scores
    features: frozenset[str]


class Purport(NamedTuple):
    """The pragmatic subtype and intent, each `None` where it is not sure enough, with the probabilities of the subtypes."""

    subtype: Pragmatic | None
    intent: Intent | None
    confidence: float
    scores: Scores


def decide(words: Sequence[Word], reading: Reading | None, lexical: Sequence[str], model: Linear | None = None) -> Decision:
    """Return the semantic class of a sentence that the rules read so, by `model` or the one that is shipped."""
    ruled = reading.semantic if reading else None
    seen = features(words, reading.rules if reading else (), ruled or "none", lexical)
    chances = (model or linear("semantic")).probabilities(seen)
    if reading is None or ruled is None:
        return Decision(None, chances[NOT_CAUSAL], _sorted(chances), seen)
    allowed = ANTECEDENTS if ruled in ANTECEDENTS else {ruled}
    left = {name: chance for name, chance in chances.items() if name == NOT_CAUSAL or name in allowed}
    total = sum(left.values())
    scores = {name: chance / total for name, chance in left.items()}
    if chances[NOT_CAUSAL] > max(_LEAST_DOUBT, reading.confidence):
        return Decision(None, scores[NOT_CAUSAL], _sorted(scores), seen)
    best = max(allowed, key=lambda name: (scores[name], name == ruled))
    return Decision(best, scores[best], _sorted(scores), seen)


def purport(seen: frozenset[str], semantic: Semantic, model: Linear | None = None) -> Purport:
    """Return what somebody wants who asks a causal question of the class `semantic` with these features."""
    chances = _medical_if_sure((model or linear("pragmatic")).probabilities(asked_as(seen, semantic)), seen, semantic)
    intents: dict[Intent, float] = dict.fromkeys(Intent, 0.0)
    for name, chance in chances.items():
        intents[_intent_of(name)] += chance
    intent = max(intents, key=lambda one: intents[one])
    subtype = max((one for one in chances if _intent_of(one) is intent), key=lambda one: chances[one])
    sure = chances[subtype] >= SURE_SUBTYPE
    return Purport(
        Pragmatic(subtype) if sure else None,
        intent if sure or intents[intent] >= SURE_INTENT else None,
        chances[subtype] if sure else intents[intent],
        _sorted(chances),
    )


def _medical_if_sure(chances: dict[str, float], seen: frozenset[str], semantic: Semantic) -> dict[str, float]:
    """Return the probabilities without the medical subtypes where a yes/no question without a word of medicine is not surely one.

    Most yes/no questions that people ask are medical, and so the model takes "does ... cause ..." alone for a sign of it.
    """
    likeliest = max(chances, key=lambda name: chances[name])
    if semantic is not Semantic.VERIFICATION or likeliest not in _MEDICAL or not _OF_MEDICINE.isdisjoint(seen):
        return chances
    if chances[likeliest] >= SURE_MEDICAL:
        return chances
    left = {name: chance for name, chance in chances.items() if name not in _MEDICAL}
    total = sum(left.values())
    return {name: chance / total for name, chance in left.items()}


@cache
def _intent_of(subtype: str) -> Intent:
    return Pragmatic(subtype).intent


def asked_as(seen: frozenset[str], semantic: str) -> frozenset[str]:
    """Return the features with the class that was decided on."""
    return seen | {f"decided {semantic}"}


def _sorted(chances: dict[str, float]) -> Scores:
    """Return the classes with their probabilities, likeliest first."""
    return tuple(sorted(((str(name), chance) for name, chance in chances.items()), key=lambda one: (-one[1], one[0])))
