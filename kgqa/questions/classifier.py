"""From a question to its type: rules read the slots, a linear model weighs what the rules and the words say of the class.

The rules find the slots, so the model may move a question only among classes that read the same slots: between cause, goal,
purpose and enablement, which all ask what stands before an effect; and to "not causal", if it is surer of that than the rule is
of its class. A question that no rule reads has no slots, and is not causal whatever the model thinks.

The multinomial logistic models question_semantic and question_pragmatic are fitted by scripts/fit/fit_typology.py. Their weights
are whole numbers, in hundredths, so that classes with the same sum are exactly equal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from graph.model import Relation
from kgqa.calibration.linear_model import load_fitted_model, logistic, softmax
from kgqa.question import Attribute, Intent, Pragmatic, QuestionType, Semantic, Slots
from kgqa.questions.conditional_parser import ConditionalQuestion, may_suppose, parse_conditional
from kgqa.questions.lexicon import correct_cue_word, read_question_rows
from kgqa.questions.question_features import extract_question_features
from kgqa.questions.question_rules import LexicalMode, lexical_matches
from kgqa.questions.question_scope import narrow_slots
from kgqa.questions.slots import CLASS_RELATIONS, ParsedQuestion, is_vague_phrase, parse_question
from kgqa.questions.tokenization import LONGEST_QUESTION, QuestionWord, foreign_language


class LinearClassifier(NamedTuple):
    """A multinomial logistic model over binary features: the weights and the bias of each class, and the temperature."""

    weights: Mapping[str, Mapping[str, float]]
    bias: Mapping[str, float]
    temperature: float = 1.0

    def probabilities(self, features: Collection[str]) -> dict[str, float]:
        """Return the probability of each class."""
        sums = [self.bias[name] + sum(row.get(feature, 0) for feature in features) for name, row in self.weights.items()]
        return dict(zip(self.weights, softmax(sums, self.temperature), strict=True))

    def contributions(self, features: Collection[str], name: str, rival: str) -> list[tuple[str, float]]:
        """Return the features with a higher weight for the class `name` than for `rival`: their log-odds, strongest first."""
        row, rival_row = self.weights[name], self.weights[rival]
        differences = [(feature, (row.get(feature, 0) - rival_row.get(feature, 0)) / self.temperature) for feature in features]
        return sorted((entry for entry in differences if entry[1] > 0), key=_by_score)


@cache
def linear_classifier(name: str) -> LinearClassifier:
    """Return the model `name`, "semantic" or "pragmatic", read once."""
    model = load_fitted_model(f"question_{name}")
    return LinearClassifier(model.weights, model.bias, model.parameters["temperature"])


NOT_CAUSAL = "not causal"
_ANTECEDENT_CLASSES = frozenset((Semantic.CAUSE, Semantic.GOAL, Semantic.PURPOSE, Semantic.ENABLEMENT))
"""The classes among which the model chooses."""
_LEAST_DOUBT = 0.5
_SURE_SUBTYPE = 0.35
"""A subtype less probable than this is not shown, only its intent, if that is sure enough."""
_SURE_INTENT = 0.5
_SURE_MEDICAL = 0.7
"""A yes/no question in which no word is about an illness, the body, a drug or a treatment is medical only from here on."""
_MEDICAL = frozenset((Pragmatic.PROBLEM_MEDICAL, Pragmatic.PREVENTION_MEDICAL))
_OF_MEDICINE = frozenset(f"{much} {topic}" for much in ("topic", "twice") for topic in ("illness", "body", "drug", "treatment"))

ClassScores = tuple[tuple[str, float], ...]
"""Classes with their probabilities, likeliest first."""


class SemanticDecision(NamedTuple):
    """The class with the probabilities of all, and the features that were looked at."""

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
    features = extract_question_features(words, reading.rules if reading else (), ruled or "none", lexical)
    chances = (model or linear_classifier("semantic")).probabilities(features)
    if reading is None or ruled is None:
        return SemanticDecision(None, chances[NOT_CAUSAL], _ranked_scores(chances), features)
    allowed = _ANTECEDENT_CLASSES if ruled in _ANTECEDENT_CLASSES else {ruled}
    scores = _normalised({name: chance for name, chance in chances.items() if name == NOT_CAUSAL or name in allowed})
    if chances[NOT_CAUSAL] > max(_LEAST_DOUBT, reading.confidence):
        return SemanticDecision(None, scores[NOT_CAUSAL], _ranked_scores(scores), features)
    best = max(allowed, key=lambda name: (scores[name], name == ruled))
    return SemanticDecision(best, scores[best], _ranked_scores(scores), features)


def decide_pragmatic(features: frozenset[str], semantic: Semantic, model: LinearClassifier | None = None) -> PragmaticDecision:
    """Return what somebody wants who asks a causal question of the class `semantic` with these features."""
    chances = (model or linear_classifier("pragmatic")).probabilities(with_decided_class(features, semantic))
    likeliest = max(chances, key=chances.__getitem__)
    if (
        semantic is Semantic.VERIFICATION
        and likeliest in _MEDICAL
        and chances[likeliest] < _SURE_MEDICAL
        and _OF_MEDICINE.isdisjoint(features)
    ):
        # Most yes/no questions that people ask are medical, so the model takes "does ... cause ..." alone for a sign of it.
        chances = _normalised({name: chance for name, chance in chances.items() if name not in _MEDICAL})
    intents: dict[Intent, float] = dict.fromkeys(Intent, 0.0)
    for name, chance in chances.items():
        intents[Pragmatic(name).intent] += chance
    intent = max(intents, key=intents.__getitem__)
    subtype = max((name for name in chances if Pragmatic(name).intent is intent), key=chances.__getitem__)
    sure = chances[subtype] >= _SURE_SUBTYPE
    return PragmaticDecision(
        Pragmatic(subtype) if sure else None,
        intent if sure or intents[intent] >= _SURE_INTENT else None,
        chances[subtype] if sure else intents[intent],
        _ranked_scores(chances),
    )


def with_decided_class(features: frozenset[str], semantic: str) -> frozenset[str]:
    """Return the features with the class that was decided on."""
    return features | {f"decided {semantic}"}


def _normalised(chances: dict[str, float]) -> dict[str, float]:
    total = sum(chances.values())
    return {name: chance / total for name, chance in chances.items()}


def _ranked_scores(chances: dict[str, float]) -> ClassScores:
    return tuple(sorted(((str(name), chance) for name, chance in chances.items()), key=_by_score))


def _by_score(entry: tuple[str, float]) -> tuple[float, str]:
    return -entry[1], entry[0]


class MoodCue(NamedTuple):
    """One sign of a mood, with what it adds to the log-odds that something is only supposed: a grade, not a fitted figure."""

    name: str
    expression: re.Pattern[str]
    weight: float
    example: str


@cache
def mood_cues() -> Sequence[MoodCue]:
    """Read the cues of data/moods.jsonl, once."""
    rows = read_question_rows("moods.jsonl")
    return [MoodCue(row["cue"], re.compile(row["expression"], re.I), float(row["weight"]), row["example"]) for row in rows]


def conditional_mood(question: str) -> float | None:
    """Return how surely (0..1) what the "if" of a question says is only supposed; `None` for a question without one.

    It is a prior and no decision: what "would" supposes may be thought to be so by whoever asks ("Wouldn't it be better if
    rockets took off like planes?"), and a plain "if" may be open.
    """
    start = question[:LONGEST_QUESTION]
    return logistic(sum(cue.weight for cue in mood_cues() if cue.expression.search(start))) if may_suppose(question) else None


_VAGUE_FACTOR = 0.7
_MOST_REASONS = 3


def classify(question: str, lexical: LexicalMode = "paper") -> QuestionType:
    """Return the type of `question`, or, where it is not causal as it is spelt, of the question with its cue word spelt right."""
    kind = _classify_as_spelt(question, lexical)
    corrected = correct_cue_word(question) if kind.semantic is None else None
    again = _classify_as_spelt(corrected, lexical) if corrected else kind
    return again if again.semantic is not None else kind


def _classify_as_spelt(question: str, lexical: LexicalMode) -> QuestionType:
    """Return the semantic and pragmatic class, attributes and slots of `question`, and the names of the rules that matched.

    `semantic` is `None` for a question that is not causal, or not in English. The slots are phrases of the question, word for
    word. In a counterfactual the condition's target is the cause too. The rules are those of data/rules.jsonl, outermost first,
    then that of data/conditions.jsonl, then the lexical rules R1 to R7 in the mode `lexical`, on which no slot depends.
    """
    names = lexical_matches(question, lexical)
    conditional = parse_conditional(question)
    language = foreign_language(question)
    if language:
        return QuestionType(None, Slots(), confidence=1.0, rules=(f"language.{language}", *names), conditional=conditional)
    reading, decision, wanted = _classify_sentence(question, conditional)
    rules = (reading.rules if reading else ()) + names
    if reading is None or decision.semantic is None or wanted is None:
        confidence = round(decision.confidence, 4)
        return QuestionType(None, Slots(), confidence=confidence, rules=rules, scores=decision.scores, conditional=conditional)
    slots = _slots_as_class(reading.slots, reading.semantic, decision.semantic)
    slots, attributes = narrow_slots(slots, decision.semantic, clause=reading.clause)
    vague = any(text and is_vague_phrase(text) for text in (slots.cause, slots.effect))
    attributes.update(reading.attributes)
    if slots.comparison:
        attributes.discard(Attribute.DISJUNCTION)
    return QuestionType(
        decision.semantic,
        slots,
        tuple(attribute for attribute in Attribute if attribute in attributes),
        pragmatic=wanted.subtype,
        confidence=round(decision.confidence * (_VAGUE_FACTOR if vague else 1), 4),
        rules=rules,
        intent=wanted.intent,
        pragmatic_confidence=round(wanted.confidence, 4),
        scores=decision.scores,
        pragmatic_scores=wanted.scores,
        mood=conditional_mood(question),
        conditional=conditional,
    )


def explain_classification(question: str) -> Iterator[str]:
    """Yield why `classify` says what it says, a sentence each: the rule, and the features that weighed most."""
    language = foreign_language(question)
    if language:
        yield f"not in English, by its small words: {language}"
        return
    reading, decision, wanted = _classify_sentence(question, parse_conditional(question))
    ruled = str((reading and reading.semantic) or NOT_CAUSAL)
    decided = str(decision.semantic or NOT_CAUSAL)
    if reading:
        yield f"the rule {reading.rules[0]} says {ruled}"
    else:
        yield "no rule takes a sentence of this form, so no slot is known"
    yield _explain_preference("semantic", decision.features, decided, [name for name, _ in decision.scores])
    if decided != ruled:
        yield f"the model overrules the rule: {decided}"
    if wanted and decision.semantic:
        names = [name for name, _ in wanted.scores]
        subtype = wanted.subtype or next(name for name in names if wanted.intent in (None, Pragmatic(name).intent))
        yield _explain_preference("pragmatic", with_decided_class(decision.features, decision.semantic), subtype, names)


def _explain_preference(model: str, features: frozenset[str], name: str, ranked: Sequence[str]) -> str:
    rival = next((candidate for candidate in ranked if candidate != name), None)
    if rival is None:
        return f"{name}: nothing else comes into question"
    reasons = linear_classifier(model).contributions(features, name, rival)[:_MOST_REASONS]
    summary = ", ".join(f"{feature} (+{weight:.2f})" for feature, weight in reasons) or "nothing that the model knows"
    return f"{name} rather than {rival}: {summary}"


def _classify_sentence(
    question: str, conditional: ConditionalQuestion | None
) -> tuple[ParsedQuestion | None, SemanticDecision, PragmaticDecision | None]:
    """Return the reading and the decisions; R1 to R7 count for them as the paper prints them, whichever mode is shown."""
    words, reading = parse_question(" ".join(question.split()), conditional)
    decision = decide_semantic(words, reading, lexical_matches(question))
    return reading, decision, decide_pragmatic(decision.features, decision.semantic) if decision.semantic else None


def _slots_as_class(slots: Slots, ruled: Semantic | None, decided: Semantic) -> Slots:
    """Return the slots of a question that was read as `ruled` as the class `decided` has them.

    A purpose is that of a thing, which is the cause; the other classes ask what stands before an effect.
    """
    if decided is ruled:
        return slots
    slots = replace(slots, relation=CLASS_RELATIONS.get(decided, Relation.CAUSES))
    if Semantic.PURPOSE in (decided, ruled) and not (slots.cause and slots.effect):
        return replace(slots, cause=slots.effect, effect=slots.cause)
    return slots
