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
from kgqa.typology.features import extract_question_features
from kgqa.typology.linear import LinearClassifier, linear_classifier
from kgqa.typology.reading import ParsedQuestion
from kgqa.typology.words import QuestionWord

NOT_CAUSAL = "not causal"
ANTECEDENT_CLASSES = frozenset((Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT))
"""The classes among which the model chooses."""
_LEAST_DOUBT = 0.5
SURE_SUBTYPE = 0.35
"""A subtype less probable than this is not told, only its intent, if that is sure enough."""
SURE_INTENT = 0.5
SURE_MEDICAL = 0.7
"""A yes/no question in which no word is about an illness, the body, a drug or a treatment is medical only from here on."""
_MEDICAL = frozenset((Pragmatic.PROBLEM_MEDICAL, Pragmatic.PREVENTION_MEDICAL))
_OF_MEDICINE = frozenset(f"{much} {topic}" for much in ("topic", "twice") for topic in ("illness", "body", "drug", "treatment"))

ClassScores = tuple[tuple[str, float], ...]


class SemanticDecision(NamedTuple):
    """The class with the probabilities of all, likeliest first, and the features that were looked at."""

    semantic: Semantic | None
    confidence: float
    scores: ClassScores
    features: frozenset[str]


class PragmaticDecision(NamedTuple):
    """The pragmatic subtype and intent, each `None` where it is not sure enough, with the probabilities of the subtypes."""

    subtype: Pragmatic | None
    intent: Intent | None
    confidence: float
    scores: ClassScores


def decide_semantic(
    words: Sequence[QuestionWord], reading: ParsedQuestion | None, lexical: Sequence[str], model: LinearClassifier | None = None
) -> SemanticDecision:
    """Return the semantic class of a sentence that the rules read so, by `model` or the one that is shipped."""
    ruled = reading.semantic if reading else None
    seen = extract_question_features(words, reading.rules if reading else (), ruled or "none", lexical)
    chances = (model or linear_classifier("semantic")).probabilities(seen)
    if reading is None or ruled is None:
        return SemanticDecision(None, chances[NOT_CAUSAL], _ranked_scores(chances), seen)
    allowed = ANTECEDENT_CLASSES if ruled in ANTECEDENT_CLASSES else {ruled}
    left = {name: chance for name, chance in chances.items() if name == NOT_CAUSAL or name in allowed}
    total = sum(left.values())
    scores = {name: chance / total for name, chance in left.items()}
    if chances[NOT_CAUSAL] > max(_LEAST_DOUBT, reading.confidence):
        return SemanticDecision(None, scores[NOT_CAUSAL], _ranked_scores(scores), seen)
    best = max(allowed, key=lambda name: (scores[name], name == ruled))
    return SemanticDecision(best, scores[best], _ranked_scores(scores), seen)


def decide_pragmatic(seen: frozenset[str], semantic: Semantic, model: LinearClassifier | None = None) -> PragmaticDecision:
    """Return what somebody wants who asks a causal question of the class `semantic` with these features."""
    chances = _without_unsure_medical(
        (model or linear_classifier("pragmatic")).probabilities(with_decided_class(seen, semantic)), seen, semantic
    )
    intents: dict[Intent, float] = dict.fromkeys(Intent, 0.0)
    for name, chance in chances.items():
        intents[_intent_of(name)] += chance
    intent = max(intents, key=lambda candidate: intents[candidate])
    subtype = max(
        (candidate for candidate in chances if _intent_of(candidate) is intent), key=lambda candidate: chances[candidate]
    )
    sure = chances[subtype] >= SURE_SUBTYPE
    return PragmaticDecision(
        Pragmatic(subtype) if sure else None,
        intent if sure or intents[intent] >= SURE_INTENT else None,
        chances[subtype] if sure else intents[intent],
        _ranked_scores(chances),
    )


def _without_unsure_medical(chances: dict[str, float], seen: frozenset[str], semantic: Semantic) -> dict[str, float]:
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


def with_decided_class(seen: frozenset[str], semantic: str) -> frozenset[str]:
    """Return the features with the class that was decided on."""
    return seen | {f"decided {semantic}"}


def _ranked_scores(chances: dict[str, float]) -> ClassScores:
    """Return the classes with their probabilities, likeliest first."""
    return tuple(sorted(((str(name), chance) for name, chance in chances.items()), key=lambda entry: (-entry[1], entry[0])))
